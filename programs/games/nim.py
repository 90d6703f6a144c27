"""Nim: take as many objects as you like from one heap; whoever takes the last one wins."""

# This is a whole game for gpkit. Change it into your own; these work on it from any folder:
#
#   gpkit play nim.py                                         play it yourself
#   gpkit new arithmetic --game ./nim.py > my.tree            a program to start from
#   gpkit run my.tree --game ./nim.py                         how strong it is
#   gpkit trace my.tree --game ./nim.py                       one game, step by step
#   gpkit evolve ./nim.py                                     evolve a program
#   gpkit export my.tree --game ./nim.py --to lua             take it away
#   gpkit doctor --game ./nim.py                              what is wrong with this file
#
# An action is a whole number. Here it says the heap and how many objects are taken from it.

from dataclasses import dataclass

from gpkit import NOBODY, Kernel, fact, game, kernel, option, sensor

MOST = 20  # objects in a heap, at most


@dataclass(frozen=True, slots=True)
class State:
    """A moment of the game. It never changes: ``apply`` returns another one."""

    heaps: tuple[int, ...]
    current_player: int = 0  # who is to choose: 0 or 1
    widest: int = MOST  # objects in the largest heap at the beginning, for the board
    decision = "take"  # what is chosen: the section of a program
    action_count = 8 * MOST  # actions are from 0 to below it; only who learns from numbers wants to know

    @property
    def is_terminal(self):
        """Whether the game is over."""
        return not any(self.heaps)

    def legal_actions(self):
        """Whole numbers, ascending; none at the end."""
        return [
            heap * MOST + count - 1 for heap, size in enumerate(self.heaps) for count in range(1, size + 1)
        ]

    def apply(self, action):
        """The state after an action; ValueError if it is not legal."""
        heap, count = taken(action)
        if not (0 <= heap < len(self.heaps) and 0 < count <= self.heaps[heap]):
            raise ValueError(f"no heap {heap} with {count} objects")
        heaps = (*self.heaps[:heap], self.heaps[heap] - count, *self.heaps[heap + 1 :])
        return State(heaps, 1 - self.current_player, self.widest)

    def returns(self):
        """At the end what each player has: here 1 for the winner, who took the last object."""
        return (float(self.current_player == 1), float(self.current_player == 0))

    # What follows is for people; without it, actions are numbers and boards what Python prints.

    def action_text(self, action):
        """An action as people type it, such as ``b3``: three objects from the second heap."""
        heap, count = taken(action)
        return f"{'abcdefgh'[heap]}{count}"

    def board_text(self):  # in lines
        return "\n".join(f"{'abcdefgh'[heap]} {'o' * size}" for heap, size in enumerate(self.heaps))

    def squares(self):
        """The board on a page: each square's (x, y, width, height), in any unit."""
        places = [(heap, at) for heap in range(len(self.heaps)) for at in range(self.widest)]
        return {heap * MOST + at: (60 * at, 60 * heap, 60, 60) for heap, at in places}

    def pieces(self):
        """What stands on the squares: the seat of its owner, or -1 for nobody."""
        return {heap * MOST + at: -1 for heap, size in enumerate(self.heaps) for at in range(size)}

    def moves(self):
        """The square to choose for each action, here of the first object taken; (from, to) if pieces move."""
        each = ((action, *taken(action)) for action in self.legal_actions())
        return {action: heap * MOST + self.heaps[heap] - count for action, heap, count in each}


def taken(action):
    """The heap of an action, and how many objects are taken from it."""
    return action // MOST, action % MOST + 1


def begin(heaps):
    """The first state, from the options below."""
    sizes = tuple(int(size) for size in heaps.split(","))
    if not (1 <= len(sizes) <= 8 and all(0 < size <= MOST for size in sizes)):
        raise ValueError(f"heaps={heaps}: expected 1 to 8 heaps of 1 to {MOST} objects, such as 3,4,5")
    return State(sizes, widest=max(sizes))


# Sensors are what a program reads: numbers with bounds and a meaning, of a state and a legal action.
# A program writes env.left for the first one.


@sensor(0, 19, "objects left in the heap after the move")
def left(state, action):
    heap, count = taken(action)
    return state.heaps[heap] - count


@sensor(0, 8, "heaps that are not empty after the move")
def heaps_left(state, action):
    return sum(1 for size in state.apply(action).heaps if size)


@sensor(0, 8, "heaps of one object after the move")
def single_heaps(state, action):
    return state.apply(action).heaps.count(1)


@sensor(0, 31, "nim-sum after the move: the sizes of the heaps, in binary, added without carrying")
def nim_sum(state, action):
    total = 0
    for size in state.apply(action).heaps:
        total ^= size
    return total


# Facts are what people read of a step: traces say them, and `gpkit trace my.tree --game ./nim.py --until "objects < 5"`
# looks for one. They are functions of some of: before (the state), action, after (the next state), seat (who chose).


@fact("objects that are left")
def objects(after):
    return sum(after.heaps)


GAME = game(
    "nim",
    begin,
    sensors=[left, heaps_left, single_heaps, nim_sum],
    facts=[objects],
    options=[option("heaps", "3,4,5", "objects of each heap")],
    # Everybody plays against `random`; these are formulas, as in a file .tree, or functions of a state.
    opponents={"greedy": "take: -env.left"},
)

# The kernel block is optional: the same game over an int64 array, for the compiler, many times faster. The first two
# numbers are who is to choose (NOBODY at the end) and which decision it is (0: the first); the others are up to you.

PLAYER, DECISION, WINNER, HEAPS, SIZE = 0, 1, 2, 3, 11


def pack(state):
    """The array of a state."""
    mover = state.current_player
    ends = (NOBODY, 0, 1 - mover) if state.is_terminal else (mover, 0, NOBODY)
    return [*ends, *state.heaps, *[0] * (SIZE - HEAPS - len(state.heaps))]


@kernel
def fast_legal(game, actions):
    """Fill in the legal actions, and return how many there are."""
    found = 0
    for heap in range(SIZE - HEAPS):
        for count in range(game[HEAPS + heap]):
            actions[found] = heap * MOST + count
            found += 1
    return found


@kernel
def fast_apply(game, action):
    """Change the game."""
    game[HEAPS + action // MOST] -= action % MOST + 1
    rest = 0
    for heap in range(SIZE - HEAPS):
        rest += game[HEAPS + heap]
    if rest:
        game[PLAYER] = 1 - game[PLAYER]
    else:
        game[WINNER] = game[PLAYER]
        game[PLAYER] = NOBODY


@kernel
def fast_score(game, scores):
    """Fill in what each player has at the end."""
    scores[0] = game[WINNER] == 0
    scores[1] = game[WINNER] == 1


@kernel
def fast_sense(game, action, values):
    """Fill in the sensors of an action, in their order."""
    moved = action // MOST
    values[0] = game[HEAPS + moved] - (action % MOST + 1)
    values[1] = values[2] = 0.0
    total = 0
    for heap in range(SIZE - HEAPS):
        size = game[HEAPS + heap] - (action % MOST + 1 if heap == moved else 0)
        values[1] += size > 0
        values[2] += size == 1
        total ^= size
    values[3] = total


GAME = GAME.compiled(Kernel(pack, SIZE, 8 * MOST, fast_legal, fast_apply, fast_score, fast_sense))

"""Liar's Dice with one die each: bid on both dice, ever higher, until a bid is called a lie; sixes are wild."""

from dataclasses import dataclass, replace

from gpkit import CHANCE, NOBODY, Kernel, fact, game, kernel, sensor

FACES = 6
BIDS = 2 * FACES
LIAR = BIDS
NONE = -1


@dataclass(frozen=True, slots=True)
class State:
    """The dice that were thrown, from 0, and the bids: one 1, one 2, to one 6, then two 1s to two 6s."""

    dice: tuple[int, ...] = ()
    bids: tuple[int, ...] = ()
    challenged: bool = False
    current_player: int = CHANCE
    decision = "say"
    action_count = BIDS + 1

    @property
    def is_terminal(self):
        """Whether somebody has been called a liar."""
        return self.challenged

    def chance_outcomes(self):
        """Every face is as likely as any other."""
        return [(face, 1 / FACES) for face in range(FACES)]

    def legal_actions(self):
        """A higher bid, or that the last one is a lie."""
        if self.is_terminal:
            return []
        lowest = self.bids[-1] + 1 if self.bids else 0
        return [*range(lowest, BIDS), *([LIAR] if self.bids else [])]

    def apply(self, action):
        """The state after a throw, a bid or a challenge."""
        if self.current_player == CHANCE:
            if not 0 <= action < FACES:
                raise ValueError(f"there is no face {action}")
            dice = (*self.dice, action)
            return replace(self, dice=dice, current_player=CHANCE if len(dice) == 1 else 0)
        if action not in self.legal_actions():
            raise ValueError(f"{action} is no legal bid")
        if action == LIAR:
            return replace(self, challenged=True, current_player=1 - self.current_player)
        return replace(self, bids=(*self.bids, action), current_player=1 - self.current_player)

    def returns(self):
        """1 for the winner: the one who bid, where the bid is true."""
        true = sum(counts(die, self.bids[-1]) for die in self.dice) > self.bids[-1] // FACES
        return tuple(float(true == (player == self.current_player)) for player in range(2))

    def observation(self, player):
        """The own die and all bids."""
        return (player, self.dice[player : player + 1], self.bids, self.challenged, self.current_player)

    def resample(self, rng, player):
        """Another face of the other die, which the player cannot know: with it gpkit doctor looks for leaks."""
        if len(self.dice) <= 1 - player:
            return self
        dice = list(self.dice)
        dice[1 - player] = int(rng.integers(FACES))
        return replace(self, dice=tuple(dice))

    def action_text(self, action):
        """A bid such as two 5s, or the face that is thrown."""
        if self.current_player == CHANCE:
            return f"throw {action + 1}"
        return "liar" if action == LIAR else bid_text(action)

    def hand(self, player):
        """The own die."""
        return [str(die + 1) for die in self.dice[player : player + 1]]

    def rows(self):
        """The bids, the latest last."""
        return {"bids": ", ".join(bid_text(bid) for bid in self.bids)}


def bid_text(bid):
    """A bid in words."""
    return f"two {bid - FACES + 1}s" if bid >= FACES else f"one {bid + 1}"


def counts(die, bid):
    """Whether a die counts for a bid: it shows its face, or a six."""
    return die in (bid % FACES, FACES - 1)


def said(state, action):
    """The bid that an action is about: itself, or the one that it calls a lie."""
    return state.bids[-1] if action == LIAR else action


def truth(die, bid):
    """The chance that a bid is true, for one who sees a die."""
    missing = bid // FACES + 1 - counts(die, bid)
    one = (1 if bid % FACES == FACES - 1 else 2) / FACES
    return (1.0, one, 0.0)[missing]


@sensor(0, 1, "1 for calling the last bid a lie")
def liar(state, action):
    return action == LIAR


@sensor(0, 1, "chance that what is said is true, going by the own die", integer=False)
def truth_of(state, action):
    chance = truth(state.dice[state.current_player], said(state, action))
    return 1.0 - chance if action == LIAR else chance


@sensor(1, 2, "dice of the bid, or of the one that is called a lie")
def amount(state, action):
    return said(state, action) // FACES + 1


@sensor(1, 6, "face of the bid, or of the one that is called a lie")
def face(state, action):
    return said(state, action) % FACES + 1


@sensor(0, 12, "steps of the bid above the last one; 0 for calling it a lie")
def step(state, action):
    return 0 if action == LIAR else action - (state.bids[-1] if state.bids else NONE)


@sensor(0, 1, "1 if the own die counts for it")
def held(state, action):
    return counts(state.dice[state.current_player], said(state, action))


@sensor(1, 6, "face of the own die")
def die(state):
    return state.dice[state.current_player] + 1


@sensor(0, 12, "bids that were made")
def bids(state):
    return len(state.bids)


@sensor(0, 12, "number of the last bid, from 1 for one 1 to 12 for two 6s; 0 if there is none")
def last(state):
    return state.bids[-1] + 1 if state.bids else 0


@sensor(0, 12, "number of the bid before it, the player's own; 0 if there is none")
def mine(state):
    return state.bids[-2] + 1 if len(state.bids) > 1 else 0


@fact("dice that count for the last bid")
def showing(after):
    return sum(counts(die, after.bids[-1]) for die in after.dice) if after.bids else None


GAME = game(
    "liars_dice",
    State,
    sensors=[liar, truth_of, amount, face, step, held, die, bids, last, mine],
    facts=[showing],
    opponents={
        "bold": "say: -env.step - env.liar * 0.5",
        "careful": "say: env.truth_of - env.step / 100",
    },
)

# The same over an int64 array: who is to choose, the decision, the dice, the last two bids, the bids that were made,
# and who was called a liar.

PLAYER, DECISION, DICE, LAST, BEFORE, MADE, ACCUSED, SIZE = 0, 1, 2, 4, 5, 6, 7, 8


def pack(state):
    """The array of a state."""
    player = NOBODY if state.is_terminal else state.current_player
    accused = state.current_player if state.challenged else NONE
    dice, said = [*state.dice, NONE, NONE][:2], [NONE, NONE, *state.bids]
    return [player, 0, *dice, said[-1], said[-2], len(state.bids), accused]


@kernel
def fast_chance(game, actions, weights):
    """Fill in the faces, with their probabilities."""
    for face in range(FACES):
        actions[face] = face
        weights[face] = 1 / FACES
    return FACES


@kernel
def fast_legal(game, actions):
    """Fill in the higher bids, and the challenge."""
    found = 0
    for bid in range(game[LAST] + 1, BIDS):
        actions[found] = bid
        found += 1
    if game[LAST] != NONE:
        actions[found] = LIAR
        found += 1
    return found


@kernel
def fast_apply(game, action):
    """Throw a die, bid, or call the last bid a lie."""
    if game[PLAYER] == CHANCE:
        if game[DICE] == NONE:
            game[DICE] = action
        else:
            game[DICE + 1] = action
            game[PLAYER] = 0
    elif action == LIAR:
        game[ACCUSED] = 1 - game[PLAYER]
        game[PLAYER] = NOBODY
    else:
        game[BEFORE] = game[LAST]
        game[LAST] = action
        game[MADE] += 1
        game[PLAYER] = 1 - game[PLAYER]


@kernel
def fast_counts(die, bid):
    """Whether a die counts for a bid."""
    return die == bid % FACES or die == FACES - 1


@kernel
def fast_score(game, scores):
    """Fill in 1 for the winner."""
    found = 0
    for player in range(2):
        if fast_counts(game[DICE + player], game[LAST]):
            found += 1
    accused = game[ACCUSED]
    scores[accused] = 1.0 if found > game[LAST] // FACES else 0.0
    scores[1 - accused] = 1.0 - scores[accused]


@kernel
def fast_sense(game, action, values):
    """Fill in the sensors, in their order."""
    own = game[DICE + game[PLAYER]]
    bid = game[LAST] if action == LIAR else action
    holds = fast_counts(own, bid)
    missing = bid // FACES + 1 - (1 if holds else 0)
    chance = 1.0
    if missing == 1:
        chance = (1 if bid % FACES == FACES - 1 else 2) / FACES
    elif missing == 2:
        chance = 0.0
    values[0] = action == LIAR
    values[1] = 1.0 - chance if action == LIAR else chance
    values[2] = bid // FACES + 1
    values[3] = bid % FACES + 1
    values[4] = 0 if action == LIAR else action - game[LAST]
    values[5] = holds
    values[6] = own + 1
    values[7] = game[MADE]
    values[8] = game[LAST] + 1
    values[9] = game[BEFORE] + 1


GAME = GAME.compiled(
    Kernel(pack, SIZE, BIDS + 1, fast_legal, fast_apply, fast_score, fast_sense, fast_chance)
)

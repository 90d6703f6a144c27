"""Small games that are drawn: everybody chooses a number once, in turn, and a table says what each player gets."""

import itertools
from dataclasses import dataclass
from pathlib import Path

from gpkit.core.rng import stream

CHOICES, HIGHEST = 3, 4

TEXT = '''"""Everybody chooses a number."""
from dataclasses import dataclass
from gpkit import CHANCE, Metric, game, sensor

TABLE = {table!r}

@dataclass(frozen=True, slots=True)
class State:
    line: tuple[int, ...] = ()
    decision = "choice"
    action_count = {choices}

    @property
    def current_player(self):
        return CHANCE if len(self.line) in {events} else sum(at not in {events} for at in range(len(self.line)))

    @property
    def is_terminal(self):
        return len(self.line) == {players} + len({events})

    def legal_actions(self):
        if self.current_player == CHANCE:
            raise RuntimeError("chance has no legal actions")
        return [] if self.is_terminal else list(range({choices}))

    def chance_outcomes(self):
        return [(n, 1 / {choices}) for n in range({choices})]

    def apply(self, action):
        if self.is_terminal or action not in range({choices}):
            raise ValueError(f"{{action}} is not legal")
        return State((*self.line, action))

    def returns(self):
        return tuple(map(float, TABLE[self.line]))

@sensor(0, {choices} - 1, "the number")
def number(state, action):
    return action

def lowest(state):
    return state.legal_actions()[0]

def highest(state):
    return state.legal_actions()[-1]

GAME = game({name!r}, State, sensors=[number], players={players},
    metric=Metric("coins", 0.0, {highest}.0, lower_is_better={lower}, total={total}),
    opponents={{f"takes_{{n}}": f"choice: -abs(env.number - {{n}})" for n in range({choices})}} | {functions})
'''


@dataclass(frozen=True)
class Drawn:
    """A game that was drawn, and its mirror image, in which more is better.

    Attributes:
        players: how many.
        table: by the numbers chosen what each player gets, of which less is better.
        total: the sum in every game; None where it differs.
        events: the places of a line where chance acts, which has no legal actions.
        functions: opponents that are functions, by name.
    """

    players: int
    table: dict[tuple[int, ...], tuple[int, ...]]
    total: int | None
    events: tuple[int, ...] = ()
    functions: tuple[str, ...] = ()

    def write(self, folder: Path, *, lower: bool = True) -> str:
        """The path of the file of the game, or of its mirror image."""
        mirrored = {line: tuple(HIGHEST - each for each in got) for line, got in self.table.items()}
        total = self.total if lower or self.total is None else self.players * HIGHEST - self.total
        name = "less" if lower else "more"
        text = TEXT.format(
            name=name,
            table=self.table if lower else mirrored,
            players=self.players,
            choices=CHOICES,
            highest=HIGHEST,
            lower=lower,
            total=total,
            events=self.events,
            functions=f"{{{', '.join(f'{each!r}: {each}' for each in self.functions)}}}",
        )
        path = folder / f"{name}.py"
        path.write_text(text)
        return str(path)

    def winners(self, line: tuple[int, ...]) -> set[int]:
        """The seats of those who have least."""
        got = self.table[line]
        return {seat for seat, each in enumerate(got) if each == min(got)}


def drawn_game(seed: int, players: int, chance: int = 0, functions: tuple[str, ...] = ()) -> Drawn:
    """A game of so many players; of two, what they get has the same sum in every game.

    Args:
        seed: decides it.
        players: how many.
        chance: how many times chance acts.
        functions: the opponents among ``lowest`` and ``highest``.
    """
    rng, table = stream(seed, "tables"), {}
    for line in itertools.product(range(CHOICES), repeat=players + chance):
        got = rng.integers(0, HIGHEST + 1, players).tolist()
        table[line] = tuple([got[0], HIGHEST - got[0]] if players == 2 else got)
    events = tuple(sorted(rng.permutation(players + chance)[:chance].tolist()))
    return Drawn(players, table, HIGHEST if players == 2 else None, events, functions)

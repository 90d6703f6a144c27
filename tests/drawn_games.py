"""Small games that are drawn: everybody chooses a number once, in turn, and a table says what each player gets."""

import itertools
from dataclasses import dataclass
from pathlib import Path

from gpkit.core.rng import stream

CHOICES, HIGHEST = 3, 4

TEXT = '''"""Everybody chooses a number."""
from dataclasses import dataclass
from gpkit import Metric, game, sensor

TABLE = {table!r}

@dataclass(frozen=True, slots=True)
class State:
    line: tuple[int, ...] = ()
    decision = "choice"
    action_count = {choices}

    @property
    def current_player(self):
        return len(self.line)

    @property
    def is_terminal(self):
        return len(self.line) == {players}

    def legal_actions(self):
        return [] if self.is_terminal else list(range({choices}))

    def apply(self, action):
        if action not in self.legal_actions():
            raise ValueError(f"{{action}} is not legal")
        return State((*self.line, action))

    def returns(self):
        return tuple(map(float, TABLE[self.line]))

@sensor(0, {choices} - 1, "the number")
def number(state, action):
    return action

GAME = game({name!r}, State, sensors=[number], players={players},
    metric=Metric("coins", 0.0, {highest}.0, lower_is_better={lower}, total={total}),
    opponents={{f"takes_{{n}}": f"choice: -abs(env.number - {{n}})" for n in range({choices})}})
'''


@dataclass(frozen=True)
class Drawn:
    """A game that was drawn, and its mirror image, in which more is better.

    Attributes:
        players: how many.
        table: by the numbers chosen what each player gets, of which less is better.
        total: the sum in every game; None where it differs.
    """

    players: int
    table: dict[tuple[int, ...], tuple[int, ...]]
    total: int | None

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
        )
        path = folder / f"{name}.py"
        path.write_text(text)
        return str(path)

    def winners(self, line: tuple[int, ...]) -> set[int]:
        """The seats of those who have least."""
        got = self.table[line]
        return {seat for seat, each in enumerate(got) if each == min(got)}


def drawn_game(seed: int, players: int) -> Drawn:
    """A game of so many players; of two, what they get has the same sum in every game."""
    rng, table = stream(seed, "tables"), {}
    for line in itertools.product(range(CHOICES), repeat=players):
        got = rng.integers(0, HIGHEST + 1, players).tolist()
        table[line] = tuple([got[0], HIGHEST - got[0]] if players == 2 else got)
    return Drawn(players, table, HIGHEST if players == 2 else None)

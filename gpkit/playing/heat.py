"""Heat maps: what a player does on the squares of a board, counted over many games."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from gpkit.gamekit.state import ObservableState
from gpkit.gamekit.view import View
from gpkit.playing.trace import Trace


@dataclass(slots=True)
class Tally:
    """Counts on the squares of a board over some games; squares by the numbers of their actions.

    Attributes:
        games: their number.
        chosen: games in which the player chose the square.
        turns: the sum of the numbers, from 1, of the choices that fell on it.
        worth: the sum of the values that the player gave it.
        valued: how often it valued it.
        laid: by seat the games in which the player of that seat laid something out there.
    """

    games: int = 0
    chosen: Counter[int] = field(default_factory=Counter)
    turns: Counter[int] = field(default_factory=Counter)
    worth: dict[int, float] = field(default_factory=dict)
    valued: Counter[int] = field(default_factory=Counter)
    laid: dict[int, Counter[int]] = field(default_factory=dict)

    def begin(self, state: ObservableState, view: View) -> None:
        """Count a game that begins, and what is laid out there."""
        self.games += 1
        if view.laid_squares is not None:
            for seat, squares in view.laid_squares(state).items():
                self.laid.setdefault(seat, Counter()).update(squares)

    def follow(self, trace: Trace, view: View) -> None:
        """Count a game that is played to its end."""
        number = 0
        for step in trace.steps:
            if step.number == 0:
                self.begin(step.after, view)
            for square, value in step.worths.items():
                if abs(value) < float("inf"):
                    self.worth[square] = self.worth.get(square, 0.0) + value
                    self.valued[square] += 1
            if step.is_mine and step.action is not None:
                number += 1
                self.chosen[step.action] += 1
                self.turns[step.action] += number

    def add(self, other: "Tally") -> None:
        """Add the counts of further games."""
        self.games += other.games
        self.chosen.update(other.chosen)
        self.turns.update(other.turns)
        self.valued.update(other.valued)
        for square, value in other.worth.items():
            self.worth[square] = self.worth.get(square, 0.0) + value
        for seat, squares in other.laid.items():
            self.laid.setdefault(seat, Counter()).update(squares)


@dataclass(frozen=True, slots=True)
class HeatMap:
    """One number for each square.

    Attributes:
        title: what the numbers are.
        values: by square; those without a value are missing.
    """

    title: str
    values: Mapping[int, float]


def heat_maps(tally: Tally, squares: Sequence[int], names: Sequence[str], followed: str) -> Iterator[HeatMap]:
    """The maps of a tally.

    Args:
        tally: of at least one game.
        squares: all of them.
        names: of the players by seat.
        followed: name of the player whose choices were counted; empty for nobody's.
    """
    if followed:
        shares = {square: 100 * tally.chosen[square] / tally.games for square in squares}
        yield HeatMap(f"chosen by {followed}: percent of games", shares)
        turns = {
            square: tally.turns[square] / tally.chosen[square] for square in squares if tally.chosen[square]
        }
        yield HeatMap(f"when {followed} chooses it: mean position in its choices", turns)
    if tally.worth:
        values = {
            square: tally.worth[square] / tally.valued[square] for square in squares if square in tally.worth
        }
        yield HeatMap(f"mean value for {followed} before its choices", values)
    for seat, counts in sorted(tally.laid.items()):
        laid = {square: 100 * counts[square] / tally.games for square in squares}
        yield HeatMap(f"placed by {names[seat]}: percent of games", laid)

"""Round robins: every program alone among copies of every other one, on the same deals, in every seat."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.games.game import Game, Metric
from gpkit.games.players import Player
from gpkit.playing.match import Match, Result, play_matches


@dataclass(frozen=True, slots=True)
class Tournament:
    """The cross table of a round robin.

    Attributes:
        players: seats at the table.
        programs: the names, in the order of rows and columns.
        cells: ``cells[i][j]`` is what program i reached with copies of program j in all the other seats; None where
            i = j. All cells are of the same deals.
    """

    game: str
    metric: Metric
    players: int
    programs: tuple[str, ...]
    cells: tuple[tuple[Result | None, ...], ...]

    @property
    def results(self) -> list[Result]:
        """The cells that were played, row by row."""
        return [cell for row in self.cells for cell in row if cell is not None]

    def by_deal(self) -> NDArray[np.float64]:
        """The scores: float64 (programs, programs, deals), a mean over seatings each; NaN where row = column."""
        table = np.full((len(self.programs), len(self.programs), len(self.results[0].by_deal)), np.nan)
        for i, row in enumerate(self.cells):
            for j, cell in enumerate(row):
                if cell is not None:
                    table[i, j] = cell.by_deal
        return table


def play_tournament(
    game: Game,
    players: Sequence[Player],
    *,
    rules: Any,
    seed: int,
    games: int,
    watch: Callable[[int], object] | None = None,
) -> Tournament:
    """Play every ordered pair of players.

    Args:
        players: at least two.
        games: how many games of each ordered pair at least; rounded up to whole deals.
        watch: is told the number of games played in all, again and again.
    """
    size = len(players)
    pairs = [(i, j) for i in range(size) for j in range(size) if i != j]
    matches = [Match(players[i], (players[j],)) for i, j in pairs]
    results = play_matches(game, matches, rules=rules, seed=seed, games=games, watch=watch)
    cells = dict(zip(pairs, results, strict=True))
    return Tournament(
        game=game.name,
        metric=game.metric(rules),
        players=game.players(rules),
        programs=tuple(player.name for player in players),
        cells=tuple(tuple(cells.get((i, j)) for j in range(size)) for i in range(size)),
    )

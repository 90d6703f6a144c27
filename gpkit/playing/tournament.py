"""Round robins: every program alone among copies of every other one, on the same deals, in every seat.

In a league two players at a time meet in series of games, in which those that learn keep their memory.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.errors import UsageError
from gpkit.core.statistics import mean_interval
from gpkit.gamekit.game import Game, Metric
from gpkit.gamekit.players import Player
from gpkit.playing.match import Match, Result, Watch, after, joint, play_matches
from gpkit.playing.series import Series, play_series


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
    watch: Watch | None = None,
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


def play_league(
    game: Game,
    players: Sequence[Player],
    *,
    rules: Any,
    seed: int,
    games: int,
    repeat: int,
    watch: Watch | None = None,
) -> Tournament:
    """Play a series between every two players of a game for two; the deal of a result is then a whole series.

    What one of the two scores is what the other one lacks, so each pair plays once for both cells.

    Args:
        players: at least two.
        games: of a series.
        repeat: series of each pair, each from every seating.
        watch: is told the number of games played in all, again and again.

    Raises:
        UsageError: the scores of two players do not add up to the same in every game.
    """
    metric = game.metric(rules)
    if game.players(rules) != 2 or metric.total is None:
        raise UsageError(
            f"a league needs a game for two players with a fixed total score, unlike {game.name}"
        )
    size, played = len(players), 0
    cells: list[list[Result | None]] = [[None] * size for _ in range(size)]
    for i, j in combinations(range(size), 2):
        pair, progress = [players[i], players[j]], after(played, watch)
        series = play_series(game, pair, rules=rules, seed=seed, games=games, repeat=repeat, watch=progress)
        played += series.scores.size
        scores = series.scores.mean(axis=(1, 2))
        cells[i][j] = _of_series(series, players[i], players[j], scores)
        cells[j][i] = _of_series(series, players[j], players[i], metric.total - scores)
    return Tournament(
        game=game.name,
        metric=metric,
        players=2,
        programs=tuple(player.name for player in players),
        cells=tuple(map(tuple, cells)),
    )


def _of_series(series: Series, player: Player, other: Player, by_series: NDArray[np.float64]) -> Result:
    """The result of a player in its series against another one."""
    courses = None if series.courses is None else joint(series.courses)
    return Result(
        program=player.name,
        game=series.game,
        opponent=other.name,
        metric=series.metric,
        interval=mean_interval(by_series, support=series.metric.support, courses=courses),
        by_deal=by_series,
        games=series.scores.size,
        stalled=series.stalled,
        invalid=series.invalid,
        courses=courses,
    )

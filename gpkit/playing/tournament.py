"""Round robins: every program alone among copies of every other one, on the same deals, in every seat.

In a league two players at a time meet in series of games, in which those that learn keep their memory.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.errors import UsageError
from gpkit.gamekit.game import Game, Metric
from gpkit.gamekit.players import Player
from gpkit.playing.contest import contest, finished, play_matches
from gpkit.playing.match import Match, Result, Watch


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
        none = np.full(len(self.results[0].by_deal), np.nan)
        return np.array([[none if cell is None else cell.by_deal for cell in row] for row in self.cells])


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
    pairs = list(permutations(range(len(players)), 2))
    matches = [Match(players[i], (players[j],)) for i, j in pairs]
    results = play_matches(game, matches, rules=rules, seed=seed, games=games, watch=watch)
    return _table(game, players, rules, dict(zip(pairs, results, strict=True)))


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
    cells: dict[tuple[int, int], Result] = {}
    played = 0
    for i, j in combinations(range(len(players)), 2):
        match = Match(players[i], (players[j],))
        running = contest(game, [match], rules=rules, seed=seed, deals=range(repeat), series=games)
        (found,) = finished(running, watch, played).results
        played += found.games
        cells[i, j] = found
        cells[j, i] = replace(
            found, program=found.opponent, opponent=found.program, by_deal=metric.total - found.by_deal
        )
    return _table(game, players, rules, cells)


def _table(
    game: Game, players: Sequence[Player], rules: Any, cells: Mapping[tuple[int, int], Result]
) -> Tournament:
    """The cross table with these cells."""
    places = range(len(players))
    return Tournament(
        game=game.name,
        metric=game.metric(rules),
        players=game.players(rules),
        programs=tuple(player.name for player in players),
        cells=tuple(tuple(cells.get((i, j)) for j in places) for i in places),
    )

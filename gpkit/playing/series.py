"""Series: games one after another between the same players, who may carry memory from each game to the next.

Where a player remembers, the games of a series depend on each other and the series is the unit of intervals; else the
deal is.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.registry import game_of
from gpkit.core.rng import stream
from gpkit.core.statistics import Interval, mean_interval
from gpkit.core.tabular import Sheet, Tabular
from gpkit.gamekit.game import Game, Metric, Scores
from gpkit.gamekit.players import Player
from gpkit.playing.match import BLOCK, BLOCK_OF_SEARCH, Courses, Watch, courses_of, repeats_told


@dataclass(frozen=True, slots=True)
class SeriesTally:
    """Results of the first player in some games.

    Attributes:
        games: their number.
        interval: the mean score with its 95 % interval.
        wins: games won outright; None where the score is not a share of a win.
    """

    games: int
    interval: Interval
    wins: int | None

    def to_json(self) -> dict[str, object]:
        """The fields of an entry of ``results``; ``share`` is the mean score where that is a share of a win."""
        mean = self.interval.mean
        return {
            "games": self.games,
            "mean": mean,
            "ci95": self.interval.ends,
            "wins": self.wins,
            "share": None if self.wins is None else mean,
        }


@dataclass(frozen=True, slots=True)
class Series(Tabular):
    """Scores of the first player in repeated series of games.

    Attributes:
        first, second: names; the second player sits in all other seats.
        game: its name.
        metric: the score.
        unit: of intervals: ``series`` where a player remembers, else ``deal``.
        scores: float64 (repeats, games, seatings): each series is played once from every seating, on the same deals;
            with every game of a series the players move on by one seat.
        stalled, invalid: games ended by the cap on their length, games in which a program exceeded its steps.
        courses: int64 (repeats, games): deals of one number were the same games again; None where hardly any were, or
            nothing is known of it.
        rules: the rules that were named, as texts.
    """

    first: str
    second: str
    game: str
    metric: Metric
    unit: str
    scores: NDArray[np.float64]
    stalled: int
    invalid: int
    courses: Courses = None
    rules: Mapping[str, str] = field(default_factory=dict)

    is_timed = True

    @property
    def games(self) -> int:
        """The number of games."""
        return self.scores.size

    @property
    def different_games(self) -> int | None:
        """The number of games of which none is another one again; None where hardly any are, or it is not known."""
        return None if self.courses is None else len(np.unique(self.courses)) * self.scores.shape[2]

    def tally(self) -> SeriesTally:
        """Results of all games."""
        by_deal = self.scores.mean(axis=2)
        courses = None if self.courses is None else self.courses.ravel()
        units = by_deal.mean(axis=1) if self.unit == "series" else by_deal.ravel()
        return self._tally(self.scores, units, courses)

    def tally_of(self, game: int) -> SeriesTally:
        """Results of one game of all series, counted from 0."""
        scores = self.scores[:, game]
        courses = None if self.courses is None else self.courses[:, game]
        return self._tally(scores, scores.mean(axis=1), courses)

    def _tally(
        self, scores: NDArray[np.float64], units: NDArray[np.float64], courses: Courses
    ) -> SeriesTally:
        wins = int((scores == self.metric.high).sum()) if self.metric.is_share else None
        return SeriesTally(
            scores.size, mean_interval(units, support=self.metric.support, courses=courses), wins
        )

    @property
    def mean(self) -> float:
        """The mean score of all games."""
        return self.tally().interval.mean

    def __str__(self) -> str:
        """The result of all games in a line."""
        found = self.tally()
        interval = f", {found.interval.text}" if found.interval.units > 1 else ""
        score = f"{self.metric.name} {found.interval.mean:.4f}{interval}"
        return f"{self.first} against {self.second}: {score}, in {found.games:,} games of {self.game}"

    def to_rows(self) -> list[dict[str, object]]:
        """The results by game of the series."""
        numbers = range(self.scores.shape[1])
        return [{"number": number + 1, **self.tally_of(number).to_json()} for number in numbers]

    def to_json(self) -> dict[str, object]:
        """The entry of ``results``: all games, then by game of the series."""
        return {
            "first": self.first,
            "second": self.second,
            "game": self.game,
            "metric": self.metric.name,
            "unit": self.unit,
            **self.tally().to_json(),
            "stalled": self.stalled,
            "invalid": self.invalid,
            "by_game": self.to_rows(),
        }

    def document(self) -> dict[str, object]:
        """The series as the only entry of ``results``."""
        return {"rules": self.rules, "results": [self.to_json()]}

    def told(self) -> Iterator[str | Sheet]:
        """The results by game, of a long series of some games, and of all."""
        games = self.scores.shape[1]
        shown = [n for n in range(1, games + 1) if games <= len(SHOWN) or n in (*SHOWN, games)]
        lines = [_cells(str(number), self.tally_of(number - 1)) for number in shown]
        columns = ("game", "games", "wins", "mean", "95 % interval")
        yield Sheet(
            columns, [*lines, _cells("all", self.tally())], right=columns, leave_out=("games", "wins")
        )
        yield (
            f"{self.metric.name} of {self.first} against {self.second}; the unit is the {self.unit}; "
            f"{self.stalled:,} games stalled, {self.invalid:,} invalid"
        )
        yield from repeats_told([self], game_of(self.game))


SHOWN = (1, 2, 3, 4, 5, 6, 8, 11, 15, 21, 31, 51, 101, 201, 501, 1001, 2001, 5001)
"""Games of a long series that its table shows, besides the last one."""


def _cells(number: str, tally: SeriesTally) -> tuple[str, ...]:
    wins = "" if tally.wins is None else f"{tally.wins:,}"
    return number, f"{tally.games:,}", wins, f"{tally.interval.mean:.4f}", tally.interval.text


def joined(parts: Sequence[Series]) -> Series:
    """Series between the same players one after another as one value."""
    known = [part.courses for part in parts if part.courses is not None]
    return replace(
        parts[0],
        scores=np.concatenate([part.scores for part in parts]),
        stalled=sum(part.stalled for part in parts),
        invalid=sum(part.invalid for part in parts),
        courses=np.concatenate(known) if len(known) == len(parts) else None,
    )


def play_series(
    game: Game,
    players: Sequence[Player],
    *,
    rules: Any,
    seed: int,
    games: int,
    repeat: int,
    first: int = 0,
    watch: Watch | None = None,
) -> Series:
    """Play series of ``games`` games, ``repeat`` of them from every seating of the players.

    Args:
        game: what is played.
        players: by seat; the scores are those of the first.
        rules: of the game.
        seed: decides the deals; more games or repeats begin with the same ones.
        games: of a series.
        repeat: series on deals of their own.
        first: the number of the first of them: those before it are left out, as if others played them.
        watch: is told the number of games played in all, again and again.
    """
    scores = np.zeros((repeat, games, game.seatings(rules)))
    courses = np.zeros((repeat, games), dtype=np.int64)
    remember = any(player.remembers for player in players)
    is_known = not remember and game.courses is not None
    stalled = invalid = played = 0
    for place, number, deals, result in _games(
        game, players, rules, seed, range(first, first + repeat), games
    ):
        found = courses_of(game, players, [deals], rules) if is_known else None
        is_known = found is not None
        courses[place, number] = 0 if found is None else found
        scores[place, number] = np.roll(result.values, -number, axis=1)
        stalled, invalid = stalled + result.stalled, invalid + result.invalid
        played += result.values.size
        if watch is not None:
            watch(played)
    return Series(
        first=players[0].name,
        second=players[1].name,
        game=game.name,
        metric=game.metric(rules),
        unit="series" if remember else "deal",
        scores=scores,
        stalled=stalled,
        invalid=invalid,
        courses=courses if is_known else None,
    )


def _games(
    game: Game, players: Sequence[Player], rules: Any, seed: int, numbers: range, games: int
) -> Iterator[tuple[slice, int, Any, Scores]]:
    """The scores of each game of some series at a time: their places, the number of the game, its deals and scores.

    Args:
        numbers: of the series, one after another; places count from the first of them.
        others: as of ``play_series``.
    """
    together = BLOCK_OF_SEARCH if any(player.is_slow for player in players) else BLOCK
    for block in range(numbers.start // BLOCK, -(-numbers.stop // BLOCK)):
        low, high = max(numbers.start - block * BLOCK, 0), min(numbers.stop - block * BLOCK, BLOCK)
        start, count = block * BLOCK + low - numbers.start, high - low
        memory = game.memory.begin(players, count, rules) if game.memory else None
        for number in range(games):
            deals = game.deal(stream(seed, "series", number, block), high, rules)[low:]
            for first in range(0, count, together):
                part = slice(first, min(first + together, count))
                if game.memory is not None and memory is not None:
                    scores, memory[part] = game.memory.play_on(players, deals[part], rules, memory[part])
                else:
                    scores = game.play(players, deals[part], rules)
                yield slice(start + part.start, start + part.stop), number, deals[part], scores
            if memory is not None:
                memory = np.roll(memory, 1, axis=1)

"""Series of games between the same players, who may carry memory from one game to the next.

A match has a series of one game for each deal. If a player has a memory, the games of a series depend on each other,
and the unit of intervals is the series; otherwise it is the deal.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from gpkit.core.registry import game_of
from gpkit.core.statistics import Interval, mean_interval
from gpkit.core.tabular import Sheet, Tabular
from gpkit.gamekit.game import Metric
from gpkit.playing.match import Courses, Result, joint, repeats_told


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

    def up_to(self, repeats: int) -> "Series":
        """The first series."""
        courses = None if self.courses is None else self.courses[:repeats]
        return replace(self, scores=self.scores[:repeats], courses=courses)

    def result(self) -> Result:
        """The result of the first player; the unit of its interval is the series, or for single games the deal."""
        scores, courses = self.scores.mean(axis=(1, 2)), self.courses
        if courses is not None:
            courses = courses[:, 0] if courses.shape[1] == 1 else joint(courses)
            _, firsts, places = np.unique(courses, return_index=True, return_inverse=True)
            if not np.array_equal(scores, scores[firsts][places]):
                courses = None  # a function of the game's file draws at random
        names = self.first, self.game, self.second
        return Result(*names, self.metric, scores, self.scores.size, self.stalled, self.invalid, courses)

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
        """The rules, and the series as the only entry of ``results``."""
        return {"rules": self.rules, "results": [self.to_json()]}

    def told(self) -> Iterator[str | Sheet]:
        """The results of each game of the series, or of some games if it is long, and of all games together."""
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
"""The games of a long series that its table shows, besides the last one."""


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

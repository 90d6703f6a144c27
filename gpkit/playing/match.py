"""Matches: who plays whom on which deals, and the results with intervals over deals; ``contest`` plays them."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.rng import stream
from gpkit.core.statistics import Interval, mean_interval
from gpkit.core.tabular import Tabular
from gpkit.gamekit.game import Game, Metric
from gpkit.gamekit.players import Player

Courses = NDArray[np.int64] | None
"""Numbers of games, by which the same games are known again; None where hardly any were, or nothing is known of it."""

BLOCK = 1024
"""Deals that are drawn and played together: enough to hide the cost of a call, few enough to be held in memory."""

BLOCK_OF_SEARCH = 1
"""Deals that are played together when a player searches, which takes a thousand times as long and more."""


Watch = Callable[[int], object]
"""A function that is called again and again with the number of games played so far."""


@dataclass(frozen=True, slots=True)
class Result(Tabular):
    """Result of a program against an opponent.

    Attributes:
        by_deal: float64 (deals,): the mean over the seatings of each deal, for paired comparisons; in a league, the
            mean of each series.
        games: the number of games, deals times seatings.
        stalled: games ended by the cap on their length; invalid: games in which a program exceeded its steps.
        courses: int64 (deals,): deals of one number were the same games again, see ``Game.courses``; None where hardly
            any were, or nothing is known of it.
    """

    program: str
    game: str
    opponent: str
    metric: Metric
    by_deal: NDArray[np.float64]
    games: int
    stalled: int
    invalid: int
    courses: Courses = None

    def __str__(self) -> str:
        """The result in a line."""
        interval = f", {self.interval.text}" if self.interval.units > 1 else ""
        number = self.different_games
        games = f"{self.games:,} games" if number is None else f"{number:,} different games"
        score = f"{self.metric.name} {self.mean:.4f}{interval}"
        return f"{self.program} against {self.opponent}: {score}, in {games} of {self.game}"

    @property
    def different_games(self) -> int | None:
        """The number of games of which none is another one again; None where hardly any are, or it is not known."""
        if self.courses is None:
            return None
        return len(np.unique(self.courses)) * (self.games // len(self.by_deal))

    @property
    def interval(self) -> Interval:
        """The mean score with its 95 % interval over deals; the score of a deal is the mean over its seatings."""
        return mean_interval(self.by_deal, support=self.metric.support, courses=self.courses)

    @property
    def mean(self) -> float:
        """The mean score."""
        return self.interval.mean

    def to_json(self) -> dict[str, object]:
        """The fields of one entry of ``results`` that do not depend on the clock."""
        return {
            "program": self.program,
            "game": self.game,
            "opponent": self.opponent,
            "metric": self.metric.name,
            "mean": self.interval.mean,
            "ci95": self.interval.ends,
            "games": self.games,
            "different_games": self.different_games,
            "stalled": self.stalled,
            "invalid": self.invalid,
        }


@dataclass(frozen=True, slots=True)
class Match:
    """A program and its opponents: a single one sits in every other seat, otherwise there is one for each."""

    program: Player
    opponents: tuple[Player, ...]

    def players(self, seats: int) -> list[Player]:
        """The players in the order of their seats, the program first."""
        others = self.opponents * (seats - 1) if len(self.opponents) == 1 else self.opponents
        return [self.program, *others]


def joint(courses: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers of rows of courses, int64 (deals, games): int64 (deals,), 0 where all of them are."""
    numbers: NDArray[np.int64] = np.unique(courses, axis=0, return_inverse=True)[1].reshape(-1)
    return numbers + int(courses.any())


def deal_of(game: Game, rules: Any, seed: int, number: int) -> Any:
    """One of the deals on which matches of this seed are played, counted from 0; deals of length one."""
    block, place = divmod(number, BLOCK)
    return game.deal(stream(seed, "match", block), place + 1, rules)[place:]


def repeats_told(results: Iterable[Any], game: Game) -> Iterator[str]:
    """A sentence if many games of a table are the same, with the options that make them differ.

    Args:
        results: the results in the lines of the table, with ``games`` and ``different_games``.
        game: that is played.
    """
    from gpkit.user_games.rules import OPENING

    found = [(each.different_games, each.games) for each in results]
    few = [different for different, games in found if different is not None and different < games]
    if not few:
        return
    least, most = min(few), max(few)
    if most == 1:
        yield "all games are the same, as nothing is random"
        return
    number = f"{most:,}" if least == most else f"{least:,} to {most:,}"
    lines = "" if len(few) == len(found) else f" in {len(few)} of {len(found)} rows"
    ways = ["--rules opening=N"] if any(each.name == OPENING for each in game.all_options) else []
    if game.exact is not None:
        ways.append("--exact")
    yield f"{number} different games{lines}{'; use ' if ways else ''}{' or '.join(ways)}"

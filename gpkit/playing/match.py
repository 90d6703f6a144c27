"""Matches: programs against opponents over many deals, in every seat, with intervals by deal."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.rng import stream
from gpkit.core.statistics import Interval, mean_interval
from gpkit.core.tabular import Tabular
from gpkit.gamekit.game import Game, Metric, Scores
from gpkit.gamekit.players import Player

Courses = NDArray[np.int64] | None
"""Numbers of games, by which the same games are known again; None where hardly any were, or nothing is known of it."""

BLOCK = 1024
"""Deals that are drawn and played together: enough to hide the cost of a call, few enough to be held in memory."""

BLOCK_OF_SEARCH = 1
"""Deals that are played together when a player searches, which takes a thousand times as long and more."""


Watch = Callable[[int], object]
"""Is told the number of games played in all, again and again."""


def after(before: int, watch: Watch | None) -> Watch | None:
    """The watch of the games that are played after so many; None where nobody watches."""
    return None if watch is None else lambda games: watch(before + games)


@dataclass(frozen=True, slots=True)
class Result(Tabular):
    """Result of a program against an opponent.

    Attributes:
        interval: the mean score with its 95 % interval; the unit is the deal, whose seatings are averaged first.
        by_deal: float64 (deals,): the mean over the seatings of each deal, for paired comparisons.
        games: the number of games, deals times seatings.
        stalled: games ended by the cap on their length; invalid: games in which a program exceeded its steps.
        courses: int64 (deals,): deals of one number were the same games again, see ``Game.courses``; None where hardly
            any were, or nothing is known of it.
    """

    program: str
    game: str
    opponent: str
    metric: Metric
    interval: Interval
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


def play_matches(
    game: Game,
    matches: Sequence[Match],
    *,
    rules: Any,
    seed: int,
    games: int,
    watch: Watch | None = None,
) -> list[Result]:
    """Play every match on the deals of ``seed``, which are the same whoever plays.

    Args:
        games: how many games of each match at least; rounded up to whole deals, each played in every seating.
        watch: is told the number of games played in all, again and again.
    """
    seats, seatings = game.players(rules), game.seatings(rules)
    slow = any(player.is_slow for match in matches for player in (match.program, *match.opponents))
    parts: list[list[Scores]] = [[] for _ in matches]
    played = 0
    for deals in _blocks(game, rules, seed, -(-games // seatings), BLOCK_OF_SEARCH if slow else BLOCK):
        for match, scores in zip(matches, parts, strict=True):
            scores.append(game.play(match.players(seats), deals, rules))
            played += scores[-1].values.size
            if watch is not None:
                watch(played)
    drawn = [*_blocks(game, rules, seed, -(-games // seatings), BLOCK)] if game.courses else []
    found = [courses_of(game, match.players(seats), drawn, rules) if drawn else None for match in matches]
    return [_result(game, *each, rules) for each in zip(matches, parts, found, strict=True)]


def play_match(
    game: Game,
    program: Player,
    opponents: Sequence[Player],
    *,
    rules: Any,
    seed: int,
    games: int,
    watch: Watch | None = None,
) -> Result:
    """Play a program against opponents, as one match of ``play_matches``."""
    match = Match(program, tuple(opponents))
    return play_matches(game, [match], rules=rules, seed=seed, games=games, watch=watch)[0]


def united(results: Sequence[Result], scores: NDArray[np.float64], courses: Courses) -> Result:
    """Results of a program as one, against all their opponents.

    Args:
        results: of all games.
        scores: float64 (units,): those of all independent units.
        courses: int64 (units,), as of a result.
    """
    return replace(
        results[0],
        opponent=" + ".join(result.opponent for result in results),
        interval=mean_interval(scores, support=results[0].metric.support, courses=courses),
        by_deal=scores,
        games=sum(result.games for result in results),
        stalled=sum(result.stalled for result in results),
        invalid=sum(result.invalid for result in results),
        courses=courses,
    )


def joint_courses(results: Sequence[Result]) -> Courses:
    """The courses of results on the same deals, int64 (deals,): deals of one number were the same games in all."""
    known = [result.courses for result in results if result.courses is not None]
    if len(known) < len(results):
        return None
    return joint(np.stack(known, axis=1))


def joint(courses: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers of rows of courses, int64 (deals, games): int64 (deals,), 0 where all of them are."""
    numbers: NDArray[np.int64] = np.unique(courses, axis=0, return_inverse=True)[1].reshape(-1)
    return numbers + int(courses.any())


def deal_of(game: Game, rules: Any, seed: int, number: int) -> Any:
    """One of the deals on which matches of this seed are played, counted from 0; deals of length one."""
    return some_deals(game, rules, seed, range(number, number + 1))


def some_deals(game: Game, rules: Any, seed: int, numbers: range) -> Any:
    """Some of the deals on which matches of this seed are played, by their numbers, all in one block of ``BLOCK``."""
    block, place = divmod(numbers.start, BLOCK)
    end = place + len(numbers)
    assert end <= BLOCK, "the deals of a block are drawn together"
    return game.deal(stream(seed, "match", block), end, rules)[place:end]


def _blocks(game: Game, rules: Any, seed: int, deals: int, size: int) -> Iterator[Any]:
    """The deals of a seed in order, at most ``size`` at a time; the first ones are the same for any number and size."""
    for block in range(-(-deals // BLOCK)):
        drawn = game.deal(stream(seed, "match", block), min(BLOCK, deals - block * BLOCK), rules)
        for start in range(0, len(drawn), size):
            yield drawn[start : start + size]


def courses_of(game: Game, players: Sequence[Player], blocks: Sequence[Any], rules: Any) -> Courses:
    """The courses of the deals of some blocks: int64 (deals,); None where those of one block are not known."""
    found: list[NDArray[np.int64]] = []
    if game.courses is None:
        return None
    for deals in blocks:
        courses = game.courses(players, deals, rules)
        if courses is None:
            return None
        found.append(courses)
    return np.concatenate(found) if found else None


def _result(game: Game, match: Match, parts: Sequence[Scores], courses: Courses, rules: Any) -> Result:
    by_deal = np.concatenate([part.values.mean(axis=1) for part in parts])
    metric = game.metric(rules)
    if courses is not None:
        _, firsts, places = np.unique(courses, return_index=True, return_inverse=True)
        if not np.array_equal(by_deal, by_deal[firsts][places]):
            courses = None  # a function of the game's file draws at random
    return Result(
        program=match.program.name,
        game=game.name,
        opponent=",".join(player.name for player in match.opponents),
        metric=metric,
        interval=mean_interval(by_deal, support=metric.support, courses=courses),
        by_deal=by_deal,
        games=sum(part.values.size for part in parts),
        stalled=sum(part.stalled for part in parts),
        invalid=sum(part.invalid for part in parts),
        courses=courses,
    )


def repeats_told(results: Iterable[Any], game: Game) -> Iterator[str]:
    """A sentence if few of the games of a table differ, with what makes them differ.

    Args:
        results: of the lines of the table, with ``games`` and ``different_games``.
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
    ways = ["--rules opening=N"] if any(each.name == OPENING for each in game.options) else []
    if game.exact is not None:
        ways.append("--exact")
    yield f"{number} different games{lines}{'; use ' if ways else ''}{' or '.join(ways)}"

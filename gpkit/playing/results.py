"""Exact and combined results of programs, and comparisons of two programs.

An exact result is a program's expected score against an opponent, computed over all positions instead of estimated from
a sample.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gpkit.core.arrays import Floats
from gpkit.core.errors import UsageError
from gpkit.core.layout import Tabular
from gpkit.core.registry import all_games
from gpkit.core.statistics import ROUNDING, Interval, Verdict, paired_difference
from gpkit.gamekit.game import Exact, Expected, Game, Metric
from gpkit.playing.contest import Courses, Match, Result, Watch, joint


@dataclass(frozen=True, slots=True)
class ExactResult(Tabular):
    """The expected result of a program against an opponent.

    Attributes:
        expected: the program's expected score in each seating; in the first seating, the program moves first.
    """

    program: str
    game: str
    opponent: str
    metric: Metric
    expected: Expected

    games = stalled = invalid = 0
    different_games = None
    """Always None, because no games are played."""

    def __str__(self) -> str:
        """The result in one line."""
        return f"{self.program} against {self.opponent}: {self.metric.name} {self.mean:.4f}, exactly, in {self.game}"

    @property
    def mean(self) -> float:
        """The expected score."""
        return self.expected.mean

    @property
    def interval(self) -> Interval:
        """The mean as an interval of width 0, because an exact result has no uncertainty."""
        return Interval(self.expected.mean, self.expected.mean, self.expected.mean, 0)

    @property
    def details_in_words(self) -> str:
        """Further details, such as ``most 5, lost 0``."""
        parts = (
            f"{name} {' '.join(map(str, value)) if isinstance(value, list) else value}"
            for name, value in self.expected.details.items()
        )
        return ", ".join(parts)

    def to_json(self) -> dict[str, object]:
        """The fields of an entry in ``results``, with 0 games and no interval."""
        return {
            "program": self.program,
            "game": self.game,
            "opponent": self.opponent,
            "metric": self.metric.name,
            "mean": self.expected.mean,
            "ci95": None,
            "games": self.games,
            "stalled": self.stalled,
            "invalid": self.invalid,
            "exact": True,
            "seatings": list(self.expected.seatings),
            **self.expected.details,
        }


Strength = Result | ExactResult
"""The result of a program against an opponent: sampled or exact."""


def check_exact(game: Game, match: Match, rules: object) -> Exact:
    """The function that computes a match exactly, after all checks that are possible in advance.

    Raises:
        UsageError: the game does not support exact results, or not for these rules or players.
    """
    if game.exact is None:
        able = [entry.name for entry in all_games() if entry.load().exact is not None]
        raise UsageError(
            f"--exact: {game.name} is too large for exact results; they exist for {', '.join(able)}"
        )
    game.exact.check(match.players(game.players(rules)), rules)
    return game.exact


def expect_match(game: Game, match: Match, rules: object, watch: Watch = str) -> ExactResult:
    """The exact result of a match.

    If the computation takes a long time, it repeatedly calls ``watch`` with the number of positions visited so far.

    Raises:
        UsageError: the same as in ``check_exact``, or there are too many positions.
    """
    exact, players = check_exact(game, match, rules), match.players(game.players(rules))
    expected = exact.watched(players, rules, watch) if exact.watched else exact.expect(players, rules)
    opponent = ",".join(player.name for player in match.opponents)
    return ExactResult(match.program.name, game.name, opponent, game.metric(rules), expected)


@dataclass(frozen=True, slots=True)
class Comparison(Tabular):
    """A comparison of two programs against the same opponent, on the same deals or by exact results.

    Attributes:
        difference: the first program's mean score minus the second's, paired by deal; its ``units`` is 0 for exact
            results.
    """

    first: Strength
    second: Strength
    difference: Interval

    @property
    def is_exact(self) -> bool:
        """Whether the difference was computed exactly."""
        return isinstance(self.first, ExactResult)

    @property
    def verdict(self) -> Verdict:
        """The verdict on the first program; it is ``not distinguished`` if the 95% interval contains 0."""
        if self.is_exact and abs(self.difference.mean) <= ROUNDING:  # sums of floating-point numbers
            return "equally good"
        return self.difference.verdict(self.first.metric.direction)

    def __str__(self) -> str:
        """The comparison in one line."""
        difference = f"{self.difference.mean:+.4f}"
        if not self.is_exact and self.difference.ends:
            difference += f", {self.difference.low:+.4f} to {self.difference.high:+.4f}"
        names = f"{self.first.program} against {self.first.opponent} beside {self.second.program}"
        return f"{names}: {difference}, {self.verdict}"

    def to_json(self) -> dict[str, object]:
        """The comparison as an entry in ``results``; exact results have 0 games and no interval."""
        first, both = self.first, (self.first, self.second)
        sampled = [each.different_games for each in both if isinstance(each, Result)]
        seatings = [list(each.expected.seatings) for each in both if isinstance(each, ExactResult)]
        return {
            "first": first.program,
            "second": self.second.program,
            "game": first.game,
            "opponent": first.opponent,
            "metric": first.metric.name,
            "verdict": self.verdict,
            "means": [each.interval.mean for each in both],
            "difference": self.difference.mean,
            "ci95": self.difference.ends,
            "deals": self.difference.units,
            "games": [each.games for each in both],
            **({"different_games": sampled} if sampled else {}),
            "stalled": [each.stalled for each in both],
            "invalid": [each.invalid for each in both],
            **({"exact": True, "seatings": seatings} if seatings else {}),
        }


def compare(first: Strength, second: Strength) -> Comparison:
    """Compare two results against the same opponent, both on the same deals or both exact."""
    assert first.opponent == second.opponent, "programs are compared against the same opponent"
    if isinstance(first, ExactResult) or isinstance(second, ExactResult):
        mean = first.interval.mean - second.interval.mean
        return Comparison(first, second, Interval(mean, mean, mean, 0))
    courses, support = joint_courses([first, second]), first.metric.support
    difference = paired_difference(first.by_deal, second.by_deal, support=support, courses=courses)
    return Comparison(first, second, difference)


def pool(results: Sequence[Strength]) -> Strength:
    """Pool a program's results against several opponents; all opponents have equal weight, and each deal counts once.

    Args:
        results: results on the same deals, or exact results.
    """
    exact = [each for each in results if isinstance(each, ExactResult)]
    sampled = [each for each in results if isinstance(each, Result)]
    if exact:
        seatings = zip(*(each.expected.seatings for each in exact), strict=True)
        expected = Expected(tuple(sum(scores) / len(exact) for scores in seatings))
        return exact[0] if len(exact) == 1 else replace(exact[0], opponent=_all_of(exact), expected=expected)
    return _united(sampled, np.mean([each.by_deal for each in sampled], axis=0), joint_courses(sampled))


def chained(results: Sequence[Strength]) -> Strength:
    """Join a program's results against one opponent on several sets of deals; return an exact result unchanged."""
    sampled = [each for each in results if isinstance(each, Result)]
    if len(sampled) < 2:
        return results[0]
    known = [each.courses for each in sampled if each.courses is not None]
    courses = np.concatenate(known) if len(known) == len(sampled) else None
    return _united(sampled, np.concatenate([each.by_deal for each in sampled]), courses)


def _united(results: Sequence[Result], by_deal: Floats, courses: Courses) -> Result:
    """One result for the games of all these results, with these scores and courses by deal."""
    return replace(
        results[0],
        opponent=_all_of(results),
        by_deal=by_deal,
        games=sum(result.games for result in results),
        stalled=sum(result.stalled for result in results),
        invalid=sum(result.invalid for result in results),
        courses=courses,
    )


def _all_of(results: Sequence[Strength]) -> str:
    """The names of all opponents in the results, joined into a single string."""
    return " + ".join(dict.fromkeys(result.opponent for result in results))


def joint_courses(results: Sequence[Result]) -> Courses:
    """The joint courses of results on the same deals, int64 (deals,): equal if games are identical in all results."""
    known = [result.courses for result in results if result.courses is not None]
    return joint(np.stack(known, axis=1)) if len(known) == len(results) else None

"""Exact results: what a program can expect against an opponent, computed over all positions and not sampled."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.core.registry import all_games
from gpkit.core.statistics import Interval
from gpkit.gamekit.game import Exact, Expected, Game, Metric
from gpkit.playing.match import Match, Result


@dataclass(frozen=True, slots=True)
class ExactResult:
    """Expected result of a program against an opponent.

    Attributes:
        expected: its score by seating, where the first is the one in which it is to move first.
    """

    program: str
    game: str
    opponent: str
    metric: Metric
    expected: Expected

    games = stalled = invalid = 0
    """None are played."""

    @property
    def interval(self) -> Interval:
        """The mean, of which nothing is uncertain."""
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
        """The fields of one entry of ``results``; no game is played, and there is no interval."""
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
"""Strength of a program against an opponent: sampled or exact."""


def check_exact(game: Game, match: Match, rules: Any) -> Exact:
    """The computation of a game's results, if it can compute that of a match as far as that is known before.

    Raises:
        UsageError: the game has no exact results, or not by these rules or of these players.
    """
    if game.exact is None:
        able = [entry.name for entry in all_games() if entry.load().exact is not None]
        raise UsageError(
            f"--exact: {game.name} is too large for exact results; they are for {', '.join(able)}"
        )
    game.exact.check(match.players(game.players(rules)), rules)
    return game.exact


def expect_match(game: Game, match: Match, rules: Any) -> ExactResult:
    """The exact result of a match.

    Raises:
        UsageError: as for ``check_exact``; or there turn out to be too many positions.
    """
    expected = check_exact(game, match, rules).expect(match.players(game.players(rules)), rules)
    opponent = ",".join(player.name for player in match.opponents)
    return ExactResult(match.program.name, game.name, opponent, game.metric(rules), expected)


def pool_exact(results: Sequence[ExactResult]) -> ExactResult:
    """A program's results against several opponents as one, in which each of them weighs the same."""
    first = results[0]
    if len(results) == 1:
        return first
    seatings = zip(*(result.expected.seatings for result in results), strict=True)
    expected = Expected(tuple(sum(scores) / len(results) for scores in seatings))
    opponent = " + ".join(result.opponent for result in results)
    return ExactResult(first.program, first.game, opponent, first.metric, expected)

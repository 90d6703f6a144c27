"""Series in several processes; the result is that of one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from gpkit.evolution.problem import Executor, none_lost
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.playing.series import Series, joined, play_series

SECONDS_PER_GAME, SECONDS_PER_SLOW_GAME = 1e-4, 0.5
"""The expected time of a game, for making batches."""

TOGETHER = 64
"""Series of fast players that are one item of work."""

ROUNDS = 10
"""Times that many series report back how far they are."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Series that are to be played; attributes as of ``play_series``."""

    game: Game
    players: Sequence[Player]
    rules: Any
    seed: int
    games: int
    repeat: int

    def play(self, numbers: range, watch: Callable[[int], object] | None = None) -> Series:
        """The series of these numbers."""
        return play_series(
            self.game,
            self.players,
            rules=self.rules,
            seed=self.seed,
            games=self.games,
            repeat=len(numbers),
            first=numbers.start,
            watch=watch,
        )


def played_series(plan: Plan, executor: Executor, watch: Callable[[int], object]) -> Series:
    """All series of a plan.

    Args:
        plan: of the series.
        executor: where they are played.
        watch: is told the number of games played, again and again.

    Raises:
        UsageError: as of ``play_series``; or worker processes do not start.
        GpkitError: a worker died again and again.
    """
    if executor.workers == 1:
        return plan.play(range(plan.repeat), watch)
    slow = any(player.is_slow for player in plan.players)
    size = 1 if slow else TOGETHER
    items = [range(start, min(start + size, plan.repeat)) for start in range(0, plan.repeat, size)]
    games = plan.games * plan.game.seatings(plan.rules)
    each = games * (SECONDS_PER_SLOW_GAME if slow else SECONDS_PER_GAME)
    step = max(executor.workers, -(-len(items) // ROUNDS))
    parts: list[Series] = []
    for start in range(0, len(items), step):
        now = items[start : start + step]
        found = executor.run(partial(_play, plan), now, [each * len(numbers) for numbers in now])
        parts += none_lost(found)
        watch(games * now[-1].stop)
    return joined(parts)


def _play(plan: Plan, items: Sequence[range]) -> list[Series]:
    return [plan.play(numbers) for numbers in items]

"""Series in several processes, of which the result is that of one, and series whose memory is kept in a folder."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.core.registry import game_entry
from gpkit.core.wording import Tell, counting
from gpkit.evolution.problem import Executor, none_lost
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.playing.match import Watch
from gpkit.playing.players import Seating
from gpkit.playing.series import Series, joined, play_series

REPEAT = 100
"""Series, unless it is said otherwise."""

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

    def play(self, numbers: range, watch: Watch | None = None) -> Series:
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


def memory_of(game: Game) -> Any:
    """The module that keeps the memory of a game's learning player in a folder, ``forms.memory`` beside the game.

    ``check_series`` refuses players of whom no series is kept; ``remembered_series`` is one whose games, with what is
    learned, are stored one by one in a folder below ``root``: those that are there already are not played again.

    Raises:
        UsageError: the game has no such player.
    """
    entry = game_entry(game.name)
    if not entry.has_part("forms.memory"):
        raise UsageError(f"--memory keeps what a player learns, and {game.name} has no player that learns")
    return entry.part("forms.memory")


def plan_of(seating: Seating, seed: int, games: int, repeat: int | None, memory: Path | None = None) -> Plan:
    """The plan of series of players; ``REPEAT`` of them if nobody says how many.

    Raises:
        UsageError: a folder for the memory is named, and no memory of such series is kept.
    """
    if memory is not None:
        memory_of(seating.game).check_series(seating.players, repeat)
    return Plan(
        seating.game, seating.players, seating.rules, seed, games, REPEAT if repeat is None else repeat
    )


def played_series(plan: Plan, executor: Executor, tell: Tell, *, memory: Path | None = None) -> Series:
    """All series of a plan.

    Args:
        plan: of the series.
        executor: where they are played.
        tell: shows how far the work is.
        memory: the folder in which the games of a single series are kept, with what is learned.

    Raises:
        UsageError: as of ``play_series``; or worker processes do not start.
        GpkitError: a worker died again and again.
    """
    if memory is not None:
        kept: Callable[..., Series] = memory_of(plan.game).remembered_series
        return kept(
            memory,
            plan.players,
            plan.rules,
            seed=plan.seed,
            games=plan.games,
            watch=counting(tell, plan.games),
        )
    watch = counting(tell, plan.games * plan.repeat * plan.game.seatings(plan.rules))
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

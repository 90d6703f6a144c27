"""Series in several processes, of which the result is that of one, and series whose memory is kept in a folder."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.core.registry import game_entry
from gpkit.core.wording import Tell, counting
from gpkit.evolution.problem import Executor, none_lost
from gpkit.gamekit.game import Game
from gpkit.playing.contest import Totals, contest, finished
from gpkit.playing.match import Match
from gpkit.playing.players import Seating
from gpkit.playing.series import Series, joined

REPEAT = 100
"""The default number of series."""

SECONDS_PER_GAME, SECONDS_PER_SLOW_GAME = 1e-4, 0.5
"""The expected time of a game, for making batches."""

TOGETHER = 64
"""Series of fast players that are one item of work."""

ROUNDS = 10
"""Times that many series report back how far they are."""


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


def played_series(
    seating: Seating,
    executor: Executor,
    tell: Tell,
    *,
    seed: int,
    games: int,
    repeat: int | None,
    memory: Path | None = None,
) -> Series:
    """Series between the first two players of a seating, the second of whom sits in all other seats.

    Args:
        seating: the game, the rules and the players.
        executor: where they are played.
        tell: shows how far the work is.
        seed: decides the deals.
        games: the number of games of a series.
        repeat: the number of series, each from every seating; None for ``REPEAT``.
        memory: the folder in which the games of a single series are kept, with what is learned.

    Raises:
        UsageError: a memory folder is named for players without a memory, or worker processes do not start.
        GpkitError: a worker died again and again.
    """
    game, players, rules = seating.game, seating.players, seating.rules
    if memory is not None:
        kept = memory_of(game)
        kept.check_series(players, repeat)
        watch = counting(tell, games)
        series: Series = kept.remembered_series(memory, players, rules, seed=seed, games=games, watch=watch)
        return series
    repeat = REPEAT if repeat is None else repeat
    match = Match(players[0], (players[1],))
    play = partial(contest, game, [match], rules=rules, seed=seed, series=games)
    together = games * game.seatings(rules)
    watch = counting(tell, together * repeat)
    if executor.workers == 1:
        return finished(play(deals=range(repeat)), watch).series[0]
    slow = any(player.is_slow for player in players)
    size = 1 if slow else TOGETHER
    items = [range(start, min(start + size, repeat)) for start in range(0, repeat, size)]
    each = together * (SECONDS_PER_SLOW_GAME if slow else SECONDS_PER_GAME)
    step = max(executor.workers, -(-len(items) // ROUNDS))
    parts: list[Series] = []
    for start in range(0, len(items), step):
        now = items[start : start + step]
        found = executor.run(partial(_played, play), now, [each * len(numbers) for numbers in now])
        parts += none_lost(found)
        watch(together * now[-1].stop)
    return joined(parts)


def _played(play: Callable[..., Iterator[Totals]], items: Sequence[range]) -> list[Series]:
    return [finished(play(deals=numbers)).series[0] for numbers in items]

"""Series of games in several processes, with the same results as in one, and series with a memory in a folder."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from gpkit.core.errors import UsageError
from gpkit.core.wording import Tell, counting
from gpkit.evolution.problem import Executor, none_lost
from gpkit.playing.contest import Match, Series, contest, joined
from gpkit.playing.players import Seating

REPEAT = 100
"""The default number of series."""

SECONDS_PER_GAME, SECONDS_PER_SLOW_GAME = 1e-4, 0.5
"""The expected seconds per game for fast players and for slow players, which determine the size of batches."""

TOGETHER = 64
"""The number of series of fast players in one work item."""

ROUNDS = 10
"""The number of progress reports when there are many series."""


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
    """Play series between the first two players of a seating; the second one takes all seats except the first.

    Args:
        seating: the game with its rules and players.
        executor: plays the series.
        tell: shows progress messages.
        seed: the seed of the deals.
        games: the number of games in a series.
        repeat: the number of series, each played in every seating; None means ``REPEAT``.
        memory: the folder in which a single series stores its games and the players' memories.

    Raises:
        UsageError: a memory folder is given for players without a memory, or worker processes do not start.
        GpkitError: a worker died repeatedly.
    """
    game, players, rules = seating.game, seating.players, seating.rules
    if memory is not None:
        kept = game.forms.kept_series()
        if kept is None:
            raise UsageError(
                f"--memory keeps what a player learns, and {game.name} has no player that learns"
            )
        watch = counting(tell, games)
        return kept(memory, players, rules, seed=seed, games=games, watch=watch, repeat=repeat)
    repeat = REPEAT if repeat is None else repeat
    play = partial(contest, game, [Match(players[0], (players[1],))], rules=rules, seed=seed, series=games)
    together = games * game.seatings(rules)
    watch = counting(tell, together * repeat)
    if executor.workers == 1:
        return play(deals=range(repeat), watch=watch)[0]
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


def _played(play: Callable[..., list[Series]], items: Sequence[range]) -> list[Series]:
    return [play(deals=numbers)[0] for numbers in items]

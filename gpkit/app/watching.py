"""Sentences that say how far long work is, for whoever shows them."""

from collections.abc import Callable

COMPILE_SECONDS = 20
"""About how long the kernels of a game take to compile."""

Tell = Callable[[str], object]
"""Shows a sentence instead of the one before."""


def counting(tell: Tell, total: int, what: str = "") -> Callable[[int], None]:
    """A callback for ``watch``: tells how many of ``total`` games have been played."""

    def watch(played: int) -> None:
        games = "game" if played == 1 else "games"
        tell(f"{what}{played:,} {games}, {min(played / total, 1.0):.0%}")

    return watch

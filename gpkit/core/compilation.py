"""The sentence about the compilation of kernels; no kernel uses a constant of this module."""

from gpkit.core import compiled
from gpkit.core.registry import has_kernels


def compilation(what: str = "", *, game: str | None = None) -> str:
    """The sentence that kernels are being compiled, and how long this takes; empty if they are compiled already.

    Args:
        what: the kernels in words, if they are not those of a game.
        game: the game of the kernels; if it has none, the sentence is empty.
    """
    if not compiled.is_cold() or (game is not None and not has_kernels(game)):
        return ""
    once = "" if compiled.kernel_folder().why_nothing_is_kept() else ", once"
    return f"compiling {what or f'the kernels of {game}'}{once}, about 20 s"

"""Sentences about the compilation of kernels; nothing here is a constant of one."""

from gpkit.core import compiled
from gpkit.core.registry import has_kernels


def compilation(what: str = "", *, game: str | None = None) -> str:
    """A sentence that kernels are not compiled yet; empty if they are.

    Args:
        what: the kernels in words, where they are not those of a game.
        game: whose kernels they are; nothing is said of one that has none.
    """
    if (game is not None and not has_kernels(game)) or not compiled.is_cold():
        return ""
    once = "" if compiled.kernel_folder().why_nothing_is_kept() else ", once"
    return f"compiling {what or f'the kernels of {game}'}{once}, about 20 s"

"""Sentences about the compilation of kernels; nothing here is a constant of one."""

from gpkit.core import compiled
from gpkit.core.registry import has_kernels


def compilation_of(game: str) -> str:
    """A sentence that the kernels of a game are not compiled yet; empty if they are, or it has none."""
    return compilation(f"the kernels of {game}") if has_kernels(game) else ""


def compilation(what: str, seconds: int = 20) -> str:
    """A sentence that kernels are not compiled yet, which takes about so long; empty if they are."""
    if not compiled.is_cold():
        return ""
    once = "" if compiled.kernel_folder().why_nothing_is_kept() else ", once"
    return f"compiling {what}{once}, about {seconds} s"

"""What evolution knows of programs, a module for each language."""

from typing import Any

from gpkit.core.forms import form


def evolved(language: str, part: str) -> Any:
    """A part of the form for a language.

    Raises:
        UsageError: programs of the language are not evolved.
    """
    return form("evolve", language, part, "evolve {}")

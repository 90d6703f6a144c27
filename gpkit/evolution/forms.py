"""Evolution of programs, a module for each language.

A form has ``Settings``, its part of a configuration ([representation]); ``representation(config, game, alphabet)``,
which makes a ``gpkit.evolution.problem.Representation`` of it; ``OPERATORS`` by name; ``UNIT``, that of sizes; and in
words ``place_text(section, position)`` and ``part_text(program, section, position)``, where and what an operator has
changed, the latter with an IndexError for a place of which there is nothing to tell.
"""

from typing import Any

from gpkit.core.forms import form


def evolved(language: str, part: str) -> Any:
    """A part of the form for a language.

    Raises:
        UsageError: programs of the language are not evolved.
    """
    return form("evolution", language, part, "evolve {}")

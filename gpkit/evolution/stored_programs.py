"""Programs that a run folder holds as texts: each must be a program of the game that the folder says."""

from collections.abc import Callable
from typing import Any

from gpkit.core.diagnostics import SourceError
from gpkit.evolution.rows_config import AnyConfig
from gpkit.evolution.run_context import language_of, offers_of

Check = Callable[[str, str], Any]
"""Gives the program of a text, and takes what the text is called in messages, too."""


def checker(config: AnyConfig) -> Check:
    """The parser of the programs of a run with that configuration.

    It raises SourceError for a text that is not a program, or one of another game, and LimitError for one
    that is too large.

    Raises:
        UsageError: there is no such game.
    """
    language, offers = language_of(config), offers_of(config)

    def check(text: str, name: str) -> Any:
        source = language.parse(text, name)
        for finding in language.check(source, offers):
            if finding.severity == "error":
                raise SourceError(finding, text, name)
        return source.program

    return check

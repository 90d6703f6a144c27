"""The seam between languages and everything above: what every language can do with texts and programs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gpkit.core.diagnostics import Diagnostic
from gpkit.core.primitives import PrimitiveSet


@dataclass(frozen=True, slots=True)
class Language:
    """One language.

    Attributes:
        name: how the registry and ``--lang`` call it.
        suffix: of its files, with the point.
        title: what it is in a few words.
        parse: text and file name to a source: ``program``, ``header``, ``text``, ``filename``, and places of its own
            form; raises SourceError or LimitError.
        print_program: a program and header lines to the canonical text of a file.
        format_text: text and file name to the text in canonical layout, comments kept; raises as ``parse``.
        check: the findings in a source, by place, for the game of that primitive set or for none.
        template: the text of a small program for a game (None: for no game in particular), with comments.
        EXPLANATIONS: the text of ``gpkit check --explain`` for each code of its findings.
    """

    name: str
    suffix: str
    title: str
    parse: Callable[..., Any]
    print_program: Callable[..., str]
    format_text: Callable[..., str]
    check: Callable[[Any, PrimitiveSet | None], tuple[Diagnostic, ...]]
    template: Callable[[PrimitiveSet | None], str]
    EXPLANATIONS: Mapping[str, str]

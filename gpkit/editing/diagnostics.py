"""Findings while a text is written: at once what the changed lines say, all of it when there is time."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from gpkit.core.diagnostics import Diagnostic, Span, meant, suggestion
from gpkit.core.errors import GpkitError
from gpkit.editing.document import Document, mentions
from gpkit.langkit.checking import check_text
from gpkit.langkit.findings import MOST_SHOWN, NOT_SHOWN, finding, shown_findings
from gpkit.langkit.language import laid_out
from gpkit.langkit.recovery import syntax_errors

_RENDERED = re.compile(r"(?:error\[(E\d+)\]: )?(.*)")


@dataclass(frozen=True, slots=True)
class Findings:
    """A text and what was found in it."""

    text: str
    found: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of a text: what it is for, and what is written over which place."""

    title: str
    span: Span
    text: str


def all_findings(document: Document) -> Findings:
    """The findings of ``gpkit check`` in a document; one that is too large has one that says so."""
    try:
        found = check_text(document.text, document.path, document.language, None)
        return Findings(document.text, shown_findings(found))
    except GpkitError as error:
        said = _RENDERED.match(str(error))
        assert said is not None
        refused = Diagnostic(said[1] or "E000", "error", said[2], Span(0, 0, 1, 1))
        return Findings(document.text, (refused,))


def first_findings(document: Document, before: Findings) -> Findings:
    """The findings that are known at once: errors of syntax, unknown names, and those in lines that did not change.

    Args:
        document: as it is now.
        before: its text at another time, and everything that was found in it.
    """
    recovery = document.language.recovery
    if recovery is None:
        return all_findings(document)
    syntax = syntax_errors(document.text, recovery)
    broken = {each.span.line for each in syntax}
    now = [*syntax, *(each for each in _unknown_names(document) if each.span.line not in broken)]
    lines = {each.span.line for each in now}
    naming = document.language.naming
    own = set() if naming is None else {code for code, _ in naming.unknown.values()}
    kept = (
        each
        for each in _carried(before, document.text)
        if each.code not in own
        and each.span.line not in lines
        and each.code != NOT_SHOWN
        and (each.severity != "error" or each.code in recovery.local)
    )
    return Findings(document.text, shown_findings(sorted([*now, *kept], key=lambda each: each.span.start)))


def prepare(document: Document) -> None:
    """Read the lines of a document as they are and as they are below an error, so that findings are shown sooner."""
    recovery = document.language.recovery
    if recovery is not None:
        syntax_errors(document.text, recovery)
        syntax_errors(f"\0\n{document.text}", recovery)


def _unknown_names(document: Document) -> Iterator[Diagnostic]:
    """The names that the game has not."""
    primitives, naming = document.primitives, document.language.naming
    if primitives is None or naming is None or not naming.unknown:
        return
    count = 0
    by_role = {role: [word.name for word in document.words if word.role == role] for role in naming.unknown}
    for mention in mentions(document):
        known = by_role.get(mention.role)
        if known is not None and mention.text not in known:
            code, noun = naming.unknown[mention.role]
            message = f"`{primitives.game}` has no {noun} `{mention.text}`"
            count += 1
            fix = (
                suggestion(mention.text, known) if count <= MOST_SHOWN else ""
            )  # the others are only counted
            yield finding(code, "error", message, mention.span, fix)


def _carried(before: Findings, text: str) -> Iterator[Diagnostic]:
    """The findings in the lines above and below all changes, at their places now."""
    old, new = before.text.split("\n"), text.split("\n")
    least = min(len(old), len(new))
    above = next((k for k in range(least) if old[k] != new[k]), least)
    below = next((k for k in range(least - above) if old[-1 - k] != new[-1 - k]), least - above)
    for found in before.found:
        line = found.span.line
        if line <= above:
            yield found
        elif line > len(old) - below:
            span, further = found.span, len(text) - len(before.text)
            moved = replace(
                span, start=span.start + further, end=span.end + further, line=line + len(new) - len(old)
            )
            yield replace(found, span=moved)


def quick_fix(document: Document, found: Diagnostic) -> Edit | None:
    """The change that a finding suggests, if it names a word that was probably meant."""
    suggested = meant(found, document.text)
    if suggested is None:
        return None
    span, word = suggested
    return Edit(f"Replace `{document.text[span.start : span.end]}` by `{word}`", span, word)


def layout(document: Document) -> Edit | None:
    """The change to the canonical layout; None if there is none, or the text cannot be read."""
    try:
        text = laid_out(document.language, document.text, document.path)
    except GpkitError:
        return None
    if text == document.text:
        return None
    return Edit("Lay out", Span(0, len(document.text), 1, 1), text)

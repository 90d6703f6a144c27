"""The language server: it sends what ``gpkit.editing`` knows about a document, in the terms of the protocol.

A document that is quickly checked is checked after every change. Of a larger one what its changed lines say is told at
once, and everything in a second thread as soon as nobody types. Positions in editors are lines and columns, counted in
units of an encoding, for the characters of a text.
"""

import asyncio
import re
from bisect import bisect_right
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlparse

from lsprotocol import types
from lsprotocol.types import Position, PositionEncodingKind, Range
from pygls.lsp.server import LanguageServer

from gpkit.core.diagnostics import Diagnostic, Span
from gpkit.core.registry import is_suffix, known_language, language_of
from gpkit.core.version import VERSION
from gpkit.editing.completions import Completion
from gpkit.editing.diagnostics import Findings, all_findings, first_findings, prepare
from gpkit.editing.document import Document
from gpkit.editing.places import Places
from gpkit.langkit.language import Language
from gpkit.langkit.naming import Role

_LINE_END = re.compile(r"\r\n|\n|\r")


class Positions:
    """The positions of a text."""

    def __init__(self, text: str, encoding: PositionEncodingKind | str | None) -> None:
        """Positions in an encoding that was agreed on; UTF-16 where none was."""
        self._text, self.encoding = text, encoding
        self._places = Places(text, PositionEncodingKind(encoding or PositionEncodingKind.Utf16).value)
        self._starts = [0, *(found.end() for found in _LINE_END.finditer(text))]

    def position(self, place: int) -> Position:
        """The position of a character, by its number from 0 on."""
        line = bisect_right(self._starts, place) - 1
        return Position(line, self._places.units(place) - self._places.units(self._starts[line]))

    def range(self, span: Span) -> Range:
        """The range of a place."""
        return Range(self.position(span.start), self.position(span.end))

    def place(self, position: Position) -> int:
        """The number of the character at a position; behind the end of a line or of the text, the end of it."""
        if position.line >= len(self._starts):
            return len(self._text)
        start, *below = self._starts[position.line : position.line + 2]
        end = start + len(self._text[start : below[0]].rstrip("\r\n")) if below else len(self._text)
        return min(self._places.place(self._places.units(start) + position.character), end)


QUICK = 0.02
"""Seconds: a document whose last complete check took less is checked completely after every change."""

PAUSE = 0.2
"""Seconds without a change after which a larger document is checked completely."""

SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}

COMPLETION_KINDS: dict[Role, types.CompletionItemKind] = {
    "sensor": types.CompletionItemKind.Variable,
    "operator": types.CompletionItemKind.Function,
    "instruction": types.CompletionItemKind.Method,
    "action": types.CompletionItemKind.EnumMember,
    "section": types.CompletionItemKind.Module,
    "plan": types.CompletionItemKind.Function,
    "rule": types.CompletionItemKind.Class,
    "pattern": types.CompletionItemKind.Class,
    "box": types.CompletionItemKind.Value,
    "keyword": types.CompletionItemKind.Keyword,
}

SYMBOL_KINDS: dict[Role, types.SymbolKind] = {
    "section": types.SymbolKind.Module,
    "plan": types.SymbolKind.Function,
    "rule": types.SymbolKind.Class,
    "pattern": types.SymbolKind.Constant,
}


@dataclass(slots=True)
class Opened:
    """A document that is open in the editor.

    Attributes:
        document: as it is now.
        version: its number, by the editor.
        published: the last findings that were published.
        complete: the last findings of a complete check.
        seconds: that it took.
        waiting: the complete check that is to come.
    """

    document: Document
    version: int
    published: Findings
    complete: Findings
    seconds: float
    waiting: asyncio.TimerHandle | None = None


class ProgramServer(LanguageServer):
    """A language server for programs in all languages."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """A server that waits for a client; ``clock`` gives seconds."""
        super().__init__("gpkit", VERSION, text_document_sync_kind=types.TextDocumentSyncKind.Full)
        self.clock = clock
        self.opened: dict[str, Opened] = {}
        self.checker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="check")

    def positions(self, document: Document) -> Positions:
        """The positions of a document as its client counts them."""
        return Positions(document.text, self.workspace.position_encoding)

    def open(self, item: types.TextDocumentItem) -> None:
        """Take in a document, and tell what is found in it."""
        uri, text = item.uri, item.text
        language = language_named(uri, item.language_id)
        if language is None:
            return
        document = Document(text, language, unquote(urlparse(uri).path))
        found, seconds = self.timed_findings(document)
        self.opened[uri] = Opened(document, item.version, found, found, seconds)
        self._publish(uri, found, item.version)
        prepare(document)

    def change(self, uri: str, text: str, version: int) -> None:
        """Take in a change of a document, and tell what is found in it now."""
        held = self.opened.get(uri)
        if held is None:
            return
        held.document = Document(text, held.document.language, held.document.path)
        held.version = version
        if held.waiting is not None:
            held.waiting.cancel()
            held.waiting = None
        if held.seconds < QUICK:
            held.published, held.seconds = self.timed_findings(held.document)
            held.complete = held.published
        else:
            held.published = first_findings(held.document, held.complete)
            loop = asyncio.get_running_loop()
            held.waiting = loop.call_later(PAUSE, lambda: self._complete_soon(uri, held))
        self._publish(uri, held.published, held.version)

    def close(self, uri: str) -> None:
        """Forget a document, and its findings."""
        held = self.opened.pop(uri, None)
        if held is not None and held.waiting is not None:
            held.waiting.cancel()
        self._publish(uri, Findings("", ()), None)

    def _complete_soon(self, uri: str, held: Opened) -> None:
        """Check a document completely in the other thread; what is found in an older text is not told."""
        held.waiting = None
        document = held.document
        checked = asyncio.get_running_loop().run_in_executor(self.checker, self.timed_findings, document)

        def tell(done: "asyncio.Future[tuple[Findings, float]]") -> None:
            held.complete, held.seconds = done.result()
            if self.opened.get(uri) is held and held.document is document:
                held.published = held.complete
                self._publish(uri, held.published, held.version)

        checked.add_done_callback(tell)

    def timed_findings(self, document: Document) -> tuple[Findings, float]:
        """The findings in a document, and the seconds that it took to find them."""
        start = self.clock()
        found = all_findings(document)
        return found, self.clock() - start

    def _publish(self, uri: str, findings: Findings, version: int | None) -> None:
        positions = Positions(findings.text, self.workspace.position_encoding)
        found = [diagnostic_of(each, positions) for each in findings.found]
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, version))


def language_named(uri: str, language_id: str) -> Language | None:
    """The language of a document by its suffix, or by the editor's name for it such as ``gpkit-rulegraph``."""
    path = unquote(urlparse(uri).path)
    name = language_id.removeprefix("gpkit-")
    entry = language_of(path) if is_suffix(Path(path).suffix) else known_language(name)
    return None if entry is None else entry.load()


def diagnostic_of(found: Diagnostic, positions: Positions) -> types.Diagnostic:
    """A finding in the words of the protocol."""
    expected = f"\nexpected: {', '.join(found.expected)}" if found.expected else ""
    fix = f"\nhelp: {found.help}" if found.help else ""
    return types.Diagnostic(
        range=positions.range(found.span),
        message=found.message + expected + fix,
        severity=SEVERITIES[found.severity],
        code=found.code,
        source="gpkit",
    )


def completion_item(each: Completion, positions: Positions) -> types.CompletionItem:
    """A completion in the words of the protocol."""
    return types.CompletionItem(
        label=each.word.name,
        kind=COMPLETION_KINDS[each.word.role],
        detail=each.word.usage,
        documentation=types.MarkupContent(types.MarkupKind.Markdown, each.word.meaning),
        filter_text=each.word.name,
        text_edit=types.TextEdit(positions.range(each.replaced), each.inserted),
    )

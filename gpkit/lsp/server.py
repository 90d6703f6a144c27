"""The language server, which answers an editor's requests about programs.

The server checks a small document after every change. For a larger document, it reports findings in changed lines
immediately, and checks everything in a second thread when no one is typing. Editors give positions as lines and
columns. A column counts the code units of an encoding, such as UTF-16.
"""

import asyncio
import re
from bisect import bisect_right
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

from lsprotocol import types
from lsprotocol.types import Position, PositionEncodingKind, Range
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from gpkit.core.diagnostics import Diagnostic, Span
from gpkit.core.errors import UsageError
from gpkit.core.registry import is_suffix, known_language, language_of
from gpkit.core.wording import VERSION
from gpkit.editing.document import (
    Document,
    Edit,
    Findings,
    all_findings,
    first_findings,
    layout,
    mention_at,
    prepare,
    quick_fix,
)
from gpkit.editing.reading_aids import (
    Places,
    completions_at,
    definition_at,
    folds,
    is_own,
    meaning_at,
    parts,
    references_at,
    renamed_at,
    sensor_source,
)
from gpkit.langkit.language import Language
from gpkit.langkit.naming import Role

_LINE_END = re.compile(r"\r\n|\n|\r")


class Positions:
    """Converts between positions in a text and positions as the client counts them."""

    def __init__(self, text: str, encoding: PositionEncodingKind | str | None) -> None:
        """Count positions in the agreed encoding; UTF-16 if there is none."""
        self._text, self.encoding = text, encoding
        self._places = Places(text, PositionEncodingKind(encoding or PositionEncodingKind.Utf16).value)
        self._starts = [0, *(found.end() for found in _LINE_END.finditer(text))]

    def position(self, place: int) -> Position:
        """The position of a character, given its index from 0."""
        line = bisect_right(self._starts, place) - 1
        return Position(line, self._places.units(place) - self._places.units(self._starts[line]))

    def range(self, span: Span) -> Range:
        """The range of a place."""
        return Range(self.position(span.start), self.position(span.end))

    def place(self, position: Position) -> int:
        """The index of the character at a position; a position after the end of a line or the text means that end."""
        if position.line >= len(self._starts):
            return len(self._text)
        start, *below = self._starts[position.line : position.line + 2]
        end = start + len(self._text[start : below[0]].rstrip("\r\n")) if below else len(self._text)
        return min(self._places.place(self._places.units(start) + position.character), end)


QUICK = 0.02
"""gpkit checks a document completely after every change if its last complete check took fewer seconds than this."""

PAUSE = 0.2
"""The number of seconds without a change before gpkit checks a larger document completely."""

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
        document: the document as it is now.
        version: the version number from the editor.
        published: the findings that were published last.
        complete: the findings of the last complete check.
        seconds: the number of seconds that the last complete check took.
        waiting: the scheduled complete check.
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
        """A server that waits for a client; ``clock`` returns seconds."""
        super().__init__("gpkit", VERSION, text_document_sync_kind=types.TextDocumentSyncKind.Full)
        self.clock = clock
        self.opened: dict[str, Opened] = {}
        self.checker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="check")

    def positions(self, document: Document) -> Positions:
        """The positions in a document as the client counts them."""
        return Positions(document.text, self.workspace.position_encoding)

    def open(self, item: types.TextDocumentItem) -> None:
        """Open a document, and report its findings."""
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
        """Apply a change to a document, and report its findings immediately."""
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
        """Forget a document and its findings."""
        held = self.opened.pop(uri, None)
        if held is not None and held.waiting is not None:
            held.waiting.cancel()
        self._publish(uri, Findings("", ()), None)

    def _complete_soon(self, uri: str, held: Opened) -> None:
        """Check a document completely in a second thread; findings in outdated text are discarded."""
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
    """The language of a document, from its suffix or from the editor's name for it, such as ``gpkit-rulegraph``."""
    path = unquote(urlparse(uri).path)
    name = language_id.removeprefix("gpkit-")
    entry = language_of(path) if is_suffix(Path(path).suffix) else known_language(name)
    return None if entry is None else entry.load()


def diagnostic_of(found: Diagnostic, positions: Positions) -> types.Diagnostic:
    """A finding in the protocol's format."""
    expected = f"\nexpected: {', '.join(found.expected)}" if found.expected else ""
    fix = f"\nhelp: {found.help}" if found.help else ""
    return types.Diagnostic(
        range=positions.range(found.span),
        message=found.message + expected + fix,
        severity=SEVERITIES[found.severity],
        code=found.code,
        source="gpkit",
    )


def program_server(clock: Callable[[], float]) -> ProgramServer:
    """A server with all features that is not yet started; ``clock`` returns seconds."""
    server = ProgramServer(clock)

    def serve(method: str, answer: Callable[[Opened, Positions, Any], Any], options: object) -> None:
        """Register ``answer`` for requests; gpkit calls it with an open document, its positions and the request."""

        def answered(params: Any) -> Any:
            held = server.opened.get(params.text_document.uri)
            return None if held is None else answer(held, server.positions(held.document), params)

        server.feature(method, options)(answered)

    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        changed = params.text_document
        server.change(
            changed.uri, params.content_changes[-1].text, changed.version
        )  # every one brings the whole text

    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(lambda params: server.open(params.text_document))
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(did_change)
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(lambda params: server.close(params.text_document.uri))
    for method, (answer, options) in FEATURES.items():
        serve(method, answer, options)
    return server


def hover(held: Opened, positions: Positions, params: types.HoverParams) -> types.Hover | None:
    """The meaning of the name under the pointer."""
    meaning = meaning_at(held.document, positions.place(params.position))
    if meaning is None:
        return None
    return types.Hover(
        types.MarkupContent(types.MarkupKind.Markdown, meaning.markdown), positions.range(meaning.span)
    )


def completion(held: Opened, positions: Positions, params: types.CompletionParams) -> types.CompletionList:
    """The words that are possible at the cursor."""
    found = [
        types.CompletionItem(
            label=each.word.name,
            kind=COMPLETION_KINDS[each.word.role],
            detail=each.word.usage,
            documentation=types.MarkupContent(types.MarkupKind.Markdown, each.word.meaning),
            filter_text=each.word.name,
            text_edit=types.TextEdit(positions.range(each.replaced), each.inserted),
        )
        for each in completions_at(held.document, positions.place(params.position))
    ]
    return types.CompletionList(False, found)


def definition(held: Opened, positions: Positions, params: types.DefinitionParams) -> types.Location | None:
    """The place that defines the name under the cursor: in the program or, for a sensor, in the file of its game."""
    place = positions.place(params.position)
    if (span := definition_at(held.document, place)) is not None:
        return types.Location(params.text_document.uri, positions.range(span))
    if (source := sensor_source(held.document, place)) is None:
        return None
    path, text, span = source
    return types.Location(path.resolve().as_uri(), Positions(text, positions.encoding).range(span))


def references(held: Opened, positions: Positions, params: types.ReferenceParams) -> list[types.Location]:
    """All occurrences of the name under the cursor."""
    return [
        types.Location(params.text_document.uri, positions.range(each.span))
        for each in references_at(held.document, positions.place(params.position))
        if params.context.include_declaration or not each.name.defines
    ]


def prepare_rename(
    held: Opened, positions: Positions, params: types.PrepareRenameParams
) -> types.Range | None:
    """The place of the name under the cursor, if the program itself defines it."""
    asked = mention_at(held.document, positions.place(params.position))
    return positions.range(asked.span) if asked is not None and is_own(held.document, asked) else None


def rename(held: Opened, positions: Positions, params: types.RenameParams) -> types.WorkspaceEdit:
    """The changes that rename the thing under the cursor.

    Raises:
        JsonRpcInvalidParams: the name cannot be changed; the message gives the reason.
    """
    try:
        changes = renamed_at(held.document, positions.place(params.position), params.new_name)
    except UsageError as error:
        raise JsonRpcInvalidParams(str(error)) from None
    return types.WorkspaceEdit({params.text_document.uri: [text_edit(each, positions) for each in changes]})


def folding(held: Opened, positions: Positions, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    """The lines that can be folded."""
    return [types.FoldingRange(first, last) for first, last in folds(held.document)]


def document_symbols(
    held: Opened, positions: Positions, params: types.DocumentSymbolParams
) -> list[types.DocumentSymbol]:
    """The parts of a document: sections, plans, rules and patterns."""
    return [
        types.DocumentSymbol(
            name=part.name,
            kind=SYMBOL_KINDS[part.role],
            range=positions.range(part.whole),
            selection_range=positions.range(part.heading),
            detail=part.role,
        )
        for part in parts(held.document)
    ]


def text_edit(edit: Edit, positions: Positions) -> types.TextEdit:
    """A change in the protocol's format."""
    return types.TextEdit(positions.range(edit.span), edit.text)


def formatting(
    held: Opened, positions: Positions, params: types.DocumentFormattingParams
) -> list[types.TextEdit]:
    """The change to the canonical layout; none if the text cannot be parsed or already has that layout."""
    edit = layout(held.document)
    return [] if edit is None else [text_edit(edit, positions)]


def code_actions(
    held: Opened, positions: Positions, params: types.CodeActionParams
) -> list[types.CodeAction]:
    """Fixes for unknown words in a range: the words that were probably meant."""
    first, last = positions.place(params.range.start), positions.place(params.range.end)
    near = [each for each in held.published.found if each.span.start <= last and first <= each.span.end]
    return [
        types.CodeAction(
            title=edit.title,
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[diagnostic_of(found, positions)],
            edit=types.WorkspaceEdit(changes={params.text_document.uri: [text_edit(edit, positions)]}),
            is_preferred=True,
        )
        for found in near
        if (edit := quick_fix(held.document, found)) is not None
    ]


FEATURES: Mapping[str, tuple[Callable[[Opened, Positions, Any], Any], Any]] = {
    types.TEXT_DOCUMENT_HOVER: (hover, None),
    types.TEXT_DOCUMENT_COMPLETION: (completion, types.CompletionOptions(trigger_characters=[".", "&"])),
    types.TEXT_DOCUMENT_DEFINITION: (definition, None),
    types.TEXT_DOCUMENT_REFERENCES: (references, None),
    types.TEXT_DOCUMENT_PREPARE_RENAME: (prepare_rename, None),
    types.TEXT_DOCUMENT_RENAME: (rename, types.RenameOptions(prepare_provider=True)),
    types.TEXT_DOCUMENT_FOLDING_RANGE: (folding, None),
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (document_symbols, None),
    types.TEXT_DOCUMENT_FORMATTING: (formatting, None),
    types.TEXT_DOCUMENT_CODE_ACTION: (
        code_actions,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
    ),
}
"""The functions that answer requests about an open document, with their options."""

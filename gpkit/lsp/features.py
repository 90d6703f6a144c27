"""Features of the language server: each request of an editor and its answer."""

from collections.abc import Callable, Mapping
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from gpkit.core.errors import UsageError
from gpkit.editing.completions import completions_at
from gpkit.editing.diagnostics import Edit, layout, quick_fix
from gpkit.editing.document import mention_at
from gpkit.editing.reading_aids import (
    definition_at,
    folds,
    is_own,
    meaning_at,
    parts,
    references_at,
    renamed_at,
    sensor_source,
)
from gpkit.lsp.server import SYMBOL_KINDS, Opened, Positions, ProgramServer, completion_item, diagnostic_of


def program_server(clock: Callable[[], float]) -> ProgramServer:
    """A server with all its features, which has not been started; ``clock`` gives seconds."""
    server = ProgramServer(clock)

    def serve(method: str, answer: Callable[[Opened, Positions, Any], Any], options: Any) -> None:
        """Answer a request about a document that is open, from the document, its positions and the request."""

        def answered(params: Any) -> Any:
            held = server.opened.get(params.text_document.uri)
            return None if held is None else answer(held, server.positions(held.document), params)

        server.feature(method, options)(answered)

    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        server.open(params.text_document)

    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        changed = params.text_document
        server.change(
            changed.uri, params.content_changes[-1].text, changed.version
        )  # every one brings the whole text

    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)

    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(did_open)
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(did_change)
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(did_close)
    for method, (answer, options) in FEATURES.items():
        serve(method, answer, options)
    return server


def hover(held: Opened, positions: Positions, params: types.HoverParams) -> types.Hover | None:
    """Meaning of the name under the pointer."""
    meaning = meaning_at(held.document, positions.place(params.position))
    if meaning is None:
        return None
    content = types.MarkupContent(types.MarkupKind.Markdown, meaning.markdown)
    return types.Hover(content, positions.range(meaning.span))


def completion(held: Opened, positions: Positions, params: types.CompletionParams) -> types.CompletionList:
    """Words that can stand at the cursor."""
    found = completions_at(held.document, positions.place(params.position))
    return types.CompletionList(False, [completion_item(each, positions) for each in found])


def definition(held: Opened, positions: Positions, params: types.DefinitionParams) -> types.Location | None:
    """Place where the name under the cursor is defined: in the program, or a sensor in the file of its game."""
    place = positions.place(params.position)
    if (span := definition_at(held.document, place)) is not None:
        return types.Location(params.text_document.uri, positions.range(span))
    if (source := sensor_source(held.document, place)) is None:
        return None
    path, text, span = source
    return types.Location(path.resolve().as_uri(), Positions(text, positions.encoding).range(span))


def references(held: Opened, positions: Positions, params: types.ReferenceParams) -> list[types.Location]:
    """Places of what is named under the cursor."""
    return [
        types.Location(params.text_document.uri, positions.range(each.span))
        for each in references_at(held.document, positions.place(params.position))
        if params.context.include_declaration or not each.name.defines
    ]


def prepare_rename(
    held: Opened, positions: Positions, params: types.PrepareRenameParams
) -> types.Range | None:
    """Place of the name under the cursor, if the program itself has given it."""
    place = positions.place(params.position)
    asked = mention_at(held.document, place)
    return positions.range(asked.span) if asked is not None and is_own(held.document, asked) else None


def rename(held: Opened, positions: Positions, params: types.RenameParams) -> types.WorkspaceEdit:
    """Changes by which what is named under the cursor gets another name.

    Raises:
        JsonRpcInvalidParams: it cannot; the message says why.
    """
    try:
        changes = renamed_at(held.document, positions.place(params.position), params.new_name)
    except UsageError as error:
        raise JsonRpcInvalidParams(str(error)) from None
    return types.WorkspaceEdit({params.text_document.uri: [text_edit(each, positions) for each in changes]})


def folding(held: Opened, positions: Positions, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    """Lines that can be folded."""
    return [types.FoldingRange(first, last) for first, last in folds(held.document)]


def document_symbols(
    held: Opened, positions: Positions, params: types.DocumentSymbolParams
) -> list[types.DocumentSymbol]:
    """Parts of a document: sections, plans, rules, patterns."""
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
    """A change in the words of the protocol."""
    return types.TextEdit(positions.range(edit.span), edit.text)


def formatting(
    held: Opened, positions: Positions, params: types.DocumentFormattingParams
) -> list[types.TextEdit]:
    """The canonical layout; a text that cannot be read stays as it is."""
    edit = layout(held.document)
    return [] if edit is None else [text_edit(edit, positions)]


def code_actions(
    held: Opened, positions: Positions, params: types.CodeActionParams
) -> list[types.CodeAction]:
    """Words that were probably meant, instead of those in a range that nothing knows."""
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
"""Answers to requests about a document that is open, with their options."""

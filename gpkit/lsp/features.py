"""Features of the language server: each request of an editor and its answer."""

from collections.abc import Callable

from lsprotocol import types

from gpkit.app.editing.completions import completions_at
from gpkit.app.editing.diagnostics import layout, quick_fix
from gpkit.app.editing.reading_aids import definition_at, meaning_at, parts
from gpkit.lsp.server import SYMBOL_KINDS, ProgramServer, completion_item, diagnostic_of


def program_server(clock: Callable[[], float]) -> ProgramServer:
    """A server with all its features, which has not been started; ``clock`` gives seconds."""
    server = ProgramServer(clock)
    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(did_open)
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(did_change)
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(did_close)
    server.feature(types.TEXT_DOCUMENT_HOVER)(hover)
    triggers = types.CompletionOptions(trigger_characters=[".", "&"])
    server.feature(types.TEXT_DOCUMENT_COMPLETION, triggers)(completion)
    server.feature(types.TEXT_DOCUMENT_DEFINITION)(definition)
    server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(document_symbols)
    server.feature(types.TEXT_DOCUMENT_FORMATTING)(formatting)
    kinds = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])
    server.feature(types.TEXT_DOCUMENT_CODE_ACTION, kinds)(code_actions)
    return server


def did_open(server: ProgramServer, params: types.DidOpenTextDocumentParams) -> None:
    """Answer to a document that was opened."""
    server.open(params.text_document)


def did_change(server: ProgramServer, params: types.DidChangeTextDocumentParams) -> None:
    """Answer to a change; every change brings the whole text."""
    changed = params.text_document
    server.change(changed.uri, params.content_changes[-1].text, changed.version)


def did_close(server: ProgramServer, params: types.DidCloseTextDocumentParams) -> None:
    """Answer to a document that was closed."""
    server.close(params.text_document.uri)


def hover(server: ProgramServer, params: types.HoverParams) -> types.Hover | None:
    """Meaning of the name under the pointer."""
    held = server.opened.get(params.text_document.uri)
    if held is None:
        return None
    positions = server.positions(held.document)
    meaning = meaning_at(held.document, positions.place(params.position))
    if meaning is None:
        return None
    content = types.MarkupContent(types.MarkupKind.Markdown, meaning.markdown)
    return types.Hover(content, positions.range(meaning.span))


def completion(server: ProgramServer, params: types.CompletionParams) -> types.CompletionList:
    """Words that can stand at the cursor."""
    held = server.opened.get(params.text_document.uri)
    if held is None:
        return types.CompletionList(is_incomplete=False, items=[])
    positions = server.positions(held.document)
    found = completions_at(held.document, positions.place(params.position))
    return types.CompletionList(False, [completion_item(each, positions) for each in found])


def definition(server: ProgramServer, params: types.DefinitionParams) -> types.Location | None:
    """Place where the name under the cursor is defined."""
    held = server.opened.get(params.text_document.uri)
    if held is None:
        return None
    positions = server.positions(held.document)
    span = definition_at(held.document, positions.place(params.position))
    return None if span is None else types.Location(params.text_document.uri, positions.range(span))


def document_symbols(server: ProgramServer, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    """Parts of a document: sections, plans, rules, patterns."""
    held = server.opened.get(params.text_document.uri)
    if held is None:
        return []
    positions = server.positions(held.document)
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


def formatting(server: ProgramServer, params: types.DocumentFormattingParams) -> list[types.TextEdit]:
    """The canonical layout; a text that cannot be read stays as it is."""
    held = server.opened.get(params.text_document.uri)
    edit = layout(held.document) if held is not None else None
    if held is None or edit is None:
        return []
    return [types.TextEdit(server.positions(held.document).range(edit.span), edit.text)]


def code_actions(server: ProgramServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Words that were probably meant, instead of those in a range that nothing knows."""
    held = server.opened.get(params.text_document.uri)
    if held is None:
        return []
    positions = server.positions(held.document)
    first, last = positions.place(params.range.start), positions.place(params.range.end)
    actions = []
    for found in held.published.found:
        edit = (
            quick_fix(held.document, found) if found.span.start <= last and first <= found.span.end else None
        )
        if edit is not None:
            change = types.TextEdit(positions.range(edit.span), edit.text)
            actions.append(
                types.CodeAction(
                    title=edit.title,
                    kind=types.CodeActionKind.QuickFix,
                    diagnostics=[diagnostic_of(found, positions)],
                    edit=types.WorkspaceEdit(changes={params.text_document.uri: [change]}),
                    is_preferred=True,
                )
            )
    return actions

"""The language server as an editor meets it: a process of its own, spoken to by a client.

Positions in UTF-8, UTF-16 and characters, there and back.
The set-ups that the documentation prints: they name every language, and Helix's is TOML.
"""

import asyncio
import itertools
import re
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from editor_client import Editor, with_editor
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types
from lsprotocol.types import Position, PositionEncodingKind
from pygls.exceptions import JsonRpcException

from gpkit.core.diagnostics import Span
from gpkit.core.registry import LANGUAGES, data_folder
from gpkit.lsp import server
from gpkit.lsp.server import Positions, ProgramServer

WRONG = "// game: sevens\n// \N{PARTY POPPER}\nplay: env.rank * $ // a\n  + env.rnk\n  +\nsend: /* 3\n"
RIGHT = "// game: sevens\nplay:   env.rank*2\nsend:env.rank\n"
NIM = data_folder("programs") / "games" / "nim.py"
PLANS = "// game: build_order\nuse army\nplan army:\n  do drone // \N{PARTY POPPER}\n"


def at(uri: str, line: int, column: int) -> dict[str, Any]:
    return {"text_document": types.TextDocumentIdentifier(uri), "position": types.Position(line, column)}


@pytest.mark.release
def test_an_editor_gets_every_feature(tmp_path: Path) -> None:
    async def work(editor: Editor) -> None:
        uri = editor.open(tmp_path / "a.tree", WRONG)
        found = await editor.told(uri)
        assert [(each.range.start.line, each.range.start.character, each.code) for each in found] == [
            (2, 17, "E002"),
            (3, 4, "E010"),
            (5, 0, "E001"),
            (5, 6, "E001"),
        ]
        actions = await editor.client.text_document_code_action_async(
            types.CodeActionParams(
                types.TextDocumentIdentifier(uri), found[1].range, types.CodeActionContext([found[1]])
            )
        )
        assert [action.title for action in actions or ()] == ["Replace `env.rnk` by `env.rank`"]
        hover = await editor.client.text_document_hover_async(types.HoverParams(**at(uri, 2, 8)))
        assert hover is not None
        assert "the rank" in str(hover.contents)
        editor.write(uri, RIGHT)
        await editor.becomes(uri, lambda found: found == [])
        edits = await editor.client.text_document_formatting_async(
            types.DocumentFormattingParams(
                types.TextDocumentIdentifier(uri), types.FormattingOptions(tab_size=2, insert_spaces=True)
            )
        )
        assert [edit.new_text for edit in edits or ()] == [
            "// game: sevens\nplay: env.rank * 2\nsend: env.rank\n"
        ]
        items = await editor.client.text_document_completion_async(types.CompletionParams(**at(uri, 1, 13)))
        assert isinstance(items, types.CompletionList)
        assert "env.rank" in [item.label for item in items.items]

        tree = editor.open(tmp_path / "c.decide", 'test "\N{PARTY POPPER}" < < 3\n  yes: 1\n  no: 2\n')
        (behind,) = await editor.told(tree)
        assert (behind.range.start.character, behind.code) == (12, "E350")

        plans = editor.open(tmp_path / "b.plan", PLANS)
        assert [
            each.code for each in await editor.told(plans) if each.severity == types.DiagnosticSeverity.Error
        ] == []
        place = await editor.client.text_document_definition_async(types.DefinitionParams(**at(plans, 1, 6)))
        assert isinstance(place, types.Location)
        assert (place.range.start.line, place.range.start.character) == (2, 5)
        symbols = await editor.client.text_document_document_symbol_async(
            types.DocumentSymbolParams(types.TextDocumentIdentifier(plans))
        )
        assert [symbol.name for symbol in symbols or ()] == ["army"]

    assert with_editor(work) == 0


@pytest.mark.release
def test_a_game_of_ones_own_is_known_if_it_was_named(tmp_path: Path) -> None:
    async def work(editor: Editor) -> None:
        uri = editor.open(tmp_path / "a.tree", "// game: nim\ntake: env.lft\n")
        (found,) = [each for each in await editor.told(uri) if each.code == "E010"]
        assert "did you mean `env.left`?" in found.message

    assert with_editor(work, "--game", str(NIM)) == 0


class Told(ProgramServer):
    """A server without a client that keeps what it would publish, with a clock by which every check takes long."""

    workspace = SimpleNamespace(position_encoding=None)  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__(itertools.count().__next__)
        self.published: list[tuple[int | None, list[str | int | None]]] = []

    def text_document_publish_diagnostics(self, params: types.PublishDiagnosticsParams) -> None:
        self.published.append((params.version, [each.code for each in params.diagnostics]))


def test_of_a_large_document_some_is_told_at_once_and_all_when_nobody_types(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server, "PAUSE", 0.01)
    text = "// game: sevens\nplay: env.rank\nsend: env.rank\n"

    async def work() -> list[tuple[int | None, list[str | int | None]]]:
        told = Told()
        told.open(types.TextDocumentItem("file:///a.tree", "gpkit", 1, text))
        told.change("file:///a.tree", text.replace("play: ", "play: env.rnk - "), 2)
        told.change("file:///a.tree", text.replace("play: ", "play: env.rnk - env.dist * 0 - "), 3)
        while len(told.published) < 4:
            await asyncio.sleep(0.01)
        told.close("file:///a.tree")
        told.change("file:///a.tree", text, 4)
        told.open(types.TextDocumentItem("file:///a.txt", "text", 1, text))
        return told.published

    assert asyncio.run(asyncio.wait_for(work(), 20)) == [
        (1, []),
        (2, ["E010"]),
        (3, ["E010"]),
        (3, ["E010", "W031"]),
        (None, []),
    ]


PARTY = '  no: test "\N{PARTY POPPER}" < 1 yes: test env.left < 1\n'
LONG: dict[str, tuple[str, tuple[int, int], list[tuple[int, int]], str]] = {
    "tree": ("// game: nim\ntake: env.left\n" + "  + env.left\n" * 500, (1, 10), [(1, 501)], ""),
    "decide": ("// game: nim\ntake: test env.left < 3\n" + PARTY * 500, (1, 13), [(1, 501)], ""),
    "sink": ("// game: battleship\ntargeting:\n" + "  Shoot\n" * 501, (2, 3), [(1, 502)], ""),
    "plan": ("use army\n" * 500 + "plan army:\n  do drone\n", (0, 5), [(500, 501)], "troops"),
    "rules": ("&safe = t_0 t_1\n" + "a: x_0 w ; !&safe => x_0 - w\n" * 500, (1, 13), [], "&calm"),
}
"""By suffix a program of 500 lines, the place of a name that stands in all, what folds, and a new name."""


@pytest.mark.release
@pytest.mark.parametrize("suffix", LONG)
def test_names_are_found_and_changed_everywhere(tmp_path: Path, suffix: str) -> None:
    text, place, folds, new = LONG[suffix]

    async def work(editor: Editor) -> None:
        uri = editor.open(tmp_path / f"a.{suffix}", text)
        await editor.told(uri)
        client, spot, began = editor.client, at(uri, *place), editor.worked()
        for _ in range(9):
            context = types.ReferenceContext(include_declaration=True)
            found = await client.text_document_references_async(types.ReferenceParams(context, **spot))
        seconds = (editor.worked() - began) / 9
        ranges, lines = [each.range for each in found or ()], text.encode("utf-16-le").split(b"\n\0")
        assert len(ranges) == 501
        named = {
            lines[r.start.line][2 * r.start.character : 2 * r.end.character].decode("utf-16-le")
            for r in ranges
        }
        assert named == {{"sink": "Shoot", "plan": "army", "rules": "&safe"}.get(suffix, "env.left")}
        assert seconds < 0.05
        asked = types.FoldingRangeParams(types.TextDocumentIdentifier(uri))
        folded = await client.text_document_folding_range_async(asked)
        assert [(each.start_line, each.end_line) for each in folded or ()] == folds
        where = await client.text_document_prepare_rename_async(types.PrepareRenameParams(**spot))
        renamed = client.text_document_rename_async(types.RenameParams(new_name=new or "other", **spot))
        if new:
            assert where in ranges
            edits = ((await renamed) or types.WorkspaceEdit()).changes or {}
            assert list(edits[uri]) == [types.TextEdit(each, new) for each in ranges]
        else:
            assert where is None
            with pytest.raises(JsonRpcException, match="not a name that the program defines"):
                await renamed
        source = await client.text_document_definition_async(types.DefinitionParams(**spot))
        if suffix in ("tree", "decide"):
            assert isinstance(source, types.Location)
            assert source.uri == NIM.resolve().as_uri()
            assert NIM.read_text().splitlines()[source.range.start.line].startswith("def left(")

    assert with_editor(work, "--game", str(NIM)) == 0


def test_without_the_package_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    import sys

    from gpkit.cli.main import main

    for module in ("gpkit.lsp.server", "gpkit.lsp.server"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, "pygls.lsp.server", None)
    assert main(["lsp"]) == 2
    assert capsys.readouterr().err == (
        "error: `gpkit lsp` needs the package pygls: pip install -e '.[lsp]'\n"
    )


TEXT = "// \N{PARTY POPPER}é\r\nplay: 1\n"


@pytest.mark.parametrize(
    ("encoding", "column"),
    [
        (None, 5),
        (PositionEncodingKind.Utf16, 5),
        (PositionEncodingKind.Utf8, 7),
        (PositionEncodingKind.Utf32, 4),
    ],
)
def test_an_emoji_takes_the_units_of_the_encoding(encoding: PositionEncodingKind | None, column: int) -> None:
    positions = Positions(TEXT, encoding)
    assert positions.position(4) == Position(0, column)
    assert positions.place(Position(0, column)) == 4
    assert positions.range(Span.at(TEXT, 7, 11)).start == Position(1, 0)
    assert positions.place(Position(0, 99)) == TEXT.index("\r")
    assert positions.place(Position(99, 0)) == len(TEXT)


@given(st.text("aé\N{PARTY POPPER}\n\r\x0b\u2028", max_size=30), st.sampled_from(list(PositionEncodingKind)))
def test_there_and_back(text: str, encoding: PositionEncodingKind) -> None:
    positions = Positions(text, encoding)
    for place in range(len(text) + 1):
        if text[place : place + 1] not in ("\r", "\n"):
            assert positions.place(positions.position(place)) == place


PAGE = (Path(__file__).resolve().parents[2] / "docs/writers/editors.md").read_text(encoding="utf-8")
SUFFIXES = {entry.suffix for entry in LANGUAGES}


def test_helix_starts_the_server_for_all_suffixes() -> None:
    (block,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    settings = tomllib.loads(block)
    (language,) = settings["language"]
    assert {f".{suffix}" for suffix in language["file-types"]} == SUFFIXES
    started = settings["language-server"][language["language-servers"][0]]
    assert [started["command"], *started["args"]] == ["gpkit", "lsp"]


def test_neovim_starts_the_server_for_all_suffixes() -> None:
    newer, older = re.findall(r"```lua\n(.*?)```", PAGE, re.DOTALL)
    assert {f".{word}" for word in re.findall(r"(\w+) = \"gpkit\"[ ,}]", newer)} - {".name"} == SUFFIXES
    assert set(re.findall(r"\*(\.\w+)", older)) == SUFFIXES

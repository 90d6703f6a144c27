"""``gpkit export``: to files, folders and standard output, checked, as a roster, and back."""

import json
from pathlib import Path

import pytest

from gpkit.core.registry import data_folder
from gpkit.languages.arithmetic.text import parse
from gpkit.languages.sinking.text import parse as parse_lines

EASY = "// game: sevens\n// level: easy\nplay: env.rank * 0.5\nsend: math.random()\n"
HARD = "// game: sevens\n// level: hard\nplay: env.safe + (env.selfblock - 2.7) * env.block\nsend: env.dist\n"
ARTICLE = (
    "(((((env.rounds)+((env.suit)*(env.rank)))+(env.safe))+((env.block)*(env.block)))*(((-4.0745883)+(0.025403308))"
    "+((((env.selfblock)*(env.dist))+((env.selfblock)*(env.safe)))+(math.random()))))"
)
CORRECTED = data_folder("programs") / "battleship" / "corrected.sink"
FILES = {"easy.tree": EASY, "hard.tree": HARD}


@pytest.mark.usefixtures("few_games")
@pytest.mark.parametrize(
    "mode",
    [
        "function",
        "article",
        *(pytest.param(mode, marks=pytest.mark.release) for mode in ("module", "player", "luau")),
    ],
)
def test_lua_is_equal_in_every_mode(folder: Path, gpkit, mode: str) -> None:
    outcome = gpkit("export", "easy.tree", "--to", "lua", "--mode", mode, "--check", "--json", "--games", "2")
    assert outcome.code == 0, outcome.err
    told = json.loads(outcome.out)
    assert told["schema"] == "gpkit/export-check/1"
    (result,) = told["results"]
    assert result["equal"]
    assert len(result["hosts"]) >= 6
    assert all(host["evaluations"] == 2000 and host["failures"] == 0 for host in result["hosts"])


@pytest.mark.parametrize("to", ["python", "json"])
def test_other_formats_are_equal(folder: Path, gpkit, to: str) -> None:
    outcome = gpkit("export", "hard.tree", "--to", to, "--check")
    assert outcome.code == 0, outcome.err
    assert outcome.out.splitlines()[1].split()[-1] == "0"


def test_files_lie_where_they_were_asked_for(folder: Path, gpkit) -> None:
    (folder / "out").mkdir()
    assert gpkit("export", "easy.tree", "--to", "lua", "-o", "out").code == 0
    assert gpkit("export", "easy.tree", "--to", "latex", "-o", "formula.tex").code == 0
    assert sorted(p.name for p in (folder / "out").iterdir()) == ["easy.lua"]
    assert "align" in (folder / "formula.tex").read_text()
    printed = gpkit("export", "easy.tree", "--to", "lua")
    assert printed.out == (folder / "out" / "easy.lua").read_text()


def test_the_article_comes_out_byte_for_byte_and_goes_back(folder: Path, gpkit) -> None:
    (folder / "article.tree").write_text(ARTICLE)
    out = gpkit("export", "article.tree", "--to", "lua", "--mode", "article", "-o", "article.lua")
    assert out.code == 0
    assert ARTICLE in (folder / "article.lua").read_text()
    back = gpkit("export", "article.lua", "--to", "tree")
    assert parse(back.out).program == parse(ARTICLE).program


def test_a_roster_of_levels_there_and_back(folder: Path, gpkit) -> None:
    programs = ["easy.tree", "hard.tree", "easy.tree"]
    outcome = gpkit("export", *programs, "--to", "lua", "--mode", "article", "-o", "computer.lua")
    assert outcome.code == 0
    (folder / "back").mkdir()
    assert gpkit("export", "computer.lua", "--to", "tree", "--game", "sevens", "-o", "back").code == 0
    back = {path.name: path.read_text() for path in (folder / "back").iterdir()}
    assert sorted(back) == ["easy.tree", "hard.tree"]
    assert parse(back["hard.tree"]).program == parse(HARD).program
    assert "// level: hard" in back["hard.tree"]


def test_constants_on_a_grid_are_proved_exact(folder: Path, gpkit) -> None:
    rounded = gpkit("export", "hard.tree", "--to", "lua", "--grid", "-2").out
    assert "selfblock - 2.75" in rounded
    assert "-- play: exact, nothing rounds in double, float32, 16.16 fixed point" in rounded


WORDS = "targeting:\n  Trget\n  Shoot\n"
JSON_WORDS = '{"schema": "gpkit-program-1", "game": null, "blocks": {"targeting": ["Trget", "Shoot"]}}'


@pytest.mark.parametrize("name", ["right.sink", "right.json"])
def test_instructions_without_a_game_are_exported_for_the_one_they_fit(
    folder: Path, gpkit, name: str
) -> None:
    (folder / "right.sink").write_text(WORDS.replace("Trget", "Target"))
    (folder / "right.json").write_text(JSON_WORDS.replace("Trget", "Target"))
    value = json.loads(gpkit("export", name, "--to", "json").out)
    assert value["game"] == "battleship"
    assert value["dialect"]["target"] == "checkerboard"


def test_the_game_that_is_named_wins_over_the_header(folder: Path, gpkit) -> None:
    """So what is written does not contradict itself, and can be read back."""
    (folder / "other.tree").write_text(EASY.replace("game: sevens", "game: battleship"))
    assert gpkit("export", "other.tree", "--to", "json", "--game", "sevens", "-o", "other.json").code == 0
    value = json.loads((folder / "other.json").read_text())
    assert (value["game"], value["header"]["game"]) == ("sevens", "sevens")
    assert gpkit("export", "other.json", "--to", "tree").code == 0


def test_a_difference_is_a_finding(folder: Path, gpkit, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the exported text said something else, the check would notice."""
    import gpkit.export.lua.valued as module

    written = module.lua_text

    def wrong(*arguments: object) -> str:
        return written(*arguments).replace("selfblock - 2.7", "selfblock - 2.5")  # type: ignore[arg-type]

    monkeypatch.setattr(module, "lua_text", wrong)
    outcome = gpkit("export", "hard.tree", "--to", "lua", "--check", "--games", "0")
    assert outcome.code == 1
    assert "lua54" in outcome.out


@pytest.mark.parametrize(("to", "mode"), [("lua", "module"), ("lua", "nested"), ("json", "program")])
def test_programs_of_instructions_are_equal(folder: Path, gpkit, to: str, mode: str) -> None:
    outcome = gpkit("export", CORRECTED, "--to", to, "--mode", mode, "--check", "--json", "--games", "2")
    assert outcome.code == 0, outcome.err
    (result,) = json.loads(outcome.out)["results"]
    assert result["equal"]
    assert {host["games"] for host in result["hosts"]} == {2 if to == "lua" else 0}


def test_instructions_as_json_say_the_whole_dialect(folder: Path, gpkit) -> None:
    value = json.loads(gpkit("export", CORRECTED, "--to", "json").out)
    assert (value["schema"], value["language"], value["game"]) == ("gpkit-program-1", "sinking", "battleship")
    assert (value["dialect"]["if"], value["dialect"]["target"]) == ("stacked", "checkerboard")
    assert value["blocks"]["targeting"] == ["SetFalse", "Target", "SavePos", "Shoot", "IfHit", "Jump"]


def test_instructions_come_back_from_json(folder: Path, gpkit) -> None:
    assert gpkit("export", CORRECTED, "--to", "json", "-o", "there.json").code == 0
    back = gpkit("export", "there.json", "--to", "tree")
    assert back.code == 0, back.err
    source, original = parse_lines(back.out), parse_lines(CORRECTED.read_text())
    assert (source.program, source.header) == (original.program, original.header)
    assert (
        gpkit("export", "there.json", "--to", "lua", "--check", "--games", "1", "-o", "there.lua").code == 0
    )


@pytest.mark.usefixtures("few_games")
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=[pytest.mark.release] * (path.stem not in ("champion", "random")))
        for path in sorted((data_folder("programs") / "sevens").rglob("*.tree"))
    ],
    ids=lambda p: p.stem,
)
def test_every_shipped_program_is_equal_in_lua(path: Path, gpkit) -> None:
    outcome = gpkit(
        "export", path, "--to", "lua", "--mode", "player", "--check", "--evaluations", "50", "--games", "1"
    )
    assert outcome.code == 0, outcome.out + outcome.err


def test_constants_are_rounded_to_digits(gpkit, tmp_path: Path) -> None:
    (tmp_path / "mine.tree").write_text("1234.5678 * x - 0.00123456 / x\n", encoding="utf-8")
    found = gpkit("export", tmp_path / "mine.tree", "--to", "latex", "--digits", 2)
    assert "1200 \\cdot \\mathit{x}" in found.out, found.out + found.err
    assert "0.0012" in found.out
    assert "0.00123" not in found.out

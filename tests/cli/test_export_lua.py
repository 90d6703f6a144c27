"""``gpkit export --to lua`` for the developer of a game: help, files that ``require`` loads, sensors, lean files."""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from gpkit.core.registry import data_folder
from gpkit.export.lua.hosts import runtime_names
from gpkit.export.registry import exporter
from gpkit.languages.arithmetic.text import parse

TREE = "// game: sevens\nplay: env.depth + env.selfblock / 2.0\nsend: env.dist\n"
ALONE = "env.depth * 2.0 - math.random()\n"
RULES = "# game: dots_and_boxes\n\ntake: x_0 w => x_0 - w\nt_0 w => t_0 - w\nq_0 w => q_0 - w\n"
SINKER = data_folder("programs") / "battleship" / "corrected.sink"
GUESSER = data_folder("programs") / "mastermind" / "kooi.tree"
FILES = {
    "a.tree": TREE,
    "alone.tree": ALONE,
    "a.rules": RULES,
    "a.sink": SINKER.read_text(),
    "guesser.tree": GUESSER.read_text(),
}


def required(lua: str, folder: Path, name: str) -> Any:
    """What ``require`` gives in one Lua that looks for modules in a folder, and the Lua."""
    state = import_module(f"lupa.{lua}").LuaRuntime(unpack_returned_tuples=True)
    state.globals().package.path = f"{folder}/?.lua"
    return state.eval("function(name) return (require(name)) end")(name), state


def test_help_says_which_mode_to_take(gpkit) -> None:
    outcome = gpkit("export", "--to", "lua", "--help")
    assert outcome.code == 0
    words = " ".join(outcome.out.split())
    for mode, meaning in exporter("lua").modes.items():
        assert f" {mode}: {meaning}" in words
    assert "module: The usual choice" in words


@pytest.mark.parametrize("lua", runtime_names())
def test_a_function_can_be_required(folder: Path, gpkit, lua: str) -> None:
    for name in ("a.tree", "alone.tree"):
        assert gpkit("export", name, "--to", "lua", "--mode", "function", "-o", ".").code == 0
    functions, state = required(lua, folder, "a")
    assert functions.play(state.table_from({"depth": 3, "selfblock": 1})) == 3.5
    assert functions.send(state.table_from({"dist": 4})) == 4.0
    function, state = required(lua, folder, "alone")
    assert function(state.table_from({"depth": 3}), lambda: 0.25) == 5.75


def test_what_is_required_reads_back(folder: Path, gpkit) -> None:
    for name in ("a", "alone"):
        assert gpkit("export", f"{name}.tree", "--to", "lua", "--mode", "function", "-o", ".").code == 0
        back = gpkit("export", f"{name}.lua", "--to", "tree")
        assert back.code == 0, back.err
        assert parse(back.out).program.trees == parse((folder / f"{name}.tree").read_text()).program.trees


@pytest.mark.parametrize(
    "mode",
    ["function", "luau", *(pytest.param(mode, marks=pytest.mark.release) for mode in ("module", "player"))],
)
def test_sensors_carry_their_meaning(folder: Path, gpkit, mode: str) -> None:
    text = gpkit("export", "a.tree", "--to", "lua", "--mode", mode).out
    lines = [line.strip().lstrip("-") for line in text.splitlines()]
    assert " * depth: steps from the seven: |rank - 7|; a whole number from 0 to 7" in lines
    assert any(line.startswith(" * dist: cards that must still be played before it can be") for line in lines)
    assert not any(line.startswith(" * rank") for line in lines), "the formulas do not read it"


def test_sensors_with_a_fraction_have_their_bounds(folder: Path, gpkit) -> None:
    (folder / "likely.tree").write_text("// game: mastermind\nguess: env.win\n")
    text = gpkit("export", "likely.tree", "--to", "lua").out
    assert "--- * win: the chance that it is the secret itself; from 0 to 1\n" in text


def test_sensors_of_no_game_have_no_meaning(folder: Path, gpkit) -> None:
    assert "* depth:" not in gpkit("export", "alone.tree", "--to", "lua", "--mode", "function").out


@pytest.mark.parametrize(
    "mode", ["module", *(pytest.param(mode, marks=pytest.mark.release) for mode in ("player", "function"))]
)
def test_a_missing_sensor_is_named(folder: Path, gpkit, mode: str) -> None:
    assert gpkit("export", "a.tree", "--to", "lua", "--mode", mode, "-o", "a.lua").code == 0
    for lua in runtime_names():
        state = required(lua, folder, "a")[1]
        answered, message = state.execute('return pcall(require("a").play, { selfblock = 1 })')
        assert not answered, lua
        assert "the sensor env.depth is missing" in message, lua
        assert state.eval('require("a").play({ depth = 3, selfblock = 0 })') == 3.0, lua


def test_the_place_of_a_missing_sensor_is_the_call(folder: Path, gpkit) -> None:
    assert gpkit("export", "a.tree", "--to", "lua", "-o", "a.lua").code == 0
    state = required("lua54", folder, "a")[1]
    code = 'local M = require("a")\nlocal worth = M.play({\n\tdepth = 3 })\nreturn worth'
    answered, message = state.execute(f"return pcall(load({json.dumps(code)}, '@game.lua'))")
    assert not answered
    assert message.startswith("game.lua:")
    assert message.endswith("the sensor env.selfblock is missing")


NAMES = ("a.tree", "a.sink", "a.rules", "guesser.tree")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.release] * (name == "a.rules")) for name in NAMES]
)
def test_a_lean_file_has_no_vectors_and_says_so(folder: Path, gpkit, name: str) -> None:
    for options, target in (((), "full.lua"), (("--no-vectors",), "lean.lua")):
        assert gpkit("export", name, "--to", "lua", "-o", target, *options).code == 0
    full, lean = (folder / "full.lua").read_text(), (folder / "lean.lua").read_text()
    assert len(lean) < 0.7 * len(full)
    for word in ("VECTORS", "GAMES", "POSITIONS", "replay", "check_"):
        assert word not in lean
    for lua in runtime_names():
        state = required(lua, folder, "lean")[1]
        failures, why = state.eval('require("lean").selftest()')
        assert failures is None
        assert why == "this file was exported without vectors: it has nothing to test itself with"
        assert state.eval('require("full").selftest()') == (0, None)


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        *((name, "module") for name in NAMES),
        pytest.param("a.tree", "player", marks=pytest.mark.release),
        ("a.sink", "nested"),
    ],
)
def test_a_lean_file_is_checked_as_well(folder: Path, gpkit, name: str, mode: str) -> None:
    arguments = ("--mode", mode, "--no-vectors", "--check", "--evaluations", "20", "--games", "1", "--json")
    outcome = gpkit("export", name, "--to", "lua", *arguments)
    assert outcome.code == 0, outcome.out + outcome.err
    (result,) = json.loads(outcome.out)["results"]
    assert {host["games"] for host in result["hosts"]} == {1}


@pytest.mark.release
def test_a_self_test_that_tests_nothing_is_a_finding(
    folder: Path, gpkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, place, writer in (
        ("a.tree", "gpkit.export.lua.valued", "lua_text"),
        ("a.sink", "gpkit.languages.sinking.forms.exports", "sinker_text"),
        ("a.rules", "gpkit.languages.rulegraph.forms.exports", "rules_text"),
    ):
        module = import_module(place)
        write = getattr(module, writer)
        monkeypatch.setattr(
            module,
            writer,
            lambda *given, write=write: write(*given).replace(
                "return failures, first\nend\n\nreturn M", "return nil\nend\n\nreturn M"
            ),
        )
        outcome = gpkit("export", name, "--to", "lua", "--check", "--evaluations", "5", "--games", "1")
        assert outcome.code == 1
        assert "the self-test tests nothing" in outcome.err


@pytest.mark.release
@pytest.mark.parametrize(
    "name", ["a.tree", *(pytest.param(name, marks=pytest.mark.release) for name in ("a.sink", "a.rules"))]
)
def test_conformance_is_written_when_asked_for_or_checked(folder: Path, gpkit, name: str) -> None:
    for number, (options, expected) in enumerate(
        [
            ((), ["a.lua"]),
            (("--conformance",), ["a.conformance.jsonl", "a.lua"]),
            (("--check", "--games", "1", "--evaluations", "5"), ["a.conformance.jsonl", "a.lua"]),
        ]
    ):
        place = folder / str(number)
        place.mkdir()
        assert gpkit("export", name, "--to", "lua", "-o", str(place), *options).code == 0
        assert sorted(path.name for path in place.iterdir()) == expected


def test_conformance_is_written_beside_python(folder: Path, gpkit) -> None:
    assert gpkit("export", "a.tree", "--to", "python", "-o", "b.py", "--conformance").code == 0
    assert json.loads((folder / "b.conformance.jsonl").read_text().splitlines()[0])["program"] == "a"

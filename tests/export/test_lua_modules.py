"""Modules and players: what is in them, what their own test finds, and that the tools of Lua have nothing to say."""

import re
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given, settings
from strategies import programs

from gpkit.core.errors import UsageError
from gpkit.core.primitives import PORTABLE
from gpkit.core.registry import data_folder
from gpkit.export.conformance import VECTORS, Proof, make_vectors, record_games
from gpkit.export.lua.hosts import runtime_names
from gpkit.export.lua.module import OWN_NAMES, levels_text
from gpkit.export.lua.valued import lua_text
from gpkit.export.registry import exporter
from gpkit.export.subject import Subject
from gpkit.games.mastermind.primitives import PRIMITIVES
from gpkit.languages.arithmetic.text import parse

LUAS = runtime_names()
MAKERS = ("module", "player")


def load(lua: str, text: str) -> Any:
    """The module that a text returns."""
    return import_module(f"lupa.{lua}").LuaRuntime(unpack_returned_tuples=True).execute(text)


@pytest.mark.parametrize("mode", MAKERS)
@pytest.mark.parametrize(
    "shipped",
    [
        "simple",
        *(
            pytest.param(name, marks=pytest.mark.release)
            for name in (
                "opponents/random",
                "medium",
                "thrifty",
                "opponents/hold",
                "opponents/own-minus-others",
            )
        ),
    ],
    indirect=True,
)
def test_shipped_programs_pass_their_own_test_everywhere(shipped: Subject, mode: str) -> None:
    text = exporter("lua").export(shipped, mode)[0].text
    for lua in LUAS:
        assert load(lua, text).selftest() == (0, None)


@pytest.mark.release
@pytest.mark.parametrize("mode", MAKERS)
def test_a_changed_formula_is_found(sample: Subject, mode: str) -> None:
    text = exporter("lua").export(sample, mode)[0].text
    assert text.count("5.0 * selfblock") == 1
    failures, first = load("lua54", text.replace("5.0 * selfblock", "5.5 * selfblock")).selftest()
    assert failures > 10
    assert re.match(r"vector \d+, play: \S+ instead of \S+$", first)


@pytest.mark.release
@pytest.mark.parametrize("mode", MAKERS)
def test_a_change_that_only_whole_games_show_is_found(sample: Subject, mode: str) -> None:
    text = exporter("lua").export(sample, mode)[0].text
    changed = text.replace("value > highest", "value < highest")
    assert changed != text
    failures, first = load("lua51", changed).selftest()
    assert failures == 1
    assert "games: hash" in first


def test_a_changed_default_source_is_found(sample: Subject) -> None:
    text = exporter("lua").export(sample, "module")[0].text.replace("1403580.0", "1403581.0")
    assert load("luajit21", text).selftest()[1].startswith("default random numbers")


def test_module_functions(sample: Subject) -> None:
    lua = import_module("lupa.lua54").LuaRuntime()
    module = lua.execute(exporter("lua").export(sample, "module")[0].text)
    assert module["_VERSION"].startswith("sample, gpkit ")
    sensors = {"selfblock": 2, "block": 1, "hand": 5, "smallest": 4, "rank": 9, "run": 3}
    env = lua.table_from(sensors)
    assert module.play(env, lambda: 0.5) == 5.0 * 2 - 1 * 0.5 + 3
    assert module.play(env) != module.play(env), "left out, random numbers come from the default source"


def test_choice_takes_the_first_of_equals_and_never_nan() -> None:
    subject = Subject(parse("A * B").program, "product")
    lua = import_module("lupa.lua53").LuaRuntime()
    module = lua.execute(exporter("lua").export(subject, "module")[0].text)

    def chosen(*values: float) -> int:
        candidates = lua.table_from([lua.table_from({"A": value, "B": 1.0}) for value in values])
        return int(module.choose("value", candidates))

    nan = float("nan")
    assert chosen(1.0, 3.0, 3.0, 2.0) == 2
    assert chosen(nan, -1.0, nan) == 2
    assert chosen(nan, nan) == 1
    assert chosen(float("-inf"), nan) == 1


def test_a_player_needs_its_game() -> None:
    with pytest.raises(UsageError, match="name the game"):
        exporter("lua").export(Subject(parse("A").program), "player")


def test_a_player_needs_every_decision(sevens: Callable[..., Subject]) -> None:
    with pytest.raises(UsageError, match="the sections play, send"):
        exporter("lua").export(sevens("play: env.rank"), "player")


@pytest.mark.parametrize("name", ["selftest", "choose", "random", "end", "nan"])
def test_sections_that_a_module_cannot_have(name: str) -> None:
    with pytest.raises(UsageError, match=name):
        exporter("lua").export(Subject(parse(f"{name}: A").program), "module")


def test_no_section_can_replace_a_function_of_the_module(sample: Subject) -> None:
    guesser = Subject(
        parse("guess: env.parts").program, "guesser", {"game": "mastermind"}, PRIMITIVES, {"length": "2"}
    )
    texts = [
        exporter("lua").export(subject, mode)[0].text for subject in (sample, guesser) for mode in MAKERS
    ]
    of_data = Subject(parse("guess: A").program, "of_data", {"classes": '["a", "b"]'})
    texts.append(exporter("lua").export(of_data, "module")[0].text)
    found = {name for text in texts for name in re.findall(r"^(?:function )?M\.(\w+)", text, re.MULTILINE)}
    assert found - {*sample.program.names, *guesser.program.names} <= OWN_NAMES
    assert OWN_NAMES - found == {"inf", "nan", "infinity", "SENSORS", "new"}, (
        "the last are in players with a host"
    )


def test_an_unknown_mode_is_answered_with_those_there_are(sample: Subject) -> None:
    with pytest.raises(UsageError, match="module, player, function, roster, article, luau"):
        exporter("lua").export(sample, "modul")


def test_headers_cannot_leave_their_comments() -> None:
    header = {"title": "[[ x\r\nos.exit()\x0bend ]] \u2028 --[[ --]] " + "long " * 60, "note": "]]"}
    subject = Subject(parse("A").program, "evil]]", header)
    for mode in ("module", "luau"):
        text = exporter("lua").export(subject, mode)[0].text
        head = text[: text.index("local M")].splitlines()
        assert all(not line or line.startswith(("--", "export type")) for line in head)
        assert max(map(len, head)) <= 120
    assert load("lua51", exporter("lua").export(subject, "module")[0].text).selftest() == (0, None)


# The tools of Lua, where they are installed.


@pytest.fixture(scope="module")
def made(sample: Subject) -> Mapping[str, str]:
    """Texts of every mode, and of a program that is deep, wide and spills, by the names of their files."""
    return dict(texts_of(sample))


def texts_of(sample: Subject) -> Iterator[tuple[str, str]]:
    """File names and texts of every mode, and of a program that is deep, wide and spills."""
    for mode in ("module", "player", "luau", "article"):
        document = exporter("lua").export(sample, mode)[0]
        yield f"{mode}{document.suffix}", document.text
    yield "function.lua", exporter("lua").export(sample, "function")[0].text
    deep = parse("math.random() * (" * 300 + "env.suit" + ")" * 300).program
    wide = parse(" - ".join(f"env.s{k} * {k / 7!r}" for k in range(1, 200))).program
    middle = parse(
        " + ".join(f"max(env.suit, {k / 7!r}) / (env.rank - math.random())" for k in range(1, 40))
    ).program
    alone = parse("play: math.random()\nsend: -(2.0)\nvalue: -(-(a_name.with_parts))").program
    for name, program in (("deep", deep), ("wide", wide), ("middle", middle), ("alone", alone)):
        subject = Subject(program, name)
        yield f"{name}.lua", exporter("lua").export(subject, "module")[0].text
        yield f"{name}.luau", exporter("lua").export(subject, "luau")[0].text


@pytest.mark.release
@pytest.mark.parametrize("std", [pytest.param("min", marks=pytest.mark.release), "lua51", "luajit+love"])
def test_luacheck_has_nothing_to_say(made: Mapping[str, str], std: str, luacheck: Callable[..., str]) -> None:
    assert luacheck({name: text for name, text in made.items() if name.endswith(".lua")}, std) == ""


@pytest.mark.release
def test_stylua_changes_nothing(made: Mapping[str, str], stylua: Callable[..., str]) -> None:
    assert stylua({name: text for name, text in made.items() if name != "article.lua"}) == ""


HOSTS = {
    f"{path.parent.parent.name}-{path.name}": path.read_text(encoding="utf-8")
    for path in data_folder("programs").glob("**/host/*.lua")
}


def test_hosts_are_as_clean_as_what_they_load(
    luacheck: Callable[..., str], stylua: Callable[..., str]
) -> None:
    assert len(HOSTS) == 11
    assert luacheck(HOSTS, "luajit+love") == ""
    assert stylua(HOSTS) == ""


def test_lines_are_at_most_120_wide(made: Mapping[str, str]) -> None:
    for name, text in made.items():
        if name != "article.lua":
            assert max(len(line.expandtabs(4)) for line in text.split("\n")) <= 120, name


@pytest.mark.release
def test_generated_programs_pass_their_own_test(sevens: Callable[..., Subject]) -> None:
    names = ("env.suit", "env.rank", "env.dist", "env.left")

    @settings(max_examples=25)
    @given(programs(sensors=names, operators=PORTABLE))
    def check(program: Any) -> None:
        base = sevens("play: 1.0\nsend: 1.0")
        subject = Subject(program, "generated", {}, base.primitives)
        proof = Proof(make_vectors(subject, VECTORS), record_games(subject, 2))
        assert {s for t in program.trees for s in t.reads} <= set(names)
        for mode in MAKERS:
            text = lua_text(subject, mode, proof)
            for lua in LUAS:
                assert load(lua, text).selftest() == (0, None)

    check()


def test_rosters_refuse_equal_names_and_read_headers_of_others() -> None:
    """Names, levels and shares of a roster come from files that people write."""
    formula = parse("x + 1").program
    odd = {"level": "9" * 5000, "wins": "about 60%"}
    text = levels_text([(Subject(formula, "stage-b", odd, None), "return {}\n")])
    assert "wins" not in text.partition("PLAYERS[")[0].partition("M.LEVELS")[2]
    with pytest.raises(UsageError, match="two programs of the roster have the name `two`"):
        levels_text([(Subject(formula, "two", {"level": level}, None), "") for level in "24"])

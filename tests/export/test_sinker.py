"""Sinking programs in Lua take the shots of the compiled game, in every dialect, and their states can be stored."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any

import pytest
from case_files import lua_text
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import dialects, linear_programs

from gpkit.core.errors import UsageError
from gpkit.core.registry import data_folder
from gpkit.export.lua.hosts import LupaHost, hosts, replayed, runtime_names
from gpkit.export.lua.layout import records, runtime, used
from gpkit.export.registry import EXPORTERS, check_export, exporter
from gpkit.export.subject import Subject
from gpkit.games.battleship.forms.record import recorded
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.primitives import PRIMITIVES, TARGETS
from gpkit.genomes.linear import LinearProgram
from gpkit.languages.sinking.forms.exports import LUA, MODES, documents, sinker_text
from gpkit.languages.sinking.text import SWITCHES, dialect_of, parse, switches
from gpkit.playing.players import program_of_name

SMALL = {"board": "6x5", "fleet": "3,2,1"}
CORRECTED = program_of_name("corrected", GAME)


def replayed_shots(host: LupaHost, text: str, games: str) -> list[str]:
    return replayed(host, text, runtime("sinker_replay", LUA), {"replay": games})


def subject(
    program: LinearProgram, dialect: dict[str, str], seed: int, rules: dict[str, str] = SMALL
) -> Subject:
    return Subject(program, "program", dialect, PRIMITIVES, rules, seed)


RULES = st.sampled_from([SMALL | {"announce": told} for told in ("ship", "sunk", "hit")])


@settings(max_examples=40, deadline=None)
@given(linear_programs(PRIMITIVES), dialects(PRIMITIVES, SWITCHES), RULES, st.integers(0, 1000), st.data())
def test_the_module_takes_the_same_shots(
    program: LinearProgram, dialect: dict[str, str], rules: dict[str, str], seed: int, data: st.DataObject
) -> None:
    exported = subject(program, dialect, seed, rules)
    games = recorded(exported, 3)
    text = sinker_text(exported, "module", games[:1])
    lua = data.draw(st.sampled_from(runtime_names()))
    assert replayed_shots(LupaHost(lua), text, records("return ", games)) == []


@pytest.mark.release
@settings(max_examples=25, deadline=None)
@given(linear_programs(PRIMITIVES), dialects(PRIMITIVES, SWITCHES), RULES, st.integers(0, 1000))
def test_nested_conditions_take_the_same_shots(
    program: LinearProgram, dialect: dict[str, str], rules: dict[str, str], seed: int
) -> None:
    exported = subject(program, dialect | {"if": "stacked"}, seed, rules)
    games = recorded(exported, 3, counts_steps=False)
    text = sinker_text(exported, "nested", games[:1])
    assert replayed_shots(LupaHost("lua54"), text, records("return ", games)) == []


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "rules",
    [{}, {"variant": "ten-ships"}, {"announce": "sunk"}, {"announce": "hit"}],
    ids=["classic", "ten-ships", "not which ship", "not that one sank"],
)
def test_every_targeting_player_is_the_same(target: str, rules: dict[str, str]) -> None:
    exported = subject(CORRECTED, {"target": target, "sunk": "reset"}, 3, rules)
    games = recorded(exported, 2)
    text = sinker_text(exported, "module", games)
    assert replayed_shots(LupaHost("luajit21"), text, records("return ", games)) == []


def test_a_state_is_plain_data_and_goes_on_where_it_was() -> None:
    """The state is written out and read back between all shots, as a host would that saves games."""
    exported = subject(CORRECTED, {}, 5)
    (game,) = recorded(exported, 1)
    lua = import_module("lupa.lua51").LuaRuntime(unpack_returned_tuples=True)
    lua.globals().M = lua.execute(sinker_text(exported, "module", (game,)))
    shots = lua.execute(records("local games = ", (game,)) + lua_text("replays"))
    assert shots == " ".join(map(str, game["shots"]))


def loaded(lua: str, mode: str) -> Any:
    """A Lua in which ``M`` is an exported program."""
    exported = subject(CORRECTED, {}, 5)
    runtime = import_module(f"lupa.{lua}").LuaRuntime(unpack_returned_tuples=True)
    runtime.globals().M = runtime.execute(sinker_text(exported, mode, recorded(exported, 1)))
    return runtime


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("lua", runtime_names())
def test_games_that_nobody_holds_are_forgotten(lua: str, mode: str) -> None:
    held = loaded(lua, mode).execute(lua_text("forgets"))
    assert held <= 1  # the last one may still lie on the stack


@pytest.mark.parametrize("mode", MODES)
def test_after_the_last_square_there_is_none(mode: str) -> None:
    shots, first, second = loaded("lua51", mode).execute(lua_text("ends"))
    assert (shots, first, second) == (6, "no square left", "no square left")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("word", ['"sank"', '"Hit"', '""', "true", "nil"])
def test_words_that_are_no_results_are_refused(mode: str, word: str) -> None:
    lua = loaded("lua51", mode)
    lua.execute("S = M.new(1); M.next(S)")
    answered, message = lua.execute(f"return pcall(M.report, S, {word})")
    assert not answered
    assert 'a result is "miss", "hit" or "sunk", not' in message
    assert lua.eval('pcall(M.report, S, "hit")')


def test_a_module_that_was_tampered_with_fails_its_own_test() -> None:
    exported = subject(CORRECTED, {}, 5)
    games = recorded(exported, 4)
    text = sinker_text(exported, "module", games).replace('{ "OppDir" }', '{ "Nop" }')
    first, *_ = replayed_shots(LupaHost("lua54"), text, "return {}")
    assert "instead of" in first


def test_what_comes_with_a_module() -> None:
    module, conformance = documents(subject(CORRECTED, {}, 1), "module")
    assert (module.suffix, conformance.suffix) == (".lua", ".conformance.jsonl")
    assert module.text.endswith("return M\n")
    assert all(len(line) <= 120 for line in module.text.splitlines())
    assert conformance.text.count('"kind": "game"') == 10
    assert conformance.text.count('"announce": "ship"') == 10


PROGRAMS = sorted((data_folder("programs") / "battleship").rglob("*.sink"))

CONDITIONS = ("IfHit", "IfMiss", "IfTrue", "IfFalse", "IfSunk", "IfEdge", "IfKnown", "IfZero")
LONG = LinearProgram(PRIMITIVES.sections, (("Target", *CONDITIONS, "Shoot"), (), (*CONDITIONS * 2, "Jump")))


ANSWERS = ({}, *({switch.name: value} for switch in switches(PRIMITIVES) for value in switch.values[1:]))
"""Dialects that together give every answer."""


def made(*dialects: dict[str, str]) -> Iterator[tuple[str, str]]:
    """File names and texts: all shipped programs, a long one and an empty one, in these dialects and both modes."""
    shipped = [(path.stem, parse(path.read_text(encoding="utf-8"))) for path in PROGRAMS]
    programs = [(name, source.program, source.header) for name, source in shipped]
    programs.append(("long", LONG, {}))
    programs.append(("empty", LinearProgram(PRIMITIVES.sections, ((), (), ())), {}))
    for name, program, header in programs:
        exported = subject(program, dict(header), 2, SMALL)
        games = recorded(exported, 1)
        for number, dialect in enumerate(dialects):
            for mode in MODES:
                said = {**header, **dialect}
                if mode == "module" or dialect_of(said, PRIMITIVES)["if"] == "stacked":
                    text = sinker_text(subject(program, said, 2, SMALL), mode, games)
                    yield f"{name}-{mode}-{number}.lua", text


@cache
def every_answer() -> Mapping[str, str]:
    """Texts in dialects that together give every answer, by the names of their files."""
    return dict(made(*ANSWERS))


@pytest.mark.parametrize(
    "std",
    [
        pytest.param("min", marks=pytest.mark.release),
        "lua51",
        pytest.param("luajit+love", marks=pytest.mark.release),
    ],
)
def test_luacheck_has_nothing_to_say(std: str, luacheck: Callable[..., str]) -> None:
    texts = every_answer() if std == "min" else dict(made({}, {"sunk": "reset"}))
    assert luacheck(texts, std) == ""


@pytest.mark.release
def test_stylua_changes_nothing(stylua: Callable[..., str]) -> None:
    assert stylua(every_answer()) == ""


def test_lines_are_at_most_120_wide() -> None:
    for name, text in every_answer().items():
        assert max(len(line.expandtabs(4)) for line in text.split("\n")) <= 120, name


@pytest.mark.parametrize(
    ("blocks", "there", "absent"),
    [
        (("Target", "Shoot"), ("targeting =", "take_aim"), ("locking =", "CONDITIONS", "draw_direction")),
        (("RandDir", "Shoot"), ("draw_direction",), ("aim(", "may_lie", "square_at", "move_forward")),
        (("Target", "Jump", "Shoot"), ("locking =",), ("sinking =", "local function fire", "function shoot")),
    ],
    ids=["shots", "directions", "no shots"],
)
def test_nested_conditions_come_with_what_they_use(
    blocks: tuple[str, ...], there: tuple[str, ...], absent: tuple[str, ...]
) -> None:
    program = LinearProgram(PRIMITIVES.sections, (blocks, (), ()))
    exported = subject(program, {"target": "density"}, 1)
    text = sinker_text(exported, "nested", recorded(exported, 1))
    assert all(words in text for words in there)
    assert not any(words in text for words in absent)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("local a = 1\nlocal b = a\n\nreturn b\n", "local a = 1\nlocal b = a\n\nreturn b\n"),
        ("local a = 1\nlocal b = a\nreturn 2\n", "return 2\n"),
        ("local a = 1\nreturn c.a -- a\n", "return c.a -- a\n"),
        ('local a = 1\nreturn "a"\n', 'return "a"\n'),
        ("local a, b = 1, 2\nreturn b\n", "local a, b = 1, 2\nreturn b\n"),
        ("-- A file.\n\n-- One.\nlocal a = {\n\t1,\n}\n\nreturn 2\n", "-- A file.\n\nreturn 2\n"),
        (
            "local function a()\n\treturn a()\nend\nfunction M.b()\n\tx()\n\n\ty()\nend\n",
            "function M.b()\n\tx()\n\n\ty()\nend\n",
        ),
    ],
    ids=["chain", "unused chain", "field", "string", "both names", "comments", "functions"],
)
def test_definitions_that_nothing_uses_go(text: str, kept: str) -> None:
    assert used(text) == kept


def test_what_cannot_be_said_is_told() -> None:
    with pytest.raises(UsageError, match="not `article`"):
        exporter("lua").export(subject(CORRECTED, {}, 1), "article")
    with pytest.raises(UsageError, match="if=stacked"):
        documents(subject(CORRECTED, {"if": "one-line"}, 1), "nested")
    for entry in EXPORTERS:
        if entry.name not in ("lua", "json"):
            with pytest.raises(UsageError, match="cannot export programs in sinking"):
                exporter(entry.name).export(subject(CORRECTED, {}, 1), exporter(entry.name).default_mode)


@pytest.mark.parametrize(
    ("rules", "message"),
    [({"found": "yes"}, "export it without found=yes"), ({"mode": "bar"}, "expected solitaire, duel")],
)
def test_rules_that_an_export_cannot_follow_are_refused(rules: dict[str, str], message: str) -> None:
    exported = subject(CORRECTED, {}, 1, rules)
    with pytest.raises(UsageError, match=message):
        documents(exported, "module")
    with pytest.raises(UsageError, match=message):
        check_export(exported, "lua", "module", games=1)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["module", "nested"])
@pytest.mark.parametrize("name", ["corrected", "textbook", "champion", "hunt"])
def test_a_thousand_games_of_shipped_programs_in_every_lua(name: str, mode: str) -> None:
    program = program_of_name(name, GAME)
    header = {"target": "hunt"} if name == "hunt" else {}
    report = check_export(subject(program, header, 1, {}), "lua", mode, games=1000)
    assert report.is_equal, report.rows
    assert len(report.rows) == len(hosts())

"""Coordinates, cards, codes, sides and places in Lua are integers where Lua has these, whatever numbers a host uses.

A host that keys the cells of a board by ``x .. "," .. y`` would otherwise look for the cell ``9,1.0``.
"""

from importlib import import_module
from typing import Any

import pytest
from case_files import lua_text
from rule_strategies import LEARNED, LEVEL_0

from gpkit.core.registry import language_entry
from gpkit.export.lua import hosts
from gpkit.export.lua import valued as valued_form
from gpkit.export.lua.hosts import LupaHost, runtime_names
from gpkit.export.registry import check_export, exporter
from gpkit.export.subject import Subject
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.primitives import PRIMITIVES as BATTLESHIP
from gpkit.games.battleship.primitives import TARGETS
from gpkit.games.mastermind.primitives import PRIMITIVES as MASTERMIND
from gpkit.languages.arithmetic.text import parse
from gpkit.languages.rulegraph.text import parse as parse_rules
from gpkit.playing.players import program_of_name

CORRECTED = program_of_name("corrected", GAME)

TOOLS = lua_text("tools")


def run(subject: Subject, mode: str, code: str) -> set[Any]:
    """What a chunk returns in all Luas, in which ``M`` is an exported program."""
    text, found = exporter("lua").export(subject, mode)[0].text, set()
    for lua in runtime_names():
        state = import_module(f"lupa.{lua}").LuaRuntime(unpack_returned_tuples=True)
        state.globals().M = state.execute(text)
        found.add(state.execute(TOOLS + code))
    return found


def sinker(**dialect: str) -> Subject:
    return Subject(CORRECTED, "sinker", dialect, BATTLESHIP, {"board": "6x5", "fleet": "3,2,1"}, 5)


SHOTS = lua_text("shots")


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("mode", ["module", "nested"])
def test_shots_are_integers(target: str, mode: str) -> None:
    (shots,) = run(sinker(target=target), mode, SHOTS)
    assert 5 <= shots <= 30


@pytest.mark.parametrize("edge", ["leave", "clamp", "torus"])
def test_a_state_holds_integers(edge: str) -> None:
    play = """
    local S = whole(M.new(7.0, 6.0, 5.0, { 3.0, 2.0, 1.0 }), "the new state")
    local shots = 0
    while shots < 12 and M.next(S) do
        shots = shots + 1
        M.report(S, shots % 3 == 0 and "hit" or "miss")
        whole(S, "the state")
    end
    return whole(S.turns, "the count of turns") == shots and shots
    """
    assert run(sinker(edge=edge, target="density"), "module", play) == {6 if edge == "clamp" else 12}


@pytest.mark.parametrize("width", ["2.5", "0", "-1", '"wide"'])
def test_a_board_of_no_whole_size_is_refused(width: str) -> None:
    wanted = "the width is a whole number, at least 1, not"
    for subject in (sinker(), Subject(parse_rules(LEVEL_0).program)):
        call = f"M.new({'1, ' if subject.name == 'sinker' else ''}{width}, 3)"
        for answered, message in run(subject, "module", f"return pcall(function() return {call} end)"):
            assert not answered
            assert wanted in message


SEVENS = lua_text("cards")


def test_cards_are_integers(sample: Subject) -> None:
    (cards,) = run(sample, "player", SEVENS)
    assert cards >= 40


MASTERMIND_GAME = lua_text("guesses")


def guesser() -> Subject:
    program = parse("guess: env.entropy + env.possible").program
    return Subject(program, "guesser", {"game": "mastermind"}, MASTERMIND, {"length": "3", "colours": "4"})


def test_guesses_are_integers() -> None:
    (guesses,) = run(guesser(), "player", MASTERMIND_GAME)
    assert 1 <= guesses <= 10


SIDES = lua_text("sides")


@pytest.mark.parametrize("text", [LEVEL_0, LEARNED], ids=["rules", "learned rules"])
def test_sides_are_integers(text: str) -> None:
    assert run(Subject(parse_rules(text).program), "module", SIDES) == {17}


def test_places_of_candidates_are_integers(sample: Subject) -> None:
    code = """
    local env = { selfblock = 2.0, block = 1.0, hand = 5.0, smallest = 4.0, rank = 9.0, run = 3.0 }
    return whole(M.choose("play", { env, env }), "the place")
    """
    assert run(sample, "module", code) == {1}


MUTATIONS = [
    ("sinker", "module", "return math.floor(S.x), math.floor(S.y)", "return S.x, S.y + 0.0"),
    ("sinker", "nested", "yield(math.floor(S.x), math.floor(S.y))", "yield(S.x + 0.0, S.y)"),
    pytest.param("sample", "player", "return best\n", "return best + 0.0\n", marks=pytest.mark.release),
    ("sample", "module", "return best\n", "return best + 0.0\n"),
    ("guesser", "player", "code[place] = colour", "code[place] = colour + 0.0"),
    ("rules", "module", "sides[#sides + 1] = side", "sides[#sides + 1] = side + 0.0"),
    ("rules", "module", "return sides[1 +", "return 0.0 + sides[1 +"),
]


@pytest.mark.parametrize(("name", "mode", "before", "after"), MUTATIONS)
def test_floats_are_found_by_the_export_itself_and_by_a_check(
    name: str, mode: str, before: str, after: str, sample: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = {
        "sinker": sinker(),
        "sample": sample,
        "guesser": guesser(),
        "rules": Subject(parse_rules(LEVEL_0).program),
    }[name]
    text = exporter("lua").export(subject, mode)[0].text
    assert before in text
    state = import_module("lupa.lua54").LuaRuntime(unpack_returned_tuples=True)
    assert state.execute(text).selftest() == (0, None)
    failures, first = state.execute(text.replace(before, after)).selftest()
    assert failures > 0
    assert ".0" in first

    writer = {"sinker": "sinker_text", "rules": "rules_text"}.get(name, "lua_text")
    valued = name in ("sample", "guesser")
    form = valued_form if valued else language_entry(subject.program.language).part("forms.exports")
    write = getattr(form, writer)
    monkeypatch.setattr(hosts, "hosts", lambda: [LupaHost(lua) for lua in ("lua51", "lua53", "lua55")])
    monkeypatch.setattr(form, writer, lambda *arguments: write(*arguments).replace(before, after))
    rows = {row.host: row.failures for row in check_export(subject, "lua", mode, evaluations=5, games=2).rows}
    assert rows["lua53"] > 1  # more than the self-test alone
    assert rows["lua55"] > 1
    assert rows["lua51"] == 0

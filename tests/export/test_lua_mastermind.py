"""Players of Mastermind in Lua: codes, answers, sensors and guesses are those of the game, under every rule."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.core.errors import UsageError
from gpkit.core.registry import data_folder
from gpkit.core.rng import below, stream
from gpkit.export.conformance import Proof, make_vectors, prove, record_games
from gpkit.export.lua.hosts import Loaded, LupaHost, hosts, outcome, runtime_names
from gpkit.export.lua.module import lua_text
from gpkit.export.registry import check_export
from gpkit.export.subject import Subject
from gpkit.games.mastermind.forms.record import RECORDER
from gpkit.games.mastermind.primitives import PRIMITIVES
from gpkit.games.mastermind.rules import Code, MastermindRules, Turn, code_of_number, feedback, number_of_code
from gpkit.games.mastermind.sensors import sense
from gpkit.games.mastermind.state import MastermindState
from gpkit.languages.arithmetic.text import parse
from gpkit_experiments.readable.mastermind import candidates

LUAS = runtime_names()

SMALL = {"length": "3", "colours": "4"}

FORMULAS = (
    "env.entropy + env.win",
    "-env.largest",
    "env.left",
    "math.random()",
    "env.parts + math.random() * env.new - math.random()",
    "1e308 * 1e308 - 1e308 * 1e308",
    "ifle(env.possible, 0.0, 0.0 - 1e308 * 1e308, 1e308 * 1e308 - 1e308 * 1e308)",
)
"""The last two are NaN for some codes and −inf for the others, so that they choose nothing."""


def mastermind(text: str, rules: dict[str, str], name: str = "sample") -> Subject:
    """What is exported of a formula for Mastermind."""
    program = parse(text if ":" in text else f"guess: {text}").program
    return Subject(program, name, {"game": "mastermind"}, PRIMITIVES, rules)


def player_of(subject: Subject) -> str:
    """The player's text with little to test itself with."""
    return lua_text(subject, "player", Proof(make_vectors(subject, 2), ()))


@st.composite
def small_rules(draw: st.DrawFn) -> dict[str, str]:
    """Rules of games with few codes."""
    length = draw(st.integers(1, 3))
    return {
        "length": str(length),
        "colours": str(draw(st.integers(length, 4))),
        "repeats": draw(st.sampled_from(("yes", "no"))),
        "guesses": str(draw(st.integers(1, 8))),
    }


@settings(max_examples=40)
@given(rules=small_rules(), key=st.integers(1, 10_000), formula=st.sampled_from(FORMULAS))
def test_whole_games_are_pythons_under_every_rule(rules: dict[str, str], key: int, formula: str) -> None:
    subject = mastermind(formula, rules)
    (transcript,) = record_games(subject, 1, key)
    text = player_of(subject)
    for lua in LUAS:
        assert Loaded(LupaHost(lua), text, "module", subject.program).play(RECORDER, [transcript]) == [
            outcome(transcript)
        ], lua


@pytest.mark.parametrize(
    "formula",
    [
        pytest.param(formula, marks=[pytest.mark.release] * (formula not in ("env.left", "math.random()")))
        for formula in FORMULAS
    ],
)
@pytest.mark.parametrize("mode", ["module", "player", "luau"])
def test_every_lua_plays_the_recorded_games(formula: str, mode: str) -> None:
    report = check_export(mastermind(formula, SMALL), "lua", mode, evaluations=10, games=4)
    assert report.is_equal, report
    assert [row.games for row in report.rows] == [4] * len(hosts())


@pytest.mark.parametrize(
    "name",
    [pytest.param("champion", marks=pytest.mark.release), pytest.param("knuth", marks=pytest.mark.slow)],
)
def test_the_classic_game_is_played_in_lua(name: str) -> None:
    text = (data_folder("programs") / "mastermind" / f"{name}.tree").read_text(encoding="utf-8")
    subject = Subject(parse(text).program, name, {"game": "mastermind"}, PRIMITIVES, {})
    report = check_export(subject, "lua", "player", evaluations=10, games=1)
    assert report.is_equal, report
    assert [row.games for row in report.rows] == [1] * len(hosts())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("value > highest", "value < highest"),
        ("pegs * 64 + black", "pegs * 64"),
        ("can_be and not sure", "can_be and sure"),
        ("#left <= 2", "#left <= 9"),
    ],
)
def test_a_change_that_only_whole_games_show_is_found(before: str, after: str) -> None:
    subject = mastermind("env.entropy", SMALL)
    text = lua_text(subject, "player", prove(subject))
    assert before in text
    for lua in LUAS:
        changed = text.replace(before, after)
        failures, first = Loaded(LupaHost(lua), changed, "module", subject.program).selftest()
        assert failures == 1
        assert "whole games: hash" in first


def test_decisions_keep_what_a_program_can_tell_apart() -> None:
    (transcript,) = record_games(mastermind("env.parts", {}), 1)
    first, *later = transcript.decisions
    assert [each.value for each in first.candidates] == [5.0, 11.0, 13.0, 14.0], (
        "first guesses by their parts"
    )
    assert first.state == {"turns": []}
    for decision in later:
        assert len(decision.candidates) < 40
        assert decision.action in [each.action for each in decision.candidates]


def test_random_numbers_of_a_module_are_those_of_the_game() -> None:
    subject = mastermind("math.random()", SMALL)
    text = lua_text(subject, "module", prove(subject))
    assert "131072.0" in text
    assert Loaded(LupaHost("lua51"), text, "module", subject.program).selftest() == (0, "")
    changed = text.replace("131072.0", "64.0")
    assert Loaded(LupaHost("lua51"), changed, "module", subject.program).selftest() == (0, ""), (
        "one number a code"
    )
    twice = mastermind("math.random() - math.random()", SMALL)
    changed = lua_text(twice, "module", prove(twice)).replace("131072.0", "64.0")
    assert Loaded(LupaHost("lua51"), changed, "module", twice.program).selftest()[0] == 1


def test_fewer_games_than_were_asked_for_are_explained() -> None:
    subject = mastermind("env.parts", {"length": "3", "colours": "12"})
    report = check_export(subject, "lua", "module", evaluations=5, games=20)
    assert report.is_equal
    assert [row.games for row in report.rows] == [2] * len(hosts())
    assert report.notes == ("2 of 20 whole games: under these rules each takes long to replay",)


def test_games_of_many_codes_are_not_recorded() -> None:
    subject = mastermind("env.parts", {"colours": "9"})
    assert record_games(subject, 5) == ()
    report = check_export(subject, "lua", "module", evaluations=5, games=5)
    assert report.is_equal
    assert [row.games for row in report.rows] == [0] * len(hosts())
    assert report.notes == ("no whole games: under these rules each takes long to replay",)
    with pytest.raises(UsageError, match="6,561 codes are too many for a player: at most 4,096"):
        player_of(subject)


Player = tuple[MastermindRules, list[tuple[Any, Any]]]


@pytest.fixture(scope="module", params=[SMALL, {"length": "3", "colours": "5", "repeats": "no"}])
def players(request: pytest.FixtureRequest) -> Player:
    """Rules, and every Lua with a player loaded into it."""
    text = player_of(mastermind("env.parts", request.param))
    luas = [import_module(f"lupa.{name}").LuaRuntime(unpack_returned_tuples=True) for name in LUAS]
    return MastermindRules.from_options(request.param), [(lua, lua.execute(text)) for lua in luas]


def code_in(lua: Any, code: Code) -> Any:
    """A code as a host writes it."""
    return lua.table_from([colour + 1 for colour in code])


def turns_in(lua: Any, turns: tuple[Turn, ...]) -> Any:
    """Turns as a host writes them."""
    return lua.table_from(
        [
            lua.table_from(
                {
                    "guess": code_in(lua, turn.guess),
                    "black": turn.feedback.black,
                    "white": turn.feedback.white,
                }
            )
            for turn in turns
        ]
    )


def code_of(table: Any) -> Code:
    """A code of Lua."""
    return tuple(colour - 1 for colour in table.values())


@settings(max_examples=50)
@given(seed=st.integers(0, 2**32), count=st.integers(0, 3))
def test_answers_codes_left_and_sensors_are_the_games(players: Player, seed: int, count: int) -> None:
    rules, luas = players
    secret, other, *guesses = _codes(stream(seed, "test codes"), count + 2, rules)
    turns = tuple(Turn(guess, feedback(guess, secret)) for guess in guesses)
    left = candidates(turns, rules)
    for lua, player in luas:
        answer = feedback(other, secret)
        told = player.feedback(code_in(lua, other), code_in(lua, secret))
        assert told == (answer.black, answer.white)
        table = turns_in(lua, turns)
        assert tuple(map(code_of, player.codes_left(table).values())) == left
        values = {f"env.{name}": value for name, value in player.sense(table, code_in(lua, other)).items()}
        assert values == sense(other, left, turns, rules)


def _codes(rng: np.random.Generator, count: int, rules: MastermindRules) -> list[Code]:
    return [code_of_number(below(rng, rules.codes), rules) for _ in range(count)]


def test_codes_are_numbered_as_in_the_game(players: Player) -> None:
    rules, luas = players
    for lua, player in luas:
        for number in range(rules.codes):
            assert player.number_of(code_in(lua, code_of_number(number, rules))) == number


def test_what_cannot_be_is_refused(players: Player) -> None:
    for lua, player in players[1]:
        with pytest.raises(Exception, match="there is no code 1 2 9"):
            player.number_of(lua.table_from([1, 2, 9]))
        one = Turn((0, 1, 2), feedback((0, 1, 2), (0, 1, 2)))
        other = Turn((1, 2, 0), feedback((0, 1, 2), (0, 1, 2)))
        with pytest.raises(Exception, match="no code fits"):
            player.choose(turns_in(lua, (one, other)))


def test_a_host_can_guess_itself(players: Player) -> None:
    rules, luas = players
    secret = code_of_number(rules.codes - 1, rules)
    for lua, player in luas:
        first = lua.eval("function(M) return function(turns) return M.codes_left(turns)[1] end end")(player)
        guesses, score = player.play_game(code_in(lua, secret), None, first)
        state = MastermindState.begin(secret, rules)
        while not state.is_terminal:
            state = state.apply(number_of_code(candidates(state.turns, rules)[0], rules))
        assert [code_of(guess) for guess in guesses.values()] == [turn.guess for turn in state.turns]
        assert score == state.returns()[0]


@pytest.mark.release
@pytest.mark.parametrize(
    "std", ["min", *(pytest.param(std, marks=pytest.mark.release) for std in ("lua51", "luajit+love"))]
)
def test_luacheck_has_nothing_to_say(std: str, luacheck: Callable[..., str]) -> None:
    texts = {}
    for place, formula in enumerate(FORMULAS):
        subject = mastermind(formula, SMALL)
        texts[f"player{place}.lua"] = lua_text(subject, "player", prove(subject))
        texts[f"module{place}.lua"] = lua_text(subject, "module", prove(subject))
    assert luacheck(texts, std) == ""


def test_lines_are_at_most_120_wide() -> None:
    subject = mastermind("env.entropy + math.random()", SMALL)
    text = lua_text(subject, "player", prove(subject))
    assert max(len(line.expandtabs(4)) for line in text.split("\n")) <= 120


def test_stylua_changes_nothing(stylua: Callable[..., str]) -> None:
    subject = mastermind("env.entropy + math.random()", SMALL)
    assert stylua({"player.lua": lua_text(subject, "player", prove(subject))}) == ""

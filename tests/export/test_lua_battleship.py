"""Formula players of Battleship in Lua: sensors, shots and whole games are those of Python, to the last bit."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.core.errors import UsageError
from gpkit.core.registry import data_folder
from gpkit.core.rng import stream
from gpkit.export.conformance import Proof, make_vectors, prove, record_games
from gpkit.export.lua.hosts import Loaded, LupaHost, hosts, outcome, runtime_names
from gpkit.export.lua.module import lua_text
from gpkit.export.registry import check_export
from gpkit.export.subject import Subject
from gpkit.games.battleship.forms.record import RECORDER, keyed_fleet
from gpkit.games.battleship.primitives import BELIEFS, FORMULAS, SENSORS
from gpkit.games.battleship.rules import BattleshipRules, Board, fleet_squares
from gpkit.games.battleship.sensors import sense
from gpkit.languages.arithmetic.text import parse

LUAS = runtime_names()

BOARDS = (
    {"board": "5x4", "fleet": "3,2"},
    {"board": "6x6", "fleet": "3,3,2,1"},
    {"board": "4x7", "fleet": "4,2,2"},
    {"board": "1x6", "fleet": "2,1,1"},
)

RULES = st.builds(
    lambda board, touch, told: {**board, "touch": touch, "announce": told},
    st.sampled_from(BOARDS),
    st.sampled_from(("yes", "no")),
    st.sampled_from(("ship", "sunk", "hit")),
)

FORMULAS_PLAYED = (
    "env.chance",
    "env.chance * (1.0 + env.follow) - env.fleets / 8.0 + env.sinks / env.left",
    "env.cover + 100 * env.cover1 + 10000 * (env.cover2 + env.cover3)",
    "math.random() * env.near + math.random() + env.line - env.blocked",
    "1.0",
    "ifle(env.parity, 0.0, 1e308 * 1e308 - 1e308 * 1e308, env.edge)",
)
"""The last one is NaN for half of the squares."""

ALL = "shoot: " + " + ".join(sensor.name for sensor in SENSORS)


def battleship(text: str, rules: dict[str, str], name: str = "sample") -> Subject:
    """What is exported of a formula for Battleship."""
    program = parse(text if ":" in text else f"shoot: {text}").program
    return Subject(program, name, {"game": "battleship"}, FORMULAS, rules)


def player_of(subject: Subject) -> str:
    """The player's text with little to test itself with."""
    return lua_text(subject, "player", Proof(make_vectors(subject, 2), ()))


@pytest.fixture(scope="module")
def players() -> list[tuple[Any, Any]]:
    """Every Lua with a player loaded into it whose formula reads all sensors."""
    text = player_of(battleship(ALL, {}))
    luas = [import_module(f"lupa.{name}").LuaRuntime(unpack_returned_tuples=True) for name in LUAS]
    return [(lua, lua.execute(text)) for lua in luas]


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Boards after shots, half of them at ships."""
    rules = BattleshipRules.from_options(draw(RULES))
    rng = stream(draw(st.integers(0, 2**32)), "test shots")
    board = Board.of(keyed_fleet(draw(st.integers(1, 1000)), rules), rules)
    ships = fleet_squares(board.fleet, rules)
    order = sorted(range(rules.squares), key=lambda square: rng.random() - 0.5 * (square in ships))
    for square in order[: draw(st.integers(0, rules.squares - 1))]:
        board = board.shoot(square)
        if board.status != "playing":
            break
    return board


def told(lua: Any, player: Any, board: Board) -> Any:
    """The state of a Lua player that was told of every shot at a board."""
    rules = board.rules
    state = player.new(1, rules.width, rules.height, lua.table_from(list(reversed(rules.fleet))))
    state.touch, state.announce = rules.touch, rules.announce
    for shot in board.shots:
        state.x, state.y = shot.square % rules.width + 1, shot.square // rules.width + 1
        sinks = shot.sunk >= 0 and rules.announce != "hit"
        length = rules.fleet[shot.sunk] if sinks and rules.announce == "ship" else None
        player.report(state, "sunk" if sinks else "hit" if shot.hit else "miss", length)
    return state


@settings(max_examples=60)
@given(board=boards())
def test_sensors_are_pythons_to_the_last_bit(players: list[tuple[Any, Any]], board: Board) -> None:
    expected = sense(board)
    for lua, player in players:
        rows = player.sense(told(lua, player, board))
        found = {square - 1: {f"env.{n}": v for n, v in row.items()} for square, row in rows.items()}
        assert found == expected


@settings(max_examples=20)
@given(
    rules=RULES,
    key=st.integers(1, 10_000),
    formula=st.sampled_from(FORMULAS_PLAYED),
    lua=st.sampled_from(LUAS),
)
def test_whole_games_are_pythons_under_every_rule(
    rules: dict[str, str], key: int, formula: str, lua: str
) -> None:
    subject = battleship(formula, rules)
    (transcript,) = record_games(subject, 1, key)
    loaded = Loaded(LupaHost(lua), player_of(subject), "module", subject.program)
    assert loaded.play(RECORDER, [transcript]) == [outcome(transcript)]


@pytest.mark.parametrize(
    "formula",
    [
        pytest.param(
            formula, marks=[pytest.mark.release] * (formula != "env.chance" and "random" not in formula)
        )
        for formula in FORMULAS_PLAYED
    ],
)
@pytest.mark.parametrize("mode", ["module", "player"])
def test_every_lua_plays_the_recorded_games(formula: str, mode: str) -> None:
    report = check_export(battleship(formula, BOARDS[0]), "lua", mode, evaluations=5, games=2)
    assert report.is_equal, report
    assert [row.games for row in report.rows] == [2] * len(hosts())


@pytest.mark.release
def test_the_classic_board_is_played_in_lua() -> None:
    text = (data_folder("programs") / "battleship" / "likeliest.tree").read_text(encoding="utf-8")
    subject = Subject(parse(text).program, "likeliest", {"game": "battleship"}, FORMULAS, {})
    (transcript,) = record_games(subject, 1, 1001)
    loaded = Loaded(LupaHost("luajit21"), player_of(subject), "module", subject.program)
    assert loaded.play(RECORDER, [transcript]) == [outcome(transcript)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("value > highest", "value < highest"),
        pytest.param("ROUNDS = 6", "ROUNDS = 1", marks=pytest.mark.release),
        ("table.remove(S.fleet, i)", "local _ = i"),
        pytest.param("square + 0.0", "square + 1.0", marks=pytest.mark.release),
    ],
)
def test_a_change_that_only_whole_games_show_is_found(before: str, after: str) -> None:
    subject = battleship("env.chance + math.random() / 50.0", BOARDS[1])
    text = lua_text(subject, "player", prove(subject))
    assert before in text
    for lua in ("lua51", "lua54"):
        changed = Loaded(LupaHost(lua), text.replace(before, after), "module", subject.program)
        failures, first = changed.selftest()
        assert failures == 1
        assert "whole games: hash" in first


def test_only_players_that_read_beliefs_compute_them() -> None:
    for sensor in SENSORS:
        text = player_of(battleship(sensor.name, BOARDS[0]))
        assert ("local function propagate" in text) == (sensor.name in BELIEFS), sensor.name


def test_decisions_keep_what_a_formula_can_tell_apart() -> None:
    (transcript,) = record_games(battleship("env.parity", BOARDS[0]), 1)
    first, *_ = transcript.decisions
    assert sorted(candidate.value for candidate in first.candidates) == [0.0, 1.0]
    assert first.state == {"known": "." * 20, "afloat": [3, 2], "turns": 0}
    assert transcript.turns == len(transcript.actions) == transcript.returns[0]
    (transcript,) = record_games(battleship("math.random()", BOARDS[0]), 1)
    assert len(transcript.decisions[0].candidates) == 20


def test_what_a_player_cannot_know_is_refused() -> None:
    subject = battleship("env.chance", {"found": "yes"})
    assert record_games(subject, 3) == ()
    with pytest.raises(UsageError, match="is not told where the ships lie"):
        player_of(subject)


def test_games_on_large_boards_are_not_recorded() -> None:
    subject = battleship("env.chance", {"board": "30x30"})
    assert record_games(subject, 3) == ()
    assert "M.RULES = { width = 30, height = 30," in player_of(subject)


def test_a_state_is_plain_data(players: list[tuple[Any, Any]]) -> None:
    for lua, player in players:
        kinds = lua.eval(
            """function(M)
	local S, kinds = M.new(3), {}
	M.next(S)
	M.report(S, "miss")
	for _, value in pairs(S) do
		kinds[type(value)] = true
	end
	return kinds["function"] == nil and kinds.thread == nil and kinds.userdata == nil
end"""
        )
        assert kinds(player)


def test_mistakes_of_a_host_are_told(players: list[tuple[Any, Any]]) -> None:
    for lua, player in players:
        with pytest.raises(Exception, match="the width is a whole number, at least 1"):
            player.new(1, 0)
        with pytest.raises(Exception, match='a result is "miss", "hit" or "sunk", not sank'):
            player.report(player.new(1), "sank")
        state = player.new(1, 1, 1, lua.table_from([1]))
        assert player.next(state) == (1, 1)
        player.report(state, "miss")
        player.report(state, "hit")  # which changes nothing: the square is known
        assert (state.turns, state.known[1]) == (1, 1)
        assert player.next(state) == (None, "no square left")


def texts() -> dict[str, str]:
    """Players and modules of all formulas, by file name."""
    found = {}
    for place, formula in enumerate(FORMULAS_PLAYED):
        subject = battleship(formula, BOARDS[0])
        proof = prove(subject)
        found[f"player{place}.lua"] = lua_text(subject, "player", proof)
        found[f"module{place}.lua"] = lua_text(subject, "module", proof)
    return found


@pytest.mark.parametrize(
    "std", ["min", *(pytest.param(std, marks=pytest.mark.release) for std in ("lua51", "luajit+love"))]
)
def test_luacheck_has_nothing_to_say(std: str, luacheck: Callable[..., str]) -> None:
    assert luacheck(texts(), std) == ""


def test_stylua_changes_nothing(stylua: Callable[..., str]) -> None:
    assert stylua(texts()) == ""


def test_lines_are_at_most_120_wide() -> None:
    for name, text in texts().items():
        assert max(len(line.expandtabs(4)) for line in text.split("\n")) <= 120, name

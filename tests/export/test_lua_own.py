"""Players of games of one's own in Lua: they ask a host for legal actions and sensors; recorded games prove both."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from case_files import case_text, lua_text

from gpkit.cli.main import main
from gpkit.core import plugins
from gpkit.core.codec import plain
from gpkit.core.errors import GuestError, UsageError
from gpkit.core.registry import data_folder, game_of, name_game
from gpkit.export.conformance import OwnRecorder, conformance_of, record_games, recorder_of
from gpkit.export.lua.hosts import hosts, runtime_names
from gpkit.export.registry import exporter
from gpkit.export.subject import Subject
from gpkit.gamekit.game import Deals, Game
from gpkit.languages.arithmetic.text import parse
from gpkit.playing.players import player_of_text
from gpkit.user_games.arena import first_of

LUAS = [
    pytest.param(name, marks=[pytest.mark.release] * (name not in ("lua51", "luajit21")))
    for name in runtime_names()
]
TEXTS: dict[tuple[Any, ...], str] = {}
FILE = data_folder("programs") / "games" / "tic_tac_toe.py"
FORMULA = "place: env.own * 3.0 + env.theirs / 1.5 + math.random() * env.lines\n"

HOST = lua_text("tic_tac_toe_host")

BETTING = case_text("games/betting.txt")


BETTING_HOST = lua_text("betting_host")


@pytest.fixture(autouse=True)
def named(nobodys: None) -> None:
    """Tic-tac-toe and betting are named in an empty folder."""
    Path("betting.py").write_text(BETTING)
    name_game(str(FILE))
    name_game("./betting.py")


def subject_of(text: str = FORMULA, game: str = "tic_tac_toe", **rules: str) -> Subject:
    """A program of a game."""
    return Subject(parse(text).program, "sample", {}, game_of(game).offers["arithmetic"], rules)


def lua_of(subject: Subject, mode: str) -> str:
    """The Lua of a program, made once."""
    key = (str(subject.program), subject.game, mode, *subject.rules.items(), subject.carries_tests)
    if key not in TEXTS:
        TEXTS[key] = exporter("lua").export(subject, mode)[0].text
    return TEXTS[key]


def load(lua: str, text: str) -> tuple[Any, Any]:
    """A Lua, and what a text returns there."""
    runtime = import_module(f"lupa.{lua}").LuaRuntime(unpack_returned_tuples=True)
    return runtime, runtime.execute(text)


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param({}, id="plain", marks=pytest.mark.release),
        pytest.param({"opening": "2", "longest": "6"}, id="short"),
    ],
)
def test_recorded_decisions_are_those_of_games(rules: dict[str, str]) -> None:
    known: Game = game_of("tic_tac_toe")
    player = player_of_text(FORMULA, known, filename="drawing.tree")
    transcripts = record_games(subject_of(**rules), 12)
    opening = int(rules.get("opening", 0))
    assert [t.deal["opening"] - opening for t in transcripts[:6]] == [0, 3, 1, 2, 3, 1]
    assert len({t.actions for t in transcripts}) > 6
    for transcript in transcripts:
        openings = {"opening": str(transcript.deal["opening"])}
        deals = Deals(keys=np.array([transcript.key]))
        state = known.begin((), deals, known.make_rules({**rules, **openings}))
        decisions = {decision.index: decision for decision in transcript.decisions}
        for action in transcript.actions[state.actions :]:
            decision = decisions.get(state.actions)
            assert (decision is None) == (len(state.legal_actions()) == 1)
            assert action == known.choose(player, state, deals)
            if decision is not None:
                assert [each.action for each in decision.candidates] == list(state.legal_actions())
                assert decision.action == action
            state = state.apply(action)
        if state.is_terminal:
            assert transcript.returns == state.returns()
        else:
            assert (len(transcript.actions), transcript.returns) == (6, (0.5, 0.5))


@pytest.mark.parametrize("mode", ["module", "player"])
@pytest.mark.parametrize("lua", LUAS)
def test_files_pass_their_own_test_everywhere(lua: str, mode: str) -> None:
    subjects = (
        subject_of(),
        subject_of("place: 1.0\n"),
        subject_of("open: env.stake + env.last\nraise_it: -(env.stake) * math.random()\n", "betting"),
    )
    for subject in subjects:
        module = load(lua, lua_of(subject, mode))[1]
        assert module.selftest() == (0, None)
        sensors = {name: (each.low, each.high, each.integer) for name, each in module.SENSORS.items()}
        known = {each.name.removeprefix("env."): each for each in subject.primitives.sensors}
        assert sensors == {name: (known[name].low, known[name].high, known[name].integer) for name in sensors}
        assert all(each.meaning == known[name].meaning for name, each in module.SENSORS.items())
        assert max(map(len, lua_of(subject, mode).expandtabs(4).split("\n"))) <= 120


@pytest.mark.parametrize("lua", LUAS)
def test_a_host_plays_the_recorded_games(lua: str) -> None:
    runtime, player = load(lua, lua_of(subject_of(), "player"))
    host = runtime.execute(HOST)
    assert player.selftest(host) == (0, None)
    assert player.choose(player.new(host), host.begin()) in range(9)


@pytest.mark.release
@pytest.mark.parametrize("lua", LUAS)
def test_chance_and_several_decisions_are_played_by_a_host(lua: str) -> None:
    subject = subject_of(
        "open: env.stake * math.random()\nraise_it: env.last - env.stake\n", "betting", rounds="3"
    )
    runtime, player = load(lua, lua_of(subject, "player"))
    assert player.selftest(runtime.execute(BETTING_HOST)) == (0, None)
    failures, first = player.selftest(runtime.execute(BETTING_HOST.replace("rules.rounds", "2")))
    assert (failures, first) == (10, "recorded game 1, action 8: legal are none instead of 0 1 2")


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("for square = 0, 8", "for square = 0, 7", "legal are 0 1 2 3 4 5 6 7 instead of 0 1 2 3 4 5 6 7 8"),
        ("math.max(sensors.own,", "math.min(2,", "own of action"),
        ("lines = 0 }", "count = 0, lines = 1 }", "lines of action 0 is 4 instead of 3"),
        ("own = 0,", "", "action 1: .*number"),
        ("return sensors", "sensors.own = nil return sensors", "own of action 0 is nil instead of 0"),
        ('state.mark == "x" and "o" or "x"\nend', '"o"\nend', "recorded game 1, action 3: "),
        ('count(state, line, "x") == 3 or', "", "its end: legal are .* instead of none"),
    ],
)
def test_a_host_that_differs_is_told_where(before: str, after: str, told: str) -> None:
    runtime, player = load("lua54", lua_of(subject_of(), "player"))
    assert before in HOST
    failures, first = player.selftest(runtime.execute(HOST.replace(before, after, 1)))
    assert failures > 0
    assert first.startswith("recorded game ")
    assert re.search(told, first), first


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("M.new({})", "the host has no function legal"),
        ("M.new(nil)", "the host has no function legal"),
        ("host.begin = nil M.selftest(host)", "the host has no function begin"),
        (
            "play({})",
            "the sensor own of action 0 is nil; expected a whole number from 0 to 2: own marks in the best",
        ),
        ("play(nil)", "the sensors of action 0 are no table, but nil"),
        ("play({ own = 0 / 0, theirs = 0, lines = 2 })", "the sensor own of action 0 is -?nan"),
        ("play({ own = 1, theirs = 0, lines = 5 })", "the sensor lines of action 0 is 5; expected .* 2 to 4"),
        ("play({ own = 0.5, theirs = 0, lines = 2 })", "the sensor own of action 0 is 0.5"),
        ("play({ own = true, theirs = 0, lines = 2 })", "the sensor own of action 0 is true"),
        ("host.legal = function() return {} end play({})", "no action is legal in this state"),
        ("host.decision = function() return 'go' end play({})", "there is no formula for the decision go"),
        (
            "host.legal = function() return { 0, 3, 2 } end play({ own = 1, theirs = 1, lines = 2 })",
            "legal actions ascend, but 2 follows 3",
        ),
    ],
)
def test_what_a_host_says_is_checked(code: str, told: str) -> None:
    runtime, player = load("lua54", lua_of(subject_of(), "player"))
    play = "local function play(env) host.sense = function() return env end M.choose(M.new(host), host.begin()) end"
    said = runtime.eval(
        f"function(M, host) {play} local _, said = pcall(function() {code} end) return said end"
    )
    assert re.search(told, said(player, runtime.execute(HOST)))


def test_a_player_without_tests_chooses_the_same_and_forced_actions_ask_for_nothing() -> None:
    with_tests, without = subject_of(), replace(subject_of(), carries_tests=False)
    runtime, player = load("luajit21", lua_of(without, "player"))
    assert player.selftest()[0] is None
    (transcript,) = record_games(with_tests, 1, 6)
    decision = transcript.decisions[0]
    sensors = {
        c.action: {n.removeprefix("env."): v for n, v in c.sensors.items()} for c in decision.candidates
    }
    host = runtime.table_from(
        {
            "legal": lambda state: runtime.table_from(list(state)),
            "sense": lambda state, action: runtime.table_from(sensors[action]),
        }
    )
    asking = player.new(host)
    choose = runtime.eval(
        "function(M, P, state, key, actions) "
        "return M.choose(P, state, function(action) return M.keyed(key, actions, action) end) end"
    )
    assert choose(player, asking, list(sensors), transcript.key, decision.actions) == decision.action
    assert player.choose(asking, (77,)) == 77


def test_a_decision_needs_its_name_where_there_are_several() -> None:
    runtime, player = load("lua51", lua_of(subject_of("open: 1.0\nraise_it: 2.0\n", "betting"), "player"))
    with pytest.raises(Exception, match="the host has no function decision"):
        player.new(runtime.eval("{ legal = print, sense = print }"))


@pytest.mark.release
def test_the_tools_of_lua_have_nothing_to_say(
    luacheck: Callable[..., str], stylua: Callable[..., str]
) -> None:
    betting = subject_of("open: 1.0\nraise_it: env.last\n", "betting")
    texts = {
        f"{number}-{mode}.lua": lua_of(subject, mode)
        for number, subject in enumerate((subject_of(), betting, replace(betting, carries_tests=False)))
        for mode in ("module", "player")
    }
    assert [luacheck(texts, std) for std in ("min", "lua51", "luajit+love")] == ["", "", ""]
    assert stylua(texts) == ""


def test_conformance_holds_whole_games() -> None:
    subject = subject_of(
        "open: env.stake + env.last\nraise_it: env.stake * math.random()\n",
        "betting",
        rounds="3",
        opening="1",
    )
    lines = [json.loads(line) for line in conformance_of(subject).text.splitlines()]
    assert lines[0]["rules"] == {"rounds": 3, "opening": 1, "longest": 10000}
    assert sum(line.get("kind") == "evaluation" for line in lines) == 40
    games = {line["key"]: line for line in lines if line.get("kind") == "game"}
    assert len(games) == 10
    decisions = [line for line in lines if line.get("kind") == "decision"]
    assert len(decisions) == 10 * 5
    for decision in decisions:
        game, state = games[decision["key"]], decision["state"]
        assert game["turns"] == 6
        assert len(game["actions"]) == 10, "four cards are dealt on the way"
        assert game["actions"][state["index"]] == decision["action"]
        chosen = [action for index, action in enumerate(game["actions"]) if index % 3]
        assert state["observation"] == [chosen[: state["actions"]], sorted({state["player"], 7})]


def test_plain_values_of_what_players_know() -> None:
    known = {"deep": (np.int64(3), np.array([1.5, 2.5]), {2, 1}), "none": None, 4: float("inf"), "other": 1j}
    assert plain(known, repr) == {"deep": [3, [1.5, 2.5], [1, 2]], "none": None, "4": "inf", "other": "1j"}
    known = game_of("tic_tac_toe")
    first = first_of(known, 0, known.make_rules({}))
    assert plain(first, repr) == {"board": ".........", "current_player": 0, "winner": -1}


def test_few_games_are_recorded_where_they_are_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpkit.export.conformance.MOST_CANDIDATES", 100)
    assert len(record_games(subject_of(), 10)) == 2
    assert record_games(subject_of("open: 1.0\nraise_it: 2.0\n", "betting", rounds="50"), 10) == ()


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("-11", "is -11 after 0 actions of game 1; expected a number from -10 to 10"),
        ("float('nan')", "is nan after"),
        ("'much'", "is 'much' after"),
        ("None", "is None after"),
    ],
)
def test_a_sensor_out_of_its_bounds_is_told_by_file_and_line(value: str, told: str) -> None:
    plugins.here = plugins.Discovery(installed=plugins.here.installed)
    Path("loose.py").write_text(BETTING.replace("sum(state.bets[-4:]) / 2 - action", value))
    name_game("./loose.py")
    with pytest.raises(GuestError, match=rf"loose.py, line 44: env.stake of action 0 {re.escape(told)}"):
        record_games(subject_of("open: env.stake\nraise_it: env.last\n", "betting"), 1)


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("return State(self.rounds, action, self.bets)", "return None", "in apply: gives a NoneType"),
        ("return range(3)", "return []", "in legal_actions: gives none before the end"),
        ("sensor(0, 2,", "sensor(0, float('inf'),", "expected the lower first, and at most 2^53"),
    ],
)
def test_faults_of_a_game_are_its_own(
    before: str, after: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("faulty.py").write_text(BETTING.replace(before, after).replace('"betting"', '"faulty"'))
    Path("good.tree").write_text("open: env.last\nraise_it: env.last\n")
    assert main(["export", "good.tree", "--to", "lua", "--game", "./faulty.py"]) == 2
    assert told.replace("betting", "faulty") in capsys.readouterr().err


def test_only_games_of_files_are_hosted() -> None:
    assert isinstance(recorder_of("tic_tac_toe"), OwnRecorder)
    assert recorder_of("nothing") is None
    with pytest.raises(UsageError, match="the sections open, raise_it"):
        lua_of(subject_of("open: 1.0\n", "betting"), "player")


def test_games_with_sensors_of_a_file_have_modules_only(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.py").write_text(
        "from gpkit import sensor\n\n\n@sensor(1, 52, 'cards')\ndef held(seen):\n    return 1\n"
    )
    Path("held.tree").write_text("play: env.held\nsend: env.rank\n")
    line = ["export", "held.tree", "--game", "sevens", "--sensors", "./mine.py", "--to", "lua", "--mode"]
    assert main([*line, "player"]) == 2
    assert (
        "a player needs recorded games, and games of sevens cannot be recorded; export a module"
        in capsys.readouterr().err
    )
    plugins.here = plugins.Discovery(installed=plugins.here.installed)
    assert main([*line, "module", "--check", "--evaluations", "2", "--games", "2"]) == 0
    assert "no whole games: those of sevens cannot be recorded here" in capsys.readouterr().err


def test_the_command_exports_checks_and_reads_back(capsys: pytest.CaptureFixture[str]) -> None:
    Path("good.tree").write_text(f"// game: tic_tac_toe\n{FORMULA}")
    named = ["--game", str(FILE)]
    tested = [*named, "--check", "--games", "3", "--evaluations", "5"]
    assert (
        main(
            [
                "export", "good.tree", "--to", "lua", "--mode", "player", "-o", "p.lua", "--conformance",
                *tested,
            ]
        )
        == 0
    )  # fmt: skip
    told = capsys.readouterr()
    assert [line.split()[-3:] for line in told.out.splitlines()[1:]] == [["5", "3", "0"]] * len(hosts())
    assert "no whole games" not in told.err
    assert len(Path("p.conformance.jsonl").read_text().splitlines()) > 40
    for to in ("json", "python"):
        assert main(["export", "good.tree", "--to", to, "-o", f"p.{to}", *tested]) == 0
    assert main(["export", "good.tree", "--to", "latex", *named]) == 0
    capsys.readouterr()
    for name in ("p.lua", "p.json"):
        assert main(["export", name, "--to", "tree", *named]) == 0
        assert capsys.readouterr().out.endswith(FORMULA), name

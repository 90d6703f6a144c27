"""Games of OpenSpiel in every command, and what their sensors mean and do not show."""

import copy
import json
import pickle
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hostile_games import EVOLVE
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from web_clients import guest

from gpkit.cli.main import main
from gpkit.core import plugins
from gpkit.core.errors import EXIT_USAGE, GuestError, UsageError
from gpkit.core.registry import all_games, game_of, name_game
from gpkit.core.rng import below, stream
from gpkit.core.wording import spelled
from gpkit.gamekit.game import Game, Metric
from gpkit.gamekit.state import NOBODY
from gpkit.playing.players import player_of_name
from gpkit.playing.session import new_conversation, sessions

pytestmark = pytest.mark.skipif(find_spec("pyspiel") is None, reason="needs the extra openspiel")

GAME = "openspiel:tic_tac_toe"
PROGRAM = "act: env.gain * 3.0 - env.losses - env.middle / 10.0\n"

PLAYED = (
    "openspiel:connect_four(rows=4,columns=5)",
    "openspiel:othello",
    "openspiel:pig(winscore=8)",
    "openspiel:kuhn_poker(players=3)",
    "openspiel:leduc_poker",
)
"""Games with columns, with squares and a pass, with chance, and with hidden cards."""


@pytest.fixture(autouse=True)
def folder(nobodys: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder to work in, with a program."""
    monkeypatch.delenv(plugins.VARIABLE, raising=False)
    Path("good.tree").write_text(PROGRAM)


def named(text: str) -> Game:
    """The game of a name."""
    game: Game = game_of(name_game(text))
    return game


def playthrough(text: str, seed: int) -> Iterator[Any]:
    """The moments of a game in which everybody plays at random."""
    game, rng = named(text), stream(seed, "playthrough")
    rules = game.make_rules({})
    moment = game.begin((), game.deal(rng, 1, rules), rules)
    yield moment
    while not moment.is_terminal:
        legal = moment.legal_actions()
        moment = moment.apply(legal[below(rng, len(legal))])
        yield moment


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("run good.tree --games 6", "returns"),
        ("run mcts:20 --opponent spiel-mcts --games 2 --rules opening=4", "mcts:20"),
        ("trace good.tree --until value>2", "x(1,1)"),
        ("check good.tree", ""),
        ("fmt good.tree --check", ""),
        ("draw good.tree", "env.losses"),
        ("export good.tree --to lua", "function M.act"),
        ("compare good.tree greedy --games 10", "returns"),
        ("tournament good.tree greedy random --games 4", "returns"),
        ("list sensors", "env.rollouts"),
        ("list opponents", "OpenSpiel's own tree search: 50 simulations per choice"),
        ("list games", "Tic Tac Toe, of OpenSpiel"),
        ("new arithmetic", "// game: openspiel:tic_tac_toe"),
        ("new config", "--game openspiel:tic_tac_toe"),
    ],
)
def test_commands_take_the_game(line: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    command, *rest = line.split()
    assert main([command, *rest, "--game", GAME]) == 0
    assert told in capsys.readouterr().out


@pytest.mark.release
def test_a_run_is_made_and_gone_on_with_where_the_game_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gpkit.analysis.evaluation.games_of_champion", lambda name: 20)
    Path("small.toml").write_text(f"preset = '{GAME}'\n{EVOLVE}")
    assert main(["evolve", "small.toml", "--game", GAME, "--out", "run"]) == 0
    assert f"// game: {GAME}" in capsys.readouterr().out
    plugins.here = plugins.Discovery(installed=plugins.here.installed)
    resumed = ["evolve", "--resume", "--out", "run", "--generations", "2"]
    assert main(resumed) == EXIT_USAGE
    assert f"add --game '{GAME}'" in capsys.readouterr().err
    monkeypatch.setenv(plugins.VARIABLE, f"{GAME}{plugins.os.pathsep}openspiel:nim")
    assert main(resumed) == 0
    assert [entry.name for entry in all_games() if entry.origin] == [GAME, "openspiel:nim"]
    assert main(["report", "run", "--games", "2"]) == 0


def test_headers_load_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    Path("of.tree").write_text(f"// game: {GAME}\n{PROGRAM}")
    for command in ("check", "run"):
        assert main([command, "of.tree"]) != 0
        captured = capsys.readouterr()
        assert f"it exists only where it is named: add --game '{GAME}'" in captured.out + captured.err
    assert not [entry for entry in all_games() if entry.origin]
    assert main(["check", "of.tree", "--game", GAME]) == 0


def test_a_person_plays(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpkit.cli.terminal.typed_lines", lambda: iter(["x(1,1)", "x(1,1)", "q"]))
    assert main(["play", GAME, "--vs", "greedy", "--seed", "1"]) == 0
    said = capsys.readouterr().out
    assert "greedy: o(0,0)" in said
    assert "`x(1,1)` is not a legal action" in said


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("conect_four", "OpenSpiel has no game `conect_four`; did you mean `connect_four`"),
        ("", "OpenSpiel has no game ``"),
        ("connect_four(rowz=4)", "openspiel:connect_four(rowz=4): Unknown parameter 'rowz'"),
        ("connect_four(rows=4", "Missing closing bracket"),
        ("misere", "misere needs parameters in parentheses, as in misere(game=tic_tac_toe())"),
        ("nfg_game", "nfg_game needs parameters in parentheses, as in nfg_game(filename=FILE)"),
        ("efg_game(filename=nowhere)", "OpenSpiel cannot load this game or read its file"),
        ("crossword", "its players enter text, which gpkit does not support"),
        ("mfg_crowd_modelling", "openspiel:mfg_crowd_modelling is not a turn-based game"),
    ],
)
def test_what_is_no_game_is_told(text: str, told: str) -> None:
    with pytest.raises((UsageError, GuestError)) as caught:
        name_game(f"openspiel:{text}")
    assert told in str(caught.value)


def test_every_name_is_a_game_or_refused_with_a_sentence() -> None:
    for name in import_module("pyspiel").registered_names():
        for text in (name, f"{name}(none_of_these=1)"):
            try:
                game = named(f"openspiel:{text}")
            except (UsageError, GuestError) as error:
                assert name in str(error)
                assert "::" not in str(error)
            else:
                assert game.name.startswith(f"openspiel:{name}")


def test_games_in_files_of_other_programs_are_played(tmp_path: Path) -> None:
    rps = 'NFG 1 R "RPS" { "A" "B" } { 3 3 }\n\n0 0 1 -1 -1 1 -1 1 0 0 1 -1 1 -1 -1 1 0 0\n'
    (tmp_path / "rps.nfg").write_text(rps)
    text = f"openspiel:turn_based_simultaneous_game(game=nfg_game(filename={tmp_path / 'rps.nfg'}))"
    *_, end = playthrough(text, 1)
    assert sum(end.returns()) == 0
    (tmp_path / "k.efg").write_text(
        'EFG 2 R "k" { "1" "2" }\np "" 1 1 "" { "l" "r" } 0\nt "" 1 "" { 1 -1 }\nt "" 2 "" { -1 1 }\n'
    )
    *_, end = playthrough(f"openspiel:efg_game(filename={tmp_path / 'k.efg'})", 1)
    assert sum(end.returns()) == 0


@given(
    text=st.sampled_from(
        ["kuhn_poker", "kuhn_poker(players=3)", "leduc_poker", "liars_dice", "tic_tac_toe", "phantom_ttt"]
    )
)
@settings(max_examples=3, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_pages_call_games_by_their_names(text: str) -> None:
    name = named(f"openspiel:{text}").name
    client, _ = guest(Path())
    page = client.get(client.post(f"/play/{name}").headers["location"]).text
    (heading,) = re.findall("<h1>(.*?)</h1>", page)
    assert heading == spelled(name)
    assert "_" not in heading
    assert "penspiel" not in re.sub("<[^>]*>", "", page)
    assert f"Loaded as {name}" in client.get("/").text
    others = [player_of_name("random", named(name))] * (2 if "=3" in name else 1)
    greeting = next(sessions(new_conversation(named(name), {}, others, 0), iter(()), 0))
    assert str(greeting).startswith(f"{spelled(name)}: ")


HIDING = (
    "kuhn_poker",
    "leduc_poker",
    "liars_dice",
    "phantom_ttt",
    "tiny_bridge_2p",
    "turn_based_simultaneous_game(game=goofspiel(imp_info=true,num_cards=4))",
)


@given(text=st.sampled_from(HIDING), seed=st.integers(0, 999))
@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_choices_of_others_are_told_as_far_as_they_are_observed(text: str, seed: int) -> None:
    moments = list(playthrough(f"openspiel:{text}", seed))
    view = named(f"openspiel:{text}").view
    for before, after in pairwise(moments[:-1]):
        player = 1 - before.current_player
        told = view.seen_text(before, after.position.history[len(before.position.history)], player)
        if "goofspiel" in text or "phantom" in text:  # what is chosen later may follow from what is seen
            assert told in ("", "a hidden move") or before.current_player == 1 or before.actions > 1
        else:
            assert told not in ("", "a hidden move") or len(before.legal_actions()) == 1


def test_games_at_the_same_time_can_be_played_in_turns() -> None:
    text = "openspiel:turn_based_simultaneous_game(game=goofspiel(num_cards=3))"
    *_, end = playthrough(text, 1)
    assert set(end.returns()) in ({-1.0, 1.0}, {0.0})


def test_without_openspiel_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "gpkit.adapters.openspiel", raising=False)
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(UsageError, match=r"pip install -e '\.\[openspiel\]'"):
        name_game(GAME)


def test_other_processes_load_it_by_its_name() -> None:
    stored = pickle.dumps(named("openspiel:connect_four( rows=4 )"))
    plugins.here = plugins.Discovery(installed=plugins.here.installed)
    game = pickle.loads(stored)  # noqa: S301
    assert game.name == "openspiel:connect_four(rows=4)"
    assert game.view.board_text(next(playthrough(game.name, 0))).count("\n") == 4


def test_bounds_are_those_of_the_game() -> None:
    leduc = named("openspiel:leduc_poker")
    assert leduc.metric(leduc.make_rules({})) == Metric("returns", -13.0, 13.0, total=0.0)
    kuhn = named("openspiel:kuhn_poker(players=3)")
    assert kuhn.players(kuhn.make_rules({})) == 3


@pytest.mark.parametrize("text", PLAYED)
def test_games_are_played_as_openspiel_plays_them(text: str) -> None:
    game = named(text)
    metric = game.metric(game.make_rules({}))
    for seed in range(2):
        *before, end = playthrough(text, seed)
        assert end.current_player == NOBODY
        assert not end.legal_actions()
        assert end.returns() == tuple(end.position.inner.returns())
        assert all(metric.low <= value <= metric.high for value in end.returns())
        assert sum(end.returns()) == pytest.approx(metric.total)
        middle = before[len(before) // 2]
        for copied in (copy.deepcopy(middle), pickle.loads(pickle.dumps(middle))):  # noqa: S301
            assert (copied, hash(copied)) == (middle, hash(middle))
            assert str(copied.position.inner) == str(middle.position.inner)
        history = middle.position.history
        after = middle.apply(middle.legal_actions()[0])
        assert list(history) == middle.position.inner.history() != after.position.inner.history()
        with pytest.raises(ValueError, match="is not a legal action"):
            middle.position.apply(10_000)


@pytest.mark.parametrize("text", PLAYED)
def test_sensors_keep_their_bounds_and_show_what_is_known(text: str) -> None:
    game, known = named(text), {}
    offered = {each.name: each for each in game.offers["arithmetic"].sensors}
    for seed in range(2 if "othello" in text else 10):
        for moment in list(playthrough(text, seed))[:-1][:12]:
            player = moment.current_player
            for action in moment.legal_actions()[:3]:
                values = game.view.sensors(moment, action)
                assert list(values) == list(offered)
                for name, value in values.items():
                    assert offered[name].low <= value <= offered[name].high
                    assert not offered[name].integer or value.is_integer()
                assert known.setdefault((moment.observation(player), player, action), values) == values


def test_looking_ahead() -> None:
    game = named("openspiel:connect_four")
    moment = next(playthrough(game.name, 0))
    for action in (3, 0, 3, 0, 3, 1):
        moment = moment.apply(action)

    def sensor_values(action: int) -> dict[str, float]:
        return game.view.sensors(moment, action)

    assert [sensor_values(action)["env.gain"] for action in range(7)] == [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
    assert sensor_values(3)["env.replies"] == 0.0
    assert sensor_values(3)["env.rollouts"] == 1.0
    moment = moment.apply(6).apply(0)
    assert [sensor_values(action)["env.losses"] for action in (0, 4)] == [0.0, 1.0]
    assert sensor_values(6)["env.middle"] == 3.0
    assert "env.rollouts" not in game.offers["arithmetic"].alphabets[0].sensors


def test_the_search_is_no_chance() -> None:
    game = named(GAME)
    rules = game.make_rules({"opening": "2"})
    deals = game.deal(stream(1, "deals"), 4, rules)
    players = (player_of_name("spiel-mcts", game), player_of_name("random", game))
    scores = [game.play(players, deals, rules).values for _ in range(2)]
    assert (scores[0] == scores[1]).all()
    assert scores[0].mean() > 0.2


def test_it_is_a_pettingzoo_environment() -> None:
    pytest.importorskip("pettingzoo", reason="needs the extra pettingzoo")
    from pettingzoo.test import seed_test

    env = import_module("gpkit.adapters.pettingzoo").env
    seed_test(lambda: env("openspiel:leduc_poker"), num_cycles=5)


@pytest.mark.parametrize(
    ("game", "player", "condition"),
    [
        ("openspiel:connect_four", "greedy", "mine and margin > 0"),
        ("openspiel:leduc_poker", "random", "candidates == 3 and not mine"),
    ],
)
def test_traces_stop_at_the_facts_of_every_game(
    game: str, player: str, condition: str, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["trace", player, "--opponent", "random", "--game", game, "--until", condition]
    assert main(line) == 0
    steps = [each for each in capsys.readouterr().out.splitlines() if each.startswith("step ")]
    assert main([*line, "--json"]) == 0
    records = [json.loads(each) for each in capsys.readouterr().out.splitlines()]
    found = [each for each in records if each["kind"] == "step"]
    assert [f"step {each['step']}: {each['words']}" for each in found] == steps
    values = found[-1]["values"]
    assert values["margin"] > 0 if "margin" in condition else values["candidates"] == 3
    assert main([*line, "--html", "game.html"]) == 0
    page = Path("game.html").read_text()
    assert f"Step {found[-1]['step']}" in page
    assert f"Step {found[-1]['step'] + 1}" not in page

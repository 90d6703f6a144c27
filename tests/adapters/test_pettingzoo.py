"""Games as PettingZoo environments: its own tests, and what these do not see."""

import copy
import pickle
import sys
import warnings
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpkit.core.errors import GuestError, UsageError
from gpkit.core.registry import GAMES, data_folder, game_of
from gpkit.gamekit.forms import NO_FORMS
from gpkit.gamekit.sensors import encoding_of

pytest.importorskip("pettingzoo", reason="needs the extra pettingzoo")

from pettingzoo.test import api_test, seed_test

from gpkit.adapters.pettingzoo import env, raw_env

SMALL = {
    "battleship": {"board": "4x3", "fleet": "2,1"},
    "dots_and_boxes": {"board": "2x2"},
    "mastermind": {"length": 2, "colours": 4},
}
"""Rules that make games short, by game."""

EXAMPLES = sorted((data_folder("programs") / "games").glob("*.py"))

TABLES: list[Any] = [
    *(pytest.param(entry.name, SMALL.get(entry.name, {}), id=entry.name) for entry in GAMES),
    pytest.param("battleship", {**SMALL["battleship"], "mode": "duel"}, id="duel"),
    *(
        pytest.param(str(path), {}, id=path.stem, marks=[pytest.mark.release] * (path.stem != "tic_tac_toe"))
        for path in EXAMPLES
    ),
]

tables = pytest.mark.parametrize(("game", "rules"), TABLES)


pytestmark = pytest.mark.usefixtures("none_named")


def play_out(table: Any, seed: int = 0) -> list[tuple[Any, ...]]:
    """The rest of a game in which everybody acts at random: what each agent is told, step by step."""
    rng, course = np.random.Generator(np.random.Philox(seed)), []
    for agent in table.agent_iter():
        observation, reward, termination, truncation, _ = table.last()
        done = termination or truncation
        action = None if done else rng.choice(np.flatnonzero(observation["action_mask"]))
        course.append((agent, observation["observation"].tobytes(), reward, termination, truncation, action))
        table.step(action)
    return course


@tables
def test_pettingzoo_finds_nothing(
    game: str, rules: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it wishes for observations without masks
        api_test(env(game, rules), num_cycles=5)
    assert capsys.readouterr().out.endswith("Passed API test\n")
    seed_test(lambda: env(game, rules), num_cycles=5)


@tables
def test_games_end_with_the_returns_as_rewards(game: str, rules: dict[str, Any]) -> None:
    table = env(game, rules)
    table.reset(seed=5)
    course = play_out(table)
    inner = table.unwrapped
    last = [step for step in course if step[-1] is None]
    assert [step[0] for step in last] == inner.possible_agents, "each leaves with one step of None"
    assert table.agents == []
    sign = inner.game.metric(inner.rules).direction
    assert [step[2] for step in last] == [sign * score for score in inner.moment.returns()]
    assert all(step[2] == 0.0 for step in course if step[-1] is not None)
    assert min(step[2] for step in last) >= inner.worst


@tables
def test_copies_go_on_as_the_game_would_have(game: str, rules: dict[str, Any]) -> None:
    table = env(game, rules)
    table.reset(seed=1)
    table.step(int(np.flatnonzero(table.last()[0]["action_mask"])[0]))
    copied, read = copy.deepcopy(table), pickle.loads(pickle.dumps(table))  # noqa: S301
    course = play_out(table)
    assert play_out(copied) == course
    assert play_out(read) == course
    for each in (table, copied):
        each.reset()
    assert play_out(copied) == play_out(table), "the next game, too"


@tables
def test_who_knows_the_same_observes_the_same(game: str, rules: dict[str, Any]) -> None:
    table, tables_of = raw_env(game, rules), {}
    compared = 0
    for seed in range(12):
        table.reset(seed=seed)
        for step in range(8):
            for seat, agent in enumerate(table.possible_agents):
                known = seat, table.moment.observation(seat)
                seen = table.observe(agent)
                compared += known in tables_of
                one, mask = tables_of.setdefault(known, (seen["observation"], seen["action_mask"]))
                assert (one == seen["observation"]).all()
                assert (mask == seen["action_mask"]).all()
            legal = np.flatnonzero(table.observe(table.agent_selection)["action_mask"])
            if not len(legal):
                break
            table.step(legal[(seed // 4 + step) % len(legal)])
    assert compared or game in ("sevens", "battleship"), "where no deal comes twice"


def test_actions_that_are_not_legal() -> None:
    table = raw_env("dots_and_boxes", {"board": "2x2"})
    table.reset(seed=1)
    table.step(3)
    with pytest.raises(ValueError, match="3 is not a legal action"):
        table.step(3)
    with pytest.raises(ValueError, match="player_1 has to choose"):
        table.step(None)
    wrapped = env("dots_and_boxes", {"board": "2x2"})
    wrapped.reset(seed=1)
    wrapped.step(3)
    wrapped.step(3)
    assert wrapped.rewards == {"player_0": 0, "player_1": 0.0}
    assert all(wrapped.terminations.values())


def test_a_game_that_is_called_off_is_truncated() -> None:
    table = env(str(EXAMPLES[-1].with_stem("tic_tac_toe")), {"longest": 3})
    table.reset(seed=1)
    assert [step[2:5] for step in play_out(table)[-2:]] == [(0.5, False, True)] * 2


@pytest.mark.parametrize(
    ("game", "rules", "opponents", "seat"),
    [
        ("sevens", {"players": 3}, ["simple"], 1),
        ("battleship", {"board": "6x6", "fleet": "3,2"}, ["hunt"], 1),
        ("battleship", {"board": "6x6", "fleet": "3,2"}, ["uniform"], 0),
        ("dots_and_boxes", {"board": "2x2"}, ["greedy"], 0),
        ("mastermind", SMALL["mastermind"], ["codemaker"], 0),
        (str(EXAMPLES[0]), {"longest": 12}, ["random"], 0),
    ],
)
def test_opponents_act_by_themselves(
    game: str, rules: dict[str, Any], opponents: list[str], seat: int
) -> None:
    seed_test(lambda: env(game, rules, opponents=opponents, seat=seat), num_cycles=5)
    table = env(game, rules, opponents=opponents, seat=seat)
    table.reset(seed=2)
    for _ in range(2):
        table.step(int(np.flatnonzero(table.last()[0]["action_mask"])[0]))
    copied, read = copy.deepcopy(table), pickle.loads(pickle.dumps(table))  # noqa: S301
    course = play_out(table)
    assert {step[0] for step in course} == {f"player_{seat}"}
    assert play_out(copied) == course
    assert play_out(read) == course


def test_opponents_are_those_of_play() -> None:
    table = raw_env("sevens", {}, "ansi", ["simple", "random", "far-first"], 2)
    assert (table.rules.players, table.possible_agents) == (4, ["player_2"])
    table.reset(seed=1)
    assert all(name in table.render() for name in ("far-first", "player_2", "random", "simple"))
    assert raw_env("battleship", opponents=["hunt"]).rules.is_duel, "who shoots wants to be shot at"
    for opponents, seat, told in (
        (["simpel"], 0, "did you mean `simple`"),
        (["simple"], 3, "there are 3 seats"),
    ):
        with pytest.raises(UsageError, match=told):
            env("sevens", opponents=opponents, seat=seat)


def test_boards_are_rendered() -> None:
    text, picture = (env("sevens", render_mode=mode) for mode in ("ansi", "svg"))
    for table in (text, picture):
        table.reset(seed=1)
    assert "player_2" in text.render()
    assert picture.render().startswith("<svg")
    with pytest.raises(UsageError, match="there is no render mode `asni`; did you mean `ansi`"):
        env("sevens", render_mode="asni")


def test_faults_are_told(tmp_path: Path) -> None:
    text = EXAMPLES[-1].with_stem("tic_tac_toe").read_text()
    (tmp_path / "uncounted.py").write_text(
        text.replace("    action_count = 9\n", "").replace("tic_tac_toe", "one")
    )
    (tmp_path / "few.py").write_text(
        text.replace("action_count = 9", "action_count = 5").replace("tic_tac_toe", "two")
    )
    with pytest.raises(UsageError, match="one does not declare its number of actions: expected a line"):
        env(str(tmp_path / "uncounted.py"))
    table = env(str(tmp_path / "few.py"))
    table.reset(seed=1)
    with pytest.raises(GuestError, match="two has legal actions from 0 to 8; expected 0 to 4"):
        table.last()
    with pytest.raises(UsageError, match="131,072 codes"):
        env("mastermind", {"length": 12})
    with pytest.raises(UsageError, match="Sevens has no rule `player`; did you mean `players`"):
        env("sevens", {"player": 3})


def test_a_game_without_an_encoding_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    bare = replace(game_of("sevens"), forms=NO_FORMS)
    monkeypatch.setattr("gpkit.gamekit.sensors.game_of", lambda name: bare)
    with pytest.raises(UsageError, match="bare has no encoding"):
        encoding_of("bare")


def test_without_pettingzoo_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "gpkit.adapters.pettingzoo")
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(UsageError, match=r"pip install -e '\.\[pettingzoo\]'"):
        import_module("gpkit.adapters.pettingzoo")

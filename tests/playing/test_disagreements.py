"""Disagreements: how often two players choose differently, and which of the choices cost most."""

import json
import shlex

import numpy as np
import pytest

import gpkit
from gpkit.cli.main import main
from gpkit.core.registry import game_of
from gpkit.games.dots_and_boxes.opponents import leads_by_table
from gpkit.games.sevens.game import GAME
from gpkit.playing.contest import Match, deal_of
from gpkit.playing.decisions import choose
from gpkit.playing.disagreements import Disagreements, disagreements
from gpkit.playing.mistakes import judge_of
from gpkit.playing.players import player_of_name
from gpkit.playing.trace import trace_game

SEVENS = ("simple", "hold", "random")


def sevens(first: str, second: str, opponent: str = "random", **more: object) -> Disagreements:
    one, other, rival = (player_of_name(name, GAME) for name in (first, second, opponent))
    pair = Match(one, (rival,)), Match(other, (rival,))
    return disagreements(GAME, GAME.make_rules({}), [pair], **{"seed": 5, "judging": False, **more})


def test_states_of_both_players_are_counted() -> None:
    found = sevens("simple", "hold", states=60)
    rules, counts = GAME.make_rules({}), list[tuple[int, int]]()
    one, other, rival = (player_of_name(name, GAME) for name in SEVENS)
    while sum(states for states, _ in counts) < 60:
        deals, seat = deal_of(GAME, rules, 5, len(counts)), len(counts) % 3
        told = [
            choose(GAME, second, step.before, deals) != step.action
            for first, second in ((one, other), (other, one))
            for step in trace_game("sevens", [first, rival, rival], deals, rules, seat=seat).steps
            if step.is_mine and step.choices > 1
        ][: 60 - sum(states for states, _ in counts)]
        counts.append((len(told), sum(told)))
    states, different = np.array(counts).T
    assert (found.states, found.different) == (60, different.sum())
    assert found.share.mean == different.sum() / 60
    assert found.share.units == len(counts)
    # the linear approximation of the variance of a ratio (Cochran, "Sampling Techniques", 1977, section 2.9)
    spread = np.sqrt(((different - found.share.mean * states) ** 2).sum() / (len(counts) - 1))
    scale = (found.share.high - found.share.low) / (spread / states.mean() / np.sqrt(len(counts)))
    assert 2 * 1.96 < scale < 2 * 13


def test_a_player_agrees_with_itself_but_not_for_certain() -> None:
    found = sevens("simple", "simple", states=40)
    assert (found.share.mean, found.costliest) == (0.0, ())
    assert 0.0 == found.share.low < found.share.high < 1.0


def test_exact_values_judge_where_there_are_any() -> None:
    game = game_of("dots_and_boxes")
    rules = game.make_rules({"board": "2x2"})
    safe, greedy, rival = (player_of_name(name, game) for name in ("safe", "greedy", "random"))
    pair = Match(safe, (rival,)), Match(greedy, (rival,))
    found = disagreements(game, rules, [pair], seed=5, states=80)
    assert (found.judge, found.judged) == ("optimal", found.different)
    assert abs(found.costliest[0].cost or 0.0) >= 0.5
    assert found.costliest
    for each in found.costliest:
        leads = leads_by_table(each.step.before)
        ends = [np.sign(leads[action]) for action in (each.action, each.step.action)]
        assert (ends[0] - ends[1]) / 2 == each.cost
    assert judge_of(game, game.make_rules({"board": "5x5"})).strategy == "mcts"


@pytest.mark.release
def test_the_command_shows_the_costliest_and_how_to_follow_them(
    nobodys: None, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["compare", "simple", "hold", "--opponent", "random", "--game", "sevens", "--decisions"]
    assert main([*words, "--rules", "players=4"]) == 0
    told = capsys.readouterr().out
    assert "simple and hold choose differently in " in told
    assert main([*words, "--rules", "players=4", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    found = gpkit.compare("simple", "hold", "random", game="sevens", decisions=True, rules={"players": "4"})
    assert printed["schema"] == "gpkit/decisions/1"
    assert (printed["share"], printed["seed"], printed["judge"]) == (found.share.mean, 171_001, "pimc:1000")
    assert [row["cost"] for row in printed["costliest"]] == [each.cost for each in found.costliest]
    costs = [abs(row["cost"]) for row in printed["costliest"]]
    assert costs == sorted(costs, reverse=True)
    assert min(costs) >= 0.05
    for row in printed["costliest"]:
        assert row["command"] in told
        assert main(shlex.split(row["command"])[1:]) == 0
        shown = capsys.readouterr().out.splitlines()
        last = next(line for line in reversed(shown) if line.startswith(f"step {row['step']}: "))
        assert row["words"].startswith(last)


@pytest.mark.release
def test_players_of_a_game_without_searches_are_compared() -> None:
    found = gpkit.compare("hunt", "density", "uniform", game="battleship", decisions=True, seed=2)
    assert (found.judge, found.seed, found.states) == ("", 2, 400)
    assert [each.cost for each in found.costliest] == [None] * 3
    assert "no search of battleship can judge the disagreements" in "\n".join(map(str, found.told()))

"""Levels of play: the choice of a chain, what its steps promise, and rosters of a small game."""

import json
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest

import gpkit
from gpkit.analysis.levels import Level, Meetings, Roster, adds, chain, phrase, reads, sentence
from gpkit.api import roster_runs
from gpkit.cli.main import main
from gpkit.core.registry import data_folder, game_of
from gpkit.core.statistics import Interval
from gpkit.export.lua.hosts import hosts
from gpkit.playing.players import player_of_name, player_of_text, shipped_player, shipped_players

BOUNDS = (0.55, 0.65, 0.5)
TIC_TAC_TOE = str(data_folder("programs") / "games" / "tic_tac_toe.py")
PLAN = {"generations": 1, "candidates": 10, "paired": 60, "games": 60}


def by_elo(ratings: list[float]) -> dict[tuple[int, int], float]:
    """The shares that ratings predict."""
    pairs = combinations(range(len(ratings)), 2)
    return {(b, a): 1.0 / (1.0 + 10.0 ** ((ratings[a] - ratings[b]) / 400.0)) for a, b in pairs}


def test_longest_chain_of_equal_steps_is_found() -> None:
    ratings = [0.0, 70.0, 100.0, 140.0, 155.0, 210.0, 230.0]
    found = chain(by_elo(ratings), 7, 1, BOUNDS, lambda *_: True, lambda *_: True)
    assert found == (0, 1, 3, 5) or found[-1] == 6
    assert all(35.0 < ratings[b] - ratings[a] < 108.0 for a, b in pairwise(found))
    assert len(found) == max(
        len(each)
        for count in range(1, 8)
        for each in combinations(range(7), count)
        if each[0] == 0
        and each[-1] == 6
        and all(35.0 < ratings[b] - ratings[a] < 107.0 for a, b in pairwise(each))
    )


def test_no_level_loses_to_one_below_it() -> None:
    shares = by_elo([0.0, 70.0, 140.0, 210.0])
    assert chain(shares, 4, 1, BOUNDS, lambda *_: True, lambda *_: True) == (0, 1, 2, 3)
    assert 1 not in chain(shares | {(3, 1): 0.49}, 4, 1, BOUNDS, lambda *_: True, lambda *_: True)


def test_steps_that_add_something_come_first() -> None:
    shares = by_elo([0.0, 70.0, 71.0, 140.0])
    for best in (1, 2):
        found = chain(shares, 4, 1, BOUNDS, lambda *_: True, lambda _, lower, best=best: lower == best)
        assert found == (0, best, 3)


def test_share_among_three_is_that_of_the_same_difference_in_elo() -> None:
    sevens = game_of("sevens")
    table = Meetings.of(sevens, sevens.make_rules({}))
    assert table.share(0.5) == pytest.approx(1 / 3)
    assert table.share(0.6) == pytest.approx(1.5 / 3.5)


@pytest.mark.release
def test_duels_of_payoffs_count_the_deals_with_the_better_one() -> None:
    game = game_of("mastermind")
    table = Meetings.of(game, game.make_rules({}))
    knuth, first = player_of_name("knuth", game), player_of_name("first-consistent", game)
    (won, _), (lost, _) = table.duels([(knuth, first), (first, knuth)], 3, 200)
    assert set(np.unique(won)) <= {0.0, 0.5, 1.0}
    assert (won + lost == 1.0).all()
    assert won.mean() > 0.6


def test_held_sensor_is_a_constant() -> None:
    game = game_of("sevens")
    table = Meetings.of(game, game.make_rules({}))
    player = player_of_text("play: env.dist + 2 * env.suit\nsend: env.dist", game, filename="a.tree")
    means = table.means(player, player_of_name("random", game), 1)
    assert 0.0 < means["env.dist"] < 8.0
    assert 1.0 < means["env.suit"] < 13.0
    held = table.held(player, "env.dist", means["env.dist"])
    assert [tree.reads for tree in held.program.trees] == [("env.suit",), ()]
    (usual, _), (less, _) = table.duels([(each, player) for each in (player, held)], 1, 3000)
    assert less.mean() < usual.mean()


def test_step_adds_a_sensor_or_a_decision() -> None:
    game = game_of("sevens")
    one, other, more = (
        player_of_text(f"play: {text}\nsend: env.dist", game, filename="a.tree")
        for text in ("env.dist + 2", "env.dist + 3", "max(env.dist, 2)")
    )
    assert not adds(other, one)
    assert adds(more, one)
    assert adds(player_of_text("play: env.suit\nsend: env.dist", game, filename="a.tree"), one)


def test_noise_replaces_choices_by_random_ones() -> None:
    game = game_of("sevens")
    table = Meetings.of(game, game.make_rules({}))
    simple, rival = (player_of_name(name, game) for name in ("simple", "random"))
    none, half, all_ = (table.noisy(simple, chance) for chance in (0.0, 0.5, 1.0))
    usual, same, less, least = (
        each[0] for each in table.duels([(player, rival) for player in (simple, none, half, all_)], 1, 1500)
    )
    assert (usual == same).all()
    assert usual.mean() > less.mean() + 0.1
    assert abs(least.mean() - 1 / 3) < 0.05
    assert (table.noise(none, rival, 0.0, 1), table.noise(all_, rival, 1.0, 1)) == (0.0, 1.0)
    assert 0.7 < table.noise(half, rival, 0.5, 1) < 0.95  # 75% with two choices, 87.5% with three


def test_second_programs_are_as_strong_decide_differently_and_have_their_own_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = game_of("sevens")
    names = ("random", "simple", "equal", "same", "weak", "alike")
    players = {name: replace(player_of_name("random", game), name=name) for name in names}
    wins = {"equal": 1 / 3, "same": 1 / 3, "weak": 0.2, "alike": 1 / 3}
    differs = {"equal": 0.5, "same": 0.1, "weak": 0.9, "alike": 0.4}
    sure = Interval(0.4, 0.38, 0.42, 999)

    class Fake(Meetings):
        def duels(self, pairs, seed, games):
            return [(np.array([0.0, 2 * wins[one.name]] * 500), None) for one, _ in pairs]

        def disagreement(self, one, other, seed):
            return Interval(differs[one.name], 0.0, 1.0, 400)

    def kept(run, met, lower, upper, seed, games):
        return {"env.suit" if upper.name == "equal" else "env.dist": sure}

    monkeypatch.setattr(roster_runs, "_kept", kept)
    monkeypatch.setattr(roster_runs, "_seed", lambda run, number: number)
    met = Fake(game, game.make_rules({}), ())
    meanings = {each.name: each.meaning for each in game.offers["arithmetic"].sensors}
    level = Level(
        1, players["simple"], sentence(["env.dist"], [], meanings), sure, {"env.dist": sure}, adds=True
    )
    roster = Roster("sevens", {}, 5, 1000, (level,), ((0.5,) * 2,) * 2, {}, (0.55, 0.65, 1 / 3, 0.7))
    ladder, plan = [players["random"], players["simple"]], {"paired": 100}

    def found(*among: str) -> str:
        others = [players[name] for name in among]
        (level,) = roster_runs.seconded(None, met, roster, ladder, others, plan)
        return level.second.player.name if level.second else ""

    assert found("equal", "same", "weak") == "equal"
    assert found("same", "weak") == ""  # the one decides alike, the other is weaker
    assert found("alike") == ""  # its sentence is that of the level
    (level,) = roster_runs.seconded(None, met, roster, ladder, [players["equal"]], plan)
    assert level.second is not None
    assert (level.second.name, level.record()["second"]["differs"]) == ("level-1-b", [0.0, 1.0])
    told = replace(roster, levels=(level,)).seconds
    assert told[0].startswith("level-1-b looks at ")
    assert told[0].endswith("against level 1, and decides differently in 50% of states")


def test_sentences_are_made_of_the_meanings_of_sensors() -> None:
    meanings = {"wins": "1 if the disc makes four in a row", "centre": "columns from the middle one; 0 in it"}
    assert phrase("1 for folding") == "folding"
    assert sentence(["wins"], ["centre"], meanings) == (
        "looks at whether the disc makes four in a row; does not look at columns from the middle one"
    )


def test_broken_promises_are_told() -> None:
    player = player_of_name("random", game_of("sevens"))
    sure = Interval(0.6, 0.58, 0.62, 1000)
    levels = tuple(Level(number, player, "", sure, {"x": sure}, adds=True) for number in (1, 2, 3))
    matrix = ((0.5, 0.4, 0.3, 0.2), (0.6, 0.5, 0.4, 0.3), (0.7, 0.6, 0.5, 0.4), (0.8, 0.7, 0.6, 0.5))
    roster = Roster("sevens", {}, 1, 1000, levels, matrix, {}, (0.55, 0.65, 0.5, 0.7))
    assert roster.faults == []
    for broken, words in (
        (replace(levels[1], share=Interval(0.6, 0.49, 0.71, 10)), "level 2 wins 0.600, 0.4900 to 0.7100"),
        (replace(levels[1], share=Interval(0.66, 0.65, 0.67, 9999)), "level 2 wins 0.660"),
        (replace(levels[1], drops={}), "level 2 has no sensor"),
    ):
        assert words in replace(roster, levels=(levels[0], broken, levels[2])).faults[0]
    assert (
        "level 1 is not clearly better"
        in replace(
            roster, levels=(replace(levels[0], share=Interval(0.52, 0.49, 0.55, 99)), *levels[1:])
        ).faults[0]
    )
    cycle = (*matrix[:3], (0.8, 0.45, 0.6, 0.5))
    assert replace(roster, matrix=cycle).faults == ["level 3 does not beat level 1"]
    same = tuple(replace(each, adds=False) for each in levels)
    assert replace(roster, levels=same).faults == [
        "not more than half of the steps add a sensor or a decision"
    ]


@pytest.fixture
def _quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(roster_runs, "planned", lambda *_: PLAN)
    monkeypatch.setattr(roster_runs, "budget_of", lambda *_: 1)
    monkeypatch.setattr(roster_runs, "CHILDREN", 30)
    for name in ("whole", "killed"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "whole")


@pytest.mark.release
@pytest.mark.usefixtures("_quick")
def test_roster_of_a_game_in_which_everybody_plays_alone(tmp_path: Path) -> None:
    Path("small.toml").write_text(
        "preset = 'mastermind'\n[rules]\nlength = 2\ncolours = 4\n", encoding="utf-8"
    )
    found = gpkit.roster("small.toml", folder="levels")
    assert [each.number for each in found.levels] == [*range(1, len(found.levels) + 1)] != []
    assert all(upper[0] >= 0.5 for upper in found.matrix)


@pytest.mark.release
@pytest.mark.usefixtures("_quick")
def test_killed_roster_goes_on_to_the_same_files(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = gpkit.roster(TIC_TAC_TOE, folder="levels", noise=True)
    assert whole.levels
    for each in whole.levels:
        program = each.player.program
        assert len(program) <= roster_runs.NODES
        assert not any(tree.draws for tree in program.trees)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.chdir("../killed")
    with monkeypatch.context() as patch:
        patch.setattr(roster_runs, "candidates_of", killed)
        with pytest.raises(KeyboardInterrupt, match=r"continue with: folder=.*resume=True"):
            gpkit.roster(TIC_TAC_TOE, folder="levels", noise=True)
    gpkit.roster(TIC_TAC_TOE, folder="levels", resume=True, seed=7, levels=2)  # its own seed and plan count
    monkeypatch.chdir("..")
    files = [
        path.relative_to("whole")
        for path in Path("whole").glob("**/*")
        if path.suffix in (".tree", ".html", ".lua")
    ]
    assert len(files) > 3
    for each in [*files, Path("levels/levels/roster.json")]:
        assert (Path("killed") / each).read_bytes() == (Path("whole") / each).read_bytes(), each
    stored = json.loads(Path("whole/levels/levels/roster.json").read_text())
    assert [row["sentence"] for row in stored["levels"]] == [each.sentence for each in whole.levels]
    noisy = [(each, each.noisy) for each in whole.levels if each.noisy is not None]
    for each, other in noisy:  # there is none if the top wins less often against that level
        assert 0.0 < other.noise < 1.0
        assert other.share.low <= each.share.mean <= other.share.high
        assert Path(f"whole/levels/noise/level-{each.number}.tree").is_file()
    assert whole.levels[-1].noisy is None
    assert (
        main(
            [
                "run",
                "whole/levels/levels/level-1.tree",
                "--opponent",
                "random",
                "--game",
                TIC_TAC_TOE,
                "--games",
                "40",
            ]
        )
        == 0
    )
    assert "level-1" in capsys.readouterr().out


@pytest.mark.release
@pytest.mark.usefixtures("_quick")
def test_roster_of_rule_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        roster_runs,
        "planned",
        lambda *_: {**PLAN, "candidates": 30, "paired": 300, "games": 600, "levels": 10},
    )
    found = gpkit.roster("dots_and_boxes", folder="levels")
    assert len(found.levels) >= 2
    known = {rule for each in shipped_players(game_of("dots_and_boxes")) for rule in each.program.rules}
    lists = [each.player.program for each in found.levels]
    assert all({*each.rules} <= known and len(each) <= roster_runs.NODES for each in lists)
    assert all(each.sentence.startswith("plays by the rule ") for each in found.levels)
    text = Path("levels/levels/level-1.rules").read_text(encoding="utf-8")
    assert f"# title: {found.levels[0].sentence}" in text
    lua = Path("levels/roster.lua").read_text(encoding="utf-8")
    for host in hosts():
        assert (
            host.run(f"local M = (function()\n{lua}\nend)()\nreturn M.selftest() .. M.LEVELS[2].level")
            == "02"
        )


def test_rule_held_out_of_a_list_takes_its_joined_rules_along() -> None:
    game = game_of("dots_and_boxes")
    met, safe = Meetings.of(game, game.make_rules({})), shipped_player("safe", game)
    assert reads(safe) == {"take", "safe"}
    assert safe.program.decisions == 2
    greedy = met.held(safe, "safe", 0.0)
    assert [each.name for each in greedy.program.rules] == ["take"]
    assert met.means(safe, greedy, 1) == {"take": 0.0, "safe": 0.0}
    assert adds(safe, greedy)
    assert not adds(greedy, safe)
    ((by_deal, _),) = met.duels([(safe, greedy)], 1, 400)
    assert by_deal.mean() > 0.6
    assert sentence(["take"], ["safe"], {}) == "plays by the rule take; does not play by the rule safe"


def test_roster_of_programs_without_formulas_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["roster", "dots_and_boxes", "--noise"]) == 2
    assert "--noise is for formulas" in capsys.readouterr().err
    assert main(["roster", "battleship", "--out", "nowhere"]) == 2
    assert "levels are formulas of a game" in capsys.readouterr().err

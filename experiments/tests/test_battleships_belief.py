"""The paper on the belief-state agent: its competitions and counts, and that its committed result says what is told."""

import json
from collections import Counter
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kernel_marks import compiled_only
from result_pages import results

from gpkit.evolution.executors import SerialExecutor
from gpkit.games.battleship.agents import Method
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.rules import BattleshipRules, fleet_squares, is_legal
from gpkit.playing.players import player_of_name
from gpkit_experiments.optimal_boards import legal_fleets
from gpkit_experiments.papers.battleships_belief.belief_state import (
    count_rows,
    hit_rows,
    knowledge_rows,
    time_rows,
)
from gpkit_experiments.papers.battleships_belief.paper import EFFORTS, PAPER, RULES, Effort
from gpkit_experiments.papers.battleships_belief.samples import Search, chances_of, large_rules, layout_text
from gpkit_experiments.papers.battleships_belief.tables import (
    TABLES,
    Boards,
    Competition,
    Entrant,
    competition_rows,
    trials,
)
from gpkit_experiments.papers.page import judged_of
from gpkit_experiments.papers.paper import Findings

pytestmark = compiled_only

TINY = replace(
    PAPER,
    efforts={
        "quick": Effort(
            trials=6, mended=4, thousand=1, placed=2, positions=2, large=(0, 0), steps=3, games=1, shown=2
        )
    },
)


@cache
def tiny() -> Findings:
    return TINY.run("quick", 1, SerialExecutor())


def test_every_table_and_figure_of_the_source_is_there() -> None:
    tables = " ".join(row.table for row in tiny().rows)
    for told in ("Table I (N = 10), 6 trials", "Table II (N = 100), 6 trials", "An exploiting layout"):
        assert told in tables
    assert {path for path in tiny().files if path.startswith("mcs/")} == {
        "mcs/figure-3.txt",
        "mcs/figure-3.svg",
        "mcs/figure-4.txt",
        "mcs/figure-4.svg",
    }


def test_boards_are_those_that_the_game_deals() -> None:
    boards = Boards.drawn(5, "test", 3, "one-by-one", RULES)
    for entrant, spec in ((Entrant("mcs", 10), "mcs:10"), (Entrant("reference"), "reference")):
        played = GAME.play(
            [player_of_name(spec, GAME), player_of_name("one-by-one", GAME)], boards.deals, RULES
        )
        assert trials(entrant, boards, SerialExecutor()).shots.tolist() == played.values[:, 0].tolist()


def test_a_trial_is_the_duel_of_both() -> None:
    """The same as a duel of the game: the one wins who needs fewer shots, of equals the one who shoots first."""
    own, other = np.array([3, 4, 5, 5, 9, 9]), np.array([4, 3, 5, 5, 8, 10])
    assert Competition(own, other).won.tolist() == [True, False, True, False, False, True]
    assert Competition(own, other).part(2).won.tolist() == [True, False]


def test_published_wins_of_a_table_are_a_hundred() -> None:
    published = {(table.name, name): each.wins for table in TABLES for name, each in table.opponents.items()}
    assert published == {
        ("Table I", "reference-hits"): 85,
        ("Table I", "random"): 88,
        ("Table II", "reference-hits"): 75,
        ("Table II", "random"): 81,
    }


def test_chances_are_those_of_all_fleets_that_fit() -> None:
    rules = BattleshipRules(width=3, height=3, fleet=(2, 1), touch=False)
    fleets = list(legal_fleets(rules))
    assert all(is_legal(fleet, rules) for fleet in fleets) and len(set(fleets)) == len(fleets)
    table = np.array([[square in fleet_squares(fleet, rules) for square in range(9)] for fleet in fleets])
    known = np.array([2, 0, 0, 1, 0, 0, 0, 0, 0], np.int8)
    chances = chances_of(table, known)
    assert chances[0] == 1.0 and chances[3] == 0.0
    assert chances[1] == pytest.approx(3 / 7), (
        "three single ships beside the long one, four long ones beside the single"
    )


def test_the_large_board_has_a_hundred_ships() -> None:
    rules = large_rules()
    assert (len(rules.fleet), sum(rules.fleet), rules.squares, rules.touch) == (100, 200, 2500, False)


def test_a_search_keeps_to_legal_layouts_and_draws_them() -> None:
    boards = Boards.drawn(5, "test", 2, "one-by-one", RULES).targets()
    search = Search("shots", Method(), RULES, 1, steps=3, games=1)
    found = search.best([each.fleet for each in boards])
    assert is_legal(found, RULES)
    text = layout_text(found, RULES)
    assert sorted(text.split()) == sorted(["."] * 80 + list("4444333333222222" + "1111"))


PAGE = results("battleship")

OF_RECORDS = {row.table for row in (*count_rows(), *time_rows(), *knowledge_rows())} | {
    "Hits on solved boards"
}


def result() -> dict[str, Any]:
    path = Path(__file__).parents[1] / "data" / "paper-battleships-belief.json"
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


def test_the_committed_result_is_of_the_settings_in_use_and_says_what_is_told() -> None:
    data = result()
    assert data["settings"] == {**asdict(EFFORTS["full"]), "large": list(EFFORTS["full"].large)}
    assert data["command"] == f"gpkit paper battleships-belief --budget full --seed {data['seed']}"
    rows = {(row["table"], row["quantity"]): row for row in data["rows"]}
    published = "Share of trials won by reading, N = 100, samples"
    for opponent in ("rule-based, told hits alone", "random"):
        assert rows[f"{published} ignore touching", f"against {opponent}"]["verdict"] != "fails"
        assert rows[f"{published} observe touching", f"against {opponent}"]["verdict"] == "fails"
    left_out = "N = 100: share that leaves a hit out, by board"
    assert rows["Samples, samples ignore touching", left_out]["verdict"] == "holds"
    assert rows["Samples, samples observe touching", left_out]["verdict"] == "fails"
    for row in data["rows"]:
        if row["table"].startswith("Shots by the number of samples"):
            assert row["verdict"] != "fails", "more samples never hurt beyond noise"
        if row["table"] == "The mended sampler":
            assert row["measured"] > 0.0
    assert rows["The mended sampler", "shots saved, N = 10"]["verdict"] == "holds"
    layouts = "An exploiting layout"
    mcs = "samples observe touching, N = 10: shots"
    found, usual = rows[layouts, f"found: most shots, {mcs}"], rows[layouts, f"fleets laid one by one, {mcs}"]
    assert found["ci95"][0] > usual["ci95"][1] + 4.0
    said = "What the source says of wins and samples"
    for reading in ("ignore", "observe"):
        for opponent in ("rule-based", "random"):
            more = f"samples {reading} touching, against {opponent}: mean of shots in games won, N = 10 minus N = 100"
            assert rows[said, more]["verdict"] == "fails"
    for row in data["rows"]:
        if row["quantity"].endswith("less that with 10,000"):
            assert row["verdict"] == "fails", "shares keep their bias"


def test_rows_of_other_records_are_those_of_today() -> None:
    there = [row for row in result()["rows"] if row["table"] in OF_RECORDS]
    made = [row.to_json("full") for row in (*count_rows(), *hit_rows(), *time_rows(), *knowledge_rows())]
    assert there == json.loads(json.dumps(made))


def test_a_part_of_the_committed_result_comes_out_again() -> None:
    data = result()
    boards = {
        whose: Boards.drawn(data["seed"], f"{whose} boards", 100, "one-by-one", RULES)
        for whose in ("own", "other")
    }
    own = trials(Entrant("mcs-flawed", 10), boards["own"], SerialExecutor()).shots
    other = trials(Entrant("random"), boards["other"], SerialExecutor()).shots
    heading = "Table I (N = 10), 100 trials, samples ignore touching"
    found = competition_rows(heading, "random", Competition(own, other), TABLES[0].opponents["random"])
    told = [
        row
        for row in data["rows"]
        if row["table"] == heading and row["quantity"].startswith("against random")
    ]
    made = json.loads(json.dumps([row.to_json("full") for row in found]))
    assert [{key: row[key] for key in before} for row, before in zip(made, told, strict=True)] == told


def test_the_page_tells_the_levels_of_the_committed_result() -> None:
    levels = "Shots of every player, fleets laid one by one"
    rows = {row["quantity"]: row["measured"] for row in result()["rows"] if row["table"] == levels}
    mcs, flawed, mended = (
        f"{rows[f'{reading}, N = 10']:.1f}"
        for reading in ("samples observe touching", "samples ignore touching", "mended")
    )
    told = f"`mcs:10` takes {mcs} shots, `mcs-flawed:10` {flawed}, `mcs-mended:10` {mended}"
    assert f"{told}, `random` {rows['random']:.1f}" in PAGE


def test_the_page_tells_what_of_the_source_holds() -> None:
    data = result()
    rows = {(row["table"], row["quantity"]): row for row in data["rows"]}
    means, ends = Counter[str](), Counter[str]()
    for row in judged_of("battleships-belief"):
        if row.table.endswith(f"{EFFORTS['full'].trials:,} trials, samples ignore touching"):
            (ends if row.quantity.endswith(("least", "most")) else means)[str(row.verdict("full"))] += 1
    assert (means.total(), ends.total()) == (12, 16)
    assert means["open"] == 0
    told = f"misses {means['fails']} of the source's twelve published means and shares"
    assert f"{told}, and {ends['fails']} of its sixteen smallest and largest numbers of shots" in PAGE

    def said(table: str, quantity: str) -> tuple[str, str]:
        row = rows[table, quantity]
        low, high = (f"{end:.1f}".replace("-", "−") for end in row["ci95"])
        return f"{row['measured']:.1f}", f"({low} to {high})"

    number, layout = "Shots by the number of samples", "An exploiting layout"
    fewer, ends_of = said(f"{number}, samples observe touching", "N = 10 minus N = 100")
    assert f"100 take {fewer} shots fewer than 10 {ends_of}" in PAGE
    assert (
        "and {} {} if they ignore it".format(
            *said(f"{number}, samples ignore touching", "N = 10 minus N = 100")
        )
        in PAGE
    )
    found = "found: samples fail, samples observe touching, N = 10: shots beyond fleets laid one by one"
    assert "on which sampling fails costs `mcs` {} shots {}".format(*said(layout, found)) in PAGE
    saved = said(layout, f"{found}, that the mended sampler does not pay")
    assert "`mcs-mended` saves {} of them {}".format(*saved) in PAGE


@pytest.mark.slow
def test_the_committed_result_comes_out_again() -> None:
    findings = PAPER.run("full", result()["seed"], SerialExecutor())
    assert json.loads(json.dumps(findings.to_json("full")["rows"])) == result()["rows"]

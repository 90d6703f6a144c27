"""The paper on Sevens: what it measures and writes, and that its committed result says what is claimed."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from kernel_marks import compiled_only
from lupa.lua54 import LuaRuntime
from tiny_paper import PAPER, TINY

from gpkit.evolution.config import Config
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.subjects import config_from_data
from gpkit.games.sevens.game import GAME
from gpkit.languages.arithmetic.checks import check
from gpkit.languages.arithmetic.text import parse
from gpkit_experiments.papers.paper import Claim, Findings
from gpkit_experiments.papers.sevens.blue_nodes import blue_row, blue_search, histories
from gpkit_experiments.papers.sevens.ladder import AT_BEST, rosters_of, terminal_rows
from gpkit_experiments.papers.sevens.paper import EFFORTS
from gpkit_experiments.papers.sevens.paper import PAPER as PAPER_IN_FULL
from gpkit_experiments.papers.sevens.study import GENERATIONS, SEEDS, Study

pytestmark = compiled_only

SERIAL = SerialExecutor()
LEVELS = ("easy", "medium", "hard", "expert")
FULL: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "data" / "paper-sevens.json").read_text(encoding="utf-8")
)


@cache
def tiny() -> Findings:
    return PAPER.run("quick", 1, SERIAL)


def test_the_same_seed_gives_the_same_findings() -> None:
    assert PAPER.run("quick", 1, SERIAL) == tiny()


def test_every_claim_of_the_article_has_its_table() -> None:
    tables = [row.table for row in tiny().rows]
    for words in (
        "Levels against two `random`, share of games won: the algorithm",
        "Levels against two `simple`, share of games won: these programs",
        "Each level against two of the level below",
        "Formulas that are a single terminal",
        "Nodes of a program, mean of a population, without the penalty",
        "Rise of a population from easy to hard",
        "Build order without a penalty for size",
        "Decision trees of at most 8 leaves",
    ):
        assert any(table.startswith(words) for table in tables), words


def test_units_are_what_was_drawn_independently() -> None:
    for row in tiny().rows:
        expected = {"deals": {20}, "runs": {2}, "data sets": {2}}[row.unit]
        assert row.measured.units in expected


def test_each_level_claims_to_be_above_the_one_below() -> None:
    heading = "Levels against two `simple`, share of games won: these programs"
    rows = {row.quantity: row for row in tiny().rows if row.table == heading}
    assert tuple(rows) == ("easy", AT_BEST, "medium", "hard", "expert")
    assert rows["easy"].claim is None
    assert rows[AT_BEST].claim is None
    assert rows["medium"].claim is None, "above the median of random programs whatever evolution does"
    assert rows["hard"].claim == Claim(above=rows["medium"].measured)
    assert rows["expert"].claim == Claim(above=rows["hard"].measured)


def test_program_files_are_valid_and_say_where_they_come_from() -> None:
    programs = {path: text for path, text in tiny().files.items() if path.endswith(".tree")}
    assert len(programs) == len(LEVELS) * TINY.runs * TINY.specimens
    for path, text in programs.items():
        source = parse(text, path)
        assert [d.message for d in check(source, GAME.offers) if d.severity == "error"] == []
        level, _, name = path.partition("/")
        assert source.header == {
            "game": "sevens",
            "alphabet": "article",
            "level": level,
            "seed": name.partition("-")[0],
            "generation": str(TINY.generations[level]),
            "specimen": name.partition("-")[2].removesuffix(".tree"),
        }


def test_the_lua_file_has_every_specimen_of_every_level() -> None:
    roster = LuaRuntime().execute(tiny().files["computer.lua"])
    assert set(roster) == set(LEVELS)
    for level in LEVELS:
        specimens = list(roster[level].values())
        assert len(specimens) == TINY.runs * TINY.specimens
        assert all(specimen.play and specimen.send for specimen in specimens)


def test_easy_is_from_the_middle_of_generation_0() -> None:
    study = Study(TINY, 1, SERIAL, lambda _: None)
    courses = study.courses("", TINY.config, ("easy", "expert"), 1)
    effort = replace(TINY, generations={"easy": 0, "expert": 4})
    rosters = rosters_of(replace(study, effort=effort), courses)
    first = [i.genome for i in courses[0].populations[0]]
    assert first.index(rosters["easy"][0][1]) in range(8, 12)
    assert rosters[AT_BEST][0][0] == first[0]
    assert rosters["expert"][0][0] == courses[0].populations[4][0].genome


def test_single_terminals_are_counted_by_formula() -> None:
    single, double = (
        parse("play: env.rank\nsend: 1.5").program,
        parse("play: env.rank\nsend: env.rank + 1.5").program,
    )
    rosters = {level: [[single, double], [double, double]] for level in LEVELS}
    row = terminal_rows(rosters)[0]
    assert row.measured.mean == (0.75 + 0.5) / 2
    assert row.measured.units == 2


def test_sizes_are_a_line_for_each_generation() -> None:
    lines = tiny().files["sizes.csv"].splitlines()
    assert lines[0] == "generation,with_penalty,without_penalty"
    assert [int(line.split(",")[0]) for line in lines[1:]] == list(range(5))
    assert lines[1].split(",")[1] == lines[1].split(",")[2]


def test_four_trees_become_bluer_and_the_best_is_never_lost() -> None:
    runs = histories(range(1, 31))
    for history in runs:
        best = [population[0].score for population in history.values()]
        assert len(best) == 6
        assert best == sorted(best)
        assert all(len(population) == 4 for population in history.values())
    assert blue_row(runs).measured.mean > 0.5
    assert blue_search(1).problem.evaluate([parse("blue + red + blue").program], 1, 0, SERIAL)[0].score == 2.0


# The committed result.


def committed(words: str, unit: str) -> dict[str, dict[str, Any]]:
    """The rows of the table that starts with these words, by quantity."""
    return {
        row["quantity"]: row for row in FULL["rows"] if row["table"].startswith(words) and row["unit"] == unit
    }


def test_committed_result_is_of_the_settings_in_use() -> None:
    assert FULL["schema"] == "gpkit/paper/1"
    assert FULL["command"] == f"gpkit paper sevens --budget full --seed {FULL['seed']}"
    assert set(FULL["versions"]) >= {"gpkit", "python", "numpy", "numba"}
    settings = dict(FULL["settings"])
    first = FULL["seed"] * SEEDS + 1
    assert settings.pop("run_seeds") == list(range(first, first + EFFORTS["full"].runs))
    today = json.loads(json.dumps(EFFORTS["full"].to_json()))
    stored, config = (config_from_data(data.pop("config"), Config()) for data in (settings, today))
    assert stored == config, "settings that came later have their defaults"
    assert settings == today
    assert FULL["settings"]["runs"] >= 5
    assert FULL["settings"]["generations"] == dict(GENERATIONS)


def test_committed_result_has_the_tables_of_today() -> None:
    today = [(row.table, row.unit, row.published) for row in tiny().rows]
    assert [(row["table"], row["unit"], row["published"]) for row in FULL["rows"]] == today


@pytest.mark.parametrize("opponent", ["random", "simple"])
@pytest.mark.parametrize(("unit", "whom"), [("runs", "the algorithm"), ("deals", "these programs")])
def test_committed_ladder_is_disjoint(opponent: str, unit: str, whom: str) -> None:
    rows = committed(f"Levels against two `{opponent}`, share of games won: {whom}", unit)
    below = 0.0
    for level in LEVELS:
        low, high = rows[level]["ci95"]
        assert below < low <= rows[level]["measured"] <= high
        below = high


def test_committed_duels_are_won_by_the_higher_level() -> None:
    for unit in ("runs", "deals"):
        rows = committed("Each level against two of the level below", unit)
        assert len(rows) == 3
        assert all(row["ci95"][0] > 1 / 3 for row in rows.values())


@pytest.mark.slow
def test_committed_result_comes_out_again() -> None:
    found = json.loads(json.dumps(PAPER_IN_FULL.run("full", FULL["seed"], SERIAL).to_json("full")))
    assert found["notes"] == FULL["notes"]
    for row, expected in zip(found["rows"], FULL["rows"], strict=True):
        assert row["measured"] == pytest.approx(expected["measured"], abs=1e-9)
        assert (row["quantity"], row["verdict"]) == (expected["quantity"], expected["verdict"])

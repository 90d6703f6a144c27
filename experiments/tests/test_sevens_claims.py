"""The papers on single claims of the article on Sevens: their variants, what they count, and their records."""

import json
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest
from kernel_marks import compiled_only
from tiny_paper import CONFIG, TINY

from gpkit.analysis.ratings import Order
from gpkit.core.registry import find
from gpkit.core.rng import stream
from gpkit.core.settings import to_data
from gpkit.evolution.config import Config
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.problem import Individual, Origin
from gpkit.evolution.subjects import config_from_data
from gpkit.languages.arithmetic.text import parse
from gpkit_experiments.papers.courses import Course
from gpkit_experiments.papers.page import record_of
from gpkit_experiments.papers.paper import Findings, Paper, ignore
from gpkit_experiments.papers.registry import PAPERS
from gpkit_experiments.papers.sevens.ladder import possible_circles
from gpkit_experiments.papers.sevens.study import EASY, HARD, Study
from gpkit_experiments.papers.sevens_claims import paper as claims
from gpkit_experiments.papers.sevens_operations import paper as operations

pytestmark = compiled_only

SERIAL = SerialExecutor()
SMALL = replace(TINY, config=replace(CONFIG, population=replace(CONFIG.population, size=40)))
UP_TO_HARD = replace(SMALL, generations={EASY: 0, HARD: 2})

TESTED: dict[str, tuple[Any, Paper[Any, Any]]] = {
    "sevens-claims": (claims, replace(claims.PAPER, efforts={"quick": SMALL})),
    "sevens-operations": (operations, replace(operations.PAPER, efforts={"quick": UP_TO_HARD})),
}


@cache
def tiny(name: str) -> Findings:
    return TESTED[name][1].run("quick", 1, SERIAL)


@pytest.mark.parametrize("name", TESTED)
def test_the_same_seed_gives_the_same_findings(name: str) -> None:
    assert TESTED[name][1].run("quick", 1, SERIAL) == tiny(name)


@pytest.mark.parametrize("name", TESTED)
def test_nearly_every_row_has_a_criterion(name: str) -> None:
    without = [row.quantity for row in tiny(name).rows if row.claim is None]
    assert (
        without
        == {
            "sevens-claims": ["pairs of which one beats the other"],
            "sevens-operations": ["no crossover"],
        }[name]
    )


@pytest.mark.parametrize("name", [entry.name for entry in PAPERS if entry.name in TESTED])
def test_the_committed_result_is_of_the_settings_and_criteria_in_use(name: str) -> None:
    record, module = record_of(name), TESTED[name][0]
    assert find(PAPERS, name, "paper").load() is module.PAPER
    assert record["command"] == f"gpkit paper {name} --budget full --seed {record['seed']}"
    settings = dict(record["settings"])
    assert len(settings.pop("run_seeds")) == settings["runs"]
    whole = to_data(config_from_data(settings["config"], Config()))  # with keys that came later
    settings["config"] = {k: v for k, v in json.loads(json.dumps(whole)).items() if k != "seed"}
    assert settings == json.loads(json.dumps(module.EFFORTS["full"].to_json()))
    today = {(row.table, row.quantity): row.to_json("full")["claim"] for row in tiny(name).rows}
    stored = {(row["table"], row["quantity"]): row["claim"] for row in record["rows"]}
    assert list(stored) == list(today)
    printed = "The function that the article prints, share of games won"
    assert [key for key in today if today[key] != stored[key] and key[0] != printed] == []


def test_variants_differ_in_what_they_are_named_for() -> None:
    rng = stream(1, "formulas")
    symbols: dict[str, set[Any]] = {}
    for name, arm in operations.ARMS.items():
        found = operations.search(arm, CONFIG, 1)
        programs = [found.representation.create(rng, number) for number in range(50)]
        symbols[name] = {symbol for program in programs for tree in program.trees for symbol in tree.symbols}
        shares = dict(found.parameters.scheme.shares)
        assert sum(shares.values()) > 0.7, "the loop takes them in proportion"
        assert ("crossover" in shares) == (name not in ("no crossover", "constants alone"))
        assert ("clone" in shares) == (name != "no cloning")
    assert symbols["no crossover"] >= {"+", "*", "env.rank"}
    more = {symbol for symbol in symbols["all operators of the language"] if isinstance(symbol, str)}
    less = {symbol for symbol in symbols["no crossover"] if isinstance(symbol, str)}
    assert {symbol for symbol in more if symbol.startswith("env.")} == {
        s for s in less if s.startswith("env.")
    }
    assert more - less >= {"min", "max", "abs"}


def course(*scores: list[float]) -> Course[Any]:
    """A run of these scores by generation; each program is made of the first of the generation before."""
    program = parse("play: env.rank\nsend: env.rank").program
    populations = {
        generation: [
            Individual(
                10 * generation + number, program, 2, Origin("subtree", (10 * (generation - 1),)), score
            )
            for number, score in enumerate(values)
        ]
        for generation, values in enumerate(scores)
    }
    return Course(1, (), populations)


def test_half_of_the_rise_is_that_of_the_algorithm() -> None:
    whole, late, never = course([0.0], [0.5], [1.0]), course([0.0], [0.4], [0.6]), course([0.0], [0.1], [0.2])
    study = Study(UP_TO_HARD, 1, SERIAL, ignore)
    assert operations.halfway(study, [late, never], [whole, whole]).mean == 1.5
    assert operations.halfway(study, [whole, whole], [whole, whole]).mean == 0.0


def test_children_are_compared_with_the_program_that_they_were_made_of_on_their_deals() -> None:
    courses = [course([0.9, 0.1], [0.4, 0.2], [0.5, 0.3])]
    problem: Any = SimpleNamespace(evaluate=lambda genomes, *_: [SimpleNamespace(score=0.3)] * len(genomes))
    assert operations.better_children(courses, "subtree", [problem], SERIAL) == [0.5]


def test_circles_that_could_be_are_those_that_no_decided_pair_forbids() -> None:
    names = ("a", "b", "c")
    assert possible_circles(Order(names, (), (("a", "b"), ("b", "c"), ("a", "c")), ())) == 2
    assert possible_circles(Order(names, (("a", "b"), ("b", "c")), (("a", "c"),), ())) == 1
    assert possible_circles(Order(names, (("a", "b"), ("b", "c"), ("a", "c")), (), ())) == 0
    assert possible_circles(Order(names, (("a", "b"), ("b", "c"), ("c", "a")), (), (names,))) == 1

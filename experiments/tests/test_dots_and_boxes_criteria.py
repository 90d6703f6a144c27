"""Criteria of the paper on the accessibility learner can fail: they do where the mechanism is switched off."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache

import pytest
from kernel_marks import compiled_only

from gpkit.games.dots_and_boxes.learning import PRESETS, Config
from gpkit.genomes.graph import actions
from gpkit_experiments import learning_runs
from gpkit_experiments.papers.dots_and_boxes.further_rows import (
    COMBINED,
    Results,
    apart_rows,
    ease_rows,
    language_rows,
    printed_rule,
    rate_in_source_language,
    schedule_rows,
    source_rows,
    specificity_rows,
    table_rows,
    value_of_rule,
)
from gpkit_experiments.papers.dots_and_boxes.runs import (
    APART,
    CHOSEN,
    EASE,
    EMPTIED,
    SCHEDULES,
    TABLED,
    TOGETHER,
    Run,
    run,
)
from gpkit_experiments.papers.paper import Row, Verdict, exact

GAMES = 5_000
POINTS = tuple(range(GAMES // 10, GAMES + 1, GAMES // 10))
SEEDS = range(21, 27)

CONSTANT = PRESETS["constant"]

CONFIGS: Mapping[str, Config] = {
    "intact": CONSTANT,
    "hardly any new rules": replace(CONSTANT, covering=replace(CONSTANT.covering, probability=0.001)),
    "no children": replace(CONSTANT, reproduction=replace(CONSTANT.reproduction, children=0)),
    "nothing is learned": replace(CONSTANT, reward=replace(CONSTANT.reward, rate=1e-6)),
    "nothing is forgotten": replace(CONSTANT, reward=replace(CONSTANT.reward, forgetting=1e-7)),
    "rules of one side": replace(
        CONSTANT,
        covering=replace(CONSTANT.covering, part="fragment", more=0.0),
        reproduction=replace(CONSTANT.reproduction, children=0),
    ),
}
"""The learner of the source, and the same without one of its mechanisms."""


@cache
def made(name: str, opponent: str = "chain") -> tuple[Run, ...]:
    """Short runs of a configuration."""
    config = replace(CONFIGS[name], games=GAMES, opponent=opponent)
    return tuple(run(replace(config, seed=seed), points=POINTS) for seed in SEEDS)


def verdict(rows: Iterable[Row], *words: str) -> Verdict | None:
    """The verdict of the one row that is judged and has these words in its heading and its quantity."""
    names = [(row, f"{row.table} / {row.quantity}") for row in rows if row.claim]
    (found,) = [row for row, name in names if all(word in name for word in words)]
    return found.verdict("full")


def of_source(name: str) -> Iterable[Row]:
    return source_rows({"constant": made(name)})


def of_rules(name: str) -> Iterable[Row]:
    return specificity_rows({APART: made(name), TOGETHER: made(name)})


def against_greedy(name: str) -> Iterable[Row]:
    return ease_rows({EASE["greedy"]: made(name, "greedy")})


@compiled_only
@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "words", "off"),
    [
        pytest.param(of_source, ("a rule acts", "worst"), "hardly any new rules", id="rules act"),
        pytest.param(of_source, ("Sum of all f",), "nothing is forgotten", id="the sum of f settles"),
        pytest.param(of_rules, ("constant", "1%"), "no children", id="some rules are general"),
        pytest.param(
            of_rules, ("constant: rules that match in none",), "rules of one side", id="some are special"
        ),
        pytest.param(against_greedy, ("greedy",), "nothing is learned", id="an easy opponent teaches"),
    ],
)
def test_a_short_run_holds_and_without_its_mechanism_does_not(
    rows: Callable[[str], Iterable[Row]], words: tuple[str, ...], off: str
) -> None:
    assert verdict(rows("intact"), *words) == "holds"
    assert verdict(rows(off), *words) != "holds"


KEPT = learning_runs.results()
"""The runs that are kept."""


@pytest.mark.parametrize(
    "quantity",
    [
        "the worst run at its end, as a share of its own best",
        "the worst run at its end",
        "pairs of points of which the later wins more",
        "runs in which a rule that plays into a long chain is among the five of greatest f",
    ],
)
def test_a_course_holds_and_with_one_number_for_q_and_f_it_does_not(quantity: str) -> None:
    """The combined measure in place of f apart from Q, as the source's own first runs have it."""
    intact, off = (
        [row for row in source_rows({"rising-20": KEPT[name]}) if row.quantity == f"rising-20: {quantity}"]
        for name in ("rising-20", "combined")
    )
    assert [row.verdict("full") for row in intact] == ["holds"]
    assert [row.verdict("full") for row in off] in (["fails"], ["open"])


def test_a_maximum_holds_and_where_learning_stops_early_it_does_not() -> None:
    early = {name: [until(one, 10_000) for one in KEPT[name]] for name in SCHEDULES}
    for rows, words in (
        (schedule_rows, ("maximum", "rising-20")),
        (source_rows, ("Share of wins while learning, at the end / rising-20",)),
    ):
        assert verdict(rows(KEPT), *words) == "holds"
        assert verdict(rows(early), *words) == "fails"


def until(found: Run, games: int) -> Run:
    """The beginning of a run."""
    return replace(found, points=tuple(point for point in found.points if point.games <= games))


def test_a_rising_beta_is_slower_and_a_constant_one_in_its_place_is_not() -> None:
    words = ("games until half", "rising-20 less constant")
    constant = dict.fromkeys(SCHEDULES, KEPT["constant"])
    assert verdict(schedule_rows(KEPT), *words) == "holds"
    assert verdict(schedule_rows(constant), *words) != "holds"


@pytest.mark.parametrize(
    ("rows", "names", "words"),
    [
        pytest.param(apart_rows, (CHOSEN, COMBINED), ("less combined", "100,000 games"), id="f apart"),
        pytest.param(table_rows, (TABLED, EMPTIED), ("emptied less kept",), id="the table of ours"),
    ],
)
def test_a_difference_holds_and_without_the_difference_it_does_not(
    rows: Callable[[Results], Iterable[Row]], names: tuple[str, str], words: tuple[str, ...]
) -> None:
    first, second = names
    assert verdict(rows({name: KEPT[name] for name in names}), *words) == "holds"
    assert verdict(rows({first: KEPT[first], second: KEPT[first]}), *words) != "holds"


def test_the_printed_rule_is_worth_what_is_printed_and_with_another_action_it_is_not() -> None:
    (row,) = [row for row in language_rows() if "8.99" in row.quantity]
    assert row.claim is not None
    assert row.verdict("full") == "holds"
    rule = printed_rule()
    others = [replace(rule, action=action) for action in actions(rule.graph) if action != rule.action]
    assert others
    assert all(row.claim.judge(exact(value_of_rule(other))) == "fails" for other in others)


@compiled_only
def test_equality_is_passed_in_the_source_s_language_and_without_double_deals_it_is_not() -> None:
    """``greedy.rules`` takes boxes in the same language, and deals none."""
    (row,) = [row for row in language_rows() if "double-dealer" in row.quantity]
    assert row.claim is not None
    assert row.verdict("full") == "fails"
    assert row.claim.judge(exact(rate_in_source_language("greedy"))) == "holds"

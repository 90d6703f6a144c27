"""Claims of the paper on Sevens about execution and decision trees: greedy splits, data sets, dead weight."""

import json
from pathlib import Path
from statistics import mean

import numpy as np
import pytest

from gpkit.core.rng import stream
from gpkit.evolution.executors import SerialExecutor
from gpkit.genomes.comparisons import Comparison
from gpkit.languages.execution.text import parse
from gpkit_experiments.papers.paper import ignore
from gpkit_experiments.papers.sevens.decisions import (
    CLASSES,
    INPUTS,
    LEARNED,
    LEAVES,
    best_split,
    cart,
    data_set,
    impurity,
)
from gpkit_experiments.papers.sevens.paper import EFFORTS
from gpkit_experiments.papers.sevens.plans import untaken
from gpkit_experiments.papers.sevens.study import Study

FULL = json.loads((Path(__file__).parents[1] / "data" / "paper-sevens.json").read_text(encoding="utf-8"))


def test_the_best_split_is_that_of_all_thresholds() -> None:
    rng = stream(3, "rows")
    columns, kinds = rng.random((3, 40)).round(1), np.eye(3)[rng.integers(0, 3, 40)]

    def left(low: np.ndarray) -> float:
        return sum(float(impurity(kinds[part].sum(axis=0)[None])[0]) for part in (low, ~low))

    whole = float(impurity(kinds.sum(axis=0)[None])[0])
    gains = [whole - left(column < threshold) for column in columns for threshold in np.unique(column)[1:]]
    assert best_split(columns, kinds).gain == pytest.approx(max(gains))


def test_greedy_splits_learn_a_step_and_stop_at_pure_leaves() -> None:
    columns = np.array([[1.0, 2.0, 3.0, 4.0], [5.0, 5.0, 5.0, 5.0]])
    (tree,) = cart(("a", "b"), columns, ("no", "no", "yes", "yes"), 8).trees
    assert tree.symbols == (Comparison("a", "<", 2.5), "no", "yes")


def test_greedy_trees_have_no_more_leaves_than_asked_for() -> None:
    data = data_set(7)
    for leaves in (1, 2, 5, 8):
        tree = cart(INPUTS, data.columns[:, :LEARNED], data.targets[:LEARNED].tolist(), leaves)
        assert len(tree.trees[0].leaves) == leaves


def test_data_sets_are_trees_with_some_errors() -> None:
    data = data_set(7)
    assert set(data.targets) == set(CLASSES)
    assert data_set(7).targets.tolist() == data.targets.tolist()
    tree = cart(INPUTS, data.columns, data.targets.tolist(), 4 * LEAVES)
    assert 0.8 < data.hits(tree).mean() < 0.95


def test_branches_that_games_never_take_are_counted_with_what_is_in_them() -> None:
    text = (
        "// game: build_order\ndecide env.drones > 7\n  yes:\n    do drone\n"
        "  no:\n    do overlord\n    decide env.drones > 9\n      yes:\n        do queen\n      no:\n        do drone\n"
    )
    program = parse(text, "a.plan").program
    yes, no, inner = ((0, 0), True), ((0, 0), False), ((0, 3), True)
    assert untaken(program, []) == (0, 0, 0)
    assert untaken(program, [yes]) == (1, 1, 4)
    assert untaken(program, [no, inner]) == (2, 2, 2)
    assert untaken(program, [yes, no]) == (1, 0, 0)


def test_the_committed_share_of_greedy_trees_comes_out_again() -> None:
    seeds = Study(EFFORTS["full"], FULL["seed"], SerialExecutor(), ignore).run_seeds(
        EFFORTS["full"].data_sets
    )
    shares = []
    for data in map(data_set, seeds):
        tree = cart(INPUTS, data.columns[:, :LEARNED], data.targets[:LEARNED].tolist(), LEAVES)
        shares.append(data.part(slice(LEARNED, None)).hits(tree).mean())
    (row,) = (row for row in FULL["rows"] if row["quantity"] == "by greedy splits")
    assert mean(shares) == pytest.approx(row["measured"], abs=1e-12)

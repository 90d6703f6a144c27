"""Rules of the source's learner beside what f, Q and their order stand for: the measures, and the record."""

import json

import numpy as np
import pytest
from kernel_marks import compiled_only

from gpkit.core.settings import to_data
from gpkit.games.dots_and_boxes.exact import choices_of, result
from gpkit.games.dots_and_boxes.learner.learner import RULES, Learner
from gpkit_experiments import learned_populations as populations

RECORD = json.loads(populations.FILE.read_text(encoding="utf-8"))


def test_the_record_is_of_the_settings_in_use() -> None:
    assert RECORD["config"] == json.loads(json.dumps(to_data(populations.CONFIG)))
    assert (RECORD["command"], RECORD["games"]) == (populations.COMMAND, populations.GAMES)
    assert [*map(int, RECORD["runs"])] == [*populations.SEEDS][: len(RECORD["runs"])]


def test_ranks_that_go_together_and_ranks_that_do_not() -> None:
    values = np.array([3.0, 1.0, 2.0, 2.0])
    assert populations.rank_correlation(values, 10.0 * values) == pytest.approx(1.0)
    assert populations.rank_correlation(values, -values) == pytest.approx(-1.0)
    assert populations.rank_correlation(values, np.ones(4)) == 0.0


def test_the_chance_of_the_best_rule_among_ten_and_among_all() -> None:
    weights = np.ones(30)
    few, many = np.arange(30) < 4, np.arange(30) < 20
    assert populations.chances_of_best(few, weights) == (0.25, 0.25)
    assert populations.chances_of_best(many, weights) == (0.1, 0.05)
    matched = np.array([many, np.arange(30) < 12])
    assert populations.unsteadiness(matched, weights, np.array([1, 1]), 10.0)[0] == 0.0


@compiled_only
def test_values_are_those_of_the_best_answer_to_the_opponent() -> None:
    learner = Learner(populations.CONFIG)
    known = populations.true_values(learner.environment)
    best = np.zeros(len(known.own), dtype=np.int64)
    successors, closed = learner.environment.classes.successors, learner.environment.classes.closed
    after = np.where(closed > 0, closed + known.own[successors], known.other[successors])
    best[:-1] = 1 << np.where(successors >= 0, after, -np.inf).argmax(axis=1)[:-1]
    assert result(best, choices_of("chain", RULES), RULES).mean > 0.95


def test_rules_go_where_decisions_gain_most() -> None:
    """The last of equal places; a rule before one that it betters, and behind one that betters it."""
    nothing = np.nan
    values = np.array([[-1.0, 0.0, nothing], [0.0, -1.0, nothing], [nothing, nothing, -3.0]])
    order = populations.best_order(values, np.array([-2.0, -2.0, -2.0]), np.array([3, 1, 1]))
    assert order == [1, 2, 0]
    assert populations.best_order(values[:, :2], np.full(3, -2.0), np.array([1, 3, 1])) == [0, 1]
    edges = np.array([[1.0, 2.0, 4.0]])
    means = populations.mean_values(np.array([[0b101, 0b010, 0]]), edges)
    assert np.array_equal(means, [[2.5, 2.0, np.nan]], equal_nan=True)

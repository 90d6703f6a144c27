"""Trees fitted to rows: leaves and tests are the best there are, by definition, and gaps go where the text says."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.core.rng import stream
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.fitting import Loss, Sample, fitting_of, sample_of
from gpkit.genomes.decision import DecisionProgram
from gpkit.languages.decision.forms.fitting import TestRows, leaves_of, losses_of, named, opened, threshold
from gpkit.languages.decision.kernel.trees import CHANGED, RIGHT, SPREAD, Cut, Marked, best_cut
from gpkit.languages.decision.text import parse

FORM = fitting_of("decision")
INPUTS = ("x", "y")


def sample(loss: Loss, seed: int) -> Sample:
    """Forty rows with gaps, weights, and numbers or three classes."""
    rng = stream(seed, "rows")
    columns = rng.integers(-3, 4, (2, 40)).astype(float)
    targets = columns[0] * (columns[1] > 0) + rng.normal(size=40)
    columns[0, ::7] = math.nan
    if loss == "logistic":
        targets = np.digitize(targets, [-0.5, 0.5]).astype(float)
    return sample_of(INPUTS, columns, targets, rng.integers(1, 4, 40).astype(float))


def program(text: str) -> DecisionProgram:
    return parse(text).program


@pytest.mark.parametrize("loss", ["squares", "logistic"])
@pytest.mark.parametrize("seed", range(5))
def test_a_test_is_the_best_of_all_for_its_branches(loss: Loss, seed: int) -> None:
    data = sample(loss, seed)
    rows = TestRows(data, loss)
    (tree,) = program("test x <= 0 yes: test y <= 0 yes: 0 no: 0 no: test y > 1 yes: 0 no: 0").trees
    found = rows.retested(tree, 0, range(2))
    _, values = leaves_of(tree, data, loss)
    fixed = [float(value) for value in values]

    def lost(text: str) -> float:
        other = named(program(text).trees[0], fixed)
        predicted = FORM.values(DecisionProgram(("formula",), (other,)), INPUTS, data.columns)
        errors = (predicted - data.targets) ** 2 if loss == "squares" else predicted != data.targets
        return float((data.weights * errors).sum())

    rest = "yes: test y <= 0 yes: 0 no: 0 no: test y > 1 yes: 0 no: 0"
    cuts = [k + 0.5 for k in range(-3, 3)]
    tests = [f"test {name} {sign} {cut} {rest}" for name in INPUTS for sign in ("<=", ">") for cut in cuts]
    node = found.symbols[0]
    assert lost(f"test {node.feature} {node.sign} {node.threshold} {rest}") == pytest.approx(
        min(map(lost, tests)), rel=1e-12
    )


def readable_cut(
    rows: Marked, inside: np.ndarray, features: Sequence[int], kind: int, total: np.ndarray, mass: float
) -> Cut:
    """The meaning of ``best_cut``: the gains of all cuts of a feature at once."""

    def kept(sums: np.ndarray, mass: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):
            spread = np.where(mass > 0.0, sum(column**2 for column in sums.T) / mass, -np.inf)
        return spread if kind == SPREAD else sums.max(axis=1) + 1e-6 * spread

    without = 0.0 if kind == CHANGED else float(kept(total[None, :], np.array([mass]))[0])
    best = Cut(-1, 0.0, 0.0, False, -math.inf, without)
    for feature in features:
        there = rows.order[feature][inside[rows.order[feature]]]
        if not len(there):
            continue
        values, sums = rows.columns[feature, there], np.cumsum(rows.marks[there], axis=0)
        turned = np.zeros(len(there), dtype=bool)
        if kind == CHANGED:
            straight, other = -sums[:, 0], sums[:, 0] - sums[-1, 0]
            gains, turned = np.maximum(straight, other), other > straight
        else:
            below = np.cumsum(rows.weights[there])
            gains = kept(sums, below) + kept(total - sums, mass - below) - without
        for cut in np.flatnonzero(values[:-1] < values[1:]):
            if best.feature < 0 or gains[cut] > best.gain:
                best = Cut(feature, values[cut], values[cut + 1], bool(turned[cut]), gains[cut], without)
    return best


@pytest.mark.parametrize("kind", [SPREAD, RIGHT, CHANGED])
@pytest.mark.parametrize("seed", range(20))
def test_the_best_cut_is_that_of_its_readable_twin(kind: int, seed: int) -> None:
    rng = stream(seed, "cuts")
    count, classes = int(rng.integers(1, 60)), 1 if kind == CHANGED else int(rng.integers(1, 12))
    columns = rng.integers(-3, 4, (4, count)) * rng.choice([0.1, 1.0, 0.0], (4, 1))
    columns[0, rng.random(count) < 0.3] = math.nan
    weights = rng.choice([0.0, 0.3, 1.0], count)
    marks = rng.normal(size=(count, classes))
    rows = Marked(np.argsort(columns, axis=1, kind="stable"), columns, weights, marks)
    inside, features = rng.random(count) < 0.8, rng.permutation(4)[: rng.integers(1, 5)]
    given = (rows, inside, features, kind, marks[inside].sum(axis=0), float(weights[inside].sum()))
    found = Cut(*best_cut(*given, np.empty((2, classes))))
    assert found == readable_cut(*given)


@pytest.mark.parametrize("loss", ["squares", "logistic"])
def test_trees_that_are_refined_and_written_are_no_worse(loss: Loss) -> None:
    classes = ("low", "middle", "very high") if loss == "logistic" else ()
    data = sample(loss, 9)
    problem = FORM.fitting_problem(data, loss, 1, 10, classes)
    space = FORM.representation_of_columns(data, (), None, 15, classes)
    for index in range(12):
        genome = space.create(stream(index, "tree"), index)
        assert space.admits(genome)
        (score,) = (e.score for e in problem.evaluate([genome], 0, 0, SerialExecutor()))
        fitted = problem.fitted(genome)
        (after,) = (e.score for e in problem.evaluate([fitted], 0, 0, SerialExecutor()))
        assert after >= score >= 0.0
        written = problem.written(genome)
        assert space.parse(space.print(written)) == written
        assert losses_of(written.trees[0], data, loss).sum() == losses_of(genome.trees[0], data, loss).sum()
        assert opened(written).trees[0].sizes == written.trees[0].sizes


@given(st.floats(-1e9, 1e9), st.floats(1e-6, 1e9))
@settings(max_examples=50)
def test_a_threshold_lies_between_what_it_parts(low: float, step: float) -> None:
    if low < low + step:
        assert low <= threshold(low, low + step) < low + step

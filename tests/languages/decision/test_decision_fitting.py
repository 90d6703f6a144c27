"""Trees fitted to rows: leaves and tests are the best there are, by definition, and gaps go where the text says."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.core.rng import stream
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.fitting import Loss, Sample, fitting_of, sample_of
from gpkit.genomes.decision import DecisionProgram
from gpkit.languages.decision.fitting import TestRows, leaves_of, losses_of, named, opened, threshold
from gpkit.languages.decision.parser import parse

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
    return sample_of(INPUTS, columns, targets, rng.integers(1, 4, 40).astype(float), has_gaps=True)


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

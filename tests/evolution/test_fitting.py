"""Fits: scales are the best there are, weights count as rows, constants are found, and what is written predicts."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import SENSORS, trees

from gpkit.core.arrays import Floats
from gpkit.core.errors import UsageError
from gpkit.evolution.config import STEPS, BloatSettings, IslandsSettings, RefinementSettings
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.fitting import (
    Loss,
    Sample,
    balanced_weights,
    evaluations_of,
    fitting_of,
    least_loss,
    nats_of_classes,
    sample_of,
    scales_of,
    shortest_description,
    shortest_tree,
)
from gpkit.evolution.kernel.fits import solve_damped
from gpkit.evolution.loop import advance, begin, epochs
from gpkit.evolution.problem import STRIDE, WORST, Evaluation
from gpkit.evolution.schemes import Generational, Plus, Tournament
from gpkit.evolution.search import Parameters, Search
from gpkit.genomes.tree import LONE_SECTION, Tree, TreeProgram
from gpkit.langkit.formulas import print_formula
from gpkit.languages.arithmetic.forms.fitting import SETTINGS, TERMS, evaluate_terms, terms_of
from gpkit.languages.arithmetic.text import parse

FORM = fitting_of("arithmetic")
INPUTS = ("x", "y")
RNG = np.random.default_rng(7)
COLUMNS = RNG.uniform(-3.0, 3.0, (2, 60))
WEIGHTS = RNG.integers(0, 4, 60).astype(float)
NUMBERS = 3.0 * COLUMNS[0] ** 2 / (1.5 + COLUMNS[1] ** 2) + 0.5
CLASSES = (NUMBERS + RNG.normal(size=60) > 3.0).astype(float)


def sample(loss: Loss, weights: np.ndarray | None = None) -> Sample:
    return sample_of(INPUTS, COLUMNS, NUMBERS if loss == "squares" else CLASSES, weights)


def program(text: str) -> TreeProgram:
    return parse(text).program


def loss_of(scale: np.ndarray, values: np.ndarray, data: Sample, loss: Loss) -> float:
    """The loss by definition."""
    predicted = scale[0] + scale[1] * values
    if loss == "squares":
        return float((data.weights * (predicted - data.targets) ** 2).sum())
    chances = 1.0 / (1.0 + np.exp(-predicted))
    right = np.where(data.targets == 1.0, chances, 1.0 - chances)
    return float(-(data.weights * np.log(right)).sum())


def scaled(values: np.ndarray, data: Sample, loss: Loss, blocks: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Slopes, and intercepts with losses, of formulas of one term each."""
    return scales_of((values, np.arange(len(values)) + 1), data, loss, blocks)


@pytest.mark.parametrize("loss", ["squares", "logistic"])
def test_no_other_scale_is_better(loss: Loss) -> None:
    data = sample(loss, WEIGHTS)
    values = COLUMNS[0] ** 2 - COLUMNS[1]
    (slope,), ((intercept, least),) = scaled(values[None], data, loss)
    found = np.array([intercept, slope])
    assert least == pytest.approx(loss_of(found, values, data, loss), rel=1e-12)
    for turn in np.linspace(0.0, 2.0 * math.pi, 16):
        other = found + 1e-3 * np.array([math.cos(turn), math.sin(turn)])
        assert loss_of(other, values, data, loss) > least
    if loss == "squares":
        expected = np.polyfit(values, data.targets, 1, w=np.sqrt(data.weights))
        assert found[::-1] == pytest.approx(expected, rel=1e-9)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, TERMS), st.integers(0, 10**6))
def test_terms_make_the_plane_of_least_squares(count: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    terms, targets, weights = rng.normal(size=(count, 41)), rng.normal(size=41), rng.integers(0, 3, 41)
    data = sample_of(("x",), terms[:1], targets, weights)
    ends = np.array([count, count + 1])
    slopes, found = scales_of((np.vstack([terms, terms[:1]]), ends), data, "squares", 2)
    root = np.sqrt(weights)
    expected = np.linalg.lstsq(root[:, None] * np.vstack([np.ones(41), terms]).T, root * targets)[0]
    assert [found[0, 0], *slopes[:count]] == pytest.approx(expected, rel=1e-9, abs=1e-9)
    left = weights * (found[0, 0] + slopes[:count] @ terms - targets) ** 2
    assert found[0, 1:] == pytest.approx([left[::2].sum(), left[1::2].sum()], rel=1e-9)
    assert found[1, 1:].sum() >= found[0, 1:].sum() * (1.0 - 1e-9)


def test_terms_that_tell_nothing_new_have_slope_0() -> None:
    x, y = COLUMNS
    terms = np.array([x, np.ones(60), y, 2.0 * x - 3.0 * y + 1.0, x * y])
    slopes, found = scales_of((terms, np.array([5])), sample("squares"), "squares")
    assert (slopes == 0.0).tolist() == [False, True, False, True, False]
    fewer, without = scales_of((terms[[0, 2, 4]], np.array([3])), sample("squares"), "squares")
    assert found == pytest.approx(without, rel=1e-12)
    assert slopes[[0, 2, 4]] == pytest.approx(fewer, rel=1e-12)


def test_terms_of_classes_are_the_plane_along_the_likeliest_curve() -> None:
    data = sample("logistic", WEIGHTS)
    terms = np.array([COLUMNS[0], COLUMNS[0] * COLUMNS[0], COLUMNS[1] * COLUMNS[1]])
    plane, _ = scales_of((terms, np.array([3])), data, "squares")
    slopes, ((intercept, loss),) = scales_of((terms, np.array([3])), data, "logistic")
    assert slopes / slopes[0] == pytest.approx(plane / plane[0], rel=1e-9)
    assert loss == pytest.approx(
        loss_of(np.array([intercept, 1.0]), slopes @ terms, data, "logistic"), rel=1e-9
    )
    (alone,), ((_, most),) = scaled((plane @ terms)[None], data, "logistic")
    assert loss == pytest.approx(most, rel=1e-9)
    assert slopes == pytest.approx(alone * plane, rel=1e-9)


@given(trees(random=False, max_leaves=20))
def test_terms_are_those_of_the_kernel(tree: Tree) -> None:
    columns = np.random.default_rng(3).normal(size=(len(SENSORS), 5))
    with np.errstate(all="ignore"):
        together, ends = evaluate_terms([tree, tree], SENSORS, columns, TERMS)
        alone = evaluate_terms(terms_of(tree), SENSORS, columns, 1)[0]
    assert ends.tolist() == [len(alone), 2 * len(alone)]
    assert np.array_equal(together, np.vstack([alone, alone]), equal_nan=True)


@pytest.mark.parametrize("loss", ["squares", "logistic"])
def test_a_weight_counts_as_so_many_rows(loss: Loss) -> None:
    weighted = sample(loss, WEIGHTS)
    repeats = WEIGHTS.astype(int)
    repeated = sample_of(INPUTS, np.repeat(COLUMNS, repeats, axis=1), np.repeat(weighted.targets, repeats))
    genomes = [program("x * x"), program("0.7 * x - y / x")]
    found, expected = (
        FORM.fitting_problem(data, loss, 1, 20).evaluate(genomes, 0, 0, SerialExecutor())
        for data in (weighted, repeated)
    )
    assert [e.score for e in found] == pytest.approx([e.score for e in expected], rel=1e-9)


def evaluations(values: np.ndarray, data: Sample, loss: Loss, blocks: int = 1) -> list[Evaluation]:
    """The evaluations of programs with these values."""
    return evaluations_of(scaled(values, data, loss, blocks)[1][:, 1:], least_loss(data, loss))


def test_scores_are_shares_of_the_loss_of_the_best_constant() -> None:
    data = sample("squares")
    perfect, none, opposite, broken = evaluations(
        np.array([NUMBERS, np.full(60, 0.1), -2.0 * NUMBERS, np.where(COLUMNS[0] > 0.0, np.nan, 1.0)]),
        data,
        "squares",
        3,
    )
    assert perfect.score == opposite.score == pytest.approx(1.0)
    assert none.score == pytest.approx(0.0, abs=1e-12)
    assert sum(none.cases) == pytest.approx(0.0, abs=1e-9)
    assert broken.score == WORST
    assert set(broken.cases) == {WORST}
    assert least_loss(data, "squares") == pytest.approx(60.0 * NUMBERS.var())
    (constant,) = evaluations(np.ones((1, 60)), sample("logistic"), "logistic")
    assert constant.score == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("big", [1e200, math.inf, -math.inf])
def test_values_that_are_too_large_are_the_worst_or_a_score(big: float) -> None:
    for loss in ("squares", "logistic"):
        (found,) = evaluations(np.where(COLUMNS[:1] > 0.0, big, 1.0), sample(loss), loss)
        assert found.score == WORST or found.score <= 1.0


def test_separable_classes_end_in_finite_numbers() -> None:
    data = sample_of(("x",), COLUMNS[:1], (COLUMNS[0] > 0.0).astype(float))
    slopes, found = scaled(COLUMNS[:1], data, "logistic")
    assert np.isfinite([*slopes, *found[0]]).all()
    assert found[0, 1] < 0.2 * least_loss(data, "logistic")


def test_balanced_weights() -> None:
    assert balanced_weights(np.array(["a", "b", "a", "a"])).tolist() == [4 / 6, 2.0, 4 / 6, 4 / 6]


def test_a_damped_step_solves_its_equations() -> None:
    half = RNG.normal(size=(4, 4))
    matrix, gradient = half @ half.T, RNG.normal(size=4)
    step = np.empty(4)
    assert solve_damped(np.column_stack([np.tril(matrix), gradient]), 0.1, np.empty((4, 4)), step)
    expected = np.linalg.solve(matrix + 0.1 * np.diag(np.diag(matrix)), -gradient)
    assert step == pytest.approx(expected, rel=1e-9)
    matrix[0, 0] = np.nan
    assert not solve_damped(np.column_stack([matrix, gradient]), 0.1, np.empty((4, 4)), step)


@pytest.mark.parametrize("loss", ["squares", "logistic"])
def test_constants_are_fitted(loss: Loss) -> None:
    data = sample(loss)
    problem = FORM.fitting_problem(data, loss, 1, 40)
    start = program("x * x / (0.4 + y * y)")
    fitted = problem.fitted(start)
    before, after = (e.score for e in problem.evaluate([start, fitted], 0, 0, SerialExecutor()))
    assert after > before
    if loss == "squares":
        assert after == pytest.approx(1.0, abs=1e-12)
        (constant,) = [s for s in fitted.trees[0].symbols if isinstance(s, float)]
        assert constant == pytest.approx(1.5, rel=1e-6)
    else:  # no constant nearby is better
        for factor in (0.9, 1.1):
            symbols = [s * factor if isinstance(s, float) else s for s in fitted.trees[0].symbols]
            near = TreeProgram(fitted.names, (Tree(tuple(symbols), fitted.trees[0].sizes),))
            assert problem.evaluate([near], 0, 0, SerialExecutor())[0].score <= after + 1e-6


@settings(max_examples=40, deadline=None)
@given(trees(random=False, max_leaves=8), st.integers(0, 10**6))
def test_fitted_constants_are_never_worse(tree: Tree, seed: int) -> None:
    columns = np.random.default_rng(seed).normal(size=(len(SENSORS), 20))
    data = sample_of(SENSORS, columns, columns[0] * columns[1] + 0.3)
    problem = FORM.fitting_problem(data, "squares", 1, 5)
    start = TreeProgram((LONE_SECTION,), (tree,))
    fitted = problem.fitted(start)
    before, after = (e.score for e in problem.evaluate([start, fitted], 0, 0, SerialExecutor()))
    assert after >= before - 1e-9 * abs(before)


@pytest.mark.parametrize(
    "text", ["x * x - y", "2.0", "x - x + 1.0", "y - x / y + x * x + x * y", "x * (x - y)"]
)
@pytest.mark.parametrize("loss", ["squares", "logistic"])
def test_what_is_written_predicts(text: str, loss: Loss) -> None:
    data = sample(loss, WEIGHTS)
    genome = program(text)
    terms = evaluate_terms(genome.trees, INPUTS, COLUMNS, TERMS)
    slopes, ((intercept, least),) = scales_of(terms, data, loss)
    predicted = FORM.values(FORM.fitting_problem(data, loss, 1, 0).written(genome), INPUTS, COLUMNS)
    expected = np.full(60, intercept)
    for slope, values in zip(slopes, terms[0], strict=True):
        expected = expected + slope * values
    assert predicted == pytest.approx(expected, rel=1e-12)
    assert loss_of(np.array([0.0, 1.0]), predicted, data, loss) == pytest.approx(least, rel=1e-9)


def test_slopes_join_the_numbers_of_products() -> None:
    targets = 3.0 - 6.0 * COLUMNS[0] * COLUMNS[1] ** 2 + 5.0 * COLUMNS[0] ** 2
    problem = FORM.fitting_problem(sample_of(INPUTS, COLUMNS, targets), "squares", 1, 0)
    (tree,) = problem.written(program("(y * 2.0) * (x * y) + x * x")).trees
    assert [s if isinstance(s, str) else round(s, 9) for s in tree.symbols] == [
        *("+", "-", 3.0, "*", "*", "*", 6.0, "y", "x", "y"),
        *("*", "*", 5.0, "x", "x"),
    ]


@pytest.mark.parametrize(
    ("text", "targets", "expected"),
    [
        ("x + y", lambda x, y: 100.0 + 2.0 * x, "100.0 + 2.0 * x"),
        ("x * (3.0 / (y + 40.0))", lambda x, y: 5.0 * x / (y + 40.0), "5.0 * (x / (y + 40.0))"),
        ("2.0 * (x * (y * 3.0))", lambda x, y: x * y, "x * y"),
        ("x + (y - y) * 3.0", lambda x, y: 4.0 * x, "4.0 * x"),
        ("sqrt(2.5 * abs(x)) + y", lambda x, y: 3.0 * np.sqrt(np.abs(x)), "3.0 * sqrt(abs(x))"),
    ],
)
def test_rounding_noise_is_dropped_and_constants_are_joined(
    text: str, targets: Callable[[Floats, Floats], Floats], expected: str
) -> None:
    data = sample_of(INPUTS, COLUMNS, targets(*COLUMNS))
    (tree,) = FORM.fitting_problem(data, "squares", 1, 0).written(program(text)).trees
    rounded = Tree(tuple(s if isinstance(s, str) else round(s, 9) for s in tree.symbols), tree.sizes)
    assert print_formula(rounded) == expected


def test_constants_stay_apart_where_joining_them_changes_a_protected_value() -> None:
    columns, targets = np.array([[0.0, 1.0, 2.0, 4.0]]), np.array([9.0, 3.0, 1.5, 0.75])
    problem = FORM.fitting_problem(sample_of(("x",), columns, targets), "squares", 1, 0)
    (tree,) = problem.written(program("3.0 / x")).trees
    assert print_formula(tree).endswith(" * (3.0 / x)"), "it is 1 in the first row"


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("y / x", [True, False, False, False]),
        ("sqrt(y)", [False, True, False, False]),
        ("log(y)", [True, True, False, False]),
        ("exp(1000.0 * y)", [False, False, True, True]),
        ("pow(y, -1.0)", [True, False, False, False]),
        ("pow(y, 0.5)", [False, True, False, False]),
        ("y / (x * x + 1.0)", None),
    ],
)
def test_protected_values_are_found_in_rows(text: str, rows: list[bool] | None) -> None:
    data = sample_of(INPUTS, np.array([[0.0, 1.0, 2.0, 3.0], [0.0, -1.0, 1.0, 2.0]]), np.arange(4.0))
    found = {shown: used.tolist() for shown, used in FORM.protected(program(text), data).items()}
    assert found == ({} if rows is None else {text: rows})


@pytest.mark.parametrize(
    ("text", "nodes"),
    [("x", 0), ("3.0 + 2.0 * x * y - (x + 4.0 / y)", 4), ("2.0", 2), ("x * 2.0 + exp(2.0 * x)", 0)],
)
def test_the_intercept_and_slopes_do_not_count_in_the_choice(text: str, nodes: int) -> None:
    assert FORM.scaling(program(text)) == nodes


def test_columns_of_words_alone_need_no_division() -> None:
    bits = sample_of(INPUTS, np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 1.0]]), np.arange(3.0))
    names = [
        each.name
        for each in FORM.representation_of_columns(bits, ["+", "/", "exp"], None, 9).alphabet.operators
    ]
    assert names == ["+"]
    free = FORM.representation_of_columns(bits, ("/",), replace(SETTINGS, spares=False), 9)
    assert (free.alphabet.indicators, free.alphabet.operators[0].name) == (frozenset(), "/")


def test_evolution_fits_the_best_of_each_generation() -> None:
    problem = FORM.fitting_problem(sample("squares"), "squares", 1, 10)
    space = FORM.representation_of_columns(sample("squares"), ("+", "*", "/"), None, 30)
    shares = (("crossover", 0.6), ("subtree", 0.2), ("constants", 0.2))
    parameters = Parameters(60, Generational(shares, Tournament(4), elites=1))
    totals = []
    for refinement in (RefinementSettings(every=1), RefinementSettings()):
        scores = []
        for seed in (3, 5):
            search = Search(problem, space, parameters, seed, refinement=refinement, fitted=problem.fitted)
            state = begin(search, SerialExecutor()).state
            for _ in range(10):
                state = advance(search, state, SerialExecutor()).state
            scores.append(state.champion.score)
        totals.append(sum(scores))
    assert totals[0] > totals[1]


def test_the_constants_of_newcomers_are_fitted() -> None:
    data = sample("squares")
    problem = FORM.fitting_problem(data, "squares", 1, 10)
    space = FORM.representation_of_columns(data, ("+", "*", "/", "sin"), None, 30)
    shares = (("crossover", 0.5), ("subtree", 0.3), ("wrap", 0.2))
    parameters = Parameters(60, Plus(shares, Tournament(3), "pareto", 0.1), attempts=5)
    refinement = RefinementSettings(every=1, newcomers=12)
    search = Search(problem, space, parameters, 3, refinement=refinement, fitted=problem.fitted)
    state, tuned = begin(search, SerialExecutor()).state, 0
    for generation in range(1, 9):
        before = state
        done = advance(search, before, SerialExecutor())
        state = done.state
        assert state == advance(search, before, SerialExecutor()).state
        (population,) = state.islands
        by_number = {each.number: each for each in (*population, *before.islands[0])}
        assert len({each.number for each in population}) == len(population) == 60
        fittest = max(population, key=lambda each: each.fitness)
        assert fittest.fitness >= max(each.fitness for each in before.islands[0])
        for each in population:
            if each.generation == generation and each.origin.operator == "tune":
                tuned += 1
                assert each.number % STRIDE in range(60, 60 + STEPS + 12)
                parent = by_number.get(each.origin.parents[0])
                if parent is not None:
                    assert each.score >= parent.score - 1e-9
                    assert [s for s in each.genome.trees[0].symbols if isinstance(s, str)] == [
                        s for s in parent.genome.trees[0].symbols if isinstance(s, str)
                    ]
    assert tuned > 20


@pytest.mark.parametrize(("size", "most"), [(8, 2), (60, 12)])
def test_newcomers_are_at_most_a_quarter_and_have_been_evaluated(size: int, most: int) -> None:
    data, asked = sample("squares"), []
    problem = FORM.fitting_problem(data, "squares", 1, 10)
    space = FORM.representation_of_columns(data, ("+", "*", "/", "sin"), None, 30)

    def fitted(genome: TreeProgram) -> TreeProgram:
        asked.append(genome)
        return problem.fitted(genome)

    scheme = Generational((("subtree", 0.5), ("constants", 0.5)), Tournament(3), elites=2)
    parameters = Parameters(size, scheme, BloatSettings(tarpeian=0.9), attempts=5)
    refinement = RefinementSettings(every=1, newcomers=12, simplify=False)
    islands = IslandsSettings(count=2, interval=1, migrants=0)
    search = Search(problem, space, parameters, 3, islands, refinement=refinement, fitted=fitted)
    state, numbers = begin(search, SerialExecutor()).state, set()
    for generation in range(1, 6):
        asked.clear()
        bred = epochs(search, state.islands, generation - 1, 1, SerialExecutor())
        given_up = {each.genome for (population,) in bred for each in population if each.note}
        state = advance(search, state, SerialExecutor()).state
        assert 2 < len(asked) <= 2 * (1 + most)
        assert not given_up & set(asked)
        made = [each.number for island in state.islands for each in island if each.generation == generation]
        assert len(set(made)) == len(made)
        numbers |= {number % STRIDE for number in made}
    assert max(numbers) < 2 * (size + STEPS + 12)


def test_names_that_formulas_cannot_say_are_refused() -> None:
    with pytest.raises(UsageError, match="a formula cannot name 'a\"b': rename the column"):
        FORM.representation_of_columns(sample_of(('a"b',), COLUMNS[:1], NUMBERS), ("+",), None, None)
    with pytest.raises(UsageError, match=r"a formula cannot name 'env.x': rename the column, without `env.`"):
        FORM.check_names(("env.x",))
    with pytest.raises(UsageError, match="no operator of formulas `sinus`"):
        FORM.representation_of_columns(sample("squares"), ("+", "sinus"), None, None)


@pytest.mark.parametrize(
    ("columns", "targets", "weights"),
    [
        (COLUMNS[:1], NUMBERS, None),
        (COLUMNS, NUMBERS[:-1], None),
        (np.where(COLUMNS > 2.9, np.nan, COLUMNS) * np.inf, NUMBERS, None),
        (COLUMNS, NUMBERS, -WEIGHTS),
        (COLUMNS, NUMBERS, 0.0 * WEIGHTS),
    ],
)
def test_samples_that_are_none_are_refused(
    columns: np.ndarray, targets: np.ndarray, weights: np.ndarray | None
) -> None:
    with pytest.raises(ValueError, match=r"sample|do not match|weights"), np.errstate(all="ignore"):
        sample_of(INPUTS, columns, targets, weights)


def test_classes_are_described_by_their_shares_and_what_a_formula_saves() -> None:
    targets, weights = np.array([0.0, 0.0, 1.0, 2.0]), np.array([1.0, 1.0, 1.0, 1.0])
    two = sample_of(("x",), np.zeros((1, 3)), targets[:3])
    assert nats_of_classes(targets[:3], weights[:3], 2) == pytest.approx(least_loss(two, "logistic"))
    shares = np.array([0.5, 0.25, 0.25])
    expected = -4.0 * (shares * np.log(shares) + (1.0 - shares) * np.log(1.0 - shares)).sum()
    assert nats_of_classes(targets, weights, 3) == pytest.approx(expected)
    assert nats_of_classes(targets, weights, 0) == 0.0
    points = [(0.5, -9.0), (0.4, -3.0), (0.0, -1.0)]
    assert shortest_description(100.0, 8, 1000.0, points, ()) == 0, "600 nats saved for six nodes"
    assert shortest_description(100.0, 8, 20.0, points, ()) == 1
    assert shortest_description(100.0, 8, 2.0, points, ()) == 2
    assert shortest_description(100.0, 8, 0.0, points, ()) == 1, "numbers"


def test_the_shortest_tree_counts_which_class_a_wrong_row_is_of() -> None:
    points = [(0.35, -7.0), (0.1, -3.0), (0.0, -1.0)]
    assert shortest_tree(1600.0, 64, 9, 0.9, points, ()) == 0, "504 rows more are right, of ten classes"
    assert shortest_tree(40.0, 64, 9, 0.9, points, ()) == 2, "and only 13 of so few rows"
    assert shortest_tree(1600.0, 64, 1, 0.5, points, ()) == 0
    assert shortest_tree(1600.0, 64, 0, 0.0, points, ()) == 0, "numbers"

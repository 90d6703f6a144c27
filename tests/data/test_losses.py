"""Losses other than squares: scales and constants as scikit-learn finds them, constants, refusals, metrics."""

import math
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

import gpkit
from gpkit.core.errors import GuestError, UsageError
from gpkit.core.rng import stream
from gpkit.data.losses import RowLoss, row_loss, weighted_quantile
from gpkit.data.metrics import loss_estimates
from gpkit.evolution.fitting import FINAL_ROUNDS, Sample, fitting_of, least_loss, sample_of, scales_of
from gpkit.evolution.kernel.fits import fit_planes
from gpkit.evolution.own_losses import own_loss
from gpkit.evolution.parts import Part
from gpkit.languages.arithmetic.text import parse

RNG = stream(57, "losses")
ROWS = 150
TERMS = RNG.normal(size=(3, ROWS))
NOISE = RNG.standard_t(2, size=ROWS)
NUMBERS = 1.0 + 2.0 * TERMS[0] - TERMS[1] + NOISE * (1.0 + np.abs(TERMS[2]))
COUNTS = RNG.poisson(np.exp(0.5 + 0.8 * TERMS[0] - 0.3 * TERMS[1])).astype(float)
WEIGHTS = RNG.integers(0, 4, ROWS).astype(float)


def known(name: str) -> RowLoss:
    found = row_loss(name)
    assert found is not None
    return found


def sample(name: str, weights: np.ndarray | None = None) -> Sample:
    return sample_of(("a", "b", "c"), TERMS, COUNTS if name == "poisson" else NUMBERS, weights)


def scaled(
    name: str, weights: np.ndarray | None = None, loss: RowLoss | None = None
) -> tuple[np.ndarray, float]:
    """The intercept with the slopes, and the loss."""
    slopes, ((intercept, least),) = scales_of(
        (TERMS, np.array([3])), sample(name, weights), loss or known(name), 1, FINAL_ROUNDS
    )
    return np.array([intercept, *slopes]), least


def reference(name: str, weights: np.ndarray) -> np.ndarray:
    """The intercept with the slopes, as scikit-learn finds them."""
    linear = pytest.importorskip("sklearn.linear_model")
    kind, _, number = name.partition(":")
    if kind == "poisson":
        model = linear.PoissonRegressor(alpha=0.0, tol=1e-10, max_iter=5000)
    elif kind == "huber":
        model = linear.HuberRegressor(epsilon=1.35, alpha=0.0, tol=1e-9, max_iter=5000)
    else:
        model = linear.QuantileRegressor(quantile=float(number or 0.5), alpha=0.0)
    model.fit(TERMS.T, sample(name).targets, sample_weight=weights)
    if kind == "huber":
        assert float(number) == pytest.approx(1.35 * model.scale_, rel=0.5)
    return np.array([model.intercept_, *model.coef_])


@pytest.mark.parametrize("weights", [np.ones(ROWS), WEIGHTS], ids=["equal", "weighted"])
@pytest.mark.parametrize("name", ["absolute", "quantile:0.1", "quantile:0.95", "poisson"])
def test_scales_are_those_of_scikit_learn(name: str, weights: np.ndarray) -> None:
    expected = reference(name, weights)
    data, (found, least) = sample(name), scaled(name, weights)
    best = (weights * known(name).losses(data.targets, expected[0] + expected[1:] @ TERMS)).sum()
    assert least <= best * (1.0 + 1e-5)
    assert found == pytest.approx(expected, abs=0.02)


def test_huber_scales_are_those_of_scikit_learn_at_its_distance() -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    model = linear.HuberRegressor(epsilon=1.35, alpha=0.0, tol=1e-9, max_iter=5000).fit(TERMS.T, NUMBERS)
    found, _ = scaled(f"huber:{1.35 * model.scale_}")
    assert found == pytest.approx([model.intercept_, *model.coef_], abs=1e-3)


def cosh(targets: np.ndarray, values: np.ndarray) -> np.ndarray:
    return np.log(np.cosh(np.clip(targets - values, -300.0, 300.0)))


def slope_of_cosh(targets: np.ndarray, values: np.ndarray) -> np.ndarray:
    return np.tanh(values - targets)


def lopsided(targets: np.ndarray, values: np.ndarray) -> np.ndarray:
    return np.where(targets > values, 0.9 * (targets - values), 0.1 * (values - targets))


def counted(targets: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Twice the negative logarithm of the likelihood of counts, less a part that values do not change."""
    own = np.where(targets > 0.0, targets * np.log(np.maximum(targets, 1.0)), 0.0) - targets
    return np.maximum(2.0 * (own - targets * values + np.exp(values)), 0.0)


@pytest.mark.parametrize(
    ("function", "name"), [(lopsided, "quantile:0.9"), (counted, "poisson"), (cosh, ""), (slope_of_cosh, "")]
)
def test_a_loss_of_ones_own_has_the_scales_of_the_known_one(
    function: Callable[[np.ndarray, np.ndarray], np.ndarray], name: str
) -> None:
    value = (cosh, slope_of_cosh) if function is slope_of_cosh else function
    own = own_loss(Part("loss", "mine", value))
    found, least = scaled(name, loss=own)
    if name:
        assert least == pytest.approx(scaled(name)[1], rel=2e-3)
    for step in 1e-2 * np.vstack([np.eye(4), -np.eye(4)]):
        other = found + step
        assert cosh(NUMBERS, other[0] + other[1:] @ TERMS).sum() > least or name


@pytest.mark.parametrize("name", ["absolute", "huber:1", "quantile:0.9", "poisson", "mine"])
def test_scales_do_not_depend_on_the_other_formulas(name: str) -> None:
    loss = own_loss(Part("loss", name, cosh)) if name == "mine" else known(name)
    terms = np.vstack([TERMS, TERMS[::-1] ** 2, np.exp(TERMS)])
    ends = np.array([2, 3, 6, 7, 9])
    slopes, found = scales_of((terms, ends), sample(name, WEIGHTS), loss, 3)
    for first, last, scale in zip([0, *ends[:-1]], ends, found, strict=True):
        alone, scales = scales_of(
            (terms[first:last], np.array([last - first])), sample(name, WEIGHTS), loss, 3
        )
        assert alone.tolist() == slopes[first:last].tolist()
        assert scales[0].tolist() == scale.tolist()


def test_planes_are_those_of_squares_bit_for_bit() -> None:
    data = sample("absolute", WEIGHTS)
    ends, scratch = np.array([1, 3]), (np.empty((4, ROWS)), np.empty((4, 2)))
    slopes, intercepts, sums = np.empty(3), np.empty(2), np.empty((2, ROWS))
    rows = np.tile(data.targets, (2, 1)), np.tile(data.weights, (2, 1))
    fit_planes(TERMS, ends, rows, scratch, slopes, intercepts, sums)
    expected, found = scales_of((TERMS, ends), data, "squares")
    assert slopes.tolist() == expected.tolist()
    assert intercepts.tolist() == found[:, 0].tolist()
    assert sums[1] == pytest.approx(intercepts[1] + slopes[1:] @ TERMS[1:], rel=1e-12)


@pytest.mark.parametrize("name", ["absolute", "huber:1", "quantile:0.9", "poisson"])
def test_constants_and_weights(name: str) -> None:
    loss, data = known(name), sample(name, WEIGHTS)
    best = loss.constant(data.targets, WEIGHTS)
    least = (WEIGHTS * loss.losses(data.targets, np.full(ROWS, best))).sum()
    for other in (best - 0.05, best + 0.05):
        assert (WEIGHTS * loss.losses(data.targets, np.full(ROWS, other))).sum() >= least
    assert least_loss(data, loss) == pytest.approx(least)
    repeated = np.repeat(data.targets, WEIGHTS.astype(int))
    assert loss.constant(repeated, np.ones(len(repeated))) == pytest.approx(best, rel=1e-9)
    numbers = np.array([3.0, 1.0, 2.0, 4.0])
    assert [weighted_quantile(numbers, np.ones(4), share) for share in (0.25, 0.26, 0.5, 1.0)] == [1, 2, 2, 4]


@pytest.mark.parametrize("name", ["absolute", "huber:0.5", "quantile:0.8", "poisson"])
def test_constants_of_a_formula_are_found_and_what_is_written_predicts(name: str) -> None:
    x = np.linspace(0.0, 3.0, 120)
    clean = 2.0 * np.exp(-1.3 * x) + 0.5
    targets = np.exp(clean).round(6) if name == "poisson" else clean
    data = sample_of(("x",), x[None], targets)
    problem = fitting_of("arithmetic").fitting_problem(data, known(name), 1, 60)
    start = parse("exp(-0.8 * x)").program
    fitted = problem.fitted(start)
    first, last = (each.score for each in problem.measured([start, fitted]))
    assert last > 0.999 > first
    assert problem.measured([fitted, start])[0].score == last
    values = fitting_of("arithmetic").values(problem.written(fitted), ("x",), x[None])
    assert values == pytest.approx(targets, rel=0.02)


def test_estimates_are_those_of_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    predicted = np.exp(0.4 + 0.7 * TERMS[0])
    for name, targets, expected in (
        ("absolute", NUMBERS, metrics.d2_absolute_error_score),
        ("quantile:0.8", NUMBERS, partial(metrics.d2_pinball_score, alpha=0.8)),
        ("poisson", COUNTS, partial(metrics.d2_tweedie_score, power=1)),
    ):
        found = {each.name: each for each in loss_estimates(targets, predicted, known(name))}
        assert found["d2"].value == pytest.approx(expected(targets, predicted), rel=1e-2)
        assert found["constant"].value > 0.0
        assert abs(found["d2"].influences.mean()) < 1e-12
    pinball = {each.name: each.value for each in loss_estimates(NUMBERS, predicted, known("quantile:0.8"))}
    assert pinball["pinball"] == pytest.approx(metrics.mean_pinball_loss(NUMBERS, predicted, alpha=0.8))
    assert pinball["below"] == np.mean(predicted >= NUMBERS)
    deviance = loss_estimates(COUNTS, predicted, known("poisson"))[1]
    assert deviance.value == pytest.approx(metrics.mean_poisson_deviance(COUNTS, predicted))


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda targets, values: 1 / 0, "ZeroDivisionError"),
        (lambda targets, values: targets - values, "expected at least 0"),
        (lambda targets, values: 1.0, "expected a number for each of them"),
    ],
)
def test_a_loss_that_fails_is_blamed(function: Callable[..., object], message: str) -> None:
    with pytest.raises(GuestError, match=message):
        gpkit.fit({"x": [1.0, 2.5, 3.0, 4.0]}, [1.0, 2.5, 2.0, 4.0], loss=function, generations=1)


@pytest.mark.parametrize(
    ("loss", "message"),
    [
        (3, r"loss=3: expected a name, a function"),
        ("quantile:1", "where Q is a share"),
        ("huber", "where D is an error"),
        ("absolute:2", "expected `absolute`"),
        ("hubr:2", "did you mean `huber`"),
        (lambda targets: targets, r"expected a function of \(targets, values\)"),
    ],
)
def test_losses_that_there_are_not(loss: object, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        gpkit.fit({"x": [1.0, 2.5, 3.0, 4.0]}, [1.0, 2.5, 2.0, 4.0], loss=loss, generations=1)


@pytest.mark.release
def test_a_fit_by_a_loss_of_ones_own_goes_on_with_it_alone(tmp_path) -> None:
    rows = {"x": TERMS[0], "y": NUMBERS}
    small = {"generations": 1, "population": 20, "operators": "+ *"}
    found = gpkit.fit(rows, "y", loss=(cosh, slope_of_cosh), folder=tmp_path / "run", workers=2, **small)
    assert [each.name for each in found.metrics["held_out"]] == ["d2", "loss", "constant"]
    assert "// loss: cosh" in str(found.program)
    with pytest.raises(UsageError, match=r'gpkit.register\("loss", "cosh", function\)'):
        gpkit.fit(folder=tmp_path / "run", resume=True, generations=2)
    again = gpkit.fit(folder=tmp_path / "run", resume=True, generations=2, loss=(cosh, slope_of_cosh))
    whole = gpkit.fit(rows, "y", loss=(cosh, slope_of_cosh), **{**small, "generations": 2})
    assert again.run.digest == whole.run.digest
    measured = gpkit.predict(tmp_path / "run", rows, target="y").metrics
    assert [each.name for each in measured] == ["r2", "rmse", "mae"]
    assert gpkit.report(tmp_path / "run")


@pytest.mark.release
def test_poisson_predicts_means_and_a_quantile_the_share() -> None:
    small = {"generations": 6, "population": 60, "operators": "+ - *", "test": 0.0}
    rows = {"a": TERMS[0], "b": TERMS[1], "n": COUNTS, "y": NUMBERS}
    found = gpkit.fit(rows, "n", inputs=["a", "b"], loss="poisson", **small)
    assert str(found.program).splitlines()[-1].startswith("exp(")
    assert found.predict(rows).sum() == pytest.approx(COUNTS.sum(), rel=1e-6)
    found = gpkit.fit(rows, "y", inputs=["a", "b"], loss="quantile:0.9", **small)
    assert np.mean(found.predict(rows) >= NUMBERS) == pytest.approx(0.9, abs=0.02)
    both = gpkit.compare(found.program, gpkit.parse("2 * a", language="arithmetic"), data=rows, target="y")
    assert (both.differences[0].name, both.notes[-1][-12:]) == ("d2", "quantile:0.9")
    assert math.isfinite(both.differences[0].difference.mean)


def test_a_loss_that_is_not_finite_at_the_mean_has_a_best_constant() -> None:
    loss = RowLoss("odd", "odd", lambda t, v: np.full_like(v, np.nan), lambda t, v, w: (v, np.ones_like(v)))
    assert loss.constant(np.array([1.0, 3.0]), np.ones(2)) == 2.0


def test_a_loss_of_ones_own_is_not_a_quantile_by_its_name() -> None:
    table = {"x": [float(k) for k in range(60)], "y": [2.0 * k for k in range(60)]}

    def quantile_like(targets, values):
        return np.abs(targets - values)

    small = {"operators": "+ *", "population": 5, "generations": 0}
    found = gpkit.fit(table, "y", loss=quantile_like, **small)
    assert "below" not in str(found)

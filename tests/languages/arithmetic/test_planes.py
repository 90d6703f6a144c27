"""Planes from sums of products are those that a readable twin finds, bit for bit, and those of stored values."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import SENSORS, trees

from gpkit.core.arrays import Floats
from gpkit.evolution.fitting import Sample, sample_of, scales_of
from gpkit.evolution.kernel.fits import FLAT
from gpkit.genomes.tree import Tree
from gpkit.languages.arithmetic.forms.fitting import TERMS, evaluate_terms, planes_of
from gpkit.languages.arithmetic.kernel.planes import CLEAR, LANES, ROWS, TIED, UPRIGHT
from gpkit.languages.arithmetic.text import parse

TEXTS = (
    "A + B + A * B - exp(A)",
    "A - B + 2 * A + 3 * (A - B)",
    "5 + A / 0.5",
    "exp(A) + log(B) + sqrt(A) + sin(A * B) + A",
    "exp(exp(exp(40 * A))) + A",
    "(A + 1e9) * 1e150 + B",
    "A * A + 1e-9 * B",
    "7",
)


def sample(rows: int, seed: int = 1) -> Sample:
    rng = np.random.default_rng(seed)
    columns = rng.normal(size=(len(SENSORS), rows))
    weights = rng.integers(0, 3, rows) + (np.arange(rows) == 0.0)
    return sample_of(SENSORS, columns, columns[0] ** 2 + rng.normal(size=rows), weights)


def summed(a: Floats, b: Floats) -> float:
    """The sum of products in lanes: float64 (blocks, ROWS) each."""
    lanes = np.zeros(LANES)
    for products in (a * b).reshape(-1, LANES):
        lanes = lanes + products
    return float(sum(lanes))


def judged(raw: float, square: float, pivot: float, level: float, upright: float) -> float | None:
    """The rest of a term's squares; 0 if it has slope 0, None if that is doubtful."""
    if raw <= level or math.isnan(raw):
        return 0.0 * raw
    if not UPRIGHT * raw < square < math.inf:
        return None
    if pivot <= level or (pivot <= TIED * square and upright > UPRIGHT):
        return 0.0
    return pivot if pivot * upright > CLEAR * square else None


def plane(terms: Floats, data: Sample) -> tuple[list[float], list[float]] | None:
    """The readable twin: the slopes, and the intercept and the loss; None if rounding could decide the rank."""
    rows, total = len(data.targets), float(data.weights.sum())
    mean = float((data.weights * data.targets).sum()) / total
    blocks = -(-rows // ROWS)
    root, aims = np.zeros((2, blocks * ROWS))
    root[:rows] = np.sqrt(data.weights)
    aims[:rows] = root[:rows] * (data.targets - mean)
    first = np.arange(blocks * ROWS) // ROWS * ROWS
    padded = np.ascontiguousarray(
        terms[:, np.where(np.arange(blocks * ROWS) < rows, np.arange(blocks * ROWS), first)]
    )
    shifts = padded[:, :ROWS].mean(axis=1)
    parts = root * (padded - shifts[:, None])
    shares, own, squares, means = np.zeros((len(terms), len(terms))), [], [], []
    upright = 1.0
    for k, part in enumerate(parts):
        shift, aim, raw = summed(part, root) / total, summed(part, aims), summed(part, part)
        means.append(float(shifts[k]) + shift)
        pivot = square = raw - summed(part, root) * shift
        for j in range(k):
            shared = summed(part, parts[j]) - summed(parts[j], root) * shift
            for i in range(j):
                shared -= shares[j, i] * (shares[k, i] * squares[i])
            shares[k, j] = shared / squares[j] if squares[j] != 0.0 else 0.0
            pivot -= shares[k, j] * (shares[k, j] * squares[j])
            aim -= shares[k, j] * (own[j] * squares[j])
        found = judged(raw, square, pivot, FLAT * total * (means[k] * means[k]), upright)
        if found is None:
            return None
        squares.append(found)
        own.append(aim / found if found != 0.0 else 0.0)
        upright *= found / square if found > 0.0 else 1.0
    offset = 0.0
    for k in reversed(range(len(terms))):
        for j in range(k + 1, len(terms)):
            own[k] -= shares[j, k] * own[j] if squares[k] != 0.0 else 0.0
        offset -= own[k] * means[k]
    sums = np.full(blocks * ROWS, offset)
    for slope, term in zip(own, padded, strict=True):
        sums = sums + slope * term
    errors = root * sums - aims
    return [float(each) for each in own], [offset + mean, summed(errors, errors)]


def assert_as_the_twin(formulas: list[Tree], data: Sample) -> int:
    """Compare all formulas; returns how many are doubtful."""
    doubtful = 0
    with np.errstate(all="ignore"):
        values, ends = evaluate_terms(formulas, SENSORS, data.columns, TERMS)
        slopes, fits = planes_of(formulas, data)
        for number, end in enumerate(ends.tolist()):
            begun = int(ends[number - 1]) if number else 0
            expected = plane(values[begun:end], data)
            if expected is None:
                doubtful += 1
                of_stored = scales_of((values[begun:end], np.array([end - begun])), data, "squares")
                expected = of_stored[0].tolist(), of_stored[1][0].tolist()
            found = slopes[begun:end].tolist(), fits[number].tolist()
            for one, other in zip(found, expected, strict=True):
                assert np.array_equal(one, other, equal_nan=True)
    return doubtful


@pytest.mark.parametrize("rows", [1, 65, 200])
def test_planes_are_those_of_the_twin(rows: int) -> None:
    formulas = [parse(text).program.trees[0] for text in TEXTS]
    assert assert_as_the_twin(formulas, sample(rows)) < len(formulas) / 2


@pytest.mark.release
@settings(max_examples=50, deadline=None)
@given(st.lists(trees(random=False, max_leaves=20), min_size=1, max_size=3), st.integers(1, 150))
def test_planes_of_any_formulas_are_those_of_the_twin(formulas: list[Tree], rows: int) -> None:
    assert_as_the_twin(formulas, sample(rows))


def test_planes_are_those_of_stored_values_and_of_each_formula_alone() -> None:
    formulas, data = [parse(text).program.trees[0] for text in TEXTS], sample(200)
    with np.errstate(all="ignore"):
        slopes, fits = planes_of(formulas, data)
        values = evaluate_terms(formulas, SENSORS, data.columns, TERMS)
        stored_slopes, stored = scales_of(values, data, "squares")
        alone = np.array([planes_of([each], data)[1][0] for each in formulas])
    is_known = ~np.isnan(stored[:, 1])
    assert fits[is_known] == pytest.approx(stored[is_known], rel=1e-9)
    assert np.isnan(fits[~is_known, 1]).all()
    of_known = np.repeat(is_known, np.diff(values[1], prepend=0))
    assert ((slopes == 0.0) == (stored_slopes == 0.0))[of_known].all()
    assert np.array_equal(alone, fits, equal_nan=True)

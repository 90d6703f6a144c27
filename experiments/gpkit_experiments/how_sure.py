"""A test of a fit's statements of uncertainty: intervals of predictions and metrics, and standard errors of constants.

    python -m gpkit_experiments.how_sure [PART...]   measure what is missing, then print the tables
    python -m gpkit_experiments.how_sure table       print the tables of what is there

The criteria, fixed together with the seeds before any of their runs:

- ``bands``: on each of ten sets, the 95% intervals contain between 93 and 97 % of the test rows, on average over 30
  splits into training rows, rows for the intervals, and test rows. Fits are short (60 formulas, 4 generations), because
  the intervals must be valid however bad a formula is.
- ``tails``: of 60 samples of 200 rows whose errors have Student's distribution with 2 degrees of freedom, the interval
  contains R² or gets a warning in at least 55; with normal errors, it contains R² in at least 54, and gets a warning in
  at most 3.
- ``errors``: the ratio of a standard error to the bootstrap's standard error (200 draws), averaged over 20 samples of
  300 rows, is between .9 and 1.1, for each loss, kind of errors and constant.

The key of a cell names a split, or a loss and a kind of errors with a sample, or a kind of errors and a number of rows.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from gpkit.core.arrays import Floats
from gpkit.core.rng import stream
from gpkit.data.losses import row_loss
from gpkit.data.metrics import regression_estimates
from gpkit.evolution.fitting import FINAL_ROUNDS, Loss, Sample, fitting_of, sample_of, scales_of
from gpkit.languages.arithmetic.text import parse
from gpkit_experiments.cells import Cell, Cells
from gpkit_experiments.fit_quality import PROBLEMS

COMMAND = "python -m gpkit_experiments.how_sure"
RECORD = Path(__file__).parents[1] / "data" / "how-sure.jsonl"
SEED = 57_901
SPLITS, SAMPLES, DRAWS, TRIALS = 30, 20, 200, 60

Samples = tuple[Floats, Floats]
Rng = np.random.Generator


def _waves(rng: Rng, rows: int) -> tuple[Floats, Floats, Floats]:
    """Three columns (rows, 3), the mean of the target, and the first column."""
    x = rng.uniform(0, 3, (rows, 3))
    return x, x[:, 0] * x[:, 1] + np.sin(2 * x[:, 2]), x[:, 0]


def _noisy(noise: Callable[[Rng, Floats], Any]) -> Callable[[int, Rng], Samples]:
    def rows_of(rows: int, rng: Rng) -> Samples:
        x, mean, first = _waves(rng, rows)
        return x, mean + noise(rng, first)

    return rows_of


SETS: Mapping[str, tuple[Callable[[int, Rng], Samples], tuple[int, int, int]]] = {
    name: (make, (160, 160, 122) if name == "diabetes" else (200, 200, 1000))
    for name, make in {
        **{name: make for name, (make, _, _) in PROBLEMS.items()},
        "outliers": _noisy(lambda rng, x: rng.standard_t(2, len(x))),
        "growing errors": _noisy(lambda rng, x: rng.normal(0.0, 0.1 + x)),
        "skewed errors": _noisy(lambda rng, x: rng.lognormal(0.0, 1.0, len(x))),
        "two kinds": _noisy(lambda rng, x: rng.choice([-3.0, 3.0], len(x)) + rng.normal(0.0, 0.2, len(x))),
    }.items()
}
"""The rows of each set by its name, and the numbers of rows for training, for the intervals, and for testing."""

ERRORS: Mapping[str, Callable[[Rng, Floats], Any]] = {
    "normal": lambda rng, x: rng.normal(size=len(x)),
    "student-3": lambda rng, x: rng.standard_t(3, len(x)),
    "student-2": lambda rng, x: rng.standard_t(2, len(x)),
    "growing": lambda rng, x: rng.normal(0.0, 0.3 + x),
}
LOSSES = {
    **dict.fromkeys(("squares", "absolute", "quantile:0.9", "huber:1"), ("student-3", "growing")),
    "poisson": ("counts",),
    "logistic": ("classes",),
}
SIZES = (50, 100, 200, 1000)


def band(name: str, split: int) -> Cell:
    """The share of test rows that the 95% intervals contain, after a short fit."""
    from gpkit.sklearn import FormulaRegressor

    make, (learned, held, tested) = SETS[name]
    x, y = make(learned + held + tested, stream(SEED, f"bands {name}", split))
    few = learned + held
    model = FormulaRegressor(population=60, generations=4, calibration=held / few, random_state=split)
    model.fit(x[:few], y[:few])
    low, high = model.predict(x[few:], return_interval=0.95)[1].T
    return {"held": float(np.mean((low <= y[few:]) & (y[few:] <= high)))}


def tail(kind: str, rows: int) -> Cell:
    """The number of samples, out of 60, whose interval contains the true formula's R², gets a warning, or either."""
    many = ERRORS[kind](stream(SEED, f"many {kind}"), np.ones(2_000_000))
    truth, found = 1.0 - float(np.mean(many**2)) / (4.0 + float(many.var())), []
    for trial in range(TRIALS):
        rng = stream(SEED, f"tails {kind} {rows}", trial)
        predicted = 2.0 * rng.normal(size=rows)
        errors = ERRORS[kind](rng, np.ones(rows))
        r2 = next(each for each in regression_estimates(predicted + errors, predicted) if each.name == "r2")
        interval = r2.measure.interval
        found.append((interval.low <= truth <= interval.high, r2.heaviest[1] > 0.0))
    held, doubted = np.array(found).T
    return {"held": int(held.sum()), "doubted": int(doubted.sum()), "either": int((held | doubted).sum())}


def drawn(terms: Floats, sample: Sample, loss: Loss, draws: Floats) -> Floats:
    """The intercept and slopes for each draw of the rows, given as counts (draws, rows): float64 (draws, 1 + terms)."""
    if isinstance(loss, str):
        fits = [scales_of((terms, np.array([len(terms)])), replace(sample, weights=w), loss) for w in draws]
        return np.array([[found[0, 0], *slopes] for slopes, found in fits])
    count = len(draws)
    whole = replace(sample, weights=draws, targets=np.tile(sample.targets, (count, 1)))
    ends = np.arange(1, count + 1) * len(terms)
    slopes, found = scales_of((np.tile(terms, (count, 1)), ends), whole, loss, rounds=FINAL_ROUNDS)
    return np.column_stack([found[:, 0], slopes.reshape(count, -1)])


def error(name: str, kind: str, place: int) -> Cell:
    """The ratios of standard errors to the bootstrap's standard errors, for an intercept and two slopes."""
    rng, rows = stream(SEED, f"errors {name} {kind}", place), 300
    x, z = rng.uniform(0.0, 3.0, rows), rng.normal(size=rows)
    if kind in ERRORS:
        y = 1.0 + 2.0 * x - z + ERRORS[kind](rng, x)
    else:
        eta = 0.2 + 0.5 * x - 0.4 * z
        y = rng.poisson(np.exp(eta)) if kind == "counts" else rng.random(rows) < 1.0 / (1.0 + np.exp(-eta))
    loss: Any = "logistic" if name == "logistic" else row_loss(name) or "squares"
    sample = sample_of(("x", "z"), np.stack([x, z]), y.astype(np.float64))
    problem = fitting_of("arithmetic").fitting_problem(sample, loss, 1, 10)
    ((_, _, errors),) = problem.constants(problem.written(parse("x + z").program))
    counts = rng.multinomial(rows, np.full(rows, 1.0 / rows), DRAWS).astype(np.float64)
    return {"ratios": (errors / drawn(sample.columns, sample, loss, counts).std(axis=0, ddof=1)).tolist()}


PARTS: Mapping[str, Callable[..., Cell]] = {"tails": tail, "errors": error, "bands": band}


def keys() -> list[tuple[Any, ...]]:
    """The keys of all cells."""
    return [
        *(("tails", kind, rows) for kind in ERRORS for rows in SIZES if kind != "growing"),
        *(
            ("errors", loss, kind, n)
            for loss, kinds in LOSSES.items()
            for kind in kinds
            for n in range(SAMPLES)
        ),
        *(("bands", name, split) for split in range(SPLITS) for name in SETS),
    ]


def table(rows: Cells) -> str:
    """The quantities of each part that its criterion refers to."""
    lines = ["intervals of R²: held, doubted, either, of 60 samples"]
    for key, cell in rows.found.items():
        if key[0] == "tails":
            lines.append(f"  {key[1]:14}{key[2]:6} rows" + "".join(f"{count:6}" for count in cell.values()))
    groups: dict[tuple[Any, ...], list[Any]] = {}
    for key, cell in rows.found.items():
        if key[0] != "tails":
            groups.setdefault(key[:-1], []).append(next(iter(cell.values())))
    lines.append(
        "standard errors by those of the bootstrap, mean and spread; share of test rows in intervals"
    )
    for key, found in groups.items():
        mean, spread = (np.atleast_1d(each) for each in (np.mean(found, axis=0), np.std(found, axis=0)))
        told = "  ".join(f"{one:.3f} ±{other:.3f}" for one, other in zip(mean, spread, strict=True))
        lines.append(f"  {' '.join(key):30}{len(found):4}  {told}")
    return "\n".join(lines)


def main(words: Sequence[str]) -> None:
    """Measure, and print the tables."""
    rows = Cells(RECORD, {"schema": "gpkit/how-sure/1", "command": COMMAND, "seed": SEED})
    if words[:1] != ["table"]:
        wanted = [key for key in keys() if key[0] in (words or PARTS)]
        rows.fill(wanted, lambda key: PARTS[key[0]](*key[1:]), print)
    print(table(rows))


if __name__ == "__main__":
    main(sys.argv[1:])

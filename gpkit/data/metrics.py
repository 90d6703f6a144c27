"""Metrics of predictions on rows: means with intervals, the row being the unit, weighted where rows have weights."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpkit.core.statistics import Interval, mean_interval, student_quantile

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Measure:
    """Measure of predictions on some rows.

    Attributes:
        name: ``r2``, ``rmse``, ``mae``; ``accuracy``, ``balanced``, ``log_loss``, ``auc``.
        interval: its value and the ends of its interval at 95 %, with the number of rows.
    """

    name: str
    interval: Interval

    def to_json(self) -> dict[str, object]:
        """The metric as JSON values."""
        found = self.interval
        return {"name": self.name, "mean": found.mean, "interval": found.ends, "rows": found.units}


def regression_metrics(
    targets: Values, predicted: Values, weights: Values | None = None
) -> tuple[Measure, ...]:
    """R², the root of the mean squared error, and the mean absolute error.

    The interval of a ratio or root of means is that of its linear approximation (the delta method).

    Args:
        targets, predicted: float64 (rows,).
        weights: of the rows, float64 (rows,), not negative; None for equal ones.
    """
    share = np.ones(len(targets)) if weights is None else weights * (len(weights) / weights.sum())
    errors = predicted - targets
    squares = errors * errors
    mse, mae = float(np.mean(share * squares)), np.abs(errors)
    spread = (targets - np.average(targets, weights=share)) ** 2
    variance = float(np.mean(share * spread))
    influences = share * (squares - mse)
    root = math.sqrt(mse)
    metrics = [
        Measure("rmse", _around(root, influences / (2.0 * root) if root > 0.0 else influences, low=0.0)),
        Measure("mae", _around(float(np.mean(share * mae)), share * (mae - np.mean(share * mae)), low=0.0)),
    ]
    if variance > 0.0:
        lost = mse / variance
        metrics.insert(
            0, Measure("r2", _around(1.0 - lost, -share * (squares - lost * spread) / variance, high=1.0))
        )
    return tuple(metrics)


def _around(value: float, influences: Values, low: float = -math.inf, high: float = math.inf) -> Interval:
    """The interval of an estimate from the influence of each row, float64 (rows,), whose mean is about 0."""
    rows = len(influences)
    if rows < 2 or not math.isfinite(value):
        return Interval(value, low, high, rows)
    half = student_quantile(0.975, rows - 1) * float(np.std(influences, ddof=1)) / math.sqrt(rows)
    return Interval(value, max(value - half, low), min(value + half, high), rows)


def classification_metrics(
    targets: NDArray[np.int64], shares: Values, chosen: NDArray[np.int64], weights: Values | None = None
) -> tuple[Measure, ...]:
    """Accuracy, the mean accuracy of the classes, log loss, and of two classes the area under the ROC curve.

    Args:
        targets: the class of each row, int64 (rows,), from 0.
        shares: the probability of each class, float64 (rows, classes).
        chosen: the predicted class of each row, int64 (rows,).
        weights: of the rows, float64 (rows,), not negative; None for equal ones.
    """
    share = np.ones(len(targets)) if weights is None else weights * (len(weights) / weights.sum())
    right = (chosen == targets).astype(np.float64)
    if weights is None:
        accuracy = mean_interval(right, support=(0.0, 1.0))
    else:
        mean = float(np.mean(share * right))
        accuracy = _around(mean, share * (right - mean), 0.0, 1.0)
    metrics = [Measure("accuracy", accuracy), Measure("balanced", _balanced(targets, right, share))]
    rows = np.arange(len(targets))
    losses = -np.log(np.clip(shares[rows, targets], 1e-15, 1.0))
    loss = float(np.mean(share * losses))
    metrics.append(Measure("log_loss", _around(loss, share * (losses - loss), low=0.0)))
    if shares.shape[1] == 2 and weights is None and 0 < targets.sum() < len(targets):
        metrics.append(Measure("auc", _area(targets == 1, shares[:, 1])))
    return tuple(metrics)


def _balanced(targets: NDArray[np.int64], right: Values, share: Values) -> Interval:
    """The mean over the classes that occur of the share of their rows that are right."""
    present = np.unique(targets)
    influences = np.zeros(len(targets))
    total = 0.0
    for one in present.tolist():
        own = targets == one
        mass = float(share[own].sum())
        if mass <= 0.0:
            continue
        mean = float((share[own] * right[own]).sum()) / mass
        total += mean
        influences[own] = share[own] * (right[own] - mean) * (len(targets) / mass)
    return _around(total / len(present), influences / len(present), 0.0, 1.0)


def _area(positive: NDArray[np.bool_], score: Values) -> Interval:
    """The area under the ROC curve, ties half, with the interval of DeLong and others, 1988.

    E. DeLong, D. DeLong, D. Clarke-Pearson, "Comparing the areas under two or more correlated receiver operating
    characteristic curves", Biometrics 44.
    """
    ups, downs = np.sort(score[positive]), np.sort(score[~positive])

    def beaten(values: Values, others: Values) -> Values:
        below = np.searchsorted(others, values, "left") + np.searchsorted(others, values, "right")
        return below / (2.0 * len(others))

    above, below = beaten(ups, downs), 1.0 - beaten(downs, ups)
    area = float(above.mean())
    if min(len(ups), len(downs)) < 2:
        return Interval(area, 0.0, 1.0, len(score))
    half = student_quantile(0.975, len(score) - 2) * math.sqrt(
        float(above.var(ddof=1)) / len(ups) + float(below.var(ddof=1)) / len(downs)
    )
    return Interval(area, max(area - half, 0.0), min(area + half, 1.0), len(score))


def text_of(metrics: Sequence[Measure]) -> str:
    """The metrics in a line: ``r2 0.912 (0.894 to 0.930)``."""
    return ", ".join(
        f"{m.name} {m.interval.mean:.4g} ({m.interval.low:.4g} to {m.interval.high:.4g})" for m in metrics
    )

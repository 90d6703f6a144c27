"""Metrics of predictions on rows: means with intervals, the row being the unit, weighted where rows have weights."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Floats
from gpkit.core.statistics import ROUNDING, Interval, Verdict, mean_interval, student_quantile


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


LOSSES = ("rmse", "mae", "log_loss")
"""Metrics of which less is better."""

NO_GROUP = -1
"""Instead of a group: the row counts for none."""

ALIKE = 6
"""So many rows that all differ alike show a difference at 95 % (by the test of signs)."""


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """Estimate of a metric, with what each row adds to it.

    The interval of a ratio or root of means is that of its linear approximation (the delta method).

    Attributes:
        name: as of a ``Measure``.
        value: the estimate.
        influences: of the rows, float64 (rows,), whose mean is 0 but for rounding; with groups their values less the
            estimate.
        support: the least and the greatest value that there can be.
        groups: where the estimate is the mean over groups of the means of values of rows, each of which lies in the
            support, the group of each row, int64 (rows,), ``NO_GROUP`` for a row that does not count; else None.
    """

    name: str
    value: float
    influences: Floats
    support: tuple[float, float]
    groups: NDArray[np.int64] | None = None

    @property
    def measure(self) -> Measure:
        """The metric with its interval."""
        return Measure(self.name, self._around(self.value, self.influences, self.support))

    def less(self, other: "Estimate") -> Interval:
        """The difference to the estimate of other predictions of the same rows, paired by row, with its interval.

        Differences of no more than rounding are none. Where all rows differ alike, fewer than ``ALIKE`` show nothing.
        """
        least = ROUNDING * max(abs(self.value), abs(other.value), float(np.abs(self.influences).max()))
        value, influences = self.value - other.value, self.influences - other.influences
        value = value if abs(value) > least else 0.0
        influences = np.where(np.abs(influences) <= least, 0.0, influences)
        reach = self.support[1] - self.support[0]
        if len(influences) < ALIKE and not influences.any():
            return Interval(value, -reach, reach, len(influences))
        return self._around(value, influences, (-reach, reach))

    def _around(self, value: float, influences: Floats, support: tuple[float, float]) -> Interval:
        rows = len(influences)
        if rows < 2 or not np.isfinite([value, float(influences.sum())]).all():
            return Interval(value, *support, rows)
        if self.groups is not None:
            low, high = _reach(value + influences, self.groups, support)
            return Interval(value, max(value - low, support[0]), min(value + high, support[1]), rows)
        half = student_quantile(0.975, rows - 1) * float(np.std(influences, ddof=1)) / math.sqrt(rows)
        return Interval(value, max(value - half, support[0]), min(value + half, support[1]), rows)


@dataclass(frozen=True, slots=True)
class Difference:
    """Difference between two programs in a metric, on the same rows.

    Attributes:
        name: of the metric.
        first, second: the values of the programs, with their intervals.
        difference: that of the first less that of the second, paired by row.
    """

    name: str
    first: Interval
    second: Interval
    difference: Interval

    @property
    def verdict(self) -> Verdict:
        """Verdict on the first program: of the 95 % interval, where a difference of zero within it settles nothing."""
        return self.difference.verdict(-1 if self.name in LOSSES else 1)

    def to_json(self) -> dict[str, object]:
        """The difference as JSON values."""
        return {
            "metric": self.name,
            "verdict": self.verdict,
            "means": [self.first.mean, self.second.mean],
            "difference": self.difference.mean,
            "ci95": self.difference.ends,
            "rows": self.difference.units,
        }


@np.errstate(over="ignore", invalid="ignore")
def regression_estimates(
    targets: Floats, predicted: Floats, weights: Floats | None = None
) -> tuple[Estimate, ...]:
    """R², the root of the mean squared error, and the mean absolute error.

    Args:
        targets, predicted: float64 (rows,).
        weights: of the rows, float64 (rows,), not negative; None for equal ones.
    """
    share = _shares(weights, len(targets))
    errors = predicted - targets
    squares, sizes = errors * errors, np.abs(errors)
    mse, mae = float(np.mean(share * squares)), float(np.mean(share * sizes))
    spread = (targets - np.average(targets, weights=share)) ** 2
    variance = float(np.mean(share * spread))
    around = share * (squares - mse)
    root = math.sqrt(mse)
    found = (
        Estimate("rmse", root, around / (2.0 * root) if root > 0.0 else around, (0.0, math.inf)),
        Estimate("mae", mae, share * (sizes - mae), (0.0, math.inf)),
    )
    if variance <= 0.0:
        return found
    lost = mse / variance
    return (
        Estimate("r2", 1.0 - lost, -share * (squares - lost * spread) / variance, (-math.inf, 1.0)),
        *found,
    )


def classification_estimates(
    targets: NDArray[np.int64], shares: Floats, chosen: NDArray[np.int64], weights: Floats | None = None
) -> tuple[Estimate, ...]:
    """Accuracy, the mean accuracy of the classes, log loss, and of two classes the area under the ROC curve.

    Args:
        targets: the class of each row, int64 (rows,), from 0.
        shares: the probability of each class, float64 (rows, classes).
        chosen: the predicted class of each row, int64 (rows,).
        weights: of the rows, float64 (rows,), not negative; None for equal ones.
    """
    share = _shares(weights, len(targets))
    right = (chosen == targets).astype(np.float64)
    accuracy = float(np.mean(share * right))
    losses = -np.log(np.clip(shares[np.arange(len(targets)), targets], 1e-15, 1.0))
    loss = float(np.mean(share * losses))
    found = (
        Estimate("accuracy", accuracy, share * (right - accuracy), (0.0, 1.0), np.zeros_like(targets)),
        _balanced(targets, right, share),
        Estimate("log_loss", loss, share * (losses - loss), (0.0, math.inf)),
    )
    if shares.shape[1] == 2 and weights is None and 0 < targets.sum() < len(targets):
        return (*found, _area(targets == 1, shares[:, 1]))
    return found


def _shares(weights: Floats | None, rows: int) -> Floats:
    """The weights of rows, of mean 1: float64 (rows,)."""
    return np.ones(rows) if weights is None else weights * (rows / weights.sum())


def _balanced(targets: NDArray[np.int64], right: Floats, share: Floats) -> Estimate:
    """The mean over the classes that occur of the share of their rows that are right."""
    groups = np.where(share > 0.0, targets, NO_GROUP)
    values, means = np.zeros(len(targets)), []
    for one in np.unique(targets[share > 0.0]).tolist():
        own = groups == one
        weights = share[own] / share[own].mean()
        means.append(float(np.mean(weights * right[own])))
        values[own] = means[-1] + weights * (right[own] - means[-1])
    value = float(np.mean(means))
    return Estimate("balanced", value, values - value, (0.0, 1.0), groups)


def _reach(values: Floats, groups: NDArray[np.int64], support: tuple[float, float]) -> tuple[float, float]:
    """The reach down and up of the interval of a mean of means: the root of the squares of what each mean adds.

    So a group of one row, whose interval is the whole support, adds all that it could.
    G. Zou, A. Donner, "Construction of confidence limits about effect measures", Statistics in Medicine 27, 2008.
    """
    numbers = np.unique(groups[groups != NO_GROUP]).tolist()
    found = [mean_interval(values[groups == number], support=support) for number in numbers]
    low = math.hypot(*(each.mean - each.low for each in found))
    high = math.hypot(*(each.high - each.mean for each in found))
    return low / len(found), high / len(found)


def _area(positive: NDArray[np.bool_], score: Floats) -> Estimate:
    """The area under the ROC curve, ties half, with the interval of DeLong and others, 1988.

    E. DeLong, D. DeLong, D. Clarke-Pearson, "Comparing the areas under two or more correlated receiver operating
    characteristic curves", Biometrics 44.
    """

    def beaten(values: Floats, others: Floats) -> Floats:
        ranked = np.sort(others)
        below = np.searchsorted(ranked, values, "left") + np.searchsorted(ranked, values, "right")
        return below / (2.0 * len(others))

    above, below = beaten(score[positive], score[~positive]), 1.0 - beaten(score[~positive], score[positive])
    area, rows = float(above.mean()), len(score)
    influences = np.full(rows, math.nan)  # a class of one row says nothing of how much it varies
    if min(len(above), len(below)) > 1:
        for own, shares in ((positive, above), (~positive, below)):
            unbiased = math.sqrt(len(shares) / (len(shares) - 1) * (rows - 1) / rows)
            influences[own] = (shares - area) * (rows / len(shares) * unbiased)
    return Estimate("auc", area, influences, (0.0, 1.0))

"""Metrics of predictions on rows: means with intervals. The units are rows, which can have weights."""

import math
from dataclasses import dataclass

import numpy as np

from gpkit.core.arrays import Flags, Floats, Ints
from gpkit.core.statistics import ROUNDING, Interval, Verdict, mean_interval, student_quantile
from gpkit.data.losses import RowLoss


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric of predictions on some rows, with its value.

    Attributes:
        name: ``r2``, ``rmse``, ``mae``; ``accuracy``, ``balanced``, ``log_loss``, ``auc``; for other losses ``d2``,
            the ``metric`` of the loss, ``constant`` and ``below``.
        interval: the metric's value and its 95% interval, with the number of units.
        unit: the independent units: ``rows``, or ``groups`` of rows.
    """

    name: str
    interval: Interval
    unit: str = "rows"

    def to_json(self) -> dict[str, object]:
        """The metric as JSON values."""
        found = self.interval
        return {"name": self.name, "mean": found.mean, "interval": found.ends, self.unit: found.units}


GAINS = ("r2", "d2", "accuracy", "balanced", "auc")
"""Metrics for which higher is better."""

BELOW, CONSTANT = "below", "constant"
"""Metrics that do not measure quality: the share of targets at or below a quantile, and the best constant's loss."""

NO_GROUP = -1
"""The group number of a row that belongs to no group."""

SKEWED = 0.15
"""The maximum skew divided by √rows; above it, the error rate at one end of an interval is wrong by over one percent.

This limit follows from the first term of the Edgeworth expansion (Hall, "The Bootstrap and Edgeworth Expansion", 1992):
.15 contributes ``.15 / 6 · (2z² + 1) · φ(z)``, which is .013 for the ``z`` of 95%.
"""

ALIKE = 6
"""If this many rows all differ in the same direction, they show a difference at 95% (by the sign test)."""


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """An estimate of a metric, with the contribution of each row.

    For a ratio or root of means, the interval comes from a linear approximation (the delta method).

    Attributes:
        name: the same as in ``Measure``.
        value: the estimate.
        influences: the contributions of the rows, float64 (rows,), with a mean of 0 except for rounding; with groups,
            the rows' values minus the estimate.
        support: the smallest and the largest possible value of the metric.
        groups: the group of each row, int64 (rows,), with ``NO_GROUP`` for a row that does not count, if the estimate
            is the mean of the groups' mean values, all in the support; otherwise None.
        unit: the same as in ``Measure``.
    """

    name: str
    value: float
    influences: Floats
    support: tuple[float, float]
    groups: Ints | None = None
    unit: str = "rows"

    @property
    def measure(self) -> Measure:
        """The metric with its interval."""
        return Measure(self.name, self._around(self.value, self.influences, self.support), self.unit)

    def together(self, units: Ints) -> "Estimate":
        """The same estimate with groups of rows as units, such as all rows about one person.

        The contributions of a group's rows are added up (Liang, Zeger, "Longitudinal data analysis using generalized
        linear models", Biometrika 73, 1986).

        Args:
            units: the group number of each row, int64 (rows,), from 0.
        """
        influences, rows, count = self.influences, len(units), int(units.max()) + 1
        if self.groups is not None:  # which are of rows, and not of units
            numbers = np.unique(self.groups[self.groups != NO_GROUP])
            influences = np.zeros(rows)
            for own in (self.groups == number for number in numbers.tolist()):
                values = self.influences[own]
                influences[own] = (values - values.mean()) * (rows / (len(numbers) * len(values)))
        sums = np.zeros(count)
        np.add.at(sums, units, influences * (count / rows))
        groups = None if self.groups is None else np.zeros(count, dtype=np.int64)
        return Estimate(self.name, self.value, sums, self.support, groups, "groups")

    @property
    def heaviest(self) -> tuple[int, float]:
        """The row that contributes most to the squared width of the interval, and the share that it contributes.

        The share is 0 if the contributions have hardly any skew, or if the interval does not come from means over rows.
        """
        centred = self.influences - self.influences.mean()
        squares = centred**2
        total, row = float(squares.sum()), int(squares.argmax())
        is_known = 0.0 < total < math.inf and self.groups is None and self.unit == "rows"
        is_skewed = is_known and abs(_skew(centred / math.sqrt(total / len(centred)))) > SKEWED
        return row, float(squares[row]) / total if is_skewed else 0.0

    def less(self, other: "Estimate") -> Interval:
        """The difference from the estimate for other predictions on the same rows, with its interval, paired by row.

        Differences due to rounding count as 0. If all rows differ by the same amount, fewer than ``ALIKE`` rows are not
        enough to show a difference.
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
        if math.isinf(support[0]) != math.isinf(support[1]):
            return _skewed(value, influences, support)
        half = student_quantile(0.975, rows - 1) * float(np.std(influences, ddof=1)) / math.sqrt(rows)
        return Interval(value, max(value - half, support[0]), min(value + half, support[1]), rows)


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference between two programs in a metric, on the same rows.

    Attributes:
        name: the name of the metric.
        first, second: the values of the programs, with their intervals.
        difference: the first value minus the second, paired by row.
        unit: the same as in ``Measure``.
    """

    name: str
    first: Interval
    second: Interval
    difference: Interval
    unit: str = "rows"

    @property
    def verdict(self) -> Verdict:
        """The verdict on the first program by the 95% interval; "not distinguished" if the interval contains 0."""
        return self.difference.verdict(1 if self.name in GAINS else -1)

    def to_json(self) -> dict[str, object]:
        """The difference as JSON values."""
        return {
            "metric": self.name,
            "verdict": self.verdict,
            "means": [self.first.mean, self.second.mean],
            "difference": self.difference.mean,
            "ci95": self.difference.ends,
            self.unit: self.difference.units,
        }


@np.errstate(over="ignore", invalid="ignore")
def regression_estimates(
    targets: Floats, predicted: Floats, weights: Floats | None = None
) -> tuple[Estimate, ...]:
    """R², the root of the mean squared error, and the mean absolute error.

    Args:
        targets, predicted: float64 (rows,).
        weights: the weights of the rows, float64 (rows,), not negative; None if they are equal.
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


@np.errstate(over="ignore", invalid="ignore", divide="ignore")
def loss_estimates(
    targets: Floats, predicted: Floats, loss: RowLoss, weights: Floats | None = None
) -> tuple[Estimate, ...]:
    """The share of the best constant's loss that predictions save (D²), their mean loss, and the constant's mean loss.

    For a quantile, the result also has the share of the targets at or below the prediction. A constant fitted to the
    same rows is the baseline, as for R².

    Args:
        targets, predicted: float64 (rows,).
        loss: the loss of a row.
        weights: the weights of the rows, float64 (rows,), not negative; None if they are equal.
    """
    share = _shares(weights, len(targets))
    losses = loss.losses(targets, loss.values(predicted))
    constant = np.full_like(targets, loss.constant(targets, share))
    usual = loss.losses(targets, constant)
    mean, least = float(np.mean(share * losses)), float(np.mean(share * usual))
    positive = (0.0, math.inf)
    found = [
        Estimate(loss.metric, mean, share * (losses - mean), positive),
        Estimate(CONSTANT, least, share * (usual - least), positive),
    ]
    if loss.metric == "pinball":
        below = (targets <= predicted).astype(np.float64)
        value = float(np.mean(share * below))
        found.append(
            Estimate(BELOW, value, share * (below - value), (0.0, 1.0), np.zeros(len(below), np.int64))
        )
    if least > 0.0:
        saved = -share * (losses - mean / least * usual) / least
        found.insert(0, Estimate("d2", 1.0 - mean / least, saved, (-math.inf, 1.0)))
    return tuple(found)


def classification_estimates(
    targets: Ints, shares: Floats, chosen: Ints, weights: Floats | None = None
) -> tuple[Estimate, ...]:
    """Accuracy, mean accuracy per class, log loss, and, for two classes, the area under the ROC curve.

    Args:
        targets: the class of each row, int64 (rows,), from 0.
        shares: the probability of each class, float64 (rows, classes).
        chosen: the predicted class of each row, int64 (rows,).
        weights: the weights of the rows, float64 (rows,), not negative; None if they are equal.
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
    """The weights of rows, scaled to a mean of 1: float64 (rows,)."""
    return np.ones(rows) if weights is None else weights * (rows / weights.sum())


def _balanced(targets: Ints, right: Floats, share: Floats) -> Estimate:
    """The mean of the accuracies in each class that occurs."""
    groups = np.where(share > 0.0, targets, NO_GROUP)
    values, means = np.zeros(len(targets)), []
    for one in np.unique(targets[share > 0.0]).tolist():
        own = groups == one
        weights = share[own] / share[own].mean()
        means.append(float(np.mean(weights * right[own])))
        values[own] = means[-1] + weights * (right[own] - means[-1])
    value = float(np.mean(means))
    return Estimate("balanced", value, values - value, (0.0, 1.0), groups)


def _reach(values: Floats, groups: Ints, support: tuple[float, float]) -> tuple[float, float]:
    """The lower and upper half-widths of the interval for a mean of means; the squared half-widths of the means add up.

    The interval of a group with a single row is the full support, so the group contributes as much as possible. Zou,
    Donner, "Construction of confidence limits about effect measures", Statistics in Medicine 27, 2008.
    """
    numbers = np.unique(groups[groups != NO_GROUP]).tolist()
    found = [mean_interval(values[groups == number], support=support) for number in numbers]
    low = math.hypot(*(each.mean - each.low for each in found))
    high = math.hypot(*(each.high - each.mean for each in found))
    return low / len(found), high / len(found)


def _skew(values: Floats) -> float:
    """The skew of standardised values, float64 (rows,), divided by the square root of their number."""
    return float(np.mean(values**3)) / math.sqrt(len(values))


def _skewed(value: float, influences: Floats, support: tuple[float, float]) -> Interval:
    """The interval of a value that is bounded on one side, from the logarithm of its distance to that bound.

    The quantiles of Student's t are corrected for the skew of the contributions (Hall, "On the removal of skewness by
    transformation", Journal of the Royal Statistical Society B 54, 1992).
    """
    rows, end = len(influences), support[0] if math.isinf(support[1]) else support[1]
    distance, root = abs(value - end), math.sqrt(len(influences))
    centred = influences - influences.mean()
    spread = float(np.std(centred, ddof=1))
    if not (distance > 0.0 and spread > 0.0):
        return Interval(value, value, value, rows)
    towards = 1.0 if value > end else -1.0
    skew = towards * _skew(centred / spread)
    quantile = student_quantile(0.975, rows - 1)

    def reach(number: float) -> float:
        """The quantile corrected for skew."""
        if abs(skew) < 1e-9:
            return number
        return float(3.0 / skew * (np.cbrt(1.0 + skew * (number - skew / 6.0)) - 1.0))

    near, far = (reach(number) * spread / (root * distance) for number in (quantile, -quantile))
    low, high = math.exp(-near), 1.0 - far + 0.5 * far * far  # the exponential itself would run away
    ends = [value, *(end + towards * distance * factor for factor in (low, high))]
    return Interval(value, min(ends), max(ends), rows)


def _area(positive: Flags, score: Floats) -> Estimate:
    """The area under the ROC curve, with ties counted as one half, and its interval by DeLong and others (1988).

    DeLong, DeLong, Clarke-Pearson, "Comparing the areas under two or more correlated receiver operating characteristic
    curves", Biometrics 44.
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

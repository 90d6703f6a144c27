"""Losses other than squared error: their values, their working rows for least squares, and their best constants.

The plane with the least loss is found by repeated weighted least squares. Each round replaces the targets and weights
of the rows by working targets and weights, as in Green, "Iteratively reweighted least squares for maximum likelihood
estimation", Journal of the Royal Statistical Society B 46, 1984. For quantiles, the working rows follow Hunter and
Lange, "Quantile regression via an MM algorithm", Journal of Computational and Graphical Statistics 9, 2000.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from gpkit.core.arrays import Floats
from gpkit.core.diagnostics import check_known
from gpkit.core.errors import UsageError

SQUARES = "squares"
"""The name of the default loss, which needs no working rows."""

FORMS = (SQUARES, "absolute", "huber:D", "quantile:Q", "poisson")
"""The losses as users write them; D is a distance in the unit of the target, and Q is a share between 0 and 1."""

WORDS = tuple(form.partition(":")[0] for form in FORMS)
"""The names of the losses, without their numbers."""

LARGEST = 700.0
"""The largest logarithm of a prediction, chosen so that its exponential still fits into a double."""

DECADES, FEW = 9.0, 45
"""The width for small errors shrinks by this many powers of ten over all rounds; there are at least ``FEW`` rounds."""

ROUNDS = 100
"""The maximum number of rounds for the best constant."""


@dataclass(frozen=True, slots=True, eq=False)
class RowLoss:
    """The loss of a row, as a function of its target and of the value that a formula computes.

    Attributes:
        name: the name in configurations and in the headers of programs.
        metric: the name of the metric that is the loss's mean over rows.
        losses: returns the losses for targets and values, in the same shape; they are at least 0.
        working: returns the derivative with respect to the value, and a positive curvature, from targets, values, and
            the width within which an error counts as small.
        share: for a quantile, the share of the targets below the quantile; otherwise NaN.
        is_log: whether the value is the logarithm of the prediction.
        nats: a factor of ``log(2)``; the product is the number of nats per row that halving the loss saves in the
            description length.
    """

    name: str
    metric: str
    losses: Callable[[Floats, Floats], Floats]
    working: Callable[[Floats, Floats, Floats | float], tuple[Floats, Floats]]
    share: float = math.nan
    is_log: bool = False
    nats: float = 0.5

    def values(self, predicted: Floats) -> Floats:
        """The values that correspond to predictions, in the same shape: their logarithms, or the same numbers."""
        return np.log(np.maximum(predicted, np.finfo(np.float64).tiny)) if self.is_log else predicted

    def predicted(self, values: Floats) -> Floats:
        """The predictions that correspond to values, in the same shape."""
        return np.exp(np.minimum(values, LARGEST)) if self.is_log else values

    @property
    def is_quantile(self) -> bool:
        """Whether the loss fits a quantile, such as the median."""
        return self.share == self.share

    def spread(self, targets: Floats, predicted: Floats) -> tuple[Floats, Floats]:
        """The derivatives with respect to the predictions and the mean curvatures near them, both float64 (rows,).

        For a loss with kinks, this is the curvature of a smoothed loss (Powell, "Censored regression quantiles",
        Journal of Econometrics 32, 1986).
        """
        values, tiny = self.values(predicted), float(np.finfo(np.float64).tiny)
        low, high = np.quantile(targets - predicted, (0.25, 0.75))
        reach = 1e-3 if self.is_log else (high - low) * 1.5 * len(targets) ** (-1 / 3) + tiny
        below, here, above = (self.working(targets, values + k * reach, tiny)[0] for k in (-1.0, 0.0, 1.0))
        factor = predicted if self.is_log else 1.0
        return here / factor, (above - below) / (2.0 * reach * factor * factor)

    def begin(self, targets: Floats) -> Floats:
        """The targets for the initial least-squares plane, from which the rounds start: float64 (rows,)."""
        return np.log(np.maximum(targets, 0.5)) if self.is_log else targets

    def constant(self, targets: Floats, weights: Floats) -> float:
        """The constant value with the smallest weighted sum of losses; both arrays are float64 (rows,)."""
        if self.is_quantile:
            return weighted_quantile(targets, weights, self.share)
        found = float(np.average(targets, weights=weights))
        if self.is_log:
            return math.log(max(found, np.finfo(np.float64).tiny))
        best, least = found, math.inf
        for number in range(ROUNDS):
            values = np.full_like(targets, found)
            loss = float((weights * self.losses(targets, values)).sum())
            if not loss < least * (1.0 - 1e-12):
                break
            best, least = found, loss
            slope, curvature = self.working(targets, values, width_of(targets - values, number / ROUNDS))
            found -= float((weights * slope).sum() / (weights * curvature).sum())
        return best


def width_of(errors: Floats, passed: float) -> Floats:
    """The width within which errors count as small: float64 (..., 1), from float64 (..., rows).

    Args:
        errors: the errors; the width is a tenth of their mean size at first.
        passed: the share of the rounds that are finished.
    """
    share = 0.1 * 10.0 ** (-DECADES * passed)
    width: Floats = share * np.abs(errors).mean(axis=-1, keepdims=True) + np.finfo(np.float64).tiny
    return width


def weighted_quantile(values: Floats, weights: Floats, share: float) -> float:
    """The smallest value for which values up to it have this share of the weight; both arrays are float64 (rows,)."""
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order])
    place = int(np.searchsorted(reached, share * reached[-1] * (1.0 - 1e-12)))
    return float(values[order[min(place, len(order) - 1)]])


def margin_of(scores: Floats, weights: Floats, level: float) -> float:
    """The bound that the score of a new row does not exceed with this probability, for any distribution of errors.

    The rows must be exchangeable, and the program must not have learned from them (Papadopoulos and others, "Inductive
    confidence machines for regression", 2002).

    Args:
        scores, weights: float64 (rows,) each.
        level: the probability, between 0 and 1.

    Raises:
        UsageError: there are too few rows for this level.
    """
    total = float(weights.sum())
    share = level * (total + float(weights.mean())) / total if len(scores) else math.inf
    if share > 1.0 + 1e-9:
        few = math.ceil(level / (1.0 - level) - 1e-9)
        raise UsageError(
            f"intervals of {level:.4g} need at least {few} held-out rows; there are {len(scores)}: hold out more, or "
            "name a lower level"
        )
    return weighted_quantile(scores, weights, share)


def _pinball(share: float, factor: float, targets: Floats, values: Floats) -> Floats:
    errors = targets - values
    return factor * np.maximum(share * errors, (share - 1.0) * errors)


def _pinball_working(
    share: float, factor: float, targets: Floats, values: Floats, width: Floats | float
) -> tuple[Floats, Floats]:
    errors = targets - values
    curvature = (0.5 * factor) / np.maximum(np.abs(errors), width)
    return factor * (0.5 - share) - curvature * errors, curvature


def _huber(reach: float, targets: Floats, values: Floats) -> Floats:
    sizes = np.abs(targets - values)
    inner = np.minimum(sizes, reach)
    return inner * (sizes - 0.5 * inner)


def _huber_working(
    reach: float, targets: Floats, values: Floats, width: Floats | float
) -> tuple[Floats, Floats]:
    errors = values - targets
    return np.clip(errors, -reach, reach), reach / np.maximum(np.abs(errors), reach)


def _deviance(targets: Floats, values: Floats) -> Floats:
    own = targets * np.log(np.where(targets > 0.0, targets, 1.0)) - targets
    return np.maximum(2.0 * (own - targets * values + np.exp(np.minimum(values, LARGEST))), 0.0)


def _deviance_working(targets: Floats, values: Floats, width: Floats | float) -> tuple[Floats, Floats]:
    mean = np.exp(np.clip(values, -LARGEST, LARGEST))
    return 2.0 * (mean - targets), 2.0 * mean


def is_known(name: str) -> bool:
    """Whether a name belongs to one of the losses in this module, even if its number is wrong."""
    return name.partition(":")[0] in WORDS


def row_loss(name: str) -> RowLoss | None:
    """The loss with this name; None for squared error.

    Raises:
        UsageError: there is no such loss, or its number is missing or not valid.
    """
    word, _, number = name.partition(":")
    check_known("loss", word, WORDS)
    form = FORMS[WORDS.index(word)]
    try:
        value = float(number or "nan")
    except ValueError:
        value = -1.0
    is_number = 0.0 < value < (1.0 if word == "quantile" else math.inf)
    if bool(number) != (":" in form) or (number and not is_number):
        raise UsageError(f"the loss `{name}`: expected `{form}`" + EXPLAINED.get(word, ""))
    if word == "absolute":
        return RowLoss(
            name, "mae", partial(_pinball, 0.5, 2.0), partial(_pinball_working, 0.5, 2.0), 0.5, nats=1.0
        )
    if word == "quantile":
        both = partial(_pinball, value, 1.0), partial(_pinball_working, value, 1.0)
        return RowLoss(name, "pinball", *both, value, nats=1.0)
    if word == "huber":
        return RowLoss(name, "huber", partial(_huber, value), partial(_huber_working, value))
    return RowLoss(name, "deviance", _deviance, _deviance_working, is_log=True) if word == "poisson" else None


EXPLAINED = {
    "quantile": ", where Q is a share between 0 and 1, such as quantile:0.9",
    "huber": ", where D is an error in the unit of the target above which it counts in proportion, such as huber:1.5",
}
"""Explanations of the numbers in the names of losses."""

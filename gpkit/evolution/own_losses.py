"""Losses for fits, by name: gpkit's own losses, and user-defined functions, whose results gpkit checks."""

from collections.abc import Callable
from functools import partial

import numpy as np

from gpkit.core.arrays import Floats
from gpkit.core.diagnostics import nearest
from gpkit.core.errors import GuestError
from gpkit.data.losses import WORDS, RowLoss, is_known, row_loss
from gpkit.evolution.own_parts import check_takes
from gpkit.evolution.parts import Part, Parts


def loss_named(name: str, parts: Parts) -> RowLoss | None:
    """The per-row loss function with this name; None for squared error.

    Raises:
        UsageError: there is no such loss, or its function does not accept targets and values.
        GuestError: the distribution of the loss cannot be imported.
    """
    if is_known(name) or (name not in parts.names("loss") and nearest(name, WORDS)):
        return row_loss(name)
    return own_loss(parts.find("loss", name))


def own_loss(part: Part) -> RowLoss:
    """The loss of a row, from a function of targets and values, both float64 of the same shape.

    If the function returns a tuple, it also contains the derivative with respect to the values; otherwise, gpkit uses
    finite differences.
    """
    for function in _functions(part):
        check_takes(function, part.what, "targets", "values")
    return RowLoss(part.name, "loss", partial(_own_losses, part), partial(_own_working, part))


def _functions(part: Part) -> tuple[Callable[..., object], ...]:
    return part.value if isinstance(part.value, tuple) else (part.value,)


def _answered(part: Part, function: Callable[..., object], targets: Floats, values: Floats) -> Floats:
    """The numbers that a loss function returns for targets and values.

    Raises:
        GuestError: the function raises an error, or does not return numbers of the same shape.
    """
    with part.blaming(function), np.errstate(all="ignore"):
        found = np.asarray(function(targets, values), dtype=np.float64)
    if found.shape != np.shape(values):
        raise GuestError(
            f"{part.what} returned shape {found.shape} for targets and values of shape {np.shape(values)}; expected "
            "a number for each of them"
        )
    return found


def _own_losses(part: Part, targets: Floats, values: Floats) -> Floats:
    found = _answered(part, _functions(part)[0], targets, values)
    if (found < 0.0).any():
        place = np.unravel_index(int(np.argmax(found < 0.0)), found.shape)
        raise GuestError(
            f"{part.what} returned {found[place]:g} for the target {targets[place]:g} and the value {values[place]:g}; "
            "expected at least 0"
        )
    return found


STEP = 1e-4
"""The step size of finite differences, relative to the size of the values and errors."""

LEAST_CURVATURE = 1e-3
"""The smallest curvature to accept from finite differences, relative to a parabola with its vertex at the target."""


def _own_working(part: Part, targets: Floats, values: Floats, width: Floats | float) -> tuple[Floats, Floats]:
    """The derivative, and the curvature from finite differences or from a parabola with its vertex at the target."""
    function, *derivative = _functions(part)
    step = STEP * (np.abs(values) + np.abs(targets)) + 0.1 * width
    below, here, above = (
        _answered(part, (*derivative, function)[0], targets, values + k * step) for k in (-1.0, 0.0, 1.0)
    )
    change = (above - below) / (2.0 * step)
    slope, second = (here, change) if derivative else (change, (above - 2.0 * here + below) / step**2)
    usual = np.abs(slope) / np.maximum(np.abs(values - targets), width) + np.finfo(np.float64).tiny
    return slope, np.where(second > LEAST_CURVATURE * usual, second, usual)

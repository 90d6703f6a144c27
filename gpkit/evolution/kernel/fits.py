"""Fits of values to targets: linear scaling in closed form, logistic scaling, and the equations of constants.

Linear scaling is that of M. Keijzer, "Improving Symbolic Regression with Interval Arithmetic and Linear Scaling",
EuroGP 2003: a formula is judged by the line through its values that fits the targets best.
"""

import numpy as np

from gpkit.core.compiled import inlined, kernel
from gpkit.vm.derivatives import tangent_rows

PASSES = 8
"""The most passes over the rows in which a logistic scale is found."""

FLAT = 1e-24
"""Values whose variance is a smaller part of the square of their mean are all equal, but for rounding."""


@kernel
def fit_values(values, targets, weights, logistic, fits):  # type: ignore[no-untyped-def]
    """The scales of formulas, from their values, and what is lost with them.

    Args:
        values: float64 (formulas, rows).
        targets: float64 (rows,); where the fit is logistic, of 0 to 1.
        weights: float64 (rows,), not negative.
        logistic: whether the loss is the negative logarithm of the probability of the target, and not the square of the
            difference.
        fits: float64 (formulas, 2 + blocks), written: intercept, slope, and the weighted sum of the losses in each
            block of rows (row ``i`` is in block ``i`` modulo their number); NaN where values are not finite.
    """
    blocks = fits.shape[1] - 2
    for formula in range(values.shape[0]):
        f = values[formula]
        intercept, slope = _line(f, targets, weights)
        if logistic:
            intercept, slope = _logistic(f, targets, weights, slope != 0.0)
        fits[formula, 0] = intercept
        fits[formula, 1] = slope
        for block in range(blocks):
            total = 0.0
            for i in range(block, f.shape[0], blocks):
                value = intercept + slope * f[i]
                if logistic:
                    total += weights[i] * logistic_loss(value, targets[i])
                else:
                    error = value - targets[i]
                    total += weights[i] * (error * error)
            fits[formula, 2 + block] = total


@inlined
def logistic_loss(value, target):  # type: ignore[no-untyped-def]
    """The negative logarithm of the probability of a target of 0 to 1, where ``value`` is the logarithm of its odds."""
    return max(value, 0.0) - value * target + np.log1p(np.exp(-abs(value)))


@inlined
def _line(f, targets, weights):  # type: ignore[no-untyped-def]
    """Intercept and slope of the line of least squares; slope 0 for values that are all equal."""
    total, sum_f, sum_y = 0.0, 0.0, 0.0
    for i in range(f.shape[0]):
        total += weights[i]
        sum_f += weights[i] * f[i]
        sum_y += weights[i] * targets[i]
    mean_f, mean_y = sum_f / total, sum_y / total
    square, product = 0.0, 0.0
    for i in range(f.shape[0]):
        from_mean = weights[i] * (f[i] - mean_f)
        square += from_mean * (f[i] - mean_f)
        product += from_mean * (targets[i] - mean_y)
    if square <= FLAT * total * (mean_f * mean_f):
        return mean_y, 0.0
    slope = product / square
    return mean_y - slope * mean_f, slope


@inlined
def _logistic(f, targets, weights, differ):  # type: ignore[no-untyped-def]
    """Intercept and slope of the likeliest logistic curve, by Newton's method with halved steps.

    It works on standardised values. Slope 0 where values do not ``differ``.
    """
    total, sum_f, sum_y, square = 0.0, 0.0, 0.0, 0.0
    for i in range(f.shape[0]):
        total += weights[i]
        sum_f += weights[i] * f[i]
        sum_y += weights[i] * targets[i]
    mean, share = sum_f / total, sum_y / total
    for i in range(f.shape[0]):
        square += weights[i] * (f[i] - mean) * (f[i] - mean)
    width = np.sqrt(square / total)
    a, b = np.log(share / (1.0 - share)), 0.0
    if not differ:
        return a, 0.0
    best_a, best_b, least = a, b, np.inf
    step_a, step_b = 0.0, 0.0
    for _ in range(PASSES):
        loss, by_a, by_b, aa, ab, bb = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for i in range(f.shape[0]):
            z = (f[i] - mean) / width
            value = a + b * z
            chance = 1.0 / (1.0 + np.exp(-value))
            error = weights[i] * (chance - targets[i])
            curvature = weights[i] * (chance * (1.0 - chance))
            loss += weights[i] * logistic_loss(value, targets[i])
            by_a += error
            by_b += error * z
            aa += curvature
            ab += curvature * z
            bb += curvature * z * z
        if not loss <= least:  # too far
            step_a, step_b = 0.5 * step_a, 0.5 * step_b
        else:
            gained = least - loss
            best_a, best_b, least = a, b, loss
            determinant = aa * bb - ab * ab
            if not determinant > 0.0 or gained <= 1e-9 * loss:
                break
            step_a = (ab * by_b - bb * by_a) / determinant
            step_b = (ab * by_a - aa * by_b) / determinant
        a, b = best_a + step_a, best_b + step_b
    slope = best_b / width
    return best_a - slope * mean, slope


@kernel
def normal_equations(program, data, scale, logistic, scratch, equations):  # type: ignore[no-untyped-def]
    """The equations for the next step of all constants, and of intercept and slope, summed over the rows.

    Args:
        program: (code, memory, parameters, result): uint32 (length, 5), straight; float64 (slots,) with the constants
            filled in; int64 (parameters,), their slots; the slot of the value.
        data: (columns, targets, weights): float64 (inputs, rows), (rows,), (rows,).
        scale: float64 (2,): intercept and slope.
        logistic: as for ``fit_values``.
        scratch: (memory, tangents, depends, partials) of ``tangent_rows`` on a block of rows, and float64
            (parameters + 4, rows of the block).
        equations: float64 (parameters + 2, parameters + 3), written: the matrix of second derivatives by
            Gauss and Newton, its lower triangle, and in the last column the gradient. Behind the parameters come
            intercept and slope.

    Returns:
        The loss: half the weighted sum of squares, or the weighted sum of logistic losses.
    """
    code, image, parameters, result = program
    columns, targets, weights = data
    memory, tangents, depends, partials, derivatives = scratch
    count = parameters.shape[0]
    error, curvature = derivatives[count + 2], derivatives[count + 3]
    equations[:] = 0.0
    loss = 0.0
    for start in range(0, columns.shape[1], memory.shape[1]):
        size = min(memory.shape[1], columns.shape[1] - start)
        for slot in range(memory.shape[0]):
            for i in range(memory.shape[1]):
                memory[slot, i] = image[slot]
        for slot in range(columns.shape[0]):
            for i in range(size):
                memory[slot, i] = columns[slot, start + i]
        tangent_rows(code, memory, parameters, tangents, depends, partials)
        for i in range(size):
            weight, target = weights[start + i], targets[start + i]
            value = scale[0] + scale[1] * memory[result, i]
            if logistic:
                chance = 1.0 / (1.0 + np.exp(-value))
                error[i] = weight * (chance - target)
                curvature[i] = weight * (chance * (1.0 - chance))
                loss += weight * logistic_loss(value, target)
            else:
                error[i] = weight * (value - target)
                curvature[i] = weight
                loss += 0.5 * (error[i] * (value - target))
            derivatives[count, i] = 1.0
            derivatives[count + 1, i] = memory[result, i]
        for number in range(count):
            if depends[number, result]:
                for i in range(size):
                    derivatives[number, i] = scale[1] * tangents[number, result, i]
            else:
                derivatives[number, :size] = 0.0
        _add_products(derivatives, size, count + 2, equations)
    return loss


@inlined
def _add_products(derivatives, size, count, equations):  # type: ignore[no-untyped-def]
    """Add a block of ``size`` rows to the equations; its errors and curvatures stand behind its derivatives."""
    error, curvature = derivatives[count], derivatives[count + 1]
    for k in range(count):
        by_k = derivatives[k]
        for j in range(k + 1):
            by_j = derivatives[j]
            total = 0.0
            for i in range(size):
                total += curvature[i] * by_k[i] * by_j[i]
            equations[k, j] += total
        total = 0.0
        for i in range(size):
            total += error[i] * by_k[i]
        equations[k, count] += total


@kernel
def solve_damped(equations, damping, factor, step):  # type: ignore[no-untyped-def]
    """The step against the gradient, where the diagonal of the matrix is made larger by a factor of 1 + ``damping``.

    Args:
        equations: float64 (unknowns, unknowns + 1), as ``normal_equations`` writes them.
        damping: above 0.
        factor: float64 (unknowns, unknowns), scratch.
        step: float64 (unknowns,), written.

    Returns:
        Whether there is one: whether the matrix could be factorised (by Cholesky).
    """
    count = equations.shape[0]
    for k in range(count):
        for j in range(k + 1):
            total = equations[k, j]
            if j == k:
                total = total + damping * max(total, 1e-30)
            for i in range(j):
                total -= factor[k, i] * factor[j, i]
            if j < k:
                factor[k, j] = total / factor[j, j]
            elif total > 0.0 and total < np.inf:
                factor[k, k] = np.sqrt(total)
            else:
                return False
    for k in range(count):
        total = -equations[k, count]
        for i in range(k):
            total -= factor[k, i] * step[i]
        step[k] = total / factor[k, k]
    for k in range(count - 1, -1, -1):
        total = step[k]
        for i in range(k + 1, count):
            total -= factor[i, k] * step[i]
        step[k] = total / factor[k, k]
    return True

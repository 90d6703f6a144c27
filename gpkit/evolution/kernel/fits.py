"""Fits of values to targets: linear scaling in closed form, logistic scaling, and the equations of constants.

Linear scaling follows Keijzer, "Improving Symbolic Regression with Interval Arithmetic and Linear Scaling", EuroGP
2003: a formula is judged by the line through its values that fits the targets best. If the formula is a sum, we use the
plane through the values of its terms instead (Arnaldo, Krawiec and O'Reilly, "Multiple Regression Genetic Programming",
GECCO 2014).
"""

import numpy as np

from gpkit.core.compiled import inlined, kernel
from gpkit.vm.derivatives import tangent_rows

PASSES = 8
"""The maximum number of passes over the rows to find a logistic scale."""

SAME = 1e-12
"""The largest unexplained share of a term's sum of squares if it counts as a linear combination of earlier terms."""

MOST_ODDS = 700.0
"""The log odds of a class that contains all rows, or no rows."""

FLAT = 1e-24
"""Values count as all equal if their variance is less than this share of their mean's square."""


@kernel
def fit_values(values, ends, data, logistic, scratch, slopes, fits):  # type: ignore[no-untyped-def]
    """The scales of formulas, from the values of their terms, and the remaining losses.

    Args:
        values: float64 (terms, rows).
        ends: int64 (formulas,), the end of each formula's terms.
        data: (targets, weights): float64 (rows,), from 0 to 1 if the fit is logistic; float64 (rows,), not negative.
        logistic: whether the loss is the negative logarithm of the target's probability instead of the squared
            difference; the fit is then a logistic curve of maximum likelihood along the least-squares plane.
        scratch: (parts, shares): float64 (terms of a formula + 2, rows); float64 (terms of a formula + 2, terms of a
            formula).
        slopes: float64 (terms,), an output.
        fits: float64 (formulas, 1 + blocks), an output: the intercept, and the weighted sum of the losses in each block
            of rows (row ``i`` is in block ``i % blocks``); NaN if values are not finite.
    """
    targets, weights = data
    sums = scratch[0][0]
    blocks, first = fits.shape[1] - 1, 0
    for formula in range(ends.shape[0]):
        terms, own = values[first : ends[formula]], slopes[first : ends[formula]]
        intercept = _plane(terms, targets, weights, scratch, own)
        if logistic:
            _add_terms(terms, own, intercept, sums)
            differ = False
            for k in range(own.shape[0]):
                differ = differ or own[k] != 0.0
            start, factor = _logistic(sums, targets, weights, differ)
            intercept = start + factor * intercept
            for k in range(own.shape[0]):
                own[k] *= factor
        _add_terms(terms, own, intercept, sums)
        fits[formula, 0] = intercept
        for block in range(blocks):
            total = 0.0
            for i in range(block, sums.shape[0], blocks):
                if logistic:
                    total += weights[i] * logistic_loss(sums[i], targets[i])
                else:
                    error = sums[i] - targets[i]
                    total += weights[i] * (error * error)
            fits[formula, 1 + block] = total
        first = ends[formula]


@kernel
def fit_planes(values, ends, data, scratch, slopes, intercepts, sums):  # type: ignore[no-untyped-def]
    """The least-squares planes through the terms of formulas, each with its own targets and weights.

    Args:
        values, ends, scratch: as for ``fit_values``.
        data: (targets, weights): float64 (formulas, rows) each; weights are not negative.
        slopes: float64 (terms,), an output.
        intercepts: float64 (formulas,), an output.
        sums: float64 (formulas, rows), an output: the values of the planes.
    """
    targets, weights = data
    first = 0
    for formula in range(ends.shape[0]):
        terms, own = values[first : ends[formula]], slopes[first : ends[formula]]
        intercepts[formula] = _plane(terms, targets[formula], weights[formula], scratch, own)
        _add_terms(terms, own, intercepts[formula], sums[formula])
        first = ends[formula]


@inlined
def _add_terms(terms, slopes, intercept, sums):  # type: ignore[no-untyped-def]
    """Write the predictions of a formula: its intercept, plus its terms times their slopes, from left to right."""
    sums[:] = intercept
    for k in range(terms.shape[0]):
        for i in range(sums.shape[0]):
            sums[i] += slopes[k] * terms[k, i]


@inlined
def logistic_loss(value, target):  # type: ignore[no-untyped-def]
    """The negative logarithm of the probability of a target from 0 to 1; ``value`` is the logarithm of its odds."""
    return max(value, 0.0) - value * target + np.log1p(np.exp(-abs(value)))


@inlined
def _plane(terms, targets, weights, scratch, slopes):  # type: ignore[no-untyped-def]
    """The intercept of the least-squares plane through terms; writes their ``slopes``.

    Terms are made orthogonal one after another, by the Gram-Schmidt process. Constant terms, and linear combinations of
    earlier terms, have slope 0.
    """
    parts, shares = scratch
    rest, ones = parts[0], parts[-1]
    means, squares = shares[0], shares[1]
    ones[:] = 1.0
    total = _product(weights, ones, ones)
    intercept = _product(weights, targets, ones) / total
    for i in range(rest.shape[0]):
        rest[i] = targets[i] - intercept
    for k in range(terms.shape[0]):
        part = parts[k + 1]
        means[k] = _product(weights, terms[k], ones) / total
        for i in range(rest.shape[0]):
            part[i] = terms[k, i] - means[k]
        square = _product(weights, part, part)
        least = max(FLAT * total * (means[k] * means[k]), SAME * square)
        for j in range(k):
            if squares[j] > 0.0:
                share = _product(weights, part, parts[j + 1]) / squares[j]
                for i in range(rest.shape[0]):
                    part[i] -= share * parts[j + 1, i]
                shares[2 + j, k] = share
        if k > 0:
            square = _product(weights, part, part)
        is_flat = square <= least
        squares[k], slopes[k] = 0.0, 0.0
        if not is_flat:
            slope = _product(weights, part, rest) / square
            for i in range(rest.shape[0]):
                rest[i] -= slope * part[i]
            squares[k], slopes[k] = square, slope
    for k in range(terms.shape[0] - 1, -1, -1):
        if squares[k] != 0.0:
            for j in range(k + 1, terms.shape[0]):
                slopes[k] -= shares[2 + k, j] * slopes[j]
        intercept -= slopes[k] * means[k]
    return intercept


@inlined
def _product(weights, a, b):  # type: ignore[no-untyped-def]
    """The sum of the products of three arrays, with four partial sums because a processor adds four at a time."""
    size = a.shape[0]
    first, second, third, fourth = 0.0, 0.0, 0.0, 0.0
    for i in range(0, size - 3, 4):
        first += weights[i] * (a[i] * b[i])
        second += weights[i + 1] * (a[i + 1] * b[i + 1])
        third += weights[i + 2] * (a[i + 2] * b[i + 2])
        fourth += weights[i + 3] * (a[i + 3] * b[i + 3])
    for i in range(size - size % 4, size):
        first += weights[i] * (a[i] * b[i])
    return (first + second) + (third + fourth)


@inlined
def _logistic(f, targets, weights, differ):  # type: ignore[no-untyped-def]
    """The intercept and slope of the maximum-likelihood logistic curve, by Newton's method with step halving.

    The method works on standardised values. The slope is 0 if values do not ``differ``.
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
    a, b = min(max(np.log(share / (1.0 - share)), -MOST_ODDS), MOST_ODDS), 0.0
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
    """The equations for the next step of all constants, intercept and slope, summed over the rows.

    Args:
        program: (code, memory, parameters, result): uint32 (length, 5), straight; float64 (slots,) with the constants
            filled in; int64 (parameters,), their slots; the slot of the value.
        data: (columns, targets, weights): float64 (inputs, rows), (rows,), (rows,).
        scale: float64 (2,): intercept and slope.
        logistic: as for ``fit_values``.
        scratch: (memory, tangents, depends, partials) of ``tangent_rows`` on a block of rows, and float64
            (parameters + 4, rows of the block).
        equations: float64 (parameters + 2, parameters + 3), an output: the lower triangle of the Gauss-Newton matrix of
            second derivatives, and the gradient in the last column. Intercept and slope come after the parameters.

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
    """Add a block of ``size`` rows to the equations; its errors and curvatures come after its derivatives."""
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
    """The damped step against the gradient: the diagonal of the matrix is multiplied by 1 + ``damping``.

    Args:
        equations: float64 (unknowns, unknowns + 1), as ``normal_equations`` writes them.
        damping: above 0.
        factor: float64 (unknowns, unknowns), scratch.
        step: float64 (unknowns,), an output.

    Returns:
        Whether there is a step, that is, whether the matrix had a Cholesky factorisation.
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

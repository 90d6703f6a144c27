"""Least-squares planes through the terms of formulas, from sums of products over blocks of rows.

Values are not stored: one pass over the rows adds up products of terms, which determine the planes, and a second pass
adds up the losses. Formulas share terms, and so they share most products. Each sum has lanes that a processor adds
together, and does not depend on other formulas.
"""

import numpy as np

from gpkit.core.compiled import inlined, kernel
from gpkit.evolution.kernel.fits import FLAT
from gpkit.languages.arithmetic.kernel.walk import slot_of

ROWS, LANES, FIXED = 64, 16, 2
"""The number of rows in a block, of partial sums, and of parts before the terms: weights and targets.

Row ``i`` of a block belongs to lane ``i % LANES``.
"""

CLEAR, TIED, UPRIGHT = 1e-6, 1e-13, 1e-2
"""Limits within which rounding cannot decide whether a term is a linear combination of earlier terms.

It is not if the determinant of the correlations of the terms stays above ``CLEAR``. It is if at most ``TIED`` of its
squares remain unexplained, and the determinant of earlier terms is above ``UPRIGHT``.
"""


@kernel
def number_products(places, ends, table, products, where):  # type: ignore[no-untyped-def]
    """Number the distinct products of the parts that the planes of formulas need.

    Args:
        places: int64 (terms,), the part of each term.
        ends: int64 (formulas,), where the terms of each formula end.
        table: int64, −1 everywhere, whose length is a power of two and more than twice the length of ``where``.
        products: int64 (products, 4), written: the two parts of each product; it has room for as many as ``where``.
        where: int64 (products of all formulas,), written: for each term, its products with the fixed parts, with the
            earlier terms of its formula, and with itself.

    Returns:
        The number of distinct products.
    """
    first, number, count = 0, 0, np.int64(0)
    for formula in range(ends.shape[0]):
        for k in range(first, ends[formula]):
            for j in range(first - FIXED, k + 1):
                other = places[j] if j >= first else np.int64(j - first + FIXED)
                key = max(places[k], other), min(places[k], other), np.int64(0), np.int64(0)
                where[number] = slot_of(table, products, np.int64(0), count, key)
                count = max(count, where[number] + 1)
                number += 1
        first = ends[formula]
    return count


@kernel
def add_products(memory, slots, shifts, parts, products, sums):  # type: ignore[no-untyped-def]
    """Add the products of a block of rows to the sums.

    Args:
        memory: float64 (slots, ROWS), from ``run_nodes``.
        slots: int64 (distinct terms,), the slots of the terms.
        shifts: float64 (distinct terms,), subtracted from the values.
        parts: float64 (FIXED + distinct terms, ROWS): the roots of the weights, 0 after the last row; the differences
            of the targets from their mean, times these roots; the terms are written in the same way.
        products: int64 (products, 4), from ``number_products``.
        sums: float64 (products, LANES), changed in place.
    """
    for term in range(slots.shape[0]):
        part, own, shift = parts[FIXED + term], memory[slots[term]], shifts[term]
        for i in range(ROWS):
            part[i] = parts[0, i] * (own[i] - shift)
    for number in range(products.shape[0]):
        _add_product(parts[products[number, 0]], parts[products[number, 1]], sums[number])


@inlined
def _add_product(a, b, lanes):  # type: ignore[no-untyped-def]
    """Add the products of two arrays, float64 (ROWS,), to the lanes."""
    for lane in range(LANES):
        total = lanes[lane]
        for turn in range(ROWS // LANES):
            total += a[turn * LANES + lane] * b[turn * LANES + lane]
        lanes[lane] = total


@kernel
def solve_planes(ends, where, sums, total, scratch, slopes, offsets):  # type: ignore[no-untyped-def]
    """The least-squares planes of formulas, by the Gram-Schmidt process on sums of products.

    Constant terms, and linear combinations of earlier terms, have slope 0.

    Args:
        ends, where: as for ``number_products``.
        sums: (products, shifts): float64 (products,), and float64 (terms,), what is subtracted from each term.
        total: the sum of the weights.
        scratch: float64 (terms of a formula + 2, terms of a formula).
        slopes: float64 (terms,), written.
        offsets: float64 (formulas,), written: the intercepts less the mean of the targets; infinity if rounding could
            decide which terms count, and NaN if values are not finite.
    """
    products, shifts = sums
    means, squares = scratch[scratch.shape[1]], scratch[scratch.shape[1] + 1]
    first, number = 0, 0
    for formula in range(ends.shape[0]):
        own, size, begun = slopes[first : ends[formula]], ends[formula] - first, number
        offset, upright = 0.0, 1.0
        for k in range(size):
            shift, aim = products[where[number]] / total, products[where[number + 1]]
            means[k], raw = shifts[first + k] + shift, products[where[number + FIXED + k]]
            square, other = raw - products[where[number]] * shift, begun
            pivot = square
            for j in range(k):
                shared = products[where[number + FIXED + j]] - products[where[other]] * shift
                other += FIXED + 1 + j
                for i in range(j):
                    shared -= scratch[j, i] * (scratch[k, i] * squares[i])
                scratch[k, j] = shared / squares[j] if squares[j] != 0.0 else 0.0
                pivot -= scratch[k, j] * (scratch[k, j] * squares[j])
                aim -= scratch[k, j] * (own[j] * squares[j])
            number += FIXED + 1 + k
            squares[k] = _judged(raw, square, pivot, FLAT * total * (means[k] * means[k]), upright)
            own[k] = aim / squares[k] if squares[k] != 0.0 else 0.0
            if squares[k] < 0.0:
                upright = -1.0
            elif squares[k] > 0.0:
                upright *= squares[k] / square
        for k in range(size - 1, -1, -1):
            for j in range(k + 1, size):
                own[k] -= scratch[j, k] * own[j] if squares[k] != 0.0 else 0.0
            offset -= own[k] * means[k]
        offsets[formula] = offset if not upright < 0.0 else np.inf
        first = ends[formula]


@inlined
def _judged(raw, square, pivot, level, upright):  # type: ignore[no-untyped-def]
    """The rest of the squares of a term: 0 if it is constant or a combination of earlier ones, −1 if that is doubtful.

    NaN means that a value is not finite.

    ``raw``, ``square`` and ``pivot`` are the sums of squares of the shifted term, of its differences from its mean, and
    of its differences from combinations of earlier terms.
    """
    if raw <= level or raw != raw:
        return 0.0 * raw
    if not (UPRIGHT * raw < square < np.inf) or upright < 0.0:
        return -1.0
    if pivot <= level or (pivot <= TIED * square and upright > UPRIGHT):
        return 0.0
    return pivot if pivot * upright > CLEAR * square else -1.0


@kernel
def add_losses(memory, terms, ends, slopes, offsets, parts, sums, lanes):  # type: ignore[no-untyped-def]
    """Add the losses of a block of rows.

    Args:
        memory: float64 (slots, ROWS), from ``run_nodes``.
        terms, ends: as ``split_sums`` writes them.
        slopes, offsets: as ``solve_planes`` writes them.
        parts: float64 (parts, ROWS): the first ones are the fixed parts of ``add_products``.
        sums: float64 (ROWS,), scratch.
        lanes: float64 (formulas, LANES), changed in place.
    """
    first = 0
    for formula in range(ends.shape[0]):
        for i in range(ROWS):
            sums[i] = offsets[formula]
        for k in range(first, ends[formula]):
            own, slope = memory[terms[k]], slopes[k]
            for i in range(ROWS):
                sums[i] += slope * own[i]
        for i in range(ROWS):
            sums[i] = parts[0, i] * sums[i] - parts[1, i]
        _add_product(sums, sums, lanes[formula])
        first = ends[formula]

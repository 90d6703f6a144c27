"""The path of every row down a decision tree."""

from gpkit.core.compiled import inlined, kernel

AT_MOST, ABOVE, AT_LEAST, BELOW, EQUAL, UNEQUAL, BOUNDS, LEAF = range(8)
"""Kinds of nodes: six comparisons, inner nodes with a branch between each two bounds, and leaves."""


@kernel
def descend(tree, columns, found):  # type: ignore[no-untyped-def]
    """The leaf that each row reaches.

    Args:
        tree: (tests, bounds, sizes). ``tests``, int64 (nodes, 4), holds for each node in prefix order its kind, the
            column that it tests, and where its bounds begin and end. ``bounds`` is float64 (bounds,); a comparison has
            one. ``sizes``, int64 (nodes,), holds the sizes of the subtrees.
        columns: float64 (columns, rows).
        found: int64 (rows,), written: the position of the leaf.
    """
    for row in range(found.shape[0]):
        found[row] = _leaf(tree, columns, row)


@inlined
def _leaf(tree, columns, row):  # type: ignore[no-untyped-def]
    """The position of the leaf that a row reaches."""
    tests, bounds, sizes = tree
    position = 0
    while True:
        test = tests[position]
        kind = test[0]
        if kind == LEAF:
            return position
        value = columns[test[1], row]
        bound = bounds[test[2]]
        branch = 0
        if kind == AT_MOST:
            branch = 0 if value <= bound else 1
        elif kind == ABOVE:
            branch = 1 if value <= bound else 0
        elif kind == AT_LEAST:
            branch = 0 if bound <= value else 1
        elif kind == BELOW:
            branch = 1 if bound <= value else 0
        elif kind == EQUAL:
            branch = 0 if value == bound else 1
        elif kind == UNEQUAL:
            branch = 1 if value == bound else 0
        else:  # bounds, which rise
            for k in range(test[2], test[3]):
                branch += 1 if bounds[k] <= value else 0
        position += 1
        for _ in range(branch):
            position += sizes[position]

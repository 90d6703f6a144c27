"""The way of every row down decision trees."""

from gpkit.core.compiled import inlined, kernel

AT_MOST, ABOVE, AT_LEAST, BELOW, EQUAL, UNEQUAL, BOUNDS, LEAF = range(8)
"""Kinds of nodes: six comparisons, inner nodes with a branch between each two bounds, and leaves."""


@kernel
def descend(trees, columns, found):  # type: ignore[no-untyped-def]
    """The leaf of the only tree that each row comes to.

    Args:
        trees: as of ``count_right``, one.
        columns: float64 (columns, rows).
        found: int64 (rows,), written: the position of the leaf.
    """
    for row in range(found.shape[0]):
        found[row] = _leaf(trees, 0, columns, row)


@kernel
def count_right(trees, columns, targets, right):  # type: ignore[no-untyped-def]
    """Count, for each tree and each class, the rows of the class that come to a leaf of it.

    Args:
        trees: (tests, bounds, nodes, sizes, starts): int64 (tests, 4), of each different node its kind, the column that
            it tests (of a leaf its number), its first bound and the one behind its last; float64 (bounds,), of a
            comparison one; int64 (nodes,), the nodes of all trees in prefix order by their tests; int64
            (nodes,), sizes of subtrees; int64 (trees,), where each tree begins.
        columns: float64 (columns, rows).
        targets: int64 (rows,): the number of the class, which is that of its leaves.
        right: int64 (trees, classes), counted up.
    """
    tests, nodes, starts = trees[0], trees[2], trees[4]
    for tree in range(starts.shape[0]):
        for row in range(targets.shape[0]):
            number = tests[nodes[_leaf(trees, starts[tree], columns, row)], 1]
            if number == targets[row]:
                right[tree, number] += 1


@inlined
def _leaf(trees, position, columns, row):  # type: ignore[no-untyped-def]
    """The position of the leaf that a row comes to in the tree that begins at a position."""
    tests, bounds, nodes, sizes, _ = trees
    while True:
        test = tests[nodes[position]]
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

"""The way of every row down a decision tree."""

from gpkit.core.compiled import kernel

AT_MOST, ABOVE, AT_LEAST, BELOW, EQUAL, UNEQUAL, BOUNDS, LEAF = range(8)
"""Kinds of nodes: six comparisons, inner nodes with a branch between each two bounds, and leaves."""


@kernel
def descend(nodes, bounds, columns, found):  # type: ignore[no-untyped-def]
    """The leaf that each row comes to.

    Args:
        nodes: int64 (nodes, 5), in prefix order: kind, the column that is tested, its first bound and the one behind
            its last, the size of the subtree.
        bounds: float64 (bounds,): of a comparison one.
        columns: float64 (columns, rows).
        found: int64 (rows,), written: the position of the leaf.
    """
    for row in range(found.shape[0]):
        position = 0
        while nodes[position, 0] != LEAF:
            kind = nodes[position, 0]
            value = columns[nodes[position, 1], row]
            bound = bounds[nodes[position, 2]]
            branch = 0
            if kind == BOUNDS:  # they rise
                for k in range(nodes[position, 2], nodes[position, 3]):
                    branch += 1 if bounds[k] <= value else 0
            elif kind == AT_MOST:
                branch = 0 if value <= bound else 1
            elif kind == ABOVE:
                branch = 1 if value <= bound else 0
            elif kind == AT_LEAST:
                branch = 0 if bound <= value else 1
            elif kind == BELOW:
                branch = 1 if bound <= value else 0
            elif kind == EQUAL:
                branch = 0 if value == bound else 1
            else:
                branch = 1 if value == bound else 0
            position += 1
            for _ in range(branch):
                position += nodes[position, 4]
        found[row] = position

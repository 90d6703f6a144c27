"""The rules on masks; see ``boxes`` for ``drawn`` and ``board``."""

from gpkit.core.compiled import inlined, kernel


@inlined
def closed_by(drawn, edge, board):  # type: ignore[no-untyped-def]
    """Number of boxes that drawing an edge closes, 0 to 2.

    Args:
        drawn: without the edge.
        edge: its number.
        board: see ``boxes``.
    """
    first, second = board.others[edge, 0], board.others[edge, 1]
    return int((drawn & first) == first) + int((drawn & second) == second)


@kernel
def solve(board, values):  # type: ignore[no-untyped-def]
    """The value of every position, from the last to the first.

    Args:
        board: see ``boxes``.
        values: int8 (2^edges,), written: by mask the boxes that the player to draw gets from here on, less those that
            the other one gets, if both play as well as can be.
    """
    edges = board.others.shape[0]
    values[values.shape[0] - 1] = 0
    for drawn in range(values.shape[0] - 2, -1, -1):
        best = -128
        for edge in range(edges):
            bit = 1 << edge
            if not drawn & bit:
                closed = closed_by(drawn, edge, board)
                after = values[drawn | bit]
                value = closed + after if closed > 0 else -after
                best = max(best, value)
        values[drawn] = best

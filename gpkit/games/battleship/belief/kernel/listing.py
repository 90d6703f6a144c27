"""Listing all fleets that agree with some facts."""

from gpkit.core.compiled import kernel
from gpkit.games.battleship.belief.kernel.search import (
    begin,
    close_node,
    lay_next,
    next_hit,
    open_node,
    ships_left,
)


@kernel
def list_fleets(ships, question, stack, fleets):  # type: ignore[no-untyped-def]
    """List the fleets that agree with some facts, as far as there is room.

    Args:
        ships: ``search.Ships``.
        question: ``search.Question``.
        stack: ``search.Stack``, scratch.
        fleets: int64 (room, ships), written: numbers of placements, in the order in which they are laid.

    Returns:
        The fleets written.
    """
    begin(question, stack)
    next_hit(0, question, stack)
    open_node(0, ships, question, stack)
    depth, found = 0, 0
    while depth >= 0 and found < fleets.shape[0]:
        if not lay_next(depth, ships, stack):
            depth -= 1
            continue
        depth += 1
        covered = next_hit(depth, question, stack) == question.reasons.shape[0]
        if ships_left(depth, stack) > 0:
            open_node(depth, ships, question, stack)
            continue
        close_node(depth, stack)
        if covered:
            for ship in range(depth):
                fleets[found, ship] = stack.picks[ship]
            found += 1
    return found

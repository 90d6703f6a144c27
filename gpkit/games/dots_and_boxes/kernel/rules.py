"""The rules on masks: bit s of ``drawn`` says that string s is drawn."""

from gpkit.core.compiled import inlined, kernel


@inlined
def closed_by(drawn, string, others):  # type: ignore[no-untyped-def]
    """How many boxes drawing a string closes, 0 to 2.

    Args:
        drawn: mask of the drawn strings, without this one.
        string: its number.
        others: int64 (strings, 2), see ``tables.other_sides``.
    """
    first, second = others[string, 0], others[string, 1]
    return int((drawn & first) == first) + int((drawn & second) == second)


@kernel
def solve(others, values):  # type: ignore[no-untyped-def]
    """The value of every position, from the last to the first.

    Args:
        others: int64 (strings, 2), see ``tables.other_sides``.
        values: int8 (2^strings,), written: by mask the boxes that the player to draw gets from here on, less those that
            the other one gets, if both play as well as can be.
    """
    strings = others.shape[0]
    values[values.shape[0] - 1] = 0
    for drawn in range(values.shape[0] - 2, -1, -1):
        best = -128
        for string in range(strings):
            bit = 1 << string
            if not drawn & bit:
                closed = closed_by(drawn, string, others)
                after = values[drawn | bit]
                value = closed + after if closed > 0 else -after
                best = max(best, value)
        values[drawn] = best


@kernel
def play_out(order, others, masks, players, margins):  # type: ignore[no-untyped-def]
    """Draw strings in a given order and note every position; returns how many boxes were closed.

    Args:
        order: int64 (strings,): the strings.
        others: int64 (strings, 2), see ``tables.other_sides``.
        masks, players, margins: int64 (strings + 1,), written: the drawn strings, who draws next (0 or 1, the same
            player again at the end), and by how many boxes player 0 is ahead.
    """
    drawn, player, margin, boxes = 0, 0, 0, 0
    for turn in range(order.shape[0] + 1):
        masks[turn], players[turn], margins[turn] = drawn, player, margin
        if turn < order.shape[0]:
            closed = closed_by(drawn, order[turn], others)
            drawn |= 1 << order[turn]
            boxes += closed
            margin += closed if player == 0 else -closed
            if closed == 0:
                player = 1 - player
    return boxes

"""Boxes and their undrawn sides: degrees, runs that can be taken, chains and loops.

In all of this file ``drawn`` is the mask of the drawn strings, ``sides`` int64 (boxes,) by box the mask of its strings,
and ``touching`` int64 (strings, 2) by string its boxes, or -1 for the ground.
"""

from gpkit.core.compiled import inlined


@inlined
def degree(drawn, box, sides):  # type: ignore[no-untyped-def]
    """The number of undrawn sides of a box, 0 to 4."""
    left = sides[box] & ~drawn
    count = 0
    while left:
        left &= left - 1
        count += 1
    return count


@inlined
def string_of(mask):  # type: ignore[no-untyped-def]
    """The number of the lowest string of a mask that is not 0."""
    string = 0
    while not mask & 0xFF:
        mask >>= 8
        string += 8
    while not mask & 1:
        mask >>= 1
        string += 1
    return string


@inlined
def beyond(box, string, touching):  # type: ignore[no-untyped-def]
    """The box on the other side of a string of a box, or -1 for the ground."""
    return touching[string, 0] + touching[string, 1] - box


@inlined
def run_from(drawn, box, sides, touching):  # type: ignore[no-untyped-def]
    """The boxes that can be taken one after the other, beginning with a capturable one.

    Args:
        drawn: mask.
        box: one with one undrawn side.
        sides, touching: see above.

    Returns:
        The number of boxes, their undrawn strings as a mask, and the capturable box at the other end, or -1 if that is
        open: a string to the ground or to a box of degree 3 or 4.
    """
    length = 1
    last = sides[box] & ~drawn
    strings = last
    while True:
        box = beyond(box, string_of(last), touching)
        if box < 0:
            return length, strings, -1
        count = degree(drawn, box, sides)
        if count == 1:
            return length + 1, strings, box
        if count > 2:
            return length, strings, -1
        length += 1
        last = sides[box] & ~drawn & ~last
        strings |= last


@inlined
def chain_through(drawn, string, sides, touching):  # type: ignore[no-untyped-def]
    """The chain or loop of boxes of degree 2 that a string belongs to, where nothing can be taken.

    Returns:
        The number of boxes, 0 if none of the string's boxes has degree 2; their undrawn strings, and the inner ones
        among them, which have such a box on both sides, as masks.
    """
    length = 0
    strings, inner = 1 << string, 0
    for side in range(2):
        box, last = touching[string, side], string
        while box >= 0 and degree(drawn, box, sides) == 2:
            length += 1
            last = string_of(sides[box] & ~drawn & ~(1 << last))
            if last == string:
                return length, strings, strings
            strings |= 1 << last
            box = beyond(box, last, touching)
    for each in range(touching.shape[0]):
        one, other = touching[each, 0], touching[each, 1]
        if (
            strings >> each & 1
            and other >= 0
            and degree(drawn, one, sides) == degree(drawn, other, sides) == 2
        ):
            inner |= 1 << each
    return length, strings, inner

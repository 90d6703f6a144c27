"""Whole games between policies of the ladder, every deal in both seatings in one call."""

from gpkit.core.compiled import inlined, kernel
from gpkit.games.dots_and_boxes.kernel.opponents import allowed
from gpkit.games.dots_and_boxes.kernel.rules import closed_by
from gpkit.vm.keyed import keyed_uniform


@inlined
def drawn_from(mask, key, turn):  # type: ignore[no-untyped-def]
    """The string that is drawn from a mask, all of them equally likely: by the key of the deal and the turn."""
    count = 0
    left = mask
    while left:
        left &= left - 1
        count += 1
    place = int(keyed_uniform(key, turn, 0) * count)
    string = 0
    while True:
        if mask >> string & 1:
            if place == 0:
                return string
            place -= 1
        string += 1


@kernel
def play_deals(keys, policies, sides, touching, others, values, rest, log, margins):  # type: ignore[no-untyped-def]
    """Play every deal in both seatings.

    Args:
        keys: int64 (deals,), of at least 0 and below 2^26: they decide between strings that a policy likes equally.
        policies: int64 (2,): see ``opponents``.
        sides, touching, others, values, rest: see ``opponents.allowed``.
        log: int64 (2, strings), written: the strings of the last deal's games in order.
        margins: int64 (deals, 2), written: by how many boxes policy 0 is ahead in the end, where it draws first, and
            where it draws second.
    """
    for deal in range(keys.shape[0]):
        for rotation in range(2):
            drawn, player, margin = 0, rotation, 0
            for turn in range(others.shape[0]):
                mask = allowed(policies[player], drawn, sides, touching, others, values, rest)
                string = drawn_from(mask, keys[deal], turn)
                closed = closed_by(drawn, string, others)
                drawn |= 1 << string
                log[rotation, turn] = string
                margin += closed if player == 0 else -closed
                if closed == 0:
                    player = 1 - player
            margins[deal, rotation] = margin

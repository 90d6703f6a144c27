"""Rule lists on masks: what the first rule that matches proposes, and those of the same precedence."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined, kernel
from gpkit.games.dots_and_boxes.kernel.positions import fill_position
from gpkit.matching.kernel import layout as at
from gpkit.matching.kernel.search import fill_domains, images
from gpkit.matching.kernel.signature import may_match

NO_RULE = -1
"""In place of a rule: none matches."""


class Lists(NamedTuple):
    """The rules of one or several lists, one after another.

    Attributes:
        imaging, absent: int16, rows of searches, see ``gpkit.matching.kernel.layout``.
        signatures: uint64 (WORDS, rules).
        joined: bool (rules,): whether a rule has the precedence of the one before it.
    """

    imaging: NDArray[np.int16]
    absent: NDArray[np.int16]
    signatures: NDArray[np.uint64]
    joined: NDArray[np.bool_]


@inlined
def images_of(rule, lists, scratch):  # type: ignore[no-untyped-def]
    """The edges that a rule proposes in the position that is in ``scratch``, as a mask; 0 if it may not act."""
    if not may_match(scratch.signature, lists.signatures[0, rule], lists.signatures[1, rule]):
        return 0
    values = images(
        lists.imaging[rule],
        lists.absent,
        scratch.nodes,
        scratch.neighbours,
        scratch.ends,
        0,
        scratch.numbers,
        scratch,
    )
    found = 0
    for number in range(at.MAX_NODES):
        if values >> np.uint64(number) == at.NONE:
            break
        if values >> np.uint64(number) & at.ONE:
            found |= scratch.masks[number]
    return found


@inlined
def set_position(drawn, board, scratch):  # type: ignore[no-untyped-def]
    """Write a position into ``scratch`` with what each kind of node can be there, all but its score."""
    count = fill_position(drawn, board, scratch)
    fill_domains(scratch.nodes, 0, count, scratch.domains)


@inlined
def acting(begin, end, lead, lists, scratch):  # type: ignore[no-untyped-def]
    """The first rule of a list that may act in the position that is in ``scratch``, and what its group proposes.

    Args:
        begin, end: the rules of the list among ``lists``, half open.
        lead: boxes of whoever is to draw less those of the other.
        lists, scratch: see ``Lists`` and ``positions.Scratch``.

    Returns:
        The number of the rule, and the mask of what it and the rules of its precedence propose; ``NO_RULE`` and 0 if
        none may act.
    """
    scratch.numbers[at.OF_SCORE] = lead
    rule, found = NO_RULE, 0
    for number in range(begin, end):
        if found and not lists.joined[number]:
            break
        mask = images_of(number, lists, scratch)
        if mask and not found:
            rule = number
        found |= mask
    return rule, found


@kernel
def choose(positions, leads, board, lists, scratch, masks, chosen):  # type: ignore[no-untyped-def]
    """Choose the edges, and the acting rule, of a rule list in many positions with many leads.

    Args:
        positions: int64 (positions,): masks of drawn edges.
        leads: int64 (leads,): boxes of whoever is to draw less those of the other.
        board, lists, scratch: see ``boxes``, ``Lists`` and ``positions.Scratch``.
        masks: int64 (positions, leads), written: the edges among which the list chooses, all of them where no rule
            matches; 0 where the board is full.
        chosen: int16 (positions, leads), written: the rule that acts, the first of several, or ``NO_RULE``.
    """
    full = (1 << board.touching.shape[0]) - 1
    for number in range(positions.shape[0]):
        drawn = positions[number]
        set_position(drawn, board, scratch)
        for column in range(leads.shape[0]):
            rule, found = acting(0, lists.imaging.shape[0], leads[column], lists, scratch)
            masks[number, column] = full & ~drawn if rule == NO_RULE else found
            chosen[number, column] = rule


@kernel
def propose(positions, leads, board, lists, scratch, masks):  # type: ignore[no-untyped-def]
    """List the edges that each of many rules proposes in many positions.

    Args:
        positions: int64 (positions,): masks of drawn edges.
        leads: int64 (positions,): boxes of whoever is to draw less those of the other.
        board, lists, scratch: see ``boxes``, ``Lists`` and ``positions.Scratch``.
        masks: int64 (positions, rules), written: the edges that the rule proposes, 0 where it may not act.
    """
    for number in range(positions.shape[0]):
        set_position(positions[number], board, scratch)
        scratch.numbers[at.OF_SCORE] = leads[number]
        for rule in range(masks.shape[1]):
            masks[number, rule] = images_of(rule, lists, scratch)

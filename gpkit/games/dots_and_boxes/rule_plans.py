"""Rule lists as players, compiled; ``rule_lists`` gives the meaning."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gpkit.core.arrays import for_reading
from gpkit.games.dots_and_boxes.arrays import board_of
from gpkit.games.dots_and_boxes.kernel import rule_lists as kernel
from gpkit.games.dots_and_boxes.kernel.positions import Scratch
from gpkit.games.dots_and_boxes.kernel.rule_lists import Lists
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.matching.kernel import layout as at
from gpkit.matching.matcher import search_scratch
from gpkit.matching.plan import Plan


def choose(
    plan: Plan, positions: NDArray[np.int64], leads: Sequence[int], rules: Rules
) -> tuple[NDArray[np.int64], NDArray[np.int16]]:
    """Choose the edges of a list in many positions with each of some leads, compiled.

    Args:
        plan: the list, by its precedence.
        positions: int64 (positions,): masks of drawn edges.
        leads: boxes of whoever is to draw less those of the other.
        rules: of the board.

    Returns:
        The masks of the edges among which it chooses, int64 (positions, leads), 0 where the board is full; and which
        rule acts, the first of several, int16 (positions, leads).
    """
    masks = np.empty((len(positions), len(leads)), dtype=np.int64)
    chosen = np.empty(masks.shape, dtype=np.int16)
    wanted = np.array(leads, dtype=np.int64)
    given = (for_reading(positions), wanted, board_of(rules), lists_of(plan), scratch_for(plan, rules))
    kernel.choose(*given, masks, chosen)
    return masks, chosen


def propose(
    plan: Plan, positions: NDArray[np.int64], rules: Rules, leads: ArrayLike = 0
) -> NDArray[np.int64]:
    """Proposals of each rule by itself: the masks of its edges, int64 (positions, rules), 0 where it may not act.

    Args:
        plan: the rules.
        positions: int64 (positions,): masks of drawn edges.
        rules: of the board.
        leads: of all positions or of each, boxes of whoever is to draw less those of the other.
    """
    masks = np.empty((len(positions), len(plan)), dtype=np.int64)
    each = for_reading(np.broadcast_to(np.asarray(leads, dtype=np.int64), len(positions)))
    given = (for_reading(positions), each, board_of(rules), lists_of(plan), scratch_for(plan, rules))
    kernel.propose(*given, masks)
    return masks


def lists_of(plan: Plan) -> Lists:
    """The rules as the kernels of games want them."""
    return Lists(plan.imaging, plan.absent, plan.signatures, plan.joined)


def scratch_for(plan: Plan, rules: Rules) -> Scratch:
    """Scratch arrays for one position of a board and the searches of these rules."""
    boxes = rules.boxes
    domains, stack = search_scratch(plan.longest, plan.places)
    return Scratch(
        np.empty(boxes, dtype=np.int64),
        np.empty((boxes, boxes + 1), dtype=np.int64),
        np.empty((boxes, at.NODE), dtype=np.int16),
        np.empty((boxes, at.EDGES), dtype=np.uint64),
        np.empty((boxes, at.END_SLOTS), dtype=np.int16),
        np.empty(at.WORDS, dtype=np.uint64),
        np.empty(at.MAX_NODES, dtype=np.int64),
        np.empty(at.NUMBERS_OF_POSITION, dtype=np.int16),
        domains,
        stack,
    )

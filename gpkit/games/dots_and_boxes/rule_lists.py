"""Rule lists as players: what they mean, in plain Python, and the same compiled, in many positions at once.

The first rule of a list that may act says what is drawn: any of the edges of the board that the images of its action
over all its matches stand for, all equally likely. If it is joined to others, it is any of the edges that one of them
proposes, as a set. Where no rule may act, any edge is drawn.

Many positions of one board become graphs in the arrays of the compiled matcher without a ``StateGraph`` for each: the
195,550 classes of 3x3 boxes that are not the end take a second, not half a minute.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gpkit.core.arrays import for_reading
from gpkit.games.dots_and_boxes.arrays import board_of
from gpkit.games.dots_and_boxes.classes import classes
from gpkit.games.dots_and_boxes.kernel import positions as kernel
from gpkit.games.dots_and_boxes.kernel.positions import Graphs, Lists, PositionScratch, write_graphs
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.state_graph import StateGraph
from gpkit.genomes.graph import Rule
from gpkit.matching.kernel import layout as at
from gpkit.matching.plan import Plan, plan, search_scratch
from gpkit.matching.reference import images


def edges_of_rule(rule: Rule, position: StateGraph, lead: int) -> tuple[int, ...]:
    """The edges of the board that a rule proposes, ascending; none if it may not act."""
    values = images(rule, position.graph, lead)
    return tuple(sorted({edge for value in values for edge in position.edges_of(value)}))


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
    drawn, wanted = for_reading(positions), np.array(leads, dtype=np.int64)
    kernel.choose(drawn, wanted, board_of(rules), lists_of(plan), scratch_for(plan, rules), masks, chosen)
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
    given = for_reading(positions), each, board_of(rules), lists_of(plan), scratch_for(plan, rules)
    kernel.propose(*given, masks)
    return masks


def lists_of(plan: Plan) -> Lists:
    """The rules as the kernels of games want them."""
    return Lists(plan.imaging, plan.absent, plan.signatures, plan.joined)


def scratch_for(plan: Plan, rules: Rules) -> PositionScratch:
    """Scratch arrays for one position of a board and the searches of these rules."""
    boxes = rules.boxes
    domains, stack = search_scratch(plan.longest, plan.places)
    return PositionScratch(
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


def graphs_of(masks: NDArray[np.int64], rules: Rules) -> Graphs:
    """The graphs of positions, given as masks of drawn edges, int64 (positions,), none of them final; read-only."""
    nodes, count = len(masks) * rules.boxes, len(masks)
    graphs = Graphs(
        at.Positions(
            starts=np.zeros(count + 1, dtype=np.int64),
            nodes=np.empty((nodes, at.NODE), dtype=np.int16),
            neighbours=np.empty((nodes, at.EDGES), dtype=np.uint64),
            ends=np.empty((nodes, at.END_SLOTS), dtype=np.int16),
            signatures=np.empty((count, at.WORDS), dtype=np.uint64),
            left=np.empty(count, dtype=np.int16),
        ),
        np.empty((count, rules.edges), dtype=np.int8),
    )
    write_graphs(for_reading(masks), board_of(rules), scratch_for(plan(()), rules), graphs)
    made, values = graphs
    used = made.starts[-1]
    positions = at.Positions(
        for_reading(made.starts),
        for_reading(made.nodes[:used].copy()),
        for_reading(made.neighbours[:used].copy()),
        for_reading(made.ends[:used].copy()),
        for_reading(made.signatures),
        for_reading(made.left),
    )
    return Graphs(positions, for_reading(values))


@lru_cache(maxsize=2)
def class_graphs(rules: Rules) -> Graphs:
    """The graphs of all classes of a board but the last one, which is the end."""
    return graphs_of(classes(rules).positions[:-1], rules)

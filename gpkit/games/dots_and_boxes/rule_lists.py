"""State graphs, and rule lists that play on them: in plain Python, and compiled for many positions together.

In a state graph, open boxes are the nodes, and undrawn sides are the edges. A maximal run of boxes with two undrawn
sides is one node, so the graph is a multigraph with loops; see ``gpkit.genomes.graph``. A capturable box (x) is not
part of a chain.

The first rule of a list that may act determines the edges from which the player chooses. In each match, the rule's
action represents edges of the board, and the player draws one of these edges at random. If the rule is joined to
others, the player draws any edge that one of them proposes. If no rule may act, the player draws any edge.

For many positions of one board, a kernel writes the graphs into the arrays of the compiled matcher, without a
``StateGraph`` for each position. For the 195,550 classes of 3x3 boxes before the end of the game, this takes a second
instead of half a minute.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gpkit.core.arrays import Ints, for_reading
from gpkit.games.dots_and_boxes.classes import board_of, classes
from gpkit.games.dots_and_boxes.kernel import boxes as kernel
from gpkit.games.dots_and_boxes.kernel.boxes import Graphs, Lists, PositionScratch, write_graphs
from gpkit.games.dots_and_boxes.rules import (
    DotsAndBoxesRules,
    DotsAndBoxesState,
    boxes_of_edges,
    edges_of_box,
)
from gpkit.genomes.graph import DEGREES, GROUND, Action, Graph, Link, Node, Rule, Symbol
from gpkit.matching.kernel import search as at
from gpkit.matching.plan import Plan, plan, search_scratch
from gpkit.matching.reference import images

SYMBOL_OF: Mapping[int, Symbol] = {degree: symbol for symbol, degree in DEGREES.items()}
"""The symbol of an open box, indexed by its number of undrawn sides."""


@dataclass(frozen=True, slots=True)
class StateGraph:
    """A position as a graph, with the boxes and edges of the board that the parts of the graph represent.

    Attributes:
        graph: the graph; the nodes are in the order of their lowest boxes.
        boxes: the boxes of each node; in a chain, from one end to the other.
        edges: the board's edges for each link of the graph, in order; for a loop, all edges of the loop.
        grounds: the edges of each node to the ground.
        paths: the edges of each node: the k + 1 edges, from one end to the other, of a chain of k boxes; the k edges of
            a loop of k boxes; and no edges for other nodes.
        ends: the two ends of each node: for a chain, the nodes (or ``GROUND``) beyond its first and last edge; for a
            loop, the node itself; and no ends for other nodes.
    """

    graph: Graph
    boxes: tuple[tuple[int, ...], ...]
    edges: tuple[tuple[int, ...], ...]
    grounds: tuple[tuple[int, ...], ...]
    paths: tuple[tuple[int, ...], ...]
    ends: tuple[tuple[int, ...], ...]

    def edges_of(self, action: Action) -> tuple[int, ...]:
        """The board's edges, in ascending order, for an action between two nodes or to the ground.

        The result contains several edges if the graph does not distinguish them: two edges to the ground, both ends of
        a chain at one node, or all edges of a loop. The result is empty if no such edge exists.
        """
        node, other, offset = action
        if offset == 0 and other == GROUND:
            return self.grounds[node]
        if offset == 0 or node == other:
            wanted, known = sorted((node, other)), zip(self.graph.links, self.edges, strict=True)
            return next((edges for link, edges in known if [link.low, link.high] == wanted), ())
        if not 0 < offset < self.graph.nodes[node].length:
            return ()
        path = self.paths[node]
        found = zip(self.ends[node], (path[offset], path[-1 - offset]), strict=True)
        return tuple(sorted({edge for end, edge in found if end == other}))

    def action_of(self, edge: int) -> Action:
        """The action for an undrawn edge of the board; inside a chain, the action counts from the nearer end.

        For the middle of a chain, it counts from the end with the lower number, where the ground comes before nodes.

        Raises:
            AssertionError: the edge is already drawn.
        """
        for node, (path, ends, grounds) in enumerate(zip(self.paths, self.ends, self.grounds, strict=True)):
            if edge in path and ends == (node, node):
                return Action(node, node)
            if edge in path:
                place = path.index(edge)
                offset, end = min((place, ends[0]), (len(path) - 1 - place, ends[1]))
                return Action(node, end, offset)
            if edge in grounds:
                return Action(node, GROUND)
        for link, edges in zip(self.graph.links, self.edges, strict=True):
            if edge in edges:
                return Action(link.low, link.high)
        raise AssertionError("the edge is undrawn")


def state_graph(state: DotsAndBoxesState) -> StateGraph:
    """The graph of a position; at the end of the game, it has no nodes."""
    undrawn = {
        box: tuple(edge for edge in edges_of_box(box, state.rules) if edge not in state.drawn)
        for box in range(state.rules.boxes)
    }
    groups: list[tuple[int, ...]] = []
    paths: list[tuple[int, ...]] = []
    node_of: dict[int, int] = {}
    for box, edges in undrawn.items():
        if edges and box not in node_of:
            group, path = _chain(box, undrawn, state) if len(edges) == 2 else ((box,), ())
            node_of |= dict.fromkeys(group, len(groups))
            groups.append(group)
            paths.append(path)
    nodes = tuple(
        Node(SYMBOL_OF[len(undrawn[group[0]])], len(group) if path else 0)
        for group, path in zip(groups, paths, strict=True)
    )
    joined: dict[tuple[int, int], list[int]] = {}
    grounds: list[list[int]] = [[] for _ in nodes]
    for edge in state.legal_actions():
        low, *high = sorted(node_of[box] for box in boxes_of_edges(state.rules)[edge])
        if not high:
            grounds[low].append(edge)
        elif low != high[0] or len(paths[low]) == len(groups[low]):  # not inside an open chain
            joined.setdefault((low, high[0]), []).append(edge)
    order = sorted(joined)
    return StateGraph(
        Graph(
            nodes,
            tuple(Link(low, high, 1 if low == high else len(joined[low, high])) for low, high in order),
            tuple(map(len, grounds)),
        ),
        tuple(groups),
        tuple(tuple(joined[pair]) for pair in order),
        tuple(map(tuple, grounds)),
        tuple(paths),
        tuple(_ends(group, path, node_of, state) for group, path in zip(groups, paths, strict=True)),
    )


def _chain(
    box: int, undrawn: Mapping[int, tuple[int, ...]], state: DotsAndBoxesState
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The boxes and the edges of the chain or loop of a box with two undrawn sides, from one end to the other."""
    boxes, path = [box], [undrawn[box][0]]
    while True:
        path.append(next(edge for edge in undrawn[boxes[-1]] if edge != path[-1]))
        if path[-1] == path[0]:
            return tuple(boxes), tuple(path[:-1])
        following = _across(boxes[-1], path[-1], undrawn, state)
        if following is None:
            break
        boxes.append(following)
    while (before := _across(boxes[0], path[0], undrawn, state)) is not None:
        boxes.insert(0, before)
        path.insert(0, next(edge for edge in undrawn[before] if edge != path[0]))
    return tuple(boxes), tuple(path)


def _across(
    box: int, edge: int, undrawn: Mapping[int, tuple[int, ...]], state: DotsAndBoxesState
) -> int | None:
    """The next box of a chain on the other side of an edge, or None at the end of the chain."""
    return next(
        (each for each in boxes_of_edges(state.rules)[edge] if each != box and len(undrawn[each]) == 2), None
    )


def _ends(
    group: tuple[int, ...], path: tuple[int, ...], node_of: Mapping[int, int], state: DotsAndBoxesState
) -> tuple[int, ...]:
    """The nodes to which the two ends of a chain lead (a loop leads to itself); empty for a box outside chains."""
    ends = ((group[0], path[0]), (group[-1], path[-1])) if path else ()
    return tuple(
        next((node_of[each] for each in boxes_of_edges(state.rules)[edge] if each != box), GROUND)
        for box, edge in ends
    )


def edges_of_rule(rule: Rule, position: StateGraph, lead: int) -> tuple[int, ...]:
    """The board's edges that a rule proposes, in ascending order; empty if the rule may not act."""
    return tuple(
        sorted({edge for value in images(rule, position.graph, lead) for edge in position.edges_of(value)})
    )


def choose(
    plan: Plan, positions: Ints, leads: Sequence[int], rules: DotsAndBoxesRules
) -> tuple[Ints, NDArray[np.int16]]:
    """The edges from which a list chooses in many positions, for each of the leads, computed by compiled code.

    Args:
        plan: the plan of the list, with the rules in order of precedence.
        positions: int64 (positions,): masks of drawn edges.
        leads: possible numbers of boxes of the player to draw minus the opponent's.
        rules: the rules with the board.

    Returns:
        The masks of the edges from which the list chooses, int64 (positions, leads), with 0 for a full board; and the
        first rule that acts, int16 (positions, leads).
    """
    masks = np.empty((len(positions), len(leads)), dtype=np.int64)
    chosen = np.empty(masks.shape, dtype=np.int16)
    drawn, wanted = for_reading(positions), np.array(leads, dtype=np.int64)
    kernel.choose(drawn, wanted, board_of(rules), lists_of(plan), scratch_for(plan, rules), masks, chosen)
    return masks, chosen


def propose(plan: Plan, positions: Ints, rules: DotsAndBoxesRules, leads: ArrayLike = 0) -> Ints:
    """The edges that each rule alone proposes, as masks: int64 (positions, rules), 0 where it may not act.

    Args:
        plan: the rules.
        positions: int64 (positions,): masks of drawn edges.
        rules: the rules with the board.
        leads: one lead for all positions or one lead for each; a lead is the number of boxes of the player to draw
            minus the opponent's.
    """
    masks = np.empty((len(positions), len(plan)), dtype=np.int64)
    each = for_reading(np.broadcast_to(np.asarray(leads, dtype=np.int64), len(positions)))
    given = for_reading(positions), each, board_of(rules), lists_of(plan), scratch_for(plan, rules)
    kernel.propose(*given, masks)
    return masks


def lists_of(plan: Plan) -> Lists:
    """The rules in the format of the game kernels."""
    return Lists(plan.imaging, plan.absent, plan.signatures, plan.joined)


def scratch_for(plan: Plan, rules: DotsAndBoxesRules) -> PositionScratch:
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


def graphs_of(masks: Ints, rules: DotsAndBoxesRules) -> Graphs:
    """The read-only graphs of positions before the end, which are given as masks of drawn edges: int64 (positions,)."""
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
def class_graphs(rules: DotsAndBoxesRules) -> Graphs:
    """The graphs of all classes of a board except the last one, the full board."""
    return graphs_of(classes(rules).positions[:-1], rules)

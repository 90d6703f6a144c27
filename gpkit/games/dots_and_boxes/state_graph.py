"""Positions as graphs of strings and coins, and which edges of the board each edge of a graph stands for.

Boxes that are not closed are the nodes, undrawn sides the edges. A maximal run of boxes with two undrawn sides is one
node, so the graph is a multigraph with loops, see ``gpkit.genomes.graph``. A capturable box (x) is not part of a chain.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from gpkit.games.dots_and_boxes.edges import boxes_of_edges, edges_of_box
from gpkit.games.dots_and_boxes.rules import State
from gpkit.genomes.graph import DEGREES, GROUND, Action, Graph, Link, Node, Symbol

SYMBOL_OF: Mapping[int, Symbol] = {degree: symbol for symbol, degree in DEGREES.items()}
"""The symbol of an open box by the number of its undrawn sides."""


@dataclass(frozen=True, slots=True)
class StateGraph:
    """A position as a graph, with the way back to the board.

    Attributes:
        graph: numbered by the lowest box of each node.
        boxes: by node its boxes, those of a chain from one end to the other.
        edges: by link of the graph, in their order, the edges of the board; of a loop all of its edges.
        grounds: by node its edges to the ground.
        paths: by node that is a chain of k boxes its k + 1 edges from one end to the other, of a loop k; otherwise
            nothing.
        ends: by node that is a chain what its first and its last edge lead to, a node or ``GROUND``; of a loop the
            node itself; otherwise nothing.
    """

    graph: Graph
    boxes: tuple[tuple[int, ...], ...]
    edges: tuple[tuple[int, ...], ...]
    grounds: tuple[tuple[int, ...], ...]
    paths: tuple[tuple[int, ...], ...]
    ends: tuple[tuple[int, ...], ...]

    def edges_of(self, action: Action) -> tuple[int, ...]:
        """The edges of the board that an action between two nodes, or a node and the ground, stands for, ascending.

        These are several where the graph does not tell them apart: two edges to the ground, both ends of a chain at
        one node, and all edges of a loop. They are none if there is no such edge.
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
        """The action that stands for an undrawn edge of the board; from the nearer end of a chain.

        From the middle of a chain it is the end of the lower number, the ground before nodes.

        Raises:
            AssertionError: the edge is drawn already.
        """
        parts = zip(self.paths, self.ends, self.grounds, strict=True)
        for node, (path, ends, grounds) in enumerate(parts):
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


def state_graph(state: State) -> StateGraph:
    """The graph of a position; that of the end has no nodes."""
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
        elif low != high[0] or len(paths[low]) == len(groups[low]):  # not inside a chain that is no loop
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
    box: int, undrawn: Mapping[int, tuple[int, ...]], state: State
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


def _across(box: int, edge: int, undrawn: Mapping[int, tuple[int, ...]], state: State) -> int | None:
    """The next box of a chain on the other side of an edge; None where the chain ends."""
    touching = boxes_of_edges(state.rules)[edge]
    return next((each for each in touching if each != box and len(undrawn[each]) == 2), None)


def _ends(
    group: tuple[int, ...], path: tuple[int, ...], node_of: Mapping[int, int], state: State
) -> tuple[int, ...]:
    """Nodes that the two ends of a chain lead to (a loop leads to itself); none for a box without a chain."""
    ends = ((group[0], path[0]), (group[-1], path[-1])) if path else ()
    return tuple(
        next((node_of[each] for each in boxes_of_edges(state.rules)[edge] if each != box), GROUND)
        for box, edge in ends
    )

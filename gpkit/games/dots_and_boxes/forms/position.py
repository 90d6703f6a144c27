"""Positions of Dots and Boxes as pictures: the board, and over it its graph, with the embedding of a rule in it.

Every box that is not closed is a node on its place, every undrawn side an edge across it; boxes of one chain have one
colour and one number. All nodes have fixed places, which the layout engine ``neato`` keeps.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import graphviz

from gpkit.draw.graph import Sample, new_graph
from gpkit.draw.palette import BLUE, FAINT, INK, MIST, PALE, PAPER, VERMILLION
from gpkit.gamekit.state import NOBODY
from gpkit.games.dots_and_boxes.board import DEGREE_SIGNS, OWNERS, box_name, edge_name
from gpkit.games.dots_and_boxes.edges import boxes_of_edges, horizontal, vertical
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rules import State
from gpkit.games.dots_and_boxes.state_graph import StateGraph, inner_edges, state_graph
from gpkit.languages.rulegraph.rule_graph import COLOURS, symbol_text

CELL = 0.72
"""The width of a box, in inches."""

OUTSIDE = 0.42
"""Distance of the ground from the board, in widths of a box."""


@dataclass(frozen=True, slots=True)
class Found:
    """Embedding of a rule in a position, as marks on the board.

    Attributes:
        numbers: by box of the board the number of the node of the rule that it stands for.
        edges: the edges of the board that stand for edges of the rule.
        chosen: the edge to draw, ``NOBODY`` for none.
        proposed: all edges that the rule proposes.
    """

    numbers: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    edges: Collection[int] = ()
    chosen: int = NOBODY
    proposed: Collection[int] = ()


def position_dot(state: State, found: Found | None = None, *, caption: str = "") -> str:
    """A position as DOT text.

    Args:
        state: the position.
        found: what of it is to be shown strongly, the rest being greyed; None for all of it.
        caption: a line of plain text below the picture.
    """
    graph = new_graph(caption, _legend(found))
    graph.attr(layout="neato", splines="line", outputorder="edgesfirst", overlap="true")
    _add_dots(graph, state.board)
    position = state_graph(state)
    _add_edges(graph, state, position, found)
    _add_sides(graph, state, found)
    _add_boxes(graph, state, position, found)
    return str(graph.source)


def _at(x: float, y: float) -> str:
    """A fixed place, in widths of a box from the upper left dot."""
    return f"{x * CELL:.3f},{-y * CELL:.3f}!"


def _add_dots(graph: graphviz.Digraph, rules: Rules) -> None:
    style = {"shape": "circle", "width": "0.1", "height": "0.1", "fixedsize": "true", "fillcolor": INK}
    for y in range(rules.height + 1):
        for x in range(rules.width + 1):
            graph.node(f"d{x}_{y}", "", pos=_at(x, y), color=INK, tooltip=f"dot {x}, {y}", _attributes=style)


def _add_sides(graph: graphviz.Digraph, state: State, found: Found | None) -> None:
    """The drawn sides, and those that a rule proposes; a dotted line where a side is undrawn."""
    rules = state.board
    across = [
        (horizontal(x, y, rules), f"d{x}_{y}", f"d{x + 1}_{y}")
        for y in range(rules.height + 1)
        for x in range(rules.width)
    ]
    down = [
        (vertical(x, y, rules), f"d{x}_{y}", f"d{x}_{y + 1}")
        for y in range(rules.height)
        for x in range(rules.width + 1)
    ]
    last = NOBODY if found is None else found.chosen
    for edge, one, other in sorted((*across, *down), key=lambda side: side[0] == last):
        style = {"color": PALE, "style": "dotted"}
        if edge in state.drawn:
            style = {"color": INK, "penwidth": "3.5"}
        elif found is not None and edge == found.chosen:
            style = {"color": VERMILLION, "penwidth": "5"}
        elif found is not None and edge in found.proposed:
            style = {"color": VERMILLION, "penwidth": "2.5", "style": "dashed"}
        graph.edge(one, other, tooltip=edge_name(edge, rules), _attributes=style)


def _add_edges(graph: graphviz.Digraph, state: State, position: StateGraph, found: Found | None) -> None:
    """A line across every undrawn side, to the box on its other side or to the ground; thick inside chains."""
    inner = {
        edge
        for path, group in zip(position.paths, position.boxes, strict=True)
        for edge in inner_edges(path, group)
    }
    for edge in state.legal_actions():
        boxes = boxes_of_edges(state.rules)[edge]
        is_strong = found is None or edge in found.edges
        style = {"color": PALE}
        if is_strong:
            style = {"color": BLUE, "penwidth": "3.5"} if edge in inner else {"color": INK, "penwidth": "1.6"}
        end = f"b{boxes[-1]}"
        if len(boxes) == 1:
            end = f"g{edge}"
            _add_ground(graph, end, edge, state.board, INK if is_strong else PALE)
        graph.edge(f"b{boxes[0]}", end, _attributes=style)


def _add_ground(graph: graphviz.Digraph, name: str, edge: int, rules: Rules, colour: str) -> None:
    """A bar outside the board."""
    (box,) = boxes_of_edges(rules)[edge]
    y, x = divmod(box, rules.width)
    lies = edge < rules.width * (rules.height + 1)
    if lies:
        place = (x + 0.5, -OUTSIDE if edge == horizontal(x, 0, rules) else rules.height + OUTSIDE)
    else:
        place = (-OUTSIDE if edge == vertical(0, y, rules) else rules.width + OUTSIDE, y + 0.5)
    long, thin = "0.26", "0.055"
    size = {"width": long if lies else thin, "height": thin if lies else long, "fixedsize": "true"}
    style = {"shape": "box", "fillcolor": colour, "color": colour, "tooltip": "the border of the board"}
    graph.node(name, "", pos=_at(*place), _attributes=style | size)


def _add_boxes(graph: graphviz.Digraph, state: State, position: StateGraph, found: Found | None) -> None:
    node_of = {box: node for node, group in enumerate(position.boxes) for box in group}
    for box, owner in enumerate(state.owners):
        y, x = divmod(box, state.board.width)
        style = {"pos": _at(x + 0.5, y + 0.5), "shape": "box", "fixedsize": "true"}
        style["tooltip"] = box_name(box, state.board)
        if owner != NOBODY:
            size = {"width": "0.5", "height": "0.5", "fillcolor": MIST, "color": MIST, "fontcolor": FAINT}
            graph.node(f"b{box}", OWNERS[owner], _attributes=style | size)
            continue
        sign = DEGREE_SIGNS[state.undrawn_sides(box)]
        symbol = position.graph.nodes[node_of[box]].symbol
        fill, line = COLOURS[symbol]
        number = node_of[box] if found is None else found.numbers.get(box)
        label = sign if number is None else f"<{symbol_text(sign, number)}>"
        colours = {"fillcolor": fill, "color": line}
        if number is None:
            colours = {"fillcolor": PAPER, "color": PALE, "fontcolor": FAINT}
        graph.node(f"b{box}", label, width="0.34", height="0.34", _attributes=style | colours)


def _legend(found: Found | None) -> list[Sample]:
    if found is None or found.chosen == NOBODY:
        return []
    legend = [Sample(VERMILLION, VERMILLION, "draw this side")]
    if len(found.proposed) > 1:
        legend.append(Sample(PAPER, VERMILLION, "or one of these", dashed=True, weight=2))
    return legend

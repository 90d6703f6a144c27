"""Positions of Dots and Boxes as pictures: the board, and over it its graph, with the embedding of a rule in it.

Every box that is not closed is a node on its place, every undrawn side an edge across it; boxes of one chain have one
colour and one number. All nodes have fixed places, which the layout engine ``neato`` keeps.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import product
from types import MappingProxyType

import graphviz

from gpkit.draw.graph import Sample, new_graph
from gpkit.draw.palette import BLUE, FAINT, INK, MIST, PALE, PAPER, VERMILLION
from gpkit.gamekit.state import NOBODY
from gpkit.games.dots_and_boxes.board import DEGREE_SIGNS, OWNERS, box_name, edge_name
from gpkit.games.dots_and_boxes.edges import boxes_of_edges, place_of
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rules import State
from gpkit.games.dots_and_boxes.state_graph import state_graph
from gpkit.genomes.graph import Symbol
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
    position = state_graph(state)
    node_of = {box: node for node, group in enumerate(position.boxes) for box in group}
    if found is None:
        found = Found(node_of, state.legal_actions())
    graph = new_graph(caption, _legend(found))
    graph.attr(layout="neato", splines="line", outputorder="edgesfirst", overlap="true")
    _add_dots(graph, state.board)
    _add_edges(graph, state, node_of, found)
    _add_sides(graph, state, found)
    symbols = {box: position.graph.nodes[node].symbol for box, node in node_of.items()}
    for box in range(state.board.boxes):
        _add_box(graph, state, box, symbols.get(box), found.numbers.get(box))
    return str(graph.source)


def _at(x: float, y: float) -> str:
    """A fixed place, in widths of a box from the upper left dot."""
    return f"{x * CELL:.3f},{-y * CELL:.3f}!"


def _add_dots(graph: graphviz.Digraph, rules: Rules) -> None:
    style = {"shape": "circle", "width": "0.1", "height": "0.1", "fixedsize": "true", "fillcolor": INK}
    for y, x in product(range(rules.height + 1), range(rules.width + 1)):
        graph.node(f"d{x}_{y}", "", pos=_at(x, y), color=INK, tooltip=f"dot {x}, {y}", _attributes=style)


def _add_sides(graph: graphviz.Digraph, state: State, found: Found) -> None:
    """The drawn sides, and those that a rule proposes; a dotted line where a side is undrawn."""
    for edge in sorted(range(state.board.edges), key=lambda edge: edge == found.chosen):
        style = {"color": PALE, "style": "dotted"}
        if edge in state.drawn:
            style = {"color": INK, "penwidth": "3.5"}
        elif edge == found.chosen:
            style = {"color": VERMILLION, "penwidth": "5"}
        elif edge in found.proposed:
            style = {"color": VERMILLION, "penwidth": "2.5", "style": "dashed"}
        x, y = place_of(edge, state.board)
        ends = f"d{x // 2}_{y // 2}", f"d{(x + 1) // 2}_{(y + 1) // 2}"
        graph.edge(*ends, tooltip=edge_name(edge, state.board), _attributes=style)


def _add_edges(graph: graphviz.Digraph, state: State, node_of: Mapping[int, int], found: Found) -> None:
    """A line across every undrawn side, to the box on its other side or to the ground; thick inside chains."""
    for edge in state.legal_actions():
        first, *others = boxes_of_edges(state.rules)[edge]
        style = {"color": PALE}
        if edge in found.edges:
            is_inner = [node_of[each] for each in others] == [node_of[first]]
            style = {"color": BLUE, "penwidth": "3.5"} if is_inner else {"color": INK, "penwidth": "1.6"}
        if not others:
            _add_ground(graph, edge, first, state.board, INK if edge in found.edges else PALE)
        graph.edge(f"b{first}", f"b{others[0]}" if others else f"g{edge}", _attributes=style)


def _add_ground(graph: graphviz.Digraph, edge: int, box: int, rules: Rules, colour: str) -> None:
    """A bar outside the board, behind an edge of a box."""
    (x, y), (row, column) = place_of(edge, rules), divmod(box, rules.width)
    place = x / 2 + OUTSIDE * (x - 2 * column - 1), y / 2 + OUTSIDE * (y - 2 * row - 1)
    long, thin = "0.26", "0.055"
    size = {"width": long if x % 2 else thin, "height": thin if x % 2 else long, "fixedsize": "true"}
    style = {"shape": "box", "fillcolor": colour, "color": colour, "tooltip": "the border of the board"}
    graph.node(f"g{edge}", "", pos=_at(*place), _attributes=style | size)


def _add_box(
    graph: graphviz.Digraph, state: State, box: int, symbol: Symbol | None, number: int | None
) -> None:
    """A box: closed where it has no symbol, greyed where it has no number."""
    y, x = divmod(box, state.board.width)
    place = {"pos": _at(x + 0.5, y + 0.5), "shape": "box", "fixedsize": "true"}
    style = place | {"tooltip": box_name(box, state.board)}
    if symbol is None:
        size = {"width": "0.5", "height": "0.5", "fillcolor": MIST, "color": MIST, "fontcolor": FAINT}
        graph.node(f"b{box}", OWNERS[state.owners[box]], _attributes=style | size)
        return
    label, (fill, line) = DEGREE_SIGNS[state.undrawn_sides(box)], COLOURS[symbol]
    colours = {"fillcolor": PAPER, "color": PALE, "fontcolor": FAINT}
    if number is not None:
        label, colours = f"<{symbol_text(label, number)}>", {"fillcolor": fill, "color": line}
    graph.node(f"b{box}", label, width="0.34", height="0.34", _attributes=style | colours)


def _legend(found: Found) -> list[Sample]:
    """Legend for the marks of a rule."""
    if found.chosen == NOBODY:
        return []
    others = Sample(PAPER, VERMILLION, "or one of these", dashed=True, weight=2)
    return [Sample(VERMILLION, VERMILLION, "draw this side"), *([others] if len(found.proposed) > 1 else [])]

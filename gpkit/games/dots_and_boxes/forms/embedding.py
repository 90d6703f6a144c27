"""Pictures of a rule in a position: its nodes on the board, and the side that it draws or the reason why it cannot.

A picture of a position shows the board and, on top of it, the position's graph with the embedding of a rule.

Every open box is a node at the box's place, and an edge crosses every undrawn side. The boxes of a chain have the same
colour and the same number. All nodes have fixed places, which the layout engine ``neato`` preserves.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from types import MappingProxyType

import graphviz

from gpkit.gamekit.state import NOBODY
from gpkit.games.dots_and_boxes.board import DEGREE_SIGNS, OWNERS, board_text, box_name, edge_name
from gpkit.games.dots_and_boxes.rule_lists import StateGraph, edges_of_rule, state_graph
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules, DotsAndBoxesState, boxes_of_edges, place_of
from gpkit.genomes.graph import Rule, RuleList, Symbol, canonical
from gpkit.languages.rulegraph.forms.draw import COLOURS, symbol_text
from gpkit.languages.rulegraph.text import node_name, print_rule
from gpkit.matching.explain import explain, sentence
from gpkit.matching.reference import Embedding, images_under, rule_embeddings
from gpkit.show.graph import BLUE, FAINT, INK, MIST, PALE, PAPER, VERMILLION, Picture, Sample, new_graph

CELL = 0.72
"""The width of a box, in inches."""

OUTSIDE = 0.42
"""The distance between the board and the ground, in box widths."""


@dataclass(frozen=True, slots=True)
class MarkedEmbedding:
    """The embedding of a rule in a position, as marks on the board.

    Attributes:
        numbers: for each marked box of the board, the number of the rule's node that the box represents.
        edges: the edges of the board that represent edges of the rule.
        chosen: the edge to draw, or ``NOBODY`` if there is none.
        proposed: all edges that the rule proposes.
    """

    numbers: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    edges: Collection[int] = ()
    chosen: int = NOBODY
    proposed: Collection[int] = ()


def position_dot(state: DotsAndBoxesState, found: MarkedEmbedding | None = None, *, caption: str = "") -> str:
    """A position as DOT text.

    Args:
        state: the position.
        found: the parts to highlight, with the rest in grey, or None to highlight everything.
        caption: a line of plain text below the picture.
    """
    position = state_graph(state)
    node_of = {box: node for node, group in enumerate(position.boxes) for box in group}
    if found is None:
        found = MarkedEmbedding(node_of, state.legal_actions())
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
    """A fixed place for Graphviz, where x and y are in box widths from the upper left dot."""
    return f"{x * CELL:.3f},{-y * CELL:.3f}!"


def _add_dots(graph: graphviz.Digraph, rules: DotsAndBoxesRules) -> None:
    style = {"shape": "circle", "width": "0.1", "height": "0.1", "fixedsize": "true", "fillcolor": INK}
    for y, x in product(range(rules.height + 1), range(rules.width + 1)):
        graph.node(f"d{x}_{y}", "", pos=_at(x, y), color=INK, tooltip=f"dot {x}, {y}", _attributes=style)


def _add_sides(graph: graphviz.Digraph, state: DotsAndBoxesState, found: MarkedEmbedding) -> None:
    """Add the drawn sides, the sides that a rule proposes, and a dotted line for each other undrawn side."""
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


def _add_edges(
    graph: graphviz.Digraph, state: DotsAndBoxesState, node_of: Mapping[int, int], found: MarkedEmbedding
) -> None:
    """Add a line, thick inside chains, across every undrawn side to the next box or to the ground."""
    for edge in state.legal_actions():
        first, *others = boxes_of_edges(state.rules)[edge]
        style = {"color": PALE}
        if edge in found.edges:
            is_inner = [node_of[each] for each in others] == [node_of[first]]
            style = {"color": BLUE, "penwidth": "3.5"} if is_inner else {"color": INK, "penwidth": "1.6"}
        if not others:
            _add_ground(graph, edge, first, state.board, INK if edge in found.edges else PALE)
        graph.edge(f"b{first}", f"b{others[0]}" if others else f"g{edge}", _attributes=style)


def _add_ground(graph: graphviz.Digraph, edge: int, box: int, rules: DotsAndBoxesRules, colour: str) -> None:
    """Add a bar outside the board, beyond an edge of the border."""
    (x, y), (row, column) = place_of(edge, rules), divmod(box, rules.width)
    place = x / 2 + OUTSIDE * (x - 2 * column - 1), y / 2 + OUTSIDE * (y - 2 * row - 1)
    long, thin = "0.26", "0.055"
    size = {"width": long if x % 2 else thin, "height": thin if x % 2 else long, "fixedsize": "true"}
    style = {"shape": "box", "fillcolor": colour, "color": colour, "tooltip": "the border of the board"}
    graph.node(f"g{edge}", "", pos=_at(*place), _attributes=style | size)


def _add_box(
    graph: graphviz.Digraph, state: DotsAndBoxesState, box: int, symbol: Symbol | None, number: int | None
) -> None:
    """Add a box, which is closed if it has no symbol, and grey if it has no number."""
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


def _legend(found: MarkedEmbedding) -> list[Sample]:
    """The legend for the edges that a rule marks."""
    if found.chosen == NOBODY:
        return []
    others = Sample(PAPER, VERMILLION, "or one of these", dashed=True, weight=2)
    return [Sample(VERMILLION, VERMILLION, "draw this side"), *([others] if len(found.proposed) > 1 else [])]


_TRIED = 500
"""The maximum number of embeddings to compare in order to draw the one with the lowest node numbers."""


def state_picture(state: DotsAndBoxesState, *, title: str) -> Picture:
    """The picture of a position and its graph."""
    return Picture(title, position_dot(state, caption=title), board_text(state), _nodes(state))


def embedding_picture(
    program: RuleList,
    number: int,
    state: DotsAndBoxesState,
    *,
    title: str,
    text: str = "",
    drawn: int | None = None,
) -> Picture:
    """The picture of a list's rule in a position before the end of the game.

    Args:
        program: the list.
        number: the number of the rule, from 1.
        state: the position.
        title: the title of the list; the heading adds the rule's number and name.
        text: the program's text, which pages show.
        drawn: the edge that the rule drew, if it drew one.
    """
    rule = canonical(program.rules[number - 1].rule)
    position, lead = state_graph(state), state.lead(state.current_player)
    heading = heading_of(program, number, title)
    embedding, found = find(rule, position, lead, drawn) or ((), MarkedEmbedding())
    if not embedding:
        obstacle = explain(rule, position.graph, lead)
        assert obstacle is not None, "a rule without an embedding has an obstacle"
        said = [f"cannot act: {sentence(obstacle, rule, position.graph, lead)}"]
        dot = position_dot(state, found, caption=f"{heading} {said[0]}")
    else:
        others = [edge_name(edge, state.board) for edge in found.proposed if edge != found.chosen]
        more = f", or {', '.join(others)}" if others else ""
        said = [f"draw {edge_name(found.chosen, state.board)}{more}"]
        named = (" ".join(box_name(box, state.board) for box in position.boxes[each]) for each in embedding)
        said += [f"{node_name(rule.graph, node)} is {boxes}" for node, boxes in enumerate(named)]
        dot = position_dot(state, found, caption=heading)
    lines = "\n".join([heading, print_rule(rule), *said])
    return Picture(heading, dot, f"{board_text(state)}\n{lines}\n", _nodes(state), text)


def heading_of(program: RuleList, number: int, title: str) -> str:
    """The heading of a rule: the title of its list, the rule's number from 1, and its name if it has one."""
    shown = f"rule {number} {program.rules[number - 1].name}".rstrip()
    return f"{title}, {shown}" if title else f"R{shown[1:]}"


def find(
    rule: Rule, position: StateGraph, lead: int, drawn: int | None = None
) -> tuple[Embedding, MarkedEmbedding] | None:
    """An embedding of a rule with its marks on the board, or None if the rule may not act.

    Args:
        rule: a rule of any level.
        position: the position.
        lead: the number of boxes of the player to draw minus the opponent's.
        drawn: an edge that the embedding must propose, or None for any embedding.
    """

    def edges(embedding: Embedding) -> tuple[int, ...]:
        images = sorted(images_under(rule, embedding, position.graph))
        return tuple(edge for image in images for edge in position.edges_of(image))

    embeddings = rule_embeddings(rule, position.graph, lead)
    embedding = min(
        islice((each for each in embeddings if drawn in (None, *edges(each))), _TRIED), default=None
    )
    if embedding is None:
        return None
    chosen = edges(embedding)[0] if drawn is None else drawn
    numbers = {box: node for node, there in enumerate(embedding) for box in position.boxes[there]}
    proposed = edges_of_rule(rule, position, lead)
    return embedding, MarkedEmbedding(
        numbers, frozenset(_edges(rule, embedding, position, chosen)), chosen, proposed
    )


def _edges(rule: Rule, embedding: Embedding, position: StateGraph, chosen: int) -> Sequence[int]:
    """The edges that an embedding covers: the edges of the rule, the edges inside its chains, and the edge to draw."""
    taken = [chosen]

    def take(edges: Sequence[int], count: int) -> None:
        taken.extend(sorted(edges, key=lambda edge: edge != chosen)[:count])

    for low, high, count in rule.graph.links:
        here, there = sorted((embedding[low], embedding[high]))
        at = next(k for k, link in enumerate(position.graph.links) if link[:2] == (here, there))
        take(position.edges[at], count if low != high else len(position.edges[at]))
    for node, there in enumerate(embedding):
        take(position.grounds[there], rule.graph.grounds[node])
        taken += position.paths[there][1:-1]
    return taken


def _nodes(state: DotsAndBoxesState) -> int:
    return (state.board.width + 2) * (state.board.height + 2) * 2

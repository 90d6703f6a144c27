"""Graphs of strings and coins as DOT: boxes, chains box by box, what is the ground, what may be anything.

The edge that a rule says to draw is thick and in a colour of its own, also where it lies inside a chain. Adding to a
frame is all that is done here; ``gpkit.languages.rulegraph.forms.draw`` makes pictures of it.

Edges are drawn from the left to the right. Each fragment is laid out breadth first from one node. A chain has its first
end at its left and its second at its right; the edge to draw stands at the left end of its chain, so that edges inside
it count from there.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import graphviz

from gpkit.draw.graph import plain, rich
from gpkit.draw.palette import BLUE, FAINT, GREEN, INK, LINE, MIST, PAPER, TINTS, VERMILLION
from gpkit.genomes.graph import GROUND, WILD, Action, Graph, Node, Symbol

NO_ACTION = Action(-1, -1)
"""Of graphs in which nothing is to be drawn."""


class Strand(NamedTuple):
    """An edge as it is drawn.

    Attributes:
        tail, head: what is at its left and at its right: a node, ``GROUND`` or ``WILD``. A chain is left at its right
            end, and entered at its left one.
        acts: whether it is the one that a rule says to draw.
        turns: whether it enters the chain ``head`` at the right end, as the left one hangs at ``tail``, too.
    """

    tail: int
    head: int
    acts: bool = False
    turns: bool = False


def strands(graph: Graph, action: Action = NO_ACTION) -> tuple[tuple[Strand, ...], ...]:
    """The edges of every fragment, those of the fragment with the action first.

    Args:
        graph: of a rule or of a position.
        action: the edge that a rule says to draw. One inside a chain is not a strand: the chain shows it.
    """
    fragments = sorted(graph.fragments(), key=lambda fragment: action.node not in fragment)
    return tuple(tuple(_strands(graph, fragment, action)) for fragment in fragments)


def start_of(graph: Graph, fragment: tuple[int, ...], action: Action = NO_ACTION) -> int:
    """The node of a fragment that is drawn first: at the action, or else at the rim."""
    if action.node not in fragment:
        return min(fragment, key=lambda number: len(graph.neighbours(number)))
    node, other, _ = action
    if other < 0:
        return node
    ends = [other] if graph.nodes[node].symbol == "l" else [other, node]
    return min(ends, key=lambda number: len(graph.neighbours(number)))


def stubs(graph: Graph, number: int, action: Action = NO_ACTION) -> tuple[Strand, ...]:
    """The edges of a node to the ground and to anything, the one to draw first; all of them lead to the right."""
    kinds = [GROUND] * graph.grounds[number] + [WILD] * graph.wildcards(number)
    acting = action.other if action.node == number and action.other < 0 else None
    kinds.sort(key=lambda kind: kind != acting)
    return tuple(
        Strand(number, kind, k == 0 and kind == acting and action.offset == 0) for k, kind in enumerate(kinds)
    )


def _strands(graph: Graph, fragment: tuple[int, ...], action: Action) -> Iterator[Strand]:
    start = start_of(graph, fragment, action)
    order = [start]
    entered: set[int] = set()
    is_chain = graph.nodes[start].symbol == "l"
    if is_chain:
        for _, kind, acts, _ in stubs(graph, start, action):
            yield Strand(start, kind, acts) if start in entered else Strand(kind, start, acts)
            entered.add(start)
    for number in order:
        for other in sorted(graph.neighbours(number), key=lambda other: other not in action[:2]):
            if other not in order:
                order.append(other)
            if order.index(other) >= order.index(number):
                yield from _between(graph, number, other, action, entered)
        if number != start:
            yield from stubs(graph, number, action)
        elif not is_chain:
            yield from _around(graph, number, action)


def _around(graph: Graph, number: int, action: Action) -> Iterator[Strand]:
    """The edges of the first node, a box, that lead to the ground or anywhere: to the left if it goes on."""
    around = stubs(graph, number, action)
    goes_on = bool(graph.neighbours(number)) or any(strand.acts for strand in around)
    left = len(around) if goes_on else len(around) // 2
    for k, (_, kind, acts, _) in enumerate(reversed(around)):
        yield Strand(number, kind, acts) if acts or k >= left else Strand(kind, number)


def _between(graph: Graph, one: int, other: int, action: Action, entered: set[int]) -> Iterator[Strand]:
    """The edges between two nodes, or of a chain to itself."""
    acts = {one, other} == set(action[:2]) and action.offset == 0
    if one == other:
        yield Strand(one, one, acts)
        return
    for k in range(graph.multiplicity(one, other)):
        first = acts and k == 0
        chain = next((number for number in (one, other) if graph.nodes[number].symbol == "l"), None)
        if chain is None:
            yield Strand(one, other, first)
            continue
        box = one if chain == other else other
        if chain not in entered:
            entered.add(chain)
            yield Strand(box, chain, first)
        elif k:
            yield Strand(box, chain, first, turns=True)
        else:
            yield Strand(chain, box, first)


CELLS = 8
"""The boxes of longer chains are counted, not drawn."""

_NAME = 16
"""The height of the line with the name of a chain, in points."""

COLOURS: Mapping[Symbol, tuple[str, str]] = {
    "q": (MIST, INK),
    "t": (PAPER, INK),
    "l": (TINTS[BLUE], BLUE),
    "x": (TINTS[GREEN], GREEN),
}
"""Fill and outline colours of a node, by its kind."""

_MEANINGS: Mapping[Symbol, str] = {
    "q": "a box with 4 undrawn sides",
    "t": "a box with 3 undrawn sides",
    "l": "a chain of boxes with 2 undrawn sides each",
    "x": "a box with 1 undrawn side: whoever draws it takes the box",
}


def add_graph(
    frame: graphviz.Digraph, graph: Graph, prefix: str, action: Action = NO_ACTION, *, first: int = 0
) -> None:
    """Draw a graph into a frame.

    Args:
        frame: of a picture whose ranks go from the left to the right.
        graph: of a rule or a position.
        prefix: begins the names of all DOT nodes.
        action: what a rule says to draw.
        first: the index of the first node in labels.
    """
    for number in reversed(range(len(graph.nodes))):
        is_loop = graph.multiplicity(number, number) > 0
        inner = max(action.offset, int(is_loop)) if number == action.node else 0
        _add_node(frame, f"{prefix}{number}", graph.nodes[number], first + number, inner, is_loop=is_loop)
    corners = []
    stubs = 0
    for fragment in reversed(strands(graph, action)):  # what comes first in DOT text is drawn lowest
        corner, is_stub = "", False
        for strand in reversed(fragment):
            stub = f"{prefix}s{stubs}"
            stubs += min(strand[:2]) < 0
            tail, head = (_end(graph, prefix, stub, strand, number) for number in strand[:2])
            if stub in (tail, head):
                _add_stub(frame, stub, min(strand[:2]))
            if strand.tail != strand.head:
                frame.edge(tail, head, _attributes=_style(strand))
            if strand.tail < 0 or not is_stub:
                corner, is_stub = tail, strand.tail < 0
        corners.append(corner.partition(":")[0])
    _align(frame, corners)


def _end(graph: Graph, prefix: str, stub: str, strand: Strand, number: int) -> str:
    """The DOT name of an end of an edge, and where it meets a chain."""
    if number < 0:
        return stub
    if graph.nodes[number].symbol != "l":
        return f"{prefix}{number}"
    return f"{prefix}{number}{':row:e' if number == strand.tail or strand.turns else ':row:w'}"


def _align(frame: graphviz.Digraph, corners: Sequence[str]) -> None:
    """Align fragments at the same line, in their order, by the first DOT node of each."""
    if len(corners) > 1:
        same = graphviz.Digraph()
        same.attr(rank="same")
        for one, other in pairwise(corners):
            same.edge(one, other, style="invis", weight="1")
        frame.subgraph(same)


def symbol_text(symbol: str, index: int) -> str:
    """The name of a node as part of an HTML-like label: a letter with its index below the line."""
    return f'{symbol}<sub><font point-size="9">{index}</font></sub>'


def _add_node(
    frame: graphviz.Digraph, name: str, node: Node, index: int, inner: int, *, is_loop: bool
) -> None:
    """Draw a node; of a chain ``inner`` is the depth of the edge to draw in it, 0 for none."""
    if node.symbol == "l":
        tip = f"{_MEANINGS['l']}: {node.length}{' or more' * node.at_least}{', a loop' * is_loop}"
        label = _chain(node, index, inner, is_loop=is_loop)
        frame.node(name, label, shape="plain", style="", tooltip=plain(tip))
        return
    fill, line = COLOURS[node.symbol]
    style = {"shape": "box", "fillcolor": fill, "color": line, "width": "0.36", "height": "0.36"}
    label = f"<{symbol_text(node.symbol, index)}>"
    frame.node(name, label, tooltip=_MEANINGS[node.symbol], _attributes=style)


def _chain(node: Node, index: int, inner: int, *, is_loop: bool) -> str:
    """An HTML-like label: the boxes of a chain in a row, the edge to draw between them, its name below.

    There is as much room above the row as below it, so that edges lead straight to its middle.
    """
    boxes, cut = [""] * node.length, inner
    if node.length > CELLS:
        boxes = [str(part) for part in (inner, node.length - inner) if part]
        cut = min(inner, 1)
    boxes += ["\N{HORIZONTAL ELLIPSIS}"] * node.at_least
    cells = ""
    for k, text in enumerate(boxes):
        if k:
            colour, width = (VERMILLION, 5) if k == cut else (BLUE, 1)
            cells += f'<td width="{width}" bgcolor="{colour}"></td>'
        cells += f'<td width="20" height="22">{rich(text) or "&#160;"}</td>'
    bare = 'cellborder="0" cellspacing="0" cellpadding="0"'
    shape = ' style="rounded"' if is_loop else ""
    row = f'<table border="1" {bare} bgcolor="{TINTS[BLUE]}" color="{BLUE}"{shape}><tr>{cells}</tr></table>'
    length = f"({node.length}{'+' * node.at_least}){' loop' * is_loop}"
    below = f'<font point-size="11">{symbol_text("l", index)}{length}</font>'
    rows = (f'<td height="{_NAME}"></td>', f'<td port="row">{row}</td>', f'<td height="{_NAME}">{below}</td>')
    return f'<<table border="0" {bare}>{"".join(f"<tr>{each}</tr>" for each in rows)}</table>>'


def _add_stub(frame: graphviz.Digraph, name: str, kind: int) -> None:
    if kind == GROUND:
        style = {"width": "0.07", "height": "0.36", "fillcolor": INK, "color": INK}
        frame.node(
            name, "", shape="box", fixedsize="true", tooltip="the border of the board", _attributes=style
        )
        return
    style = {"style": "dashed", "color": FAINT, "fontcolor": FAINT, "fontsize": "10", "margin": "0"}
    size = {"width": "0.2", "height": "0.2", "fixedsize": "true"}
    frame.node(name, "w", shape="circle", tooltip="anything", _attributes=style | size)


def _style(strand: Strand) -> dict[str, str]:
    if strand.acts:
        return {"color": VERMILLION, "penwidth": "4"}
    return {"color": LINE, "style": "dashed"} if WILD in strand[:2] else {}

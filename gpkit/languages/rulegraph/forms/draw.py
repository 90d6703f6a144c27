"""Draws rules: their graphs, their actions, and the board on which they act.

The edge that a rule draws is thick and has a colour of its own, even inside a chain.

Edges go from left to right. Each fragment is laid out breadth first from one node. A chain has its first end on the
left and its second end on the right. The edge to draw is at the left end of its chain, so offsets inside the chain are
counted from the left.

Rules are in order of precedence, row by row. Nodes have the same names in pictures as in printed rules. In
text, a fragment is a tree that begins at its first node and has a line for each edge.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from math import sqrt
from typing import NamedTuple

import graphviz

from gpkit.core.errors import UsageError
from gpkit.core.primitives import PrimitiveSet
from gpkit.genomes.graph import (
    GROUND,
    WILD,
    Action,
    Graph,
    NamedRule,
    Node,
    Rule,
    RuleList,
    Symbol,
    canonical,
)
from gpkit.languages.rulegraph.syntax import comparing
from gpkit.languages.rulegraph.text import (
    RuleSource,
    absent_graphs,
    node_name,
    node_names,
    node_with_length,
    print_rule,
)
from gpkit.playing.trace import Step
from gpkit.show.graph import (
    BLUE,
    FAINT,
    GREEN,
    INK,
    LINE,
    MIST,
    PAPER,
    PURPLE,
    TINTS,
    VERMILLION,
    Picture,
    Sample,
    new_frame,
    new_graph,
    plain,
    rich,
    short_number,
)
from gpkit.show.pictures import Drawing
from gpkit.show.trees import GUTTERS, SIGNS, State, compared, outline

NO_ACTION = Action(-1, -1)
"""The action that stands for no edge to draw."""


class Strand(NamedTuple):
    """An edge in a picture.

    Attributes:
        tail, head: its left and its right end: a node, ``GROUND`` or ``WILD``. Edges leave a chain at its right end
            and enter it at its left end.
        acts: whether the rule draws this edge.
        turns: whether it enters the chain ``head`` at the right end, because another edge from ``tail`` enters at the
            left end.
    """

    tail: int
    head: int
    acts: bool = False
    turns: bool = False


def strands(graph: Graph, action: Action = NO_ACTION) -> tuple[tuple[Strand, ...], ...]:
    """The edges of every fragment; the fragment with the action comes first.

    Args:
        graph: the graph of a rule or of a position.
        action: the edge that the rule draws. An edge inside a chain is not listed here; it is drawn as part of the
            chain.
    """
    fragments = sorted(graph.fragments(), key=lambda fragment: action.node not in fragment)
    return tuple(tuple(_strands(graph, fragment, action)) for fragment in fragments)


def start_of(graph: Graph, fragment: tuple[int, ...], action: Action = NO_ACTION) -> int:
    """The first node to draw in a fragment: a node at the action, or else a node with the fewest neighbours."""
    if action.node not in fragment:
        return min(fragment, key=lambda number: len(graph.neighbours(number)))
    node, other, _ = action
    if other < 0:
        return node
    return min(
        [other] if graph.nodes[node].symbol == "l" else [other, node],
        key=lambda number: len(graph.neighbours(number)),
    )


def stubs(graph: Graph, number: int, action: Action = NO_ACTION) -> tuple[Strand, ...]:
    """The edges from a node to the ground and to wildcards, all on the right side; the edge to draw comes first."""
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
    """The edges from the first node, a box, to the ground or to wildcards; they go left if the box has other edges."""
    around = stubs(graph, number, action)
    goes_on = bool(graph.neighbours(number)) or any(strand.acts for strand in around)
    left = len(around) if goes_on else len(around) // 2
    for k, (_, kind, acts, _) in enumerate(reversed(around)):
        yield Strand(number, kind, acts) if acts or k >= left else Strand(kind, number)


def _between(graph: Graph, one: int, other: int, action: Action, entered: set[int]) -> Iterator[Strand]:
    """The edges between two nodes, or from a chain to itself."""
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
        else:
            yield Strand(box, chain, first, turns=True) if k else Strand(chain, box, first)


CELLS = 8
"""The maximum number of boxes to draw in a chain; a longer chain shows the number of its boxes instead."""

_NAME = 16
"""The height of the line with a chain's name, in points."""

COLOURS: Mapping[Symbol, tuple[str, str]] = {
    "q": (MIST, INK),
    "t": (PAPER, INK),
    "l": (TINTS[BLUE], BLUE),
    "x": (TINTS[GREEN], GREEN),
}
"""The fill colour and the outline colour of a node, by its kind."""

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
        frame: a frame in a picture with ranks from left to right.
        graph: the graph of a rule or of a position.
        prefix: the start of the names of all DOT nodes.
        action: the edge that the rule draws.
        first: the index that the first node has in labels.
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
    """The DOT name for an end of an edge, with the side on which the edge meets a chain."""
    if number < 0:
        return stub
    return (
        f"{prefix}{number}"
        if graph.nodes[number].symbol != "l"
        else f"{prefix}{number}{':row:e' if number == strand.tail or strand.turns else ':row:w'}"
    )


def _align(frame: graphviz.Digraph, corners: Sequence[str]) -> None:
    """Align fragments in order on one line, by the first DOT node of each fragment."""
    if len(corners) > 1:
        same = graphviz.Digraph()
        same.attr(rank="same")
        for one, other in pairwise(corners):
            same.edge(one, other, style="invis", weight="1")
        frame.subgraph(same)


def symbol_text(symbol: str, index: int) -> str:
    """The name of a node in an HTML-like label: a letter with its index as a subscript."""
    return f'{symbol}<sub><font point-size="9">{index}</font></sub>'


def _add_node(
    frame: graphviz.Digraph, name: str, node: Node, index: int, inner: int, *, is_loop: bool
) -> None:
    """Draw a node; ``inner`` is the offset of the edge to draw inside a chain, or 0 if there is no such edge."""
    if node.symbol == "l":
        tip = f"{_MEANINGS['l']}: {node.length}{' or more' * node.at_least}{', a loop' * is_loop}"
        frame.node(
            name, _chain(node, index, inner, is_loop=is_loop), shape="plain", style="", tooltip=plain(tip)
        )
        return
    fill, line = COLOURS[node.symbol]
    frame.node(
        name,
        f"<{symbol_text(node.symbol, index)}>",
        tooltip=_MEANINGS[node.symbol],
        _attributes={"shape": "box", "fillcolor": fill, "color": line, "width": "0.36", "height": "0.36"},
    )


def _chain(node: Node, index: int, inner: int, *, is_loop: bool) -> str:
    """An HTML-like label for a chain: a row of its boxes with the edge to draw, and its name below.

    The space above the row is as high as the space below it, so edges point straight at the middle of the row.
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


ONE_COLUMN = 6
"""The maximum number of rules in a single column."""

_FRAMES: Mapping[State, dict[str, str]] = {
    "kept": {},
    "changed": {},
    "removed": {"color": VERMILLION, "style": "rounded,dashed", "penwidth": "2"},
    "added": {"color": BLUE, "penwidth": "2"},
}

_comparison = comparing(
    {
        "chain": partial(symbol_text, "l"),
        "number": lambda value: short_number(float(value)),
        "word": lambda word: "edges left" if word == "left" else word,
        "sign": lambda sign: rich(SIGNS.get(sign, sign)),
    }
)
"""A function that writes a comparison for the title of a rule."""


class Shown(NamedTuple):
    """A rule with its number in its list, and with its state in a comparison of two lists."""

    number: int
    named: NamedRule
    state: State = "kept"


def picture(
    program: RuleList, header: Mapping[str, str], primitives: PrimitiveSet | None, title: str, text: str
) -> Picture:
    """A picture of all rules in a list."""
    return _picture([Shown(k, named) for k, named in enumerate(program.rules, 1)], title, text)


def rule_picture(program: RuleList, number: int, *, title: str, text: str = "") -> Picture:
    """A picture of one rule, given its number, which counts from 1; ``text`` is the text of the file."""
    return _picture([Shown(number, program.rules[number - 1])], title, text)


def change(parent: RuleList, child: RuleList, title: str, text: str) -> Picture:
    """A picture of the rules that a child lost, kept and gained; names and learned values are ignored."""
    changes = rules_diff(parent, child)
    drawn = _picture(changes, title, text)
    lines = "\n".join(
        "".join(f"{GUTTERS[shown.state]}{line}".rstrip() + "\n" for line in _lines(shown))
        for shown in changes
    )
    return Picture(title, drawn.dot, lines, drawn.nodes, text)


def traced(
    source: RuleSource,
    primitives: PrimitiveSet | None,
    steps: Sequence[Step],
    name: str,
    place: str,
    until: str,
) -> Picture:
    """A picture of the board with the last edge that a rule of the list drew.

    Raises:
        UsageError: no rule drew an edge.
    """
    for step in reversed(steps):
        if step.decision is not None and step.decision.drawing:
            drawn: Picture = step.decision.picture(
                step.before, source, place and f"{name} (A), {place}, step {step.number}"
            )
            return drawn
    raise UsageError(f"no rule of {source.filename} has drawn anything in these {len(steps)} steps")


def rules_diff(parent: RuleList, child: RuleList) -> list[Shown]:
    """The differences between two rule lists, in the child's order; lost rules appear at their old place."""
    before, after = (
        [Shown(k, named) for k, named in enumerate(program.rules, 1)] for program in (parent, child)
    )
    changes = compared(before, after, lambda shown: (canonical(shown.named.rule), shown.named.joined))
    return [shown._replace(state=state) for state, shown in changes]


def rules_dot(rules: Sequence[Shown], *, caption: str = "") -> str:
    """DOT text of some rules, with a caption and a legend below them."""
    graph = new_graph(caption, _legend(rules))
    graph.attr(rankdir="LR", nodesep="0.12", ranksep="0.4")
    columns = columns_for(len(rules))
    graph.attr("edge", weight="8")
    graph.attr(packmode=f"array_ictr{columns}")
    rows = -(-len(rules) // columns)  # DOT draws what comes first lowest
    for place in (row * columns + column for row in reversed(range(rows)) for column in range(columns)):
        graph.subgraph(_frame(place, rules[place]) if place < len(rules) else _room(place))
    return str(graph.source)


def _room(place: int) -> graphviz.Digraph:
    """An invisible frame that fills a gap in the last row; Graphviz would place a node without a frame elsewhere."""
    frame = new_frame(place, "")
    frame.name = f"cluster_room{place}"
    frame.attr(style="invis")
    frame.node(f"room{place}", "", style="invis")
    return frame


def columns_for(count: int) -> int:
    """The number of columns for ``count`` rules: one for few rules, otherwise enough for a roughly square page."""
    return 1 if count <= ONE_COLUMN else max(2, round(sqrt(count / 2.5)))


def _picture(rules: Sequence[Shown], title: str, text: str) -> Picture:
    nodes = sum(
        sum(node.degree for node in graph.nodes) + len(graph.nodes)
        for _, named, _ in rules
        for graph in (named.rule.graph, *named.rule.absent)
    )
    lines = "\n".join("".join(f"{line}\n" for line in _lines(shown)) for shown in rules)
    return Picture(title, rules_dot(rules, caption=title), lines, nodes, text)


def _lines(shown: Shown) -> list[str]:
    """The lines of a rule as text: its heading, its fragments (first the one with the action), and its conditions."""
    heading = f"{_number(shown)} {shown.named.name}".rstrip()
    rule = canonical(shown.named.rule)
    lines = [f"{heading}{_learned(shown.named)}", *graph_lines(rule.graph, rule.action)]
    compared = comparing({"chain": node_names(rule.graph).__getitem__})
    lines += [f"if {compared(each)}" for each in rule.comparisons]
    for absent, first in absent_graphs(rule):
        lines += ["and nowhere on the board:", *(f"   {line}" for line in graph_lines(absent, first=first))]
    return lines


def _number(shown: Shown) -> str:
    """The number of a rule, preceded by a bar if the rule has the same precedence as the one before it."""
    return f"{'| ' * shown.named.joined}{shown.number}"


def _learned(named: NamedRule) -> str:
    """The learned values of a rule as text; empty if there are none."""
    learned = (("Q", named.q), ("f", named.f))
    return "".join(f"   {name} {short_number(value)}" for name, value in learned if value is not None)


def _frame(place: int, shown: Shown) -> graphviz.Digraph:
    rule = canonical(shown.named.rule)
    frame = new_frame(place, "")
    frame.attr(label=_title(shown, rule), tooltip=plain(print_rule(rule)), _attributes=_FRAMES[shown.state])
    for k, (absent, first) in enumerate(absent_graphs(rule)):
        inside = new_frame(place, "nowhere on the board")
        inside.name = f"cluster_{place}_{k}"
        inside.attr(color=PURPLE, style="rounded,dashed", fontsize="11")
        add_graph(inside, absent, f"r{place}a{k}n", first=first)
        frame.subgraph(inside)
    add_graph(frame, rule.graph, f"r{place}n", rule.action)
    return frame


def _title(shown: Shown, rule: Rule) -> str:
    """An HTML-like label for a rule: its number, name and learned values, and the comparisons below."""
    name = f"  <b>{rich(shown.named.name)}</b>" if shown.named.name else ""
    number = f'<font color="{FAINT}">{_number(shown)}</font>'
    learned = _learned(shown.named).replace(" ", "&#160;")
    said = f'<font point-size="11" color="{FAINT}">{learned}</font>' if learned else ""
    rows = [f"{number}{name}{said}"]
    if rule.comparisons:
        words = ", ".join(map(_comparison, rule.comparisons))
        rows.append(f'<font point-size="12" color="{INK}">if {words}</font>')
    cells = "".join(f'<tr><td align="left">{row}</td></tr>' for row in rows)
    return f'<<table border="0" cellborder="0" cellspacing="0" cellpadding="1">{cells}</table>>'


def _legend(rules: Sequence[Shown]) -> list[Sample]:
    graphs = [graph for _, named, _ in rules for graph in (named.rule.graph, *named.rule.absent)]
    is_wild = any(graph.wildcards(number) for graph in graphs for number in range(len(graph.nodes)))
    states = {shown.state for shown in rules}
    samples = (
        (True, Sample(VERMILLION, VERMILLION, "draw this side")),
        (any(any(graph.grounds) for graph in graphs), Sample(INK, INK, "border of the board")),
        (is_wild, Sample(PAPER, FAINT, "w: anything", dashed=True)),
        (
            any(shown.named.rule.absent for shown in rules),
            Sample(PAPER, PURPLE, "must be nowhere", dashed=True),
        ),
        (
            any(shown.named.joined for shown in rules),
            Sample(PAPER, PAPER, "| with the precedence of the rule before"),
        ),
        ("added" in states, Sample(PAPER, BLUE, "added", weight=2)),
        ("removed" in states, Sample(PAPER, VERMILLION, "removed", dashed=True, weight=2)),
    )
    return [sample for is_drawn, sample in samples if is_drawn]


_HERE = "  \N{LEFTWARDS ARROW} draw this"


def graph_lines(graph: Graph, action: Action = NO_ACTION, *, first: int = 0) -> list[str]:
    """The fragments of a graph as trees; the fragment with the action comes first."""
    fragments = sorted(graph.fragments(), key=lambda fragment: action.node not in fragment)
    return [line for fragment in fragments for line in _fragment(graph, fragment, action, first)]


_Line = tuple[str, int]
"""A line of a tree: its text, and the node whose other edges appear below the line; -1 if there is no such node."""


def _fragment(graph: Graph, fragment: tuple[int, ...], action: Action, first: int) -> list[str]:
    """The lines of one fragment; an edge to a node that has a line of its own elsewhere gets a remark."""
    start = start_of(graph, fragment, action)
    below: dict[int, list[_Line]] = {}
    order = [start]
    for number in order:
        lines = below.setdefault(number, [])
        near = set(graph.neighbours(number)).difference(order[: order.index(number)])
        for other in sorted(near, key=lambda other: (other not in action[:2], other)):
            times, acts = _times(graph, number, other), _acts(action, number, other)
            text = f"{node_with_length(graph, other, first)}{times}{acts}"
            if other not in order:
                order.append(other)
                lines.append((text, other))
            else:
                lines.append((text if other == number else f"{text}  (as elsewhere here)", -1))
        for place, strand in enumerate(stubs(graph, number, action)):
            acts = _acts(action, number, strand.head) if place == 0 else ""
            lines.append((f"{node_name(graph, strand.head)}{acts}", -1))
    root = (node_with_length(graph, start, first), start)
    return [*outline([root], lambda line: below.get(line[1], []), lambda branch, line: branch + line[0])]


def _times(graph: Graph, one: int, other: int) -> str:
    return "  (a loop)" if one == other else "  (both ends)" if graph.multiplicity(one, other) == 2 else ""


def _acts(action: Action, one: int, other: int) -> str:
    """A remark on the edges between two nodes if the rule draws one of these edges; otherwise, an empty string."""
    if {one, other} != set(action[:2]):
        return ""
    return _HERE if not action.offset else f"{_HERE}, {action.offset} further into the chain"


DRAWING = Drawing(picture, change, traced)

"""Rules as pictures: a frame for each rule with its fragments, what must be absent, and its other conditions.

Rules stand in the order of their precedence, row by row. Nodes have the names that the printer gives them. As text, a
fragment is a tree from its first node, with a line for each edge.
"""

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from math import sqrt
from typing import Any, NamedTuple

import graphviz

from gpkit.core.errors import UsageError
from gpkit.core.primitives import PrimitiveSet
from gpkit.draw.alignment import GUTTERS, State
from gpkit.draw.flow_chart import SIGNS
from gpkit.draw.graph import Picture, Sample, new_frame, new_graph, plain, rich
from gpkit.draw.palette import BLUE, FAINT, INK, PAPER, PURPLE, VERMILLION
from gpkit.draw.symbols import short_number
from gpkit.draw.text import outline
from gpkit.genomes.graph import Action, Comparison, Graph, NamedRule, Quantity, Rule, RuleList
from gpkit.genomes.graph_order import canonical
from gpkit.languages.rulegraph.printer import (
    absent_graphs,
    node_name,
    node_names,
    node_with_length,
    print_comparison,
    print_rule,
)
from gpkit.languages.rulegraph.rule_graph import NO_ACTION, add_graph, start_of, stubs, symbol_text
from gpkit.playing.trace import Step

ONE_COLUMN = 6
"""Up to so many rules stand in one column."""

_FRAMES: Mapping[State, dict[str, str]] = {
    "kept": {},
    "changed": {},
    "removed": {"color": VERMILLION, "style": "rounded,dashed", "penwidth": "2"},
    "added": {"color": BLUE, "penwidth": "2"},
}


class Shown(NamedTuple):
    """A rule with its number in its list, and what became of it where two lists are compared."""

    number: int
    named: NamedRule
    state: State = "kept"


def picture(
    program: RuleList, header: Mapping[str, str], primitives: PrimitiveSet | None, title: str, text: str
) -> Picture:
    """All rules of a list."""
    return _picture([Shown(k, named) for k, named in enumerate(program.rules, 1)], title, text)


def rule_picture(program: RuleList, number: int, *, title: str, text: str = "") -> Picture:
    """One rule of a list, by its number from 1; ``text`` is that of the file."""
    return _picture([Shown(number, program.rules[number - 1])], title, text)


def change(parent: RuleList, child: RuleList, title: str, text: str) -> Picture:
    """The rules that a child has lost, kept and got; names and what was learned do not count."""
    changes = rules_diff(parent, child)
    drawn = _picture(changes, title, text)
    lines = "\n".join(
        "".join(f"{GUTTERS[shown.state]}{line}".rstrip() + "\n" for line in _lines(shown))
        for shown in changes
    )
    return Picture(title, drawn.dot, lines, drawn.nodes, text)


def traced(
    source: Any, primitives: PrimitiveSet | None, steps: Sequence[Step], name: str, place: str, until: str
) -> Picture:
    """The last edge that a rule of the list has drawn, on the board.

    Raises:
        UsageError: no rule drew any.
    """
    for step in reversed(steps):
        if step.decision is not None and step.decision.drawing:
            title = place and f"{name} (A), {place}, step {step.number}"
            drawn: Picture = step.decision.picture(step.before, source, title)
            return drawn
    raise UsageError(f"no rule of {source.filename} has drawn anything in these {len(steps)} steps")


def rules_diff(parent: RuleList, child: RuleList) -> list[Shown]:
    """Diff of two rule lists, in the order of the child; rules that it lost stand where they were."""
    before, after = (
        [Shown(k, named) for k, named in enumerate(program.rules, 1)] for program in (parent, child)
    )
    old, new = ([(canonical(named.rule), named.joined) for _, named, _ in shown] for shown in (before, after))
    found = []
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            found += [shown._replace(state="removed") for shown in before[a:b]]
        found += [shown._replace(state="kept" if kind == "equal" else "added") for shown in after[c:d]]
    return found


def rules_dot(rules: Sequence[Shown], *, caption: str = "") -> str:
    """Some rules as DOT text, and below them a line of text and a legend."""
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
    """An invisible frame, so that the last row is full: frames are counted before nodes without any."""
    frame = new_frame(place, "")
    frame.name = f"cluster_room{place}"
    frame.attr(style="invis")
    frame.node(f"room{place}", "", style="invis")
    return frame


def columns_for(count: int) -> int:
    """Number of columns for so many rules: one for a few, then as many as make the page about square."""
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
    """A rule as lines of text: its heading, its fragments, the one with the action first, then its conditions."""
    heading = f"{_number(shown)} {shown.named.name}".rstrip()
    rule = canonical(shown.named.rule)
    lines = [f"{heading}{_learned(shown.named)}", *graph_lines(rule.graph, rule.action)]
    names = node_names(rule.graph)
    lines += [f"if {print_comparison(comparison, names)}" for comparison in rule.comparisons]
    for absent, first in absent_graphs(rule):
        lines += ["and nowhere on the board:", *(f"   {line}" for line in graph_lines(absent, first=first))]
    return lines


def _number(shown: Shown) -> str:
    """The number of a rule, behind a bar if it has the precedence of the rule before it."""
    return f"{'| ' * shown.named.joined}{shown.number}"


def _learned(named: NamedRule) -> str:
    """Learned values of a rule, as text; empty if there are none."""
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
    """An HTML-like label: number and name, what was learned, and below them the comparisons."""
    name = f"  <b>{rich(shown.named.name)}</b>" if shown.named.name else ""
    number = f'<font color="{FAINT}">{_number(shown)}</font>'
    learned = _learned(shown.named).replace(" ", "&#160;")
    said = f'<font point-size="11" color="{FAINT}">{learned}</font>' if learned else ""
    rows = [f"{number}{name}{said}"]
    if rule.comparisons:
        words = ", ".join(_comparison(each) for each in rule.comparisons)
        rows.append(f'<font point-size="12" color="{INK}">if {words}</font>')
    cells = "".join(f'<tr><td align="left">{row}</td></tr>' for row in rows)
    return f'<<table border="0" cellborder="0" cellspacing="0" cellpadding="1">{cells}</table>>'


def _comparison(comparison: Comparison) -> str:
    left, sign, right = comparison
    return f"{_quantity(left)} {rich(SIGNS.get(sign, sign))} {_quantity(right)}"


def _quantity(quantity: Quantity) -> str:
    if quantity.kind == "length":
        return symbol_text("l", quantity.value)
    return {"left": "edges left", "score": "score"}.get(quantity.kind) or short_number(float(quantity.value))


def _legend(rules: Sequence[Shown]) -> list[Sample]:
    graphs = [graph for _, named, _ in rules for graph in (named.rule.graph, *named.rule.absent)]
    legend = [Sample(VERMILLION, VERMILLION, "draw this side")]
    if any(any(graph.grounds) for graph in graphs):
        legend.append(Sample(INK, INK, "border of the board"))
    if any(graph.wildcards(number) for graph in graphs for number in range(len(graph.nodes))):
        legend.append(Sample(PAPER, FAINT, "w: anything", dashed=True))
    if any(shown.named.rule.absent for shown in rules):
        legend.append(Sample(PAPER, PURPLE, "must be nowhere", dashed=True))
    if any(shown.named.joined for shown in rules):
        legend.append(Sample(PAPER, PAPER, "| with the precedence of the rule before"))
    states = {shown.state for shown in rules}
    legend += [Sample(PAPER, BLUE, "added", weight=2)] if "added" in states else []
    legend += [Sample(PAPER, VERMILLION, "removed", dashed=True, weight=2)] if "removed" in states else []
    return legend


_HERE = "  \N{LEFTWARDS ARROW} draw this"


def graph_lines(graph: Graph, action: Action = NO_ACTION, *, first: int = 0) -> list[str]:
    """The fragments of a graph as trees; the one with the action first."""
    fragments = sorted(graph.fragments(), key=lambda fragment: action.node not in fragment)
    return [line for fragment in fragments for line in _fragment(graph, fragment, action, first)]


_Line = tuple[str, int]
"""A line of a tree: its text, and the node whose other edges stand below it; -1 for none."""


def _fragment(graph: Graph, fragment: tuple[int, ...], action: Action, first: int) -> list[str]:
    """One fragment; an edge to a node that has a line of its own elsewhere says so."""
    start = start_of(graph, fragment, action)
    below: dict[int, list[_Line]] = {}
    order = [start]
    for number in order:
        lines = below.setdefault(number, [])
        for other in sorted(graph.neighbours(number), key=lambda other: other not in action[:2]):
            if other in order[: order.index(number)]:
                continue
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
    shown = outline([(node_with_length(graph, start, first), start)], lambda line: below.get(line[1], []))
    return [branch + (line if isinstance(line, str) else line[0]) for branch, line in shown]


def _times(graph: Graph, one: int, other: int) -> str:
    if one == other:
        return "  (a loop)"
    return "  (both ends)" if graph.multiplicity(one, other) == 2 else ""


def _acts(action: Action, one: int, other: int) -> str:
    """Remark on the edges between two nodes if one of them is to be drawn, else an empty text."""
    if {one, other} != set(action[:2]):
        return ""
    if not action.offset:
        return _HERE
    return f"{_HERE}, {action.offset} further into the chain"

"""Rules as trees of text: a fragment is a tree from its first node, and a line for each edge."""

from collections.abc import Iterator
from typing import NamedTuple

from gpkit.draw.edge_layout import NO_ACTION, start_of, stubs
from gpkit.draw.text import outline
from gpkit.genomes.graph import Action, Graph, Rule
from gpkit.genomes.graph_order import canonical
from gpkit.languages.rulegraph.printer import (
    absent_graphs,
    node_name,
    node_names,
    node_with_length,
    print_comparison,
)

_HERE = "  \N{LEFTWARDS ARROW} draw this"


def rule_lines(rule: Rule) -> list[str]:
    """A rule as lines of text: its fragments, the one with the action first, then its conditions."""
    rule = canonical(rule)
    return [*graph_lines(rule.graph, rule.action), *_conditions(rule)]


def graph_lines(graph: Graph, action: Action = NO_ACTION, *, first: int = 0) -> list[str]:
    """The fragments of a graph as trees; the one with the action first."""
    fragments = sorted(graph.fragments(), key=lambda fragment: action.node not in fragment)
    return [line for fragment in fragments for line in _fragment(graph, fragment, action, first)]


def _conditions(rule: Rule) -> Iterator[str]:
    names = node_names(rule.graph)
    for comparison in rule.comparisons:
        yield f"if {print_comparison(comparison, names)}"
    for absent, first in absent_graphs(rule):
        yield "and nowhere on the board:"
        yield from (f"   {line}" for line in graph_lines(absent, first=first))


class _Line(NamedTuple):
    """A line of a tree: its text, and the node whose other edges stand below it; -1 for none."""

    text: str
    node: int = -1


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
                lines.append(_Line(text, other))
            else:
                lines.append(_Line(text if other == number else f"{text}  (as elsewhere here)"))
        for place, strand in enumerate(stubs(graph, number, action)):
            acts = _acts(action, number, strand.head) if place == 0 else ""
            lines.append(_Line(f"{node_name(graph, strand.head)}{acts}"))
    root = _Line(node_with_length(graph, start, first), start)
    shown = outline([root], lambda line: below.get(line.node, []))
    return [branch + (line if isinstance(line, str) else line.text) for branch, line in shown]


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

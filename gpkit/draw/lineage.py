"""Lineage of a champion: its ancestors as DOT text, from plain records of individuals."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import graphviz

from gpkit.core.tabular import aligned
from gpkit.draw.graph import Picture, Sample, new_graph, plain, two_lines
from gpkit.draw.palette import BLUE, FAINT, GREEN, INK, MIST, ORANGE, PALE, PAPER, PURPLE, TINTS, VERMILLION


@dataclass(frozen=True, slots=True)
class Record:
    """One individual: its parents' names (none for one made at random), the operator that made it, and its fitness.

    In a lineage ``until`` is the last generation in which it lived on as an unchanged copy.
    """

    name: str
    parents: tuple[str, ...]
    operator: str
    generation: int
    fitness: float
    until: int = 0


LIMIT = 60
"""Ancestors shown; the nearest to the champion in generations are kept."""

_COLOURS = (BLUE, ORANGE, PURPLE, GREEN, INK, VERMILLION)
"""Of the boxes of individuals, by the operator that made them; after them the boxes are dashed."""


def lineage(records: Iterable[Record], champion: str) -> tuple[Record, ...]:
    """The champion and all its ancestors, latest first; copies by ``clone`` are one ancestor that lived longer.

    Parents that are not among the records are left out.

    Raises:
        KeyError: the champion is not among the records.
    """
    by_name = {record.name: record for record in records}
    until: dict[str, int] = {}
    todo = [(champion, by_name[champion].generation)]
    while todo:
        name, generation = todo.pop()
        original = _original(by_name, name)
        known = original in until
        until[original] = max(until.get(original, 0), generation, by_name[original].generation)
        if not known:
            todo += [(p, by_name[p].generation) for p in by_name[original].parents if p in by_name]
    ancestors = []
    for name, last in until.items():
        record = by_name[name]
        parents = dict.fromkeys(_original(by_name, p) for p in record.parents if p in by_name)
        ancestors.append(replace(record, parents=tuple(parents), until=last))
    return tuple(sorted(ancestors, key=lambda a: (-a.generation, a.name)))


def _original(by_name: Mapping[str, Record], name: str) -> str:
    """The individual that this one is a chain of copies of."""
    record = by_name[name]
    while record.operator == "clone" and len(record.parents) == 1 and record.parents[0] in by_name:
        record = by_name[record.parents[0]]
    return record.name


def lineage_dot(ancestors: Sequence[Record], *, caption: str = "") -> str:
    """The latest ancestors as DOT text, time going down: the generations, the operator and the fitness of each.

    Every operator has its colour, which the legend names; an individual whose parents are cut off has dots above it.
    """
    shown = ancestors[:LIMIT]
    names = {a.name: f"n{k}" for k, a in enumerate(shown)}
    looks = {}
    for k, name in enumerate(dict.fromkeys(a.operator for a in reversed(shown))):
        colour, dashed = _COLOURS[k % len(_COLOURS)], k // len(_COLOURS) % 2 == 1
        looks[name] = Sample(TINTS.get(colour, MIST), colour, f"by {name}", dashed)
    legend = [*looks.values(), Sample(PAPER, INK, "thick: the champion", weight=3)]
    if any(parent not in names for a in shown for parent in a.parents):
        older = "\N{HORIZONTAL ELLIPSIS} older ancestors, not shown"
        legend.append(Sample(PAPER, PALE, older, dashed=True))
    graph = new_graph(caption, legend)
    graph.attr(ranksep="0.25")
    for ancestor in reversed(shown):
        _add_ancestor(graph, names, ancestor, looks[ancestor.operator], ancestor is ancestors[0])
    return str(graph.source)


def lineage_text(ancestors: Sequence[Record]) -> str:
    """The ancestors as lines of text, latest first: generations, fitness, name, operator and parents."""
    rows = [(_alive(a), f"{a.fitness:.4f}", a.name, a.operator, ", ".join(a.parents)) for a in ancestors]
    rows.insert(0, ("generation", "fitness", "name", "made by", "from"))
    return aligned(rows, left=range(len(rows[0])))


def _alive(ancestor: Record) -> str:
    first = ancestor.generation
    return f"{first}\N{EN DASH}{ancestor.until}" if ancestor.until > first else str(first)


def _add_ancestor(
    graph: graphviz.Digraph, names: Mapping[str, str], ancestor: Record, look: Sample, last: bool
) -> None:
    node = names[ancestor.name]
    alive = _alive(ancestor)
    tooltip = f"{ancestor.name}: {ancestor.operator}, generation {alive}, fitness {ancestor.fitness!r}"
    graph.node(
        node,
        two_lines(f"gen {alive}", f"{ancestor.operator} {ancestor.fitness:.4f}", INK),
        shape="box",
        style="rounded,filled,dashed" if look.dashed else "rounded,filled",
        fillcolor=look.fill,
        color=look.line,
        penwidth="3" if last else "1.2",
        tooltip=plain(tooltip),
    )
    for parent in ancestor.parents:
        if parent in names:
            graph.edge(names[parent], node)
    if any(parent not in names for parent in ancestor.parents):
        dots = "\N{HORIZONTAL ELLIPSIS}"
        graph.node(f"{node}_before", dots, shape="plain", fontcolor=FAINT, fillcolor=PAPER)
        graph.edge(f"{node}_before", node, color=PALE, style="dashed")


def lineage_picture(ancestors: Sequence[Record], *, title: str) -> Picture:
    """The picture of where a champion comes from; the text holds all its ancestors, the graph the latest ones."""
    dot = lineage_dot(ancestors, caption=title)
    return Picture(title, dot, lineage_text(ancestors), min(len(ancestors), LIMIT))

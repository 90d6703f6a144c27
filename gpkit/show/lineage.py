"""The ancestry of a champion, as pictures and tables show it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any

import graphviz

from gpkit.core.diagnostics import shortened
from gpkit.core.layout import aligned
from gpkit.evolution import history
from gpkit.evolution.config import evolved
from gpkit.evolution.history import REFINED, Ancestry, Descent
from gpkit.evolution.problem import STRIDE
from gpkit.langkit.language import Language
from gpkit.show.graph import (
    BLUE,
    FAINT,
    GREEN,
    INK,
    MIST,
    ORANGE,
    PALE,
    PAPER,
    PURPLE,
    TINTS,
    VERMILLION,
    Picture,
    Sample,
    new_graph,
    plain,
    two_lines,
)
from gpkit.show.pictures import picture_of_change


@dataclass(frozen=True, slots=True)
class LineageRecord:
    """One individual: its parents' names (none for a random one), the operator that made it, and its fitness.

    In a lineage, ``until`` is the last generation that contains an unchanged copy of it.
    """

    name: str
    parents: tuple[str, ...]
    operator: str
    generation: int
    fitness: float
    until: int = 0


DescentRow = dict[str, str | int | float]
"""One individual in the champion's line of first parents, as a row of a table (``descent_row``)."""


LIMIT = 60
"""The maximum number of ancestors to show; those nearest to the champion in generations are kept."""

_COLOURS = (BLUE, ORANGE, PURPLE, GREEN, INK, VERMILLION)
"""The colours of boxes, by the operator that made the individual; boxes of other operators are dashed."""


def lineage(records: Iterable[LineageRecord], champion: str) -> tuple[LineageRecord, ...]:
    """The champion and all its ancestors, latest first; copies made by ``clone`` count as one ancestor that lived
    longer.

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
    parents = {
        name: dict.fromkeys(_original(by_name, p) for p in by_name[name].parents if p in by_name)
        for name in until
    }
    ancestors = (
        replace(by_name[name], parents=(*parents[name],), until=last) for name, last in until.items()
    )
    return tuple(sorted(ancestors, key=lambda a: (-a.generation, a.name)))


def _original(by_name: Mapping[str, LineageRecord], name: str) -> str:
    """The name of the individual at the beginning of this chain of copies."""
    record = by_name[name]
    while record.operator == "clone" and len(record.parents) == 1 and record.parents[0] in by_name:
        record = by_name[record.parents[0]]
    return record.name


def lineage_dot(ancestors: Sequence[LineageRecord], *, caption: str = "") -> str:
    """The latest ancestors as DOT text, with time going down: generations, operator and fitness of each.

    Every operator has a colour, which the legend explains; dots above an individual mean that its parents are not
    shown.
    """
    shown = ancestors[:LIMIT]
    names = {a.name: f"n{k}" for k, a in enumerate(shown)}
    looks = {}
    for k, name in enumerate(dict.fromkeys(a.operator for a in reversed(shown))):
        colour, dashed = _COLOURS[k % len(_COLOURS)], k // len(_COLOURS) % 2 == 1
        looks[name] = Sample(TINTS.get(colour, MIST), colour, f"by {name}", dashed)
    legend = [*looks.values(), Sample(PAPER, INK, "thick: the champion", weight=3)]
    if any(parent not in names for a in shown for parent in a.parents):
        legend.append(Sample(PAPER, PALE, "\N{HORIZONTAL ELLIPSIS} older ancestors, not shown", dashed=True))
    graph = new_graph(caption, legend)
    graph.attr(ranksep="0.25")
    for ancestor in reversed(shown):
        _add_ancestor(graph, names, ancestor, looks[ancestor.operator], ancestor is ancestors[0])
    return str(graph.source)


def lineage_text(ancestors: Sequence[LineageRecord]) -> str:
    """The ancestors as lines of text, latest first: generations, fitness, name, operator and parents."""
    rows = [(_alive(a), f"{a.fitness:.4f}", a.name, a.operator, ", ".join(a.parents)) for a in ancestors]
    rows.insert(0, ("generation", "fitness", "name", "made by", "from"))
    return aligned(rows, left=range(len(rows[0])))


def _alive(ancestor: LineageRecord) -> str:
    first = ancestor.generation
    return f"{first}\N{EN DASH}{ancestor.until}" if ancestor.until > first else str(first)


def _add_ancestor(
    graph: graphviz.Digraph, names: Mapping[str, str], ancestor: LineageRecord, look: Sample, last: bool
) -> None:
    node = names[ancestor.name]
    alive = _alive(ancestor)
    graph.node(
        node,
        two_lines(f"gen {alive}", f"{ancestor.operator} {ancestor.fitness:.4f}", INK),
        shape="box",
        style="rounded,filled,dashed" if look.dashed else "rounded,filled",
        fillcolor=look.fill,
        color=look.line,
        penwidth="3" if last else "1.2",
        tooltip=plain(
            f"{ancestor.name}: {ancestor.operator}, generation {alive}, fitness {ancestor.fitness!r}"
        ),
    )
    for parent in ancestor.parents:
        if parent in names:
            graph.edge(names[parent], node)
    if any(parent not in names for parent in ancestor.parents):
        graph.node(
            f"{node}_before", "\N{HORIZONTAL ELLIPSIS}", shape="plain", fontcolor=FAINT, fillcolor=PAPER
        )
        graph.edge(f"{node}_before", node, color=PALE, style="dashed")


def lineage_picture(ancestors: Sequence[LineageRecord], *, title: str) -> Picture:
    """The picture of a champion's ancestry; the text contains all ancestors, and the graph only the latest ones."""
    return Picture(
        title, lineage_dot(ancestors, caption=title), lineage_text(ancestors), min(len(ancestors), LIMIT)
    )


def name_of(individual: history.Ancestor) -> str:
    """The name of an individual; ``champion`` for the refined champion, which has no number."""
    return "champion" if individual.operator == REFINED else short_name(individual.number)


def short_name(number: int) -> str:
    """The number of an individual, made from its generation and its index.

    >>> short_name(20_000_098)
    '20.98'
    """
    return "{}.{}".format(*divmod(number, STRIDE))


def program_of(individual: history.Ancestor, language: Language) -> Any:
    """The program of an individual.

    Raises:
        SourceError: the genealogy is damaged.
    """
    return language.parse(individual.program, f"individual {individual.number}").program


def drawn_ancestors(ancestry: Ancestry) -> tuple[LineageRecord, ...]:
    """The champion, its first parents and their mates, for ``lineage_dot`` and ``lineage_text``."""
    records = [
        LineageRecord(
            name_of(individual),
            tuple(map(short_name, individual.parents)),
            individual.operator,
            individual.generation,
            individual.fitness,
        )
        for individual in (*ancestry.line, *ancestry.mates)
    ]
    return lineage(records, records[0].name)


def descent_row(descent: Descent, language: Language) -> DescentRow:
    """A change as a row of a table.

    Returns:
        The generations in which the individual lived, its number, its operator, the place where its first parent was
        changed, the new content of that place, its parents' numbers (the changed one first), its size, and its fitness
        in its first generation.
    """
    child = descent.child
    program, form = program_of(child, language), evolved(language.name)
    lived = dict.fromkeys((child.generation, descent.until))
    return {
        "generations": "\N{EN DASH}".join(map(str, lived)),
        "name": name_of(child),
        "operator": child.operator,
        "places": "; ".join(form.place_text(*place) for place in child.places),
        "formulas": "; ".join(shortened(form.part_text(program, *place)) for place in child.places),
        "parents": ", ".join(map(short_name, child.parents)),
        "size": len(program),
        "fitness": child.fitness,
    }


def change_title(descent: Descent) -> str:
    """A short description of a change; empty for a random program, which has no parents."""
    child, parent = descent.child, descent.parent
    return (
        ""
        if parent is None
        else f"generation {child.generation}, {child.operator}: fitness {parent.fitness:.4f} → {child.fitness:.4f}"
    )


CONTEXT = 60
"""The number of characters of unchanged text to show beside a change."""
NEAR = 20
"""Changes with fewer than this many characters between them are marked as one."""

MOST_PAIRS = 1_000_000
"""Above this number of pairs of tokens, the comparison does not match frequent tokens, which makes it faster."""

_TOKENS = re.compile(r"\s+|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\w[\w.]*|.", re.DOTALL)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


@lru_cache(maxsize=64)
def marked_change(before: str, after: str) -> tuple[str, tuple[tuple[str, bool], ...]]:
    """The change from the text of one program to that of another.

    Returns:
        A sentence about the change, and the new text in parts, each with a boolean that is True if the part is new.
        Long unchanged parts are shortened.

    >>> marked_change("points - 0.5", "points - 0.25")
    ('A number changed from 0.5 to 0.25.', (('points - ', False), ('0.25', True)))
    """
    old, new = (_TOKENS.findall(text.strip()) for text in (before, after))
    is_long = len(old) * len(new) > MOST_PAIRS
    edits = [
        each for each in SequenceMatcher(None, old, new, autojunk=is_long).get_opcodes() if each[0] != "equal"
    ]
    if not edits:
        return "Only the layout changed.", ((after.strip(), False),)
    parts: list[tuple[str, bool]] = []
    end = 0
    for _, _, _, first, last in edits:
        same = "".join(new[end:first])
        if parts and len(same) < NEAR:
            parts[-1] = (parts[-1][0] + same + "".join(new[first:last]), True)
        else:
            parts += [(same, False), ("".join(new[first:last]), True)]
        end = last
    parts.append(("".join(new[end:]), False))
    whole = [(text if is_new else _middle_cut(text), is_new) for text, is_new in parts if text]
    start, stop, first, last = edits[0][1], edits[-1][2], edits[0][3], edits[-1][4]
    return _change_sentence("".join(old[start:stop]).strip(), "".join(new[first:last]).strip()), tuple(whole)


def _change_sentence(gone: str, come: str) -> str:
    """A sentence about a changed stretch of text."""
    if gone.split() == come.split():
        return "Only the layout changed."
    if not gone:
        return f"`{shortened(come)}` was added."
    if not come:
        return f"`{shortened(gone)}` was removed."
    if _NUMBER.fullmatch(gone) and _NUMBER.fullmatch(come):
        pairs = [(f"{float(gone):.{digits}g}", f"{float(come):.{digits}g}") for digits in (3, 6, 17)]
        was, now = next((pair for pair in pairs if pair[0] != pair[1]), (gone, come))
        return f"A number changed from {was} to {now}."
    return f"`{shortened(gone)}` became `{shortened(come)}`."


def _middle_cut(text: str) -> str:
    """The text, or only the words at its ends if it is long."""
    if len(text) <= 2 * CONTEXT + 3:
        return text
    return f"{text[:CONTEXT].rpartition(' ')[0]} \N{HORIZONTAL ELLIPSIS} {text[-CONTEXT:].partition(' ')[2]}"


def change_dot(descent: Descent, language: Language) -> str:
    """The picture of a change as DOT text."""
    assert descent.parent is not None
    parent, child = program_of(descent.parent, language), program_of(descent.child, language)
    return picture_of_change(parent, child).dot

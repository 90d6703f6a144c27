"""A picture before it is rendered: as a graph in DOT text, as text for terminals, and the words that go with it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gpkit.draw.diff import diff_dot, merged_sections
from gpkit.draw.lineage import LIMIT, Ancestor, lineage_dot, lineage_text
from gpkit.draw.marks import Marks
from gpkit.draw.text import diff_text, program_text
from gpkit.draw.tree import NO_MEANINGS, program_dot
from gpkit.genomes.tree import TreeProgram


@dataclass(frozen=True, slots=True)
class Picture:
    """Source of a picture, which ``render`` makes into a file.

    ``nodes`` is the size of the graph, ``listing`` the program's own text, shown on HTML pages when there is any.
    """

    title: str
    dot: str
    text: str
    nodes: int
    listing: str = ""


def program_picture(
    program: TreeProgram,
    marks: Sequence[Marks] = (),
    *,
    title: str,
    listing: str = "",
    meanings: Mapping[str, str] = NO_MEANINGS,
) -> Picture:
    """The picture of a program; see ``program_dot`` for the arguments."""
    dot = program_dot(program, marks, caption=title, meanings=meanings)
    return Picture(title, dot, program_text(program, marks), len(program), listing)


def diff_picture(parent: TreeProgram, child: TreeProgram, *, title: str, listing: str = "") -> Picture:
    """The picture of what a child changed of its parent."""
    dot = diff_dot(parent, child, caption=title)
    nodes = sum(len(merged.nodes) for _, merged in merged_sections(parent, child))
    return Picture(title, dot, diff_text(parent, child), nodes, listing)


def lineage_picture(ancestors: Sequence[Ancestor], *, title: str) -> Picture:
    """The picture of where a champion comes from; the text holds all its ancestors, the graph the latest ones."""
    dot = lineage_dot(ancestors, caption=title)
    return Picture(title, dot, lineage_text(ancestors), min(len(ancestors), LIMIT))

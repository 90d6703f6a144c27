"""A picture before it is rendered: as a graph in DOT text, as text for terminals, and the words that go with it."""

from collections.abc import Sequence
from dataclasses import dataclass

from gpkit.draw.lineage import LIMIT, Ancestor, lineage_dot, lineage_text


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


def lineage_picture(ancestors: Sequence[Ancestor], *, title: str) -> Picture:
    """The picture of where a champion comes from; the text holds all its ancestors, the graph the latest ones."""
    dot = lineage_dot(ancestors, caption=title)
    return Picture(title, dot, lineage_text(ancestors), min(len(ancestors), LIMIT))

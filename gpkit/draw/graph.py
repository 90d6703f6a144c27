"""Common parts of pictures made of nodes and edges: defaults, frames, captions, legends, and the escaping of text."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import graphviz

from gpkit.core.characters import in_markup, shown
from gpkit.draw.palette import FONT, INK, LINE, PALE
from gpkit.genomes.tree import LONE_SECTION

SAMPLES = 4
"""Entries of a legend in one row."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture before it is rendered: a title, a graph, and a text for terminals.

    ``graph`` is DOT text, or a function that makes it on demand. ``nodes`` is the size of the graph. ``listing`` is the
    program's own text, which HTML pages show unless it is empty.
    """

    title: str
    graph: str | Callable[[], str]
    text: str
    nodes: int
    listing: str = ""

    @property
    def dot(self) -> str:
        """The graph as DOT text."""
        return self.graph if isinstance(self.graph, str) else self.graph()


@dataclass(frozen=True, slots=True)
class Sample:
    """One entry of a legend: a small swatch and what it means."""

    fill: str
    line: str
    text: str
    dashed: bool = False
    weight: int = 1


def plain(text: str) -> str:
    """Text as a DOT label or tooltip that shows it literally: no entities, no HTML-like markup, one line.

    A backslash becomes its look-alike, because DOT expands escapes in tooltips even when the backslash is escaped.
    """
    escaped: str = graphviz.nohtml(
        shown(" ".join(text.split())).replace("&", "&amp;").replace("\\", "\N{SET MINUS}")
    )
    return escaped


def rich(text: str) -> str:
    """Text to be put inside an HTML-like label, shown literally."""
    return in_markup(" ".join(text.split())).replace("\\", "\N{SET MINUS}")


def new_graph(caption: str = "", legend: Sequence[Sample] = ()) -> graphviz.Digraph:
    """An empty graph with the defaults of all pictures, and below it a line of text and a legend."""
    graph = graphviz.Digraph("gpkit")
    graph.attr(ordering="out", nodesep="0.16", ranksep="0.3", pad="0.15", fontname=FONT, fontcolor=INK)
    if caption or legend:
        graph.attr(label=_foot(caption, legend), labelloc="b", fontsize="11")
    graph.attr(
        "node",
        _attributes={
            "style": "filled",
            "fontname": FONT,
            "fontsize": "12",
            "fontcolor": INK,
            "margin": "0.09,0.03",
            "height": "0.3",
            "width": "0.3",
            "penwidth": "1.2",
        },
    )
    graph.attr("edge", arrowhead="none", color=LINE, fontname=FONT, fontsize="10", fontcolor=LINE)
    return graph


def new_frame(index: int, title: str) -> graphviz.Digraph:
    """A titled frame for one section; add it with ``graph.subgraph`` when it is filled."""
    frame = graphviz.Digraph(f"cluster_{index}")
    frame.attr(
        label=plain(title),
        labeljust="l",
        labelloc="t",
        fontsize="14",
        color=PALE,
        style="rounded",
        margin="10",
    )
    return frame


def headings(names: Sequence[str]) -> Sequence[str]:
    """The headings of the sections of a program; that of a lone tree is empty."""
    return names if tuple(names) != (LONE_SECTION,) else ("",)


@contextmanager
def framed(graph: graphviz.Digraph, index: int, heading: str) -> Iterator[graphviz.Digraph]:
    """A frame for one section, which then becomes a part of the graph; without a heading the graph itself."""
    if not heading:
        yield graph
        return
    frame = new_frame(index, heading)
    yield frame
    graph.subgraph(frame)


def two_lines(first: str, second: str, colour: str) -> str:
    """An HTML-like label: a line of text, and below it a smaller one in ``colour``."""
    return (
        '<<table border="0" cellborder="0" cellspacing="0" cellpadding="0">'
        f"<tr><td>{rich(first)}</td></tr>"
        f'<tr><td><font point-size="9" color="{colour}">{rich(second)}</font></td></tr></table>>'
    )


def _foot(caption: str, legend: Sequence[Sample]) -> str:
    rows = [f"<tr><td>{rich(caption)}</td></tr>"] if caption else []
    if legend:
        lines = [legend[k : k + SAMPLES] for k in range(0, len(legend), SAMPLES)]
        cells = "".join(f"<tr>{''.join(map(_swatch, line))}</tr>" for line in lines)
        rows.append(f'<tr><td><table border="0" cellspacing="3">{cells}</table></td></tr>')
    return f'<<table border="0" cellspacing="5">{"".join(rows)}</table>>'


def _swatch(sample: Sample) -> str:
    style = ' style="dashed"' if sample.dashed else ""
    return (
        f'<td border="{sample.weight}" fixedsize="true" width="22" height="13" '
        f'bgcolor="{sample.fill}" color="{sample.line}"{style}></td>'
        f'<td align="left">{rich(sample.text)}   </td>'
    )


def game_caption(name: str, place: str, what: str, until: str = "") -> str:
    """The caption of a picture of ``picture_of_game`` that shows what became of the program; empty without a place."""
    return place and f"{name}, {place}: {what}" + (f" up to {until}" if until else "")

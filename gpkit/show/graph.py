"""Elements shared by pictures with nodes and edges: colours, signs, frames, legends, and text escaping.

The colours, and their light tints, are from Okabe and Ito (2008): people with any kind of colour vision can tell them
apart.

A shape, a dash or a line weight always repeats the meaning of a colour, so pictures also work in black and white.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

import graphviz

from gpkit.core.primitives import RANDOM
from gpkit.core.wording import in_markup, shown
from gpkit.genomes.tree import LONE_SECTION, Function, Tree, is_constant
from gpkit.langkit.operators import NOTATION

INK = "#24292F"
"""Text and strong lines on white."""
LINE = "#6B737B"
"""Ordinary edges."""
FAINT = "#7A828A"
"""Unimportant text, still legible on white."""
PALE = "#C3C9CF"
"""Unimportant lines."""
PAPER = "#FFFFFF"
MIST = "#F3F4F6"

BLUE = "#0072B2"
GREEN = "#00795A"
"""The bluish green, darkened so that small text is legible on white."""
ORANGE = "#E69F00"
VERMILLION = "#D55E00"
PURPLE = "#CC79A7"

TINTS = {BLUE: "#DCEBF7", GREEN: "#D9F0E8", ORANGE: "#FDF0D2", VERMILLION: "#FBE3D6", PURPLE: "#F7E6F0"}
"""The light tint of each colour."""


def tinted(colour: str) -> dict[str, str]:
    """The DOT attributes of a node with an outline in a colour; the fill is its tint, or paper if it has no tint."""
    return {"fillcolor": TINTS.get(colour, PAPER), "color": colour}


def blend(low: str, high: str, share: float) -> str:
    """A colour between two colours; ``share`` 0 gives the first colour, and 1 the second."""
    ends = [[int(colour[k : k + 2], 16) for k in (1, 3, 5)] for colour in (low, high)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(*ends, strict=True))


FONT = "Helvetica,Arial,sans-serif"


@dataclass(frozen=True, slots=True)
class Annotations:
    """The nodes of one formula, by position.

    ``constant`` nodes have the same value for all sensor values, and ``redundant`` ones cannot change the result; both
    are grey. ``executed`` nodes were needed for the result in a trace (None if there is no trace). ``values`` are
    displayed at their nodes.
    """

    constant: frozenset[int] = frozenset()
    redundant: frozenset[int] = frozenset()
    executed: frozenset[int] | None = None
    values: Mapping[int, float] = field(default_factory=dict)


NO_ANNOTATIONS = Annotations()


Kind = Literal["operator", "function", "sensor", "constant", "random"]


def kind(tree: Tree, position: int) -> Kind:
    """The kind of the node at ``position``; a name with operands is an operator."""
    symbol = tree.symbols[position]
    if is_constant(symbol):
        return "constant"
    if tree.sizes[position] > 1:
        return "function" if isinstance(symbol, Function) else "operator"
    return "random" if symbol == RANDOM else "sensor"


def short_number(value: float) -> str:
    """A number with at most four significant digits and a real minus sign: -4.0745883 becomes −4.075."""
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "\N{INFINITY}" if value > 0 else "\N{MINUS SIGN}\N{INFINITY}"
    mantissa, _, exponent = f"{value:.4g}".partition("e")
    shown = f"{mantissa}e{int(exponent)}" if exponent else mantissa
    return shown.replace("-", "\N{MINUS SIGN}")


def full_name(tree: Tree, position: int) -> str:
    """The text of a node, with full names and every digit."""
    symbol = tree.symbols[position]
    return (
        repr(symbol) if is_constant(symbol) else NOTATION[symbol].sign if tree.sizes[position] > 1 else symbol
    )


def label(tree: Tree, position: int) -> str:
    """The short text of a node: the sign of an operator, a sensor without ``env.``, or a shortened constant."""
    symbol = tree.symbols[position]
    if is_constant(symbol):
        return short_number(symbol)
    if tree.sizes[position] > 1:
        return NOTATION[symbol].sign
    return "random" if symbol == RANDOM else symbol.removeprefix("env.")


def operand_label(tree: Tree, position: int, operand: int) -> str:
    """The name of the operand with this index of the operator at ``position``; usually empty."""
    names = NOTATION[tree.symbols[position]].operands
    return names[operand] if names else ""


SAMPLES = 4
"""The number of legend entries in one row."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture before it is rendered: a title, a graph, and text for terminals.

    ``graph`` is DOT text, or a function that makes it on demand. ``nodes`` is the number of nodes in the graph.
    ``listing`` is the text of the program, which HTML pages show unless it is empty.
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
    """One entry of a legend: a small swatch and its meaning."""

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
    """Text for an HTML-like label, shown literally."""
    return in_markup(" ".join(text.split())).replace("\\", "\N{SET MINUS}")


def new_graph(caption: str = "", legend: Sequence[Sample] = ()) -> graphviz.Digraph:
    """An empty graph with the defaults of all pictures, a line of text below it, and a legend."""
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
    """A titled frame for one section; add it with ``graph.subgraph`` after filling it."""
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
    """The headings of a program's sections; a program with a single tree has one empty heading."""
    return names if tuple(names) != (LONE_SECTION,) else ("",)


@contextmanager
def framed(graph: graphviz.Digraph, index: int, heading: str) -> Iterator[graphviz.Digraph]:
    """Yield a frame for one section, then add it to the graph; if the heading is empty, yield the graph itself."""
    if not heading:
        yield graph
        return
    frame = new_frame(index, heading)
    yield frame
    graph.subgraph(frame)


def two_lines(first: str, second: str, colour: str) -> str:
    """An HTML-like label: a line of text, and below it a smaller line in ``colour``."""
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
    """The caption of a picture that ``picture_of_game`` draws of a program's behaviour; empty if ``place`` is empty."""
    return place and f"{name}, {place}: {what}" + (f" up to {until}" if until else "")

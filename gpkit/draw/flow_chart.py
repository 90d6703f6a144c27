"""Flow charts: a tree for each section with words on its arrows; what is never reached or was not visited is grey."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import graphviz

from gpkit.draw.graph import Sample, new_frame, new_graph, plain
from gpkit.draw.palette import FAINT, INK, MIST, PALE, PAPER
from gpkit.draw.picture import Picture
from gpkit.genomes.tree import LONE_SECTION, FlatTree, Sections

SIGNS: Mapping[str, str] = {
    "<=": "\N{LESS-THAN OR EQUAL TO}",
    ">=": "\N{GREATER-THAN OR EQUAL TO}",
    "!=": "\N{NOT EQUAL TO}",
    "==": "=",
    "<": "<",
    ">": ">",
}
"""Comparisons as they are drawn."""

_GREYED = {"fillcolor": MIST, "color": PALE, "fontcolor": FAINT}
_LOST = {"color": PALE, "fontcolor": FAINT}


class Annotations(Protocol):
    """Nodes of a tree by position: those never reached, those visited in traced games, and a remark on each."""

    @property
    def dead(self) -> frozenset[int]:
        """Those that nothing leads to."""

    @property
    def visited(self) -> Any:
        """A container of those that were visited in traced games; None without them."""

    def is_grey(self, position: int) -> bool:
        """Whether a node is drawn as one that does not matter."""

    def remark(self, position: int) -> str:
        """Remark on a node, or nothing."""


class Language(NamedTuple):
    """Nodes of a language in flow charts; each function takes a tree, and most the position of a node in it.

    Attributes:
        look: DOT attributes of a node.
        label: text in it.
        words: what its tooltip tells.
        branch: word on the arrow to one of its children, or nothing.
        lines: a tree as lines of text, with remarks.
        arrows: DOT attributes of all arrows.
    """

    look: Callable[[Any, int], Mapping[str, str]]
    label: Callable[[Any, int], str]
    words: Callable[[Any, int], Sequence[str]]
    branch: Callable[[Any, int, int], str]
    lines: Callable[[Any, Any], Sequence[str]]
    arrows: Mapping[str, str]


def flow_chart(
    sections: Sections[Any], annotations: Sequence[Annotations], language: Language, title: str, source: str
) -> Picture:
    """All trees of a program, in frames where there are several, with what is known of their nodes.

    Args:
        sections: the trees by the names of their sections.
        marks: what is known of the nodes of each tree.
        language: how nodes are drawn.
        title: below the chart.
        source: text of the program.
    """
    graph = new_graph(title, _legend(annotations))
    graph.attr("edge", arrowhead="normal", arrowsize="0.7", _attributes=dict(language.arrows))
    texts = []
    for index, (name, tree, known) in enumerate(
        zip(sections.names, sections.trees, annotations, strict=True)
    ):
        is_lone = sections.names == (LONE_SECTION,)
        frame = graph if is_lone else new_frame(index, name)
        _add_tree(frame, f"t{index}n", tree, known, language)
        if not is_lone:
            graph.subgraph(frame)
        texts.append("\n".join([*([] if is_lone else [name]), *language.lines(tree, known)]))
    return Picture(title, graph.source, "\n\n".join(texts) + "\n", sum(map(len, sections.trees)), source)


def _add_tree(
    graph: graphviz.Digraph, prefix: str, tree: FlatTree[Any], annotations: Annotations, language: Language
) -> None:
    for position in range(len(tree)):
        attributes = dict(language.look(tree, position)) | (_GREYED if annotations.is_grey(position) else {})
        if position in annotations.dead:
            attributes["style"] = attributes.get("style", "filled") + ",dashed"
        words = [*language.words(tree, position), annotations.remark(position)]
        attributes["tooltip"] = plain("; ".join(filter(None, words)))
        graph.node(f"{prefix}{position}", plain(language.label(tree, position)), _attributes=attributes)
    for position in range(len(tree)):
        for branch, child in enumerate(tree.children(position)):
            attributes = dict(_LOST) if annotations.is_grey(child) else {"color": INK, "fontcolor": INK}
            if word := language.branch(tree, position, branch):
                attributes["label"] = plain(f" {word} ")
            graph.edge(f"{prefix}{position}", f"{prefix}{child}", _attributes=attributes)


def _legend(annotations: Sequence[Annotations]) -> list[Sample]:
    legend = []
    if any(known.dead for known in annotations):
        legend.append(Sample(MIST, PALE, "never reached", dashed=True))
    if any(known.visited is not None for known in annotations):
        legend.append(Sample(PAPER, INK, "visited"))
        legend.append(Sample(MIST, PALE, "not visited"))
    return legend

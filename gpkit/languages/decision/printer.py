"""Decision trees to text: one node a line, branches indented below it, and whole files."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from gpkit.genomes.comparisons import Comparison
from gpkit.genomes.decision import Chance, DecisionProgram, DecisionTree, Leaf, Node, Switch
from gpkit.langkit.naming import written_name
from gpkit.langkit.nodes import NodeKind, NodeTable
from gpkit.langkit.sections import print_sections
from gpkit.languages.decision.parser import WORDS

INDENT = "  "


def print_tree(tree: DecisionTree) -> str:
    """The lines of a tree, from which ``parse`` gives the same tree.

    >>> from gpkit.genomes.decision import inner, leaf
    >>> print(print_tree(inner(Comparison("env.depth", "<=", 3.0), leaf(1.0), leaf("sepal length"))))
    test env.depth <= 3.0
      yes: 1.0
      no: "sepal length"
    """
    return "\n".join(f"{INDENT * level}{label}{head(node)}" for level, label, node in lines_of(tree))


def lines_of(tree: DecisionTree) -> Iterator[tuple[int, str, Node]]:
    """The level of every node, the label of its branch with a blank behind it, and the node."""
    pending: list[tuple[int, int, str]] = [(0, 0, "")]
    while pending:
        position, level, label = pending.pop()
        node = tree.symbols[position]
        yield level, label, node
        if not isinstance(node, Leaf):
            below = zip(tree.children(position), labels(node), strict=True)
            pending.extend(reversed([(child, level + 1, f"{label}: ") for child, label in below]))


_TEST = "{feature} {sign} {threshold}"
NODES = NodeTable(
    NodeKind(Comparison, f"test {_TEST}", _TEST, ("yes", "no"), keys={"sign": "comparison"}),
    NodeKind(Switch, "switch {feature}", "{feature}", ("intervals*",), hidden=("bounds",)),
    NodeKind(Chance, "chance {probability}", "{probability}", ("yes", "no")),
)
"""The kinds of inner nodes."""


def head(node: Node) -> str:
    """A node without its branches."""
    if isinstance(node, Leaf):
        return word(node) if isinstance(node, str) else repr(node)
    return NODES.head(node, {"feature": word})


def labels(node: Node) -> tuple[str, ...]:
    """The labels of the branches of a node."""
    if isinstance(node, Switch):
        return (*(f"below {bound!r}" for bound in node.bounds), "else")
    return () if isinstance(node, Leaf) else ("yes", "no")


@lru_cache(maxsize=4096)
def word(name: str) -> str:
    """A name, in quotation marks where it is no word of its own."""
    return written_name(name, name in WORDS)


def print_program(program: DecisionProgram, header: Mapping[str, str] | None = None) -> str:
    """The text of a ``.decide`` file: the header as comments, then every section.

    Raises:
        ValueError: a header key is not one word of letters, digits, ``_`` and ``-``.
    """
    return print_sections(program, header, print_tree)

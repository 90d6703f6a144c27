"""Decision trees to text: one node a line, branches indented below it, and whole files."""

from functools import lru_cache, partial

from gpkit.genomes.comparisons import Comparison
from gpkit.genomes.decision import Chance, DecisionTree, Node, Switch
from gpkit.langkit.naming import written_name
from gpkit.langkit.nodes import NodeKind, NodeTable, Texts
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
    lines: list[str] = []
    pending = [("", "")]  # indentation and label of the nodes still to be written, the next one last
    for node in tree.symbols:
        indent, label = pending.pop()
        kind = node.__class__
        if kind is float:
            lines.append(f"{indent}{label}{node!r}")
        elif kind is str:
            lines.append(indent + label + word(node))
        else:
            lines.append(indent + label + head(node))
            indent += INDENT
            if kind is Switch:
                pending += [(indent, f"{name}: ") for name in reversed(labels(node))]
            else:
                pending += ((indent, "no: "), (indent, "yes: "))
    return "\n".join(lines)


_TEST = "{feature} {sign} {threshold}"
NODES = NodeTable(
    NodeKind(Comparison, f"test {_TEST}", _TEST, ("yes", "no"), keys={"sign": "comparison"}),
    NodeKind(Switch, "switch {feature}", "{feature}", ("intervals*",), hidden=("bounds",)),
    NodeKind(Chance, "chance {probability}", "{probability}", ("yes", "no")),
)


def head(node: Node) -> str:
    """A node without its branches."""
    if isinstance(node, Comparison):  # as most nodes are: the pattern takes several times as long
        return f"test {word(node.feature)} {node.sign} {node.threshold!r}"
    if isinstance(node, str):
        return word(node)
    return repr(node) if isinstance(node, float) else NODES.head(node, TEXTS)


def labels(node: Node) -> tuple[str, ...]:
    """The labels of the branches of a node."""
    if isinstance(node, Switch):
        return (*(f"below {bound!r}" for bound in node.bounds), "else")
    return () if isinstance(node, str | float) else ("yes", "no")


@lru_cache(maxsize=4096)
def word(name: str) -> str:
    """A name, in quotation marks where it is no word of its own."""
    return written_name(name, name in WORDS)


TEXTS: Texts = {"feature": word}


print_program = partial(print_sections, print_part=print_tree)
"""The text of a ``.decide`` file: the header of a program as comments, then its sections."""

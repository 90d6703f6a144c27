"""Decision trees to text: one node a line, branches indented below it, and whole files."""

from functools import lru_cache, partial
from itertools import chain

from gpkit.genomes.comparisons import Comparison
from gpkit.genomes.decision import Chance, DecisionTree, Switch
from gpkit.langkit.naming import written_name
from gpkit.langkit.nodes import NodeKind, NodeTable
from gpkit.langkit.sections import print_sections
from gpkit.languages.decision.parser import WORDS


def print_tree(tree: DecisionTree) -> str:
    """The lines of a tree, from which ``parse`` gives the same tree.

    >>> from gpkit.genomes.decision import inner, leaf
    >>> print(print_tree(inner(Comparison("env.depth", "<=", 3.0), leaf(1.0), leaf("sepal length"))))
    test env.depth <= 3.0
      yes: 1.0
      no: "sepal length"
    """
    return "\n".join(NODES.written(tree.symbols))


@lru_cache(maxsize=4096)
def word(name: str) -> str:
    """A name, in quotation marks where it is no word of its own."""
    return written_name(name, name in WORDS)


_TEST = "{feature} {sign} {threshold}"
NODES = NodeTable(
    NodeKind(
        f"test {_TEST}",
        _TEST,
        Comparison,
        ("yes", "no"),
        keys={"sign": "comparison"},
        text=lambda node: f"test {word(node.feature)} {node.sign} {node.threshold!r}",
    ),
    NodeKind(
        "switch {feature}",
        "{feature}",
        Switch,
        ("intervals*",),
        hidden=("bounds",),
        words=lambda node: (*(f"below {bound!r}" for bound in node.bounds), "else"),
        count=lambda feature, bounds: len(bounds) + 1,
    ),
    NodeKind("chance {probability}", "{probability}", Chance, ("yes", "no")),
    texts={str: word, float: repr, "sign": str},
    make=lambda kind, fields, branches: [kind.make(*fields), *chain(*branches)],
    beside=True,
)
"""The nodes, in prefix order; what else stands there is a leaf."""


print_program = partial(print_sections, print_part=print_tree)
"""The text of a ``.decide`` file: the header of a program as comments, then its sections."""

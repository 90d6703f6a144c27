"""Decision trees as nested definitions by cases."""

from gpkit.export.latex import SIGNS, aligned, name_text, number
from gpkit.export.registry import Document, Subject
from gpkit.genomes.comparisons import OPPOSITE, Comparison
from gpkit.genomes.decision import Chance, DecisionTree, Inner, Leaf, Switch

MODES = ("equations",)


def documents(subject: Subject, mode: str) -> tuple[Document, ...]:
    """An equation for each tree."""
    trees = zip(subject.program.names, subject.program.trees, strict=True)
    return (Document(".tex", aligned(rf"{name_text(name)} &= {latex_tree(tree)}" for name, tree in trees)),)


def latex_tree(tree: DecisionTree, position: int = 0) -> str:
    r"""One tree.

    >>> from gpkit.genomes.decision import inner, leaf
    >>> latex_tree(inner(Comparison("env.rank", "<=", 3.0), leaf(1.0), leaf(2.0)))
    '\\begin{cases} 1 & \\mathit{rank} \\le 3 \\\\ 2 & \\mathit{rank} > 3 \\end{cases}'
    """
    node = tree.symbols[position]
    if isinstance(node, Leaf):
        return number(repr(node)) if isinstance(node, float) else name_text(node)
    rows = [
        f"{latex_tree(tree, child)} & {_condition(node, branch)}"
        for branch, child in enumerate(tree.children(position))
    ]
    return r"\begin{cases} " + r" \\ ".join(rows) + r" \end{cases}"


def _condition(node: Inner, branch: int) -> str:
    """The condition of a branch."""
    match node:
        case Chance():
            share = node.probability if branch == 0 else 1.0 - node.probability
            return rf"\text{{with probability }} {number(repr(share))}"
        case Switch():
            if branch == len(node.bounds):
                return rf"{name_text(node.feature)} \ge {number(repr(node.bounds[-1]))}"
            low = rf"{number(repr(node.bounds[branch - 1]))} \le " if branch else ""
            return f"{low}{name_text(node.feature)} < {number(repr(node.bounds[branch]))}"
        case Comparison():
            sign = SIGNS[node.sign if branch == 0 else OPPOSITE[node.sign]]
            return f"{name_text(node.feature)} {sign} {number(repr(node.threshold))}"

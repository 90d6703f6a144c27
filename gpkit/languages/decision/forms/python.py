"""Decision trees as Python functions of nested conditions."""

from gpkit.export import python as valued
from gpkit.export.check import CheckReport
from gpkit.export.python import Writer
from gpkit.export.registry import Document, Subject
from gpkit.export.statements import Body, Target
from gpkit.genomes.decision import DecisionTree
from gpkit.languages.decision.branches import PYTHON, body_of, comparable

MODES = ("module",)


def body(tree: DecisionTree, target: Target) -> Body:
    """The conditions of a tree."""
    return body_of(tree, target, PYTHON)


def documents(subject: Subject, mode: str) -> tuple[Document, ...]:
    """The Python file, and the file of conformance unless leaves are names.

    Raises:
        UsageError: a section whose name no function can have.
    """
    if subject.primitives is not None and subject.primitives.actions:
        subject = comparable(subject, "remove the chance")
    if any(isinstance(node, str) for tree in subject.program.trees for node in tree.symbols):
        return (Document(".py", valued.python_text(subject)),)
    return valued.documents(subject, mode)


def check(subject: Subject, mode: str, evaluations: int, games: int) -> CheckReport:
    """Values of every tree, in a Python of its own.

    Raises:
        UsageError: leaves are names.
    """
    return valued.check(comparable(subject, "export it without --check"), mode, evaluations, games)


def title(tree: DecisionTree) -> str:
    """The size of the tree; its function says the rest."""
    return f"A decision tree of {len(tree.leaves)} leaves."


WRITER = Writer("decision tree", body, title)

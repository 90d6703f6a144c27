"""Decision trees as Python functions of nested conditions."""

from gpkit.core.check_report import CheckReport
from gpkit.export import python as valued
from gpkit.export.registry import Document, Subject
from gpkit.export.statements import Body, Target, Writer
from gpkit.genomes.decision import DecisionTree
from gpkit.languages.decision.branches import PYTHON, body_of, of_data

MODES = ("module",)


def body(tree: DecisionTree, target: Target) -> Body:
    """The conditions of a tree."""
    return body_of(tree, target, PYTHON)


def documents(subject: Subject, mode: str) -> tuple[Document, ...]:
    """The Python file, and the file of conformance.

    Raises:
        UsageError: a section whose name no function can have.
    """
    return valued.documents(of_data(subject, "remove the chance"), mode)


def check(subject: Subject, mode: str, evaluations: int, games: int) -> CheckReport:
    """Values of every tree, in a Python of its own.

    Raises:
        UsageError: leaves are names, and the program is for a game.
    """
    return valued.check(of_data(subject, "export it without --check"), mode, evaluations, games)


def title(tree: DecisionTree) -> str:
    """The size of the tree; its function says the rest."""
    return f"A decision tree of {len(tree.leaves)} leaves."


WRITER = Writer("decision tree", body, title)

"""Decision trees as C functions of nested conditions."""

from gpkit.core.check_report import CheckReport
from gpkit.core.errors import UsageError
from gpkit.export import c as valued
from gpkit.export.registry import Document, Subject
from gpkit.export.statements import Body, Target, Writer
from gpkit.genomes.decision import DecisionTree
from gpkit.languages.decision.branches import C, body_of, of_data
from gpkit.languages.decision.forms.python import title

MODES = ("module",)


def body(tree: DecisionTree, target: Target) -> Body:
    """The conditions of a tree."""
    return body_of(tree, target, C)


def documents(subject: Subject, mode: str) -> tuple[Document, ...]:
    """The C file, and the file of conformance.

    Raises:
        UsageError: a section whose name no function can have, or leaves of which some are names, and some numbers.
    """
    return valued.documents(_of_one_kind(subject), mode)


def check(subject: Subject, mode: str, evaluations: int, games: int) -> CheckReport:
    """Leaves that every tree comes to, by a program that the compiler of this machine makes of the file.

    Raises:
        UsageError: as for ``documents``; or there is no compiler.
    """
    return valued.check(_of_one_kind(subject), mode, evaluations, games)


def _of_one_kind(subject: Subject) -> Subject:
    subject = of_data(subject, "remove the chance")
    for name, tree in zip(subject.program.names, subject.program.trees, strict=True):
        if len({type(leaf) for leaf in tree.leaves}) > 1:
            raise UsageError(
                f"some leaves of `{name}` are names and some are numbers; a C function gives one or the other"
            )
    return subject


WRITER = Writer("decision tree", body, title, lambda tree: isinstance(tree.leaves[0], str))

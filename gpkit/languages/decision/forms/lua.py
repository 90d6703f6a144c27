"""Decision trees as Lua: a function of nested conditions for each."""

from gpkit.core.check_report import CheckReport
from gpkit.core.primitives import PrimitiveSet
from gpkit.export.lua import valued
from gpkit.export.lua.functions import Inputs, Writer, target
from gpkit.export.registry import Document, Subject
from gpkit.export.statements import Body
from gpkit.genomes.decision import DecisionTree
from gpkit.languages.decision.branches import LUA, body_of, comparable, of_data

MODES = ("module", "player", "function", "luau")


def body(tree: DecisionTree, inputs: Inputs) -> Body:
    """The conditions of a tree."""
    return body_of(tree, target(inputs.load), LUA)


def shown(tree: DecisionTree) -> tuple[str, ...]:
    """Nothing: the function reads as the tree does."""
    return ()


def statement(tree: DecisionTree, primitives: PrimitiveSet | None) -> str:
    """Statement on the numbers that a tree compares: nothing is computed, so nothing is rounded."""
    return f"a tree of {len(tree.leaves)} leaves; it compares numbers and computes none."


def documents(subject: Subject, mode: str) -> tuple[Document, ...]:
    """The Lua file, and for modules and players the file of conformance.

    Raises:
        UsageError: the program cannot be said in this mode; leaves that are names go into functions and modules only.
    """
    if mode == "module":
        subject = of_data(subject, "export it to lua with --mode function")
    elif mode != "function":
        subject = comparable(subject, "export it to lua with --mode module")
    return valued.documents(subject, mode)


def check(subject: Subject, mode: str, evaluations: int, games: int) -> CheckReport:
    """Values of every tree, and whole games where the mode has a choice and the game is known, in every Lua.

    Raises:
        UsageError: leaves are names, which only functions and modules without a game can have.
    """
    if mode in ("function", "module"):
        return valued.check(of_data(subject, "export it without --check"), mode, evaluations, games)
    fix = "choose --mode function" if subject.primitives is None else "export it without --check"
    return valued.check(comparable(subject, fix), mode, evaluations, games)


WRITER = Writer("decision tree", body, shown, statement)

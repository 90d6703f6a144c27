"""Decision trees as the statements of a function body, for target languages with conditions that nest."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from gpkit.core.errors import UsageError
from gpkit.export import c_notation, python_notation
from gpkit.export.lua import layout
from gpkit.export.registry import Subject
from gpkit.export.statements import Body, Target, local_names
from gpkit.genomes.comparisons import Comparison
from gpkit.genomes.decision import DecisionProgram, DecisionTree, Inner, Leaf
from gpkit.languages.decision.interpreter import valued

_MOST_LOCALS = 60  # of a function; more features are read where they are tested
# How many of these a function of a part uses, besides 20 random numbers: Lua 5.1 allows 60 upvalues.
_MOST_OF_PARTS = 30
_PART = range(20, 1_000)  # nodes in each part of a larger tree; each part is a function


@dataclass(frozen=True, slots=True)
class Conditions:
    """The notation of conditions in a target language.

    Attributes:
        first, other: the lines that open the first branch and further ones; ``{}`` stands for the condition.
        last: the line that opens the last branch.
        end: the line that closes the last branch; empty if there is none.
        unequal: the operator for "not equal".
        indent: the indentation of the lines of a branch.
        quoted: turns a text into a string literal.
        negated: the negation of a condition ``{}``.
        most_nodes: the maximum number of nodes in one function; the parts of a larger tree become functions inside it.
        part: the line that opens the function of part ``{}``; ``end`` closes it.
        table: an empty table, for parts or for many random numbers.
    """

    first: str
    other: str
    last: str
    end: str
    unequal: str
    indent: str
    quoted: Callable[[str], str]
    negated: str = "not ({})"
    most_nodes: int = sys.maxsize
    part: str = ""
    table: str = ""


LUA = Conditions(
    "if {} then",
    "elseif {} then",
    "else",
    "end",
    "~=",
    "\t",
    layout.quoted,
    most_nodes=3_000,  # LuaJIT jumps over 32,767 instructions at most
    part="parts[{}] = function()",
    table="{}",
)
PYTHON = Conditions("if {}:", "elif {}:", "else:", "", "!=", "    ", python_notation.quoted)
C = Conditions("if ({}) {{", "}} else if ({}) {{", "} else {", "}", "!=", "    ", c_notation.quoted, "!({})")


def body_of(tree: DecisionTree, target: Target, notation: Conditions) -> Body:
    """The body of the function that computes the value of a tree.

    It first draws all random numbers that the longest path needs. A negated ``<=`` is written as ``not (a <= b)``,
    never as ``a > b``, because the two differ for NaN. The parts of a large tree are functions inside the body.
    """
    parts: list[list[str]] | None = [] if len(tree.symbols) > notation.most_nodes else None
    most, more = (_MOST_LOCALS, set[str]()) if parts is None else (_MOST_OF_PARTS, {"parts", "u"})
    names = local_names(tree.reads, target.reserved | more) if len(tree.reads) <= most else {}
    lines = [f"{target.declare}{name} = {target.load(feature)}" for feature, name in names.items()]
    many = parts is not None and tree.draws > _MOST_OF_PARTS * 2 // 3
    read: dict[str | int, str] = {k: f"u[{k}]" if many else f"u{k}" for k in range(1, tree.draws + 1)}
    lines += [f"{target.declare}u = {notation.table}"] if many else []
    lines += [f"{'' if many else target.declare}{number} = {target.random}" for number in read.values()]
    read |= {feature: names.get(feature) or f"({target.load(feature)})" for feature in tree.reads}
    last = _lines(tree, 0, read, notation, parts)
    lines += [f"{target.declare}parts = {notation.table}"] if parts else []
    for number, part in enumerate(parts or (), 1):
        lines += [notation.part.format(number), *(notation.indent + line for line in part), notation.end]
    return Body((*lines, *last), frozenset())


def comparable(subject: Subject, fix: str) -> Subject:
    """The subject with values as leaves: where a tree names actions of its game, those of the candidates.

    Raises:
        UsageError: a leaf is a name, and no action; or a tree that names actions has a chance, which is asked once for
            all of them.
    """
    program = subject.program
    if subject.primitives is not None and subject.primitives.actions:
        if any(tree.draws for tree in program.trees):
            raise UsageError(f"a chance is drawn once for all actions, and not for each candidate; {fix}")
        return replace(subject, program=replace(program, trees=tuple(map(valued, program.trees))))
    refuse_names(program, fix)
    return subject


def of_data(subject: Subject, fix: str) -> Subject:
    """The subject as it is, with names as leaves, too; for a game, that of ``comparable``.

    Raises:
        UsageError: as for ``comparable``.
    """
    return subject if subject.primitives is None else comparable(subject, fix)


def refuse_names(program: DecisionProgram, fix: str) -> None:
    """Refuse leaves that are names where values are compared.

    Raises:
        UsageError: there is one.
    """
    names = [node for tree in program.trees for node in tree.symbols if isinstance(node, str)]
    if names:
        raise UsageError(f"the leaf `{names[0]}` is a name, and only values are compared; {fix}")


def _lines(
    tree: DecisionTree,
    position: int,
    read: Mapping[str | int, str],
    notation: Conditions,
    parts: list[list[str]] | None,
) -> list[str]:
    """The statements of a subtree; a test in the last branch continues the chain of conditions.

    If the tree has ``parts``, a subtree of their size becomes another part, and the statements call it.
    """
    lines: list[str] = []
    opening = notation.first
    while not isinstance(node := tree.symbols[position], Leaf):
        if parts is not None and tree.sizes[position] in _PART:
            parts.append(_lines(tree, position, read, notation, None))
            break
        *branches, rest = tree.children(position)
        for k, child in enumerate(branches):
            lines.append(opening.format(_condition(tree, position, node, k, read, notation)))
            lines += [notation.indent + line for line in _lines(tree, child, read, notation, parts)]
            opening = notation.other
        position = rest
    if isinstance(node, Leaf):
        returned = f"return {repr(node) if isinstance(node, float) else notation.quoted(node)}"
    else:
        returned = f"return parts[{len(parts or ())}]()"
    if opening == notation.first:
        return [returned]
    return [*lines, notation.last, notation.indent + returned, *([notation.end] if notation.end else [])]


def _condition(
    tree: DecisionTree,
    position: int,
    node: Inner,
    branch: int,
    read: Mapping[str | int, str],
    notation: Conditions,
) -> str:
    """The condition of a branch that is not the last."""
    if isinstance(node, Comparison):
        return _comparison(read[node.feature], node, notation)
    if node.feature:
        return notation.negated.format(f"{read[node.feature]} >= {node.bounds[branch]!r}")
    return f"{read[tree.chances[position] + 1]} < {node.bounds[0]!r}"


def _comparison(feature: str, node: Comparison, notation: Conditions) -> str:
    match node.sign:
        case "<":
            return notation.negated.format(f"{feature} >= {node.threshold!r}")
        case ">":
            return notation.negated.format(f"{feature} <= {node.threshold!r}")
        case "!=":
            return f"{feature} {notation.unequal} {node.threshold!r}"
        case sign:
            return f"{feature} {sign} {node.threshold!r}"

"""Exports decision trees as functions, JSON, LaTeX and SymPy."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from itertools import pairwise
from types import ModuleType
from typing import TYPE_CHECKING, Any

from gpkit.core.errors import LimitError, UsageError
from gpkit.core.primitives import PrimitiveSet
from gpkit.export.certificate import certify
from gpkit.export.formulas import (
    SIGNS,
    aligned,
    feature_expression,
    feature_text,
    function_texts,
    left_sides,
    name_text,
    sympy_number,
    tex_number,
)
from gpkit.export.json import (
    Membership,
    feature_value,
    function_members,
    is_name,
    is_number,
    own_among,
    read_again,
    read_feature,
    read_functions,
    read_number,
    share,
    sign,
)
from gpkit.export.statements import Body, Target, Writer, call_of, local_names
from gpkit.export.subject import Document, Exporting, Subject
from gpkit.genomes.comparisons import OPPOSITE, Comparison
from gpkit.genomes.decision import (
    INTERVALS,
    Chance,
    DecisionProgram,
    DecisionTree,
    Inner,
    Leaf,
    Switch,
    decision_tree,
)
from gpkit.genomes.tree import Computed
from gpkit.langkit.nodes import NodeReader, Values
from gpkit.languages.decision.interpreter import valued
from gpkit.languages.decision.text import MAX_DEPTH, MAX_NODES, NODES, parse, print_program

if TYPE_CHECKING:
    from sympy import Expr


_MOST_LOCALS = 60  # of a function; more features are read where they are tested
# How many of these a function of a part uses, besides 20 random numbers: Lua 5.1 allows 60 upvalues.
_MOST_OF_PARTS = 30
_PART = range(20, 1_000)  # nodes in each part of a larger tree; each part is a function


def body_of(tree: DecisionTree, target: Target) -> Body:
    """The function body that computes the value of a tree.

    It first draws all random numbers that the longest path needs. A negated ``<=`` is written as ``not (a <= b)``,
    never as ``a > b``, because the two differ for NaN. A large tree is split into parts, which are functions inside the
    body.
    """
    parts: list[list[str]] | None = [] if len(tree.symbols) > target.most_nodes else None
    most, more = (_MOST_LOCALS, set[str]()) if parts is None else (_MOST_OF_PARTS, {"parts", "u"})
    names = local_names(tree.reads, target.reserved | more) if len(tree.reads) <= most else {}
    lines = [f"{target.declare}{name} = {target.load(feature)}" for feature, name in names.items()]
    many = parts is not None and tree.draws > _MOST_OF_PARTS * 2 // 3
    read: dict[str | int, str] = {k: f"u[{k}]" if many else f"u{k}" for k in range(1, tree.draws + 1)}
    lines += [f"{target.declare}u = {{}}"] if many else []
    lines += [f"{'' if many else target.declare}{number} = {target.random}" for number in read.values()]
    read |= {feature: names.get(feature) or f"({target.load(feature)})" for feature in tree.reads}
    sensors = {name: text for name, text in read.items() if isinstance(name, str)}
    read |= {feature: call_of(feature, sensors) for feature in tree.computed}
    last = _lines(tree, 0, read, target, parts)
    lines += [f"{target.declare}parts = {{}}"] if parts else []
    for number, part in enumerate(parts or (), 1):
        lines += [target.part.format(number), *(target.indent + line for line in part), target.end]
    return Body((*lines, *last), frozenset(feature.function for feature in tree.computed))


def comparable(subject: Subject, fix: str) -> Subject:
    """The subject with values as leaves; leaves that name actions are replaced by the values of the candidates.

    Raises:
        UsageError: a leaf is a name but not an action; or a tree that names actions has a chance, which the game draws
            once for all candidates.
    """
    program = subject.program
    if subject.primitives is not None and subject.primitives.actions:
        if any(tree.draws for tree in program.trees):
            raise UsageError(f"a chance is drawn once for all actions, and not for each candidate; {fix}")
        return replace(subject, program=replace(program, trees=tuple(map(valued, program.trees))))
    names = [leaf for tree in program.trees for leaf in tree.leaves if isinstance(leaf, str)]
    if names:
        raise UsageError(f"the leaf `{names[0]}` is a name, but only numbers can be compared; {fix}")
    return subject


def _lines(
    tree: DecisionTree,
    position: int,
    read: Mapping[str | int, str],
    target: Target,
    parts: list[list[str]] | None,
) -> list[str]:
    """The statements of a subtree; a test in the last branch continues the chain of ``else if`` conditions.

    If ``parts`` is given, a subtree of a suitable size is added to it, and the statements call that part.
    """
    lines: list[str] = []
    opening = target.first
    while not isinstance(node := tree.symbols[position], Leaf):
        if parts is not None and tree.sizes[position] in _PART:
            parts.append(_lines(tree, position, read, target, None))
            break
        *branches, rest = tree.children(position)
        for k, child in enumerate(branches):
            lines.append(opening.format(_condition(tree, position, node, k, read, target)))
            lines += [target.indent + line for line in _lines(tree, child, read, target, parts)]
            opening = target.other
        position = rest
    returned = (
        f"return {repr(node) if isinstance(node, float) else target.quoted(node)}"
        if isinstance(node, Leaf)
        else f"return parts[{len(parts or ())}]()"
    )
    return (
        [returned]
        if opening == target.first
        else [*lines, target.last, target.indent + returned, *([target.end] if target.end else [])]
    )


def _condition(
    tree: DecisionTree,
    position: int,
    node: Inner,
    branch: int,
    read: Mapping[str | int, str],
    target: Target,
) -> str:
    """The condition of a branch; the last branch of a node needs none."""
    if isinstance(node, Comparison):
        sign = {"<": ">=", ">": "<=", "!=": target.unequal}.get(node.sign, node.sign)
        text = f"{read[node.feature]} {sign} {node.threshold!r}"
        return target.negated.format(text) if node.sign in ("<", ">") else text
    return (
        target.negated.format(f"{read[node.feature]} >= {node.bounds[branch]!r}")
        if node.feature
        else f"{read[tree.chances[position] + 1]} < {node.bounds[0]!r}"
    )


def title(tree: DecisionTree) -> str:
    """A sentence about the size of the tree, for the comment on its function."""
    return f"A decision tree of {len(tree.leaves)} leaves."


def statement(tree: DecisionTree, primitives: PrimitiveSet | None) -> str:
    """A sentence about rounding: a tree computes no numbers except in calls, so without them it rounds nothing."""
    if tree.computed:
        known = ", ".join(dict.fromkeys(certify(each.tree, primitives).statement for each in tree.computed))
        return f"a tree of {len(tree.leaves)} leaves, whose tests call functions: {known}"
    return f"a tree of {len(tree.leaves)} leaves; it compares numbers and computes none."


def ready(subject: Subject, fix: str, has_names: bool) -> Subject:
    """The subject with values as leaves; names are kept only if ``has_names`` is set and there is no game.

    Raises:
        UsageError: as for ``comparable``.
    """
    return subject if has_names and subject.primitives is None else comparable(subject, fix)


WRITER = Writer("decision tree", body_of, title, statement, ready=ready, lacks=("article",))


MEMBER = "decision_trees"


def members(subject: Subject) -> dict[str, Any]:
    """The trees by section."""
    trees = subject.program.parts.items()
    values: Values = {tuple: list, Computed: feature_value}
    found = {MEMBER: {name: NODES.json(tree.symbols, values)[0] for name, tree in trees}}
    return found | function_members(subject.program.functions)


def read(
    value: Mapping[str, Any], header: Mapping[str, str], primitives: PrimitiveSet | None
) -> tuple[DecisionProgram, Mapping[str, str]]:
    """The program with the trees of a JSON object.

    Raises:
        UsageError: the object is not a program of decision trees.
        LimitError: the program has too many nodes.
    """
    trees = value.get(MEMBER)
    if not isinstance(trees, dict) or not trees:
        raise UsageError(f"a program needs `{MEMBER}`, an object with at least one tree")
    functions = read_functions(value)
    feature = partial(read_feature, functions, is_name)
    reader = replace(_READER, fields={**_READER.fields, "feature": feature})
    read_trees = (decision_tree(reader.nodes(name, tree, 1)) for name, tree in trees.items())
    program = DecisionProgram(tuple(trees), tuple(read_trees), own_among(functions))
    if len(program) > MAX_NODES:
        raise LimitError(f"the program has more than {MAX_NODES} nodes")
    return read_again(program, print_program, parse) if own_among(functions) else program, {}


def _bounds(value: object) -> tuple[float, ...] | None:
    """The bounds of a switch, or None if they do not increase or there are too many."""
    if not isinstance(value, list) or not all(map(is_number, value)):
        return None
    bounds = tuple(float(bound) + 0.0 for bound in value)
    rises = all(low < high for low, high in pairwise(bounds))
    return bounds if rises and len(bounds) + 1 in INTERVALS else None


_READER = NodeReader(
    NODES,
    "tree",
    "has a node that is neither a number or name nor an object with `test`, `comparison`, `threshold`, `yes` and "
    "`no`, with `chance`, `yes` and `no`, or with `switch`, rising `bounds` and `intervals`",
    MAX_DEPTH,
    f"is deeper than {MAX_DEPTH} nodes",
    {
        "sign": sign,
        "threshold": read_number,
        "probability": share,
        "bounds": _bounds,
    },
    leaf=lambda value: value if is_name(value) else read_number(value),
)


JSON = Membership(MEMBER, members, read)


def documents(subject: Subject, mode: str) -> tuple[Document, ...]:
    """The LaTeX file, which has an equation for each tree."""
    program = subject.program
    lines = [rf"{head} &= {text}" for head, text in function_texts(program.functions)]
    lines += [rf"{name} &= {latex_tree(tree)}" for name, tree in left_sides(subject)]
    return (Document(".tex", aligned(lines)),)


def latex_tree(tree: DecisionTree, position: int = 0) -> str:
    r"""One tree in LaTeX.

    >>> from gpkit.genomes.decision import inner, leaf
    >>> latex_tree(inner(Comparison("env.rank", "<=", 3.0), leaf(1.0), leaf(2.0)))
    '\\begin{cases} 1 & \\mathit{rank} \\le 3 \\\\ 2 & \\mathit{rank} > 3 \\end{cases}'
    """
    node = tree.symbols[position]
    if isinstance(node, Leaf):
        return tex_number(repr(node)) if isinstance(node, float) else name_text(node)
    rows = [
        f"{latex_tree(tree, child)} & {_case(node, branch)}"
        for branch, child in enumerate(tree.children(position))
    ]
    return r"\begin{cases} " + r" \\ ".join(rows) + r" \end{cases}"


def _case(node: Inner, branch: int) -> str:
    """The condition of a branch in LaTeX."""
    match node:
        case Chance():
            share = node.probability if branch == 0 else 1.0 - node.probability
            return rf"\text{{with probability }} {tex_number(repr(share))}"
        case Switch():
            if branch == len(node.bounds):
                return rf"{feature_text(node.feature)} \ge {tex_number(repr(node.bounds[-1]))}"
            low = rf"{tex_number(repr(node.bounds[branch - 1]))} \le " if branch else ""
            return f"{low}{feature_text(node.feature)} < {tex_number(repr(node.bounds[branch]))}"
        case Comparison():
            sign = SIGNS[node.sign if branch == 0 else OPPOSITE[node.sign]]
            return f"{feature_text(node.feature)} {sign} {tex_number(repr(node.threshold))}"


LATEX = Exporting(documents)


_RELATIONS = {"<=": "Le", ">=": "Ge", "==": "Eq"}
"""SymPy's names for the operators that are false for NaN; every other operator is the opposite of one of these."""


def expression(
    tree: DecisionTree, symbols: Mapping[str, "Expr"], sympy: ModuleType, is_simplified: bool
) -> "Expr":
    """The expression of a tree.

    Raises:
        UsageError: a leaf is a name.
    """

    def at(position: int) -> "Expr":
        node = tree.symbols[position]
        if isinstance(node, str):
            raise UsageError(f"the leaf `{node}` is a name, but a SymPy expression needs numbers")
        if isinstance(node, Leaf):
            return sympy_number(node, sympy)
        assert not isinstance(node, Chance), "it draws no random numbers"
        branches = [at(child) for child in tree.children(position)]
        feature = feature_expression(node.feature, symbols, sympy, is_simplified)
        if isinstance(node, Switch):
            cases = [
                (value, sympy.Ge(feature, sympy_number(bound, sympy)))
                for value, bound in zip(branches[:0:-1], reversed(node.bounds), strict=True)
            ]
            return sympy.Piecewise(*cases, (branches[0], True), evaluate=is_simplified)
        sign = node.sign
        if sign not in _RELATIONS:
            sign = OPPOSITE[sign]
            branches.reverse()
        condition = getattr(sympy, _RELATIONS[sign])(feature, sympy_number(node.threshold, sympy))
        return sympy.Piecewise((branches[0], condition), (branches[1], True), evaluate=is_simplified)

    return at(0)

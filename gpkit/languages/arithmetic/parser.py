"""Text to formulas: every node keeps its place in the text."""

from lark import Token
from lark import Tree as Branch

from gpkit.core.diagnostics import Span, nearest
from gpkit.core.header import read_header
from gpkit.core.primitives import RANDOM
from gpkit.genomes.tree import Symbol, Tree, TreeProgram, from_prefix
from gpkit.langkit import sections
from gpkit.langkit.operators import MAX_DEPTH, MAX_NODES, NOTATION, WRITTEN_AS_CALL
from gpkit.langkit.reading import (
    Refused,
    as_token,
    as_tree,
    double,
    exceed,
    refuse,
    token_span,
    tree_span,
)
from gpkit.languages.arithmetic.syntax import READING, too_many_nodes

_SYMBOL = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/", "negate": "neg"}

_NO_NUMBERS = frozenset({"inf", "infinity", "nan", "math.huge"})


class Source(sections.Source[TreeProgram]):
    """A program of formulas; the place of a node is that of its subtree, without parentheses around it."""

    __slots__ = ()


def parse(text: str, filename: str = "<text>") -> Source:
    """The program that a text says, with places.

    Raises:
        SourceError: the text breaks the grammar; the message shows the place, what was expected and the nearest name.
        LimitError: the text, a number, the program or its depth is too large.
    """
    try:
        root = READING.read(text)
        names, formulas = sections.read_sections(root)
        trees: list[Tree] = []
        spans: list[tuple[Span, ...]] = []
        nodes = 0
        for formula in formulas:
            tree, places = _flatten(formula)
            trees.append(tree)
            spans.append(places)
            nodes += len(tree)
            _check_size(tree, places, nodes)
    except Refused as refused:
        raise refused.error(text, filename) from None
    return Source(TreeProgram(names, tuple(trees)), tuple(spans), read_header(text), text, filename)


def _flatten(formula: Branch[Token]) -> tuple[Tree, tuple[Span, ...]]:
    """The formula in prefix order, which is the order of its text but for operators between their operands."""
    symbols: list[Symbol] = []
    arities: list[int] = []
    spans: list[Span] = []
    pending = [formula]
    while pending:
        branch = pending.pop()
        symbol, operands = _node(branch)
        symbols.append(symbol)
        arities.append(len(operands))
        spans.append(tree_span(branch))
        pending.extend(reversed(operands))
    return from_prefix(symbols, arities), tuple(spans)


def _node(branch: Branch[Token]) -> tuple[Symbol, list[Branch[Token]]]:
    """The symbol of one node, and its operands."""
    match str(branch.data):
        case "constant":
            return _number(branch, ""), []
        case "negative_constant":
            return _number(branch, "-"), []
        case "sensor":
            return _sensor(as_token(branch.children[0])), []
        case "call":
            return _call(branch)
        case rule:
            return _SYMBOL[rule], [as_tree(child) for child in branch.children]


def _number(branch: Branch[Token], sign: str) -> float:
    return double(sign + as_token(branch.children[0]), "E009", tree_span(branch))


def _sensor(name: Token) -> str:
    if name == RANDOM:
        raise refuse(
            "E008", f"`{RANDOM}` needs its parentheses", token_span(name), mend=f"write `{RANDOM}()`"
        )
    if name in NOTATION:
        usage = NOTATION[str(name)].usage
        raise refuse(
            "E008", f"`{name}` is an operator and needs operands", token_span(name), mend=f"write `{usage}`"
        )
    if name.lower() in _NO_NUMBERS:
        raise refuse("E009", f"`{name}` cannot be written: constants are finite", token_span(name))
    return str(name)


def _call(branch: Branch[Token]) -> tuple[str, list[Branch[Token]]]:
    name = as_token(branch.children[0])
    operands = [as_tree(child) for child in branch.children[1:]]
    if name == RANDOM:
        arity, usage = 0, f"{RANDOM}()"
    elif name in WRITTEN_AS_CALL:
        arity, usage = WRITTEN_AS_CALL[str(name)].arity, WRITTEN_AS_CALL[str(name)].usage
    else:
        close = nearest(name, [*WRITTEN_AS_CALL, RANDOM])
        mend = f"did you mean `{close}`?" if close else "a sensor stands without parentheses"
        raise refuse("E006", f"there is no operator `{name}`", token_span(name), mend=mend)
    if len(operands) != arity:
        plural = "" if arity == 1 else "s"
        message = f"`{name}` takes {arity} operand{plural}, here are {len(operands)}"
        raise refuse("E007", message, tree_span(branch), mend=f"write `{usage}`")
    return str(name), operands


def _check_size(tree: Tree, spans: tuple[Span, ...], nodes: int) -> None:
    """Check the size of the sections so far, which have so many nodes, and the depth of the last one."""
    excess = nodes - MAX_NODES
    if excess > 0:
        raise too_many_nodes(spans[-excess])
    if tree.depth > MAX_DEPTH:
        place = next(place for place, depth in enumerate(tree.depths) if depth > MAX_DEPTH)
        raise exceed("E023", f"the formula is deeper than {MAX_DEPTH} nodes", spans[place])

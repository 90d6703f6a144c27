"""Text to formulas: the grammar at work within the limits, and every node with its place; errors in words.

Lark's LALR parser, its trees and everything here use no recursion, so depth is bounded by ``MAX_DEPTH`` alone.
"""

from collections.abc import Iterator, Set
from itertools import chain

from lark import Token
from lark import Tree as Branch

from gpkit.core.diagnostics import Span, suggestion
from gpkit.core.header import read_header
from gpkit.core.primitives import RANDOM
from gpkit.core.registry import ROWS_LANGUAGE, language_entry
from gpkit.genomes.tree import Symbol, Tree, TreeProgram
from gpkit.langkit import sections
from gpkit.langkit.operators import MAX_DEPTH, MAX_NODES, NOTATION, WRITTEN_AS_CALL
from gpkit.langkit.reading import (
    Reading,
    Refused,
    check_length,
    double,
    exceed,
    refuse,
    token_span,
    told_in,
    unexpected_token,
)
from gpkit.langkit.sections import Sectioning

SECTIONS = Sectioning(part="formula", twice="E005", empty="E004", missing="E011", unknown="E012", tied="W034")
"""Words and codes for sections of formulas."""

MAX_PARENTHESES = 2 * MAX_DEPTH
"""The deepest nesting of parentheses: a call and its operand, fully parenthesised, use two for each level."""

_FRIENDLY = {
    "NUMBER": "a number",
    "NAME": "a name",
    "SECTION": "a section such as `play:`",
    "PLUS": "`+`",
    "MINUS": "`-`",
    "STAR": "`*`",
    "SLASH": "`/`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "COMMA": "`,`",
    "$END": "the end of the file",
}
"""Terminals in the words of a person, in the order in which they are listed."""

_HINTS = {
    "#": "a comment starts with `//`",
    ";": "a formula ends where the next section starts, without a `;`",
    "=": "write a section as `name: formula`",
    ":": "a section name is one word, such as `play`",
    "^": "write a power as `pow(a, b)`",
    "%": "there is no remainder operator; write `a - floor(a / b) * b`",
    "<": "compare with `ifle(a, b, x, y)`: x if a <= b, else y",
    ">": "compare with `ifle(a, b, x, y)`: x if a <= b, else y",
    "[": "group with `(` and `)`",
    "{": "group with `(` and `)`",
    '"': "the quotation mark is never closed on its line",
    "test": f"a decision tree belongs in a file that ends in {language_entry(ROWS_LANGUAGE).suffix}",
}

_OPERAND = frozenset({"NUMBER", "NAME", "STRING", "LPAR"})
INFIX = frozenset({"PLUS", "MINUS", "STAR", "SLASH"})
"""The terminals that stand between operands; a minus may also stand before one."""

_NODE = INFIX | {"NUMBER", "NAME", "STRING"}


def _guarded(stream: Iterator[Token]) -> Iterator[Token]:
    """The same tokens, watched on their way to the parser: limits, parentheses, sections.

    Raises:
        Refused: at the first token that breaks a rule.
    """
    nodes = 0
    opened: list[Token] = []
    sections: set[str] = set()
    last: Token | None = None
    for token in chain(stream, [None]):  # the end of the text
        if token is None or token.type == "SECTION":
            if opened:
                place = token_span(opened[-1])
                raise refuse("E003", "this parenthesis is never closed", place, expected=("`)`",))
            SECTIONS.check(last, token, sections)
        elif token.type in _NODE:
            nodes += 1
            if nodes > 2 * MAX_NODES:  # a minus may belong to a number; the parser counts exactly
                raise too_many_nodes(token_span(token))
            if token.type == "NUMBER":
                check_length(token, "E021")
        elif token.type == "LPAR":
            opened.append(token)
            if len(opened) > MAX_PARENTHESES:
                message = f"parentheses are nested deeper than {MAX_PARENTHESES}"
                raise exceed("E023", message, token_span(token))
        elif token.type == "RPAR":
            if not opened:
                fix = "remove it, or add the opening one"
                raise refuse("E003", "this parenthesis was never opened", token_span(token), fix=fix)
            opened.pop()
        if token is not None:
            last = token
            yield token
    if last is None:
        raise refuse("E004", "there is no formula", Span(0, 0, 1, 1), fix="write one, such as `env.rank`")


def too_many_nodes(span: Span) -> Refused:
    """The program is larger than ``MAX_NODES``."""
    return exceed("E022", f"the program has more than {MAX_NODES} nodes", span)


def _accepted(accepted: Set[str]) -> Set[str]:
    """Also those behind an operand, where the parser may already have settled that no product goes on."""
    return (accepted | INFIX) - _OPERAND if "PLUS" in accepted else accepted


def _fix(terminal: str, accepted: Set[str]) -> str:
    if terminal in _OPERAND and "PLUS" in accepted:
        return "an operator such as `*` is missing before it, or `//` before a comment"
    return ""


_KINDS = {"NUMBER": "number ", "NAME": "name ", "STRING": "name ", "SECTION": "section "}


READING = Reading(
    name="arithmetic",
    guard=_guarded,
    always_accept=("SECTION", "RPAR"),  # recognised even where only an operand fits, for better messages
    too_long="E020",
    broken="E001",
    friendly=_FRIENDLY,
    wider=_accepted,
    stray="E002",
    hints=_HINTS,
    unexpected=unexpected_token("E001", "formula", _FRIENDLY, _fix, _accepted, _KINDS),
)
"""The grammar, and what is said about texts that break it; it reads a text."""


_SYMBOL = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/", "negate": "neg"}

NO_NUMBERS = frozenset({"inf", "infinity", "nan", "math.huge"})
"""Words that are taken for numbers, in small letters; names only in quotation marks."""


class FormulaSource(sections.SectionSource[TreeProgram]):
    """A program of formulas; the place of a node is that of its subtree, without parentheses around it."""

    __slots__ = ()


def parse(text: str, filename: str = "<text>") -> FormulaSource:
    """The program that a text says, with places.

    Raises:
        SourceError: the text breaks the grammar; the message shows the place, what was expected and the nearest name.
        LimitError: the text, a number, the program or its depth is too large.
    """
    with told_in(text, filename):
        names, formulas = sections.read_sections(READING.read(text))
        trees: list[Tree] = []
        spans: list[tuple[Span, ...]] = []
        nodes = 0
        for formula in formulas:
            tree, places = _flatten(formula)
            trees.append(tree)
            spans.append(places)
            nodes += len(tree)
            if nodes > MAX_NODES:
                raise too_many_nodes(places[MAX_NODES - nodes])
            if tree.depth > MAX_DEPTH:
                place = next(place for place, depth in enumerate(tree.depths) if depth > MAX_DEPTH)
                raise exceed("E023", f"the formula is deeper than {MAX_DEPTH} nodes", places[place])
    return FormulaSource(TreeProgram(names, tuple(trees)), read_header(text), text, filename, tuple(spans))


def _flatten(formula: Branch[Token]) -> tuple[Tree, tuple[Span, ...]]:
    """The formula in prefix order, which is the order of its text but for operators between their operands."""
    symbols: list[Symbol] = []
    arities: list[int] = []
    spans: list[Span] = []
    pending = [formula]
    while pending:
        branch = pending.pop()
        place = branch.meta
        spans.append(Span(place.start_pos, place.end_pos, place.line, place.column))
        operands = [child for child in branch.children if isinstance(child, Branch)]
        symbols.append(_symbol(branch, spans[-1], len(operands)))
        arities.append(len(operands))
        pending.extend(reversed(operands))
    return Tree.from_prefix(symbols, arities), tuple(spans)


def _symbol(branch: Branch[Token], span: Span, operands: int) -> Symbol:
    """The symbol of the node at a place in the text; ``operands`` is the number of its operands."""
    word = branch.children[0]
    if not isinstance(word, Token):
        return _SYMBOL[branch.data]
    match str(branch.data):
        case "constant":
            return double(word, "E009", span)
        case "negative_constant":
            return double(f"-{word}", "E009", span)
        case "sensor":
            if word == RANDOM:
                fix = f"write `{RANDOM}()`"
                raise refuse("E008", f"`{RANDOM}` needs its parentheses", token_span(word), fix=fix)
            if word in NOTATION:
                message, fix = (
                    f"`{word}` is an operator and needs operands",
                    f"write `{NOTATION[str(word)].usage}`",
                )
                raise refuse("E008", message, token_span(word), fix=fix)
            if word.lower() in NO_NUMBERS:
                raise refuse("E009", f"`{word}` cannot be written: constants are finite", token_span(word))
        case "quoted_sensor":
            return _quoted(word)
        case _:
            if word != RANDOM and word not in WRITTEN_AS_CALL:
                fix = suggestion(word, [*WRITTEN_AS_CALL, RANDOM], "a sensor takes no parentheses")
                raise refuse("E006", f"there is no operator `{word}`", token_span(word), fix=fix)
            taken = None if word == RANDOM else WRITTEN_AS_CALL[str(word)]
            arity, usage = (0, f"{RANDOM}()") if taken is None else (taken.arity, taken.usage)
            if operands != arity:
                message = f"`{word}` takes {arity} operand{'' if arity == 1 else 's'}, got {operands}"
                raise refuse("E007", message, span, fix=f"write `{usage}`")
    return str(word)


def _quoted(token: Token) -> str:
    """The name in quotation marks."""
    name = str(token[1:-1])
    if not name.strip():
        raise refuse("E016", "this name is empty", token_span(token))
    if name in NOTATION or name == RANDOM:
        fix = f"a column of this name is read as `env.{name}`"
        raise refuse("E016", f"`{name}` is the name of an operator", token_span(token), fix=fix)
    return name

"""Reads, prints and lays out formulas; keeps comments and the position of every node.

Lark's LALR parser, its trees and this module use no recursion, so the depth has no limit other than ``MAX_DEPTH``.

The layout starts each section on a new line. The layout keeps the author's line breaks inside a formula and indents the
lines after them. The layout replaces several blank lines with one. The layout changes no tokens, so the program stays
the same.
"""

from collections.abc import Iterable, Iterator, Set
from functools import partial
from itertools import islice

from lark import Token

from gpkit.core.diagnostics import Span
from gpkit.core.header import read_header
from gpkit.core.registry import ROWS_LANGUAGE, language_entry
from gpkit.genomes.tree import Tree, TreeProgram, nodes_computed
from gpkit.langkit import sections
from gpkit.langkit.formulas import (
    HEADINGS,
    INFIX,
    Definitions,
    check_depth,
    flatten,
    heading,
    naming_files,
    print_formula,
    print_leaf,
    spaced,
)
from gpkit.langkit.operators import MAX_DEPTH, MAX_NODES, NOTATION, PRIMARY, formula_writer
from gpkit.langkit.reading import (
    Reading,
    exceed,
    refuse,
    token_span,
    told_in,
    unexpected_token,
)
from gpkit.langkit.sections import Sectioning, print_sections

MAX_PARENTHESES = 2 * MAX_DEPTH
"""The maximum nesting of parentheses; a call with a parenthesised operand uses two pairs for each level."""

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
"""Plain English words for the terminals, in the order in which messages list them."""

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
SECTIONS = Sectioning(
    part="formula",
    twice="E005",
    empty="E004",
    missing="E011",
    unknown="E012",
    tied="W034",
    nodes=INFIX | {"NUMBER", "NAME", "STRING"},
    most=MAX_NODES,
    large="E022",
    long="E021",
    example="write one, such as `env.rank`",
)
"""The words and the error codes for sections with formulas."""


def paired(stream: Iterator[Token]) -> Iterator[Token]:
    """Yield the same tokens, and reject a parenthesis that is never closed or never opened.

    Raises:
        Refused: a token breaks a rule; the first such token is reported.
    """
    opened: list[Token] = []
    unclosed = partial(refuse, "E003", "this parenthesis is never closed", expected=("`)`",))
    for token in stream:
        kind = token.type
        if kind == "LPAR":
            opened.append(token)
            if len(opened) > MAX_PARENTHESES:
                raise exceed(
                    "E023", f"parentheses are nested deeper than {MAX_PARENTHESES}", token_span(token)
                )
        elif kind == "RPAR":
            if not opened:
                raise refuse(
                    "E003",
                    "this parenthesis was never opened",
                    token_span(token),
                    fix="remove it, or add the opening one",
                )
            opened.pop()
        elif opened and kind in HEADINGS:
            raise unclosed(token_span(opened[-1]))
        yield token
    if opened:
        raise unclosed(token_span(opened[-1]))


def _accepted(accepted: Set[str]) -> Set[str]:
    """The terminals that the grammar really accepts: after an operand, all infix operators, but no other operand."""
    return (accepted | INFIX) - _OPERAND if "PLUS" in accepted else accepted


def _fix(terminal: str, accepted: Set[str]) -> str:
    if terminal in _OPERAND and "PLUS" in accepted:
        return "an operator such as `*` is missing before it, or `//` before a comment"
    return ""


_KINDS = {
    "NUMBER": "number ",
    "NAME": "name ",
    "STRING": "name ",
    "SECTION": "section ",
    "FUNCTION": "function ",
}


READING = Reading(
    name="arithmetic",
    guard=partial(SECTIONS.guarded, watch=paired),
    always_accept=(
        "SECTION",
        "FUNCTION",
        "RPAR",
    ),  # recognised even where only an operand fits, for better messages
    too_long="E020",
    broken="E001",
    friendly=_FRIENDLY,
    wider=_accepted,
    stray="E002",
    hints=_HINTS,
    unexpected=unexpected_token("E001", "formula", _FRIENDLY, _fix, _accepted, _KINDS),
)
"""The reader of programs: the grammar, and the messages for text that breaks it."""


class FormulaSource(sections.SectionSource[TreeProgram]):
    """A program of formulas. The position of a node covers its subtree, without the parentheses around it."""

    __slots__ = ()


def parse(text: str, filename: str = "<text>") -> FormulaSource:
    """The program parsed from a text, with the position of each part.

    Raises:
        SourceError: the text breaks the grammar; the message gives the location and what was expected.
        LimitError: the text, a number, the program or its depth is too large.
    """
    with told_in(text, filename), naming_files(text):
        root = READING.read(text)
        defined = Definitions.of(root)
        names, formulas = sections.read_sections(root)
        if not names:
            message = "there is no formula, only functions that it could call"
            raise refuse("E004", message, defined.heads[0], fix=SECTIONS.example)
        trees: list[Tree] = []
        spans: list[tuple[Span, ...]] = []
        nodes = 0
        for formula in formulas:
            tree, places = flatten(formula, defined.known)
            trees.append(tree)
            spans.append(places)
            nodes += nodes_computed(tree) if defined.known else len(tree)
            if nodes > MAX_NODES:
                raise SECTIONS.too_large(places[max(0, len(tree) + MAX_NODES - nodes)])
            check_depth(tree, places)
    program = TreeProgram(names, tuple(trees), defined.functions)
    return FormulaSource(program, read_header(text), text, filename, tuple(spans), defined)


SHOWN = 40
"""The maximum number of nodes in a formula that serves as a title."""

WIDTH = 100
"""The maximum number of characters in a formula that serves as a title."""


def title(tree: Tree) -> str:
    """The formula on one line if it is short; otherwise, its size."""
    formula = print_formula(tree) if len(tree) <= SHOWN else ""
    return f"{formula}." if 0 < len(formula) <= WIDTH else f"A formula of {len(tree)} nodes."


def print_article(tree: Tree) -> str:
    """The formula as the source article prints it, which is also valid Lua: parentheses around every node, no spaces.

    P. Hansson, "Light Introduction to Genetic Programming", 2013, section "Arithmetic tree".

    >>> from gpkit.genomes.tree import leaf, node
    >>> print_article(node("+", leaf("env.rounds"), leaf(-4.0)))
    '((env.rounds)+(-4.0))'
    """
    return _ARTICLE(tree.symbols)


_ARTICLE = formula_writer(
    {name: (f"({each.usage.replace(' ', '')})", PRIMARY) for name, each in NOTATION.items()},
    lambda closeness, symbol: f"({print_leaf(symbol)})",
)


print_program = partial(print_sections, print_part=print_formula)
"""The text of a ``.tree`` file: the header of a program as comments, then its sections."""


INDENT = "    "


def format_source(source: FormulaSource) -> str:
    """The text of a source in canonical layout; formatting it again changes nothing."""
    rows = list(_rows(READING.tokens(source.text)))
    tokens = spaced(token for row in rows for token in row)
    lines = []
    for row, continues in zip(rows, _continuations(rows), strict=True):
        words = [INDENT] if continues and row else []
        for place, (token, space) in enumerate(islice(tokens, len(row))):
            if token.type == "COMMENT":
                words += ["  " if place else "", token.rstrip()]
            else:
                words += [
                    space if place else "",
                    heading(token) if token.type in HEADINGS else str(token),
                ]
        lines.append("".join(words))
    return "\n".join(lines) + "\n"


def _rows(stream: Iterable[Token]) -> Iterator[list[Token]]:
    """The tokens of each output line; blank lines become one empty row."""
    row: list[Token] = []
    blank = started = False
    for token in stream:
        ends = token.count("\n") if token.type == "BLANK" else int(token.type in HEADINGS)
        if ends and row:
            yield row
            row, started = [], True
            ends -= 1
        if token.type == "BLANK":
            blank = blank or ends > 0
            continue
        if blank and started:
            yield []
        blank = False
        row.append(token)
    if row:
        yield row


def _continuations(rows: list[list[Token]]) -> list[bool]:
    """Whether each row continues a formula; a comment before a section or at the end does not."""
    kinds = [next((token.type for token in row if token.type != "COMMENT"), "") for row in rows]
    found: list[bool] = []
    following = "SECTION"
    for kind in reversed(kinds):
        following = kind or following
        found.append(following not in HEADINGS)
    first = next((k for k, kind in enumerate(kinds) if kind), len(rows))
    return [False] * (first + 1) + found[::-1][first + 1 :]

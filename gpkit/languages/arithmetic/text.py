"""Reads, prints and lays out formulas; keeps comments and the position of every node.

Lark's LALR parser, its trees and this module use no recursion, so the depth has no limit other than ``MAX_DEPTH``.

The layout starts each section on a new line. The layout keeps the author's line breaks inside a formula and indents the
lines after them. The layout replaces several blank lines with one. The layout changes no tokens, so the program stays
the same.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import partial

from lark import Token
from lark import Tree as Branch

from gpkit.core import plugins
from gpkit.core.diagnostics import Span, suggestion
from gpkit.core.header import read_header
from gpkit.core.primitives import RANDOM
from gpkit.core.registry import ROWS_LANGUAGE, language_entry
from gpkit.genomes.tree import Function, Symbol, Tree, TreeProgram, is_constant, nodes_computed
from gpkit.langkit import sections
from gpkit.langkit.naming import written_name
from gpkit.langkit.operators import MAX_DEPTH, MAX_NODES, NOTATION, PRIMARY, WRITTEN_AS_CALL, formula_writer
from gpkit.langkit.reading import (
    Reading,
    Refused,
    as_token,
    as_tree,
    double,
    exceed,
    refuse,
    token_span,
    told_in,
    unexpected_token,
)
from gpkit.langkit.sections import HEADINGS, Sectioning, print_sections, section_name

MAX_FUNCTIONS, MAX_PARAMETERS = 64, 8
"""The maximum number of functions in a program, and the maximum number of parameters of a function."""

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
INFIX = frozenset({"PLUS", "MINUS", "STAR", "SLASH"})
"""The terminals of infix operators; a minus can also be a sign."""

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


_SYMBOL = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/", "negate": "neg"}

NO_NUMBERS = frozenset({"inf", "infinity", "nan", "math.huge"})
"""Words, in lower case, that look like numbers; if one of them is a name, it needs quotation marks."""


class FormulaSource(sections.SectionSource[TreeProgram]):
    """A program of formulas. The position of a node covers its subtree, without the parentheses around it."""

    __slots__ = ()


def parse(text: str, filename: str = "<text>") -> FormulaSource:
    """The program parsed from a text, with the position of each part.

    Raises:
        SourceError: the text breaks the grammar; the message gives the location and what was expected.
        LimitError: the text, a number, the program or its depth is too large.
    """
    with told_in(text, filename):
        try:
            root = READING.read(text)
            parts = (each.children for each in map(as_tree, root.children) if each.data == "function")
            heads = {section_name(as_token(head)): (as_token(head), as_tree(body)) for head, body in parts}
            functions = _functions(heads)
            names, formulas = sections.read_sections(root)
            if not names:
                raise refuse(
                    "E004",
                    "there is no formula, only functions that it could call",
                    token_span(next(iter(heads.values()))[0]),
                    fix=SECTIONS.example,
                )
            trees: list[Tree] = []
            spans: list[tuple[Span, ...]] = []
            nodes = 0
            known = {
                **plugins.here.functions,
                **{name: function for name, (function, _) in functions.items()},
            }
            for formula in formulas:
                tree, places = _flatten(formula, known)
                trees.append(tree)
                spans.append(places)
                nodes += nodes_computed(tree) if known else len(tree)
                if nodes > MAX_NODES:
                    raise SECTIONS.too_large(places[max(0, len(tree) + MAX_NODES - nodes)])
                _check_depth(tree, places)
        except Refused as refused:
            found, files = refused.diagnostic, read_header(text).get("primitives")
            if found.code == "E006" and files:  # gpkit never imports it unasked
                raise refuse(
                    "E006",
                    found.message,
                    found.span,
                    fix=f"name the file of the functions: `--primitives {files}`",
                ) from None
            raise
    defined = [functions[name] for name in heads]
    return FormulaSource(
        TreeProgram(names, tuple(trees), tuple(function for function, _ in defined)),
        read_header(text),
        text,
        filename,
        tuple(spans),
        tuple(token_span(head) for head, _ in heads.values()),
        tuple(places for _, places in defined),
    )


Functions = Mapping[str, Function]


def _functions(
    heads: Mapping[str, tuple[Token, Branch[Token]]],
) -> dict[str, tuple[Function, tuple[Span, ...]]]:
    """The functions in a text by name, with the positions of their nodes; a function follows those that it calls."""
    found: dict[str, tuple[Function, tuple[Span, ...]]] = {}

    def define(name: str, path: tuple[str, ...]) -> None:
        (head, body), path = heads[name], (*path, name)
        parameters = _parameters(name, head)
        words = [str(call.children[0]) for call in body.find_data("call")]
        for called in dict.fromkeys(word for word in reversed(words) if word in heads):
            if called in path:
                circle = " calls ".join(f"`{each}`" for each in (*path[path.index(called) :], called))
                raise refuse(
                    "E018",
                    f"{circle}, which never ends",
                    token_span(head),
                    fix="a function can call only functions that do not call it",
                )
            if called not in found:
                define(called, path)
        own = {each: function for each, (function, _) in found.items()}
        tree, places = _flatten(body, {**plugins.here.functions, **own}, parameters)
        _check_depth(tree, places)
        function = Function(name, parameters, tree)
        if function.nodes > MAX_NODES:
            raise SECTIONS.too_large(token_span(head))
        found[name] = function, places

    if len(heads) > MAX_FUNCTIONS:
        place = token_span([*heads.values()][MAX_FUNCTIONS][0])
        raise exceed("E022", f"the program has more than {MAX_FUNCTIONS} functions", place)
    for name in heads:
        if name not in found:
            define(name, ())
    return found


def _parameters(name: str, head: Token) -> tuple[str, ...]:
    """The parameters in the head of a function."""
    parameters = tuple(re.findall(r"\w+", head.partition("(")[2]))
    for each in (name, *parameters):
        if each in NOTATION or each.lower() in NO_NUMBERS:
            raise refuse(
                "E017", f"`{each}` already has a meaning", token_span(head), fix="choose another name"
            )
    twice = next((each for each in parameters if parameters.count(each) > 1), None)
    if twice is not None:
        raise refuse(
            "E017",
            f"the function `{name}` has the parameter `{twice}` twice",
            token_span(head),
            fix="choose another name",
        )
    if len(parameters) > MAX_PARAMETERS:
        raise exceed("E022", f"a function has at most {MAX_PARAMETERS} parameters", token_span(head))
    return parameters


def _flatten(
    formula: Branch[Token], functions: Functions, parameters: Sequence[str] | None = None
) -> tuple[Tree, tuple[Span, ...]]:
    """The formula in prefix order, and the positions of its nodes; the body of a function also has ``parameters``."""
    symbols: list[Symbol] = []
    arities: list[int] = []
    spans: list[Span] = []
    pending = [formula]
    while pending:
        branch = pending.pop()
        place = branch.meta
        spans.append(Span(place.start_pos, place.end_pos, place.line, place.column))
        operands = [child for child in branch.children if isinstance(child, Branch)]
        symbol = _symbol(branch, spans[-1], len(operands), functions)
        if parameters is not None and not operands and isinstance(symbol, str) and symbol not in parameters:
            _refuse_outside(symbol, spans[-1], parameters)
        symbols.append(symbol)
        arities.append(len(operands))
        pending.extend(reversed(operands))
    return Tree.from_prefix(symbols, arities), tuple(spans)


def _check_depth(tree: Tree, places: Sequence[Span]) -> None:
    if tree.depth > MAX_DEPTH:
        first = next(k for k, depth in enumerate(tree.depths) if depth > MAX_DEPTH)
        raise exceed("E023", f"the formula is deeper than {MAX_DEPTH} nodes", places[first])


def _refuse_outside(name: str, place: Span, parameters: Sequence[str]) -> None:
    """Reject a name that a function reads although it is not one of the function's parameters."""
    if name == RANDOM:
        message, fix = "a function draws no random numbers", "draw them where it is called, for a parameter"
    else:
        message = f"a function reads only its parameters, and `{name}` is not one of them"
        fix = suggestion(name, parameters, "add a parameter for it")
    raise refuse("E010", message, place, fix=fix)


def _symbol(branch: Branch[Token], span: Span, operands: int, functions: Functions) -> Symbol:
    """The symbol of the node at a position in the text, given its number of operands."""
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
            if word in WRITTEN_AS_CALL or word in functions:
                what = "a function" if word in functions else "an operator"
                fix = f"write `{NOTATION[functions.get(word, str(word))].usage}`"
                raise refuse("E008", f"`{word}` is {what} and needs operands", token_span(word), fix=fix)
            if word.lower() in NO_NUMBERS:
                raise refuse("E009", f"`{word}` cannot be written: constants are finite", token_span(word))
        case "quoted_sensor":
            return _quoted(word)
        case _:
            if word != RANDOM and word not in WRITTEN_AS_CALL and word not in functions:
                fix = suggestion(
                    word,
                    [*WRITTEN_AS_CALL, *functions, RANDOM],
                    "`gpkit list operators` shows them; numbers and sensors take no parentheses",
                )
                raise refuse("E006", f"there is no operator `{word}`", token_span(word), fix=fix)
            symbol = functions.get(word, str(word))
            taken = None if word == RANDOM else NOTATION[symbol]
            arity, usage = (0, f"{RANDOM}()") if taken is None else (taken.arity, taken.usage)
            if operands != arity:
                raise refuse(
                    "E007",
                    f"`{word}` takes {arity} operand{'' if arity == 1 else 's'}, got {operands}",
                    span,
                    fix=f"write `{usage}`",
                )
            return symbol
    return str(word)


def _quoted(token: Token) -> str:
    """The name inside the quotation marks of a token."""
    name = str(token[1:-1])
    if not name.strip():
        raise refuse("E016", "this name is empty", token_span(token))
    if name in NOTATION or name == RANDOM:
        raise refuse(
            "E016",
            f"`{name}` is the name of an operator",
            token_span(token),
            fix=f"a column of this name is read as `env.{name}`",
        )
    return name


SHOWN = 40
"""The maximum number of nodes in a formula that serves as a title."""

WIDTH = 100
"""The maximum number of characters in a formula that serves as a title."""


def print_formula(tree: Tree) -> str:
    """The formula on one line, with as few parentheses as possible; ``parse`` reads it back as the same tree.

    >>> from gpkit.genomes.tree import leaf, node
    >>> print_formula(node("*", node("-", leaf("a"), leaf(-4.0)), node("neg", leaf("b"))))
    '(a - -4.0) * -b'
    """
    return _FEWEST(tree.symbols)


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


def print_leaf(symbol: Symbol) -> str:
    """The text of a leaf: a sensor's name, ``math.random()``, or the shortest digits that give the same double."""
    if isinstance(symbol, float):
        return repr(symbol)
    return f"{RANDOM}()" if symbol == RANDOM else written_name(symbol, symbol.lower() in NO_NUMBERS)


def _leaf(closeness: int, symbol: Symbol) -> str:
    """The text of a leaf; a constant after a sign gets parentheses, because -(4.0) negates but -4.0 is a constant."""
    text = print_leaf(symbol)
    return f"({text})" if closeness == PRIMARY and is_constant(symbol) else text


_FEWEST = formula_writer({name: (each.usage, each.binding) for name, each in NOTATION.items()}, _leaf)

_ARTICLE = formula_writer(
    {name: (f"({each.usage.replace(' ', '')})", PRIMARY) for name, each in NOTATION.items()},
    lambda closeness, symbol: f"({print_leaf(symbol)})",
)


print_program = partial(print_sections, print_part=print_formula)
"""The text of a ``.tree`` file: the header of a program as comments, then its sections."""


INDENT = "    "

_SPACED = INFIX | HEADINGS | {"COMMA"}
_OPERAND_ENDS = frozenset({"NUMBER", "NAME", "STRING", "RPAR"})


def format_source(source: FormulaSource) -> str:
    """The text of a source in canonical layout; formatting it again changes nothing."""
    rows = list(_rows(READING.tokens(source.text)))
    spaces = iter(_spaces(token for row in rows for token in row if token.type != "COMMENT"))
    lines = []
    for row, continues in zip(rows, _continuations(rows), strict=True):
        words = [INDENT] if continues and row else []
        for place, token in enumerate(row):
            if token.type == "COMMENT":
                words += ["  " if place else "", token.rstrip()]
            else:
                space = next(spaces)
                words += [
                    space if place else "",
                    _heading(token) if token.type in HEADINGS else str(token),
                ]
        lines.append("".join(words))
    return "\n".join(lines) + "\n"


def _heading(token: Token) -> str:
    """The text of a heading in canonical layout."""
    name, *parameters = re.findall(r"\w+", token)
    return f"{name}({', '.join(parameters)}):" if parameters else f"{name}:"


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


def _spaces(stream: Iterable[Token]) -> Iterator[str]:
    """The white space between each token and the token before it."""
    last, sign = "", False
    for token in stream:
        is_tight = sign or last == "LPAR" or token.type in ("RPAR", "COMMA")
        yield " " if not is_tight and (token.type in INFIX or last in _SPACED) else ""
        sign = token.type == "MINUS" and last not in _OPERAND_ENDS
        last = token.type

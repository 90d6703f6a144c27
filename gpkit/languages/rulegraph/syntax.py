"""Parses rules into Lark trees, with limits and error messages."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from string import ascii_letters, ascii_lowercase

from lark import Token, Tree
from lark.exceptions import UnexpectedToken

from gpkit.core.diagnostics import Span
from gpkit.genomes.graph import GROUND, WILD, NumberComparison, Quantity
from gpkit.langkit.nodes import NodeKind, NodeTable, Texts, filler
from gpkit.langkit.reading import (
    MAX_NUMBER,
    Reading,
    Refused,
    accepted_words,
    exceed,
    limited,
    refuse,
    token_span,
)

MARK = "#"
"""The symbol that starts a comment."""

MAX_MENTIONS = 100_000
"""The maximum number of boxes in a text; every mention of a box counts."""

MAX_NODES = 100

MAX_DIGITS = 9
"""The maximum number of digits in an index, a length or an offset."""

NAME = re.compile(r"(?![qtlx]_[0-9]|[nw]+$)[A-Za-z][A-Za-z_0-9-]*")

END_NAMES = {GROUND: "n", WILD: "w"}
"""The names of those ends of edges that are not boxes."""

ENDS = {name: end for end, name in END_NAMES.items()}

_COMPARISON = "{left} {sign} {right}"

_FIELDS = {"chain": "value", "number": "value", "word": "kind"}

CONDITIONS = NodeTable(
    NodeKind(_COMPARISON, _COMPARISON, NumberComparison),
    NodeKind("length {chain}", "{chain}", partial(Quantity, "length")),
    NodeKind("number {number}", "{number}", partial(Quantity, "number")),
    NodeKind("score", "{word}", partial(Quantity, "score")),
    NodeKind("left", "{word}", partial(Quantity, "left")),
    texts={},
    make=lambda kind, fields, branches: [kind.make(*fields)],
    name=lambda node: getattr(node, "kind", NumberComparison),
    value=lambda node, field: getattr(node, _FIELDS.get(field, field)),
)
"""The node table of comparisons and their sides; each rule notation writes the fields in its own way."""

GUARDS = tuple(word for word, kind in CONDITIONS.named.items() if not kind.fields)
"""The words in comparisons, such as ``score`` and ``left``."""


def comparing(texts: Texts, pattern: str = _COMPARISON) -> Callable[[NumberComparison], str]:
    """A function that writes a comparison in a pattern; ``texts`` formats its chains, numbers, words and operators."""
    return filler(pattern, {**texts, Quantity: partial(CONDITIONS.label, texts=texts)})


_FRIENDLY = {
    "NAME": "a name such as `take:`",
    "BOX": "a box such as `x_0`",
    "ANYTHING": "`n` or `w`",
    "UNDERSCORE": "`_`",
    "INT": "a whole number",
    "LBRACE": "`{`",
    "RBRACE": "`}`",
    "LPAR": "a length such as `(2+)`",
    "PLUS": "`+`",
    "RPAR": "`)`",
    "LSQB": "an offset such as `[0]`",
    "RSQB": "`]`",
    "COLON": "`:` and another box",
    "SEMICOLON": "`;` and a condition",
    "ARROW": "`=>`",
    "EQUAL": "`=`",
    "SIGN": "a sign such as `<`",
    "BANG": "`!` and a pattern",
    "PATTERN_NAME": "the name of a pattern such as `&safe`",
    "WORD": "`score` or `left`",
    "MINUS": "`-`",
    "ANNOTATION": "`@q=` or `@f=`",
    "JOIN": "`|` and a rule",
    "_NEWLINE": "the end of the line",
    "$END": "the end of the file",
}
"""Plain English words for the terminals, in the order in which messages list them."""

_SIDES = "a box is `q`, `t`, `l` or `x` with an index; `n` is the border, and `w` is anything"

_HINTS = (
    dict.fromkeys(ascii_lowercase, _SIDES)
    | {
        "/": "a comment starts with `#`",
        ",": "write neighbours side by side, and `:` between entries",
        "@": "write learned values after the rule, as `@q=0.5` and `@f=2`",
        "→": "write the arrow as `=>`",
        "−": "write the action with a plain `-`",
        "–": "write the action with a plain `-`",
        "=": "write the arrow as `=>`, and comparisons after a `;`",
        "<": "write comparisons after a `;`",
        ">": "write the arrow as `=>`, and comparisons after a `;`",
        "!": "write a pattern that must be absent after a `;`",
        "&": "write a named pattern as an entry of its own, as in `&safe : x_0 w => x_0 - w`",
        "\\": "the only LaTeX allowed is `\\Rightarrow`, `$` and braces around an index",
        ".": "lengths and indexes are whole numbers",
    }
    | dict.fromkeys("QTLXNW", "write the letters in lower case: `q`, `t`, `l`, `x`, `n`, `w`")
)


def tokens(tree: Tree[Token]) -> Iterator[Token]:
    """Yield the tokens of a tree in the order of the text, without line breaks, comments and spaces."""
    for token in tree.scan_values(lambda value: isinstance(value, Token)):
        if token.type != "_NEWLINE":
            yield token


def number_in(tree: Tree[Token]) -> int:
    """The first number of a tree: the index of a box, a length or an offset."""
    return int(next(token for token in tree.children if isinstance(token, Token) and token.type == "INT"))


def name_of(box: Tree[Token]) -> str:
    """The name of a box from its symbol and its index, such as ``x_3``; different spellings give the same name."""
    return f"{box.children[0]}_{number_in(box)}"


def _stray_word(text: str, place: int) -> Refused | None:
    """The error that rejects a word with several letters, if there is one at this place."""
    start = len(text[:place].rstrip(ascii_letters))
    end = len(text) - len(text[place:].lstrip(ascii_letters))
    if end - start < 2:
        return None
    word, span = text[start:end], Span.at(text, start, end)
    fix = _SIDES
    if not text[text.rfind("\n", 0, start) + 1 : start].strip(" \t$"):
        fix = f"the name of a rule ends in a colon: `{word}:`"
    elif word in GUARDS:
        fix = "comparisons go between the pattern and the arrow, each after a `;`"
    expected = (_FRIENDLY["BOX"], _FRIENDLY["ANYTHING"]) if fix == _SIDES else ()
    return refuse("E161", f"`{word}` is not allowed here", span, expected=expected, fix=fix)


_FIXES = (
    ("_NEWLINE $END", "ARROW", "a rule needs an action, such as `=> x_0 - w`"),
    ("MINUS", "ARROW", "write the arrow as `=>`"),
    ("JOIN", "", "`|` goes at the start of a line, before the name of its rule"),
    ("SEMICOLON", "", "conditions go between the pattern and the arrow"),
    ("ARROW", "_NEWLINE", "a line that names a pattern cannot have an action"),
    ("ANYTHING", "NAME", "an entry starts with a box; `n` and `w` are neighbours"),
)
"""Advice about unexpected terminals: the terminals, a terminal that must be acceptable there, and the advice."""


def _unexpected_token(text: str, error: UnexpectedToken) -> Refused:
    token = error.token
    if token.type == "WORD" and (refused := _stray_word(text, token.start_pos or 0)):
        return refused
    span = Span.at(text, len(text), len(text)) if token.type == "$END" else token_span(token)
    accepted = error.accepts or error.expected
    expected = accepted_words(accepted, _FRIENDLY)
    shown = {"_NEWLINE": "end of the line", "$END": "end of the file"}.get(token.type, f"`{token}`")
    fixes = (
        said for types, other, said in _FIXES if token.type in types.split() and other in {"", *accepted}
    )
    fix = "a box has an index, as in `x_0`" if "UNDERSCORE" in accepted else next(fixes, "")
    return refuse("E160", f"unexpected {shown}", span, expected=expected, fix=fix)


READING = Reading(
    name="rulegraph",
    guard=partial(
        limited,
        counted={"BOX"},
        most=MAX_MENTIONS,
        too_many=partial(exceed, "E164", f"the rules mention more than {MAX_MENTIONS} boxes"),
        code="E165",
        longest={"INT": MAX_DIGITS, "ANNOTATION": MAX_NUMBER},
    ),
    too_long="E163",
    broken="E160",
    friendly=_FRIENDLY,
    stray="E161",
    hints=_HINTS,
    unexpected=_unexpected_token,
    stray_word=_stray_word,
    keep_all_tokens=True,
)
"""The reader of programs: the grammar, and the messages for text that breaks it."""

"""The grammar at work: text to Lark's tree within the limits, and what went wrong in words."""

import re
from collections.abc import Iterator
from string import ascii_letters, ascii_lowercase

from lark import Token, Tree
from lark.exceptions import UnexpectedToken

from gpkit.core.diagnostics import Span
from gpkit.genomes.graph import GROUND, WILD
from gpkit.langkit.reading import (
    MAX_NUMBER,
    Reading,
    Refused,
    accepted_words,
    check_length,
    exceed,
    refuse,
    token_span,
)

MARK = "#"
"""Start of a comment."""

MAX_MENTIONS = 100_000
"""The most boxes of a text; one that appears twice counts twice."""

MAX_NODES = 100

MAX_DIGITS = 9
"""The most digits of an index, a length or an offset."""

NAME = re.compile(r"(?![qtlx]_[0-9]|[nw]+$)[A-Za-z][A-Za-z_0-9-]*")

END_NAMES = {GROUND: "n", WILD: "w"}
"""Names of the ends of edges that are no boxes."""

GUARDS = ("score", "left")
"""The words of comparisons: own boxes less the other player's, and the edges left to draw."""

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
"""Terminals in the words of a person, in the order in which they are listed."""

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


_LONGEST = {"INT": MAX_DIGITS, "ANNOTATION": MAX_NUMBER}


def _guarded(stream: Iterator[Token]) -> Iterator[Token]:
    """The same tokens, watched on their way to the parser, so that a text that is too large is refused early.

    Raises:
        Refused: at the first box too many, or at a number too long.
    """
    mentions = 0
    for token in stream:
        mentions += token.type == "BOX"
        if mentions > MAX_MENTIONS:
            message = f"the rules mention more than {MAX_MENTIONS} boxes"
            raise exceed("E164", message, token_span(token))
        if token.type in _LONGEST:
            check_length(token, "E165", _LONGEST[token.type])
        yield token


def tokens(tree: Tree[Token]) -> Iterator[Token]:
    """The tokens of a tree in the order of the text, without line ends, comments and blanks."""
    for token in tree.scan_values(lambda value: isinstance(value, Token)):
        if token.type != "_NEWLINE":
            yield token


def number_in(tree: Tree[Token]) -> int:
    """The first number of a tree: the index of a box, a length, an offset."""
    return int(next(token for token in tree.children if isinstance(token, Token) and token.type == "INT"))


def name_of(box: Tree[Token]) -> str:
    """A box by its symbol and its index, such as ``x_3``, however they are written."""
    return f"{box.children[0]}_{number_in(box)}"


def _stray_word(text: str, place: int) -> Refused | None:
    """The refusal of a word of several letters, if one is at this place."""
    start = end = place
    while start and text[start - 1] in ascii_letters:
        start -= 1
    while end < len(text) and text[end] in ascii_letters:
        end += 1
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
"""Advice about an unexpected terminal: the terminals, a terminal that would fit instead, and the advice."""


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
    guard=_guarded,
    too_long="E163",
    broken="E160",
    friendly=_FRIENDLY,
    stray="E161",
    hints=_HINTS,
    unexpected=_unexpected_token,
    stray_word=_stray_word,
    keep_all_tokens=True,
)
"""The grammar, and what is said about texts that break it; it reads a text."""

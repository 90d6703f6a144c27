"""Text to programs: the grammar at work within the limits, and every line with its place; errors in words."""

from collections.abc import Iterator
from dataclasses import dataclass

from lark import Token, Tree
from lark.exceptions import UnexpectedToken

from gpkit.core.diagnostics import Span, suggestion
from gpkit.core.header import read_header
from gpkit.genomes.linear import LinearProgram
from gpkit.langkit import reading
from gpkit.langkit.reading import (
    Reading,
    Refused,
    accepted_words,
    exceed,
    refuse,
    token_span,
    told_in,
    tree_span,
)
from gpkit.languages.sinking.words import BLOCKS

MAX_LINES = 100_000
"""The most instructions of a program, all blocks together."""

_FRIENDLY = {
    "WORD": "an instruction or a block such as `targeting:`",
    "STATE": "`state`",
    "COUNT": "a count such as `(5/10)`",
    "COLON": "`:`",
    "_ORDINAL": "a number such as `1.`",
    "_NEWLINE": "the end of the line",
    "$END": "the end of the file",
}
"""Terminals in the words of a person, in the order in which they are listed."""

_HINTS = {
    "#": "a comment starts with `//`",
    "/": "a comment starts with `//`",
    ";": "each instruction needs a line of its own",
    ",": "each instruction needs a line of its own",
    ".": "a number before an instruction is followed by a point, as in `1. Target`",
    "(": "instructions have no operands; a count such as `(5/10)` follows `Targeting state`",
} | dict.fromkeys("0123456789", "a number before an instruction ends in a point, as in `1. Target`")


def _guarded(stream: Iterator[Token]) -> Iterator[Token]:
    """The same tokens, watched on their way to the parser, so that a text that is too large is refused early.

    Raises:
        Refused: at the first instruction too many.
    """
    words = 0
    for token in stream:
        words += token.type == "WORD"
        if words > MAX_LINES + len(BLOCKS):
            raise exceed("E128", f"the program has more than {MAX_LINES} lines", token_span(token))
        yield token


def _unexpected_token(text: str, error: UnexpectedToken) -> Refused:
    token = error.token
    span = Span.at(text, len(text), len(text)) if token.type == "$END" else token_span(token)
    before = text[text.rfind("\n", 0, span.start) + 1 : span.start].split()
    if token.type == "WORD" and before:
        if before[-1].lower() in BLOCKS:
            fix = f"a block starts with `{before[-1].lower()}:`"
        elif token.lower() in BLOCKS:
            fix = f"`{before[-1]}` takes no operand; `Jump` always goes to the next block"
        else:
            fix = "write it on a line of its own, or `//` before a comment"
        return refuse("E122", f"`{token}` is a second word on its line", span, fix=fix)
    expected = accepted_words(error.accepts or error.expected, _FRIENDLY)
    shown = {"_NEWLINE": "end of the line", "$END": "end of the file"}.get(token.type, f"`{token}`")
    return refuse("E120", f"unexpected {shown}", span, expected=expected)


READING = Reading(
    name="sinking",
    guard=_guarded,
    too_long="E127",
    broken="E120",
    friendly=_FRIENDLY,
    stray="E121",
    hints=_HINTS,
    unexpected=_unexpected_token,
)
"""The grammar, and what is said about texts that break it; it reads a text."""


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of a block: its place, and the counts that it gives, of lines and of those it could hold."""

    span: Span
    counts: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class SinkingSource(reading.Source[LinearProgram]):
    """The blocks of a text; one that the text does not have is empty.

    Attributes:
        spans: ``spans[b][k]`` is the place of the word of line k of block b.
        headings: for each block its heading, None for one that the text does not have.
    """

    spans: tuple[tuple[Span, ...], ...]
    headings: tuple[Heading | None, ...]


def parse(text: str, filename: str = "<text>") -> SinkingSource:
    """The program that a text says, with places.

    Raises:
        SourceError: the text breaks the grammar; the message shows the place and what was expected.
        LimitError: the text or the program is too large.
    """
    with told_in(text, filename):
        headings, lines = _blocks(READING.read(text))
    words = tuple(tuple(str(token) for token in lines[name]) for name in BLOCKS)
    spans = tuple(tuple(token_span(token) for token in lines[name]) for name in BLOCKS)
    places = tuple(headings.get(name) for name in BLOCKS)
    return SinkingSource(LinearProgram(BLOCKS, words), read_header(text), text, filename, spans, places)


def _blocks(root: Tree[Token]) -> tuple[dict[str, Heading], dict[str, list[Token]]]:
    """The headings and the instructions of every block."""
    headings: dict[str, Heading] = {}
    lines: dict[str, list[Token]] = {name: [] for name in BLOCKS}
    current = ""
    for child in root.children:
        assert isinstance(child, Tree)
        tokens = [token for token in child.children if isinstance(token, Token)]
        if child.data == "number":
            if not current:
                message = "there is a number without an instruction before the first block"
                raise _outside(message, tree_span(child))
            continue
        if child.data == "heading":
            current, span = tokens[0].lower(), token_span(tokens[0])
            if current not in BLOCKS:
                fix = suggestion(current, BLOCKS)
                raise refuse("E125", f"there is no block `{tokens[0]}`", span, fix=fix)
            if current in headings:
                fix = "write its lines under one heading"
                raise refuse("E124", f"the block `{current}` appears twice", span, fix=fix)
            counts = tokens[-1].strip("()").split("/") if tokens[-1].type == "COUNT" else None
            headings[current] = Heading(span, (int(counts[0]), int(counts[1])) if counts else None)
            continue
        word = tokens[0]
        if word.lower() in BLOCKS:
            message = f"`{word}` is a block, not an instruction"
            raise refuse("E125", message, token_span(word), fix=f"write `{word.lower()}:`")
        if not current:
            raise _outside(f"the line `{word}` belongs to no block", token_span(word))
        lines[current].append(word)
        if sum(map(len, lines.values())) > MAX_LINES:
            raise exceed("E128", f"the program has more than {MAX_LINES} lines", token_span(word))
    if not headings:
        raise refuse("E126", "there is no program", Span(0, 0, 1, 1), fix=f"start with `{BLOCKS[0]}:`")
    return headings, lines


def _outside(message: str, span: Span) -> Refused:
    return refuse("E123", message, span, fix=f"write `{BLOCKS[0]}:` above it")

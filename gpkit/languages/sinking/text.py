"""Reads, prints and lays out sinking programs; keeps comments and the position of every line.

After J. Bridon, Z. Correll, C. Dubler and Z. Gotsch, "An Artificially Intelligent Battleship Player Utilizing Adaptive
Firing and Placement Strategies", section III.C and Figure 8. The game executes the words that shoot and move; these
words are in the game's primitive set. The article leaves some questions about the meaning of programs open; a dialect
answers all of these questions.

The layout removes line numbers and counts. An empty line separates blocks; inside a block, several empty lines become
one. If there is an empty line above comment lines, they belong to the heading directly below them; otherwise, they
belong to the block above.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lark import Token, Tree
from lark.exceptions import UnexpectedToken

from gpkit.core.diagnostics import Span, suggestion
from gpkit.core.errors import UsageError
from gpkit.core.header import MARK, print_header, read_header
from gpkit.core.primitives import HostInstruction, Instruction, PrimitiveSet, Switch
from gpkit.genomes.linear import LinearProgram, Place
from gpkit.langkit import reading
from gpkit.langkit.nodes import INDENT, commented
from gpkit.langkit.reading import (
    Reading,
    Refused,
    accepted_words,
    as_token,
    as_tree,
    exceed,
    limited,
    refuse,
    token_span,
    told_in,
    tree_span,
)

BLOCKS = ("targeting", "locking", "sinking")
"""The three blocks; ``Jump`` leads from each block to the next one, and from the last block to the first."""

CAPACITIES = (10, 20, 20)
"""The maximum number of lines in each block, as in the article; games can set other limits."""

REGISTERS = ("TargetPos", "TempPos", "TargetDir", "TargetHit", "TempHit", "Sunk", "Count")
"""The registers in the order of their slots; all of them start at zero, which means square (0, 0), north or false."""

TARGET_POS, TEMP_POS, TARGET_DIR, TARGET_HIT, TEMP_HIT, SUNK, COUNT = range(7)

ZERO, ONE = 7, 8
"""The slots that contain the constants 0 and 1."""

PITCH = 2**24
"""The machine stores a position as the number y · PITCH + x; y counts from the top row, x from the left column."""

DIRECTIONS = ("north", "east", "south", "west")
"""The values of TargetDir in the order of their numbers; north is one row up."""

SWITCHES = (
    Switch(
        "if",
        ("stacked", "one-line"),
        "a false condition skips the whole run of conditions and the line after it, or exactly the next line",
    ),
    Switch(
        "end", ("top", "targeting", "next"), "where a program continues when it runs off the end of a block"
    ),
)
"""The switches for the questions about control flow that the article leaves open."""


WORDS = (
    Instruction("SavePos", "TempPos = TargetPos", ("TargetPos",), ("TempPos",)),
    Instruction("LoadPos", "TargetPos = TempPos", ("TempPos",), ("TargetPos",)),
    Instruction("SetTrue", "TempHit = true", (), ("TempHit",)),
    Instruction("SetFalse", "TempHit = false", (), ("TempHit",)),
    Instruction("IfHit", "run the next line only if TargetHit is true", ("TargetHit",), is_condition=True),
    Instruction("IfMiss", "run the next line only if TargetHit is false", ("TargetHit",), is_condition=True),
    Instruction("IfTrue", "run the next line only if TempHit is true", ("TempHit",), is_condition=True),
    Instruction("IfFalse", "run the next line only if TempHit is false", ("TempHit",), is_condition=True),
    Instruction("Jump", "continue at the top of the next block"),
    Instruction("Nop", "nothing"),
    Instruction("IfSunk", "run the next line only if the last shot sank a ship", ("Sunk",), (), True, 1),
    Instruction("Reset", "Count = 0", (), ("Count",), level=1),
    Instruction("Up", "Count = Count + 1", ("Count",), ("Count",), level=1),
    Instruction("Down", "Count = Count - 1", ("Count",), ("Count",), level=1),
    Instruction("IfZero", "run the next line only if Count is 0", ("Count",), (), True, 1),
)
"""The words of the language itself, beginning with the words of the article."""


def vocabulary(primitives: PrimitiveSet) -> dict[str, Instruction]:
    """The words that programs for a game can use, by name: the language's words, and then the game's words."""
    return {word.name: word for word in (*WORDS, *primitives.instructions)}


def restarts(word: Instruction, dialect: Mapping[str, str]) -> bool:
    """Whether the program restarts at the top of its first block after this instruction sinks a ship."""
    return isinstance(word, HostInstruction) and _is_answer(word.restarts_with, dialect)


def repeats(word: Instruction, dialect: Mapping[str, str]) -> bool:
    """Whether this instruction ends a turn even on a square where it has already ended one."""
    return isinstance(word, HostInstruction) and _is_answer(word.repeats_with, dialect)


def acts(word: Instruction, dialect: Mapping[str, str]) -> bool:
    """Whether an instruction does more than write registers: it ends a turn, draws a number, or changes other state."""
    return isinstance(word, HostInstruction) and (word.acts or _is_answer(word.acts_with, dialect))


def _is_answer(answer: tuple[str, str] | None, dialect: Mapping[str, str]) -> bool:
    """Whether a dialect sets a switch to this value; False for None."""
    return answer is not None and dialect[answer[0]] == answer[1]


PRESETS: Mapping[str, Mapping[str, str]] = {
    "bridon": {},
    "literal": {"if": "one-line", "known": "blind"},
}
"""The named dialects, as differences from the defaults; one fits the comments in Figure 8, and the other is literal."""

DEFAULT = "bridon"


def switches(primitives: PrimitiveSet | None) -> tuple[Switch, ...]:
    """The switches of the language, and then the switches of the game."""
    return SWITCHES if primitives is None else (*SWITCHES, *primitives.switches)


def dialect_of(header: Mapping[str, str], primitives: PrimitiveSet | None) -> dict[str, str]:
    """The value of every switch: from the header, from the header's preset (``dialect``), or else the default value.

    Header keys that are not switches are ignored.

    Raises:
        UsageError: there is no such preset, or a switch has no such value.
    """
    for key, value in header.items():
        known = values(key, primitives)
        if known and value not in known:
            raise UsageError(f"{wrong_value(key, value)}; {suggestion(value, known)}")
    preset = PRESETS[header.get("dialect", DEFAULT)]
    return {
        switch.name: header.get(switch.name, preset.get(switch.name, switch.values[0]))
        for switch in switches(primitives)
    }


def values(key: str, primitives: PrimitiveSet | None) -> tuple[str, ...]:
    """The possible values for a header key: the values of a switch, or the names of presets; empty for other keys."""
    if key == "dialect":
        return tuple(PRESETS)
    return next((switch.values for switch in switches(primitives) if switch.name == key), ())


def wrong_value(key: str, value: str) -> str:
    """The message about a value that a switch does not have."""
    return (
        f"there is no dialect `{value}`" if key == "dialect" else f"the switch `{key}` has no value `{value}`"
    )


MAX_LINES = 100_000
"""The maximum number of instructions in all blocks of a program together."""

_FRIENDLY = {
    "WORD": "an instruction or a block such as `targeting:`",
    "STATE": "`state`",
    "COUNT": "a count such as `(5/10)`",
    "COLON": "`:`",
    "_ORDINAL": "a number such as `1.`",
    "_NEWLINE": "the end of the line",
    "$END": "the end of the file",
}
"""Plain English words for the terminals, in the order in which messages list them."""

_HINTS = {
    "#": "a comment starts with `//`",
    "/": "a comment starts with `//`",
    ";": "each instruction needs a line of its own",
    ",": "each instruction needs a line of its own",
    ".": "a number before an instruction is followed by a point, as in `1. Target`",
    "(": "instructions have no operands; a count such as `(5/10)` follows `Targeting state`",
} | dict.fromkeys("0123456789", "a number before an instruction ends in a point, as in `1. Target`")


def _guarded(stream: Iterator[Token]) -> Iterator[Token]:
    """Yield the same tokens, and reject a text with too many instructions."""
    return limited(stream, {"WORD"}, MAX_LINES + len(BLOCKS), _too_many_lines)


def _too_many_lines(span: Span) -> Refused:
    return exceed("E128", f"the program has more than {MAX_LINES} lines", span)


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
"""The reader of programs: the grammar, and the messages for text that breaks it."""


@dataclass(frozen=True, slots=True)
class SinkingSource(reading.Source[LinearProgram]):
    """The blocks of a text; a missing block is empty.

    Attributes:
        spans: ``spans[b][k]`` is the position of the word on line k of block b.
        headings: the position of each block's heading, by name; a missing block has none.
        counts: the number of lines and the maximum in each heading that has these counts, by name.
    """

    spans: tuple[tuple[Span, ...], ...]
    headings: Mapping[str, Span]
    counts: Mapping[str, tuple[int, int]]


def parse(text: str, filename: str = "<text>") -> SinkingSource:
    """The program parsed from a text, with the position of each part.

    Raises:
        SourceError: the text breaks the grammar; the message gives the location and what was expected.
        LimitError: the text or the program is too large.
    """
    with told_in(text, filename):
        headings, counts, lines = _blocks(READING.read(text))
    words = tuple(tuple(str(token) for token in lines[name]) for name in BLOCKS)
    spans = tuple(tuple(token_span(token) for token in lines[name]) for name in BLOCKS)
    return SinkingSource(
        LinearProgram(BLOCKS, words), read_header(text), text, filename, spans, headings, counts
    )


def _blocks(
    root: Tree[Token],
) -> tuple[dict[str, Span], dict[str, tuple[int, int]], dict[str, list[Token]]]:
    """The headings, the counts in them, and the instructions of every block."""
    headings: dict[str, Span] = {}
    counts: dict[str, tuple[int, int]] = {}
    lines: dict[str, list[Token]] = {name: [] for name in BLOCKS}
    current = ""
    for child in map(as_tree, root.children):
        tokens = [*map(as_token, child.children)]
        if child.data == "heading":
            current, span = tokens[0].lower(), token_span(tokens[0])
            if current not in BLOCKS:
                raise refuse(
                    "E125", f"there is no block `{tokens[0]}`", span, fix=suggestion(current, BLOCKS)
                )
            if current in headings:
                raise refuse(
                    "E124",
                    f"the block `{current}` appears twice",
                    span,
                    fix="write its lines under one heading",
                )
            headings[current] = span
            if tokens[-1].type == "COUNT":
                number, most = tokens[-1].strip("()").split("/")
                counts[current] = int(number), int(most)
            continue
        word, span = (tokens[0], token_span(tokens[0])) if tokens else ("", tree_span(child))
        if word.lower() in BLOCKS:
            raise refuse(
                "E125", f"`{word}` is a block, not an instruction", span, fix=f"write `{word.lower()}:`"
            )
        if not current:
            alone = "there is a number without an instruction before the first block"
            raise refuse(
                "E123",
                f"the line `{word}` belongs to no block" if word else alone,
                span,
                fix=f"write `{BLOCKS[0]}:` above it",
            )
        lines[current] += tokens
        if sum(map(len, lines.values())) > MAX_LINES:
            raise _too_many_lines(span)
    if not headings:
        raise refuse("E126", "there is no program", Span(0, 0, 1, 1), fix=f"start with `{BLOCKS[0]}:`")
    return headings, counts, lines


def print_program(program: LinearProgram, header: Mapping[str, str] | None = None) -> str:
    """The text of a ``.sink`` file: the header as comments, and all blocks with lines, or else an empty first block.

    Raises:
        ValueError: a header key is not one word of letters, digits, ``_`` and ``-``.
    """
    parts = ["\n".join(print_header(header))] if header else []
    parts += [
        print_block(name, block) for name, block in zip(program.names, program.blocks, strict=True) if block
    ]
    if not len(program):
        parts.append(print_block(program.names[0], ()))
    return "\n\n".join(parts) + "\n"


def print_block(name: str, block: tuple[str, ...]) -> str:
    """The heading and the lines of one block.

    >>> print(print_block("targeting", ("Target", "Shoot")))
    targeting:
      Target
      Shoot
    """
    return "\n".join([f"{name}:", *(f"{INDENT}{word}" for word in block)])


def marked_text(program: LinearProgram, place: Place) -> str:
    """The listing of a program with a mark at a line, or at the end of a block."""
    shown = []
    for block, (name, words) in enumerate(zip(program.names, program.blocks, strict=True)):
        shown.append(f"{name}:")
        shown += [f"{'>' if (block, k) == place else ' '} {k + 1:2}  {word}" for k, word in enumerate(words)]
        if (block, len(words)) == place:
            shown.append(">     (the end of the block)")
    return "\n".join(shown)


Row = tuple[str, str]
"""The code of a line and its comment; the code is a heading with a colon, or an indented instruction."""

_EMPTY: Row = ("", "")


def format_source(source: SinkingSource) -> str:
    """The text of a source in canonical layout; formatting it again changes nothing."""
    rows = _rows(source)
    first_heading = next(k for k, (code, _) in enumerate(rows) if code.endswith(":"))
    leading = _leading_comments(rows)
    lines: list[str] = []
    blank = after_heading = False
    for k, (code, comment) in enumerate(rows):
        if not (code or comment):
            blank = True
            continue
        opens_block = k > first_heading and (code.endswith(":") or k in leading) and k - 1 not in leading
        if lines and (opens_block or (blank and not after_heading)):
            lines.append("")
        at_margin = code or k < first_heading or k in leading
        lines.append("  ".join(filter(None, (code, comment))) if at_margin else INDENT + comment)
        blank, after_heading = False, code.endswith(":")
    return "\n".join(lines) + "\n"


def _rows(source: SinkingSource) -> list[Row]:
    """The lines of a text; a line that contains only a number counts as empty."""
    code = {span.line: f"{name}:" for name, span in source.headings.items()}
    for block, spans in zip(source.program.blocks, source.spans, strict=True):
        code |= {span.line: INDENT + word for word, span in zip(block, spans, strict=True)}
    return [*commented(source.text, MARK, code)]


def _leading_comments(rows: list[Row]) -> frozenset[int]:
    """The comment lines directly above a heading, if they follow an empty line or the start of the file."""
    found: list[int] = []
    for k, (code, _) in enumerate(rows):
        first = k
        while first > 0 and code.endswith(":") and rows[first - 1] != _EMPTY and not rows[first - 1][0]:
            first -= 1
        if first == 0 or rows[first - 1] == _EMPTY:
            found += range(first, k)
    return frozenset(found)

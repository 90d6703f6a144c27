"""Writes Lua in StyLua's layout: names, literals, tables, comments, and the hand-written parts that a file needs."""

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gpkit.core.wording import VERSION
from gpkit.export.statements import LINE, functions_in, printable
from gpkit.export.subject import Subject

KEYWORDS = frozenset(
    {"and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local"}
    | {"nil", "not", "or", "repeat", "return", "then", "true", "until", "while", "continue", "export", "type"}
)
"""The keywords of all Lua versions, including Luau; no local variable can have such a name."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
TAB = 4
"""The width of a tab in columns."""

OPERATOR_CALLS = {
    "/": "div",
    "-": "sub",
    "neg": "neg",
    "min": "min",
    "max": "max",
    "abs": "abs",
    "sqrt": "sqrt",
    "floor": "floor",
    "ifle": "ifle",
    "log": "log",
    "exp": "exp",
    "sin": "sin",
    "cos": "cos",
    "tanh": "tanh",
    "pow": "pow",
    "square": "square",
}
"""The hand-written functions for operators that need one; ``sub`` and ``neg`` only replace an unsafe ``-``."""

_SHARED = Path(__file__).parent / "runtime"

ABSENT = "absent"
"""The hand-written function for a missing sensor."""


@cache
def runtime(name: str, *folders: Path) -> str:
    """The text of a hand-written part: ``<name>.lua`` from the first folder that has it, or else the shared file."""
    found = (folder / f"{name}.lua" for folder in (*folders, _SHARED))
    path = next((each for each in found if each.is_file()), _SHARED / f"{name}.lua")
    return path.read_text(encoding="utf-8").strip("\n")


def opening(subject: Subject, what: str, how: str) -> list[str]:
    """The first parts of a file: a comment that describes its contents, header and use, and the definition of ``M``."""
    lines = comment(f"{subject.name}: written by gpkit {VERSION}, {what}.")
    for name, value in subject.header.items():
        lines += comment(f"{name}: {value}")
    version = f"local M = {{}}\n\nM._VERSION = {quoted(f'{subject.name}, gpkit {VERSION}')}"
    return ["\n".join([*lines, *comment(how)]), version]


def module_of(subject: Subject, parts: Iterable[str], tests: Iterable[str]) -> str:
    """The text of a file that returns ``M``, without unused local variables, and with tests if the subject has them."""
    parts = [*parts, *(tests if subject.carries_tests else [runtime("no_selftest")])]
    return used("\n\n".join(part.rstrip("\n") for part in [*parts, "return M"]))


@cache
def helper_parts() -> dict[str, str]:
    """The hand-written functions for operators and for a missing sensor, by name, with their comments."""
    return functions_in(f"{runtime('operators')}\n\n{runtime(ABSENT)}")


def is_name(word: str) -> bool:
    """True if a word is a valid name in Lua."""
    return _NAME.fullmatch(word) is not None and word not in KEYWORDS


def quoted(text: str) -> str:
    """A string as a Lua string literal."""
    escaped = "".join(c if c.isprintable() and c not in '"\\' else _escape(c) for c in text)
    return f'"{escaped}"'


def _escape(character: str) -> str:
    return (
        "\\" + character
        if character in '"\\'
        else "".join(f"\\{byte:03d}" for byte in character.encode("utf-8", "replace"))
    )


def field_of(table: str, name: str) -> str:
    """The expression that reads a field."""
    return f"{table}.{name}" if is_name(name) else f"{table}[{quoted(name)}]"


def key(name: str) -> str:
    """A name as a key in a table constructor."""
    return name if is_name(name) else f"[{quoted(name)}]"


def width(line: str) -> int:
    """The width of a line in columns."""
    return len(line.expandtabs(TAB))


def table(start: str, items: Sequence[str], end: str = "", room: int = LINE) -> list[str]:
    """The lines of a table constructor after ``start``: a single line if it fits, otherwise one line for each item."""
    if not items:
        return [f"{start}{{}}{end}"]
    line = f"{start}{{ {', '.join(items)} }}{end}"
    if width(line) <= room:
        return [line]
    indent = start[: len(start) - len(start.lstrip("\t"))]
    return [f"{start}{{", *(f"{indent}\t{item}," for item in items), f"{indent}}}{end}"]


def records(start: str, values: Iterable[Mapping[str, object]], room: int = LINE) -> str:
    """A Lua table of records; a field is a number, a string, a list of these, or a list of lists.

    Fields that are None are left out. A list that is wider than ``room`` columns has one line for each item.
    """
    lines: list[str] = []
    for value in values:
        lines.append("\t{")
        for name, content in value.items():
            if isinstance(content, tuple) and content and isinstance(content[0], tuple):
                lines.append(f"\t\t{name} = {{")
                lines += (
                    line for row in content for line in table("\t\t\t", [*map(_literal, row)], ",", room)
                )
                lines.append("\t\t},")
            elif isinstance(content, tuple):
                lines += table(f"\t\t{name} = ", [*map(_literal, content)], ",", room)
            elif content is not None:
                lines.append(f"\t\t{name} = {_literal(content)},")
        lines.append("\t},")
    return "\n".join([f"{start}{{", *lines, "}"]) if lines else f"{start}{{}}"


def _literal(value: object) -> str:
    """A string or a number as a Lua literal."""
    return (
        quoted(value) if isinstance(value, str) else number(value) if isinstance(value, float) else str(value)
    )


def comment(text: str, mark: str = "--", *, room: int = LINE) -> list[str]:
    """Comment lines with at most ``room`` columns; nothing in the text can end the comment."""
    words = " ".join(printable(text).split())
    return [f"{mark} {line}" for line in textwrap.wrap(words, room - len(mark) - 1)]


def text_block(name: str, words: Iterable[str]) -> str:
    """The Lua definition of a local variable with a long string: these words, broken into lines."""
    text = textwrap.fill(" ".join(words), LINE, break_long_words=False, break_on_hyphens=False)
    return f"local {name} = [[\n{text}\n]]"


def number(value: float) -> str:
    """A number as a word in a text block, such as ``3``, ``0.5``, ``inf``, ``-inf`` or ``nan``."""
    if value.is_integer() and abs(value) < 2.0**53 and repr(value) != "-0.0":
        return str(int(value))
    return repr(value)


_DEFINED = re.compile(r"^local (?:function (\w+)|([\w, ]+))", re.MULTILINE)
_NOT_CODE = re.compile(r'--.*|"(?:[^"\\\n]|\\.)*"')
_LOCAL = re.compile(r"(?<![.\w])[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class _Statement:
    """A top-level statement with the comment above it.

    Attributes:
        text: its lines.
        gap: the empty lines above it.
    """

    text: str
    gap: str

    @property
    def defines(self) -> frozenset[str]:
        """The names of the local variables that the statement defines."""
        match = _DEFINED.search(self.text)
        return frozenset(_LOCAL.findall(match[1] or match[2])) if match else frozenset()

    @property
    def mentions(self) -> frozenset[str]:
        """The names in the statement's code, except field names after a dot."""
        return frozenset(_LOCAL.findall(_NOT_CODE.sub(" ", self.text)))


def used(text: str) -> str:
    """The text without the top-level local variables that no other statement needs, directly or indirectly.

    The text must have StyLua's layout and no long strings. A ``local`` statement with several names is kept or removed
    as a whole.

    >>> print(used("local A = 1\\nlocal B = 2\\n\\n-- Not B.\\nlocal C = A\\n\\nreturn B\\n"), end="")
    local B = 2
    <BLANKLINE>
    return B
    """
    statements = list(_statements(text))
    pending = [s for s in statements if not s.defines]
    definition = {name: s for s in statements for name in s.defines}
    kept = set(pending)
    while pending:
        for name in pending.pop().mentions:
            found = definition.get(name)
            if found is not None and found not in kept:
                kept.add(found)
                pending.append(found)
    out: list[str] = []
    gap = ""
    for statement in statements:
        gap = max(gap, statement.gap)
        if statement in kept:
            out += [gap if out else "", statement.text]
            gap = ""
    return "".join(out)


def _statements(text: str) -> Iterator[_Statement]:
    """Yield the statements in order; a comment with an empty line below it is a separate statement."""
    lines: list[str] = []
    above = gap = ""
    for line in text.split("\n"):
        if not line:
            gap = "\n"
            continue
        inside = line.startswith(("\t", "end", "}")) or (
            not gap and bool(lines) and lines[-1].startswith("--")
        )
        if lines and not inside:
            yield _Statement("\n".join(lines) + "\n", above)
            lines = []
        if not lines:
            above = gap
        elif gap:
            lines.append("")
        lines.append(line)
        gap = ""
    if lines:
        yield _Statement("\n".join(lines) + "\n", above)

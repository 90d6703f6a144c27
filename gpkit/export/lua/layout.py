"""Lua text as StyLua lays it out: names, literals, tables, comments, and hand-written parts less what is not used."""

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gpkit.core.version import VERSION
from gpkit.export.registry import Subject
from gpkit.export.statements import LINE

KEYWORDS = frozenset(
    {"and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local"}
    | {"nil", "not", "or", "repeat", "return", "then", "true", "until", "while", "continue", "export", "type"}
)
"""The words of all Lua versions, Luau's included, that no local may be named by."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
TAB = 4
"""The columns of a tab."""

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
"""The hand-written function of every operator that needs one; ``sub`` and ``neg`` only stand in for ``-`` where that is
unsafe."""

_SHARED = Path(__file__).parent / "runtime"

ABSENT = "absent"
"""The hand-written function that is called where a sensor is missing."""


@cache
def runtime(name: str, *folders: Path) -> str:
    """A hand-written part: the file ``<name>.lua`` of the first of these folders that has one, else a shared one."""
    found = (folder / f"{name}.lua" for folder in (*folders, _SHARED))
    path = next((each for each in found if each.is_file()), _SHARED / f"{name}.lua")
    return path.read_text(encoding="utf-8").strip("\n")


def opening(subject: Subject, what: str, how: str) -> list[str]:
    """The first parts of a file: a comment, with what it is, the header of its program and its use; and ``M``."""
    lines = comment(f"{subject.name}: written by gpkit {VERSION}, {what}.")
    for name, value in subject.header.items():
        lines += comment(f"{name}: {value}")
    version = f"local M = {{}}\n\nM._VERSION = {quoted(f'{subject.name}, gpkit {VERSION}')}"
    return ["\n".join([*lines, *comment(how)]), version]


def module_of(parts: Iterable[str]) -> str:
    """A file of these parts that returns ``M``, less what is not used."""
    return used("\n\n".join(part.rstrip("\n") for part in [*parts, "return M"]))


@cache
def helper_parts() -> dict[str, str]:
    """The hand-written function of every operator, and the one that loads of sensors call, by name; with comments."""
    parts = runtime("operators").split("\n\n")
    named = {part.split("local function ", 1)[1].split("(", 1)[0]: part for part in parts}
    return {**named, ABSENT: runtime(ABSENT)}


def is_name(word: str) -> bool:
    """Whether a word can be a name in Lua."""
    return _NAME.fullmatch(word) is not None and word not in KEYWORDS


def quoted(text: str) -> str:
    """A string literal."""
    escaped = "".join(c if c.isprintable() and c not in '"\\' else _escape(c) for c in text)
    return f'"{escaped}"'


def _escape(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    return "".join(f"\\{byte:03d}" for byte in character.encode("utf-8", "replace"))


def field_of(table: str, name: str) -> str:
    """The expression that reads a field."""
    return f"{table}.{name}" if is_name(name) else f"{table}[{quoted(name)}]"


def key(name: str) -> str:
    """A name as a key in a table constructor."""
    return name if is_name(name) else f"[{quoted(name)}]"


def width(line: str) -> int:
    """The columns that a line takes."""
    return len(line.expandtabs(TAB))


def table(start: str, items: Sequence[str], end: str = "", room: int = LINE) -> list[str]:
    """The lines of a table constructor after ``start``: on one line if it fits, else an item a line."""
    if not items:
        return [f"{start}{{}}{end}"]
    line = f"{start}{{ {', '.join(items)} }}{end}"
    if width(line) <= room:
        return [line]
    indent = start[: len(start) - len(start.lstrip("\t"))]
    return [f"{start}{{", *(f"{indent}\t{item}," for item in items), f"{indent}}}{end}"]


def records(start: str, values: Iterable[Mapping[str, Any]], room: int = LINE) -> str:
    """A table of recorded things, each with its fields: numbers, texts, lists of them, and lists of such lists.

    Fields that are None are left out; lists of more than ``room`` columns have an item a line.
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
    """A text or a number."""
    return (
        quoted(value) if isinstance(value, str) else number(value) if isinstance(value, float) else str(value)
    )


def comment(text: str, mark: str = "--", *, room: int = LINE) -> list[str]:
    """Comment lines of at most ``room`` columns; whatever stands in the text, it cannot end the comment."""
    words = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return [f"{mark} {line}" for line in textwrap.wrap(words, room - len(mark) - 1)]


def text_block(name: str, words: Iterable[str]) -> str:
    """A local string of words in lines."""
    lines: list[str] = []
    line = ""
    for word in words:
        if len(line) + len(word) >= LINE:
            lines.append(line)
            line = ""
        line = f"{line} {word}" if line else word
    return f"local {name} = [[\n" + "\n".join([*lines, line]) + "\n]]"


def number(value: float) -> str:
    """A number as a word of a text block: whole ones without a point, inf, -inf and nan by name."""
    if value.is_integer() and abs(value) < 2.0**53 and repr(value) != "-0.0":
        return str(int(value))
    return repr(value)


_DEFINED = re.compile(r"^local (?:function (\w+)|([\w, ]+))", re.MULTILINE)
_NOT_CODE = re.compile(r'--.*|"(?:[^"\\\n]|\\.)*"')
_LOCAL = re.compile(r"(?<![.\w])[A-Za-z_]\w*")
_CONTINUES = ("\t", "end", "}")


@dataclass(frozen=True, slots=True)
class _Statement:
    """A statement of the top level with the comment above it.

    Attributes:
        text: its lines.
        gap: the empty lines above it.
    """

    text: str
    gap: str

    @property
    def defines(self) -> frozenset[str]:
        """The names of locals that it defines."""
        match = _DEFINED.search(self.text)
        return frozenset(_LOCAL.findall(match[1] or match[2])) if match else frozenset()

    @property
    def mentions(self) -> frozenset[str]:
        """The names in its code, but for those of fields behind a point."""
        return frozenset(_LOCAL.findall(_NOT_CODE.sub(" ", self.text)))


def used(text: str) -> str:
    """The text without the locals of its top level that no other statement needs, directly or through others.

    The text is laid out as StyLua does it, and has no long strings. A ``local`` of several names stays whole.

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
    """The statements in their order; a comment with an empty line below it stands for itself."""
    lines: list[str] = []
    above = gap = ""
    for line in text.split("\n"):
        if not line:
            gap = "\n"
            continue
        inside = line.startswith(_CONTINUES) or (not gap and bool(lines) and lines[-1].startswith("--"))
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

"""Defines the subject of an export, its documents, the functions that write and check them, and embedded programs.

Embedded programs are comments, and each of their lines begins with a mark. A digest of the code below them, which
ignores line endings, shows whether somebody edited the code. gpkit refuses to read the comments above edited code,
because the code may no longer do what they say.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeVar

from gpkit.core.check_report import CheckReport
from gpkit.core.errors import UsageError
from gpkit.core.primitives import PrimitiveSet
from gpkit.core.registry import game_of, language_entry, offering

COMMENTS: Mapping[str, str] = MappingProxyType({".lua": "--", ".luau": "--", ".py": "#", ".c": "//"})
"""The symbol that begins a comment, by the suffix of an exported file."""

ABOUT = "gpkit export FILE --to tree reads the program back from these lines"
DIGEST = "SHA-256 of the code below: "

_PIECE = re.compile(r".{1,110}(?<!\\)")
"""Matches as much of a line as fits on one comment line, without a backslash at the end, which would join two lines."""

_ESCAPE = re.compile(r"\\u\{([0-9a-f]{1,6})\}")


def with_programs(code: str, subjects: Iterable["Subject"], suffix: str) -> str:
    """Code with comments above it that contain its programs."""
    texts = []
    for each in subjects:
        known = language_entry(each.program.language).load()
        texts.append((each.name + known.suffix, known.print_program(each.program, each.header)))
    return with_texts(code, texts, suffix)


def with_texts(code: str, texts: Iterable[tuple[str, str]], suffix: str) -> str:
    """Code with comments above it that contain these texts and the names of their files."""
    lines = [f"|# {ABOUT}", f"|# {DIGEST}{_digest(code)}"]
    for name, text in texts:
        pieces = [("=", name), *((">", line) for line in text.removesuffix("\n").split("\n"))]
        for mark, line in pieces:
            first, *more = _PIECE.findall(_plain(line)) or [""]
            lines += [f"|{mark} {first}", *(f"|+ {each}" for each in more)]
    return "".join(f"{COMMENTS[suffix]}{line}\n" for line in lines) + code


def programs_in(text: str, path: str, suffix: str) -> Sequence[tuple[str, str]]:
    """The names and texts of the programs in an exported file.

    Raises:
        UsageError: the file contains no program, or somebody edited its code.
    """
    mark = COMMENTS[suffix] + "|"
    lines = re.split(r"\r\n|\n|\r", text.removeprefix("\ufeff"))
    count = next((place for place, line in enumerate(lines) if not line.startswith(mark)), len(lines))
    said = [line.removeprefix(mark) for line in lines[:count]]
    found: list[tuple[str, list[str]]] = []
    for line in re.sub(r"\n\+ ", "", "\n".join(said[2:])).split("\n"):
        if line.startswith("= "):
            found.append((_odd(line[2:]), []))
        elif found:
            found[-1][1].append(_odd(line[2:]))
    if not found or said[0] != f"# {ABOUT}":
        raise UsageError(f"{path} holds no program: this version of gpkit did not export it")
    if said[1] != f"# {DIGEST}{_digest(chr(10).join(lines[count:]))}":
        raise UsageError(f"{path}: this file was edited; gpkit reads back only what it wrote")
    return [(name, "\n".join(program) + "\n") for name, program in found]


def _digest(code: str) -> str:
    """The digest of code, which does not depend on the line endings."""
    return hashlib.sha256(re.sub(r"\r\n?", "\n", code).encode()).hexdigest()


def _plain(text: str) -> str:
    """A line of text in ASCII, without anything that could end a comment or a line, such as ``??`` in C."""
    return "".join(
        sign
        if sign.isascii() and sign.isprintable() and sign != "\\" and not text.startswith("??", place)
        else f"\\u{{{ord(sign):x}}}"
        for place, sign in enumerate(text)
    )


def _odd(text: str) -> str:
    """The original text of a line that ``_plain`` encoded."""
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)


@dataclass(frozen=True, slots=True)
class Subject:
    """A program to export, and the information that the export needs.

    Attributes:
        program: a program in any language.
        name: a word for file names and headers.
        header: the header of its file: seed, fitness, ...
        primitives: the primitives of its game; None for programs without a game.
        rules: the game's options that differ from the defaults, as strings.
        seed: the seed of the inputs for tests of the export.
        carries_tests: whether a self-testing file contains the inputs and games for its test.
    """

    program: Any
    name: str = "program"
    header: Mapping[str, str] = field(default_factory=dict)
    primitives: PrimitiveSet | None = None
    rules: Mapping[str, str] = field(default_factory=dict)
    seed: int = 1
    carries_tests: bool = True

    @property
    def game(self) -> str | None:
        """The name of the game, or None."""
        return self.primitives.game if self.primitives is not None else None


Recorder = TypeVar("Recorder")


def player_recorder(kind: type[Recorder], subject: Subject) -> Recorder:
    """The recorder of a subject's game; without a game, the recorder of the first game with its language.

    It is used for languages whose programs are complete players of a game.

    Args:
        kind: the class of the recorders of such a language.
        subject: the program.

    Raises:
        UsageError: there is no such game, or its recorder cannot record programs in the language.
    """
    language = subject.program.language
    game = subject.game or next(iter(offering(language)), None)
    found = None if game is None else game_of(game).forms.player_recorder()
    if not isinstance(found, kind):
        raise UsageError(f"games of {game or language} cannot be recorded, so their players are not exported")
    return found


CONFORMANCE = ".conformance.jsonl"
"""The suffix that turns a program's name into the name of its conformance file."""


HEADER = ".h"
"""The suffix that turns a program's name into the name of its C header file."""

WRITTEN = "written by gpkit"
"""The words that begin the first line of an exported file."""


@dataclass(frozen=True, slots=True)
class Document:
    """An exported file: its text, and the suffix that follows the program's name in the file's name."""

    suffix: str
    text: str


@dataclass(frozen=True, slots=True)
class Exporting:
    """The functions that export programs of a language to a format.

    Attributes:
        documents: takes (subject, mode) and returns the files; the first one is the program, and a conformance file may
            follow.
        check: takes (subject, mode, evaluations, games), runs the export or reads it back, and compares it with the
            program; None if that is not possible.
        modes: the modes of the format that support these programs; empty if only the first mode does.
    """

    documents: Callable[[Subject, str], tuple[Document, ...]]
    check: Callable[[Subject, str, int, int], CheckReport] | None = None
    modes: tuple[str, ...] = ()

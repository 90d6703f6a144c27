"""The program itself in a file that was exported, as comments above the code, and the way back from them.

Each line of the comments has a mark. A digest of the code below tells whether somebody edited it, line ends aside: then
the comments may not be what the code does, and are not read.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from gpkit.core.errors import UsageError
from gpkit.core.registry import language_entry

if TYPE_CHECKING:
    from gpkit.export.registry import Subject

COMMENTS: Mapping[str, str] = MappingProxyType({".lua": "--", ".luau": "--", ".py": "#", ".c": "//"})
"""Beginnings of comments, by the suffix of the files in which programs are written."""

ABOUT = "gpkit export FILE --to tree reads the program back from these lines"
DIGEST = "SHA-256 of the code below: "

_PIECE = re.compile(r".{1,110}(?<!\\)")
"""As much of a line as stands on one line of comments; none ends with a backslash, which would join it to the next."""

_ESCAPE = re.compile(r"\\u\{([0-9a-f]{1,6})\}")


def with_programs(code: str, subjects: Iterable["Subject"], suffix: str) -> str:
    """Code with the programs above it that it was made of."""
    texts = []
    for each in subjects:
        known = language_entry(each.program.language).load()
        texts.append((each.name + known.suffix, known.print_program(each.program, each.header)))
    return with_texts(code, texts, suffix)


def with_texts(code: str, texts: Iterable[tuple[str, str]], suffix: str) -> str:
    """Code with texts as comments above it, each under the name of its file."""
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
        UsageError: there are none, or the code was edited.
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
        raise UsageError(f"{path} holds no program: it is none of the files that this version exports")
    if said[1] != f"# {DIGEST}{_digest(chr(10).join(lines[count:]))}":
        raise UsageError(f"{path}: this file was edited; gpkit reads back only what it wrote")
    return [(name, "\n".join(program) + "\n") for name, program in found]


def _digest(code: str) -> str:
    """The digest of code, whatever ends its lines."""
    return hashlib.sha256(re.sub(r"\r\n?", "\n", code).encode()).hexdigest()


def _plain(text: str) -> str:
    """A line of text in ASCII without what ends a comment or a line in any language, as two question marks may in C."""
    return "".join(
        sign
        if sign.isascii() and sign.isprintable() and sign != "\\" and not text.startswith("??", place)
        else f"\\u{{{ord(sign):x}}}"
        for place, sign in enumerate(text)
    )


def _odd(text: str) -> str:
    """The text of a line as of ``_plain``."""
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)

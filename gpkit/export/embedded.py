"""Programs as comments at the head of exported files, and reading them back.

Each line of the comments has a mark. A digest of the code below shows whether somebody edited it, apart from line ends.
gpkit does not read the comments of edited code, because the code may do something else.
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
"""The piece of a line that fits on one comment line; none ends with a backslash, which would join two lines."""

_ESCAPE = re.compile(r"\\u\{([0-9a-f]{1,6})\}")


def with_programs(code: str, subjects: Iterable["Subject"], suffix: str) -> str:
    """Code, with the programs that it was made from above it."""
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
        raise UsageError(f"{path} holds no program: this version of gpkit did not export it")
    if said[1] != f"# {DIGEST}{_digest(chr(10).join(lines[count:]))}":
        raise UsageError(f"{path}: this file was edited; gpkit reads back only what it wrote")
    return [(name, "\n".join(program) + "\n") for name, program in found]


def _digest(code: str) -> str:
    """The digest of code, the same for all kinds of line ends."""
    return hashlib.sha256(re.sub(r"\r\n?", "\n", code).encode()).hexdigest()


def _plain(text: str) -> str:
    """A line of text in ASCII, without anything that ends a comment or a line in any language, such as ``??`` in C."""
    return "".join(
        sign
        if sign.isascii() and sign.isprintable() and sign != "\\" and not text.startswith("??", place)
        else f"\\u{{{ord(sign):x}}}"
        for place, sign in enumerate(text)
    )


def _odd(text: str) -> str:
    """The text that ``_plain`` encoded as a line."""
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)

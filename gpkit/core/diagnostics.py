"""Findings about source text: the place of an error, the error, the expected text, and a way to fix the error.

Terminal output, JSON output and editors all use ``Diagnostic``. A ``SourceError`` contains a ``Diagnostic`` for source
text that gpkit cannot use at all.
"""

import difflib
import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate, islice
from typing import Literal

from gpkit.core.errors import GpkitError, UsageError
from gpkit.core.layout import columns_of, printable

Severity = Literal["error", "warning", "info"]


SHOWN = 160
"""The maximum number of characters of a source line that a finding shows."""


@dataclass(frozen=True, slots=True)
class Span:
    """A range of source text: its character offsets (end exclusive), and the 1-based line and column of its start."""

    start: int
    end: int
    line: int
    column: int

    @classmethod
    def at(cls, text: str, start: int, end: int) -> "Span":
        """The span of ``text[start:end]``."""
        return cls(start, end, text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start))


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding; ``code`` is a letter (E, W or I) and three digits, and ``gpkit check --explain`` explains it."""

    code: str
    severity: Severity
    message: str
    span: Span
    expected: tuple[str, ...] = ()
    help: str = ""

    def to_json(self) -> dict[str, object]:
        """The fields as a dictionary, for ``--json``."""
        return asdict(self)

    def render(self, text: str, filename: str) -> str:
        """The finding with its source line and a caret, like rustc's; unprintable characters become spaces."""
        before = min(self.span.column - 1, SHOWN // 2)
        shown = _line_from(text, self.span.start - before)
        marked = shown[before : before + self.span.end - self.span.start]
        gutter = " " * len(str(self.span.line))
        rows = [
            f"{self.severity}[{self.code}]: {self.message}",
            f"{gutter}--> {filename}:{self.span.line}:{self.span.column}",
            f"{gutter} |",
            f"{self.span.line} | {shown}",
            f"{gutter} | {underlined(shown[:before], marked)}",
            *[f"{gutter} = expected: {', '.join(self.expected)}"] * bool(self.expected),
            *[f"{gutter} = help: {self.help}"] * bool(self.help),
        ]
        return "\n".join(printable(row) for row in rows)


def _line_from(text: str, start: int) -> str:
    """The rest of the line from an offset, at most ``SHOWN`` characters; fast for source text of any size."""
    window = text[start : start + SHOWN + 1]
    line, end, _ = window.partition("\n")
    return (line.rstrip("\r") if end or len(window) <= SHOWN else line)[:SHOWN]


class SourceError(GpkitError):
    """Source text that gpkit cannot use, because its syntax is wrong or the game lacks a name in it."""

    def __init__(self, diagnostic: Diagnostic, text: str, filename: str) -> None:
        super().__init__(diagnostic.render(text, filename))
        self.diagnostic = diagnostic
        self.text = text
        self.filename = filename


LIKENESS = 0.6
"""The minimum similarity (difflib's ratio) for suggesting one word in place of another."""


def underlined(before: str, marked: str) -> str:
    """A line of carets (at least one) to print below the marked part of another line."""
    return " " * columns_of(before) + "^" * max(1, columns_of(marked))


LONGEST_VALUE = 40
"""The maximum number of characters of a value in a message."""


def shortened(text: str, most: int = LONGEST_VALUE) -> str:
    """The text, truncated to ``most`` characters; by default, to the maximum for a value in a message.

    >>> shortened("x" * 50)
    'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'
    """
    return text if len(text) <= most else text[: most - 1] + "…"


MOST_COMPARED = 500
"""The maximum number of known words among which gpkit searches for the nearest one; it ignores the rest."""

LONGEST_LIST = 200
"""The maximum number of characters in a list of known words, which a message shows if no word is near."""


def nearest(word: str, known: Iterable[str], cutoff: float = LIKENESS) -> str | None:
    """The known word that is one typing error away from ``word`` or most similar to it; None if no word is similar.

    >>> nearest("shrt", ["sorted", "short"]), nearest("da", ["no", "do"]), nearest("E999", ["W199"])
    ('short', 'do', None)
    """
    some, looks = list(islice(known, MOST_COMPARED)), look_of(word)
    close = [] if word.isascii() and all(map(str.isascii, some)) else [w for w in some if look_of(w) == looks]
    near = close or [
        each for each in some if len(each) > (1 if each.isalpha() else 2) and _is_one_edit(word, each)
    ]
    close = difflib.get_close_matches(word, near or some, n=1, cutoff=0.0 if near else cutoff)
    return close[0] if close else None


def _is_one_edit(word: str, other: str) -> bool:
    """Whether one insertion, deletion, replacement or swap of letters turns one word into the other."""
    pairs = enumerate(zip(word, other, strict=False))
    same = next((place for place, (a, b) in pairs if a != b), min(len(word), len(other)))
    a, b = word[same:], other[same:]
    return b[1:] in (a, a[1:]) or a[1:] == b or (len(a) == len(b) and a[1::-1] + a[2:] == b)


_ALIKE = str.maketrans(
    "\u0430\u0441\u0435\u043e\u0440\u0445\u0443\u0456\u0458\u0455"
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0406\u0405\u0408"
    "\u03b1\u03bd\u03bf\u03c1"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7",
    "aceopxyijsABEKMHOPCTYXISJavopABEZHIKMNOPTYX",
)
"""Cyrillic and Greek letters, each with the Latin letter that it looks like."""


def look_of(text: str) -> str:
    """A simplified form of a string; two strings that look the same to a person have the same form.

    >>> look_of("Gro\u0308\u00dfe\u200b") == look_of("Gr\u00f6\u00dfe"), look_of("New\u00a0York")
    (True, 'New York')
    """
    plain = unicodedata.normalize("NFKC", text).translate(_ALIKE)
    return " ".join("".join(c for c in plain if unicodedata.category(c) != "Cf").split())


def unseen(word: str, close: str) -> str:
    """A sentence to follow "did you mean", which shows the spelling of two words; empty unless the words look alike."""
    if (word + close).isascii() or word == close or look_of(word) != look_of(close):
        return ""
    return f" They look alike: the known one is `{ascii(close)[1:-1]}`, yours is `{ascii(word)[1:-1]}`"


def suggestion(word: str, known: Iterable[str], otherwise: str | None = None) -> str:
    """A help line ``did you mean `x`?``, or ``otherwise`` (by default, a few known words) if no word is near."""
    known = list(known)
    close = nearest(word, known)
    if close is not None:
        return f"did you mean `{close}`?{unseen(word, close)}"
    if otherwise is not None:
        return otherwise
    few = sum(end <= LONGEST_LIST for end in accumulate(len(each) + 2 for each in known))
    return f"there are: {listed(known, few or 1)}" if known else ""


def check_known(kind: str, name: str, known: Collection[str], place: str = "") -> None:
    """Check that a name of this kind is known; ``place`` describes the place of the name.

    Raises:
        UsageError: the name is unknown; the message suggests the nearest known name.
    """
    if name not in known:
        raise UsageError(f"{place}there is no {kind} `{name}`; {suggestion(name, known)}")


def listed(words: Sequence[str], most: int = 10) -> str:
    """The first of the words, as many as fit in a message.

    >>> listed("abc"), listed("abc", 2)
    ('a, b, c', 'a, b and 1 more')
    """
    more = f" and {len(words) - most} more" if len(words) > most else ""
    return f"{', '.join(words[:most])}{more}"


_MEANT = re.compile(r"did you mean `([^`]+)`\?")
_QUOTED = re.compile(r"`([^`]+)`")


def meant(found: Diagnostic, text: str) -> tuple[Span, str] | None:
    """The wrong word in a finding and the word that the finding suggests instead; None if it suggests none.

    >>> text = "play: env.rnk"
    >>> place = Span.at(text, 6, 13)
    >>> found = Diagnostic("E010", "error", "there is no `env.rnk`", place, (), "did you mean `env.rank`?")
    >>> place, word = meant(found, text)
    >>> place.start, place.end, word
    (6, 13, 'env.rank')
    """
    suggested = _MEANT.search(found.help)
    if suggested is None:
        return None
    covered = text[found.span.start : found.span.end]
    for wrong in _QUOTED.findall(found.message):
        at = re.search(rf"(?<![\w.]){re.escape(wrong)}(?![\w.])", covered)
        if at is not None:
            start = found.span.start
            return Span.at(text, start + at.start(), start + at.end()), suggested[1]
    return None

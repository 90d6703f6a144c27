"""Waves as text, ``.wave`` files: a line for each harmonic with its four coefficients α, μ, β and ω.

Comments start with ``//``; the first ones may be a header of lines ``// key: value``.
"""

import math
import re
from collections.abc import Mapping

from gpkit.core.diagnostics import Diagnostic, SourceError, Span
from gpkit.core.header import MARK, print_header
from gpkit.games.battleship.waves.wave import HARMONICS, Harmonic, Wave

SUFFIX = ".wave"

COEFFICIENTS = Harmonic._fields

_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


def print_wave(wave: Wave, header: Mapping[str, str] | None = None) -> str:
    """The text of a ``.wave`` file: the header as comments, then each harmonic with the shortest exact digits.

    Raises:
        ValueError: a header key is not one word of letters, digits, ``_`` and ``-``.
    """
    lines = [*print_header(header or {}), f"{MARK} {'  '.join(COEFFICIENTS)}"]
    return "\n".join([*lines, *(" ".join(map(_digits, harmonic)) for harmonic in wave.harmonics), ""])


def parse_wave(text: str, filename: str = "<text>") -> Wave:
    """The wave of a text; ``parse_wave(print_wave(wave)) == wave``.

    Raises:
        SourceError: a line that is not four numbers, or another number of lines than a wave has harmonics.
    """
    harmonics: list[Harmonic] = []
    start = 0
    for line in text.split("\n"):
        words = [
            (found[0], Span.at(text, start + found.start(), start + found.end()))
            for found in re.finditer(r"[^\s\uFEFF]+", line.partition(MARK)[0])
        ]
        if words:
            if len(harmonics) == HARMONICS:
                raise _error(
                    "E303", f"a wave has {HARMONICS} harmonics, this is one more", words[0][1], text, filename
                )
            harmonics.append(_harmonic(words, text, filename))
        start += len(line) + 1
    if len(harmonics) < HARMONICS:
        message = f"{len(harmonics)} harmonics in place of {HARMONICS}"
        raise _error("E303", message, Span.at(text, len(text), len(text)), text, filename)
    return Wave(tuple(harmonics))


def _harmonic(words: list[tuple[str, Span]], text: str, filename: str) -> Harmonic:
    numbers = []
    for word, span in words:
        value = float(word) if _NUMBER.fullmatch(word) else math.nan
        if not math.isfinite(value):
            raise _error("E301", f"`{word}` is not a coefficient", span, text, filename)
        numbers.append(value)
    if len(numbers) != len(COEFFICIENTS):
        first, last = words[0][1], words[-1][1]
        span = Span(first.start, last.end, first.line, first.column)
        message = f"{len(numbers)} coefficients in place of {len(COEFFICIENTS)}"
        raise _error("E302", message, span, text, filename)
    return Harmonic(*numbers)


def _error(code: str, message: str, span: Span, text: str, filename: str) -> SourceError:
    expected = {
        "E301": ("a finite number",),
        "E302": (f"the numbers {', '.join(COEFFICIENTS)}",),
        "E303": (f"{HARMONICS} lines of {len(COEFFICIENTS)} numbers",),
    }
    return SourceError(Diagnostic(code, "error", message, span, expected[code]), text, filename)


def _digits(value: float) -> str:
    """The shortest digits that give the same double.

    >>> _digits(3.0), _digits(-0.25)
    ('3', '-0.25')
    """
    return repr(value).removesuffix(".0")

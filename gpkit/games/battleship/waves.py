"""Waves as genomes: sums of harmonics α sin(μt) + β cos(ωt) over the squares of a board, row after row; and their text.

After J. Bridon and others, "An Artificially Intelligent Battleship Player Utilizing Adaptive Firing and Placement
Strategies", section III.B. The square with number s stands at t = 2πs / squares, so that μ and ω count periods over the
whole board. The operators are pure functions, the random generator first; what they make has coefficients of at most
``DIGITS`` decimals, which makes for short texts and hides the last digit of a processor's sines.

A ``.wave`` file has a line for each harmonic with its four coefficients α, μ, β and ω. Comments start with ``//``; the
first ones may be a header of lines ``// key: value``.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Floats
from gpkit.core.diagnostics import Diagnostic, SourceError, Span
from gpkit.core.header import MARK, print_header

HARMONICS = 5

DIGITS = 6
"""Decimals of the coefficients of a wave that an operator has made."""

LOUDEST = 1.0
"""The largest amplitude that is drawn; the smallest is its negative."""

Spectrum = Literal["bins", "apart"]
"""Harmonics of highest amplitude that crossover keeps: ``bins`` with both phases, or sines and cosines ``apart``."""


class Harmonic(NamedTuple):
    """One term of a wave, α sin(μt) + β cos(ωt).

    Attributes:
        alpha, beta: amplitudes.
        mu, omega: frequencies, in periods over the board.
    """

    alpha: float
    mu: float
    beta: float
    omega: float


@dataclass(frozen=True, slots=True)
class Wave:
    """The sum of a few harmonics; ``language`` is the name of the language that it is written in."""

    language: ClassVar[str] = "wave"
    harmonics: tuple[Harmonic, ...]

    def __len__(self) -> int:
        """The number of harmonics."""
        return len(self.harmonics)


def highest_frequency(squares: int) -> float:
    """The highest frequency that is drawn: a quarter of the squares, a period of four."""
    return squares / 4.0


def random_wave(rng: np.random.Generator, squares: int, harmonics: int = HARMONICS) -> Wave:
    """A wave whose coefficients are uniform: amplitudes of ±``LOUDEST``, frequencies up to the highest."""
    return _wave(_drawn(rng, squares, harmonics))


def regular_wave(number: int, count: int, squares: int, harmonics: int = HARMONICS) -> Wave:
    """The wave with a number among ``count`` at regular intervals of the problem space.

    Its amplitudes are 1. The frequencies of all of them together divide the range evenly, those of one wave lying far
    apart.

    >>> regular_wave(0, 20, 100).harmonics[1]
    Harmonic(alpha=1.0, mu=5.125, beta=1.0, omega=5.125)
    """
    places = np.arange(harmonics) * count + number + 0.5
    frequencies = places * highest_frequency(squares) / (count * harmonics)
    table = np.ones((harmonics, 4))
    table[:, 1] = table[:, 3] = frequencies
    return _wave(table)


def wave_values(waves: Sequence[Wave], squares: int) -> Floats:
    """Values of waves on every square: float64 (waves, squares).

    Args:
        waves: each with as many harmonics as the others.
        squares: of the board.
    """
    table = np.array([wave.harmonics for wave in waves], dtype=np.float64)[..., None]
    t = np.arange(squares) * (2.0 * np.pi / squares)
    terms = table[:, :, 0] * np.sin(table[:, :, 1] * t)
    terms += table[:, :, 2] * np.cos(table[:, :, 3] * t)
    return np.asarray(terms.sum(axis=1))


def values(wave: Wave, squares: int) -> Floats:
    """Values of a wave on every square: float64 (squares,)."""
    return np.asarray(wave_values([wave], squares)[0])


def fitted(wave: Wave, target: Floats) -> tuple[Floats, float]:
    """Values of a wave less their mean, float64 (squares,), and by what they fit a target best (least squares).

    The target is float64 (squares,). For a wave that is flat the factor is 0.
    """
    centred = values(wave, len(target))
    centred = centred - centred.mean()
    power = float((centred * centred).sum())
    return centred, float((centred * target).sum()) / power if power > 0.0 else 0.0


def crossover(first: Wave, second: Wave, squares: int, keep: Spectrum = "bins") -> Wave:
    """The mean of two waves on the squares, with as many of its Fourier components as the first has harmonics.

    The source keeps "the five harmonics with the highest amplitudes". A component of the transform has an amplitude and
    a phase, that is a sine and a cosine of one frequency, which is one harmonic with μ = ω (``bins``). As a harmonic
    has two frequencies, it can also hold a sine and a cosine of their own (``apart``): then the loudest sines and the
    loudest cosines are kept, the loudest of each in the first harmonic. The constant component, which no correlation
    sees, is left out.
    """
    mean = (_components(first, squares) + _components(second, squares)) / 2.0
    if keep == "bins":
        sines = cosines = _loudest(np.abs(mean), len(first))
    else:
        sines, cosines = _loudest(np.abs(mean.imag), len(first)), _loudest(np.abs(mean.real), len(first))
    table = np.empty((len(first), 4))
    table[:, 0], table[:, 1] = -mean.imag[sines], sines
    table[:, 2], table[:, 3] = mean.real[cosines], cosines
    return _wave(table)


def mutate(rng: np.random.Generator, wave: Wave, squares: int, rate: float) -> tuple[Wave, tuple[int, ...]]:
    """The wave with random coefficients instead of some, each with probability ``rate``; and their numbers, from 0."""
    table = np.array(wave.harmonics, dtype=np.float64)
    changed = rng.random(table.shape) < rate
    table[changed] = _drawn(rng, squares, len(wave))[changed]
    return _wave(table), tuple(np.flatnonzero(changed).tolist())


@lru_cache(maxsize=1024)
def _components(wave: Wave, squares: int) -> NDArray[np.complex128]:
    """Fourier components: the value is the sum over k of Re · cos(kt) − Im · sin(kt).

    That of k = 0 is left out, and there are at least as many as harmonics. Read-only.
    """
    components = np.fft.rfft(values(wave, squares)) * (2.0 / squares)
    if squares % 2 == 0:
        components[-1] /= 2.0
    found = np.zeros(max(len(components), len(wave)), dtype=np.complex128)
    found[1 : len(components)] = components[1:]
    found.flags.writeable = False
    return found


def _loudest(amplitudes: Floats, count: int) -> NDArray[np.int64]:
    """The frequencies of highest amplitude, the highest first; of equal ones the lowest frequency first."""
    return (-amplitudes.round(DIGITS)).argsort(kind="stable")[:count]


def _drawn(rng: np.random.Generator, squares: int, count: int) -> Floats:
    """Uniform coefficients of a wave: float64 (harmonics, 4)."""
    table = rng.random((count, 4))
    table[:, 0::2] = (2.0 * table[:, 0::2] - 1.0) * LOUDEST
    table[:, 1::2] *= highest_frequency(squares)
    return table


def _wave(table: NDArray[np.float64]) -> Wave:
    """The wave of a table of coefficients, float64 (harmonics, 4), rounded; a negative zero is none."""
    rows = (table.round(DIGITS) + 0.0).tolist()
    return Wave(tuple([Harmonic(*row) for row in rows]))


SUFFIX = ".wave"

COEFFICIENTS = Harmonic._fields

_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


def print_wave(wave: Wave, header: Mapping[str, str] | None = None) -> str:
    """The text of a ``.wave`` file: the header as comments, then each harmonic with the shortest exact digits.

    Raises:
        ValueError: a header key is not one word of letters, digits, ``_`` and ``-``.
    """
    lines = [*print_header(header or {}), f"{MARK} {'  '.join(COEFFICIENTS)}"]
    lines += [" ".join(repr(value).removesuffix(".0") for value in each) for each in wave.harmonics]
    return "\n".join([*lines, ""])


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
                    "E303", f"a wave has {HARMONICS} harmonics, not one more", words[0][1], text, filename
                )
            harmonics.append(_harmonic(words, text, filename))
        start += len(line) + 1
    if len(harmonics) < HARMONICS:
        message = f"{len(harmonics)} harmonics instead of {HARMONICS}"
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
        message = f"{len(numbers)} coefficients instead of {len(COEFFICIENTS)}"
        raise _error("E302", message, span, text, filename)
    return Harmonic(*numbers)


def _error(code: str, message: str, span: Span, text: str, filename: str) -> SourceError:
    expected = {
        "E301": ("a finite number",),
        "E302": (f"the numbers {', '.join(COEFFICIENTS)}",),
        "E303": (f"{HARMONICS} lines of {len(COEFFICIENTS)} numbers",),
    }
    return SourceError(Diagnostic(code, "error", message, span, expected[code]), text, filename)

"""Waves as genomes, and their file format; a wave is a sum of terms α sin(μt) + β cos(ωt) over a board's squares.

Waves follow J. Bridon and others, "An Artificially Intelligent Battleship Player Utilizing Adaptive Firing and
Placement Strategies", section III.B. Squares are counted row by row, and square s is at t = 2πs / squares, so μ and ω
count periods over the board. The operators are pure functions whose first argument is a random generator. The operators
round coefficients to ``DIGITS`` decimal places. Rounding keeps files short, and hides differences between processors in
the last digit of a sine.

A ``.wave`` file has one line for each harmonic, with its coefficients α, μ, β and ω. Comments start with ``//``. The
first comments may form a header with lines such as ``// key: value``.

The shared engine evolves waves to fit a density over the squares of a board.

The method follows the targeting of Bridon and others, "An Artificially Intelligent Battleship Player Utilizing Adaptive
Firing and Placement Strategies", section III.B. The first generation has 100 waves: 80 random ones, and 20 at regular
intervals in the problem space. The ten waves with the highest correlation survive. Each of their 45 pairs has one child
by crossover, and one by crossover and mutation.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Floats, Ints
from gpkit.core.diagnostics import Diagnostic, SourceError, Span
from gpkit.core.header import MARK, print_header
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.loop import evolved
from gpkit.evolution.problem import Child, Evaluation, Executor, Population, Problem
from gpkit.evolution.schemes import Pairs
from gpkit.evolution.search import Parameters, Search
from gpkit.evolution.section_operators import Operated, clone, shipped_operators

HARMONICS = 5

DIGITS = 6
"""The number of decimal places in the coefficients that operators produce."""

LOUDEST = 1.0
"""The largest amplitude that can be drawn; the smallest one is its negative."""

Spectrum = Literal["bins", "apart"]
"""The unit in which crossover keeps the loudest components: whole Fourier components (``bins``), or sines and cosines
separately (``apart``)."""


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
    """The sum of a few harmonics; ``language`` is the name of the language of waves."""

    language: ClassVar[str] = "wave"
    harmonics: tuple[Harmonic, ...]

    def __len__(self) -> int:
        """The number of harmonics."""
        return len(self.harmonics)


def highest_frequency(squares: int) -> float:
    """The highest frequency that can be drawn: a quarter of the number of squares, for a period of four squares."""
    return squares / 4.0


def random_wave(rng: np.random.Generator, squares: int, harmonics: int = HARMONICS) -> Wave:
    """A wave with uniformly random coefficients: amplitudes within ±``LOUDEST``, and frequencies up to the highest."""
    return _wave(_drawn(rng, squares, harmonics))


def regular_wave(number: int, count: int, squares: int, harmonics: int = HARMONICS) -> Wave:
    """Wave ``number`` of ``count`` waves at regular intervals in the problem space.

    All amplitudes are 1. The frequencies of all ``count`` waves divide the range evenly, and the frequencies of a
    single wave are far apart.

    >>> regular_wave(0, 20, 100).harmonics[1]
    Harmonic(alpha=1.0, mu=5.125, beta=1.0, omega=5.125)
    """
    places = np.arange(harmonics) * count + number + 0.5
    frequencies = places * highest_frequency(squares) / (count * harmonics)
    table = np.ones((harmonics, 4))
    table[:, 1] = table[:, 3] = frequencies
    return _wave(table)


def wave_values(waves: Sequence[Wave], squares: int) -> Floats:
    """The values of waves on every square: float64 (waves, squares).

    Args:
        waves: the waves, all with the same number of harmonics.
        squares: the number of squares on the board.
    """
    table = np.array([wave.harmonics for wave in waves], dtype=np.float64)[..., None]
    t = np.arange(squares) * (2.0 * np.pi / squares)
    terms = table[:, :, 0] * np.sin(table[:, :, 1] * t)
    terms += table[:, :, 2] * np.cos(table[:, :, 3] * t)
    return np.asarray(terms.sum(axis=1))


def values(wave: Wave, squares: int) -> Floats:
    """The values of a wave on every square: float64 (squares,)."""
    return np.asarray(wave_values([wave], squares)[0])


def fitted(wave: Wave, target: Floats) -> tuple[Floats, float]:
    """The values of a wave minus their mean, float64 (squares,), and the factor that best fits them to a target.

    The target is a float64 array of shape (squares,). The fit uses least squares. For a flat wave, the factor is 0.
    """
    centred = values(wave, len(target))
    centred = centred - centred.mean()
    power = float((centred * centred).sum())
    return centred, float((centred * target).sum()) / power if power > 0.0 else 0.0


def crossover(first: Wave, second: Wave, squares: int, keep: Spectrum = "bins") -> Wave:
    """The mean of two waves, reduced to as many Fourier components as the first wave has harmonics.

    The source keeps "the five harmonics with the highest amplitudes". Each Fourier component has an amplitude and a
    phase. With ``bins``, the components kept are pairs of a sine and a cosine of the same frequency, which are
    harmonics with μ = ω. A harmonic has two frequencies, so it can also contain a sine and a cosine of different
    frequencies. With ``apart``, crossover keeps the loudest sines and the loudest cosines, and the first harmonic has
    the loudest of each. The constant component does not affect a correlation and is omitted.
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
    """The mutated wave, and the indices of the replaced coefficients, from 0.

    Each coefficient is replaced with a random one with the probability ``rate``.
    """
    table = np.array(wave.harmonics, dtype=np.float64)
    changed = rng.random(table.shape) < rate
    table[changed] = _drawn(rng, squares, len(wave))[changed]
    return _wave(table), tuple(np.flatnonzero(changed).tolist())


@lru_cache(maxsize=1024)
def _components(wave: Wave, squares: int) -> NDArray[np.complex128]:
    """A wave's Fourier components, read-only; each of its values is the sum over k of Re · cos(kt) − Im · sin(kt).

    The component for k = 0 is zero. The number of components is at least the number of harmonics.
    """
    components = np.fft.rfft(values(wave, squares)) * (2.0 / squares)
    if squares % 2 == 0:
        components[-1] /= 2.0
    found = np.zeros(max(len(components), len(wave)), dtype=np.complex128)
    found[1 : len(components)] = components[1:]
    found.flags.writeable = False
    return found


def _loudest(amplitudes: Floats, count: int) -> Ints:
    """The frequencies with the highest amplitudes, loudest first; ties go to the lowest frequency."""
    return (-amplitudes.round(DIGITS)).argsort(kind="stable")[:count]


def _drawn(rng: np.random.Generator, squares: int, count: int) -> Floats:
    """Uniformly random coefficients for a wave: float64 (harmonics, 4)."""
    table = rng.random((count, 4))
    table[:, 0::2] = (2.0 * table[:, 0::2] - 1.0) * LOUDEST
    table[:, 1::2] *= highest_frequency(squares)
    return table


def _wave(table: Floats) -> Wave:
    """The wave with these rounded coefficients, float64 (harmonics, 4); negative zeros become zeros."""
    return Wave(tuple([Harmonic(*row) for row in (table.round(DIGITS) + 0.0).tolist()]))


SUFFIX = ".wave"

COEFFICIENTS = Harmonic._fields

_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


def print_wave(wave: Wave, header: Mapping[str, str] | None = None) -> str:
    """The text of a ``.wave`` file: the header as comments, and then the harmonics in their shortest exact form.

    Raises:
        ValueError: a header key is not a single word of letters, digits, ``_`` and ``-``.
    """
    lines = [*print_header(header or {}), f"{MARK} {'  '.join(COEFFICIENTS)}"]
    lines += [" ".join(repr(value).removesuffix(".0") for value in each) for each in wave.harmonics]
    return "\n".join([*lines, ""])


def parse_wave(text: str, filename: str = "<text>") -> Wave:
    """The wave that a file's text describes; ``parse_wave(print_wave(wave)) == wave``.

    Raises:
        SourceError: a line does not consist of four numbers, or the number of lines differs from a wave's number of
            harmonics.
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
                raise _error("E303", f"a wave has only {HARMONICS} harmonics", words[0][1], text, filename)
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
        raise _error(
            "E302", f"{len(numbers)} coefficients instead of {len(COEFFICIENTS)}", span, text, filename
        )
    return Harmonic(*numbers)


def _error(code: str, message: str, span: Span, text: str, filename: str) -> SourceError:
    expected = {
        "E301": ("a finite number",),
        "E302": (f"the numbers {', '.join(COEFFICIENTS)}",),
        "E303": (f"{HARMONICS} lines of {len(COEFFICIENTS)} numbers",),
    }
    return SourceError(Diagnostic(code, "error", message, span, expected[code]), text, filename)


EXACT = 12
"""The number of decimal places of a correlation; further decimals would depend on the processor."""


@dataclass(frozen=True, slots=True)
class WaveSettings:
    """Settings for the evolution of waves; the defaults come from the source.

    Attributes:
        random: the number of random waves in the first generation.
        regular: the number of waves at regular intervals in the problem space in the first generation.
        elites: the number of waves that survive; all pairs of them have children.
        rate: the probability that mutation replaces a coefficient with a random one.
        keep: the way in which crossover selects the components to keep.
        harmonics: the number of harmonics in each wave; only waves with ``HARMONICS`` harmonics can be read from text.
    """

    random: int = 80
    regular: int = 20
    elites: int = 10
    rate: float = 0.25
    keep: Spectrum = "bins"
    harmonics: int = HARMONICS

    @property
    def size(self) -> int:
        """The number of waves in the first generation."""
        return self.random + self.regular


SETTINGS = WaveSettings()


def correlations(signals: Floats, target: Floats) -> Floats:
    """The normalised discrete cross-correlation of signals with a target, at lag 0: float64 (signals,), from −1 to 1.

    If a and b are the signal and the target minus their means, the correlation is Σab / √(Σa² Σb²). Suppose that the
    target is the sum of three different harmonics with equal amplitudes, and one of them is sin t. In that case, the
    correlation of the signal sin t is 1/√3 = .5774. If cos 2t is not one of the three, the correlation of sin t + cos
    2t is 1/√6 = .4082. The correlation of the target with itself is 1. These three values appear in Figure 5 of the
    source. The correlation of a constant signal or target is undefined; the function returns 0.

    Args:
        signals: float64 (signals, squares).
        target: float64 (squares,).
    """
    a = signals - signals.mean(axis=1, keepdims=True)
    b = target - target.mean()
    scale = np.sqrt((a * a).sum(axis=1) * (b * b).sum())
    shared = (a * b).sum(axis=1)
    found: Floats = np.divide(shared, scale, out=np.zeros(len(a)), where=scale > _CONSTANT * len(target))
    return found.round(EXACT)


_CONSTANT = 1e-20
"""The product of standard deviations below which a signal or target counts as constant."""


@dataclass(frozen=True, slots=True, eq=False)
class Correlation(Problem[Wave]):
    """The problem of fitting a density; the score is the correlation with the density.

    Attributes:
        target: float64 (squares,).
    """

    target: Floats

    def evaluate(
        self, genomes: Sequence[Wave], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        """Evaluations of waves; they do not depend on the seed or the executor."""
        signals = wave_values(genomes, len(self.target))
        return [Evaluation(score) for score in correlations(signals, self.target).tolist()]


def _crossed(space: Any, _: np.random.Generator, parents: Sequence[Wave]) -> Child[Wave]:
    return Child(crossover(parents[0], parents[1], space.squares, space.settings.keep))


def _mutated(space: Any, rng: np.random.Generator, parents: Sequence[Wave]) -> Child[Wave]:
    child = crossover(parents[0], parents[1], space.squares, space.settings.keep)
    mutant, changed = mutate(rng, child, space.squares, space.settings.rate)
    return Child(mutant, tuple([("coefficient", number) for number in changed]))


OPERATORS = shipped_operators(
    "wave", {"clone": (1, clone), "cross": (2, _crossed), "cross+mutate": (2, _mutated)}
)
"""All operators by name, each with its number of parents and its function."""


@dataclass(frozen=True, slots=True)
class WaveRepresentation(Operated[Wave]):
    """The representation of waves over the squares of a board, for evolution.

    Attributes:
        squares: the number of squares on the board.
        settings: the settings for creation and variation.
        start: waves that take the first places in the first generation.
    """

    squares: int
    settings: WaveSettings = SETTINGS
    start: tuple[Wave, ...] = ()
    suffix: str = field(default=SUFFIX, init=False)
    table = OPERATORS

    def create(self, rng: np.random.Generator, index: int) -> Wave:
        """The wave at an index of the first generation: start waves come first, then random and then regular ones."""
        if index < len(self.start):
            return self.start[index]
        settings = self.settings
        if index < settings.random:
            return random_wave(rng, self.squares, settings.harmonics)
        return regular_wave(index - settings.random, settings.regular, self.squares, settings.harmonics)

    def admits(self, genome: Wave) -> bool:
        """True, because every wave is allowed."""
        return True

    print = staticmethod(print_wave)

    parse = staticmethod(parse_wave)

    def tweak(self, rng: np.random.Generator, genome: Wave, step: float) -> Wave:
        """The wave after a mutation, for any ``step``."""
        return mutate(rng, genome, self.squares, self.settings.rate)[0]

    def simplify(self, genome: Wave) -> Wave:
        """The wave itself, because every harmonic affects the values."""
        return genome


def wave_loop(
    target: Floats, seed: int, *, start: Sequence[Wave] = (), settings: WaveSettings = SETTINGS
) -> Search[Wave]:
    """The search that fits waves to a target; scores are correlations with the target.

    Args:
        target: float64 (squares,): any density; its mean and scale do not matter.
        seed: the seed of all random numbers.
        start: waves to start from, which replace first the random waves and then the regular ones.
        settings: the settings of evolution.
    """
    scheme = Pairs((("cross", 0.5), ("cross+mutate", 0.5)), settings.elites)
    assert scheme.size == settings.size, "every generation has as many waves"
    representation = WaveRepresentation(len(target), settings, tuple(start[: settings.size]))
    return Search(Correlation(target), representation, Parameters(settings.size, scheme), seed)


def evolve_waves(
    target: Floats,
    generations: int,
    seed: int,
    *,
    start: Sequence[Wave] = (),
    settings: WaveSettings = SETTINGS,
) -> Population[Wave]:
    """The population after these generations, best first; ``target`` is float64 (squares,), see ``wave_loop``."""
    return evolved(wave_loop(target, seed, start=start, settings=settings), generations, SerialExecutor())

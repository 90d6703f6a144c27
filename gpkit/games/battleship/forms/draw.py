"""Pictures of ``.wave`` files: a wave over the squares of a board, and the density that the file's header names.

Charts show waves as curves over the squares, and text output shows waves as boards.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.files import read_text
from gpkit.core.header import read_header
from gpkit.core.rng import stream
from gpkit.gamekit.options import chosen_rules
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.learner.targeting import pattern_density
from gpkit.games.battleship.waves import Harmonic, Wave, correlations, fitted, parse_wave, values
from gpkit.show.chart import Curves, Series
from gpkit.show.graph import short_number
from gpkit.show.render import render_curves

SQUARES = "square, row after row"
"""The label of the horizontal axis."""


def signal(name: str, heights: Iterable[float]) -> Series:
    """A curve with one value for each square."""
    return Series(name, tuple((float(square), float(height)) for square, height in enumerate(heights)))


def signals(title: str, named: Mapping[str, Iterable[float]], measure: str) -> Curves:
    """A chart of several named signals."""
    return Curves(title, tuple(signal(name, heights) for name, heights in named.items()), measure, x=SQUARES)


def wave_curves(title: str, wave: Wave, density: Sequence[float]) -> Curves:
    """A chart of a density and a wave, which is shifted and scaled to fit the density as well as possible."""
    heights = np.array(density)
    centred, slope = fitted(wave, heights)
    return signals(
        title, {"density": heights, "wave, to scale": heights.mean() + slope * centred}, "share of fleets"
    )


def harmonic_curves(title: str, wave: Wave, squares: int) -> Curves:
    """A chart of the harmonics of a wave, where a single harmonic is split into its sine and its cosine."""
    parts = list(wave.harmonics)
    if len(parts) == 1:
        alpha, mu, beta, omega = parts[0]
        parts = [Harmonic(alpha, mu, 0.0, 0.0), Harmonic(0.0, 0.0, beta, omega)]
    lines = [signal(formula_text(harmonic), values(Wave((harmonic,)), squares)) for harmonic in parts]
    return Curves(title, tuple(lines), "value", x=SQUARES)


def formula_text(harmonic: Harmonic) -> str:
    """A harmonic as a formula with short numbers; terms with amplitude 0 are omitted.

    >>> formula_text(Harmonic(0.5, 10.0, 0.25, 1.0)), formula_text(Harmonic(1.0, 2.0, 0.0, 0.0))
    ('0.5 sin 10t + 0.25 cos 1t', '1 sin 2t')
    """
    alpha, mu, beta, omega = (short_number(number) for number in harmonic)
    terms = [f"{alpha} sin {mu}t"] if harmonic.alpha else []
    terms += [f"{beta} cos {omega}t"] if harmonic.beta else []
    return " + ".join(terms) or "0"


def board_texts(named: Mapping[str, Sequence[float]], width: int) -> str:
    """Signals as boards of text, one below the other, with numbers from 0 (lowest value) to 99 (highest value).

    Args:
        named: the values of each signal, row by row, by title.
        width: the number of squares in a row.
    """
    lines = []
    for title, heights in named.items():
        low, high = min(heights), max(heights)
        scale = 99.0 / (high - low) if high > low else 0.0
        lines += [f"{title}, 0 is {short_number(low)} and 99 is {short_number(high)}"]
        cells = [f"{round((height - low) * scale):2}" for height in heights]
        lines += [" ".join(cells[start : start + width]) for start in range(0, len(cells), width)]
        lines.append("")
    return "\n".join(lines)


FLEETS = 20_000
"""The number of fleets from which the density in a picture is estimated."""


def file_picture(path: str, form: str) -> bytes:
    """A picture of the wave in a file: boards of text, or charts of the wave and of its harmonics.

    The header may name a density to draw with the wave (``density: PATTERN``), and rules such as ``rules: board=8x8``.

    Args:
        path: the path of the ``.wave`` file.
        form: the format, as in ``render_curves``.

    Raises:
        SourceError: the text does not describe a wave.
        UsageError: the file cannot be read, its header names rules or a pattern that the game does not have, or charts
            are not available in this format.
    """
    text, name = read_text(path), Path(path).name
    wave, header = parse_wave(text, path), read_header(text)
    rules = GAME.make_rules(chosen_rules(header.get("rules", "").split()))
    pattern, heights = header.get("density"), values(wave, rules.squares)
    boards = {name: heights.tolist()}
    first = signals(name, {"wave": heights}, "value")
    if pattern is not None:
        if pattern not in GAME.placements:
            raise UsageError(
                f"{path}: there is no density `{pattern}`; {suggestion(pattern, GAME.placements)}"
            )
        density = pattern_density(stream(0, "drawn density"), pattern, rules, FLEETS)
        found = float(correlations(heights[None, :], density)[0])
        title = f"{name}: correlation {found:.4f} with {pattern}"
        boards = {title: heights.tolist(), f"density of {pattern}": density.tolist()}
        first = wave_curves(title, wave, density.tolist())
    if form == "txt":
        return board_texts(boards, rules.width).encode()
    return render_curves([first, harmonic_curves("Its harmonics", wave, rules.squares)], form)

"""Pictures of ``.wave`` files: the wave over the squares of a board, beside the density that its header names."""

from pathlib import Path

from gpkit.app.files import read_text
from gpkit.app.pairs import options_of
from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.header import read_header
from gpkit.core.rng import stream
from gpkit.draw.render import render_curves
from gpkit.games.battleship.densities import pattern_density
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.waves.fourier_placement import correlations
from gpkit.games.battleship.waves.picture import board_texts, harmonic_curves, signals, wave_curves
from gpkit.games.battleship.waves.text import parse_wave
from gpkit.games.battleship.waves.wave import values

FLEETS = 20_000
"""Fleets from which a density is estimated for a picture."""


def file_picture(path: str, form: str) -> bytes:
    """Picture of the wave in a file: boards in text, else charts of the wave and of its harmonics.

    The header may say ``density: PATTERN``, beside which the wave is drawn, and ``rules: board=8x8`` and the like.

    Args:
        path: of the file.
        form: as of ``render_curves``.

    Raises:
        SourceError: the text is not a wave.
        UsageError: the file cannot be read, its header names rules or a pattern that the game does not have, or there
            are no charts of that form.
    """
    text, name = read_text(path), Path(path).name
    wave, header = parse_wave(text, path), read_header(text)
    rules = GAME.make_rules(options_of(None, header.get("rules", "").split()))
    pattern = header.get("density")
    heights = values(wave, rules.squares)
    if pattern is None:
        if form == "txt":
            return board_texts({name: heights.tolist()}, rules.width).encode()
        first = signals(name, {"wave": heights}, "value")
    else:
        if pattern not in GAME.placements:
            raise UsageError(
                f"{path}: there is no density `{pattern}`; {suggestion(pattern, GAME.placements)}"
            )
        density = pattern_density(stream(0, "drawn density"), pattern, rules, FLEETS)
        found = float(correlations(heights[None, :], density)[0])
        title = f"{name}: correlation {found:.4f} with {pattern}"
        if form == "txt":
            boards = {title: heights.tolist(), f"density of {pattern}": density.tolist()}
            return board_texts(boards, rules.width).encode()
        first = wave_curves(title, wave, rules.squares, density.tolist())
    return render_curves([first, harmonic_curves("Its harmonics", wave, rules.squares)], form)

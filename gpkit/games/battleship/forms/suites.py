"""Trials of Battleship: fresh boards, fleets that patterns lay, and other boards and fleets."""

from gpkit.playing.evaluation import Trial

SUITES = (
    Trial("uniform", games=1_000),
    *(Trial(name, games=1_000, quick=True) for name in ("corner", "wall", "corners", "lines")),
    Trial("uniform", {"board": "8x8", "fleet": "4,3,3,2"}, games=1_000, quick=True),
    Trial("uniform", {"board": "12x12"}, games=1_000),
    Trial("uniform", {"variant": "ten-ships"}, games=1_000),
)

"""Trials of Sevens: fresh deals against the default opponents, a search, and other numbers of players."""

from gpkit.playing.evaluation import Trial

SUITES = (
    Trial("random", games=20_000),
    Trial("simple", games=20_000),
    *(Trial("simple", {"players": players}, games=20_000, quick=True) for players in ("2", "4", "5")),
    Trial("pimc:100", games=300),
)

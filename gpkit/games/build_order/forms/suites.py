"""Trials of build orders: other goals, of which a single game says all, and an attack of which one cannot know when."""

from gpkit.playing.evaluation import Trial

SUITES = (
    Trial("enemy", games=1, sets=1),
    *(Trial("enemy", {"goal": goal}, games=1, sets=1, quick=True) for goal in ("zerglings=12", "drone=16")),
    Trial("enemy", {"attack": "random"}, games=1_000),
)

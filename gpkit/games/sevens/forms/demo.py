"""The part of ``gpkit demo`` about Sevens: what is shown of it."""

from gpkit.cli.demo import DemoRun

FULL = DemoRun("sevens", "champion", "evolve sevens --generations 6 --seed 1", "best/champion.tree")

SHORT = DemoRun(
    "sevens",
    program="own-minus-others",
    find="evolve article --generations 6 --seed 7",
    champion="best/champion.tree",
    trace="--deal 9 --until 'mine and candidates > 1'",
    compared=("own-minus-others",),
)
"""For the short demo, which is about this game because its kernels take least time to compile."""

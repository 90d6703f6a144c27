"""The part of ``gpkit demo`` about Sevens: what is shown of it, as ``gpkit.cli.demo.Course`` says."""

FULL = {
    "program": "champion",
    "find": "evolve sevens --generations 6 --seed 1",
    "champion": "best/champion.tree",
}

SHORT = {
    "program": "own-minus-others",
    "find": "evolve article --generations 6 --seed 7",
    "champion": "best/champion.tree",
    "trace": "--deal 9 --until 'mine and candidates > 1'",
    "compared": ("own-minus-others",),
}
"""For the short demo, which is about this game because its kernels take least time to compile."""

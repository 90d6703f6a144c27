"""The part of ``gpkit demo`` about Mastermind: what is shown of it, as ``gpkit.cli.demo.Course`` says."""

FULL = {
    "program": "champion",
    "find": "evolve mastermind --generations 3 --seed 1",
    "champion": "best/champion.tree",
}

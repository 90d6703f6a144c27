"""The part of ``gpkit demo`` about Mastermind: what is shown of it."""

from gpkit.cli.demo import DemoRun

FULL = DemoRun("mastermind", "champion", "evolve mastermind --generations 3 --seed 1", "best/champion.tree")

"""The part of ``gpkit demo`` about Battleship: what is shown of it."""

from gpkit.cli.demo import DemoRun

FULL = DemoRun("battleship", "champion", "evolve bridon --seed 1", "best/champion.sink")

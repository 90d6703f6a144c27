"""The part of ``gpkit demo`` about Battleship: what is shown of it."""

from gpkit.cli.demo import Course

FULL = Course("battleship", "champion", "evolve bridon --seed 1", "best/champion.sink")

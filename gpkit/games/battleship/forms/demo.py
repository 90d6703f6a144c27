"""The part of ``gpkit demo`` about Battleship: what is shown of it, as ``gpkit.cli.demo.Course`` says."""

FULL = {
    "program": "champion",
    "find": "evolve bridon --seed 1",
    "champion": "best/champion.sink",
}

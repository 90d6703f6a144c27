"""Section IV: first shots, checkerboards and sinking logic in duels."""

from collections.abc import Iterator, Mapping
from itertools import product
from types import MappingProxyType

import numpy as np

from gpkit.core.rng import stream
from gpkit.core.statistics import mean_interval
from gpkit.gamekit.players import Player
from gpkit.playing.players import player_of_name, player_of_program, program_of_name
from gpkit_experiments.papers.battleship_adaptive.study import GAME, Floats, Measured, Study
from gpkit_experiments.papers.paper import Claim, Row, exact

READINGS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {"stacked conditions": {"sunk": "reset"}, "conditions to the letter": {"if": "one-line", "sunk": "reset"}}
)
"""Readings of the corrected Figure 8; in both of them a ship that sinks leads back to targeting."""

ALONE = ("random", "checkerboard", "diagonal")
"""Players without sinking logic."""


def sinker(target: str, reading: str = "stacked conditions") -> Player:
    """The hard-coded sinking logic of the source, with targets of that kind."""
    program = program_of_name("corrected", GAME)
    return player_of_program(program, GAME, f"{target} that sinks", {**READINGS[reading], "target": target})


def measure_duels(study: Study) -> Measured:
    """The three claims of section IV."""
    study.watch("duels")
    rows = (*first_rows(study), *checkerboard_rows(study), *sinking_rows(study))
    return Measured(rows)


def values_of(study: Study, player: Player, other: Player) -> Floats:
    """Results of a player in duels: float64 (deals, 2), where it shoots first and where second."""
    rules = GAME.make_rules({"mode": "duel"})
    deals = GAME.deal(stream(study.seed, "paper duels"), study.effort.deals, rules)
    return np.asarray(GAME.play([player, other], deals, rules).values)


def first_rows(study: Study) -> Iterator[Row]:
    """The share of duels that who shoots first wins, less that of the other."""
    players = [player_of_name(name, GAME) for name in (*ALONE, "hunt", "density")]
    near = Claim(exact(0.05), exact(0.15))
    for player in (*players, sinker("uniform"), sinker("checkerboard"), sinker("filter")):
        values = values_of(study, player, player)
        interval = mean_interval(values[:, 0] - values[:, 1], support=(-1.0, 1.0))
        heading = "Section IV, wins of who shoots first less the other's"
        yield Row(heading, f"{player.name} against itself", interval, "deals", "usually close to 10 %", near)


def checkerboard_rows(study: Study) -> Iterator[Row]:
    """The share of duels that a checkerboard wins against random shots."""
    seventy = Claim(exact(0.65), exact(0.75))
    pairs = {
        "neither sinks": tuple(player_of_name(name, GAME) for name in ("checkerboard", "random")),
        "both sink": (sinker("checkerboard"), sinker("uniform")),
    }
    for reading, (player, other) in pairs.items():
        interval = mean_interval(values_of(study, player, other).mean(axis=1), support=(0.0, 1.0))
        heading = "Section IV, duels that a checkerboard wins against random shots"
        yield Row(heading, reading, interval, "deals", "70 % to 30 %", seventy)


def sinking_rows(study: Study) -> Iterator[Row]:
    """The share of duels that sinking logic wins against none, by the reading of its conditions."""
    ninety = Claim(exact(0.85), exact(0.95))
    for reading, target, name in product(READINGS, ("uniform", "checkerboard"), ALONE):
        values = values_of(study, sinker(target, reading), player_of_name(name, GAME))
        interval = mean_interval(values.mean(axis=1), support=(0.0, 1.0))
        heading = f"Section IV, duels that sinking logic wins against none, {reading}"
        yield Row(heading, f"{target} that sinks against {name}", interval, "deals", "almost 90 %", ninety)

"""Section IV: first shots, checkerboards and sinking logic in duels."""

from collections.abc import Iterator, Mapping
from itertools import product
from types import MappingProxyType

import numpy as np

from gpkit.core.rng import stream
from gpkit.gamekit.players import Player
from gpkit.games.battleship.arena import turns_at
from gpkit.games.battleship.learner.adaptive import ADAPTIVE
from gpkit.games.battleship.learner.sinkers import shooter_of
from gpkit.games.battleship.learner.targeting import DEFAULTS, target_answers
from gpkit.playing.players import player_of_name, player_of_program, program_of_name
from gpkit_experiments.papers.battleship_adaptive.adapting import PLAYER
from gpkit_experiments.papers.battleship_adaptive.shooters import doubled
from gpkit_experiments.papers.battleship_adaptive.study import GAME, Floats, Measured, Study
from gpkit_experiments.papers.paper import Claim, Row, exact
from gpkit_experiments.papers.units import mean_interval

READINGS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {"stacked conditions": {"sunk": "reset"}, "conditions to the letter": {"if": "one-line", "sunk": "reset"}}
)
"""Readings of the corrected Figure 8; in both of them a ship that sinks leads back to targeting."""

ALONE = ("random", "checkerboard", "diagonal")
"""Players without sinking logic."""


FIRST = "Section IV, wins of who shoots first less the other's"
NEAR_TEN, NEAR = "usually close to 10 %", Claim(exact(0.05), exact(0.15))

GROUP = 10
"""Fleets of either side of the adaptive player of which all pairs count: the unit."""


def sinker(target: str, reading: str = "stacked conditions") -> Player:
    """The hard-coded sinking logic of the source, with targets of that kind."""
    program = program_of_name("corrected", GAME)
    return player_of_program(program, GAME, f"{target} that sinks", {**READINGS[reading], "target": target})


def measure_duels(study: Study) -> Measured:
    """The three claims of section IV."""
    study.watch("duels")
    rows = (*first_rows(study), adaptive_row(study), *checkerboard_rows(study), *sinking_rows(study))
    return Measured(rows)


def values_of(study: Study, player: Player, other: Player) -> Floats:
    """Results of a player in duels: float64 (deals, 2), where it shoots first and where second."""
    rules = GAME.make_rules({"mode": "duel"})
    deals = GAME.deal(stream(study.seed, "paper duels"), study.effort.deals, rules)
    return np.asarray(GAME.play([player, other], deals, rules).values)


def first_rows(study: Study) -> Iterator[Row]:
    """The share of duels that who shoots first wins, less that of the other."""
    players = [player_of_name(name, GAME) for name in (*ALONE, "hunt", "density")]
    for player in (*players, sinker("uniform"), sinker("checkerboard"), sinker("filter")):
        values = values_of(study, player, player)
        interval = mean_interval(values[:, 0] - values[:, 1], support=(-1.0, 1.0))
        yield Row(FIRST, f"{player.name} against itself", interval, "deals", NEAR_TEN, NEAR)


def adaptive_row(study: Study) -> Row:
    """The same for the adaptive player in its first game, from the shots of either side.

    Neither side sees what the other finds out, so that both need equally many shots for the fleets of the other: who
    shoots first wins more by the chance of a tie.
    """
    rules = GAME.make_rules({"mode": "duel"})
    nothing = ADAPTIVE.begin(PLAYER, rules)
    answers = target_answers(nothing.seen, nothing.waves[0], nothing.logs, rules, DEFAULTS)
    ties = []
    for group in range(study.effort.draws // GROUP + 1):
        deals = GAME.deal(stream(study.seed, "adaptive duels", group), 2 * GROUP, rules)
        keys = [deals.seat(each, 0) for each in range(2 * GROUP)]
        fleets = [ADAPTIVE.side(PLAYER, key, rules, nothing).fleet() for key in keys]
        shooter, shots = shooter_of(nothing.programs[0], answers), np.array([key[2] for key in keys])
        needed = np.array(turns_at(doubled(fleets, rules), shooter, shots, rules, answers)).reshape(2, GROUP)
        ties.append(float((needed[0][:, None] == needed[1][None]).mean()))
    interval = mean_interval(ties, support=(0.0, 1.0))
    return Row(FIRST, "adaptive against itself", interval, "groups", NEAR_TEN, NEAR)


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

"""Section IV: first shots, checkerboards and sinking logic in duels; the first game of the adaptive player.

"The program has to complete a learning phase before it can play efficiently", says the source of the agent that samples
the belief state, which learns nothing, of this player.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from types import MappingProxyType

import numpy as np

from gpkit.core.arrays import Floats
from gpkit.core.rng import stream
from gpkit.gamekit.players import Player
from gpkit.games.battleship.agents import MCS
from gpkit.games.battleship.arena import fleets_of, running_sums, turns_at
from gpkit.games.battleship.learner.adaptive import ADAPTIVE, SIZE, Experience, representation, shooter_of
from gpkit.games.battleship.learner.targeting import DEFAULTS, target_answers
from gpkit.games.battleship.rules import BattleshipRules
from gpkit.games.battleship.waves import evolve_waves
from gpkit.genomes.linear import LinearProgram, random_program
from gpkit.playing.players import player_of_name, player_of_program, program_of_name
from gpkit_experiments.papers.battleship_adaptive.adapting import PLAYER, doubled, shots
from gpkit_experiments.papers.battleship_adaptive.study import GAME, Measured, Study
from gpkit_experiments.papers.paper import Claim, Row, above, exact
from gpkit_experiments.papers.units import mean_interval, paired_difference, rate_interval
from gpkit_experiments.sampled_boards import clear_board

READINGS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {"stacked conditions": {"sunk": "reset"}, "conditions to the letter": {"if": "one-line", "sunk": "reset"}}
)
"""Readings of the corrected Figure 8; in both of them a ship that sinks leads back to targeting."""

ALONE = ("random", "checkerboard", "diagonal")
"""Players without sinking logic."""


FIRST = "Section IV, wins of who shoots first less the other's"
NEAR_TEN, NEAR = "usually close to 10%", Claim(exact(0.05), exact(0.15))

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
    interval = rate_interval(ties)
    return Row(FIRST, "adaptive against itself", interval, "groups", NEAR_TEN, NEAR)


def checkerboard_rows(study: Study) -> Iterator[Row]:
    """The share of duels that a checkerboard wins against random shots."""
    seventy = Claim(exact(0.65), exact(0.75))
    pairs = {
        "neither sinks": tuple(player_of_name(name, GAME) for name in ("checkerboard", "random")),
        "both sink": (sinker("checkerboard"), sinker("uniform")),
    }
    for reading, (player, other) in pairs.items():
        interval = rate_interval(values_of(study, player, other).mean(axis=1))
        heading = "Section IV, duels that a checkerboard wins against random shots"
        yield Row(heading, reading, interval, "deals", "70% to 30%", seventy)


def sinking_rows(study: Study) -> Iterator[Row]:
    """The share of duels that sinking logic wins against none, by the reading of its conditions."""
    ninety = Claim(exact(0.85), exact(0.95))
    for reading, target, name in product(READINGS, ("uniform", "checkerboard"), ALONE):
        values = values_of(study, sinker(target, reading), player_of_name(name, GAME))
        interval = rate_interval(values.mean(axis=1))
        heading = f"Section IV, duels that sinking logic wins against none, {reading}"
        yield Row(heading, f"{target} that sinks against {name}", interval, "deals", "almost 90%", ninety)


RULES = BattleshipRules()

SAMPLES = 100
"""Of the agent, at each turn: the more of the source's two numbers."""

DEALS_EACH, STARTS = 50, 20
"""A fleet for so many deals of a study; and so many untrained players share the fleets."""

LATER = "has to complete a learning phase before it can play efficiently"


def measure_first_game(study: Study) -> Measured:
    """Shots of the first game at uniform fleets, with pre-training and without, more than the agent's."""
    count = max(2, study.effort.deals // DEALS_EACH)
    keys = GAME.deal(stream(study.seed, "first game"), count, RULES).keys[:, 1]
    fleets = fleets_of(keys, running_sums("uniform", RULES), RULES)
    study.watch("first games")
    agent = np.array(
        [
            float(clear_board(tuple(fleet), MCS.method, RULES, SAMPLES, key).shots)
            for key, fleet in enumerate(fleets.tolist())
        ]
    )
    found = {
        "pre-trained": first_shots(ADAPTIVE.begin(PLAYER, RULES), fleets),
        "untrained": np.concatenate(
            [
                first_shots(untrained(study.seed, number, RULES), part)
                for number, part in enumerate(np.array_split(fleets, min(STARTS, count)))
            ]
        ),
    }
    heading = "Section III, shots of the first game at uniform fleets"
    rows = [Row(heading, f"the agent with {SAMPLES} samples", mean_interval(agent), "fleets")]
    for (name, shots_needed), (unit, units) in zip(
        found.items(), (("fleets", count), ("players", min(STARTS, count))), strict=True
    ):
        needed, of_agent = ([part.mean() for part in np.array_split(a, units)] for a in (shots_needed, agent))
        rows.append(Row(heading, name, mean_interval(needed), unit))
        more = paired_difference(needed, of_agent)
        rows.append(Row(heading, f"{name}, less the agent", more, unit, LATER, above(0.0)))
    return Measured(tuple(rows))


def first_shots(known: Experience, fleets: np.ndarray) -> Floats:
    """The number of shots that the player needs for each fleet before it has played: float64 (fleets,)."""
    answers = target_answers(known.seen, known.waves[0], known.logs, RULES, DEFAULTS)
    return shots(answers, fleets, RULES, known.programs[0])


def untrained(seed: int, number: int, rules: BattleshipRules) -> Experience:
    """The start without pre-training: random waves and random sinking programs."""
    waves = evolve_waves(np.zeros(rules.squares), 0, seed * 100 + number)
    programs = random_sinkers(stream(seed, "untrained", number), SIZE)
    return Experience.none(rules, [each.genome for each in waves], programs)


def random_sinkers(rng: np.random.Generator, count: int) -> list[LinearProgram]:
    """Random programs of full blocks, as those of the source."""
    settings = representation().settings
    return [
        random_program(rng, representation().domain, settings.low_lines, settings.high_lines)
        for _ in range(count)
    ]

"""The first game of the adaptive player beside the agent that samples the belief state and learns nothing.

"The program has to complete a learning phase before it can play efficiently", says that agent's source of this player.
"""

import numpy as np

from gpkit.core.rng import stream
from gpkit.games.battleship.arena import fleets_of, running_sums
from gpkit.games.battleship.fourier_placement import evolve_waves
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.learner.adaptive import ADAPTIVE
from gpkit.games.battleship.learner.experience import Experience
from gpkit.games.battleship.learner.sinkers import SIZE
from gpkit.games.battleship.learner.targeting import DEFAULTS, target_answers
from gpkit.games.battleship.monte_carlo import MCS
from gpkit.games.battleship.options import Rules
from gpkit_experiments.papers.battleship_adaptive.adapting import PLAYER
from gpkit_experiments.papers.battleship_adaptive.pretraining import random_sinkers
from gpkit_experiments.papers.battleship_adaptive.shooters import shots
from gpkit_experiments.papers.battleship_adaptive.study import Floats, Measured, Study
from gpkit_experiments.papers.paper import Row, above
from gpkit_experiments.papers.units import mean_interval, paired_difference
from gpkit_experiments.sampled_boards import clear_board

RULES = Rules()

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


def untrained(seed: int, number: int, rules: Rules) -> Experience:
    """The start without pre-training: random waves and random sinking programs."""
    waves = evolve_waves(np.zeros(rules.squares), 0, seed * 100 + number)
    programs = random_sinkers(stream(seed, "untrained", number), SIZE)
    return Experience.none(rules, [each.genome for each in waves], programs)

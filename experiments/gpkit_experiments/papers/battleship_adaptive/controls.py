"""Controls of the paper on the adaptive player: waves at random, and a player that forgets each game.

The series are kept, from seed 45,002 on; without memory and with it they are of the same deals.
"""

from functools import partial

from gpkit.core.statistics import Interval
from gpkit.evolution.problem import Executor
from gpkit_experiments.papers.battleship_adaptive.breeding import bred_waves
from gpkit_experiments.papers.battleship_adaptive.densities import densities
from gpkit_experiments.papers.battleship_adaptive.recorded import WINS, record
from gpkit_experiments.papers.battleship_adaptive.waves import READINGS
from gpkit_experiments.papers.controls import Control
from gpkit_experiments.papers.units import mean_interval


def _forgetting(name: str, _seed: int, _executor: Executor) -> Interval:
    return mean_interval(record("opponents")[name]["without, 11"], support=(0.0, 1.0))


def _random(pattern: str, generations: int, seed: int, _executor: Executor) -> Interval:
    """The correlation of the best of as many random waves with a density of 100,000 fleets."""
    density = densities(seed, 100_000)[pattern]
    best = [bred_waves(density, generations, seed * 1000 + run, "random") for run in range(10)]
    return mean_interval(best, support=(-1.0, 1.0))


CONTROLS = (
    *(
        Control(
            table,
            quantity,
            "evolution: as many random waves",
            "runs",
            45_103,
            partial(_random, pattern, generations),
            is_slow=True,
        )
        for table, quantity, pattern, generations in (
            *(
                (
                    f"Section III.B, correlation with random fleets, {reading}",
                    f"generation {generations}",
                    "uniform",
                    generations,
                )
                for reading, generations in (
                    (READINGS["bins"], 50),
                    (READINGS["bins"], 300),
                    (READINGS["apart"], 300),
                )
            ),
            *(
                (
                    "Section III.B, correlation after 50 generations",
                    f"{name}, {reading}",
                    pattern,
                    50,
                )
                for name, pattern, reading in (
                    ("random", "uniform", READINGS["bins"]),
                    ("bottom wall", "wall", READINGS["bins"]),
                    ("bottom wall", "wall", READINGS["apart"]),
                )
            ),
        )
    ),
    *(
        Control(
            WINS,
            name,
            "memory: games do not influence each other",
            "series",
            45_002,
            partial(_forgetting, name),
        )
        for name in record("opponents")
    ),
)

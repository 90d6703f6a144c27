"""Controls of the paper on the adaptive player: it forgets each game, and plays on the same deals.

The series are kept, from seed 45,002 on.
"""

from functools import partial

from gpkit.core.statistics import Interval
from gpkit.evolution.problem import Executor
from gpkit_experiments.papers.battleship_adaptive.recorded import WINS, record
from gpkit_experiments.papers.controls import Control
from gpkit_experiments.papers.units import mean_interval


def _forgetting(name: str, _seed: int, _executor: Executor) -> Interval:
    return mean_interval(record("opponents")[name]["without, 11"], support=(0.0, 1.0))


CONTROLS = tuple(
    Control(
        WINS, name, "memory: games do not influence each other", "series", 45_002, partial(_forgetting, name)
    )
    for name in record("opponents")
)

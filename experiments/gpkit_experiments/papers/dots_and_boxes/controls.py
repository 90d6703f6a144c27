"""Controls of the paper on the accessibility learner: rules are deleted by Q alone, and nothing else is changed."""

from collections.abc import Callable

from gpkit.core.statistics import Interval
from gpkit.evolution.problem import Executor
from gpkit_experiments.learning_runs import results
from gpkit_experiments.papers.controls import Control
from gpkit_experiments.papers.dots_and_boxes.habits import Habits
from gpkit_experiments.papers.dots_and_boxes.readings import TOGETHER
from gpkit_experiments.papers.dots_and_boxes.source_rows import plays_into_chain, rate_interval

SEED = 17_101
"""The first of the seeds of the runs, which are kept."""

COMMON = "among the five of greatest f"


def _by_quality(share: Callable[[Habits], float]) -> Callable[[int, Executor], Interval]:
    """A share of the rules that deletion by Q alone has after 100,000 games, by run."""
    return lambda _seed, _executor: rate_interval([share(one.habits) for one in results()[TOGETHER]])


CONTROLS = tuple(
    Control(
        table,
        quantity,
        "f apart from Q: rules are deleted by Q alone, 100,000 games",
        "runs",
        SEED,
        _by_quality(share),
    )
    for table, quantity, share in (
        (
            "Rules after 100,000 games, by 2,000 classes of positions",
            "constant: rules that match in 1 % of them or more",
            lambda habits: habits.general or 0.0,
        ),
        *(
            ("Rules of the source", f"{schedule}: runs in which a rule that {does} is {COMMON}", share)
            for schedule in ("constant", "rising-20", "rising-10")
            for does, share in (
                ("completes a box", lambda habits: float(habits.completing > 0)),
                (
                    "plays into a long chain",
                    lambda habits: float(any(map(plays_into_chain, habits.commonest))),
                ),
            )
        ),
    )
)

"""Controls of the paper on the accessibility learner: rules are deleted by Q alone, and nothing else is changed.

The runs are kept, from seed 17,101 on, and the rows are made of them as they are of the runs in whose place they stand.
"""

from functools import cache, partial

from gpkit.core.statistics import Interval
from gpkit.evolution.problem import Executor
from gpkit_experiments.learning_runs import results
from gpkit_experiments.papers.controls import Control
from gpkit_experiments.papers.dots_and_boxes.further_rows import source_rows, specificity_rows
from gpkit_experiments.papers.dots_and_boxes.runs import APART, SCHEDULES, TOGETHER


@cache
def by_quality() -> dict[tuple[str, str], Interval]:
    """Intervals of the rows, by table and quantity, on runs in which rules are deleted by Q alone."""
    runs = results()[TOGETHER]
    swapped = {**dict.fromkeys(SCHEDULES, runs), APART: runs, TOGETHER: runs}
    rows = (*source_rows(swapped), *specificity_rows(swapped))
    return {(row.table, row.quantity): row.measured for row in rows}


def _measured(table: str, quantity: str, _seed: int, _executor: Executor) -> Interval:
    return by_quality()[table, quantity]


CONTROLS = tuple(
    Control(
        *place,
        "f apart from Q: rules are deleted by Q alone, 100,000 games",
        "runs",
        17_101,
        partial(_measured, *place),
    )
    for place in (
        (
            "Rules after 100,000 games, by 2,000 classes of positions",
            "constant: rules that match in 1% of them or more",
        ),
        *(
            (table, schedule + words)
            for table, words in (
                ("Share of decisions in which a rule acts", ", its worst run"),
                (
                    "Course of the share of wins while learning",
                    ": the worst run at its end, as a share of its own best",
                ),
                ("Course of the share of wins while learning", ": the worst run at its end"),
                (
                    "Rules of the source",
                    ": runs in which a rule that completes a box is among the five of greatest f",
                ),
                (
                    "Rules of the source",
                    ": runs in which a rule that plays into a long chain is among the five of greatest f",
                ),
                ("Sum of all f, as a share of rules used in a game / forgetting", ""),
            )
            for schedule in SCHEDULES
        ),
    )
)

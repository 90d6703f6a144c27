"""Controls of the paper on the accessibility learner: rules are deleted by Q alone, and nothing else is changed.

The runs are kept, from seed 17,101 on, and the rows are made of them as they are of the runs in whose place they stand.
Longer runs of open rows have seeds from 17,301 on.
"""

from collections.abc import Callable, Iterable
from functools import cache, partial

from gpkit.core.statistics import Interval
from gpkit.evolution.problem import Executor
from gpkit_experiments.learning_runs import results
from gpkit_experiments.papers.controls import Control, picked
from gpkit_experiments.papers.dots_and_boxes.further_rows import (
    Results,
    ease_rows,
    literal_rows,
    source_rows,
    specificity_rows,
)
from gpkit_experiments.papers.dots_and_boxes.paper import EFFORTS, further_jobs
from gpkit_experiments.papers.dots_and_boxes.runs import APART, EASE, LITERAL, SCHEDULES, TOGETHER, run
from gpkit_experiments.papers.paper import Row


@cache
def by_quality() -> dict[tuple[str, str], Interval]:
    """Intervals of the rows, by table and quantity, on runs in which rules are deleted by Q alone."""
    runs = results()[TOGETHER]
    swapped = {**dict.fromkeys(SCHEDULES, runs), APART: runs, TOGETHER: runs}
    rows = (*source_rows(swapped), *specificity_rows(swapped))
    return {(row.table, row.quantity): row.measured for row in rows}


def _measured(table: str, quantity: str, _seed: int, _executor: Executor) -> Interval:
    return by_quality()[table, quantity]


FIRST_SEED = 17_301


def _again(
    name: str,
    rows: Callable[[Results], Iterable[Row]],
    place: tuple[str, str],
    count: int,
    seed: int,
    _executor: Executor,
) -> Interval:
    """A row of the runs of a name, by new runs."""
    (job,) = [job for job in further_jobs(EFFORTS["full"], seed) if job.name == name]
    found = [run(*job.item(number)) for number in range(seed, seed + count)]
    return picked(rows({name: found}), *place)


LONGER = tuple(
    Control(*place, "", "runs", FIRST_SEED, partial(_again, name, rows, place, units), True, units)
    for name, rows, place, units in (
        (
            EASE["greedy"],
            ease_rows,
            (
                "Opponents of other strength, constant after 100,000 games",
                "greedy: share of wins while learning, less that of the first 1,000 games",
            ),
            10,
        ),
        *(
            (
                LITERAL[schedule],
                literal_rows,
                (
                    "Parents drawn from all rules, after 1,000,000 games",
                    f"{schedule}, share of wins while learning",
                ),
                units,
            )
            for schedule, units in (("rising-20", 5), ("constant", 10))
        ),
    )
)

CONTROLS = LONGER + tuple(
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

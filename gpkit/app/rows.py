"""Accuracies of champions of runs on rows: the shares of rows that they put into their classes."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from gpkit.core.statistics import Interval, mean_interval
from gpkit.evolution.resolved import RowsRun
from gpkit.evolution.rows import hits

HELD_OUT, LEARNED, COMMONEST = (
    "held-out rows",
    "rows learned from",
    "held-out rows, always the commonest class",
)


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Accuracy on some rows: which ones, and the share of them that came into their class, the row being the unit."""

    rows: str
    interval: Interval

    def to_json(self) -> dict[str, Any]:
        """The result as JSON values."""
        return {
            "rows": self.rows,
            "metric": "accuracy",
            "mean": self.interval.mean,
            "ci95": [self.interval.low, self.interval.high],
            "count": self.interval.units,
        }


def accuracies(program: Any, run: RowsRun) -> tuple[Accuracy, ...]:
    """The accuracies of a program: on held-out rows, on the others, and beside it that of the commonest class."""
    learned, hidden = run.parts
    right = {LEARNED: hits(program, learned)}
    if len(hidden.targets):
        names, counts = np.unique(learned.targets, return_counts=True)
        hidden_right = hits(program, hidden)
        right = {HELD_OUT: hidden_right, **right, COMMONEST: hidden.targets == names[np.argmax(counts)]}
    return tuple(Accuracy(rows, mean_interval(each, support=(0.0, 1.0))) for rows, each in right.items())

"""Fits: the program that a run found for a table, its front, how well it predicts, and where it errs most."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.app.players import Named
from gpkit.app.predictions import Predictor, metrics_of, predictor_of
from gpkit.data.features import sources
from gpkit.data.metrics import Metric
from gpkit.evolution.diary import RunResult, champion_text
from gpkit.evolution.fit_run import FitRun, Rows
from gpkit.evolution.front_table import FrontTable

LEARNED, HELD_OUT = "learned", "held_out"
"""Parts of the rows: those that the program was fitted to, and those that no part of the fit has seen."""

TITLES = {LEARNED: "rows learned from", HELD_OUT: "held-out rows"}

WORST = 5
"""Rows that are shown where a program errs most."""


@dataclass(frozen=True, slots=True)
class Miss:
    """Row for which a prediction is far off.

    Attributes:
        place: of the row, in words.
        target: what is true; predicted: what the program says.
        share: of classes the probability that the program gives to the true one; of numbers NaN.
        inputs: the cells of the columns that the program reads, by name.
    """

    place: str
    target: str
    predicted: str
    share: float
    inputs: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Fit:
    """Result of a fit.

    Attributes:
        run: what was fitted to what.
        named: the program.
        front: programs of all sizes that none is better than; None for a run without one.
        metrics: by part of the rows.
        misses: rows that the program errs most for, of those held out if there are any; the worst first.
    """

    run: FitRun
    named: Named
    front: FrontTable | None
    metrics: Mapping[str, tuple[Metric, ...]]
    misses: tuple[Miss, ...]

    def to_json(self) -> dict[str, Any]:
        """The result as JSON values."""
        known, fit = self.run.known, self.run.config.fit
        return {
            "data": fit.file,
            "target": fit.target,
            "task": fit.task,
            "classes": list(known.classes),
            "rows": {
                LEARNED: len(known.learned.table),
                HELD_OUT: len(known.hidden.table),
                "dropped": known.dropped,
            },
            "left_out": dict(known.encoding.left_out),
            "program": self.named.source.text,
            "front": [] if self.front is None else self.front.to_json()["members"],
            "chosen": None if self.front is None else self.front.chosen,
            "metrics": {part: [metric.to_json() for metric in found] for part, found in self.metrics.items()},
            "misses": [
                {"place": m.place, "target": m.target, "predicted": m.predicted, "inputs": dict(m.inputs)}
                for m in self.misses
            ],
        }


def fit_of(run: FitRun, result: RunResult[Any], name: str) -> Fit:
    """The result of a run that has ended.

    Args:
        run: with its rows.
        result: how it ended.
        name: of the program.
    """
    text = champion_text(result.champion, run.representation, run.header)
    named = Named(name, run.language.parse(text, name), run.language)
    predictor, known = predictor_of(named), run.known
    target, parts = run.config.fit.target, {LEARNED: known.learned, HELD_OUT: known.hidden}
    metrics = {
        part: metrics_of(predictor, rows.table, target, rows.weights if _differ(rows.weights) else None)
        for part, rows in parts.items()
        if len(rows.table)
    }
    shown = known.hidden if len(known.hidden.table) else known.learned
    return Fit(run, named, result.front, metrics, misses_of(predictor, shown, target))


def _differ(weights: NDArray[np.float64]) -> bool:
    return bool((weights != weights[0]).any())


def misses_of(predictor: Predictor, rows: Rows, target: str, count: int = WORST) -> tuple[Miss, ...]:
    """The rows for which a program is farthest off, the worst first; of classes, those that it takes for another.

    Args:
        predictor: the program.
        rows: to look at.
        target: the column with what is true.
        count: the most rows.
    """
    table, true = rows.table, rows.table.column(target).texts()
    predicted = predictor.predicted(table)
    shares = np.full(len(table), np.nan)
    if predictor.classes:
        shares = predictor.shares(table)[np.arange(len(table)), rows.targets.astype(np.int64)]
        badness = np.where(predicted.astype(str) == true.astype(str), -1.0, 1.0 - shares)
    else:
        badness = np.abs(predicted.astype(np.float64) - rows.targets)
    order = [row for row in np.argsort(-badness, kind="stable")[:count].tolist() if badness[row] > 0.0]
    inputs = {name: table.column(name).texts() for name in sources(predictor.columns, table)}
    return tuple(
        Miss(
            table.place_of(row),
            str(true[row]),
            str(predicted[row]) if predictor.classes else f"{predicted[row]:.6g}",
            float(shares[row]),
            {name: str(texts[row]) for name, texts in inputs.items()},
        )
        for row in order
    )

"""The importance of each column for a fitted program."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gpkit.analysis.predictions import Predictor, predictor_of
from gpkit.core.rng import stream
from gpkit.data.table import Table
from gpkit.evolution.setup import Run
from gpkit.evolution.table_subject import TableSubject
from gpkit.playing.named import Named


def importances(run: Run[TableSubject], columns: Sequence[str], named: Named) -> NDArray[np.float64]:
    """Each column's share of the total reduction of the loss; the shares add up to 1, or are all 0: float64 (columns,).

    A column's reduction is the amount by which shuffling its values increases the loss (L. Breiman, "Random Forests",
    2001).

    Args:
        run: the run, with the rows that the program was fitted to.
        columns: the names of the columns.
        named: the program.
    """
    predictor, rows = predictor_of(named), run.subject.known.learned
    least = _loss(predictor, rows.table, rows.targets, rows.weights)
    found = np.zeros(len(columns))
    for place, name in enumerate(columns):
        deal = stream(run.config.seed, "importance", place).permutation(len(rows.table))
        dealt = tuple(each.part(deal) if each.name == name else each for each in rows.table.columns)
        table = replace(rows.table, columns=dealt)
        found[place] = max(0.0, _loss(predictor, table, rows.targets, rows.weights) - least)
    total = float(found.sum())
    return found / total if 0.0 < total < np.inf else np.zeros(len(columns))


def _loss(
    predictor: Predictor, table: Table, targets: NDArray[np.float64], weights: NDArray[np.float64]
) -> float:
    """The mean squared error, or for classes the mean log loss."""
    with np.errstate(all="ignore"):
        values = predictor.values(table)
        if predictor.facts.labels:
            shares = predictor.shares(values)[np.arange(len(table)), targets.astype(np.int64)]
            losses = -np.log(np.maximum(shares, 1e-15))
        else:
            losses = (predictor.predicted(values).astype(np.float64) - targets) ** 2
        return float(np.average(losses, weights=weights))

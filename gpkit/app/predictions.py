"""Predictions of programs for the rows of tables: by programs that a fit found, and by those that a person wrote."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.app.players import Named
from gpkit.app.values import Function, function_of
from gpkit.core.diagnostics import SourceError, shortened
from gpkit.core.errors import UsageError
from gpkit.data.features import feature_columns
from gpkit.data.metrics import Measure, classification_metrics, regression_metrics
from gpkit.data.table import Table

PREFIX = "env."
"""May stand before the name of a column in a program."""


@dataclass(frozen=True, slots=True)
class Predictor:
    """Program that predicts a value for each row of a table.

    Attributes:
        name: of the program.
        function: what it computes.
        classes: names of the classes, in order; empty where numbers, or the words of leaves, are predicted.
        fills: what stands in the gaps of columns of numbers, by column.
        is_sure: whether it is a tree, whose leaves name what is predicted.
    """

    name: str
    function: Function
    classes: tuple[str, ...]
    fills: Mapping[str, float]
    is_sure: bool

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of columns, and of their features, that the program reads."""
        return tuple(name.removeprefix(PREFIX) for name in self.function.inputs)

    def values(self, table: Table) -> NDArray[Any]:
        """Values of each section of the program: float64 (sections, rows), or objects (sections, rows).

        Raises:
            UsageError: the table lacks a column, or a formula has nothing for its gaps.
        """
        if not self.is_sure:
            self._check_gaps(table)
        columns = feature_columns(self.columns, table, self.fills)
        found: NDArray[Any] = np.array([part(columns) for part in self.function.parts.values()])
        return found

    def _check_gaps(self, table: Table) -> None:
        """Refuse gaps in columns of numbers for which the header has no value.

        Raises:
            UsageError: there is such a gap.
        """
        for name in self.columns:
            column = table.column(name) if name in table.names and name not in self.fills else None
            if column is not None and column.words is None and column.empty.any():
                usual = "0.0" if column.empty.all() else f"{np.nanmedian(column.values):g}"
                raise UsageError(
                    f"{table.place_of(int(np.argmax(column.empty)))}: `{name}` is empty, and {self.name} has no value "
                    f"for gaps; add it to the first lines of the program: // fills: {json.dumps({name: float(usual)})}"
                )

    def predicted(self, table: Table) -> NDArray[Any]:
        """The prediction for each row: float64 (rows,), or of classes their names, objects (rows,).

        Raises:
            UsageError: the table lacks a column.
        """
        values = self.values(table)
        if self.is_sure or not self.classes:
            first: NDArray[Any] = values[0]
            return first
        named: NDArray[Any] = np.array(self.classes, dtype=object)[shares_of(values).argmax(axis=1)]
        return named

    def shares(self, table: Table) -> NDArray[np.float64]:
        """The probability of each class for each row: float64 (rows, classes); of trees 0 or 1.

        Raises:
            UsageError: the table lacks a column, or the program predicts no classes.
        """
        if not self.classes:
            raise UsageError(f"{self.name} predicts numbers, and no probabilities of classes")
        if not self.is_sure:
            return shares_of(self.values(table))
        predicted = self.predicted(table).astype(str)
        return np.array([predicted == name for name in self.classes], dtype=np.float64).T


def shares_of(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities of classes from logarithms of odds: float64 (rows, classes), from float64 (formulas, rows).

    One formula tells the odds of the second of two classes; several tell each its class from all others, and what they
    give is scaled to add up to 1. NaN are even odds.
    """
    odds = np.nan_to_num(values, nan=0.0, posinf=700.0, neginf=-700.0)
    each = 0.5 * (1.0 + np.tanh(0.5 * odds))
    shares = np.stack([1.0 - each[0], each[0]]) if len(each) == 1 else each
    total = shares.sum(axis=0)
    found: NDArray[np.float64] = np.where(
        total > 0.0, shares / np.where(total > 0.0, total, 1.0), 1.0 / len(shares)
    ).T
    return found


def predictor_of(named: Named) -> Predictor:
    """The predictor that a program is, by the lines ``classes`` and ``fills`` of its header.

    Raises:
        UsageError: programs of its language compute nothing without a game, or its header is damaged.
        SourceError: it has an error.
    """
    source = named.source
    for finding in named.language.check(source, None):
        if finding.severity == "error":
            raise SourceError(finding, source.text, source.filename)
    function = function_of(named)
    classes = _header(named, "classes", list)
    fills = _header(named, "fills", dict)
    count = len(function.parts)
    if not all(isinstance(name, str) for name in classes) or not all(
        isinstance(fill, int | float) for fill in fills.values()
    ):
        raise UsageError(f"{named.spec}: its lines `classes` and `fills` are names, and numbers by column")
    expected = 1 if len(classes) in (0, 2) or named.language.classify is not None else len(classes)
    if count != expected:
        raise UsageError(
            f"{named.spec} has {count} section{'s' * (count != 1)}; expected {expected} for "
            + (f"{len(classes)} classes" if classes else "a prediction")
        )
    numbers = {name: float(fill) for name, fill in fills.items()}
    return Predictor(named.spec, function, tuple(classes), numbers, named.language.classify is not None)


def _header(named: Named, key: str, kind: type) -> Any:
    """The value of a line of the header, which is JSON; empty where it has none.

    Raises:
        UsageError: it is not.
    """
    text = named.source.header.get(key)
    if text is None:
        return kind()
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, kind):
        raise UsageError(f"{named.spec}: its line `{key}: {shortened(text)}` is not as gpkit fit writes it")
    return found


def metrics_of(
    predictor: Predictor, table: Table, target: str, weights: NDArray[np.float64] | None = None
) -> tuple[Measure, ...]:
    """Metrics of predictions for the rows that have a target; of trees, which are sure of all, no log loss.

    Args:
        predictor: the program.
        table: the rows.
        target: the column with what is true.
        weights: of the rows, float64 (rows,); None for equal ones.

    Raises:
        UsageError: the table lacks a column, no row has a target, or it holds other classes, or words for numbers.
    """
    column = table.column(target)
    said = ~column.empty
    if not said.any():
        raise UsageError(f"no row of {table.source} has a `{target}`")
    rows, column = table.part(said), column.part(said)
    weights = None if weights is None else weights[said]
    predicted = predictor.predicted(rows)
    if predicted.dtype != object:
        if column.words is not None:
            text = column.texts()[0]
            raise UsageError(
                f"{rows.place_of(0)}: the column `{target}` is {text!r}, and {predictor.name} predicts numbers"
            )
        return regression_metrics(column.values, predicted, weights)
    texts = column.texts()
    classes = predictor.classes or tuple(sorted({*map(str, predicted), *texts}))
    true, chosen = _places(texts, classes), _places(predicted, classes)
    if -1 in true:
        row = int(np.argmax(true == -1))
        raise UsageError(
            f"{rows.place_of(row)}: the column `{target}` is {texts[row]!r}; expected one of {', '.join(classes)}"
        )
    if predictor.is_sure:
        return classification_metrics(true, np.eye(len(classes))[chosen], chosen, weights)[:2]
    return classification_metrics(true, predictor.shares(rows), chosen, weights)


def _places(texts: NDArray[Any], classes: tuple[str, ...]) -> NDArray[np.int64]:
    places = {name: place for place, name in enumerate(classes)}
    return np.array([places.get(str(text), -1) for text in texts.tolist()], dtype=np.int64)

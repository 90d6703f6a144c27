"""Predictions of programs for the rows of tables, and comparisons between two programs."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.analysis.results import difference_told
from gpkit.analysis.values import Function, function_of
from gpkit.core.arrays import Floats, Ints
from gpkit.core.diagnostics import listed, shortened, suggestion
from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK, UsageError
from gpkit.core.layout import Note, Sheet, Tabular
from gpkit.core.statistics import Verdict
from gpkit.core.wording import counted
from gpkit.data.features import (
    PREFIX,
    Facts,
    Label,
    check_counts,
    check_sections,
    chosen_of,
    class_order,
    classes_of,
    facts_of,
    feature_columns,
    label_name,
    resolved_task,
    shares_of,
    sources,
    strange_words,
    unsquarable,
)
from gpkit.data.losses import SQUARES, RowLoss, is_known, margin_of, row_loss
from gpkit.data.metrics import (
    BELOW,
    CONSTANT,
    Difference,
    Estimate,
    classification_estimates,
    loss_estimates,
    regression_estimates,
)
from gpkit.data.splits import groups_of
from gpkit.data.table import Column, Table, is_number, number_text
from gpkit.evolution.fitting import Loss, scales_of
from gpkit.evolution.table_subject import FitRows
from gpkit.langkit.language import check_source
from gpkit.playing.named import Named


@dataclass(frozen=True, slots=True)
class Predictor:
    """A program that predicts a value for each row of a table.

    Attributes:
        name: the name of the program.
        function: the function that the program computes.
        facts: facts about the data that the program was fitted to.
        leaves: the leaves of a tree, whose probabilities are only 0 and 1; empty for a formula.
    """

    name: str
    function: Function
    facts: Facts
    leaves: tuple[str | float, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns and features that the program reads."""
        return tuple(name.removeprefix(PREFIX) for name in self.function.inputs)

    def words_for(self, target: str | None = None) -> frozenset[str]:
        """The columns that the program reads as words, even if their cells look like numbers.

        Args:
            target: the column to predict. Its cells are words if a class is a word that looks like a number, or if a
                leaf is such a word and gpkit would write the number in another way, such as ``01``.
        """
        labels = [
            label for label in self.facts.labels or self.leaves if isinstance(label, str) and is_number(label)
        ]
        is_own = any(self.facts.labels or number_text(float(label)) != label for label in labels)
        own = {target} if target is not None and is_own else set()
        return frozenset({*self.facts.words, *own})

    def values(self, table: Table) -> NDArray[Any]:
        """The values of each section of the program: float64 (sections, rows), or objects (sections, rows).

        Raises:
            UsageError: the table lacks a column, or a formula has no value for empty cells.
        """
        columns = feature_columns(self.columns, table, self.facts.fills)
        if not self.leaves and (gaps := np.isnan(columns)).any():
            holes = {name: each for name, each in zip(self.columns, gaps, strict=True) if each.any()}
            usual = {
                name: float("0.0" if holes[name].all() else f"{np.nanmedian(values):g}")
                for name, values in zip(self.columns, columns, strict=True)
                if name in holes
            }
            first = next(iter(holes))
            raise UsageError(
                f"{table.place_of(int(np.argmax(holes[first])))}: `{first}` is empty, and {self.name} has no value "
                f"for gaps; add the medians to the first lines of the program: // fills: {json.dumps(usual)}"
            )
        return np.array([part(columns) for part in self.function.parts.values()])

    def predicted(self, values: NDArray[np.generic]) -> NDArray[Any]:
        """The prediction for each row: float64 (rows,), or the class labels (rows,) in their own type.

        Args:
            values: the values of the sections, as ``values`` returns them.

        Raises:
            UsageError: a leaf is not one of the classes.
        """
        labels = self.facts.labels
        if not labels:
            first: NDArray[Any] = values[0]
            return first
        kinds = set(map(type, labels))
        is_plain = len(kinds) == 1 and kinds <= {bool, int, float}
        dtype = next(iter(kinds)) if is_plain and max(map(abs, labels)) < 2**63 else object  # type: ignore[arg-type]
        found: NDArray[Any] = np.array(labels, dtype=dtype)[self.chosen(values)]
        return found

    def chosen(self, values: NDArray[Any]) -> Ints:
        """The index of the predicted class for each row: int64 (rows,).

        Args:
            values: the values of the sections.

        Raises:
            UsageError: a leaf is not one of the classes.
        """
        if not self.leaves:
            return chosen_of(values)
        classes, leaves = self.facts.classes, values[0].tolist()
        names = {leaf: label_name(leaf) for leaf in leaves}
        for name in names.values():
            if name not in classes:
                raise UsageError(
                    f"{self.name}: its leaf `{name}` is not one of the classes {listed(classes)}; "
                    f"{suggestion(name, classes)}"
                )
        places = {leaf: classes.index(name) for leaf, name in names.items()}
        return np.array([places[leaf] for leaf in leaves], dtype=np.int64)

    def strange(self, table: Table) -> dict[tuple[str, str], int]:
        """For each word in a column that the program has not learned, the number of rows with this word."""
        read = sources(self.columns, table)
        return strange_words(table, {name: words for name, words in self.facts.words.items() if name in read})

    def shares(self, values: NDArray[Any]) -> Floats:
        """The probability of each class for each row: float64 (rows, classes); for trees, it is 0 or 1.

        Args:
            values: the values of the sections.

        Raises:
            UsageError: a leaf is not one of the classes, or the program predicts numbers.
        """
        if not self.facts.labels:
            words = sorted({leaf for leaf in self.leaves if isinstance(leaf, str)})
            fix = f"add to its first lines: // classes: {json.dumps(words, ensure_ascii=False)}"
            what = (
                f"does not say what the classes are; {fix}" if words else "predicts numbers, and no classes"
            )
            raise UsageError(f"{self.name} {what}")
        return np.eye(len(self.facts.labels))[self.chosen(values)] if self.leaves else shares_of(values)

    def _unlearned(self, target: Column) -> tuple[str, ...]:
        """A sentence about rows with classes that the program has not learned; empty if there is nothing to report."""
        texts = [text for text in target.texts().tolist() if text]
        rows = [text for text in texts if text not in self.facts.classes]
        ends = ("has", "counts as an error") if len(rows) == 1 else ("have", "count as errors")
        what = (
            f"{ends[0]} a class that {self.name} has not learned ({listed(sorted({*rows}))}), and {ends[1]}"
        )
        return (
            (f"{counted(len(rows), 'row')} of `{target.name}` {what}",) if 0 < len(rows) < len(texts) else ()
        )

    def _as(self, task: str, labels: tuple[Label, ...]) -> "Predictor":
        return replace(self, facts=replace(self.facts, task=task, labels=labels))

    def of_target(self, target: Column, task: str | None = None) -> tuple["Predictor", tuple[str, ...]]:
        """A predictor for a column, and sentences about its assumptions.

        If a program does not state whether it predicts numbers or classes, the column decides, as in ``gpkit fit``. For
        classes, the leaves of a tree are classes, and a formula gives the log odds of the second of two classes.

        Args:
            target: the column to predict.
            task: replaces the task that the program names.

        Raises:
            UsageError: the column is empty, its numbers cannot be squared, or the program cannot predict its classes.
        """
        if target.empty.all():
            raise UsageError(f"no row has a `{target.name}`")
        known = task or self.facts.task or ("classification" if self.facts.labels else "")
        names = classes_of(target)
        is_truth = target.kind == "truth"
        if is_truth or (target.words is None and {*names} <= {"0", "1"}):
            names = ("False", "True") if is_truth else ("0", "1")
        leaves = set(map(label_name, self.leaves))
        has_words = any(isinstance(leaf, str) for leaf in self.leaves)
        is_number = target.words is None and not known and (leaves - {*names} if leaves else len(names) != 2)
        meant = known or resolved_task("auto", target)
        if meant == "regression" or (is_number and not has_words):
            if reason := unsquarable(target):
                raise UsageError(reason)
            doubted = meant != "regression" and not leaves
            note = (
                f"`{target.name}` has {len(names)} classes, which one formula cannot distinguish: "
                "it is read as a number"
            )
            return self._as("regression", ()), (note,) if doubted else ()
        if self.facts.labels:
            return self._as(meant, self.facts.labels), self._unlearned(target)
        if leaves and not leaves & {*names}:
            raise UsageError(
                f"`{target.name}` is one of {listed(names)}, and {self.name} predicts {listed(sorted(leaves))}"
            )
        labels = [target.label_of(n) if n in names else n for n in sorted({*names, *leaves}, key=class_order)]
        there = self._as(meant, tuple(labels))
        if leaves:
            note = f"`{target.name}` is read as classes, because all leaves are numbers in it"
            told = not known and not has_words
        elif len(names) == 2:
            told = not task
            note = (
                f"{self.name} is read as the log odds that `{target.name}` is {names[1]} and not {names[0]}"
            )
        else:
            raise UsageError(
                f"{self.name} does not say which of the {len(names)} classes of `{target.name}` its values are for; "
                f"add to its first lines: // classes: {json.dumps(there.facts.labels, ensure_ascii=False)}"
            )
        return there, (f"{note}; for numbers: --task regression",) if told else ()


@dataclass(frozen=True, slots=True)
class Band:
    """Prediction intervals from split conformal prediction, which show how far targets may lie from their predictions.

    Attributes:
        level: the probability, between 0 and 1, that an interval contains the target of a new row.
        margin: half the width of an interval; for counts, relative to the square root of the prediction.
        is_count: whether the target is a count.
        rows: the number of held-out rows from which the margin was computed.
    """

    level: float
    margin: float
    is_count: bool
    rows: int

    def ends(self, predicted: Floats) -> Floats:
        """The intervals, float64 (2, rows), around the predictions, float64 (rows,)."""
        reach = self.margin * _unit(predicted, self.is_count)
        low = predicted - reach
        return np.stack([np.maximum(low, 0.0) if self.is_count else low, predicted + reach])

    def __str__(self) -> str:
        """A sentence about the share of new rows that the intervals contain."""
        spread = 1.96 * math.sqrt(self.level * (1.0 - self.level) / (self.rows + 2.0))
        low, high = max(self.level - spread, 0.0), min(self.level + spread, 1.0)
        return (
            f"intervals from the errors on {counted(self.rows, 'held-out row')} hold {self.level:.4g} of new rows of "
            f"the same kind on average; with so few rows, {low:.3f} to {high:.3f}"
        )


def _unit(predicted: Floats, is_count: bool) -> Floats:
    return np.sqrt(np.maximum(predicted, 0.25)) if is_count else np.ones(len(predicted))


def band_of(predictor: Predictor, table: Table, targets: Floats, weights: Floats, level: float) -> Band:
    """The prediction intervals of a program, computed from rows that it was not fitted to.

    Args:
        predictor: the program.
        table: the rows.
        targets, weights: float64 (rows,) each.
        level: the probability, between 0 and 1.

    Raises:
        UsageError: the program predicts classes or a quantile, or there are too few rows.
    """
    facts = predictor.facts
    if facts.labels or facts.loss.partition(":")[0] == "quantile":
        what = (
            "classes, which have probabilities" if facts.labels else "a quantile, which is an end by itself"
        )
        raise UsageError(f"{predictor.name} predicts {what}; intervals are for means and medians of numbers")
    is_count = facts.loss == "poisson"
    predicted = predictor.values(table)[0] if len(table) else np.zeros(0)
    scores = np.abs(targets - predicted) / _unit(predicted, is_count)
    return Band(level, margin_of(scores, weights, level), is_count, len(table))


def predictor_of(named: Named) -> Predictor:
    """The predictor for a program, based on the lines ``classes`` and ``fills`` of its header.

    Raises:
        UsageError: programs in its language compute nothing without a game, or its header is damaged.
        SourceError: the program has an error.
    """
    source = named.source
    if "game" in source.header:
        raise UsageError(f"{named.spec} is a program for {source.header['game']}, so it predicts no column")
    check_source(named.language, source, None)
    function, facts = function_of(named), facts_of(source.header, named.spec)
    predictor = predictor_by(facts, named, function)
    check_sections(facts, len(function.parts), named.spec, is_tree=bool(predictor.leaves))
    return predictor


def predictor_by(facts: Facts, named: Named, function: Function) -> Predictor:
    """The predictor for a program without errors, from facts about its data and the function that it computes."""
    trees = named.source.program.trees if named.language.classify is not None else ()
    return Predictor(named.spec, function, facts, tuple(leaf for tree in trees for leaf in tree.leaves))


MOST_PRODUCTS = 1e9
"""The maximum number of multiplications (columns · columns · rows) for a linear model, which takes a few seconds."""


LINEAR_ROUNDS = 30
"""The number of rounds for fitting a linear model with a loss other than squared error."""


def linear_predictor(known: FitRows, loss: RowLoss | None = None) -> Predictor | None:
    """A linear model of all columns that a fit's programs may read, fitted to the same rows; None if it is too large.

    For numbers, the model minimises the loss, which is squared error by default. For classes, a logistic curve fitted
    by maximum likelihood turns the least-squares plane into probabilities. Two classes need one model; more classes
    need one each.
    """
    sample, facts = known.sample, known.facts
    if len(sample.inputs) ** 2 * len(sample.targets) > MOST_PRODUCTS:
        return None
    table, many = known.learned.table, len(facts.labels)
    medians = {name: float(np.nanmedian(table.column(name).values)) for name in facts.names if name in table}
    facts = replace(facts, fills={**medians, **facts.fills})
    columns, parts = feature_columns(facts.names, table, facts.fills), {}
    for place in range(many) if many > 2 else (1,):
        of_class = replace(
            sample, targets=(sample.targets == place).astype(np.float64) if many > 2 else sample.targets
        )
        kind: Loss = "logistic" if many else loss or "squares"
        slopes, scale = scales_of((columns, np.array([len(columns)])), of_class, kind, rounds=LINEAR_ROUNDS)
        parts[f"{place}"] = partial(_plane, slopes, scale[0, 0], loss)
    return Predictor("a linear model", Function(facts.names, parts), facts, ())


def _plane(slopes: Floats, intercept: float, loss: RowLoss | None, columns: Floats) -> Floats:
    values = np.asarray(intercept + (slopes[:, None] * columns).sum(axis=0))
    return values if loss is None else loss.predicted(values)


Confusion = dict[str, dict[str, int]]
"""The number of rows for each true and predicted class that occurs, in the order of the classes."""


def judged(
    predictor: Predictor,
    table: Table,
    target: str,
    values: NDArray[Any] | None = None,
    weights: Floats | None = None,
    group: str = "",
    loss: RowLoss | None = None,
) -> tuple[tuple[Estimate, ...], Confusion]:
    """Estimates of metrics for the rows with a target, and the confusion matrix; trees have no log loss.

    For numbers, the confusion matrix is empty.

    Args:
        predictor: the predictor for the target, as ``Predictor.of_target`` returns it.
        table: the rows.
        target: the column with the true values.
        values: the values of the program's sections for the rows, all of which must have a target; None to compute the
            values.
        weights: the weights of the rows, float64 (rows,); None means equal weights.
        group: the column whose values, such as people, are the units of intervals; empty if the rows are the units.
        loss: the loss for numbers; None means the loss that the program names, or squared error if gpkit does not know
            it.

    Raises:
        UsageError: the table lacks a column, or the target has other classes, or has words instead of numbers.
    """
    rows = table if values is not None else table.part(~table.column(target).empty)
    column = rows.column(target)
    true, classes = _places(predictor, rows, column) if predictor.facts.labels else (column.values, ())
    values = predictor.values(rows) if values is None else values
    if not classes:
        predicted = values[0]
        if column.words is not None or predicted.dtype == object:
            what = "numbers" if predicted.dtype != object else f"`{predicted[0]}`"
            raise UsageError(
                f"{rows.place_of(0)}: the column `{target}` is {column.texts()[0]!r}, and {predictor.name} predicts "
                f"{what}"
            )
        name = predictor.facts.loss
        loss = row_loss(name) if loss is None and is_known(name) else loss
        if loss is not None:
            if loss.is_log:
                check_counts(column, rows)
            return _together(loss_estimates(column.values, predicted, loss, weights), rows, group), {}
        return _together(regression_estimates(column.values, predicted, weights), rows, group), {}
    chosen = predictor.chosen(values)
    shares = np.zeros((len(rows), len(classes)))
    known = len(predictor.facts.labels)
    shares[:, :known] = np.eye(known)[chosen] if predictor.leaves else shares_of(values)
    confusion: Confusion = {}
    pairs, counts = np.unique(true * len(classes) + chosen, return_counts=True)
    for pair, count in zip(pairs.tolist(), counts.tolist(), strict=True):
        one, other = divmod(pair, len(classes))
        confusion.setdefault(classes[one], {})[classes[other]] = count
    estimates = classification_estimates(true, shares, chosen, weights)
    return _together(estimates[:2] if predictor.leaves else estimates, rows, group), confusion


def _together(estimates: tuple[Estimate, ...], rows: Table, group: str) -> tuple[Estimate, ...]:
    if not group:
        return estimates
    units = groups_of(rows.column(group))
    return tuple(each.together(units) for each in estimates)


def strangers(found: Mapping[tuple[str, str], int]) -> tuple[str, ...]:
    """Sentences about words that programs have not learned, given the number of rows for each column and word."""
    notes = []
    for name in dict.fromkeys(column for column, _ in found):
        words = {word: rows for (column, word), rows in found.items() if column == name}
        rows = sum(words.values())
        shown = ", ".join(f"`{shortened(word)}`" for word in list(words)[:3])
        more = f" and {len(words) - 3} more" if len(words) > 3 else ""
        notes.append(
            f"{counted(rows, 'row')} of `{name}` {'has' if rows == 1 else 'have'} words that were not learned from: "
            f"{shown}{more}; all `{name}_is_...` are 0 there"
        )
    return tuple(notes)


def _places(predictor: Predictor, rows: Table, column: Column) -> tuple[Ints, tuple[str, ...]]:
    """The index of each row's true class, int64 (rows,), and the classes; classes that were not learned come last.

    Raises:
        UsageError: the program has learned none of the rows' classes.
    """
    texts, names = column.texts().tolist(), predictor.facts.classes
    if not {*texts} & {*names}:
        raise UsageError(
            f"{rows.place_of(0)}: the column `{column.name}` is {texts[0]!r}; expected one of {listed(names)}"
        )
    classes = (*names, *sorted({*texts} - {*names}, key=class_order))
    places = {name: place for place, name in enumerate(classes)}
    return np.array([places[text] for text in texts], dtype=np.int64), classes


@dataclass(frozen=True, slots=True)
class ComparedRows(Tabular):
    """Two programs compared on the rows of a table.

    Attributes:
        first, second: the names of the programs.
        differences: the difference in each metric; the first one determines the verdict.
        data, target: the names of the table and of its target column.
        notes: sentences about what gpkit assumed about the programs.
    """

    first: str
    second: str
    differences: tuple[Difference, ...]
    data: str
    target: str
    notes: tuple[str, ...] = ()

    schema = "compare-rows"

    @property
    def exit_code(self) -> int:
        """The exit code of the command: 1 if the first program is worse."""
        return EXIT_FINDINGS if self.verdict == "worse" else EXIT_OK

    @property
    def verdict(self) -> Verdict:
        """The verdict on the first program, by R² or accuracy: ``better``, ``worse`` or ``not distinguished``."""
        return self.differences[0].verdict

    def to_rows(self) -> list[Mapping[str, object]]:
        """The differences as JSON values."""
        return [each.to_json() for each in self.differences]

    def to_json(self) -> dict[str, object]:
        """The comparison as JSON values."""
        return {
            "first": self.first,
            "second": self.second,
            "data": self.data,
            "target": self.target,
            "verdict": self.verdict,
            "results": self.to_rows(),
            "notes": list(self.notes),
        }

    def told(self) -> Iterator[str | Sheet]:
        """The notes, the table of differences, and the verdict."""
        yield from map(Note, self.notes)
        unit = self.differences[0].unit
        columns = ("metric", "first", "second", "difference", "95% interval", "first is", unit)
        cells = [
            (
                each.name,
                *(f"{mean:.4g}" for mean in (each.first.mean, each.second.mean)),
                *difference_told(each.difference, "+.4g"),
                each.verdict,
                f"{each.difference.units:,}",
            )
            for each in self.differences
        ]
        yield Sheet(
            columns, cells, right=("first", "second", "difference", unit), leave_out=(unit, "first is")
        )
        yield str(self)

    def __str__(self) -> str:
        """The verdict in a sentence."""
        decisive = self.differences[0]
        if self.verdict == "not distinguished":
            units = counted(decisive.difference.units, decisive.unit.removesuffix("s"))
            return f"{self.first} and {self.second} cannot be distinguished by {decisive.name} on {units}"
        by = f"by {abs(decisive.difference.mean):.4g} in {decisive.name}"
        return f"{self.first} is {self.verdict} than {self.second}, {by}"


def differences_of(first: Sequence[Estimate], second: Sequence[Estimate]) -> tuple[Difference, ...]:
    """The differences between two programs in the metrics that both have, from estimates for the same rows."""
    others = {each.name: each for each in second}
    pairs = [
        (each, others[each.name])
        for each in first
        if each.name in others and each.name not in (BELOW, CONSTANT)
    ]
    return tuple(
        Difference(one.name, one.measure.interval, other.measure.interval, one.less(other), one.unit)
        for one, other in pairs
    )


def _with_loss(predictor: Predictor, judge: Predictor) -> tuple[Predictor, tuple[str, ...]]:
    """The predictor with the loss of another predictor, and a sentence about the change if the two losses differ."""
    facts, loss = predictor.facts, judge.facts.loss
    note = f"both are judged by the loss of {judge.name}: {loss or SQUARES}"
    return replace(predictor, facts=replace(facts, loss=loss)), (note,) if facts.loss != loss else ()


def compared_on(
    first: Predictor,
    second: Predictor,
    tables: Sequence[Table],
    target: str,
    task: str | None = None,
    group: str = "",
) -> ComparedRows:
    """Compare the predictions of two programs, paired by row, for the rows that have a target.

    Args:
        first, second: the programs.
        tables: the rows as the first program reads them, and as the second program reads them.
        target: the column that both programs predict.
        task: replaces the tasks that the programs name, as in ``Predictor.of_target``.
        group: the column whose values, such as people, are the units of intervals; empty if the rows are the units.

    Raises:
        UsageError: one program predicts numbers and the other classes, numbers are too large, or ``judged`` raises the
            error.
    """
    column = tables[0].column(target)
    both = [
        each.of_target(table.column(target), task)
        for each, table in zip((first, second), tables, strict=True)
    ]
    (mine, told), (other, more) = both
    if bool(mine.facts.labels) != bool(other.facts.labels):
        numbers, classes = (other, mine) if mine.facts.labels else (mine, other)
        has_words = column.words is not None or any(isinstance(leaf, str) for leaf in classes.leaves)
        raise UsageError(
            f"{numbers.name} predicts numbers and {classes.name} classes; say what `{target}` is: "
            f"--task {'classification' if has_words else 'regression'}"
        )
    other, judged_by = _with_loss(other, mine)
    ours, others = (
        judged(each, table, target, group=group)[0] for each, table in zip((mine, other), tables, strict=True)
    )
    for predictor, found in ((mine, ours), (other, others)):
        if not np.isfinite(found[0].value):
            raise UsageError(
                f"{predictor.name} predicts numbers of `{target}` that are too large to be squared"
            )
    differences = differences_of(ours, others)
    decisive = differences[0].name
    constant = f"all rows have the same `{target}`, so R² is undefined: the verdict follows from {decisive}"
    alike = () if mine.facts.labels or decisive in ("r2", "d2") else (constant,)
    strange = (strangers(each.strange(table)) for each, table in zip((mine, other), tables, strict=True))
    notes = tuple(dict.fromkeys((*told, *more, *judged_by, *alike, *chain(*strange))))
    return ComparedRows(first.name, second.name, differences, tables[0].source, target, notes)

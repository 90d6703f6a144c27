"""Predictions of programs for the rows of tables: by programs that a fit found, and by those that a person wrote."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.analysis.values import Function, function_of
from gpkit.core.diagnostics import listed, shortened, suggestion
from gpkit.core.errors import UsageError
from gpkit.core.wording import counted
from gpkit.data.features import (
    PREFIX,
    Facts,
    Label,
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
from gpkit.data.metrics import Estimate, classification_estimates, regression_estimates
from gpkit.data.table import Column, Table, is_number, number_text
from gpkit.langkit.language import check_source
from gpkit.playing.named import Named


@dataclass(frozen=True, slots=True)
class Predictor:
    """Program that predicts a value for each row of a table.

    Attributes:
        name: of the program.
        function: what it computes.
        facts: on the data that it was fitted to.
        leaves: of a tree, which say what is predicted, and give no probabilities but 0 and 1; of formulas none.
    """

    name: str
    function: Function
    facts: Facts
    leaves: tuple[str | float, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of columns, and of their features, that the program reads."""
        return tuple(name.removeprefix(PREFIX) for name in self.function.inputs)

    def words_for(self, target: str | None = None) -> frozenset[str]:
        """The columns that the program reads as words, even if their cells look like numbers.

        Args:
            target: the column to predict. Its cells are words if a class is a word that looks like a number, or if a
                leaf is such a word and gpkit would write the number differently, as for ``01``.
        """
        labels = [
            label for label in self.facts.labels or self.leaves if isinstance(label, str) and is_number(label)
        ]
        is_own = any(self.facts.labels or number_text(float(label)) != label for label in labels)
        own = {target} if target is not None and is_own else set()
        return frozenset({*self.facts.words, *own})

    def values(self, table: Table) -> NDArray[Any]:
        """Values of each section of the program: float64 (sections, rows), or objects (sections, rows).

        Raises:
            UsageError: the table lacks a column, or a formula has nothing for its gaps.
        """
        columns = feature_columns(self.columns, table, self.facts.fills)
        if not self.leaves and (gaps := np.isnan(columns)).any():
            place = int(np.argmax(gaps.any(axis=1)))
            name, empty = self.columns[place], gaps[place]
            usual = "0.0" if empty.all() else f"{np.nanmedian(columns[place]):g}"
            raise UsageError(
                f"{table.place_of(int(np.argmax(empty)))}: `{name}` is empty, and {self.name} has no value "
                f"for gaps; add it to the first lines of the program: // fills: {json.dumps({name: float(usual)})}"
            )
        found: NDArray[Any] = np.array([part(columns) for part in self.function.parts.values()])
        return found

    def predicted(self, values: NDArray[Any]) -> NDArray[Any]:
        """The prediction for each row: float64 (rows,), or of classes their labels (rows,), in the type of these.

        Args:
            values: of the sections, as ``values`` gives them.

        Raises:
            UsageError: a leaf is none of the classes.
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

    def chosen(self, values: NDArray[Any]) -> NDArray[np.int64]:
        """The place among the classes of the one that is predicted for each row: int64 (rows,).

        Args:
            values: of the sections.

        Raises:
            UsageError: a leaf is none of the classes.
        """
        if not self.leaves:
            return chosen_of(values)
        classes, leaves = self.facts.classes, values[0].tolist()
        names = {leaf: label_name(leaf) for leaf in leaves}
        for name in names.values():
            if name not in classes:
                raise UsageError(
                    f"{self.name}: its leaf `{name}` is none of the classes {listed(classes)}; "
                    f"{suggestion(name, classes)}"
                )
        places = {leaf: classes.index(name) for leaf, name in names.items()}
        return np.array([places[leaf] for leaf in leaves], dtype=np.int64)

    def strange(self, table: Table) -> dict[tuple[str, str], int]:
        """The rows of a table by columns that the program reads and words that it was not fitted to."""
        read = sources(self.columns, table)
        return strange_words(table, {name: words for name, words in self.facts.words.items() if name in read})

    def shares(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """The probability of each class for each row: float64 (rows, classes); of trees 0 or 1.

        Args:
            values: of the sections.

        Raises:
            UsageError: a leaf is none of the classes, or the program predicts no classes.
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
        """A sentence about rows whose class the program has not learned; none if it has learned all or no classes."""
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

        If a program does not say whether it predicts numbers or classes, the column decides as for ``gpkit fit``. For
        classes, the leaves of a tree are classes, and a formula gives the log odds of the second of two classes.

        Args:
            target: the column to predict.
            task: overrides what the program says.

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
            note = f"`{target.name}` has {len(names)} classes, which one formula cannot tell: it is read as a number"
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
            note = f"`{target.name}` is read as classes, as all leaves are numbers that it has"
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


def predictor_of(named: Named) -> Predictor:
    """The predictor for a program, according to the lines ``classes`` and ``fills`` of its header.

    Raises:
        UsageError: programs of its language need a game to compute anything, or its header is damaged.
        SourceError: it has an error.
    """
    source = named.source
    if "game" in source.header:
        raise UsageError(f"{named.spec} is a program for {source.header['game']}, and predicts no column")
    check_source(named.language, source, None)
    function, facts = function_of(named), facts_of(source.header, named.spec)
    predictor = predictor_by(facts, named, function)
    check_sections(facts, len(function.parts), named.spec, is_tree=bool(predictor.leaves))
    return predictor


def predictor_by(facts: Facts, named: Named, function: Function) -> Predictor:
    """The predictor for a program without errors, from the facts about its data and the function that it computes."""
    trees = named.source.program.trees if named.language.classify is not None else ()
    return Predictor(named.spec, function, facts, tuple(leaf for tree in trees for leaf in tree.leaves))


Confusion = dict[str, dict[str, int]]
"""Number of rows of each true class that are predicted as each class, of those that occur, in the order of classes."""


def judged(
    predictor: Predictor,
    table: Table,
    target: str,
    values: NDArray[Any] | None = None,
    weights: NDArray[np.float64] | None = None,
) -> tuple[tuple[Estimate, ...], Confusion]:
    """Estimates of metrics for the rows that have a target, of trees, which are sure, no log loss; and the confusion.

    Numbers have no confusion: it is empty.

    Args:
        predictor: of the target, as ``Predictor.of_target`` gives it.
        table: the rows.
        target: the column with what is true.
        values: of the program's sections for the rows, all of which then have a target; None to evaluate it.
        weights: of the rows, float64 (rows,); None for equal ones.

    Raises:
        UsageError: the table lacks a column, or the target holds other classes, or words for numbers.
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
        return regression_estimates(column.values, predicted, weights), {}
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
    return estimates[:2] if predictor.leaves else estimates, confusion


def strangers(found: Mapping[tuple[str, str], int]) -> tuple[str, ...]:
    """Sentences on words that programs were not fitted to, from the number of rows by column and word."""
    notes = []
    for name in dict.fromkeys(column for column, _ in found):
        words = {word: rows for (column, word), rows in found.items() if column == name}
        rows = sum(words.values())
        shown = ", ".join(f"`{shortened(word)}`" for word in list(words)[:3])
        more = f" and {len(words) - 3} more" if len(words) > 3 else ""
        notes.append(
            f"{counted(rows, 'row')} of `{name}` {'has' if rows == 1 else 'have'} words that were not learned from: "
            f"{shown}{more}; they count as none of the known ones"
        )
    return tuple(notes)


def _places(predictor: Predictor, rows: Table, column: Column) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """The index of the true class of each row, int64 (rows,), and the classes; unlearned classes come last.

    Raises:
        UsageError: the program has not learned the class of any row.
    """
    texts, names = column.texts().tolist(), predictor.facts.classes
    if not {*texts} & {*names}:
        raise UsageError(
            f"{rows.place_of(0)}: the column `{column.name}` is {texts[0]!r}; expected one of {listed(names)}"
        )
    classes = (*names, *sorted({*texts} - {*names}, key=class_order))
    places = {name: place for place, name in enumerate(classes)}
    return np.array([places[text] for text in texts], dtype=np.int64), classes

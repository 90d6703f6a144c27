"""The features that programs read from a table's columns, and the facts about these columns in programs' headers."""

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from gpkit.core.arrays import Flags, Floats, Ints
from gpkit.core.codec import Codec, Plain, at, codec, parse_json
from gpkit.core.diagnostics import shortened, suggestion
from gpkit.core.errors import UsageError
from gpkit.core.wording import counted, shown_in_json
from gpkit.data.losses import is_known, row_loss
from gpkit.data.table import EXAMPLE, SINCE, Column, Table, is_date, is_number, number_text

IS, IS_EMPTY = "_is_", "_is_empty"
"""Parts of feature names: the part between a column and one of its words, and the part after a column with gaps."""

PREFIX = "env."
"""An optional prefix of column names in a program, like the prefix of sensor names."""

EQUAL = "all of its cells are equal"
"""The reason for not using a column with equal cells as a feature."""

MOST_WORDS = 30
"""The maximum number of distinct words in a column that become features."""

LEAST_REACH, MOST_REACH = 1e-140, 1e140
"""The smallest and the largest range of a column for which squares, and sums of squares, fit into doubles."""

FEW_ROWS = 20
"""In a table with fewer rows than this, it is not unusual that all cells of a column differ."""

ODD_NUMBER = re.compile(r"[-+]?\s*[$€£¥]?\s*\d[\d,.' ]*\s*[%$€£¥]?")
"""A string that people read as a number, such as ``1,234`` or ``12%``."""

PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
"""A name that a program can contain without quotation marks."""


Label = Plain
"""The value of a class, in its own type."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts about the data to which a program was fitted.

    Attributes:
        names: the features that the program may read; the header does not list them. A column of numbers is a feature
            with the same name. A column of words has a feature of 0 and 1 for each word, such as ``sex_is_male``. A
            column with gaps also has such a feature, with a name such as ``age_is_empty``.
        fills: the numbers that fill gaps, by column; other columns of numbers keep NaN.
        words: the words that have features, by column.
        left_out: columns that are not features, each with the reason; the header does not list them.
        dates: columns of numbers that count days since 1970-01-01.
        labels: the classes, in order; empty if programs predict numbers or the words in their leaves.
        task: ``regression`` or ``classification``; empty if the program does not state it.
        loss: the name of the loss with which the program was fitted; empty for squared error and for classes.
    """

    names: tuple[str, ...] = ()
    fills: Mapping[str, float] = field(default_factory=dict)
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)
    dates: tuple[str, ...] = ()
    labels: tuple[Label, ...] = ()
    task: str = ""
    loss: str = ""

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes, in order, in the form used in tables."""
        return tuple(map(label_name, self.labels))

    @property
    def header(self) -> dict[str, str]:
        """The header lines of a program, from which ``facts_of`` reads the facts back."""
        lines: dict[str, Any] = {
            "classes": list(self.labels),
            "fills": self.fills,
            "words": self.words,
            "dates": list(self.dates),
        }
        loss = {"loss": self.loss} if self.loss else {}
        return {"task": self.task, **loss, **{key: json_line(line) for key, line in lines.items() if line}}


def fitted_facts(
    table: Table,
    inputs: Iterable[str],
    *,
    fills_gaps: bool,
    keeps_equal: bool = False,
    can_name: Callable[[str], bool] = bool,
) -> Facts:
    """Facts about the columns of a table, learned from its rows.

    Args:
        table: the rows to learn from.
        inputs: the columns.
        fills_gaps: whether to fill gaps in columns of numbers with the median, which formulas require; otherwise they
            stay NaN, and each test of a tree sends them to one of its branches.
        keeps_equal: whether a column of equal numbers is a feature.
        can_name: returns whether a feature's name can be written in a program; if not, its word is not a feature.

    Raises:
        UsageError: the table lacks a column, or no column can be a feature.
    """
    names: list[str] = []
    fills: dict[str, float] = {}
    words: dict[str, tuple[str, ...]] = {}
    left_out: dict[str, str] = {}
    columns = [*map(table.column, inputs)]
    for column in columns:
        reason = _useless(column, len(table))
        if reason and not (keeps_equal and reason == EQUAL):
            left_out[column.name] = reason
            continue
        gaps = bool(column.empty.any())
        if column.words is None:
            names.append(column.name)
            if fills_gaps:
                fills[column.name] = float(np.nanmedian(column.values))
        else:
            present = np.unique(column.values[~column.empty])
            words[column.name] = tuple(column.words[code] for code in present.tolist())
            for name in (f"{column.name}{IS}{word}" for word in words[column.name]):
                if can_name(name):
                    names.append(name)
                else:
                    left_out[name] = "a program cannot write its quotation marks or invisible characters"
        if gaps:
            names.append(f"{column.name}{IS_EMPTY}")
    if not names:
        told = "; ".join(f"{name}: {reason}" for name, reason in left_out.items()) or "it has no other column"
        raise UsageError(f"{table.source} has no column to learn from: {told}")
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        raise UsageError(f"two features of {table.source} are named `{twice}`; rename a column")
    dates = {column.name for column in columns if column.kind == "days"}
    return Facts(tuple(names), fills, words, left_out, tuple(name for name in names if name in dates))


def _useless(column: Column, rows: int) -> str:
    """The reason for not using a column as a feature; empty if the column is a feature."""
    said = ~column.empty
    if not said.any():
        return "all of its cells are empty"
    different = len(np.unique(column.values[said]))
    if different == 1 and said.all():
        return EQUAL
    if column.words is not None and different > MOST_WORDS:
        return f"{different:,} different words in {rows:,} rows"
    return ""


def feature_names(column: Column) -> tuple[str, ...]:
    """The names of all features that a column can have."""
    return (*_names_by_word(column), f"{column.name}{IS_EMPTY}")


def _names_by_word(column: Column) -> tuple[str, ...]:
    """The names of a column's features, except the one for its gaps."""
    return (column.name,) if column.words is None else tuple(f"{column.name}{IS}{w}" for w in column.words)


def offered_names(table: Table) -> tuple[str, ...]:
    """The names of features to suggest in messages: numbers, then words of columns with few words, then gaps."""
    few = [column for column in table.columns if len(column.words or ()) <= MOST_WORDS]
    names = [
        name
        for column in sorted(few, key=lambda column: column.words is not None)
        for name in _names_by_word(column)
    ]
    return (*names, *(f"{column.name}{IS_EMPTY}" for column in table.columns if column.empty.any()))


def held_words(column: Column) -> tuple[str, str]:
    """The error for a program that reads a column of words as a number, with advice."""
    what, words = f"the column `{column.name}` holds words", column.words or ()
    if odd := looks_like_numbers(column):
        return what, f"write numbers such as `{odd}` with digits alone"
    if not 0 < len(words) <= MOST_WORDS:
        return what, f"it has {len(words):,} different words, which are not features"
    names = _names_by_word(column)
    example = next(filter(PLAIN.fullmatch, names), f'"{names[0]}"')
    return what, f"use `{example}`, which is 1 or 0"


def looks_like_numbers(column: Column) -> str:
    """The first word of a column if people would read all its words as numbers; otherwise empty."""
    words = column.words or ()
    return words[0] if words and all(map(ODD_NUMBER.fullmatch, words)) else ""


def doubts(table: Table, inputs: Iterable[str], meant: Sequence[str] = ()) -> Iterator[str]:
    """Warnings about columns that gpkit may have misread: row numbers, strings that look like numbers, and times.

    Args:
        table: the rows to learn from.
        inputs: the columns.
        meant: the columns that the user has declared as words.
    """
    rows = len(table)
    for column in map(table.column, inputs):
        values, name = column.values, column.name
        if reason := unsquarable(column):
            yield reason
        elif name not in meant and (odd := looks_like_numbers(column)):
            yield f"the cells of `{name}` are read as words: write numbers such as `{odd}` with digits alone"
        elif column.kind in ("days", "span"):
            yield f"the times of `{name}` count as {SINCE if column.kind == 'days' else 'days'}"
        elif rows >= FEW_ROWS and not column.empty.any() and len(np.unique(values)) == rows:
            whole = column.words is None and bool((values % 1.0 == 0.0).all())
            if whole or (column.words is not None and rows <= MOST_WORDS):
                yield f"all cells of `{name}` differ: if it only says which row it is, leave it out (without)"


def repeating(table: Table, inputs: Iterable[str], target: Column) -> Iterator[str]:
    """Warnings about columns that equal the target in all rows; to save time, a few rows are compared first."""
    rows = np.arange(len(table))
    for column in map(table.column, inputs):
        if all(
            np.array_equal(column.part(some).texts(), target.part(some).texts())
            for some in (rows[:FEW_ROWS], rows)
        ):
            yield (
                f"`{column.name}` equals `{target.name}` in all rows: keep it only if you know its values "
                "before you know the target; otherwise leave it out with `without`"
            )


def unsquarable(column: Column) -> str:
    """The reason that the numbers in a column cannot be squared; empty if they can, or if the column has words."""
    numbers = column.values[~column.empty]
    with np.errstate(over="ignore"):
        reach = 0.0 if column.words is not None or not len(numbers) else float(np.ptp(numbers))
    if reach == 0.0 or LEAST_REACH < reach < MOST_REACH:
        return ""
    what = f"the numbers in `{column.name}` are too {'large' if reach > 1.0 else 'small'} to be squared"
    return f"{what}: divide them by {np.abs(numbers).max():.0e} first"


def check_counts(column: Column, table: Table) -> None:
    """Check that the numbers in a column can be counts, as the loss ``poisson`` requires.

    Raises:
        UsageError: a number is negative, or all numbers are 0.
    """
    numbers = column.values
    if (numbers < 0.0).any():
        row = int(np.argmax(numbers < 0.0))
        raise UsageError(
            f"{table.place_of(row)}: `{column.name}` is {numbers[row]:g}, and the loss `poisson` is for counts of at "
            "least 0"
        )
    if not np.nansum(numbers):
        raise UsageError(f"all cells of `{column.name}` are 0; the loss `poisson` needs a count above 0")


def feature_columns(
    names: Sequence[str], table: Table, fills: Mapping[str, float] = MappingProxyType({})
) -> Floats:
    """The features of a table with these names: float64 (features, rows); the feature of a word that no row has is 0.

    Raises:
        UsageError: a name matches no column, no word of a column, and no column's gaps.
    """
    found = np.empty((len(names), len(table)))
    for place, name in enumerate(names):
        found[place] = _feature(name, table, fills)
    return found


def _feature(name: str, table: Table, fills: Mapping[str, float]) -> Floats | Flags:
    if name in table:
        column = table.column(name)
        if column.words is not None:
            raise _no_number(column, table)
        values: Floats = column.values
        return np.where(np.isnan(values), fills[name], values) if name in fills else values
    whole = name.removesuffix(IS_EMPTY)
    if whole != name and whole in table:
        return table.column(whole).empty
    at = name.find(IS)
    while at >= 0:
        if name[:at] in table:
            return table.column(name[:at]).is_word(name[at + len(IS) :])
        at = name.find(IS, at + 1)
    words, is_word, _ = name.partition(IS)
    missing = f"`{words}`, of which `{name}` is a word" if is_word else f"`{name}`"
    raise UsageError(f"{table.source} has no column {missing}; {suggestion(words, table.names)}")


def _no_number(column: Column, table: Table) -> UsageError:
    """The error for a column with words where numbers are needed.

    Its message shows the first non-empty cell. If the column has dates, or otherwise numbers, it shows the first cell
    that is not one of them.
    """
    words, texts, what = column.words or (), column.texts(), f"the column `{column.name}`"
    for is_right, needed in (
        (is_date, f"a number, or a date such as {EXAMPLE}"),
        (is_number, "a number, or no text"),
    ):
        others = ~column.empty & ~np.array([*map(is_right, words), False])[column.values]
        if any(map(is_right, words)) and others.any():
            row = int(np.argmax(others))
            return UsageError(
                f"{table.place_of(row)}: {what} is {shortened(texts[row])!r}; expected {needed}"
            )
    row = int(np.argmax(~column.empty))
    what, fix = held_words(column)
    return UsageError(
        f"{table.place_of(row)}: {what} such as {shortened(texts[row])!r}, where the program needs a number; {fix}"
    )


def strange_words(table: Table, words: Mapping[str, Sequence[str]]) -> dict[tuple[str, str], int]:
    """The unknown words in the columns of a table, each with the number of rows in which it occurs.

    Args:
        table: a table with any of these columns.
        words: the known words by column.
    """
    found: dict[tuple[str, str], int] = {}
    for name in (name for name in words if name in table):
        column = table.column(name)
        texts, counts = np.unique(column.part(~column.empty).texts().astype(str), return_counts=True)
        strange = zip(texts.tolist(), counts.tolist(), strict=True)
        found |= {(name, text): count for text, count in strange if text not in words[name]}
    return found


def sources(names: Iterable[str], table: Table) -> tuple[str, ...]:
    """The distinct columns of the features with these names."""
    found = dict.fromkeys(
        next((column for column in table.names if name == column or name.startswith(f"{column}{IS}")), name)
        for name in names
    )
    return tuple(found)


def weights_in(table: Table, name: str) -> Floats:
    """The weights of rows in a column: float64 (rows,); all 1 if ``name`` is empty, and 0 for gaps.

    Raises:
        UsageError: the column has words or a negative number.
    """
    if not name:
        return np.ones(len(table))
    column = table.column(name)
    if column.words is not None or column.kind:
        raise UsageError(f"the column of weights `{name}` holds {'times' if column.kind else 'words'}")
    weights: Floats = np.nan_to_num(column.values, nan=0.0)
    if (weights < 0.0).any():
        row = int(np.argmax(weights < 0.0))
        raise UsageError(f"{table.place_of(row)}: the weight `{name}` is {weights[row]:g}, which is negative")
    return weights


LINES: Mapping[str, Codec[Any]] = {
    "classes": codec(tuple[Plain, ...]),
    "fills": codec(Mapping[str, float]),
    "words": codec(Mapping[str, tuple[str, ...]]),
    "dates": codec(tuple[str, ...]),
}
"""The keys of the header lines whose values are JSON."""

TASKS = ("regression", "classification")

MOST_CLASSES = 10
"""The maximum number of distinct whole numbers in a target for which `auto` chooses classification."""


def json_line(value: object) -> str:
    """The JSON text of a header line's value, which escapes characters that a program must not contain."""
    return shown_in_json(json.dumps(value, ensure_ascii=False))


def is_for_data(header: Mapping[str, str]) -> bool:
    """Whether this header belongs to a program that predicts values for rows, not to a program that plays a game."""
    return "game" not in header and not header.keys().isdisjoint({"data", "task", *LINES})


def facts_of(header: Mapping[str, str], spec: str) -> Facts:
    """The facts in the header of a program.

    Args:
        header: the lines of the header, by key.
        spec: the program's name, for messages.

    Raises:
        UsageError: a line does not have the form that ``gpkit fit`` writes.
    """
    labels, fills, words, dates = (_value(header, key, spec) for key in LINES)
    names = [*map(label_name, labels)]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise UsageError(f"{spec}: its line `classes` has `{name}` twice; leave one of them out")
    loss = header.get("loss", "")
    if is_known(loss):
        row_loss(loss)  # checks its number
    return Facts(
        fills=fills,
        words=words,
        dates=dates,
        labels=labels,
        task=header["task"] if header.get("task") in TASKS else "",
        loss=loss,
    )


def _value(header: Mapping[str, str], key: str, spec: str) -> Any:
    """The JSON value of a header line; empty if there is no such line.

    Raises:
        UsageError: the line does not have the form that ``gpkit fit`` writes.
    """
    empty = "{}" if key in ("fills", "words") else "[]"
    try:
        return LINES[key].read(parse_json(header.get(key, empty)))
    except ValueError as error:
        raise UsageError(f"{spec}: its line {at(key, error)}") from error


def check_sections(facts: Facts, count: int, spec: str, *, is_tree: bool) -> None:
    """Check that a program has the right number of sections for its classes.

    Args:
        facts: the program's facts about the data.
        count: the number of the program's sections.
        spec: the program's name, for messages.
        is_tree: whether the program is a decision tree.

    Raises:
        UsageError: the number of sections is wrong, or there is only one class for a formula.
    """
    classes = len(facts.labels)
    if classes == 1 and not is_tree:
        raise UsageError(
            f"{spec} has one class, {label_name(facts.labels[0])}; a formula distinguishes at least two"
        )
    expected = 1 if classes in (0, 2) or is_tree else classes
    if count != expected:
        raise UsageError(
            f"{spec} has {counted(count, 'section')}; expected {expected} for "
            + (f"{classes} classes" if classes else "a prediction")
        )


def resolved_task(task: str, target: Column) -> str:
    """The task of a fit; ``auto`` means regression if the target has fractions or many distinct numbers."""
    if task != "auto":
        return task
    if target.words is not None:
        return "classification"
    values = np.unique(target.values[~target.empty])
    few = len(values) <= MOST_CLASSES and bool((values % 1.0 == 0.0).all())
    return "classification" if few else "regression"


def classes_of(target: Column) -> tuple[str, ...]:
    """The names of a column's classes, sorted: numbers by value, then words."""
    return tuple(sorted(set(target.texts().tolist()) - {""}, key=class_order))


def class_order(name: str) -> tuple[float, str]:
    """The sort key for names of classes: numbers by value, then words."""
    return (float(name) if is_number(name) else math.inf), name


def label_name(label: Label) -> str:
    """A class as a string, in the form used in tables."""
    return str(label) if isinstance(label, str | bool) else number_text(float(label))


def odds_of(values: Floats) -> Floats:
    """Log odds as finite numbers in the same shape: clipped to between -700 and 700, with 0 (even odds) for NaN."""
    return np.nan_to_num(np.clip(values, -700.0, 700.0), nan=0.0)


def shares_of(values: Floats) -> Floats:
    """The class probabilities, float64 (rows, classes), from log odds, float64 (formulas, rows).

    A single formula gives the odds of the second of two classes. With several formulas, each separates one class from
    all others, and the probabilities are scaled to add up to 1.
    """
    each = 0.5 * (1.0 + np.tanh(0.5 * odds_of(values)))
    shares = np.stack([1.0 - each[0], each[0]]) if len(each) == 1 else each
    total = shares.sum(axis=0)
    return np.where(total > 0.0, shares / np.where(total > 0.0, total, 1.0), 1.0 / len(shares)).T


def chosen_of(values: Floats) -> Ints:
    """The index of the most likely class, the first if tied: int64 (rows,), from log odds, float64 (formulas, rows)."""
    odds = odds_of(values)
    found: Ints = (odds[0] > 0.0).astype(np.int64) if len(odds) == 1 else odds.argmax(axis=0)
    return found

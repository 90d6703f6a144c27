"""Facts that a program for data states in its first lines: its task, its classes, and what its columns hold."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.characters import shown_in_json
from gpkit.core.codec import Codec, Plain, at, codec
from gpkit.core.errors import UsageError
from gpkit.core.json_values import parse_json
from gpkit.core.wording import counted
from gpkit.data.numbers import is_number
from gpkit.data.table import Column, number_text

Label = Plain
"""A class as a value."""

LINES: Mapping[str, Codec[Any]] = {
    "classes": codec(tuple[Plain, ...]),
    "fills": codec(Mapping[str, float]),
    "words": codec(Mapping[str, tuple[str, ...]]),
    "dates": codec(tuple[str, ...]),
}
"""Lines of a header that are JSON."""

TASKS = ("regression", "classification")

MOST_CLASSES = 10
"""The most different whole numbers in a target that `auto` takes for classes."""


def json_line(value: Any) -> str:
    """The value of a header line as JSON; escapes characters that the text of a program may not contain."""
    return shown_in_json(json.dumps(value, ensure_ascii=False))


def is_for_data(header: Mapping[str, str]) -> bool:
    """Whether these first lines are those of a program for data, and not for a game."""
    return "game" not in header and not header.keys().isdisjoint({"data", "task", *LINES})


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts on the data that a program was fitted to.

    Attributes:
        labels: the classes, in order; empty where numbers, or the words of leaves, are predicted.
        fills: what stands in the gaps of columns of numbers, by column.
        words: that columns had, by column.
        task: ``regression`` or ``classification``; empty if the program does not say it.
        dates: columns whose numbers are days since 1970-01-01.
    """

    labels: tuple[Label, ...]
    fills: Mapping[str, float]
    words: Mapping[str, Sequence[str]]
    task: str
    dates: tuple[str, ...] = ()


def facts_of(header: Mapping[str, str], spec: str) -> Facts:
    """The facts that the first lines of a program state.

    Args:
        header: these lines, by key.
        spec: the program's name, for messages.

    Raises:
        UsageError: a line is not as ``gpkit fit`` writes it.
    """
    classes, fills, words, dates = (_value(header, key, spec) for key in LINES)
    names = [*map(label_name, classes)]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise UsageError(f"{spec}: its line `classes` has `{name}` twice; leave one of them out")
    task = header.get("task", "")
    return Facts(classes, fills, words, task if task in TASKS else "", dates)


def _value(header: Mapping[str, str], key: str, spec: str) -> Any:
    """The value of a line, which is JSON; empty where there is none.

    Raises:
        UsageError: it is not as ``gpkit fit`` writes it.
    """
    empty = "{}" if key in ("fills", "words") else "[]"
    try:
        return LINES[key].read(parse_json(header.get(key, empty)))
    except ValueError as error:
        raise UsageError(f"{spec}: its line {at(key, error)}") from error


def check_sections(facts: Facts, count: int, spec: str, *, is_tree: bool) -> None:
    """Refuse a program that has not the sections which its classes need.

    Args:
        facts: what it says of the data.
        count: of its sections.
        spec: the program's name, for messages.
        is_tree: whether it is a decision tree.

    Raises:
        UsageError: it has another number of them, or a formula has a single class.
    """
    classes = len(facts.labels)
    if classes == 1 and not is_tree:
        raise UsageError(
            f"{spec} has one class, {label_name(facts.labels[0])}; a formula tells at least two apart"
        )
    expected = 1 if classes in (0, 2) or is_tree else classes
    if count != expected:
        raise UsageError(
            f"{spec} has {counted(count, 'section')}; expected {expected} for "
            + (f"{classes} classes" if classes else "a prediction")
        )


def resolved_task(task: str, target: Column) -> str:
    """The task that a configuration means: ``auto`` is regression for a target of many numbers or of fractions."""
    if task != "auto":
        return task
    if target.words is not None:
        return "classification"
    values = np.unique(target.values[~target.empty])
    few = len(values) <= MOST_CLASSES and bool((values % 1.0 == 0.0).all())
    return "classification" if few else "regression"


def classes_of(target: Column) -> tuple[str, ...]:
    """Names of the classes of a column, in order: numbers by their value, then words."""
    return tuple(sorted(set(target.texts().tolist()) - {""}, key=class_order))


def class_order(name: str) -> tuple[float, str]:
    """Key by which names of classes are sorted: numbers by their value, then words."""
    return (float(name) if is_number(name) else math.inf), name


def label_name(label: Label) -> str:
    """A class as a table writes it."""
    return str(label) if isinstance(label, str | bool) else number_text(float(label))


def odds_of(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithms of odds as finite numbers, of the shape of the values: at most 700, and NaN are even odds."""
    return np.nan_to_num(np.clip(values, -700.0, 700.0), nan=0.0)


def shares_of(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities of classes from logarithms of odds: float64 (rows, classes), from float64 (formulas, rows).

    One formula tells the odds of the second of two classes; several tell each its class from all others, and what they
    give is scaled to add up to 1.
    """
    each = 0.5 * (1.0 + np.tanh(0.5 * odds_of(values)))
    shares = np.stack([1.0 - each[0], each[0]]) if len(each) == 1 else each
    total = shares.sum(axis=0)
    found: NDArray[np.float64] = np.where(
        total > 0.0, shares / np.where(total > 0.0, total, 1.0), 1.0 / len(shares)
    ).T
    return found


def chosen_of(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """The place of the likeliest class, of equals the first: int64 (rows,), from float64 (formulas, rows)."""
    odds = odds_of(values)
    found: NDArray[np.int64] = (odds[0] > 0.0).astype(np.int64) if len(odds) == 1 else odds.argmax(axis=0)
    return found

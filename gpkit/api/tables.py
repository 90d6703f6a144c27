"""Tables as arguments of Python code: a path, columns by name, a data frame, or an array."""

import csv
import io
import os
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from gpkit.api.arguments import as_given
from gpkit.core.diagnostics import shortened, suggestion
from gpkit.core.errors import UsageError
from gpkit.core.files import check_place, write_atomic
from gpkit.data.table import Table, arrow_columns, read_table, span_texts, table_of

TARGET, WEIGHT = "y", "weight"
"""Names of a target and of weights that are given as arrays."""


def table_for(data: Any, words: Sequence[str], known: Iterable[str] = (), keep: Iterable[str] = ()) -> Table:
    """The table for a value of type ``DataLike``; the other arguments are as for ``read_table``.

    Raises:
        UsageError: the value is not a table.
    """
    if isinstance(data, str | os.PathLike):
        return read_table(os.fspath(data), words, known, keep)
    return table_of(columns_of(data, words), "data", words, known, keep)


def settings_of(
    data: Any,
    target: Any,
    words: Sequence[str],
    folder: Path | None,
    *,
    weights: Any = None,
    is_resumed: bool = False,
) -> tuple[dict[str, Any], Table | None]:
    """The settings ``file``, ``target``, ``weights``, ``words`` of a run on a table, and the table if no file has it.

    A table in memory is written to a CSV file beside the folder of the run, so that the run can go on and be reported.

    Args:
        data: ``DataLike``; None if the run goes on.
        target: the name of the column that is predicted, or its values; None for that of the configuration.
        words: columns of words.
        folder: of the run; None if it is not stored.
        weights: the name of the column of weights, or its values; None for that of the configuration.
        is_resumed: whether the run goes on, which it does with the table that it began with.

    Raises:
        UsageError: it is no table, or there is no place for its file, such as that of another table.
    """
    found: dict[str, Any] = {"target": target, "weights": weights, "words": words}
    given = [key for key in ("target", "weights") if not isinstance(found[key], str | None)]
    is_path = isinstance(data, str | os.PathLike)
    if is_resumed and (given or not (data is None or is_path)):
        out = " and ".join((["data"] if data is not None else []) + given)
        raise UsageError(f"resume=True goes on with the table that the run began with: leave {out} out")
    if is_resumed and data is None:
        return found, None
    if is_path:
        for key in given:
            raise UsageError(f"{as_given(key, found[key])}: name a column of {os.fspath(data)}")
        return {**found, "file": os.fspath(data)}, None
    columns = columns_of(data, words)
    held = getattr(data, "column_names", getattr(data, "columns", data if isinstance(data, Mapping) else ()))
    labels = {**dict(zip(columns, columns, strict=True)), **dict(zip(held, columns, strict=False))}
    for key, usual in zip(("target", "weights"), (TARGET, WEIGHT), strict=True):
        if key in given:
            found[key] = _labelled(labels, found[key]) or _added(columns, labels, key, usual, found[key])
    table = table_of(columns, "data", words)
    if folder is None:
        return found, table
    held = [column for column in table.columns if column.words is not None and column.kind != "truth"]
    found["words"] = [column.name for column in held]
    return {**found, "file": _written(table, folder)}, None


def _labelled(labels: Mapping[Any, str], given: Any) -> str | None:
    """The name of the column with this label, which may be a number, a tuple or a date; None if there is none."""
    try:
        return labels.get(given)
    except TypeError:  # values have no hash
        return None


def _added(columns: dict[str, Any], labels: Mapping[Any, str], key: str, usual: str, values: Any) -> str:
    """The name of the column for values that are given besides a table; a series that equals a column stands for it.

    Raises:
        UsageError: the table has a different column with the name of the series, or no column with this label.
    """
    if not hasattr(values, "__len__") or (isinstance(values, tuple) and tuple in map(type, labels)):
        label = shortened(" ".join(repr(values).split()))
        raise UsageError(f"data has no column {label} ({key}); {suggestion(str(values), list(columns))}")
    own = _labelled(labels, getattr(values, "name", None))
    if own is not None:
        one, other = table_of({own: columns[own], f"{own} ({key})": values}, "data").columns
        if np.array_equal(one.texts(), other.texts()):
            return own
        raise UsageError(f"{key}: data has another column named `{own}`, too; rename one of them")
    while usual in columns:
        usual += "_"
    columns[usual] = values
    return usual


def _written(table: Table, folder: Path) -> str:
    """The path of the CSV file of a table, which is written now: beside a folder, with its name.

    Raises:
        UsageError: it cannot be written, or there is such a file with something else.
    """
    if not folder.name:
        raise UsageError(
            f"the folder {folder} has no name, by which the table beside it is called; name another"
        )
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL).writerow(table.names)
    writer = csv.writer(text)  # whose lines end with \r\n, so that texts with either are quoted
    spans = {c.name: span_texts(c.values.tolist()) for c in table.columns if c.kind == "span"}
    cells = [spans.get(column.name, column.texts()) for column in table.columns]
    writer.writerows(zip(*cells, strict=True))
    path = folder.with_name(f"{folder.name}.csv")
    check_place(path)
    if path.exists():
        if path.read_bytes() != text.getvalue().encode():
            raise UsageError(
                f"{path} is where the table would be stored, and holds another one: choose another folder, or remove it"
            )
    else:
        write_atomic(path, text.getvalue())
    return str(path)


def columns_of(data: Any, words: Sequence[str] = ()) -> dict[str, Any]:
    """The columns of a table in memory by name, without white space around it, as in files.

    Raises:
        UsageError: it is none, or has two columns of one name.
    """
    columns: Iterable[tuple[Any, Any]]
    if isinstance(data, Mapping):
        columns = data.items()
    elif hasattr(data, "column_names"):  # an Arrow table or record batch
        columns = arrow_columns(import_module("pyarrow").table(data), "data", words).items()
    elif hasattr(data, "columns") and hasattr(data, "__getitem__"):
        columns = ((name, data[name]) for name in data.columns)
    elif isinstance(data, np.ndarray | list) and np.ndim(data) == 2:
        columns = ((f"x{place}", column) for place, column in enumerate(np.asarray(data).T))
    else:
        raise UsageError(
            f"{as_given('data', data)}: expected the path of a CSV or Parquet file, columns by name, a data frame, "
            "or an array (rows, columns)"
        )
    found: dict[str, Any] = {}
    for name, values in columns:
        known = str(name).strip()
        if known in found:
            raise UsageError(f"data has two columns named `{known}`: rename one of them")
        found[known] = values
    return found

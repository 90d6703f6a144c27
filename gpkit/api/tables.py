"""Tables as arguments in Python code: a path, columns by name, a data frame, or an array."""

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
"""The names of a target and of weights that are arrays."""


def table_for(
    data: object, words: Sequence[str], known: Iterable[str] = (), keep: Iterable[str] = ()
) -> Table:
    """The table for a value of type ``DataLike``; the other arguments are the same as for ``read_table``.

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
    """The settings ``file``, ``target``, ``weights``, ``words`` of a run on a table; and the table, unless it is in a
    file.

    gpkit writes a table in memory to a CSV file beside the folder of the run, so you can resume the run and report on
    it.

    Args:
        data: ``DataLike``; None if the run is resumed.
        target: the name or the values of the column to predict; None means the column that the configuration names.
        words: the columns to read as words.
        folder: the folder of the run; None if it is not stored.
        weights: the name or the values of the column of weights; None means the column that the configuration names.
        is_resumed: whether the run is resumed; it then uses the table with which it began.

    Raises:
        UsageError: the data is not a table, or the file for the table already contains another table.
    """
    found: dict[str, Any] = {"target": target, "weights": weights, "words": words}
    given = [key for key in ("target", "weights") if not isinstance(found[key], str | None)]
    is_path = isinstance(data, str | os.PathLike)
    if is_resumed and (given or not (data is None or is_path)):
        out = " and ".join((["data"] if data is not None else []) + given)
        raise UsageError(f"resume=True continues with the table of the run: leave {out} out")
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


def _labelled(labels: Mapping[object, str], given: object) -> str | None:
    """The name of the column with this label, which may be a number, a tuple or a date; None if there is none."""
    try:
        return labels.get(given)
    except TypeError:  # values have no hash
        return None


def _added(
    columns: dict[str, object], labels: Mapping[object, str], key: str, usual: str, values: object
) -> str:
    """The name of the column for values that are passed separately from a table; a series that equals a column means
    that column.

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
    """Write a table to a CSV file beside a folder, under the folder's name, and return the path.

    Raises:
        UsageError: the file cannot be written, or the file exists with other content.
    """
    if not folder.name:
        raise UsageError(
            f"the folder {folder} has no name, and the table beside it needs one; choose another folder"
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
                f"the table cannot be stored in {path}, which holds another table: choose another folder, or remove it"
            )
    else:
        write_atomic(path, text.getvalue())
    return str(path)


def columns_of(data: object, words: Sequence[str] = ()) -> dict[str, Any]:
    """The columns of a table in memory by name, without white space around the names, as in files.

    Raises:
        UsageError: the data is not a table, or two of its columns have the same name.
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

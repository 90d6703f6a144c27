"""Fits in Python code: programs that predict a column of a table, and their predictions."""

import csv
import os
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.analysis.predictions import Band, Predictor, judged, predictor_of, strangers
from gpkit.api.described_runs import started
from gpkit.api.kinds import DataLike
from gpkit.api.problems import built
from gpkit.api.programs import Program, load
from gpkit.api.progress import argument, shell
from gpkit.api.reports import path_of
from gpkit.api.runs import Run
from gpkit.api.tables import settings_of, table_for
from gpkit.core.diagnostics import listed, shortened
from gpkit.core.errors import UsageError
from gpkit.core.files import STANDARD_INPUT
from gpkit.core.layout import Exact, Lines, Note, Sheet, Tabular, html_table
from gpkit.core.settings import over
from gpkit.core.statistics import mean_interval
from gpkit.core.wording import counted
from gpkit.core.work_folder import is_run
from gpkit.data.features import Label, label_name
from gpkit.data.losses import is_known
from gpkit.data.metrics import Difference, Measure
from gpkit.data.table import Table, number_text, read_chunks
from gpkit.evolution.config import Config, there
from gpkit.evolution.config_files import fit_tables
from gpkit.evolution.history import program_in
from gpkit.evolution.parts import Parts, name_of_part
from gpkit.evolution.run_folder import FRONT_FOLDER, FrontTable, read_run
from gpkit.evolution.shapes import bounds_text, monotone_text
from gpkit.evolution.subjects import fit_config, resolve
from gpkit.evolution.table_subject import TableSubject, rows_of
from gpkit.langkit.operators import operator_words
from gpkit.show.fit_findings import (
    TITLES,
    Constant,
    Fit,
    Miss,
    band_in,
    constants_sheet,
    metrics_sheet,
    predictions_svg,
    stored_fit,
)
from gpkit.show.pictures import picture_of

MOST_LINES = 12
"""The maximum number of programs from a front, and of lines of a picture, that gpkit prints."""

ROUGH = (
    "standard errors of medians and quantiles rest on the rows close to the formula: with a few hundred rows, they are "
    "often more than a tenth from those of the bootstrap, and those of outer quantiles often more than a fifth"
)
"""A note about constants that were fitted with a loss that has a kink."""

WIDTH = 101
"""The maximum number of characters of a program in the table of the front."""

_DIGITS = re.compile(r"\d+\.\d+(e[+-]?\d+)?")
"""A pattern for the numbers that a table shows with four digits; files have all digits."""


@dataclass(frozen=True, slots=True, repr=False)
class Fitted(Tabular):
    """A finished fit: the chosen program, and the quality of its predictions.

    Attributes:
        program: the program that was chosen from the front.
        run: the run, with its generations, front and folder.
        task: ``regression`` or ``classification``.
        classes: the classes in order: truth values, numbers or strings, as in the table; empty for a regression.
        notes: sentences about gpkit's assumptions: the task, the columns that it left out, and the values of empty
            cells.
        metrics: the metrics by set of rows: ``learned`` for the training rows and, if there are any, ``held_out``.
        misses: the rows with the largest errors, the worst first.
        shapes: one sentence for each requested property of the function's shape, which states whether the program has
            it.
    """

    program: Program
    run: Run
    task: str
    classes: tuple[Label, ...]
    notes: tuple[str, ...]
    metrics: Mapping[str, tuple[Measure, ...]]
    misses: tuple[Miss, ...]
    _found: Fit

    @property
    def shapes(self) -> tuple[str, ...]:
        return self._found.shapes

    @property
    def linear(self) -> tuple[Difference, ...]:
        """The differences between the fit's metrics and those of a linear model of all columns, on the held-out rows.

        If no rows are held out, the differences are measured on the training rows. The linear model is fitted to the
        same training rows by least squares. The result is empty if the table has too many columns to fit the linear
        model within a few seconds.
        """
        return self._found.linear

    @property
    def held_out(self) -> NDArray[np.int64]:
        """The positions of the held-out rows in the table, counted from 0: int64 (rows,)."""
        return self._found.run.known.hidden.table.numbers - 1

    @property
    def constants(self) -> tuple[Constant, ...]:
        """The constants of the formula in the order in which they appear, each with its standard error."""
        return self._found.constants

    @property
    def svg(self) -> str:
        """A picture of predicted against true numbers, or of predicted against true classes."""
        return predictions_svg(self._found)

    def document(self) -> Mapping[str, object]:
        """The fit as JSON values, as ``--json`` prints it."""
        return {
            "seed": self.run.config.seed,
            "folder": str(self.run.folder),
            "reason": self.run.reason,
            "sha256": self.run.digest,
            **self._found.to_json(),
        }

    def told(self) -> Iterator[str | Sheet]:
        """The front, the chosen program, its metrics, and the rows with its largest errors."""
        yield Note(f"stopped after {self.run.reason}")
        if self._found.front is not None:
            yield from self._front_told(self._found.front)
        lines = self._found.named.source.text.rstrip("\n").split("\n")
        yield Lines("\n" + "\n".join(line for line in lines if not line.startswith("// ")))
        language, program = self._found.named.language, self._found.named.source.program
        picture = "" if language.classify else picture_of(program, {}, None, title="").text.rstrip()
        if picture and picture.count("\n") < MOST_LINES:
            yield Lines(f"\n{picture}")
        yield from map(Note, self._found.protection)
        yield ""
        yield metrics_sheet(self._found.measured)
        yield from ("", self._found.against_linear) if self._found.linear else ()
        yield from self.shapes
        if self._found.warning:
            yield Note(self._found.warning)
        if 0 < len(self.constants) <= MOST_LINES:
            yield ""
            yield from constants_sheet(self.constants)
            loss = self._found.run.loss
            if loss is not None and loss.is_quantile:
                yield Note(ROUGH)
        if self.misses:
            columns, rows = self._found.miss_rows
            yield ""
            yield Sheet(columns, rows, right=columns[1:], leave_out=columns[:2:-1])
        if (folder := self.run.folder) is not None:
            yield Note(
                f"predict other rows: gpkit predict {folder} NEW.csv -o out.csv; a page: gpkit report {folder}; the "
                f"held-out rows: gpkit predict {folder} {self._found.run.fit.file} --held-out -o held-out.csv"
            )

    def _front_told(self, front: FrontTable) -> Iterator[str | Sheet]:
        """The front: at most ``MOST_LINES`` programs, which are the smallest ones and those around the chosen one."""
        columns = ("", "size", "score", "program")
        order = sorted(range(len(front.rows)), key=lambda place: front.rows[place].size)
        chosen = order.index(front.chosen) if front.chosen in order else 0
        few = MOST_LINES // 2
        near = {*range(few), *range(max(0, chosen - few // 2), chosen + few // 2), len(order) - 1}
        kept = [place for rank, place in enumerate(order) if len(order) <= MOST_LINES or rank in near]
        rows = []
        for place in kept:
            row = front.rows[place]
            program = _DIGITS.sub(
                lambda number: f"{float(number[0]):.4g}", " ".join(map(str.strip, row.program.split("\n")))
            )
            program = program if len(program) <= WIDTH else f"{program[: WIDTH - 1]}…"
            mark = ">" if place == front.chosen else ""
            rows.append((mark, f"{row.size}", f"{row.objectives[0]:.4f}", program))
        yield Sheet(columns, rows, right=columns[1:3], texts=columns[3:])
        if len(kept) < len(order):
            where = (
                "to_frame of it gives all"
                if self.run.folder is None
                else f"all are in {self.run.folder / FRONT_FOLDER}"
            )
            yield Note(f"{len(kept)} of {len(order)} programs of the front; {where}")

    def predict(self, data: DataLike) -> Any:
        """Predictions for the rows of a table: numbers, or labels of the same type as the target's, (rows,).

        The result is an array, or for a pandas data frame a series with the same index. A warning lists words that the
        program has not learned.

        Raises:
            UsageError: the table lacks a column.
        """
        found = predicted(predictor_of(self.program.named), data, (), None, None, (), probabilities=False)
        for note in found.notes:
            warnings.warn(note, stacklevel=2)
        return (
            found.values if found.index is None else import_module("pandas").Series(found.values, found.index)
        )

    def to_rows(self) -> list[Mapping[str, object]]:
        """The metrics on the training rows and on the held-out rows."""
        return [{"part": part, **each.to_json()} for part, found in self.metrics.items() for each in found]

    def __repr__(self) -> str:
        """The task, the first metric and the size of the program."""
        part, found = list(self.metrics.items())[-1]
        first = f"{found[0].name} {found[0].interval.mean:.4g} on {TITLES[part]}"
        return f"<Fitted {self.task}: {first}, in {self.program.size} nodes>"

    def _repr_html_(self) -> str:
        """The program and its metrics."""
        return self.program._repr_html_() + html_table(self.to_rows())


MOST_CLASSES = 8
"""The maximum number of classes for which gpkit prints a confusion table."""


@dataclass(frozen=True, eq=False, repr=False)
class Predicted(Tabular):
    """Predictions for the rows of a table.

    Attributes:
        target: the column with which the predictions are compared; None if no target was given.
        metrics: the quality of the predictions; empty if no target was given.
        confusion: the number of rows for each pair of true and predicted class; empty for numbers.
        index: the index of a pandas data frame; None for other tables.
    """

    target: str | None
    metrics: tuple[Measure, ...]
    confusion: Mapping[str, Mapping[str, int]]
    index: Any
    _data: str
    _predictor: Predictor
    _tables: Callable[[], Iterator[Table]]
    _keep: Sequence[str]
    _has_shares: bool
    _assumed: tuple[str, ...]
    _band: Band | None = None
    _strange: Counter[tuple[str, str]] = field(default_factory=Counter)

    @cached_property
    def _table(self) -> Table:
        (table,) = self._tables()
        return table

    @cached_property
    def _values(self) -> NDArray[Any]:
        return self._predictor.values(self._table)

    @cached_property
    def values(self) -> NDArray[Any]:
        """The predictions, float64 (rows,), or class labels (rows,) of the same type as the labels of the target."""
        return self._predictor.predicted(self._values)

    @property
    def classes(self) -> tuple[Label, ...]:
        """The classes in order; empty for a regression."""
        return self._predictor.facts.labels

    @cached_property
    def probabilities(self) -> NDArray[np.float64] | None:
        """The probabilities, float64 (rows, classes); None if they were not requested."""
        return self._predictor.shares(self._values) if self._has_shares else None

    @cached_property
    def interval(self) -> NDArray[np.float64] | None:
        """The bounds of the intervals, float64 (rows, 2); None if they were not requested."""
        return None if self._band is None else self._band.ends(self.values).T

    @property
    def kept(self) -> Mapping[str, Sequence[str]]:
        """The copied columns, by name, with their cells exactly as they are in the table."""
        return {name: self._table.kept[name].tolist() for name in self._keep}

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about gpkit's assumptions about the program, and about words that the program has not learned."""
        return (*self._assumed, *strangers(self._predictor.strange(self._table)))

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.values)

    def __repr__(self) -> str:
        """The number of rows and the first predictions, and the first metric if there is one."""
        told = [counted(len(self), "row"), *(f"{m.name} {m.interval.mean:.4g}" for m in self.metrics[:1])]
        return f"<Predicted {', '.join(told)}: {listed([*map(_cell, self.values.tolist())], 5)}>"

    def to_json(self) -> dict[str, object]:
        """The metrics as JSON values."""
        return {
            "program": self._predictor.name,
            "data": self._data,
            "target": self.target,
            "metrics": [metric.to_json() for metric in self.metrics],
            "confusion": self.confusion,
        }

    def to_rows(self) -> list[Mapping[str, object]]:
        """The rows as ``gpkit predict`` writes them."""
        columns = dict(self._columns(self._table, self._values))
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def _columns(self, table: Table, values: NDArray[np.generic]) -> list[tuple[str, list[Any]]]:
        """The columns of the result for some rows, as headings and cells, from the values of the program's sections."""
        predictor = self._predictor
        columns = [(name, table.kept[name].tolist()) for name in self._keep]
        columns.append(("prediction", predictor.predicted(values).tolist()))
        if self._band is not None:
            columns += zip(
                ("low", "high"), self._band.ends(predictor.predicted(values)).tolist(), strict=True
            )
        if self._has_shares:
            shares = zip(predictor.facts.classes, predictor.shares(values).T.tolist(), strict=True)
            columns += [(f"probability of {name}", share) for name, share in shares]
        return columns

    def to_frame(self) -> Any:
        """The rows as a ``pandas.DataFrame``, with the index of the data frame that was predicted.

        Raises:
            UsageError: pandas is not installed.
        """
        frame = Tabular.to_frame(self)
        return frame if self.index is None else frame.set_index(self.index)

    def csv(self) -> Iterator[tuple[str, int]]:
        """Yield the rows as parts of a CSV file, each with its number of rows; only one part is in memory at a time."""
        lines = list[str]()
        writer = csv.writer(SimpleNamespace(write=lines.append))  # quotes cells that contain \r or \n
        for number, table in enumerate(self._tables()):
            self._strange.update(self._predictor.strange(table))
            heads, columns = zip(*self._columns(table, self._predictor.values(table)), strict=True)
            if not number:
                writer.writerow(heads)
            writer.writerows(zip(*(map(_cell, column) for column in columns), strict=True))
            yield "".join(line.removesuffix("\r\n") + "\n" for line in lines), len(table)
            lines.clear()

    @property
    def strangers(self) -> tuple[str, ...]:
        """Sentences about words that the program has not learned, in the rows that ``csv`` yielded."""
        return strangers(self._strange)

    def told(self) -> Iterator[str | Sheet]:
        """The metrics and the confusion table if there is a target, otherwise the predictions as CSV."""
        yield from map(Note, self._assumed)
        if self.target is None:
            yield from (Exact(text) for text, _ in self.csv())
            yield from map(Note, self.strangers)
            return
        yield metrics_sheet({f"rows of {self._data}": self.metrics})
        taken = {name for row in self.confusion.values() for name in row}
        classes = [name for name in self._predictor.facts.classes if name in self.confusion or name in taken]
        if len(classes) > MOST_CLASSES:
            yield Note(f"{len(classes)} classes are too many for a table of their confusion; --json has it")
        elif classes:
            yield ""
            rows = [
                (name, *(f"{row.get(each, 0):,}" for each in classes)) for name, row in self.confusion.items()
            ]
            yield Sheet(("true \\ predicted", *classes), rows, right=classes, repeated=1)
        yield from map(Note, strangers(self._predictor.strange(self._table)))


def _cell(value: object) -> str:
    return number_text(value) if isinstance(value, float) else str(value)


def described_fit(given: Mapping[str, Any], folder: Path | None) -> TableSubject:
    """The run that the arguments of ``gpkit.fit`` describe, with its rows; a resumed run keeps its saved settings.

    An argument sets the [fit] key of the same name, except for the arguments in ``PLACES`` and the arguments that this
    function handles.

    Raises:
        UsageError: in the same cases as ``gpkit.fit``.
    """
    stored = stored_fit(folder) if folder is not None and given["resume"] else None
    data, configured = fit_tables(given["data"])
    is_stored = folder is not None and folder.name and not isinstance(data, str | os.PathLike | None)
    path = folder.with_name(f"{folder.name}.csv") if folder is not None and is_stored else None
    with ExitStack() as refused:  # on an error, remove the stored table
        if path is not None and not path.exists():
            refused.callback(path.unlink, missing_ok=True)
        found, table = settings_of(
            "" if data is None and stored is None else data,
            given["target"],
            list(given["words"]),
            folder,
            weights=given["weights"],
            is_resumed=stored is not None,
        )
        operators, weights = given["operators"], given["class_weights"]
        if isinstance(weights, Mapping):
            weights = {label_name(label): weight for label, weight in weights.items()}
        keys = {
            **given,
            **found,
            "programs": given["kind"] and f"{given['kind']}s",
            "balanced": weights == "balanced",
            "class_weights": None if weights == "balanced" else weights,
            "monotone": monotone_text(given["monotone"]),
            "bounds": bounds_text(given["bounds"]),
            "operators": operator_words(operators),
        }
        keys["loss"], own = with_loss(given["loss"], Parts(wrap=built, are_of_fit=True))
        config = fit_config(keys, over(given["settings"], configured), stored)
        run: TableSubject = resolve(started(config, given["start"]), own=own).read(table)
        refused.pop_all()
        return run


def with_loss(loss: object, parts: Parts) -> tuple[str | None, Parts]:
    """The name of a loss, and the parts of a run; the parts include the loss if it is a function.

    Args:
        loss: a name, a function, a pair of a function and its derivative, or None.
        parts: the other parts of the run.

    Raises:
        UsageError: the loss is none of these, or the name of the function is taken.
    """
    if loss is None or isinstance(loss, str):
        return loss, parts
    function, *derivative = loss if isinstance(loss, tuple) else (loss,)
    if not all(map(callable, (function, *derivative))) or len(derivative) > 1:
        raise UsageError(
            f"loss={shortened(repr(loss))}: expected a name, a function of targets and values, or a pair "
            "of such a function and its derivative"
        )
    name = name_of_part(function)
    if is_known(name):
        raise UsageError(f"the name of your loss `{name}` is taken; give yours another name")
    return name, replace(parts, given={**parts.given, ("loss", name): loss})


def usual_folder(config: Config) -> Path:
    """The folder in which the shell stores a fit by default."""
    letters = "".join(letter if letter.isalnum() else "-" for letter in there(config.fit).target)
    return Path("runs") / f"{letters.strip('-')[:40] or 'fit'}-{config.seed}"


def predictor_for(
    program: Fitted | Run | Program | str | os.PathLike[str], language: str | None = None
) -> Predictor:
    """The predictor for a program, or for the program of a fit, a run, a file or a folder.

    Raises:
        UsageError, SourceError: in the same cases as ``gpkit.predict``.
    """
    if isinstance(program, Fitted):
        program = program.program
    if isinstance(program, Program):
        return predictor_of(program.named)
    return predictor_of(load(program_in(path_of(program)), language=language).named)


def fit_of_program(program: Fitted | Run | Program | str | os.PathLike[str]) -> Config | None:
    """The configuration of a fit that was given as a program; None for anything else."""
    config = (
        (read_run(Path(program))[1] if is_run(Path(program)) else None)
        if isinstance(program, str | os.PathLike)
        else getattr(getattr(program, "run", program), "config", None)
    )
    return config if config is not None and config.fit is not None else None


def parted(
    tables: Sequence[Table], data: DataLike, fits: Sequence[Config | None], *, held_out: bool
) -> tuple[tuple[Table, ...], NDArray[np.bool_] | None, tuple[str, ...]]:
    """The tables, reduced to held-out rows on request; otherwise with a warning if they contain training rows.

    Args:
        tables: the same data, in the form in which each program reads them.
        data: the data.
        fits: the configuration of each program that is a fit; None for other programs.
        held_out: whether to use only the held-out rows.

    Returns:
        The tables; a mask of the rows that were kept, bool (rows,), or None if all were; and warnings.

    Raises:
        UsageError: ``held_out`` is set, but none of the fits was fitted to these data.
    """
    numbers = np.arange(1, len(tables[0]) + 1)
    learned, kept = numbers < 0, numbers > 0
    is_gone = isinstance(data, str) and data == STANDARD_INPUT  # which can be read only once
    for config in (each for each in fits if each is not None and not is_gone):
        table = table_for(data, there(config.fit).words)
        if table.sha256 == there(config.fit).sha256:
            rows = rows_of(table, config, is_lenient=True)
            learned |= np.isin(numbers, rows.learned.table.numbers)
            kept &= np.isin(numbers, rows.hidden.table.numbers)
    if held_out and not learned.any():
        raise UsageError(
            f"{argument('held_out')} needs a fit, such as its folder, and the table that it was fitted to"
        )
    if held_out:
        return tuple(each.part(kept) for each in tables), kept, ()
    told = f"{learned.sum():,} of these {len(learned):,} rows are training rows; leave them out: "
    return tuple(tables), None, (told + argument("held_out"),) if learned.any() else ()


def band_for(program: Fitted | Run | Program | str | os.PathLike[str], level: float) -> Band:
    """The prediction band of a fit, or of a program in a fit's folder, from the rows that the fit held out.

    Raises:
        UsageError: the value is not a fit, or its table has moved or changed; also in the same cases as ``band_of``.
    """
    if isinstance(program, Fitted):
        return band_in(program._found.run, predictor_of(program.program.named), level)
    folder = (
        program.folder
        if isinstance(program, Run)
        else None
        if isinstance(program, Program)
        else Path(program)
    )
    if folder is None or not is_run(folder):
        raise UsageError(
            f"{argument('interval')} needs the rows that a fit held out: name the folder of the fit"
        )
    return band_in(resolve(stored_fit(folder)).read(), predictor_for(program), level)


def _coverage(predictor: Predictor, table: Table, target: str, band: Band) -> Measure:
    """Of the rows with an interval, the share whose interval contains the target."""
    rows = table.part(~table.column(target).empty)
    low, high = band.ends(predictor.values(rows)[0])
    true = rows.column(target).values
    held = ((low <= true) & (true <= high)).astype(np.float64)
    return Measure("coverage", mean_interval(held, support=(0.0, 1.0)))


def predicted(
    predictor: Predictor,
    data: DataLike,
    words: Sequence[str],
    target: str | None,
    task: str | None,
    keep: Sequence[str],
    *,
    probabilities: bool,
    fit: Config | None = None,
    held_out: bool = False,
    band: Band | None = None,
) -> Predicted:
    """The predictions of a program, with metrics if there is a target; without one, the shell reads the file in parts.

    ``fit`` is the configuration if the program is a fit; for the other arguments, see ``gpkit.predict``.

    Raises:
        UsageError: in the same cases as ``gpkit.predict``.
    """
    known, measured = predictor.words_for(target), list[Measure]()
    confusion: Mapping[str, Mapping[str, int]] = {}
    notes: tuple[str, ...] = ()
    tables: Callable[[], Iterator[Table]]
    index = data.index if hasattr(data, "columns") and hasattr(data, "index") else None
    if target is None and shell() is not None and not held_out:
        tables, source = partial(read_chunks, data, words, known, keep), data
    else:
        group = there(fit.fit).group if fit is not None and held_out else ""
        table = table_for(data, words, known, (*keep, *filter(None, (group,))))
        if target is not None or held_out:
            (table,), kept, notes = parted([table], data, [fit], held_out=held_out)
            index = index if index is None or kept is None else index[kept]
        tables, source = partial(iter, (table,)), table.source
        if target is not None:
            predictor, assumed = predictor.of_target(table.column(target), task)
            notes += assumed
            estimates, confusion = judged(predictor, table, target, group=group)
            measured = [each.measure for each in estimates]
            if band is not None and not held_out:  # whose rows set the width of the band
                measured.append(_coverage(predictor, table, target, band))
    notes = notes if band is None else (*notes, str(band))
    if band is not None and fit is not None and (there(fit.fit).group or there(fit.fit).after):
        notes += (
            "the held-out rows have other groups or later times than the training rows: intervals can hold fewer",
        )
    found = Predicted(
        target, tuple(measured), confusion, index, source, predictor, tables, keep, probabilities, notes, band
    )
    if shell() is None:
        _ = found.values, found.probabilities  # now, so that the caller sees a mistake
    return found

"""Fits in Python code: programs that predict a column of a table, and their predictions."""

import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from gpkit.api.arguments import command
from gpkit.api.described_runs import StartLike, started
from gpkit.api.kinds import Count, DataLike, Number, Seconds, Seed
from gpkit.api.problems import built
from gpkit.api.programs import Program, load
from gpkit.api.progress import watching
from gpkit.api.runs import Followed, OnGeneration, Run, outcome
from gpkit.api.tables import removed_if_refused, settings_of, table_for
from gpkit.app.configs import fit_tables
from gpkit.app.fitting import Fit, Miss, closing_seconds, fit_of, notes_of, predictions_svg, stored_fit
from gpkit.app.predictions import Predictor, judged, predictor_of, strangers
from gpkit.core.errors import UsageError
from gpkit.core.settings import NO_SETTINGS, over
from gpkit.core.tabular import Tabular, html_table
from gpkit.core.timeouts import countdown
from gpkit.data.features import Label, label_name
from gpkit.data.metrics import Measure
from gpkit.evolution.loop import INTERRUPTED
from gpkit.evolution.loop import evolve as evolve_by
from gpkit.evolution.parts import Parts
from gpkit.evolution.run_folder import RunResult
from gpkit.evolution.search import Hooks
from gpkit.evolution.setup import Run as Running
from gpkit.evolution.subjects import fit_config_from_words, resolve
from gpkit.evolution.table_subject import TableSubject


@dataclass(frozen=True, slots=True, repr=False)
class Fitted(Tabular):
    """Fit that has ended: the program that was chosen, and how well it predicts.

    Attributes:
        program: that was chosen from the front.
        run: its generations, front, and folder.
        task: ``regression`` or ``classification``.
        classes: in order: truth values, numbers or texts, as they are in the table; empty for numbers.
        notes: sentences about what gpkit assumed: the task, columns that are left out, what empty cells count as.
        metrics: of the rows ``learned`` from, and of those ``held_out``, if there are any.
        misses: the rows that it errs most for, the worst first.
        svg: the picture of predicted against true numbers, or of classes taken for others.
    """

    program: Program
    run: Run
    task: str
    classes: tuple[Label, ...]
    notes: tuple[str, ...]
    metrics: Mapping[str, tuple[Measure, ...]]
    misses: tuple[Miss, ...]
    svg: str

    def predict(self, data: DataLike) -> Any:
        """Predictions for the rows of a table: numbers, or labels of the kind that the target has, (rows,).

        They are an array, of a data frame of pandas a series with its index. Words that were not learned from are
        warned of.

        Raises:
            UsageError: the table lacks a column.
        """
        found = predict(self, data)
        for note in found.notes:
            warnings.warn(note, stacklevel=2)
        return (
            found.values if found.index is None else import_module("pandas").Series(found.values, found.index)
        )

    def to_rows(self) -> list[Mapping[str, object]]:
        """The metrics by part of the rows."""
        return [{"part": part, **each.to_json()} for part, found in self.metrics.items() for each in found]

    def __repr__(self) -> str:
        """The program in a line, and its first metric."""
        part, found = list(self.metrics.items())[-1]
        first = f"{found[0].name} {found[0].interval.mean:.4g} on rows {part.replace('_', ' ')}"
        return f"<Fitted {self.task}: {first}, in {self.program.size} nodes>"

    def _repr_html_(self) -> str:
        """The program and its metrics."""
        return self.program._repr_html_() + html_table(self.to_rows())


@dataclass(frozen=True, slots=True, eq=False)
class Predicted(Tabular):
    """Predictions for the rows of a table.

    Attributes:
        values: float64 (rows,), or class labels (rows,) of the same type as the labels of the target.
        classes: the classes in order; empty for numbers.
        probabilities: float64 (rows, classes); None if they were not asked for.
        metrics: how good the predictions of ``target`` are; empty if no target was given.
        confusion: the number of rows for each pair of true and predicted class; empty for numbers.
        kept: the copied columns, by name, with their cells exactly as they are in the table.
        notes: sentences about what gpkit assumed about the program, and about words that it has not learned.
        index: the index of a pandas data frame; None for other tables.
    """

    values: NDArray[Any]
    classes: tuple[Label, ...]
    probabilities: NDArray[np.float64] | None
    metrics: tuple[Measure, ...]
    confusion: Mapping[str, Mapping[str, int]]
    kept: Mapping[str, Sequence[str]]
    notes: tuple[str, ...] = ()
    index: Any = None

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.values)

    def to_rows(self) -> list[Mapping[str, object]]:
        """The rows as ``gpkit predict`` writes them."""
        columns: dict[str, Sequence[object]] = {**self.kept, "prediction": self.values.tolist()}
        if self.probabilities is not None:
            shares = zip(self.classes, self.probabilities.T.tolist(), strict=True)
            columns |= {f"probability of {name}": share for name, share in shares}
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def to_frame(self) -> Any:
        """The rows as a ``pandas.DataFrame``, with the index of the one that was predicted for.

        Raises:
            UsageError: pandas is not installed.
        """
        frame = Tabular.to_frame(self)
        return frame if self.index is None else frame.set_index(self.index)


@command
def fit(
    data: DataLike = None,
    target: Any = None,
    *,
    inputs: tuple[str, ...] | list[str] = (),
    without: tuple[str, ...] | list[str] = (),
    words: tuple[str, ...] | list[str] = (),
    kind: Literal["formula", "tree"] | None = None,
    task: Literal["regression", "classification"] | None = None,
    operators: str | tuple[str, ...] | list[str] = (),
    size: Count | None = None,
    choose: str | None = None,
    test: float | None = None,
    split: str | None = None,
    weights: Annotated[Any, "the name of a column, or weights (rows,)"] = None,
    class_weights: Annotated[Mapping[Any, float] | Literal["balanced"], "weights by class or 'balanced'"]
    | None = None,
    start: Annotated[StartLike | Sequence[StartLike], "programs, or files"] = (),
    generations: Number | None = None,
    population: Count | None = None,
    seed: Seed | None = None,
    time_limit: Seconds | None = None,
    settings: Mapping[str, Any] = NO_SETTINGS,
    callback: OnGeneration | None = None,
    folder: str | os.PathLike[str] | None = None,
    resume: bool = False,
    workers: Count | str = 1,
) -> Fitted:
    """Find a program that predicts a column of a table, as ``gpkit fit`` does: the same seed gives the same program.

    >>> import gpkit
    >>> table = {"x": [x / 4 for x in range(40)], "y": [x * x / 8 + 1 for x in range(40)]}
    >>> found = gpkit.fit(table, "y", operators="+ *", generations=3, population=50)
    >>> found.predict({"x": [4]}).round(6).tolist()
    [33.0]

    Args:
        data: the table: a path, columns by name, a data frame, or an array. Or a configuration, which names the table
            and all settings: the path of a file ``.toml``, or a ``gpkit.types.Config``; arguments override it.
        target: the label of the column to predict, or its values, which are then called ``y``. A series that equals
            a column of the data stands for that column.
        inputs: the columns to predict it from; by default all others.
        without: columns to leave out.
        words: columns of words, even if their cells look like numbers.
        kind: the kind of program, by default a formula; the same as the option ``--as`` of the command.
        task: ``regression`` or ``classification``; by default, gpkit decides from the target.
        operators: the operators of formulas, such as ``"+ - *"``.
        size: the maximum number of nodes in a program.
        choose: how to choose the program from the front.
        test: the share of rows to hold out.
        split: a column; if given, the rows in which it has the word ``test`` are held out instead.
        weights: the label of the column with the weights of the rows, or the weights themselves. Whole numbers say how
            often a row counts; others are relative to each other.
        class_weights: how much a row of each class counts, by label, or ``balanced``.
        start: programs to start from.
        generations, population, seed: settings of the evolution.
        time_limit: the maximum number of seconds for the fit, which then ends with the best program so far.
        settings: tables and keys of the configuration, as in a ``.toml`` file.
        callback: called for every new generation with its numbers and the champion; the run ends if it returns False.
        folder: where to store the run; gpkit then stores a table in memory beside it as a CSV file.
        resume: go on with the run in the folder; only ``choose``, ``generations``, ``time_limit`` and ``workers`` may
            differ. If the run has ended, a new ``choose`` picks a program from its front without evolving again.
        workers: processes, or the address of a dask scheduler; the result is the same.

    After the first generation, Ctrl+C ends the fit with a warning and the best program so far.

    Raises:
        UsageError: the table cannot be read, lacks a column or has nothing to learn, or options do not go together.
        CheckpointError: the folder is in use, not empty, not of a run, damaged, or cannot be written.
    """
    if resume and folder is None:
        raise UsageError("resume=True goes on with the run of a fit: name its folder")
    data, configured = fit_tables(data)
    given = {
        "settings": over(settings, configured),
        "inputs": list(inputs),
        "without": list(without),
        "words": list(words),
        "kind": kind,
        "task": task,
        "size": size,
        "choose": choose,
        "test": test,
        "split": split,
        "weights": weights,
        "class_weights": {label_name(label): weight for label, weight in class_weights.items()}
        if isinstance(class_weights, Mapping)
        else class_weights,
        "generations": generations,
        "population": population,
        "seed": seed,
        "operators": operators.replace(",", " ").split() if isinstance(operators, str) else list(operators),
    }
    place = None if folder is None else Path(folder)
    left = countdown(time_limit)
    with watching() as tell:
        with removed_if_refused(data, place):
            run = _run_of(data, target, given, start, place if resume else None, place)
        closing = 0.0 if time_limit is None else closing_seconds(run, left)
        followed = Followed(run, callback, tell, lambda: left() - closing, time_limit)
        with followed.interrupts(place):
            result = evolve_by(
                run,
                str(workers),
                folder=place,
                resume=resume,
                stop=followed.stop,
                hooks=Hooks(generation=followed.generation),
                limit=followed.limit,
                keeps=True,
            )
    warn_of_interrupt(result)
    program, ended = outcome(run, result, followed.summaries, place)
    return _fitted(program, ended, fit_of(run, result, program.name))


def warn_of_interrupt(result: RunResult[Any]) -> None:
    """Warn the caller of the caller's caller that a fit was interrupted, if it was."""
    if result.reason == INTERRUPTED:
        best = f"interrupted: this is the best program up to generation {result.state.generation}"
        warnings.warn(best, stacklevel=4)


def _fitted(program: Program, run: Run, found: Fit) -> Fitted:
    facts = found.run.subject.known.facts
    notes, svg = notes_of(found.run), predictions_svg(found)
    return Fitted(program, run, facts.task, facts.labels, notes, found.metrics, found.misses, svg)


def _run_of(
    data: Any, target: Any, given: dict[str, Any], start: Any, resumed: Path | None, folder: Path | None
) -> Running[TableSubject]:
    """The run that arguments of ``fit`` describe, with its rows, beside what is stored of one that is resumed.

    Raises:
        UsageError: as of ``fit``.
    """
    stored = None if resumed is None else stored_fit(resumed)
    found, table = settings_of(
        data, target, given["words"], folder, weights=given["weights"], is_resumed=stored is not None
    )
    given |= found
    config = fit_config_from_words(found.get("file", ""), given, given["settings"], stored)
    return resolve(started(config, start), own=Parts(wrap=built, are_of_fit=True)).read(table)


def predictor_for(
    program: Fitted | Run | Program | str | os.PathLike[str], language: str | None = None
) -> Predictor:
    """The predictor that a program is, or that of a fit, a run, a file or a folder.

    Raises:
        UsageError, SourceError: as of ``predict``.
    """
    if isinstance(program, Fitted):
        program = program.program
    if isinstance(program, Program):
        return predictor_of(program.named)
    path = program if isinstance(program, str | os.PathLike) else program.folder
    if path is None:
        raise UsageError("this run was not stored: predict with its program")
    return predictor_of(load(path, language=language).named)


@command
def predict(
    program: Annotated[Fitted | Run | Program | str | os.PathLike[str], "a fit, a program, or a path"],
    data: DataLike,
    *,
    target: str | None = None,
    task: Literal["regression", "classification"] | None = None,
    keep: tuple[str, ...] | list[str] = (),
    probabilities: bool = False,
    words: tuple[str, ...] | list[str] = (),
) -> Predicted:
    """Predict a value for each row of a table, as ``gpkit predict`` does.

    >>> import gpkit
    >>> gpkit.predict(gpkit.parse("2 * length"), {"length": [1, 2.5]}).values.tolist()
    [2.0, 5.0]
    >>> tree = gpkit.parse("test width <= 1\\n  yes: red\\n  no: blue", language="decision")
    >>> rows = {"width": [0.5, 2, 3], "colour": ["red", "blue", "red"]}
    >>> gpkit.predict(tree, rows, target="colour").confusion
    {'blue': {'blue': 1}, 'red': {'blue': 1, 'red': 1}}

    Args:
        program: a fit, a run or its folder, or a formula or decision tree that names columns.
        data: the table, as of ``fit``.
        target: the column whose predictions are measured: ``metrics``, and of classes ``confusion``.
        task: how a program that does not say it is read for the target; without it as ``fit`` takes the column.
        keep: columns of the table that ``to_rows`` repeats.
        probabilities: whether the probability of each class is given.
        words: columns of words, even if their cells look like numbers.

    Raises:
        UsageError: the table lacks a column, or the program predicts no classes, or computes nothing without a game.
        SourceError: the program does not parse, or has an error.
        CheckpointError: the folder holds no run, or a damaged one.
    """
    predictor = predictor_for(program)
    table = table_for(data, words, predictor.words_for(target), keep)
    notes: tuple[str, ...] = ()
    if target is not None:
        predictor, notes = predictor.of_target(table.column(target), task)
    elif task is not None:
        raise UsageError(f"task={task!r} is for metrics: name the column that is predicted, target=...")
    estimates, confusion = ((), {}) if target is None else judged(predictor, table, target)
    values = predictor.values(table)
    return Predicted(
        predictor.predicted(values),
        predictor.facts.labels,
        predictor.shares(values) if probabilities else None,
        tuple(each.measure for each in estimates),
        confusion,
        {name: table.kept[name].tolist() for name in keep},
        (*notes, *strangers(predictor.strange(table))),
        data.index if hasattr(data, "columns") and hasattr(data, "index") else None,
    )

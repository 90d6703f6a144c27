"""Programs that are found: fitted to a table, and used on its rows. Each function is a command of the shell, too."""

import csv
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from gpkit.api.arguments import command
from gpkit.api.kinds import (
    IN_PYTHON,
    Columns,
    Count,
    DataLike,
    Folder,
    Given,
    Kind,
    Number,
    Seconds,
    Seed,
    Starts,
    Within,
    Workers,
)
from gpkit.api.progress import argument, begun, remark, shell, watching
from gpkit.core.errors import UsageError
from gpkit.core.settings import NO_SETTINGS

if TYPE_CHECKING:
    from gpkit.api.fits import Fitted, Predicted
    from gpkit.api.programs import Program
    from gpkit.api.runs import Run
    from gpkit.evolution.summary import Summary

OnGeneration = Annotated[Callable[["Summary", "Program"], object], IN_PYTHON]
"""Called for every new generation with its numbers and the champion so far; the run ends when it returns False."""

Settings = Annotated[Mapping[str, Any], IN_PYTHON]
"""Tables and keys of a configuration, as in a file ``.toml``."""


def _names(text: str, _given: Given) -> list[str]:
    rows = csv.reader([text], skipinitialspace=True)
    return [name for row in rows for each in row if (name := each.strip())]


ColumnNames = Annotated[Sequence[str], Kind("COLUMN,...", read=_names)]
"""Names of columns, in the shell with commas between them; one that holds a comma stands in quotation marks."""


def _class_weights(text: str, _given: Given) -> dict[str, float] | str:
    if text == BALANCED:
        return text
    weights = {}
    for pair in text.split(","):
        name, equals, number = pair.rpartition("=")
        try:
            weights[name.strip()] = float(number)
        except ValueError:
            equals = ""
        if not equals or not name.strip():
            raise UsageError(f"--class-weights {text}: expected {BALANCED}, or weights such as no=1,yes=3")
    return weights


BALANCED = "balanced"
"""Says that all classes count alike, in place of weights of classes."""

Task = Literal["regression", "classification"]


@command
def fit(
    data: Annotated[Any, Kind("DATA | CONFIG.toml", completes="file")] = None,
    target: Annotated[Any, Kind("COLUMN", option="--target")] = None,
    *,
    inputs: ColumnNames = (),
    without: ColumnNames = (),
    words: Columns = (),
    kind: Annotated[Literal["formula", "tree"], Kind(option="--as")] | None = None,
    task: Task | None = None,
    operators: Annotated[str | Sequence[str], Kind("'+ - * /'")] = (),
    size: Count | None = None,
    choose: Literal["description-length", "fittest", "first", "knee", "one-se"] | None = None,
    test: Annotated[float, Within(0, 0.9)] | None = None,
    split: Annotated[str, Kind("COLUMN")] | None = None,
    weights: Annotated[Any, Kind("COLUMN", "the name of a column, or weights (rows,)")] = None,
    class_weights: Annotated[
        Mapping[Any, float] | Literal["balanced"],
        Kind("balanced | CLASS=WEIGHT,...", "weights by class or 'balanced'", read=_class_weights),
    ]
    | None = None,
    start: Starts = (),
    generations: Number | None = None,
    population: Annotated[int, Within(2, 100_000)] | None = None,
    seed: Seed | None = None,
    time_limit: Annotated[Seconds, Kind("SECONDS")] | None = None,
    settings: Settings = NO_SETTINGS,
    callback: OnGeneration | None = None,
    folder: Annotated[Folder, Kind("DIR", "a path", "folder", option="--out")] | None = None,
    resume: bool = False,
    workers: Workers = 1,
) -> "Fitted":
    """Find a formula, or a decision tree, that predicts a column of a table from the others.

    Numbers are predicted with their error, words by classes. Text columns and empty cells are fine. The answer has the
    front of size against error, the program that was chosen, metrics with intervals, also on rows that were held out,
    and where it errs most. The folder of the run holds everything.

    >>> import gpkit
    >>> table = {"x": [x / 4 for x in range(40)], "y": [x * x / 8 + 1 for x in range(40)]}
    >>> found = gpkit.fit(table, "y", operators="+ *", generations=3, population=50)
    >>> found.predict({"x": [4]}).round(6).tolist()
    [33.0]

    Args:
        data: the table, a CSV or Parquet file. Or a configuration (`gpkit new fit`), which names the table, the target
            and everything else; options override it. In Python the table may also be columns by name, a data frame or
            an array, and the configuration a `gpkit.types.Config`.
        target: the column that is predicted. In Python it may also be its values, which are then called `y`; a series
            that equals a column of the data stands for that column.
        inputs: the columns to predict it from. Default: all others.
        without: columns to leave out, such as numbers of rows.
        words: a column whose cells are read as words, even if they look like numbers; may be repeated.
        kind: the kind of program. Default: formula.
        task: whether numbers or classes are predicted. Default: by the target, and told.
        operators: the operators of formulas. Default: + - * / sqrt log exp.
        size: the most nodes of a program, intercept and slopes not counted. Default: 60, of trees 31.
        choose: how the program is chosen from the front. Default: description-length.
        test: the share of rows held out. Default: 0.25.
        split: hold out the rows that have the word `test` in a column instead.
        weights: the column of weights of rows: whole numbers say how often a row counts, others are relative to each
            other. In Python it may also be the weights themselves.
        class_weights: how much rows of a class count.
        start: a program to start from: a file, or a run; may be repeated.
        generations: how long evolution goes on.
        population: programs in each generation.
        seed: of all chance; the same seed gives the same program. Default: 1.
        time_limit: end by then, with the best program so far.
        settings: tables and keys of the configuration, as in a ``.toml`` file.
        callback: called for every new generation with its numbers and the champion; the run ends if it returns False.
        folder: the folder of the run. Default: runs/TARGET-SEED. In Python nothing is stored without one, and with one
            a table in memory is stored beside it as a CSV file.
        resume: resume the run in the folder; only `choose`, `generations`, `time_limit` and `workers` may differ. If
            the run has ended, a new `choose` picks a program from its front without evolving again.
        workers: worker processes, at most four per core, on Windows at most 61; or a dask scheduler. The result is the
            same.

    After the first generation, Ctrl+C ends the fit in Python with a warning and the best program so far.

    Raises:
        UsageError: the table cannot be read, lacks a column or has nothing to learn, or options do not go together.
        CheckpointError: the folder is in use, not empty, not of a run, damaged, or cannot be written.
    """
    given = dict(locals())
    from gpkit.api import fits
    from gpkit.api.runs import Followed, outcome
    from gpkit.app.fitting import closing_seconds, fit_of, notes_of
    from gpkit.core.compiled import compilation
    from gpkit.evolution.search import Hooks

    if resume and folder is None:
        raise UsageError(f"name the folder of the run that goes on: {argument('folder')}")
    place, clock = None if folder is None else Path(folder), begun()
    with watching() as tell:
        run = fits.described_fit(given, place)
        if place is None and shell() is not None:
            place = fits.usual_folder(run.config)
        for told in notes_of(run):
            remark(told)
        closing = 0.0 if not time_limit else closing_seconds(run, clock)
        followed = Followed(run, tell, clock, time_limit, spent=clock(), closing=closing, callback=callback)
        result = followed.evolved(
            place,
            workers=workers,
            resume=resume,
            again=f"gpkit fit --resume --out {place}",
            hooks=Hooks(rehearsal=lambda: remark(compilation("the loops of formulas"))),
            keeps=True,
        )
    fits.warn_of_interrupt(result)
    program, ended = outcome(run, result, followed.summaries, place)
    return fits.Fitted(program, ended, fit_of(run, result, program.name))


@command
def predict(
    program: Annotated[
        "Fitted | Run | Program | str | os.PathLike[str]",
        Kind("PROGRAM", "a fit, a program, or a path", "program"),
    ],
    data: Annotated[DataLike, Kind("DATA", completes="file")],
    *,
    target: Annotated[str, Kind("COLUMN")] | None = None,
    task: Task | None = None,
    keep: Columns = (),
    probabilities: bool = False,
    words: Columns = (),
) -> "Predicted":
    """Predict a value for each row of a table, and measure how right the predictions are.

    With the column that is predicted, the answer has the metrics of the predictions, with intervals, and for classes
    how many rows of each are predicted as which.

    >>> import gpkit
    >>> gpkit.predict(gpkit.parse("2 * length"), {"length": [1, 2.5]}).values.tolist()
    [2.0, 5.0]
    >>> tree = gpkit.parse("test width <= 1\\n  yes: red\\n  no: blue", language="decision")
    >>> rows = {"width": [0.5, 2, 3], "colour": ["red", "blue", "red"]}
    >>> gpkit.predict(tree, rows, target="colour").confusion
    {'blue': {'blue': 1}, 'red': {'blue': 1, 'red': 1}}

    Args:
        program: the folder of a fit, whose champion predicts; or a formula or a decision tree that names columns,
            written by `gpkit fit` or by hand. In Python it may also be a fit, a run or a program.
        data: the table, a CSV or Parquet file. In Python it may also be columns by name, a data frame or an array.
        target: measure how right the predictions of this column are.
        task: with a target, how a program is read that does not say it. Default: by the target, as `gpkit fit` does.
        keep: copy a column of the table unchanged into the result; may be repeated.
        probabilities: add the probability of each class.
        words: a column whose cells are read as words, even if they look like numbers; may be repeated.

    Raises:
        UsageError: the table lacks a column, or the program predicts no classes, or computes nothing without a game.
        SourceError: the program does not parse, or has an error.
        CheckpointError: the folder holds no run, or a damaged one.
    """
    from gpkit.api.fits import predicted, predictor_for

    if task is not None and target is None:
        raise UsageError(
            f"{argument('task')} is for metrics: name the column that is predicted, {argument('target')}"
        )
    return predicted(predictor_for(program), data, words, target, task, keep, probabilities=probabilities)

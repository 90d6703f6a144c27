"""Functions that evolve programs, fit programs to tables, and predict with them; each is also a shell command."""

import csv
import os
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from gpkit.api.arguments import command
from gpkit.api.kinds import (
    IN_PYTHON,
    Columns,
    Count,
    DataLike,
    Folder,
    GameLike,
    Given,
    Kind,
    Language,
    Number,
    OnGeneration,
    Seconds,
    Seed,
    Starts,
    Within,
    WorkersLike,
)
from gpkit.api.progress import argument, begun, remark, remark_compilation, shell, watching
from gpkit.core.errors import UsageError, interrupted
from gpkit.core.settings import NO_SETTINGS

if TYPE_CHECKING:
    from gpkit.api.fits import Fitted, Predicted
    from gpkit.api.problems import Problem
    from gpkit.api.programs import Program
    from gpkit.api.runs import Evolved, Run
    from gpkit.evolution.config import Config
    from gpkit.evolution.search import SearchState as SearchState


def _names(text: str, _given: Given) -> list[str]:
    rows = csv.reader([text], skipinitialspace=True)
    return [name for row in rows for each in row if (name := each.strip())]


ColumnNames = Annotated[Sequence[str], Kind("COLUMN,...", read=_names)]
"""Names of columns; in the shell, commas separate them, and a name that contains a comma needs quotation marks."""


def _class_weights(text: str, _given: Given) -> dict[str, float] | str:
    if text == BALANCED:
        return text
    pairs = [pair.rpartition("=") for pair in text.split(",")]
    with suppress(ValueError):
        weights = {name.strip(): float(number) for name, _, number in pairs}
        if "" not in weights:
            return weights
    raise UsageError(f"--class-weights {text}: expected {BALANCED}, or weights such as no=1,yes=3")


BALANCED = "balanced"
"""The word that requests equal weights for all classes."""

Task = Literal["regression", "classification"]


What = Annotated[
    "GameLike | Problem | Config",
    Kind(
        "CONFIG.toml | PRESET | FILE.py",
        "a problem, such as gpkit.problem(function, sensors={'x': (-5, 5)}) returns; a game; the name of a "
        "preset; a file .toml; or a configuration",
        "evolved",
    ),
]
"""The subject of a run: a configuration, a game or a problem."""

OwnOperators = Annotated[
    Mapping[str, Any],
    Kind(
        words='operators that make children, such as {"mine": (mine, 0.3)}; formula operators belong in gpkit.problem',
        in_shell=False,
    ),
]
"""Operators that make children from parents, each with its share."""

OwnPart = Annotated[Any, IN_PYTHON]
"""A function or an object that replaces a part of evolution, or the name of such a part."""

Settings = Annotated[Mapping[str, Any], IN_PYTHON]
"""Tables and keys of a configuration, as in a ``.toml`` file."""

RunFolder = Annotated[Folder, Kind("DIR", "a path", "folder", option="--out")]
"""The folder of a run; by default, the shell uses ``runs/NAME-SEED``."""


@contextmanager
def resumable(folder: Path | None) -> Iterator[None]:
    """In the block, an interrupt of work that is stored in the folder says how to continue it.

    Raises:
        KeyboardInterrupt: the work was interrupted.
    """
    from gpkit.core.work_folder import is_run

    try:
        yield
    except KeyboardInterrupt:
        if folder is None or not is_run(folder):
            raise
        words = [] if (line := shell()) is None else [each for each in line.line if each != "--resume"]
        way = f"gpkit {shlex.join(words)} --resume" if words else f"folder={str(folder)!r}, resume=True"
        raise interrupted(f"interrupted; continue with: {way}") from None


@command
def evolve(
    what: What | None = None,
    *,
    game: GameLike | None = None,
    language: Language | None = None,
    start: Starts = (),
    folder: RunFolder | None = None,
    resume: bool = False,
    seed: Seed | None = None,
    generations: Number | None = None,
    time_limit: Annotated[Seconds, Kind("SECONDS")] | None = None,
    workers: WorkersLike = 1,
    settings: Settings = NO_SETTINGS,
    callback: OnGeneration | None = None,
    operators: OwnOperators = NO_SETTINGS,
    selection: OwnPart = None,
    scheme: OwnPart = None,
    initialiser: OwnPart = None,
    stop: Annotated["Callable[[SearchState[Any]], str | bool | None] | None", IN_PYTHON] = None,
    callbacks: Annotated[Sequence[Any], IN_PYTHON] = (),
    objectives: Annotated[Sequence[Any], IN_PYTHON] = (),
) -> "Evolved":
    """Evolve programs from a configuration or a preset, for a game, or for your own problem.

    The same configuration and seed give the same champion. The run's folder contains everything: configuration,
    checkpoint, genealogy, events, and champions as program files. After an interruption, --resume continues from the
    checkpoint, with the same result as an uninterrupted run.

    >>> import gpkit
    >>> from gpkit.core.registry import data_folder
    >>> tic_tac_toe = data_folder("programs") / "games" / "tic_tac_toe.py"
    >>> small = {"population": {"size": 10}, "fitness": {"deals": 2, "validation_deals": 4}}
    >>> tell = lambda summary, champion: print(summary.generation, summary.best)
    >>> champion, run = gpkit.evolve(tic_tac_toe, generations=1, settings=small, callback=tell)
    0 1.0
    1 0.75
    >>> champion.game, champion.header["generation"], run.reason
    ('tic_tac_toe', '0', '1 generation')

    Args:
        what: a configuration file, a preset such as `sevens` or `article`, or a file with your own game or problem. In
            Python it may also be a problem from ``gpkit.problem``, a game, or a configuration.
        game: the game, if nothing else names it: a name, a file with your own game, or an OpenSpiel game such as
            openspiel:hex. To resume a run on a game that does not come with gpkit, name the game again.
        language: your own language, if the problem uses one, or if its programs are translated into a language of the
            game: its name, or the file that declares it.
        start: a program to start from: a file, a run, or the name of a shipped program; may be repeated. In Python it
            may also be a program; the settings `population.start_share` and `population.mutant_share` set the shares of
            its copies and mutants.
        folder: the folder of the run. Default: runs/NAME-SEED. In Python, nothing is stored unless you name a folder.
        resume: resume the run in the folder, with its configuration.
        seed: the seed of all random numbers; overrides the configuration.
        generations: the number of generations; overrides the configuration.
        time_limit: end the run after this many seconds.
        workers: the number of worker processes, at most four per core, on Windows at most 61; or a dask scheduler; or a
            file whose function ``executor`` returns an executor, in Python also an ``Executor`` of
            ``concurrent.futures`` or a function that returns one. The result does not depend on the workers. In Python,
            a script that uses several processes needs ``if __name__ == "__main__":``.
        settings: tables and keys, as in a ``.toml`` file, that override those of the configuration.
        callback: called for every new generation with its numbers and the champion so far; if it returns False, the
            run ends.
        operators: your own operators by name, each with its share of the children, in addition to those of the
            configuration, such as ``{"mine": (mine, 0.3)}``: a function ``mine(rng, program)`` or ``mine(rng, program,
            donor)`` that returns a program or its text, or a ``gpkit.Operator`` of genomes. For an existing operator,
            give only the share. Only the ratios between the shares matter.
        selection: a function ``(rng, population)`` that returns the index of a parent, where 0 is the best; or a
            ``gpkit.Selector``; or the name of an existing selector.
        scheme: a function ``(table, shares, selector)`` that returns a ``gpkit.Scheme``, or a name.
        initialiser: a function ``(rng, index)`` that returns a program of the first generation or its text, or a name.
        stop: a function that takes a ``gpkit.SearchState`` and returns the reason to end, or None.
        callbacks: functions ``(summary, champion)``, called for every generation and stored with the run by name; the
            run ends when one returns False.
        objectives: the objectives of the front, if the scheme or the selection uses several: names, or functions that
            take a ``gpkit.Individual`` and return a number; higher is better.

    Returns:
        The champion, and the run.

    Raises:
        UsageError: a file, preset, game or program does not exist, or settings contradict each other.
        CheckpointError: the folder is in use, not empty, not a run folder, damaged, or not writable.
        GuestError: your game has a fault; the message names the line.
    """
    from gpkit.analysis.evaluation import CLOSING
    from gpkit.api.described_runs import described
    from gpkit.api.runs import RunFollower, again_of, evolved, usual_folder
    from gpkit.evolution.loop import evolve as evolve_by
    from gpkit.evolution.search import Hooks, ignore

    given = partial(
        described,
        what,
        settings,
        start,
        seed=seed,
        generations=generations,
        game=game,
        language=language,
        workers=workers,
        operators=operators,
        selection=selection,
        scheme=scheme,
        initialiser=initialiser,
        stop=stop,
        callbacks=callbacks,
        objectives=objectives,
    )
    place, clock = None if folder is None else Path(folder), begun()
    is_usual = place is None and shell() is not None and (what is not None or game is not None)
    if place is None and resume and not is_usual:
        raise UsageError(f"name the folder of the run to resume: {argument('folder')}")
    with watching() as tell:
        run = given(resumed=place if resume else None)
        if language is not None and run.language.name != language:
            raise UsageError(
                f"{argument('language')}: the programs of this run are in {run.language.name}, not {language}"
            )
        if is_usual:
            place = usual_folder(what or game, run)
            run = given(resumed=place) if resume else run
        name, about = run.config.game, run.about
        subject = f"the problem {about['problem']}" if run.config.problem else about.get("game", "")
        closing = min(CLOSING, (time_limit or 0.0) / 10.0) if name and shell() is not None else 0.0
        followed = RunFollower(run, tell, clock, time_limit, closing=closing, callback=callback)
        hooks = Hooks(
            rehearsal=partial(remark_compilation, game=name) if name else ignore,
            start=lambda: remark(f"evolving for {subject} in {place}, seed {run.config.seed}"),
        )
        with followed.interrupts(place, partial(again_of, run, what, place)):
            result = evolve_by(
                run,
                workers,
                folder=place,
                resume=resume,
                hooks=followed.hooks(place, hooks),
            )
    is_limited = time_limit is not None and shell() is not None
    return evolved(followed, run, result, place, followed.left() + closing if is_limited else None)


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
    loss: Annotated[
        Any, Kind("LOSS", "the name of a loss, a function, or a function and its derivative")
    ] = None,
    operators: Annotated[str | Sequence[str], Kind("'+ - * /'")] = (),
    size: Count | None = None,
    choose: Literal["description-length", "fittest", "first", "knee", "one-se"] | None = None,
    no_clip: bool = False,
    digits: Annotated[int, Within(1, 17), Kind("K")] | None = None,
    test: Annotated[float, Within(0, 0.9)] | None = None,
    split: Annotated[str, Kind("COLUMN")] | None = None,
    group: Annotated[str, Kind("COLUMN")] | None = None,
    after: Annotated[str, Kind("COLUMN")] | None = None,
    weights: Annotated[Any, Kind("COLUMN", "the name of a column, or weights (rows,)")] = None,
    class_weights: Annotated[
        Mapping[Any, float] | Literal["balanced"],
        Kind("balanced | CLASS=WEIGHT,...", "weights by class or 'balanced'", read=_class_weights),
    ]
    | None = None,
    monotone: Annotated[
        Any, Kind("'COLUMN+ COLUMN-'", "a text such as 'dose+ age-', or signs by column")
    ] = None,
    bounds: Annotated[Any, Kind("LOW..HIGH", "a text such as '0..1', or two numbers")] = None,
    start: Starts = (),
    generations: Number | None = None,
    population: Annotated[int, Within(2, 100_000)] | None = None,
    seed: Seed | None = None,
    time_limit: Annotated[Seconds, Kind("SECONDS")] | None = None,
    settings: Settings = NO_SETTINGS,
    callback: OnGeneration | None = None,
    folder: RunFolder | None = None,
    resume: bool = False,
    workers: WorkersLike = 1,
) -> "Fitted":
    """Find a formula, or a decision tree, that predicts a column of a table from the others.

    The target column contains numbers or classes. The other columns may also contain text and empty cells. The result
    contains the front of program size against error, the chosen program, metrics with intervals for the training rows
    and the held-out rows, and the rows with the largest errors. The run's folder contains all of this.

    >>> import gpkit
    >>> table = {"x": [x / 4 for x in range(40)], "y": [x * x / 8 + 1 for x in range(40)]}
    >>> found = gpkit.fit(table, "y", operators="+ *", generations=3, population=50)
    >>> found.predict({"x": [4]}).round(6).tolist()
    [33.0]

    Args:
        data: the table, a CSV or Parquet file. Alternatively, a configuration (see `gpkit new fit`), which names the
            table, the target and everything else; options override it. In Python the table may also be columns by name,
            a data frame or an array, and the configuration a `gpkit.types.Config`.
        target: the column to predict. In Python it may also be the values to predict, which are then called `y`;
            a series that equals a column of the data stands for that column.
        inputs: the columns from which to predict the target, separated by commas. Default: all others. In Python this
            is a list.
        without: columns to leave out, such as row numbers, separated by commas. In Python this is a list.
        words: read the cells of this column as words, even if they look like numbers; may be repeated.
        kind: the kind of program. Default: formula.
        task: whether to predict numbers or classes. Default: gpkit decides from the target, and reports its decision.
        loss: when numbers are predicted, the cost of the error in a row. Default: squares. `absolute` resists outliers,
            and `huber:D` counts errors above D in proportion. `quantile:Q` predicts the value below which a share Q of
            the rows lies, and `poisson` predicts the means of counts. In Python it may also be a function of targets
            and values, two arrays of the same shape, that returns the losses, or a pair of such a function and its
            derivative.
        operators: the operators of formulas. Default: + - * / sqrt log exp.
        size: the maximum number of nodes in a program, not counting the intercept and slopes. Default: 60; for trees,
            31.
        choose: how to choose the program from the front. Default: description-length.
        no_clip: allow predictions of a formula chosen by `first` to leave the range of the target by more than the
            width of that range.
        digits: round the constants of the chosen formula to this many digits; its metrics are measured after rounding.
        test: the share of rows to hold out. Default: 0.25.
        split: instead of a share, hold out the rows that have the word `test` in this column.
        group: hold out whole groups: rows with the same cell in this column, such as a person's name, stay together.
            This column is not an input, and intervals count groups, not rows.
        after: hold out the latest rows according to this column of numbers or dates.
        weights: the column with the weights of the rows: a row whose weight is a whole number counts that many times;
            other weights are relative to each other. In Python it may also be the weights themselves.
        class_weights: the weight of the rows of each class.
        monotone: columns, each with a sign: as a column with + rises, predictions never fall; as a column with - rises,
            they never rise. In Python it may also be a mapping such as ``{"dose": 1, "age": -1}``.
        bounds: the lower and the upper limit of predictions; `0..` means at least 0. In Python it may also be a pair of
            numbers, one of which may be None.
        start: a program to start from: a file, or a run; may be repeated.
        generations: the number of generations.
        population: the number of programs in each generation.
        seed: the seed of all random numbers; the same seed gives the same program. Default: 1.
        time_limit: end the fit after this many seconds, with the best program so far.
        settings: tables and keys of the configuration, as in a ``.toml`` file.
        callback: called for every new generation with its numbers and the champion; the run ends if it returns False.
        folder: the folder of the run. Default: runs/TARGET-SEED. In Python, nothing is stored unless you name a folder;
            a table in memory is then stored beside the folder as a CSV file.
        resume: resume the run in the folder; only `choose`, `no_clip`, `digits`, `generations`, `time_limit` and
            `workers` may differ. If the run has ended, a new value of `choose` selects another program from its front
            without evolving again.
        workers: worker processes, at most four per core, on Windows at most 61; or anything that ``gpkit.evolve``
            accepts. The result does not depend on the workers.

    In Python, Ctrl+C after the first generation ends the fit with a warning and returns the best program so far.

    Raises:
        UsageError: the table cannot be read, lacks a column or has nothing to learn, or options contradict each other.
        CheckpointError: the folder is in use, not empty, not a run folder, damaged, or not writable.
    """
    given = dict(locals())
    from gpkit.api import fits
    from gpkit.api.runs import RunFollower, outcome, warn_of_interrupt
    from gpkit.evolution.loop import evolve as evolve_by
    from gpkit.evolution.search import Hooks
    from gpkit.show.fit_findings import closing_seconds, fit_of, notes_of

    if resume and folder is None:
        raise UsageError(f"name the folder of the run to resume: {argument('folder')}")
    place, clock = None if folder is None else Path(folder), begun()
    with watching() as tell:
        run = fits.described_fit(given, place)
        if place is None and shell() is not None:
            place = fits.usual_folder(run.config)
        notes = notes_of(run)
        for told in notes:
            remark(told)
        followed = RunFollower(
            run,
            tell,
            clock,
            time_limit,
            closing=0.0 if not time_limit else closing_seconds(run, clock),
            callback=callback,
        )
        hooks = Hooks(rehearsal=partial(remark_compilation, "the loops of formulas"), keeps=shell() is None)
        with followed.interrupts(place, lambda: f"gpkit fit --resume --out {place}"):
            result = evolve_by(
                run,
                workers,
                folder=place,
                resume=resume,
                hooks=followed.hooks(place, hooks),
            )
    warn_of_interrupt(result)
    program, ended = outcome(run, result, followed.summaries, place)
    found, facts = fit_of(run, result, program.name), run.known.facts
    return fits.Fitted(program, ended, facts.task, facts.labels, notes, found.metrics, found.misses, found)


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
    interval: Annotated[float, Within(1, 99.9), Kind("PERCENT")] | None = None,
    words: Columns = (),
    held_out: bool = False,
) -> "Predicted":
    """Predict a value for each row of a table, and measure how accurate the predictions are.

    If you name the target column, the result has metrics with intervals. For classes, it also has the number of rows
    for each pair of true and predicted class.

    >>> import gpkit
    >>> gpkit.predict(gpkit.parse("2 * length"), {"length": [1, 2.5]}).values.tolist()
    [2.0, 5.0]
    >>> tree = gpkit.parse("test width <= 1\\n  yes: red\\n  no: blue", language="decision")
    >>> rows = {"width": [0.5, 2, 3], "colour": ["red", "blue", "red"]}
    >>> gpkit.predict(tree, rows, target="colour").confusion
    {'blue': {'blue': 1}, 'red': {'blue': 1, 'red': 1}}

    Args:
        program: the folder of a fit, to predict with its champion; or a formula or a decision tree that names columns,
            written by `gpkit fit` or by hand. In Python it may also be a fit, a run or a program.
        data: the table, a CSV or Parquet file. In Python it may also be columns by name, a data frame or an array.
        target: the column to predict; if you name it, gpkit measures how accurate the predictions are.
        task: with a target: how to read a program that does not name its task. Default: gpkit decides from the target,
            as in `gpkit fit`.
        keep: copy a column of the table unchanged into the result; may be repeated.
        probabilities: add the predicted probability of each class.
        interval: add an interval around each prediction that contains the true value for this percentage of new rows,
            computed from the errors on the rows that the fit held out. The intervals assume nothing about the
            distribution of the errors.
        words: read the cells of this column as words, even if they look like numbers; may be repeated.
        held_out: use only the rows that the fit held out, if the program is a fit and the table is the table of this
            fit.

    Raises:
        UsageError: the table lacks a column, the program predicts no classes or needs a game to compute anything, or no
            fit holds out rows of the table.
        SourceError: the program does not parse, or has an error.
        CheckpointError: the folder contains no run, or the run is damaged.
    """
    from gpkit.api.fits import band_for, fit_of_program, predicted, predictor_for

    if task is not None and target is None:
        raise UsageError(f"{argument('task')} is for metrics: name the target column, {argument('target')}")
    predictor, fitted = predictor_for(program), fit_of_program(program)
    return predicted(
        predictor,
        data,
        words,
        target,
        task,
        keep,
        probabilities=probabilities,
        fit=fitted,
        held_out=held_out,
        band=None if interval is None else band_for(program, interval / 100.0),
    )

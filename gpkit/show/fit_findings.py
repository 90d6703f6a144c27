"""Fits: the program that a run found for a table, its front, its accuracy, and its largest errors."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.analysis.predictions import (
    Band,
    Predictor,
    band_of,
    differences_of,
    judged,
    linear_predictor,
    predictor_by,
    predictor_of,
)
from gpkit.analysis.results import difference_told
from gpkit.analysis.values import BuiltSource, function_of
from gpkit.core.codec import codec
from gpkit.core.errors import UsageError
from gpkit.core.files import read_text
from gpkit.core.layout import Note, Sheet
from gpkit.core.rng import stream
from gpkit.core.wording import counted
from gpkit.data.features import sources, weights_in
from gpkit.data.losses import SQUARES, is_known
from gpkit.data.metrics import Difference, Estimate, Measure
from gpkit.data.table import Table
from gpkit.evolution.config import Config
from gpkit.evolution.fitting import fitting_of
from gpkit.evolution.history import History, read_ancestry
from gpkit.evolution.run_folder import FrontTable, RunResult, champion_header, read_front, read_run
from gpkit.evolution.table_subject import MOST_PROTECTED, Rows, TableSubject
from gpkit.playing.named import Named
from gpkit.show.chart import Curves, Series, curves_svg
from gpkit.show.heat import confusion_svg, confusion_text
from gpkit.show.render import render_curves, written
from gpkit.show.report import Strength
from gpkit.show.run_findings import Findings, course_of, penalty_of, unit_of_size

LEARNED, HELD_OUT = "learned", "held_out"
"""The two parts of the rows: the rows that the program was fitted to, and the rows that the fit never used."""

TITLES = {LEARNED: "training rows", HELD_OUT: "held-out rows"}

UNSEEN = "Evolution has not seen the held-out rows; for intervals, each {} is one sample."
"""A remark on the results of fits."""

PREDICTIONS = "predictions"

WORST = 5
"""The number of rows with the largest errors to show."""

MOST_POINTS, MOST_DRAWN = 500, 10
"""The maximum number of rows and classes in a picture of predictions; further classes are `others`."""


@dataclass(frozen=True, slots=True)
class Miss:
    """A row with a large prediction error.

    Attributes:
        place: the position of the row, in words.
        target: the true value; predicted: the prediction of the program.
        share: for classes, the probability that the program gives to the true class; for numbers, NaN.
        inputs: the cells of the columns that the program reads, by name.
    """

    place: str
    target: str
    predicted: str
    share: float
    inputs: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant of a formula, and the precision with which the rows determine it.

    Attributes:
        section: the section of the program.
        value: the constant, as in the text of the program.
        error: its standard error for this form of the formula, from the training rows; None if these rows do not
            determine the constant, for example because it is multiplied by another constant.
    """

    section: str
    value: float
    error: float | None


@dataclass(frozen=True, slots=True)
class Fit:
    """The result of a fit.

    Attributes:
        run: the run with its table.
        named: the program.
        front: programs of all sizes that no other program dominates; None for a run without a front.
        metrics: the metrics, by part of the rows.
        misses: the rows with the largest errors, the worst first; held-out rows if there are any.
        predicted: the predictions for these rows, float64 (rows,), or for classes their indices, int64 (rows,).
        linear: the differences in metrics from a linear model of all columns on these rows; empty if there is no such
            model.
        shapes: one sentence for each required property of the function's shape, which states whether the program has
            it.
        protected: operations of the program that return a protected value in more than the share ``MOST_PROTECTED`` of
            the training rows, each with its share of the rows.
        constants: the constants of a formula with their standard errors, in the order in which they appear.
        warning: a sentence about an interval that is based on few rows; empty if there is none.
    """

    run: TableSubject
    named: Named
    front: FrontTable | None
    metrics: Mapping[str, tuple[Measure, ...]]
    misses: tuple[Miss, ...]
    predicted: NDArray[Any]
    linear: tuple[Difference, ...]
    shapes: tuple[str, ...]
    protected: Mapping[str, float]
    constants: tuple[Constant, ...] = ()
    warning: str = ""

    @property
    def measured(self) -> Mapping[str, tuple[Measure, ...]]:
        """The metrics of the program and of the linear model, by the title of their part of the rows."""
        others = tuple(Measure(each.name, each.second, each.unit) for each in self.linear)
        linear = {f"linear model, {TITLES[self.shown[0]]}": others} if others else {}
        return {**{TITLES[part]: metrics for part, metrics in self.metrics.items()}, **linear}

    @property
    def against_linear(self) -> str:
        """A sentence that compares the program with the linear model, if there is one."""
        first, rows = self.linear[0], TITLES[self.shown[0]]
        told = {
            "worse": f"A linear model of all columns predicts the {rows} better",
            "better": f"The {self.run.fit.programs[:-1]} predicts the {rows} better than a linear model of all columns",
        }.get(
            first.verdict, f"On the {rows}, there is no clear difference from a linear model of all columns"
        )
        gap, ends = difference_told(first.difference, "+.3g")
        return f"{told}: {first.name} {first.first.mean:.4g} against {first.second.mean:.4g} ({gap}, {ends})."

    @property
    def shown(self) -> tuple[str, Rows]:
        """The rows for pictures and misses, and their name: the held-out rows, if there are any."""
        known = self.run.known
        return (HELD_OUT, known.hidden) if len(known.hidden.table) else (LEARNED, known.learned)

    @property
    def protection(self) -> tuple[str, ...]:
        """Sentences about protected operations that the program relies on in many rows."""
        return tuple(
            f"`{text}` has a protected value in {share:.1%} of the training rows"
            for text, share in self.protected.items()
        )

    @property
    def miss_rows(self) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
        """The column headings and rows of the table of misses."""
        heads = ("largest errors", "true", "predicted", *(self.misses[0].inputs if self.misses else ()))
        return heads, tuple((m.place, m.target, m.predicted, *m.inputs.values()) for m in self.misses)

    def to_json(self) -> dict[str, Any]:
        """The result as JSON values."""
        known, fit = self.run.known, self.run.fit
        return {
            "data": fit.file,
            "target": fit.target,
            "task": fit.task,
            "classes": list(known.facts.classes),
            "rows": {
                LEARNED: len(known.learned.table),
                HELD_OUT: len(known.hidden.table),
                "dropped": known.dropped,
            },
            "left_out": dict(known.facts.left_out),
            "program": self.named.source.text,
            "protected": dict(self.protected),
            "front": [] if self.front is None else self.front.members(),
            "chosen": None if self.front is None else self.front.chosen,
            "metrics": {part: [metric.to_json() for metric in found] for part, found in self.metrics.items()},
            "linear": [each.to_json() for each in self.linear],
            "shapes": list(self.shapes),
            "misses": [
                {"place": m.place, "target": m.target, "predicted": m.predicted, "inputs": dict(m.inputs)}
                for m in self.misses
            ],
            "constants": [codec(Constant).write(each) for each in self.constants],
        }


def fit_of(run: TableSubject, result: RunResult[Hashable], name: str) -> Fit:
    """The result of a finished run.

    Args:
        run: the run with its rows.
        result: the result of its evolution.
        name: the name of the program.
    """
    genome, header = result.champion.individual.genome, champion_header(result.champion, run.header)
    return _measured(run, Named(name, BuiltSource(genome, run.language, header), run.language), result.front)


MARGIN = 1.5
"""The factor by which measuring a champion may take longer than measuring a random program."""


def closing_seconds(
    run: TableSubject, clock: Callable[[], float], measure: Callable[[Named], object] | None = None
) -> float:
    """The seconds to reserve for the end of a fit, after its evolution, estimated by timing a random program."""
    search, before = run.search(), 0.0
    genome = search.written(search.representation.create(stream(run.config.seed, "closing"), 0))
    named = Named("program", BuiltSource(genome, run.language, run.header), run.language)
    for _ in range(2):  # the first time may include compiling
        before = clock()
        (measure or partial(_measured, run))(named)
    return MARGIN * (clock() - before)


def stored_fit(folder: Path) -> Config:
    """The configuration of the fit in a folder.

    Raises:
        UsageError: the run in the folder is not a fit.
        CheckpointError: the folder contains no run, or the run is damaged.
    """
    config = read_run(folder)[1]
    if config.fit is not None:
        return config
    raise UsageError(
        f"the run in {folder} is not a fit; continue it with gpkit evolve --resume --out {folder}"
    )


def fit_in(history: History) -> Fit:
    """The current result of the fit in a folder.

    Raises:
        UsageError: the run is not a fit, or its table has moved or changed.
    """
    if history.config.fit is None:
        raise UsageError(f"{history.folder} predicts no column of a table: only a run of gpkit fit does")
    run, name = history.run.read(), str(history.champion_file)
    if not is_known(run.fit.loss):  # somebody's own function, which is not stored
        run = replace(run, config=replace(run.config, fit=replace(run.fit, loss=SQUARES)))
    named = Named(name, run.language.parse(read_text(name), name), run.language)
    predictor, meant = predictor_of(named), run.known.facts  # somebody may have edited the program
    predictor = replace(predictor, facts=replace(predictor.facts, task=meant.task, labels=meant.labels))
    found = _measured(run, named, read_front(history.folder), predictor)
    return found if is_known(history.config.fit.loss) else replace(found, constants=())


def _measured(
    run: TableSubject,
    named: Named,
    front: FrontTable | None = None,
    predictor: Predictor | None = None,
) -> Fit:
    """The result of a run whose program is known; without a ``predictor``, gpkit evaluates it as during the fit."""
    known, fit, metrics = run.known, run.fit, {}
    loss = run.loss if predictor is None else None
    if predictor is None:
        predictor = predictor_by(known.facts, named, function_of(named, fitting_of(run.language.name).values))
    linear, differences = linear_predictor(known, run.loss), tuple[Difference, ...]()
    parts = ((LEARNED, known.learned), (HELD_OUT, known.hidden))
    for part, rows in (each for each in parts if len(each[1].table)):
        shown, values = rows, predictor.values(rows.table)  # in the end those of the part that is shown
        weights = weights_in(rows.table, fit.weights) if fit.weights else None
        weights = None if weights is None else weights / weights.max()  # so that their sums are finite
        estimates, _ = judged(predictor, rows.table, fit.target, values, weights, fit.group, loss)
        metrics[part] = tuple(each.measure for each in estimates)
        warning = heavy(estimates[0], rows.table, TITLES[part])
    if linear is not None:  # on the part that is shown
        others, _ = judged(linear, shown.table, fit.target, None, weights, fit.group, loss)
        differences = differences_of(estimates, others)
    predicted = predictor.chosen(values) if known.facts.classes else values[0]
    misses = _misses(predictor, shown, fit.target, values, predicted)
    problem, program = run.problem, named.source.program
    shapes = problem.verdicts(program)
    uses = fitting_of(run.language.name).protected(program, known.sample)
    shares = {text: float(rows.mean()) for text, rows in uses.items()}
    protected = {text: share for text, share in shares.items() if share > MOST_PROTECTED}
    constants = tuple(
        Constant(section, value, error if error == error else None)
        for section, *found in problem.constants(program)
        for value, error in zip(*(each.tolist() for each in found), strict=True)
    )
    return Fit(
        run, named, front, metrics, misses, predicted, differences, shapes, protected, constants, warning
    )


def band_in(run: TableSubject, predictor: Predictor, level: float) -> Band:
    """The prediction band of a program of a fit, from the rows that the fit held out.

    Raises:
        UsageError: in the same cases as ``band_of``.
    """
    hidden, facts = run.known.hidden, run.known.facts
    meant = replace(
        predictor, facts=replace(predictor.facts, task=facts.task, labels=facts.labels, loss=facts.loss)
    )
    return band_of(meant, hidden.table, hidden.targets, hidden.weights, level)


def heavy(estimate: Estimate, table: Table, title: str) -> str:
    """A sentence about a metric whose interval is based on few rows; empty if there is none."""
    row, share = estimate.heaviest
    return (
        ""
        if not share
        else f"few rows with large errors determine the interval of {estimate.name} on the {title}, most of all "
        f"{table.place_of(row)}, with {share:.0%}: with such outliers, 95% intervals miss the true value more often"
    )


def constants_sheet(constants: Sequence[Constant]) -> Iterator[str | Sheet]:
    """The constants with their standard errors, and notes that explain them."""
    lone = len({each.section for each in constants}) == 1
    rows = [
        (each.section, f"{each.value:.6g}", "not determined" if each.error is None else f"{each.error:.3g}")
        for each in constants
    ]
    columns = ("section", "constant", "standard error")
    yield Sheet(columns[lone:], [row[lone:] for row in rows], right=columns[1:])
    if any(each.error is None for each in constants):
        yield Note("not determined: the training rows fit as well with other values of these constants")


def _misses(
    predictor: Predictor, rows: Rows, target: str, values: NDArray[np.generic], predicted: NDArray[np.generic]
) -> tuple[Miss, ...]:
    """The rows with the largest errors, the worst first; for classes, only rows with a wrong prediction.

    Args:
        predictor: the program.
        rows: the rows to search.
        target: the column with the true values.
        values: the values of the program's sections for the rows.
        predicted: the predictions for the rows, float64 (rows,), or for classes their indices, int64 (rows,).
    """
    table, true = rows.table, rows.table.column(target).texts()
    shares, classes = np.full(len(table), np.nan), predictor.facts.classes
    if classes:
        shares = predictor.shares(values)[np.arange(len(table)), rows.targets.astype(np.int64)]
        badness = np.where(predicted == rows.targets, -1.0, 1.0 - shares)
    else:
        badness = np.abs(predicted.astype(np.float64) - rows.targets)
    order = [row for row in np.argsort(-badness, kind="stable")[:WORST].tolist() if badness[row] > 0.0]
    inputs = {name: table.column(name).texts() for name in sources(predictor.columns, table)}
    return tuple(
        Miss(
            table.place_of(row),
            str(true[row]) if classes else f"{rows.targets[row]:.6g}",
            classes[predicted[row]] if classes else f"{predicted[row]:.6g}",
            float(shares[row]),
            {name: str(texts[row]) for name, texts in inputs.items()},
        )
        for row in order
    )


def notes_of(run: TableSubject) -> tuple[str, ...]:
    """Sentences about what gpkit assumed about a table: the task, the columns left out, and the values for gaps."""
    known, fit = run.known, run.fit
    among = f": `{fit.target}` is one of {', '.join(known.facts.classes)}"
    what = fit.task + (among if known.facts.classes else f" of `{fit.target}`")
    missing = f"target, weight or `{fit.after}`" if fit.after else "target or weight"
    dropped = f"; {known.dropped:,} without a {missing} left out" if known.dropped else ""
    trend = (
        f"`{fit.after}` is an input, too, and the held-out rows lie beyond its range: leave it out with `without`, "
        "unless formulas may follow its trend"
    )
    no_area = "; there is no AUC of weighted rows" if known.facts.classes else ""
    gaps = [
        f"{name} ({value:g})"
        for name, value in known.facts.fills.items()
        if known.learned.table.column(name).empty.any()
    ]
    return (
        f"{what}; {run.split}{dropped}",
        *known.doubts,
        *[trend] * (fit.after in known.facts.names),
        *[f"metrics count each row by `{fit.weights}`{no_area}"] * bool(fit.weights),
        *["class weights count in the fit, not in the metrics"] * bool(fit.balanced or fit.class_weights),
        *(f"left out: {name}, {reason}" for name, reason in known.facts.left_out.items()),
        *[f"empty cells count as the median: {', '.join(gaps)}"] * bool(gaps),
    )


def metric_rows(parts: Mapping[str, Sequence[Measure]]) -> list[tuple[str, ...]]:
    """The rows of a table of metrics: part of the rows, name, value, interval, and number of rows."""
    return [
        (
            part,
            metric.name,
            f"{metric.interval.mean:.4g}",
            f"{metric.interval.low:.4g} to {metric.interval.high:.4g}",
            f"{metric.interval.units:,}",
        )
        for part, metrics in parts.items()
        for metric in metrics
    ]


def metrics_sheet(parts: Mapping[str, Sequence[Measure]]) -> Sheet:
    """A table of metrics with their intervals, for each part of the rows."""
    columns = ("", "metric", "value", "95% interval", next(iter(parts.values()))[0].unit)
    return Sheet(columns, metric_rows(parts), right=columns[2:], leave_out=columns[4:])


def scatter_of(fit: Fit) -> Curves:
    """The chart of predicted against true numbers for evenly spaced rows, with the line where both are equal."""
    part, rows = fit.shown
    true, predicted = rows.targets, fit.predicted.astype(np.float64)
    order = np.argsort(true, kind="stable")
    kept = order[:: -(-len(order) // MOST_POINTS)]
    low, high = float(true.min()), float(true.max())
    series = (
        Series(
            TITLES[part], tuple(zip(true[kept].tolist(), predicted[kept].tolist(), strict=True)), line=False
        ),
        Series("predicted is true", ((low, low), (high, high))),
    )
    return Curves("Predicted against true", series, "predicted", x="true", whole=False)


def confusion_of(fit: Fit) -> tuple[tuple[str, ...], list[list[int]]]:
    """The classes to show, and the number of rows by true and predicted class."""
    classes, rows = fit.run.known.facts.classes, fit.shown[1]
    true, taken = rows.targets.astype(np.int64), fit.predicted
    if len(classes) > MOST_DRAWN:
        commonest = np.argsort(-np.bincount(true, minlength=len(classes)), kind="stable")
        kept = np.sort(commonest[: MOST_DRAWN - 1])
        narrowed = np.full(len(classes), len(kept))
        narrowed[kept] = np.arange(len(kept))
        true, taken = narrowed[true], narrowed[taken]
        classes = (*(classes[place] for place in kept.tolist()), "others")
    counts = np.zeros((len(classes), len(classes)), dtype=np.int64)
    np.add.at(counts, (true, taken), 1)
    return classes, counts.tolist()


def predictions_svg(fit: Fit) -> str:
    """The picture of predictions as an SVG document: predicted numbers against true numbers, or a confusion matrix."""
    return (
        curves_svg(scatter_of(fit))
        if not fit.run.known.facts.classes
        else confusion_svg(f"Classes of {TITLES[fit.shown[0]]}", *confusion_of(fit))
    )


def predictions_picture(history: History, form: str) -> bytes:
    """The picture of a run's predictions, as the content of a file.

    Raises:
        UsageError: the run is not a fit, its table is missing, or the picture cannot be drawn in that format.
    """
    fit = fit_in(history)
    if not fit.run.known.facts.classes:
        return render_curves((scatter_of(fit),), form)
    return written(
        "classes", form, svg=predictions_svg(fit), text=confusion_text(*confusion_of(fit)), title=PREDICTIONS
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicted(Findings):
    """Findings about a fit: its program with its metrics.

    Attributes:
        fit: the results of the fit on its rows.
    """

    fit: Fit

    def parts(self, deal: int) -> dict[str, Any]:
        """The parts of the page: metrics, predictions, and the rows with the largest errors."""
        history, fit = self.history, self.fit
        settings, part = fit.run.fit, fit.shown[0]
        size = counted(history.champion.size, unit_of_size(history)[:-1])
        first = fit.metrics[part][0]
        what = "decision tree" if settings.programs == "trees" else "formula"
        return {
            "title": f"A {what} for {settings.target}",
            "lead": f"{course_of(history)} The {what} predicts "
            f"`{settings.target}` of {fit.run.about['data']} with {size}: {first.name} "
            f"{first.interval.mean:.4g} on {TITLES[part]}.",
            "unit": "value",
            "strengths": tuple(
                Strength(
                    f"{name}, {m.name}", m.interval.mean, m.interval.low, m.interval.high, m.interval.units
                )
                for name, metrics in self.metrics.items()
                for m in metrics
            ),
            "heads": ("metric", first.unit),
            "remark": f"{UNSEEN.format(first.unit[:-1])} {fit.against_linear if fit.linear else ''}".rstrip(),
            "predictions": predictions_svg(fit),
            "misses": fit.miss_rows if fit.misses else ((), ()),
        }

    @property
    def facts(self) -> Iterator[tuple[str, str]]:
        """Names and values that describe the table and the fit."""
        subject = self.fit.run
        known, settings = subject.known, subject.fit
        classes = f", one of {', '.join(known.facts.classes)}" if known.facts.classes else ""
        yield "table", f"{subject.about['data']}: {settings.task} of {settings.target}{classes}"
        yield "rows", subject.split
        yield "columns", ", ".join(known.facts.names)
        yield from (("shape", sentence) for sentence in self.fit.shapes)
        yield from (("relies on protection", told) for told in self.fit.protection)
        yield from (("left out", f"{name}, {reason}") for name, reason in known.facts.left_out.items())

    @property
    def fitness(self) -> Iterator[tuple[str, str]]:
        """The metric by which evolution compares programs."""
        name = self.history.run.metric.name
        yield "fitness", f"{name} on the training rows{penalty_of(self.history)}"


def find_out_fit(history: History) -> Predicted:
    """Measure the champion of a fit, and trace its ancestry.

    Raises:
        UsageError: the table is missing, or it has changed.
        CheckpointError: the genealogy is missing or damaged.
    """
    ancestry, fit = read_ancestry(history), fit_in(history)
    return Predicted(history, ancestry, metrics=fit.measured, more={"fit": fit.to_json()}, fit=fit)

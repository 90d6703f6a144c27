"""Fits: the program that a run found for a table, its front, how well it predicts, and where it errs most."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.analysis.predictions import Predictor, judged, predictor_by, predictor_of
from gpkit.analysis.values import BuiltSource, function_of
from gpkit.core.errors import UsageError
from gpkit.core.files import read_text
from gpkit.core.rng import stream
from gpkit.core.tabular import Sheet
from gpkit.core.wording import counted
from gpkit.data.features import sources, weights_in
from gpkit.data.metrics import Measure
from gpkit.draw.chart import Curves, Series, curves_svg
from gpkit.draw.heat import confusion_svg, confusion_text
from gpkit.draw.render import render_curves, written
from gpkit.draw.report import Strength
from gpkit.evolution.config import Config
from gpkit.evolution.fitting import fitting_of
from gpkit.evolution.history import History, read_ancestry
from gpkit.evolution.run_folder import FrontTable, RunResult, champion_header, read_front, read_run
from gpkit.evolution.setup import Run
from gpkit.evolution.table_subject import Rows, TableSubject
from gpkit.playing.named import Named
from gpkit.reports.findings import Findings, course_of, penalty_of, unit_of_size

LEARNED, HELD_OUT = "learned", "held_out"
"""Parts of the rows: those that the program was fitted to, and those that no part of the fit has seen."""

TITLES = {LEARNED: "rows learned from", HELD_OUT: "held-out rows"}

UNSEEN = "Evolution has not seen the held-out rows; intervals take the row as the unit."
"""A remark on the results of fits."""

PREDICTIONS = "predictions"

WORST = 5
"""Rows that are shown where a program errs most."""

MOST_POINTS, MOST_DRAWN = 500, 10
"""Rows, and classes, that a picture of predictions shows; more rows are thinned, further classes are `others`."""


@dataclass(frozen=True, slots=True)
class Miss:
    """Row for which a prediction is far off.

    Attributes:
        place: of the row, in words.
        target: what is true; predicted: what the program says.
        share: of classes the probability that the program gives to the true one; of numbers NaN.
        inputs: the cells of the columns that the program reads, by name.
    """

    place: str
    target: str
    predicted: str
    share: float
    inputs: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Fit:
    """Result of a fit.

    Attributes:
        run: what was fitted to what.
        named: the program.
        front: programs of all sizes that none is better than; None for a run without one.
        metrics: by part of the rows.
        misses: rows that the program errs most for, of those held out if there are any; the worst first.
        predicted: for these rows float64 (rows,), or of classes their places, int64 (rows,).
    """

    run: Run[TableSubject]
    named: Named
    front: FrontTable | None
    metrics: Mapping[str, tuple[Measure, ...]]
    misses: tuple[Miss, ...]
    predicted: NDArray[Any]

    @property
    def shown(self) -> tuple[str, Rows]:
        """The part of the rows that pictures and misses are of, and these: those held out, if there are any."""
        known = self.run.subject.known
        return (HELD_OUT, known.hidden) if len(known.hidden.table) else (LEARNED, known.learned)

    @property
    def miss_rows(self) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
        """The heads and the rows of the table of misses."""
        heads = ("errs most at", "true", "predicted", *(self.misses[0].inputs if self.misses else ()))
        return heads, tuple((m.place, m.target, m.predicted, *m.inputs.values()) for m in self.misses)

    def to_json(self) -> dict[str, Any]:
        """The result as JSON values."""
        known, fit = self.run.subject.known, self.run.subject.fit
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
            "front": [] if self.front is None else self.front.members(),
            "chosen": None if self.front is None else self.front.chosen,
            "metrics": {part: [metric.to_json() for metric in found] for part, found in self.metrics.items()},
            "misses": [
                {"place": m.place, "target": m.target, "predicted": m.predicted, "inputs": dict(m.inputs)}
                for m in self.misses
            ],
        }


def fit_of(run: Run[TableSubject], result: RunResult[Any], name: str) -> Fit:
    """The result of a run that has ended.

    Args:
        run: with its rows.
        result: how it ended.
        name: of the program.
    """
    genome, header = result.champion.individual.genome, champion_header(result.champion, run.header)
    return _measured(run, Named(name, BuiltSource(genome, run.language, header), run.language), result.front)


MARGIN = 1.5
"""The factor by which measuring a champion may take longer than measuring a simple program."""


def closing_seconds(
    run: Run[TableSubject], clock: Callable[[], float], measure: Callable[[Named], object] | None = None
) -> float:
    """The seconds to reserve for the end of a fit, after its evolution; measures a random program to estimate them."""
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
        UsageError: its run is no fit.
        CheckpointError: it holds no run, or a damaged one.
    """
    config = read_run(folder)[1]
    if config.fit is not None:
        return config
    raise UsageError(f"the run in {folder} is no fit; continue it with gpkit evolve --resume --out {folder}")


def fit_in(history: History) -> Fit:
    """The result so far of a run in a folder.

    Raises:
        UsageError: the run is not a fit, or its table has moved or changed.
    """
    if history.config.fit is None:
        raise UsageError(f"{history.folder} predicts no column of a table: only a run of gpkit fit does")
    run, name = history.run.read(), str(history.champion_file)
    named = Named(name, run.language.parse(read_text(name), name), run.language)
    predictor, meant = predictor_of(named), run.subject.known.facts  # somebody may have edited the program
    predictor = replace(predictor, facts=replace(predictor.facts, task=meant.task, labels=meant.labels))
    return _measured(run, named, read_front(history.folder), predictor)


def _measured(
    run: Run[TableSubject],
    named: Named,
    front: FrontTable | None = None,
    predictor: Predictor | None = None,
) -> Fit:
    """The result of a run whose program is known; without ``predictor``, the program is evaluated as during the fit."""
    known, fit, metrics = run.subject.known, run.subject.fit, {}
    if predictor is None:
        function = function_of(named, fitting_of(run.language.name).values)
        predictor = predictor_by(known.facts, named, function)
    for part, rows in ((LEARNED, known.learned), (HELD_OUT, known.hidden)):
        if not len(rows.table):
            continue
        shown, values = rows, predictor.values(rows.table)  # in the end those of the part that is shown
        weights = weights_in(rows.table, fit.weights) if fit.weights else None
        weights = None if weights is None else weights / weights.max()  # so that their sums are finite
        estimates, _ = judged(predictor, rows.table, fit.target, values, weights)
        metrics[part] = tuple(each.measure for each in estimates)
    predicted = predictor.chosen(values) if known.facts.classes else values[0]
    misses = _misses(predictor, shown, fit.target, values, predicted)
    return Fit(run, named, front, metrics, misses, predicted)


def _misses(
    predictor: Predictor, rows: Rows, target: str, values: NDArray[Any], predicted: NDArray[Any]
) -> tuple[Miss, ...]:
    """The rows for which a program is farthest off, the worst first; of classes, those that it takes for another.

    Args:
        predictor: the program.
        rows: to look at.
        target: the column with what is true.
        values: of the program's sections for the rows.
        predicted: what it says of them, float64 (rows,), or of classes their places, int64 (rows,).
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


def notes_of(run: Run[TableSubject]) -> tuple[str, ...]:
    """Sentences on what was assumed of a table: the task, what is left out, and what gaps count as."""
    known, fit = run.subject.known, run.subject.fit
    among = f": `{fit.target}` is one of {', '.join(known.facts.classes)}"
    what = fit.task + (among if known.facts.classes else f" of `{fit.target}`")
    dropped = f", {known.dropped:,} without a target or weight" if known.dropped else ""
    notes = [
        f"{what}; {len(known.learned.table):,} rows to learn from, {len(known.hidden.table):,} held out{dropped}"
    ]
    notes += known.doubts
    if fit.weights:
        no_area = "; there is no AUC of weighted rows" if known.facts.classes else ""
        notes.append(f"metrics count each row by `{fit.weights}`{no_area}")
    if fit.balanced or fit.class_weights:
        notes.append("class weights count in the fit, not in the metrics")
    notes += [f"left out: {name}, {reason}" for name, reason in known.facts.left_out.items()]
    gaps = [
        f"{name} ({value:g})"
        for name, value in known.facts.fills.items()
        if known.learned.table.column(name).empty.any()
    ]
    return (*notes, *([f"empty cells count as the median: {', '.join(gaps)}"] if gaps else []))


def metric_rows(parts: Mapping[str, Sequence[Measure]]) -> list[tuple[str, ...]]:
    """The rows of a table of metrics by part of the rows: the part, the name, value, interval, and number of rows."""
    return [
        (
            TITLES.get(part, part),
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
    columns = ("", "metric", "value", "95 % interval", "rows")
    return Sheet(columns, metric_rows(parts), right=columns[2:], leave_out=columns[4:])


def scatter_of(fit: Fit) -> Curves:
    """The chart of predicted against true numbers, of evenly thinned rows, with the line where both are equal."""
    part, rows = fit.shown
    true, predicted = rows.targets, fit.predicted.astype(np.float64)
    order = np.argsort(true, kind="stable")
    kept = order[:: -(-len(order) // MOST_POINTS)]
    low, high = float(true.min()), float(true.max())
    points = tuple(zip(true[kept].tolist(), predicted[kept].tolist(), strict=True))
    series = (
        Series(TITLES[part], points, line=False),
        Series("predicted is true", ((low, low), (high, high))),
    )
    return Curves("Predicted against true", series, "predicted", x="true", whole=False)


def confusion_of(fit: Fit) -> tuple[tuple[str, ...], list[list[int]]]:
    """The classes that are shown, and how many rows of each true class were taken for which."""
    classes, rows = fit.run.subject.known.facts.classes, fit.shown[1]
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
    """The picture of predictions as an SVG document: predicted against true numbers, or a confusion matrix."""
    if not fit.run.subject.known.facts.classes:
        return curves_svg(scatter_of(fit))
    return confusion_svg(f"Classes of {TITLES[fit.shown[0]]}", *confusion_of(fit))


def predictions_picture(history: History, form: str) -> bytes:
    """The picture of the predictions of a run as the content of a file.

    Raises:
        UsageError: it is no fit, its table is not there any more, or it cannot be drawn in that format.
    """
    fit = fit_in(history)
    if not fit.run.subject.known.facts.classes:
        return render_curves((scatter_of(fit),), form)
    svg, text = predictions_svg(fit), confusion_text(*confusion_of(fit))
    return written("classes", form, svg=svg, text=text, title=PREDICTIONS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicted(Findings):
    """Findings about a fit: its program with its metrics.

    Attributes:
        fit: the results of the fit on its rows.
    """

    fit: Fit

    def parts(self, deal: int) -> dict[str, Any]:
        """The parts of the page: metrics, predictions, and where it errs most."""
        history, fit = self.history, self.fit
        settings, part = fit.run.subject.fit, fit.shown[0]
        size = counted(history.champion.size, unit_of_size(history)[:-1])
        first = fit.metrics[part][0]
        what = "decision tree" if settings.programs == "trees" else "formula"
        return {
            "title": f"A {what} for {settings.target}",
            "lead": f"{course_of(history)} The {what} predicts "
            f"`{settings.target}` of {fit.run.subject.about['data']} with {size}: {first.name} "
            f"{first.interval.mean:.4g} on {TITLES[part]}.",
            "unit": "value",
            "strengths": tuple(
                Strength(
                    f"{name}, {m.name}", m.interval.mean, m.interval.low, m.interval.high, m.interval.units
                )
                for name, metrics in self.metrics.items()
                for m in metrics
            ),
            "heads": ("metric", "rows"),
            "remark": UNSEEN,
            "predictions": predictions_svg(fit),
            "misses": fit.miss_rows if fit.misses else ((), ()),
        }

    @property
    def facts(self) -> Iterator[tuple[str, str]]:
        """Names and values of what was fitted to what."""
        subject = self.fit.run.subject
        known, settings = subject.known, subject.fit
        classes = f", one of {', '.join(known.facts.classes)}" if known.facts.classes else ""
        yield "table", f"{subject.about['data']}: {settings.task} of {settings.target}{classes}"
        yield "rows", f"{len(known.learned.table):,} to learn from, {len(known.hidden.table):,} held out"
        yield "columns", ", ".join(known.facts.names)
        yield from (("left out", f"{name}, {reason}") for name, reason in known.facts.left_out.items())

    @property
    def fitness(self) -> Iterator[tuple[str, str]]:
        """The metric of evolution."""
        name = self.history.run.metric.name
        yield "fitness", f"{name} on the rows learned from{penalty_of(self.history)}"


def find_out_fit(history: History) -> Predicted:
    """Measure the champion of a fit, and follow its ancestry.

    Raises:
        UsageError: the table is missing, or it has changed.
        CheckpointError: the genealogy is missing or damaged.
    """
    ancestry, fit = read_ancestry(history), fit_in(history)
    metrics = {TITLES[part]: found for part, found in fit.metrics.items()}
    return Predicted(history, ancestry, metrics=metrics, more={"fit": fit.to_json()}, fit=fit)

"""Tables as subjects of runs: rows to learn from, held-out rows, and the search for programs that predict."""

import math
import shlex
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

import numpy as np

from gpkit.core.arrays import Flags, Floats
from gpkit.core.diagnostics import check_known, shortened, suggestion
from gpkit.core.errors import UsageError
from gpkit.core.files import STANDARD_INPUT
from gpkit.core.registry import language_entry
from gpkit.core.rng import stream
from gpkit.core.wording import counted
from gpkit.core.work_folder import OWN
from gpkit.data.features import (
    MOST_CLASSES,
    Facts,
    check_counts,
    classes_of,
    doubts,
    feature_columns,
    fitted_facts,
    looks_like_numbers,
    repeating,
    resolved_task,
    unsquarable,
    weights_in,
)
from gpkit.data.losses import SQUARES, RowLoss, is_known, row_loss
from gpkit.data.splits import groups_of, held_groups, latest, separated
from gpkit.data.table import Column, Table, read_table
from gpkit.evolution.config import DESCRIPTION, LANGUAGES, Config, FitSettings, FrontSettings, there
from gpkit.evolution.fitting import (
    Fitting,
    FittingProblem,
    Loss,
    Sample,
    balanced_weights,
    fitting_of,
    nats_of_classes,
    sample_of,
    shortest_description,
    shortest_tree,
)
from gpkit.evolution.fronts import CASES, FITTEST, RULES, SCORE, SIZE, FrontPlan
from gpkit.evolution.own_losses import loss_named
from gpkit.evolution.problem import Representation
from gpkit.evolution.search import Search
from gpkit.evolution.setup import Subject, weighs, with_texts
from gpkit.evolution.shapes import Shape, shape_of
from gpkit.gamekit.game import Metric

SAVED = Metric("score", -math.inf, 1.0)
"""The metric of fits: the share of the best constant's loss that a program saves; R² for numbers."""

MOST_COPIES = 1e9
"""Whole-number weights below this are the number of times that a row counts; larger weights are only relative."""

MOST_PROTECTED = 0.01
"""The share of the rows for which a program may rely on protected operations without lowering its score."""

SAME_ERROR = 1e-9
"""On the front of a fit, errors that differ by less than this share count as equal."""

TEST = "test"
"""The word that marks held-out rows in the column ``split``."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The rows of a fit.

    Attributes:
        table: the table with these rows.
        targets: float64 (rows,): numbers, or the index of each row's class.
        weights: float64 (rows,), not negative; they add up to the number of rows, or of their copies.
    """

    table: Table
    targets: Floats
    weights: Floats

    def part(self, chosen: Flags) -> "Rows":
        """The chosen rows; ``chosen`` is bool (rows,)."""
        return Rows(self.table.part(chosen), self.targets[chosen], self.weights[chosen])


@dataclass(frozen=True, slots=True, eq=False)
class FitRows:
    """The rows of a fit after reading, and the part of them that programs see.

    Attributes:
        learned, hidden: the rows to which programs are fitted, and the held-out rows.
        sample: the rows to which programs are fitted, in the form that programs see.
        facts: facts about the data, with the task and the classes; the headers of program files contain them.
        doubts: sentences about columns that gpkit may have misread.
        dropped: the number of rows without a target, or without a weight.
    """

    learned: Rows
    hidden: Rows
    sample: Sample
    facts: Facts
    doubts: tuple[str, ...]
    dropped: int


def language_named(config: Config) -> str:
    """The language of a configuration's programs."""
    return LANGUAGES[there(config.fit).programs]


def subject_from(config: Config, *_outside: object) -> "TableSubject":
    """The table of a configuration, before its rows are read.

    Raises:
        UsageError: the rule for choosing from the front does not exist, classes are weighted twice, several columns
            determine the held-out rows, or the configuration sets a shape for trees.
    """
    fit, choose, rules = there(config.fit), config.front.choose, [DESCRIPTION, FITTEST, *RULES]
    check_known("rule", choose, rules, "front.choose: ")
    if fit.digits and fit.programs == "trees":
        raise UsageError(
            "`digits` rounds the constants of formulas, and this fit evolves trees: leave it out"
        )
    if is_known(fit.loss) and row_loss(fit.loss) is not None and fit.programs == "trees":
        raise UsageError(f"the loss `{fit.loss}` is for formulas; trees predict means, with the loss squares")
    if fit.balanced and fit.class_weights:
        raise UsageError("fit.balanced and fit.class_weights contradict each other: leave one of them out")
    if sum(map(bool, (fit.split, fit.group, fit.after))) > 1:
        raise UsageError("`split`, `group` and `after` each choose the held-out rows: name one of them")
    if fit.programs == "trees" and (fit.monotone or fit.bounds):
        raise UsageError("`monotone` and `bounds` are for formulas, not for trees: leave them out")
    return TableSubject(config, language_entry(language_named(config)).load(), SAVED, None)


@dataclass(frozen=True, slots=True)
class TableSubject(Subject):
    """A table with a column to predict, as the subject of a run.

    Attributes:
        rows: the rows of the table; None until they are read.
    """

    rows: FitRows | None = None

    @property
    def fit(self) -> FitSettings:
        """The settings of the fit: the table, the column to predict, and how to predict it."""
        return there(self.config.fit)

    @property
    def about(self) -> Mapping[str, str]:
        """The name of the table and the column to predict."""
        return {"data": self.fit.file or "a table in memory", "target": self.fit.target}

    @property
    def _lines(self) -> Mapping[str, str]:
        """Lines for the header of program files, with the facts that ``gpkit predict`` needs."""
        return {**self.about, **(Facts(task=self.fit.task) if self.rows is None else self.rows.facts).header}

    @property
    def split(self) -> str:
        """A description of the split: the number of rows to learn from, the number held out, and the rule of choice."""
        known, fit = self.known, self.fit
        learned, hidden = known.learned.table, known.hidden.table
        told = f"{len(learned):,} rows to learn from, {len(hidden):,} held out"
        if fit.group and len(hidden):
            few, many = (int(groups_of(each.column(fit.group)).max()) + 1 for each in (hidden, learned))
            return f"{told}: all rows of {few:,} of the {few + many:,} values of `{fit.group}`"
        if fit.after and len(hidden):
            times = learned.column(fit.after)
            return f"{told}: those after `{fit.after}` {times.part(np.argmax(times.values, keepdims=True)).texts()[0]}"
        return told

    @property
    def known(self) -> FitRows:
        """Check that the rows have been read, and return them.

        Raises:
            UsageError: the rows have not been read.
        """
        if self.rows is None:
            raise UsageError(f"the rows of this fit have not been read: its table is {self.about['data']}")
        return self.rows

    @property
    def loss(self) -> RowLoss | None:
        """The per-row loss function; None for squared error and for classes.

        Raises:
            UsageError: there is no such loss.
        """
        return loss_named(self.fit.loss, self.own)

    @property
    def _versions(self) -> Mapping[str, str]:
        name = self.fit.loss
        return {} if is_known(name) else {f"{OWN}loss {name}": self.own.find("loss", name).version}

    @property
    def representation(self) -> Representation[Any]:
        """The representation of programs that read the columns."""
        config = self.config
        return fitting_of(self.language.name).representation_of_columns(
            self.known.sample,
            self.fit.operators,
            config.representation,
            config.limits.size,
            self.known.facts.classes,
        )

    @property
    def _weighs_classes(self) -> bool:
        is_tree = self.fit.programs == "trees"
        return bool(self.known.facts.labels) and is_tree and CASES in self.config.front.objectives

    @property
    def shape(self) -> Shape | None:
        """The shape that predictions must have, if there is one.

        Raises:
            UsageError: the shape names no column, cannot be read, or does not apply to classes.
        """
        known, fit = self.known, self.fit
        if (many := len(known.facts.labels)) and fit.bounds:
            raise UsageError(f"`bounds` are for numbers; `{fit.target}` has {many} classes")
        if many > 2 and fit.monotone:
            raise UsageError(f"`monotone` is for numbers and for two classes; `{fit.target}` has {many}")
        found = shape_of(fit.monotone, fit.bounds, known.facts.names, known.sample.columns, self.config.seed)
        return (
            replace(found, what=f"the probability of `{known.facts.classes[1]}`") if found and many else found
        )

    @property
    def problem(self) -> FittingProblem[Any]:
        """The problem of fitting programs to the rows to learn from."""
        known = self.known
        # The losses of this many parts of the rows are cases: they have a standard error, and at least ten rows each.
        blocks = 0 if self._weighs_classes else max(1, min(10, len(known.learned.table) // 10))
        loss: Loss = "logistic" if known.facts.labels else self.loss or "squares"
        problem = fitting_of(self.language.name).fitting_problem(
            known.sample, loss, blocks, self.fit.steps, known.facts.classes
        )
        shape = self.shape
        return (
            problem if shape is None else replace(problem, shape=replace(shape, inputs=problem.sample.inputs))
        )

    def search(self) -> Search[Any]:
        """The search for programs that predict the target in the rows to learn from.

        Raises:
            UsageError: the rule for choosing from the front needs other objectives, or ``Subject.search`` raises the
                error.
        """
        known, fit, front, classes = self.known, self.fit, self.config.front, len(self.known.facts.labels)
        by_description = front.choose == DESCRIPTION
        if by_description and front.objectives == (SCORE, SIZE) and not weighs(self.config):
            front = FrontSettings()  # the preset's is for the scheme of the preset
        elif by_description and front.objectives[:2] not in ((), (SCORE, SIZE)):
            raise UsageError(
                f'front.choose = "{DESCRIPTION}" is for the objectives {SCORE} and {SIZE}: name them first'
            )
        elif by_description:
            front = replace(
                front, choose="first"
            )  # until the front is there, which the description then chooses from
        weighs_classes = self._weighs_classes
        problem = self.problem
        search = self.search_for(problem, replace(self.config, front=front))
        plan = search.front
        if plan is not None and weighs_classes:  # of trees the classes are cases
            plan = replace(plan, names={CASES: tuple(f"class {name}" for name in known.facts.classes)})
        if plan is not None and by_description:
            targets, weights = known.sample.targets, known.sample.weights
            rows, inputs = float(weights.sum()), len(known.facts.names)
            if fit.programs == "trees":
                most = max(float(weights[targets == place].sum()) for place in range(classes or 1))
                wrong = 1.0 - most / rows if classes else 0.0
                rule = partial(shortest_tree, rows, inputs, classes - 1, wrong)
            else:
                nats = nats_of_classes(targets, weights, classes)
                halves = 1.0 if self.loss is None else 2.0 * self.loss.nats
                rule = partial(shortest_description, halves * rows, inputs + len(fit.operators) + 1, nats)
            plan = replace(plan, name=DESCRIPTION, rule=rule)
        search = replace(search, fitted=problem.fitted, written=problem.written)
        return search if plan is None else self._finishing(search, plan)

    def _finishing(self, search: Search[Any], plan: FrontPlan) -> Search[Any]:
        """The search with the plan of its front, and with the final changes to the formula chosen from the front."""
        fit, sample, form = self.fit, self.known.sample, fitting_of(self.language.name)
        if plan.objectives[:2] in ((), (SCORE, SIZE)):
            plan = replace(
                plan, tolerance=SAME_ERROR, cost=partial(cost_of_protection, form, sample), free=form.scaling
            )
        ends = None
        if self.config.front.choose == "first" and not (fit.no_clip or self.known.facts.labels):
            low, high = float(sample.targets.min()), float(sample.targets.max())
            ends = (2.0 * low - high, 2.0 * high - low)
        digits = f"{fit.digits} digits" if fit.digits else ""
        told = (plan.name, "unclipped" if fit.no_clip else "", digits)  # another ending is another choice
        return replace(
            search,
            finished=partial(form.finished, ends=ends, digits=fit.digits),
            front=replace(plan, name=", ".join(filter(None, told))),
        )

    def read(self, table: Table | None = None, *, is_lenient: bool = False) -> Self:
        """Read the rows, and return the subject with them; the arguments are the same as in ``Subject.read``.

        Raises:
            UsageError: in the same cases as for ``Subject.read``.
        """
        fit = self.fit
        found = table_of_fit(fit) if table is None else table
        if not fit.target:
            last = shlex.quote(shortened(found.names[-1]))
            raise UsageError(f"name the column to predict: --target {last}")
        if fit.sha256 not in ("", found.sha256):
            raise UsageError(
                f"the rows of {found.source} have changed since the run started, or are from another table: "
                "restore them, leave --words out, or begin another run"
            )
        fit = replace(fit, task=resolved_task(fit.task, found.column(fit.target)), sha256=found.sha256)  # type: ignore[arg-type]
        config = with_texts(replace(self.config, fit=fit))
        run = replace(self, config=config, rows=rows_of(found, config, is_lenient=is_lenient))
        targets, shape = run.known.sample.targets, run.shape
        if shape is not None and not ((targets >= shape.bounds[0]) & (targets <= shape.bounds[1])).any():
            raise UsageError(f"bounds: {fit.bounds}: no row has a `{fit.target}` between these bounds")
        return run


def cost_of_protection(form: Fitting, sample: Sample, program: Any) -> float:
    """The share of rows for which a program relies on protected operations; at most ``MOST_PROTECTED`` counts as 0."""
    uses = list(form.protected(program, sample).values())
    share = float(np.any(uses, axis=0).mean()) if uses else 0.0
    return share if share > MOST_PROTECTED else 0.0


def table_of_fit(settings: FitSettings) -> Table:
    """Read the table from the file that a fit names.

    Raises:
        UsageError: no file is named, or the file cannot be read.
    """
    if not settings.file:
        raise UsageError(
            "name a table: gpkit fit DATA.csv --target COLUMN, or `file` in [fit] of a configuration"
        )
    if settings.file == STANDARD_INPUT and settings.sha256:
        raise UsageError(
            "the table of this run came from standard input, and gpkit did not store it: name `-` as the table and "
            "send the same table to standard input, or start a new run from a file"
        )
    return read_table(settings.file, settings.words)


def rows_of(table: Table, config: Config, *, is_lenient: bool = False) -> FitRows:
    """The rows of a table with targets and weights, the held-out rows, and the rows that programs see.

    Raises:
        UsageError: the table lacks a column, or has too few rows, only one class, or a negative weight.
    """
    fit = there(config.fit)
    if fit.target in (fit.group, fit.after):
        raise UsageError(f"the column `{fit.target}` is the target, and cannot choose the held-out rows")
    target = table.column(fit.target)
    weights = weights_in(table, fit.weights)
    kept = ~target.empty & (weights > 0.0)
    if fit.after:
        kept &= ~table.column(fit.after).empty
    dropped = int(len(kept) - kept.sum())
    table, weights = table.part(kept), weights[kept]
    if len(table) < 2:
        what = "a target and a weight" if fit.weights else "a target"
        raise UsageError(f"{table.source} has {counted(len(table), 'row')} with {what}; expected more")
    targets, classes = _targets(table, config, is_lenient=is_lenient)
    is_whole = bool(((weights % 1.0 == 0.0) & (weights < MOST_COPIES)).all())
    many = float(weights.sum()) if is_whole else float(len(table))
    weights = (weights if is_whole else weights / weights.max()) * _class_weights(
        targets, classes, config, target
    )
    if classes and len(np.unique(targets[weights > 0.0])) < 2:
        raise UsageError("class weights: at most one class has a weight above 0; there is nothing to learn")
    rows = Rows(table, targets, weights * (many / weights.sum()))
    hidden = held_out(rows, bool(classes), config)
    inputs = _inputs(table, fit)
    check_names = fitting_of(LANGUAGES[fit.programs]).check_names

    def can_name(name: str) -> bool:
        with suppress(UsageError):
            check_names((name,))
            return True
        return False

    for column in map(table.column, inputs):
        try:
            check_names((column.name,))
        except UsageError as error:
            raise UsageError(f"{table.head_of(column.name)}: {error}") from None
    learned = rows.part(~hidden)
    fills = fit.programs == "formulas"
    facts = fitted_facts(learned.table, inputs, fills_gaps=fills, keeps_equal=is_lenient, can_name=can_name)
    loss = "" if fit.loss == SQUARES else fit.loss
    facts = replace(facts, labels=tuple(map(target.label_of, classes)), task=fit.task, loss=loss)
    columns = feature_columns(facts.names, learned.table, facts.fills)
    sample = sample_of(facts.names, columns, learned.targets, learned.weights)
    alone = not (fit.group or fit.after) and hidden.any()
    doubted = (
        *doubts(learned.table, inputs, fit.words),
        *repeating(table, inputs, table.column(fit.target)),
        *(separated(table, hidden, rows.targets, _spoken_for(fit)) if alone else ()),
    )
    return FitRows(learned, rows.part(hidden), sample, facts, doubted, dropped)


def _spoken_for(fit: FitSettings) -> set[str]:
    return {fit.target, fit.weights, fit.split, fit.group}


def _inputs(table: Table, fit: FitSettings) -> list[str]:
    """The columns that programs may read.

    Raises:
        UsageError: the table lacks a column, or a column has another use.
    """
    out, spoken_for = {table.column(name).name for name in fit.without}, _spoken_for(fit)
    free = [name for name in table.names if name not in spoken_for]
    inputs = [name for name in fit.inputs or free if name not in out]
    for name in inputs:
        if name in spoken_for:
            raise UsageError(f"the column `{name}` cannot be an input, because it already has another role")
    return inputs


def _targets(table: Table, config: Config, *, is_lenient: bool) -> tuple[Floats, tuple[str, ...]]:
    """The targets, float64 (rows,), and the names of the classes.

    Raises:
        UsageError: the target has words instead of numbers, or all targets are equal.
    """
    fit = there(config.fit)
    target = table.column(fit.target)
    if fit.task == "regression":
        if target.words is not None:
            raise UsageError(
                f"{table.place_of(0)}: the column `{target.name}` is {target.texts()[0]!r}, where a number is "
                "predicted; leave --task out to predict classes"
            )
        if len(np.unique(target.values)) < 2 and not is_lenient:
            raise UsageError(
                f"all rows of {table.source} have the same `{target.name}`; there is nothing to learn"
            )
        if reason := unsquarable(target):
            raise UsageError(reason)
        if fit.loss == "poisson":
            check_counts(target, table)
        return target.values, ()
    if fit.loss != SQUARES:
        raise UsageError(
            f"the loss `{fit.loss}` is for numbers, and `{target.name}` is read as classes; to read it as numbers: "
            "--task regression"
        )
    texts, classes = target.texts(), classes_of(target)
    if len(classes) > MOST_CLASSES and 2 * len(classes) > len(texts) and not is_lenient:
        odd = looks_like_numbers(target)
        fix = f"write numbers such as `{odd}` with digits alone" if odd else "name another column"
        raise UsageError(
            f"the column `{target.name}` of {table.source} has {len(classes):,} different cells in {len(texts):,} "
            f"rows; expected numbers, or classes of several rows each: {fix}"
        )
    if len(classes) < 2:
        raise UsageError(f"all rows of {table.source} have the same class; there is nothing to learn")
    places = {name: float(place) for place, name in enumerate(classes)}
    return np.array([places[text] for text in texts.tolist()]), classes


def _class_weights(targets: Floats, classes: tuple[str, ...], config: Config, target: Column) -> Floats:
    fit = there(config.fit)
    if not classes:
        if fit.balanced or fit.class_weights:
            raise UsageError(f"class weights are for classes; the column `{fit.target}` holds numbers")
        return np.ones(len(targets))
    for name in fit.class_weights:
        if name not in classes and not target.is_word(name).any():  # its rows have no weight
            raise UsageError(f"class weights: there is no class `{name}`; {suggestion(name, classes)}")
    if fit.balanced:
        return balanced_weights(targets)
    found = np.array([fit.class_weights.get(name, 1.0) for name in classes])
    return (found / (found.max() or 1.0))[targets.astype(np.int64)]


def held_out(rows: Rows, has_classes: bool, config: Config) -> Flags:
    """Whether each row is held out: bool (rows,); the same share of each class is held out, but never a whole class.

    Raises:
        UsageError: the column ``split`` never contains `test`, or contains nothing else; groups are too large for the
            share; or times cannot be ordered.
    """
    fit = there(config.fit)
    if fit.after:
        return latest(rows.table, fit.after, fit.held_out)
    if fit.split:
        hidden = rows.table.column(fit.split).is_word(TEST)
        if not hidden.any() or hidden.all():
            found = shortened(str(rows.table.column(fit.split).texts()[0]))
            raise UsageError(
                f"the column `{fit.split}` of {rows.table.source} does not split the rows: rows with the word "
                f"`{TEST}` are held out, and programs learn from the others; the first row has `{found}`"
            )
        return hidden
    groups = rows.targets if has_classes else np.zeros(len(rows.targets))
    rng, hidden = stream(config.seed, "held out"), np.zeros(len(groups), dtype=np.bool_)
    if fit.group:
        hidden = held_groups(rng, groups_of(rows.table.column(fit.group)), groups, fit.held_out)
        if fit.held_out and not hidden.any():
            raise UsageError(
                f"no group of `{fit.group}` is small enough to hold out {fit.held_out:.0%} of the rows: "
                "choose a larger share, or another column"
            )
        return hidden
    for group in np.unique(groups):
        members = rng.permutation(np.flatnonzero(groups == group))
        hidden[members[: min(round(fit.held_out * len(members)), len(members) - 1)]] = True
    return hidden

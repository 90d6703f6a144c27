"""Tables as subjects of runs: rows to learn from, rows that are held out, and the search for programs that predict."""

import math
import shlex
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gpkit.core.diagnostics import check_known, shortened, suggestion
from gpkit.core.errors import UsageError
from gpkit.core.files import STANDARD_INPUT
from gpkit.core.registry import language_entry
from gpkit.core.rng import stream
from gpkit.core.wording import counted
from gpkit.data.features import (
    MOST_CLASSES,
    Facts,
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
from gpkit.data.table import Column, Table, read_table
from gpkit.evolution.config import Config, there
from gpkit.evolution.dominance import CASES, SCORE, SIZE
from gpkit.evolution.fitting import (
    Loss,
    Sample,
    balanced_weights,
    fitting_of,
    nats_of_classes,
    sample_of,
    shortest_description,
    shortest_tree,
)
from gpkit.evolution.fronts import FITTEST, RULES
from gpkit.evolution.problem import Representation
from gpkit.evolution.search import Search
from gpkit.evolution.setup import Run, Subject, weighs, with_texts
from gpkit.evolution.tables import DESCRIPTION, LANGUAGES, FitSettings, FrontSettings
from gpkit.gamekit.game import Metric

SAVED = Metric("loss_saved", -math.inf, 1.0)
"""The metric of fits: the share of the loss of the best constant that a program saves, R² for numbers."""

MOST_COPIES = 1e9
"""Whole weights below it say how often a row counts; others are relative to each other."""

TEST = "test"
"""The word in a column of parts that marks rows which are held out."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Rows of a fit.

    Attributes:
        table: of them.
        targets: float64 (rows,): numbers, or of each row the place of its class.
        weights: float64 (rows,), not negative; they add up to the number of all rows, or of their copies.
    """

    table: Table
    targets: NDArray[np.float64]
    weights: NDArray[np.float64]

    def part(self, chosen: NDArray[np.bool_]) -> "Rows":
        """The rows that are chosen: bool (rows,)."""
        return Rows(self.table.part(chosen), self.targets[chosen], self.weights[chosen])


@dataclass(frozen=True, slots=True, eq=False)
class FitRows:
    """Rows of a fit that have been read, and what programs see of them.

    Attributes:
        learned, hidden: the rows that programs are fitted to, and those held out.
        sample: the rows that programs are fitted to, as these see them.
        facts: on the data, with the task and the classes, which programs state in their first lines.
        doubts: sentences on columns that may not be meant as they are read.
        dropped: how many rows had no target, or no weight.
    """

    learned: Rows
    hidden: Rows
    sample: Sample
    facts: Facts
    doubts: tuple[str, ...]
    dropped: int


def language_named(config: Config) -> str:
    """The language of the programs of a configuration."""
    return LANGUAGES[there(config.fit).programs]


def subject_from(config: Config, *_outside: object) -> "TableSubject":
    """The table of a configuration, whose rows have not been read yet.

    Raises:
        UsageError: the rule for choosing from the front does not exist, or classes are weighted twice.
    """
    fit, choose, rules = there(config.fit), config.front.choose, [DESCRIPTION, FITTEST, *RULES]
    check_known("rule", choose, rules, "front.choose: ")
    if fit.balanced and fit.class_weights:
        raise UsageError("fit.balanced and fit.class_weights contradict each other: leave one of them out")
    return TableSubject(config, language_entry(language_named(config)).load(), SAVED, None)


@dataclass(frozen=True, slots=True)
class TableSubject(Subject):
    """A table with a column that programs predict.

    Attributes:
        rows: of the table; None until they are read.
    """

    rows: FitRows | None = None

    @property
    def fit(self) -> FitSettings:
        """The table, what is predicted from it, and how."""
        return there(self.config.fit)

    @property
    def about(self) -> Mapping[str, str]:
        """The table, and the column that is predicted."""
        return {"data": self.fit.file or "a table in memory", "target": self.fit.target}

    @property
    def header(self) -> dict[str, str]:
        """The header of program files, with what ``gpkit predict`` needs to know."""
        return {**self.about, **(Facts(task=self.fit.task) if self.rows is None else self.rows.facts).header}

    @property
    def known(self) -> FitRows:
        """The rows, which have been read.

        Raises:
            UsageError: they have not.
        """
        if self.rows is None:
            raise UsageError(f"the rows of this fit are not read: its data are {self.about['data']}")
        return self.rows

    @property
    def representation(self) -> Representation[Any]:
        """Representation of programs that read the columns."""
        config = self.config
        return fitting_of(self.language.name).representation_of_columns(
            self.known.sample,
            self.fit.operators,
            config.representation,
            config.limits.size,
            self.known.facts.classes,
        )

    def search(self, run: Run[Any]) -> Search[Any]:
        """The search for programs that predict the target in the rows to learn from.

        Raises:
            UsageError: the rule for choosing from the front needs other objectives; or as for ``Run.search``.
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
        weighs_classes = bool(classes) and fit.programs == "trees" and CASES in self.config.front.objectives
        # The losses of so many parts of the rows are cases: they tell a standard error, and have ten rows at least.
        blocks = 0 if weighs_classes else max(1, min(10, len(known.learned.table) // 10))
        loss: Loss = "logistic" if classes else "squares"
        problem = fitting_of(self.language.name).fitting_problem(
            known.sample, loss, blocks, fit.steps, known.facts.classes
        )
        search = run.search_for(problem, replace(self.config, front=front))
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
                rule = partial(shortest_description, rows, inputs + len(fit.operators) + 1, nats)
            plan = replace(plan, name=DESCRIPTION, rule=rule)
        return replace(search, fitted=problem.fitted, written=problem.written, front=plan)

    def read(self, table: Table | None = None, *, is_lenient: bool = False) -> Self:
        """The subject with its rows; the arguments are those of ``Run.read``.

        Raises:
            UsageError: as for ``Run.read``.
        """
        fit = self.fit
        found = table_of_fit(fit) if table is None else table
        if not fit.target:
            last = shlex.quote(shortened(found.names[-1]))
            raise UsageError(f"name the column that is predicted: --target {last}")
        if fit.sha256 not in ("", found.sha256):
            raise UsageError(
                f"the rows of {found.source} have changed since the run started, or are not those of its table: "
                "restore them, leave --words out, or begin another run"
            )
        task = resolved_task(fit.task, found.column(fit.target))
        fit = replace(fit, task=task, sha256=found.sha256)  # type: ignore[arg-type]
        config = with_texts(replace(self.config, fit=fit))
        return replace(self, config=config, rows=rows_of(found, config, is_lenient=is_lenient))


def table_of_fit(settings: FitSettings) -> Table:
    """The table in the file that a fit names.

    Raises:
        UsageError: no file is named, or it cannot be read.
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
    """The rows of a table: targets and weights, those that are held out, and what programs see.

    Raises:
        UsageError: the table lacks a column, or has too few rows, only one class, or a negative weight.
    """
    fit = there(config.fit)
    target = table.column(fit.target)
    weights = weights_in(table, fit.weights)
    kept = ~target.empty & (weights > 0.0)
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
        raise UsageError(
            "class weights: rows of one class alone count, or of none; there is nothing to learn"
        )
    rows = Rows(table, targets, weights * (many / weights.sum()))
    hidden = held_out(rows, bool(classes), config)
    spoken_for = {fit.target, fit.weights, fit.split}
    out = {table.column(name).name for name in fit.without}
    free = [name for name in table.names if name not in spoken_for]
    inputs = [name for name in fit.inputs or free if name not in out]
    check_names = fitting_of(LANGUAGES[fit.programs]).check_names

    def can_name(name: str) -> bool:
        with suppress(UsageError):
            check_names((name,))
            return True
        return False

    for name in inputs:
        if name in spoken_for:
            raise UsageError(f"the column `{name}` cannot be an input and what it is named for besides")
        column = table.column(name)
        try:
            check_names((column.name,))
        except UsageError as error:
            raise UsageError(f"{table.head_of(name)}: {error}") from None
    learned = rows.part(~hidden)
    fills = fit.programs == "formulas"
    facts = fitted_facts(learned.table, inputs, fills_gaps=fills, keeps_equal=is_lenient, can_name=can_name)
    facts = replace(facts, labels=tuple(map(target.label_of, classes)), task=fit.task)
    columns = feature_columns(facts.names, learned.table, facts.fills)
    sample = sample_of(facts.names, columns, learned.targets, learned.weights, has_gaps=True)
    doubted = (*doubts(learned.table, inputs, fit.words), *repeating(table, inputs, table.column(fit.target)))
    return FitRows(learned, rows.part(hidden), sample, facts, doubted, dropped)


def _targets(
    table: Table, config: Config, *, is_lenient: bool
) -> tuple[NDArray[np.float64], tuple[str, ...]]:
    """The targets float64 (rows,), and the names of the classes.

    Raises:
        UsageError: numbers are asked for where there are words, or all targets are equal.
    """
    target = table.column(there(config.fit).target)
    if there(config.fit).task == "regression":
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
        return target.values, ()
    texts, classes = target.texts(), classes_of(target)
    if len(classes) > MOST_CLASSES and 2 * len(classes) > len(texts) and not is_lenient:
        odd = looks_like_numbers(target)
        fix = f"write numbers such as `{odd}` with digits alone" if odd else "name another column"
        raise UsageError(
            f"the column `{target.name}` of {table.source} has {len(classes):,} different cells in {len(texts):,} "
            f"rows; expected numbers, or classes of several rows each: {fix}"
        )
    if len(classes) < 2:
        raise UsageError(f"all rows of {table.source} are of one class; there is nothing to learn")
    places = {name: float(place) for place, name in enumerate(classes)}
    return np.array([places[text] for text in texts.tolist()]), classes


def _class_weights(
    targets: NDArray[np.float64], classes: tuple[str, ...], config: Config, target: Column
) -> NDArray[np.float64]:
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


def held_out(rows: Rows, has_classes: bool, config: Config) -> NDArray[np.bool_]:
    """Whether each row is held out: bool (rows,); the same share of each class is held out, but never all its rows.

    Raises:
        UsageError: a column of parts holds no `test`, or nothing else; or a table is too small for any share.
    """
    fit = there(config.fit)
    if fit.split:
        hidden = rows.table.column(fit.split).is_word(TEST)
        if not hidden.any() or hidden.all():
            found = shortened(str(rows.table.column(fit.split).texts()[0]))
            raise UsageError(
                f"the column `{fit.split}` of {rows.table.source} does not tell parts apart: rows with the word "
                f"`{TEST}` are held out, others are learned from; the first row has `{found}`"
            )
        return hidden
    groups = rows.targets if has_classes else np.zeros(len(rows.targets))
    rng, hidden = stream(config.seed, "held out"), np.zeros(len(groups), dtype=np.bool_)
    for group in np.unique(groups):
        members = rng.permutation(np.flatnonzero(groups == group))
        hidden[members[: min(round(fit.held_out * len(members)), len(members) - 1)]] = True
    return hidden

"""Estimators for scikit-learn: the models of ``gpkit fit`` with the conventions of that library.

The module also computes the importance of each column for a fitted program.

The trees are the models of ``gpkit fit --as tree``.
"""

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gpkit.analysis.predictions import Predictor, band_of, predictor_of
from gpkit.core.rng import stream
from gpkit.data.table import Table
from gpkit.evolution.table_subject import TableSubject
from gpkit.langkit.operators import operator_words
from gpkit.playing.named import Named

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
    from sklearn.utils import check_random_state
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data
except ImportError as error:
    from gpkit.core.wording import install_command

    raise ImportError(f"gpkit.sklearn needs scikit-learn 1.6 or newer: {install_command('data')}") from error
from gpkit.analysis.predictions import strangers
from gpkit.api.arguments import command
from gpkit.api.fits import with_loss
from gpkit.api.kinds import Seconds
from gpkit.api.problems import built
from gpkit.api.programs import Program
from gpkit.api.progress import begun
from gpkit.api.runs import RunFollower, warn_of_interrupt
from gpkit.api.tables import columns_of
from gpkit.core.errors import GpkitError
from gpkit.core.settings import NO_SETTINGS, over
from gpkit.data.features import weights_in
from gpkit.data.losses import SQUARES, RowLoss
from gpkit.data.table import EMPTY, merged, table_of
from gpkit.evolution.config import DESCRIPTION
from gpkit.evolution.loop import evolve
from gpkit.evolution.parts import Parts
from gpkit.evolution.run_folder import champion_header
from gpkit.evolution.search import Hooks
from gpkit.evolution.shapes import bounds_text, monotone_text
from gpkit.evolution.subjects import config_from_data, resolve
from gpkit.show.fit_findings import closing_seconds

RandomState = int | np.random.RandomState | None
"""A ``random_state`` in the sense of scikit-learn."""


def importances(run: TableSubject, columns: Sequence[str], named: Named) -> NDArray[np.float64]:
    """Each column's share of the total reduction of the loss; the shares add up to 1, or are all 0: float64 (columns,).

    A column's reduction is the amount by which shuffling its values increases the loss (Breiman, "Random Forests",
    2001).

    Args:
        run: the run, with the rows to which the program was fitted.
        columns: the names of the columns.
        named: the program.
    """
    predictor, rows = predictor_of(named), run.known.learned
    lost = partial(_loss, run.loss, predictor)
    least = lost(rows.table, rows.targets, rows.weights)
    found = np.zeros(len(columns))
    for place, name in enumerate(columns):
        deal = stream(run.config.seed, "importance", place).permutation(len(rows.table))
        dealt = tuple(each.part(deal) if each.name == name else each for each in rows.table.columns)
        table = replace(rows.table, columns=dealt)
        found[place] = max(0.0, lost(table, rows.targets, rows.weights) - least)
    total = float(found.sum())
    return found / total if 0.0 < total < np.inf else np.zeros(len(columns))


def _loss(
    loss: RowLoss | None,
    predictor: Predictor,
    table: Table,
    targets: NDArray[np.float64],
    weights: NDArray[np.float64],
) -> float:
    """The mean loss: by default the squared error, or the log loss for classes."""
    with np.errstate(all="ignore"):
        values = predictor.values(table)
        if predictor.facts.labels:
            shares = predictor.shares(values)[np.arange(len(table)), targets.astype(np.int64)]
            losses = -np.log(np.maximum(shares, 1e-15))
        else:
            found = predictor.predicted(values).astype(np.float64)
            losses = (found - targets) ** 2 if loss is None else loss.losses(targets, loss.values(found))
        return float(np.average(losses, weights=weights))


TARGET, WEIGHT = "target", "weight"
"""The names of the target and weight columns in the table of a fit, with underscores added if the names are in use."""


@dataclass(frozen=True, slots=True)
class Member:
    """A formula of a front.

    Attributes:
        size: the number of the formula's nodes.
        score: the share of the best constant's loss that the formula saves on the fitted rows, such as R² for numbers.
        formula: the program.
    """

    size: int
    score: float
    formula: Program


@contextmanager
def told_as_values() -> Iterator[None]:
    """Turn gpkit's errors into the errors that users of scikit-learn expect.

    Raises:
        ValueError: gpkit raised a ``GpkitError``.
    """
    try:
        yield
    except GpkitError as error:
        raise ValueError(str(error)) from error


class FormulaEstimator(BaseEstimator):
    """An estimator with a formula as its model, or one formula for each of several classes.

    After the first generation, Ctrl+C ends a fit with a warning and the best formula so far.

    Parameters:
        operators: the operators of formulas, such as "+ - * /", as for ``gpkit fit``.
        size: the maximum number of nodes in a formula; None means no limit.
        population: the number of programs in each generation.
        generations: the number of generations after the first one.
        choose: how to choose the formula from the front: ``description-length``, ``one-se``, ``knee`` or ``first``.
        monotone, bounds: the shape of the predictions, as for ``gpkit.fit``: "dose+ age-" or {"dose": 1, "age": -1},
            and "0..1" or (0, 1); bounds are for regressors.
        time_limit: the maximum number of seconds for a fit, which then ends with the best formula so far; None means no
            limit.
        random_state: with a number, every fit gives the same result; with None, results differ.
        settings: tables and keys of the configuration, as in a ``.toml`` file.
    """

    def __init__(
        self,
        operators: str | Sequence[str] = "+ - * / sqrt log exp",
        *,
        size: int | None = 60,
        population: int = 500,
        generations: int = 100,
        choose: str = DESCRIPTION,
        monotone: object = None,
        bounds: object = None,
        time_limit: float | None = None,
        random_state: RandomState = None,
        settings: Mapping[str, object] | None = None,
    ) -> None:
        self.operators = operators
        self.size = size
        self.population = population
        self.generations = generations
        self.choose = choose
        self.monotone = monotone
        self.bounds = bounds
        self.time_limit = time_limit
        self.random_state = random_state
        self.settings = settings

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _programs(self) -> dict[str, Any]:
        """The keys of the configuration that determine which programs are possible."""
        return {
            "operators": list(operator_words(self.operators)),
            "monotone": monotone_text(self.monotone) or "",
            "bounds": bounds_text(self.bounds) or "",
        }

    def _columns(self, X: ArrayLike, checked: NDArray[np.generic]) -> dict[str, Any]:  # noqa: N803
        """The columns of samples by name; if a data frame has words, its columns stay unchanged."""
        names = getattr(self, "feature_names_in_", [f"x{place}" for place in range(self.n_features_in_)])
        frame = X.iloc if checked.dtype == object and hasattr(X, "iloc") else checked
        return {str(name): frame[:, place] for place, name in enumerate(names)}

    def _learned(self, X: ArrayLike, y: ArrayLike, **checks: object) -> tuple[dict[str, Any], Any]:  # noqa: N803
        """The columns of samples by name, and their targets.

        Raises:
            ValueError: scikit-learn or gpkit rejects the samples or the targets.
        """
        X = _framed(X)  # noqa: N806
        checked, y = validate_data(self, y=y, **_checks(X), ensure_min_samples=2, **checks)
        return self._columns(X, checked), y

    def _fit(
        self,
        columns: dict[str, object],
        targets: NDArray[np.generic],
        sample_weight: ArrayLike | None,
        fit: Mapping[str, object],
        loss: object = SQUARES,
    ) -> None:
        """Fit a formula; ``fit`` contains keys of the configuration table [fit]."""
        clock = _begun(self.time_limit)
        weights = _check_sample_weight(sample_weight, targets, dtype=np.float64)
        longer = "_" * max(map(len, columns), default=0)
        target, weight = (name + longer if name in columns else name for name in (TARGET, WEIGHT))
        names = [target] if isinstance(targets[0], str) else []  # of classes, even if they look like dates
        table = table_of({**columns, target: targets, weight: weights}, words=names)
        weights_in(table, weight)  # before the rows change their order
        seed = self.random_state
        if not isinstance(seed, int | np.integer):
            seed = check_random_state(seed).randint(np.iinfo(np.int32).max)
        tables: dict[str, Any] = {
            "seed": int(seed),
            "population": {"size": self.population},
            "stop": {"generations": self.generations},
            "limits": {"size": False if self.size is None else self.size},
            "front": {"choose": self.choose},
        }
        tables["fit"] = {"target": target, "weights": weight, "held_out": 0.0, **self._programs(), **fit}
        settings = NO_SETTINGS if self.settings is None else self.settings
        name, own = with_loss(loss, Parts(rules=(self._stop,), wrap=built, are_of_fit=True))
        tables["fit"]["loss"] = name
        run = resolve(config_from_data(over(settings, tables)), own=own)
        run = run.read(merged(table, weight), is_lenient=True)
        weigh = partial(importances, run, list(columns))
        followed = RunFollower(
            run,
            str,
            clock,
            self.time_limit,
            closing=0.0 if self.time_limit is None else closing_seconds(run, clock, weigh),
        )
        with followed.interrupts(None):
            result = evolve(run, hooks=followed.hooks(None, Hooks(keeps=True)))
        warn_of_interrupt(result)
        self.n_iter_ = result.state.generation
        self.held_out_ = run.known.hidden
        genome, header = result.champion.individual.genome, champion_header(result.champion, run.header)
        self.formula_ = built(genome, run.language, header, "formula")
        rows = () if result.front is None else result.front.rows
        known, parse = run.language, run.language.parse
        self.front_ = [
            Member(
                row.size, row.objectives[0], Program(Named("formula", parse(row.program, "formula"), known))
            )
            for row in rows
        ]
        self.feature_importances_ = weigh(self.formula_.named)
        self.shapes_ = run.problem.verdicts(genome)

    def _stop(self, _state: object) -> str | None:
        """A reason to stop early, besides the time limit; a derived class may override this method to return one."""
        return None

    def _predictor(self, X: ArrayLike) -> tuple[Predictor, Table]:  # noqa: N803
        check_is_fitted(self)
        X = _framed(X)  # noqa: N806
        checked = validate_data(self, reset=False, **_checks(X))
        predictor = predictor_of(self.formula_.named)
        table = table_of(self._columns(X, checked), known=predictor.words_for())
        for note in strangers(predictor.strange(table)):
            warnings.warn(note, stacklevel=4)
        return predictor, table

    def to_latex(self) -> str:
        """The formula in LaTeX."""
        check_is_fitted(self)
        return self.formula_.export("latex")

    def _repr_latex_(self) -> str:
        return self.to_latex() if hasattr(self, "formula_") else ""

    def to_lua(self) -> str:
        """The formula as a Lua module that tests itself."""
        check_is_fitted(self)
        return self.formula_.export("lua")

    def to_sympy(self, simplified: bool = False) -> Any:
        """The formula as a SymPy expression, or one for each of several classes; see ``Program.to_sympy``."""
        check_is_fitted(self)
        return self.formula_.to_sympy(simplified)

    def to_c(self) -> str:
        """The formula as C99 functions with tests; ``predict`` takes a row."""
        check_is_fitted(self)
        return self.formula_.export("c")


class FormulaRegressor(RegressorMixin, FormulaEstimator):
    """A regressor with a formula as its model.

    >>> import numpy as np
    >>> from gpkit.sklearn import FormulaRegressor
    >>> X = np.linspace(-3, 3, 60).reshape(-1, 1)
    >>> model = FormulaRegressor("+ - *", population=100, generations=10, random_state=1)
    >>> model = model.fit(X, 2 * X[:, 0] ** 2 + 1)
    >>> round(model.score(X, 2 * X[:, 0] ** 2 + 1), 6)
    1.0

    Parameters:
        operators, size, population, generations, choose, monotone, bounds, time_limit, random_state, settings: as for
            ``FormulaEstimator``.
        loss: ``squares``, ``absolute``, ``huber:D``, ``quantile:Q``, ``poisson``, or a function, as for ``gpkit.fit``.
        calibration: the share of rows to hold out of the fit, for the intervals of ``predict``.

    Attributes:
        formula_: the model, a ``gpkit.Program``.
        front_: formulas of all sizes that no other formula dominates, each a ``Member``.
        shapes_: sentences that state whether the formula has each part of the requested shape.
        feature_importances_: each column's share of the saved loss; the shares add up to 1: float64 (columns,).
        n_iter_: the number of generations that the fit ran.
        held_out_: the rows that ``calibration`` holds out.
    """

    def __init__(
        self,
        operators: str | Sequence[str] = "+ - * / sqrt log exp",
        *,
        loss: object = SQUARES,
        calibration: float = 0.0,
        size: int | None = 60,
        population: int = 500,
        generations: int = 100,
        choose: str = DESCRIPTION,
        monotone: object = None,
        bounds: object = None,
        time_limit: float | None = None,
        random_state: RandomState = None,
        settings: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(
            operators,
            size=size,
            population=population,
            generations=generations,
            choose=choose,
            monotone=monotone,
            bounds=bounds,
            time_limit=time_limit,
            random_state=random_state,
            settings=settings,
        )
        self.loss = loss
        self.calibration = calibration

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:  # noqa: N803
        """Fit a formula.

        Args:
            X: samples (rows, columns), or a data frame, which may have columns of words; NaN are empty cells.
            y: numbers (rows,).
            sample_weight: the weight of each row, not negative; a weight of 2 counts the row twice.

        Raises:
            ValueError: scikit-learn or gpkit rejects the data.
        """
        with told_as_values():
            columns, y = self._learned(X, y, y_numeric=True)
            targets = np.asarray(y, dtype=np.float64)
            fit = {"task": "regression", "held_out": self.calibration}
            self._fit(columns, targets, sample_weight, fit, self.loss)
        return self

    def predict(self, X: ArrayLike, return_interval: float | None = None) -> Any:  # noqa: N803
        """The predictions: float64 (rows,); with ``return_interval``, a pair of predictions and intervals.

        Args:
            X: samples (rows, columns), or a data frame.
            return_interval: the share of new rows, such as 0.95, whose targets the intervals should contain. The
                intervals, float64 (rows, 2), are based on the errors on the rows that ``calibration`` holds out.

        Raises:
            ValueError: the columns of the samples differ from the fitted columns, or too few rows were held out.
        """
        with told_as_values():
            predictor, table = self._predictor(X)
            found = predictor.predicted(predictor.values(table)).astype(np.float64)
            if return_interval is None:
                return found
            if not 0.0 < return_interval < 1.0:
                raise ValueError(f"return_interval={return_interval!r}: expected a share between 0 and 1")
            rows = self.held_out_
            if not len(rows.table):
                raise ValueError(
                    "no rows are held out: FormulaRegressor(calibration=0.25) holds out some for intervals"
                )
            return found, band_of(predictor, rows.table, rows.targets, rows.weights, return_interval).ends(
                found
            ).T


class FormulaClassifier(ClassifierMixin, FormulaEstimator):
    """A classifier whose model is a formula for the odds of the second of two classes, or a formula for each class.

    >>> import numpy as np
    >>> from gpkit.sklearn import FormulaClassifier
    >>> X = np.linspace(-3, 3, 60).reshape(-1, 1)
    >>> y = np.where(abs(X[:, 0]) > 1, "far", "near")
    >>> model = FormulaClassifier("+ - *", population=100, generations=10, random_state=1).fit(X, y)
    >>> float(model.score(X, y))
    1.0

    Attributes:
        classes_: the labels, sorted.
        formula_, front_, shapes_, feature_importances_, n_iter_: as for ``FormulaRegressor``.
    """

    def __init__(
        self,
        operators: str | Sequence[str] = "+ - * / sqrt log exp",
        *,
        size: int | None = 60,
        population: int = 500,
        generations: int = 100,
        choose: str = DESCRIPTION,
        monotone: object = None,
        class_weight: object = None,
        time_limit: float | None = None,
        random_state: RandomState = None,
        settings: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(
            operators,
            size=size,
            population=population,
            generations=generations,
            choose=choose,
            monotone=monotone,
            time_limit=time_limit,
            random_state=random_state,
            settings=settings,
        )
        self.class_weight = class_weight

    def fit(self, X: ArrayLike, y: Any, sample_weight: ArrayLike | None = None) -> Self:  # noqa: N803
        """Fit formulas.

        Args:
            X: samples (rows, columns), or a data frame, which may have columns of words; NaN are empty cells.
            y: labels (rows,).
            sample_weight: the weight of each row, not negative; a weight of 2 counts the row twice.

        Raises:
            ValueError: scikit-learn or gpkit rejects the data.
        """
        with told_as_values():
            columns, y = self._learned(X, y)
            check_classification_targets(y)
            self.classes_, places = np.unique(y, return_inverse=True)
            fit: dict[str, Any] = {"task": "classification"}
            if self.class_weight == "balanced":
                fit["balanced"] = True
            elif self.class_weight is not None and not isinstance(self.class_weight, Mapping):
                raise ValueError(
                    f'class_weight={self.class_weight!r}: expected None, "balanced", or a dict of weights by label'
                )
            elif self.class_weight is not None:
                known = dict(zip(self.classes_.tolist(), _names(self.classes_), strict=True))
                weights = {known[k]: float(w) for k, w in self.class_weight.items() if k in known}
                fit["class_weights"] = weights
            self._fit(columns, _labels(self.classes_)[places], sample_weight, fit)
        return self

    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64]:  # noqa: N803
        """The probability of each class of ``classes_`` for each row: float64 (rows, classes).

        Raises:
            ValueError: the columns of the samples differ from the fitted columns.
        """
        with told_as_values():
            predictor, table = self._predictor(X)
            found = predictor.shares(predictor.values(table))
            shares = dict(zip(predictor.facts.classes, found.T, strict=True))
            none = np.zeros(len(table))  # for classes whose rows have no weight
            return np.stack([shares.get(name, none) for name in _names(self.classes_)], axis=1)

    def predict(self, X: ArrayLike) -> NDArray[Any]:  # noqa: N803
        """The most likely label for each row: an array of labels of shape (rows,).

        Raises:
            ValueError: the columns of the samples differ from the fitted columns.
        """
        shares = self.predict_proba(X)  # first, because it says if nothing was fitted
        labels: NDArray[Any] = self.classes_[shares.argmax(axis=1)]
        return labels


def _labels(classes: NDArray[np.generic]) -> NDArray[np.object_]:
    """Labels in the form that programs use: exact whole numbers and truth values are unchanged; others become names."""
    is_exact = classes.dtype.kind in "iub" and np.abs(classes.astype(np.float64)).max() < 1e15
    return np.array(classes.tolist() if is_exact else _names(classes), dtype=object)


def _names(labels: NDArray[np.generic]) -> list[str]:
    """The names of labels in a program, one for each label."""
    names = [str(label).strip() or repr(label) for label in labels.tolist()]
    is_clear = len(set(names)) == len(names) and EMPTY.isdisjoint(names)
    return names if is_clear else [f"{k}: {name}" for k, name in enumerate(names)]


def _framed(X: ArrayLike) -> Any:  # noqa: N803
    """Samples in a form that scikit-learn accepts: polars data frames and Arrow tables become pandas data frames."""
    is_other = hasattr(X, "columns") and not hasattr(X, "iloc")
    return import_module("pandas").DataFrame(columns_of(X)) if is_other else X


def _checks(X: Any) -> dict[str, Any]:  # noqa: N803
    """Arguments for scikit-learn's check of samples: only numbers and NaN, unless a data frame has other columns."""
    kinds = list(X.dtypes) if hasattr(X, "iloc") and hasattr(X, "dtypes") else []
    has_words = any(not isinstance(kind, np.dtype) or kind.kind not in "biuf" for kind in kinds)
    plain = X.astype(object) if has_words else X  # as scikit-learn takes no times beside numbers
    return {"X": plain, "dtype": object if has_words else np.float64, "ensure_all_finite": "allow-nan"}


@command
def _begun(time_limit: Seconds | None) -> Callable[[], float]:
    """Check the time limit, and return a clock that starts immediately."""
    return begun()


class Trees(FormulaEstimator):
    """The base class of estimators with a decision tree as their model."""

    def __init__(
        self,
        size: int | None = 31,
        *,
        population: int = 100,
        generations: int = 25,
        choose: str = DESCRIPTION,
        time_limit: float | None = None,
        random_state: RandomState = None,
        settings: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(
            size=size,
            population=population,
            generations=generations,
            choose=choose,
            time_limit=time_limit,
            random_state=random_state,
            settings=settings,
        )

    @property
    def tree_(self) -> Program:
        """The model, which is a decision tree."""
        return self.formula_

    def _programs(self) -> dict[str, Any]:
        return {"programs": "trees"}


class TreeRegressor(Trees, FormulaRegressor):
    """A regressor with a decision tree as its model; the leaves are means.

    >>> import numpy as np
    >>> from gpkit.sklearn import TreeRegressor
    >>> X = np.linspace(-3, 3, 60).reshape(-1, 1)
    >>> model = TreeRegressor(3, population=20, generations=3, random_state=1).fit(X, X[:, 0] > 0.1)
    >>> float(model.score(X, X[:, 0] > 0.1))
    1.0

    Parameters:
        size: the maximum number of nodes in the tree (just over half are leaves); None means no limit.
        population, generations, choose, time_limit, random_state, settings: as for ``FormulaRegressor``.

    Attributes:
        tree_: the model, a ``gpkit.Program``.
        front_, feature_importances_, n_iter_: as for ``FormulaRegressor``.
    """


class TreeClassifier(Trees, FormulaClassifier):
    """A classifier with a decision tree as its model; the leaves are labels, each with probability 1.

    >>> import numpy as np
    >>> from gpkit.sklearn import TreeClassifier
    >>> X = np.linspace(-3, 3, 60).reshape(-1, 1)
    >>> y = np.where(abs(X[:, 0]) > 1, "far", "near")
    >>> model = TreeClassifier(5, population=20, generations=3, random_state=1).fit(X, y)
    >>> float(model.score(X, y))
    1.0

    Parameters:
        size: the maximum number of nodes in the tree (just over half are leaves); None means no limit.
        class_weight: ``balanced``, or the weight of each label.
        population, generations, choose, time_limit, random_state, settings: as for ``FormulaRegressor``.

    Attributes:
        classes_: the labels, sorted.
        tree_: the model, a ``gpkit.Program``.
        front_, feature_importances_, n_iter_: as for ``FormulaRegressor``.
    """

    def __init__(
        self,
        size: int | None = 31,
        *,
        population: int = 100,
        generations: int = 25,
        choose: str = DESCRIPTION,
        class_weight: object = None,
        time_limit: float | None = None,
        random_state: RandomState = None,
        settings: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(
            size,
            population=population,
            generations=generations,
            choose=choose,
            time_limit=time_limit,
            random_state=random_state,
            settings=settings,
        )
        self.class_weight = class_weight

"""Estimators of scikit-learn: what ``gpkit fit`` finds, with the methods and manners of that library."""

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
    from sklearn.utils import check_random_state
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data
except ImportError as error:
    from gpkit.core.wording import install_command

    raise ImportError(f"gpkit.sklearn needs scikit-learn 1.6 or newer: {install_command('data')}") from error

from gpkit.analysis.predictions import Predictor, predictor_of, strangers
from gpkit.api.arguments import command
from gpkit.api.kinds import Seconds
from gpkit.api.problems import built
from gpkit.api.programs import Program
from gpkit.api.progress import begun
from gpkit.api.runs import Followed, warn_of_interrupt
from gpkit.api.tables import columns_of
from gpkit.core.errors import GpkitError
from gpkit.core.settings import NO_SETTINGS, over
from gpkit.data.features import weights_in
from gpkit.data.table import EMPTY, Table, merged, table_of
from gpkit.evolution.loop import evolve
from gpkit.evolution.parts import Parts
from gpkit.evolution.run_folder import champion_header
from gpkit.evolution.setup import Run
from gpkit.evolution.subjects import config_from_data, resolve
from gpkit.evolution.table_subject import TableSubject
from gpkit.evolution.tables import DESCRIPTION
from gpkit.playing.named import Named
from gpkit.reports.fits import closing_seconds
from gpkit.sklearn.importances import importances

TARGET, WEIGHT = "target", "weight"
"""Names of the columns of targets and weights in the table of a fit, behind which underscores are put if need be."""


@dataclass(frozen=True, slots=True)
class Member:
    """Formula of a front.

    Attributes:
        size: its nodes.
        score: the share of the loss of the best constant that it saves on the rows that were fitted: R² for numbers.
        formula: the program.
    """

    size: int
    score: float
    formula: Program


@contextmanager
def told_as_values() -> Iterator[None]:
    """Mistakes that gpkit refuses, as those that scikit-learn's users expect.

    Raises:
        ValueError: in place of a ``GpkitError``.
    """
    try:
        yield
    except GpkitError as error:
        raise ValueError(str(error)) from error


class FormulaEstimator(BaseEstimator):
    """Estimator whose model is a formula, or one for each of several classes.

    After the first generation, Ctrl+C ends a fit with a warning and the best formula so far.

    Parameters:
        operators: the operators of formulas, such as "+ - * /", as for ``gpkit fit``.
        size: the maximum number of nodes in a formula; None means no limit.
        population: the number of programs in each generation.
        generations: the number of generations after the first one.
        choose: how to choose the formula from the front: ``description-length``, ``one-se``, ``knee`` or ``first``.
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
        time_limit: float | None = None,
        random_state: Any = None,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self.operators = operators
        self.size = size
        self.population = population
        self.generations = generations
        self.choose = choose
        self.time_limit = time_limit
        self.random_state = random_state
        self.settings = settings

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _programs(self) -> dict[str, Any]:
        """Keys of the configuration that say which programs there are."""
        operators = self.operators
        return {"operators": operators.split() if isinstance(operators, str) else list(operators)}

    def _columns(self, X: Any, checked: NDArray[Any]) -> dict[str, Any]:  # noqa: N803
        """The columns of samples by name, those of a frame with words as they are."""
        names = getattr(self, "feature_names_in_", [f"x{place}" for place in range(self.n_features_in_)])
        frame = X.iloc if checked.dtype == object and hasattr(X, "iloc") else checked
        return {str(name): frame[:, place] for place, name in enumerate(names)}

    def _learned(self, X: Any, y: Any, **checks: Any) -> tuple[dict[str, Any], Any]:  # noqa: N803
        """The columns of samples by name, and their targets.

        Raises:
            ValueError: scikit-learn or gpkit refuses them.
        """
        X = _framed(X)  # noqa: N806
        checked, y = validate_data(self, y=y, **_checks(X), ensure_min_samples=2, **checks)
        return self._columns(X, checked), y

    def _fit(
        self, columns: dict[str, Any], targets: NDArray[Any], sample_weight: Any, fit: Mapping[str, Any]
    ) -> None:
        """Fit a formula; ``fit`` are keys of the table of that name."""
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
        own = Parts(rules=(self._stop,), wrap=built, are_of_fit=True)
        run = resolve(config_from_data(over(settings, tables)), own=own)
        run = run.read(merged(table, weight), is_lenient=True)
        weigh = partial(importances, run, list(columns))
        closing = 0.0 if self.time_limit is None else closing_seconds(run, clock, weigh)
        followed = Followed(run, str, clock, self.time_limit, closing=closing)
        with followed.interrupts(None):
            hooks = followed.hooks(None)
            result = evolve(run, stop=followed.stop, hooks=hooks, limit=followed.limit, keeps=True)
        warn_of_interrupt(result)
        self.n_iter_ = result.state.generation
        genome, header = result.champion.individual.genome, champion_header(result.champion, run.header)
        self.formula_ = built(genome, run.language, header, "formula")
        rows = () if result.front is None else result.front.rows
        self.front_ = [Member(row.size, row.objectives[0], _program(row.program, run)) for row in rows]
        self.feature_importances_ = weigh(self.formula_.named)

    def _stop(self, _state: Any) -> str | None:
        """A reason to stop early, besides the time limit; a derived class may return one."""
        return None

    def _predictor(self, X: Any) -> tuple[Predictor, Table]:  # noqa: N803
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
        """The formula as a Lua module, which tests itself."""
        check_is_fitted(self)
        return self.formula_.export("lua")

    def to_sympy(self, simplified: bool = False) -> Any:
        """The formula as an expression of SymPy, of several classes one for each, as ``Program.to_sympy``."""
        check_is_fitted(self)
        return self.formula_.to_sympy(simplified)

    def to_c(self) -> str:
        """The formula as functions of C99, of which ``predict`` takes a row, with tests."""
        check_is_fitted(self)
        return self.formula_.export("c")


class FormulaRegressor(RegressorMixin, FormulaEstimator):
    """Regressor whose model is a formula.

    >>> import numpy as np
    >>> from gpkit.sklearn import FormulaRegressor
    >>> X = np.linspace(-3, 3, 60).reshape(-1, 1)
    >>> model = FormulaRegressor("+ - *", population=100, generations=10, random_state=1)
    >>> model = model.fit(X, 2 * X[:, 0] ** 2 + 1)
    >>> round(model.score(X, 2 * X[:, 0] ** 2 + 1), 6)
    1.0

    Attributes:
        formula_: the model, a ``gpkit.Program``.
        front_: formulas of all sizes that none is better than, each a ``Member``.
        feature_importances_: the part of the loss that each column saves, which add up to 1: float64 (columns,).
        n_iter_: generations.
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:  # noqa: N803
        """Fit a formula.

        Args:
            X: samples (rows, columns), or a data frame, which may have columns of words; NaN are empty cells.
            y: numbers (rows,).
            sample_weight: of each row, not negative; a weight of 2 is the row twice.

        Raises:
            ValueError: scikit-learn or gpkit refuses them.
        """
        with told_as_values():
            columns, y = self._learned(X, y, y_numeric=True)
            self._fit(columns, np.asarray(y, dtype=np.float64), sample_weight, {"task": "regression"})
        return self

    def predict(self, X: Any) -> NDArray[np.float64]:  # noqa: N803
        """Predictions: float64 (rows,).

        Raises:
            ValueError: the samples have other columns than those that were fitted.
        """
        with told_as_values():
            predictor, table = self._predictor(X)
            return predictor.predicted(predictor.values(table)).astype(np.float64)


class FormulaClassifier(ClassifierMixin, FormulaEstimator):
    """Classifier whose model is a formula for the odds of the second of two classes, or one for each of several.

    >>> import numpy as np
    >>> from gpkit.sklearn import FormulaClassifier
    >>> X = np.linspace(-3, 3, 60).reshape(-1, 1)
    >>> y = np.where(abs(X[:, 0]) > 1, "far", "near")
    >>> model = FormulaClassifier("+ - *", population=100, generations=10, random_state=1).fit(X, y)
    >>> float(model.score(X, y))
    1.0

    Attributes:
        classes_: the labels, sorted.
        formula_, front_, feature_importances_, n_iter_: as of ``FormulaRegressor``.
    """

    def __init__(
        self,
        operators: str | Sequence[str] = "+ - * / sqrt log exp",
        *,
        size: int | None = 60,
        population: int = 500,
        generations: int = 100,
        choose: str = DESCRIPTION,
        class_weight: Any = None,
        time_limit: float | None = None,
        random_state: Any = None,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(
            operators,
            size=size,
            population=population,
            generations=generations,
            choose=choose,
            time_limit=time_limit,
            random_state=random_state,
            settings=settings,
        )
        self.class_weight = class_weight

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:  # noqa: N803
        """Fit formulas.

        Args:
            X: samples (rows, columns), or a data frame, which may have columns of words; NaN are empty cells.
            y: labels (rows,).
            sample_weight: of each row, not negative; a weight of 2 is the row twice.

        Raises:
            ValueError: scikit-learn or gpkit refuses them.
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

    def predict_proba(self, X: Any) -> NDArray[np.float64]:  # noqa: N803
        """The probability of each class of ``classes_`` for each row: float64 (rows, classes).

        Raises:
            ValueError: the samples have other columns than those that were fitted.
        """
        with told_as_values():
            predictor, table = self._predictor(X)
            found = predictor.shares(predictor.values(table))
            shares = dict(zip(predictor.facts.classes, found.T, strict=True))
            none = np.zeros(len(table))  # for classes whose rows have no weight
            return np.stack([shares.get(name, none) for name in _names(self.classes_)], axis=1)

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """The likeliest label for each row: an array of labels of shape (rows,).

        Raises:
            ValueError: the samples have other columns than those that were fitted.
        """
        shares = self.predict_proba(X)
        labels: NDArray[Any] = self.classes_[shares.argmax(axis=1)]
        return labels


def _labels(classes: NDArray[Any]) -> NDArray[np.object_]:
    """Labels as programs have them: whole numbers that are exact and truth values as they are, others as names."""
    is_exact = classes.dtype.kind in "iub" and np.abs(classes.astype(np.float64)).max() < 1e15
    return np.array(classes.tolist() if is_exact else _names(classes), dtype=object)


def _names(labels: NDArray[Any]) -> list[str]:
    """Names of labels in a program, one for each."""
    names = [str(label).strip() or repr(label) for label in labels.tolist()]
    is_clear = len(set(names)) == len(names) and EMPTY.isdisjoint(names)
    return names if is_clear else [f"{k}: {name}" for k, name in enumerate(names)]


def _framed(X: Any) -> Any:  # noqa: N803
    """Samples for scikit-learn: polars data frames and Arrow tables become pandas data frames."""
    is_other = hasattr(X, "columns") and not hasattr(X, "iloc")
    return import_module("pandas").DataFrame(columns_of(X)) if is_other else X


def _checks(X: Any) -> dict[str, Any]:  # noqa: N803
    """Samples and their checks: only numbers and empty cells, but in a data frame that has other columns, too."""
    kinds = list(X.dtypes) if hasattr(X, "iloc") and hasattr(X, "dtypes") else []
    has_words = any(not isinstance(kind, np.dtype) or kind.kind not in "biuf" for kind in kinds)
    plain = X.astype(object) if has_words else X  # as scikit-learn takes no times beside numbers
    return {"X": plain, "dtype": object if has_words else np.float64, "ensure_all_finite": "allow-nan"}


def _program(text: str, run: Run[TableSubject]) -> Program:
    return Program(Named("formula", run.language.parse(text, "formula"), run.language))


@command
def _begun(time_limit: Seconds | None) -> Callable[[], float]:
    """Check the time limit, and give a clock that begins now."""
    return begun()

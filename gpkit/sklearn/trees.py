"""Estimators of scikit-learn whose models are decision trees: what ``gpkit fit --as tree`` finds."""

from collections.abc import Mapping
from typing import Any

from gpkit.api.programs import Program
from gpkit.evolution.tables import DESCRIPTION
from gpkit.sklearn.estimators import FormulaClassifier, FormulaEstimator, FormulaRegressor


class Trees(FormulaEstimator):
    """Part of estimators whose model is a decision tree."""

    def __init__(
        self,
        size: int | None = 31,
        *,
        population: int = 100,
        generations: int = 25,
        choose: str = DESCRIPTION,
        time_limit: float | None = None,
        random_state: Any = None,
        settings: Mapping[str, Any] | None = None,
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
        """The model."""
        return self.formula_

    def _programs(self) -> dict[str, Any]:
        return {"programs": "trees"}


class TreeRegressor(Trees, FormulaRegressor):
    """Regressor whose model is a decision tree; its leaves are means.

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
    """Classifier whose model is a decision tree; its leaves are labels, each with probability 1.

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
        class_weight: Any = None,
        time_limit: float | None = None,
        random_state: Any = None,
        settings: Mapping[str, Any] | None = None,
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

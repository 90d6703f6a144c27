"""gpkit as a method of SRBench, by the contract of its guide for contributors (https://github.com/cavalab/srbench).

``est`` is the estimator, ``model`` gives its formula as text for SymPy, ``eval_kwargs`` sets ``max_time`` by the number
of rows, and a fit that is told SIGALRM returns with the best formula so far. The file needs gpkit with its extra
``data`` alone; ``metadata.yml`` lies beside it.
"""

import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Self

import numpy as np
import sympy

from gpkit.core.timeouts import countdown
from gpkit.sklearn.estimators import FormulaRegressor

OPERATORS = "+ - * / sqrt log exp sin cos tanh"

MARGIN = 0.9
"""The part of SRBench's time limit that a fit takes."""


class TimedRegressor(FormulaRegressor):
    """Regressor whose fit ends in time with the best formula so far.

    Parameters:
        operators, size, population, random_state, settings: as of ``FormulaRegressor``.
        max_time: elapsed seconds of a fit.
    """

    def __init__(
        self,
        operators: str = OPERATORS,
        *,
        size: int | None = 40,
        population: int = 500,
        max_time: float = 3000.0,
        random_state: Any = None,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(
            operators,
            size=size,
            population=population,
            generations=1_000_000,
            random_state=random_state,
            settings=settings,
        )
        self.max_time = max_time

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:  # noqa: N803
        """Fit a formula until the time is over, or SIGALRM arrives.

        Raises:
            ValueError: scikit-learn or gpkit refuses the rows.
        """
        left = countdown(self.max_time)
        with told_by_signal() as is_told:
            self._ends: Callable[[], bool] = lambda: left() <= 0.0 or is_told()
            try:
                super().fit(X, y, sample_weight)
            finally:
                del self._ends
        return self

    def _stop(self, _state: Any) -> str | None:
        return "time" if self._ends() else None


@contextmanager
def told_by_signal() -> Iterator[Callable[[], bool]]:
    """A function that says whether SIGALRM has arrived; outside the main thread, and where there is none, never."""
    rung = threading.Event()
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "SIGALRM"):
        yield rung.is_set
        return
    former = signal.signal(signal.SIGALRM, lambda *_: rung.set())
    try:
        yield rung.is_set
    finally:
        signal.signal(signal.SIGALRM, former)


def model(est: TimedRegressor, X: Any = None) -> str:  # noqa: N803
    """The formula as text for SymPy, over the names of the columns.

    Protected operators are written plainly where the formula has the same values so on the rows; else as ``Piecewise``.

    Args:
        est: the estimator, which has been fitted.
        X: the rows; without them operators are written plainly.
    """
    whole = est.formula_.to_sympy()
    plain = whole.replace(
        lambda part: isinstance(part, sympy.Piecewise),
        lambda part: next(value for value, _ in part.args if not value.is_Number),
    )
    plain = plain.doit()
    if X is None or agrees(plain, est, X):
        return str(plain)
    return str(est.formula_.to_sympy(simplified=True))


def agrees(expression: Any, est: TimedRegressor, X: Any) -> bool:  # noqa: N803
    """Whether an expression has the predictions of an estimator on rows, within 1e-6 of their size."""
    names = [str(name) for name in getattr(est, "feature_names_in_", [])]
    names = names or [f"x{place}" for place in range(est.n_features_in_)]
    with np.errstate(all="ignore"):
        function = sympy.lambdify([sympy.Symbol(name) for name in names], expression)
        values = np.broadcast_to(function(*np.asarray(X, dtype=np.float64).T), len(X))
    return bool(np.allclose(values, est.predict(X), rtol=1e-6, atol=1e-12))


def pre_train(est: TimedRegressor, X: Any, _y: Any) -> None:  # noqa: N803
    """Set the time: SRBench gives an hour for up to 1,000 rows, and ten hours for more."""
    est.set_params(max_time=MARGIN * (3600.0 if len(X) <= 1000 else 36_000.0))


est = TimedRegressor()
"""The estimator that SRBench fits."""

hyper_params: list[dict[str, Any]] = []
"""Parameters that SRBench tunes: none."""

eval_kwargs = {"pre_train": pre_train}
"""Further settings for SRBench."""


def complexity(est: TimedRegressor) -> int:
    """The nodes of the formula."""
    return sum(len(tree) for tree in est.formula_.named.source.program.trees)

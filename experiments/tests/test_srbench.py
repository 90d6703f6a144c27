"""SRBench's contract: what its guide asks of ``regressor.py``."""

import os
import signal
import threading
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gpkit

pytest.importorskip("sklearn")
sympy = pytest.importorskip("sympy")
pandas = pytest.importorskip("pandas")
regressor = import_module("gpkit_experiments.srbench.regressor")

TABLE = pandas.DataFrame({"mass": np.linspace(1.0, 3.0, 60), "speed": np.linspace(2.0, -1.0, 60) ** 2 + 0.5})
TARGETS = (TABLE["mass"] * TABLE["speed"] / 2).to_numpy()


def quick() -> Any:
    return regressor.TimedRegressor("+ - * /", population=60, max_time=0.5, random_state=1)


def test_a_fit_ends_in_time_and_the_model_is_its_formula() -> None:
    est = quick().fit(TABLE, TARGETS)
    text = regressor.model(est, TABLE)
    expression = sympy.sympify(text)
    assert {str(symbol) for symbol in expression.free_symbols} <= {"mass", "speed"}
    assert "Piecewise" not in text
    values = sympy.lambdify(["mass", "speed"], expression)(
        TABLE["mass"].to_numpy(), TABLE["speed"].to_numpy()
    )
    assert np.allclose(np.broadcast_to(values, 60), est.predict(TABLE))
    assert regressor.complexity(est) >= 1


class Ratio:
    """An estimator whose formula is ``a / b``, and 1 where b is 0."""

    formula_ = gpkit.parse("a / b")
    feature_names_in_ = ("a", "b")

    def predict(self, rows: Any) -> Any:
        a, b = rows["a"].to_numpy(), rows["b"].to_numpy()
        return np.where(b == 0.0, 1.0, a / np.where(b == 0.0, 1.0, b))


def test_protection_is_written_out_where_it_counts() -> None:
    rows = pandas.DataFrame({"a": [1.0, 2.0, 3.0], "b": [2.0, 4.0, 5.0]})
    assert sympy.sympify(regressor.model(Ratio(), rows)) == sympy.sympify("a/b")
    rows.loc[0, "b"] = 0.0
    assert regressor.model(Ratio(), rows) == "Piecewise((a/b, Ne(b, 0)), (1.0, True))"


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="there is no such signal")
def test_the_signal_gives_the_best_so_far() -> None:
    former = signal.signal(signal.SIGALRM, lambda *_: pytest.fail("the handler of the caller was called"))
    try:
        est = quick().set_params(max_time=600.0)
        timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGALRM))
        timer.start()
        est.fit(TABLE, TARGETS)
        timer.join()
        assert est.score(TABLE, TARGETS) > 0.5
        assert signal.getsignal(signal.SIGALRM) is not signal.SIG_DFL
    finally:
        signal.signal(signal.SIGALRM, former)


def test_srbench_finds_what_it_asks_for() -> None:
    assert regressor.est.get_params()["max_time"] > 0
    regressor.eval_kwargs["pre_train"](regressor.est, np.zeros((2000, 2)), None)
    assert regressor.est.max_time == pytest.approx(0.9 * 36_000)
    regressor.eval_kwargs["pre_train"](regressor.est, TABLE, None)
    assert regressor.est.max_time == pytest.approx(0.9 * 3_600)
    assert regressor.hyper_params == []
    text = (Path(regressor.__file__).parent / "metadata.yml").read_text(encoding="utf-8")
    assert {"authors:", "name:", "description:"} <= {line.split(" ")[0] for line in text.splitlines()}

"""Runs read from their folders: the same numbers as when they ended."""

from pathlib import Path
from typing import Any

import pytest

import gpkit
from gpkit.core.errors import CheckpointError

PROBLEM = gpkit.problem(
    lambda program: -abs(program(x=2.0) - 5.0),
    name="five",
    sensors={"x": (-5, 5)},
    settings={"population": {"size": 12}},
)
FORMS: dict[str, dict[str, Any]] = {
    "plain": {},
    "front": {
        "scheme": {"name": "plus", "order": "pareto"},
        "selection": {"name": "pareto"},
        "front": {"objectives": ["score", "size"]},
    },
    "map": {"scheme": {"name": "map-elites"}, "map": {"size": [1, 31, 6], "depth": [1, 9, 4]}},
}


@pytest.mark.parametrize("form", FORMS)
def test_a_run_is_read_as_it_ended(form: str, tmp_path: Path) -> None:
    champion, run = gpkit.evolve(PROBLEM, generations=3, settings=FORMS[form], folder=tmp_path / "run")
    read = gpkit.Run.load(str(tmp_path / "run"))
    assert str(read) == str(run)
    assert (read.config, read.generations, read.score, read.digest) == (
        run.config,
        run.generations,
        run.score,
        run.digest,
    )
    assert read.to_rows() == run.to_rows()
    for mine, other in ((read.front, run.front), (read.archive, run.archive)):
        assert str(mine) == str(other)
        assert mine is None or mine.to_rows() == other.to_rows()
    assert (read.front is None, read.archive is None) == (form != "front", form != "map")
    assert gpkit.load(tmp_path / "run").size == champion.size


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError):
        gpkit.Run.load(tmp_path)

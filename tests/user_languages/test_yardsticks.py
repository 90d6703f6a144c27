"""The yardsticks of grammar-based genetic programming: each is a short file, and evolves."""

from pathlib import Path

import pytest

import gpkit
from gpkit.api.problems import problem_of_file
from gpkit.core.plugins import imported_file

FILES = sorted((Path(__file__).parent / "yardsticks").glob("*.py"))
MOST = {"letters": 19, "multiplexer": 64, "pagie": 0}


@pytest.mark.parametrize("file", FILES, ids=lambda each: each.stem)
def test_yardsticks_evolve(file: Path) -> None:
    assert len(file.read_text().splitlines()) <= 40
    first: list[float] = []
    settings = {"population": {"size": 30}}
    best, run = gpkit.evolve(
        file, seed=1, generations=2, settings=settings, callback=lambda summary, _: first.append(summary.best)
    )
    assert first[0] <= run.score <= MOST[file.stem]
    assert gpkit.parse(best.print(), language=best.language) == best


def test_a_known_solution_has_the_best_score() -> None:
    problems = [problem_of_file(str(file)) for file in FILES]
    solutions = [
        "any grammar evolves",
        "if(a0, if(a1, d3, d1), if(a1, d2, d0))",
        "1 / (1 + 1 / (x*x*x*x)) + 1 / (1 + 1 / (y*y*y*y))",
    ]
    for file, problem, text in zip(FILES, problems, solutions, strict=True):
        assert problem is not None
        score = problem.score(gpkit.parse(text, language=problem.table.language))
        assert score == pytest.approx(MOST[file.stem], abs=1e-9)
    eleven = imported_file(str(FILES[1])).multiplexer(3)
    assert len(eleven.table.sensors) == 11 and eleven.score(gpkit.parse("d0", language="bits")) == 1152

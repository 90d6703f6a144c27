"""The yardsticks of grammar-based genetic programming: each is a short file, and evolves."""

from pathlib import Path

import numpy as np
import pytest

import gpkit
from gpkit.api.problems import built, problem_of_file
from gpkit.core.plugins import imported_file
from gpkit.core.primitives import PrimitiveSet, Sensor
from gpkit.core.registry import language_entry
from gpkit.core.rng import stream
from gpkit.user_languages.evolution import DEFAULTS
from gpkit.vm.machine import evaluate
from gpkit.vm.program import verify

FILES = sorted((Path(__file__).parent / "yardsticks").glob("*.py"))
MOST = {"ant": 89, "letters": 19, "multiplexer": 64, "pagie": 0}


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


@pytest.mark.parametrize(("file", "name"), [(2, "bits"), (3, "formulas")])
def test_spliced_templates_compute_what_the_translation_computes(file: int, name: str) -> None:
    """The same doubles, bit for bit, by verified code."""
    problem = imported_file(str(FILES[file])).PROBLEM
    own, known = language_entry(name).load(), language_entry("arithmetic").load()
    space = own.evolution().representation_of_problem(problem.table.primitives(), DEFAULTS, 100)
    rows = {
        each: stream(60, "rows", k).normal(size=30).round(1) for k, each in enumerate(problem.table.sensors)
    }
    for number in range(60):
        genome = space.create(stream(number, "splice"), number)
        code = own.code(genome)
        verify(code)
        spliced = built(genome, own, {})(**rows)
        (tree,) = own.into(genome).trees
        assert code.inputs == tree.reads
        sensors = tuple(Sensor(each, "", -np.inf, np.inf, integer=False) for each in tree.reads)
        (translated,) = known.compile(own.into(genome), {}, PrimitiveSet("", ("value",), sensors, ()))
        columns = np.array([rows[each] for each in tree.reads]).reshape(-1, 30) + 0.0
        again = evaluate(translated, columns)
        assert np.asarray(spliced).tobytes() == again.tobytes()


def test_a_known_solution_has_the_best_score() -> None:
    problems = [problem_of_file(str(file)) for file in FILES]
    search = "left if food {move} else {right} right left right if food {move} else {left} move"
    solutions = [
        f"if food {{move}} else {{{search}}}",
        "any grammar evolves",
        "if(a0, if(a1, d3, d1), if(a1, d2, d0))",
        "1 / (1 + 1 / (x*x*x*x)) + 1 / (1 + 1 / (y*y*y*y))",
    ]
    for file, problem, text in zip(FILES, problems, solutions, strict=True):
        assert problem is not None
        score = problem.score(gpkit.parse(text, language=problem.table.language))
        assert score == pytest.approx(MOST[file.stem], abs=1e-9)
    eleven = imported_file(str(FILES[2])).multiplexer(3)
    assert len(eleven.table.sensors) == 11 and eleven.score(gpkit.parse("d0", language="bits")) == 1152

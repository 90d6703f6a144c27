"""Functions that evolve with the program that calls them."""

from pathlib import Path

import numpy as np
import pytest

import gpkit
from gpkit.core.errors import UsageError
from gpkit.core.primitives import Alphabet, Operator
from gpkit.genomes.tree import Function, TreeProgram, functions_in
from gpkit.languages.arithmetic.forms.evolution import OPERATORS, FormulaSettings, TreeRepresentation
from gpkit.languages.arithmetic.text import parse, print_program

ALPHABET = Alphabet("xy", ("x", "y"), (Operator("+", 2), Operator("neg", 1)))
SPACE = TreeRepresentation(
    ALPHABET, ("play", "send"), FormulaSettings(functions=2, operands=3, grid=0.25), 60
)


def assert_sound(program: TreeProgram) -> None:
    """The functions are defined once, call earlier ones only, and read nothing but their parameters."""
    f1, f2 = program.defined
    assert (f1.head, f2.head) == ("f1(a, b, c)", "f2(a, b, c)")
    assert {*f1.body.reads, *f2.body.reads} <= {"a", "b", "c"}
    assert functions_in(f1.body) == ()
    assert functions_in(*program.trees, f2.body, f1.body) in ((), (f1,), (f2,), (f1, f2), (f2, f1))
    symbols = [s for tree in (*program.trees, f1.body, f2.body) for s in tree.symbols]
    assert all(isinstance(s, Function) for s in symbols if str(s).startswith("f"))
    assert all(s % 0.25 == 0.0 for s in symbols if isinstance(s, float))
    assert {"a", "b", "c"}.isdisjoint(s for tree in program.trees for s in tree.symbols)
    read = parse(print_program(program)).program
    assert read == program
    assert read.defined == program.defined


def test_creation_and_operators_respect_sections_and_arities() -> None:
    rng = np.random.default_rng(0)
    pool = [SPACE.create(rng, number) for number in range(20)]
    changed = set()
    for number in range(400):
        operator = [*OPERATORS][number % len(OPERATORS)]
        parents = [pool[int(k)] for k in rng.integers(len(pool), size=SPACE.parents(operator))]
        child = SPACE.vary(rng, operator, parents)
        assert_sound(child.genome)
        changed |= {section for section, _ in child.places}
        if SPACE.admits(child.genome):
            assert SPACE.size(child.genome) <= 60
            pool[number % len(pool)] = child.genome
    assert changed == {"play", "send", "f1", "f2"}
    assert any(functions_in(*program.trees) for program in pool)


def score(program: gpkit.Program) -> float:
    x = np.linspace(-1.0, 1.0, 9)
    return -float(np.abs(program(x=x) - (x**2 + x) ** 2).sum())


def problem(**given: object) -> object:
    settings = {"population": {"size": 30}, "representation": {"functions": 2, "operands": 1, **given}}
    return gpkit.problem(score, sensors="x", operators="+ *", settings=settings)


@pytest.mark.release
def test_a_run_is_the_same_again_and_after_it_was_resumed(tmp_path: Path) -> None:
    best, run = gpkit.evolve(problem(), seed=4, generations=6)
    gpkit.evolve(problem(), seed=4, generations=2, folder=tmp_path / "run")
    again, found = gpkit.evolve(problem(), folder=tmp_path / "run", resume=True, generations=6)
    assert (str(again), found.digest) == (str(best), run.digest)
    assert "f1(a): " in (tmp_path / "run" / "best" / "champion.tree").read_text(encoding="utf-8")


def test_a_fit_and_a_game_have_them() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=60)
    fit = gpkit.fit(
        {"x": x, "y": np.sin(x * x)},
        "y",
        generations=3,
        seed=1,
        settings={"representation": {"functions": 1}},
    )
    assert fit.program(x=0.5) == pytest.approx(gpkit.parse(str(fit.program))(x=0.5))
    small = {
        "population": {"size": 8},
        "representation": {"functions": 1},
        "fitness": {"deals": 20, "validation_deals": 20},
        "refinement": {"finish": False},
    }
    best, _ = gpkit.evolve("sevens", generations=1, seed=1, settings=small)
    assert "f1(a, b): " in str(best)
    assert gpkit.parse(str(best)).print() == str(best)


def test_a_sensor_keeps_its_name() -> None:
    settings = {"representation": {"functions": 1}}
    with pytest.raises(UsageError, match="the function `f1` has the same name as a sensor or an operator"):
        gpkit.evolve(gpkit.problem(score, sensors="f1", settings=settings), generations=1)

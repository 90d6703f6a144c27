"""Formulas as genomes: every operator by contract, creation within limits, text and constants round-trip."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.core.primitives import OPERATORS, RANDOM, Alphabet
from gpkit.core.rng import stream
from gpkit.languages.arithmetic.forms.evolution import FormulaSettings, TreeRepresentation

ALPHABET = Alphabet("a", ("env.hand", "env.rank", RANDOM), OPERATORS)
SPACE = TreeRepresentation(ALPHABET, ("play", "send"))
seeds = st.integers(0, 2**32)


@pytest.mark.parametrize("operator", SPACE.operators)
@pytest.mark.parametrize("scope", ["one", "each"])
@given(seed=seeds)
@settings(max_examples=25, deadline=None)
def test_operators_are_repeatable_and_leave_their_parents(operator: str, scope: str, seed: int) -> None:
    space = TreeRepresentation(ALPHABET, ("play", "send"), FormulaSettings(scope=scope))  # type: ignore[arg-type]
    parents = [space.create(stream(seed, "p", n), n) for n in range(space.parents(operator))]
    texts = [space.print(parent) for parent in parents]
    child = space.vary(stream(seed, "v"), operator, parents)
    assert child == space.vary(stream(seed, "v"), operator, parents)
    assert [space.print(parent) for parent in parents] == texts
    assert child.genome.names == ("play", "send")
    assert space.parse(space.print(child.genome)) == child.genome
    changed = [
        n for n, a, b in zip(child.genome.names, child.genome.trees, parents[0].trees, strict=True) if a != b
    ]
    assert set(changed) <= {name for name, _ in child.places}
    if scope == "one":
        assert len(child.places) <= 1


@pytest.mark.parametrize("shape", ["ramped", "grow", "full"])
@pytest.mark.parametrize(("size", "depth"), [(2, 1), (6, None), (30, 3), (None, None)])
def test_the_first_generation_keeps_the_limits(shape: str, size: int | None, depth: int | None) -> None:
    space = TreeRepresentation(
        ALPHABET, ("play", "send"), FormulaSettings(shape=shape, high_depth=5, max_depth=depth), size
    )  # type: ignore[arg-type]
    programs = [space.create(stream(1, "create", n), n) for n in range(60)]
    assert all(space.admits(program) for program in programs)
    if size is None:
        assert max(len(program) for program in programs) > 20


@given(seed=seeds)
@settings(max_examples=50, deadline=None)
def test_constants_can_be_taken_out_and_put_back(seed: int) -> None:
    program = SPACE.create(stream(seed, "c"), seed)
    constants = SPACE.constants(program)
    assert SPACE.with_constants(program, constants) == program
    doubled = SPACE.with_constants(program, [2.0 * c for c in constants])
    assert SPACE.constants(doubled) == tuple(2.0 * c for c in constants)


def test_a_grid_holds_for_everything_that_is_made() -> None:
    space = TreeRepresentation(ALPHABET, ("play", "send"), FormulaSettings(grid=0.125))
    program = space.create(stream(2, "grid"), 0)
    for step in range(200):
        operator = ("constants", "subtree", "point")[step % 3]
        program = space.vary(stream(2, "grid", step), operator, [program]).genome
        assert all((constant * 8.0).is_integer() for constant in space.constants(program))
    assert space.constants(space.with_constants(program, [0.3] * len(space.constants(program)))) == (
        0.25,
    ) * len(space.constants(program))


def test_simplification_keeps_what_it_promises() -> None:
    program = SPACE.parse("play: env.rank * 1.0 + 0.0 * 3.0\nsend: 2.0 * env.hand + 5.0")
    for meaning in ("values", "decisions"):
        space = TreeRepresentation(ALPHABET, ("play", "send"), FormulaSettings(keeps=meaning))  # type: ignore[arg-type]
        assert len(space.simplify(program)) < len(program)

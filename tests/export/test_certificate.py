"""Certificates of exactness: what they claim is true of every host, and they claim as much as is true."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import trees

from gpkit.core.primitives import PrimitiveSet, Sensor, operators
from gpkit.export.certificate import FORMATS, certify, on_grid
from gpkit.genomes.tree import Tree, TreeProgram
from gpkit.langkit.formulas import node_values
from gpkit.langkit.operators import Grid
from gpkit.languages.arithmetic.text import parse

GAME = PrimitiveSet(
    "toy",
    ("value",),
    (
        Sensor("A", "a small number", 0, 13),
        Sensor("B", "one with a sign", -7, 7),
        Sensor("C", "a large one", 0, 5000),
        Sensor("D", "one with a fraction", 0, 1, integer=False),
    ),
    (),
)

EXACT = operators("+", "-", "*", "min", "max", "neg", "abs", "floor", "ifle")


def tree_of(text: str) -> Tree:
    """The formula of a text."""
    return parse(text).program.trees[0]


@pytest.mark.parametrize(
    ("text", "formats", "step", "bits"),
    [
        ("A", 3, 0, 4),
        ("7.0", 3, 0, 3),
        ("A + 0.5", 3, -1, 4),
        ("A * B - 3.0", 3, 0, 7),
        ("A * 0.25 * B * 0.25", 3, -4, 5),
        ("A * 0.0009765625 * A * 0.0009765625", 2, -20, 4),
        ("C * C", 1, 0, 25),
        ("C * C * C", 1, 0, 37),
        ("C * C + 0.5", 1, -1, 25),
        ("C * C * C * C * C", 0, 0, 62),
        ("A + 0.1", 0, -55, 4),
        ("floor(0.1)", 1, -55, 0),
        ("ifle(A, C, B, 0.125)", 3, -3, 13),
        ("abs(B) - 7.0", 3, 0, 3),
        ("min(C, A) * min(C, A)", 3, 0, 13),
        ("max(C, A) * max(C, A)", 1, 0, 25),
    ],
)
def test_what_is_proved(text: str, formats: int, step: int, bits: int) -> None:
    certificate = certify(tree_of(text), GAME)
    assert len(certificate.formats) == formats, certificate
    assert (certificate.step, certificate.bits) == (step, bits)
    assert certificate.statement.startswith("exact" if formats else "not certified")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("A / B", "`/` may round"),
        ("sqrt(A)", "`sqrt` may round"),
        ("math.random()", "random numbers"),
        ("E", "bounds of `E` are not known"),
        ("D", "`D` may have any fraction"),
        (" * ".join(["1e300"] * 20), "too many bits"),
    ],
)
def test_what_is_not_proved(text: str, reason: str) -> None:
    certificate = certify(tree_of(text), GAME)
    assert certificate.formats == ()
    assert reason in certificate.statement


def test_without_a_game_only_constants_are_known() -> None:
    assert certify(tree_of("2.0 * 3.5"), None).formats
    assert not certify(tree_of("A"), None).formats


grid = st.integers(-40, 40).map(lambda k: k / 8)


@st.composite
def cases(draw: st.DrawFn) -> tuple[Tree, dict[str, float]]:
    """A formula with constants on a grid, and values of its sensors within their bounds."""
    tree = draw(trees(("A", "B", "C"), operators=EXACT, random=False, max_leaves=8))
    symbols = tuple(draw(grid) + 0.0 if isinstance(s, float) else s for s in tree.symbols)
    sensors = [GAME.sensor(name) for name in tree.reads]
    env = {s.name: float(draw(st.integers(int(s.low), int(s.high)))) for s in sensors if s is not None}
    return Tree(symbols, tree.sizes), env


@given(cases())
def test_claims_hold_in_exact_arithmetic(case: tuple[Tree, dict[str, float]]) -> None:
    """Whatever is claimed for doubles, every step gives what rational numbers give."""
    tree, env = case
    certificate = certify(tree, GAME)
    assume("double" in certificate.formats)
    values = node_values(tree, env, lambda: 0.0)
    for place, found in values.items():
        value, operands = Fraction(found), [Fraction(values[child]) for child in tree.children(place)]
        assert (value / Fraction(2) ** certificate.step).denominator == 1
        assert abs(value) <= 2**certificate.bits
        if operands and (symbol := str(tree.symbols[place])) in "+-*":
            a, b = operands
            assert value == {"+": a + b, "-": a - b, "*": a * b}[symbol]


@given(cases())
def test_claims_hold_for_narrow_hosts(case: tuple[Tree, dict[str, float]]) -> None:
    """Whatever is claimed for float32 and fixed point, every step is a number that they hold."""
    tree, env = case
    formats = certify(tree, GAME).formats
    for value in node_values(tree, env, lambda: 0.0).values():
        if "float32" in formats:
            assert float(np.float32(value)) == value
        if "16.16 fixed point" in formats:
            assert (value * 65536.0).is_integer()
            assert -32768.0 <= value < 32768.0


def test_bounds_of_every_format_are_tight() -> None:
    double, single, fixed = FORMATS
    assert double.holds(Grid(0, 1 << 53, 0))
    assert not double.holds(Grid(0, (1 << 53) + 1, 0))
    assert single.holds(Grid(-(1 << 24), 1 << 24, 4))
    assert not single.holds(Grid(0, (1 << 24) + 1, 0))
    assert not single.holds(Grid(0, 1, -127))
    assert fixed.holds(Grid(-(1 << 31), 32767 << 16, -16))
    assert not fixed.holds(Grid(0, 1 << 31, -16))
    assert not fixed.holds(Grid(0, 1, -17))


def test_constants_come_to_the_grid() -> None:
    program = TreeProgram(("a", "b"), (tree_of("A * 0.3 - -1.9"), tree_of("-0.2")))
    assert on_grid(program, 0).trees[0].symbols == ("-", "*", "A", 0.0, -2.0)
    assert on_grid(program, -2).trees[0].symbols == ("-", "*", "A", 0.25, -2.0)
    assert str(on_grid(program, 0).trees[1].symbols[0]) == "0.0"
    assert len(certify(on_grid(program, -3).trees[0], GAME).formats) == 3

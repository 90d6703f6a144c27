"""Reading formulas: all that the limits allow, at any depth."""

import pytest

from gpkit.core.primitives import PrimitiveSet, Sensor
from gpkit.genomes.tree import from_prefix
from gpkit.langkit.reading import MAX_NUMBER
from gpkit.languages.arithmetic.checks import check
from gpkit.languages.arithmetic.formatter import format_source
from gpkit.languages.arithmetic.parser import MAX_DEPTH, MAX_PARENTHESES, parse
from gpkit.languages.arithmetic.printer import print_article, print_formula

GAME = PrimitiveSet("any", ("play", "send"), (Sensor("a", "", 0.0, 1.0), Sensor("env.b", "", 0.0, 1.0)), ())


def test_what_the_limits_allow() -> None:
    assert parse("1" * MAX_NUMBER).program.trees[0].symbols == (float("1" * MAX_NUMBER),)
    assert parse("(" * MAX_PARENTHESES + "a" + ")" * MAX_PARENTHESES).program.trees[0].symbols == ("a",)
    sections = "\n".join(f"s{k}: " + " * ".join(["-1"] * 5_000) for k in range(10))
    assert len(parse(sections).program) == 10 * 9_999


BEYOND = 3_000
"""A depth at which anything that calls itself gives up."""


@pytest.mark.parametrize(
    ("symbols", "arities"),
    [
        (["-"] * (MAX_DEPTH - 1) + ["a"] * MAX_DEPTH, [2] * (MAX_DEPTH - 1) + [0] * MAX_DEPTH),
        (["-", "a"] * BEYOND + ["a"], [2, 0] * BEYOND + [0]),
        (["max", 1.5] * BEYOND + ["a"], [2, 0] * BEYOND + [0]),
        (["neg"] * BEYOND + ["a"], [1] * BEYOND + [0]),
    ],
    ids=["left", "right", "calls", "signs"],
)
def test_depth_does_not_matter(symbols: list[str | float], arities: list[int]) -> None:
    tree = from_prefix(symbols, arities)
    assert tree.depth in (MAX_DEPTH, BEYOND + 1)
    assert parse(print_article(tree)).program.trees == (tree,)
    source = parse(print_formula(tree))
    assert source.program.trees == (tree,)
    assert parse(format_source(source)).program == source.program
    check(source, {"arithmetic": GAME})

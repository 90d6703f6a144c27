"""Reading formulas: all that the limits allow, at any depth.

The cases of ``tests/cases/arithmetic``, with these parts:

---- formula            canonical text of each section
---- tree               prefix symbols of each section
---- article            each section as the article prints it
---- format             the text after formatting
---- value a=1 b=2      the value of the first section; random numbers are 0.5
---- findings GAME      the findings as they are shown, for a game of the registry, or for none if there is no GAME
---- simplified         canonical text of each section, simplified to the same values
---- decision GAME      the same, simplified to the same decisions, with the sensors of a game or with none
---- error              the whole message of the error

Which nodes counted: changing a value that did not cannot change the result.
"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from language_cases import Shown, cases, findings, held
from strategies import SENSORS, doubles, trees

from gpkit.core.primitives import Offers, PrimitiveSet, Sensor
from gpkit.core.registry import GAMES, find
from gpkit.genomes.tree import Tree, TreeProgram
from gpkit.langkit.formulas import evaluate, executed_nodes, node_values
from gpkit.langkit.reading import MAX_NUMBER
from gpkit.languages.arithmetic.checks import check
from gpkit.languages.arithmetic.language import LANGUAGE
from gpkit.languages.arithmetic.simplify import simplify, simplify_decision
from gpkit.languages.arithmetic.text import (
    MAX_DEPTH,
    MAX_PARENTHESES,
    FormulaSource,
    format_source,
    parse,
    print_article,
    print_formula,
    print_program,
)

GAME = PrimitiveSet("any", ("play", "send"), (Sensor("a", "", 0.0, 1.0), Sensor("env.b", "", 0.0, 1.0)), ())


@pytest.mark.release
def test_what_the_limits_allow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpkit.languages.arithmetic.text.MAX_NODES", 10 * 999)
    assert parse("1" * MAX_NUMBER).program.trees[0].symbols == (float("1" * MAX_NUMBER),)
    assert parse("(" * MAX_PARENTHESES + "a" + ")" * MAX_PARENTHESES).program.trees[0].symbols == ("a",)
    sections = "\n".join(f"s{k}: " + " * ".join(["-1"] * 500) for k in range(10))
    assert len(parse(sections).program) == 10 * 999


BEYOND = 3_000
"""A depth at which anything that calls itself gives up."""


@pytest.mark.parametrize(
    ("symbols", "arities"),
    [
        pytest.param(
            ["-"] * (MAX_DEPTH - 1) + ["a"] * MAX_DEPTH,
            [2] * (MAX_DEPTH - 1) + [0] * MAX_DEPTH,
            marks=pytest.mark.release,
        ),
        pytest.param(["-", "a"] * BEYOND + ["a"], [2, 0] * BEYOND + [0], marks=pytest.mark.release),
        pytest.param(["max", 1.5] * BEYOND + ["a"], [2, 0] * BEYOND + [0], marks=pytest.mark.release),
        (["neg"] * BEYOND + ["a"], [1] * BEYOND + [0]),
    ],
    ids=["left", "right", "calls", "signs"],
)
def test_depth_does_not_matter(symbols: list[str | float], arities: list[int]) -> None:
    tree = Tree.from_prefix(symbols, arities)
    assert tree.depth in (MAX_DEPTH, BEYOND + 1)
    assert parse(print_article(tree)).program.trees == (tree,)
    source = parse(print_formula(tree))
    assert source.program.trees == (tree,)
    assert parse(format_source(source)).program == source.program
    check(source, {"arithmetic": GAME})


def value_of(source: FormulaSource, arguments: str) -> str:
    env = {name: float(value) for name, value in (word.split("=") for word in arguments.split())}
    return repr(evaluate(source.program.trees[0], env, lambda: 0.5)) + "\n"


def offers_of(game: str) -> Offers | None:
    return find(GAMES, game, "game").load().offers if game else None


def simplified(source: FormulaSource, _: str) -> str:
    trees = tuple(simplify(tree) for tree in source.program.trees)
    return print_program(TreeProgram(source.program.names, trees))


def decision(source: FormulaSource, _: str) -> str:
    trees = tuple(map(simplify_decision, source.program.trees))
    return print_program(TreeProgram(source.program.names, trees))


PARTS: dict[str, Shown] = {
    "formula": lambda source, _: print_program(source.program),
    "tree": lambda source, _: "".join(" ".join(map(str, t.symbols)) + "\n" for t in source.program.trees),
    "article": lambda source, _: "".join(print_article(tree) + "\n" for tree in source.program.trees),
    "value": value_of,
    "findings": lambda source, game: findings(LANGUAGE, source, offers_of(game)),
    "simplified": simplified,
    "decision": decision,
}


@cases("arithmetic")
def test_case(path: Path) -> None:
    if source := held(path, LANGUAGE, PARTS):
        for tree in source.program.trees if not source.program.functions else ():
            assert parse(print_formula(tree)).program.trees == (tree,)
            assert parse(print_article(tree)).program.trees == (tree,)


def values_of(tree: Tree, env: dict[str, float]) -> dict[int, float]:
    return node_values(tree, env, lambda: 0.5)


def executed_of(text: str, **env: float) -> frozenset[int]:
    tree = parse(text).program.trees[0]
    return executed_nodes(tree, values_of(tree, env))


def test_everything_counts_but_the_outcome_not_taken() -> None:
    assert executed_of("A + B * 7", A=1.0, B=2.0) == {0, 1, 2, 3, 4}
    assert executed_of("ifle(A, B, A + 1, B)", A=1.0, B=2.0) == {0, 1, 2, 3, 4, 5}
    assert executed_of("ifle(A, B, A + 1, B)", A=3.0, B=2.0) == {0, 1, 2, 6}
    assert executed_of("ifle(A, B, A + 1, B)", A=float("nan"), B=2.0) == {0, 1, 2, 6}
    assert executed_of("ifle(ifle(A, 0, 1, 2), 1, 3, 4)", A=-1.0) == {0, 1, 2, 3, 4, 6, 7}


@given(trees(), st.tuples(*[doubles()] * len(SENSORS)), doubles())
def test_the_others_cannot_matter(tree: Tree, sensor_values: tuple[float, ...], other: float) -> None:
    env = dict(zip(SENSORS, sensor_values, strict=True))
    values = values_of(tree, env)
    executed = executed_nodes(tree, values)
    changed = tuple(
        symbol if position in executed or tree.sizes[position] > 1 else "other"
        for position, symbol in enumerate(tree.symbols)
    )
    arities = [len([*tree.children(position)]) for position in range(len(tree))]
    result = values_of(Tree.from_prefix(changed, arities), {**env, "other": other})[0]
    assert result == values[0] or (result != result and values[0] != values[0])

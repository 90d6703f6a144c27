"""Decision trees: text and back, two evaluators of one meaning, layout, simplification, and what is refused."""

from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from gpkit.core.primitives import Sensor
from gpkit.core.registry import game_of
from gpkit.genomes.comparisons import HOLDS, OPPOSITE, Comparison
from gpkit.genomes.decision import Chance, Switch, inner, leaf
from gpkit.languages.decision.checks import check
from gpkit.languages.decision.compiler import compile_tree
from gpkit.languages.decision.interpreter import evaluate, node_values, trace
from gpkit.languages.decision.language import LANGUAGE
from gpkit.languages.decision.simplify import simplify, unreached
from gpkit.languages.decision.text import MAX_DEPTH, NODES, format_source, parse, print_program, print_tree
from gpkit.vm.machine import run_readable
from gpkit.vm.program import verify
from tests.decision_trees import FEATURES, random_program, random_tree, seeded

SENSORS = tuple(Sensor(name, "", 0.0, 7.0, integer=name != "env.hand") for name in FEATURES)
FEW, MANY = 300, 100_000
COUNTS = [pytest.param(FEW, id="few"), pytest.param(MANY, id="many", marks=pytest.mark.slow)]


@pytest.mark.parametrize(
    "count",
    [
        pytest.param(FEW, id="few", marks=pytest.mark.release),
        pytest.param(MANY, id="many", marks=pytest.mark.slow),
    ],
)
def test_texts_read_back(count: int) -> None:
    rng = seeded(1)
    for _ in range(count):
        program = random_program(rng)
        text = print_program(program, {"game": "sevens"})
        source = parse(text)
        assert source.program == program
        for tree, spans in zip(source.program.trees, source.spans, strict=True):
            assert len(tree) == len(spans)


def test_lines_of_trees_are_the_heads_of_their_nodes() -> None:
    rng = seeded(2)
    for _ in range(50):
        tree = random_tree(rng)
        for node, line in zip(tree.symbols, print_tree(tree).split("\n"), strict=True):
            assert line.endswith(NODES.head(node))
    odd = inner(Comparison("sepal length", "<", -0.0), leaf(-0.0), leaf("test"))
    assert print_tree(odd) == 'test "sepal length" < -0.0\n  yes: -0.0\n  no: "test"'


@pytest.mark.parametrize(
    ("text", "formatted"),
    [
        ("below", "below\n"),
        ("play :below send: 1", "play: below\nsend: 1\n"),
        ("switch below below 3: below else: below", "switch below\n  below 3: below\n  else: below\n"),
        ("test test < 3 yes: 1 no: below", "test test < 3\n  yes: 1\n  no: below\n"),
        (
            "chance .5 yes: test chance > 1 yes: below no: 1 no: 2",
            "chance .5\n  yes: test chance > 1\n    yes: below\n    no: 1\n  no: 2\n",
        ),
    ],
)
def test_words_of_the_language_are_laid_out_as_names_where_names_stand(text: str, formatted: str) -> None:
    laid_out = format_source(parse(text))
    assert parse(laid_out).program == parse(text).program
    assert laid_out == formatted


@pytest.mark.parametrize("count", COUNTS)
def test_machine_interpreter_and_simplified_tree_agree(count: int) -> None:
    rng = seeded(3)
    smaller = 0
    for _ in range(count):
        tree = random_tree(rng)
        program, shorter, dead = (
            compile_tree(tree, FEATURES),
            simplify(tree, SENSORS),
            unreached(tree, SENSORS),
        )
        verify(program)
        smaller += len(tree) - len(shorter)
        assert simplify(shorter, SENSORS) == shorter
        for _ in range(3):
            env = {name: float(rng.randint(0, 7)) for name in FEATURES}
            env["env.hand"] += rng.choice((0.0, 0.5)) if env["env.hand"] < 7.0 else 0.0
            numbers = [rng.random() for _ in range(tree.draws)]
            value = evaluate(tree, env, iter(numbers).__next__)
            memory = program.memory.copy()
            memory[: len(program.inputs)] = [*env.values(), *numbers]
            opcode, _, _ = run_readable(program.code, memory, 0, len(program.code))
            assert (opcode, float(memory[program.result])) == (0, value)
            assert evaluate(shorter, env, iter(numbers).__next__) == value
            assert dead.isdisjoint(node_values(tree, env, iter(numbers).__next__))
    assert smaller > count


def test_every_comparison_has_its_opposite_for_nan_too() -> None:
    for sign, opposite in OPPOSITE.items():
        for a in (1.0, 2.0, 3.0, float("nan"), float("inf"), float("-inf")):
            assert HOLDS[sign](a, 2.0) != HOLDS[opposite](a, 2.0)
            tree = inner(Comparison("a", sign, 2.0), leaf(1.0), leaf(0.0))
            program = compile_tree(tree, ["a"])
            memory = program.memory.copy()
            memory[0] = a
            run_readable(program.code, memory, 0, 99)
            assert memory[program.result] == HOLDS[sign](a, 2.0)


def test_the_way_to_a_leaf_is_told() -> None:
    tree = inner(Switch("a", (1.0, 2.0)), leaf("low"), inner(Chance(0.5), leaf("x"), leaf("y")), leaf("high"))
    visits = trace(tree, {"a": 1.5}, lambda: 0.75)
    assert [(visit.position, visit.seen, visit.branch) for visit in visits] == [
        (0, 1.5, 1),
        (2, 0.75, 1),
        (4, 0.0, -1),
    ]
    assert trace(tree, {"a": 0.0}, lambda: 0.0)[-1].node == "low"
    assert trace(tree, {"a": 2.0}, lambda: 0.0)[-1].node == "high"
    assert (tree.reads, tree.draws) == (("a",), 1)
    with pytest.raises(KeyError):
        compile_tree(tree, ["a"])


def test_what_the_limits_allow() -> None:
    deep = "test a <= 1 yes: 1 no: " * (MAX_DEPTH - 1) + "1"
    assert parse(deep).program.trees[0].depth == MAX_DEPTH


def test_a_branch_that_is_never_taken_is_found() -> None:
    text = (
        "play: test env.depth < 3\n  yes: test env.depth > 2\n    yes: 1\n    no: 2\n  no: 3\nsend: env.dist"
    )
    text = text.replace("send: env.dist", "send: test env.dist > 8\n  yes: 1\n  no: 2")
    found = check(parse(text), game_of("sevens").offers)
    assert [(each.code, each.span.line) for each in found] == [("W380", 3), ("W380", 7)]
    assert [
        each.code for each in check(parse(text), None)
    ] == []  # depth and distance might have fractions there


def test_a_shipped_program_is_compiled_for_each_decision() -> None:
    text = Path("programs/sevens/ladder.decide").read_text(encoding="utf-8")
    programs = LANGUAGE.compile(parse(text).program, {}, game_of("sevens").offers["decision"])
    assert [program.inputs for program in programs] == [programs[0].inputs] * 2
    assert np.isfinite(np.concatenate([program.memory for program in programs])).all()
    assert max(chain.from_iterable(program.memory.tolist() for program in programs)) == 8.0

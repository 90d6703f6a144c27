"""Lua of decision trees reads back to trees that decide alike; anything else is refused with its place."""

import pytest

from gpkit.core.errors import GpkitError, LimitError
from gpkit.export.lua.reader import read_program
from gpkit.export.registry import Subject, exporter
from gpkit.games.sevens.primitives import OFFERS
from gpkit.genomes.comparisons import Comparison
from gpkit.genomes.decision import Chance, DecisionProgram, DecisionTree, Switch, inner, leaf
from gpkit.languages.decision.interpreter import evaluate
from gpkit.languages.decision.parser import parse
from tests.decision_trees import EVERY_NODE, FEATURES, random_program, seeded


def lua(program: DecisionProgram, mode: str = "function") -> str:
    return exporter("lua").export(Subject(program, "some", {}, OFFERS["decision"]), mode)[0].text


def test_what_was_exported_decides_alike_and_is_written_alike() -> None:
    rng = seeded(9)
    for _ in range(25):
        program = random_program(rng)
        text = lua(program)
        back = read_program(text)
        if not isinstance(back, DecisionProgram):  # lone leaves are formulas, too
            assert all(len(tree) == 1 for tree in program.trees)
            continue
        assert back.names == program.names
        assert lua(back) == text
        for tree, again in zip(program.trees, back.trees, strict=True):
            assert again.leaves == tree.leaves
            for _ in range(5):
                env = {name: float(rng.randint(-1, 9)) for name in FEATURES}
                numbers = [rng.random() for _ in range(max(tree.draws, again.draws))]
                value = evaluate(tree, env, iter(numbers).__next__)
                assert evaluate(again, env, iter(numbers).__next__) == value


def test_every_kind_of_node_reads_back_as_it_was() -> None:
    program = parse(EVERY_NODE).program
    for mode in ("function", "module", "luau", "player"):
        assert read_program(lua(program, mode)) == program


def test_names_read_back() -> None:
    tree = inner(
        Comparison("petal width", "!=", -0.5),
        inner(Switch("petal width", (1.0, 2.0, 3.0)), leaf('a "b" \\'), leaf("b"), leaf("c"), leaf("-")),
        inner(Chance(0.25), leaf("or"), leaf("end")),
    )
    (document,) = exporter("lua").export(Subject(DecisionProgram(("value",), (tree,)), "names"), "function")
    assert read_program(document.text).trees == (tree,)


def test_a_tree_of_many_features_reads_back() -> None:
    tree: DecisionTree = leaf("none")
    for number in range(59):
        tree = inner(Comparison(f"column {number} of a table", "<=", float(number)), leaf(f"c{number}"), tree)
    tree = inner(Comparison("another", ">", 0.0), tree, tree)
    for number in range(8):
        tree = inner(Comparison(f"x{number}", "==", 0.0), leaf("x"), tree) if tree.depth < 60 else tree
    (document,) = exporter("lua").export(Subject(DecisionProgram(("value",), (tree,)), "wide"), "function")
    if tree.depth <= 60:
        assert read_program(document.text).trees == (tree,)
    else:
        with pytest.raises(LimitError, match="more than 60 levels"):
            read_program(document.text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("if ", "while "),
        (" then", " do"),
        ("depth <= 3.0", "width <= 3.0"),
        ("depth <= 3.0", "depth < 3.0"),
        ("depth <= 3.0", "depth <= x"),
        ("depth <= 3.0", "depth <= 0x3"),
        ("return 1.0", "return depth"),
        ("else", ""),
        ("\tend", "\t"),
    ],
)
def test_other_lua_is_refused_with_its_place(old: str, new: str) -> None:
    text = lua(parse("play: test env.depth <= 3 yes: 1 no: 2 send: 0").program)
    assert old in text
    body = text.index("local depth")
    place = text.index(old, body)
    with pytest.raises(GpkitError, match=r"--> <text>:\d+:\d+"):
        read_program(text[:place] + new + text[place + len(old) :])


def test_deep_text_is_refused() -> None:
    deep = "return function(env)\n" + "if u1 < 0.5 then " * 5000
    with pytest.raises(GpkitError):
        read_program(deep)
    chances = "local u1 = random()\n" + "if u1 < 0.5 then " * 5000
    with pytest.raises(LimitError, match="more than 60 levels"):
        read_program(f"return function(env)\n{chances}")

"""Lua in the exported forms reads back to the same program; anything else is refused with its place."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import programs, trees

from gpkit.core.diagnostics import SourceError
from gpkit.core.errors import GpkitError, LimitError, UsageError
from gpkit.core.primitives import RANDOM, operators
from gpkit.export.conformance import Proof
from gpkit.export.lua.functions import roster_text
from gpkit.export.lua.module import function_text
from gpkit.export.lua.reader import read_program, read_roster
from gpkit.export.lua.valued import lua_text
from gpkit.export.registry import Subject, exporter
from gpkit.genomes.tree import Tree, TreeProgram, leaf, node
from gpkit.languages.arithmetic.parser import parse
from gpkit.languages.arithmetic.printer import print_article

ARTICLE = (
    "(((((env.rounds)+((env.suit)*(env.rank)))+(env.safe))+((env.block)*(env.block)))*(((-4.0745883)+(0.025403308))"
    "+((((env.selfblock)*(env.dist))+((env.selfblock)*(env.safe)))+(math.random()))))"
)


def test_the_articles_text_reads_as_it_stands() -> None:
    program = read_program(ARTICLE)
    assert program == parse(ARTICLE).program
    assert print_article(program.tree("value")) == ARTICLE


@given(trees(operators=operators("+", "-", "*")))
def test_article_texts_read_back(tree: Tree) -> None:
    assert read_program(print_article(tree)).tree("value") == tree


@settings(max_examples=60)
@given(programs())
def test_modules_read_back(program: TreeProgram) -> None:
    subject = Subject(program)
    for mode in ("module", "luau"):
        assert read_program(lua_text(subject, mode, Proof((), ()))) == program


@given(programs(("value",)))
def test_functions_read_back(program: TreeProgram) -> None:
    assert read_program(function_text(Subject(program))) == program


@given(programs(("play", "send", "a_b")))
def test_tables_of_functions_read_back(program: TreeProgram) -> None:
    assert read_program(function_text(Subject(program))) == program


@settings(max_examples=60)
@given(programs(), programs(("value",), ("env.suit", "env.end_of.it", "other.x")))
def test_rosters_read_back(one: TreeProgram, other: TreeProgram) -> None:
    levels = {"easy": (one, other), "not a word": (other,), "end": ()}
    assert read_roster(roster_text(levels)) == levels


def test_players_read_back(shipped: Subject) -> None:
    assert read_program(exporter("lua").export(shipped, "player")[0].text) == shipped.program


def test_sensors_with_awkward_names_read_back() -> None:
    tree = node("+", leaf("env.end"), node("*", leaf("env.a.b"), leaf("env.nil")))
    program = TreeProgram(("value",), (tree,))
    text = function_text(Subject(program))
    assert 'env["end"]' in text
    assert read_program(text) == program


@pytest.mark.parametrize(
    ("operator", "arity"),
    [
        ("neg", 1),
        *(pytest.param(*each, marks=pytest.mark.release) for each in (("+", 2), ("ifle", 4))),
    ],
)
def test_depth_reads_back(operator: str, arity: int) -> None:
    leaves = ("A", 1.5, RANDOM, "env.suit")
    level = [operator, *leaves[: arity - 1]]
    symbols, arities = level * 9_999, [arity, *[0] * (arity - 1)] * 9_999
    program = TreeProgram(("value",), (Tree.from_prefix([*symbols, "A"], [*arities, 0]),))
    assert program.trees[0].depth == 10_000
    assert read_program(function_text(Subject(program))) == program


def test_help_says_the_nearest_right_thing() -> None:
    for text, fix in (
        ("flor(a)", "did you mean `floor`?"),
        ("a + 3", "write `3.0`"),
        ("a / b", "write `div(a, b)`"),
        ("min", "write `min(a, b)`"),
        ("math.random", "write `math.random()`"),
    ):
        with pytest.raises(SourceError) as caught:
            read_program(text)
        assert caught.value.diagnostic.help == fix


def test_a_changed_operator_is_refused(sample: Subject) -> None:
    text = exporter("lua").export(sample, "module")[0].text
    changed = text.replace("if b < a then", "if b <= a then")
    assert changed != text
    with pytest.raises(SourceError, match=re.escape("the function `min` differs from what was exported")):
        read_program(changed)


def test_a_roster_is_not_a_program(sample: Subject) -> None:
    with pytest.raises(UsageError, match="roster of several programs"):
        read_program(exporter("lua").export(sample, "article")[0].text)


NAMES = (
    "function",
    "end",
    "return",
    "local",
    "M",
    "env",
    "x",
    "min",
    "ifle",
    "spill",
    "random",
    "or",
    "tonumber",
)
WORDS = st.sampled_from((*NAMES, *"()[]{},=+-*/.", "1.0", "0.0", "--", "[[b]]", '"a"', '"\\9"'))


def assert_read_or_refused(text: str) -> None:
    """What is read is a program, or a roster, that reads back; all else is refused in words."""
    try:
        program = read_program(text)
    except GpkitError as error:
        assert str(error)
    else:
        assert read_program(lua_text(Subject(program), "module", Proof((), ()))) == program
    try:
        levels = read_roster(text)
    except GpkitError as error:
        assert str(error)
    else:
        assert read_roster(roster_text(levels)) == levels


@settings(max_examples=100)
@given(st.data())
def test_damaged_texts_are_read_or_refused(data: st.DataObject) -> None:
    """Whatever is cut out of a text and put in its place, nothing but an error for people comes of it."""
    program = data.draw(programs(max_leaves=6))
    make = data.draw(st.sampled_from((function_text, lambda s: lua_text(s, "luau", Proof((), ())))))
    text = make(Subject(program))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    middle = " ".join(data.draw(st.lists(WORDS, max_size=6)))
    assert_read_or_refused(text[:start] + middle + text[end:])


@given(st.lists(st.one_of(WORDS, st.text(max_size=3)), max_size=30).map(" ".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    assert_read_or_refused(text)


def test_limits() -> None:
    doubled = "function(env)\nlocal a = env.a + 0.0\n" + "a = a + a\n" * 60 + "return a\nend"
    with pytest.raises(LimitError, match="more than 100000 nodes"):
        read_program(doubled)
    with pytest.raises(LimitError, match="deeper than 10000"):
        read_program("- " * 10_000 + "a")
    with pytest.raises(LimitError, match="longer than"):
        read_program(" " * 16_000_001)

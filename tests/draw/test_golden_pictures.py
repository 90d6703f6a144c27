"""Golden pictures: DOT text and trees of text compared with what was looked at and found good.

Run this file as a program to write them anew, and read the difference; then look at the pictures.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from gpkit.draw.lineage import Record, lineage
from gpkit.draw.marks import analysed, traced
from gpkit.draw.picture import Picture, diff_picture, lineage_picture, program_picture
from gpkit.genomes.tree import TreeProgram
from gpkit.languages.arithmetic.interpreter import trace
from gpkit.languages.arithmetic.parser import parse

FOLDER = Path(__file__).parent / "golden"

ARTICLE = (
    "(((((env.rounds)+((env.suit)*(env.rank)))+(env.safe))+((env.block)*(env.block)))*(((-4.0745883)+"
    "(0.025403308))+((((env.selfblock)*(env.dist))+((env.selfblock)*(env.safe)))+(math.random()))))"
)
OPERATORS = """
play: ifle(env.hand, 3, max(-env.rank, sqrt(abs(env.depth))), (env.dist - env.dist)/floor(min(env.run, 1.25e-7)))
send: env.dist + 0*env.left
"""
PARENT = """
play: (env.rounds + env.suit*env.rank + env.safe)*(-4.0745883 + env.dist*env.safe) - max(env.left, 7)
send: env.dist
"""
CHILD = """
play: (env.rounds + env.suit*min(env.rank, 11) + env.run*(1 - env.isend))*(-2.13 + env.dist*env.safe) - min(env.left, 7)
send: env.dist*env.dist
"""
MOVED = ("env.a*(env.b + 1)/(env.c - env.d*2)", "(env.c - env.d*2)*sqrt(env.e)/(env.b + 1)")
RECORDS = (
    Record("0.3", (), "create", 0, 0.5),
    Record("0.8", (), "create", 0, 0.45),
    Record("0.9", (), "create", 0, 0.1),
    Record("1.0", ("0.3",), "clone", 1, 0.52),
    Record("1.1", ("0.8",), "constant mutation", 1, 0.5625),
    Record("2.0", ("1.0",), "clone", 2, 0.51),
    Record("3.0", ("2.0", "1.1"), "crossover", 3, 0.75),
    Record("4.0", ("3.0",), "tree mutation", 4, 0.8125),
)


def program(text: str) -> TreeProgram:
    """The program of a text."""
    return parse(text).program


def article() -> Picture:
    """The article's medium player, with its constant part greyed."""
    found = program(ARTICLE)
    return program_picture(found, [analysed(found.trees[0])], title="the article's medium player")


def operators() -> Picture:
    """Every shape that the other one lacks, two sections, redundant parts, the meanings of sensors."""
    found = program(OPERATORS)
    marks = [analysed(tree) for tree in found.trees]
    return program_picture(found, marks, title="two sections", meanings={"env.hand": "cards in hand"})


def values() -> Picture:
    """A trace: values at the nodes, the outcome that was not taken greyed."""
    tree = program(OPERATORS).tree("play")
    env = {"env.hand": 5.0, "env.rank": 9.0, "env.depth": 2.0, "env.dist": 1.5, "env.run": 4.0}
    steps = trace(tree, env, lambda: 0.5)
    marks = traced(tree, {step.position: step.value for step in steps})
    return program_picture(TreeProgram(("play",), (tree,)), [marks], title="one decision")


def mutation() -> Picture:
    """Changed constants and operators, wrapped and replaced branches."""
    return diff_picture(program(PARENT), program(CHILD), title="generation 17")


def moved() -> Picture:
    """Whole branches that went elsewhere."""
    return diff_picture(program(MOVED[0]), program(MOVED[1]), title="moved")


def sections() -> Picture:
    """A section that only the parent has, and one that only the child has."""
    parent, child = (
        program("play: env.rank + 1\nsend: env.dist"),
        program("play: env.rank + 1\npass: 2*env.run"),
    )
    return diff_picture(parent, child, title="")


def ancestry() -> Picture:
    """A lineage with clones that are one ancestor, and an individual that is not in it."""
    return lineage_picture(lineage(RECORDS, "4.0"), title="where 4.0 comes from")


PICTURES: tuple[Callable[[], Picture], ...] = (
    article,
    operators,
    values,
    mutation,
    moved,
    sections,
    ancestry,
)


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.__name__)
def test_the_dot_text_is_the_golden_one(picture: Callable[[], Picture]) -> None:
    assert picture().dot == (FOLDER / f"{picture.__name__}.dot").read_text(encoding="utf-8")


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.__name__)
def test_the_tree_of_text_is_the_golden_one(picture: Callable[[], Picture]) -> None:
    assert picture().text == (FOLDER / f"{picture.__name__}.txt").read_text(encoding="utf-8")


def test_there_is_no_golden_file_too_many() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == {picture.__name__ for picture in PICTURES}


if __name__ == "__main__":
    for make in PICTURES:
        (FOLDER / f"{make.__name__}.dot").write_text(make().dot, encoding="utf-8")
        (FOLDER / f"{make.__name__}.txt").write_text(make().text, encoding="utf-8")

"""Golden pictures: DOT text and trees of text compared with what was looked at and found good.

Run this file as a program to write them anew, and read the difference; then look at the pictures.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from case_files import case_text

from gpkit.games.dots_and_boxes.board import state_of_text
from gpkit.games.dots_and_boxes.forms.embedding import embedding_picture, state_picture
from gpkit.genomes.tree import TreeProgram
from gpkit.langkit.formulas import node_values
from gpkit.languages.arithmetic.forms.draw import analysed, marked
from gpkit.languages.arithmetic.forms.draw import with_values as traced
from gpkit.languages.arithmetic.text import parse
from gpkit.languages.rulegraph.text import parse as parse_rules
from gpkit.show.graph import Picture
from gpkit.show.lineage import LineageRecord, lineage, lineage_picture
from gpkit.show.pictures import picture_of, picture_of_change

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
    LineageRecord("0.3", (), "create", 0, 0.5),
    LineageRecord("0.8", (), "create", 0, 0.45),
    LineageRecord("0.9", (), "create", 0, 0.1),
    LineageRecord("1.0", ("0.3",), "clone", 1, 0.52),
    LineageRecord("1.1", ("0.8",), "constant mutation", 1, 0.5625),
    LineageRecord("2.0", ("1.0",), "clone", 2, 0.51),
    LineageRecord("3.0", ("2.0", "1.1"), "crossover", 3, 0.75),
    LineageRecord("4.0", ("3.0",), "tree mutation", 4, 0.8125),
)

PRINTED = case_text("games/printed.rules")
LEVEL_1 = case_text("games/level_1.rules")

BOARD = case_text("games/part_drawn.board")
IN_A_POSITION = """
loop: l_0(4) l_0 l_0 => l_0 - l_0
into: l_0(2) t_1 : t_1 t_2 l_0 : l_3(1) n => l_0[1] - t_1
border: t_0 n => t_0 - n
"""


def program(text: str) -> TreeProgram:
    """The program of a text."""
    return parse(text).program


def article() -> Picture:
    """The article's medium player, with its constant part greyed."""
    found = program(ARTICLE)
    return marked(found, [analysed(found.trees[0])], title="the article's medium player")


def operators() -> Picture:
    """Every shape that the other one lacks, two sections, redundant parts, the meanings of sensors."""
    found = program(OPERATORS)
    marks = [analysed(tree) for tree in found.trees]
    return marked(found, marks, title="two sections", meanings={"env.hand": "cards in hand"})


def values() -> Picture:
    """A trace: values at the nodes, the outcome that was not taken greyed."""
    tree = program(OPERATORS).parts["play"]
    env = {"env.hand": 5.0, "env.rank": 9.0, "env.depth": 2.0, "env.dist": 1.5, "env.run": 4.0}
    marks = traced(tree, node_values(tree, env, lambda: 0.5))
    return marked(TreeProgram(("play",), (tree,)), [marks], title="one decision")


def mutation() -> Picture:
    """Changed constants and operators, wrapped and replaced branches."""
    return picture_of_change(program(PARENT), program(CHILD), title="generation 17")


def moved() -> Picture:
    """Whole branches that went elsewhere."""
    return picture_of_change(program(MOVED[0]), program(MOVED[1]), title="moved")


def sections() -> Picture:
    """A section that only the parent has, and one that only the child has."""
    parent, child = (
        program("play: env.rank + 1\nsend: env.dist"),
        program("play: env.rank + 1\npass: 2*env.run"),
    )
    return picture_of_change(parent, child, title="")


def ancestry() -> Picture:
    """A lineage with clones that are one ancestor, and an individual that is not in it."""
    return lineage_picture(lineage(RECORDS, "4.0"), title="where 4.0 comes from")


def printed_rules() -> Picture:
    """The rules that the source prints: fragments, chains and edges to the ground."""
    return picture_of(parse_rules(PRINTED).program, {}, None, title="the printed rules")


def rules_of_level_1() -> Picture:
    """Edges inside chains, loops, chains too long to be drawn, conditions."""
    return picture_of(parse_rules(LEVEL_1).program, {}, None, title="conditions")


def changed_rules() -> Picture:
    """Rules that a list has lost, and those that it has got."""
    lost, kept = parse_rules("take: x_0 w => x_0 - w\nlast: l_0(1) w => l_0 - w"), parse_rules(PRINTED)
    return picture_of_change(lost.program, kept.program, title="from two to six")


def a_position() -> Picture:
    """A board with its graph: a chain round a corner, edges to the ground, a closed box."""
    return state_picture(state_of_text(BOARD), title="a position")


def rule_in_a_position() -> Picture:
    """Two fragments of a rule, and the edge to draw inside a chain."""
    return embedding_picture(parse_rules(IN_A_POSITION).program, 2, state_of_text(BOARD), title="rules")


def rule_with_a_choice() -> Picture:
    """A rule that may draw several edges."""
    return embedding_picture(parse_rules(IN_A_POSITION).program, 3, state_of_text(BOARD), title="rules")


def rule_that_may_not_act() -> Picture:
    """Why a rule does nothing in a position."""
    return embedding_picture(parse_rules(IN_A_POSITION).program, 1, state_of_text(BOARD), title="rules")


PICTURES: tuple[Callable[[], Picture], ...] = (
    article,
    operators,
    values,
    mutation,
    moved,
    sections,
    ancestry,
    printed_rules,
    rules_of_level_1,
    changed_rules,
    a_position,
    rule_in_a_position,
    rule_with_a_choice,
    rule_that_may_not_act,
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

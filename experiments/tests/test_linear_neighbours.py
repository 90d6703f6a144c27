"""One changed line: everything within reach, nothing else, and each program once."""

from hypothesis import given
from strategies import linear_programs

from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.genomes.linear import LinearProgram
from gpkit_experiments.papers.battleship_evolution.neighbourhood import neighbours

CAPACITIES = PRIMITIVES.capacities
WORDS = PRIMITIVES.alphabets[0].instructions


def test_the_neighbours_of_a_small_program() -> None:
    program = LinearProgram(("one", "two"), (("a",), ()))
    found = {each.blocks for each in neighbours(program, ("a", "b"), (2, 1))}
    assert found == {
        ((), ()),
        (("b",), ()),
        (("a", "a"), ()),
        (("b", "a"), ()),
        (("a", "b"), ()),
        (("a",), ("a",)),
        (("a",), ("b",)),
    }


def test_a_full_block_takes_no_more_lines() -> None:
    program = LinearProgram(("one",), (("a", "b"),))
    assert all(len(each) <= 2 for each in neighbours(program, ("a", "b"), (2,)))


@given(linear_programs(PRIMITIVES))
def test_neighbours_are_mutual_and_within_capacity(program: LinearProgram) -> None:
    found = list(neighbours(program, WORDS, CAPACITIES))
    assert len({each.blocks for each in found}) == len(found)
    assert program not in found
    for each in found[:: max(1, len(found) // 5)]:
        assert all(len(block) <= c for block, c in zip(each.blocks, CAPACITIES, strict=True))
        used = {*WORDS, *(word for block in program.blocks for word in block)}
        assert program in neighbours(each, sorted(used), CAPACITIES)

"""Blocks of instructions as a value."""

import pytest

from gpkit.genomes.linear import LinearProgram

PROGRAM = LinearProgram(("seek", "rest", "sink"), (("Look", "Go"), (), ("Go",)))


def test_lines_are_counted_and_placed_in_the_order_of_the_text() -> None:
    assert len(PROGRAM) == 3
    assert PROGRAM.places() == ((0, 0), (0, 1), (2, 0))
    assert [PROGRAM.word(place) for place in PROGRAM.places()] == ["Look", "Go", "Go"]
    assert (PROGRAM.word((0, 2)), PROGRAM.word((1, 0))) == ("", "")


def test_blocks_are_found_by_name() -> None:
    assert PROGRAM.block("seek") == ("Look", "Go")
    assert PROGRAM.block("rest") == ()
    with pytest.raises(KeyError, match="swim"):
        PROGRAM.block("swim")


def test_programs_are_values() -> None:
    same = LinearProgram(("seek", "rest", "sink"), (("Look", "Go"), (), ("Go",)))
    assert same == PROGRAM
    assert hash(same) == hash(PROGRAM)
    assert LinearProgram(("seek", "rest", "sink"), (("Look",), ("Go",), ("Go",))) != PROGRAM


def test_every_block_has_a_name() -> None:
    with pytest.raises(AssertionError):
        LinearProgram(("seek",), ((), ()))

"""Linear programs drawn: listings with depth and remarks, arrows, counts, differences; all escaped, and all render."""

from case_files import case_text
from hypothesis import given, settings
from strategies import dialects, linear_programs

from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.genomes.linear import LinearProgram
from gpkit.languages.sinking.forms.draw import (
    blocks_diff,
    blocks_diff_dot,
    blocks_dot,
    blocks_text,
    listing_of,
)
from gpkit.languages.sinking.text import SWITCHES, parse
from gpkit.show.pictures import picture_of, picture_of_change
from gpkit.show.render import render_dot

PROGRAM = parse(case_text("games/listed.sink")).program


def test_the_text_shows_what_conditions_guard_and_what_does_not_matter() -> None:
    assert blocks_text(listing_of(PROGRAM, {}, PRIMITIVES)) == case_text("games/listed.txt")


def test_dialects_lead_elsewhere() -> None:
    text = blocks_text(listing_of(PROGRAM, {"end": "next"}, PRIMITIVES))
    assert "\N{ANTICLOCKWISE OPEN CIRCLE ARROW} locking" in text
    assert "\N{ANTICLOCKWISE OPEN CIRCLE ARROW} targeting" in text, "after sinking"


def test_arrows_go_from_jumps_to_blocks() -> None:
    dot = blocks_dot(listing_of(PROGRAM, {}, PRIMITIVES))
    assert "b0:l5:e -> b1:top:w" in dot
    assert "b1:l0:e -> b2:top:w" in dot
    assert dot.count("->") == 2, "a return to the top of the own block is a line of it"
    assert "<s>MoveFwd</s>" in dot


def test_counts_are_shown() -> None:
    listing = listing_of(PROGRAM, {}, PRIMITIVES, {(0, 0): 1234, (0, 2): 10})
    assert "   1234    1  Target" in blocks_text(listing)
    assert "1,234" in blocks_dot(listing)


def test_differences_by_line() -> None:
    child = LinearProgram(PROGRAM.names, (PROGRAM.blocks[0][2:], ("Jump", "OppDir"), ("Shoot",)))
    changes = dict(blocks_diff(PROGRAM, child))
    assert changes["targeting"][:3] == [("removed", "Target"), ("removed", "Nop"), ("kept", "Shoot")]
    assert changes["locking"] == [("kept", "Jump"), ("removed", "MoveFwd"), ("added", "OppDir")]
    picture = picture_of_change(PROGRAM, child, title="a change")
    assert "- MoveFwd\n+ OppDir" in picture.text
    assert "<s>MoveFwd</s>" in picture.dot


@settings(max_examples=30, deadline=None)
@given(linear_programs(PRIMITIVES), dialects(PRIMITIVES, SWITCHES), linear_programs(PRIMITIVES))
def test_every_program_is_drawn(
    program: LinearProgram, dialect: dict[str, str], other: LinearProgram
) -> None:
    picture = picture_of(program, dialect, PRIMITIVES, title="a & <b> \\N")
    assert "<b> \\N" not in picture.dot.replace("<b>targeting", "")
    for block in program.blocks:
        assert all(word in picture.text for word in block)
    kept = [word for _, lines in blocks_diff(program, other) for state, word in lines if state != "added"]
    assert kept == [word for block in program.blocks for word in block]


def test_pictures_render() -> None:
    for dot in (
        blocks_dot(listing_of(PROGRAM, {}, PRIMITIVES, {(0, 0): 3}), caption="a program"),
        blocks_diff_dot(PROGRAM, LinearProgram(PROGRAM.names, ((), ("Nop",), ()))),
    ):
        svg = render_dot(dot, "svg").decode()
        assert "<svg" in svg
        assert "targeting" in svg

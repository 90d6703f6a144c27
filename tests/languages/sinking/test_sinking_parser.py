"""Reading sinking programs: lines and headings at their places, in all spellings."""

import pytest

from gpkit.core.diagnostics import Span
from gpkit.genomes.linear import LinearProgram
from gpkit.languages.sinking.parser import MAX_LINES, Heading, parse
from gpkit.languages.sinking.printer import print_program
from gpkit.languages.sinking.words import BLOCKS


def test_what_the_limits_allow() -> None:
    assert len(parse("locking:\n" + "Nop\n" * MAX_LINES).program) == MAX_LINES


def test_every_line_and_heading_knows_its_place() -> None:
    text = "// title: x\nTargeting state (1/10)\n - 1.\tTarget // why\n\nsinking:\nShoot -\n"
    source = parse(text, "a.sink")
    assert source.program.names == BLOCKS
    assert source.program.blocks == (("Target",), (), ("Shoot",))
    assert source.headings == (
        Heading(Span.at(text, 12, 21), (1, 10)),
        None,
        Heading(Span.at(text, text.index("sinking"), text.index("sinking") + 7)),
    )
    assert [[text[s.start : s.end] for s in block] for block in source.spans] == [["Target"], [], ["Shoot"]]
    assert (source.spans[0][0].line, source.spans[0][0].column) == (3, 7)
    assert source.header == {"title": "x"}
    assert (source.text, source.filename) == (text, "a.sink")


def test_an_empty_program_still_has_a_heading() -> None:
    empty = LinearProgram(BLOCKS, ((), (), ()))
    assert print_program(empty) == "targeting:\n"
    assert parse(print_program(empty)).program == empty


@pytest.mark.parametrize(
    "text",
    [
        "targeting:\nTarget\nShoot",
        "Targeting state (2/10)\n1. Target\n2. Shoot",
        "TARGETING STATE ( 2 / 10 ):\n- 1. Target\n- 2. Shoot\n",
        "targeting :\r\n\tTarget\t-\r\n\r\n2.\r\n- Shoot // there\r\n",
        "\ufeff// a\nsinking:\nlocking:\ntargeting:\n//\nTarget\n\n\nShoot //",
    ],
    ids=["plain", "printed", "dashes", "scattered", "order"],
)
def test_spellings_of_one_program(text: str) -> None:
    assert parse(text).program.blocks == (("Target", "Shoot"), (), ())

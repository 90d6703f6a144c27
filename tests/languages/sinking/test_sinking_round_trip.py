"""Text and programs are a pair, and layout changes nothing but layout."""

import re

from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from strategies import linear_programs

from gpkit.core.characters import undeceptive
from gpkit.core.diagnostics import SourceError
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.genomes.linear import LinearProgram
from gpkit.languages.sinking.formatter import format_source
from gpkit.languages.sinking.parser import parse
from gpkit.languages.sinking.printer import print_program

GAPS = (
    "\n",
    "\n",
    "\n\n",
    "\n\n\n",
    "\r\n",
    " // why\n",
    "\n// whole line\n",
    " //\n\n  //two\t\n\n",
    "\n7.\n\t\n",
)

HEADERS = st.dictionaries(
    st.from_regex(r"[a-z][a-z_-]{0,8}", fullmatch=True), st.text(max_size=20), max_size=3
)


def comments(text: str) -> list[str]:
    """The comments of a text, without the blanks at their ends."""
    return [found.rstrip() for found in re.findall(r"//[^\n]*", text)]


@st.composite
def messy(draw: st.DrawFn, program: LinearProgram) -> str:
    """The text of a program as listings have it, with arbitrary empty lines and comments."""
    pieces: list[str] = []
    for name, block in zip(program.names, program.blocks, strict=True):
        headings = [f"{name}:", f"{name.capitalize()} state ({len(block)}/20)", f"  {name.upper()} :"]
        pieces.append(draw(st.sampled_from(headings)))
        for k, word in enumerate(block, start=1):
            pieces.append(draw(st.sampled_from([word, f"  {k}. {word}", f"- {k}.\t{word} -"])))
    gaps: SearchStrategy[str] = st.sampled_from(GAPS)
    start = draw(st.sampled_from(["", "\n", "// game: battleship\n", "\n// a\n\n// b: c\n\n"]))
    return start + "".join(piece + draw(gaps) for piece in pieces)


@given(linear_programs(PRIMITIVES), HEADERS)
def test_canonical_text_reads_back(program: LinearProgram, header: dict[str, str]) -> None:
    text = print_program(program, header)
    source = parse(text)
    assert source.program == program
    assert source.header == {key: " ".join(undeceptive(value).split()) for key, value in header.items()}
    assert format_source(parse(text)) == text


@given(st.data(), linear_programs(PRIMITIVES))
def test_same_program_same_comments_and_idempotent(data: st.DataObject, program: LinearProgram) -> None:
    text = data.draw(messy(program))
    formatted = format_source(parse(text))
    assert parse(formatted).program == parse(text).program == program
    assert comments(formatted) == comments(text)
    assert parse(formatted).header == parse(text).header
    assert format_source(parse(formatted)) == formatted


FRONTS = st.lists(st.sampled_from(["\n", "1.\n", "- 7. // n\n", "// a\n", " // if: one-line\n", "// b:c\n"]))


@given(FRONTS.map("".join), st.text("\n\n\n /-1.:aT\r\t", max_size=60))
@example("", "//\n//\ntargeting:\n//\n\n//\nlocking://\n\n\n//\n  //")
@example("1.\n// if: one-line\n", "\n  Target\n  Shoot\n")
def test_layout_is_idempotent_wherever_lines_end(front: str, tail: str) -> None:
    text = f"{front}targeting:{tail}"
    try:
        formatted = format_source(parse(text))
    except SourceError:
        return
    assert format_source(parse(formatted)) == formatted
    assert comments(formatted) == comments(text)
    assert parse(formatted).header == parse(text).header


def test_an_empty_program_still_has_a_heading() -> None:
    empty = LinearProgram(PRIMITIVES.sections, ((), (), ()))
    assert print_program(empty) == "targeting:\n"
    assert parse(print_program(empty)).program == empty

"""Layout changes nothing but layout, and changes nothing twice."""

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from strategies import programs

from gpkit.genomes.tree import TreeProgram
from gpkit.languages.arithmetic.formatter import format_source
from gpkit.languages.arithmetic.parser import parse
from gpkit.languages.arithmetic.printer import print_article, print_program
from gpkit.languages.arithmetic.syntax import READING

GAPS = (" ", "  ", "\n", "\t", "\r\n", "\n\n\n", " // why\n", "\n// whole line\n", " //\n\n  //two\t\n")


def comments(text: str) -> list[str]:
    """The comments of a text, without the blanks at their ends."""
    return [token.rstrip() for token in READING.tokens(text) if token.type == "COMMENT"]


def messy(program: TreeProgram) -> SearchStrategy[str]:
    """The text of a program with arbitrary blanks, line ends and comments between its tokens."""
    article = [f"{n}: {print_article(t)}" for n, t in zip(program.names, program.trees, strict=True)]
    spellings = st.sampled_from([print_program(program), "\n".join(article)])

    def mix(text: str) -> SearchStrategy[str]:
        words = [str(token) for token in READING.tokens(text) if token.type != "BLANK"]
        gaps = st.lists(st.sampled_from(GAPS), min_size=len(words) + 1, max_size=len(words) + 1)
        return gaps.map(
            lambda chosen: chosen[0] + "".join(w + g for w, g in zip(words, chosen[1:], strict=True))
        )

    return spellings.flatmap(mix)


@settings(max_examples=50)
@given(st.data(), programs(max_leaves=8))
def test_same_program_same_comments_and_idempotent(data: st.DataObject, program: TreeProgram) -> None:
    text = data.draw(messy(program))
    formatted = format_source(parse(text))
    assert parse(formatted).program == parse(text).program == program
    assert comments(formatted) == comments(text)
    assert parse(formatted).header == parse(text).header
    assert format_source(parse(formatted)) == formatted


@given(programs())
def test_canonical_files_are_in_canonical_layout(program: TreeProgram) -> None:
    text = print_program(program, {"game": "sevens"})
    assert format_source(parse(text)) == text

"""Text and formulas are a pair: what is printed reads back as the same value."""

from hypothesis import given
from strategies import trees

from gpkit.core.primitives import OPERATORS
from gpkit.genomes.tree import Tree, leaf, node
from gpkit.langkit.formulas import print_formula
from gpkit.langkit.operators import NOTATIONS
from gpkit.languages.arithmetic.text import parse, print_article

ARTICLE = (
    "(((((env.rounds)+((env.suit)*(env.rank)))+(env.safe))+((env.block)*(env.block)))*(((-4.0745883)+(0.025403308))"
    "+((((env.selfblock)*(env.dist))+((env.selfblock)*(env.safe)))+(math.random()))))"
)


def read(text: str) -> Tree:
    """The lone formula of a text."""
    return parse(text).program.parts["value"]


@given(trees())
def test_canonical_text_reads_back(tree: Tree) -> None:
    assert read(print_formula(tree)) == tree


@given(trees(("A", "sepal length (cm)", "größe", "nan", "1st", "a//b", "C:\\x", "it's")))
def test_names_that_are_no_words_read_back(tree: Tree) -> None:
    assert read(print_formula(tree)) == tree


@given(trees())
def test_article_text_reads_back(tree: Tree) -> None:
    assert read(print_article(tree)) == tree


def test_the_articles_sample_is_printed_byte_for_byte() -> None:
    tree = read(ARTICLE)
    assert len(tree) == 25
    assert print_article(tree) == ARTICLE


def test_marks_and_line_ends_of_other_editors_are_no_part_of_a_formula() -> None:
    assert read("\ufeffA\r\n+\tB * 7") == node("+", leaf("A"), node("*", leaf("B"), leaf(7.0)))


def test_every_node_knows_its_place() -> None:
    text = "play: (a + b)\n  * -2\nsend: min( a,b )"
    source = parse(text)
    play = [text[s.start : s.end] for s in source.spans[0]]
    assert play == ["(a + b)\n  * -2", "a + b", "a", "b", "-2"]
    assert [text[s.start : s.end] for s in source.spans[1]] == ["min( a,b )", "a", "b"]
    assert (source.spans[0][4].line, source.spans[0][4].column) == (2, 5)


def test_the_header_ends_with_the_first_formula() -> None:
    text = "// game: sevens\n\n// plays well\n// seed : 7\nplay: a // level: hard\n// late: yes\n"
    assert parse(text).header == {"game": "sevens", "seed": "7"}


def test_the_forms_are_the_operators() -> None:
    assert [(notation.name, notation.arity) for notation in NOTATIONS] == [
        (o.name, o.arity) for o in OPERATORS
    ]

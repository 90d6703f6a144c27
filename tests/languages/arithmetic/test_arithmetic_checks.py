"""Findings about programs that the cases of the language do not hold: places, other games, none."""

from hypothesis import given
from strategies import SENSORS as NAMES
from strategies import trees

from gpkit.core.diagnostics import Diagnostic
from gpkit.core.primitives import OPERATORS, Alphabet, PrimitiveSet, Sensor
from gpkit.genomes.tree import Tree
from gpkit.langkit.formulas import print_formula
from gpkit.languages.arithmetic.checks import check, nodes_without_effect
from gpkit.languages.arithmetic.text import parse

SMALL = PrimitiveSet(
    "sevens",
    ("play", "send"),
    (Sensor("env.rank", "rank", 0.0, 13.0), Sensor("env.dist", "dist", 0.0, 13.0)),
    (Alphabet("wordless", ("env.rank", "env.dist"), OPERATORS, constants=False),),
)
"""A stand-in for the real game, with an alphabet that has no numbers."""


def findings(text: str, primitives: PrimitiveSet | None = SMALL) -> tuple[Diagnostic, ...]:
    return check(parse(text), None if primitives is None else {"arithmetic": primitives})


def test_numbers_outside_the_alphabet() -> None:
    (found,) = findings("// alphabet: wordless\nplay: env.rank + 2\nsend: env.dist")
    assert (found.code, found.span.column) == ("W035", 18)


def test_a_program_for_another_game() -> None:
    other = PrimitiveSet("checkers", ("value",), (Sensor("A", "a", 0, 1),), ())
    assert [d.code for d in findings("// game: sevens\nA", other)] == ["W036"]


def test_without_a_game_names_are_not_checked() -> None:
    assert findings("whatever: A + B", None) == ()
    assert [d.code for d in findings("// game: chess\nA + 0", None)] == ["E013", "W031"]


def test_parts_to_be_greyed() -> None:
    tree = parse("a * (1 + 2) + b * 0 + ifle(1, 2, c, d + d)").program.trees[0]
    constant, idle = (
        [print_formula(tree.subtree(k)) for k in sorted(places)] for places in nodes_without_effect(tree)
    )
    assert constant == ["1.0 + 2.0", "1.0", "2.0"]
    assert idle == ["b", "d + d", "d", "d"]


@given(trees())
def test_checks_stay_inside_the_text(tree: Tree) -> None:
    text = f"play: {print_formula(tree)}\nsend: B"
    game = PrimitiveSet("any", ("play", "send"), tuple(Sensor(name, "", -1.0, 1.0) for name in NAMES), ())
    found = findings(text, game)
    assert all(0 <= d.span.start <= d.span.end <= len(text) for d in found)
    assert [d.span.start for d in found] == sorted(d.span.start for d in found)
    assert all(d.render(text, "x.tree") for d in found)
    assert not any(d.severity == "error" for d in found)

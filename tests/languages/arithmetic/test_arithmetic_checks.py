"""Findings about programs: what is told of which piece of a text."""

import pytest
from hypothesis import given
from strategies import SENSORS as NAMES
from strategies import trees

from gpkit.core.diagnostics import Diagnostic
from gpkit.core.primitives import OPERATORS, RANDOM, Alphabet, PrimitiveSet, Sensor, operators
from gpkit.genomes.tree import Tree
from gpkit.languages.arithmetic.checks import check, constant_nodes, idle_nodes
from gpkit.languages.arithmetic.parser import parse
from gpkit.languages.arithmetic.printer import print_formula

SMALL = PrimitiveSet(
    "sevens",
    ("play", "send"),
    tuple(
        Sensor(f"env.{name}", name, 0.0, 13.0, shared=name == "rounds")
        for name in ("rounds", "suit", "rank", "safe", "dist", "depth")
    ),
    (
        Alphabet("article", ("env.rounds", "env.suit", "env.rank", "env.dist", RANDOM), operators("+", "*")),
        Alphabet("full", ("env.rank", "env.dist"), OPERATORS),
        Alphabet("wordless", ("env.rank", "env.dist"), OPERATORS, constants=False),
    ),
)
"""A stand-in for the real game."""


def findings(text: str, primitives: PrimitiveSet | None = SMALL) -> tuple[Diagnostic, ...]:
    return check(parse(text), None if primitives is None else {"arithmetic": primitives})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("play: env.rank\nsend: env.rnk", [("E010", "env.rnk", "did you mean `env.rank`?")]),
        ("play: suit\nsend: env.dist", [("E010", "suit", "did you mean `env.suit`?")]),
        ("play: env.rank", [("E011", "", "add `send: ` and a formula")]),
        ("env.rank", [("E011", "env.rank", "start it with `play:`")]),
        (
            "play: env.rank\nsned: env.dist",
            [("E012", "sned:", "did you mean `send`?"), ("E011", "", "add `send: ` and a formula")],
        ),
        (
            "play: env.rank\nsend: env.dist\nguess: env.rank",
            [("E012", "guess:", "it has the sections `play` and `send`")],
        ),
        ("// game: sevnes\nplay: env.rank\nsend: env.dist", [("E013", "sevnes", "did you mean `sevens`?")]),
        (
            "// alphabet:  artcle\nplay: env.rank\nsend: env.dist",
            [("E014", "artcle", "did you mean `article`?")],
        ),
        ("play: env.rank * (2 + 3)\nsend: env.dist", [("W030", "2 + 3", "write `5.0`")]),
        ("play: env.rank + 1e308 * 10\nsend: env.dist", [("W030", "1e308 * 10", "")]),
        ("play: env.rank + 0\nsend: env.dist", [("W031", "env.rank + 0", "write `env.rank`")]),
        ("play: 1 * env.rank\nsend: env.dist", [("W031", "1 * env.rank", "write `env.rank`")]),
        ("play: env.rank\nsend: env.dist * 0 - 1", [("W031", "env.dist * 0", "write `0.0`")]),
        ("play: env.rank\nsend: --env.dist", [("W031", "--env.dist", "write `env.dist`")]),
        (
            "play: env.rank\nsend: abs(abs(env.dist))",
            [("W031", "abs(abs(env.dist))", "write `abs(env.dist)`")],
        ),
        (
            "play: env.rank\nsend: min(env.dist, env.dist)",
            [("W031", "min(env.dist, env.dist)", "write `env.dist`")],
        ),
        ("play: env.rank + env.dist / 0\nsend: env.dist", [("W032", "env.dist / 0", "write `1.0`")]),
        ("play: ifle(1, 2, env.rank, env.dist)\nsend: env.dist", [("W033", "env.dist", "")]),
        ("play: ifle(3, 2, env.rank, 0)\nsend: env.dist", [("W033", "env.rank", "")]),
        ("play: ifle(env.dist, env.dist, env.rank, 0)\nsend: env.dist", [("W033", "0", "")]),
        ("play: 7\nsend: env.dist", [("W034", "7", "read a sensor of the candidate")]),
        ("play: env.rounds\nsend: env.dist", [("W034", "env.rounds", "read a sensor of the candidate")]),
        (
            "// alphabet: article\nplay: env.safe + max(env.rank, 2)\nsend: env.dist",
            [("W035", "env.safe", ""), ("W035", "max(env.rank, 2)", "")],
        ),
        ("// alphabet: wordless\nplay: env.rank + 2\nsend: env.dist", [("W035", "2", "")]),
        ("play: env.rank\nsend: math.random() - math.random()", [("I037", "math.random()", "")]),
        (
            "play: env.rank * (1 + 1)\nsend: env.dst",
            [("W030", "1 + 1", "write `2.0`"), ("E010", "env.dst", "did you mean `env.dist`?")],
        ),
    ],
)
def test_findings(text: str, expected: list[tuple[str, str, str]]) -> None:
    found = findings(text)
    assert [(d.code, text[d.span.start : d.span.end], d.help) for d in found] == expected
    assert [d.severity[0].upper() for d in found] == [code[0] for code, _, _ in expected]


def test_a_program_for_another_game() -> None:
    other = PrimitiveSet("checkers", ("value",), (Sensor("A", "a", 0, 1),), ())
    assert [d.code for d in findings("// game: sevens\nA", other)] == ["W036"]


def test_without_a_game_names_are_not_checked() -> None:
    assert findings("whatever: A + B", None) == ()
    assert [d.code for d in findings("// game: chess\nA + 0", None)] == ["E013", "W031"]


def test_parts_to_be_greyed() -> None:
    tree = parse("a * (1 + 2) + b * 0 + ifle(1, 2, c, d + d)").program.trees[0]
    shown = [print_formula(tree.subtree(k)) for k in sorted(constant_nodes(tree))]
    assert shown == ["1.0 + 2.0", "1.0", "2.0"]
    assert [print_formula(tree.subtree(k)) for k in sorted(idle_nodes(tree))] == ["b", "d + d", "d", "d"]


@given(trees())
def test_checks_stay_inside_the_text(tree: Tree) -> None:
    text = f"play: {print_formula(tree)}\nsend: B"
    game = PrimitiveSet("any", ("play", "send"), tuple(Sensor(name, "", -1.0, 1.0) for name in NAMES), ())
    found = findings(text, game)
    assert all(0 <= d.span.start <= d.span.end <= len(text) for d in found)
    assert [d.span.start for d in found] == sorted(d.span.start for d in found)
    assert all(d.render(text, "x.tree") for d in found)
    assert not any(d.severity == "error" for d in found)

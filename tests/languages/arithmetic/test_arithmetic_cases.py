"""The cases of ``tests/cases/arithmetic``: text files, each a source and what is expected of it.

A case is the source, then parts that start with a line of dashes and a title:

    ---- formula            canonical text of each section
    ---- tree               prefix symbols of each section
    ---- article            each section as the article prints it
    ---- format             the text after formatting
    ---- value a=1 b=2      the value of the first section; random numbers are 0.5
    ---- findings GAME      the findings as they are shown, for a game of the registry, or for none if there is no GAME
    ---- simplified         canonical text of each section, simplified to the same values
    ---- decision GAME      the same, simplified to the same decisions, with the sensors of a game or with none
    ---- error              the whole message of the error
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from gpkit.core.errors import GpkitError
from gpkit.core.primitives import Offers, offered
from gpkit.core.registry import GAMES, find
from gpkit.genomes.tree import TreeProgram
from gpkit.languages.arithmetic.checks import check
from gpkit.languages.arithmetic.formatter import format_source
from gpkit.languages.arithmetic.interpreter import evaluate
from gpkit.languages.arithmetic.parser import Source, parse
from gpkit.languages.arithmetic.printer import print_article, print_formula, print_program
from gpkit.languages.arithmetic.simplify import simplify, simplify_decision

CASES = Path(__file__).parents[2] / "cases" / "arithmetic"

Part = tuple[str, str, str]


def read_case(path: Path) -> tuple[str, list[Part]]:
    """The source of a case, and its parts: title, rest of the title line, expected text."""
    source, *rest = re.split(r"^---- (\w+) ?(.*)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return source, list(zip(rest[0::3], rest[1::3], rest[2::3], strict=True))


def value_of(source: Source, arguments: str) -> str:
    env = {name: float(value) for name, value in (word.split("=") for word in arguments.split())}
    return repr(evaluate(source.program.trees[0], env, lambda: 0.5)) + "\n"


def symbols_of(source: Source, _: str) -> str:
    return "".join(" ".join(map(str, tree.symbols)) + "\n" for tree in source.program.trees)


def offers_of(game: str) -> Offers | None:
    return find(GAMES, game, "game").load().offers if game else None


def findings_of(source: Source, game: str) -> str:
    found = check(source, offers_of(game))
    return "".join(d.render(source.text, source.filename) + "\n" for d in found)


def simplified(source: Source, _: str) -> str:
    trees = tuple(simplify(tree) for tree in source.program.trees)
    return print_program(TreeProgram(source.program.names, trees))


def decision(source: Source, game: str) -> str:
    primitives = offered(offers_of(game), "arithmetic")
    sensors = primitives.sensors if primitives else ()
    trees = tuple(simplify_decision(tree, sensors) for tree in source.program.trees)
    return print_program(TreeProgram(source.program.names, trees))


PARTS: dict[str, Callable[[Source, str], str]] = {
    "formula": lambda source, _: print_program(source.program),
    "tree": symbols_of,
    "article": lambda source, _: "".join(print_article(tree) + "\n" for tree in source.program.trees),
    "format": lambda source, _: format_source(source),
    "value": value_of,
    "findings": findings_of,
    "simplified": simplified,
    "decision": decision,
}


@pytest.mark.parametrize("path", sorted(CASES.glob("*.txt")), ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    text, parts = read_case(path)
    assert parts, "a case expects something"
    if parts[0][0] == "error":
        with pytest.raises(GpkitError) as caught:
            parse(text, f"{path.stem}.tree")
        assert str(caught.value) + "\n" == parts[0][2]
        return
    source = parse(text, f"{path.stem}.tree")
    for title, arguments, expected in parts:
        assert PARTS[title](source, arguments) == expected, title
    # what holds for every program
    formatted = format_source(parse(text))
    assert format_source(parse(formatted)) == formatted
    assert parse(formatted).program == source.program
    for tree in source.program.trees:
        assert parse(print_formula(tree)).program.trees == (tree,)
        assert parse(print_article(tree)).program.trees == (tree,)

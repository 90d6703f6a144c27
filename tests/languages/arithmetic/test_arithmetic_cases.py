"""The cases of ``tests/cases/arithmetic``, with these parts:

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

from pathlib import Path

from language_cases import Shown, cases, findings, held

from gpkit.core.primitives import Offers, offered
from gpkit.core.registry import GAMES, find
from gpkit.genomes.tree import TreeProgram
from gpkit.languages.arithmetic.interpreter import evaluate
from gpkit.languages.arithmetic.language import LANGUAGE
from gpkit.languages.arithmetic.parser import Source, parse
from gpkit.languages.arithmetic.printer import print_article, print_formula, print_program
from gpkit.languages.arithmetic.simplify import simplify, simplify_decision


def value_of(source: Source, arguments: str) -> str:
    env = {name: float(value) for name, value in (word.split("=") for word in arguments.split())}
    return repr(evaluate(source.program.trees[0], env, lambda: 0.5)) + "\n"


def offers_of(game: str) -> Offers | None:
    return find(GAMES, game, "game").load().offers if game else None


def simplified(source: Source, _: str) -> str:
    trees = tuple(simplify(tree) for tree in source.program.trees)
    return print_program(TreeProgram(source.program.names, trees))


def decision(source: Source, game: str) -> str:
    primitives = offered(offers_of(game), "arithmetic")
    sensors = primitives.sensors if primitives else ()
    trees = tuple(simplify_decision(tree, sensors) for tree in source.program.trees)
    return print_program(TreeProgram(source.program.names, trees))


PARTS: dict[str, Shown] = {
    "formula": lambda source, _: print_program(source.program),
    "tree": lambda source, _: "".join(" ".join(map(str, t.symbols)) + "\n" for t in source.program.trees),
    "article": lambda source, _: "".join(print_article(tree) + "\n" for tree in source.program.trees),
    "value": value_of,
    "findings": lambda source, game: findings(LANGUAGE, source, offers_of(game)),
    "simplified": simplified,
    "decision": decision,
}


@cases("arithmetic")
def test_case(path: Path) -> None:
    if source := held(path, LANGUAGE, PARTS):
        for tree in source.program.trees:
            assert parse(print_formula(tree)).program.trees == (tree,)
            assert parse(print_article(tree)).program.trees == (tree,)

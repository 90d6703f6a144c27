"""Children of a generation of derivations bred together are those that the operators make one by one."""

from dataclasses import replace
from typing import Any

import pytest

import gpkit
from gpkit.core import plugins
from gpkit.core.primitives import PrimitiveSet
from gpkit.core.rng import Streams
from gpkit.evolution.config import BloatSettings
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.loop import initial
from gpkit.evolution.problem import Evaluation, Executor, Individual, Problem
from gpkit.evolution.schemes import Generational, Plus, Scheme, Tournament
from gpkit.evolution.search import Parameters, Search
from gpkit.genomes.derivation import Derivation
from gpkit.genomes.derivation_breeding import KINDS
from gpkit.user_languages.evolution import DerivationRepresentation, DerivationSettings
from tests.toy_evolution import offspring

BITS = """
program: bit
bit: "and(" bit "," bit ")" -> both  // weight: 2.5
    | "or(" bit "," bit ")" -> either | "not(" bit ")" -> inverse | "if(" bit "," bit "," bit ")" -> choice
    | NAME | "(" pair ")"
pair: NAME ":" SIDE | SIDE ":" NAME  // not alike
NAME: "a" | "b" | "c"
SIDE: /[xyz]/
"""
WORDS = "program: LETTER+\nLETTER: /[a-d ]/"
BLOCKS = """
program: (step | block)*
step: "go" -> go  // weight: 3
    | "turn" -> turn | "stop" -> stop | "say" WORD -> say
block: "do" step+ "end" | "twice" program "end"
WORD: "hi"
%ignore " "
"""
SHARES = tuple((name, 1.0 / len(KINDS)) for name in KINDS)


class Size(Problem[Derivation]):
    """Rewards derivations of about 20 nodes."""

    def evaluate(self, genomes: Any, seed: int, generation: int, executor: Executor) -> list[Evaluation]:
        return [Evaluation(-float(abs(len(genome) - 20))) for genome in genomes]


class OneByOne(DerivationRepresentation):
    """The same representation without breeding in one call."""

    __slots__ = ()

    def breed(self, *_: object) -> None:
        return None


@pytest.fixture(autouse=True)
def fresh() -> Any:
    """Forget the languages of a test."""
    yield
    plugins.here.languages.clear()


def space_of(grammar: str, size: int | None, growth: int = 10) -> DerivationRepresentation:
    language = gpkit.language("some", grammar, meaning=str)
    settings = DerivationSettings(growth=growth, low=1, high=30)
    form: Any = language.evolution()
    found: DerivationRepresentation = form.representation_of_problem(
        PrimitiveSet("", (), (), ()), settings, size
    )
    return found


def content(population: list[Individual[Derivation]]) -> list[object]:
    """Everything of individuals."""
    return [(i.number, repr(i.genome), i.size, i.origin, i.note) for i in population]


@pytest.mark.parametrize("grammar", [BITS, WORDS, BLOCKS], ids=["bits", "words", "blocks"])
@pytest.mark.parametrize(
    ("scheme", "size", "attempts", "growth"),
    [
        (Generational(SHARES, Tournament(3), elites=2), 40, 1, 10),
        (Plus(SHARES, Tournament(1)), None, 4, 0),
        (Generational(SHARES, Tournament(1)), 25, 2, 60),
    ],
)
def test_children_are_those_of_the_operators(
    grammar: str, scheme: Scheme, size: int | None, attempts: int, growth: int
) -> None:
    space = space_of(grammar, size, growth)
    together = Search(
        Size(), space, Parameters(60, scheme, BloatSettings(tarpeian=0.3), attempts), seed=attempts
    )
    one_by_one = OneByOne(**{name: getattr(space, name) for name in DerivationRepresentation.__slots__})
    alone = replace(together, representation=one_by_one)
    population = initial(together, SerialExecutor())
    for generation in (1, 2, 3):
        found = offspring(together, population, generation, first=60)
        assert len({i.genome for i in found}) == len({id(i.genome) for i in found}), "equal ones are the same"
        assert all("place" in i.genome.__dict__ for i in found)
        assert content(found) == content(offspring(alone, population, generation, first=60))
        population = tuple(found)


def test_what_the_kernel_lacks_is_left_to_the_operators() -> None:
    keys, space = Streams(0, "x").keys(0, 1), space_of("program: N\nN: /[0-9]+/ // range: 0 9", None)
    mating: Any = type("Mating", (), {"names": ("part",)})
    assert space.breed(keys, [space.parse("5")], mating) is None
    words = space_of(WORDS, None)
    assert words.breed(keys, [Derivation("some", (99,), (1,))], mating) is None
    assert replace(words, finding=lambda genome: "").breed(keys, [words.parse("a")], mating) is None

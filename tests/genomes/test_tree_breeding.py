"""Children of a generation bred together are those that the operators make one by one, to the last bit."""

from dataclasses import replace

import pytest
from toy_evolution import sampled

from gpkit.core.primitives import OPERATORS, Alphabet, operators
from gpkit.core.rng import Streams
from gpkit.evolution.config import BloatSettings
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.loop import initial
from gpkit.evolution.problem import Individual, Population
from gpkit.evolution.schemes import Generational, Plus, Scheme, Tournament
from gpkit.evolution.search import Parameters, Search
from gpkit.genomes import tree_breeding
from gpkit.genomes.tree import TreeProgram, spares
from gpkit.genomes.tree_breeding import pack, words_of
from gpkit.languages.arithmetic.forms.evolution import FormulaSettings, TreeRepresentation
from tests.toy_evolution import offspring

ALL = Alphabet("all", ("x", "y"), OPERATORS)
FEW = Alphabet("few", ("x", "y"), operators("+", "neg", "ifle"), constants=False)
BITS = Alphabet("bits", ("x", "y", "z"), operators("+", "/", "exp", "sqrt"), indicators=frozenset({"x", "y"}))
BARE = Alphabet("bare", ("x", "y"), ())
AGAIN = Alphabet("again", ("x", "y"), operators("+", "neg", "ifle"), again=(1, 2, 2, 1, 1))
SHARES = tuple((name, 1.0 / len(tree_breeding.KINDS)) for name in tree_breeding.KINDS)
PROBLEM = sampled(lambda x, y, z: x * y + 1.0, ("x", "y", "z"), -2.0, 2.0, 10, seed=4)


class OneByOne(TreeRepresentation):
    """The same representation without breeding in one call."""

    def breed(self, *_: object) -> None:
        return None


def searches(
    alphabet: Alphabet, settings: FormulaSettings, scheme: Scheme, size: int | None, attempts: int
) -> tuple[Search[TreeProgram], Search[TreeProgram]]:
    parameters = Parameters(60, scheme, BloatSettings(tarpeian=0.3), attempts)
    space = TreeRepresentation(alphabet, ("value",), settings, size)
    together = Search(PROBLEM, space, parameters, seed=attempts)
    return together, replace(together, representation=OneByOne(alphabet, ("value",), settings, size))


def content(population: list[Individual[TreeProgram]]) -> list[object]:
    """Everything of individuals; constants by their bits."""
    return [(i.number, repr(i.genome), i.size, i.origin, i.note) for i in population]


@pytest.mark.parametrize("alphabet", [ALL, FEW, BARE, BITS, AGAIN], ids=lambda alphabet: alphabet.name)
@pytest.mark.parametrize(
    ("settings", "size", "attempts"),
    [
        (FormulaSettings(max_depth=7), 40, 1),
        (FormulaSettings(max_depth=5, constants="one", scope="each", octaves=2.0), None, 4),
        (FormulaSettings(subtree_depth=5), 25, 2),
    ],
)
@pytest.mark.parametrize(
    "scheme", [Generational(SHARES, Tournament(3), elites=2), Plus(SHARES, Tournament(2))], ids=["g", "plus"]
)
def test_children_are_those_of_the_operators(
    alphabet: Alphabet, settings: FormulaSettings, scheme: Scheme, size: int | None, attempts: int
) -> None:
    together, alone = searches(alphabet, settings, scheme, size, attempts)
    population: Population[TreeProgram] = initial(together, SerialExecutor())
    for generation in (1, 2, 3):
        found = offspring(together, population, generation, first=60)
        assert len({i.genome for i in found}) == len({id(i.genome) for i in found}), "equal ones are the same"
        assert pack([i.genome.trees[0] for i in found], words_of(alphabet)).nodes.words.shape
        assert content(found) == content(offspring(alone, population, generation, first=60))
        assert all(spares(i.genome.trees[0], alphabet.indicators) for i in found)
        population = tuple(found)


@pytest.mark.parametrize(
    ("text", "is_spared"),
    [
        ("x / z", True),
        ("z / x", False),
        ("z / (x + 1)", False),
        ("z / (x + z)", True),
        ("x / 2 / 3", True),
        ("exp(sqrt(z) - x)", True),
        ("exp(sqrt(x) - z)", False),
        ("sqrt(x * y)", False),
        ("sqrt(2)", True),
    ],
)
def test_operators_that_need_protection_spare_indicators(text: str, is_spared: bool) -> None:
    space = TreeRepresentation(BITS, ("value",))
    program = space.parse(text)
    assert space.admits(program) == spares(program.trees[0], BITS.indicators) == is_spared


def test_room_that_does_not_suffice_is_added() -> None:
    settings = FormulaSettings(subtree_depth=6, high_depth=7, low_depth=6, shape="full")
    shares = (("subtree", 0.5), ("crossover", 0.5))
    together, alone = searches(ALL, settings, Generational(shares, Tournament(1)), None, 1)
    population = initial(together, SerialExecutor())
    leaves = [i for i in population if i.size == min(each.size for each in population)]
    skewed = (population[0], *leaves * 59)[:60]
    for generation in (1, 2):
        found = offspring(together, skewed, generation)
        assert content(found) == content(offspring(alone, skewed, generation))
        skewed = tuple(found)


def test_what_the_kernel_lacks_is_left_to_the_operators() -> None:
    program = TreeProgram(("value",), (together_tree(),))
    space = TreeRepresentation(FEW, ("value",))
    with pytest.raises(KeyError):
        pack(program.trees, words_of(FEW))
    assert (
        replace(space, settings=FormulaSettings(grid=0.5)).breed(Streams(0, "x").keys(0, 1), [program], None)
        is None
    )  # type: ignore[arg-type]


def together_tree() -> object:
    return TreeRepresentation(ALL, ("value",)).parse("x * 2.0 + sqrt(y)").trees[0]

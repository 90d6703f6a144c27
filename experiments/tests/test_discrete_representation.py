"""Rows of genes under the shared engine: operators by name and in chains, shares, text, and small searches."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.core.diagnostics import SourceError
from gpkit.core.rng import stream
from gpkit.evolution.config import IslandsSettings
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.loop import advance, begin, finish, initial
from gpkit.evolution.problem import Evaluation, Executor
from gpkit.evolution.schemes import Generational, Roulette, Scheme, Tournament
from gpkit.evolution.search import Parameters, Search
from gpkit_experiments.papers.mastermind.experiments import Preserving
from gpkit_experiments.papers.mastermind.representation import (
    DiscreteRepresentation,
    Domain,
    Genes,
    chains,
    create,
    is_valid,
    one_alphabet,
    permutations_of,
)
from tests.toy_evolution import offspring

SERIAL = SerialExecutor()
DOMAINS = {
    "one alphabet": one_alphabet(6, 4),
    "own alphabets": Domain((2, 5, 3, 5, 2, 9)),
    "permutation": permutations_of(6),
}


@dataclass(frozen=True)
class Near:
    """The score is how many genes are those of a goal."""

    goal: Genes
    changes: bool = field(default=False, init=False)

    def evaluate(
        self, genomes: Sequence[Genes], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        return [Evaluation(float(sum(map(int.__eq__, genome, self.goal)))) for genome in genomes]

    def validate(
        self, genomes: Sequence[Genes], seed: int, occasion: int, executor: Executor
    ) -> list[Evaluation]:
        return self.evaluate(genomes, seed, occasion, executor)

    def facing(self, hall: Sequence[Genes]) -> Self:
        return self


@pytest.mark.parametrize("name", DOMAINS)
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_every_operator_of_a_form_makes_valid_children_and_tells_what_changed(name: str, seed: int) -> None:
    space = DiscreteRepresentation(DOMAINS[name])
    one, other = (space.create(stream(seed, "create", k), k) for k in range(2))
    assert set(space.operators) >= {"clone", "scramble", "swap", "next"}
    for operator in (*space.operators, "+".join(space.operators)):
        parents = [one, other][: space.parents(operator)]
        child = space.vary(stream(seed, "vary"), operator, parents)
        assert space.admits(child.genome)
        assert child == space.vary(stream(seed, "vary"), operator, parents)
        assert child.places == tuple(("gene", k) for k in range(6) if child.genome[k] != one[k])
    assert space.vary(stream(seed, "vary"), "clone", [one]).genome == one
    assert space.size(one) == 6
    assert space.simplify(one) == one
    assert space.admits(space.tweak(stream(seed, "tweak"), one, 0.1))


def test_operators_are_those_that_keep_a_form() -> None:
    free, ordered = (
        DiscreteRepresentation(DOMAINS["one alphabet"]),
        DiscreteRepresentation(DOMAINS["permutation"]),
    )
    assert {"one-point", "two-point", "uniform"} == set(free.operators) - set(ordered.operators)
    assert {"order"} == set(ordered.operators) - set(free.operators)
    assert [free.parents(name) for name in ("clone", "next", "uniform", "swap+two-point")] == [1, 1, 2, 2]
    for space, operator in ((free, "order"), (ordered, "two-point+swap"), (free, "crossover")):
        with pytest.raises(AssertionError, match="is not for"):
            space.parents(operator)


def test_a_chain_applies_one_operator_to_what_the_other_made() -> None:
    space = DiscreteRepresentation(one_alphabet(3, 10))
    children = {
        space.vary(stream(1, "chain", k), "two-point+next", [(0, 0, 0), (5, 5, 5)]).genome for k in range(99)
    }
    assert children == {(1, 5, 0), (0, 6, 0), (0, 5, 1)}


def test_cuts_are_a_choice() -> None:
    parents = [(0, 0, 0), (1, 1, 1)]
    space = DiscreteRepresentation(one_alphabet(3, 2), cuts="any")
    children = {space.vary(stream(1, "cuts", k), "two-point", parents).genome for k in range(99)}
    assert children == {(1, 0, 0), (1, 1, 0), (1, 1, 1), (0, 1, 0), (0, 1, 1), (0, 0, 1)}


MUTATIONS = (("scramble", 0.3), ("swap", 0.3), ("next", 0.4))


def test_one_mutation_of_three_after_a_crossover() -> None:
    always = dict(chains(("two-point", 1.0), MUTATIONS))
    assert always == {"two-point+scramble": 0.3, "two-point+swap": 0.3, "two-point+next": 0.4}
    never = dict(chains(("two-point", 0.0), (("swap", 0.5),)))
    assert never == {"clone": 0.5, "swap": 0.5}
    half = dict(chains(("uniform", 0.5), (("next", 1.0),)))
    assert half == {"next": 0.5, "uniform+next": 0.5}
    with pytest.raises(AssertionError, match="more than all"):
        chains(("two-point", 1.0), (("swap", 0.7), ("next", 0.7)))


@settings(max_examples=60, deadline=None)
@given(st.floats(0, 1), st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1)))
def test_each_mutation_at_its_own_rate(rate: float, rates: tuple[float, float, float]) -> None:
    names = ("scramble", "swap", "next")
    shares = chains(("two-point", rate), tuple(zip(names, rates, strict=True)), "each")
    assert math.isclose(sum(share for _, share in shares), 1.0)
    for name, expected in (*zip(names, rates, strict=True), ("two-point", rate)):
        found = sum(share for chain, share in shares if name in chain.split("+"))
        assert math.isclose(found, expected, abs_tol=1e-9)


def test_children_of_the_engine_come_by_these_shares() -> None:
    space = DiscreteRepresentation(DOMAINS["one alphabet"])
    shares = chains(("two-point", 0.75), MUTATIONS, "each")
    parameters = Parameters(4000, Generational(shares, Roulette()))
    parents = initial(Search(Near((0,) * 6), space, Parameters(30, parameters.scheme), 1), SERIAL)
    counts = Counter(
        child.origin.operator for child in offspring(Search(Near((0,) * 6), space, parameters, 1), parents, 1)
    )
    assert set(counts) <= {chain for chain, _ in shares}
    for chain, share in shares:
        assert abs(counts[chain] - 4000 * share) <= 5 * (4000 * share * (1 - share)) ** 0.5


@pytest.mark.parametrize("name", DOMAINS)
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_texts_give_the_genome_back(name: str, seed: int) -> None:
    space = DiscreteRepresentation(DOMAINS[name])
    genome = create(stream(seed, "text"), space.domain)
    text = space.print(genome, {"problem": "near", "note": "1 2 3"})
    assert text.startswith("// problem: near\n")
    assert space.parse(text) == genome
    assert space.print(space.parse(text)) == space.print(genome)


def test_texts_count_from_one_and_run_over_lines() -> None:
    space = DiscreteRepresentation(one_alphabet(4, 6))
    assert space.print((0, 5, 2, 2)) == "1 6 3 3\n"
    assert space.parse("1 6 // the first half\n  3\t3") == (0, 5, 2, 2)


@pytest.mark.parametrize(
    ("text", "domain", "words"),
    [
        ("1 2 7 1", one_alphabet(4, 6), ("E001", "`7`", ":1:5", "1 … 6")),
        ("1 0 1 1", one_alphabet(4, 6), ("E001", "`0`", ":1:3")),
        ("1 x 1 1", one_alphabet(4, 6), ("E001", "`x`")),
        ("1 -2 1 1", one_alphabet(4, 6), ("E001", "`-2`")),
        ("1 ² 1 1", one_alphabet(4, 6), ("E001", "`²`")),
        ("1 " + "9" * 6000, one_alphabet(2, 6), ("E001", "not a value")),
        ("2 1\n2", permutations_of(3), ("E002", "`2` was there before", ":2:1")),
        ("1 1 1", one_alphabet(4, 6), ("E003", "3 genes in place of 4", ":1:6")),
        ("1 1 1 1 5", one_alphabet(4, 6), ("E003", "5 genes in place of 4", ":1:9")),
        ("", one_alphabet(4, 6), ("E003", "0 genes in place of 4")),
    ],
)
def test_texts_that_are_no_genome(text: str, domain: Domain, words: tuple[str, ...]) -> None:
    with pytest.raises(SourceError) as caught:
        DiscreteRepresentation(domain).parse(text)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize("name", DOMAINS)
@pytest.mark.parametrize("islands", [IslandsSettings(), IslandsSettings(count=3, interval=4, migrants=2)])
def test_a_search_finds_the_goal(name: str, islands: IslandsSettings) -> None:
    space = DiscreteRepresentation(DOMAINS[name])
    goal = create(stream(7, "goal"), space.domain)
    crossover = "order" if name == "permutation" else "two-point"
    shares = chains((crossover, 0.5), (("swap", 0.3), ("next", 0.7)))
    schemes: list[Scheme] = [
        Generational(shares, Tournament(3), elites=1),
        Preserving(shares, Tournament(3)),
    ]
    for scheme in schemes:
        search = Search(Near(goal), space, Parameters(30, scheme), 3, islands)
        state = begin(search, SERIAL).state
        while state.generation < 40:
            state = advance(search, state, SERIAL).state
            assert all(is_valid(i.genome, space.domain) for island in state.islands for i in island)
        assert finish(search, state, SERIAL).individual.genome == goal

"""The engine: sizes, origins, purity, common conditions, bloat control, and that selection is what makes it work."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import pytest
from toy_evolution import DATA, PARAMETERS, SPACE, Moody

from gpkit.evolution.config import BloatSettings
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.loop import initial, next_generation
from gpkit.evolution.problem import STRIDE, TARPEIAN, WORST, Evaluation, Executor, Population, Problem
from gpkit.evolution.schemes import (
    Article,
    Generational,
    ParetoTournament,
    Plus,
    Scheme,
    Tournament,
    Truncation,
    apportion,
)
from gpkit.evolution.search import FREE, Parameters, Search
from gpkit.genomes.tree import TreeProgram
from gpkit_experiments.papers.controls import Shuffled
from gpkit_experiments.papers.mastermind.experiments import Preserving
from tests.toy_evolution import offspring

SPLITS = (("clone", 0.1), ("constants", 0.45), ("subtree", 0.225), ("crossover", 0.225))
SHARES = (("crossover", 0.6), ("subtree", 0.4))
SERIAL = SerialExecutor()

Programs = Population[TreeProgram]


def evolve(
    problem: Problem[TreeProgram], parameters: Parameters, generations: int, seed: int = 1
) -> list[Programs]:
    populations = [initial(Search(problem, SPACE, parameters, seed), SERIAL)]
    for generation in range(1, generations + 1):
        populations.append(
            next_generation(Search(problem, SPACE, parameters, seed), populations[-1], generation, SERIAL)
        )
    return populations


@pytest.mark.parametrize("size", [1, 2, 3, 7, 10, 37, 200, 1000])
@pytest.mark.parametrize("shares", [[0.1, 0.45, 0.225, 0.225], [1.0], [1 / 3] * 3, [0.0, 2.0, 1.0]])
def test_shares_become_numbers_that_add_up(size: int, shares: list[float]) -> None:
    counts = apportion(size, shares)
    assert sum(counts) == size
    assert all(
        abs(count - size * share / sum(shares)) < 1 for count, share in zip(counts, shares, strict=True)
    )


def test_the_articles_splits_of_two_hundred() -> None:
    assert apportion(200, [share for _, share in SPLITS]) == [20, 90, 45, 45]


SCHEMES: dict[str, Scheme] = {
    "article": Article(SPLITS),
    "article, any mate": Article(SPLITS, "all"),
    "generational": Generational(SHARES, Tournament(3), elites=3),
    "preserving": Preserving(SHARES, Tournament(3), elites=3),
    "plus": Plus(SHARES, Tournament(2)),
    "nsga-ii": Plus(SHARES, ParetoTournament(), "pareto"),
}


@pytest.mark.parametrize("name", SCHEMES)
@pytest.mark.parametrize("size", [1, 2, 13, 30])
def test_every_scheme_keeps_the_size_and_its_order(name: str, size: int) -> None:
    parameters = Parameters(size, SCHEMES[name])
    for population in evolve(Moody(), parameters, 3):
        assert len(population) == size
        assert len({individual.number for individual in population}) == size
        if "nsga" not in name:
            assert [i.fitness for i in population] == sorted((i.fitness for i in population), reverse=True)
        assert all(individual.size == len(individual.genome) for individual in population)


@pytest.mark.parametrize("name", SCHEMES)
def test_a_step_is_a_pure_function(name: str) -> None:
    parameters = Parameters(20, SCHEMES[name])
    assert evolve(Moody(), parameters, 4) == evolve(Moody(), parameters, 4)
    assert evolve(Moody(), parameters, 2) != evolve(Moody(), parameters, 2, seed=2)


def test_the_article_applies_each_operation_to_the_best() -> None:
    parameters = Parameters(40, Article(SPLITS))
    parents = initial(Search(DATA, SPACE, parameters, 1), SERIAL)
    children = offspring(Search(DATA, SPACE, parameters, 1), parents, 1)
    assert Counter(child.origin.operator for child in children) == {
        "clone": 4,
        "constants": 18,
        "subtree": 9,
        "crossover": 9,
    }
    place = {parent.number: rank for rank, parent in enumerate(parents)}
    for operator in ("clone", "constants", "subtree", "crossover"):
        sources = [place[c.origin.parents[0]] for c in children if c.origin.operator == operator]
        assert sources == list(range(len(sources)))
    for child in children:
        if child.origin.operator == "crossover":
            source, mate = (place[number] for number in child.origin.parents)
            assert mate != source
            assert mate < 9
    parameters = replace(parameters, scheme=Article(SPLITS, "all"))
    anybody = offspring(Search(DATA, SPACE, parameters, 1), parents, 1)
    assert max(place[c.origin.parents[-1]] for c in anybody if c.origin.operator == "crossover") >= 9


def test_operators_come_up_by_their_shares_and_elites_first() -> None:
    parameters = Parameters(
        4000, Generational((("subtree", 3.0), ("point", 1.0)), Truncation(1.0), elites=10)
    )
    parents = initial(Search(DATA, SPACE, replace(parameters, size=50), 1), SERIAL)
    children = offspring(Search(DATA, SPACE, parameters, 1), parents, 1)
    assert [c.origin.parents[0] for c in children[:10]] == [p.number for p in parents[:10]]
    assert {c.origin.operator for c in children[:10]} == {"clone"}
    drawn = Counter(child.origin.operator for child in children[10:])
    assert abs(drawn["subtree"] - 3990 * 0.75) < 5 * math.sqrt(3990 * 0.75 * 0.25)


def test_origins_name_the_parents_and_the_place() -> None:
    before, after = evolve(DATA, PARAMETERS, 1)
    genomes = {individual.number: individual.genome for individual in before}
    for child in after:
        assert child.number // STRIDE == 1 == child.generation
        assert len(child.origin.parents) == (2 if child.origin.operator == "crossover" else 1)
        parent = genomes[child.origin.parents[0]]
        for name, position in child.origin.places:
            tree = child.genome.parts[name]
            assert tree.symbols[:position] == parent.parts[name].symbols[:position]
        if child.origin.operator == "clone":
            assert child.genome == parent


def test_children_keep_the_limits() -> None:
    for population in evolve(DATA, replace(PARAMETERS, attempts=1, bloat=FREE), 8):
        assert all(i.size <= 40 and i.genome.trees[0].depth <= 8 for i in population)


def test_streams_are_keyed_so_islands_differ_and_order_does_not_matter() -> None:
    parents = initial(Search(DATA, SPACE, PARAMETERS, 1), SERIAL)
    few = offspring(Search(DATA, SPACE, replace(PARAMETERS, size=5), 1), parents, 1)
    assert offspring(Search(DATA, SPACE, PARAMETERS, 1), parents, 1)[:5] == few
    elsewhere = offspring(Search(DATA, SPACE, replace(PARAMETERS, size=5), 1), parents, 1, first=100)
    assert [child.number for child in elsewhere] == [STRIDE + 100 + n for n in range(5)]
    assert [c.genome for c in elsewhere[1:]] != [c.genome for c in few[1:]]


@dataclass(frozen=True)
class Counting:
    """Scores by size and remembers what it was asked."""

    changes: bool
    asked: list[list[TreeProgram]] = field(default_factory=list)

    def evaluate(
        self, genomes: Sequence[TreeProgram], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        self.asked.append(list(genomes))
        return [Evaluation(math.nan if len(g) == 1 else float(len(g))) for g in genomes]

    validate = evaluate

    def facing(self, hall: Sequence[TreeProgram]) -> Self:
        return self


def test_equal_genomes_are_evaluated_once_and_survivors_only_if_the_problem_changes() -> None:
    for changes in (False, True):
        problem = Counting(changes)
        parents, children = evolve(problem, PARAMETERS, 1)
        assert all(len(set(asked)) == len(asked) for asked in problem.asked)
        survivors = {i.genome for i in children} & {i.genome for i in parents}
        assert survivors
        assert survivors.issubset(problem.asked[1]) == changes
        assert changes or not survivors.intersection(problem.asked[1])


def test_a_score_that_is_no_number_is_the_worst() -> None:
    population = evolve(Counting(changes=False), PARAMETERS, 0)[0]
    assert any(i.size == 1 for i in population)
    assert all((i.fitness == WORST) == (i.size == 1) for i in population)


def test_the_penalty_is_linear_above_the_free_size() -> None:
    bloat = BloatSettings(penalty=0.0004, free=20)
    assert [bloat.cost(size) for size in (1, 20, 21, 30)] == [0.0, 0.0, 0.0004, 0.004]
    for individual in evolve(DATA, PARAMETERS, 3)[-1]:
        assert individual.fitness == individual.score - 0.0004 * max(0, individual.size - 20)


def test_tarpeian_dooms_its_share_of_the_large() -> None:
    parameters = Parameters(
        3000, Generational(SHARES, Truncation(1.0)), BloatSettings(penalty=0.0, tarpeian=0.3)
    )
    parents = initial(Search(DATA, SPACE, replace(parameters, size=100), 1), SERIAL)
    mean = sum(i.size for i in parents) / len(parents)
    children = offspring(Search(DATA, SPACE, parameters, 1), parents, 1)
    large = [child for child in children if child.size > mean]
    doomed = [child for child in children if child.note == TARPEIAN]
    assert all(child.size > mean for child in doomed)
    assert abs(len(doomed) - 0.3 * len(large)) < 5 * math.sqrt(len(large) * 0.21)
    problem = Counting(changes=True)
    after = next_generation(Search(problem, SPACE, parameters, 1), parents, 1, SERIAL)
    assert all(i.fitness == WORST for i in after if i.note == TARPEIAN)
    assert not {c.genome for c in doomed} - {c.genome for c in children if not c.note} & set(problem.asked[0])


def test_the_best_parents_take_the_places_of_the_worst_children() -> None:
    scheme = Preserving(SHARES, Tournament(3), elites=2)
    parameters = Parameters(20, scheme)
    before = initial(Search(DATA, SPACE, parameters, 1), SERIAL)
    after = next_generation(Search(DATA, SPACE, parameters, 1), before, 1, SERIAL)
    plain = replace(parameters, scheme=Generational(SHARES, Tournament(3)))
    bare = next_generation(Search(DATA, SPACE, plain, 1), before, 1, SERIAL)
    stayed = [i for i in after if i.generation == 0]
    assert stayed == list(before[: len(stayed)])
    assert 0 < len(stayed) <= 2
    assert [i for i in after if i.generation == 1] == list(bare[: 20 - len(stayed)])
    assert after[0].fitness >= before[0].fitness


def test_parents_that_stay_compete_with_their_children() -> None:
    populations = evolve(DATA, Parameters(30, Plus(SHARES, Tournament(2))), 10)
    best = [population[0].fitness for population in populations]
    median = [population[15].fitness for population in populations]
    assert best == sorted(best)
    assert median == sorted(median)
    assert {i.generation for i in populations[-1]} != {10}


def test_nsga_keeps_small_and_strong() -> None:
    last = evolve(DATA, Parameters(40, Plus(SHARES, ParetoTournament(), "pareto")), 15)[-1]
    assert min(individual.size for individual in last) == 1
    assert max(individual.score for individual in last) > -0.5


def test_evolution_finds_the_formula_behind_the_data() -> None:
    parameters = replace(PARAMETERS, size=300)
    best = [population[0].score for population in evolve(DATA, parameters, 25)]
    assert best[0] < -0.1
    assert best[-1] > -0.05
    assert best == sorted(best)


def true_mean(population: Programs) -> float:
    """The mean of the scores, each at least −3: a few formulas are terrible."""
    found = DATA.evaluate([i.genome for i in population], 1, 0, SERIAL)
    return sum(max(-3.0, one.score) for one in found) / len(found)


def test_without_selection_strength_does_not_rise() -> None:
    size = 200
    selected = evolve(DATA, replace(PARAMETERS, size=size), 12)
    chance = evolve(DATA, Parameters(size, Generational(SHARES, Truncation(1.0)), attempts=3), 12)
    shuffled = evolve(
        Shuffled(DATA), replace(PARAMETERS, size=size, scheme=Generational(SHARES, Tournament(3))), 12
    )
    assert true_mean(selected[-1]) > true_mean(selected[0]) + 0.3
    assert true_mean(chance[-1]) < true_mean(chance[0]) + 0.1
    assert true_mean(shuffled[-1]) < true_mean(shuffled[0]) + 0.1

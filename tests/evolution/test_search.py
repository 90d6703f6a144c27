"""Islands, champions, the hall of fame, refinement, stop rules and summaries."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from toy_evolution import DATA, PARAMETERS, SPACE, Moody
from toy_run import ISLANDS, TOY

from gpkit.core.codec import codec
from gpkit.core.rng import stream
from gpkit.evolution.config import IslandsSettings, RefinementSettings, StopSettings, shipped_presets
from gpkit.evolution.executors import SerialExecutor, executor_for
from gpkit.evolution.loop import advance, begin, epoch, finish, joined, migrate, refine, tune, winners
from gpkit.evolution.problem import STRIDE, WORST, Individual, Origin
from gpkit.evolution.run_folder import decode_state, encode_state
from gpkit.evolution.search import UNREFINED, Champion, Round, Search, SearchState, Summary, summarise
from gpkit.evolution.setup import first_of, stop_of
from gpkit.evolution.subjects import resolve
from gpkit.genomes.tree import TreeProgram
from gpkit.languages.arithmetic.forms.evolution import changed_constants
from gpkit.languages.arithmetic.text import parse

SERIAL = SerialExecutor()


def rounds(search: Search[TreeProgram], count: int) -> list[Round[TreeProgram]]:
    found = [begin(search, SERIAL)]
    for _ in range(count):
        found.append(advance(search, found[-1].state, SERIAL))
    return found


def program(text: str) -> TreeProgram:
    return parse(text).program


def test_an_epoch_depends_on_nothing_but_its_arguments() -> None:
    state = begin(ISLANDS, SERIAL).state
    assert len({island[0].number // 30 for island in state.islands}) == 3
    populations = epoch(Search(Moody(), SPACE, PARAMETERS, 5), state.islands[1], 1, 0, 3, SERIAL)
    assert populations == epoch(Search(Moody(), SPACE, PARAMETERS, 5), state.islands[1], 1, 0, 3, SERIAL)
    half = epoch(Search(Moody(), SPACE, PARAMETERS, 5), state.islands[1], 1, 0, 2, SERIAL)
    assert epoch(Search(Moody(), SPACE, PARAMETERS, 5), half[-1], 1, 2, 1, SERIAL)[-1] == populations[-1]
    elsewhere = epoch(Search(Moody(), SPACE, PARAMETERS, 5), state.islands[1], 2, 0, 3, SERIAL)
    assert elsewhere[-1] != populations[-1]
    assert {i.number % STRIDE for i in populations[-1] if i.generation == 3} == set(range(30, 60))


def numbered(*fitness: float, first: int) -> tuple[Individual[TreeProgram], ...]:
    genome = program("x")
    return tuple(
        Individual(first + n, genome, 1, Origin("create"), score=f, fitness=f) for n, f in enumerate(fitness)
    )


def test_the_best_move_on_around_the_ring() -> None:
    islands = [numbered(9, 5, 1, first=0), numbered(8, 4, 2, first=10), numbered(7, 6, 3, first=20)]
    moved = migrate(islands, replace(PARAMETERS, size=3), 1)
    assert [[i.number for i in island] for island in moved] == [[0, 20, 1], [0, 10, 11], [10, 20, 21]]
    assert migrate(islands[:1], PARAMETERS, 1) == (islands[0],)
    assert migrate(islands, PARAMETERS, 0) == tuple(islands)


@pytest.mark.release
def test_the_better_half_of_the_islands_goes_on_after_each_heat() -> None:
    islands = [numbered(7, 6, first=0), numbered(9, 5, first=10), numbered(8, 4, first=20)]
    assert [island[0].number for island in winners(islands, 2)] == [10, 20]
    assert [island[0].number for island in winners([island[::-1] for island in islands], 2)] == [11, 21]
    search = replace(ISLANDS, islands=IslandsSettings(count=5, interval=2, migrants=0, halve=4))
    found = rounds(search, 7)
    assert [len(done.state.islands) for done in found] == [5, 5, 3, 3, 2, 2, 1, 1]
    assert [done.state.generation for done in found] == [0, 2, 4, 6, 8, 10, 12, 13]
    for before, done in pairwise(found):
        assert [len(islands) for _, islands in done.generations] == [len(before.state.islands)] * (
            done.state.generation - before.state.generation
        )
        everybody = done.generations[-1][1]
        assert set(done.state.islands) <= set(everybody)
        best = sorted((island[0].fitness for island in everybody), reverse=True)
        left = len(done.state.islands)
        assert sorted((i[0].fitness for i in done.state.islands), reverse=True) == best[:left]
        made = sum(len(islands) * 30 for _, islands in done.generations)
        assert done.state.evaluations == before.state.evaluations + made
    with executor_for("2") as executor:
        assert advance(search, found[3].state, executor) == found[4]
    state = found[4].state
    stored = encode_state(state, SPACE.print)
    assert decode_state(stored, search) == state
    with pytest.raises(ValueError, match="it has 2 islands, and the run has 5"):
        decode_state(stored, replace(search, islands=IslandsSettings(count=5, interval=2, migrants=0)))


@pytest.mark.release
def test_islands_in_processes_are_the_same_islands() -> None:
    serial = rounds(ISLANDS, 2)[-1]
    with executor_for("2") as executor:
        state = begin(ISLANDS, executor).state
        for _ in range(2):
            done = advance(ISLANDS, state, executor)
            state = done.state
    assert done == serial
    assert [summary.generation for summary, _ in done.generations] == [5, 6, 7, 8]


@pytest.mark.release
def test_a_genome_that_kills_costs_an_island_only_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpkit.evolution.guarded.STRIKES", 1)
    parameters = replace(PARAMETERS, size=4)
    calm = Search(Moody(seconds=0.03), SPACE, parameters, 5, IslandsSettings(count=2, interval=1, migrants=0))
    state = begin(calm, SERIAL).state
    quiet = advance(calm, state, SERIAL).state
    programs = [i.genome.trees[0].symbols for island in quiet.islands for i in island]
    deadly = min(("x", "y", "+", "-", "*"), key=lambda s: sum(s in one for one in programs) or 99)
    with executor_for("2") as executor:
        problem = Moody(deadly=deadly, seconds=0.03)
        islands = advance(replace(calm, problem=problem), state, executor).state.islands
    everybody = [individual for island in islands for individual in island]
    lost = [i for i in everybody if deadly in i.genome.trees[0].symbols]
    assert 0 < len(lost) < len(everybody)
    assert {i.number for i in everybody} == {i.number for island in quiet.islands for i in island}
    assert all((i.fitness == WORST) == (i in lost) for i in everybody)


def test_a_champion_is_replaced_only_by_a_better_one_in_validation() -> None:
    champions = [done.state.champion for done in rounds(TOY, 12)]
    assert [c.fitness for c in champions] == sorted(c.fitness for c in champions)
    for before, after in pairwise(champions):
        assert (before == after) or after.fitness > before.fitness
    for champion in champions:
        assert champion.score == DATA.evaluate([champion.individual.genome], 0, 0, SERIAL)[0].score


def test_champions_join_the_hall_of_fame_in_turn() -> None:
    states = [done.state for done in rounds(TOY, 12)]
    assert [len(state.hall) > 0 for state in states] == [False] * 4 + [True] * 9
    assert states[4].hall == (states[4].champion.individual.genome,)
    a, b, c, d = (program(text) for text in ("x", "y", "x + y", "x - y"))
    assert joined((a, b, c), d, 3) == (b, c, d)
    assert joined((a, b), a, 3) == (a, b)
    without = advance(replace(TOY, hall=0), states[7], SERIAL).state
    assert without.hall == states[7].hall


def test_tuning_finds_better_constants() -> None:
    genome = program("x * x * 0.7 + x * y + 1.4")
    search = Search(DATA, SPACE, PARAMETERS, 1, refinement=RefinementSettings(rounds=12, candidates=25))
    tuned = tune(search, genome, 3, SERIAL)
    before, after = DATA.evaluate([genome, tuned], 0, 0, SERIAL)
    assert after.score > before.score / 5
    assert [s for s in tuned.trees[0].symbols if isinstance(s, str)] == [
        s for s in genome.trees[0].symbols if isinstance(s, str)
    ]
    assert tune(search, genome, 3, SERIAL) == tuned
    assert tune(search, program("x + y"), 3, SERIAL) == program("x + y")


def test_tuning_may_change_signs_and_leave_zero() -> None:
    rng = stream(1, "tune")
    constants = np.array([1.0, 0.0, -1e308])
    changed = np.array([changed_constants(rng, constants, 2.0) for _ in range(400)])
    assert np.isfinite(changed).all()
    assert (changed[:, 0] < 0).any()
    assert (changed[:, 1] != 0).any()
    assert (changed == constants).mean() > 0.2
    assert not (changed == constants).all(axis=1).any() or (changed[:, 2] == -1e308).any()


def test_refinement_names_its_steps() -> None:
    genome = program("(x * x + x * y + 1.4) * 1.0")
    search = Search(DATA, SPACE, PARAMETERS, 1, refinement=RefinementSettings(rounds=3, candidates=10))
    steps = [*refine(search, genome, 0, SERIAL)]
    assert [name for name, _ in steps] == ["simplify", "tune"]
    assert len(steps[0][1]) < len(genome)
    assert list(refine(replace(search, refinement=UNREFINED), genome, 0, SERIAL)) == []


def test_during_a_run_the_refined_replace_the_worst() -> None:
    search = replace(TOY, refinement=RefinementSettings(every=1, rounds=3, candidates=8))
    found = [i for done in rounds(search, 8) for island in done.state.islands for i in island]
    refined = [i for i in found if i.origin.operator in ("simplify", "tune")]
    assert refined
    assert all(len(done.state.islands[0]) == 30 for done in rounds(search, 2))
    assert len({(i.number, i.genome) for i in found}) == len({i.number for i in found})
    assert all(i.number % STRIDE >= 30 for i in refined if i.origin.operator == "tune")


def test_the_champion_is_refined_at_the_end_and_never_worse() -> None:
    state = rounds(TOY, 6)[-1].state
    refined = finish(replace(TOY, refinement=RefinementSettings(rounds=8, candidates=20)), state, SERIAL)
    assert refined.fitness >= state.champion.fitness
    assert (
        finish(replace(TOY, refinement=RefinementSettings(finish=False, rounds=8)), state, SERIAL)
        == state.champion
    )


def test_the_final_score_is_not_the_one_that_was_chosen_by() -> None:
    config = replace(
        shipped_presets()["sevens"],
        population=replace(shipped_presets()["sevens"].population, size=40),
        fitness=replace(shipped_presets()["sevens"].fitness, deals=5, validation_deals=20),
    )
    search = resolve(config).search()
    search = replace(search, refinement=UNREFINED)
    state = begin(search, SERIAL).state
    final = finish(search, state, SERIAL)
    assert final.individual == state.champion.individual
    assert final.score != state.champion.score


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (StopSettings(generations=20), "20 generations"),
        (StopSettings(generations=21), None),
        (StopSettings(generations=None, evaluations=600), "600 evaluations"),
        (StopSettings(generations=None, fitness=-0.5), "fitness -0.5 reached"),
        (StopSettings(generations=None, fitness=0.5), None),
        (StopSettings(generations=None, stagnation=8), "no new champion for 8 generations"),
        (StopSettings(generations=None, stagnation=9), None),
        (StopSettings(generations=None), None),
        (StopSettings(generations=20, evaluations=600), "20 generations"),
    ],
)
def test_stop_rules(table: StopSettings, reason: str | None) -> None:
    individual = numbered(0.0, first=0)[0]
    state = SearchState(20, ((individual,),), Champion(individual, -0.4, -0.4, 12), (), 600)
    assert stop_of(table)(state) == reason
    assert first_of(stop_of(table), lambda _: "interrupted")(state) == (reason or "interrupted")


def test_a_summary_counts_all_islands() -> None:
    islands = (
        numbered(3.0, 1.0, first=0),
        (*numbered(2.0, first=10), numbered(WORST, first=20)[0]._replace(note="its worker died")),
    )
    summary = summarise(7, islands)
    assert (summary.generation, summary.best, summary.median, summary.size) == (7, 3.0, 1.5, 1.0)
    assert (summary.diversity, summary.lost) == (0.25, 1)
    lost = replace(summary, best=-math.inf)
    assert codec(Summary).write(lost)["best"] is None

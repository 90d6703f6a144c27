"""Fronts by their definition, crowding, rules of choice, and the front of a run in its folder."""

import json
import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_run import TINY, evolve_tiny
from toy_evolution import SPACE, Weighed
from toy_run import TOY, toy_diary

from gpkit.core.errors import CheckpointError, UsageError
from gpkit.evolution.config import Config, shipped_presets
from gpkit.evolution.executors import executor_for
from gpkit.evolution.fronts import (
    RULES,
    FrontPlan,
    FrontTable,
    crowding,
    first,
    fronts,
    knee,
    one_standard_error,
    pareto_order,
    points_of,
    weigher,
)
from gpkit.evolution.loop import run_search
from gpkit.evolution.problem import WORST, Individual, Origin
from gpkit.evolution.run_folder import FRONT_FOLDER, FRONT_TABLE, RunResult, read_front
from gpkit.evolution.schemes import ParetoTournament, Plus
from gpkit.evolution.search import UNREFINED
from gpkit.evolution.setup import after_generations
from gpkit.evolution.subjects import parse_config, resolve
from gpkit.genomes.tree import TreeProgram

NUMBERS = st.sampled_from([0.0, 1.0, 2.0, 2.5, -1.0, math.inf, -math.inf, math.nan])


def dominates(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    a, b = (tuple(-math.inf if math.isnan(x) else x for x in point) for point in (a, b))
    return a != b and all(x >= y for x, y in zip(a, b, strict=True))


@given(
    st.integers(1, 4).flatmap(lambda n: st.lists(st.tuples(*[NUMBERS] * n), min_size=1, max_size=25)),
)
@settings(max_examples=150, deadline=None)
def test_fronts_agree_with_their_definition(points: list[tuple[float, ...]]) -> None:
    ranks = fronts(np.array(points))
    left, rank = set(range(len(points))), 0
    while left:
        front = {i for i in left if not any(dominates(points[j], points[i]) for j in left)}
        assert {i for i in left if ranks[i] == rank} == front
        left -= front
        rank += 1


def test_crowding_is_the_relative_distance_of_the_neighbours() -> None:
    for values, distances in (
        ([[1.0, 2.0, 5.0], [1.0, 3.0, 5.0]], [math.inf, 2.0, math.inf]),
        ([[1.0], [1.0]], [math.inf]),
        ([[-math.inf, 0.0, 1.0], [2.0, 1.0, 0.0]], [math.inf, 1.0, math.inf]),
    ):
        points = np.array(values).T
        assert crowding(points, np.zeros(len(points), dtype=np.int64)).tolist() == distances


def crowded(front: list[tuple[float, ...]]) -> list[float]:
    distance = [0.0] * len(front)
    for one in zip(*front, strict=True):
        order = sorted(range(len(front)), key=lambda place: one[place])
        spread = one[order[-1]] - one[order[0]]
        if spread > 0.0 and math.isfinite(spread):
            for before, place, after in zip(order, order[1:], order[2:], strict=False):
                distance[place] += (one[after] - one[before]) / spread
        distance[order[0]] = distance[order[-1]] = math.inf
    return distance


@given(st.integers(1, 3).flatmap(lambda n: st.lists(st.tuples(*[NUMBERS] * n), min_size=1, max_size=40)))
@settings(max_examples=150, deadline=None)
def test_the_order_agrees_with_its_definition(points: list[tuple[float, ...]]) -> None:
    found = [
        one._replace(objectives=point)
        for one, point in zip(individuals([0.0] * len(points), [1] * len(points)), points, strict=True)
    ]
    known = [tuple(row) for row in points_of(found).tolist()]
    ranks = fronts(points_of(found))
    order: list[int] = []
    for rank in range(max(ranks) + 1):
        front = [place for place in range(len(points)) if ranks[place] == rank]
        distance = crowded([known[place] for place in front])
        order += [front[k] for k in sorted(range(len(front)), key=lambda k: -distance[k])]
    copies = {place for n, place in enumerate(order) if known[place] in [known[one] for one in order[:n]]}
    assert pareto_order(found) == [p for p in order if p not in copies] + [p for p in order if p in copies]


def individuals(scores: list[float], sizes: list[int]) -> list[Individual[str]]:
    return [
        Individual(n, f"g{n}", size, Origin("create"), score=score, fitness=score)
        for n, (score, size) in enumerate(zip(scores, sizes, strict=True))
    ]


def test_the_order_without_objectives_is_that_of_strength_and_size() -> None:
    found = individuals([WORST, 1.0, 3.0, 2.9], [1, 2, 8, 9])
    assert pareto_order(found) == [1, 2, 3, 0]


def test_near_copies_come_after_everybody_else() -> None:
    found = individuals([0.9, 0.9001, 0.8, 0.5, 0.80001, 0.9, 0.1], [3, 3, 2, 1, 2, 4, 5])
    order, plain = pareto_order(found, alike=0.1), pareto_order(found)
    assert sorted(order[:5]) == [1, 3, 4, 5, 6], "the better one of near copies is none"
    assert order[:5] == [place for place in plain if place in (1, 3, 4, 5, 6)]
    assert order[5:] == [place for place in plain if place in (0, 2)]
    assert plain[-1] == 6
    perfect = individuals([1.0, 1.0 - 1e-15, 1.0 - 1e-12], [2, 2, 2])
    assert pareto_order(perfect, alike=0.1) == [0, 2, 1], "rounding makes no difference"


def test_objectives_decide_the_order_and_the_unevaluated_come_last() -> None:
    found = individuals([3.0, 2.0, WORST], [1, 1, 1])
    weighed = [found[0]._replace(objectives=(3.0, 0.0)), found[1]._replace(objectives=(4.0, 1.0)), found[2]]
    assert pareto_order(weighed) == [1, 0, 2]
    assert points_of(weighed)[2].tolist() == [WORST, WORST]


def test_what_is_weighed_is_named() -> None:
    one = individuals([3.0], [7])[0]._replace(cases=(1.0, 5.0), objectives=(0.5,))
    assert weigher(("size", "score", "cases", "problem"))(one) == (-7.0, 3.0, 1.0, 5.0, 0.5)
    assert weigher(("size",))(one._replace(score=WORST)) == (WORST,)
    assert weigher(())(one) == ()
    assert weigher(("mine", "size"), {"mine": lambda _: (2.0,)})(one) == (2.0, -7.0)


FRONT = [(10.0, -20.0), (9.5, -6.0), (6.0, -3.0), (1.0, -1.0)]


def test_rules_choose_as_they_say() -> None:
    assert first(FRONT, [0.0] * 4) == 0
    assert knee(FRONT, [0.0] * 4) == 1
    assert one_standard_error(FRONT, [0.0] * 4) == 0
    assert one_standard_error(FRONT, [0.6] * 4) == 1
    assert one_standard_error(FRONT, [5.0] * 4) == 2
    assert all(rule([(1.0, WORST)], [0.0]) == 0 for rule in RULES.values())
    assert knee([(1.0, 5.0, 2.0), (0.0, 5.0, 4.0)], [0.0, 0.0]) == 0


def front_of(plan: FrontPlan, found: list[Individual[str]], champion: str) -> FrontTable:
    space: Any = SimpleNamespace(print=str, suffix=".txt")
    table, places = plan.front([(i, i) for i in found], champion, [i.genome.upper() for i in found], space)
    assert [found[place].number for place in places] == [row.number for row in table.rows]
    return table


def test_the_front_of_candidates_has_equal_ones_once() -> None:
    found = individuals([2.0, 2.0, 1.0, 3.0, 1.0], [4, 4, 1, 9, 8])
    front = front_of(FrontPlan(direction=-1.0), found, "g1")
    assert [(row.number, row.program) for row in front.rows] == [(3, "G3"), (0, "G0"), (2, "G2")]
    assert (front.objectives, front.better) == (("score", "size"), ("lower", "lower"))
    assert [row.objectives for row in front.rows] == [(-3.0, 9.0), (-2.0, 4.0), (-1.0, 1.0)]
    assert front.chosen is None
    assert front_of(FrontPlan(), found, "g2").chosen == 2
    wrong = FrontPlan(name="mine", rule=lambda points, errors: len(points))
    with pytest.raises(UsageError, match=r"the rule `mine` chose 3; the positions of the front are 0 to 2"):
        front_of(wrong, found, "g1")


def test_errors_that_hardly_differ_are_equal() -> None:
    found = individuals([0.9 + 1e-11, 0.9, 0.8, 1.0 - 1e-16, 1.0 - 3e-15], [7, 5, 3, 11, 9])
    numbers = {
        tolerance: [row.number for row in front_of(FrontPlan(tolerance=tolerance), found, "g0").rows]
        for tolerance in (None, 1e-12, 1e-9)
    }
    assert numbers == {None: [3, 4, 0, 1, 2], 1e-12: [4, 0, 1, 2], 1e-9: [4, 1, 2]}
    front = front_of(FrontPlan(tolerance=1e-9), found, "g0")
    assert [row.objectives for row in front.rows] == [(1.0 - 3e-15, 9.0), (0.9, 5.0), (0.8, 3.0)]
    assert front.chosen == 1, "the smaller of the two that are as good"


def test_a_program_pays_in_the_choice_alone() -> None:
    found = individuals([0.9, 0.8], [7, 5])
    plan = FrontPlan(rule=first, cost=lambda program: 0.2 if program == "G0" else 0.0)
    front = front_of(plan, found, "g0")
    assert ([row.objectives[0] for row in front.rows], front.chosen) == ([0.9, 0.8], 1)


def test_the_standard_error_is_that_of_trials_or_of_cases() -> None:
    one = individuals([0.5], [1])[0]._replace(trials=100)
    assert FrontPlan(bounds=(0.0, 1.0)).error(one) == pytest.approx(0.05)
    assert FrontPlan(bounds=(0.0, 1.0)).error(one._replace(trials=25)) == pytest.approx(0.1)
    assert FrontPlan().error(one) == 0.0
    assert FrontPlan().error(one._replace(cases=(1.0, 3.0))) == pytest.approx(1.0)


NSGA = replace(
    TOY,
    problem=Weighed(),
    hall=0,
    refinement=UNREFINED,
    parameters=replace(
        TOY.parameters, scheme=Plus(TOY.parameters.scheme.shares, ParetoTournament(), "pareto")
    ),
    front=FrontPlan(name="knee", rule=knee, names={"problem": ("left", "right")}),
)


def run_in(
    folder: Path, generations: int, *, resume: bool = False, workers: str = "1"
) -> RunResult[TreeProgram]:
    with executor_for(workers) as executor, toy_diary(folder, NSGA, resume=resume) as diary:
        return run_search(NSGA, executor, after_generations(generations), diary=diary)


def files(folder: Path) -> dict[str, bytes]:
    found = [*folder.glob("front*"), *(folder / FRONT_FOLDER).iterdir(), *(folder / "best").iterdir()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found if path.is_file()}


@pytest.mark.release
def test_a_run_stores_its_front_and_forgets_it_when_it_goes_on(tmp_path: Path) -> None:
    result = run_in(tmp_path / "run", 3)
    front = result.front
    assert front is not None
    assert front == read_front(tmp_path / "run")
    assert front.objectives == ("left", "right")
    points = [row.objectives for row in front.rows]
    assert len(points) > 1
    assert not any(dominates(a, b) for a in points for b in points)
    assert front.chosen == knee(points, [row.error for row in front.rows])
    assert result.champion.individual.number == front.rows[front.chosen].number
    programs = sorted(path.name for path in (tmp_path / "run" / FRONT_FOLDER).iterdir())
    assert len(programs) == len(front.rows)
    text = (tmp_path / "run" / FRONT_FOLDER / programs[0]).read_text()
    assert SPACE.parse(text) == SPACE.parse(front.rows[0].program)
    assert f"objectives: left {points[0][0]:.6g}, right {points[0][1]:.6g}" in text
    again = run_in(tmp_path / "run", 3, resume=True)
    assert (again.front, again.champion) == (front, result.champion)
    run_in(tmp_path / "run", 4, resume=True)
    assert read_front(tmp_path / "run") != front
    (tmp_path / "run" / FRONT_TABLE).write_text("{}")
    with pytest.raises(CheckpointError, match=r"front\.json is damaged"):
        read_front(tmp_path / "run")


@pytest.mark.slow
def test_the_front_is_the_same_for_any_workers_and_any_interruption(tmp_path: Path) -> None:
    whole = run_in(tmp_path / "whole", 4)
    two = run_in(tmp_path / "two", 4, workers="2")
    run_in(tmp_path / "parts", 2)
    parts = run_in(tmp_path / "parts", 4, resume=True)
    assert whole.front == two.front == parts.front
    assert files(tmp_path / "whole") == files(tmp_path / "two") == files(tmp_path / "parts")


PARETO = 'scheme = {name = "plus", order = "pareto"}\nselection.name = "pareto"\n'


def configured(lines: str) -> Config:
    return parse_config('preset = "sevens"\n' + lines, shipped_presets())


def test_a_configuration_names_objectives_and_rule(tmp_path: Path) -> None:
    tables = configured(PARETO + 'front = {objectives = ["cases", "size"], choose = "one-se"}')
    config = replace(
        TINY,
        scheme=tables.scheme,
        selection=tables.selection,
        front=tables.front,
        fitness=replace(TINY.fitness, opponents=("random", "simple")),
    )
    result = evolve_tiny(tmp_path / "run", generations=2, config=config)
    assert result.front is not None
    assert result.front.objectives == ("against random", "against simple", "size")
    assert result.front.better == ("higher", "higher", "lower")
    assert all(row.error > 0.0 for row in result.front.rows)
    assert result.state.islands[0][0].objectives[2] == -result.state.islands[0][0].size
    data = json.loads((tmp_path / "run" / FRONT_TABLE).read_text())
    assert data["rows"][0]["program"] == result.front.rows[0].program
    assert result.front.members()[0]["file"] == "front/001.tree"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('front.choose = "knee"', r"\[front\] is for a run that weighs objectives"),
        (PARETO + 'front.choose = "kne"', r"front\.choose: there is no rule `kne`; did you mean `knee`\?"),
        (PARETO + 'front.objectives = ["sise"]', r"there is no objective `sise`; did you mean `size`\?"),
        (PARETO + 'front.objectives = ["size", "size"]', r"names an objective twice"),
    ],
)
def test_wrong_tables_are_refused(lines: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        resolve(configured(lines)).search()

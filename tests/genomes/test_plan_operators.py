"""Operators on plans: valid children, parents untouched, parameters apart from structure, rates."""

from collections import Counter
from typing import Any

import pytest
from generated_plans import DOMAIN, program_of

from gpkit.core.rng import stream
from gpkit.evolution.config import shipped_presets
from gpkit.games.build_order.game import GAME
from gpkit.games.build_order.primitives import PLANS
from gpkit.genomes.plan import (
    Chance,
    Decide,
    PlanProgram,
    Sequence,
    crossover,
    hoist,
    mutate_branch,
    opposite,
    random_sequence,
    steps,
    subtrees,
    swap,
    with_subtree,
)
from gpkit.languages.execution.forms.evolution import (
    OPERATORS,
    PlanRepresentation,
    PlanSettings,
    part_text,
    place_text,
    representation,
)
from gpkit.languages.execution.forms.playing import visits
from gpkit.languages.execution.interpreter import holds
from gpkit.languages.execution.simplify import without_dead_weight
from gpkit.languages.execution.text import parse

SPACE = PlanRepresentation(DOMAIN, PLANS, PlanSettings(plans=2, max_nesting=6), max_size=60)
PARAMETERS = ("action", "count", "scale", "step", "comparison", "feature", "chance")


def shape(sequence: Sequence) -> Any:
    return tuple((type(step).__name__, *map(shape, step.held)) for step in sequence)


@pytest.mark.parametrize("name", SPACE.operators)
def test_operators_are_repeatable_and_leave_their_parents(name: str) -> None:
    changed = 0
    for seed in range(40):
        parents = [SPACE.create(stream(seed, "p", n), n) for n in range(SPACE.parents(name))]
        texts = [SPACE.print(parent) for parent in parents]
        child = SPACE.vary(stream(seed, "v"), name, parents)
        assert child == SPACE.vary(stream(seed, "v"), name, parents)
        assert [SPACE.print(parent) for parent in parents] == texts
        assert not child.genome.plans[0] or SPACE.parse(SPACE.print(child.genome)) == child.genome
        pairs = list(zip(child.genome.names, child.genome.plans, parents[0].plans, strict=True))
        assert {n for n, after, before in pairs if after != before} <= {n for n, _ in child.places}
        if name in PARAMETERS:
            assert [shape(after) for _, after, _ in pairs] == [shape(before) for _, _, before in pairs]
        for section, place in child.places:
            assert place_text(section, place)
            part_text(child.genome, section, place)
        changed += child.genome != parents[0]
    assert changed == 0 if name == "clone" else changed > 10


def test_subtrees_are_put_back_where_they_were() -> None:
    for seed in range(50):
        plan = program_of(seed).plans[0]
        found = list(subtrees(plan))
        assert [each[0] for each in found if each] == list(steps(plan))
        for place, each in enumerate(found):
            assert with_subtree(plan, place, each) == plan


def test_branches_are_replaced_everywhere_by_small_ones() -> None:
    plan = parse("do drone\nrepeat 2\n  do queen\nend\n").program.plans[0]
    places = Counter(mutate_branch(stream(seed, "b"), plan, DOMAIN).position for seed in range(1500))
    assert sorted(places) == [0, 1, 2, 3, 4]
    assert min(places.values()) > 230  # of 300; five standard deviations are 77
    for seed in range(100):
        donor = random_sequence(stream(seed, "s"), DOMAIN, 2)
        assert max(1 + len(part) for step in donor for part in [step.held]) <= 3
        assert sum(bool(step.held) for step in steps(donor)) <= 1


def test_crossover_takes_branches_of_the_donor() -> None:
    plan, donor = (parse(text).program.plans[0] for text in ("do drone\ndo drone", "do queen\ndo scout"))
    children = {crossover(stream(seed, "c"), plan, donor).part for seed in range(200)}
    assert children == {plan[:k] + donor[j:] for k in range(3) for j in range(3)}


def test_hoisted_plans_are_smaller() -> None:
    for seed in range(100):
        plan = program_of(seed).plans[0]
        assert sum(1 for _ in steps(hoist(stream(seed, "h"), plan).part)) < sum(1 for _ in steps(plan))


def test_swapped_decisions_decide_as_before() -> None:
    swapped = 0
    for seed in range(200):
        plan = program_of(seed).plans[0]
        place = swap(stream(seed, "s"), plan).position
        before, after = (list(subtrees(each))[place] for each in (plan, swap(stream(seed, "s"), plan).part))
        match before[:1], after[:1]:
            case (Decide() as old,), (Decide() as new,):
                assert (new.yes, new.no, new.test) == (old.no, old.yes, opposite(old.test))
                for value in (-4.0, -3.0, 0.0, 0.25, 7.0, 30.0, 1e30):
                    assert holds(new.test, lambda _, v=value: v) != holds(old.test, lambda _, v=value: v)
                swapped += 1
            case (Chance() as old,), (Chance() as new,):
                assert (new.yes, new.no, new.probability) == (old.no, old.yes, 1.0 - old.probability)
                swapped += 1
    assert swapped > 20


def test_first_plans_are_repeatable_and_keep_the_limits() -> None:
    plans = [SPACE.create(stream(1, "c", index), index) for index in range(100)]
    assert plans == [SPACE.create(stream(1, "c", index), index) for index in range(100)]
    assert all(map(SPACE.admits, plans))
    assert all(plan.names == ("", "first", "second") for plan in plans)
    assert {type(step).__name__ for plan in plans for each in plan.plans for step in steps(each)} == {
        *("Do", "Use", "Wait", "Repeat", "While", "Decide", "Chance")
    }


def test_limits_refuse_circles_and_what_does_nothing() -> None:
    circle = parse("use army\n\nplan army:\n  use army\n").program
    assert not SPACE.admits(circle)
    assert not SPACE.admits(PlanProgram(("",), ((),)))


def test_the_preset_names_operators_and_takes_thresholds_from_games() -> None:
    space = representation(shipped_presets()["plans"], GAME, PLANS.alphabet("plans"))
    assert set(shipped_presets()["plans"].operators) <= set(OPERATORS)
    assert {each.name: each.cuts for each in space.domain.features}["env.pool"] == (0.5,)


def test_dead_weight_is_cut_and_the_games_stay() -> None:
    program = parse(
        "do drone\ndecide env.tick > 300\n  yes:\n    do queen\n  no:\n    do spawning_pool\n    repeat 9\n"
        "      do zerglings\n    end\n    do queen\n    use army\n\nplan army:\n  do scout\n"
    ).program
    rules = GAME.make_rules({})
    deals = GAME.deal(stream(0, "deals"), 2, rules)
    found = visits(program, GAME, deals, rules)
    places = {(number, k) for number, plan in enumerate(program.plans) for k, _ in enumerate(steps(plan))}
    assert places - {place for place, _ in found} == {(0, 2), (0, 6), (0, 7), (1, 0)}
    light = without_dead_weight(program, found)
    assert (
        light.plans[0] == parse("do drone\ndo spawning_pool\nrepeat 9\n  do zerglings\nend").program.plans[0]
    )
    assert len({place for place, _ in visits(light, GAME, deals, rules)}) == len(light)
    space = representation(shipped_presets()["plans"], GAME, PLANS.alphabet("plans"))
    assert space.simplify(program).plans == light.plans[:1]

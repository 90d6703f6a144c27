"""Plans: interpreter, machine and kernel agree, and simplified plans play the same games."""

import numpy as np
import pytest
from case_files import case_text
from generated_plans import programs
from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.core.rng import stream
from gpkit.games.build_order.game import GAME, attack_of, follow_plan, play_plan
from gpkit.games.build_order.kernel.things import ACTIONS, WAIT
from gpkit.games.build_order.primitives import FEATURES, OFFERS, PLANS
from gpkit.games.build_order.rules import BuildOrderRules, BuildOrderState
from gpkit.games.build_order.sensors import features
from gpkit.genomes.comparisons import Range
from gpkit.genomes.plan import PlanProgram, downward, downward_places, leaves
from gpkit.languages.execution.compiler import compile_program
from gpkit.languages.execution.forms.playing import follow
from gpkit.languages.execution.interpreter import interpret
from gpkit.languages.execution.language import LANGUAGE
from gpkit.languages.execution.simplify import simplify
from gpkit.languages.execution.text import format_source, parse, print_program
from gpkit.playing.players import player_of_name, player_of_text
from gpkit.vm.keyed import CHANCES, KeyedDraws

BOUNDS = {sensor.name: Range(sensor.low, sensor.high, sensor.integer) for sensor in FEATURES}
NAMES = [sensor.name for sensor in FEATURES]


def interpreted(program: PlanProgram, rules: BuildOrderRules, key: int) -> list[tuple[int, str]]:
    """The ticks and orders of a plan by its interpreter."""
    state = BuildOrderState.begin(attack_of(key, rules), rules)
    found = []

    def sense(feature: str) -> float:
        return dict(zip(NAMES, features(state), strict=True))[feature]

    for executed in interpret(program, sense, KeyedDraws(key, CHANCES).random):
        if executed.asks:
            action = WAIT if executed.asks == "tick" else ACTIONS.index(executed.step.action)
            found.append((state.tick, ACTIONS[action]))
            if action not in state.legal_actions():
                break
            state = state.apply(action)
            if state.is_terminal:
                break
    return found


RULES = [
    BuildOrderRules.from_options(each) for each in ({"horizon": "90"}, {"horizon": "430", "attack": "random"})
]


@settings(max_examples=25, deadline=None)
@given(program=programs, rules=st.sampled_from(RULES), key=st.integers(0, 99))
def test_interpreter_machine_and_kernel_agree(program: PlanProgram, rules: BuildOrderRules, key: int) -> None:
    compiled = compile_program(program, PLANS)
    attack = attack_of(key, rules)
    followed = list(follow_plan(compiled, BuildOrderState.begin(attack, rules), key))
    wanted = interpreted(program, rules, key)
    assert [(state.tick, ACTIONS[action]) for state, action in followed][: len(wanted)] == wanted
    assert {action for _, action in followed[len(wanted) :]} <= {WAIT}
    state, action = followed[-1]
    last = state.apply(action) if action in state.legal_actions() else state.stuck()
    ends = play_plan(compiled, np.array([[attack.tick, attack.size]]), np.array([key]), rules)
    assert (ends[0, 0], ends[0, 2]) == (*last.returns(), last.tick)


@settings(max_examples=60, deadline=None)
@given(program=programs, key=st.integers(0, 99))
def test_simplified_plans_play_the_same_games(program: PlanProgram, key: int) -> None:
    simple = simplify(program, BOUNDS)
    assert len(simple) <= len(program)
    assert simplify(simple, BOUNDS) == simple
    keys = np.arange(key, key + 8)
    for rules in RULES:
        attacks = np.array([[each.tick, each.size] for each in (attack_of(k, rules) for k in keys.tolist())])
        games = [play_plan(compile_program(each, PLANS), attacks, keys, rules) for each in (program, simple)]
        assert np.array_equal(*games)
        assert interpreted(simple, rules, key) == interpreted(program, rules, key)


@pytest.mark.parametrize(
    ("test", "simple"),
    [
        ("food > 0.6 or food > 0.3", "food > 0.3"),
        ("food > 0.3 or food > 0.6", "food > 0.3"),
        ("food > 0.6 and food > 0.3", "food > 0.6"),
        ("food <= 0.2 and food < 0.9", "food <= 0.2"),
        ("food > 2.0 or rock > 0.0", "rock > 0.0"),
        ("food < 2.0 and rock > 0.0", "rock > 0.0"),
        ("food > 0.6 or food < 0.3", ""),
        ("food > 0.3 and rock > 0.6", ""),
    ],
)
@pytest.mark.parametrize("step", ["decide {}\n  yes:\n    do left\n  no:\n    do right\n", "wait {} max 3\n"])
def test_a_comparison_that_follows_from_the_other_goes(test: str, simple: str, step: str) -> None:
    bounds = {name: Range(0.0, 1.0) for name in ("food", "rock")}
    program = parse(step.format(test)).program
    assert simplify(program, bounds) == parse(step.format(simple or test)).program


def test_certain_chances_draw_no_number() -> None:
    certain, one = (parse(text).program for text in ("chance 1\n  yes:\n    do drone\n  no:\n", "do drone"))
    later = parse("chance 0.5\n  yes:\n  no:\n").program
    assert simplify(certain, {}) == one
    assert simplify(later, {}) == later


@settings(max_examples=50)
@given(programs)
def test_canonical_layout_has_no_error_and_indents_every_branch(program: PlanProgram) -> None:
    found = LANGUAGE.check(parse(print_program(program)), OFFERS)
    assert all(each.code != "W348" and each.severity != "error" for each in found)


def codes_of(text: str) -> set[str]:
    return {found.code for found in LANGUAGE.check(parse(text), OFFERS)}


UPWARDS = case_text("games/upwards.plan")


def test_plans_are_executed_from_a_leaf_to_the_root() -> None:
    program = parse(UPWARDS).program
    assert leaves(program) == ("queen", "hatchery", "zerglings")
    queen, places = downward_places(program, "queen")
    wanted = "do queen\nrepeat 2\n  wait env.tick > 5 max 9\n  do drone\nend\nuse army\n"
    wanted += "plan army:\n  do overlord\n  do zerglings"
    assert queen == parse(wanted).program
    assert places == ((6, 2, 4, 3, 0), (1, 0))
    assert downward(program, "zerglings").plans[0] == parse("do spawning_pool\nuse army").program.plans[0]
    assert downward(program, "nobody") == queen
    assert format_source(parse(UPWARDS)) == UPWARDS
    assert parse(print_program(program)).program == program
    assert codes_of(UPWARDS) == set()


@pytest.mark.parametrize("goal", ["drone=8", "zerglings=2", "queen=1"])
def test_the_goal_chooses_the_leaf(goal: str) -> None:
    program = parse(UPWARDS).program
    rules = BuildOrderRules.from_options({"goal": goal, "horizon": "300"})
    start = goal.partition("=")[0]
    compiled = LANGUAGE.compile(program, {}, PLANS)[PLANS.starts.index(start)]
    nothing, key = np.zeros((1, 2), dtype=np.int64), np.ones(1, dtype=np.int64)
    same = compile_program(downward(program, start), PLANS)
    assert np.array_equal(play_plan(compiled, nothing, key, rules), play_plan(same, nothing, key, rules))
    player = player_of_text(UPWARDS, GAME, filename="up.plan")
    enemy = player_of_name("enemy", GAME)
    deals = GAME.deal(stream(1, "deals"), 2, rules)
    scores = GAME.play([player, enemy], deals, rules).values
    assert scores[0, 0] == play_plan(same, nothing, key, rules)[0, 0]
    moments = list(follow(program, GAME, GAME.view, GAME.begin([], deals, rules), deals))
    assert moments[-1].after.returns()[0] == scores[0, 0]
    assert moments[0].executed.place[0] == 0
    assert moments[0].executed.place[1] in (6, 7)

"""Trees whose leaves name actions: which they want next, the same as values, and as programs of the build order."""

from dataclasses import replace

import numpy as np
import pytest
from kernel_marks import compiled_only

from gpkit.core.errors import UsageError
from gpkit.core.primitives import action_sensor
from gpkit.core.rng import stream
from gpkit.evolution.config import shipped_presets
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.loop import evolve
from gpkit.evolution.subjects import resolve
from gpkit.export.subject import Subject
from gpkit.games.build_order.game import ENEMY, GAME
from gpkit.games.build_order.kernel.things import ACTIONS
from gpkit.games.build_order.primitives import CHOICES
from gpkit.genomes.comparisons import Comparison
from gpkit.genomes.decision import Chance, DecisionProgram, DecisionTree, decision_tree, inner, leaf
from gpkit.languages.decision.forms.exports import comparable
from gpkit.languages.decision.interpreter import evaluate, node_values, preferences, valued
from gpkit.languages.decision.language import LANGUAGE
from gpkit.languages.decision.text import parse
from gpkit.playing.decisions import choose
from gpkit.playing.players import player_of_name, player_of_program
from tests.decision_trees import random_tree, seeded

NAMES = ("drone", "overlord", "queen", "wait")
FEATURES = ("env.drones", "env.minerals", "env.free", "env.making_pool")


def choices(seed: int, names: tuple[str, ...] = NAMES, *, depth: int = 4) -> DecisionTree:
    """A random tree of every kind of node whose leaves are actions."""
    rng = seeded(seed)
    tree = random_tree(rng, depth, FEATURES)
    return decision_tree([rng.choice(names) if isinstance(node, float) else node for node in tree.symbols])


def test_a_leaf_wants_its_siblings_next_and_every_action_once() -> None:
    for seed in range(200):
        tree = choices(seed)
        for position, node in enumerate(tree.symbols):
            if isinstance(node, str):
                wanted = preferences(tree, position)
                assert wanted[0] == node
                assert sorted(wanted) == sorted(set(tree.leaves))
    low = inner(Comparison("a", "<", 1.0), leaf("wait"), leaf("queen"))
    tree = inner(Chance(0.5), leaf("drone"), low)
    assert preferences(tree, 3) == ("wait", "queen", "drone")
    assert preferences(tree, 1) == ("drone", "wait", "queen")


def test_values_of_candidates_say_the_same() -> None:
    for seed in range(100):
        tree, rng = choices(seed), seeded(seed + 1000)
        env = {name: float(rng.randint(-1, 9)) for name in FEATURES}
        numbers = [rng.random() for _ in range(tree.draws)]
        for candidate in (*NAMES, "scout"):
            seen = env | {action_sensor(name): float(name == candidate) for name in NAMES}
            value = evaluate(tree, seen, iter(numbers).__next__)
            assert value == evaluate(valued(tree), seen, iter(numbers).__next__)
            assert value in node_values(tree, seen, iter(numbers).__next__).values()
            assert (value > 0.0) == (candidate in tree.leaves)


@compiled_only
def test_kernel_and_readable_rules_play_the_same_games() -> None:
    for seed in range(8):
        program = DecisionProgram(("order",), (choices(seed, ACTIONS, depth=3),))
        player, enemy = player_of_program(program, GAME, "choices"), player_of_name(ENEMY, GAME)
        rules = GAME.make_rules(
            {"horizon": "420", "attack": "random"} if seed % 4 == 0 else {"horizon": "120"}
        )
        deals = GAME.deal(stream(seed, "deals"), 3, rules)
        scores = GAME.play([player, enemy], deals, rules).values[:, 0]
        for number in range(3):
            one = deals[number : number + 1]
            state = GAME.begin([player, enemy], one, rules)
            while not state.is_terminal:
                state = state.apply(choose(GAME, player, state, one))
            assert state.returns()[0] == scores[number]


def test_a_chance_is_asked_once_for_all_orders() -> None:
    tree = inner(Chance(0.5), leaf("drone"), leaf("overlord"))
    (program,) = LANGUAGE.compile(DecisionProgram(("order",), (tree,)), {}, CHOICES)
    player = player_of_program(DecisionProgram(("order",), (tree,)), GAME, "coin")
    rules = GAME.make_rules({})
    deals = GAME.deal(stream(1, "deals"), 200, rules)
    first = [
        choose(GAME, player, GAME.begin([], deals[k : k + 1], rules), deals[k : k + 1]) for k in range(200)
    ]
    assert program.inputs[-1] == "once#0"
    assert set(first) == {ACTIONS.index("drone"), ACTIONS.index("overlord")}
    assert 70 < first.count(0) < 130


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("order: drne", "E367"),
        ("order: 1.5", "E367"),
        ("order: test env.now > 0 yes: drone no: wait", "E368"),
        ("order: test env.dronse > 3 yes: drone no: wait", "E360"),
        ("order: drone", ""),
    ],
)
def test_findings(text: str, code: str) -> None:
    found = LANGUAGE.check(parse(text), GAME.offers)
    assert [each.code for each in found] == ([code] if code else [])


def test_the_text_to_start_from_plays() -> None:
    source = parse(LANGUAGE.template(CHOICES))
    assert LANGUAGE.check(source, GAME.offers) == ()
    assert source.program.trees[0].leaves == ("drone", "wait")


@pytest.mark.release
@compiled_only
def test_evolution_orders_as_fast_as_can_be() -> None:
    config = replace(
        shipped_presets()["build_order"],
        alphabet="choices",
        representation=replace(shipped_presets()["decisions"].representation, max_leaves=6),
        operators={"branch": 0.4, "crossover": 0.3, "leaf": 0.3},
        population=replace(shipped_presets()["build_order"].population, size=60),
        refinement=replace(shipped_presets()["build_order"].refinement, rounds=1, candidates=5),
        stop=replace(shipped_presets()["build_order"].stop, generations=3),
    )
    result = evolve(resolve(config), SerialExecutor())
    space = resolve(config).representation
    program = result.champion.individual.genome
    assert space.simplify(program) == program  # leaves that are not reached are asked, too
    assert -result.champion.score < 200
    assert set(program.trees[0].leaves) <= set(ACTIONS)


def test_features_are_those_of_the_moment() -> None:
    space = resolve(
        replace(
            shipped_presets()["build_order"],
            alphabet="choices",
            representation=shipped_presets()["decisions"].representation,
        )
    ).representation
    shared = {sensor.name for sensor in CHOICES.sensors if sensor.shared}
    assert {feature.name for feature in space.domain.features} <= shared
    assert space.domain.classes == ACTIONS
    assert (
        np.unique(
            [len(tree.leaves) for n in range(20) for tree in space.create(stream(1, "c", n), n).trees]
        ).max()
        > 3
    )


def test_exports_value_the_actions() -> None:
    subject = Subject(
        DecisionProgram(("order",), (inner(Comparison("env.free", "<", 1.0), leaf("wait"), leaf("drone")),)),
        primitives=CHOICES,
    )
    assert not any(
        isinstance(node, str) for tree in comparable(subject, "").program.trees for node in tree.leaves
    )
    chance = replace(
        subject, program=DecisionProgram(("order",), (inner(Chance(0.5), leaf("wait"), leaf("drone")),))
    )
    with pytest.raises(UsageError, match="drawn once for all actions"):
        comparable(chance, "remove it")

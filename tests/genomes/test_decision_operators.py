"""Operators on decision trees: valid children, parents untouched, and parameters apart from structure."""

from collections import Counter

import numpy as np
import pytest

from gpkit.core.rng import stream
from gpkit.evolution.sensor_samples import sensor_samples
from gpkit.games.sevens.game import GAME
from gpkit.genomes.comparisons import Comparison, Feature, cuts_of
from gpkit.genomes.decision import (
    Chance,
    DecisionDomain,
    DecisionProgram,
    inner,
    leaf,
    mutate_branch,
    mutate_leaf,
    random_decision,
    scale_threshold,
    step_threshold,
    swap,
)
from gpkit.languages.decision.forms.evolution import OPERATORS, DecisionRepresentation, DecisionSettings
from gpkit.languages.decision.interpreter import evaluate

DOMAIN = DecisionDomain(
    (Feature("a", (0.5, 1.5, 2.5, 3.5)), Feature("b", (-1.0, 0.0, 1.0))), switches=0.2, chances=0.1
)
SPACE = DecisionRepresentation(DOMAIN, ("play", "send"), DecisionSettings(max_leaves=12, max_depth=6))
PARAMETERS = ("scale", "step", "comparison", "feature", "chance", "leaf")


@pytest.mark.parametrize("name", SPACE.operators)
@pytest.mark.parametrize("scope", ["one", "each"])
def test_operators_are_repeatable_and_leave_their_parents(name: str, scope: str) -> None:
    space = DecisionRepresentation(DOMAIN, ("play", "send"), DecisionSettings(scope=scope))  # type: ignore[arg-type]
    changed = 0
    for seed in range(40):
        parents = [space.create(stream(seed, "p", n), n) for n in range(space.parents(name))]
        texts = [space.print(parent) for parent in parents]
        child = space.vary(stream(seed, "v"), name, parents)
        assert child == space.vary(stream(seed, "v"), name, parents)
        assert [space.print(parent) for parent in parents] == texts
        assert space.parse(space.print(child.genome)) == child.genome
        pairs = list(zip(child.genome.names, child.genome.trees, parents[0].trees, strict=True))
        assert {n for n, after, before in pairs if after != before} <= {n for n, _ in child.places}
        if name in PARAMETERS:
            assert [after.sizes for _, after, _ in pairs] == [before.sizes for _, _, before in pairs]
        changed += child.genome != parents[0]
    assert (changed > 5) == (name != "clone")


def test_the_first_generation_keeps_the_limits() -> None:
    programs = [SPACE.create(stream(1, "create", n), n) for n in range(60)]
    assert all(map(SPACE.admits, programs))
    leaves = Counter(len(tree.leaves) for program in programs for tree in program.trees)
    assert max(leaves) > 6
    wide = random_decision(stream(1, "wide"), DOMAIN, 5, full=True)
    assert len(wide.leaves) > 12
    assert not SPACE.admits(DecisionProgram(("play", "send"), (wide, leaf(1.0))))


def test_a_branch_is_replaced_by_at_most_two_levels() -> None:
    tree = random_decision(stream(1, "tree"), DOMAIN, 4, full=True)
    for seed in range(100):
        child, position = mutate_branch(stream(seed, "branch"), tree, DOMAIN)
        assert child.subtree(position).depth <= 2


def test_swapped_branches_decide_alike() -> None:
    for seed in range(60):
        rng = stream(seed, "swap")
        tree = random_decision(rng, DecisionDomain(DOMAIN.features, switches=0.2), 4)
        child, _ = swap(rng, tree)
        for a in (0.0, 0.5, 1.0, 1.5, 4.0, float("nan")):
            env = {"a": a, "b": 1.0 - a}
            assert evaluate(child, env, rng.random) == evaluate(tree, env, rng.random)
    child, _ = swap(stream(1, "chance"), inner(Chance(0.25), leaf(1.0), leaf(2.0)))
    assert child == inner(Chance(0.75), leaf(2.0), leaf(1.0))


def test_thresholds_are_multiplied_or_step_along_the_cuts() -> None:
    tree = inner(Comparison("a", "<=", 2.0), leaf(1.0), leaf(2.0))

    def threshold(variant) -> float:
        node = variant.part.symbols[0]
        assert isinstance(node, Comparison)
        return node.threshold

    scaled = [threshold(scale_threshold(stream(n, "scale"), tree)) for n in range(300)]
    assert 1.0 <= min(scaled) < 1.1
    assert 3.6 < max(scaled) <= 4.0
    stepped = Counter(threshold(step_threshold(stream(n, "step"), tree, DOMAIN, most=1)) for n in range(300))
    assert set(stepped) == {1.5, 2.5}
    assert abs(stepped[1.5] - 150) < 40


def test_leaves_change_by_a_share_of_the_range_or_to_another_class() -> None:
    changes = [mutate_leaf(stream(n, "leaf"), leaf(1.0), DOMAIN).part.symbols[0] for n in range(500)]
    assert abs(float(np.std(changes)) - 2.0) < 0.3  # a fifth of -5 to 5
    classes = DecisionDomain(DOMAIN.features, ("x", "y", "z"))
    assert {mutate_leaf(stream(n, "leaf"), leaf("x"), classes).part.symbols[0] for n in range(50)} == {
        "y",
        "z",
    }


def test_cuts_lie_between_what_was_observed() -> None:
    assert cuts_of(np.array([3.0, 1.0, 1.0, 2.0])) == (1.5, 2.5)
    assert cuts_of(np.array([5.0, 5.0])) == ()
    many = cuts_of(np.arange(1000.0))
    assert len(many) == 15
    assert many == tuple(sorted(many))


def test_random_games_of_sevens_show_every_sensor() -> None:
    seen = sensor_samples(GAME, GAME.make_rules({}))
    assert len(seen) == 22
    assert set(cuts_of(seen["env.safe"])) == {0.5}
    assert len({len(values) for values in seen.values()}) == 1


def test_simplified_programs_keep_their_sections() -> None:
    program = SPACE.create(stream(5, "create"), 0)
    assert SPACE.simplify(program).names == program.names
    assert SPACE.tweak(stream(1, "tweak"), program, 1.0) != program
    assert set(SPACE.operators) == set(OPERATORS) - {"grow", "test"}, "which are for fits alone"

"""Random decision trees, and the variation of one: of its structure, and apart from that of its parameters.

Parameters are thresholds, comparisons, probabilities and leaves. Every operator takes its source of chance first,
leaves its arguments as they are, and returns the child with the position where it differs from its parent. A child may
equal its parent when there is nothing to vary.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from gpkit.core.rng import below
from gpkit.genomes.comparisons import HOLDS, Comparison, Feature, Sign, cuts_at, scale_of, scaled, stepped
from gpkit.genomes.decision import (
    INTERVALS,
    Chance,
    DecisionTree,
    Inner,
    Leaf,
    Node,
    Switch,
    decision_tree,
    inner,
    leaf,
)
from gpkit.genomes.tree import replace_subtree

_DRAWN: tuple[Sign, ...] = ("<=", ">")  # comparisons of random tests
_LEAF = 0.3  # share of leaves among the nodes of a random tree above its last level


@dataclass(frozen=True, slots=True)
class Domain:
    """Domain of random trees.

    Attributes:
        features: what they test, each with a cut at least; without any, trees are leaves.
        classes: the names that leaves have; without any, leaves are values from ``low`` to ``high``.
        switches: the share of switches among inner nodes.
        chances: the share of chances among inner nodes.
    """

    features: tuple[Feature, ...]
    classes: tuple[str, ...] = ()
    low: float = -5.0
    high: float = 5.0
    switches: float = 0.0
    chances: float = 0.0


class Variant(NamedTuple):
    """A child and the position, in the child, of the root of what changed (0 when the change is not in one place)."""

    tree: DecisionTree
    position: int


def random_leaf(rng: np.random.Generator, domain: Domain) -> Leaf:
    """A class, or a value."""
    if domain.classes:
        return domain.classes[below(rng, len(domain.classes))]
    return domain.low + (domain.high - domain.low) * float(rng.random()) + 0.0


def random_decision(
    rng: np.random.Generator, domain: Domain, depth: int, *, full: bool = False
) -> DecisionTree:
    """A random tree of at most ``depth`` levels, or when it is full of exactly so many."""
    nodes: list[Node] = []
    pending = [depth]  # the levels left for the nodes still to draw, the next one last
    while pending:
        levels = pending.pop()
        ends = levels <= 1 or not domain.features or (not full and levels < depth and rng.random() < _LEAF)
        node = random_leaf(rng, domain) if ends else _random_inner(rng, domain)
        nodes.append(node)
        if not isinstance(node, Leaf):
            pending.extend([levels - 1] * node.arity)
    return decision_tree(nodes)


def _random_inner(rng: np.random.Generator, domain: Domain) -> Inner:
    kind = float(rng.random())
    if kind < domain.chances:
        return Chance(float(rng.random()))
    feature = domain.features[below(rng, len(domain.features))]
    if kind < domain.chances + domain.switches and len(feature.cuts) > 1:
        count = 2 + below(rng, min(len(feature.cuts), INTERVALS[-1] - 1) - 1)
        chosen = rng.choice(len(feature.cuts), count, replace=False)
        return Switch(feature.name, tuple(feature.cuts[k] for k in sorted(chosen.tolist())))
    return Comparison(feature.name, _DRAWN[below(rng, 2)], feature.cuts[below(rng, len(feature.cuts))])


def mutate_branch(rng: np.random.Generator, tree: DecisionTree, domain: Domain, depth: int = 2) -> Variant:
    """Replace a random branch by a random tree of at most ``depth`` levels; every node is an equally likely branch."""
    position = below(rng, len(tree))
    donor = random_decision(rng, domain, 1 + below(rng, depth))
    return Variant(replace_subtree(tree, position, donor), position)


def crossover(rng: np.random.Generator, tree: DecisionTree, donor: DecisionTree) -> Variant:
    """Replace a random branch by a random branch of ``donor``; every node of both is equally likely."""
    position = below(rng, len(tree))
    return Variant(replace_subtree(tree, position, donor.subtree(below(rng, len(donor)))), position)


def hoist(rng: np.random.Generator, tree: DecisionTree) -> Variant:
    """Replace a random inner node by one of its branches: the child is smaller."""
    position = _one_of(rng, inner_positions(tree))
    if position is None:
        return Variant(tree, 0)
    branches = list(tree.children(position))
    kept = tree.subtree(branches[below(rng, len(branches))])
    return Variant(replace_subtree(tree, position, kept), position)


def prune(rng: np.random.Generator, tree: DecisionTree) -> Variant:
    """Replace a random inner node by a leaf of its own: the child is smaller."""
    position = _one_of(rng, inner_positions(tree))
    if position is None:
        return Variant(tree, 0)
    leaves = tree.subtree(position).leaves
    return Variant(replace_subtree(tree, position, leaf(leaves[below(rng, len(leaves))])), position)


def swap(rng: np.random.Generator, tree: DecisionTree) -> Variant:
    """Swap yes and no of a random test or chance and negate it, so that every decision stays.

    A chance is not negated exactly where 1 − p is rounded; its decisions stay alike, not the same.
    """
    position = _one_of(
        rng, [k for k in inner_positions(tree) if isinstance(tree.symbols[k], Comparison | Chance)]
    )
    if position is None:
        return Variant(tree, 0)
    node = tree.symbols[position]
    yes, no = (tree.subtree(child) for child in tree.children(position))
    negated: Inner
    if isinstance(node, Comparison):
        negated = node.opposite
    else:
        assert isinstance(node, Chance), "only they have the branches yes and no"
        negated = Chance(1.0 - node.probability)
    return Variant(replace_subtree(tree, position, inner(negated, no, yes)), position)


def scale_threshold(rng: np.random.Generator, tree: DecisionTree, octaves: float = 1.0) -> Variant:
    """Multiply the threshold of a random test, or a bound of a random switch, by 2^U(−octaves, octaves)."""
    position = _one_of(rng, threshold_positions(tree))
    if position is None:
        return Variant(tree, 0)
    factor = scale_of(float(rng.random()), octaves)
    return _with_threshold(rng, tree, position, lambda number: scaled(number, factor))


def step_threshold(rng: np.random.Generator, tree: DecisionTree, domain: Domain, most: int = 3) -> Variant:
    """Move the threshold of a random test, or a bound of a random switch, by up to ``most`` cuts of its feature."""
    position = _one_of(rng, threshold_positions(tree))
    if position is None:
        return Variant(tree, 0)
    node = tree.symbols[position]
    assert isinstance(node, Comparison | Switch), "only they have thresholds"
    cuts = cuts_at(domain.features, node.feature)
    steps = (1 + below(rng, most)) * (1 if rng.random() < 0.5 else -1)
    return _with_threshold(rng, tree, position, lambda number: stepped(number, cuts, steps))


def mutate_comparison(rng: np.random.Generator, tree: DecisionTree) -> Variant:
    """Give a random test another comparison."""
    position = _one_of(rng, [k for k, node in enumerate(tree.symbols) if isinstance(node, Comparison)])
    if position is None:
        return Variant(tree, 0)
    node = tree.symbols[position]
    assert isinstance(node, Comparison), "it was chosen as one"
    others = [sign for sign in HOLDS if sign != node.sign]
    return _with_node(tree, position, replace(node, sign=others[below(rng, len(others))]))


def mutate_feature(rng: np.random.Generator, tree: DecisionTree, domain: Domain) -> Variant:
    """Replace the feature of a random test by a random one, at one of its cuts."""
    position = _one_of(rng, [k for k, node in enumerate(tree.symbols) if isinstance(node, Comparison)])
    if position is None or not domain.features:
        return Variant(tree, 0)
    node = tree.symbols[position]
    assert isinstance(node, Comparison), "it was chosen as one"
    feature = domain.features[below(rng, len(domain.features))]
    threshold = feature.cuts[below(rng, len(feature.cuts))]
    return _with_node(tree, position, Comparison(feature.name, node.sign, threshold))


def mutate_chance(rng: np.random.Generator, tree: DecisionTree, spread: float = 0.1) -> Variant:
    """Change the probability of a random chance by a normal number, within 0 and 1."""
    position = _one_of(rng, [k for k, node in enumerate(tree.symbols) if isinstance(node, Chance)])
    if position is None:
        return Variant(tree, 0)
    node = tree.symbols[position]
    assert isinstance(node, Chance), "it was chosen as one"
    changed = node.probability + spread * float(rng.standard_normal())
    return _with_node(tree, position, Chance(min(max(changed, 0.0), 1.0)))


def mutate_leaf(rng: np.random.Generator, tree: DecisionTree, domain: Domain, spread: float = 0.2) -> Variant:
    """Give a random leaf another class, or change its value by a normal number, ``spread`` of the range of values."""
    position = _one_of(rng, [k for k, node in enumerate(tree.symbols) if isinstance(node, Leaf)])
    assert position is not None, "every tree has a leaf"
    node = tree.symbols[position]
    if isinstance(node, float):
        changed = node + spread * (domain.high - domain.low) * float(rng.standard_normal())
        return _with_node(tree, position, changed + 0.0)
    others = [name for name in domain.classes if name != node]
    return _with_node(tree, position, others[below(rng, len(others))]) if others else Variant(tree, 0)


def inner_positions(tree: DecisionTree) -> list[int]:
    """The positions of the inner nodes."""
    return [position for position, size in enumerate(tree.sizes) if size > 1]


def threshold_positions(tree: DecisionTree) -> list[int]:
    """The positions of the tests and switches."""
    return [position for position, node in enumerate(tree.symbols) if isinstance(node, Comparison | Switch)]


def _one_of(rng: np.random.Generator, positions: Sequence[int]) -> int | None:
    return positions[below(rng, len(positions))] if positions else None


def _with_node(tree: DecisionTree, position: int, node: Node) -> Variant:
    """The tree with another node of as many branches."""
    symbols = (*tree.symbols[:position], node, *tree.symbols[position + 1 :])
    return Variant(DecisionTree(symbols, tree.sizes), position)


def _with_threshold(
    rng: np.random.Generator, tree: DecisionTree, position: int, change: Callable[[float], float]
) -> Variant:
    """The tree with a threshold changed, or a bound of a switch as far as the bounds still rise."""
    node = tree.symbols[position]
    if isinstance(node, Comparison):
        return _with_node(tree, position, replace(node, threshold=change(node.threshold) + 0.0))
    assert isinstance(node, Switch), "only tests and switches have thresholds"
    place = below(rng, len(node.bounds))
    bounds = (*node.bounds[:place], change(node.bounds[place]) + 0.0, *node.bounds[place + 1 :])
    if any(low >= high for low, high in pairwise(bounds)):
        return Variant(tree, 0)
    return _with_node(tree, position, Switch(node.feature, bounds))

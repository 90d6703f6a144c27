"""Random decision trees, and the variation of one: of its structure, and apart from that of its parameters.

Parameters are thresholds, comparisons, probabilities and leaves. Every operator takes its source of chance first,
leaves its arguments as they are, and returns the child with the position where it differs from its parent. A child may
equal its parent when there is nothing to vary.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from gpkit.core.rng import below
from gpkit.genomes.comparisons import DRAWN, HOLDS, Comparison, Feature, cuts_at, scale_of, scaled, stepped
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
from gpkit.genomes.tree import Variant, replace_subtree

Varied = Variant[DecisionTree]

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
    return Comparison(feature.name, DRAWN[below(rng, 2)], feature.cuts[below(rng, len(feature.cuts))])


def mutate_branch(rng: np.random.Generator, tree: DecisionTree, domain: Domain, depth: int = 2) -> Varied:
    """Replace a random branch by a random tree of at most ``depth`` levels; every node is an equally likely branch."""
    position = below(rng, len(tree))
    donor = random_decision(rng, domain, 1 + below(rng, depth))
    return Variant(replace_subtree(tree, position, donor), position)


def hoist(rng: np.random.Generator, tree: DecisionTree) -> Varied:
    """Replace a random inner node by one of its branches: the child is smaller."""

    def hoisted(below_it: DecisionTree, node: Inner) -> DecisionTree:
        branches = list(below_it.children(0))
        return below_it.subtree(branches[below(rng, len(branches))])

    return _at(rng, tree, Inner, hoisted)


def prune(rng: np.random.Generator, tree: DecisionTree) -> Varied:
    """Replace a random inner node by a leaf of its own: the child is smaller."""

    def pruned(below_it: DecisionTree, node: Inner) -> DecisionTree:
        return leaf(below_it.leaves[below(rng, len(below_it.leaves))])

    return _at(rng, tree, Inner, pruned)


def swap(rng: np.random.Generator, tree: DecisionTree) -> Varied:
    """Swap yes and no of a random test or chance and negate it, so that every decision stays.

    A chance is not negated exactly where 1 − p is rounded; its decisions stay alike, not the same.
    """

    def swapped(below_it: DecisionTree, node: Comparison | Chance) -> DecisionTree:
        yes, no = (below_it.subtree(child) for child in below_it.children(0))
        negated = node.opposite if isinstance(node, Comparison) else Chance(1.0 - node.probability)
        return inner(negated, no, yes)

    return _at(rng, tree, Comparison | Chance, swapped)


def scale_threshold(rng: np.random.Generator, tree: DecisionTree, octaves: float = 1.0) -> Varied:
    """Multiply the threshold of a random test, or a bound of a random switch, by 2^U(−octaves, octaves)."""

    def changed(node: Comparison | Switch) -> Node | None:
        factor = scale_of(float(rng.random()), octaves)
        return _with_threshold(rng, node, lambda number: scaled(number, factor))

    return _node_at(rng, tree, Comparison | Switch, changed)


def step_threshold(rng: np.random.Generator, tree: DecisionTree, domain: Domain, most: int = 3) -> Varied:
    """Move the threshold of a random test, or a bound of a random switch, by up to ``most`` cuts of its feature."""

    def changed(node: Comparison | Switch) -> Node | None:
        cuts = cuts_at(domain.features, node.feature)
        steps = (1 + below(rng, most)) * (1 if rng.random() < 0.5 else -1)
        return _with_threshold(rng, node, lambda number: stepped(number, cuts, steps))

    return _node_at(rng, tree, Comparison | Switch, changed)


def mutate_comparison(rng: np.random.Generator, tree: DecisionTree) -> Varied:
    """Give a random test another comparison."""

    def changed(node: Comparison) -> Node:
        others = [sign for sign in HOLDS if sign != node.sign]
        return replace(node, sign=others[below(rng, len(others))])

    return _node_at(rng, tree, Comparison, changed)


def mutate_feature(rng: np.random.Generator, tree: DecisionTree, domain: Domain) -> Varied:
    """Replace the feature of a random test by a random one, at one of its cuts."""

    def changed(node: Comparison) -> Node | None:
        if not domain.features:
            return None
        feature = domain.features[below(rng, len(domain.features))]
        return Comparison(feature.name, node.sign, feature.cuts[below(rng, len(feature.cuts))])

    return _node_at(rng, tree, Comparison, changed)


def mutate_chance(rng: np.random.Generator, tree: DecisionTree, spread: float = 0.1) -> Varied:
    """Change the probability of a random chance by a normal number, within 0 and 1."""

    def changed(node: Chance) -> Node:
        probability = node.probability + spread * float(rng.standard_normal())
        return Chance(min(max(probability, 0.0), 1.0))

    return _node_at(rng, tree, Chance, changed)


def mutate_leaf(rng: np.random.Generator, tree: DecisionTree, domain: Domain, spread: float = 0.2) -> Varied:
    """Give a random leaf another class, or change its value by a normal number, ``spread`` of the range of values."""

    def changed(node: Leaf) -> Node | None:
        if isinstance(node, float):
            return node + spread * (domain.high - domain.low) * float(rng.standard_normal()) + 0.0
        others = [name for name in domain.classes if name != node]
        return others[below(rng, len(others))] if others else None

    return _node_at(rng, tree, Leaf, changed)


def _at(
    rng: np.random.Generator,
    tree: DecisionTree,
    kinds: Any,
    change: Callable[[DecisionTree, Any], DecisionTree],
) -> Varied:
    """Change the branch at a random node of some kinds; the tree stays where there is none."""
    position = _position(rng, tree, kinds)
    if position is None:
        return Variant(tree, 0)
    changed = change(tree.subtree(position), tree.symbols[position])
    return Variant(replace_subtree(tree, position, changed), position)


def _position(rng: np.random.Generator, tree: DecisionTree, kinds: Any) -> int | None:
    """The position of a random node of some kinds; None where there is none."""
    positions = [position for position, node in enumerate(tree.symbols) if isinstance(node, kinds)]
    return positions[below(rng, len(positions))] if positions else None


def _node_at(
    rng: np.random.Generator, tree: DecisionTree, kinds: Any, change: Callable[[Any], Node | None]
) -> Varied:
    """Change a random node of some kinds to one of as many branches, if there is one and something to change."""
    position = _position(rng, tree, kinds)
    if position is None or (other := change(tree.symbols[position])) is None:
        return Variant(tree, 0)
    symbols = (*tree.symbols[:position], other, *tree.symbols[position + 1 :])
    return Variant(DecisionTree(symbols, tree.sizes), position)


def _with_threshold(
    rng: np.random.Generator, node: Comparison | Switch, change: Callable[[float], float]
) -> Node | None:
    """The node with its threshold changed, or one of its bounds; None where the bounds would no longer rise."""
    if isinstance(node, Comparison):
        return replace(node, threshold=change(node.threshold) + 0.0)
    place = below(rng, len(node.bounds))
    bounds = (*node.bounds[:place], change(node.bounds[place]) + 0.0, *node.bounds[place + 1 :])
    rises = all(low < high for low, high in pairwise(bounds))
    return Switch(node.feature, bounds) if rises else None

"""Decision trees as genomes: nodes and variation operators.

The parameters of a tree are its thresholds, comparison operators, probabilities and leaves. Every variation operator
takes the random generator as its first argument, does not change its arguments, and returns the child with the position
of the change. If there is nothing to vary, the child can equal its parent.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from gpkit.core.registry import language_of_genome
from gpkit.core.rng import below
from gpkit.genomes.comparisons import DRAWN, HOLDS, Comparison, Feature, cuts_at, scale_of, scaled, stepped
from gpkit.genomes.tree import Computed, FlatTree, Sections, Variant, replace_subtree, sensors_of

Leaf = float | str
"""A leaf: a value, or the name of a class or an action."""

INTERVALS = range(2, 7)
"""The possible numbers of intervals of a switch."""


@dataclass(frozen=True, slots=True)
class Switch:
    """An inner node with a branch for each interval of a feature's values: one below each bound, and one for the rest.

    It has one to five ``bounds``, in ascending order.
    """

    feature: str
    bounds: tuple[float, ...]

    @property
    def arity(self) -> int:
        """The number of intervals, which is also the number of branches."""
        return len(self.bounds) + 1

    def branch(self, value: float) -> int:
        """The branch for a value of the feature: the first interval with a bound above it, or the last interval."""
        return next((k for k, bound in enumerate(self.bounds) if not bound <= value), len(self.bounds))


@dataclass(frozen=True, slots=True)
class Chance:
    """An inner node that takes the branch yes with a given probability, from 0 to 1, and otherwise the branch no."""

    probability: float

    arity: ClassVar[int] = 2
    feature: ClassVar[str] = ""  # it reads a random number instead of a feature

    @property
    def bounds(self) -> tuple[float]:
        """The probability as a tuple of one bound, because all inner nodes have bounds."""
        return (self.probability,)

    def branch(self, number: float) -> int:
        """The branch for a random number in [0, 1): 0 for yes, 1 for no."""
        return 0 if not self.probability <= number else 1


Inner = Comparison | Switch | Chance
Node = Inner | Leaf


class DecisionTree(FlatTree[Node]):
    """A decision tree in prefix order: each inner node comes before its branches."""

    language: ClassVar[str] = language_of_genome("decision")

    @property
    def inner(self) -> Iterator[tuple[int, Inner]]:
        """Yield the inner nodes with their positions."""
        return ((place, node) for place, node in enumerate(self.symbols) if not isinstance(node, Leaf))

    @property
    def reads(self) -> tuple[str, ...]:
        """The sensors that the tree reads, in order of first use."""
        return tuple(dict.fromkeys(name for _, node in self.inner for name in sensors_of(node.feature)))

    @property
    def computed(self) -> tuple[Computed, ...]:
        """The features that formulas compute, in order of first use."""
        features = dict.fromkeys(node.feature for _, node in self.inner)
        return tuple(feature for feature in features if isinstance(feature, Computed))

    @property
    def called(self) -> Sequence[object]:
        """Symbols of formulas, among which are the functions that the tree calls."""
        return [symbol for feature in self.computed for symbol in feature.tree.symbols]

    @cached_property
    def chances(self) -> tuple[int, ...]:
        """The number of chance nodes above each node; for a chance node, it is also the index of its random number."""
        counts = [0] * len(self)
        for position, node in self.inner:
            for child in self.children(position):
                counts[child] = counts[position] + (not node.feature)
        return tuple(counts)

    @property
    def draws(self) -> int:
        """The maximum number of random numbers that one evaluation draws."""
        return max(self.chances)  # every chance node has a leaf below it

    @property
    def ends(self) -> list[int]:
        """The positions of the leaves from left to right."""
        return [position for position, size in enumerate(self.sizes) if size == 1]

    @property
    def leaves(self) -> tuple[Leaf, ...]:
        """The leaves from left to right."""
        return tuple(node for node in self.symbols if isinstance(node, Leaf))


@dataclass(frozen=True, slots=True)
class DecisionProgram(Sections[DecisionTree]):
    """A program with a decision tree for each decision of a game; ``language`` is the name of its language."""

    language: ClassVar[str] = language_of_genome("decision")


def decision_tree(nodes: Sequence[Node]) -> DecisionTree:
    """The tree for a sequence of nodes in prefix order.

    Raises:
        ValueError: the nodes do not form exactly one tree.
    """
    return DecisionTree.from_prefix(nodes, [0 if isinstance(node, Leaf) else node.arity for node in nodes])


def inner(node: Inner, *branches: DecisionTree) -> DecisionTree:
    """The tree that consists of an inner node and its branches."""
    return decision_tree([node, *(below for branch in branches for below in branch.symbols)])


def leaf(value: Leaf) -> DecisionTree:
    """A tree with a single leaf."""
    return DecisionTree((value,), (1,))


Varied = Variant[DecisionTree]

_LEAF = 0.3  # the share of leaves among nodes above a tree's last level


@dataclass(frozen=True, slots=True)
class DecisionDomain:
    """The settings for random trees.

    Attributes:
        features: the features to test, each with at least one cut; without features, every tree is a single leaf.
        classes: the names that leaves can have; if empty, leaves are values from ``low`` to ``high``.
        switches: the share of switches among inner nodes.
        chances: the share of chance nodes among inner nodes.
    """

    features: tuple[Feature, ...]
    classes: tuple[str, ...] = ()
    low: float = -5.0
    high: float = 5.0
    switches: float = 0.0
    chances: float = 0.0


def random_leaf(rng: np.random.Generator, domain: DecisionDomain) -> Leaf:
    """A random leaf: a class, or a value if the domain has no classes."""
    if domain.classes:
        return domain.classes[below(rng, len(domain.classes))]
    return domain.low + (domain.high - domain.low) * float(rng.random()) + 0.0


def random_decision(
    rng: np.random.Generator, domain: DecisionDomain, depth: int, *, full: bool = False
) -> DecisionTree:
    """A random tree with at most ``depth`` levels; a full tree has exactly ``depth`` levels."""
    nodes: list[Node] = []
    pending = [depth]  # the levels left for each node still to be drawn, next node last
    while pending:
        levels = pending.pop()
        ends = levels <= 1 or not domain.features or (not full and levels < depth and rng.random() < _LEAF)
        node = random_leaf(rng, domain) if ends else _random_inner(rng, domain)
        nodes.append(node)
        if not isinstance(node, Leaf):
            pending.extend([levels - 1] * node.arity)
    return decision_tree(nodes)


def _random_inner(rng: np.random.Generator, domain: DecisionDomain) -> Inner:
    kind = float(rng.random())
    if kind < domain.chances:
        return Chance(float(rng.random()))
    feature = domain.features[below(rng, len(domain.features))]
    if kind < domain.chances + domain.switches and len(feature.cuts) > 1:
        count = 2 + below(rng, min(len(feature.cuts), INTERVALS[-1] - 1) - 1)
        chosen = rng.choice(len(feature.cuts), count, replace=False)
        return Switch(feature.name, tuple(feature.cuts[k] for k in sorted(chosen.tolist())))
    return Comparison(feature.name, DRAWN[below(rng, 2)], feature.cuts[below(rng, len(feature.cuts))])


def mutate_branch(
    rng: np.random.Generator, tree: DecisionTree, domain: DecisionDomain, depth: int = 2
) -> Varied:
    """Replace a random branch with a random tree of at most ``depth`` levels; all nodes are equally likely."""
    position = below(rng, len(tree))
    donor = random_decision(rng, domain, 1 + below(rng, depth))
    return Variant(replace_subtree(tree, position, donor), position)


def hoist(rng: np.random.Generator, tree: DecisionTree) -> Varied:
    """Replace a random inner node with one of its branches, so the child is smaller."""

    def hoisted(below_it: DecisionTree, node: Inner) -> DecisionTree:
        branches = list(below_it.children(0))
        return below_it.subtree(branches[below(rng, len(branches))])

    return _at(rng, tree, Inner, hoisted)


def prune(rng: np.random.Generator, tree: DecisionTree) -> Varied:
    """Replace a random inner node with one of its leaves, so the child is smaller."""

    def pruned(below_it: DecisionTree, node: Inner) -> DecisionTree:
        return leaf(below_it.leaves[below(rng, len(below_it.leaves))])

    return _at(rng, tree, Inner, pruned)


def swap(rng: np.random.Generator, tree: DecisionTree) -> Varied:
    """Negate a random test or chance node and swap its branches, so all decisions stay the same.

    If 1 − p is rounded, the negation of a chance node is not exact, and some of its decisions can change.
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


def step_threshold(
    rng: np.random.Generator, tree: DecisionTree, domain: DecisionDomain, most: int = 3
) -> Varied:
    """Move the threshold of a random test, or a bound of a random switch, by up to ``most`` cuts of its feature."""

    def changed(node: Comparison | Switch) -> Node | None:
        cuts = cuts_at(domain.features, node.feature)
        steps = (1 + below(rng, most)) * (1 if rng.random() < 0.5 else -1)
        return _with_threshold(rng, node, lambda number: stepped(number, cuts, steps))

    return _node_at(rng, tree, Comparison | Switch, changed)


def mutate_comparison(rng: np.random.Generator, tree: DecisionTree) -> Varied:
    """Give a random test another comparison operator."""

    def changed(node: Comparison) -> Node:
        others = [sign for sign in HOLDS if sign != node.sign]
        return replace(node, sign=others[below(rng, len(others))])

    return _node_at(rng, tree, Comparison, changed)


def mutate_feature(rng: np.random.Generator, tree: DecisionTree, domain: DecisionDomain) -> Varied:
    """Replace the feature of a random test with a random feature, and its threshold with one of the feature's cuts."""

    def changed(node: Comparison) -> Node | None:
        if not domain.features:
            return None
        feature = domain.features[below(rng, len(domain.features))]
        return Comparison(feature.name, node.sign, feature.cuts[below(rng, len(feature.cuts))])

    return _node_at(rng, tree, Comparison, changed)


def mutate_chance(rng: np.random.Generator, tree: DecisionTree, spread: float = 0.1) -> Varied:
    """Add a normally distributed number to the probability of a random chance node, and clip the result to [0, 1]."""

    def changed(node: Chance) -> Node:
        return Chance(min(max(node.probability + spread * float(rng.standard_normal()), 0.0), 1.0))

    return _node_at(rng, tree, Chance, changed)


def mutate_leaf(
    rng: np.random.Generator, tree: DecisionTree, domain: DecisionDomain, spread: float = 0.2
) -> Varied:
    """Give a random leaf another class, or add a normally distributed number (scaled by ``spread``) to its value."""

    def changed(node: Leaf) -> Node | None:
        if isinstance(node, float):
            return node + spread * (domain.high - domain.low) * float(rng.standard_normal()) + 0.0
        others = [name for name in domain.classes if name != node]
        return others[below(rng, len(others))] if others else None

    return _node_at(rng, tree, Leaf, changed)


def _at(
    rng: np.random.Generator,
    tree: DecisionTree,
    kinds: object,
    change: Callable[[DecisionTree, Any], DecisionTree],
) -> Varied:
    """Change the subtree at a random node of these kinds; without such a node, the tree stays the same."""
    position = _position(rng, tree, kinds)
    if position is None:
        return Variant(tree, 0)
    changed = change(tree.subtree(position), tree.symbols[position])
    return Variant(replace_subtree(tree, position, changed), position)


def _position(rng: np.random.Generator, tree: DecisionTree, kinds: Any) -> int | None:
    """The position of a random node of these kinds; None if there is no such node."""
    positions = [position for position, node in enumerate(tree.symbols) if isinstance(node, kinds)]
    return positions[below(rng, len(positions))] if positions else None


def _node_at(
    rng: np.random.Generator, tree: DecisionTree, kinds: object, change: Callable[[Any], Node | None]
) -> Varied:
    """Replace a random node of these kinds with a node that has the same number of branches, if possible."""
    position = _position(rng, tree, kinds)
    if position is None or (other := change(tree.symbols[position])) is None:
        return Variant(tree, 0)
    symbols = (*tree.symbols[:position], other, *tree.symbols[position + 1 :])
    return Variant(DecisionTree(symbols, tree.sizes), position)


def _with_threshold(
    rng: np.random.Generator, node: Comparison | Switch, change: Callable[[float], float]
) -> Node | None:
    """The node with a changed threshold or bound; None if the bounds would no longer be in ascending order."""
    if isinstance(node, Comparison):
        return replace(node, threshold=change(node.threshold) + 0.0)
    place = below(rng, len(node.bounds))
    bounds = (*node.bounds[:place], change(node.bounds[place]) + 0.0, *node.bounds[place + 1 :])
    return Switch(node.feature, bounds) if all(low < high for low, high in pairwise(bounds)) else None

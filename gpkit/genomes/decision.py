"""Decision tree genomes: comparisons, switches, chances and leaves in prefix order, and programs of several trees."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from gpkit.core.registry import language_of_genome
from gpkit.genomes.comparisons import Comparison
from gpkit.genomes.tree import FlatTree, Sections

Leaf = float | str
"""A value, or the name of a class or an action."""

INTERVALS = range(2, 7)
"""Numbers of intervals that a switch can have."""


@dataclass(frozen=True, slots=True)
class Switch:
    """Inner node with a branch for every interval of a feature: below each bound in turn, and the rest.

    ``bounds`` rise; there are one to five.
    """

    feature: str
    bounds: tuple[float, ...]

    @property
    def arity(self) -> int:
        """The number of intervals."""
        return len(self.bounds) + 1

    def branch(self, value: float) -> int:
        """The first interval whose bound the value is below."""
        return next((k for k, bound in enumerate(self.bounds) if not bound <= value), len(self.bounds))


@dataclass(frozen=True, slots=True)
class Chance:
    """Inner node with the branches yes and no: yes with a probability of 0 to 1."""

    probability: float

    arity: ClassVar[int] = 2
    feature: ClassVar[str] = ""  # it sees a random number

    @property
    def bounds(self) -> tuple[float]:
        """The probability as the only bound of that number."""
        return (self.probability,)

    def branch(self, number: float) -> int:
        """The branch for a random number of [0, 1): 0 for yes, 1 for no."""
        return 0 if not self.probability <= number else 1


Inner = Comparison | Switch | Chance
Node = Inner | Leaf


class DecisionTree(FlatTree[Node]):
    """A decision tree: inner nodes, each followed by its branches, and leaves."""

    language: ClassVar[str] = language_of_genome("decision")

    @property
    def inner(self) -> Iterator[tuple[int, Inner]]:
        """The inner nodes with their positions."""
        return ((place, node) for place, node in enumerate(self.symbols) if not isinstance(node, Leaf))

    @property
    def reads(self) -> tuple[str, ...]:
        """The features that are tested, in the order of their first places."""
        return tuple(dict.fromkeys(node.feature for _, node in self.inner if node.feature))

    @cached_property
    def chances(self) -> tuple[int, ...]:
        """Count of the chances above each node: the number of the random number that a chance there draws."""
        counts = [0] * len(self)
        for position, node in self.inner:
            for child in self.children(position):
                counts[child] = counts[position] + (not node.feature)
        return tuple(counts)

    @property
    def draws(self) -> int:
        """Largest number of random numbers that one evaluation draws."""
        return max(self.chances)  # a leaf is below every chance

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
    """One decision tree for each decision of a game; ``language`` is the name of the language it is written in."""

    language: ClassVar[str] = language_of_genome("decision")


def decision_tree(nodes: Sequence[Node]) -> DecisionTree:
    """The tree of a prefix sequence.

    Raises:
        ValueError: the nodes are not exactly one tree.
    """
    return DecisionTree.from_prefix(nodes, [0 if isinstance(node, Leaf) else node.arity for node in nodes])


def inner(node: Inner, *branches: DecisionTree) -> DecisionTree:
    """An inner node over its branches."""
    return decision_tree([node, *(below for branch in branches for below in branch.symbols)])


def leaf(value: Leaf) -> DecisionTree:
    """A tree that is one leaf."""
    return DecisionTree((value,), (1,))

"""Tree genomes: arithmetic formulas as flat prefix sequences, programs of several of them, and their variation.

Random trees are grown, full or ramped, after Koza, "Genetic Programming", 1992, section 6.2. Every operator takes its
source of chance first, leaves its arguments as they are, and returns the child with the position of the node where it
differs from its parent. A child may equal its parent when there is nothing to vary. Kernels that breed whole
generations of formulas do the same (``gpkit.genomes.tree_breeding``).
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, NamedTuple, Self, TypeVar

import numpy as np

from gpkit.core.primitives import RANDOM, Alphabet
from gpkit.core.registry import language_of_genome
from gpkit.core.rng import below

if TYPE_CHECKING:
    from typing_extensions import TypeIs

Symbol = str | float
"""An operator or a sensor by name, or a constant by value."""

Label = TypeVar("Label")


def is_constant(symbol: Symbol) -> "TypeIs[float]":
    """Whether a symbol is a constant, and not a name."""
    return isinstance(symbol, float)


@dataclass(frozen=True, init=False)
class FlatTree(Generic[Label]):
    """A tree in prefix order: a node, then its children from left to right.

    ``symbols[i]`` is the node at position i. ``sizes[i]`` is the number of nodes of the subtree that starts there, so
    that subtree is the slice ``i : i + sizes[i]`` and depth never matters.
    """

    symbols: tuple[Label, ...]
    sizes: tuple[int, ...]

    def __init__(self, symbols: tuple[Label, ...], sizes: tuple[int, ...]) -> None:
        own = self.__dict__  # what a frozen dataclass does instead takes several times as long
        own["symbols"] = symbols
        own["sizes"] = sizes

    @classmethod
    def from_prefix(cls, symbols: Sequence[Label], arities: Sequence[int]) -> Self:
        """The tree of a prefix sequence, given the number of children of every node.

        Raises:
            ValueError: the arities do not describe exactly one tree.
        """
        sizes = [1] * len(arities)
        complete: list[int] = []  # positions of finished subtrees to the right, nearest last
        for position in range(len(arities) - 1, -1, -1):
            for _ in range(arities[position]):
                if not complete:
                    raise ValueError("an operator lacks an operand")
                sizes[position] += sizes[complete.pop()]
            complete.append(position)
        if len(complete) != 1:
            raise ValueError("the sequence is not exactly one tree")
        return cls(tuple(symbols), tuple(sizes))

    def __len__(self) -> int:
        """The number of nodes."""
        return len(self.symbols)

    def __hash__(self) -> int:
        own = self.__dict__
        if "hash" not in own:
            own["hash"] = hash(self.symbols)
        found: int = own["hash"]
        return found

    def __reduce__(self) -> tuple[type[Self], tuple[tuple[Label, ...], tuple[int, ...]]]:
        """Pickled form, for another process: only the fields, as hashes differ between processes."""
        return type(self), (self.symbols, self.sizes)

    def children(self, position: int) -> Iterator[int]:
        """The positions of the children of the node at ``position``, from left to right."""
        end = position + self.sizes[position]
        child = position + 1
        while child < end:
            yield child
            child += self.sizes[child]

    def subtree(self, position: int) -> Self:
        """The tree that starts at ``position``."""
        end = position + self.sizes[position]
        return type(self)(self.symbols[position:end], self.sizes[position:end])

    @cached_property
    def depths(self) -> tuple[int, ...]:
        """The depth of every node; the root has depth 1."""
        depths: list[int] = []
        ends: list[int] = []
        for position, size in enumerate(self.sizes):
            while ends and ends[-1] <= position:
                ends.pop()
            ends.append(position + size)
            depths.append(len(ends))
        return tuple(depths)

    @property
    def depth(self) -> int:
        """The number of nodes on the longest path from the root to a leaf."""
        deepest = 0
        ends: list[int] = []  # of the operators that the walk is inside of
        for position, size in enumerate(self.sizes):
            if size > 1:
                while ends and ends[-1] <= position:
                    ends.pop()
                ends.append(position + size)
                if len(ends) > deepest:
                    deepest = len(ends)
        return deepest + 1


class Tree(FlatTree[Symbol]):
    """A formula: its nodes are names, or floats for constants."""

    language: ClassVar[str] = language_of_genome("tree")

    def __getattr__(self, name: str) -> Any:
        """Symbols and sizes of a tree that so far has but the place of its nodes (``gpkit.genomes.packed_trees``)."""
        own = self.__dict__
        if name not in ("symbols", "sizes") or "place" not in own:
            raise AttributeError(name)
        nodes, start, end = own["place"]
        own["symbols"], own["sizes"] = nodes.written(start, end)
        return own[name]

    def __len__(self) -> int:
        """The number of nodes."""
        place = self.__dict__.get("place")
        return len(self.symbols) if place is None else place[2] - place[1]

    @property
    def reads(self) -> tuple[str, ...]:
        """The sensors that the formula reads, in the order of their first places."""
        leaves = (s for s, size in zip(self.symbols, self.sizes, strict=True) if size == 1)
        return tuple(dict.fromkeys(s for s in leaves if isinstance(s, str) and s != RANDOM))

    @property
    def draws(self) -> int:
        """Number of random numbers that one evaluation draws."""
        return self.symbols.count(RANDOM)


AnyTree = TypeVar("AnyTree", bound=FlatTree[Any])


def leaf(symbol: Symbol) -> Tree:
    """A tree of one node."""
    return Tree((symbol,), (1,))


def node(symbol: str, *children: Tree) -> Tree:
    """An operator over its operands."""
    symbols: list[Symbol] = [symbol]
    sizes = [1 + sum(len(c) for c in children)]
    for child in children:
        symbols.extend(child.symbols)
        sizes.extend(child.sizes)
    return Tree(tuple(symbols), tuple(sizes))


def replace_subtree(tree: AnyTree, position: int, donor: AnyTree, inside: int = 0) -> AnyTree:
    """``tree`` with the subtree at ``position`` replaced by the subtree of ``donor`` at ``inside``."""
    symbols, sizes = tree.symbols, tree.sizes
    end, last = position + sizes[position], inside + donor.sizes[inside]
    change = last - inside - sizes[position]
    before = sizes[:position]
    if change and position:
        grown = list(before)
        ancestor = 0
        while ancestor < position:  # descend from the root to the position
            grown[ancestor] += change
            ancestor += 1
            while (following := ancestor + sizes[ancestor]) <= position:
                ancestor = following
        before = tuple(grown)
    return tree.__class__(
        symbols[:position] + donor.symbols[inside:last] + symbols[end:],
        before + donor.sizes[inside:last] + sizes[end:],
    )


Part = TypeVar("Part", bound=FlatTree[Any])

LONE_SECTION = "value"
"""The section of a text that is one tree without a name."""


@dataclass(frozen=True, slots=True)
class Sections(Generic[Part]):
    """Trees by section: ``names[i]`` is the decision of a game (play, send, ...) that ``trees[i]`` is for.

    A text that is a lone tree has the single section ``LONE_SECTION``.
    """

    names: tuple[str, ...]
    trees: tuple[Part, ...]

    def __len__(self) -> int:
        """The number of nodes of all trees together."""
        return sum([len(tree) for tree in self.trees])

    def tree(self, name: str) -> Part:
        """The tree of one section.

        Raises:
            KeyError: there is no such section.
        """
        return dict(zip(self.names, self.trees, strict=True))[name]


@dataclass(frozen=True, slots=True)
class TreeProgram(Sections[Tree]):
    """One formula for each decision of a game; ``language`` is the name of the language that it is written in."""

    language: ClassVar[str] = language_of_genome("tree")


Shape = Literal["grow", "full"]
"""Shape of a random tree: ``full`` has every leaf at the last level, ``grow`` may stop anywhere above it."""

INNER = 0.5
"""The share of operators among the nodes of a grown tree that are above its last level.

Koza draws from operators and terminals alike, which makes the shape of a tree depend on how many sensors a game has.
"""


def random_leaf(rng: np.random.Generator, alphabet: Alphabet) -> Symbol:
    """A sensor or a fresh constant, uniform between its bounds, with the same chance as any one sensor.

    Args:
        rng: the source of chance.
        alphabet: has at least one sensor or constants.
    """
    sensors = alphabet.sensors
    choice = below(rng, len(sensors) + alphabet.constants)
    if choice < len(sensors):
        return sensors[choice]
    low, high = alphabet.constant_low, alphabet.constant_high
    return low + (high - low) * float(rng.random()) + 0.0


def random_tree(rng: np.random.Generator, alphabet: Alphabet, depth: int, shape: Shape = "grow") -> Tree:
    """A random tree of at most ``depth`` levels (exactly so many when it is full and there are operators)."""
    assert depth >= 1
    assert alphabet.sensors or alphabet.constants
    operators = alphabet.operators
    inner = INNER if shape == "grow" else 1.0
    symbols: list[Symbol] = []
    arities: list[int] = []
    pending = [depth]  # the levels left for the nodes still to draw, the next one last
    while pending:
        levels = pending.pop()
        if levels > 1 and operators and rng.random() < inner:
            operator = operators[below(rng, len(operators))]
            symbols.append(operator.name)
            arities.append(operator.arity)
            pending.extend([levels - 1] * operator.arity)
        else:
            symbols.append(random_leaf(rng, alphabet))
            arities.append(0)
    return Tree.from_prefix(symbols, arities)


def ramped_tree(rng: np.random.Generator, alphabet: Alphabet, index: int, low: int, high: int) -> Tree:
    """The tree of individual ``index`` in a ramped half-and-half population.

    Depths ``low`` … ``high`` follow each other, and at each depth full trees alternate with grown ones.
    """
    depth = low + index // 2 % (high - low + 1)
    return random_tree(rng, alphabet, depth, "full" if index % 2 == 0 else "grow")


Which = Literal["all", "one"]
"""Scope of a mutation of constants: every constant of the formula, each by its own factor, or one at random."""


Changed = TypeVar("Changed")


class Variant(NamedTuple, Generic[Changed]):
    """A child of a part and the position, in the child, of what changed (0 when the change is not in one place)."""

    part: Changed
    position: int


def constant_positions(tree: Tree) -> list[int]:
    """The positions of the constants, from left to right."""
    return [i for i, symbol in enumerate(tree.symbols) if symbol.__class__ is float]


def mutate_constants(
    rng: np.random.Generator, tree: Tree, which: Which = "all", octaves: float = 1.0
) -> Variant[Tree]:
    """Multiply constants by 2^U(−octaves, octaves): with one octave by ½ … 2; the sign never changes.

    The rule of P. Hansson, "Light Introduction to Genetic Programming", 2013, section Mutation; the article does not
    say how many constants change at once, so ``which`` does.
    """
    positions = constant_positions(tree)
    if not positions:
        return Variant(tree, 0)
    if which == "one":
        positions = [positions[below(rng, len(positions))]]
    symbols = list(tree.symbols)
    for position in positions:
        constant = symbols[position]
        assert isinstance(constant, float)
        scaled = constant * 2.0 ** (octaves * (2.0 * float(rng.random()) - 1.0))
        if scaled != 0.0 and math.isfinite(scaled):
            symbols[position] = scaled
    return Variant(Tree(tuple(symbols), tree.sizes), positions[0] if len(positions) == 1 else 0)


def mutate_subtree(rng: np.random.Generator, tree: Tree, alphabet: Alphabet, depth: int = 2) -> Variant[Tree]:
    """Replace a random branch by a random grown tree of at most ``depth`` levels.

    At two levels the new branch has at most one operator, so trees can grow but are not filled with chance (Hansson
    2013, section Mutation). Every node is an equally likely branch, the root too.
    """
    position = below(rng, len(tree))
    return Variant(replace_subtree(tree, position, random_tree(rng, alphabet, depth)), position)


def crossover(rng: np.random.Generator, tree: AnyTree, donor: AnyTree) -> Variant[AnyTree]:
    """Replace a random branch by a random subtree of ``donor``; every node of both is equally likely."""
    position = below(rng, len(tree.sizes))
    inside = below(rng, len(donor.sizes))
    return Variant(replace_subtree(tree, position, donor, inside), position)


def mutate_point(rng: np.random.Generator, tree: Tree, alphabet: Alphabet) -> Variant[Tree]:
    """Replace the symbol of one random node by another of the same arity; the shape stays.

    An operator becomes another operator, a leaf becomes a random leaf (which for a sensor may be the same again).
    """
    position = below(rng, len(tree))
    symbol: Symbol
    if tree.sizes[position] == 1:
        symbol = random_leaf(rng, alphabet)
    else:
        old, arity = tree.symbols[position], len([*tree.children(position)])
        others = [o.name for o in alphabet.operators if o.arity == arity and o.name != old]
        if not others:
            return Variant(tree, position)
        symbol = others[below(rng, len(others))]
    symbols = (*tree.symbols[:position], symbol, *tree.symbols[position + 1 :])
    return Variant(Tree(symbols, tree.sizes), position)


def wrap(rng: np.random.Generator, tree: Tree, alphabet: Alphabet) -> Variant[Tree]:
    """Put a random operator above a random branch, which becomes one of its operands; the others are random leaves.

    The smallest step by which a formula grows without losing anything: the opposite of ``hoist``.
    """
    position = below(rng, len(tree))
    if not alphabet.operators:
        return Variant(tree, position)
    operator = alphabet.operators[below(rng, len(alphabet.operators))]
    place = below(rng, operator.arity)
    operands = [leaf(random_leaf(rng, alphabet)) for _ in range(operator.arity - 1)]
    operands.insert(place, tree.subtree(position))
    return Variant(replace_subtree(tree, position, node(operator.name, *operands)), position)


def hoist(rng: np.random.Generator, tree: Tree) -> Variant[Tree]:
    """Replace a random inner branch by a random proper subtree of itself: the child is smaller."""
    position = _inner_position(rng, tree)
    if position is None:
        return Variant(tree, 0)
    inside = position + 1 + below(rng, tree.sizes[position] - 1)
    return Variant(replace_subtree(tree, position, tree, inside), position)


def shrink(rng: np.random.Generator, tree: Tree, alphabet: Alphabet) -> Variant[Tree]:
    """Replace a random inner branch by a random leaf: the child is smaller."""
    position = _inner_position(rng, tree)
    if position is None:
        return Variant(tree, 0)
    return Variant(replace_subtree(tree, position, leaf(random_leaf(rng, alphabet))), position)


def _inner_position(rng: np.random.Generator, tree: Tree) -> int | None:
    inner = [i for i, size in enumerate(tree.sizes) if size > 1]
    return inner[below(rng, len(inner))] if inner else None


def round_constants(tree: Tree, step: float) -> Tree:
    """Round every constant to a multiple of ``step``, half to even; a negative power of two keeps literals exact.

    A constant too large to be divided by the step stays as it is.
    """
    symbols = tuple(_rounded(s, step) if isinstance(s, float) else s for s in tree.symbols)
    return tree if symbols == tree.symbols else Tree(symbols, tree.sizes)


def _rounded(constant: float, step: float) -> float:
    steps = constant / step
    return round(steps) * step + 0.0 if math.isfinite(steps) else constant


def within(tree: FlatTree[Any], size: int | None = None, depth: int | None = None) -> bool:
    """Whether a tree has at most ``size`` nodes and at most ``depth`` levels; None means no limit."""
    if size is not None and len(tree) > size:
        return False
    if depth is None:
        return True
    return len(set(tree.sizes)) <= depth or tree.depth <= depth  # on a path every size is another

"""Tree genomes: arithmetic formulas as flat prefix sequences, and programs that consist of several of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from gpkit.core.primitives import RANDOM
from gpkit.core.registry import language_of_genome

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
    """``tree`` with the subtree at ``position`` replaced by that of ``donor`` at ``inside``."""
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
        if name not in self.names:
            raise KeyError(name)
        return self.trees[self.names.index(name)]


@dataclass(frozen=True, slots=True)
class TreeProgram(Sections[Tree]):
    """One formula for each decision of a game; ``language`` is the name of the language that it is written in."""

    language: ClassVar[str] = language_of_genome("tree")

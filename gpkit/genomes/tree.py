"""Tree genomes: arithmetic formulas as flat prefix sequences, programs of several formulas, and variation operators.

Random trees are made with the grow, full and ramped methods of Koza, "Genetic Programming", 1992, section 6.2. Every
operator takes the random generator as its first argument, does not change its arguments, and returns the child with the
position of the change. If there is nothing to vary, the child can equal its parent. Kernels that breed a whole
generation of formulas in one call give the same results (``gpkit.genomes.tree_breeding``).
"""

import math
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, NamedTuple, Self, TypeVar

import numpy as np

from gpkit.core.primitives import GUARDED, RANDOM, Alphabet
from gpkit.core.registry import language_of_genome
from gpkit.core.rng import below

if TYPE_CHECKING:
    from typing_extensions import TypeIs

Symbol = str | float
"""The symbol of a node: the name of an operator or sensor, or the value of a constant."""

Label = TypeVar("Label")


def is_constant(symbol: Symbol) -> "TypeIs[float]":
    """Whether a symbol is a constant rather than a name."""
    return isinstance(symbol, float)


@dataclass(frozen=True, init=False)
class FlatTree(Generic[Label]):
    """A tree in prefix order: each node is followed by its children from left to right.

    ``symbols[i]`` is the node at position i. ``sizes[i]`` is the number of nodes in the subtree that starts at position
    i, so that this subtree is the slice ``i : i + sizes[i]``, at any depth.
    """

    symbols: tuple[Label, ...]
    sizes: tuple[int, ...]

    def __init__(self, symbols: tuple[Label, ...], sizes: tuple[int, ...]) -> None:
        own = self.__dict__  # the constructor of a frozen dataclass takes several times as long
        own["symbols"] = symbols
        own["sizes"] = sizes

    @classmethod
    def from_prefix(cls, symbols: Sequence[Label], arities: Sequence[int]) -> Self:
        """The tree for a sequence of nodes in prefix order, given the number of children of each node.

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

    def __getattr__(self, name: str) -> Any:
        """Compute the symbols or sizes of a tree that has only a ``place`` so far (``gpkit.genomes.tree_breeding``)."""
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

    def __hash__(self) -> int:
        own = self.__dict__
        if "hash" not in own:
            own["hash"] = hash(self.symbols)
        found: int = own["hash"]
        return found

    def __reduce__(self) -> tuple[type[Self], tuple[tuple[Label, ...], tuple[int, ...]]]:
        """The state to pickle: only the fields, because cached hashes differ between processes."""
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

    @property
    def called(self) -> Sequence[object]:
        """Symbols of formulas, among which are the functions that the tree calls."""
        return ()

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
        ends: list[int] = []  # the ends of the operators around the current node
        for position, size in enumerate(self.sizes):
            if size > 1:
                while ends and ends[-1] <= position:
                    ends.pop()
                ends.append(position + size)
                if len(ends) > deepest:
                    deepest = len(ends)
        return deepest + 1


class Tree(FlatTree[Symbol]):
    """A formula, whose nodes are names, or floats for constants."""

    language: ClassVar[str] = language_of_genome("tree")

    @property
    def called(self) -> Sequence[object]:
        """The symbols of the formula."""
        return self.symbols

    @property
    def reads(self) -> tuple[str, ...]:
        """The sensors that the formula reads, in order of first use."""
        leaves = (s for s, size in zip(self.symbols, self.sizes, strict=True) if size == 1)
        return tuple(dict.fromkeys(s for s in leaves if isinstance(s, str) and s != RANDOM))

    @property
    def draws(self) -> int:
        """The number of random numbers that one evaluation draws."""
        return self.symbols.count(RANDOM)


class Function(str):
    """The symbol of a call: the name and definition of a function; it differs from other functions with the same name.

    Attributes:
        parameters: the names of the function's parameters.
        body: the body of the function, a formula whose leaves are parameters and constants.
        nodes: the number of nodes in the body, plus the nodes of the functions that the body calls.
        callees: the functions that the body calls, directly or indirectly, each after those that it calls.
    """

    def __new__(cls, name: str, parameters: tuple[str, ...], body: Tree) -> Self:
        """The symbol for calls to a function."""
        made = super().__new__(cls, name)
        made.parameters, made.body = parameters, body
        made.nodes, made.callees = nodes_computed(body), functions_in(body)
        made.hashed = hash((name, parameters, body))
        return made

    parameters: tuple[str, ...]
    body: Tree
    nodes: int
    callees: tuple["Function", ...]
    hashed: int

    def __hash__(self) -> int:
        return self.hashed

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Function) and self.__reduce__() == other.__reduce__())

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __reduce__(self) -> tuple[type["Function"], tuple[str, tuple[str, ...], Tree]]:
        return Function, (str(self), self.parameters, self.body)

    @property
    def sha256(self) -> str:
        """The SHA-256 of a Python function, whose body is a single symbol above its parameters; empty for a formula."""
        return str(getattr(self.body.symbols[0], "sha256", ""))

    @property
    def head(self) -> str:
        """The name and the parameters of the function, as written at the start of a section."""
        return f"{self}({', '.join(self.parameters)})"


class Computed(str):
    """A feature that a formula computes; its text is the formula, and it differs from a sensor with this name.

    Attributes:
        tree: the formula, which calls a function or an operator and draws no random numbers.
    """

    tree: Tree

    def __new__(cls, text: str, tree: Tree) -> Self:
        """The feature with this text."""
        made = super().__new__(cls, text)
        made.tree = tree
        return made

    def __hash__(self) -> int:
        return hash(self.tree)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Computed) and self.tree == other.tree

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __reduce__(self) -> tuple[type["Computed"], tuple[str, Tree]]:
        return Computed, (str(self), self.tree)

    @cached_property
    def function(self) -> Function:
        """The formula as a function of the sensors that it reads; its name depends on its text alone."""
        return Function(f"computed_{zlib.crc32(self.encode()):08x}", self.tree.reads, self.tree)


def sensors_of(feature: str) -> tuple[str, ...]:
    """The sensors that a feature reads; none for an empty feature."""
    return feature.tree.reads if isinstance(feature, Computed) else (feature,) * bool(feature)


def functions_called(*symbols: object) -> tuple[Function, ...]:
    """The functions among symbols, and all functions that they call; each function comes after those that it calls."""
    found: dict[Function, None] = {}
    for symbol in [symbol for symbol in symbols if symbol.__class__ is Function]:
        if symbol not in found:
            found |= dict.fromkeys((*symbol.callees, symbol))
    return tuple(found)


def functions_in(*trees: FlatTree[Any]) -> tuple[Function, ...]:
    """The functions that trees call, directly or indirectly; each function comes after those that it calls."""
    return functions_called(*(symbol for tree in trees for symbol in tree.called))


def has_two_meanings(trees: Iterable[FlatTree[Any]]) -> bool:
    """Whether trees call different functions of the same name, as those of two parents may do."""
    functions = functions_in(*trees)
    return len({str(each) for each in functions}) < len(functions)


def functions_of(defined: Sequence[Function], *trees: FlatTree[Any]) -> tuple[Function, ...]:
    """The functions of a program: those that it defines, then the others that it calls; Python functions are left out.

    Each of the others comes after those that it calls.
    """
    called = functions_in(*trees, *(each.body for each in defined))
    known = {str(each): each for each in (*defined, *called) if not each.sha256}
    return tuple(known.values())


def nodes_computed(tree: Tree) -> int:
    """The number of nodes that are computed for a formula, including the nodes of the functions that it calls."""
    return len(tree) + sum(symbol.nodes for symbol in tree.symbols if isinstance(symbol, Function))


AnyTree = TypeVar("AnyTree", bound=FlatTree[Any])


def leaf(symbol: Symbol) -> Tree:
    """A tree with a single node."""
    return Tree((symbol,), (1,))


def node(symbol: str, *children: Tree) -> Tree:
    """The tree that consists of an operator and its operands."""
    symbols: list[Symbol] = [symbol]
    sizes = [1 + sum(len(c) for c in children)]
    for child in children:
        symbols.extend(child.symbols)
        sizes.extend(child.sizes)
    return Tree(tuple(symbols), tuple(sizes))


def replace_subtree(tree: AnyTree, position: int, donor: AnyTree, inside: int = 0) -> AnyTree:
    """The tree with the subtree at ``position`` replaced by the donor's subtree at ``inside``."""
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
"""The section name for a program text that consists of a single unnamed tree."""


@dataclass(frozen=True, slots=True)
class Sections(Generic[Part]):
    """A program of several trees: ``trees[i]`` makes the decision ``names[i]`` of a game (play, send, ...).

    If the program text consists of a single unnamed tree, its section is ``LONE_SECTION``. ``defined`` contains the
    functions that the text defines; trees need not call them.
    """

    names: tuple[str, ...]
    trees: tuple[Part, ...]
    defined: tuple[Function, ...] = field(default=(), compare=False)

    def __len__(self) -> int:
        """The number of nodes of all trees together."""
        return sum([len(tree) for tree in self.trees])

    @property
    def parts(self) -> dict[str, Part]:
        """The trees by section, in order."""
        return dict(zip(self.names, self.trees, strict=True))

    @property
    def functions(self) -> tuple[Function, ...]:
        """The functions that the text defines, in text order, then the others that it calls, each after its callees."""
        return functions_of(self.defined, *self.trees)

    @property
    def bodies(self) -> dict[str, Tree]:
        """The formulas of the program's functions, by function head, in the same order."""
        return {function.head: function.body for function in self.functions}


DECIDING = frozenset({"min", "max", "ifle"})
"""The operators of formulas that decide between their operands."""


@dataclass(frozen=True, slots=True)
class TreeProgram(Sections[Tree]):
    """A program with a formula for each decision of a game; ``language`` is the name of its language."""

    language: ClassVar[str] = language_of_genome("tree")

    @property
    def features(self) -> frozenset[str]:
        """The sensors that the formulas read."""
        return frozenset(name for tree in self.trees for name in tree.reads)

    @property
    def decisions(self) -> int:
        """The number of places at which the formulas decide between values."""
        return sum(symbol in DECIDING for tree in self.trees for symbol in tree.symbols)

    def without(self, sensor: str, value: float) -> "TreeProgram":
        """The program that reads a constant instead of a sensor."""
        return TreeProgram(
            self.names,
            tuple(
                Tree(tuple(value if each == sensor else each for each in tree.symbols), tree.sizes)
                for tree in self.trees
            ),
        )


Shape = Literal["grow", "full"]
"""The shape of a random tree: ``full`` has all leaves at the last level; ``grow`` can also have some above it."""

INNER = 0.5
"""The proportion of operators among the nodes above the last level of a ``grow`` tree.

Koza, in contrast, draws from operators and terminals together, which makes the shape depend on a game's number of
sensors.
"""


def random_leaf(rng: np.random.Generator, alphabet: Alphabet) -> Symbol:
    """A random sensor or a new constant, which is uniformly distributed within its bounds.

    A new constant is as likely as each sensor, except that the leaves in the alphabet's ``again`` are more likely.

    Args:
        rng: the random generator.
        alphabet: an alphabet that has at least one sensor, or constants.
    """
    sensors, again = alphabet.sensors, alphabet.again
    leaves = len(sensors) + alphabet.constants
    choice = below(rng, leaves + len(again))
    choice = choice if choice < leaves else again[choice - leaves]
    if choice < len(sensors):
        return sensors[choice]
    low, high = alphabet.constant_low, alphabet.constant_high
    return low + (high - low) * float(rng.random()) + 0.0


def random_tree(rng: np.random.Generator, alphabet: Alphabet, depth: int, shape: Shape = "grow") -> Tree:
    """A random tree with at most ``depth`` levels; a ``full`` tree has exactly ``depth`` if there are operators."""
    assert depth >= 1
    assert alphabet.sensors or alphabet.constants
    operators = alphabet.operators
    inner = INNER if shape == "grow" else 1.0
    symbols: list[Symbol] = []
    arities: list[int] = []
    pending = [depth]  # the levels left for each node still to be drawn, next node last
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
    """The tree of the individual with this index in a ramped half-and-half population.

    The depths cycle from ``low`` to ``high``; at each depth, ``full`` trees alternate with ``grow`` trees.
    """
    depth = low + index // 2 % (high - low + 1)
    return random_tree(rng, alphabet, depth, "full" if index % 2 == 0 else "grow")


Which = Literal["all", "one"]
"""The scope of a mutation of constants: all constants of the formula, each with its own factor, or just one."""


Changed = TypeVar("Changed")


class Variant(NamedTuple, Generic[Changed]):
    """A child, and the position of the change in it; 0 if there are several changes."""

    part: Changed
    position: int


def constant_positions(tree: Tree) -> list[int]:
    """The positions of the constants, from left to right."""
    return [i for i, symbol in enumerate(tree.symbols) if symbol.__class__ is float]


def mutate_constants(
    rng: np.random.Generator, tree: Tree, which: Which = "all", octaves: float = 1.0
) -> Variant[Tree]:
    """Multiply constants by 2^U(−octaves, octaves); one octave means ½ to 2. The sign never changes.

    This follows P. Hansson, "Light Introduction to Genetic Programming", 2013, section Mutation. The article does not
    state how many constants change at once; ``which`` determines this.
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
    """Replace a random branch with a random ``grow`` tree of at most ``depth`` levels.

    With two levels, the new branch has at most one operator, so that trees can grow without filling up with random code
    (Hansson 2013, section Mutation). All nodes are equally likely, including the root.
    """
    position = below(rng, len(tree))
    return Variant(replace_subtree(tree, position, random_tree(rng, alphabet, depth)), position)


def crossover(rng: np.random.Generator, tree: AnyTree, donor: AnyTree) -> Variant[AnyTree]:
    """Replace a random branch with a random subtree of ``donor``; all nodes of each tree are equally likely."""
    position = below(rng, len(tree.sizes))
    return Variant(replace_subtree(tree, position, donor, below(rng, len(donor.sizes))), position)


def mutate_point(rng: np.random.Generator, tree: Tree, alphabet: Alphabet) -> Variant[Tree]:
    """Replace the symbol of a random node with another symbol of the same arity; the tree keeps its shape.

    An operator becomes another operator. A leaf becomes a random leaf, possibly the same sensor again.
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
    """Insert a random operator above a random branch, which becomes one operand; the other operands are random leaves.

    This is the smallest step by which a formula can grow without losing any nodes. It is the opposite of ``hoist``.
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
    """Replace a random inner branch with a random proper subtree of this branch, which makes the child smaller."""
    position = _inner_position(rng, tree)
    if position is None:
        return Variant(tree, 0)
    inside = position + 1 + below(rng, tree.sizes[position] - 1)
    return Variant(replace_subtree(tree, position, tree, inside), position)


def shrink(rng: np.random.Generator, tree: Tree, alphabet: Alphabet) -> Variant[Tree]:
    """Replace a random inner branch with a random leaf, which makes the child smaller."""
    position = _inner_position(rng, tree)
    if position is None:
        return Variant(tree, 0)
    return Variant(replace_subtree(tree, position, leaf(random_leaf(rng, alphabet))), position)


def _inner_position(rng: np.random.Generator, tree: Tree) -> int | None:
    inner = [i for i, size in enumerate(tree.sizes) if size > 1]
    return inner[below(rng, len(inner))] if inner else None


def round_constants(tree: Tree, step: float) -> Tree:
    """Round constants to a multiple of ``step``, ties to even; with a negative power of two, literals are exact.

    A constant that is too large to divide by the step stays the same.
    """
    symbols = tuple(_rounded(s, step) if isinstance(s, float) else s for s in tree.symbols)
    return tree if symbols == tree.symbols else Tree(symbols, tree.sizes)


def round_digits(tree: Tree, digits: int) -> Tree:
    """Round every constant to this many significant digits."""
    symbols = tuple(float(f"{s:.{digits}g}") if isinstance(s, float) else s for s in tree.symbols)
    return Tree(symbols, tree.sizes)


def _rounded(constant: float, step: float) -> float:
    steps = constant / step
    return round(steps) * step + 0.0 if math.isfinite(steps) else constant


def spares(tree: Tree, indicators: frozenset[str]) -> bool:
    """Whether no divisor, nor the last operand of any other ``GUARDED`` operator, reads only indicators."""
    for place, symbol in enumerate(tree.symbols if indicators else ()):
        if symbol in GUARDED:
            *_, last = tree.children(place)
            reads = tree.subtree(last).reads
            if reads and indicators.issuperset(reads):
                return False
    return True


def within(tree: FlatTree[Any], size: int | None = None, depth: int | None = None) -> bool:
    """Whether a tree has at most ``size`` nodes and at most ``depth`` levels; None means no limit."""
    if size is not None and len(tree) > size:
        return False
    return depth is None or len(set(tree.sizes)) <= depth or tree.depth <= depth  # sizes on a path all differ

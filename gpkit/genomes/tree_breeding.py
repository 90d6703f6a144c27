"""Breed all children of a generation of formulas in one call; the results are bit-for-bit the same as one by one.

Formulas are stored one after another in flat arrays, so a kernel can breed or evaluate all of them in one call.

Each tree stores its place in these arrays. Therefore, gpkit can breed the children of a generation, evaluate them and
breed from them without packing them again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Floats, Ints
from gpkit.core.primitives import GUARDED, Alphabet
from gpkit.genomes.kernel import breeding
from gpkit.genomes.program_operators import Bred, Breeding
from gpkit.genomes.tree import INNER, FlatTree, Symbol, Tree, TreeProgram


class Planted(Protocol):
    """A program whose only tree is packed."""

    @property
    def names(self) -> Sequence[str]: ...
    @property
    def trees(self) -> Sequence[Any]: ...


Program = TypeVar("Program", bound=Planted)


class WordTable(dict[Any, int]):
    """The word numbers of symbols.

    Attributes:
        symbols: the symbols of all words except that of constants.
        constant: the word for constants; −1 if there are none.
        objects: the symbols as an array of Python objects, with None for constants.
    """

    symbols: tuple[Any, ...]
    constant: int
    objects: NDArray[np.object_]
    __hash__ = object.__hash__  # type: ignore[assignment]


class Words(WordTable):
    """The word numbers of an alphabet: its operators, its sensors, and one word for all constants."""

    def __init__(self, alphabet: Alphabet) -> None:
        self.symbols = (*(operator.name for operator in alphabet.operators), *alphabet.sensors)
        super().__init__((symbol, word) for word, symbol in enumerate(self.symbols))
        self.constant = len(self.symbols)
        self.objects = np.array([*self.symbols, None], dtype=object)

    def __missing__(self, symbol: Symbol) -> int:
        if symbol.__class__ is float:
            return self.constant
        raise KeyError(symbol)


@lru_cache(maxsize=64)
def words_of(alphabet: Alphabet) -> Words:
    """The words of an alphabet."""
    return Words(alphabet)


@dataclass(frozen=True, slots=True, eq=False)
class Nodes:
    """Nodes of formulas in prefix order, one formula after another.

    Attributes:
        table: the table of words.
        words: int32 (nodes,).
        values: float64 (nodes,): the constants; 0 elsewhere.
        sizes: int32 (nodes,): the sizes of the subtrees.
    """

    table: WordTable
    words: NDArray[np.int32]
    values: Floats
    sizes: NDArray[np.int32]

    def written(self, start: int, end: int) -> tuple[tuple[Symbol, ...], tuple[int, ...]]:
        """The symbols and sizes of the nodes from ``start`` up to, but not including, ``end``."""
        words = self.words[start:end]
        symbols = self.table.objects[words]
        if self.table.constant >= 0:
            constants = np.flatnonzero(words == self.table.constant)
            symbols[constants] = self.values[start:end][constants]
        return tuple(symbols.tolist()), tuple(self.sizes[start:end].tolist())


Place = tuple[Nodes, int, int]
"""The place of a formula's nodes: the arrays, the index of the first node, and the index after the last node."""


def keep_place(tree: FlatTree[Any], place: Place) -> None:
    """Store the place of a tree's nodes in the tree; this does not affect equality."""
    tree.__dict__["place"] = place


def place_of(tree: FlatTree[Any]) -> Place | None:
    """The place of a tree's nodes; None if the tree is not packed yet."""
    return tree.__dict__.get("place")


@dataclass(frozen=True, slots=True, eq=False)
class PackedTrees:
    """Formulas packed into shared arrays.

    Attributes:
        nodes: the nodes of all these formulas, and possibly of others.
        starts, ends: int64 (formulas,): the start and the end of each formula in ``nodes``.
    """

    nodes: Nodes
    starts: Ints
    ends: Ints


def pack(trees: Sequence[FlatTree[Any]], table: WordTable) -> PackedTrees:
    """Pack formulas (at least one) into shared arrays, using a table of words; do not copy formulas that share arrays.

    Raises:
        KeyError: a symbol has no word.
    """
    places: list[Any] = [tree.__dict__.get("place") for tree in trees]
    nodes: Any = None if places[0] is None else places[0][0]
    if nodes is None or nodes.table is not table or not all(p is not None and p[0] is nodes for p in places):
        nodes = _written(trees, places, table)
        places = [place_of(tree) for tree in trees]
    starts = np.array([place[1] for place in places], dtype=np.int64)
    return PackedTrees(nodes, starts, np.array([place[2] for place in places], dtype=np.int64))


def _written(trees: Sequence[FlatTree[Any]], places: Sequence[Place | None], table: WordTable) -> Nodes:
    """Copy the nodes of formulas into new arrays, one after another; each tree then stores its new place."""
    parts: list[tuple[Any, Any, Any]] = []
    for tree, place in zip(trees, places, strict=True):
        if place is not None and place[0].table is table:
            nodes, first, last = place
            parts.append((nodes.words[first:last], nodes.values[first:last], nodes.sizes[first:last]))
        else:
            constants = [symbol if symbol.__class__ is float else 0.0 for symbol in tree.symbols]
            parts.append(([table[symbol] for symbol in tree.symbols], constants, tree.sizes))
    words, values, sizes = zip(*parts, strict=True)
    written = Nodes(
        table,
        np.concatenate(words, dtype=np.int32, casting="unsafe"),
        np.concatenate(values, dtype=np.float64),
        np.concatenate(sizes, dtype=np.int32, casting="unsafe"),
    )
    start = 0
    for tree in trees:
        end = start + len(tree.sizes)
        keep_place(tree, (written, start, end))
        start = end
    return written


KINDS: Mapping[str, int] = {
    "clone": breeding.CLONE,
    "constants": breeding.CONSTANTS,
    "subtree": breeding.SUBTREE,
    "crossover": breeding.CROSSOVER,
    "point": breeding.POINT,
    "hoist": breeding.HOIST,
    "shrink": breeding.SHRINK,
    "wrap": breeding.WRAP,
}
"""The variation operators that the kernel supports, by name."""

MOST_RANDOM = 1 << 16
"""The maximum number of nodes that the kernel reserves for a random branch."""


def breed_formulas(
    keys: NDArray[np.uint64],
    parents: Sequence[TreeProgram],
    mating: Breeding,
    alphabet: Alphabet,
    *,
    one_tree: bool,
    one_constant: bool,
    octaves: float,
    subtree_depth: int,
    max_size: int | None,
    max_depth: int | None,
) -> list[Bred[TreeProgram]] | None:
    """Breed children of programs with a single formula; return None if the kernel does not support the request.

    Args:
        keys: uint64 (children, 2): the keys of the children's random streams.
        parents: the population.
        mating: the number of children, and the settings for breeding them.
        alphabet: the operators, sensors and constants of formulas.
        one_tree: whether to draw a random number to choose the formula, even though there is only one.
        one_constant: whether a mutation of constants changes only one of them.
        octaves: the largest change of a constant, which is multiplied or divided by up to 2^octaves.
        subtree_depth: the maximum number of levels of a random branch.
        max_size: the maximum number of nodes; None for no limit.
        max_depth: the maximum number of levels; None for no limit.
    """
    arities = [operator.arity for operator in alphabet.operators]
    largest = sum(max(arities, default=0) ** level for level in range(max(2, subtree_depth)))
    one = all(len(program.trees) == 1 for program in parents)
    if not one or largest > MOST_RANDOM or not all(name in KINDS for name in mating.names):
        return None
    table = words_of(alphabet)
    try:
        packed = pack([program.trees[0] for program in parents], table)
    except KeyError:
        return None
    counts = {
        **shared_counts(mating, largest, max_size, max_depth),
        breeding.ONE_TREE: one_tree,
        breeding.ONE_CONSTANT: one_constant,
        breeding.LEVELS: subtree_depth,
        breeding.SENSORS: len(alphabet.sensors),
        breeding.LEAVES: len(alphabet.sensors) + alphabet.constants,
    }
    plan = (
        *shared_plan(mating, KINDS),
        np.array(arities, dtype=np.int64),
        _numbers(mating, alphabet, octaves),
        np.array([counts[place] for place in range(len(counts))], dtype=np.int64),
        *_words_apart(alphabet),
    )

    def wrapped() -> TreeProgram:
        return TreeProgram(parents[0].names, (Tree.__new__(Tree),))

    return bred_children(breeding.breed, keys, packed, plan, largest, parents, mating, wrapped)


def shared_plan(mating: Breeding, kinds: Mapping[str, int]) -> tuple[Floats, Ints, Ints]:
    """The first three arrays of the plan of every kernel that breeds.

    These are the running sums of the shares, float64 (operators,), the kinds of the operators, int64 (operators,), and
    the ranks, int64 (individuals,).
    """
    return (
        np.array(mating.sums, dtype=np.float64),
        np.array([kinds[name] for name in mating.names], dtype=np.int64),
        np.array(mating.ranks, dtype=np.int64),
    )


def shared_counts(mating: Breeding, largest: int, nodes: int | None, levels: int | None) -> dict[int, int]:
    """The counts that every kernel that breeds reads; None means no limit on nodes or levels."""
    return {
        breeding.ELITES: mating.elites,
        breeding.ATTEMPTS: mating.attempts,
        breeding.RANDOM_MOST: largest,
        breeding.MOST_NODES: -1 if nodes is None else nodes,
        breeding.MOST_LEVELS: -1 if levels is None else levels,
    }


def _numbers(mating: Breeding, alphabet: Alphabet, octaves: float) -> Floats:
    values = {
        breeding.ROOT: mating.root,
        breeding.OCTAVES: octaves,
        breeding.LOW: alphabet.constant_low,
        breeding.WIDTH: alphabet.constant_high - alphabet.constant_low,
        breeding.TARPEIAN: mating.tarpeian,
        breeding.MEAN_SIZE: mating.mean_size,
        breeding.INNER: INNER,
        breeding.TWO: 2.0,  # passed as a number, because powers of a constant are compiled differently
    }
    return np.array([values[place] for place in range(len(values))], dtype=np.float64)


def _words_apart(alphabet: Alphabet) -> tuple[Ints, Ints]:
    """The leaves with extra chances, int64 (chances,), and the marks of words, int64 (words,) or empty."""
    again = np.array(alphabet.again, dtype=np.int64)
    if not alphabet.indicators:
        return again, np.empty(0, dtype=np.int64)
    guards = [breeding.GUARD * (operator.name in GUARDED) for operator in alphabet.operators]
    columns = [breeding.COLUMN - (name in alphabet.indicators) for name in alphabet.sensors]
    return again, np.array([*guards, *columns, 0], dtype=np.int64)


def bred_children(
    breed: Callable[..., Any],
    keys: NDArray[np.uint64],
    packed: PackedTrees,
    plan: tuple[Any, ...],
    largest: int,
    parents: Sequence[Program],
    mating: Breeding,
    wrapped: Callable[[], Program],
) -> list[Bred[Program]]:
    """The children that a kernel breeds; equal programs (including parents) are represented by the same object.

    Args:
        breed: the kernel, such as ``gpkit.genomes.kernel.breeding.breed``.
        keys: uint64 (children, 2): the keys of the children's random streams.
        packed: the trees of the population.
        plan: the kernel's settings.
        largest: the maximum number of nodes by which a child can be larger than its parents together.
        parents: the population.
        mating: the settings for breeding.
        wrapped: returns a program whose tree gets its place, and has no symbols and sizes until they are needed.
    """
    made, nodes = _made(breed, keys, packed, plan, largest)
    names, section = mating.names, parents[0].names[0]
    everybody, children, start = list(parents), [], 0
    firsts = _first_equals(made, nodes, packed).tolist()
    for (kind, first, second, position, doomed, end, changed), same in zip(
        made.tolist(), firsts, strict=True
    ):
        if changed and same >= len(everybody):
            program = wrapped()  # its symbols and sizes are computed when needed
        else:
            program = everybody[same] if same < len(everybody) else parents[first]
        keep_place(program.trees[0], (nodes, start, end))
        everybody.append(program)
        children.append(
            Bred(
                "clone" if kind < 0 else names[kind],
                (first,) if second < 0 or kind < 0 else (first, second),
                program,
                end - start,
                () if position < 0 else ((section, position),),
                doomed == 1,
            )
        )
        start = end
    return children


def _made(
    breed: Callable[..., Any],
    keys: NDArray[np.uint64],
    packed: PackedTrees,
    plan: tuple[Any, ...],
    largest: int,
) -> tuple[Ints, Nodes]:
    """The kernel's record of each child, int64 (children, 7), and the nodes of all children."""
    nodes, count = packed.nodes, len(keys)
    pool = (nodes.words, nodes.values, nodes.sizes, packed.starts, packed.ends)
    lengths = packed.ends - packed.starts
    room = int(2 * count * lengths.mean() + 2 * lengths.max()) + largest
    child: tuple[Any, ...] = (np.empty(room, np.int32), np.empty(room), np.empty(room, np.int32))
    levels = max(int(plan[5][breeding.MOST_LEVELS]), int(4 * lengths.max()))
    stack = np.empty(levels + 4 * largest + 4, dtype=np.int64)
    random, made = np.zeros(7, dtype=np.uint64), np.empty((count, 7), dtype=np.int64)
    done = breed(0, keys, pool, plan, made, (*child, stack, random))
    while done < count:  # the nodes of this child need more room
        child = tuple(np.concatenate([each, np.empty_like(each)]) for each in child)
        done = breed(done, keys, pool, plan, made, (*child, stack, random))
    return made, Nodes(nodes.table, *child)


def _first_equals(made: Ints, nodes: Nodes, packed: PackedTrees) -> Ints:
    """For each child, the index of the first equal formula among parents, then children: int64 (children,)."""
    old, ends = packed.nodes, made[:, breeding.END]
    starts = np.concatenate([[0], ends[:-1]])
    room = 1 << (2 * (len(packed.starts) + len(ends))).bit_length()
    first = np.empty(len(ends), dtype=np.int64)
    breeding.find_equals(
        (old.words, old.values.view(np.int64), packed.starts, packed.ends),
        (nodes.words, nodes.values.view(np.int64), starts, np.ascontiguousarray(ends)),
        np.full(room, -1, dtype=np.int64),
        first,
    )
    return first

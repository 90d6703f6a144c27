"""Children of a whole generation of formulas in one call: the same, to the last bit, as one by one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.primitives import Alphabet
from gpkit.genomes.kernel import breeding
from gpkit.genomes.packed_trees import Nodes, PackedTrees, keep_place, pack, words_of
from gpkit.genomes.program_operators import Bred, Breeding
from gpkit.genomes.tree import Tree, TreeProgram
from gpkit.genomes.tree_operators import INNER

KINDS: Mapping[str, int] = {
    "clone": breeding.CLONE,
    "constants": breeding.CONSTANTS,
    "subtree": breeding.SUBTREE,
    "crossover": breeding.CROSSOVER,
    "point": breeding.POINT,
    "hoist": breeding.HOIST,
    "shrink": breeding.SHRINK,
}
"""Operators that the kernel has, by name."""

FIRST_DRAWS = 16
"""Random numbers drawn for each child at first; four times as many where one needs more."""

MOST_RANDOM = 1 << 16
"""The most nodes of a random branch for which room is kept."""


@dataclass(frozen=True, slots=True)
class Varying:
    """Settings of operators on formulas, as in the representation of formulas.

    Attributes:
        one_tree: whether the formula that is varied is drawn, though there is but one.
        one_constant: whether a mutation of constants changes one of them.
        octaves: constants change by a factor of up to 2 to this power.
        subtree_depth: the most levels of a random branch.
        max_size, max_depth: the limits; None is none.
    """

    one_tree: bool
    one_constant: bool
    octaves: float
    subtree_depth: int
    max_size: int | None
    max_depth: int | None


def breed_formulas(
    streams: Callable[[int], np.random.Generator],
    parents: Sequence[TreeProgram],
    mating: Breeding,
    alphabet: Alphabet,
    varying: Varying,
) -> list[Bred[TreeProgram]] | None:
    """The children of programs of one formula; None where the kernel does not have all that is asked for.

    Args:
        streams: the generator of a child by its index.
        parents: the population.
        mating: how many children there are, and how they come about.
        alphabet: what formulas are made of.
        varying: settings of the operators.
    """
    arities = [operator.arity for operator in alphabet.operators]
    largest = sum(max(arities, default=0) ** level for level in range(varying.subtree_depth))
    one = all(len(program.trees) == 1 for program in parents)
    if not one or largest > MOST_RANDOM or not all(name in KINDS for name in mating.names):
        return None
    table = words_of(alphabet)
    try:
        packed = pack([program.trees[0] for program in parents], table)
    except KeyError:
        return None
    plan = (
        np.array(mating.sums, dtype=np.float64),
        np.array([KINDS[name] for name in mating.names], dtype=np.int64),
        np.array(mating.ranks, dtype=np.int64),
        np.array(arities, dtype=np.int64),
        _numbers(mating, alphabet, varying),
        _counts(mating, alphabet, varying, largest),
    )
    made, nodes = _made(streams, packed, plan, mating.count, largest)
    return _children(made, nodes, parents, mating)


def _numbers(mating: Breeding, alphabet: Alphabet, varying: Varying) -> NDArray[np.float64]:
    numbers = np.zeros(8)
    numbers[breeding.ROOT] = mating.root
    numbers[breeding.OCTAVES] = varying.octaves
    numbers[breeding.LOW] = alphabet.constant_low
    numbers[breeding.WIDTH] = alphabet.constant_high - alphabet.constant_low
    numbers[breeding.TARPEIAN] = mating.tarpeian
    numbers[breeding.MEAN_SIZE] = mating.mean_size
    numbers[breeding.INNER] = INNER
    numbers[breeding.TWO] = 2.0  # where it is read, it is no constant: powers of that are computed otherwise
    return numbers


def _counts(mating: Breeding, alphabet: Alphabet, varying: Varying, largest: int) -> NDArray[np.int64]:
    counts = np.zeros(10, dtype=np.int64)
    counts[breeding.ELITES] = mating.elites
    counts[breeding.ATTEMPTS] = mating.attempts
    counts[breeding.ONE_TREE] = varying.one_tree
    counts[breeding.ONE_CONSTANT] = varying.one_constant
    counts[breeding.LEVELS] = varying.subtree_depth
    counts[breeding.RANDOM_MOST] = largest
    counts[breeding.MOST_NODES] = -1 if varying.max_size is None else varying.max_size
    counts[breeding.MOST_LEVELS] = -1 if varying.max_depth is None else varying.max_depth
    counts[breeding.SENSORS] = len(alphabet.sensors)
    counts[breeding.LEAVES] = len(alphabet.sensors) + alphabet.constants
    return counts


def _made(
    streams: Callable[[int], np.random.Generator],
    packed: PackedTrees,
    plan: tuple[Any, ...],
    count: int,
    largest: int,
) -> tuple[NDArray[np.int64], Nodes]:
    """Record of each child, int64 (children, 7) as the kernel writes it, and the nodes of all of them."""
    nodes = packed.nodes
    pool = (nodes.words, nodes.values, nodes.sizes, packed.starts, packed.ends)
    lengths = packed.ends - packed.starts
    room = int(2 * count * lengths.mean() + 2 * lengths.max()) + largest
    child: tuple[Any, ...] = (np.empty(room, np.int32), np.empty(room), np.empty(room, np.int32))
    stack = np.empty(max(int(plan[5][breeding.MOST_LEVELS]), 0) + 4 * largest + 4, dtype=np.int64)
    at, made = np.zeros(1, dtype=np.int64), np.empty((count, 7), dtype=np.int64)
    draws = _drawn(streams, 0, count, FIRST_DRAWS)
    done = breeding.breed(0, draws, pool, plan, made, (*child, stack, at))
    while done < count:  # this child needs more random numbers, or more room
        if at[0] > draws.shape[1]:
            draws = _drawn(streams, done, count, 4 * draws.shape[1])
        else:
            child = tuple(np.concatenate([each, np.empty_like(each)]) for each in child)
        done = breeding.breed(done, draws, pool, plan, made, (*child, stack, at))
    return made, Nodes(nodes.table, *child)


def _drawn(
    streams: Callable[[int], np.random.Generator], first: int, count: int, width: int
) -> NDArray[np.float64]:
    """Random numbers, float64 (children, width), of the children from ``first`` on."""
    draws = np.empty((count, width))
    for index in range(first, count):
        streams(index).random(out=draws[index])
    return draws


def _children(
    made: NDArray[np.int64], nodes: Nodes, parents: Sequence[TreeProgram], mating: Breeding
) -> list[Bred[TreeProgram]]:
    """The children as programs, which remember where their nodes are."""
    last, table = int(made[-1, breeding.END]), nodes.table
    words = nodes.words[:last]
    objects = np.array([*table.symbols, None], dtype=object)[words]
    constants = np.flatnonzero(words == table.constant)
    objects[constants] = nodes.values[constants]
    symbols, sizes = tuple(objects.tolist()), tuple(nodes.sizes[:last].tolist())
    names, section = mating.names, parents[0].names
    children, start = [], 0
    for kind, first, second, position, doomed, end, changed in made.tolist():
        program = parents[first]
        tree = program.trees[0]
        if changed:
            tree = Tree(symbols[start:end], sizes[start:end])
            program = TreeProgram(section, (tree,))
        keep_place(tree, (nodes, start, end))
        children.append(
            Bred(
                "clone" if kind < 0 else names[kind],
                (first,) if second < 0 or kind < 0 else (first, second),
                program,
                len(tree.sizes),
                () if position < 0 else ((section[0], position),),
                doomed == 1,
            )
        )
        start = end
    return children

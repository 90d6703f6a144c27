"""Children of a whole generation of formulas in one call: the same, to the last bit, as one by one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.primitives import Alphabet
from gpkit.genomes.kernel import breeding
from gpkit.genomes.packed_trees import Nodes, PackedTrees, keep_place, pack, placed_tree, words_of
from gpkit.genomes.program_operators import Bred, Breeding
from gpkit.genomes.tree import INNER, TreeProgram

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
"""Operators that the kernel has, by name."""

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
    keys: NDArray[np.uint64],
    parents: Sequence[TreeProgram],
    mating: Breeding,
    alphabet: Alphabet,
    varying: Varying,
) -> list[Bred[TreeProgram]] | None:
    """The children of programs of one formula; None where the kernel does not have all that is asked for.

    Args:
        keys: uint64 (children, 2), of the random streams of the children.
        parents: the population.
        mating: how many children there are, and how they come about.
        alphabet: what formulas are made of.
        varying: settings of the operators.
    """
    arities = [operator.arity for operator in alphabet.operators]
    largest = sum(max(arities, default=0) ** level for level in range(max(2, varying.subtree_depth)))
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
    made, nodes = _made(keys, packed, plan, largest)
    return _children(made, nodes, packed, parents, mating)


def _numbers(mating: Breeding, alphabet: Alphabet, varying: Varying) -> NDArray[np.float64]:
    values = {
        breeding.ROOT: mating.root,
        breeding.OCTAVES: varying.octaves,
        breeding.LOW: alphabet.constant_low,
        breeding.WIDTH: alphabet.constant_high - alphabet.constant_low,
        breeding.TARPEIAN: mating.tarpeian,
        breeding.MEAN_SIZE: mating.mean_size,
        breeding.INNER: INNER,
        breeding.TWO: 2.0,  # where it is read, it is no constant: powers of that are computed otherwise
    }
    return np.array([values[place] for place in range(len(values))], dtype=np.float64)


def _counts(mating: Breeding, alphabet: Alphabet, varying: Varying, largest: int) -> NDArray[np.int64]:
    values = {
        breeding.ELITES: mating.elites,
        breeding.ATTEMPTS: mating.attempts,
        breeding.ONE_TREE: varying.one_tree,
        breeding.ONE_CONSTANT: varying.one_constant,
        breeding.LEVELS: varying.subtree_depth,
        breeding.RANDOM_MOST: largest,
        breeding.MOST_NODES: -1 if varying.max_size is None else varying.max_size,
        breeding.MOST_LEVELS: -1 if varying.max_depth is None else varying.max_depth,
        breeding.SENSORS: len(alphabet.sensors),
        breeding.LEAVES: len(alphabet.sensors) + alphabet.constants,
    }
    return np.array([values[place] for place in range(len(values))], dtype=np.int64)


def _made(
    keys: NDArray[np.uint64], packed: PackedTrees, plan: tuple[Any, ...], largest: int
) -> tuple[NDArray[np.int64], Nodes]:
    """Record of each child, int64 (children, 7) as the kernel writes it, and the nodes of all of them."""
    nodes, count = packed.nodes, len(keys)
    pool = (nodes.words, nodes.values, nodes.sizes, packed.starts, packed.ends)
    lengths = packed.ends - packed.starts
    room = int(2 * count * lengths.mean() + 2 * lengths.max()) + largest
    child: tuple[Any, ...] = (np.empty(room, np.int32), np.empty(room), np.empty(room, np.int32))
    stack = np.empty(max(int(plan[5][breeding.MOST_LEVELS]), 0) + 4 * largest + 4, dtype=np.int64)
    random, made = np.zeros(7, dtype=np.uint64), np.empty((count, 7), dtype=np.int64)
    done = breeding.breed(0, keys, pool, plan, made, (*child, stack, random))
    while done < count:  # the nodes of this child need more room
        child = tuple(np.concatenate([each, np.empty_like(each)]) for each in child)
        done = breeding.breed(done, keys, pool, plan, made, (*child, stack, random))
    return made, Nodes(nodes.table, *child)


def _children(
    made: NDArray[np.int64],
    nodes: Nodes,
    packed: PackedTrees,
    parents: Sequence[TreeProgram],
    mating: Breeding,
) -> list[Bred[TreeProgram]]:
    """The children as programs; those that are equal are the same, also where they equal a parent."""
    names, section = mating.names, parents[0].names
    everybody, children, start = list(parents), [], 0
    firsts = _first_equals(made, nodes, packed).tolist()
    for (kind, first, second, position, doomed, end, changed), same in zip(
        made.tolist(), firsts, strict=True
    ):
        if changed and same >= len(everybody):
            program = TreeProgram(section, (placed_tree((nodes, start, end)),))
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
                () if position < 0 else ((section[0], position),),
                doomed == 1,
            )
        )
        start = end
    return children


def _first_equals(made: NDArray[np.int64], nodes: Nodes, packed: PackedTrees) -> NDArray[np.int64]:
    """The first equal of each child among parents and children, in this order: int64 (children,)."""
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

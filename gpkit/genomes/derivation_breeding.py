"""Breed all children of a generation of derivations in one call; the results are the same as one by one."""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.genomes.derivation import Derivation, Productions
from gpkit.genomes.kernel import breeding, derivations
from gpkit.genomes.program_operators import Bred, Breeding
from gpkit.genomes.tree_breeding import (
    WordTable,
    bred_children,
    pack,
    shared_counts,
    shared_plan,
)

KINDS: Mapping[str, int] = {
    "clone": breeding.CLONE,
    "constant": breeding.CONSTANTS,
    "part": breeding.SUBTREE,
    "crossover": breeding.CROSSOVER,
    "point": breeding.POINT,
    "hoist": breeding.HOIST,
}
"""The variation operators that the kernel supports, by name."""


class ProductionTables(WordTable):
    """The word numbers of a grammar, alternatives before tokens, and the kernel's tables.

    Attributes:
        numbers, leaves, rest: the tables ``symbols`` and ``leaves``, and ``spans`` to ``alike_at``, of
            ``gpkit.genomes.kernel.derivations.breed``.
        rules: the number of rules.
        least: the maximum, over all symbols, of the number of nodes in the smallest derivation.
    """

    def __init__(self, rules: Productions) -> None:
        order = [number for numbers in rules.of.values() for number in numbers]
        names = {name: place for place, name in enumerate([*rules.of, *rules.leaves])}
        leaves = [[leaf.token(word) for word in leaf.words] for leaf in rules.leaves.values()]
        nodes: list[Any] = [*order, *dict.fromkeys(token for tokens in leaves for token in tokens)]
        super().__init__((node, word) for word, node in enumerate(nodes))
        self.constant, self.rules = -1, len(rules.of)
        self.objects = np.array([*nodes, None], dtype=object)[:-1]
        self.least = max((int(size) for size in rules.least.values() if size < math.inf), default=1)
        self.symbols, self.numbers = tuple(nodes), _whole([names[rules.symbol(node)] for node in nodes])
        self.leaves = _whole([self[token] for tokens in leaves for token in tokens])
        parts = [
            [
                (names[part], least, place in growing)
                for place, (part, least) in enumerate(zip(*shape, strict=True))
            ]
            for *shape, growing in map(rules.rooms.__getitem__, order)
        ]
        alike = [[self[each] for each in rules.alike[number]] for number in order]
        counts = [*map(len, rules.of.values()), *map(len, leaves)]
        ends = [*accumulate(counts[: self.rules]), *accumulate(counts[self.rules :])]
        facts = [
            (rules.least_of[each], rules.most_of[each], rules.alternatives[each].weight) for each in order
        ]
        self.rest = (
            np.stack([np.subtract(ends, counts), ends], axis=1).astype(np.int64),
            np.array(facts, dtype=np.float64),
            _whole([part for each in parts for part in each]).reshape(-1, 3),
            _whole([0, *accumulate(map(len, parts))]),
            _whole([each for others in alike for each in others]),
            _whole([0, *accumulate(map(len, alike))]),
        )


@lru_cache(maxsize=16)
def tables_of(rules: Productions) -> ProductionTables:
    """The tables of a grammar."""
    return ProductionTables(rules)


def _whole(values: Sequence[Any]) -> NDArray[np.int64]:
    return np.array(values, dtype=np.int64)


def breed_derivations(
    keys: NDArray[np.uint64],
    parents: Sequence[Derivation],
    mating: Breeding,
    rules: Productions,
    *,
    growth: int,
    max_size: int | None,
) -> list[Bred[Derivation]] | None:
    """Breed children of derivations; return None if the kernel does not support the operators or the terminals.

    Args:
        keys: uint64 (children, 2): the keys of the children's random streams.
        parents: the population.
        mating: the number of children, and the settings for breeding them.
        rules: the alternatives of the grammar.
        growth: the maximum number of nodes by which a new part may be larger than the part that it replaces.
        max_size: the maximum number of nodes; None for no limit.
    """
    if not all(name in KINDS for name in mating.names) or not all(
        leaf.words for leaf in rules.leaves.values()
    ):
        return None
    table = tables_of(rules)
    try:
        packed = pack(parents, table)
    except KeyError:
        return None
    largest = max(growth + table.least + 1, len(table.leaves))
    counts, numbers = np.zeros(10, np.int64), np.zeros(8)
    shared = shared_counts(mating, largest, max_size, None)
    counts[[*shared]] = [*shared.values()]
    counts[[derivations.GROWTH, derivations.RULES]] = growth, table.rules
    numbers[[breeding.ROOT, breeding.TARPEIAN]] = mating.root, mating.tarpeian
    numbers[breeding.MEAN_SIZE] = mating.mean_size
    plan = (
        *shared_plan(mating, KINDS),
        table.numbers,
        numbers,
        counts,
        table.leaves,
        _whole([]),
        *table.rest,
    )

    def wrapped() -> Derivation:
        made = Derivation.__new__(Derivation)
        made.__dict__["language"] = rules.language
        return made

    return bred_children(derivations.breed, keys, packed, plan, largest, parents, mating, wrapped)

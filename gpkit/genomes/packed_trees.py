"""Formulas as flat arrays, many of them side by side, for kernels that breed or evaluate them all in one call.

A tree keeps where its arrays are, so that children of a generation are bred, evaluated and bred from again without
being written anew.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.primitives import Alphabet
from gpkit.genomes.tree import Symbol, Tree


class Words(dict[Symbol, int]):
    """The words of an alphabet: its operators, its sensors, then one for every constant.

    Attributes:
        symbols: of the words but the last.
        constant: the word of constants.
        objects: the symbols as an array, and None for constants.
    """

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
        table: what the words mean.
        words: int32 (nodes,).
        values: float64 (nodes,), of constants; 0 elsewhere.
        sizes: int32 (nodes,), of the subtrees.
    """

    table: Words
    words: NDArray[np.int32]
    values: NDArray[np.float64]
    sizes: NDArray[np.int32]

    def written(self, start: int, end: int) -> tuple[tuple[Symbol, ...], tuple[int, ...]]:
        """The symbols and sizes of the nodes from ``start`` to before ``end``."""
        words = self.words[start:end]
        symbols = self.table.objects[words]
        constants = np.flatnonzero(words == self.table.constant)
        symbols[constants] = self.values[start:end][constants]
        return tuple(symbols.tolist()), tuple(self.sizes[start:end].tolist())


Place = tuple[Nodes, int, int]
"""Place of the nodes of a formula: from the first index to before the second."""


def keep_place(tree: Tree, place: Place) -> None:
    """Make a tree remember where its nodes are; it stays equal to what it was."""
    tree.__dict__["place"] = place


def placed_tree(place: Place) -> Tree:
    """The tree of the nodes at a place; its symbols and sizes are written when somebody asks."""
    tree = Tree.__new__(Tree)
    keep_place(tree, place)
    return tree


def place_of(tree: Tree) -> Place | None:
    """The place of the nodes of a tree; None if it has not been packed."""
    return tree.__dict__.get("place")


@dataclass(frozen=True, slots=True, eq=False)
class PackedTrees:
    """Formulas that are packed together.

    Attributes:
        nodes: of all of them, and perhaps of others.
        starts, ends: int64 (formulas,), where each formula begins and ends in them.
    """

    nodes: Nodes
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


def pack(trees: Sequence[Tree], table: Words) -> PackedTrees:
    """Formulas, at least one, packed together in the words of a table; nothing is written where they already are so.

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


def _written(trees: Sequence[Tree], places: Sequence[Place | None], table: Words) -> Nodes:
    """Nodes of formulas, written side by side; each then remembers that it is there."""
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

"""Values of many formulas for many rows at once."""

from collections.abc import Sequence
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from gpkit.core.primitives import OPERATORS, Alphabet
from gpkit.genomes.packed_trees import PackedTrees, pack, place_of, words_of
from gpkit.genomes.tree import Tree
from gpkit.languages.arithmetic.compiler import OPCODES
from gpkit.languages.arithmetic.kernel.walk import (
    CONSTANT,
    FIRST_INPUT,
    IFLE,
    SQUARE,
    number_nodes,
    run_nodes,
    split_sums,
)


def evaluate_terms(
    trees: Sequence[Tree], inputs: Sequence[str], columns: NDArray[np.float64], most: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The values of the terms that formulas add and subtract; ``compile_tree`` and the machine give the same values.

    Args:
        trees: formulas without ``math.random()``, at least one.
        inputs: the sensors in the order of the columns.
        columns: float64 (inputs, rows).
        most: the largest number of terms into which a formula is split; with 1, the whole formula is one term.

    Returns:
        float64 (terms, rows), those of each formula from left to right, and int64 (trees,), where they end.

    Raises:
        KeyError: a formula reads a sensor that is not among the inputs, or ``math.random()``.
    """
    packed = _packed(trees, inputs)
    nodes, lengths = packed.nodes, packed.ends - packed.starts
    formulas = (nodes.words, nodes.values.view(np.int64), packed.starts, packed.ends)
    count = int(lengths.sum())
    code, results = np.empty((2 * count, 4), dtype=np.int64), np.empty(len(trees), dtype=np.int64)
    table = np.full(1 << (4 * count).bit_length(), -1, dtype=np.int64)
    scratch = (np.empty(1 + int(lengths.max()), dtype=np.int64), table)
    code = code[: number_nodes(formulas, _meanings(packed, inputs), len(inputs), scratch, code, results)]
    terms, ends = np.empty(len(trees) * most, dtype=np.int64), np.empty(len(trees), dtype=np.int64)
    split_sums(code, results, len(inputs), most, np.empty(most, dtype=np.int64), terms, ends)
    terms = terms[: ends[-1]]
    rows, slots = columns.shape[1], len(inputs) + len(code)
    together = min(max(CACHED // slots, LEAST_BLOCK), MOST_BLOCK)
    memory = np.empty((slots, -(-rows // -(-rows // together))))
    values = np.empty((len(terms), rows))
    run_nodes(code, code.view(np.float64), terms, columns, memory, values)
    return values, ends


CACHED, LEAST_BLOCK, MOST_BLOCK = 1 << 16, 50, 500
"""Values of all slots that stay in the processor's second cache, and the least and the most rows of a block.

Slots that are a power of two apart would push each other out of the cache.
"""


def _packed(trees: Sequence[Tree], inputs: Sequence[str]) -> PackedTrees:
    """Formulas in the words that the first of them is packed in, or if they have others of all operators and inputs."""
    place = place_of(trees[0])
    if place is not None:
        with suppress(KeyError):
            return pack(trees, place[0].table)
    return pack(trees, words_of(Alphabet("inputs", tuple(inputs), OPERATORS)))


def _meanings(packed: PackedTrees, inputs: Sequence[str]) -> NDArray[np.int64]:
    """Meanings of the words of formulas: int64 (words,), as ``number_nodes`` takes them.

    Raises:
        KeyError: one of them reads a sensor that is not among the inputs.
    """
    known = {**OPCODES, "ifle": IFLE, "square": SQUARE} | {
        name: FIRST_INPUT + number for number, name in enumerate(inputs)
    }
    symbols, words = packed.nodes.table.symbols, packed.nodes.words
    for word, symbol in enumerate(symbols):
        if symbol not in known and any(
            (words[start:end] == word).any() for start, end in zip(packed.starts, packed.ends, strict=True)
        ):
            raise KeyError(symbol)
    return np.array([*(known.get(symbol, CONSTANT) for symbol in symbols), CONSTANT], dtype=np.int64)


VALUES_AT_ONCE = 1 << 19
"""Number of values computed together: formulas times rows, few enough for the processor's cache."""

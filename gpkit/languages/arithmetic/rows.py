"""Many formulas over many rows of inputs at once, without a program of the machine for each of them."""

from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from gpkit.genomes.tree import Symbol, Tree
from gpkit.languages.arithmetic.compiler import OPCODES
from gpkit.languages.arithmetic.kernel.walk import FIRST_INPUT, IFLE, walk_formulas
from gpkit.vm.machine import ROWS


def evaluate_trees(
    trees: Sequence[Tree], inputs: Sequence[str], columns: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The values of formulas for many rows of inputs, as ``compile_tree`` and the machine give them one by one.

    Args:
        trees: formulas without ``math.random()``, at least one.
        inputs: the sensors in the order of the columns.
        columns: float64 (inputs, rows).

    Returns:
        float64 (trees, rows).

    Raises:
        KeyError: a formula reads a sensor that is not among the inputs, or ``math.random()``.
    """
    table = _Words(inputs)
    lengths = [len(tree) for tree in trees]
    symbols = chain.from_iterable([tree.symbols for tree in trees])
    words = np.fromiter(map(table.__getitem__, symbols), np.int64, sum(lengths))
    longest = max(lengths)
    values = np.empty((len(trees), columns.shape[1]))
    walk_formulas(
        words,
        np.cumsum(lengths),
        np.array(table.constants, dtype=np.float64),
        columns,
        np.empty((len(inputs) + 2 * longest, min(ROWS, columns.shape[1]))),
        np.zeros(longest, dtype=np.int64),
        values,
    )
    return values


class _Words(dict[Symbol, int]):
    """The word of every symbol; a constant gets one when it is first met."""

    def __init__(self, inputs: Sequence[str]) -> None:
        super().__init__(OPCODES)
        self["ifle"] = IFLE
        self.update((name, FIRST_INPUT + number) for number, name in enumerate(inputs))
        self.constants: list[float] = []

    def __missing__(self, symbol: Symbol) -> int:
        if not isinstance(symbol, float):
            raise KeyError(symbol)
        self.constants.append(symbol)
        self[symbol] = word = -len(self.constants)
        return word

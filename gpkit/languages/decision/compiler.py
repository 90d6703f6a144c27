"""Compiles decision trees to machine code for one candidate, and to arrays for many rows."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Floats, Ints
from gpkit.core.primitives import ONCE, RANDOM
from gpkit.core.rng import stream
from gpkit.genomes.comparisons import Comparison, Sign
from gpkit.genomes.decision import Chance, DecisionProgram, DecisionTree, Leaf, Node, Switch
from gpkit.genomes.tree import Computed
from gpkit.langkit.formulas import code_of
from gpkit.vm import isa
from gpkit.vm.program import Program, inlined

_NOT, _SO = isa.JUMP_IF_ZERO, isa.JUMP_UNLESS_ZERO

TESTS: Mapping[Sign, tuple[tuple[int, bool], ...]] = {
    "<=": ((_NOT, False),),
    ">=": ((_NOT, True),),
    ">": ((_SO, False),),
    "<": ((_SO, True),),
    "==": ((_NOT, False), (_NOT, True)),
    "!=": ((_NOT, False), (_SO, True)),
}
"""The jumps that a test needs, by operator.

Each jump follows a comparison; the flag of the jump says whether the comparison swaps the operands.
"""


def compile_tree(
    tree: DecisionTree,
    inputs: Sequence[str],
    *,
    once: bool = False,
) -> Program:
    """The machine program that computes the value of the leaf that a tree reaches.

    Args:
        tree: the decision tree.
        inputs: the features in the order of their slots, whether the tree uses them or not; the tree's random numbers
            come after them.
        once: whether the random numbers are drawn once for all candidates.

    Raises:
        KeyError: the tree tests a feature that is not among the inputs, or a leaf is a name.
    """
    randoms = tuple(
        f"{ONCE if once else RANDOM}#{number}" for number in range(tree.draws)
    )  # numbered along each path from the root
    writer = _Writer(tree, inputs, randoms)
    writer.write(0)
    names, constants = writer.inputs, writer.constants
    memory = np.array([*np.zeros(writer.result + 1), *writer.more])
    memory[len(names) : len(names) + len(constants)] = constants
    return Program(
        np.array(writer.code, dtype=np.uint32).reshape(-1, isa.WIDTH), memory, names, writer.result
    )


class _Writer:
    """A writer of code in the order of the nodes; the slot for the result also holds the results of comparisons."""

    def __init__(self, tree: DecisionTree, inputs: Sequence[str], randoms: Sequence[str]) -> None:
        self.tree = tree
        self.inputs = inputs = (*inputs, *randoms)
        self.randoms = randoms
        self.constants = sorted({number for node in tree.symbols for number in self._constants(node)})
        self.result = len(inputs) + len(self.constants)
        self.code: list[list[int]] = []
        self.more: list[float] = []  # the memory of computed features, after the slot for the result
        self._inputs = {name: slot for slot, name in enumerate(inputs)}
        self._slots: dict[Leaf, int] = {value: len(inputs) + k for k, value in enumerate(self.constants)}

    def _constants(self, node: Node) -> Sequence[float]:
        if isinstance(node, Leaf):
            return (node,) if isinstance(node, float) else ()
        return node.bounds

    def write(self, position: int) -> None:
        """Write the code of the subtree at a position; only jumps lead to the code after it."""
        node, children = self.tree.symbols[position], list(self.tree.children(position))
        if isinstance(node, Leaf):
            self.code += [[isa.MOVE, self.result, self._slots[node], 0, 0], [isa.HALT, 0, 0, 0, 0]]
        elif isinstance(node, Comparison):
            self._branch(self._test(node), children[0])
            self.write(children[1])
        else:
            slot = self._slot(node.feature or self.randoms[self.tree.chances[position]])
            for bound, child in zip(node.bounds, children[:-1], strict=True):
                self._branch([self._compared(isa.JUMP_UNLESS_ZERO, self._slots[bound], slot)], child)
            self.write(children[-1])

    def _slot(self, feature: str) -> int:
        """The slot of a feature; if a formula computes it, this writes the code of the formula."""
        if not isinstance(feature, Computed):
            return self._inputs[feature]
        code = code_of(feature)
        inputs = [self._inputs[name] for name in code.inputs]
        rows, slot = inlined(code, inputs, self.result + 1 + len(self.more))
        self.code += rows
        self.more += code.memory[len(inputs) :].tolist()
        return slot

    def _branch(self, jumps: list[list[int]], child: int) -> None:
        """Write the code of a branch, and make these jumps lead to the row after it."""
        self.write(child)
        for jump in jumps:
            jump[1] = len(self.code)

    def _test(self, node: Comparison) -> list[list[int]]:
        """Write the code of a test and return its jumps; the code continues after a yes, and jumps after a no."""
        a, b = self._slot(node.feature), self._slots[node.threshold]
        jumps = [self._compared(jump, *((b, a) if turned else (a, b))) for jump, turned in TESTS[node.sign]]
        if node.sign == "!=":
            jumps.pop(0)[1] = len(self.code)  # the first jump leads to the branch `yes`
        return jumps

    def _compared(self, jump: int, a: int, b: int) -> list[int]:
        """Write a row that tests whether a is at most b, and a jump; return the row of the jump."""
        row = [jump, 0, self.result, 0, 0]
        self.code += [[isa.AT_MOST, self.result, a, b, 0], row]
        return row


def classify(
    program: DecisionProgram, inputs: Sequence[str], columns: Floats
) -> tuple[tuple[Leaf, ...], Ints]:
    """The leaves of a program's only tree; and for each row, the number of the leaf that it reaches, int64 (rows,).

    Args:
        program: a program with one tree.
        inputs: names of the columns.
        columns: float64 (inputs, rows).

    Raises:
        KeyError: the tree tests a feature that is not among the inputs.
    """
    (tree,) = program.trees
    return tree.leaves, np.searchsorted(tree.ends, leaf_places(tree, inputs, columns))


def leaf_places(tree: DecisionTree, inputs: Sequence[str], columns: Floats) -> Ints:
    """For each row, the position of the leaf that it reaches; chances draw the same random numbers in every call.

    Args:
        tree: the decision tree.
        inputs: names of the columns.
        columns: float64 (inputs, rows).

    Returns:
        int64 (rows,).

    Raises:
        KeyError: the tree tests a feature that is not among the inputs.
    """
    from gpkit.languages.decision.kernel import trees  # loads the kernel compiler

    found = np.empty(columns.shape[1], dtype=np.int64)
    trees.descend(*_lowered(tree, inputs, columns), found)
    return found


def _lowered(
    tree: DecisionTree, inputs: Sequence[str], columns: Floats
) -> tuple[tuple[NDArray[Any], ...], Floats]:
    """A tree and columns in the form that the kernel expects; each chance reads an extra column of random numbers."""
    from gpkit.languages.decision.kernel import trees
    from gpkit.vm.machine import evaluate

    features = {name: number for number, name in enumerate((*inputs, *tree.computed))}
    for code in map(code_of, tree.computed):
        values = evaluate(code, columns[[features[name] for name in code.inputs]])
        columns = np.vstack([columns, values])
    if tree.draws:
        columns = np.vstack([columns, stream(0, "rows").random((tree.draws, columns.shape[1]))])
    tests: list[tuple[int, int, int, int]] = []
    bounds: list[float] = []
    for node, draw in zip(tree.symbols, tree.chances, strict=True):
        first = len(bounds)
        if isinstance(node, Comparison):
            bounds.append(node.threshold)
            tests.append((trees.SIGNS[node.sign], features[node.feature], first, first + 1))
        elif isinstance(node, Switch):
            bounds += node.bounds
            tests.append((trees.BOUNDS, features[node.feature], first, len(bounds)))
        elif isinstance(node, Chance):
            bounds.append(node.probability)
            tests.append((trees.BOUNDS, len(features) + draw, first, first + 1))
        else:
            tests.append((trees.LEAF, 0, 0, 0))
    sizes = np.array(tree.sizes, dtype=np.int64)
    lowered = (np.array(tests, dtype=np.int64), np.array(bounds, dtype=np.float64), sizes)
    return lowered, np.ascontiguousarray(columns)

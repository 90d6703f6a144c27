"""Decision trees to machine code: comparisons and jumps forward, and a halt at every leaf."""

from collections.abc import Mapping, Sequence

import numpy as np

from gpkit.core.primitives import ONCE, RANDOM
from gpkit.genomes.comparisons import Comparison
from gpkit.genomes.decision import DecisionTree, Leaf, Node
from gpkit.vm import isa
from gpkit.vm.program import Program

NO_NUMBERS: Mapping[str, float] = {}


def random_input(number: int, *, once: bool = False) -> str:
    """The name of the input that carries a random number, counted from 0 on the way from the root.

    ``once`` says that it is drawn once for all candidates.
    """
    return f"{ONCE if once else RANDOM}#{number}"


def compile_tree(
    tree: DecisionTree,
    inputs: Sequence[str],
    numbers: Mapping[str, float] = NO_NUMBERS,
    *,
    once: bool = False,
) -> Program:
    """The program that computes the value of the leaf that a tree comes to.

    Args:
        tree: the decision tree.
        inputs: the features in the order of their slots, used by the tree or not; after them come its random numbers.
        numbers: what classes or actions are as values.
        once: whether its random numbers are drawn once for all candidates.

    Raises:
        KeyError: the tree tests a feature that is not among the inputs, or a leaf is a name without a number.
    """
    randoms = tuple(random_input(number, once=once) for number in range(tree.draws))
    writer = _Writer(tree, inputs, randoms, numbers)
    writer.write(0)
    names, constants = writer.inputs, writer.constants
    memory = np.zeros(writer.result + 1)
    memory[len(names) : len(names) + len(constants)] = constants
    code = np.array(writer.code, dtype=np.uint32).reshape(-1, isa.WIDTH)
    return Program(code, memory, names, writer.result)


class _Writer:
    """Code in the order of the nodes; the result is also the register of comparisons."""

    def __init__(
        self, tree: DecisionTree, inputs: Sequence[str], randoms: Sequence[str], numbers: Mapping[str, float]
    ) -> None:
        self.tree = tree
        self.inputs = inputs = (*inputs, *randoms)
        self.randoms = randoms
        self.numbers = numbers
        self.constants = sorted({number for node in tree.symbols for number in self._constants(node)})
        self.result = len(inputs) + len(self.constants)
        self.code: list[list[int]] = []
        self._inputs = {name: slot for slot, name in enumerate(inputs)}
        self._slots = {number: len(inputs) + k for k, number in enumerate(self.constants)}

    def _constants(self, node: Node) -> Sequence[float]:
        if isinstance(node, Leaf):
            return (self.numbers[node] if isinstance(node, str) else node,)
        return node.bounds

    def write(self, position: int) -> None:
        """Write the subtree at a position; the code after it is reached by no way but jumps."""
        node, children = self.tree.symbols[position], list(self.tree.children(position))
        if isinstance(node, Leaf):
            value = self.numbers[node] if isinstance(node, str) else node
            self.code += [[isa.MOVE, self.result, self._slots[value], 0, 0], [isa.HALT, 0, 0, 0, 0]]
        elif isinstance(node, Comparison):
            self._branch(self._test(node), children[0])
            self.write(children[1])
        else:
            slot = self._inputs[node.feature or self.randoms[self.tree.chances[position]]]
            for bound, child in zip(node.bounds, children[:-1], strict=True):
                self._branch(self._unless_at_most(self._slots[bound], slot), child)
            self.write(children[-1])

    def _branch(self, jumps: list[list[int]], child: int) -> None:
        """Write a branch, and let the jumps go behind it."""
        self.write(child)
        for jump in jumps:
            jump[1] = len(self.code)

    def _test(self, node: Comparison) -> list[list[int]]:
        """The code that goes on if the answer is yes; its jumps are taken if it is no."""
        a, b = self._inputs[node.feature], self._slots[node.threshold]
        match node.sign:
            case "<=":
                return self._if_at_most(a, b)
            case ">=":
                return self._if_at_most(b, a)
            case ">":
                return self._unless_at_most(a, b)
            case "<":
                return self._unless_at_most(b, a)
            case "==":
                return [*self._if_at_most(a, b), *self._if_at_most(b, a)]
            case _:
                (to_yes,) = self._if_at_most(a, b)
                to_no = self._unless_at_most(b, a)
                to_yes[1] = len(self.code)
                return to_no

    def _if_at_most(self, a: int, b: int) -> list[list[int]]:
        """Compare two slots and jump unless a ≤ b."""
        return self._compared(isa.JUMP_IF_ZERO, a, b)

    def _unless_at_most(self, a: int, b: int) -> list[list[int]]:
        """Compare two slots and jump if a ≤ b."""
        return self._compared(isa.JUMP_UNLESS_ZERO, a, b)

    def _compared(self, jump: int, a: int, b: int) -> list[list[int]]:
        row = [jump, 0, self.result, 0, 0]
        self.code += [[isa.AT_MOST, self.result, a, b, 0], row]
        return [row]

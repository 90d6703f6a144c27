"""Reference interpreter of formulas, in plain Python and in reading order; the compiled machine agrees bit for bit."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gpkit.core.primitives import RANDOM
from gpkit.genomes.tree import Symbol, Tree
from gpkit.langkit.operators import NOTATION


@dataclass(frozen=True, slots=True)
class NodeValue:
    """Value of a node: ``position`` in the tree, ``operands`` the values of its children."""

    position: int
    symbol: Symbol
    operands: tuple[float, ...]
    value: float


def evaluate(tree: Tree, env: Mapping[str, float], random: Callable[[], float]) -> float:
    """The value of a formula.

    Args:
        tree: the formula.
        env: the value of every sensor that it reads.
        random: gives the number of [0, 1) for each ``math.random()``, called for them from left to right.

    Raises:
        KeyError: the formula reads a sensor that is not in ``env``.
    """
    return trace(tree, env, random)[-1].value


def trace(tree: Tree, env: Mapping[str, float], random: Callable[[], float]) -> list[NodeValue]:
    """The values of all nodes: operands from left to right, then their operator; the last one is the root's."""
    nodes: list[NodeValue] = []
    waiting: list[tuple[int, list[float]]] = []  # operators that lack operands, with the operands so far
    for position, symbol in enumerate(tree.symbols):
        if symbol in NOTATION:
            waiting.append((position, []))
            continue
        nodes.append(NodeValue(position, symbol, (), _leaf(symbol, env, random)))
        while waiting:
            operator, operands = waiting[-1]
            operands.append(nodes[-1].value)
            notation = NOTATION[tree.symbols[operator]]
            if len(operands) < notation.arity:
                break
            waiting.pop()
            value = notation.meaning(*operands)
            nodes.append(NodeValue(operator, notation.name, tuple(operands), value))
    return nodes


def _leaf(symbol: Symbol, env: Mapping[str, float], random: Callable[[], float]) -> float:
    if isinstance(symbol, float):
        return symbol
    if symbol == RANDOM:
        return random()
    return env[symbol]


def executed_nodes(tree: Tree, values: Mapping[int, float]) -> frozenset[int]:
    """The positions of all nodes but those below the outcomes that an ``ifle`` did not take.

    ``values`` holds the value of every node by position, as the interpreter's steps give them. Operators are eager, so
    the others were evaluated too; their values just went nowhere.
    """
    executed = []
    todo = [0]
    while todo:
        position = todo.pop()
        executed.append(position)
        operands = list(tree.children(position))
        if tree.symbols[position] == "ifle":
            a, b, x, y = operands
            operands = [a, b, x if values[a] <= values[b] else y]
        todo.extend(operands)
    return frozenset(executed)

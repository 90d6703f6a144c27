"""The reference interpreter of formulas, in plain Python; the compiled machine agrees with it bit for bit."""

from collections.abc import Callable, Mapping

from gpkit.core.primitives import RANDOM
from gpkit.genomes.tree import Tree
from gpkit.langkit.operators import NOTATION


def evaluate(tree: Tree, env: Mapping[str, float], random: Callable[[], float]) -> float:
    """The value of a formula.

    Args:
        tree: the formula.
        env: the value of every sensor that it reads.
        random: returns a number in [0, 1); called for each ``math.random()``, from left to right.

    Raises:
        KeyError: the formula reads a sensor that is not in ``env``.
    """
    return node_values(tree, env, random)[0]


def node_values(tree: Tree, env: Mapping[str, float], random: Callable[[], float]) -> dict[int, float]:
    """The values of all nodes by position; operands come before their operator, from left to right."""
    values: dict[int, float] = {}
    waiting: list[tuple[int, list[float]]] = []  # operators that lack operands, with the operands so far
    for position, symbol in enumerate(tree.symbols):
        if symbol in NOTATION:
            waiting.append((position, []))
            continue
        value = symbol if isinstance(symbol, float) else random() if symbol == RANDOM else env[symbol]
        values[position] = value
        while waiting:
            operator, operands = waiting[-1]
            operands.append(value)
            notation = NOTATION[tree.symbols[operator]]
            if len(operands) < notation.arity:
                break
            waiting.pop()
            values[operator] = value = notation.meaning(*operands)
    return values


def executed_nodes(tree: Tree, values: Mapping[int, float]) -> frozenset[int]:
    """The positions of all nodes except those in outcomes that an ``ifle`` did not take.

    ``values`` contains the value of every node by position, as returned by ``node_values``. Operators are eager, so the
    interpreter also evaluates the other nodes, but nothing uses their values.
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

"""Reference interpreter of formulas, in plain Python and in reading order; the compiled machine agrees bit for bit."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from gpkit.core.primitives import RANDOM
from gpkit.genomes.tree import Symbol, Tree
from gpkit.languages.arithmetic.operators import NOTATION


@dataclass(frozen=True, slots=True)
class Step:
    """One node got its value: ``position`` in the tree, ``operands`` the values of its children."""

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
    for step in steps(tree, env, random):
        value = step.value
    return value


def trace(tree: Tree, env: Mapping[str, float], random: Callable[[], float]) -> list[Step]:
    """Every step of ``evaluate``: operands from left to right, then their operator; the last step is the root's."""
    return list(steps(tree, env, random))


def steps(tree: Tree, env: Mapping[str, float], random: Callable[[], float]) -> Iterator[Step]:
    """The steps of ``trace``, one at a time."""
    waiting: list[tuple[int, list[float]]] = []  # operators that lack operands, with the operands so far
    for position, symbol in enumerate(tree.symbols):
        if symbol in NOTATION:
            waiting.append((position, []))
            continue
        step = Step(position, symbol, (), _leaf(symbol, env, random))
        yield step
        while waiting:
            operator, operands = waiting[-1]
            operands.append(step.value)
            notation = NOTATION[tree.symbols[operator]]
            if len(operands) < notation.arity:
                break
            waiting.pop()
            step = Step(operator, notation.name, tuple(operands), notation.meaning(*operands))
            yield step


def _leaf(symbol: Symbol, env: Mapping[str, float], random: Callable[[], float]) -> float:
    if isinstance(symbol, float):
        return symbol
    if symbol == RANDOM:
        return random()
    return env[symbol]

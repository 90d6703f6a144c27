"""Random trees: grow, full and ramped, after Koza, "Genetic Programming", 1992, section 6.2."""

from typing import Literal

import numpy as np

from gpkit.core.primitives import Alphabet
from gpkit.core.rng import below
from gpkit.genomes.tree import Symbol, Tree, from_prefix

Shape = Literal["grow", "full"]
"""Shape of a random tree: ``full`` has every leaf at the last level, ``grow`` may stop anywhere above it."""

INNER = 0.5
"""The share of operators among the nodes of a grown tree that are above its last level.

Koza draws from operators and terminals alike, which makes the shape of a tree depend on how many sensors a game has.
"""


def random_leaf(rng: np.random.Generator, alphabet: Alphabet) -> Symbol:
    """A sensor or a fresh constant; the constant has the same chance as any one sensor.

    Args:
        rng: the source of chance.
        alphabet: has at least one sensor or constants.
    """
    sensors = alphabet.sensors
    choice = below(rng, len(sensors) + alphabet.constants)
    return sensors[choice] if choice < len(sensors) else random_constant(rng, alphabet)


def random_constant(rng: np.random.Generator, alphabet: Alphabet) -> float:
    """A constant, uniform between the bounds of the alphabet."""
    low, high = alphabet.constant_low, alphabet.constant_high
    return low + (high - low) * float(rng.random()) + 0.0


def random_tree(rng: np.random.Generator, alphabet: Alphabet, depth: int, shape: Shape = "grow") -> Tree:
    """A random tree of at most ``depth`` levels (exactly so many when it is full and there are operators)."""
    assert depth >= 1
    assert alphabet.sensors or alphabet.constants
    operators = alphabet.operators
    inner = INNER if shape == "grow" else 1.0
    symbols: list[Symbol] = []
    arities: list[int] = []
    pending = [depth]  # the levels left for the nodes still to draw, the next one last
    while pending:
        levels = pending.pop()
        if levels > 1 and operators and rng.random() < inner:
            operator = operators[below(rng, len(operators))]
            symbols.append(operator.name)
            arities.append(operator.arity)
            pending.extend([levels - 1] * operator.arity)
        else:
            symbols.append(random_leaf(rng, alphabet))
            arities.append(0)
    return from_prefix(symbols, arities)


def ramped_tree(rng: np.random.Generator, alphabet: Alphabet, index: int, low: int, high: int) -> Tree:
    """The tree of individual ``index`` in a ramped half-and-half population.

    Depths ``low`` … ``high`` follow each other, and at each depth full trees alternate with grown ones.
    """
    depth = low + index // 2 % (high - low + 1)
    return random_tree(rng, alphabet, depth, "full" if index % 2 == 0 else "grow")

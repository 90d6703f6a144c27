"""Random trees and the variation of one: mutations, crossover, and the rounding of constants.

Random trees are grown, full or ramped, after Koza, "Genetic Programming", 1992, section 6.2. Every operator takes its
source of chance first, leaves its arguments as they are, and returns the child with the position of the node where it
differs from its parent. A child may equal its parent when there is nothing to vary.
"""

import math
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import numpy as np

from gpkit.core.primitives import Alphabet
from gpkit.core.rng import below
from gpkit.genomes.tree import (
    AnyTree,
    FlatTree,
    Symbol,
    Tree,
    leaf,
    node,
    replace_subtree,
)

Shape = Literal["grow", "full"]
"""Shape of a random tree: ``full`` has every leaf at the last level, ``grow`` may stop anywhere above it."""

INNER = 0.5
"""The share of operators among the nodes of a grown tree that are above its last level.

Koza draws from operators and terminals alike, which makes the shape of a tree depend on how many sensors a game has.
"""


def random_leaf(rng: np.random.Generator, alphabet: Alphabet) -> Symbol:
    """A sensor or a fresh constant, uniform between its bounds, with the same chance as any one sensor.

    Args:
        rng: the source of chance.
        alphabet: has at least one sensor or constants.
    """
    sensors = alphabet.sensors
    choice = below(rng, len(sensors) + alphabet.constants)
    if choice < len(sensors):
        return sensors[choice]
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
    return Tree.from_prefix(symbols, arities)


def ramped_tree(rng: np.random.Generator, alphabet: Alphabet, index: int, low: int, high: int) -> Tree:
    """The tree of individual ``index`` in a ramped half-and-half population.

    Depths ``low`` … ``high`` follow each other, and at each depth full trees alternate with grown ones.
    """
    depth = low + index // 2 % (high - low + 1)
    return random_tree(rng, alphabet, depth, "full" if index % 2 == 0 else "grow")


Which = Literal["all", "one"]
"""Scope of a mutation of constants: every constant of the formula, each by its own factor, or one at random."""


Part = TypeVar("Part")


class Variant(NamedTuple, Generic[Part]):
    """A child of a part and the position, in the child, of what changed (0 when the change is not in one place)."""

    part: Part
    position: int


def constant_positions(tree: Tree) -> list[int]:
    """The positions of the constants, from left to right."""
    return [i for i, symbol in enumerate(tree.symbols) if symbol.__class__ is float]


def mutate_constants(
    rng: np.random.Generator, tree: Tree, which: Which = "all", octaves: float = 1.0
) -> Variant[Tree]:
    """Multiply constants by 2^U(−octaves, octaves): with one octave by ½ … 2; the sign never changes.

    The rule of P. Hansson, "Light Introduction to Genetic Programming", 2013, section Mutation; the article does not
    say how many constants change at once, so ``which`` does.
    """
    positions = constant_positions(tree)
    if not positions:
        return Variant(tree, 0)
    if which == "one":
        positions = [positions[below(rng, len(positions))]]
    symbols = list(tree.symbols)
    for position in positions:
        constant = symbols[position]
        assert isinstance(constant, float)
        scaled = constant * 2.0 ** (octaves * (2.0 * float(rng.random()) - 1.0))
        if scaled != 0.0 and math.isfinite(scaled):
            symbols[position] = scaled
    return Variant(Tree(tuple(symbols), tree.sizes), positions[0] if len(positions) == 1 else 0)


def mutate_subtree(rng: np.random.Generator, tree: Tree, alphabet: Alphabet, depth: int = 2) -> Variant[Tree]:
    """Replace a random branch by a random grown tree of at most ``depth`` levels.

    At two levels the new branch has at most one operator, so trees can grow but are not filled with chance (Hansson
    2013, section Mutation). Every node is an equally likely branch, the root too.
    """
    position = below(rng, len(tree))
    return Variant(replace_subtree(tree, position, random_tree(rng, alphabet, depth)), position)


def crossover(rng: np.random.Generator, tree: AnyTree, donor: AnyTree) -> Variant[AnyTree]:
    """Replace a random branch by a random subtree of ``donor``; every node of both is equally likely."""
    position = below(rng, len(tree.sizes))
    inside = below(rng, len(donor.sizes))
    return Variant(replace_subtree(tree, position, donor, inside), position)


def mutate_point(rng: np.random.Generator, tree: Tree, alphabet: Alphabet) -> Variant[Tree]:
    """Replace the symbol of one random node by another of the same arity; the shape stays.

    An operator becomes another operator, a leaf becomes a random leaf (which for a sensor may be the same again).
    """
    position = below(rng, len(tree))
    symbol: Symbol
    if tree.sizes[position] == 1:
        symbol = random_leaf(rng, alphabet)
    else:
        old, arity = tree.symbols[position], len([*tree.children(position)])
        others = [o.name for o in alphabet.operators if o.arity == arity and o.name != old]
        if not others:
            return Variant(tree, position)
        symbol = others[below(rng, len(others))]
    symbols = (*tree.symbols[:position], symbol, *tree.symbols[position + 1 :])
    return Variant(Tree(symbols, tree.sizes), position)


def wrap(rng: np.random.Generator, tree: Tree, alphabet: Alphabet) -> Variant[Tree]:
    """Put a random operator above a random branch, which becomes one of its operands; the others are random leaves.

    The smallest step by which a formula grows without losing anything: the opposite of ``hoist``.
    """
    position = below(rng, len(tree))
    if not alphabet.operators:
        return Variant(tree, position)
    operator = alphabet.operators[below(rng, len(alphabet.operators))]
    place = below(rng, operator.arity)
    operands = [leaf(random_leaf(rng, alphabet)) for _ in range(operator.arity - 1)]
    operands.insert(place, tree.subtree(position))
    return Variant(replace_subtree(tree, position, node(operator.name, *operands)), position)


def hoist(rng: np.random.Generator, tree: Tree) -> Variant[Tree]:
    """Replace a random inner branch by a random proper subtree of itself: the child is smaller."""
    position = _inner_position(rng, tree)
    if position is None:
        return Variant(tree, 0)
    inside = position + 1 + below(rng, tree.sizes[position] - 1)
    return Variant(replace_subtree(tree, position, tree, inside), position)


def shrink(rng: np.random.Generator, tree: Tree, alphabet: Alphabet) -> Variant[Tree]:
    """Replace a random inner branch by a random leaf: the child is smaller."""
    position = _inner_position(rng, tree)
    if position is None:
        return Variant(tree, 0)
    return Variant(replace_subtree(tree, position, leaf(random_leaf(rng, alphabet))), position)


def _inner_position(rng: np.random.Generator, tree: Tree) -> int | None:
    inner = [i for i, size in enumerate(tree.sizes) if size > 1]
    return inner[below(rng, len(inner))] if inner else None


def round_constants(tree: Tree, step: float) -> Tree:
    """Round every constant to a multiple of ``step``, half to even; a negative power of two keeps literals exact.

    A constant too large to be divided by the step stays as it is.
    """
    symbols = tuple(_rounded(s, step) if isinstance(s, float) else s for s in tree.symbols)
    return tree if symbols == tree.symbols else Tree(symbols, tree.sizes)


def _rounded(constant: float, step: float) -> float:
    steps = constant / step
    return round(steps) * step + 0.0 if math.isfinite(steps) else constant


def within(tree: FlatTree[Any], size: int | None = None, depth: int | None = None) -> bool:
    """Whether a tree has at most ``size`` nodes and at most ``depth`` levels; None means no limit."""
    if size is not None and len(tree) > size:
        return False
    if depth is None:
        return True
    return len(set(tree.sizes)) <= depth or tree.depth <= depth  # on a path every size is another

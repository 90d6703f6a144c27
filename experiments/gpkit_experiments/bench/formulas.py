"""The formulas that the machine is timed on: 21 nodes, ten operators, four inputs."""

from collections.abc import Callable

from gpkit.core.primitives import Alphabet, operators
from gpkit.core.rng import stream
from gpkit.genomes.tree import Tree, random_tree, round_constants
from gpkit.languages.arithmetic.parser import parse
from gpkit_experiments.bench.kernel import each_row

NODES = 21
SENSORS = ("A", "B", "C", "D")
ALPHABET = Alphabet("bench", SENSORS, operators("+", "-", "*", "/", "min", "max"))

_LEVELS = 6
_GRID = 1 / 16

HAND_COMPILED: tuple[tuple[str, Callable[..., None]], ...] = (
    ("B / (min(B + A, C - max(A, A)) / (B * C - A * 0.5 + A))", each_row.first),
    ("min((B - B) * B - A * max(D, A), max(C, max(B / (C / B), A)))", each_row.second),
    ("D - max(B, max(max(B, A), max(A, C))) * (min(min(D, 0.75), D) + (C + B))", each_row.third),
)
"""Formulas, drawn once like those of ``drawn``, and the same written as compiled Python by hand."""


def hand_compiled() -> list[tuple[Tree, Callable[..., None]]]:
    """The formulas of ``HAND_COMPILED`` as trees, each with its kernel."""
    return [(parse(text).program.trees[0], kernel) for text, kernel in HAND_COMPILED]


def drawn(number: int) -> Tree:
    """A random formula of ``NODES`` nodes, the same for the same number; constants are multiples of 1/16."""
    rng = stream(0, "bench formula", number)
    while True:
        tree = random_tree(rng, ALPHABET, _LEVELS)
        if len(tree) == NODES:
            return round_constants(tree, _GRID)

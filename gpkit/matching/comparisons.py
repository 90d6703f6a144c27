"""Evaluation of a rule's comparisons: lengths of matched chains, the score, and the edges left, against numbers."""

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence

from gpkit.genomes.graph import Comparison, Graph, Quantity, Sign
from gpkit.matching.edges import edges_left

MEANING: Mapping[Sign, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    ">=": operator.ge,
}
"""Relation of two numbers for each sign."""


def holds(comparison: Comparison, embedding: Sequence[int], position: Graph, score: int) -> bool:
    """Whether a comparison holds under an embedding.

    Args:
        comparison: of the rule.
        embedding: by node of the rule the node of the position.
        position: in which it matches.
        score: boxes of whoever is to draw less those of the other.
    """
    left = value(comparison.left, embedding, position, score)
    return MEANING[comparison.sign](left, value(comparison.right, embedding, position, score))


def value(quantity: Quantity, embedding: Sequence[int], position: Graph, score: int) -> int:
    """Value of a side of a comparison; arguments as of ``holds``."""
    if quantity.kind == "length":
        return position.nodes[embedding[quantity.value]].length
    if quantity.kind == "left":
        return edges_left(position)
    return score if quantity.kind == "score" else quantity.value


def kinds_of(comparison: Comparison) -> Iterable[str]:
    """The kinds of both sides."""
    return (comparison.left.kind, comparison.right.kind)

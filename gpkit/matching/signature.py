"""Counts that a position must reach for a rule to match: most rules are told apart from a position by these alone.

Whatever is counted, an embedding maps it injectively, so a rule never has more of it than a position that it matches.
"""

from collections.abc import Iterator
from functools import lru_cache

from gpkit.genomes.graph import SYMBOLS, Graph, Node
from gpkit.matching.kernel import layout as at

_PAIRS = ("qq", "qt", "ql", "qx", "tt", "tl", "tx", "lx", "xx")

_FIELDS: dict[str, int] = {
    name: place
    for place, name in enumerate(
        (
            *SYMBOLS,
            *(f"l={length}" for length in range(1, at.LENGTHS + 1)),
            *(f"l>{length}" for length in range(1, at.LENGTHS + 1)),
            *("qn", "qnn", "tn", "tnn", "ln", "lnn", "xn"),
            *_PAIRS,
            *("qll", "tll", "loop"),
            "n",
        )
    )
}
assert len(_FIELDS) == at.FIELDS


def signature(graph: Graph) -> tuple[int, ...]:
    """The counts of a rule's graph or of a position in ``WORDS`` words of fields, each of at most ``MOST``."""
    counts = [0] * at.FIELDS
    for name, count in _counted(graph):
        counts[_FIELDS[name]] += count
    words = [0] * at.WORDS
    for place, count in enumerate(counts):
        word, field = divmod(place, at.FIELDS // at.WORDS)
        words[word] |= min(count, at.MOST) << at.FIELD * field
    return tuple(words)


@lru_cache(maxsize=4096)
def kept_signature(graph: Graph) -> tuple[int, ...]:
    """``signature``, kept for the graphs of rules, which are asked for again in every position."""
    return signature(graph)


def can_reach(position: tuple[int, ...], rule: tuple[int, ...]) -> bool:
    """Whether a position has no less of anything that is counted than a rule; if it has, the rule matches nowhere."""
    guard = int(at.GUARD)
    return all(
        ((there | guard) - wanted) & guard == guard for there, wanted in zip(position, rule, strict=True)
    )


def _counted(graph: Graph) -> Iterator[tuple[str, int]]:
    for node, grounds in zip(graph.nodes, graph.grounds, strict=True):
        yield node.symbol, 1
        if node.symbol == "l":
            yield from _lengths(node)
        yield from (
            (node.symbol + "n" * k, 1) for k in (1, 2) if grounds >= k and node.symbol + "n" * k in _FIELDS
        )
        yield "n", grounds
    for low, high, edges in graph.links:
        one, other = sorted((graph.nodes[low].symbol, graph.nodes[high].symbol), key=SYMBOLS.index)
        if one + other in _FIELDS:
            yield one + other, edges
        if low == high:
            yield "loop", edges
        elif edges > 1 and one + other in ("ql", "tl"):
            yield f"{one}ll", 1


def _lengths(node: Node) -> Iterator[tuple[str, int]]:
    if not node.at_least and node.length <= at.LENGTHS:
        yield f"l={node.length}", 1
    yield from ((f"l>{length}", 1) for length in range(1, at.LENGTHS + 1) if node.length > length)

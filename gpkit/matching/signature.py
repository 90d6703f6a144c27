"""Counts that a position must reach for a rule to match: most rules are told apart from a position by these alone.

Whatever is counted, an embedding maps it injectively, so a rule never has more of it than a position that it matches.
"""

from collections.abc import Iterator

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

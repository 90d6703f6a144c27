"""Counts that a position must reach for a rule to match: most rules are told apart from a position by these alone.

Whatever is counted, an embedding maps it injectively, so a rule never has more of it than a position that it matches.
"""

from functools import cache, lru_cache

from gpkit.genomes.graph import SYMBOLS, Graph, Symbol
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
    for node, grounds in zip(graph.nodes, graph.grounds, strict=True):
        for field in _fields_of(node.symbol, node.length, node.at_least, grounds):
            counts[field] += 1
        counts[at.GROUND_FIELD] += grounds
    for low, high, edges in graph.links:
        pair, joined = _fields_of_pair(graph.nodes[low].symbol, graph.nodes[high].symbol)
        if pair is not None:
            counts[pair] += edges
        if low == high:
            counts[at.LOOP_FIELD] += edges
        elif edges > 1 and joined is not None:
            counts[joined] += 1
    words = [0] * at.WORDS
    for place, count in enumerate(counts):
        word, field = divmod(place, at.FIELDS // at.WORDS)
        words[word] |= min(count, at.MOST) << at.FIELD * field
    return tuple(words)


kept_signature = lru_cache(maxsize=4096)(signature)
"""``signature``, kept for the graphs of rules, which are asked for again in every position."""


def can_reach(position: tuple[int, ...], rule: tuple[int, ...]) -> bool:
    """Whether a position has no less of anything that is counted than a rule; if it has, the rule matches nowhere."""
    guard = int(at.GUARD)
    return all(
        ((there | guard) - wanted) & guard == guard for there, wanted in zip(position, rule, strict=True)
    )


@lru_cache(maxsize=4096)
def _fields_of(symbol: Symbol, length: int, at_least: bool, grounds: int) -> tuple[int, ...]:
    """The fields that count a node."""
    names = [symbol, *(symbol + "n" * k for k in (1, 2) if grounds >= k)]
    if symbol == "l":
        names += [f"l={length}"] * (not at_least) + [
            f"l>{least}" for least in range(1, min(length, at.LENGTHS + 1))
        ]
    return tuple(_FIELDS[name] for name in names if name in _FIELDS)


@cache
def _fields_of_pair(one: Symbol, other: Symbol) -> tuple[int | None, int | None]:
    """The fields that count edges between two nodes, and the pairs of nodes that several edges join; None if none."""
    pair = "".join(sorted(one + other, key=SYMBOLS.index))
    return _FIELDS.get(pair), _FIELDS.get(f"{pair}l") if pair in ("ql", "tl") else None

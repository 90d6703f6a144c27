"""Search plans for finding the places in a position where a graph matches.

An embedding is injective, so no count of a rule exceeds the same count of a position that the rule matches.

An action represents the edge that it draws. Edges that the graph does not distinguish have the same value: several
edges between the same two nodes, several edges from a node to the ground, the inner edges of a chain at the same
distance from two equal ends, and all edges of a loop. A rule can compare the lengths of matched chains, the score, the
number of edges left, and constants.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Flags
from gpkit.core.errors import LimitError
from gpkit.genomes.graph import (
    GROUND,
    MEANING,
    SYMBOLS,
    WILD,
    Action,
    Graph,
    Node,
    NumberComparison,
    Quantity,
    Rule,
    RuleList,
    Symbol,
    normal_action,
)
from gpkit.matching.kernel import search as at

_FIELDS: dict[str, int] = {
    name: place
    for place, name in enumerate(
        (
            *SYMBOLS,
            *(f"l={length}" for length in range(1, at.LENGTHS + 1)),
            *(f"l>{length}" for length in range(1, at.LENGTHS + 1)),
            *("qn", "qnn", "tn", "tnn", "ln", "lnn", "xn"),
            *("qq", "qt", "ql", "qx", "tt", "tl", "tx", "lx", "xx"),
            *("qll", "tll", "loop"),
            "n",
        )
    )
}
assert len(_FIELDS) == at.FIELDS


def signature(graph: Graph) -> tuple[int, ...]:
    """The signature of a rule's graph or a position: ``WORDS`` words of counts, each of at most ``MOST``."""
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
"""``signature`` with a cache, for the graphs of rules, which are needed again for every position."""


def can_reach(position: tuple[int, ...], rule: tuple[int, ...]) -> bool:
    """Whether all counts of a position are at least as large as the rule's counts; if not, the rule does not match."""
    guard = int(at.GUARD)
    return all(
        ((there | guard) - wanted) & guard == guard for there, wanted in zip(position, rule, strict=True)
    )


@lru_cache(maxsize=4096)
def _fields_of(symbol: Symbol, length: int, at_least: bool, grounds: int) -> tuple[int, ...]:
    """The fields of a signature in which a node is counted."""
    names = [symbol, *(symbol + "n" * k for k in (1, 2) if grounds >= k)]
    if symbol == "l":
        names += [f"l={length}"] * (not at_least) + [
            f"l>{least}" for least in range(1, min(length, at.LENGTHS + 1))
        ]
    return tuple(_FIELDS[name] for name in names if name in _FIELDS)


@cache
def _fields_of_pair(one: Symbol, other: Symbol) -> tuple[int | None, int | None]:
    """The field for edges between two nodes, and the field for pairs with several edges; None if there is none."""
    pair = "".join(sorted(one + other, key=SYMBOLS.index))
    return _FIELDS.get(pair), _FIELDS.get(f"{pair}l") if pair in ("ql", "tl") else None


def edge(position: Graph, node: int, other: int, offset: int = 0) -> Action:
    """The unique value of an edge: the chain or the lower number comes first; inner edges count from the nearer end.

    Args:
        position: a position with an edge between ``node`` and ``other``.
        node: a node; a chain if ``offset`` is not 0.
        other: a node or ``GROUND``: the other end of the edge with offset 0.
        offset: the number of edges into the chain from the end that touches ``other``; less than the length of the
            chain.
    """
    if offset == 0:
        return normal_action(position, Action(node, other))
    first, last = chain_ends(position, node)
    if first == node:
        return Action(node, node)
    length = position.nodes[node].length
    place = offset if other == first else length - offset
    return Action(node, first, place) if 2 * place <= length else Action(node, last, length - place)


def chain_ends(position: Graph, chain: int) -> tuple[int, int]:
    """The neighbours of the two ends of a chain, ``GROUND`` before nodes; a loop is its own neighbour twice."""
    touched = [GROUND] * position.grounds[chain]
    for other in position.neighbours(chain):
        touched += [other] * (position.multiplicity(chain, other) * (1 + (other == chain)))
    first, last = touched
    return first, last


def edges_left(position: Graph) -> int:
    """The number of edges left to draw; a chain of k boxes has k − 1 inner edges, and a loop has one more."""
    inner = sum(max(node.length - 1, 0) for node in position.nodes)
    return inner + sum(link.multiplicity for link in position.links) + sum(position.grounds)


def holds(comparison: NumberComparison, embedding: Sequence[int], position: Graph, score: int) -> bool:
    """Whether a comparison holds under an embedding.

    Args:
        comparison: a comparison of the rule.
        embedding: for each node of the rule, the node of the position.
        position: the position.
        score: the boxes of the player to move minus the other player's boxes.
    """
    left = value(comparison.left, embedding, position, score)
    return MEANING[comparison.sign](left, value(comparison.right, embedding, position, score))


def value(quantity: Quantity, embedding: Sequence[int], position: Graph, score: int) -> int:
    """The value of one side of a comparison; the arguments are the same as for ``holds``."""
    if quantity.kind == "length":
        return position.nodes[embedding[quantity.value]].length
    if quantity.kind == "left":
        return edges_left(position)
    return score if quantity.kind == "score" else quantity.value


def kinds_of(comparison: NumberComparison) -> Iterable[str]:
    """The kinds of the two sides of a comparison."""
    return (comparison.left.kind, comparison.right.kind)


MAX_ABSENT = 30_000
"""The maximum number of absent graphs; it is limited because row numbers have 16 bits."""

_BOUND = 1000
"""A bound above all lengths, scores and numbers of edges left; larger numbers have the same effect."""

_USUAL = {"q": 3.0, "t": 4.0, "l": 2.0, "x": 1.0}
"""The typical number of nodes with each symbol in a position."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The searches for many rules.

    Attributes:
        matching: int16 (rules, PLACES + PLACE · places + CONDITION · conditions): searches for any embedding, with the
            rarest nodes first.
        imaging: int16, the same shape: searches for all images of the action, with the nodes of the action first.
        absent: int16 (searches, PLACES + PLACE · places): the searches that must find nothing.
        signatures: uint64 (WORDS, rules).
        joined: bool (rules,): whether a rule has the same precedence as the previous rule.
        places: the number of nodes that fit on the stack.
        longest: the maximum length up to which the plan distinguishes chains.
    """

    matching: NDArray[np.int16]
    imaging: NDArray[np.int16]
    absent: NDArray[np.int16]
    signatures: NDArray[np.uint64]
    joined: Flags
    places: int
    longest: int

    def __post_init__(self) -> None:
        for array in (self.matching, self.imaging, self.absent, self.signatures, self.joined):
            array.setflags(write=False)

    def __len__(self) -> int:
        return len(self.matching)

    def __getitem__(self, part: slice) -> "Plan":
        """The plan for some of the rules."""
        return replace(
            self,
            matching=self.matching[part],
            imaging=self.imaging[part],
            signatures=np.ascontiguousarray(self.signatures[:, part]),
            joined=self.joined[part],
        )


def plan(rules: Sequence[Rule]) -> Plan:
    """The plan for these rules, each with a different precedence.

    A rule that is too large for every position gets an empty search, which matches nowhere.

    Args:
        rules: rules of any level.

    Raises:
        LimitError: the rules have more than ``MAX_ABSENT`` graphs that must be absent.
    """
    absent = [graph for rule in rules for graph in rule.absent]
    _check_absent(len(absent))
    possible = [graph for graph in (*(rule.graph for rule in rules), *absent) if _is_possible(graph)]
    places = max((len(graph.nodes) for graph in possible), default=1)
    longest = max((node.length for graph in possible for node in graph.nodes), default=0)
    conditions = max((len(rule.comparisons) for rule in rules), default=0)
    end = at.PLACES + at.PLACE * places
    matching = np.zeros((len(rules), end + at.CONDITION * conditions), dtype=np.int16)
    imaging = np.zeros_like(matching)
    must_fail = np.zeros((len(absent), end), dtype=np.int16)
    signatures = np.zeros((at.WORDS, len(rules)), dtype=np.uint64)
    before = 0
    for number, rule in enumerate(rules):
        signatures[:, number] = signature(rule.graph)
        first = action_nodes(rule)
        for row, begun in ((matching[number], ()), (imaging[number], first)):
            order = search_order(rule.graph, begun)
            if _is_possible(rule.graph) and _fill_conditions(row, rule.comparisons, order, end):
                _fill(row, rule.graph, order)
                row[at.ABSENT : at.PRESENT + 1] = before, before + len(rule.absent)
        _fill_action(imaging[number], rule, first)
        before += len(rule.absent)
    for row, graph in zip(must_fail, absent, strict=True):
        if _is_possible(graph):
            _fill(row, graph, search_order(graph, ()))
    joined = np.zeros(len(rules), dtype=np.bool_)
    return Plan(matching, imaging, must_fail, signatures, joined, places, longest)


def simple_search(rule: Rule, places: int) -> NDArray[np.int16]:
    """The search for all images of the action of a rule of level 0, int16 (numbers,), with room for ``places``."""
    row = np.zeros(at.PLACES + at.PLACE * places, dtype=np.int16)
    first = action_nodes(rule)
    if _is_possible(rule.graph):
        row[at.CONDITIONS] = len(row)
        _fill(row, rule.graph, search_order(rule.graph, first))
    _fill_action(row, rule, first)
    return row


def plan_of(program: RuleList) -> Plan:
    """The plan for a rule list, with the precedences of its rules.

    Raises:
        LimitError: the rules have more than ``MAX_ABSENT`` graphs that must be absent.
    """
    return replace(
        plan([named.rule for named in program.rules]),
        joined=np.array([named.joined for named in program.rules], dtype=np.bool_),
    )


def together(plans: Sequence[Plan]) -> Plan:
    """A single plan with the rules of several plans in order; the behaviour of each rule stays the same.

    Raises:
        LimitError: the rules have more than ``MAX_ABSENT`` graphs that must be absent.
    """
    absent = np.cumsum([0, *(len(each.absent) for each in plans)])
    _check_absent(int(absent[-1]))
    searches = []
    for attribute in ("matching", "imaging"):
        parts = [getattr(each, attribute).copy() for each in plans]
        for part, before in zip(parts, absent, strict=False):
            part[:, at.ABSENT : at.PRESENT + 1] += np.int16(before)
        searches.append(_stacked(parts))
    return Plan(
        searches[0],
        searches[1],
        _stacked([each.absent for each in plans]),
        np.concatenate([each.signatures for each in plans], axis=1),
        np.concatenate([each.joined for each in plans]),
        max(each.places for each in plans),
        max(each.longest for each in plans),
    )


def _check_absent(count: int) -> None:
    if count > MAX_ABSENT:
        raise LimitError(f"rules matched together have at most {MAX_ABSENT:,} graphs that must be absent")


def _stacked(parts: Sequence[NDArray[np.int16]]) -> NDArray[np.int16]:
    """An array made of rows with different lengths; the padding at the end of a row is never read."""
    width = max(part.shape[1] for part in parts)
    return np.concatenate([np.pad(part, ((0, 0), (0, width - part.shape[1]))) for part in parts])


def asks_for_score(searches: Plan) -> bool:
    """Whether a rule of a plan depends on the score."""
    score = at.QUANTITIES.index("score")
    return any(
        row[row[at.CONDITIONS] + at.KINDS_OF_SIDES + at.CONDITION * k + side] == score
        for row in searches.imaging
        for k in range(row[at.ALL])
        for side in (0, 1)
    )


def _is_possible(graph: Graph) -> bool:
    return max(len(graph.nodes), *(node.length for node in graph.nodes)) <= at.MAX_NODES


def action_nodes(rule: Rule) -> tuple[int, ...]:
    """The nodes whose images determine the image of the action, beginning with the node of the action.

    For an action with a wildcard, these are its node and all neighbours, because the free edges lead to other places.
    """
    node, other, _ = rule.action
    around = rule.graph.neighbours(node) if other == WILD else (other,)
    return (node, *(number for number in around if number not in (node, GROUND)))


def search_order(graph: Graph, first: Sequence[int]) -> tuple[int, ...]:
    """A search order: ``first``, then always the node with the most edges to earlier nodes; the rarest wins ties."""
    order: list[int] = []
    near = graph.adjacency()
    left = {number: (0, -_frequency(graph, number, near[number])) for number in range(len(graph.nodes))}
    while left:
        best = first[len(order)] if len(order) < len(first) else max(left, key=left.__getitem__)
        order.append(best)
        del left[best]
        for other, more in near[best].items():
            if other in left:
                edges, rarity = left[other]
                left[other] = (edges + more, rarity)
    return tuple(order)


def _frequency(graph: Graph, number: int, near: Mapping[int, int]) -> float:
    """An estimate of how many nodes of a position match a rule's node; ``near`` contains the node's edges to others."""
    node, grounds = graph.nodes[number], graph.grounds[number]
    chain = 1.0 if node.symbol != "l" else 0.7**node.length if node.at_least else 0.5 * 0.8**node.length
    known = grounds + sum(near.values()) + near.get(number, 0)
    return float(_USUAL[node.symbol] * chain * 0.5**grounds * 0.9**known)


def _fill(row: NDArray[np.int16], graph: Graph, order: Sequence[int]) -> None:
    """Write a search that places the nodes in this order."""
    near, values = graph.adjacency(), [0] * (at.PLACE * len(order))
    for place, number in enumerate(order):
        start, edges = at.PLACE * place, near[number]
        values[start + at.KIND] = kind(graph.nodes[number], graph.grounds[number], edges.get(number, 0))
        links = [at.EDGES * k + edges[other] for k, other in enumerate(order[:place]) if other in edges]
        values[start + at.LINKS : start + at.LINKS + len(links)] = links
    row[at.SIZE] = len(order)
    row[at.PLACES : at.PLACES + len(values)] = values


def _fill_action(row: NDArray[np.int16], rule: Rule, first: Sequence[int]) -> None:
    """Write the action of a search whose order begins with ``first``."""
    node, other, offset = rule.action
    row[at.PREFIX] = len(first)
    row[at.OTHER] = other if other < 0 else first.index(other)
    row[at.OFFSET] = offset
    row[at.GROUNDS] = rule.graph.grounds[node]
    row[at.LOOPS] = rule.graph.multiplicity(node, node)


def _fill_conditions(
    row: NDArray[np.int16], comparisons: Sequence[NumberComparison], order: Sequence[int], start: int
) -> bool:
    """Write the comparisons, those without lengths first; return False if a comparison of two constants fails."""
    if not all(MEANING[c.sign](c.left.value, c.right.value) for c in comparisons if _constant(c)):
        return False
    late = {k: "length" in kinds_of(c) for k, c in enumerate(comparisons) if not _constant(c)}
    row[at.CONDITIONS], row[at.EARLY], row[at.ALL] = start, len(late) - sum(late.values()), len(late)
    for k in sorted(late, key=late.__getitem__):
        sides = (comparisons[k].left, comparisons[k].right)
        row[start + at.SIGN] = at.SIGNS.index(comparisons[k].sign)
        for side, (name, value) in enumerate(sides):
            known = order.index(value) if name == "length" else min(max(value, -_BOUND), _BOUND)
            row[start + at.KINDS_OF_SIDES + side] = at.QUANTITIES.index(name)
            row[start + at.VALUES_OF_SIDES + side] = known
        start += at.CONDITION
    return True


def _constant(comparison: NumberComparison) -> bool:
    return set(kinds_of(comparison)) == {"number"}


def kind(node: Node, grounds: int, loops: int) -> int:
    """The number that the kernel uses for the kind of node that a rule requires."""
    if node.symbol != "l":
        return (SYMBOLS.index(node.symbol) * at.GROUND_KINDS + grounds) * at.LOOP_KINDS + loops
    at_end = at.CHAIN_LOOP if loops else grounds
    return at.KINDS + at.LENGTH_KINDS * (node.length - 1) + at.CHAIN_KINDS * node.at_least + at_end


def search_scratch(longest: int, places: int) -> at.SearchScratch:
    """Scratch arrays for searches with at most ``places`` places, for chains up to the length ``longest``."""
    domains = np.zeros(at.KINDS + at.LENGTH_KINDS * longest, dtype=np.uint64)
    return at.SearchScratch(domains, np.zeros((at.STACK, places + 1), dtype=np.uint64))

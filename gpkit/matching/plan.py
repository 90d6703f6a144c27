"""Rules prepared for the compiled matcher: in which order to place their nodes, flattened into arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gpkit.core.errors import LimitError
from gpkit.genomes.graph import GROUND, SYMBOLS, WILD, Comparison, Graph, Node, Rule, RuleList
from gpkit.matching.edges import MEANING, kinds_of
from gpkit.matching.kernel import layout as at
from gpkit.matching.signature import signature

MAX_ABSENT = 30_000
"""Their rows are numbered in 16 bits."""

_BOUND = 1000
"""Beyond all lengths, scores and edges left, so numbers beyond it are as good as this one."""

_USUAL = {"q": 3.0, "t": 4.0, "l": 2.0, "x": 1.0}
"""About how many there are in a position."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The searches of many rules.

    Attributes:
        matching: int16 (rules, PLACES + PLACE · places + CONDITION · conditions): searches for any embedding, the
            rarest nodes first.
        imaging: int16, of the same shape: searches for all images of the action, its nodes first.
        absent: int16 (searches, PLACES + PLACE · places): those that must find nothing.
        signatures: uint64 (WORDS, rules).
        joined: bool (rules,): whether a rule has the precedence of the one before it.
        places: for how many nodes there is room on the stack.
        longest: up to this length chains are told apart.
    """

    matching: NDArray[np.int16]
    imaging: NDArray[np.int16]
    absent: NDArray[np.int16]
    signatures: NDArray[np.uint64]
    joined: NDArray[np.bool_]
    places: int
    longest: int

    def __post_init__(self) -> None:
        for array in (self.matching, self.imaging, self.absent, self.signatures, self.joined):
            array.setflags(write=False)

    def __len__(self) -> int:
        return len(self.matching)

    def __getitem__(self, part: slice) -> "Plan":
        """Some of the rules."""
        return replace(
            self,
            matching=self.matching[part],
            imaging=self.imaging[part],
            signatures=np.ascontiguousarray(self.signatures[:, part]),
            joined=self.joined[part],
        )


def plan(rules: Sequence[Rule], *, places: int = 1, longest: int = 0) -> Plan:
    """The plan of these rules, none of which has the precedence of another.

    A rule that is larger than any position that can be flattened gets an empty search, which matches nowhere.

    Args:
        rules: of any level.
        places: room for rules of at least so many nodes, so that rows of one plan fit into another.
        longest: chains are told apart at least up to this length.

    Raises:
        LimitError: the rules have more than ``MAX_ABSENT`` graphs that must be absent.
    """
    absent = [graph for rule in rules for graph in rule.absent]
    _check_absent(len(absent))
    possible = [graph for graph in (*(rule.graph for rule in rules), *absent) if _is_possible(graph)]
    places = max(places, *(len(graph.nodes) for graph in possible), 1)
    longest = max(longest, *(node.length for graph in possible for node in graph.nodes), 0)
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
    """The search for all images of the action of a rule of level 0, int16 (numbers,), in a plan of so many places."""
    row = np.zeros(at.PLACES + at.PLACE * places, dtype=np.int16)
    first = action_nodes(rule)
    if _is_possible(rule.graph):
        row[at.CONDITIONS] = len(row)
        _fill(row, rule.graph, search_order(rule.graph, first))
    _fill_action(row, rule, first)
    return row


def plan_of(program: RuleList) -> Plan:
    """The plan of a rule list, with their precedence.

    Raises:
        LimitError: the rules have more than ``MAX_ABSENT`` graphs that must be absent.
    """
    joined = np.array([named.joined for named in program.rules], dtype=np.bool_)
    return replace(plan([named.rule for named in program.rules]), joined=joined)


def together(plans: Sequence[Plan]) -> Plan:
    """The rules of several plans in one, one plan after another; each rule does what it did.

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
    """Rows of different lengths below each other; the rest of a row is never read."""
    width = max(part.shape[1] for part in parts)
    return np.concatenate([np.pad(part, ((0, 0), (0, width - part.shape[1]))) for part in parts])


def asks_for_score(searches: Plan) -> bool:
    """Whether a rule of a plan compares the score with something, so that what it does depends on it."""
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
    """The nodes whose images decide what the action is an image of, its own first.

    Of a wildcard, these are all to which its node has edges: what is left over is where their images are not.
    """
    node, other, _ = rule.action
    around = rule.graph.neighbours(node) if other == WILD else (other,)
    return (node, *(number for number in around if number not in (node, GROUND)))


def search_order(graph: Graph, first: Sequence[int]) -> tuple[int, ...]:
    """An order of the nodes: after ``first`` whatever has most edges to earlier nodes, of these the rarest."""
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
    """About how many nodes of a position can stand for a node of a rule, which has so many edges to others."""
    node, grounds = graph.nodes[number], graph.grounds[number]
    chain = 1.0 if node.symbol != "l" else 0.7**node.length if node.at_least else 0.5 * 0.8**node.length
    known = grounds + sum(near.values()) + near.get(number, 0)
    return float(_USUAL[node.symbol] * chain * 0.5**grounds * 0.9**known)


def _fill(row: NDArray[np.int16], graph: Graph, order: Sequence[int]) -> None:
    """Write a search in this order."""
    near, values = graph.adjacency(), [0] * (at.PLACE * len(order))
    for place, number in enumerate(order):
        start, edges = at.PLACE * place, near[number]
        values[start + at.KIND] = kind(graph.nodes[number], graph.grounds[number], edges.get(number, 0))
        links = [at.EDGES * k + edges[other] for k, other in enumerate(order[:place]) if other in edges]
        values[start + at.LINKS : start + at.LINKS + len(links)] = links
    row[at.SIZE] = len(order)
    row[at.PLACES : at.PLACES + len(values)] = values


def _fill_action(row: NDArray[np.int16], rule: Rule, first: Sequence[int]) -> None:
    """Write what the action is, in a search whose order begins with ``first``."""
    node, other, offset = rule.action
    row[at.PREFIX] = len(first)
    row[at.OTHER] = other if other < 0 else first.index(other)
    row[at.OFFSET] = offset
    row[at.GROUNDS] = rule.graph.grounds[node]
    row[at.LOOPS] = rule.graph.multiplicity(node, node)


def _fill_conditions(
    row: NDArray[np.int16], comparisons: Sequence[Comparison], order: Sequence[int], start: int
) -> bool:
    """Write the comparisons, those without lengths first; False if one of numbers alone does not hold."""
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


def _constant(comparison: Comparison) -> bool:
    return set(kinds_of(comparison)) == {"number"}


def kind(node: Node, grounds: int, loops: int) -> int:
    """The number of what a rule asks of a node: as ``layout`` counts them."""
    if node.symbol != "l":
        return (SYMBOLS.index(node.symbol) * at.GROUND_KINDS + grounds) * at.LOOP_KINDS + loops
    at_end = at.CHAIN_LOOP if loops else grounds
    return at.KINDS + at.LENGTH_KINDS * (node.length - 1) + at.CHAIN_KINDS * node.at_least + at_end


def search_scratch(longest: int, places: int) -> at.SearchScratch:
    """Scratch arrays for searches of at most so many places that tell chains apart up to a length."""
    domains = np.zeros(at.KINDS + at.LENGTH_KINDS * longest, dtype=np.uint64)
    return at.SearchScratch(domains, np.zeros((at.STACK, places + 1), dtype=np.uint64))

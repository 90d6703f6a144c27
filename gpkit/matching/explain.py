"""Explanations of mismatches: the node of a rule that has no counterpart and the reason, or another obstacle."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from gpkit.core.wording import counted
from gpkit.genomes.graph import Graph, Node, Quantity, Rule
from gpkit.matching.plan import holds, kinds_of, search_order, value
from gpkit.matching.reference import Embedding, embeddings

Reason = Literal["symbol", "length", "grounds", "loop", "taken", "edges"]

TRIES = 100_000
"""The maximum number of choices of a node in a search; after that, the result is the best partial embedding so far."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """An obstacle to an embedding: a node without a counterpart.

    Attributes:
        node: the node of the rule that has no counterpart in the position.
        reason: the first requirement that no node of the position meets, in the order ``symbol``, ``length``,
            ``grounds``, ``loop``; otherwise ``taken`` if other nodes of the rule have taken all suitable nodes, or
            ``edges`` if no suitable node has the required edges to other nodes.
        neighbours: for the reason ``edges``, the nodes of the rule to which edges are missing: one node, or several to
            which no single node has all edges.
        partial: for each node of the rule, its node in the best partial embedding, or None; empty if no node of the
            position suits ``node`` even by itself.
    """

    node: int
    reason: Reason
    neighbours: tuple[int, ...] = ()
    partial: tuple[int | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Present:
    """An obstacle: the position contains a graph that the rule requires to be absent.

    Attributes:
        number: the number of the graph among the rule's absent graphs.
        embedding: for each node of the graph, the node of the position.
    """

    number: int
    embedding: Embedding


@dataclass(frozen=True, slots=True)
class Unmet:
    """An obstacle: the rule's graph matches, but its comparisons do not all hold under any embedding.

    Attributes:
        comparison: the first comparison that fails under ``embedding``; no embedding satisfies more comparisons before
            failing.
        embedding: for each node of the rule, the node of the position.
    """

    comparison: int
    embedding: Embedding


Obstacle = Mismatch | Present | Unmet


def explain(rule: Rule, position: Graph, score: int = 0) -> Obstacle | None:
    """The obstacle to a rule's action in a position; None if the rule may act.

    Args:
        rule: a rule of any level.
        position: the graph of the position.
        score: the number of boxes of the player to move, minus the number of the other player's boxes.
    """
    mismatch = explain_graph(rule.graph, position)
    if mismatch is not None:
        return mismatch
    for number, graph in enumerate(rule.absent):
        found = next(embeddings(graph, position), None)
        if found is not None:
            return Present(number, found)
    unmet = Unmet(-1, ())
    for embedding in embeddings(rule.graph, position):
        failing = (
            k for k, each in enumerate(rule.comparisons) if not holds(each, embedding, position, score)
        )
        first = next(failing, None)
        if first is None:
            return None
        if first > unmet.comparison:
            unmet = Unmet(first, embedding)
        if "length" not in kinds_of(rule.comparisons[first]):
            break  # the comparison fails under every embedding
    return unmet


def explain_graph(wanted: Graph, position: Graph) -> Mismatch | None:
    """The obstacle to an embedding of a rule's graph in a position; None if the graph matches."""
    candidates: list[list[int]] = []
    for number in range(len(wanted.nodes)):
        found, reason = _candidates(wanted, number, position)
        if reason is not None:
            return Mismatch(number, reason)
        candidates.append(found)
    order = search_order(wanted, ())
    best = _best_partial(wanted, position, order, candidates)
    if len(best) == len(order):
        return None
    embedding = dict(zip(order, best, strict=False))
    number = order[len(best)]
    partial = tuple(embedding.get(k) for k in range(len(order)))
    free = [node for node in candidates[number] if node not in best]
    if not free:
        return Mismatch(number, "taken", partial=partial)
    around = [other for other in order[: len(best)] if wanted.multiplicity(number, other)]
    alone = [
        other
        for other in around
        if not any(_is_joined(wanted, position, number, other, node, embedding[other]) for node in free)
    ]
    return Mismatch(number, "edges", tuple(alone[:1] or around), partial)


def _candidates(wanted: Graph, number: int, position: Graph) -> tuple[list[int], Reason | None]:
    """The nodes of a position that suit a single node of a rule, and the reason if there are none."""
    node, loops = wanted.nodes[number], wanted.multiplicity(number, number)
    demands: tuple[tuple[Reason, Callable[[int], bool]], ...] = (
        ("symbol", lambda k: position.nodes[k].symbol == node.symbol),
        ("length", lambda k: node.allows(position.nodes[k])),
        ("grounds", lambda k: position.grounds[k] >= wanted.grounds[number]),
        ("loop", lambda k: position.multiplicity(k, k) >= loops),
    )
    found = [*range(len(position.nodes))]
    for reason, meets in demands:
        if not (found := [*filter(meets, found)]):
            return found, reason
    return found, None


def _best_partial(
    wanted: Graph, position: Graph, order: Sequence[int], candidates: Sequence[Sequence[int]]
) -> tuple[int, ...]:
    """The longest partial embedding of the first nodes in an order; among equals, the first one found."""

    def extensions(chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        number = order[len(chosen)]
        for node in candidates[number]:
            if node not in chosen and all(
                _is_joined(wanted, position, number, other, node, there)
                for other, there in zip(order, chosen, strict=False)
            ):
                yield (*chosen, node)

    best: tuple[int, ...] = ()
    pending = [extensions(())]
    for _ in range(TRIES):
        longer = next(pending[-1], None)
        if longer is None:
            pending.pop()
            if not pending:
                break
        else:
            if len(longer) > len(best):
                best = longer
            if len(best) == len(order):
                break
            pending.append(extensions(longer))
    return best


def _is_joined(wanted: Graph, position: Graph, number: int, other: int, node: int, there: int) -> bool:
    """Whether two nodes of a position have at least as many edges between them as two nodes of a rule."""
    return position.multiplicity(node, there) >= wanted.multiplicity(number, other)


def sentence(obstacle: Obstacle, rule: Rule, position: Graph, score: int = 0) -> str:
    """The reason why a rule does not match, in words; the names of the rule's nodes combine symbols and numbers.

    Args:
        obstacle: the obstacle from ``explain``.
        rule, position, score: the arguments of ``explain``.

    >>> from gpkit.genomes.graph import WILD, Action
    >>> opened = Graph((Node("x"), Node("l", 3)), (), (1, 2))
    >>> rule = Rule(Graph((Node("x"), Node("l", 4, at_least=True)), (), (0, 0)), Action(0, WILD))
    >>> sentence(explain(rule, opened), rule, opened)
    'l_1(4+) has no counterpart: no chain has at least 4 boxes, only 3'
    """
    labels = _labels(rule.graph)
    if isinstance(obstacle, Present):
        there = _placed(obstacle.embedding, _labels(rule.absent[obstacle.number]))
        return f"the pattern that must be absent is there{there}"
    if isinstance(obstacle, Unmet):
        comparison = rule.comparisons[obstacle.comparison]
        sides = [_side(each, obstacle.embedding, position, score, labels) for each in comparison[::2]]
        return f"{sides[0]} is not {comparison.sign} {sides[1]}{_placed(obstacle.embedding, labels)}"
    return f"{labels[obstacle.node]} has no counterpart: {_missing(obstacle, rule.graph, position, labels)}"


def _missing(mismatch: Mismatch, wanted: Graph, position: Graph, labels: Sequence[str]) -> str:
    """The reason for a mismatch, in words."""
    number, node = mismatch.node, wanted.nodes[mismatch.node]
    if mismatch.reason == "taken":
        count = len(_candidates(wanted, number, position)[0])
        nodes = (
            "the only node that it could be is" if count == 1 else f"all {count} nodes that it could be are"
        )
        return f"{nodes} taken{_placed(mismatch.partial, labels)}"
    if mismatch.reason == "edges":
        lacking = [_edges(wanted.multiplicity(number, k), f"to {labels[k]}") for k in mismatch.neighbours]
        return f"no {_kind(node)} has {' and '.join(lacking)}{_placed(mismatch.partial, labels)}"
    if mismatch.reason == "symbol":
        return f"there is no {_kind(node)}"
    if mismatch.reason == "length":
        lengths = sorted({there.length for there in position.nodes if there.symbol == "l"})
        bound = "at least " if node.at_least else ""
        boxes = "1 box" if node.length == 1 else f"{node.length} boxes"
        return f"no chain has {bound}{boxes}, only {' or '.join(map(str, lengths))}"
    if mismatch.reason == "grounds":
        return f"no such {_kind(node)} has {_edges(wanted.grounds[number], 'to the ground')}"
    return f"no such {_kind(node)} has {_edges(wanted.multiplicity(number, number), 'to itself')}"


def _kind(node: Node) -> str:
    return "chain" if node.symbol == "l" else f"box with {counted(node.degree, 'side')} left"


def _labels(graph: Graph) -> list[str]:
    """The names of the nodes in a rule; the names of chains include their lengths."""
    lengths = [f"({node.length}{'+' * node.at_least})" * (node.symbol == "l") for node in graph.nodes]
    return [f"{node.symbol}_{k}{lengths[k]}" for k, node in enumerate(graph.nodes)]


def _placed(embedding: Sequence[int | None], labels: Sequence[str]) -> str:
    """The matched nodes of the rule and their places in the position, in words; empty if there are none."""
    there = [f"{labels[k]} is node {node}" for k, node in enumerate(embedding) if node is not None]
    return f", where {', '.join(there)}" if there else ""


def _side(
    quantity: Quantity, embedding: Embedding, position: Graph, score: int, labels: Sequence[str]
) -> str:
    """One side of a comparison and its value, in words."""
    known = value(quantity, embedding, position, score)
    if quantity.kind == "number":
        return str(known)
    if quantity.kind == "length":
        return f"the length of {labels[quantity.value]} ({known})"
    return f"{'the score' if quantity.kind == 'score' else 'the number of edges left'} ({known})"


def _edges(count: int, where: str) -> str:
    return f"{'an edge' if count == 1 else f'{count} edges'} {where}"

"""Rules that can never act, because an earlier one matches whenever they do.

That is so if the earlier rule's graph lies in the later one's: a map of its nodes into those of the later graph, no two
to the same, that keeps symbols, asks no more of lengths, and finds all its edges. Every match of the later rule then
gives one of the earlier.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from gpkit.genomes.graph import SYMBOLS, Graph, Rule, RuleList
from gpkit.genomes.graph_order import canonical

MAX_STEPS = 10_000
"""After so many steps of a search the question stays open, and nothing is said."""

MAX_STEPS_OF_LIST = 1_000_000
"""After so many steps in one list, a few seconds, only rules are still told of that are equal to an earlier one."""

Sizes = tuple[int, ...]
"""Of a graph: its nodes by symbol, its edges between nodes and to the ground. A graph that lies in it has no more."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """An earlier rule: its number, its graph with the order in which its nodes are placed, whether it learned."""

    number: int
    graph: Graph
    order: tuple[int, ...]
    learned: bool


@dataclass(slots=True)
class _Candidates:
    """The earlier rules that later ones can hold, by the sizes of their graphs, and the steps that are left."""

    steps: int
    by_sizes: dict[Sizes, list[_Candidate]] = field(default_factory=dict)

    def add(self, number: int, rule: Rule, *, learned: bool) -> None:
        """Take in a rule; those with conditions hide no other."""
        if rule.level == 0:
            candidate = _Candidate(number, rule.graph, _search_order(rule.graph), learned)
            self.by_sizes.setdefault(_sizes(rule.graph), []).append(candidate)

    def first(self, graph: Graph, *, below: int, learned: bool) -> _Candidate | None:
        """The first rule whose graph lies in this one, of those numbered ``below``; None if there is none.

        Args:
            graph: of the later rule.
            below: the first number that is not looked at.
            learned: whether the later rule has learned values; then the earlier one has not.
        """
        sizes, found = _sizes(graph), None
        for least, candidates in self.by_sizes.items():
            self.steps -= 1
            if any(small > large for small, large in zip(least, sizes, strict=True)):
                continue
            for candidate in candidates:
                if self.steps <= 0 or candidate.number >= below:
                    break
                self.steps -= 1
                if learned and candidate.learned:
                    continue
                lies, steps = _lies_in(candidate.graph, candidate.order, graph, min(MAX_STEPS, self.steps))
                self.steps -= steps
                if lies:
                    found, below = candidate, candidate.number
        return found if self.steps > 0 else None


def shadowed(program: RuleList) -> Iterator[tuple[int, int, bool]]:
    """The rules that can never act, by number, with that of an earlier rule that is why, and whether both are equal.

    Where two rules carry what was learned about them they competed by that while they learned, whatever their order,
    and where they have the same precedence both act, so only equal ones are told.
    """
    first: dict[Rule, int] = {}
    candidates = _Candidates(MAX_STEPS_OF_LIST)
    above = [group.start for group in program.groups() for _ in group]
    for later, named in enumerate(program.rules):
        rule, learned = canonical(named.rule), named.q is not None
        equal = first.setdefault(rule, later)
        hidden = None
        if equal < later:
            yield later, equal, True
        elif candidates.steps > 0:
            hidden = candidates.first(rule.graph, below=above[later], learned=learned)
            if hidden is not None:
                yield later, hidden.number, False
        # what an unlearned rule hides hides nothing that this one does not hide before it
        if equal == later and (hidden is None or hidden.learned):
            candidates.add(later, named.rule, learned=learned)


def _sizes(graph: Graph) -> Sizes:
    symbols = [node.symbol for node in graph.nodes]
    edges = sum(link.multiplicity for link in graph.links)
    return (*map(symbols.count, SYMBOLS), edges, sum(graph.grounds))


def _lies_in(small: Graph, order: tuple[int, ...], large: Graph, most: int) -> tuple[bool, int]:
    """Whether a graph lies in another, its nodes placed in this order, and the steps that it took, about ``most``."""
    image: dict[int, int] = {}
    steps = 0

    def extend(k: int) -> bool:
        nonlocal steps
        if k == len(order):
            return True
        for candidate in range(len(large.nodes)):
            steps += 1
            if steps > most:
                return False
            if candidate in image.values() or not _fits(small, large, order[k], candidate, image):
                continue
            image[order[k]] = candidate
            if extend(k + 1):
                return True
            del image[order[k]]
        return False

    return extend(0), steps


def _search_order(graph: Graph) -> tuple[int, ...]:
    """The nodes, fragment by fragment, each after a neighbour where it has one before it."""
    order: list[int] = []
    for fragment in graph.fragments():
        walk = [fragment[0]]
        for number in walk:
            walk += [other for other in graph.neighbours(number) if other not in walk]
        order += walk
    return tuple(order)


def _fits(small: Graph, large: Graph, number: int, candidate: int, image: dict[int, int]) -> bool:
    if not small.nodes[number].allows(large.nodes[candidate]):
        return False
    if small.grounds[number] > large.grounds[candidate]:
        return False
    if small.multiplicity(number, number) > large.multiplicity(candidate, candidate):
        return False
    return all(
        small.multiplicity(number, other) <= large.multiplicity(candidate, image[other])
        for other in small.neighbours(number)
        if other in image
    )

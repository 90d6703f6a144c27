"""Rules that can never act, because an earlier one matches whenever they do.

That is so if the earlier rule's graph lies in the later one's: a map of its nodes into those of the later graph, no two
to the same, that keeps symbols, asks no more of lengths, and finds all its strings. Every match of the later rule then
gives one of the earlier.
"""

from collections import Counter
from collections.abc import Iterator

from gpkit.genomes.graph import Graph, Rule, RuleList
from gpkit.genomes.graph_order import canonical

MAX_STEPS = 10_000
"""After so many steps of a search the question stays open, and nothing is said."""


def shadowed(program: RuleList) -> Iterator[tuple[int, int, bool]]:
    """The rules that can never act, by number, with that of an earlier rule that is why, and whether both are equal.

    Where two rules carry what was learned about them they competed by that while they learned, whatever their order,
    and where they have the same precedence both act, so only equal ones are told.
    """
    first: dict[Rule, int] = {}
    symbols = [Counter(node.symbol for node in named.rule.graph.nodes) for named in program.rules]
    above = [group.start for group in program.groups() for _ in group]
    for later, named in enumerate(program.rules):
        rule = canonical(named.rule)
        if rule in first:
            yield later, first[rule], True
            continue
        first[rule] = later
        for earlier, other in enumerate(program.rules[: above[later]]):
            if named.q is not None and other.q is not None:
                continue
            if symbols[earlier] <= symbols[later] and covers(other.rule, rule):
                yield later, earlier, False
                break


def covers(one: Rule, two: Rule) -> bool:
    """Whether certainly one rule matches whenever the other does; False also where that takes too long to tell."""
    return one.level == 0 and _lies_in(one.graph, two.graph)


def _lies_in(small: Graph, large: Graph) -> bool:
    order = [number for fragment in small.fragments() for number in _walk(small, fragment)]
    image: dict[int, int] = {}
    steps = 0

    def extend(k: int) -> bool:
        nonlocal steps
        if k == len(order):
            return True
        for candidate in range(len(large.nodes)):
            steps += 1
            if steps > MAX_STEPS:
                return False
            if candidate in image.values() or not _fits(small, large, order[k], candidate, image):
                continue
            image[order[k]] = candidate
            if extend(k + 1):
                return True
            del image[order[k]]
        return False

    return extend(0)


def _walk(graph: Graph, fragment: tuple[int, ...]) -> list[int]:
    walk = [fragment[0]]
    for number in walk:
        walk += [other for other in graph.neighbours(number) if other not in walk]
    return walk


def _fits(small: Graph, large: Graph, number: int, candidate: int, image: dict[int, int]) -> bool:
    if not small.nodes[number].allows(large.nodes[candidate]):
        return False
    if small.grounds[number] > large.grounds[candidate]:
        return False
    if small.strings(number, number) > large.strings(candidate, candidate):
        return False
    return all(
        small.strings(number, other) <= large.strings(candidate, image[other])
        for other in small.neighbours(number)
        if other in image
    )

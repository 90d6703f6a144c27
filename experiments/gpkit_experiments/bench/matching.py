"""Rules tested in positions of Dots and Boxes a second on one core: the compiled matcher, and networkx."""

import numpy as np
from numpy.typing import NDArray

from gpkit.core.rng import below, stream
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.genomes.graph import Graph, Rule
from gpkit.matching import reference
from gpkit.matching.plan import plan
from gpkit_experiments.bench import matcher
from gpkit_experiments.bench.coins import derived_rule, mutated_rule, random_position, whole_rule
from gpkit_experiments.bench.matcher import flatten
from gpkit_experiments.bench.measure import Outcome, Session, Target, Work, interleaved, measured, ratios

BOARD = Rules(3, 3)

RULES = 1000
"""As many as the population of the learner."""

WITH_SIGNATURES = Target("at least", required=50e6, aim=200e6)
BY_SEARCH = Target("at least", required=20e6, aim=40e6)


def measure(session: Session) -> Outcome:
    """Time tests of a thousand rules, half of them parts of positions, half whole positions changed a little."""
    rounds, many, few = (3, 200, 200) if session.quick else (9, 3_000, 2_000)
    tests = RULES * many
    session.watch(f"matching: {rounds} times 3 x {tests:,} tests in the kernels, and {few:,} by networkx")
    rules, graphs = draw_rules(RULES), draw_positions(many)
    planned, flat = plan(rules), flatten(graphs)
    pairs = [(k % RULES, k * 7 % many) for k in range(rounds * few)]
    matched = matcher.match(planned, flat)
    assert np.array_equal(matched, matcher.match(planned, flat, with_signatures=False)), "same matches"
    assert np.array_equal(matched, matcher.find_images(planned, flat) != 0), "same matches"
    assert in_networkx(rules, graphs, pairs[:few]) == in_kernel(matched, pairs[:few]), "same matches"
    wanted, there = (
        [reference.as_networkx(r.graph) for r in rules],
        [reference.as_networkx(g) for g in graphs],
    )

    def networkx(number: int) -> float:
        part = pairs[number * few : (number + 1) * few]
        return float(len([reference.search(wanted[r], there[p]).subgraph_is_monomorphic() for r, p in part]))

    works: list[Work] = [
        lambda _: float(matcher.match(planned, flat).size),
        lambda _: float(matcher.match(planned, flat, with_signatures=False).size),
        lambda _: float(matcher.find_images(planned, flat).size),
        networkx,
    ]
    fast, searched, imaged, slow = interleaved(works, rounds, session.clock)
    return Outcome(
        f"{RULES:,} rules in {many:,} random positions of {BOARD.width}x{BOARD.height} boxes, "
        f"{100 * matched.mean():.0f}% of the pairs match; graphs are made beforehand; {rounds} rounds",
        (
            measured(
                "signatures",
                "the kernel, signatures first",
                "tests/s",
                [1.0 / t.each for t in fast],
                WITH_SIGNATURES,
            ),
            measured(
                "search", "the kernel, searches alone", "tests/s", [1.0 / t.each for t in searched], BY_SEARCH
            ),
            measured(
                "images", "the kernel, all images of actions", "tests/s", [1.0 / t.each for t in imaged]
            ),
            measured("networkx", "networkx", "tests/s", [1.0 / t.each for t in slow]),
            measured("kernel_over_networkx", "the kernel / networkx", "times", ratios(slow, fast)),
        ),
    )


def draw_positions(count: int) -> list[Graph]:
    """Random positions with at least one node."""
    rng = stream(0, "bench positions")
    drawn: list[Graph] = []
    while len(drawn) < count:
        position = random_position(lambda n: below(rng, n), BOARD)
        drawn += [position] if position.nodes else []
    return drawn


def draw_rules(count: int) -> list[Rule]:
    """Rules: in turn some part of a position, and a whole one with up to three changes."""
    rng = stream(0, "bench rules")

    def choose(n: int) -> int:
        return below(rng, n)

    drawn = []
    for number, position in enumerate(draw_positions(count)):
        rule = derived_rule(choose, position)
        if number % 2:
            rule = whole_rule(choose, position)
            for _ in range(choose(4)):
                rule = mutated_rule(choose, rule)
        drawn.append(rule)
    return drawn


def in_networkx(rules: list[Rule], graphs: list[Graph], pairs: list[tuple[int, int]]) -> list[bool]:
    """Whether each pair of a rule and a position matches, by networkx."""
    return [reference.is_matched(rules[rule].graph, graphs[position]) for rule, position in pairs]


def in_kernel(matched: NDArray[np.uint8], pairs: list[tuple[int, int]]) -> list[bool]:
    """The same, read from what the kernel found for all."""
    return [bool(matched[position, rule]) for rule, position in pairs]

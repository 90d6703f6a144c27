"""Hypothesis strategies for positions of strings and coins and for rules that often match them."""

from dataclasses import replace
from typing import Literal

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules
from gpkit.genomes.graph import Graph, Node, NumberComparison, Quantity, Rule, graph_of, renumbered
from gpkit.matching.plan import MEANING
from gpkit_experiments.bench.matching import Choose, derived_rule, mutated_rule, random_position

BOARDS = (
    DotsAndBoxesRules(3, 3),
    DotsAndBoxesRules(2, 2),
    DotsAndBoxesRules(3, 2),
    DotsAndBoxesRules(1, 1),
    DotsAndBoxesRules(1, 4),
)


def positions() -> SearchStrategy[Graph]:
    """Positions with at least one node: of small boards, and made of coins that no board has."""
    return st.one_of(boards(), coins()).filter(lambda graph: bool(graph.nodes))


@st.composite
def boards(draw: DrawFn) -> Graph:
    """Positions of boards of up to nine boxes."""
    return random_position(_choose(draw), draw(st.sampled_from(BOARDS)))


@st.composite
def coins(draw: DrawFn, max_nodes: int = 6) -> Graph:
    """Any nodes with their edges at random: loops on boxes, several edges between two boxes, every length."""
    choose = _choose(draw)
    nodes = tuple(draw(st.lists(st.sampled_from(NODES), min_size=1, max_size=max_nodes)))
    free = [number for number, node in enumerate(nodes) for _ in range(node.degree)]
    grounds = [0] * len(nodes)
    joined: dict[tuple[int, int], int] = {}
    while free:
        one = free.pop(choose(len(free)))
        other = choose(len(free) + 1)
        chains = other < len(free) and nodes[one].symbol == nodes[free[other]].symbol == "l"
        if other == len(free) or (chains and one != free[other]):
            grounds[one] += 1
        else:
            pair = (min(one, free[other]), max(one, free[other]))
            joined[pair] = joined.get(pair, 0) + 1
            del free[other]
    return graph_of(nodes, joined, dict(enumerate(grounds)))


NODES = (Node("q"), Node("t"), Node("x"), *(Node("l", length) for length in range(1, 6)))


@st.composite
def pairs(draw: DrawFn, max_nodes: int = 5) -> tuple[Rule, Graph]:
    """A rule of at most so many nodes and a position: many rules match, others nearly do, or come from elsewhere."""
    choose = _choose(draw)
    position = draw(positions())
    rule = derived_rule(choose, draw(positions()) if choose(4) == 3 else position)
    for _ in range(choose(3)):
        rule = mutated_rule(choose, rule)
    if len(rule.graph.nodes) > max_nodes:
        rule = derived_rule(choose, renumbered(rule.graph, range(max_nodes)))
    return rule, position


@st.composite
def guarded_pairs(draw: DrawFn, max_nodes: int = 4) -> tuple[Rule, Graph, int]:
    """Rules with comparisons and with graphs that must be absent, positions, and the score."""
    choose = _choose(draw)
    rule, position = draw(pairs(max_nodes))
    absent = tuple(draw(st.lists(pairs(max_nodes).map(lambda pair: pair[0].graph), max_size=2)))
    if choose(2):
        absent += (derived_rule(choose, position).graph,)
    chains = [number for number, node in enumerate(rule.graph.nodes) if node.symbol == "l"]
    kinds: list[Literal["length", "number", "score", "left"]] = ["number", "score", "left"]
    sides = [st.builds(Quantity, st.just(kind), st.integers(-2, 5)) for kind in kinds[:1]]
    sides += [st.just(Quantity(kind)) for kind in kinds[1:]]
    sides += [st.just(Quantity("length", number)) for number in chains]
    comparisons = st.builds(
        NumberComparison, st.one_of(sides), st.sampled_from(list(MEANING)), st.one_of(sides)
    )
    found = tuple(draw(st.lists(comparisons, max_size=3)))
    return replace(rule, absent=absent[: choose(3)], comparisons=found), position, draw(st.integers(-3, 3))


def _choose(draw: DrawFn) -> Choose:
    return lambda n: draw(st.integers(0, n - 1))

"""Hypothesis strategies for rules of boxes and chains, and lists of them."""

from dataclasses import replace
from itertools import zip_longest
from typing import get_args

from hypothesis import strategies as st

from gpkit.genomes.graph import (
    Comparison,
    Graph,
    NamedRule,
    Node,
    Quantity,
    Rule,
    RuleList,
    Sign,
    actions,
    graph_of,
    impossible,
)


@st.composite
def graphs(draw: st.DrawFn, *, max_nodes: int = 7) -> Graph:
    """Graphs of rules: boxes and chains with some of their undrawn sides joined, some on the ground, the rest wild."""
    symbols = draw(st.lists(st.sampled_from("qtlx"), min_size=1, max_size=max_nodes))
    lengths = st.tuples(st.integers(1, 5), st.booleans())
    nodes = [Node(symbol, *draw(lengths)) if symbol == "l" else Node(symbol) for symbol in symbols]
    free = [node.degree for node in nodes]
    edges: dict[tuple[int, int], int] = {}
    numbers = st.integers(0, len(nodes) - 1)
    for one, other in draw(st.lists(st.tuples(numbers, numbers), max_size=3 * len(nodes))):
        pair = (min(one, other), max(one, other))
        room = free[one] >= 2 if one == other else free[one] and free[other]
        if room and not impossible(nodes[one], nodes[other], edges.get(pair, 0) + 1, loop=one == other):
            edges[pair] = edges.get(pair, 0) + 1
            free[one] -= 1
            free[other] -= 1
    return graph_of(nodes, edges, {k: draw(st.integers(0, left)) for k, left in enumerate(free)})


@st.composite
def rules(draw: st.DrawFn, *, max_nodes: int = 7) -> Rule:
    """Well-formed rules of level 0."""
    graph = draw(graphs(max_nodes=max_nodes))
    return Rule(graph, draw(st.sampled_from(actions(graph))))


@st.composite
def conditional_rules(draw: st.DrawFn, *, max_nodes: int = 7) -> Rule:
    """Well-formed rules with conditions, of level 1."""
    rule = draw(rules(max_nodes=max_nodes))
    chains = [k for k, node in enumerate(rule.graph.nodes) if node.symbol == "l"]
    quantities = [st.just(Quantity("score")), st.just(Quantity("left"))]
    quantities.append(st.integers(-20, 20).map(lambda value: Quantity("number", value)))
    if chains:
        quantities.append(st.sampled_from(chains).map(lambda number: Quantity("length", number)))
    quantity = st.one_of(quantities)
    comparison = st.builds(Comparison, quantity, st.sampled_from(get_args(Sign)), quantity)
    absent = draw(st.lists(graphs(max_nodes=3), max_size=2))
    comparisons = draw(st.lists(comparison, min_size=not absent, max_size=3))
    return replace(rule, absent=tuple(absent), comparisons=tuple(comparisons))


@st.composite
def rule_lists(draw: st.DrawFn, *, max_rules: int = 4, max_nodes: int = 7) -> RuleList:
    """Rule lists of both levels, some with names, with what was learned, or joined to the rule above."""
    found = draw(
        st.lists(
            rules(max_nodes=max_nodes) | conditional_rules(max_nodes=max_nodes),
            min_size=1,
            max_size=max_rules,
        )
    )
    names = draw(
        st.lists(st.from_regex(r"[a-z][A-Za-z0-9-]{2,9}", fullmatch=True), unique=True, max_size=len(found))
    )
    learned = st.none() | st.floats(allow_nan=False, allow_infinity=False)
    return RuleList(
        tuple(
            NamedRule(rule, name, draw(learned), draw(learned), number > 0 and draw(st.booleans()))
            for number, (rule, name) in enumerate(zip_longest(found, names, fillvalue=""))
        )
    )

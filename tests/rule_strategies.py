"""Hypothesis strategies for rules of boxes and chains, and lists that together use everything that rules can say."""

from dataclasses import replace
from itertools import zip_longest
from typing import get_args

from hypothesis import strategies as st

from gpkit.genomes.graph import (
    Graph,
    NamedRule,
    Node,
    NumberComparison,
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
    comparison = st.builds(NumberComparison, quantity, st.sampled_from(get_args(Sign)), quantity)
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


LEVEL_0 = """
early: q_0 w => q_0 - w
take: x_0 w => x_0 - w  @q=0.5 @f=12
handout: l_0(2) w : l_1(3+) w => l_0[1] - w
into: l_0(3+) t_1 => l_0[2] - t_1
loop: l_0(4+) l_0 l_0 : l_1(1) n => l_0 - l_0
both-ends: l_0(2+) t_1 t_1 => t_1 - w
safe: t_0 t_1 => t_0 - t_1
q_0 t_1 t_2 : t_1 n w q_0 => t_1 - n
"""
LEVEL_1 = """# level: 1
longer: l_0(1+) n : l_1(1+) n ; !t_8 t_9 : q_10 w ; l_0 < l_1 ; left < 20 => l_0 - n
ahead: t_0 n ; score >= 0 ; left >= 8 => t_0 - n
| q_0 n => q_0 - n
behind: t_0 w ; score < 0 ; !x_1 w => t_0 - w
never: x_0 w ; 3 > 4 => x_0 - w
"""

LEARNED = """# level: 1
x_0 w => x_0 - w  @q=1.5
l_0(1+) w => l_0 - w  @q=-0.25
t_0 t_1 => t_0 - t_1  @q=1.5
t_0 w => t_0 - w  @q=1.4
q_0 w => q_0 - w  @q=1.35
l_0(2+) w => l_0[1] - w  @q=-9.0
""" + "".join(f"x_0 w ; left > {left} => x_0 - w  @q={left / 8}\n" for left in range(12))

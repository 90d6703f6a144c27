"""The compiled matcher against the oracle: matches and images, with a look at signatures and without.

The compiled matcher, networkx and the definition, equal on a million pairs of rules and positions and more.
"""

from collections.abc import Iterator
from itertools import islice
from math import perm

import numpy as np
import pytest
from by_definition import embeddings as embeddings_by_definition
from coin_strategies import guarded_pairs, pairs, positions
from hypothesis import given
from hypothesis import strategies as st

from gpkit.core.errors import LimitError
from gpkit.core.rng import below, stream
from gpkit.gamekit.state import NOBODY
from gpkit.games.dots_and_boxes.rule_lists import state_graph
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules, DotsAndBoxesState, edges_of_box
from gpkit.genomes.graph import GROUND, WILD, Action, Graph, Link, Node, NumberComparison, Quantity, Rule
from gpkit.languages.rulegraph.text import parse
from gpkit.matching import reference
from gpkit.matching.kernel import search as at
from gpkit.matching.plan import (
    action_nodes,
    can_reach,
    kept_signature,
    plan,
    search_order,
    signature,
    simple_search,
)
from gpkit_experiments.bench import matcher
from gpkit_experiments.bench.matcher import edges, edges_of, flatten
from gpkit_experiments.bench.matching import (
    Choose,
    derived_rule,
    draw_rules,
    mutated_rule,
    random_position,
    whole_rule,
)


@given(st.lists(pairs(max_nodes=9), min_size=1, max_size=5))
def test_every_rule_in_every_position_is_as_the_oracle_says(found: list[tuple[Rule, Graph]]) -> None:
    rules, graphs = zip(*found, strict=True)
    planned, flat = plan(rules), flatten(graphs)
    expected = [[reference.images(rule, graph) for rule in rules] for graph in graphs]
    masks = matcher.find_images(planned, flat).tolist()
    for graph, row, wanted in zip(graphs, masks, expected, strict=True):
        assert [edges_of(mask, edges(graph)) for mask in row] == wanted
    matches = [[reference.is_matched(rule.graph, graph) for rule in rules] for graph in graphs]
    assert matches == [[bool(images) for images in row] for row in expected], "every embedding has an image"
    assert matcher.match(planned, flat).astype(bool).tolist() == matches
    assert matcher.match(planned, flat, with_signatures=False).astype(bool).tolist() == matches


@given(st.lists(guarded_pairs(max_nodes=6), min_size=1, max_size=4))
def test_guarded_rules_are_as_the_oracle_says(found: list[tuple[Rule, Graph, int]]) -> None:
    rules, graphs, scores = zip(*found, strict=True)
    planned, flat = plan(rules), flatten(graphs)
    expected = [
        [reference.images(rule, graph, score) for rule in rules]
        for graph, score in zip(graphs, scores, strict=True)
    ]
    masks = matcher.find_images(planned, flat, scores).tolist()
    for graph, row, wanted in zip(graphs, masks, expected, strict=True):
        assert [edges_of(mask, edges(graph)) for mask in row] == wanted
    may_act = [[bool(images) for images in row] for row in expected]
    assert matcher.match(planned, flat, scores).astype(bool).tolist() == may_act
    assert matcher.match(planned, flat, scores, with_signatures=False).astype(bool).tolist() == may_act


def links_of(row: np.ndarray) -> list[list[tuple[int, int]]]:
    """By place of a search its links: earlier place, edges."""
    starts = [at.PLACES + at.PLACE * place + at.LINKS for place in range(row[at.SIZE])]
    links = [[link - 1 for link in row[start : start + at.EDGES].tolist() if link] for start in starts]
    return [[(link // at.EDGES, link % at.EDGES + 1) for link in each] for each in links]


@given(pairs(max_nodes=9))
def test_searches_place_every_node_and_every_edge_once(pair: tuple[Rule, Graph]) -> None:
    rule, _ = pair
    planned = plan([rule])
    total = sum(link.multiplicity for link in rule.graph.links if link.low != link.high)
    for row in (planned.matching[0], planned.imaging[0]):
        searched = links_of(row)
        assert len(searched) == len(rule.graph.nodes)
        assert sum(edges for links in searched for _, edges in links) == total
        assert all(earlier < place for place, links in enumerate(searched) for earlier, _ in links)
    order = search_order(rule.graph, action_nodes(rule))
    assert order[0] == rule.action.node
    assert sorted(order) == list(range(len(rule.graph.nodes)))


@given(pairs(max_nodes=9))
def test_a_rule_that_matches_passes_by_its_signature(pair: tuple[Rule, Graph]) -> None:
    rule, position = pair
    if reference.is_matched(rule.graph, position):
        assert can_reach(signature(position), kept_signature(rule.graph))


def test_position_with_fewer_of_anything_cannot_reach() -> None:
    assert can_reach((0x23, 0x01), (0x13, 0x01))
    assert not can_reach((0x23, 0x01), (0x14, 0x01))
    assert not can_reach((0x23, 0x01), (0x13, 0x02))


@given(positions())
def test_equal_counts_fill_their_fields_and_no_more(position: Graph) -> None:
    many = Graph(position.nodes * 9, (), (0,) * 9 * len(position.nodes))
    for word in signature(many):
        assert word & int(at.GUARD) == 0


def test_bits_have_numbers() -> None:
    for number in range(64):
        assert at.BIT_NUMBERS[np.uint64(1 << number) % at.MODULUS] == number


def test_large_positions_are_matched_up_to_the_limit() -> None:
    pairs_of_boxes = Graph((Node("x"),) * 64, tuple(Link(k, k + 1, 1) for k in range(0, 64, 2)), (0,) * 64)
    rules = [Rule(pairs_of_boxes, Action(62, 63)), Rule(Graph((Node("x"),), (), (1,)), Action(0, GROUND))]
    flat = flatten([pairs_of_boxes])
    assert matcher.match(plan(rules), flat, with_signatures=False).tolist() == [[1, 0]]
    assert matcher.find_images(plan(rules), flat).tolist() == [[2**32 - 1, 0]]
    for large in (Graph((Node("x"),) * 65, (), (1,) * 65), Graph((Node("l", 65),), (), (2,))):
        with pytest.raises(LimitError, match="at most 64 nodes"):
            flatten([large])
        too_large = plan([Rule(large, Action(0, GROUND))])
        assert matcher.match(too_large, flat, with_signatures=False).tolist() == [[0]]
        assert matcher.find_images(too_large, flat).tolist() == [[0]]


def test_a_search_that_would_take_for_ever_is_given_up() -> None:
    triangles = Graph(
        (Node("t"),) * 30,
        tuple(Link(3 * k + a, 3 * k + b, 1) for k in range(10) for a, b in ((0, 1), (0, 2), (1, 2))),
        (1,) * 30,
    )
    pairs_in_all, one_more = (
        Graph((Node("t"),) * 2 * n, tuple(Link(2 * k, 2 * k + 1, 1) for k in range(n)), (0,) * 2 * n)
        for n in (10, 11)
    )
    rules = plan([Rule(pairs_in_all, Action(0, 1)), Rule(one_more, Action(0, 1))])
    assert matcher.match(rules, flatten([triangles])).tolist() == [[1, 0]]
    whole, nothing = matcher.find_images(rules, flatten([triangles]))[0].tolist()
    assert edges_of(whole, edges(triangles)) == {Action(link.low, link.high) for link in triangles.links}
    assert nothing == 0


def test_positions_of_nine_nodes_are_searched_to_the_end() -> None:
    choices = sum(perm(9, k) for k in range(1, 10))
    assert choices <= at.CHOICES


def test_chains_longer_than_any_rule_tells_apart() -> None:
    long = Graph((Node("l", 60),), (), (2,))
    rules = [Rule(Graph((Node("l", 2, plus),), (), (0,)), Action(0, WILD)) for plus in (True, False)]
    assert matcher.match(plan(rules), flatten([long])).tolist() == [[1, 0]]


def test_numbers_beyond_all_others_are_as_good_as_large_ones() -> None:
    one = Graph((Node("x"),), (), (1,))
    score, huge = Quantity("score"), Quantity("number", 10**9)
    conditions = (
        NumberComparison(score, "<", huge),
        NumberComparison(score, "=", huge),
        NumberComparison(huge, "<", Quantity("number", 2 * 10**9)),
        NumberComparison(huge, ">", Quantity("number", 2 * 10**9)),
    )
    rules = [Rule(one, Action(0, GROUND), comparisons=(each,)) for each in conditions]
    assert matcher.match(plan(rules), flatten([one]), [5]).tolist() == [[1, 0, 1, 0]]


def test_a_search_by_itself_is_that_of_the_plan() -> None:
    for rule in draw_rules(300):
        prepared = plan([rule])
        assert np.array_equal(simple_search(rule, prepared.places), prepared.imaging[0])


def test_nothing_to_match() -> None:
    one = Graph((Node("x"),), (), (1,))
    assert matcher.match(plan([]), flatten([one])).shape == (1, 0)
    assert matcher.match(plan([Rule(one, Action(0, GROUND))]), flatten([])).shape == (0, 1)
    over = Graph((), (), ())
    assert matcher.find_images(plan([Rule(one, Action(0, GROUND))]), flatten([over])).tolist() == [[0]]


BOARDS = (
    DotsAndBoxesRules(3, 3),
    DotsAndBoxesRules(3, 3),
    DotsAndBoxesRules(2, 3),
    DotsAndBoxesRules(4, 3),
    DotsAndBoxesRules(2, 2),
    DotsAndBoxesRules(5, 1),
)

PAIRS, POSITIVE = 1_000_000, 100_000

Batch = tuple[list[Rule], list[Graph]]


def batches(purpose: str, rules: int, graphs: int, largest: int) -> Iterator[Batch]:
    """Rules of at most so many nodes, made from these positions and from others, changed up to three times."""
    number = 0
    while True:
        rng = stream(0, purpose, number)
        number += 1

        def choose(n: int, rng: np.random.Generator = rng) -> int:
            return below(rng, n)

        positions = drawn_positions(choose, graphs)
        made: list[Rule] = []
        while len(made) < rules:
            source = positions[choose(graphs)]
            rule = whole_rule(choose, source) if choose(4) == 0 else derived_rule(choose, source)
            for _ in range(choose(4)):
                rule = mutated_rule(choose, rule)
            made += [rule] if len(rule.graph.nodes) <= largest else []
        yield made, positions


def drawn_positions(choose: Choose, count: int) -> list[Graph]:
    positions: list[Graph] = []
    while len(positions) < count:
        position = random_position(choose, BOARDS[choose(len(BOARDS))])
        positions += [position] if position.nodes else []
    return positions


@pytest.mark.slow
@pytest.mark.parametrize("largest", [5, 12], ids=["and by definition", "larger rules"])
def test_a_million_pairs_match_as_networkx_says(largest: int) -> None:
    pairs = positive = 0
    for rules, graphs in batches("test matches", 100, 50, largest):
        planned, flat = plan(rules), flatten(graphs)
        found = matcher.match(planned, flat).astype(bool)
        assert np.array_equal(found, matcher.match(planned, flat, with_signatures=False))
        wanted = [reference.as_networkx(rule.graph) for rule in rules]
        there = [reference.as_networkx(graph) for graph in graphs]
        expected = [[reference.search(w, t).subgraph_is_monomorphic() for w in wanted] for t in there]
        assert found.tolist() == expected
        if largest == 5:
            assert expected == [[is_matched(rule.graph, graph) for rule in rules] for graph in graphs]
        pairs += found.size
        positive += int(found.sum())
        if pairs >= PAIRS and positive >= POSITIVE:
            break
    print(f"{pairs:,} pairs, {positive:,} of them positive")  # noqa: T201


def is_matched(wanted: Graph, position: Graph) -> bool:
    """Whether there is an embedding by definition."""
    return next(embeddings_by_definition(wanted, position), None) is not None


@pytest.mark.slow
def test_images_are_those_of_networkx() -> None:
    positive = 0
    for rules, graphs in islice(batches("test images", 50, 20, 12), 40):
        masks = matcher.find_images(plan(rules), flatten(graphs))
        for graph, row in zip(graphs, masks.tolist(), strict=True):
            values = edges(graph)
            for rule, mask in zip(rules, row, strict=True):
                if mask and len(rule.graph.nodes) <= 6:
                    assert edges_of(mask, values) == reference.images(rule, graph)
                    positive += 1
    print(f"images of {positive:,} pairs that match")  # noqa: T201
    assert positive > 1_000


PRINTED = "t_4l_9l_7t_1 : l_7(2)t_4n : l_9(4)t_1t_4 : l_8(1)t_1n : t_1l_9t_4l_8 => t_1 - t_4"


@pytest.mark.slow
def test_the_highly_specific_rule_of_the_source_matches_32_of_all_positions() -> None:
    """Of all 2^24 of 3x3 boxes, looked for among those that have its boxes: two with three sides, seven with two."""
    board = DotsAndBoxesRules(3, 3)
    undrawn = np.arange(1 << board.edges, dtype=np.uint32)
    joints, open_boxes = np.zeros(len(undrawn), dtype=np.uint8), np.ones(len(undrawn), dtype=bool)
    for box in range(board.boxes):
        sides = sum((undrawn >> np.uint32(s) & 1).astype(np.uint8) for s in edges_of_box(box, board))
        open_boxes &= (sides == 2) | (sides == 3)
        joints += sides == 3
    found = []
    for mask in undrawn[open_boxes & (joints == 2)].tolist():
        drawn = frozenset(s for s in range(board.edges) if not mask >> s & 1)
        found.append(state_graph(DotsAndBoxesState(board, drawn, (NOBODY,) * board.boxes)))
    rule = parse(PRINTED).program.rules[0].rule
    flat = flatten([each.graph for each in found])
    masks = matcher.find_images(plan([rule]), flat)[:, 0]
    assert np.array_equal(masks != 0, matcher.match(plan([rule]), flat, with_signatures=False)[:, 0])
    assert np.count_nonzero(masks) == 32
    for number in np.flatnonzero(masks):
        graph = found[number].graph
        (drawn_edge,) = edges_of(int(masks[number]), edges(graph))
        assert {graph.nodes[drawn_edge.node].symbol, graph.nodes[drawn_edge.other].symbol} == {"t"}
        assert len(found[number].edges_of(drawn_edge)) == 1

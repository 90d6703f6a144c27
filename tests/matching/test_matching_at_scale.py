"""The compiled matcher, networkx and the definition, equal on a million pairs of rules and positions and more."""

from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest
from by_definition import embeddings as embeddings_by_definition

from gpkit.core.rng import below, stream
from gpkit.gamekit.state import NOBODY
from gpkit.games.dots_and_boxes.edges import edges_of_box
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rules import State
from gpkit.games.dots_and_boxes.state_graph import state_graph
from gpkit.genomes.graph import Graph, Rule
from gpkit.languages.rulegraph.parser import parse
from gpkit.matching import reference
from gpkit.matching.edges import edges
from gpkit.matching.plan import plan
from gpkit_experiments.bench import matcher
from gpkit_experiments.bench.coins import Choose, derived_rule, mutated_rule, random_position, whole_rule
from gpkit_experiments.bench.matcher import edges_of, flatten

BOARDS = (Rules(3, 3), Rules(3, 3), Rules(2, 3), Rules(4, 3), Rules(2, 2), Rules(5, 1))

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
    board = Rules(3, 3)
    undrawn = np.arange(1 << board.edges, dtype=np.uint32)
    joints, open_boxes = np.zeros(len(undrawn), dtype=np.uint8), np.ones(len(undrawn), dtype=bool)
    for box in range(board.boxes):
        sides = sum((undrawn >> np.uint32(s) & 1).astype(np.uint8) for s in edges_of_box(box, board))
        open_boxes &= (sides == 2) | (sides == 3)
        joints += sides == 3
    found = []
    for mask in undrawn[open_boxes & (joints == 2)].tolist():
        drawn = frozenset(s for s in range(board.edges) if not mask >> s & 1)
        found.append(state_graph(State(board, drawn, (NOBODY,) * board.boxes)))
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

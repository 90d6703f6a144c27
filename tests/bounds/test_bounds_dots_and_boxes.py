"""Whole games of Dots and Boxes on all boards, the search, and rules of any size."""

import numpy as np
import pytest
from board_strategies import edges_played
from extremes import checked_play, everybody
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_marks import bounds_checked
from rule_strategies import rule_lists

from gpkit.core.errors import UsageError
from gpkit.gamekit.state import NOBODY
from gpkit.games.dots_and_boxes.classes import mask_of, table
from gpkit.games.dots_and_boxes.exact import best_response, choices_of, result
from gpkit.games.dots_and_boxes.game import GAME, check_classes
from gpkit.games.dots_and_boxes.rule_lists import choose
from gpkit.games.dots_and_boxes.rules import MAX_EDGES, DotsAndBoxesRules, DotsAndBoxesState
from gpkit.games.dots_and_boxes.solving import SearchMemory, searched_value
from gpkit.genomes.graph import NamedRule, Node, Rule, RuleList, actions, graph_of
from gpkit.matching.kernel import search as at
from gpkit.matching.plan import plan_of

pytestmark = [pytest.mark.slow, bounds_checked]

BOARDS = [
    DotsAndBoxesRules(width, height)
    for width in range(1, 21)
    for height in range(1, 21)
    if DotsAndBoxesRules(width, height).edges <= MAX_EDGES
]
LARGEST = [board for board in BOARDS if board.edges >= 57]


def is_small(board: DotsAndBoxesRules) -> bool:
    """Whether all classes of a board can be visited."""
    try:
        check_classes(board)
    except UsageError:
        return False
    return True


SMALL = [board for board in BOARDS if board.edges <= 17]
"""Boards of which everything exact is soon computed; the other tests do that on 3x3 boxes."""


@pytest.mark.parametrize("board", [*SMALL, *LARGEST], ids=lambda board: f"{board.width}x{board.height}")
def test_everybody_draws_on_the_smallest_and_the_largest_boards(board: DotsAndBoxesRules) -> None:
    agents = everybody(GAME)
    for number, agent in enumerate(agents):
        other = agents[number - 1]
        if "optimal" in (agent.name, other.name) and not is_small(board):
            continue
        checked_play(GAME, [agent, other], board.to_options())
        drawn = edges_played([agent, other], GAME.deal(np.random.default_rng(number), 1, board), board)
        assert sorted(drawn) == list(range(board.edges))


@pytest.mark.parametrize("board", SMALL, ids=lambda board: f"{board.width}x{board.height}")
def test_everything_exact_is_computed_on_every_small_board(board: DotsAndBoxesRules) -> None:
    values = table(board)
    assert np.abs(values).max() <= board.boxes
    for name in GAME.builtins:
        choices = choices_of(name, board)
        assert 0.0 <= result(choices, choices, board).mean <= 1.0
        best_response(choices, board)


@pytest.mark.parametrize("board", LARGEST, ids=lambda board: f"{board.width}x{board.height}")
def test_the_search_values_late_positions_on_the_largest_boards(board: DotsAndBoxesRules) -> None:
    rng = np.random.default_rng(board.width)
    for left in (0, 1, 5, 12):
        drawn = frozenset(rng.permutation(board.edges)[: board.edges - left].tolist())
        state = DotsAndBoxesState(board, drawn, (NOBODY,) * board.boxes)
        owners = tuple(NOBODY if state.undrawn_sides(box) else 0 for box in range(board.boxes))
        state = DotsAndBoxesState(board, drawn, owners)
        if not state.is_terminal:
            assert abs(searched_value(state, SearchMemory.of(board, 1 << 10))) <= board.boxes


def positions_of(board: DotsAndBoxesRules) -> np.ndarray:
    """Masks of drawn edges, from none to all but one."""
    rng = np.random.default_rng(board.height)
    masks = [mask_of(rng.permutation(board.edges)[:count].tolist()) for count in range(board.edges)]
    return np.array(masks, dtype=np.int64)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from([BOARDS[0], *LARGEST]), rule_lists(max_rules=30, max_nodes=12))
def test_large_rules_are_matched_in_positions_of_every_size(
    board: DotsAndBoxesRules, rules: RuleList
) -> None:
    drawn = positions_of(board)
    masks, _ = choose(plan_of(rules), drawn, (0, board.boxes, -board.boxes), board)
    assert not np.any(masks & drawn[:, None]), "nothing is drawn twice"


def path(nodes: int) -> Rule:
    """A rule of as many chains of any length, one after the other."""
    links = {(number, number + 1): 1 for number in range(nodes - 1)}
    graph = graph_of([Node("l", 1, True)] * nodes, links, {})
    return Rule(graph, actions(graph)[0])


@pytest.mark.parametrize("nodes", [1, 25, at.MAX_NODES, at.MAX_NODES + 1, 100])
def test_rules_of_as_many_nodes_as_can_be_are_matched(nodes: int) -> None:
    rules = RuleList((NamedRule(path(nodes)),))
    for board in (BOARDS[0], *LARGEST):
        drawn = positions_of(board)
        masks, _ = choose(plan_of(rules), drawn, (0,), board)
        assert not np.any(masks & drawn[:, None])

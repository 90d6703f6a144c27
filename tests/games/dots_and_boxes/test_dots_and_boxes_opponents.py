"""The ladder: readable and compiled policies agree, and what each knows is seen on boards."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_marks import compiled_only

from gpkit.gamekit.state import NOBODY
from gpkit.games.dots_and_boxes.board import edge_name, state_of_text
from gpkit.games.dots_and_boxes.classes import NO_TABLE, board_of, mask_of, table
from gpkit.games.dots_and_boxes.kernel import opponents as compiled
from gpkit.games.dots_and_boxes.opponents import POLICIES, captures, gift, runs
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules, DotsAndBoxesState

QUICK = tuple(name for name in POLICIES if name not in ("chain+ex8", "chain+ex12", "optimal"))
RULES = st.builds(DotsAndBoxesRules, st.integers(1, 5), st.integers(1, 5))


def compiled_choice(name: str, state: DotsAndBoxesState, values: np.ndarray = NO_TABLE) -> int:
    """The mask of the edges among which the compiled policy chooses."""
    rules, masks = state.rules, np.zeros(1, dtype=np.int64)
    positions = np.array([mask_of(state.drawn)], dtype=np.int64)
    positions.setflags(write=False)  # as those of classes are, so that no second kernel is compiled
    compiled.choices(
        tuple(POLICIES).index(name),
        positions,
        board_of(rules),
        values,
        np.empty(1 << compiled.REST_EDGES, dtype=np.int8),
        masks,
    )
    return int(masks[0])


@st.composite
def states(
    draw: st.DrawFn, rules: st.SearchStrategy[DotsAndBoxesRules] = RULES, most: int = 60
) -> DotsAndBoxesState:
    """A position with at least one edge left, and at most ``most``; captures are taken more often than not."""
    board = draw(rules)
    order = draw(st.permutations(range(board.edges)))
    left = draw(st.integers(1, min(most, board.edges)))
    drawn = frozenset(order[left:])
    state = DotsAndBoxesState(board, drawn, (NOBODY,) * board.boxes)
    while draw(st.booleans()) and len(state.legal_actions()) > 1 and (takes := captures(state)):
        state = state.apply(takes[0])
    return state


@settings(max_examples=300)
@given(states(), st.sampled_from(QUICK))
def test_readable_and_compiled_policies_agree(state: DotsAndBoxesState, name: str) -> None:
    chosen = POLICIES[name](state)
    assert chosen == tuple(sorted(chosen))
    assert mask_of(chosen) == compiled_choice(name, state)


@pytest.mark.release
@settings(max_examples=300)
@given(states(most=24), st.sampled_from(("chain", "control")))
def test_late_positions_of_chains_agree(state: DotsAndBoxesState, name: str) -> None:
    assert mask_of(POLICIES[name](state)) == compiled_choice(name, state)


@settings(max_examples=40)
@given(states(most=9), st.sampled_from(("chain+ex8", "chain+ex12")))
def test_perfect_ends_agree(state: DotsAndBoxesState, name: str) -> None:
    assert mask_of(POLICIES[name](state)) == compiled_choice(name, state)


@compiled_only
@settings(max_examples=100)
@given(states(st.just(DotsAndBoxesRules(3, 3))), st.sampled_from(("chain+ex8", "chain+ex12")))
def test_perfect_ends_are_those_of_the_table(state: DotsAndBoxesState, name: str) -> None:
    assert compiled_choice(name, state) == compiled_choice(name, state, table(state.rules))


@compiled_only
@settings(max_examples=40)
@given(states(st.just(DotsAndBoxesRules(3, 3))))
def test_optimal_policies_agree(state: DotsAndBoxesState) -> None:
    assert mask_of(POLICIES["optimal"](state)) == compiled_choice("optimal", state, table(state.rules))


def test_numbers_of_the_kernel_are_those_of_the_ladder() -> None:
    numbers = (
        *(compiled.RANDOM, compiled.GREEDY, compiled.SAFE, compiled.SAFE_MIN, compiled.CHAIN),
        *(compiled.CONTROL, compiled.CHAIN_8, compiled.CHAIN_12, compiled.OPTIMAL),
    )
    assert numbers == tuple(range(len(POLICIES)))
    assert list(POLICIES)[compiled.CHAIN_8 :] == ["chain+ex8", "chain+ex12", "optimal"]


def chosen(name: str, text: str) -> list[str]:
    state = state_of_text(text)
    return [edge_name(edge, state.rules) for edge in POLICIES[name](state)]


def test_the_last_two_boxes_are_left_where_the_rest_brings_more() -> None:
    board = "+---+---+---+\n| A | x   l\n+---+---+---+\n  l   l   l\n+---+---+---+\n"
    assert chosen("safe+min", board) == ["C1 left"]
    assert chosen("chain", board) == chosen("control", board) == ["C1 right"]


@pytest.mark.parametrize(
    "board",
    [
        "+---+---+\n| x   l\n+---+---+\n  l   l\n+---+---+\n",
        "+---+---+\n| x   l\n+---+---+\n  t   t\n+   +   +\n",
        "+---+---+\n| x   l\n+---+---+\n| A | A |\n+---+---+\n",
    ],
    ids=["two boxes", "a safe edge", "nothing"],
)
def test_all_is_taken_where_the_rest_is(board: str) -> None:
    assert chosen("chain", board) == chosen("control", board) == ["B1 left"]


def test_only_the_careful_one_leaves_four_boxes_of_a_loop() -> None:
    board = (
        "+---+---+   +---+---+\n"
        "| x   l | l   l   l |\n"
        "+---+   +---+---+   +\n"
        "| x   l | l   l   l |\n"
        "+---+---+   +---+---+\n"
    )
    assert chosen("chain", board) == ["B1 left", "B2 left"]
    assert chosen("control", board) == ["B2 top"]


def test_gifts_of_two_boxes_are_hard_hearted_only_for_the_careful_one() -> None:
    board = "+---+---+\n  l   l\n+---+---+\n"
    assert chosen("chain", board) == ["A1 left", "B1 left", "B1 right"]
    assert chosen("control", board) == ["B1 left"]


def test_shortest_run_first() -> None:
    board = "+---+---+---+\n| x   l   l\n+---+---+---+\n| x   l | A |\n+---+   +---+\n"
    assert chosen("chain", board) == ["B1 left", "B2 left"]
    assert chosen("control", board) == ["B2 left"]


def test_gifts_and_runs_are_counted() -> None:
    state = state_of_text("+---+---+---+\n| x   l   l\n+---+---+---+\n")
    (run,) = runs(state)
    assert (run.boxes, run.is_closed, run.starts, run.double_deal()) == ((0, 1, 2), False, (7,), ())
    lower = state_of_text("+---+---+\n  l   l\n+---+---+\n")
    assert [gift(lower, edge) for edge in lower.legal_actions()] == [2, 2, 2]


def test_closed_run_of_four_can_be_left_in_the_middle() -> None:
    state = state_of_text("+---+---+\n| x   l |\n+---+   +\n| x   l |\n+---+---+\n")
    (run,) = runs(state)
    assert run.is_closed
    assert run.boxes == (0, 1, 3, 2)
    assert [edge_name(edge, state.rules) for edge in run.starts] == ["B1 left", "B2 left"]
    assert [edge_name(edge, state.rules) for edge in run.double_deal()] == ["B2 top"]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.release] * (name == "chain+ex12")) for name in POLICIES]
)
def test_every_policy_plays_whole_games(name: str) -> None:
    state = DotsAndBoxesState.begin(DotsAndBoxesRules(2, 2))
    while not state.is_terminal:
        edges = POLICIES[name](state)
        assert set(edges) <= set(state.legal_actions())
        state = state.apply(edges[len(state.drawn) % len(edges)])

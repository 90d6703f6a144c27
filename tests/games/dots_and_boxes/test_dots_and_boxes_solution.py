"""The kernel's rules against the readable ones, and the values of positions three ways."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_marks import compiled_only

from gpkit.core.compiled import kernel
from gpkit.gamekit.state import NOBODY
from gpkit.games.dots_and_boxes.classes import (
    best_of,
    board_of,
    edges_of,
    mask_of,
    readable_value,
    table,
    values_of_edges,
)
from gpkit.games.dots_and_boxes.kernel import boxes as rule_parts
from gpkit.games.dots_and_boxes.opponents import perfect_by_table
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules, DotsAndBoxesState, symmetries

closed_by = kernel(rule_parts.closed_by)

RULES = st.builds(DotsAndBoxesRules, st.integers(1, 5), st.integers(1, 5))


@given(RULES, st.data())
def test_kernel_and_readable_rules_close_the_same_boxes(
    rules: DotsAndBoxesRules, data: st.DataObject
) -> None:
    state = DotsAndBoxesState.begin(rules)
    for edge in data.draw(st.permutations(range(rules.edges))):
        assert edges_of(mask_of(state.drawn)) == tuple(sorted(state.drawn))
        assert closed_by(mask_of(state.drawn), edge, board_of(rules)) == len(state.closed_by(edge))
        state = state.apply(edge)
    assert state.is_terminal


def test_openspiel_agrees() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    for key, (rows, columns) in enumerate([(1, 1), (2, 2), (3, 3), (2, 4)]):
        game = pyspiel.load_game(
            "dots_and_boxes", {"num_rows": rows, "num_cols": columns, "utility_margin": True}
        )
        for order in np.random.Generator(np.random.Philox(key)).permuted(
            np.tile(np.arange(DotsAndBoxesRules(columns, rows).edges), (20, 1)), axis=1
        ):
            theirs, ours = game.new_initial_state(), DotsAndBoxesState.begin(DotsAndBoxesRules(columns, rows))
            for edge in order:
                assert theirs.current_player() == ours.current_player
                theirs.apply_action(int(edge))
                ours = ours.apply(int(edge))
            assert theirs.returns() == [ours.lead(0), ours.lead(1)]


@compiled_only
@pytest.mark.parametrize(
    ("width", "height", "value"),
    [
        (1, 1, -1),
        (2, 1, 0),
        (1, 3, -1),
        (2, 2, 2),
        (2, 3, -2),
        pytest.param(3, 3, -3, marks=pytest.mark.release),
    ],
)
def test_value_of_the_empty_board(width: int, height: int, value: int) -> None:
    assert table(DotsAndBoxesRules(width, height))[0] == value


@pytest.mark.parametrize(
    "rules",
    [DotsAndBoxesRules(1, 1), DotsAndBoxesRules(2, 1), DotsAndBoxesRules(1, 3), DotsAndBoxesRules(2, 2)],
)
def test_table_is_that_of_plain_recursion(rules: DotsAndBoxesRules) -> None:
    known: dict[frozenset[int], int] = {}
    assert readable_value(DotsAndBoxesState.begin(rules), known) == table(rules)[0]
    assert len(known) == 2**rules.edges - 1
    assert all(table(rules)[mask_of(drawn)] == value for drawn, value in known.items())


@pytest.mark.release
@compiled_only
@settings(max_examples=30)
@given(st.sets(st.integers(0, 23), min_size=15))
def test_best_edges_keep_the_value(drawn: set[int]) -> None:
    rules = DotsAndBoxesRules(3, 3)
    state = DotsAndBoxesState(rules, frozenset(drawn), (NOBODY,) * rules.boxes)
    known: dict[frozenset[int], int] = {}
    value = readable_value(state, known)
    assert table(rules)[mask_of(state.drawn)] == value
    assert perfect_by_table(state) == best_of(
        values_of_edges(state, lambda after: readable_value(after, known))
    )


@pytest.mark.release
@compiled_only
def test_symmetric_positions_have_equal_values() -> None:
    rules = DotsAndBoxesRules(3, 3)
    values = table(rules)
    positions = np.random.Generator(np.random.Philox(1)).integers(0, len(values), 1000)
    for moved in symmetries(rules):
        images = sum((positions >> edge & 1) << image for edge, image in enumerate(moved))
        assert np.array_equal(values[images], values[positions])

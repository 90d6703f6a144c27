"""Search on larger boards: the values of the table where there is one, and known values of whole boards."""

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpkit.games.dots_and_boxes.kernel.rules import solve
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rules import NOBODY, State
from gpkit.games.dots_and_boxes.search import Memory, searched_value, twins
from gpkit.games.dots_and_boxes.solution import readable_value, table
from gpkit.games.dots_and_boxes.strings import strings_of_box
from gpkit.games.dots_and_boxes.tables import board_of, position, state_of

compiled_only = pytest.mark.skipif(
    numba.config.DISABLE_JIT, reason="looks at too many positions for interpreted kernels"
)

BOARDS = [Rules(2, 2), Rules(2, 3), Rules(3, 3), Rules(4, 2), Rules(7, 1)]
MEMORIES = {rules: Memory.of(rules, 1 << 16) for rules in BOARDS}


@st.composite
def positions(draw: st.DrawFn, rules: Rules, least: int = 0) -> State:
    drawn = draw(st.sets(st.integers(0, rules.strings - 1), min_size=least))
    return State(rules, frozenset(drawn), (NOBODY,) * rules.boxes)


@pytest.mark.parametrize(
    "rules", [BOARDS[0], *(pytest.param(rules, marks=compiled_only) for rules in BOARDS[1:])]
)
def test_searched_values_are_those_of_the_table(rules: Rules) -> None:
    values = table(rules)
    rng = np.random.Generator(np.random.Philox(rules.width))
    for share in rng.random(500):
        drawn = frozenset(np.flatnonzero(rng.random(rules.strings) < share).tolist())
        state = State(rules, drawn, (NOBODY,) * rules.boxes)
        assert searched_value(state, MEMORIES[rules]) == values[position(state)]


@compiled_only
@given(positions(Rules(5, 5), least=51))
def test_searched_values_are_those_of_plain_recursion(state: State) -> None:
    assert searched_value(state, Memory.of(state.rules, 1 << 10)) == readable_value(state)


@compiled_only
def test_a_small_memory_changes_no_value() -> None:
    rules = Rules(2, 3)
    assert searched_value(State.begin(rules), Memory.of(rules, 1 << 4)) == -2


def test_strings_to_the_ground_are_alike_box_by_box() -> None:
    assert twins(Rules(2, 2)).tolist() == [[0, 6], [1, 8], [4, 9], [5, 11]]
    rules = Rules(1, 1)
    sides = list(strings_of_box(0, rules))
    for low, high in twins(rules).tolist():
        assert low < high
        assert {low, high} <= set(sides)
    assert len(twins(rules)) == 6


@compiled_only
def test_value_of_ten_boxes() -> None:
    rules = Rules(2, 5)
    memory = Memory.of(rules)
    assert searched_value(State.begin(rules), memory) == -2
    assert memory.counters[0] < 1_000_000


@pytest.mark.slow
def test_all_positions_of_ten_boxes() -> None:
    rules = Rules(2, 5)
    values = np.empty(1 << rules.strings, dtype=np.int8)
    solve(board_of(rules), values)
    assert values[0] == -2
    memory = Memory.of(rules)
    for mask in np.random.Generator(np.random.Philox(3)).integers(0, len(values), 2000).tolist():
        assert searched_value(state_of(mask, rules), memory) == values[mask]


@compiled_only
@pytest.mark.parametrize("rules", [Rules(3, 4), pytest.param(Rules(4, 4), marks=pytest.mark.slow)])
def test_value_of_larger_boards_is_a_tie(rules: Rules) -> None:
    places = 1 << (22 if rules.boxes < 16 else 24)
    assert searched_value(State.begin(rules), Memory.of(rules, places)) == 0

"""Best lines end with the value of the position, and control is with whom a long chain is given to first."""

from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.games.dots_and_boxes.board import edge_of_name, state_of_text
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rules import State
from gpkit.games.dots_and_boxes.search import Control, Memory, best_line, control_of, searched_value

CHAIN_AND_LOOP = """\
+   +---+---+---+
|   |       | A |
+   +   +   +---+
|   |       | B |
+   +---+---+---+
A 1, B 1; A is to draw
"""
"""A chain of two, open above and below, and a loop of four."""

TWO_CHAINS = """\
+---+---+---+
  l   l   l
+---+---+---+
  l   l   l
+---+---+---+
A 0, B 0; B is to draw
"""


@settings(max_examples=30, deadline=None)
@given(st.builds(Rules, st.integers(1, 3), st.integers(1, 2)), st.data())
def test_lines_bring_the_value(rules: Rules, data: st.DataObject) -> None:
    drawn = frozenset(data.draw(st.sets(st.integers(0, rules.edges - 1))))
    state = State(rules, drawn, State.begin(rules).owners)
    memory = Memory.fit_for(state)
    end = state
    for edge in best_line(state, memory):
        end = end.apply(edge)
    assert len(end.drawn) == rules.edges
    assert end.lead(0) - state.lead(0) == searched_value(state, memory)


def test_control_is_with_whom_the_first_long_one_is_given_to() -> None:
    state = state_of_text(CHAIN_AND_LOOP)
    line = [edge_of_name(name, state.rules) for name in ("A2 top", "A1 top", "A2 bottom", "B2 top")]
    assert control_of(state, line[:3]) is None
    assert control_of(state, line) == Control(3, 0, (), (4,))


def test_all_that_is_long_is_counted() -> None:
    state = state_of_text(TWO_CHAINS)
    assert control_of(state, [edge_of_name("B2 left", state.rules)]) == Control(0, 0, (3, 3), ())

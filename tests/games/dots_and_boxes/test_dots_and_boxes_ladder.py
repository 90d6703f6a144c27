"""Whole games of the ladder: compiled and readable ones are the same, and samples agree with exact win rates."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_marks import compiled_only

from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.games.dots_and_boxes.classes import table
from gpkit.games.dots_and_boxes.exact import choices_of, result
from gpkit.games.dots_and_boxes.ladder import margins, play_readable
from gpkit.games.dots_and_boxes.opponents import POLICIES
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.vm.keyed import HALF

QUICK = ("random", "greedy", "safe", "safe+min", "chain", "control", "chain+ex8")


@settings(max_examples=40)
@given(
    st.sampled_from(QUICK),
    st.sampled_from(QUICK),
    st.integers(0, HALF - 1),
    st.builds(Rules, st.integers(1, 4), st.integers(1, 4)),
)
def test_games_are_those_of_the_readable_policies(first: str, second: str, key: int, rules: Rules) -> None:
    policies = POLICIES[first], POLICIES[second]
    found, log = margins(first, second, np.array([key], dtype=np.int64), rules)
    drawn_first, drawn_second = (list(play_readable(*each, key, rules)) for each in permutations(policies))
    state, edge = drawn_first[-1]
    last = state.apply(edge)
    assert log[0].tolist() == [edge for _, edge in drawn_first]
    assert found[0, 0] == last.lead(0)
    state, edge = drawn_second[-1]
    assert found[0, 1] == state.apply(edge).lead(1)
    assert log[1].tolist() == [edge for _, edge in drawn_second]


@compiled_only
@pytest.mark.parametrize("names", [("greedy", "chain"), ("control", "safe+min"), ("optimal", "random")])
def test_samples_agree_with_exact_win_rates(names: tuple[str, str]) -> None:
    rules, deals = Rules(2, 3), 20_000
    keys = (stream(1, "ladder").random(deals) * HALF).astype(np.int64)
    found, _ = margins(*names, keys, rules)
    exact = result(choices_of(names[0], rules), choices_of(names[1], rules), rules)
    rates = (np.sign(found).mean(axis=0) + 1) / 2
    assert rates == pytest.approx([exact.starting, exact.following], abs=4 * 0.5 / deals**0.5)


def test_perfect_players_get_the_value_of_the_board() -> None:
    rules = Rules(2, 2)
    found, _ = margins("optimal", "optimal", np.arange(10), rules)
    assert found.tolist() == [[int(table(rules)[0]), -int(table(rules)[0])]] * 10


def test_perfect_players_need_a_small_board() -> None:
    with pytest.raises(UsageError, match=r"at most 24 edges, such as 3x3; 4x4 has 40"):
        margins("chain", "optimal", np.arange(1), Rules(4, 4))

"""Coins: texts, values equal to plain recursion and to boards with the same graph, and what is said of bad texts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_marks import compiled_only

from gpkit.games.dots_and_boxes.board import coins_of_text, coins_text, state_of_text, string_name
from gpkit.games.dots_and_boxes.classes import mask_of, readable_value, table
from gpkit.games.dots_and_boxes.rules import (
    MOST_STRINGS,
    Coins,
    DotsAndBoxesRules,
    DotsAndBoxesState,
    boxes_of_edges,
    edges_of_box,
)
from gpkit.games.dots_and_boxes.solving import (
    LEAST_PLACES,
    SearchMemory,
    best_line,
    control_of,
    searched_value,
)


@st.composite
def graphs(draw: st.DrawFn, most: int = 8) -> Coins:
    """Coins with a few strings, parallel ones, too."""
    count = draw(st.integers(1, 6))
    ends = st.lists(st.integers(0, count - 1), min_size=1, max_size=2, unique=True)
    left = [MOST_STRINGS] * count
    strings: list[tuple[int, ...]] = []
    for tied in draw(st.lists(ends, min_size=1, max_size=most)):
        if all(left[coin] for coin in tied):
            strings.append(tuple(sorted(tied)))
            for coin in tied:
                left[coin] -= 1
    used = sorted({coin for tied in strings for coin in tied})
    return Coins(
        tuple(f"c{coin}" for coin in used),
        tuple(tuple(used.index(coin) for coin in tied) for tied in strings),
    )


def ends_of(text: str) -> list[set[str]]:
    """The two names of each string."""
    return [set(word.split("-")) for word in text.split()]


@given(graphs(most=20))
def test_texts_are_read_back(coins: Coins) -> None:
    names = [string_name(string, coins) for string in range(coins.edges)]
    assert len(set(names)) == len(names)
    text = " ".join(name.split("/")[0] for name in names)
    again = coins_of_text(text)
    written = " ".join(string_name(string, again).split("/")[0] for string in range(again.edges))
    assert ends_of(written) == ends_of(text)


@given(graphs())
def test_strings_and_coins_say_the_same(coins: Coins) -> None:
    for coin in range(coins.boxes):
        assert edges_of_box(coin, coins) == tuple(
            string for string, tied in enumerate(boxes_of_edges(coins)) if coin in tied
        )


@compiled_only
@settings(max_examples=40, deadline=None)
@given(graphs())
def test_searched_values_are_those_of_plain_recursion(coins: Coins) -> None:
    state = DotsAndBoxesState.begin(coins)
    memory = SearchMemory.of(coins, LEAST_PLACES)
    value = readable_value(state)
    assert searched_value(state, memory) == value
    for edge in best_line(state, memory):
        state = state.apply(edge)
    assert state.is_terminal
    assert state.lead(0) == value


@compiled_only
@pytest.mark.parametrize(
    ("text", "rules"), [("a-b b-d d-c c-a" + " {0}-ground" * 8, DotsAndBoxesRules(2, 2))]
)
def test_a_board_as_coins_is_worth_as_much(text: str, rules: DotsAndBoxesRules) -> None:
    for name in "aabbccdd":
        text = text.replace("{0}", name, 1)
    state = DotsAndBoxesState.begin(coins_of_text(text))
    assert (
        searched_value(state, SearchMemory.fit_for(state))
        == table(rules)[mask_of(DotsAndBoxesState.begin(rules).drawn)]
    )


@compiled_only
def test_lengths_are_chains_and_loops() -> None:
    state = DotsAndBoxesState.begin(coins_of_text("loops 3, 4  # on no board\nchain 2"))
    assert state.rules.boxes == 9
    assert state.rules.edges == 10
    memory = SearchMemory.fit_for(state)
    assert len(memory.known.keys) == LEAST_PLACES, "chains need no memory"
    assert searched_value(state, memory) == -(2 - (3 - 4)) == -3
    assert control_of(state, best_line(state, memory)) is not None


def test_loops_of_three_are_not_long() -> None:
    state = DotsAndBoxesState.begin(coins_of_text("loop 3"))
    assert control_of(state, best_line(state, SearchMemory.fit_for(state))) is None


def test_a_position_is_told_by_its_parts() -> None:
    coins = coins_of_text("a-b-ground a-ground a-c-a chain 1")
    assert coins_text(DotsAndBoxesState.begin(coins), coins).splitlines() == [
        "coin with 4 strings: a",
        "chain of 1: b",
        "chain of 1: c",
        "chain of 1: 1.1",
    ]


def test_a_position_on_a_board_has_its_board() -> None:
    assert state_of_text("+---+\n|   |\n+   +").board == DotsAndBoxesRules(1, 1)
    with pytest.raises(AssertionError, match="not a board"):
        _ = DotsAndBoxesState.begin(coins_of_text("a-b")).board

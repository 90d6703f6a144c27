"""Search on larger boards: the values of the table where there is one, and known values of whole boards.

Best lines end with the value of the position, and control is with whom a long chain is given to first.
Published problems of Dots and Boxes, solved: ``tests/data/problems-dots-and-boxes.json`` says whose they are.
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_marks import compiled_only

from gpkit.core.compiled import inlined, kernel
from gpkit.gamekit.state import NOBODY
from gpkit.games.dots_and_boxes.board import coins_of_text, edge_name, edge_of_name, state_of_text
from gpkit.games.dots_and_boxes.classes import board_of, mask_of, readable_value, state_of, table
from gpkit.games.dots_and_boxes.kernel.boxes import (
    CHAINS,
    KINDS,
    LOOPS,
    degree,
    is_only_chains,
    list_lengths,
    solve,
    value_of_lengths,
)
from gpkit.games.dots_and_boxes.kernel.opponents import HIGH, LOW, UNKNOWN, place_of, store
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules, DotsAndBoxesState, edges_of_box
from gpkit.games.dots_and_boxes.solving import (
    Control,
    SearchMemory,
    best_line,
    control_of,
    searched_value,
    searched_value_of,
    twins,
)

BOARDS = [
    DotsAndBoxesRules(2, 2),
    DotsAndBoxesRules(1, 1),
    DotsAndBoxesRules(2, 3),
    DotsAndBoxesRules(3, 3),
    DotsAndBoxesRules(4, 2),
    DotsAndBoxesRules(7, 1),
    DotsAndBoxesRules(1, 7),
]
MEMORIES = {rules: SearchMemory.of(rules, 1 << 16) for rules in BOARDS}


@st.composite
def positions(draw: st.DrawFn, rules: DotsAndBoxesRules, least: int = 0) -> DotsAndBoxesState:
    drawn = draw(st.sets(st.integers(0, rules.edges - 1), min_size=least))
    return DotsAndBoxesState(rules, frozenset(drawn), (NOBODY,) * rules.boxes)


@pytest.mark.parametrize(
    "rules",
    [
        BOARDS[0],
        *(pytest.param(rules, marks=compiled_only) for rules in BOARDS[1:-1]),
        pytest.param(BOARDS[-1], marks=[compiled_only, pytest.mark.release]),
    ],
)
def test_searched_values_are_those_of_the_table(rules: DotsAndBoxesRules) -> None:
    values = table(rules)
    rng = np.random.Generator(np.random.Philox(rules.width))
    for share in rng.random(500):
        drawn = frozenset(np.flatnonzero(rng.random(rules.edges) < share).tolist())
        state = DotsAndBoxesState(rules, drawn, (NOBODY,) * rules.boxes)
        assert searched_value(state, MEMORIES[rules]) == values[mask_of(state.drawn)]


@compiled_only
@given(
    st.one_of(
        positions(rules, least=rules.edges - 9)
        for rules in (DotsAndBoxesRules(5, 5), DotsAndBoxesRules(2, 12))
    )
)
def test_searched_values_are_those_of_plain_recursion(state: DotsAndBoxesState) -> None:
    """On large boards; one of 2x12 boxes has 62 edges, as many as there can be."""
    assert searched_value(state, SearchMemory.of(state.rules, 1 << 10)) == readable_value(state)


@inlined
def capturable(drawn, board):  # type: ignore[no-untyped-def]
    """How many boxes have one undrawn side."""
    count = 0
    for box in range(board.sides.shape[0]):
        count += degree(drawn, box, board) == 1
    return count


@kernel
def endgames(board, known, lengths, values, counts):  # type: ignore[no-untyped-def]
    """The first position of chains and loops alone whose value is not that of its lengths, or -1.

    Args:
        known: int8 (2^edges,), the values of all positions.
        counts: int64 (2,), written: how many such positions there are, and how many of them have a loop.
    """
    for drawn in range(known.shape[0]):
        if capturable(drawn, board) or not is_only_chains(drawn, board):
            continue
        chains, loops = list_lengths(drawn, board, lengths)
        counts[0] += 1
        counts[1] += loops > 0
        if value_of_lengths(lengths, chains, loops, values) != known[drawn]:
            return drawn
    return -1


@compiled_only
@pytest.mark.parametrize("rules", BOARDS, ids=str)
def test_positions_of_chains_and_loops_are_worth_what_their_lengths_say(rules: DotsAndBoxesRules) -> None:
    counts = np.zeros(2, dtype=np.int64)
    lengths = np.zeros((KINDS, rules.boxes), dtype=np.int64)
    values = np.zeros(rules.boxes + 1, dtype=np.int64)
    assert endgames(board_of(rules), table(rules), lengths, values, counts) == -1
    assert counts[0] > 0
    assert (counts[1] > 0) == (min(rules.width, rules.height) > 1)


@kernel
def worth(chains, loops, lengths, values):  # type: ignore[no-untyped-def]
    return value_of_lengths(lengths, chains, loops, values)


def shares(boxes: int, least: int, step: int) -> Iterator[tuple[int, ...]]:
    """Ascending numbers from a least one on, in steps, which are so many boxes together or fewer."""
    yield ()
    for first in range(least, boxes + 1, step):
        for others in shares(boxes - first, first, step):
            yield (first, *others)


@cache
def worth_by_trying(chains: tuple[int, ...], loops: tuple[int, ...]) -> int:
    """What chains and loops are worth to the player to draw, who may give any of them."""
    values = []
    for kind, cost, short in ((chains, 4, 2), (loops, 8, 3)):
        for place, length in enumerate(kind):
            others = kind[:place] + kind[place + 1 :]
            rest = worth_by_trying(others, loops) if kind is chains else worth_by_trying(chains, others)
            values.append(-max(length + rest, length - cost - rest if length > short else length + rest))
    return max(values, default=0)


@compiled_only
def test_of_chains_and_of_loops_the_shortest_is_best_given() -> None:
    lengths, values = np.zeros((KINDS, 20), dtype=np.int64), np.zeros(21, dtype=np.int64)
    tried = 0
    for boxes, shortest, step in ((20, 4, 2), (15, 2, 1)):
        for chains in shares(boxes, 1, 1):
            for loops in shares(boxes - sum(chains), shortest, step):
                lengths[CHAINS, : len(chains)], lengths[LOOPS, : len(loops)] = chains, loops
                assert worth(len(chains), len(loops), lengths, values) == worth_by_trying(chains, loops)
                tried += 1
    assert tried > 7000


@compiled_only
def test_a_small_memory_changes_no_value() -> None:
    rules = DotsAndBoxesRules(2, 3)
    assert searched_value(DotsAndBoxesState.begin(rules), SearchMemory.of(rules, 1 << 4)) == -2


@kernel
def keep(drawn, goal, reached, known):  # type: ignore[no-untyped-def]
    """Keep whether a position of value −9 to 9 reaches a goal; gives its place."""
    store(drawn, goal, reached, -9, 9, known)
    return place_of(drawn, known)


def test_of_two_places_the_first_is_for_fewer_drawn_edges() -> None:
    full, known = (1 << 60) - 1, SearchMemory.of(DotsAndBoxesRules(5, 5), 2).known
    assert known.keys.tolist() == [UNKNOWN, UNKNOWN]
    assert keep(full, 1, True, known) == 0, "an empty place is anybody's"
    assert keep(0b111, 3, True, known) == 0
    assert known.keys.tolist() == [0b111, UNKNOWN]
    assert keep(full, 5, False, known) == 1
    assert keep(0b11111, 7, False, known) == 1
    assert known.keys.tolist() == [0b111, 0b11111]
    assert known.bounds[:, [LOW, HIGH]].tolist() == [[3, 9], [-9, 5]]


def test_edges_to_the_ground_are_alike_box_by_box() -> None:
    assert twins(DotsAndBoxesRules(2, 2)).tolist() == [[0, 6], [1, 8], [4, 9], [5, 11]]
    rules = DotsAndBoxesRules(1, 1)
    sides = list(edges_of_box(0, rules))
    for low, high in twins(rules).tolist():
        assert low < high
        assert {low, high} <= set(sides)
    assert len(twins(rules)) == 6


@pytest.mark.release
@compiled_only
def test_value_of_ten_boxes() -> None:
    rules = DotsAndBoxesRules(2, 5)
    memory = SearchMemory.fit_for(DotsAndBoxesState.begin(rules))
    assert searched_value(DotsAndBoxesState.begin(rules), memory) == -2
    assert memory.searched < 400_000


@pytest.mark.slow
def test_all_positions_of_ten_boxes() -> None:
    rules = DotsAndBoxesRules(2, 5)
    values = np.empty(1 << rules.edges, dtype=np.int8)
    solve(board_of(rules), values)
    assert values[0] == -2
    memory = SearchMemory.fit_for(DotsAndBoxesState.begin(rules))
    for mask in np.random.Generator(np.random.Philox(3)).integers(0, len(values), 2000).tolist():
        assert searched_value(state_of(mask, rules), memory) == values[mask]


@compiled_only
@pytest.mark.parametrize(
    ("rules", "value"),
    [
        pytest.param(DotsAndBoxesRules(3, 4), 0, marks=pytest.mark.release),
        pytest.param(DotsAndBoxesRules(3, 5), -1, marks=pytest.mark.slow),
        pytest.param(DotsAndBoxesRules(4, 4), 0, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_value_of_larger_boards(rules: DotsAndBoxesRules, value: int) -> None:
    state = DotsAndBoxesState.begin(rules)
    assert searched_value(state, SearchMemory.fit_for(state)) == value


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
@given(st.builds(DotsAndBoxesRules, st.integers(1, 3), st.integers(1, 2)), st.data())
def test_lines_bring_the_value(rules: DotsAndBoxesRules, data: st.DataObject) -> None:
    drawn = frozenset(data.draw(st.sets(st.integers(0, rules.edges - 1))))
    state = DotsAndBoxesState(rules, drawn, DotsAndBoxesState.begin(rules).owners)
    memory = SearchMemory.fit_for(state)
    end = state
    for edge in best_line(state, memory):
        end = end.apply(edge)
    assert len(end.drawn) == rules.edges
    assert end.lead(0) - state.lead(0) == searched_value(state, memory)


def test_control_is_with_whom_the_first_long_one_is_given_to() -> None:
    state = state_of_text(CHAIN_AND_LOOP)
    line = [edge_of_name(name, state.rules) for name in ("A2 top", "A1 top", "A2 bottom", "B2 top")]
    assert control_of(state, line[:3]) is None
    assert control_of(state, line) == Control(0, 3, (), (4,))


def test_all_that_is_long_is_counted() -> None:
    state = state_of_text(TWO_CHAINS)
    assert control_of(state, [edge_of_name("B2 left", state.rules)]) == Control(0, 0, (3, 3), ())


PROBLEMS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "data" / "problems-dots-and-boxes.json").read_text(encoding="utf-8")
)["problems"]


def test_there_are_twenty_and_each_has_a_source() -> None:
    assert len({problem["name"] for problem in PROBLEMS}) == 20
    assert all("Medworth" in problem["source"] for problem in PROBLEMS)


@compiled_only
@pytest.mark.parametrize("problem", PROBLEMS, ids=[problem["name"] for problem in PROBLEMS])
def test_the_published_answer_is_found(problem: dict[str, Any]) -> None:
    if "coins" in problem:
        state = DotsAndBoxesState.begin(coins_of_text(problem["coins"]))
    else:
        state = state_of_text("\n".join(problem["board"]))
    memory = SearchMemory.fit_for(state)
    assert searched_value(state, memory) == problem["value"]
    if published := problem.get("best"):
        edges = state.legal_actions()
        best = [edge for edge in edges if searched_value_of(state, edge, memory) == problem["value"]]
        assert {edge_name(edge, state.board) for edge in best} <= set(published)

"""The readable rules, their options, and boards as text and as pictures."""

import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpkit.core.errors import UsageError
from gpkit.gamekit.state import NOBODY
from gpkit.gamekit.view import Overlay
from gpkit.games.dots_and_boxes.board import board_text, box_name, edge_name, edge_of_name, state_of_text
from gpkit.games.dots_and_boxes.forms.view import VIEW, board_svg
from gpkit.games.dots_and_boxes.rules import (
    SIDES,
    DotsAndBoxesRules,
    DotsAndBoxesState,
    boxes_of_edges,
    edges_of_box,
    symmetries,
)

BOARDS = [
    DotsAndBoxesRules(1, 1),
    DotsAndBoxesRules(2, 1),
    DotsAndBoxesRules(3, 3),
    DotsAndBoxesRules(4, 2),
    DotsAndBoxesRules(5, 5),
]
RULES = st.builds(DotsAndBoxesRules, st.integers(1, 4), st.integers(1, 4))


@st.composite
def states(draw: st.DrawFn) -> DotsAndBoxesState:
    """A position of a random game, any number of edges into it."""
    state = DotsAndBoxesState.begin(draw(RULES))
    for edge in draw(st.permutations(range(state.rules.edges)))[: draw(st.integers(0, 40))]:
        state = state.apply(edge)
    return state


@pytest.mark.parametrize("rules", BOARDS)
def test_edges_are_numbered_as_in_openspiel(rules: DotsAndBoxesRules) -> None:
    assert edges_of_box(0, rules)[0] == 0
    assert edges_of_box(0, rules)[2] == rules.width * (rules.height + 1)
    assert edges_of_box(rules.boxes - 1, rules)[3] == rules.edges - 1
    touching = boxes_of_edges(rules)
    assert sum(map(len, touching)) == 4 * rules.boxes
    inner = (rules.width - 1) * rules.height + rules.width * (rules.height - 1)
    assert sum(len(boxes) == 2 for boxes in touching) == inner


@pytest.mark.parametrize("rules", BOARDS)
def test_symmetries_take_boxes_to_boxes(rules: DotsAndBoxesRules) -> None:
    boxes = {frozenset(edges_of_box(box, rules)) for box in range(rules.boxes)}
    found = symmetries(rules)
    assert len(found) == (8 if rules.width == rules.height else 4)
    assert found[0] == tuple(range(rules.edges))
    for moved in found:
        assert sorted(moved) == list(range(rules.edges))
        assert {frozenset(moved[edge] for edge in box) for box in boxes} == boxes


def test_a_closed_box_is_owned_and_its_player_draws_again() -> None:
    state = DotsAndBoxesState.begin(DotsAndBoxesRules(2, 1))
    for name in ("A1 top", "A1 bottom", "B1 top", "B1 bottom", "A1 left"):
        state = state.apply(edge_of_name(name, state.rules))
    assert state.current_player == 1
    state = state.apply(edge_of_name("B1 left", state.rules))
    assert (state.owners, state.current_player) == ((1, NOBODY), 1)
    end = state.apply(edge_of_name("B1 right", state.rules))
    assert end.is_terminal
    assert (end.owners, end.current_player, end.winner, end.lead(0)) == ((1, 1), NOBODY, 1, -2)
    assert end.returns() == (0.0, 1.0)


def test_one_edge_closes_two_boxes() -> None:
    rules = DotsAndBoxesRules(2, 1)
    state = DotsAndBoxesState(rules, frozenset(range(rules.edges)) - {5}, (NOBODY, NOBODY), 1)
    assert state.closed_by(5) == (0, 1)
    assert state.apply(5).lead(1) == 2


def test_equal_boxes_are_a_tie() -> None:
    rules = DotsAndBoxesRules(2, 1)
    assert DotsAndBoxesState(rules, frozenset(range(7)), (0, 1), NOBODY).winner is None
    assert DotsAndBoxesState(rules, frozenset(range(7)), (0, 1), NOBODY).returns() == (0.5, 0.5)


@given(states())
def test_open_boxes_are_those_of_nobody(state: DotsAndBoxesState) -> None:
    closed = [box for box in range(state.rules.boxes) if state.undrawn_sides(box) == 0]
    assert closed == [box for box, owner in enumerate(state.owners) if owner != NOBODY]
    assert len(state.legal_actions()) + len(state.drawn) == state.rules.edges
    assert state.is_terminal == (len(closed) == state.rules.boxes)


@given(states())
def test_text_gives_the_position_back(state: DotsAndBoxesState) -> None:
    assert state_of_text(board_text(state)) == state
    assert state_of_text(VIEW.board_text(state, 0, ["ann", "you"])) == state


def test_a_person_sees_the_names_of_columns_and_rows() -> None:
    board = "    A   B   C\n  +---+   +   +\n1 | A | t   q\n  +---+   +   +\n2   t   q   q\n  +   +   +   +\n"
    text = f"{board}A 1, B 0; A is to draw\n"
    assert VIEW.board_text(state_of_text(text)) == text


def test_text_shows_degrees_owners_and_score() -> None:
    text = "+---+   +   +\n| A | t   q\n+---+   +   +\n  t   q   q\n+   +   +   +\nA 1, B 0; A is to draw\n"
    state = state_of_text(text)
    assert board_text(state) == text
    assert state.rules == DotsAndBoxesRules(3, 2)
    assert (state.lead(0), state.lead(1)) == (1, -1)
    assert board_text(state, names=["ann", "bob"]).endswith("A ann 1, B bob 0; ann is to draw\n")
    assert board_text(state, names=["you", "bob"]).endswith("A you 1, B bob 0; your turn\n")


def test_text_without_symbols_and_last_line() -> None:
    state = state_of_text("+---+\n|\n+   +\n")
    assert (len(state.drawn), state.current_player) == (2, 0)
    assert state_of_text("\n\n+---+\n|\n+   +\n\n") == state
    ended = state_of_text("+---+\n| A |\n+---+\n")
    assert "A has won" in board_text(ended)
    assert "; you have won" in board_text(ended, names=["you", "bob"])


@pytest.mark.parametrize("rules", BOARDS)
def test_every_edge_has_a_name(rules: DotsAndBoxesRules) -> None:
    for edge in range(rules.edges):
        assert edge_of_name(edge_name(edge, rules), rules) == edge
        for box in boxes_of_edges(rules)[edge]:
            side = SIDES[edges_of_box(box, rules).index(edge)]
            assert edge_of_name(f" {box_name(box, rules).lower()}{side[0].upper()} ", rules) == edge


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("D1 top", "expected a box and one of its sides, from A1 top to C3 right"),
        ("top", "is not a side"),
        ("A1 topp", "did you mean `top`"),
        ("A1", "has the sides top, bottom, left, right"),
    ],
)
def test_names_of_no_edge(name: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        edge_of_name(name, DotsAndBoxesRules())


@given(RULES)
def test_options_round_trip(rules: DotsAndBoxesRules) -> None:
    assert DotsAndBoxesRules.from_options(rules.to_options()) == rules


@given(states())
def test_pictures_are_documents_of_all_edges(state: DotsAndBoxesState) -> None:
    undrawn = state.legal_actions()
    overlay = Overlay(last=min(state.drawn, default=-1), best=undrawn[:1])
    svg = board_svg(state, names=["<a>", "b & c"], overlay=overlay)
    root = ElementTree.fromstring(svg)  # noqa: S314
    assert root.findtext("{http://www.w3.org/2000/svg}title") == "<a> {}, b & c {}".format(
        *map(state.boxes_of, (0, 1))
    )
    assert svg.count('class="line"') == len(state.drawn)
    assert svg.count('class="free') == len(undrawn)
    assert svg.count('stroke="#e8b023"') == bool(state.drawn)
    assert svg.count('stroke-dasharray="10 9"') == bool(undrawn)
    assert svg.count('rx="4"') == sum(owner != NOBODY for owner in state.owners)

"""What the states of every game owe the rest (``gpkit.gamekit.state.State``): tested over the registry, unasked."""

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.core.errors import UsageError
from gpkit.core.registry import GAMES, find
from gpkit.core.rng import below, stream
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.gamekit.sensors import encoding_of
from gpkit.gamekit.state import NOBODY, ObservableState
from gpkit.user_games.contract.examine import examine
from gpkit.user_games.contract.game_under_test import subject_of

NAMES = [entry.name for entry in GAMES]

SMALL = {
    "battleship": {"board": "4x3", "fleet": "2,1"},
    "dots_and_boxes": {"board": "2x2"},
    "mastermind": {"length": "2", "colours": "4"},
    "build_order": {"horizon": "12"},
}
"""Options that make games short; a game that is not named is tried by its usual rules and by others."""

TRIED = 5
"""Actions of one state that are tried."""


def game_of(name: str) -> Game:
    game: Game = find(GAMES, name, "game").load()
    return game


@st.composite
def rules_of(draw: st.DrawFn, name: str) -> Any:
    """Rules of a game: some of its options set to any of their words or numbers."""
    game = game_of(name)
    options = {
        option.name: option for option in game.all_options if not option.form and option.name != "variant"
    }
    texts = {**SMALL.get(name, {})}
    for each in draw(st.sets(st.sampled_from(sorted(options)), max_size=4)) if options else ():
        numbers = st.integers(options[each].low, min(options[each].high, options[each].low + 8)).map(str)
        texts.setdefault(
            each, draw(st.sampled_from(options[each].choices) if options[each].choices else numbers)
        )
    try:
        return game.make_rules(texts)
    except UsageError:  # these do not go together
        return game.make_rules(SMALL.get(name, {}))


def playthrough(name: str, rules: Any, seed: int) -> Iterator[tuple[ObservableState, int]]:
    """A game in which everybody plays at random: every state with the action that follows; at the end ``NOBODY``."""
    game, rng = game_of(name), stream(seed, "playthrough")
    deals = game.deal(rng, 1, rules)
    state: ObservableState = game.begin([Player("")] * game.players(rules), deals, rules)
    while not state.is_terminal:
        legal = state.legal_actions()
        action = legal[below(rng, len(legal))]
        yield state, action
        state = state.apply(action)
    yield state, NOBODY


def some(items: Any, seed: int) -> list[Any]:
    """A few of many, the first and the last one among them."""
    rng = stream(seed, "some")
    return [items[0], items[-1], *(items[below(rng, len(items))] for _ in range(TRIED - 2))] if items else []


games = pytest.mark.parametrize("name", NAMES)
most = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.release] * (name == "sevens")) for name in NAMES]
)
"""The games of few actions, and the game of cards, which the release tests try, too."""

small = settings(max_examples=8, deadline=None)


@games
@settings(max_examples=2, deadline=None)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_games_keep_the_contract(name: str, data: st.DataObject, seed: int) -> None:
    found = examine(subject_of(game_of(name), data.draw(rules_of(name))), seed, 1, lambda: False)
    assert found.findings == ()
    assert found.games == 1


@games
@small
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_what_is_not_legal_is_refused_with_a_sentence(name: str, data: st.DataObject, seed: int) -> None:
    for state, _ in playthrough(name, data.draw(rules_of(name)), seed):
        with pytest.raises(ValueError, match="not a legal action"):
            state.apply(-1)
    assert state.current_player == NOBODY, "at the end nobody is to choose"


# What people see and type.


@most
@small
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_texts_of_actions_are_read_back(name: str, data: st.DataObject, seed: int) -> None:
    view = game_of(name).view
    for state, _ in playthrough(name, data.draw(rules_of(name)), seed):
        for action in some(state.legal_actions(), seed):
            text = view.action_text(state, action)
            assert [view.parse_action(state, each) for each in (text, text.lower(), f"{text} ")] == [
                action
            ] * 3


@most
@small
@given(data=st.data(), seed=st.integers(0, 2**32), typed=st.text(max_size=30))
def test_what_is_no_action_is_explained(name: str, data: st.DataObject, seed: int, typed: str) -> None:
    view = game_of(name).view
    texts: set[str] = set()
    for state, _ in playthrough(name, data.draw(rules_of(name)), seed):
        if not state.is_terminal:
            texts |= {
                typed,
                *(view.action_text(state, action) for action in some(state.legal_actions(), seed)),
            }
            for text in sorted(texts):
                try:
                    action = view.parse_action(state, text)
                except UsageError as error:
                    assert str(error)
                else:
                    assert action in state.legal_actions()


@most
@small
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_boards_are_lines_and_pictures(name: str, data: st.DataObject, seed: int) -> None:
    game, view, rules = game_of(name), game_of(name).view, data.draw(rules_of(name))
    names = [f"<player {k}>" for k in range(game.players(rules))]
    states = [state for state, _ in playthrough(name, rules, seed)]
    for state in some(states, seed):
        for player in (None, *range(len(states[-1].returns()))):
            text, picture = view.board_text(state, player, names), view.board_svg(state, player, names)
            assert text.endswith("\n")
            assert not text.endswith("\n\n")
            assert ElementTree.fromstring(picture).tag.endswith("svg")  # noqa: S314


@games
def test_sensors_are_those_that_the_game_offers(name: str) -> None:
    sensors = (sensor.name for each in game_of(name).offers.values() for sensor in each.sensors)
    offered = list(dict.fromkeys(sensors))  # languages can be offered the same ones
    state, action = next(playthrough(name, game_of(name).make_rules({}), 1))
    assert list(game_of(name).view.sensors(state, action)) == offered


# Nobody sees what is hidden.


def dealt_anew(state: Any, player: int, seed: int) -> list[Any]:
    """Further states that a player cannot tell from this one; none where all is open."""
    return (
        [state.resample(stream(seed, "anew", k), player) for k in range(2)]
        if hasattr(state, "resample")
        else []
    )


@games
@small
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_what_is_hidden_does_not_show(name: str, data: st.DataObject, seed: int) -> None:
    view, rules = game_of(name).view, data.draw(rules_of(name))
    states = [state for state, _ in playthrough(name, rules, seed)]
    players = range(len(states[-1].returns()))
    for state in some(states, seed):
        if name == "dots_and_boxes":  # all is open
            assert len({state.observation(player) for player in players}) == 1
        before_end = not state.is_terminal  # then all is shown
        for player in players:
            table = encoding_of(name).encode(state, player)
            for other in dealt_anew(state, player, seed):
                assert other.observation(player) == state.observation(player)
                assert (encoding_of(name).encode(other, player) == table).all()
                assert not before_end or view.board_text(other, player) == view.board_text(state, player)
                assert not before_end or view.board_svg(other, player) == view.board_svg(state, player)


@games
@small
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_tables_have_a_row_for_each_action_and_hold_to_their_bounds(
    name: str, data: st.DataObject, seed: int
) -> None:
    encoding, rules = encoding_of(name), data.draw(rules_of(name))
    columns, actions = encoding.columns(), encoding.actions(rules)
    states = [state for state, _ in playthrough(name, rules, seed)]
    for state in some(states, seed):
        assert max(state.legal_actions(), default=0) < actions
        for player in range(len(states[-1].returns())):
            table = encoding.encode(state, player)
            assert table.shape == (actions, len(columns))
            assert (table >= [min(column.low, 0.0) for column in columns]).all()
            assert (table <= [max(column.high, 0.0) for column in columns]).all()


@pytest.mark.parametrize("name", ["sevens", "battleship", "mastermind"])
def test_states_that_are_compared_differ(name: str) -> None:
    state, _ = next(playthrough(name, game_of(name).make_rules(SMALL.get(name, {})), 3))
    assert any(other != state for other in dealt_anew(state, 0, 1))


@games
def test_numbers_of_numpy_are_actions_too(name: str) -> None:
    state, action = next(playthrough(name, game_of(name).make_rules({}), 1))
    assert state.apply(np.int64(action)) == state.apply(action)  # type: ignore[arg-type]

"""What the states of every game owe the rest (``gpkit.games.state.State``): tested over the registry, unasked."""

import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from every_fleet import legal_fleets
from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.core.errors import UsageError
from gpkit.core.registry import GAMES, find
from gpkit.core.rng import below, stream
from gpkit.games.battleship import rules as battleship
from gpkit.games.battleship.rules import announced
from gpkit.games.encoding import encoding_of
from gpkit.games.game import Game
from gpkit.games.mastermind import rules as mastermind
from gpkit.games.mastermind.codes import code_of_number
from gpkit.games.mastermind.exact import codes_left
from gpkit.games.mastermind.kernel.programs import NOTHING_TO_CHOOSE
from gpkit.games.players import PlacementPlayer
from gpkit.games.sevens import rules as sevens
from gpkit.games.state import CHANCE, NOBODY, ObservableState
from gpkit.games.view import view_of

NAMES = [entry.name for entry in GAMES]

SMALL = {
    "battleship": {"board": "4x3", "fleet": "2,1"},
    "dots_and_boxes": {"board": "2x2"},
    "mastermind": {"length": "2", "colours": "4"},
}
"""Options that make games short; a game that is not named is tried by its usual rules and by others."""

IS_ASKED: dict[str, Callable[[Any], bool]] = {
    "mastermind": lambda state: len(codes_left(state.turns, state.rules)) > NOTHING_TO_CHOOSE
}
"""Where programs are asked, so that sensors are within their bounds; everywhere in games that are not named."""

TRIED = 5
"""Actions of one state that are tried."""


def game_of(name: str) -> Game:
    game: Game = find(GAMES, name, "game").load()
    return game


@st.composite
def rules_of(draw: st.DrawFn, name: str) -> Any:
    """Rules of a game: some of its options set to any of their words or numbers."""
    game = game_of(name)
    options = {option.name: option for option in game.options if not option.form and option.name != "variant"}
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
    state: ObservableState = game.begin([PlacementPlayer("")] * game.players(rules), deals, rules)
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
small = settings(max_examples=15, deadline=None)


@games
@small
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_legal_actions_apply_and_all_others_are_refused(name: str, data: st.DataObject, seed: int) -> None:
    for state, _ in playthrough(name, data.draw(rules_of(name)), seed):
        legal = state.legal_actions()
        assert bool(len(legal)) != state.is_terminal
        assert all(type(action) is int for action in some(legal, seed))
        if not isinstance(legal, range):
            assert list(legal) == sorted(set(legal))
        same, before = hash(state), state.observation(0)
        for action in some(legal, seed):
            assert hash(state.apply(action)) == hash(state.apply(action))
            assert state.apply(action) == state.apply(action) != state
        gap = next((k for k in range(legal[-1]) if k not in legal), -1) if len(legal) else 0
        for action in (-1, gap, legal[-1] + 1 if len(legal) else 1):
            with pytest.raises(ValueError, match="not a legal action"):
                state.apply(action)
        assert (hash(state), state.observation(0)) == (same, before), "nothing has changed it"


@games
@small
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_somebody_is_to_choose_until_there_are_returns(name: str, data: st.DataObject, seed: int) -> None:
    game, rules = game_of(name), data.draw(rules_of(name))
    asked = game.offers["arithmetic"].sections if "arithmetic" in game.offers else ()
    *before, (end, _) = playthrough(name, rules, seed)
    returns, metric = end.returns(), game.metric(rules)
    assert end.current_player == NOBODY
    for state, action in before:
        assert 0 <= state.current_player < len(returns) or state.current_player == CHANCE
        assert state.decision in asked or not asked
        if state.current_player == CHANCE:
            outcomes = dict(state.chance_outcomes())  # type: ignore[attr-defined]
            assert action in outcomes
            assert list(outcomes) == list(state.legal_actions())
            assert sum(outcomes.values()) == pytest.approx(1.0)
    assert all(type(value) is float and metric.low <= value <= metric.high for value in returns)
    if metric.total is not None:
        assert sum(returns) == pytest.approx(metric.total)


@games
@small
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_equal_seeds_play_equal_games(name: str, data: st.DataObject, seed: int) -> None:
    rules = data.draw(rules_of(name))
    first, second = (list(playthrough(name, rules, seed)) for _ in range(2))
    assert first == second
    assert [hash(state) for state, _ in first] == [hash(state) for state, _ in second]


# What people see and type.


@games
@small
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_texts_of_actions_are_read_back(name: str, data: st.DataObject, seed: int) -> None:
    view = view_of(name)
    for state, _ in playthrough(name, data.draw(rules_of(name)), seed):
        for action in some(state.legal_actions(), seed):
            text = view.action_text(state, action)
            assert [view.parse_action(state, each) for each in (text, text.lower(), f"{text} ")] == [
                action
            ] * 3


@games
@small
@given(data=st.data(), seed=st.integers(0, 2**32), typed=st.text(max_size=30))
def test_what_is_no_action_is_explained(name: str, data: st.DataObject, seed: int, typed: str) -> None:
    view = view_of(name)
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


@games
@small
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_boards_are_lines_and_pictures(name: str, data: st.DataObject, seed: int) -> None:
    game, view, rules = game_of(name), view_of(name), data.draw(rules_of(name))
    names = [f"<player {k}>" for k in range(game.players(rules))]
    states = [state for state, _ in playthrough(name, rules, seed)]
    for state in some(states, seed):
        for player in (None, *range(len(states[-1].returns()))):
            text, picture = view.board_text(state, player, names), view.board_svg(state, player, names)
            assert text.endswith("\n")
            assert not text.endswith("\n\n")
            assert ElementTree.fromstring(picture).tag.endswith("svg")  # noqa: S314


@games
@small
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_sensors_are_those_that_the_game_offers(name: str, data: st.DataObject, seed: int) -> None:
    offered = [sensor for each in game_of(name).offers.values() for sensor in each.sensors]
    for state, action in playthrough(name, data.draw(rules_of(name)), seed):
        if not state.is_terminal:
            values = view_of(name).sensors(state, action)
            assert list(values) == [sensor.name for sensor in offered]
            for sensor in offered if IS_ASKED.get(name, bool)(state) else ():
                assert sensor.low <= values[sensor.name] <= sensor.high
                assert not sensor.integer or values[sensor.name].is_integer()


# Nobody sees what is hidden.


def other_hands(state: sevens.State, player: int, seed: int) -> Iterator[ObservableState]:
    """The cards that a player does not see, dealt anew to the others."""
    others = [seat for seat in range(len(state.hands)) if seat != player]
    unseen = (
        stream(seed, "hands").permutation([card for seat in others for card in state.hands[seat]]).tolist()
    )
    hands = list(state.hands)
    for seat in others:
        hands[seat] = tuple(sorted(unseen.pop() for _ in state.hands[seat]))
    yield replace(state, hands=tuple(hands))


def other_fleets(state: battleship.State, player: int, seed: int) -> Iterator[ObservableState]:
    """Fleets by which every shot of a player would have been answered as it was."""
    mine = state.boards[player]
    fleets = list(legal_fleets(state.rules))
    for place in stream(seed, "fleets").permutation(len(fleets))[:20].tolist():
        board = battleship.Board.of(fleets[place], state.rules)
        for shot in mine.shots:
            board = board.shoot(shot.square) if board.status == "playing" else board
        if [_told(shot, state.rules) for shot in board.shots] == [_told(s, state.rules) for s in mine.shots]:
            boards = [board if seat == player else each for seat, each in enumerate(state.boards)]
            yield replace(state, boards=tuple(boards))


def _told(shot: battleship.Shot, rules: Any) -> tuple[int, bool, int | None]:
    return shot.square, shot.hit, announced(shot, rules)


def other_codes(state: mastermind.State, player: int, seed: int) -> Iterator[ObservableState]:
    """The codes that would have given all answers."""
    for number in codes_left(state.turns, state.rules).tolist():
        yield replace(state, secret=code_of_number(number, state.rules))


Redeal = Callable[[Any, int, int], Iterator[ObservableState]]

HIDDEN: dict[str, Redeal] = {"sevens": other_hands, "battleship": other_fleets, "mastermind": other_codes}
"""For games that hide something, the states that a player cannot tell from this one; in all others all is open."""


@games
@small
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_what_is_hidden_does_not_show(name: str, data: st.DataObject, seed: int) -> None:
    view, rules = view_of(name), data.draw(rules_of(name))
    states = [state for state, _ in playthrough(name, rules, seed)]
    players = range(len(states[-1].returns()))
    for state in some(states, seed):
        if name not in HIDDEN:
            assert len({state.observation(player) for player in players}) == 1
        before_end = not state.is_terminal  # then all is shown
        for player in players:
            seen = state.observation(player)
            assert hash(seen) == hash(state.observation(player))
            table = encoding_of(name).encode(state, player)
            for other in HIDDEN[name](state, player, seed) if name in HIDDEN else ():
                assert other.observation(player) == seen
                assert (encoding_of(name).encode(other, player) == table).all()
                assert not before_end or view.board_text(other, player) == view.board_text(state, player)
                assert not before_end or view.board_svg(other, player) == view.board_svg(state, player)
                assert player != state.current_player or other.legal_actions() == state.legal_actions()


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


@pytest.mark.parametrize("name", HIDDEN)
def test_states_that_are_compared_differ(name: str) -> None:
    state, _ = next(playthrough(name, game_of(name).make_rules(SMALL.get(name, {})), 3))
    assert any(other != state for other in HIDDEN[name](state, 0, 1))


@games
def test_numbers_of_numpy_are_actions_too(name: str) -> None:
    state, action = next(playthrough(name, game_of(name).make_rules({}), 1))
    assert state.apply(np.int64(action)) == state.apply(action)  # type: ignore[arg-type]

"""The whole player in Lua: rules, sensors and choices are those of the game, under every rule option."""

from collections.abc import Callable
from dataclasses import asdict
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sevens_strategies import positions

from gpkit.export.conformance import Proof, make_vectors, record_games
from gpkit.export.lua.hosts import Loaded, LupaHost, outcome, runtime_names
from gpkit.export.lua.module import lua_text
from gpkit.export.subject import Subject
from gpkit.games.sevens.forms.record import RECORDER
from gpkit.games.sevens.rules import OPTIONS, Observation, SevensRules, SevensState
from gpkit.games.sevens.sensors import sense

LUAS = runtime_names()

options = st.fixed_dictionaries(
    {
        option.name: st.sampled_from(option.choices)
        if option.choices
        else st.integers(option.low, 12).map(str)
        for option in OPTIONS
        if option.name != "players"
    }
    | {"players": st.integers(2, 7).map(str)}
)


def player_of(subject: Subject) -> str:
    """The player's text with little to test itself with."""
    return lua_text(subject, "player", Proof(make_vectors(subject, 2), ()))


@pytest.mark.release
@settings(max_examples=60)
@given(rules=options, key=st.integers(1, 10_000))
def test_whole_games_are_pythons_under_every_rule(
    sevens: Callable[..., Subject], rules: dict[str, str], key: int
) -> None:
    subject = sevens(
        "play: env.selfblock - env.block + math.random()\nsend: env.dist + env.receiver * math.random()",
        "any",
        rules,
    )
    (transcript,) = record_games(subject, 1, key)
    text = player_of(subject)
    for lua in LUAS:
        assert Loaded(LupaHost(lua), text, "module", subject.program).play(RECORDER, [transcript]) == [
            outcome(transcript)
        ], lua


@pytest.mark.release
@pytest.mark.parametrize(
    "number", [1, *(pytest.param(number, marks=pytest.mark.release) for number in range(2, 8))]
)
def test_each_option_alone(sevens: Callable[..., Subject], number: int) -> None:
    for option in OPTIONS:
        values = option.choices or [str(n) for n in (option.low, min(option.high, 7), 12) if n <= option.high]
        for value in values:
            rules = {"players": "4"} | {option.name: value}
            subject = sevens("play: env.depth + env.selfblock\nsend: -env.dist", "one", rules)
            (transcript,) = record_games(subject, 1, number)
            loaded = Loaded(LupaHost(LUAS[number % len(LUAS)]), player_of(subject), "module", subject.program)
            assert loaded.play(RECORDER, [transcript]) == [outcome(transcript)], (option.name, value)


def observation_in(lua: Any, seen: Observation) -> Any:
    """An observation as a host fills it in."""
    fields = {
        "rules": lua.table_from(asdict(seen.rules)),
        "player": seen.player,
        "hand": lua.table_from(list(seen.hand)),
        "sizes": lua.table_from(list(seen.sizes)),
        "low": lua.table_from(list(seen.tableau.low)),
        "high": lua.table_from(list(seen.tableau.high)),
        "turn": seen.turn,
        "phase": seen.decision,
        "receiver": seen.receiver,
        "finished": lua.table_from(list(seen.finished)),
        "actions": seen.actions,
    }
    return lua.table_from(fields)


@pytest.fixture(scope="module")
def players(sevens: Callable[..., Subject]) -> list[tuple[Any, Any]]:
    """Every Lua with a player loaded into it."""
    text = player_of(sevens("play: env.depth\nsend: env.dist"))
    luas = [import_module(f"lupa.{name}").LuaRuntime() for name in LUAS]
    return [(lua, lua.execute(text)) for lua in luas]


@settings(max_examples=100)
@given(state=positions(options.map(SevensRules.from_options)))
def test_sensors_and_legality_are_the_games(players: list[tuple[Any, Any]], state: SevensState) -> None:
    seen = state.observation(state.current_player)
    for lua, player in players:
        table = observation_in(lua, seen)
        assert list(player.legal(table).values()) == list(seen.legal)
        for card in seen.legal:
            values = {f"env.{name}": float(value) for name, value in player.sense(table, card).items()}
            assert values == sense(seen, card)


def test_an_illegal_card_is_refused(players: list[tuple[Any, Any]]) -> None:
    for lua, player in players:
        state = player.deal(lua.table_from(list(range(52))))
        with pytest.raises(Exception, match="is not legal"):
            player.apply(state, 0)


def test_a_host_can_seat_other_players(players: list[tuple[Any, Any]]) -> None:
    for lua, player in players:
        first = lua.eval("function(M) return function(seen) return M.legal(seen)[1] end end")(player)
        deck = lua.table_from(list(range(52)))
        alone = player.play_game(deck, None, 1)[0]
        others = player.play_game(deck, None, 1, lua.table_from([player.choose, first, first]))[0]
        assert list(alone.values()) != list(others.values())


def test_a_host_can_change_rules(players: list[tuple[Any, Any]]) -> None:
    for lua, player in players:
        rules = player.make_rules(lua.table_from({"players": 5, "end": "ranks", "gates": True}))
        cards, state = player.play_game(lua.table_from(list(range(52))), rules, 3)
        assert len(list(cards)) >= 48
        assert sorted(player.returns(state).values()) == [0.0, 0.25, 0.5, 0.75, 1.0]
        assert player.RULES.players == 3
        for wrong in ({"player": 5}, {"gates": "yes"}):
            with pytest.raises(Exception, match="Sevens has no rule"):
                player.make_rules(lua.table_from(wrong))

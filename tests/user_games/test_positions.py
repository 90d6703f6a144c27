"""Positions, which compute what follows from a state once: games are those of the plain states."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpkit.core.registry import game_of, name_game
from gpkit.core.rng import stream
from gpkit.evolution.config import all_presets, evolved
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player, machine_programs
from gpkit.gamekit.state import CHANCE, best_place, outcome
from gpkit.playing.players import player_of_name, player_of_program
from gpkit.user_games import positions
from gpkit.user_games.game import play_readable
from gpkit.user_games.kernel.counters import CHOICES, EVENTS, OPENINGS
from gpkit.user_games.positions import Position, PositionTable
from gpkit.user_games.rules import Rules, drawn
from gpkit.vm.keyed import keyed_uniform_readable
from gpkit.vm.machine import run_readable

pytestmark = pytest.mark.usefixtures("nobodys")

FOLDER = Path(__file__).parent
GAMES = FOLDER.parents[1] / "programs" / "games"


def valued(player: Player, game: Game, state: Any, action: int, key: int, actions: int) -> float:
    """The value of an action by the readable machine, with every sensor computed anew."""
    sections = next(iter(game.offers.values())).sections
    program = machine_programs([player])[sections.index(state.decision)]
    memory = program.memory.copy()
    for slot, each in enumerate(game.sensors):
        memory[slot] = each.sense(state, action)
    for place, slot in enumerate(range(len(game.sensors), len(program.inputs))):
        memory[slot] = drawn(key, actions, place, action)
    run_readable(program.code, memory, 0, len(program.code))
    return float(memory[program.result])


def plain_score(
    game: Game, players: Sequence[Player], seat: int, key: int, rules: Rules, state: Any
) -> float:
    """The score of a seat in a game, step by step on the plain states; players are by seat."""
    actions = events = 0
    while not state.is_terminal:
        if state.current_player == CHANCE:
            state = state.apply(outcome(state, keyed_uniform_readable(key, events, EVENTS)))
            events += 1
            continue
        if actions == rules.longest:
            return game.metric(rules).middle
        legal, player = state.legal_actions(), players[state.current_player]
        is_opening = actions < rules.opening(key)
        if is_opening or not player.is_program:
            number = keyed_uniform_readable(key, actions, OPENINGS if is_opening else CHOICES)
            action = legal[int(number * len(legal))]
        else:
            action = legal[best_place([valued(player, game, state, each, key, actions) for each in legal])]
        state, actions = state.apply(action), actions + 1
    return float(state.returns()[seat])


@pytest.mark.parametrize(
    "path",
    [FOLDER / "breakthrough.py", FOLDER / "nimmt.py", GAMES / "leduc_poker.py"],
    ids=lambda each: each.stem,
)
@settings(max_examples=2, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**20), most=st.sampled_from([3, 1 << 15]), longest=st.sampled_from([4, 30]))
def test_games_by_positions_are_those_by_states(
    path: Path, seed: int, most: int, longest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(positions, "MOST", most)
    positions.positions_of.cache_clear()
    game: Game = game_of(name_game(str(path)))
    texts = {"longest": str(longest)} | ({"opening": game.openings()} if game.openings() else {})
    rules = game.make_rules(texts)
    config = all_presets()[game.name]
    alphabet = next(iter(game.offers.values())).chosen(config.alphabet)
    representation = evolved("arithmetic").representation(config, game, alphabet)
    deals, seats = game.deal(stream(seed, "deals"), 2, rules), game.players(rules)
    for number in range(2):
        program = representation.create(stream(seed, "programs", number), number)
        for rival in game.rivals(rules)[:2]:
            players = [
                player_of_program(program, game, "own", {}),
                *[player_of_name(rival, game)] * (seats - 1),
            ]
            found = play_readable(game, players, deals, rules).values
            for place, key in enumerate(deals.keys.tolist()):
                for seat in range(game.seatings(rules)):
                    seated = [players[(each - seat) % seats] for each in range(seats)]
                    first = game.first(seated, deals[place : place + 1], rules)
                    assert found[place, seat] == plain_score(game, seated, seat, key, rules, first)


@given(
    weights=st.lists(st.floats(0.0, 1.0, width=16), min_size=1, max_size=6).filter(sum),
    number=st.floats(0.0, 1.0, exclude_max=True),
)
def test_chance_acts_as_in_states(weights: Sequence[float], number: float) -> None:
    @dataclass(frozen=True)
    class State:
        current_player = CHANCE
        is_terminal = False

        def chance_outcomes(self) -> list[tuple[int, float]]:
            return [(place + 3, weight / sum(weights)) for place, weight in enumerate(weights)]

    position = Position(State(), PositionTable())
    assert [position.outcome(number) for _ in range(2)] == [outcome(State(), number)] * 2


def test_states_without_a_hash_are_played_too() -> None:
    class State:
        __hash__ = None
        current_player, is_terminal = 0, False

    known, state = PositionTable(), State()
    assert known.of(state) is not known.of(state)
    assert not known.known

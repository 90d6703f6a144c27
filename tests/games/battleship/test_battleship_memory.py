"""Shooters that remember: the readable series is the compiled one, and what is learned from counts."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from battleship_table import RULES
from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.gamekit.players import Player
from gpkit.games.battleship.game import GAME, memory_of, play_on
from gpkit.games.battleship.kernel import layout as at
from gpkit.games.battleship.memory import Memory, base_rates, placement_weights
from gpkit.games.battleship.primitives import PRIMITIVES, Gunner
from gpkit.games.battleship.rules import PATTERNS, BattleshipRules, Board, is_on_board, squares_of
from gpkit.languages.sinking.forms.playing import Turn, turns
from gpkit.playing.players import player_of_name
from tests.series_of_two import play_series

CLASSIC = GAME.make_rules({})
PLACEMENTS = st.sampled_from(tuple(PATTERNS))


def turns_of(player: Player, memory: Memory, board: Board, key: int) -> Turn:
    """Turns of a player whose memory answers ``Target``."""
    host = partial(Gunner.of, weights=memory.weights(board.rules).tolist())
    return turns(player, replace(PRIMITIVES, host=host), board, key)


@settings(max_examples=6, deadline=None)
@given(RULES, PLACEMENTS, PLACEMENTS, st.integers(0, 2**32))
def test_kernel_and_readable_series_agree(rules: BattleshipRules, own: str, other: str, seed: int) -> None:
    check_equal_series(rules, own, other, seed)


@pytest.mark.slow
@settings(max_examples=1_000, deadline=None)
@given(RULES, PLACEMENTS, PLACEMENTS, st.integers(0, 2**32))
def test_many_series_agree(rules: BattleshipRules, own: str, other: str, seed: int) -> None:
    check_equal_series(rules, own, other, seed)


def check_equal_series(rules: BattleshipRules, own: str, other: str, seed: int) -> None:
    """Three games in which the first player, then the second, then the first shoots first."""
    players = [player_of_name(f"counts:{own}", GAME), player_of_name(f"counts:{other}", GAME)]
    if not rules.is_duel:
        players[1] = player_of_name(other, GAME)
    kept = memory_of(players, 1, rules)
    memories = [Memory.empty(rules)] * 2
    for game in range(3):
        deals = GAME.deal(stream(seed, "test", game), 1, rules)
        try:
            scores, kept = play_on(players, deals, rules, kept)
        except UsageError:
            return  # no room for a fleet in its pattern
        seats = [0, 1] if rules.is_duel and game % 2 == 0 else [1, 0] if rules.is_duel else [0]
        seated = [players[player] for player in seats] if rules.is_duel else players
        state = GAME.begin(seated, deals, rules)
        shoot = [
            turns_of(players[player], memories[player], state.boards[seat], deals.key(seat))
            for seat, player in enumerate(seats)
        ]
        while not state.is_terminal:
            state = shoot[state.current_player](state)[-1].after
        assert scores.values[0, game % len(seats)] == state.returns()[seats.index(0)]
        for seat, player in enumerate(seats):
            memories[player] = memories[player].after(state.boards[seat])
            counts = kept[0, game % len(seats), player]
            assert tuple(counts[at.TIMES_SHIP]) == memories[player].ships
            assert tuple(counts[at.TIMES_KNOWN]) == memories[player].known
            assert np.array_equal(counts[at.WEIGHTS :], memories[player].weights(rules))
        kept = np.roll(kept, 1, axis=1)


def test_without_memory_a_learner_is_its_policy() -> None:
    deals = GAME.deal(stream(2, "test"), 50, CLASSIC)
    counts, density = (
        GAME.play([player_of_name(name, GAME), player_of_name("uniform", GAME)], deals, CLASSIC).values
        for name in ("counts", "density")
    )
    assert np.array_equal(counts, density)


def test_what_is_told_is_remembered_and_no_more() -> None:
    """A duel lost early: most squares of the winner's board were never shot."""
    rules = GAME.make_rules({"mode": "duel"})
    players = [player_of_name("counts", GAME), player_of_name("density:corners", GAME)]
    deals = GAME.deal(stream(4, "test"), 20, rules)
    scores, kept = play_on(players, deals, rules, memory_of(players, 20, rules))
    ships, known = kept[:, :, 0, at.TIMES_SHIP].sum(axis=-1), kept[:, :, 0, at.TIMES_KNOWN].sum(axis=-1)
    won = scores.values == 1.0
    assert np.all(ships[won] == sum(rules.fleet))
    assert np.all(known[won] == rules.squares)
    assert np.all(ships[~won] < sum(rules.fleet))
    assert np.all(known[~won] < rules.squares)
    assert not kept[:, :, 1, : at.WEIGHTS].any(), "the other player does not remember"


def test_weights_are_one_before_anything_is_known() -> None:
    weights = Memory.empty(CLASSIC).weights(CLASSIC).reshape(5, 2, 100)
    for ship, length in enumerate(CLASSIC.fleet):
        for placement in range(200):
            on_board = is_on_board(placement, length, CLASSIC)
            weight = weights[ship, placement % 2, placement // 2]
            assert weight == pytest.approx(float(on_board)), (ship, placement)


def test_usual_rates_are_those_of_all_placements() -> None:
    rates = base_rates(CLASSIC).reshape(10, 10)
    assert rates.sum() == pytest.approx(17.0)
    corner = sum(1 / (10 * (11 - length)) for length in CLASSIC.fleet)
    assert rates[0, 0] == pytest.approx(corner)
    assert rates[4, 4] == pytest.approx(sum(length * 1 / (10 * (11 - length)) for length in CLASSIC.fleet))


def test_placements_where_ships_lay_weigh_more() -> None:
    """Five games of the same fleet, of which all is known."""
    fleet = (0, 20, 40, 60, 80)
    squares = [
        s for p, length in zip(fleet, CLASSIC.fleet, strict=True) for s in squares_of(p, length, CLASSIC)
    ]
    ships = np.zeros(100)
    ships[squares] = 5.0
    weights = placement_weights(ships, np.full(100, 5.0), CLASSIC).reshape(5, 2, 100)
    assert weights[0, 0, 0] > 3.0
    assert weights[0, 0, 95] < 0.5
    assert np.all(weights >= 0.0)


def test_series_begin_alike_however_many_there_are() -> None:
    players = [player_of_name("counts", GAME), player_of_name("wall", GAME)]
    many, few = (
        play_series(GAME, players, rules=CLASSIC, seed=3, games=4, repeat=repeat).scores for repeat in (9, 4)
    )
    assert np.array_equal(many[:4], few)


def test_a_learner_finds_patterned_fleets_sooner_each_game() -> None:
    players = [player_of_name("counts", GAME), player_of_name("wall", GAME)]
    series = play_series(GAME, players, rules=CLASSIC, seed=1, games=6, repeat=60)
    assert series.unit == "series"
    first, second, *_, last = (series.tally_of(game).interval for game in range(6))
    assert first.low > 50.0
    assert second.high < first.low
    assert last.high < 30.0


def test_every_series_begins_without_memory() -> None:
    players = [player_of_name("counts", GAME), player_of_name("wall", GAME)]
    plain = [player_of_name("density", GAME), players[1]]
    learned, unlearned = (
        play_series(GAME, each, rules=CLASSIC, seed=1, games=2, repeat=30).scores for each in (players, plain)
    )
    assert np.array_equal(learned[:, 0], unlearned[:, 0])
    assert not np.array_equal(learned[:, 1], unlearned[:, 1])

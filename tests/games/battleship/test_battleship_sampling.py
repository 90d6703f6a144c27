"""The belief-state agent: kernel against readable sampler, what samples keep to, and the levels of its readings."""

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.core.rng import stream
from gpkit.games.battleship.agents import FLAWED, MCS, MENDED, Method, SamplingAgent, next_shot
from gpkit.games.battleship.arena import fleets_of, running_sums
from gpkit.games.battleship.rules import BattleshipRules, Board, draw_deals, fleet_squares, is_legal
from gpkit_experiments.readable import battleship as readable
from gpkit_experiments.readable.battleship import Known, draw_sample, draws_of, most_votes, votes_readable
from gpkit_experiments.sampled_boards import clear_board

TEN = BattleshipRules.from_options({"variant": "ten-ships"})
NUMBERS: dict[Known, int] = {"unshot": 0, "miss": 1, "hit": 2}
METHODS = st.builds(
    Method, touching=st.sampled_from(("observed", "ignored")), hits=st.sampled_from(("preferred", "required"))
)
RULES = st.sampled_from(
    [
        BattleshipRules(width=5, height=7, fleet=(4, 3, 2, 1, 1), touch=False),
        BattleshipRules(width=6, height=5, fleet=(3, 3, 2, 2, 2)),
        BattleshipRules(width=1, height=6, fleet=(2, 1), touch=False),
        TEN,
    ]
)


def fleets(rules: BattleshipRules, count: int, seed: int = 1) -> list[tuple[int, ...]]:
    keys = draw_deals(stream(seed, "sampling"), count).keys[:, 1]
    return [tuple(row) for row in fleets_of(keys, running_sums("uniform", rules), rules).tolist()]


def knowledge(rules: BattleshipRules, seed: int, shots: int) -> list[Known]:
    """Squares after some shots at random at a fleet."""
    ships = fleet_squares(fleets(rules, 1, seed)[0], rules)
    known: list[Known] = ["unshot"] * rules.squares
    for square in stream(seed, "shots").permutation(rules.squares)[:shots].tolist():
        known[square] = "hit" if square in ships else "miss"
    return known


@pytest.mark.release
@given(RULES, METHODS, st.integers(0, 10_000), st.floats(0.0, 0.95))
@settings(max_examples=30, deadline=None)
def test_kernel_and_readable_sampler_agree(
    rules: BattleshipRules, method: Method, seed: int, part: float
) -> None:
    known = knowledge(rules, seed, int(part * rules.squares))
    key, turn = seed % 7, seed % 11
    votes = votes_readable(known, method, rules, 5, key, turn)
    seen = np.array([NUMBERS[what] for what in known], np.int8)
    square, counted, tally = next_shot(seen, turn, method, rules, 5, key)
    assert tuple(counted.tolist()) == votes.squares
    assert square == most_votes(votes.squares, known, key, turn)
    assert tally.dropped == 5 - votes.complete
    assert (tally.inconsistent, tally.popped) == (votes.inconsistent, votes.popped)


@given(RULES, METHODS, st.integers(0, 10_000), st.floats(0.0, 0.95))
@settings(max_examples=30, deadline=None)
def test_samples_avoid_misses_keep_to_their_reading_and_cover_hits_where_they_must(
    rules: BattleshipRules, method: Method, seed: int, part: float
) -> None:
    known = knowledge(rules, seed, int(part * rules.squares))
    fleet = draw_sample(draws_of(seed, 1, 2), known, method, rules).fleet
    if fleet is None:
        return
    squares = fleet_squares(fleet, rules)
    assert is_legal(fleet, method.room(rules))
    assert not any(known[square] == "miss" for square in squares)
    if method.hits == "required":
        assert {square for square, what in enumerate(known) if what == "hit"} <= squares


def test_a_ship_is_taken_up_again_and_a_sample_given_up_at_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = BattleshipRules(width=5, height=1, fleet=(2, 2))
    known: list[Known] = ["unshot"] * 5
    samples = [draw_sample(draws_of(9, 0, each), known, Method(), rules) for each in range(40)]
    found = {sample.fleet for sample in samples}
    assert found == {(0, 4), (0, 6), (2, 6), (4, 0), (6, 0), (6, 2)}, (
        "none in which the last ship has no place"
    )
    narrow = BattleshipRules(width=4, height=1, fleet=(2, 2))
    samples = [draw_sample(draws_of(9, 0, each), known[:4], Method(), narrow) for each in range(40)]
    assert {(sample.fleet, sample.popped) for sample in samples} == {
        ((0, 4), 0),
        ((4, 0), 0),
        ((0, 4), 1),
        ((4, 0), 1),
    }
    monkeypatch.setattr(readable, "BACKTRACKS", 0)
    given_up = [draw_sample(draws_of(9, 0, each), known[:4], Method(), narrow).fleet for each in range(40)]
    assert [fleet is None for fleet in given_up] == [sample.popped > 0 for sample in samples]


def shots_of(
    agent: SamplingAgent, rules: BattleshipRules, fleet: Sequence[int], number: int, key: int
) -> Iterator[int]:
    board = Board.of(tuple(fleet), rules)
    while board.status == "playing":
        square = agent.consider(board, number, key)[0]
        yield square
        board = board.shoot(square)


@pytest.mark.parametrize("agent", [MCS, FLAWED, MENDED])
def test_whole_boards_take_the_shots_that_the_agent_chooses(agent: SamplingAgent) -> None:
    for key, fleet in enumerate(fleets(TEN, 3)):
        chosen = list(shots_of(agent, TEN, fleet, 10, key))
        assert len(set(chosen)) == len(chosen)
        assert clear_board(fleet, agent.method, TEN, 10, key).shots == len(chosen)


@cache
def level(method: Method, number: int) -> tuple[float, float]:
    """Mean shots and share of inconsistent samples, on 150 boards."""
    found = [clear_board(fleet, method, TEN, number, key) for key, fleet in enumerate(fleets(TEN, 150))]
    drawn = sum(each.tally.drawn for each in found)
    return (
        float(np.mean([each.shots for each in found])),
        sum(each.tally.inconsistent for each in found) / drawn,
    )


@pytest.mark.release
def test_the_flaw_gives_the_published_level_and_mending_gains() -> None:
    ruled, inconsistent = level(MCS.method, 10)
    flawed, _ = level(FLAWED.method, 10)
    mended, none = level(MENDED.method, 10)
    assert 85 < flawed < 90
    assert 64 < ruled < 69
    assert 0.12 < inconsistent < 0.2
    assert mended < ruled - 1.5
    assert none == 0.0


def test_chances_are_shares_of_samples_and_known_squares_are_certain() -> None:
    board = Board.of(fleets(TEN, 1)[0], TEN)
    for square in range(0, 100, 7):
        board = board.shoot(square)
    for agent in (MCS, FLAWED, MENDED):
        chances = agent.chances(board, 50, 3)
        unshot = [square for square, known in enumerate(board.known) if known == "unshot"]
        assert ((chances >= 0) & (chances <= 1)).all()
        assert agent.consider(board, 50, 3)[0] in np.flatnonzero(chances == chances[unshot].max())
        for square, known in enumerate(board.known):
            if known != "unshot":
                assert chances[square] == (known != "miss")


def test_no_number_means_a_hundred_samples() -> None:
    board = Board.of(fleets(TEN, 1)[0], TEN).shoot(55)
    assert MCS.chances(board, 0, 3).tolist() == MCS.chances(board, 100, 3).tolist()


@pytest.mark.release
def test_fifty_by_fifty_squares_with_a_hundred_ships() -> None:
    ships = ",".join(map(str, TEN.fleet * 10))
    large = BattleshipRules.from_options({"variant": "ten-ships", "board": "50x50", "fleet": ships})
    board = Board.of(fleets(large, 1)[0], large)
    for square in range(0, 2500, 11):
        board = board.shoot(square)
    for agent in (MCS, MENDED):
        assert board.known[agent.consider(board, 10, 5)[0]] == "unshot"

"""The posterior against every fleet of small boards, sensors of beliefs against full enumeration and by their meaning.

The mean field against counts: equal where one ship is left, near where there are more, and large boards; and the number
of fleets of the usual board. By its definition the posterior asks every legal fleet for its answer to every shot.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import product
from math import factorial, inf, isnan, prod

import numpy as np
import pytest
from battleship_table import legal_fleets
from kernel_marks import compiled_only
from numpy.typing import NDArray
from readable_rollouts import Fleet, candidates_of, fleet_of, misses_of

from gpkit.core.rng import stream
from gpkit.games.battleship.arena import running_sums
from gpkit.games.battleship.belief.player import AGENT, DEFAULT, within
from gpkit.games.battleship.belief.posterior import (
    Facts,
    PosteriorLimits,
    RolloutStage,
    Sinking,
    compare,
    fleets_of,
    geometry,
    mean_field,
    operations_for,
    posterior_of,
    question_of,
)
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.rules import (
    BattleshipRules,
    Board,
    announced,
    is_legal,
    is_on_board,
    replayed,
    squares_of,
)
from gpkit.games.battleship.sensors import beliefs
from gpkit.playing.contest import Match, play_matches
from gpkit.playing.players import player_of_name
from gpkit_experiments.readable.battleship import draw_fleet

NEVER = 1_000


@lru_cache(maxsize=8)
def covers_of(rules: BattleshipRules) -> NDArray[np.bool_]:
    """The squares of every ship of every legal fleet by the usual announcements: bool (fleets, ships, squares)."""
    fleets = list(legal_fleets(rules))
    covers = np.zeros((len(fleets), len(rules.fleet), rules.squares), dtype=np.bool_)
    for row, fleet in zip(covers, fleets, strict=True):
        for ship, (placement, length) in enumerate(zip(fleet, rules.fleet, strict=True)):
            row[ship, list(squares_of(placement, length, rules))] = True
    return covers


def consistent_covers(board: Board) -> NDArray[np.bool_]:
    """The fleets whose answers to the shots at a board are those that were given: bool (fleets, ships, squares)."""
    rules = board.rules
    covers = covers_of(replace(rules, announce="ship"))
    lengths = np.array(rules.fleet)
    times = np.full(rules.squares, NEVER)
    for turn, shot in enumerate(board.shots):
        times[shot.square] = turn
    ends = np.where(covers, times, -1).max(axis=2)
    agrees = np.ones(len(covers), dtype=np.bool_)
    for turn, shot in enumerate(board.shots):
        hits, sinks = covers[:, :, shot.square].any(axis=1), ends == turn
        length = np.where(sinks, lengths, 0).sum(axis=1)
        told = announced(shot, rules)
        agrees &= hits == shot.hit
        if rules.announce == "ship":
            agrees &= length == (told or 0)
        elif rules.announce == "sunk":
            agrees &= (length > 0) == (told is not None)
    return covers[agrees]


def chances_of(covers: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The share of fleets with a ship on each square: float64 (squares,)."""
    return covers.any(axis=1).mean(axis=0)


def positions(rules: BattleshipRules, count: int) -> Iterator[Board]:
    """Boards under fire: some shots at random, every fourth of them at a ship."""
    rng = stream(7_301, "positions", *rules.fleet)
    for key, extra, _ in GAME.deal(rng, count, rules).keys[:, 1].tolist():
        board = Board.of(draw_fleet(key, extra, running_sums("uniform", rules), rules), rules)
        for _ in range(int(rng.integers(1, 2 * rules.squares // 3))):
            unshot = [square for square, known in enumerate(board.known) if known == "unshot"]
            ships = [square for square in unshot if board.ship_at(square) >= 0]
            after = board.shoot(int(rng.choice(ships if rng.random() < 0.25 else unshot)))
            if after.status == "playing":
                board = after
        yield board


SMALL = BattleshipRules(width=6, height=6, fleet=(3, 2, 2))
TINY = BattleshipRules(width=4, height=4, fleet=(3, 2, 2))
APART = BattleshipRules(width=5, height=3, fleet=(3, 1, 1), touch=False)
SAMPLED = PosteriorLimits(operations=0, samples=10_000)


def check(board: Board, *, sampled: bool) -> None:
    covers = consistent_covers(board)
    counted = posterior_of(Facts.of(board))
    assert counted.exact
    assert counted.error == 0.0
    fleet = board.rules.fleet
    assert counted.fleets * prod(factorial(fleet.count(length)) for length in set(fleet)) == len(covers)
    np.testing.assert_array_equal(counted.chances, chances_of(covers))
    if sampled:
        estimated = posterior_of(Facts.of(board), 11, SAMPLED)
        assert not estimated.exact
        assert np.abs(estimated.chances - counted.chances).max() <= 0.02


@pytest.mark.parametrize("announce", ["ship", "sunk", "hit"])
@pytest.mark.parametrize("rules", [TINY, APART])
def test_chances_are_those_of_all_fleets_that_agree(rules: BattleshipRules, announce: str) -> None:
    told = replace(rules, announce=announce)
    for number, board in enumerate(positions(told, 8)):
        check(board, sampled=number < 2)


@pytest.mark.slow
@pytest.mark.parametrize("announce", ["ship", "sunk", "hit"])
def test_chances_on_two_hundred_positions(announce: str) -> None:
    for board in positions(replace(SMALL, announce=announce), 200):
        check(board, sampled=True)


@pytest.mark.release
@compiled_only
def test_fleets_of_the_usual_board() -> None:
    found = posterior_of(Facts(BattleshipRules()), effort=PosteriorLimits(operations=4_000_000_000))
    assert found.exact
    assert found.fleets == 15_046_987_768
    board = found.chances.reshape(10, 10)
    assert found.chances.sum() == pytest.approx(17.0)
    np.testing.assert_array_equal(board, board.T)
    np.testing.assert_array_equal(board, board[::-1])


NEEDLE = Facts(
    BattleshipRules(announce="hit"),
    (36, 37, 39, 43, 45, 54, 57, 59, 63, 68, 74, 77),
    (46, 47, 48, 49, 64, 65, 66, 67),
)
"""Two rows of hits, which most samples explain by ships that leave none for the last hit."""


def test_fleets_that_no_sample_meets_are_counted() -> None:
    assert operations_for(question_of(NEEDLE), NEEDLE) > within(20).effort.operations, "it promises too many"
    exact = posterior_of(NEEDLE, effort=PosteriorLimits(operations=1_000_000_000))
    found = posterior_of(NEEDLE, 16_270_098, within(20).effort)
    assert found.exact
    assert found.fleets == exact.fleets == 4_019
    np.testing.assert_array_equal(found.chances, exact.chances)


def test_fleets_that_take_too_long_to_count_have_the_chances_of_the_mean_field() -> None:
    found = posterior_of(NEEDLE, 16_270_098, PosteriorLimits(operations=1_000, samples=3_000))
    assert not found.exact
    assert isnan(found.error)
    np.testing.assert_array_equal(found.chances, mean_field(NEEDLE))
    counted = posterior_of(NEEDLE, effort=PosteriorLimits(operations=1_000_000_000)).chances
    unshot = list(NEEDLE.unshot)
    assert counted[unshot][found.chances[unshot].argmax()] > counted[unshot].max() - 0.1


BOARDS: tuple[dict[str, str], ...] = (
    {"variant": "classic"},
    {"variant": "ten-ships"},
    {"board": "6x6", "fleet": "4,3,2,2,1"},
    {"board": "8x8", "fleet": "4,3,3,2,2,2"},
)
RULE_SETS = [
    {**board, "touch": touch, "announce": announce, "shots": shots, "found": found, "mode": mode}
    for board in BOARDS
    for touch in ("yes", "no")
    for announce in ("ship", "sunk", "hit")
    for shots in ("one", "again")
    for found in ("no", "yes")
    for mode in ("solitaire", "duel")
]


@compiled_only
@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(RULE_SETS)))
def test_games_are_played_to_the_end(number: int) -> None:
    """About 100,000 games in all, as many by each set of rules (two hours)."""
    rules = GAME.make_rules(RULE_SETS[number])
    games = -(-100_000 // len(RULE_SETS))
    opponent = "random" if rules.is_duel else "uniform"
    match = Match(player_of_name("belief:1", GAME), (player_of_name(opponent, GAME),))
    (result,) = play_matches(GAME, [match], rules=rules, seed=880_011 + number, games=games)
    assert result.games >= games
    assert (result.stalled, result.invalid) == (0, 0)


def test_facts_do_not_depend_on_the_order_of_shots() -> None:
    board = Board.of((0, 12, 24), SMALL)
    one, other = board, board
    for square in (0, 1, 30, 2, 35):
        one = one.shoot(square)
    for square in (35, 30, 1, 0, 2):
        other = other.shoot(square)
    assert Facts.of(one) == Facts.of(other)
    assert Facts.of(one) == Facts(SMALL, (30, 35), (0, 1, 2), (Sinking(2, 3, (0, 1, 2)),))
    assert Facts.of(board.shoot(0).shoot(0).shoot(-1)) == Facts(SMALL, (), (0,))


@pytest.mark.release
@pytest.mark.parametrize("rules", [TINY, replace(TINY, announce="sunk"), replace(APART, announce="hit")])
def test_rollouts_are_those_of_plain_python(rules: BattleshipRules) -> None:
    for board in positions(rules, 4):
        facts = Facts.of(board)
        found = fleets_of(facts, 100_000)
        fleets = [fleet_of_numbers(row, rules) for row in found]
        listed = {frozenset(each.items()) for each in map(Counter, fleets)}
        legal = (fleet for fleet in legal_fleets(rules) if replayed(fleet, board) is not None)
        assert listed == {frozenset(Counter(fleet_of(fleet, rules)).items()) for fleet in legal}
        assert len(listed) == len(found)
        some, unshot = found[::3], frozenset(facts.unshot)
        for depth in (0, 1):
            compared = compare(some, facts, RolloutStage(1_000, 4, 0.2, depth == 1, 1_000))
            assert compared is not None
            part = fleets[::3]
            assert compared.squares == candidates_of(part, unshot, 4, 0.2)
            true = [
                misses_of(part, each, unshot, rules, depth=depth, most=4, margin=0.2)
                for each in compared.squares
            ]
            assert compared.best == compared.squares[true.index(min(true))]
            assert compared.misses.min() == min(true)
            assert all(
                min(true) <= told <= misses for told, misses in zip(compared.misses, true, strict=True)
            )


def fleet_of_numbers(numbers: NDArray[np.int64], rules: BattleshipRules) -> Fleet:
    board = geometry(rules)
    ships = zip(board.placements[numbers].tolist(), board.sizes[numbers].tolist(), strict=True)
    return tuple(frozenset(squares_of(placement, size, rules)) for placement, size in ships)


@pytest.mark.release
def test_the_agent_shoots_where_rollouts_miss_least() -> None:
    rules = GAME.make_rules({"board": "4x4", "fleet": "3"})
    shots = []
    for fleet in legal_fleets(rules):
        board = Board.of(fleet, rules)
        while board.status == "playing":
            board = board.shoot(AGENT.consider(board, 0, 5)[0])
        shots.append(board.turns)
        np.testing.assert_array_equal(AGENT.chances(board, 0, 5), board_covers(board))
    assert sum(shots) / len(shots) == 45 / 8  # the optimum


def board_covers(board: Board) -> NDArray[np.float64]:
    return np.array([board.ship_at(square) >= 0 for square in range(board.rules.squares)], dtype=np.float64)


def test_times_choose_settings() -> None:
    small, large = within(1), within(1_000)
    assert small.effort.operations < large.effort.operations
    assert small.stage(5_000) is None
    assert large.stage(99_000) == RolloutStage(100_000, 16, 0.4, sample=200_000)
    assert [DEFAULT.stage(fleets) for fleets in (2, 200, 5_000, 1e6)] == [*DEFAULT.stages, None]


def enumerated(board: Board) -> list[float]:
    """The exact chance of each square: every fleet that answers all shots so is equally likely."""
    rules = board.rules
    ways = [[p for p in range(2 * rules.squares) if is_on_board(p, n, rules)] for n in rules.fleet]
    fleets = [fleet for fleet in product(*ways) if is_legal(fleet, rules) and replayed(fleet, board)]
    boards = [Board.of(fleet, rules) for fleet in fleets]
    return [
        sum(each.ship_at(square) >= 0 for each in boards) / len(boards) for square in range(rules.squares)
    ]


def board_after(shots: tuple[int, ...], options: dict[str, str]) -> Board:
    """Ships of 3 and 2 on 4x4 squares, in the first row and at the right of the last one."""
    board = Board.of((0, 2 * 14), GAME.make_rules({"board": "4x4", "fleet": "3,2", **options}))
    for square in shots:
        board = board.shoot(square)
    return board


@pytest.mark.parametrize("options", [{}, {"touch": "no"}, {"announce": "hit"}], ids=str)
@pytest.mark.parametrize("shots", [(), (5,), (5, 1), (5, 1, 0), (10, 15, 3)], ids=str)
def test_chances_are_near_those_of_all_fleets(shots: tuple[int, ...], options: dict[str, str]) -> None:
    board = board_after(shots, options)
    exact, chance = enumerated(board), beliefs(board).chance
    unshot = [square for square, known in enumerate(board.known) if known == "unshot"]
    errors = [abs(chance[square] - exact[square]) for square in unshot]
    # that ships hold each other off is not seen, which counts most on a board as small as this
    error, loss = (0.06, 0.05) if board.rules.touch else (0.08, 0.2)
    assert sum(errors) / len(errors) < error
    best = max(unshot, key=lambda square: chance[square])
    assert exact[best] > max(exact[square] for square in unshot) - loss


def test_a_ship_of_one_place_is_sure() -> None:
    believed = beliefs(board_after((0, 1, 4), {}))
    assert believed.chance[2] > 0.99, "the ship of three goes on to the right"
    assert believed.sinks[2] > 0.7, "and ends there, unless the ship of two lies there"
    assert believed.chance[0] == believed.chance[4] == 0.0, "both are known"


def test_what_is_not_told_does_not_count() -> None:
    told, untold = (beliefs(board_after((0, 5), {"announce": word})) for word in ("sunk", "hit"))
    assert max(told.sinks) > 0.0
    assert max(untold.sinks) == 0.0
    assert told.chance == untold.chance


LONE = BattleshipRules(width=5, height=4, fleet=(3,))
HUNDRED = {"board": "50x50", "touch": "no", "fleet": ",".join("4" * 10 + "3" * 20 + "2" * 30 + "1" * 40)}


@pytest.mark.parametrize("announce", ["ship", "hit"])
def test_chances_of_a_lone_ship_are_exact(announce: str) -> None:
    for board in positions(replace(LONE, announce=announce), 10):
        facts = Facts.of(board)
        np.testing.assert_allclose(mean_field(facts), posterior_of(facts).chances, atol=1e-12)


@pytest.mark.parametrize("variant", [pytest.param("classic", marks=pytest.mark.release), "ten-ships"])
def test_chances_of_several_ships_are_near(variant: str) -> None:
    rules = GAME.make_rules(
        {"variant": variant, "board": "8x8"} | ({"fleet": "3,2,1"} if variant != "classic" else {})
    )
    errors = []
    for board in positions(rules, 6):
        exact = posterior_of(Facts.of(board))
        assert exact.exact
        errors.append(np.abs(mean_field(Facts.of(board)) - exact.chances).mean())
    assert np.mean(errors) < 0.02


def test_a_hundred_ships() -> None:
    rules = GAME.make_rules(HUNDRED)
    board = Board.of(tuple(2 * (100 * (ship // 10) + 5 * (ship % 10)) for ship in range(100)), rules)
    for square in (0, 1, 2, 3, 1_234, 5, 55, 777, 10, 110):
        board = board.shoot(square)
    found = posterior_of(Facts.of(board))
    assert not found.exact
    assert isnan(found.error)
    assert found.fleets == inf
    assert found.chances.sum() == pytest.approx(sum(rules.fleet), rel=0.05)
    assert np.all((found.chances >= 0.0) & (found.chances <= 1.0))
    assert_known(board, found.chances)
    square = AGENT.consider(board, 0, 1)[0]
    assert board.known[square] == "unshot"
    assert found.chances[square] == max(
        chance for chance, known in zip(found.chances, board.known, strict=True) if known == "unshot"
    )


def assert_known(board: Board, chances: NDArray[np.float64]) -> None:
    for chance, known in zip(chances, board.known, strict=True):
        if known != "unshot":
            assert chance == (known != "miss")

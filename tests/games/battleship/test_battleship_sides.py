"""Sides that shoot alone and the referee: the very games of the kernel, in which both take turns."""

from collections.abc import Sequence

import pytest

from gpkit.core.rng import stream
from gpkit.gamekit.players import Player
from gpkit.games.battleship.arena import (
    AGENTS,
    first_memory,
    fleets_of,
    play_sides,
    referee,
    running_sums,
    strategy_of,
)
from gpkit.games.battleship.game import GAME, memory_of, play_on
from gpkit.games.battleship.rules import Board, Shot, returns_of
from gpkit.playing.players import player_of_name, player_of_program, program_of_name
from gpkit_experiments.readable.battleship import draw_fleet

SMALL = {"board": "6x6", "fleet": "3,2,2"}


def shooters() -> list[Player]:
    """Players that clear boards, stall, waste shots, and run out of steps."""
    endless = program_of_name("figure8-as-printed", GAME)
    corrected = program_of_name("corrected", GAME)
    wasting = {"edge": "leave", "off-board": "turn", "known": "turn"}
    return [
        player_of_name("hunt", GAME),
        player_of_name("random:wall", GAME),
        player_of_program(program_of_name("covers", GAME), GAME, "covers"),
        player_of_program(corrected, GAME, "wasting", wasting),
        player_of_program(endless, GAME, "endless"),
    ]


@pytest.mark.parametrize(
    "options",
    [
        {},
        pytest.param({"shots": "again"}, marks=pytest.mark.release),
        pytest.param({"announce": "hit", "touch": "no"}, marks=pytest.mark.release),
    ],
)
def test_sides_and_referee_play_the_games_of_the_kernel(options: dict[str, str]) -> None:
    rules = GAME.make_rules({**SMALL, "mode": "duel", **options})
    deals = GAME.deal(stream(4, "sides"), 5, rules)
    invalid = 0
    for first in shooters():
        for second in shooters():
            scores = GAME.play([first, second], deals, rules)
            found, gave_up = replayed([first, second], deals, rules)
            assert (scores.values.tolist(), scores.invalid) == (found, gave_up), (first.name, second.name)
            invalid += gave_up
    assert invalid > 0


def replayed(players: Sequence[Player], deals, rules) -> tuple[list[list[float]], int]:  # type: ignore[no-untyped-def]
    """Scores of the first player by deal and seating, and the programs that ran out of steps."""
    scores, invalid = [], 0
    for deal in range(len(deals)):
        keys = deals.seat(deal, 0), deals.seat(deal, 1)
        ended = [play_sides(players, keys, [None, None], rotation, rules)[0] for rotation in range(2)]
        won = [returns_of(each, rules)[rotation] for rotation, each in enumerate(ended)]
        scores.append(won)
        invalid += sum(board.status == "invalid" for each in ended for board in each)
    return scores, invalid


def test_solitaire_is_that_of_the_kernel_and_learners_remember_the_same() -> None:
    rules = GAME.make_rules(SMALL)
    deals = GAME.deal(stream(5, "sides"), 6, rules)
    players = [player_of_name("counts", GAME), player_of_name("wall", GAME)]
    memory = memory_of(players, len(deals), rules)
    by_side = [None] * len(deals)
    for _ in range(3):
        scores, memory = play_on(players, deals, rules, memory)
        for deal in range(len(deals)):
            keys = deals.seat(deal, 0), deals.seat(deal, 1)
            before = by_side[deal] or first_memory(players[0], rules)
            (board,), (by_side[deal], _) = play_sides(players, keys, [before, None], 0, rules)
            assert board.turns == scores.values[deal, 0]
    assert [each.ships for each in by_side] == [tuple(row) for row in memory[:, 0, 0, 0].tolist()]


def test_fleets_in_bulk_are_those_of_the_readable_draw() -> None:
    rules = GAME.make_rules({**SMALL, "touch": "no"})
    keys = GAME.deal(stream(6, "sides"), 20, rules).keys[:, 1]
    sums = running_sums("corner", rules)
    fleets = fleets_of(keys, sums, rules)
    assert [tuple(row) for row in fleets.tolist()] == [
        draw_fleet(key, extra, sums, rules) for key, extra, _ in keys.tolist()
    ]


def test_the_referee_cuts_off_what_came_too_late() -> None:
    rules = GAME.make_rules({"board": "4x4", "fleet": "2", "mode": "duel"})
    fast, slow = Board.of((0,), rules), Board.of((0,), rules)
    for square in (0, 1):
        fast = fast.shoot(square)
    for square in (15, 14, 0, 1):
        slow = slow.shoot(square)
    first, second = referee((slow, fast), rules)
    assert (first.turns, first.status, second.status) == (2, "playing", "cleared")
    assert first.shots == (Shot(15, hit=False), Shot(14, hit=False))
    first, second = referee((fast, fast), rules)
    assert (first.status, second.turns) == ("cleared", 1)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.release] * (name == "belief")) for name in AGENTS]
)
def test_agents_consider_what_they_choose_and_believe(name: str) -> None:
    board = Board.of((0, 26, 60), GAME.make_rules(SMALL)).shoot(0).shoot(20).shoot(9)
    agent = strategy_of(name)
    square, chances = agent.consider(board, 0, 5)
    assert square == agent.consider(board, 0, 5)[0]
    assert chances.tolist() == agent.chances(board, 0, 5).tolist()

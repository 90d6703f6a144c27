"""The readable rules: shots and what they tell, sunk ships, turns, ends, and what stays hidden."""

import re

import pytest

from gpkit.core.errors import UsageError
from gpkit.games.battleship.board import (
    HULL,
    SUNK,
    board_svg,
    board_text,
    column_name,
    grid_text,
    shot_text,
    square_name,
    square_of_name,
)
from gpkit.games.battleship.rules import BattleshipRules, Board
from gpkit.games.battleship.state import BattleshipState

SMALL = BattleshipRules(width=4, height=3, fleet=(2, 1))
FLEET = (2 * 0, 2 * 6)  # A1 and B1; C2


def shots(board: Board, *names: str) -> Board:
    for name in names:
        board = board.shoot(square_of_name(name, board.rules))
    return board


def test_shots_tell_hits_and_ships_sunk() -> None:
    board = shots(Board.of(FLEET, SMALL), "D3", "A1", "C2", "B1")
    told = [shot_text(shot, SMALL) for shot in board.shots]
    assert told == ["D3: miss", "A1: hit", "C2: hit, sinks the ship of 1", "B1: hit, sinks the ship of 2"]
    assert (board.status, board.turns, board.afloat) == ("cleared", 4, ())
    assert grid_text(board) == "  A B C D\n1 # # . .\n2 . . # .\n3 . . . o\n"


def test_ships_are_shown_only_on_demand() -> None:
    board = shots(Board.of(FLEET, SMALL), "A1")
    assert grid_text(board) == "  A B C D\n1 x . . .\n2 . . . .\n3 . . . .\n"
    assert grid_text(board, reveal=True) == "  A B C D\n1 x 2 . .\n2 . . 1 .\n3 . . . .\n"
    state = BattleshipState(SMALL, (board,))
    hidden, shown, sunk = board_svg(state, 0), board_svg(state), BattleshipState(SMALL, (shots(board, "C2"),))
    assert shown.count('class="ship"') == 2
    assert hidden.count('class="ship"') == 0
    assert [re.findall(r'class="afloat".*fill="(#\w+)"', board_svg(each, 0)) for each in (state, sunk)] == [
        [HULL, HULL],
        [HULL, SUNK],
    ]


@pytest.mark.parametrize(
    ("announce", "told", "known", "afloat"),
    [
        ("ship", "C2: hit, sinks the ship of 1", "sunk", (2,)),
        ("sunk", "C2: hit, sinks a ship", "open", (2, 1)),
        ("hit", "C2: hit", "open", (2, 1)),
    ],
)
def test_announcements_limit_what_is_known(
    announce: str, told: str, known: str, afloat: tuple[int, ...]
) -> None:
    rules = BattleshipRules(width=4, height=3, fleet=(2, 1), announce=announce)
    board = shots(Board.of(FLEET, rules), "C2")
    assert shot_text(board.shots[0], rules) == told
    assert board.known[6] == known
    assert board.afloat == afloat


def test_a_ship_sunk_among_touching_hits_is_taken_for_the_first_run() -> None:
    """A vertical ship of 2 sinks where a horizontal run of 2 hits starts: the run is taken for it."""
    rules = BattleshipRules(width=4, height=3, fleet=(3, 2))
    board = Board.of((2 * 0, 2 * 4 + 1), rules)  # A1 B1 C1; A2 A3
    board = shots(board, "A1", "B1", "A3", "A2")
    assert [
        name for k, known in enumerate(board.known) if known == "sunk" for name in [square_name(k, rules)]
    ] == ["A1", "A2"]


def test_shots_at_known_squares_and_off_the_board_change_nothing_but_the_turn() -> None:
    board = shots(Board.of(FLEET, SMALL), "A1", "A1", "D3", "D3").shoot(-1)
    assert board.turns == 5
    assert [shot.known for shot in board.shots] == [False, True, False, True, False]
    assert sum(SMALL.fleet) - sum(board.left) == 1


def test_the_cap_ends_a_game() -> None:
    board = Board.of(FLEET, SMALL)
    for _ in range(SMALL.cap):
        assert board.status == "playing"
        board = board.shoot(-1)
    assert board.status == "stalled"
    state = BattleshipState(SMALL, (board,))
    assert state.is_terminal
    assert state.returns() == (float(SMALL.cap),)


def test_duels_take_turns_and_end_with_the_first_board_cleared() -> None:
    rules = BattleshipRules(mode="duel", width=4, height=3, fleet=(1,))
    state = BattleshipState.begin(((2 * 0,), (2 * 11,)), rules)
    state = state.shoot(5)
    assert state.current_player == 1
    state = state.shoot(11)
    assert state.is_terminal
    assert state.returns() == (0.0, 1.0)
    assert board_text(state, names=("ann", "bob")).splitlines()[0].split() == [
        "ann",
        "shoots",
        "at",
        "bob",
        "shoots",
        "at",
    ]
    assert board_svg(state, names=("<ann>", "bob")).count("&lt;ann&gt;") >= 1


def test_a_hit_shoots_again_where_that_is_the_rule() -> None:
    rules = BattleshipRules(mode="duel", width=4, height=3, fleet=(2,), shots="again")
    state = BattleshipState.begin(((2 * 0,), (2 * 0,)), rules)
    state = state.shoot(0)
    assert state.current_player == 0
    assert state.shoot(0).current_player == 1, "a square known before is not a new hit"
    assert state.shoot(5).current_player == 1


def test_who_runs_out_of_steps_loses() -> None:
    rules = BattleshipRules(mode="duel", width=4, height=3, fleet=(2,))
    state = BattleshipState.begin(((2 * 0,), (2 * 0,)), rules).shoot(5).give_up()
    assert state.is_terminal
    assert state.returns() == (1.0, 0.0)


def test_two_that_stall_draw() -> None:
    rules = BattleshipRules(mode="duel", width=2, height=2, fleet=(1,))
    state = BattleshipState.begin(((0,), (0,)), rules)
    while not state.is_terminal:
        state = state.shoot(3)
    assert state.returns() == (0.5, 0.5)


def test_hidden_ships_do_not_show_in_what_a_player_observes() -> None:
    rules = BattleshipRules(mode="duel", width=4, height=3, fleet=(2, 1))
    states = [
        BattleshipState.begin((fleet, FLEET), rules).shoot(11).shoot(3) for fleet in (FLEET, (2 * 1, 2 * 8))
    ]
    assert states[0].observation(0) == states[1].observation(0)
    assert states[0].observation(1) != states[1].observation(1), "its own fleet"
    assert states[0].legal_actions() == tuple(range(11))


def test_squares_have_names() -> None:
    rules = BattleshipRules(width=30, height=12, fleet=(2,))
    assert [column_name(k) for k in (0, 25, 26, 29)] == ["A", "Z", "AA", "AD"]
    for square in range(rules.squares):
        assert square_of_name(square_name(square, rules).lower(), rules) == square
    for wrong in ("", "5", "A0", "A13", "ZZ1", "AE1"):
        with pytest.raises(UsageError, match="from A1 to AD12"):
            square_of_name(wrong, rules)


OPTIONS = [
    ({}, BattleshipRules()),
    ({"variant": "ten-ships"}, BattleshipRules(fleet=(4, 3, 3, 2, 2, 2, 1, 1, 1, 1), touch=False)),
    ({"variant": "ten-ships", "touch": "yes", "fleet": "2,3"}, BattleshipRules(fleet=(3, 2))),
    ({"mode": "duel", "board": "12x8", "shots": "again"}, BattleshipRules("duel", 12, 8, shots="again")),
    ({"announce": "sunk", "found": "on"}, BattleshipRules(announce="sunk", found=True)),
]


@pytest.mark.parametrize(("options", "rules"), OPTIONS)
def test_options_make_rules_and_come_back(options: dict[str, str], rules: BattleshipRules) -> None:
    assert BattleshipRules.from_options(options) == rules
    assert BattleshipRules.from_options(rules.to_options()) == rules

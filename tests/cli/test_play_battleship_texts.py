"""What is said to a person who plays Battleship: screens, announcements, mistakes, tallies."""

import re
from dataclasses import replace

import numpy as np
import pytest
from battleship_table import SMALL, conversation_of, every_square, play, seating_of, shots_in
from conversations import at_table, said

from gpkit.core.errors import UsageError
from gpkit.games.battleship.board import placement_of_name
from gpkit.games.battleship.forms.view import parse_action
from gpkit.games.battleship.rules import BattleshipRules, Board
from gpkit.games.battleship.state import BattleshipState
from gpkit.playing.session import sessions


@pytest.mark.parametrize(
    ("announce", "told", "status"),
    [
        ("ship", "A1: hit, sinks the ship of 1", "Your shot 2, ships afloat: 2"),
        ("sunk", "A1: hit, sinks a ship", "Your shot 2, ships sunk: 1 of 2"),
        ("hit", "A1: hit", "Your shot 2"),
    ],
)
def test_answers_are_announced_as_the_rules_say(announce: str, told: str, status: str) -> None:
    rules = BattleshipRules("duel", 3, 3, (2, 1), announce=announce)
    fleet = (2 * 3, 0)
    heard, _ = play(conversation_of("hunt", rules, 0), fleet, fleet, ["a1"])
    assert shots_in(heard)[0] == ("you", told)
    assert heard[-2].endswith(f"\n{status}")


def test_hit_shoots_again_by_that_rule() -> None:
    rules = BattleshipRules("duel", 5, 5, (3,), shots="again")
    heard, _ = play(conversation_of("hunt", rules, 0), (0,), (0,), ["a1", "b1", "a2"])
    assert [who for who, _ in shots_in(heard)][:4] == ["you", "you", "you", "hunt"]


def test_screen_shows_what_is_known_and_the_own_ships() -> None:
    rules = BattleshipRules("duel", 4, 4, (2,))
    heard, _ = play(conversation_of("raster", rules, 1), (0,), (28,), ["c4"])
    assert heard[0] == "raster shoots at A1: hit"
    assert heard[1].splitlines()[1:] == [
        "You shoot at    raster shoots at",
        "  A B C D         A B C D",
        "1 . . . .       1 x 2 . .",
        "2 . . . .       2 . . . .",
        "3 . . . .       3 . . . .",
        "4 . . . .       4 . . . .",
        "",
        "Your shot 1, ships afloat: 2",
    ]
    _, hit, then, end = heard[1:]
    assert (hit, then) == ("you shoot at C4: hit", "raster shoots at B1: hit, sinks the ship of 2")
    assert end.splitlines()[-3:] == [
        "4 . . x 2       4 . . . .",
        "",
        "raster has won after 2 shots; you have taken 1 shot.",
    ]


def test_fleet_is_laid_out_by_hand() -> None:
    typed = ["a1", "c1 v", "", "b", "c3", "c", "t", "a2", "f2 h", "F2"]
    heard = said(seating_of("hunt", **SMALL, touch="no"), iter(typed))
    lying = heard[2]
    assert "\n1 3 3 3 . . .\n" in lying
    assert heard[3] == "a ship of 2 there overlaps the ship of 3 at C1"
    assert heard[4] == lying
    empty = heard[5]
    assert heard[7] == empty
    assert heard[8] == "The next ship points down."
    assert heard[10] == "a ship of 2 from F2 to the right leaves the board"
    assert heard[-2].splitlines()[3:6] == [
        "1 . . . . . .    1 . . . . . .",
        "2 . . . . . .    2 3 . . . . 2",
        "3 . . . . . .    3 3 . . . . 2",
    ]


def test_fleet_at_random_is_the_one_of_the_deal() -> None:
    screens = [
        said(seating_of("hunt", **SMALL), iter(typed))[-2] for typed in ([""], ["r", ""], ["a1 v", "r", ""])
    ]
    assert len(set(screens)) == 1


def test_fleets_can_be_thrown_until_one_pleases() -> None:
    typed = ["r", "r", "c4 h", "t", "b", "start", "r", "c", "b1 v", "r", "start"]
    fleets = [line for line in said(seating_of("hunt", **SMALL), iter(typed)) if line.startswith("\n  A B")]
    refused = [line for line in said(seating_of("hunt", **SMALL), iter(typed)) if "Enter begins" in line]
    assert len(refused) == 2, "c4 h and t, with all ships placed"
    assert len({*fleets}) == 7, "three thrown fleets that differ, each with what was taken off and put there"


@pytest.mark.parametrize("word", ["c4 h", "C4h", " c4  H "])
def test_placement_by_name(word: str) -> None:
    assert placement_of_name(word, (), BattleshipRules()) == 2 * 32


def test_ship_of_one_square_needs_no_direction() -> None:
    rules = BattleshipRules(fleet=(2, 1))
    assert {placement_of_name(word, (0,), rules) for word in ("c1", "c1 h", "c1v")} == {4}


@pytest.mark.parametrize(
    ("word", "touch", "message"),
    [
        ("h", True, "`h` is not a square"),
        ("z9 h", True, "`z9` is not a square: expected a letter and a number, from A1 to J10"),
        ("c4", True, "which direction from C4?"),
        ("h1 h", True, "a ship of 4 from H1 to the right leaves the board"),
        ("c8 v", True, "a ship of 4 from C8 down leaves the board"),
        ("e1 v", True, "a ship of 4 there overlaps the ship of 5 at E1"),
        ("f2 v", False, "a ship of 4 there touches the ship of 5"),
    ],
)
def test_placement_that_cannot_be_is_explained(word: str, touch: bool, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        placement_of_name(word, (0,), BattleshipRules(touch=touch))


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("a1", "A1 is known: part of a sunk ship; the nearest unshot square is C1"),
        ("a2", "A2 is known: a miss; the nearest unshot square is B2"),
        ("j10", "J10 is known: a hit; the nearest unshot square is J9"),
        ("k1", "`k1` is not a square: expected a letter and a number, from A1 to J10"),
    ],
)
def test_mistake_is_explained(word: str, message: str) -> None:
    rules = BattleshipRules(fleet=(3, 2))
    board = Board.of((2 * 79 + 1, 0), rules)
    for square in (0, 1, 10, 99):
        board = board.shoot(square)
    with pytest.raises(UsageError) as raised:
        parse_action(BattleshipState(rules, (board,)), word)
    assert str(raised.value) == message


def test_end_of_input_and_giving_up_are_polite() -> None:
    for before in ([], [""], ["a1 h"]):
        seating = seating_of("hunt")
        assert said(seating, iter(before))[-1].startswith("End of input")
        assert said(seating, iter([*before, "q\n"]))[-1] == "You gave up; the game does not count."


def test_help_and_board_again() -> None:
    heard = said(seating_of("hunt"), iter(["?\n", "\n", "HELP\n", "\n", "zz\n"]))
    _, _, laying, board, page, again, mistake = heard[:7]
    assert board == again
    assert "C4 h     place the next ship from C4 to the right" in laying
    assert "hint: where likeliest would shoot" in page
    assert "the next ship" not in page
    assert mistake.startswith("`zz` is not a square")


@pytest.mark.parametrize(("opponent", "tally"), [("random", "win_share after"), ("wall", "shots after")])
def test_tally_over_several_games(opponent: str, tally: str) -> None:
    """Games follow on the next deals of the seed until the person has enough."""
    seating = seating_of(opponent, **SMALL)
    heard: list[str] = []
    replies: list[str] = []
    squares, more = iter(every_square(seating.rules)), iter(["y", "Yes", "no"])
    for part in sessions(at_table(seating), iter(replies.pop, "no such line"), 3):
        if isinstance(part, str):
            heard.append(part)
        elif part.text.startswith("another"):
            replies.append(next(more))
            squares = iter(every_square(seating.rules))
        else:
            replies.append("" if part.text.startswith("ship") else next(squares))
    tallies = [text for text in heard if text.startswith(tally)]
    assert [re.search(r"after (\d) games", text)[1] for text in tallies] == ["2", "3"]  # type: ignore[index]
    ends = [text for text in heard if re.search(r"(have|has) (won|cleared)", text)]
    assert len(ends) == 3
    if opponent == "wall":
        numbers = [int(re.search(r"(\d+) shots\.", text)[1]) for text in ends]  # type: ignore[index]
        assert tallies[-1].endswith(f": {np.mean(numbers):.4g} on average")
    else:
        wins = sum("You have won" in text for text in ends)
        assert tallies[-1].endswith(f": you {wins}, random {3 - wins}")


def test_program_called_you_is_not_taken_for_the_person() -> None:
    seating = seating_of("hunt")
    (player,) = seating.players
    named = replace(player, name="you.sink")
    heard = said(replace(seating, players=(named,)), iter(()))
    assert heard[0].startswith("Battleship: you in seat 0, with you (program).")


def test_command_plays(gpkit) -> None:
    typed = ("\n" + "\n".join(every_square(BattleshipRules()))).encode()
    outcome = gpkit("play", "battleship", "--vs", "hunt:corner", "--seed", 3, stdin=typed)
    assert (outcome.code, outcome.err) == (0, "seed 3\n")
    assert "hunt:corner has won after" in outcome.out
    alone = gpkit("play", "battleship", "--vs", "corner", "--seed", 3, "--ascii", stdin=typed)
    assert "You have cleared the board after" in alone.out
    assert alone.out.isascii()


def test_a_board_without_room_is_told(gpkit) -> None:
    rules = ("--rules", "board=2x2", "--rules", "fleet=2,1", "--rules", "touch=no")
    outcome = gpkit("play", "battleship", "--vs", "corner", *rules)
    assert (outcome.code, outcome.out.count("\n")) == (2, 1)
    assert "no layout was" in outcome.err

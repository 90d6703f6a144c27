"""``gpkit play battleship``: the engine's own games by script, programs that play badly, and nothing hidden is told."""

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import pytest
from battleship_table import (
    DEALS,
    SMALL,
    conversation_of,
    every_square,
    legal_fleets,
    lines_of,
    play,
    seating_of,
    shots_in,
)
from conversations import heard as texts_of
from conversations import said
from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.gamekit.players import Player
from gpkit.games.battleship.board import square_name
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.rules import BattleshipRules, Board, FleetDeals, Placements
from gpkit.games.battleship.state import BattleshipState
from gpkit.playing.contest import deal_of
from gpkit.playing.players import player_of_name
from gpkit.playing.session import advised_by


def small_rules() -> st.SearchStrategy[dict[str, str]]:
    choices = {
        "touch": ["yes", "no"],
        "announce": ["ship", "sunk", "hit"],
        "shots": ["one", "again"],
        "found": ["yes", "no"],
        "board": ["6x6", "5x7", "27x4"],
        "fleet": ["3,2", "2,1,1", "4", "1"],
    }
    chosen = st.fixed_dictionaries({}, optional={name: st.sampled_from(v) for name, v in choices.items()})
    return chosen.map(lambda options: {**SMALL, **options})


def typed_lines() -> st.SearchStrategy[list[str]]:
    squares = st.builds("{}{}".format, st.sampled_from("aBcDEfgh"), st.integers(0, 8))
    laid = st.builds("{} {}".format, squares, st.sampled_from("hvHVx"))
    words = st.sampled_from(["", "h", "q", "?", "b", "r", "y", "hint", "\x1b[2J", "ß1", "a1" * 5000])
    return st.lists(st.one_of(squares, squares, laid, words, st.text()), max_size=60)


# The same game as the engine.


def shots_of(
    players: list[Player], deals: FleetDeals, rules: BattleshipRules
) -> list[tuple[int, BattleshipState]]:
    """The shots of a game of programs of lines, as many of which are programs as shoot: whose, and what came of it."""
    lines = lines_of(players, GAME.begin(players, deals, rules), deals)
    return [(seat, line.after) for seat, line in lines if line.executed and line.executed.ends_turn]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("options", [{}, {**SMALL, "shots": "again", "touch": "no"}, {"found": "yes"}])
@pytest.mark.parametrize("opponent", ["hunt", "random:corner"])
def test_person_who_plays_as_a_program_has_its_game(
    seat: int, options: dict[str, str], opponent: str
) -> None:
    """Typing the shots of a program gives the game that the program would play, for the same winner."""
    rules = BattleshipRules.from_options({"mode": "duel", **options})
    players = [player_of_name(name, GAME) for name in ("filter", opponent)]
    seated = [players[seat], players[1 - seat]]
    deals = deal_of(GAME, rules, 7, 0)
    shots = shots_of(seated, deals, rules)
    taken = [(player, after.boards[player].shots[-1]) for player, after in shots]
    typed = [square_name(shot.square, rules) for player, shot in taken if player == seat]
    heard = said(seating_of(opponent, **options), iter(["", *typed]), seed=7, seat=seat)
    name = opponent
    told = shots_in(heard)
    assert [who == "you" for who, _ in told] == [player == seat for player, _ in taken]
    assert [text.partition(":")[0] for _, text in told] == [square_name(s.square, rules) for _, s in taken]
    assert [": hit" in text for _, text in told] == [shot.hit for _, shot in taken]
    end = shots[-1][1]
    winner = "You have won after" if end.returns()[seat] == 1 else f"{name} has won after"
    assert heard[-1].rpartition("\n")[2].startswith(winner)


def test_person_who_clears_a_board_as_a_program_has_its_game() -> None:
    rules = BattleshipRules()
    deals = deal_of(GAME, rules, 7, 0)
    _, end = shots_of([player_of_name(name, GAME) for name in ("hunt", "corner")], deals, rules)[-1]
    shots = end.boards[0].shots
    heard = said(seating_of("corner"), iter(square_name(shot.square, rules) for shot in shots), seed=7)
    assert [": hit" in text for _, text in shots_in(heard)] == [shot.hit for shot in shots]
    assert heard[-1].endswith(f"\nYou have cleared the board after {len(shots)} shots.")


def test_program_begins_in_seat_one() -> None:
    first = [shots_in(said(seating_of("hunt"), iter(["", "a1"]), seat=seat))[0][0] for seat in (0, 1)]
    assert first == ["you", "hunt"]


# Nothing crashes, and nothing hidden is shown.


@settings(deadline=None)
@given(small_rules(), st.sampled_from(["hunt", "density:lines", "uniform", "wall"]), typed_lines(), st.data())
def test_whatever_is_typed(
    options: dict[str, str], opponent: str, lines: list[str], data: st.DataObject
) -> None:
    seat = data.draw(st.integers(0, 1)) if opponent[0] in "hd" else 0
    heard = said(seating_of(opponent, **options), iter(lines), seat=seat)
    assert all(c.isprintable() or c == "\n" for text in heard for c in text)


@lru_cache
def fleets_of_rules(rules: BattleshipRules) -> list[Placements]:
    return list(legal_fleets(rules))


def alike(
    fleets: Sequence[Placements], hidden: Placements, lines: list[str], rules: BattleshipRules
) -> list[Placements]:
    """The fleets of which shots at these squares, in this order, tell the person the same as of the hidden one."""
    boards = {fleet: Board.of(fleet, rules) for fleet in (hidden, *fleets)}
    for line in ("", *(line for line in dict.fromkeys(lines) if line not in ("h", ""))):
        if line and boards[hidden].status == "playing":
            square = every_square(rules).index(line)
            boards = {fleet: board.shoot(square) for fleet, board in boards.items()}
        seen = {
            fleet: BattleshipState(rules, (board, board)).observation(0)[2:]
            for fleet, board in boards.items()
        }
        boards = {fleet: board for fleet, board in boards.items() if seen[fleet] == seen[hidden]}
    return list(boards)


@pytest.mark.release
@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["duel", "solitaire"]),
    st.sampled_from(["ship", "sunk", "hit"]),
    st.sampled_from(["one", "again"]),
    st.booleans(),
    st.data(),
)
def test_fleets_with_the_same_answers_look_the_same(
    mode: str, announce: str, shots: str, touch: bool, data: st.DataObject
) -> None:
    """Whatever the other's fleet is: while it would answer the same, all texts and hints before the end are equal."""
    rules = BattleshipRules(mode, 4, 4, (3, 2), touch, announce, shots, found=data.draw(st.booleans()))
    fleets = fleets_of_rules(rules)
    own, hidden = data.draw(st.sampled_from(fleets)), data.draw(st.sampled_from(fleets))
    order = data.draw(st.permutations([*every_square(rules), "h", "h", ""]))
    lines = order[: data.draw(st.integers(0, 14))]
    same = alike(fleets, hidden, lines, rules)
    other = data.draw(st.sampled_from([fleet for fleet in same if fleet != hidden] or same))
    seat = data.draw(st.integers(0, 1)) if rules.is_duel else 0
    table = conversation_of("hunt" if rules.is_duel else "corner", rules, seat)
    (heard, over), (told, ended) = (play(table, own, fleet, [*lines, "h"]) for fleet in (hidden, other))
    assert over == ended
    assert (heard[:-1] if over else heard) == (told[:-1] if over else told)


@pytest.mark.parametrize(
    "name", ["raster", *(pytest.param(name, marks=pytest.mark.release) for name in ("hunt", "density"))]
)
def test_hint_knows_no_more_than_the_person(name: str) -> None:
    """Also where the rules tell programs a square of a ship."""
    rules = BattleshipRules("duel", 6, 6, (3, 2), found=True)
    table = conversation_of(name, rules, 0)
    table = advised_by(table, table.others[0])
    boards = [Board.of(fleet, rules).shoot(14) for fleet in fleets_of_rules(rules)]
    states = [BattleshipState(rules, (board, board)) for board in boards if board.known[14] == "miss"]
    hints = {tuple(texts_of(table.hint(state, DEALS))) for state in states}
    assert len(hints) == 1
    assert re.match(name + r" would shoot at [A-F][1-6]:\n", hints.pop()[0])


def test_hint_is_the_shot_of_the_program_in_this_place() -> None:
    rules = BattleshipRules.from_options({"mode": "duel"})
    hunt = player_of_name("hunt", GAME)
    _, first = shots_of([hunt] * 2, deal_of(GAME, rules, 4, 0), rules)[0]
    square = square_name(first.boards[0].shots[0].square, rules)
    hint = said(seating_of("hunt"), iter(["", "h"]), seed=4, by_opponent=True)[3]
    assert hint.startswith(f"hunt would shoot at {square}:\n")
    assert re.search(r"^>  Targeting +2 +Shoot +[A-J]\d+\Z", hint, re.MULTILINE)


# Programs that do not play well.


def program(tmp_path: Path, body: str, header: str = "") -> str:
    path = tmp_path / "mine.sink"
    path.write_text(f"// game: battleship\n{header}targeting:\n{body}", encoding="utf-8")
    return str(path)


def test_program_without_steps_loses(tmp_path: Path) -> None:
    heard = said(
        seating_of(program(tmp_path, "  Target\n"), **SMALL), iter(["", "h", "a1"]), by_opponent=True
    )
    assert "mine would run out of steps before a shot" in heard
    assert heard[-2] == "mine ran out of steps before a shot, so its program is invalid"
    assert heard[-1].endswith("\nYou have won after 1 shot; mine has taken 0 shots.")


def test_program_that_misses_the_board_stalls_and_the_person_goes_on(tmp_path: Path) -> None:
    path = program(tmp_path, "  MoveFwd\n  Shoot\n", "// edge: leave\n// off-board: turn\n")
    seating = seating_of(path, board="1x2", fleet="1")
    heard = said(seating, iter(["", "h", "a1", "a2"]), seat=1, by_opponent=True)
    assert ("mine", "a place off the board: miss") in shots_in(heard)
    assert any(text.startswith("mine would shoot at a place off the board:\n") for text in heard)
    assert "You have won after" in heard[-1]


def test_long_way_to_a_shot_is_not_listed(tmp_path: Path) -> None:
    body = "  Target\n" + "  RandDir\n  MoveFwd\n" * 3 + "  IfTrue\n  Shoot\n  SetTrue\n"
    path = program(tmp_path, body, "// end: targeting\n// edge: clamp\n")
    hint = said(seating_of(path, **SMALL), iter(["", "h"]), by_opponent=True)[3]
    assert re.fullmatch(r"mine would shoot at [A-F]\d, after 19 lines of its program", hint)

"""``gpkit play battleship``: the engine's own games by script, every mistake explained, and nothing hidden is told."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.cli.play_battleship import Sitting, chosen_square, hint_text, play_shots, session
from gpkit.cli.seating import Seating, seat_all
from gpkit.core.errors import UsageError
from gpkit.games.battleship.board import placement_of_name, square_name
from gpkit.games.battleship.fleets import Placements, legal_fleets
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.games.battleship.rules import Board, State
from gpkit.languages.sinking.dialect import dialect_of
from gpkit.play.battleship.host import Shooter, play_steps
from gpkit.play.match import deal_of
from gpkit.play.players import Player, player_of_name

SMALL = {"board": "6x6", "fleet": "3,2"}
KEYS = (5, 6)


def seating_of(opponent: str, **options: str) -> Seating:
    rules = [f"{key}={value}" for key, value in options.items()]
    return seat_all(None, [opponent], game="battleship", language=None, players=None, rules=rules)


def said(seating: Seating, lines: Iterator[str], *, seed: int = 1, seat: int = 0) -> list[str]:
    parts = session(seating, lines, seed=seed, seat=seat)
    return [part for part in parts if isinstance(part, str)]


def shots_in(heard: list[str]) -> list[tuple[str, str]]:
    """Who shot and what was told of it, in order."""
    found = [re.match(r"(\S+) shoots? at ([^\n]+:[^\n]+)\Z", text) for text in heard]
    return [(match[1], match[2]) for match in found if match]


def every_square(rules: Rules) -> list[str]:
    return [square_name(square, rules) for square in range(rules.squares)]


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


def shooter(player: Player) -> Shooter:
    return Shooter(player.program, dialect_of(player.header, PRIMITIVES), player.agent.placement or "uniform")


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("options", [{}, {**SMALL, "shots": "again", "touch": "no"}, {"found": "yes"}])
@pytest.mark.parametrize("opponent", ["hunt", "random:corner"])
def test_person_who_plays_as_a_program_has_its_game(
    seat: int, options: dict[str, str], opponent: str
) -> None:
    """Typing the shots of a program gives the game that the program would play, for the same winner."""
    rules = Rules.from_options({"mode": "duel", **options})
    players = [player_of_name(name, GAME) for name in ("filter", opponent)]
    seated = [players[seat], players[1 - seat]]
    deals = deal_of(GAME, rules, 7, 0)
    steps = list(play_steps([shooter(player) for player in seated], deals, rules))
    taken = [(p.player, p.state.boards[p.player].shots[-1]) for p in steps if p.step and p.step.ends_turn]
    typed = [square_name(shot.square, rules) for player, shot in taken if player == seat]
    heard = said(seating_of(opponent, **options), iter(["", *typed]), seed=7, seat=seat)
    name = opponent
    told = shots_in(heard)
    assert [who == "you" for who, _ in told] == [player == seat for player, _ in taken]
    assert [text.partition(":")[0] for _, text in told] == [square_name(s.square, rules) for _, s in taken]
    assert [": hit" in text for _, text in told] == [shot.hit for _, shot in taken]
    end = steps[-1].state
    winner = "You have won after" if end.returns()[seat] == 1 else f"{name} has won after"
    assert heard[-1].rpartition("\n")[2].startswith(winner)


def test_person_who_clears_a_board_as_a_program_has_its_game() -> None:
    rules = Rules()
    deals = deal_of(GAME, rules, 7, 0)
    steps = list(play_steps([shooter(player_of_name("hunt", GAME))], deals, rules, placement="corner"))
    shots = steps[-1].state.boards[0].shots
    heard = said(seating_of("corner"), iter(square_name(shot.square, rules) for shot in shots), seed=7)
    assert [": hit" in text for _, text in shots_in(heard)] == [shot.hit for shot in shots]
    assert heard[-1].endswith(f"\nYou have cleared the board after {len(shots)} shots.")


def test_program_begins_in_seat_one() -> None:
    first = [shots_in(said(seating_of("hunt"), iter(["", "a1"]), seat=seat))[0][0] for seat in (0, 1)]
    assert first == ["you", "hunt"]


# Nothing crashes, and nothing hidden is shown.


@settings(max_examples=60, deadline=None)
@given(small_rules(), st.sampled_from(["hunt", "density:lines", "uniform", "wall"]), typed_lines(), st.data())
def test_whatever_is_typed(
    options: dict[str, str], opponent: str, lines: list[str], data: st.DataObject
) -> None:
    seat = data.draw(st.integers(0, 1)) if opponent[0] in "hd" else 0
    heard = said(seating_of(opponent, **options), iter(lines), seat=seat)
    assert all(c.isprintable() or c == "\n" for text in heard for c in text)


@lru_cache
def fleets_of_rules(rules: Rules) -> list[Placements]:
    return list(legal_fleets(rules))


def sitting_of(opponent: str, rules: Rules, seat: int) -> Sitting:
    player = player_of_name(opponent, GAME)
    adviser = player if rules.is_duel else player_of_name("density", GAME)
    return Sitting(rules, seat, player, opponent, adviser)


def play(sitting: Sitting, own: Placements, hidden: Placements, lines: list[str]) -> tuple[list[str], bool]:
    """What is said in a game on these fleets, and whether it came to its end."""
    fleets = (hidden, own) if sitting.seat == 0 else (own, hidden)
    state = State.begin(fleets if sitting.rules.is_duel else (hidden,), sitting.rules)
    heard: list[str] = []
    parts = play_shots(sitting, state, KEYS, iter(lines))
    while True:
        try:
            part = next(parts)
        except StopIteration as stop:
            return heard, stop.value is not None
        if isinstance(part, str):
            heard.append(part)


def answers(hidden: Placements, lines: list[str], rules: Rules) -> object:
    """All that the person is told by shots at these squares, in this order."""
    board = Board.of(hidden, rules)
    for line in dict.fromkeys(lines):
        if board.status == "playing" and line not in ("h", ""):
            board = board.shoot(every_square(rules).index(line))
    return State(rules, (board, board)).observation(0)[2:]


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
    rules = Rules(mode, 4, 4, (3, 2), touch, announce, shots, found=data.draw(st.booleans()))
    fleets = fleets_of_rules(rules)
    own, hidden = data.draw(st.sampled_from(fleets)), data.draw(st.sampled_from(fleets))
    order = data.draw(st.permutations([*every_square(rules), "h", "h", ""]))
    lines = order[: data.draw(st.integers(0, 14))]
    same = [fleet for fleet in fleets if answers(fleet, lines, rules) == answers(hidden, lines, rules)]
    other = data.draw(st.sampled_from([fleet for fleet in same if fleet != hidden] or same))
    seat = data.draw(st.integers(0, 1)) if rules.is_duel else 0
    sitting = sitting_of("hunt" if rules.is_duel else "corner", rules, seat)
    (heard, over), (told, ended) = (play(sitting, own, fleet, [*lines, "h"]) for fleet in (hidden, other))
    assert over == ended
    assert (heard[:-1] if over else heard) == (told[:-1] if over else told)


@pytest.mark.parametrize("name", ["hunt", "density", "raster"])
def test_hint_knows_no_more_than_the_person(name: str) -> None:
    """Also where the rules tell programs a square of a ship."""
    rules = Rules("duel", 6, 6, (3, 2), found=True)
    sitting = sitting_of(name, rules, 0)
    boards = [Board.of(fleet, rules).shoot(14) for fleet in fleets_of_rules(rules)]
    hints = {hint_text(sitting, board, 5) for board in boards if board.known[14] == "miss"}
    assert len(hints) == 1
    assert re.match(name + r" would shoot at [A-F][1-6]:\n", hints.pop())


def test_hint_is_the_shot_of_the_program_in_this_place() -> None:
    rules = Rules.from_options({"mode": "duel"})
    hunt = player_of_name("hunt", GAME)
    steps = play_steps([shooter(hunt)] * 2, deal_of(GAME, rules, 4, 0), rules)
    first = next(played for played in steps if played.step and played.step.ends_turn)
    square = square_name(first.state.boards[0].shots[0].square, rules)
    hint = said(seating_of("hunt"), iter(["", "h"]), seed=4)[3]
    assert hint.startswith(f"hunt would shoot at {square}:\n")
    assert re.search(r"^>  Targeting +2 +Shoot +[A-J]\d+\Z", hint, re.MULTILINE)


# Programs that do not play well.


def program(tmp_path: Path, body: str, header: str = "") -> str:
    path = tmp_path / "mine.sink"
    path.write_text(f"// game: battleship\n{header}targeting:\n{body}", encoding="utf-8")
    return str(path)


def test_program_without_steps_loses(tmp_path: Path) -> None:
    heard = said(seating_of(program(tmp_path, "  Target\n"), **SMALL), iter(["", "h", "a1"]))
    assert "mine would run out of steps before a shot" in heard
    assert heard[-2] == "mine has no steps left for a shot: its program is invalid here"
    assert heard[-1].endswith("\nYou have won after 1 shot; mine has taken 0 shots.")


def test_program_that_misses_the_board_stalls_and_the_person_goes_on(tmp_path: Path) -> None:
    path = program(tmp_path, "  MoveFwd\n  Shoot\n", "// edge: leave\n// off-board: turn\n")
    seating = seating_of(path, board="1x2", fleet="1")
    heard = said(seating, iter(["", "h", "a1", "a2"]), seat=1)
    assert ("mine", "a place off the board: miss") in shots_in(heard)
    assert any(text.startswith("mine would shoot at a place off the board:\n") for text in heard)
    assert "You have won after" in heard[-1]


def test_long_way_to_a_shot_is_not_listed(tmp_path: Path) -> None:
    body = "  Target\n" + "  RandDir\n  MoveFwd\n" * 3 + "  IfTrue\n  Shoot\n  SetTrue\n"
    path = program(tmp_path, body, "// end: targeting\n// edge: clamp\n")
    hint = said(seating_of(path, **SMALL), iter(["", "h"]))[3]
    assert re.fullmatch(r"mine would shoot at [A-F]\d, after 19 lines of its program", hint)


# The conversation.


@pytest.mark.parametrize(
    ("announce", "told", "status"),
    [
        ("ship", "A1: hit, sinks the ship of 1", "Your shot 2, ships afloat: 2"),
        ("sunk", "A1: hit, sinks a ship", "Your shot 2, ships sunk: 1 of 2"),
        ("hit", "A1: hit", "Your shot 2"),
    ],
)
def test_answers_are_announced_as_the_rules_say(announce: str, told: str, status: str) -> None:
    rules = Rules("duel", 3, 3, (2, 1), announce=announce)
    fleet = (2 * 3, 0)
    heard, _ = play(sitting_of("hunt", rules, 0), fleet, fleet, ["a1"])
    assert shots_in(heard)[0] == ("you", told)
    assert heard[-2].endswith(f"\n{status}")


def test_hit_shoots_again_by_that_rule() -> None:
    rules = Rules("duel", 5, 5, (3,), shots="again")
    heard, _ = play(sitting_of("hunt", rules, 0), (0,), (0,), ["a1", "b1", "a2"])
    assert [who for who, _ in shots_in(heard)][:4] == ["you", "you", "you", "hunt"]


def test_screen_shows_what_is_known_and_the_own_ships() -> None:
    rules = Rules("duel", 4, 4, (2,))
    heard, _ = play(sitting_of("raster", rules, 1), (0,), (28,), ["c4"])
    assert heard[0] == "raster shoots at A1: hit"
    assert heard[1].splitlines()[1:] == [
        "you shoot at    raster shoots at",
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
    typed = ["a1", "a1 h", "c1 v", "", "b", "a2v", "F2 V"]
    heard = said(seating_of("hunt", **SMALL, touch="no"), iter(typed))
    assert heard[2] == "which way from A1? `A1 h` is to the right, `A1 v` is down"
    assert "\n1 3 3 3 . . .\n" in heard[3]
    assert heard[3].endswith("\nNext comes the ship of 2.")
    assert heard[4] == "a ship of 2 there overlaps the ship of 3 at C1"
    assert heard[5] == heard[3]
    assert heard[6].endswith("\nNext comes the ship of 3.")
    assert heard[-2].splitlines()[3:6] == [
        "1 . . . . . .    1 . . . . . .",
        "2 . . . . . .    2 3 . . . . 2",
        "3 . . . . . .    3 3 . . . . 2",
    ]


def test_fleet_at_random_is_the_one_of_the_deal() -> None:
    screens = [said(seating_of("hunt", **SMALL), iter(typed))[-2] for typed in ([""], ["r"], ["a1 v", "r"])]
    assert len(set(screens)) == 1


@pytest.mark.parametrize("word", ["c4 h", "C4h", " c4  H "])
def test_placement_by_name(word: str) -> None:
    assert placement_of_name(word, (), Rules()) == 2 * 32


def test_ship_of_one_square_needs_no_direction() -> None:
    rules = Rules(fleet=(2, 1))
    assert {placement_of_name(word, (0,), rules) for word in ("c1", "c1 h", "c1v")} == {4}


@pytest.mark.parametrize(
    ("word", "touch", "message"),
    [
        ("h", True, "`h` is no square"),
        ("z9 h", True, "`z9 ` is no square: expected a letter and a number, from A1 to J10"),
        ("c4", True, "which way from C4?"),
        ("h1 h", True, "a ship of 4 from H1 to the right leaves the board"),
        ("c8 v", True, "a ship of 4 from C8 down leaves the board"),
        ("e1 v", True, "a ship of 4 there overlaps the ship of 5 at E1"),
        ("f2 v", False, "a ship of 4 there touches the ship of 5"),
    ],
)
def test_placement_that_cannot_be_is_explained(word: str, touch: bool, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        placement_of_name(word, (0,), Rules(touch=touch))


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("a1", "A1 is known: of a ship that sank; the nearest unshot square is C1"),
        ("a2", "A2 is known: a miss; the nearest unshot square is B2"),
        ("j10", "J10 is known: a hit; the nearest unshot square is J9"),
        ("k1", "`k1` is no square: expected a letter and a number, from A1 to J10"),
    ],
)
def test_mistake_is_explained(word: str, message: str) -> None:
    rules = Rules(fleet=(3, 2))
    board = Board.of((2 * 79 + 1, 0), rules)
    for square in (0, 1, 10, 99):
        board = board.shoot(square)
    with pytest.raises(UsageError) as raised:
        chosen_square(word, board)
    assert str(raised.value) == message


def test_end_of_input_and_giving_up_are_polite() -> None:
    for before in ([], [""], ["a1 h"]):
        seating = seating_of("hunt")
        assert said(seating, iter(before))[-1].startswith("No more input")
        assert said(seating, iter([*before, "q\n"]))[-1] == "You give up; the game counts for nobody."


def test_help_and_board_again() -> None:
    heard = said(seating_of("hunt"), iter(["?\n", "\n", "HELP\n", "\n", "zz\n"]))
    _, _, page, board, page_again, again, mistake = heard[:7]
    assert (page, board) == (page_again, again)
    assert "hint: where the opponent would shoot" in page
    assert mistake.startswith("`zz` is no square")


@pytest.mark.parametrize(("opponent", "tally"), [("random", "win_share after"), ("wall", "shots after")])
def test_tally_over_several_games(opponent: str, tally: str) -> None:
    """Games follow on the next deals of the seed until the person has enough."""
    seating = seating_of(opponent, **SMALL)
    heard: list[str] = []
    replies: list[str] = []
    squares, more = iter(every_square(seating.rules)), iter(["y", "Yes", "no"])
    for part in session(seating, iter(replies.pop, "no such line"), seed=3, seat=0):
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
    named = replace(player, agent=replace(player.agent, name="you.sink"))
    heard = said(replace(seating, players=(named,)), iter(()))
    assert heard[0].startswith("Battleship: you in seat 0, with you (program).")


def test_command_plays(gpkit) -> None:
    typed = ("\n" + "\n".join(every_square(Rules()))).encode()
    outcome = gpkit("play", "battleship", "--vs", "hunt:corner", "--seed", 3, stdin=typed)
    assert (outcome.code, outcome.err) == (0, "seed 3\n")
    assert "hunt:corner has won after" in outcome.out
    alone = gpkit("play", "battleship", "--vs", "corner", "--seed", 3, "--ascii", stdin=typed)
    assert "You have cleared the board after" in alone.out
    assert alone.out.isascii()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--vs", "hunt", "--seat", "2"], "there are 2 seats, 0 to 1"),
        (["--vs", "corner", "--seat", "1"], "in solitaire nobody else shoots"),
        (["--vs", "corner", "--rules", "mode=duel"], "corner only places a fleet"),
        (["--vs", "hunt", "--rules", "mode=solitaire"], "hunt shoots, and in solitaire nobody shoots back"),
        (["--vs", "hnt"], "did you mean `hunt`?"),
        (
            ["--vs", "corner", "--rules", "board=2x2", "--rules", "fleet=2,1", "--rules", "touch=no"],
            "no way was",
        ),
    ],
)
def test_refusal(gpkit, arguments: list[str], message: str) -> None:
    outcome = gpkit("play", "battleship", *arguments)
    assert (outcome.code, outcome.out.count("\n")) == (2, message.startswith("no way"))
    assert message in outcome.err

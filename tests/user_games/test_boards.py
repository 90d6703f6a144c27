"""Boards that gpkit draws from squares, pieces and moves of a state, in the terminal and on pages."""

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from conversations import at_table, seating_of
from web_clients import guest

from gpkit import game, sensor
from gpkit.cli.main import main
from gpkit.core.errors import GuestError
from gpkit.core.registry import data_folder, game_of, name_game
from gpkit.gamekit.view import Overlay
from gpkit.playing.session import GameSetup
from gpkit.user_games import boards
from gpkit.user_games.arena import first_of
from gpkit.user_games.rules import WrappedState
from gpkit.web.play import whole_page
from gpkit.web.play_table import seated
from gpkit.web.site import open_site

BREAKTHROUGH = Path(__file__).with_name("breakthrough.py")

pytestmark = pytest.mark.usefixtures("nobodys")


def begun(path: Path) -> WrappedState:
    """The first state of the game in a file."""
    found = game_of(name_game(str(path)))
    rules = found.make_rules({})
    return WrappedState(rules, first_of(found, 0, rules), 0, found, first=first_of(found, 0, rules))


def acted(state: WrappedState, *texts: str) -> WrappedState:
    """The state after some actions."""
    for text in texts:
        state = state.apply(state.game.view.parse_action(state, text))
    return state


def test_board_in_the_terminal_has_shapes_coordinates_and_the_last_move() -> None:
    state = acted(begun(BREAKTHROUGH), "c4b3", "a2b3")
    assert boards.board_text(state, 0).splitlines() == [
        "5 ● ● ● ● ●",
        "4 ● ● · ● ●",
        "3 ·[◆]· · ·",
        "2 · ◆ ◆ ◆ ◆",
        "1 ◆ ◆ ◆ ◆ ◆",
        "  a b c d e",
    ]
    assert boards.board_text(state, 1).count("●") == 10, "everybody's own pieces are discs"


def test_terminal_says_which_side_a_person_plays() -> None:
    table = at_table(seating_of(name_game(str(BREAKTHROUGH)), "greedy"), 1)
    assert table.setting() == "you play ● in seat 1, with greedy ◆"


def test_page_says_the_side_and_lifts_pieces() -> None:
    name = name_game(str(BREAKTHROUGH))
    table = seated(GameSetup(name, ("greedy",), {}, 0, 1, 0), ("greedy",))
    shown = whole_page("x", table, open_site(Path()))
    assert shown["setting"] == "You play ● against greedy ◆"
    assert shown["groups"] == [], "every action has a place"
    (ways,) = re.findall('data-ways="([^"]*)"', shown["boards"][0])
    assert "&quot;c4c3&quot;, [7, 12]" in ways
    assert shown["boards"][0].count('role="button"') == 5, "first only pieces that can move"


def test_page_marks_the_last_move_and_the_best_one() -> None:
    state = acted(begun(BREAKTHROUGH), "c4b3")
    drawn = state.game.view.board_svg(state, 1, (), Overlay(values={0: 5.0}, best=(0,)))
    assert drawn.count('class="trail"') == 1
    assert drawn.count('class="last"') == 1
    assert drawn.count('class="way-best"') == 0, "illegal actions have no way"
    legal = state.legal_actions()[0]
    assert 'class="way-best' in state.game.view.board_svg(
        state, 1, (), Overlay(values={legal: 5.0}, best=(legal,))
    )


@dataclass(frozen=True, slots=True)
class Jumps:
    """A state whose first action has a long way, whose second has one square, and whose third has no place."""

    past: tuple[int, ...] = ()
    hidden: bool = False
    decision = "jump"
    square: tuple[float, ...] = field(default=(0.0, 0.0, 2.0, 2.0))

    @property
    def current_player(self) -> int:
        return len(self.past) % 2

    @property
    def is_terminal(self) -> bool:
        return len(self.past) == 2

    def legal_actions(self) -> list[int]:
        return [] if self.is_terminal else [0, 1, 2]

    def apply(self, action: int) -> "Jumps":
        if action not in self.legal_actions():
            raise ValueError(f"{action} is not legal")
        return replace(self, past=(*self.past, action))

    def returns(self) -> tuple[float, ...]:
        return (0.5, 0.5)

    def observation(self, player: int) -> object:
        return len(self.past) if self.hidden else self.past

    def squares(self) -> dict[int, Any]:
        return {place: (2.0 * place, *self.square[1:]) for place in range(4)}

    def pieces(self, player: int | None) -> dict[int, Any]:
        return {0: (0, "K"), 1: 1, 2: -1} if player in (None, 0) else {}

    def moves(self) -> dict[int, Any]:
        return {0: (0, 1, 3), 1: 2}


@sensor(0, 2, "the action")
def number(state: Jumps, action: int) -> int:
    return action


def jumps(hidden: bool = False) -> WrappedState:
    """The first state of this game."""
    own = game("jumps", lambda: Jumps(hidden=hidden), sensors=[number])
    rules = own.make_rules({})
    return WrappedState(rules, first_of(own, 0, rules), 0, own, first=first_of(own, 0, rules))


def test_pieces_have_signs_and_may_belong_to_nobody_or_be_hidden() -> None:
    assert boards.board_text(jumps(), 0) == "1 ●K ◆  ○  ·\n  a  b  c  d\n"
    assert boards.board_text(jumps(), 1) == "1 · · · ·\n  a b c d\n"
    assert boards.paths(jumps()) == {0: (0, 1, 3), 1: (2,)}
    assert [boards.action_text(jumps(), each) for each in range(3)] == ["a1-b1-d1", "c1", "2"]
    drawn = jumps().game.view.board_svg(jumps(), 0, (), Overlay(labels={0: "far", 1: "near"}))
    assert drawn.count('class="piece"') == 3
    assert ">K</text>" in drawn
    assert 'data-action="1"' in drawn, "one square is chosen at once"


def test_move_that_the_observation_does_not_tell_is_not_marked() -> None:
    assert boards.board_text(jumps().apply(1), 1) == "1 · ·[·]·\n  a b c d\n"
    hidden = jumps(hidden=True).apply(1)
    assert boards.board_text(hidden, None) == "1 ●K ◆ [○] ·\n  a  b  c  d\n"
    assert boards.board_text(hidden, 1) == "1 · · · ·\n  a b c d\n"


@pytest.mark.parametrize(
    ("name", "coordinates"), [("tic_tac_toe", "a1 c3"), ("connect_four", "a g"), ("nim", "")]
)
def test_squares_are_named_as_the_actions_of_the_game_are(name: str, coordinates: str) -> None:
    state = begun(data_folder("programs") / "games" / f"{name}.py")
    named = boards.coordinates(state, boards.squares(state))
    spots = sorted(named, key=lambda each: (boards.squares(state)[each].y, boards.squares(state)[each].x))
    assert " ".join([named[spots[0]], named[spots[-1]]] if named else []) == coordinates
    assert bool(named) or not boards.has_sides(state)


@pytest.mark.usefixtures("brief_doctor")
def test_doctor_says_what_cannot_be_chosen_by_pointer(capsys: pytest.CaptureFixture[str]) -> None:
    text = BREAKTHROUGH.read_text().replace("def moves(", "def ways(")
    Path("mine.py").write_text(text.replace("range(len(self.board))}", "range(len(self.board) // 2)}"))
    assert main(["doctor", "--game", "./mine.py"]) == 1
    assert "in pieces: puts a piece of 1 on 15" in capsys.readouterr().out


FOUR = data_folder("programs") / "games" / "connect_four.py"


def test_the_line_of_the_winner_lights_up_at_the_end() -> None:
    state = acted(begun(FOUR), *"abababa")
    draw = state.game.view.board_svg
    assert 'class="winning"' not in draw(acted(begun(FOUR), *"ababab"), 0, (), Overlay())
    assert boards.winning(state) == (0, 7, 14, 21)
    assert draw(state, 0, (), Overlay()).count('class="winning"') == 4


@pytest.mark.usefixtures("brief_doctor")
@pytest.mark.parametrize(
    ("instead", "fault"),
    [
        ("(99,)", "in winning_squares: gives 99; expected numbers of squares"),
        ("7", "in winning_squares: gives 7; expected numbers of squares"),
        ("('a',)", "in winning_squares: gives 'a'; expected numbers of squares"),
    ],
)
def test_doctor_says_what_is_no_square(instead: str, fault: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = FOUR.read_text().replace(
        "def moves(self):", f"def winning_squares(self):\n        return {instead}\n\n    def moves(self):"
    )
    Path("mine.py").write_text(text)
    assert main(["doctor", "--game", "./mine.py"]) == 1
    assert fault in capsys.readouterr().out


def test_piece_that_moved_says_where_it_came_from() -> None:
    state = acted(begun(BREAKTHROUGH), "c4b3")
    drawn = state.game.view.board_svg(state, 1, (), Overlay())
    assert re.findall(r'data-at="(\d+)" data-from="([\d.]+) ([\d.]+)"', drawn) == [("11", "189.5", "113.5")]


def test_board_is_turned_round_for_the_side_that_starts_at_the_top() -> None:
    def drawn(player: int) -> tuple[dict[str, str], str]:
        svg = begun(BREAKTHROUGH).game.view.board_svg(begun(BREAKTHROUGH), player, (), Overlay())
        rim = re.findall(r'x="([\d.]+)" y="([\d.]+)" [^>]*>(\w)</text>', svg)
        across = sorted(rim, key=lambda each: (each[0] == "15", float(each[0]), float(each[1])))
        pieces = re.findall(r'data-at="(\d+)" transform="translate\(([^)]+)\)"', svg)
        return dict(pieces), "".join(text for _, _, text in across)

    (turned, rim), (usual, others) = drawn(0), drawn(1)
    assert (turned["0"], turned["4"]) == (usual["24"], usual["20"])
    assert (rim, others) == ("edcba12345", "abcde54321")


@pytest.mark.usefixtures("brief_doctor")
def test_piece_on_an_unknown_square_ends_in_a_message(capsys: pytest.CaptureFixture[str]) -> None:
    text = BREAKTHROUGH.read_text().replace('return {square: "bw"', 'return {99: 0} | {square: "bw"')
    Path("mine.py").write_text(text)
    fault = "in pieces: puts a piece of 0 on 99; expected a seat or -1, and one of `squares`"
    with pytest.raises(GuestError, match=re.escape(fault)):
        boards.board_text(begun(Path("mine.py")), 0)
    person, _ = guest(Path())
    begun_at = person.post(f"/play/{name_game('./mine.py')}").headers["location"]
    page = person.get(begun_at)
    assert (page.status_code, fault in page.text) == (400, True)
    assert main(["doctor", "--game", "./mine.py"]) == 1
    assert fault in capsys.readouterr().out

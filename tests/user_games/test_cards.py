"""Hands and rows of cards that gpkit draws: the own hand open, the others' as backs, and cards that can be chosen."""

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from types import SimpleNamespace

from gpkit import game, sensor
from gpkit.gamekit.game import Metric
from gpkit.gamekit.view import Move, Overlay, Played, Words
from gpkit.user_games import boards, cards
from gpkit.user_games.arena import first_of
from gpkit.user_games.rules import WrappedState

NAMES = ("you", "anna")


@dataclass(frozen=True, slots=True)
class Deal:
    """A state in which a card is played to a row, and then a row is taken."""

    hands: tuple[tuple[str, ...], ...] = (("♠9", "♥A", "12"), ("♦K", "7"))
    played: tuple[str, ...] = ()
    hidden: bool = False
    decision = "card"

    @property
    def current_player(self) -> int:
        return len(self.played) % 2

    @property
    def is_terminal(self) -> bool:
        return len(self.played) == 3

    def legal_actions(self) -> list[int]:
        if len(self.played) == 2:
            return [40]
        return [] if self.is_terminal else list(range(len(self.hands[self.current_player])))

    def apply(self, action: int) -> "Deal":
        if action not in self.legal_actions():
            raise ValueError(f"{action} is not legal")
        return replace(self, played=(*self.played, self.action_text(action)))

    def returns(self) -> tuple[float, ...]:
        return (0.5, 0.5)

    def observation(self, player: int) -> object:
        return player, self.hands[player], len(self.played) if self.hidden else self.played

    def action_text(self, action: int) -> str:
        return "table" if action == 40 else self.hands[self.current_player][action]

    def hand(self, player: int) -> tuple[str, ...]:
        return self.hands[player]

    def rows(self) -> dict[str, object]:
        return {"table": list(self.played), "score": "1 to 0"}


@sensor(0, 40, "the action")
def number(state: Deal, action: int) -> int:
    return action


def dealt() -> WrappedState:
    """The first state."""
    own = game("dealt", Deal, sensors=[number])
    rules = own.make_rules({})
    return WrappedState(rules, first_of(own, 0, rules), 0, own, first=first_of(own, 0, rules))


def drawn(state: WrappedState, player: int | None, overlay: Overlay) -> str:
    """The picture on a page."""
    return state.game.view.board_svg(state, player, NAMES, overlay)


def test_hands_of_others_are_backs_until_the_end() -> None:
    state = dealt()
    assert cards.cards_text(state, 0, NAMES).splitlines() == [
        "anna   2 cards",
        "table  -",
        "score  1 to 0",
        "You    ♠9  ♥A  12",
    ]
    assert cards.cards_text(state, 1, NAMES).splitlines()[0] == "You    3 cards"
    picture = drawn(state, 0, Overlay())
    assert (picture.count('class="back"'), picture.count('class="face"')) == (2, 3)
    assert "K</text>" not in picture
    end = state.apply(0).apply(0).apply(40)
    assert "♦K" in cards.cards_text(end, 0, NAMES)
    assert drawn(end, 0, Overlay()).count('class="back"') == 0


def test_cards_and_rows_with_the_text_of_an_action_are_chosen() -> None:
    state = dealt()
    assert cards.choices(state) == {"♠9": 0, "♥A": 1, "12": 2}
    assert set(state.game.view.placed(state)) == {0, 1, 2}
    picture = drawn(state, 0, Overlay({0: "♠9", 1: "♥A", 2: "12"}, values={0: 2.0}, best=(0,)))
    assert picture.count('role="button"') == 3
    assert 'aria-label="♠9, worth 2, best"' in picture
    row = state.apply(0).apply(0)
    assert cards.choices(row) == {"table": 40}
    assert 'class="hit row"' in drawn(row, 0, Overlay({40: "table"}))


def test_last_card_has_a_golden_edge_and_suits_have_colours() -> None:
    picture = drawn(dealt().apply(1), 1, Overlay())
    assert picture.count('class="last"') == 1
    assert "#b81f2c" in picture
    assert picture.count("#20252a") == 1, "the number 7, and no spade"


def test_field_of_the_name_of_a_member_is_no_member() -> None:
    @dataclass(frozen=True)
    class Bar:
        rows: tuple[int, ...] = (3, 3)
        pieces: int = 6

    state = replace(dealt(), position=Bar())
    assert not cards.has_cards(state)
    assert not boards.has_board(state)


def test_long_rows_are_wrapped_in_the_terminal() -> None:
    state = dealt()
    many = replace(state.position, hands=(tuple(f"{k} of {k}" for k in range(10, 40)), ("7",)))
    told = cards.cards_text(replace(state, position=many), 0, NAMES).splitlines()
    assert max(map(len, told)) <= 80
    assert len(told) > 4


def test_hidden_choice_of_a_card_is_a_card_face_down() -> None:
    own = replace(dealt().position, hidden=True)
    state = replace(dealt(), position=own, first=own)
    assert state.game.view.seen_text(state, 0, 1) == "a card, face down"
    assert state.game.view.seen_text(state, 0, 0) == "♠9"


def test_ending_tells_the_score_of_everybody() -> None:
    names, metric = ("you", "anna", "bob"), Metric("bulls", 0.0, 60.0, lower_is_better=True)
    end = SimpleNamespace(returns=lambda: (12.0, 4.0, 9.0), is_terminal=True)
    played = Played(0, names, [Move(None, end)], str, metric)
    assert Words().ending(played)[0] == "anna won: You 12, anna 4, bob 9"


def test_many_cards_overlap_in_one_row_and_all_of_them_can_be_seen() -> None:
    state = dealt()
    hand = tuple(f"{k:02}" for k in range(20))
    state = replace(state, position=replace(state.position, hands=(hand, ("7",))))
    for narrow, rows in ((False, 1), (True, 2)):
        svg = state.game.view.board_svg(state, 0, NAMES, Overlay(is_narrow=narrow))
        found = re.findall(r'<rect class="face"[^>]* x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"', svg)
        spots = [(float(y), float(x), float(width)) for x, y, width in found]
        assert len({y for y, _, _ in spots}) == rows
        steps = [there - here for (y, here, _), (below, there, _) in pairwise(spots) if y == below]
        assert min(steps) >= cards.LEAST_SEEN[narrow]
        assert max(steps) < spots[0][2]
        assert max(x + width for _, x, width in spots) <= (cards.NARROW if narrow else cards.WIDTH)

"""The board as text and as a picture: what it shows, and that what is hidden is not in it."""

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.games.sevens.cards import ACE_LOW, CARDS
from gpkit.games.sevens.forms.view import board_of, board_svg, board_text, event_text, names_of
from gpkit.games.sevens.rules import Event, SevensRules, SevensState, deal
from gpkit_experiments.readable.sevens import play_out

Make = Callable[..., SevensState]

SVG = "{http://www.w3.org/2000/svg}"


def sending(position: Make) -> SevensState:
    """Seat 0 has played and is to send a card to seat 1, who has none to play."""
    state = position(["8h 2d 9d", "Kc 9s", "10c"], "5-7 . 7-9 .", turn=12)
    return state.apply(state.rules.pack.parse("8h"))


def faces(svg: str) -> list[str]:
    """The names of the cards that lie face up, on the table and in hands, in ASCII."""
    return re.findall(r'href="#sevens-\d+-(\w+)"', svg)


def test_open_text(position: Make) -> None:
    assert board_text(sending(position), names=["ann", "bob", "cy"]) == (
        "lap 4, turn 13: ann is to send a card to bob\n"
        "\n"
        "  ♥   .  .  .  .  5  6  7  8  .  .  .  .  .\n"
        "  ♦   .  .  .  .  .  .  .  .  .  .  .  .  .\n"
        "  ♣   .  .  .  .  .  .  7  8  9  .  .  .  .\n"
        "  ♠   .  .  .  .  .  .  .  .  .  .  .  .  .\n"
        "\n"
        "> ann   2 cards  ♦ 2* 9*\n"
        "< bob   2 cards  ♣ K  ♠ 9\n"
        "  cy    1 card   ♣ 10\n"
    )


def test_text_as_one_player_sees_it(position: Make) -> None:
    text = board_text(sending(position), 1)
    assert text.endswith("> seat 0   2 cards\n< seat 1   2 cards  ♣ K  ♠ 9\n  seat 2   1 card\n")


def test_a_person_is_spoken_to(position: Make) -> None:
    names = ["you", "bob", "cy"]
    assert board_text(sending(position), names=names).startswith(
        "lap 4, turn 13: you are to send a card to bob\n"
    )
    to_play = position(["8h 2d 9d", "Kc 9s", "10c"], "5-7 . 7-9 .", turn=12)
    assert board_text(to_play, names=names).startswith("lap 4, turn 12: your turn\n")
    assert ">you</tspan> 2 cards, to send<" in board_svg(sending(position), names=names)


def test_text_of_the_end(position: Make) -> None:
    over = play_out(deal(range(CARDS), SevensRules()), lambda state: state.legal_actions()[0])
    assert " has won\n" in board_text(over)
    ranks = play_out(deal(range(CARDS), SevensRules(end="ranks")), lambda state: state.legal_actions()[0])
    assert ": over, left in this order: seat " in board_text(ranks)
    stalled = play_out(deal(range(CARDS), SevensRules(laps=1)), lambda state: state.legal_actions()[0])
    assert board_text(stalled).startswith("lap 1, turn 3: over, a draw\n")


def test_text_with_a_high_ace(position: Make) -> None:
    state = position(["Ah", "2s 3c"], "2-13 . . .", ace_high="yes")
    assert "  ♥   2  3  4  5  6  7  8  9 10  J  Q  K  .\n" in board_text(state)


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (Event("play", 0, 6), "ann plays ♥7"),
        (Event("send", 0, 51, 2), "ann sends ♠K to seat 2"),
        (Event("send", 0, -1, 2), "ann sends a card to seat 2"),
        (Event("pass", 1), "seat 1 passes"),
    ],
)
def test_events(position: Make, event: Event, text: str) -> None:
    assert event_text(event, ACE_LOW, names_of(["ann"], SevensRules())) == text


def test_open_picture_shows_every_card_once() -> None:
    state = deal(range(CARDS), SevensRules(players=7))
    for _ in range(20):
        assert sorted(faces(board_svg(state))) == sorted(map(state.rules.pack.ascii_name, range(CARDS)))
        state = state.apply(state.legal_actions()[0])


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_hidden_cards_are_in_no_form_of_the_board(
    any_position: st.SearchStrategy[SevensState], data: st.DataObject
) -> None:
    state = data.draw(any_position)
    player = data.draw(st.integers(0, state.rules.players - 1))
    if state.is_terminal:  # all hands are shown
        return
    board = board_of(state, player)
    assert [seat for seat, hand in enumerate(board.hands) if hand is not None] == [player]
    hidden = {card for seat, hand in enumerate(state.hands) if seat != player for card in hand}
    svg, name = board_svg(state, player), state.rules.pack.name
    ascii_name = state.rules.pack.ascii_name
    assert sorted(faces(svg)) == sorted(ascii_name(card) for card in range(CARDS) if card not in hidden)
    just_sent = {event.card for event in board.seen.events}  # the sender knows who has it now
    assert all(name(card) not in svg for card in hidden - just_sent)


def test_names_are_escaped_and_long_ones_cut(position: Make) -> None:
    names = ['<script>alert("x")</script>', "a & b", "n" * 500]
    svg = board_svg(sending(position), names=names)
    assert "<script>" not in svg
    texts = [text.strip() for text in ElementTree.fromstring(svg).itertext()]  # noqa: S314
    assert names[0][:40] in texts
    assert "a & b" in texts
    assert max(map(len, texts)) < 110


def test_a_picture_is_the_same_every_time(position: Make) -> None:
    assert board_svg(sending(position)) == board_svg(sending(position))
    root = ElementTree.fromstring(board_svg(sending(position)))  # noqa: S314
    assert root.tag == f"{SVG}svg"


def test_a_picture_refers_to_its_own_definitions_only(position: Make) -> None:
    state = sending(position)
    for player in (None, 1):
        elements = list(ElementTree.fromstring(board_svg(state, player)).iter())  # noqa: S314
        ids = [element.attrib["id"] for element in elements if "id" in element.attrib]
        links = [value for e in elements for key, value in e.attrib.items() if key.endswith("href")]
        assert len(set(ids)) == len(ids)
        assert {link[1:] for link in links} <= set(ids)
        assert all(link.startswith("#") for link in links)


def test_pictures_of_a_game_share_their_definitions() -> None:
    """What a name means is the same in all of them, on one line, so that a page can hold it once."""
    meanings: dict[str, str] = {}
    for rules in (SevensRules(), SevensRules(ace_high=True)):
        state = deal(range(CARDS), rules)
        while not state.is_terminal:
            for line in board_svg(state).splitlines():
                if found := re.match(r'<(?:path|symbol) id="([^"]+)".*(?:</symbol>|/>)$', line):
                    assert meanings.setdefault(found[1], line) == line
            state = state.apply(state.legal_actions()[0])
    assert len(meanings) == 4 + CARDS

"""Boards on a narrow screen, by fingers and by arrow keys: sizes of what is touched, and places that are too small."""

from collections.abc import Iterator
from typing import Any

import pytest
from web_browser import SIZES, Served, chromium, served

from gpkit.core.registry import GAMES

NARROW, CARD = SIZES[1], 48
"""Size of the screen, and width of a card in a hand at least, in pixels."""

KINDS = "button, a.button, summary, select, input:not([type=radio]), .spot[role=button]"
SMALL = """kinds => [...document.querySelectorAll(kinds)]
    .map(each => [each, (each.querySelector('.hit') || each).getBoundingClientRect()])
    .filter(([each, box]) => box.width && (Math.round(box.width) < 44 || Math.round(box.height) < 44))
    .map(([each, box]) => `${each.outerHTML.slice(0, 99)}: ${box.width} x ${box.height}`)"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The pages of an empty folder."""
    with served(tmp_path_factory.mktemp("touch")) as found:
        yield found


@pytest.fixture(scope="module")
def page(server: Served) -> Iterator[Any]:
    """A page of a narrow touch screen."""
    with chromium() as browser:
        context = browser.new_context(
            viewport={"width": NARROW[0], "height": NARROW[1]}, has_touch=True, reduced_motion="reduce"
        )
        found = context.new_page()
        found.goto(server.address)
        yield found
        context.close()


@pytest.mark.parametrize("game", [entry.name for entry in GAMES])
def test_all_that_is_touched_is_large_enough(server: Served, page: Any, game: str) -> None:
    page.goto(f"{server.root}/play/{game}?seed=1")
    small = page.evaluate(SMALL, KINDS)
    assert [each for each in small if game != "battleship" or "Shoot at" not in each] == []  # ten columns
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW[0]


def test_cards_of_a_hand_are_wide_enough(server: Served, page: Any) -> None:
    page.goto(f"{server.root}/play/sevens?seed=1")
    cards = page.locator(".narrow .spot[role=button] .face, .narrow .dull .face")
    assert cards.count() > 10
    assert min(cards.nth(k).bounding_box()["width"] for k in range(cards.count())) >= CARD


def test_small_place_names_its_card_before_it_is_played(server: Served, page: Any) -> None:
    page.goto(f"{server.root}/play/sevens?seed=4&vs=simple")
    place = page.locator(".narrow .spot.mine text").first
    place.tap()
    assert page.locator("#confirm").inner_text() == "Play 7 of clubs"
    place.tap()
    page.wait_for_selector("[name=turn][value='1']", state="attached")


def test_arrow_keys_go_through_the_rows_of_a_hand(server: Served, page: Any) -> None:
    page.goto(f"{server.root}/play/sevens?seed=4&vs=simple")
    named = "document.activeElement.getAttribute('aria-label')"
    for key, card in (("Right", "clubs"), ("Right", "spades"), ("Right", "spades"), ("Left", "clubs")):
        page.keyboard.press(f"Arrow{key}")
        assert page.evaluate(named) == f"Play 7 of {card}"

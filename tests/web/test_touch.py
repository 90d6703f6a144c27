"""Boards by pointer, fingers and keys: games to their ends, sizes of what is touched, and places that are too small."""

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
def browser() -> Iterator[Any]:
    """A browser for all tests of this file."""
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def page(server: Served, browser: Any) -> Iterator[Any]:
    """A page of a narrow touch screen."""
    context = browser.new_context(
        viewport={"width": NARROW[0], "height": NARROW[1]}, has_touch=True, reduced_motion="reduce"
    )
    found = context.new_page()
    found.goto(server.address)
    yield found
    context.close()


@pytest.mark.release
@pytest.mark.parametrize("game", [entry.name for entry in GAMES])
def test_all_that_is_touched_is_large_enough(server: Served, page: Any, game: str) -> None:
    page.goto(f"{server.root}/play/{game}?seed=1")
    page.wait_for_selector("#act")
    small = page.evaluate(SMALL, KINDS)
    assert [each for each in small if game != "battleship" or "Shoot at" not in each] == []  # ten columns
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW[0]


@pytest.mark.release
def test_cards_of_a_hand_are_wide_enough(server: Served, page: Any) -> None:
    page.goto(f"{server.root}/play/sevens?seed=1")
    page.wait_for_selector("#act")
    cards = page.locator(".narrow .spot[role=button] .face, .narrow .dull .face")
    assert cards.count() > 10
    assert min(cards.nth(k).bounding_box()["width"] for k in range(cards.count())) >= CARD


@pytest.mark.release
def test_small_place_names_its_card_before_it_is_played(server: Served, page: Any) -> None:
    page.goto(f"{server.root}/play/sevens?seed=4&vs=simple")
    page.wait_for_selector("#act")
    place = page.locator(".narrow .spot.mine text").first
    place.tap()
    assert page.locator("#confirm").inner_text() == "Play 7 of clubs"
    place.tap()
    page.wait_for_selector("[name=turn][value='1']", state="attached")


@pytest.mark.release
def test_arrow_keys_go_through_the_rows_of_a_hand(server: Served, page: Any) -> None:
    page.goto(f"{server.root}/play/sevens?seed=4&vs=simple")
    page.wait_for_selector("#act")
    named = "document.activeElement.getAttribute('aria-label')"
    for key, card in (("Right", "clubs"), ("Right", "spades"), ("Right", "spades"), ("Left", "clubs")):
        page.keyboard.press(f"Arrow{key}")
        assert page.evaluate(named) == f"Play 7 of {card}"


WON = {
    "sevens": "You won",
    "battleship": "You sank the fleet",
    "dots_and_boxes": "You won",
    "mastermind": "You found it",
    "build_order": "Six zerglings",
}
SMALL_GAMES = {
    "sevens": "&vs=random",
    "battleship": "&rule.board=5x5&rule.fleet=3",
    "dots_and_boxes": "&rule.board=2x2&vs=random",
    "mastermind": "&rule.colours=3&rule.length=2",
    "build_order": "",
}
ADVISED = ".spot.best[role=button]:visible, .actions button.best:visible, #hint button:has-text('Put it in')"


def choose(page: Any, way: str, what: Any) -> None:
    """Something is clicked, touched, or reached by its focus and chosen by a key."""
    if way == "pointer":
        what.click()
    elif way == "keys":
        what.focus()
        page.keyboard.press("Enter")
    else:
        what.tap()
        if page.locator("#confirm:visible").count():  # too small: the first touch names it
            page.locator("#confirm").tap()


@pytest.mark.release
@pytest.mark.parametrize("way", ["pointer", "touch", "keys"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", list(WON))
def test_every_game_is_won_by_its_hints_and_given_up(
    server: Served, browser: Any, game: str, size: tuple[int, int], way: str
) -> None:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, has_touch=way == "touch", reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(server.address)
    page.goto(f"{server.root}/play/{game}?seed=1{SMALL_GAMES[game]}")
    page.wait_for_selector("#act")
    for _ in range(60):
        turn = page.locator("[name=turn]").first.get_attribute("value")
        if way == "keys":
            page.keyboard.press("h")
        else:
            choose(page, way, page.get_by_role("button", name="Hint", exact=True))
        page.wait_for_selector("#hint h2")
        choose(page, way, page.locator(ADVISED).first)
        if game == "mastermind":
            choose(page, way, page.locator("#guess"))
        page.wait_for_function("turn => document.querySelector('[name=turn]').value !== turn", arg=turn)
        if page.locator(".over").count():
            break
    assert WON[game] in page.locator(".over").inner_text()
    choose(page, way, page.get_by_role("button", name="Play again"))
    page.wait_for_selector("#prompt > div:not(.over)")
    choose(page, way, page.locator(".asks summary"))
    choose(page, way, page.locator(".asks form button").first)
    page.wait_for_selector(".over:has-text('You gave up')")
    context.close()

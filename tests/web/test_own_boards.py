"""Boards of one's own games in a browser: pieces are moved by pointer, touch, dragging and keys."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from web_browser import SIZES, THEMES, Served, chromium, drag_by_touch, served, visit

from gpkit.core.registry import name_game

SHARED = '''"""Shared squares: two actions on one square, two on one way, and a longer way."""
from dataclasses import dataclass
from gpkit import game, sensor
WAYS = {0: 2, 1: 2, 2: (0, 1), 3: (0, 1), 4: (0, 1, 3)}
@dataclass(frozen=True, slots=True)
class State:
    past: tuple = ()
    decision = "go"
    current_player = 0
    @property
    def is_terminal(self):
        return len(self.past) == 5
    def legal_actions(self):
        return [] if self.is_terminal else list(WAYS)
    def apply(self, action):
        if action not in self.legal_actions():
            raise ValueError("not legal")
        return State((*self.past, action))
    def returns(self):
        return (0.5, 0.5)
    def action_text(self, action):
        return "ABCDE"[action]
    def squares(self):
        return {at: (60 * at, 0, 60, 60) for at in range(4)}
    def pieces(self):
        return {0: 0}
    def moves(self):
        return WAYS
@sensor(0, 4, "the action")
def number(state, action):
    return action
GAME = game("shared", State, sensors=[number])
'''

GAME = Path(__file__).parent.parent / "user_games" / "breakthrough.py"

pytestmark = [pytest.mark.release, pytest.mark.usefixtures("nobodys")]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The pages of an empty folder."""
    with served(tmp_path_factory.mktemp("boards")) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser for all tests of this file."""
    with chromium() as found:
        yield found


def turn_of(page: Any) -> str:
    """The number of the turn on the page."""
    return str(page.locator("#act [name=turn]").get_attribute("value"))


def at(page: Any, square: str, kind: str = ".way.spot") -> Any:
    """The place of a square that is shown, by its name."""
    number = "abcde".index(square[0]) + 5 * (5 - int(square[1]))
    return page.locator(f"{kind}[data-square='{number}']:visible")


def by_pointer(page: Any, start: str, end: str) -> None:
    at(page, start).click()
    at(page, end, ".way.target").click()


def by_dragging(page: Any, start: str, end: str) -> None:
    begin, over = at(page, start).bounding_box(), at(page, end, ".way").bounding_box()
    page.mouse.move(begin["x"] + 20, begin["y"] + 20)
    page.mouse.down()
    page.mouse.move(over["x"] + 25, over["y"] + 25, steps=4)
    page.mouse.up()


def by_dragging_with_a_finger(page: Any, start: str, end: str) -> None:
    begin, over = at(page, start).bounding_box(), at(page, end, ".way").bounding_box()
    drag_by_touch(page, (begin["x"] + 20, begin["y"] + 20), (over["x"] + 25, over["y"] + 25))


def by_touch(page: Any, start: str, end: str) -> None:
    at(page, start).tap()
    at(page, end, ".way.target").tap()


def by_keys(page: Any, start: str, end: str) -> None:
    at(page, start).focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    assert page.locator(".way.target:visible").count() == 0
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("way", [by_pointer, by_dragging, by_dragging_with_a_finger, by_touch, by_keys])
def test_piece_is_moved_in_every_way(server: Served, browser: Any, way: Any, size: tuple[int, int]) -> None:
    name = name_game(str(GAME))
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        has_touch="touch" in way.__name__ or "finger" in way.__name__,
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(server.address)
    page.goto(f"{server.root}/play/{name}?seed=1&vs=greedy")
    page.wait_for_selector("#act")
    assert "You play ● against greedy ◆" in page.locator("#setting").inner_text()
    way(page, "c4", "c3")
    page.wait_for_selector("[name=turn][value='1']", state="attached")
    assert "c4c3" in page.locator("#moves").inner_text()
    at(page, "b4").click()
    assert page.locator(".way.target:visible").count() >= 1
    at(page, "b4", ".way.lifted").click()  # the same square puts the piece back
    assert page.locator(".way.target:visible").count() == 0
    context.close()


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", SIZES)
def test_board_with_pieces_can_be_read_by_everybody(
    server: Served, browser: Any, size: tuple[int, int], theme: str
) -> None:
    with visit(browser, server, size, theme) as person:
        page = person.to(f"/play/{name_game(str(GAME))}?seed=1&vs=greedy")
        page.wait_for_selector("#act")
        assert person.violations() == []
        at(page, "c4").click()
        assert at(page, "c3", ".way.target").get_attribute("aria-label") == "c4c3"
        assert person.violations() == []
        page.get_by_role("button", name="Hint", exact=True).click()
        page.wait_for_selector("#hint h2")
        assert page.locator(".way-best").count() >= 1
        assert person.violations() == []
        assert person.complaints == []


def test_keys_are_shown_and_a_lost_game_looks_like_one(server: Served, browser: Any) -> None:
    with visit(browser, server) as person:
        page = person.to(f"/play/{name_game(str(GAME))}?seed=1&vs=greedy")
        page.wait_for_selector("#act")
        page.keyboard.press("?")
        assert page.locator("#keys[open] dt").count() > 5
        assert person.violations() == []
        page.keyboard.press("Escape")
        page.locator(".asks summary").click()
        page.locator(".asks form button").first.click()
        page.wait_for_selector(".over .lost", state="attached")
        assert person.violations() == []


@pytest.mark.parametrize(
    ("squares", "asked", "told"), [("2", "B", "B"), ("0 1 1", "D", "D"), ("0 3", "", "E"), ("0 1 3", "", "E")]
)
def test_actions_that_share_squares_are_all_reached(
    server: Served, browser: Any, squares: str, asked: str, told: str
) -> None:
    Path("shared.py").write_text(SHARED)
    with visit(browser, server) as person:
        page = person.to(f"/play/{name_game('./shared.py')}?seed=1")
        page.wait_for_selector("#act")
        for square in squares.split():
            page.locator(f".way.spot[data-square='{square}']:visible").click()
        if asked:
            assert page.locator("#confirm button").count() == 2
            assert person.violations() == []
            page.get_by_role("button", name=asked, exact=True).click()
        page.wait_for_selector("[name=turn][value='1']", state="attached")
        assert told in page.locator("#moves").inner_text()
        assert person.complaints == []


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_score_counts_up_after_a_win(server: Served, browser: Any, motion: str) -> None:
    text = SHARED.replace("== 5", "== 1").replace("(0.5, 0.5)", "(12.0, 3.0)").replace("shared", "scored")
    text = text.replace("import game", "import Metric, game")
    Path("scored.py").write_text(text.replace("[number])", "[number], metric=Metric('points', 0.0, 20.0))"))
    with visit(browser, server, motion=motion) as person:
        page = person.to(f"/play/{name_game('./scored.py')}?seed=1")
        page.evaluate("""() => {
            window.told = [];
            const note = () => { window.told.push(document.querySelector('#prompt .task').textContent); };
            new MutationObserver(note).observe(document.querySelector('#prompt'), {childList: true, subtree: true});
        }""")
        page.locator(".way.spot[data-square='2']:visible").click()
        page.get_by_role("button", name="A", exact=True).click()
        page.wait_for_selector("#prompt:not([aria-busy]) .task:has-text('You won, 12 to 3')")
        told = [each for each in page.evaluate("window.told") if each.startswith("You won")]
        assert ("You won, 0 to 0" in told) == (motion == "no-preference")
        assert told[-1] == "You won, 12 to 3"
        assert person.violations() == []
        assert person.complaints == []

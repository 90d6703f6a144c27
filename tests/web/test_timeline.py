"""Orders on the timeline of a build order, which a person drags to another time or moves with keys."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from web_browser import SIZES, THEMES, Served, chromium, drag_by_touch, served, visit
from web_clients import guest

ORDERS = ("drone", "drone", "overlord", "spawning_pool")


def begun(client: Any) -> str:
    """The address of a game with a few orders and a wait."""
    place = str(client.post("/play/build_order?seed=1").headers["location"])
    for turn, text in enumerate((*ORDERS[:2], "wait", *ORDERS[2:])):
        assert client.post(f"{place}/act", data={"turn": str(turn), "text": text}).status_code == 303
    return place


def moved(client: Any, place: str, data: dict[str, str]) -> tuple[int, str]:
    """The answer to a request that moves an order."""
    answer = client.post(f"{place}/reorder", data={"turn": "5", **data})
    return answer.status_code, answer.text


def test_order_is_moved_and_the_game_played_again(tmp_path: Path) -> None:
    client, site = guest(tmp_path)
    place = begun(client)
    table = site.tables.latest()[0][1]
    assert moved(client, place, {"place": "3", "to": "1"})[0] == 303
    names = [table.conversation.view.action_text(None, action) for action in table.session.actions]
    assert names == ["drone", "spawning_pool", "drone", "wait", "overlord"]
    assert client.get(place).text.count('class="order"') == 2 * len(ORDERS), (
        "on the wide and the narrow drawing"
    )
    status, text = moved(client, place, {"place": "0", "to": "4"})
    assert (status, "nothing can be moved here now" in text) == (400, True)
    assert moved(client, place, {"place": "1", "to": "0", "turn": "4"})[0] == 400
    assert client.post(f"{place}/act", data={"turn": "5", "text": "zerglings"}).status_code == 303
    status, text = moved(client, place, {"place": "4", "to": "0", "turn": "6"})
    assert (status, "needs a spawning pool" in text) == (400, True)
    assert [*map(int, table.session.actions)][-1] != table.session.actions[0], "nothing has changed"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The pages of an empty folder."""
    with served(tmp_path_factory.mktemp("timeline")) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser for all tests of this file."""
    with chromium() as found:
        yield found


@pytest.mark.release
@pytest.mark.parametrize("way", ["pointer", "touch", "keys"])
@pytest.mark.parametrize(("size", "theme"), list(zip(SIZES, THEMES, strict=True)))
def test_order_is_dragged_along_the_timeline(
    server: Served, browser: Any, size: tuple[int, int], theme: str, way: str
) -> None:
    with visit(browser, server, size, theme) as person:
        page = person.to("/play/build_order?seed=1")
        for turn, name in enumerate(("Drone", "Overlord", "Spawning pool")):
            page.wait_for_selector(f"[name=turn][value='{turn}']", state="attached")
            page.get_by_role("button", name=name).last.click()
        page.wait_for_selector("[name=turn][value='3']", state="attached")
        told = page.locator("#moves li").all_inner_texts()
        assert ["Spawning pool" in each for each in told] == [True, False, False]
        bar = page.locator(".order.spot[data-order='2']:visible")
        assert bar.get_attribute("aria-label").startswith("Spawning pool: 1:0")
        assert person.violations() == []
        first, box = page.locator(".order.spot[data-order='0']:visible").bounding_box(), bar.bounding_box()
        x, y = box["x"] + 4, box["y"] + 8
        if way == "pointer":
            page.mouse.move(x, y)
            page.mouse.down()
            page.mouse.move(first["x"] + 20, y, steps=4)
            page.mouse.up()
        elif way == "touch":
            drag_by_touch(page, (x, y), (first["x"] + 20, y))
        else:
            bar.focus()
            page.keyboard.press("Shift+ArrowLeft")
        page.wait_for_function(
            "() => !document.querySelector('#moves li').innerText.includes('Spawning pool')"
        )
        told = page.locator("#moves li").all_inner_texts()
        assert ["Spawning pool" in each for each in told] == [False, True, False]
        assert person.violations() == []
        page.keyboard.press("1")
        page.wait_for_selector("[name=turn][value='4']", state="attached")
        assert person.complaints == []

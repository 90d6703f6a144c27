"""The workshop in a real browser: from an empty page to an exported Lua file, at two sizes and in two themes."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from web_browser import SIZES, THEMES, Served, Visit, chromium, served, visit

from gpkit.web.workshop import beginnings

HEADER = "// game: sevens\n"
FOCUS = "document.activeElement.id || document.activeElement.tagName"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The pages of an empty folder."""
    with served(tmp_path_factory.mktemp("workshop")) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium."""
    with chromium() as found:
        yield found


def empty_page(person: Visit) -> Any:
    """The workshop with nothing in its editor, reached from the page of programs."""
    page = person.to("/programs")
    if not page.get_by_label("Game and language").is_visible():
        page.locator("summary", has_text="New program").click()
    page.get_by_label("Game and language").select_option("sevens/arithmetic")
    page.get_by_role("button", name="Create").click()
    page.locator("#editor .cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    return page


def types(page: Any, text: str) -> None:
    """Put a text at the cursor at once, as from the clipboard."""
    page.keyboard.insert_text(text)


@pytest.mark.release
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", SIZES)
def test_from_an_empty_page_to_an_exported_lua_file(
    server: Served, browser: Any, size: tuple[int, int], theme: str, tmp_path: Path
) -> None:
    name = f"first-{size[0]}-{theme}.tree"
    with visit(browser, server, size, theme) as person:
        page = empty_page(person)
        types(page, f"{HEADER}play: ")
        page.keyboard.type("env.ran", delay=20)
        page.wait_for_selector("#editor .cm-tooltip-autocomplete li[aria-selected]:has-text('env.rank')")
        page.wait_for_selector("#editor .cm-completionInfo:has-text('the rank')")
        assert person.violations() == []
        page.wait_for_timeout(100)  # the editor ignores Enter just after its list has opened
        page.keyboard.press("Enter")
        page.wait_for_selector("#editor .cm-line:has-text('play: env.rank')")
        types(page, "\nsend:   env.dst\n")
        page.wait_for_selector("#findings li:has-text('sevens has no sensor env.dst.')")
        page.wait_for_selector("#found-told:has-text('1 error')", state="attached")
        page.wait_for_selector("#editor .cm-lintRange-error")
        assert person.violations() == []
        page.get_by_role("button", name="Line 3, column 9").click()
        assert page.evaluate(
            "document.getElementById('editor').shadowRoot.activeElement.className"
        ).startswith("cm-content")
        page.get_by_role("button", name="Use env.dist").click()
        page.wait_for_selector("#findings:empty", state="attached")
        page.wait_for_selector("#picture svg")
        page.get_by_role("button", name="Format").click()
        page.wait_for_selector("#state:has-text('Formatted')")
        assert "send: env.dist" in page.locator("#text").input_value()
        page.get_by_label("File").fill(name)
        page.get_by_role("button", name="Save", exact=True).click()
        page.wait_for_selector("#state:has-text('Saved ')")
        assert (server.site.folder / name).read_text(encoding="utf-8") == page.locator("#text").input_value()
        assert page.url.endswith(f"/edit/{name}")
        page.get_by_role("button", name="Run", exact=True).click()
        page.wait_for_selector("#rows tr:nth-child(2)[data-games]:not([data-games=''])", timeout=60_000)
        assert person.violations() == []
        page.get_by_role("button", name="Stop").click()
        page.wait_for_selector("#match:has-text('Stopped')")
        page.get_by_role("button", name="Line").first.wait_for(state="detached")
        page.locator("#editor .cm-line", has_text="send:").click()
        page.keyboard.press("End")
        types(page, " - env.block")
        page.get_by_role("button", name="Compare").click()
        page.wait_for_selector("#changes ins:has-text('send: env.dist - env.block')")
        page.wait_for_selector("#rows tr:nth-child(2)[data-games]:not([data-games=''])", timeout=60_000)
        assert person.violations() == []
        page.keyboard.press("Control+s")
        page.get_by_text("Lua", exact=True).click()
        page.get_by_role("button", name="Preview").click()
        page.wait_for_selector("#lua pre")
        with page.expect_download() as waiting:
            page.get_by_role("button", name="Download").click()
        waiting.value.save_as(tmp_path / "x.lua")
        assert (tmp_path / "x.lua").read_text(encoding="utf-8") == page.locator("#lua pre").inner_text()
        assert person.violations() == []
        assert person.complaints == []


@pytest.mark.release
def test_editor_is_left_by_escape_and_tab_and_a_changed_file_is_not_lost(
    server: Served, browser: Any
) -> None:
    path = server.site.folder / "kept.tree"
    path.write_text(f"{HEADER}play: env.rank\nsend: env.dist\n", encoding="utf-8")
    with visit(browser, server) as person:
        page = person.to("/edit/kept.tree")
        page.wait_for_selector("#picture svg")
        page.locator("#editor .cm-content").click()
        page.keyboard.press("Tab")
        assert page.evaluate(FOCUS) == "editor"
        page.keyboard.press("Control+z")
        page.locator("#editor .cm-line", has_text="play:").click()
        page.keyboard.press("End")
        page.keyboard.press("Control+i")
        page.wait_for_selector("#state:has-text('the rank')")
        page.locator("#editor .s-variable-other").first.hover()
        page.wait_for_selector("#editor .cm-meaning:has-text('the rank')")
        assert person.violations() == []
        page.keyboard.press("Escape")
        page.keyboard.press("Tab")
        assert page.evaluate(FOCUS) != "editor"
        page.locator("#editor .cm-line", has_text="play:").click()
        page.keyboard.press("End")
        page.keyboard.type(" * 2")
        page.wait_for_selector("#differs:has-text('Differs from the saved version in 0% of 400 states.')")
        path.write_text(HEADER, encoding="utf-8")
        page.locator("#editor .cm-content").click()
        page.keyboard.press("Control+s")
        page.wait_for_selector("#mistake:has-text('changed on disk')")
        page.get_by_role("button", name="Save mine as kept-2.tree").click()
        page.wait_for_selector("#state:has-text('Saved ')")
        assert path.read_text(encoding="utf-8") == HEADER
        person.complaints.remove(
            "Failed to load resource: the server responded with a status of 409 (Conflict)"
        )
        assert person.complaints == []


@pytest.mark.release
def test_every_language_of_every_game_is_coloured_drawn_and_explained(server: Served, browser: Any) -> None:
    with visit(browser, server) as person:
        for value in (value for _, languages in beginnings() for value, _ in languages):
            page = person.to(f"/edit?new={value}")
            page.wait_for_selector("#editor .s-comment")
            page.wait_for_selector("#picture svg")
            assert page.locator("#findings .error").count() == 0
        assert person.complaints == []


@pytest.mark.release
def test_workshop_works_without_the_editor_and_without_scripts(server: Served, browser: Any) -> None:
    (server.site.folder / "plain.tree").write_text(
        f"{HEADER}play: env.rank\nsend:  env.dst\n", encoding="utf-8"
    )
    with visit(browser, server, SIZES[1]) as person:
        person.page.route("**/codemirror.min.js", lambda route: route.fulfill(body=""))
        page = person.to("/edit/plain.tree")
        page.get_by_role("button", name="Line 3, column 8").click()
        assert page.evaluate(FOCUS) == "text"
        types(page, "env.dist")
        page.wait_for_selector("#picture svg")
        page.get_by_role("button", name="Format").click()
        page.wait_for_selector("#state:has-text('Formatted')")
        page.get_by_role("button", name="Save", exact=True).click()
        page.wait_for_selector("#state:has-text('Saved ')")
        assert person.violations() == []
        assert person.complaints == []
    assert (server.site.folder / "plain.tree").read_text(encoding="utf-8").endswith("send: env.dist\n")
    context = browser.new_context(java_script_enabled=False)
    try:
        page = context.new_page()
        page.goto(server.address)
        page.goto(f"{server.root}/edit/plain.tree")
        page.get_by_label("Text of the program").fill(f"{HEADER}play: env.rank\nsend: 2\n")
        page.get_by_role("button", name="Check and draw").click()
        page.wait_for_selector("#picture svg")
        page.get_by_role("button", name="Save", exact=True).click()
        page.wait_for_selector("h1:has-text('Edit plain.tree')")
    finally:
        context.close()
    assert (server.site.folder / "plain.tree").read_text(encoding="utf-8").endswith("send: 2\n")


@pytest.mark.release
def test_match_ends_with_its_page(server: Served, browser: Any) -> None:
    with visit(browser, server) as person:
        page = person.to("/edit?game=mastermind&program=champion")
        page.get_by_role("button", name="Run", exact=True).click()
        page.wait_for_selector("#rows tr:nth-child(4)[data-games='0']", timeout=60_000)
        watched = server.site.matches
        assert watched.going_on()
        person.to("/")
        for _ in range(100):
            if not watched.going_on():
                break
            page.wait_for_timeout(100)
        assert not watched.going_on()
        assert person.complaints == []

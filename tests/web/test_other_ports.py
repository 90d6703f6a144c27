"""A real browser that also visits a server at another port of this machine, and pages that stay open over a restart."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from tiny_run import evolve_tiny
from web_browser import chromium, served, visit

from gpkit.cli.serve import _file_that_leads_to
from gpkit.web.play_table import SAVED

pytestmark = pytest.mark.release

ATTACK = """<!DOCTYPE html><title>attack</title>
<script src="ROOT/static/gpkit.js"></script><link rel="stylesheet" href="ROOT/static/gpkit.css">
<iframe src="ROOT/play/sevens?vs=simple"></iframe><iframe name="into"></iframe>
<form method="post" action="ROOT/play/sevens" target="into"><input name="vs" value="simple"></form>
<form method="get" action="ROOT/league" target="into"><input name="play" value="1"><input name="player" value="simple">
<input name="player" value="random"><input name="game" value="sevens"></form>
<script>
const asked = [];
for (let k = 0; k < 20; k += 1) {
  const image = new Image();
  asked.push(new Promise((resolve) => { image.onload = image.onerror = resolve; }));
  image.src = `ROOT/play/sevens?vs=simple&seed=${k}`;
}
for (const path of ["/heat?game=dots_and_boxes", "/play/sevens", "/league/stop", "/workshop/save", "/"]) {
  for (const method of ["GET", "POST"]) {
    for (const mode of ["no-cors", "cors"]) {
      asked.push(fetch(`ROOT${path}`, { method, mode, credentials: "include" }).catch(() => null));
    }
  }
}
asked.push(new Promise((resolve) => { new WebSocket("ROOT/".replace("http", "ws")).onclose = resolve; }));
document.forms[0].submit();
setTimeout(() => { document.forms[1].submit(); }, 300);
const opened = window.open("ROOT/play/sevens?vs=simple");
Promise.all(asked).then(() => setTimeout(() => { document.title = "done"; }, 700));
</script>
"""


@contextmanager
def attacker(root: str) -> Iterator[tuple[str, list[str]]]:
    """A server at another port, with a page that asks for what it can; its address, and the cookies it was sent."""
    cookies: list[str] = []

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            cookies.append(self.headers.get("cookie", ""))
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(ATTACK.replace("ROOT", root).encode())

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", cookies
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser for all tests of this file."""
    with chromium() as found:
        yield found


def kept(folder: Path) -> dict[str, bytes]:
    """The games that are kept, and the leagues."""
    return {str(path): path.read_bytes() for name in (SAVED, "leagues") for path in (folder / name).glob("*")}


def test_a_page_at_another_port_changes_nothing(browser: Any, tmp_path: Path) -> None:
    with served(tmp_path) as server, visit(browser, server) as person, attacker(server.root) as (evil, _):
        person.to("/play/dots_and_boxes?seed=1")
        before = kept(tmp_path)
        assert len(before) == 1
        statuses: list[int] = []
        person.page.context.on("response", lambda found: statuses.append(found.status))
        person.page.goto(evil)
        person.page.wait_for_function("document.title === 'done'")
        assert kept(tmp_path) == before
        assert [name for name, _ in server.site.tables.latest()] == [Path(next(iter(before))).stem]
        assert server.site.leagues.job is None
        assert {*statuses[1:]} == {403}
        person.to("/")
        assert "your turn" in person.page.content()


def test_the_file_that_opens_a_page_leads_there(
    browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with served(tmp_path) as server:
        context = browser.new_context()
        page = context.new_page()
        address = server.address.replace("/?", "/play/sevens?vs=simple&seed=3&")
        with _file_that_leads_to(address) as file:
            page.goto(file.as_uri())
            page.wait_for_selector("#act")
        assert "token" not in page.url
        (name,) = [name for name, _ in server.site.tables.latest()]
        assert page.url == f"{server.root}/play/sevens/{name}"
        page.goto(f"{server.root}/")
        page.goto(f"{server.root}/play/sevens?vs=simple")
        page.wait_for_selector("#act")
        page.go_back()
        assert page.url == f"{server.root}/"  # not to the page that asks, which would begin another game
        assert len(server.site.tables.latest()) == 2
        context.close()


def test_pages_stay_open_over_a_restart(browser: Any, tmp_path: Path) -> None:
    evolve_tiny(tmp_path / "lately", generations=1)
    (tmp_path / "mine.tree").write_text("// game: sevens\nplay: env.rounds\nsend: 1\n", encoding="utf-8")
    with served(tmp_path) as server, visit(browser, server) as person:
        port, context = int(server.root.rpartition(":")[2]), person.page.context
        pages = {}
        board, trace = "/play/dots_and_boxes?seed=1&rule.board=2x2", "/trace?game=sevens&program=champion"
        for path in (board, "/runs/lately", "/edit/mine.tree", trace):
            pages[path] = page = context.new_page()
            page.goto(server.root + path)
            page.wait_for_function("() => document.readyState === 'complete'")
        played, run, edited, traced = pages.values()
        played.wait_for_selector("#act")
        at = played.url
        server.end()
        edited.locator(".cm-content").focus()
        edited.keyboard.type("// new\n")
        played.locator(".spot[role=button]").first.click()
        traced.keyboard.press("ArrowRight")
        for page in pages.values():
            page.wait_for_selector("#lost p[data-status='0']", timeout=15_000)
        with served(tmp_path, port=port, token="another") as second:  # noqa: S106
            for page in pages.values():
                page.wait_for_selector("#lost p[data-status='401']", timeout=15_000)
                assert "Open the address that it printed" in page.locator("#lost").inner_text()
            fresh = context.new_page()
            fresh.goto(second.address)
            for page in pages.values():
                page.wait_for_selector("#lost", state="hidden", timeout=15_000)
            assert played.url == at
            played.locator(".spot[role=button]").first.click()
            played.wait_for_function("() => document.querySelector('[name=turn]').value !== '0'")
            assert "// new" in edited.locator(".cm-content").inner_text()
            edited.keyboard.press("Control+s")
            edited.wait_for_selector("#state:has-text('Saved')")
            assert "// new" in (tmp_path / "mine.tree").read_text()
            run.wait_for_selector("#chart svg")

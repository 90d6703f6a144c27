"""A real browser at a real server, for tests: the Chromium of the system; they are skipped where it is missing."""

import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from web_clients import KEEPER

from gpkit.web.server import LOOPBACK, MOST_AT_ONCE, Doorkeeper, make_app, make_server
from gpkit.web.site import Site, open_site

AXE = Path(__file__).parent / "web" / "vendor" / "axe.min.js"
ARGUMENTS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
SIZES = ((1280, 900), (390, 800))
THEMES = ("light", "dark")


@dataclass
class Served:
    """A server in a thread of this process: its site, and the address with the token."""

    site: Site
    address: str
    end: Callable[[], None]

    @property
    def root(self) -> str:
        """The address of the first page, without the token."""
        return self.address.partition("/?")[0]


@contextmanager
def served(
    folder: Path, most: int = MOST_AT_ONCE, port: int = 0, token: str = KEEPER.token
) -> Iterator[Served]:
    """The pages of a folder at a port, or at any free one."""
    with socket.socket(
        socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP
    ) as listening:  # as `gpkit serve`
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((LOOPBACK, port))
        listening.listen()
        keeper = Doorkeeper(token, listening.getsockname()[1])
        site = open_site(folder)
        server = make_server(make_app(site, keeper))
        server.config.limit_concurrency = most
        server.config.timeout_graceful_shutdown = 1
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()

        def end() -> None:
            server.should_exit = True
            thread.join(10)
            listening.close()
            site.end()

        try:
            yield Served(site, keeper.address(), end)
        finally:
            end()


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser, or a skip that says what is missing."""
    api = pytest.importorskip("playwright.sync_api", reason="the package playwright is not installed")
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.skip("there is no Chromium on this system (Debian: apt-get install chromium)")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(ARGUMENTS))
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Visit:
    """A page of a person who was let in, and what its console complained of."""

    page: Any
    root: str
    complaints: list[str] = field(default_factory=list)

    def to(self, path: str) -> Any:
        """The page of a path."""
        self.page.goto(self.root + path)
        self.page.wait_for_function(
            "() => document.readyState === 'complete' && !document.querySelector('form[data-begins]')"
        )
        return self.page

    def violations(self) -> list[str]:
        """Violations that axe-core finds on the page as it is, and whether it is wider than the screen."""
        self.page.evaluate(AXE.read_text(encoding="utf-8") + ";0")
        found = self.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        wide = self.page.evaluate("document.documentElement.scrollWidth > innerWidth")
        return [
            f"{each['id']}: {each['nodes'][0]['html'][:200]} {each['nodes'][0]['failureSummary'][:300]}"
            for each in found["violations"]
        ] + (["the page is wider than the screen"] if wide else [])


@contextmanager
def visit(
    browser: Any,
    server: Served,
    size: tuple[int, int] = SIZES[0],
    theme: str = "light",
    motion: str = "reduce",
) -> Iterator[Visit]:
    """A person who was let in, at a screen of a size and a theme."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme=theme, reduced_motion=motion
    )
    try:
        found = Visit(context.new_page(), server.root)
        found.page.on(
            "console",
            lambda message: found.complaints.append(message.text) if message.type == "error" else None,
        )
        found.page.on("pageerror", lambda error: found.complaints.append(str(error)))
        found.page.goto(server.address)
        yield found
    finally:
        context.close()


def drag_by_touch(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    """A finger that goes down, moves in two steps, and goes up again."""
    touch = page.context.new_cdp_session(page)
    touch.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    for kind, places in (
        ("touchStart", [start]),
        ("touchMove", [middle]),
        ("touchMove", [end]),
        ("touchEnd", []),
    ):
        points = [{"x": x, "y": y} for x, y in places]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

"""Pictures for the documentation, taken from the real pages, and beside each what a screen reader finds there.

``python tests/screenshots.py`` writes ``docs/images/NAME.png`` and ``NAME.yml``. A test takes them anew and compares
the texts: where they differ, a page no longer has what its picture shows, and this script takes the pictures again.
"""

import io
import re
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image
from tiny_run import evolve_tiny
from web_browser import chromium, served, visit

IMAGES = Path(__file__).parent.parent / "docs" / "images"
MOST_BYTES = 80_000
COLOURS = 192
"""Colours of a picture, which keep it small."""


@dataclass(frozen=True)
class Scene:
    """A picture: the page, what is done there, and the part that is shown.

    Attributes:
        name: of the files.
        path: of the page.
        do: on the page.
        shown: CSS selector of the part.
        width: of the window, in pixels.
        theme: light or dark.
    """

    name: str
    path: str
    do: Callable[[Any], object]
    shown: str = "main"
    width: int = 900
    theme: str = "light"


def hinted(page: Any) -> None:
    """Ask for a hint of a program that stays as it is."""
    page.get_by_role("button", name="Hint", exact=True).click()
    page.get_by_label("Hint from").select_option("medium")
    page.wait_for_selector(".bars")


def laid(page: Any) -> None:
    """Lay two ships out, and turn the third."""
    for name, told in (("B2", "ship of 4"), ("D5", "ship of 3")):
        page.get_by_role("button", name=name, exact=True).click()
        page.wait_for_selector(f".task:has-text('{told}')")
    page.get_by_role("button", name="Turn").click()
    page.wait_for_selector(".task:has-text('down')")


def answered(page: Any) -> None:
    """Answer the first guess."""
    page.get_by_role("button", name="1 black 1 white").click()
    page.wait_for_selector(".task:has-text('Guess 2')")


def counted(page: Any) -> None:
    """Count games."""
    page.get_by_text("Heat maps over many games").click()
    page.get_by_label("Games", exact=True).fill("60")
    page.get_by_role("button", name="Show", exact=True).click()
    page.wait_for_selector(".heat-maps[data-counted='60']:not([aria-busy])")


def drawn(page: Any) -> None:
    """Wait for the program's picture."""
    page.wait_for_selector(".drawn svg")


def watched(page: Any) -> None:
    """Wait for the curves."""
    page.wait_for_selector("[data-number='champion']:has-text('%')")
    page.wait_for_selector("#chart .line.champion", state="attached")
    page.wait_for_selector("dt:has-text('Against random')", timeout=60_000)


def written(page: Any) -> None:
    """Run a program, and change it so that something is found."""
    page.get_by_role("button", name="Run").click()
    page.wait_for_selector("#match:has-text('Finished.')", timeout=60_000)
    page.locator("#editor .cm-line", has_text="order:").click()
    page.keyboard.press("End")
    page.keyboard.insert_text(" / env.lak")
    page.wait_for_selector("#found-told:has-text('1 error')", state="attached")
    page.get_by_label("File").focus()


def met(page: Any) -> None:
    """Wait for the table."""
    page.wait_for_selector(".cross", timeout=60_000)


LEAGUE = "&".join(f"player={name}" for name in ("random", "simple", "hold", "medium"))

SCENES = (
    Scene("home", "/", lambda page: page.wait_for_load_state("networkidle"), ".games", 1100),
    Scene("hint", "/play/sevens?seed=3&vs=simple", hinted, ".play", 1300),
    Scene("laying", "/play/battleship?seed=3&vs=hunt", laid, ".at", 600),
    Scene("answering", "/play/mastermind?seed=3&vs=knuth", answered, ".at", 600, "dark"),
    Scene("trace", "/trace?game=battleship&program=likeliest&step=9", drawn, "#step", 1100),
    Scene("heat", "/trace?game=battleship&program=hunt&seed=1", counted, ".heat-maps", 1000),
    Scene("workshop", "/edit?game=build_order&program=earliest", written, "main", 1100),
    Scene("run", "/runs/tiny", watched, "main", 900),
    Scene("league", f"/league?game=sevens&{LEAGUE}&count=300&play=1", met, ".two", 1100),
)  # fmt: skip


def without_numbers(text: str) -> str:
    """A text in which all numbers are alike: they may change where what they are numbers of does not."""
    return re.sub(r"[-+.\d]*\d", "0", text)


def small(data: bytes) -> bytes:
    """A PNG with few colours."""
    kept = io.BytesIO()
    Image.open(io.BytesIO(data)).convert("RGB").quantize(COLOURS).save(kept, "PNG", optimize=True)
    return kept.getvalue()


def take(folder: Path, wanted: Callable[[Scene], bool] = lambda scene: True) -> list[str]:
    """Take the pictures, and tell the console's complaints."""
    complaints: list[str] = []
    with tempfile.TemporaryDirectory() as place:
        evolve_tiny(Path(place) / "tiny")
        with chromium() as browser, served(Path(place)) as server:
            for scene in filter(wanted, SCENES):
                with visit(browser, server, (scene.width, 900), scene.theme) as person:
                    page = person.to(scene.path)
                    page.emulate_media(reduced_motion="reduce")
                    scene.do(page)
                    part = page.locator(scene.shown).first
                    text = part.aria_snapshot()
                    (folder / f"{scene.name}.yml").write_text(text + "\n", encoding="utf-8")
                    (folder / f"{scene.name}.png").write_bytes(small(part.screenshot(animations="disabled")))
                    complaints += person.complaints
    return complaints


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    names = sys.argv[1:]
    for complaint in take(IMAGES, lambda scene: not names or scene.name in names):
        print(complaint)  # noqa: T201 - the script's own output

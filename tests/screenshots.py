"""Pictures of the documentation: real pages, and what the commands of the tutorials draw; light and dark.

``python tests/screenshots.py`` makes all of them anew: ``docs/images/NAME.png`` and ``NAME-dark.png``, and in
``made_from.json`` by name a digest of what each is made from; with NAMES only those. Where the digest of today differs,
the picture is stale.

A **drawing** is made from what its command writes (DOT, or an SVG of ours). Every machine writes the same, no browser
is needed, and few changes touch one: a stale drawing fails a test. A **page** is made from the part that is shown and
the style rules that reach it. One colour makes all of them stale, and only a browser finds out: the tests before a
release warn of them.
"""

import hashlib
import html
import io
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import ExitStack, chdir
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from PIL import Image
from sessions import LOVE, Block, blocks, follow, lua_state, write_files
from tiny_run import evolve_tiny
from web_browser import chromium, served, visit

from gpkit.core import plugins
from gpkit.core.registry import GAMES

DOCS = Path(__file__).parent.parent / "docs"
IMAGES = DOCS / "images"
MADE_FROM = IMAGES / "made_from.json"
MOST_BYTES = 80_000
COLOURS = 192
"""Colours of a picture, which keep it small."""


@dataclass(frozen=True)
class Scene:
    """A picture of a page: what is done there, and the part that is shown.

    Attributes:
        name: of the files.
        path: of the page.
        do: on the page.
        shown: CSS selector of the part.
        width: of the window, in pixels.
        also: further parts, by the names of their pictures.
    """

    name: str
    path: str
    do: Callable[[Any], object]
    shown: str = "main"
    width: int = 900
    also: Mapping[str, str] = field(default_factory=dict)

    @property
    def parts(self) -> dict[str, str]:
        """CSS selectors by the names of the pictures."""
        return {self.name: self.shown, **self.also}


def hinted(page: Any) -> None:
    """Ask for a hint of a program that stays as it is."""
    page.get_by_role("button", name="Hint", exact=True).click()
    page.get_by_label("Hint from").select_option("medium")
    page.wait_for_selector(".bars")


def laid(page: Any) -> None:
    """Lay two ships out, and turn the third."""
    for name, told in (("B2", "ship of 4"), ("D5", "ship of 3")):
        page.get_by_role("button", name=f"Place at {name}", exact=True).locator(".hit").click()
        page.wait_for_selector(f".task:has-text('{told}')")
    page.get_by_role("button", name="Turn").click()
    page.wait_for_selector(".task:has-text('down')")


def answered(page: Any) -> None:
    """Answer the first guess."""
    page.get_by_role("button", name="1 black, 1 white").click()
    page.wait_for_selector("[name=turn][value='1']", state="attached")


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
    page.wait_for_selector("dt:has-text('Against random')")


def written(page: Any) -> None:
    """Run a program, and change it so that something is found."""
    page.get_by_role("button", name="Run").click()
    page.wait_for_selector("#match:has-text('Done')")
    page.locator("#editor .cm-line", has_text="order:").click()
    page.keyboard.press("End")
    page.keyboard.insert_text(" / env.lak")
    page.wait_for_selector("#found-told:has-text('1 error')", state="attached")
    page.get_by_label("File").focus()


def met(page: Any) -> None:
    """Wait for the table."""
    page.wait_for_selector(".cross")


def came(page: Any) -> None:
    """Wait for all that the page loads."""
    page.wait_for_load_state("networkidle")


def lifted(page: Any) -> None:
    """Answer a step, and lift a pawn."""
    page.locator(".way.spot[data-square='7']:visible").click()
    page.locator(".way.target[data-square='4']:visible").click()
    page.wait_for_selector("[name=turn][value='1']", state="attached")
    page.locator(".way.spot:visible").last.click()
    page.mouse.move(0, 0)


LEAGUE = "&".join(f"player={name}" for name in ("random", "simple", "hold", "medium"))
CARDS = {f"card-{entry.name}": f".picture[href='/play/{entry.name}']" for entry in GAMES}

OWN_GAMES = (
    Scene("pawns", "/play/hexapawn?seed=1&vs=random", lifted, ".board", 700),
    Scene("chomp", "/play/chomp?seed=1&vs=careful", came, ".at", 900),
)
"""Come last: the first page would show these games, too."""

SCENES = (
    Scene("home", "/", came, ".games", 1100, CARDS),
    Scene("hint", "/play/sevens?seed=3&vs=simple", hinted, ".play", 1300),
    Scene("laying", "/play/battleship?seed=3&vs=hunt", laid, ".at", 600),
    Scene("answering", "/play/mastermind?seed=3&vs=knuth", answered, ".at", 600),
    Scene("trace", "/trace?game=battleship&program=likeliest&step=9", drawn, "#step", 1100),
    Scene("heat", "/trace?game=battleship&program=hunt&seed=1", counted, ".heat-maps", 1000),
    Scene("workshop", "/edit?game=build_order&program=earliest", written, "main", 1100),
    Scene("run", "/runs/tiny", watched, "main", 900),
    Scene("league", f"/league?game=sevens&{LEAGUE}&count=300&play=1", met, ".two", 1100),
    Scene("sinker", "/trace?game=battleship&program=nearby.sink&step=40", drawn, "#step", 1100),
    Scene("four", "/play/sevens?seed=1&vs=random,random,random", came, ".at", 900),
    *OWN_GAMES,
)  # fmt: skip

DRAWINGS: Mapping[str, str] = {
    "square": "gpkit draw square.tree --game ./chomp.py",
    "corner": "gpkit draw corner.decide --game ./chomp.py",
    "nearby": "gpkit draw nearby.sink",
    "first": "gpkit draw first.tree",
    "champion": "gpkit draw champion --game sevens",
    "found": "gpkit draw player/best/champion.tree",
    "curves": "gpkit draw player --what curves",
    "deal": "gpkit draw careful.rules --rule deal --on 3x3",
    "plan": "gpkit draw eight.plan --trace --games 3",
    "outward": "gpkit draw outward.decide",
}
"""What draws each picture, in a folder with the files of the documentation and a run of its ``quick.toml``."""

OTHERS = ("love", "lua")
"""Drawings of the game for LÖVE and of code."""

NAMES = sorted([*DRAWINGS, *OTHERS, *(name for scene in SCENES for name in scene.parts)])

STYLE = """
body { margin: 0; background: #fff; color: #1f2428; width: max-content; font: 15px/22px ui-monospace, monospace; }
svg { display: block; } .graph > polygon { fill: none; } .page { zoom: 1.25; padding: 8px; }
pre { margin: 0; tab-size: 2; font: inherit; }
b { color: #0a5a96; } i { color: #7a4b00; font-style: normal; } h1 { font: bold 20px/28px sans-serif; margin: 0 0 8px; }
@media (prefers-color-scheme: dark) {
  body { background: #14171a; color: #e9ebed; } b { color: #7cc4f5; } i { color: #f2c25b; }
  svg:not(.gpkit-chart, .game) { filter: invert(0.92) hue-rotate(180deg); }
}
"""
"""Of a page that shows a drawing: dark, the drawings for white paper are turned round, their hues kept."""


def draw(folder: Path) -> dict[str, str]:
    """By name the text that is drawn: DOT, the SVG of a chart or a game, or code."""
    for page in sorted(DOCS.rglob("*.md")):
        write_files(blocks(page.read_text(encoding="utf-8")), folder)
    files = {name: f"{name}.{'svg' if '--what' in line else 'dot'}" for name, line in DRAWINGS.items()}
    lines = [
        "gpkit evolve quick.toml --out player",
        "gpkit export champion --game sevens --to lua -o lua.lua",
        "gpkit export square.tree --game ./chomp.py --to lua --mode player -o player.lua",
    ]
    run([*lines, *(f"{DRAWINGS[name]} -o {file}" for name, file in files.items())], folder)
    found = {name: (folder / file).read_text(encoding="utf-8") for name, file in files.items()}
    lua = re.search(r"^function M.play.*?^end", (folder / "lua.lua").read_text(encoding="utf-8"), re.M | re.S)
    assert lua is not None
    return found | {"love": of_love(folder), "lua": lua[0]}


def run(lines: Iterable[str], folder: Path) -> None:
    """Run commands in a folder."""
    follow([Block("", "", "console", "".join(f"$ {line}\n" for line in lines))], folder)


def shown(texts: Mapping[str, str], folder: Path) -> dict[str, str]:
    """By name HTML that shows a drawing, in the folder in which the texts were drawn."""
    run((f"{line} -o {name}.svg" for name, line in DRAWINGS.items() if "--what" not in line), folder)
    found = {name: (folder / f"{name}.svg").read_text(encoding="utf-8") for name in DRAWINGS}
    bodies = {name: svg[svg.index("<svg") :] for name, svg in found.items()}
    return bodies | {"love": texts["love"], "lua": f"<pre>{coloured(texts['lua'])}</pre>"}


def digest(text: str) -> str:
    """What tells one text from another."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def drawings_made_from(texts: Mapping[str, str]) -> dict[str, str]:
    """By name the digest of what each drawing is made from."""
    return {name: digest(STYLE + text) for name, text in texts.items()}


def stale(made_from: Mapping[str, str]) -> str:
    """The command that makes the pictures anew that are made from something else than these; empty if none is."""
    then = json.loads(MADE_FROM.read_text(encoding="utf-8"))
    old = [name for name in sorted(made_from) if made_from[name] != then.get(name)]
    return f"python tests/screenshots.py {' '.join(old)}" if old else ""


def coloured(lua: str) -> str:
    """A text in Lua as HTML, with words and numbers of the language in colours."""
    words = r"\b(function|local|return|end|or)\b"
    return re.sub(words, r"<b>\1</b>", re.sub(r"(?<![\w&#])-?\d[\d.]*", r"<i>\g<0></i>", html.escape(lua)))


def of_love(folder: Path) -> str:
    """The window of the tutorial's game for LÖVE as SVG, after a bite and the program's answer."""
    shapes, colour = [], ["white"]
    with chdir(folder):
        state = lua_state()
        love = state.globals().love = state.execute(LOVE.read_text(encoding="utf-8"))
        state.execute(Path("main.lua").read_text(encoding="utf-8"))

        def paint(*parts: float) -> None:
            colour[0] = "#" + "".join(f"{round(255 * part):02x}" for part in parts)

        def fill(_: str, x: float, y: float, width: float, height: float) -> None:
            shapes.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{colour[0]}"/>')

        def write(text: str, x: float, y: float) -> None:
            shapes.append(f'<text x="{x}" y="{y + 12}" fill="{colour[0]}" font-size="14">{text}</text>')

        love.graphics.setColor, love.graphics.rectangle, love.graphics.print = paint, fill, write
        love.load()
        love.mousepressed(330, 250)
        for _ in range(FRAMES):
            love.update(0.1)
        love.draw()
    ground = '<rect width="480" height="340" fill="#1a1a1a"/>'
    return (
        f'<svg class="game" width="480" height="340" font-family="sans-serif">{ground}{"".join(shapes)}</svg>'
    )


FRAMES = 20
"""Two seconds of the game, in which the program answers."""


def small(data: bytes) -> bytes:
    """A PNG with few colours."""
    kept = io.BytesIO()
    Image.open(io.BytesIO(data)).convert("RGB").quantize(COLOURS).save(kept, "PNG", optimize=True)
    return kept.getvalue()


def shoot(part: Any, name: str, folder: Path) -> None:
    """The two pictures of a part of a page."""
    for theme, end in (("light", ""), ("dark", "-dark")):
        part.page.emulate_media(reduced_motion="reduce", color_scheme=theme)
        (folder / f"{name}{end}.png").write_bytes(small(part.screenshot(animations="disabled")))


def take(folder: Path, names: Collection[str] = NAMES) -> tuple[list[str], dict[str, str]]:
    """Take pictures of names.

    Returns:
        The console's complaints, and by name the digest of what each picture is made from.
    """
    complaints: list[str] = []
    with ExitStack() as around:
        place = Path(around.enter_context(tempfile.TemporaryDirectory()))
        around.enter_context(
            patch.object(plugins, "here", plugins.Discovery(installed=plugins.here.installed))
        )
        browser = around.enter_context(chromium())
        made_from = drawings_made_from(texts := draw(place))
        drawings = shown(texts, place)
        evolve_tiny(place / "pages" / "tiny")
        shutil.copy(place / "nearby.sink", place / "pages")
        server = around.enter_context(served(place / "pages"))
        for scene in SCENES:
            if scene in OWN_GAMES:
                plugins.game_file(str(place / f"{scene.path.split('?')[0].rpartition('/')[2]}.py"))
            if not scene.parts.keys().isdisjoint(names):
                told, found = visited(scene, browser, server, folder)
                complaints += told
                made_from |= found
        page = browser.new_page()
        for name, body in drawings.items():
            if name in names:
                page.set_content(f'<style>{STYLE}</style><div class="page">{body}</div>')
                shoot(page.locator("body > div"), name, folder)
    return complaints, {name: made_from[name] for name in names}


STYLED = """part => {
  const near = each => part.contains(each) || each.contains(part)
  const reaches = selector => [...document.querySelectorAll(selector.replace(/::[-\\w]+/g, ""))].some(near)
  const reach = rules => [...rules].flatMap(rule => rule.selectorText
    ? reaches(rule.selectorText) ? [rule.cssText] : []
    : rule.cssRules ? [rule.conditionText, ...reach(rule.cssRules)] : [])
  return [part.outerHTML, [...document.styleSheets].flatMap(sheet => reach(sheet.cssRules)).join("\\n")]
}"""
"""What a part of a page is made from: its HTML, and the style rules that reach it or what it lies in."""


def without_moments(page: str) -> str:
    """HTML without what differs each time: names of games in addresses, and numbers, as those of speeds."""
    return re.sub(r"[-+.\d]*\d", "0", re.sub(r"(/play/\w+)/[\w-]+", r"\1", page))


def visited(scene: Scene, browser: Any, server: Any, folder: Path) -> tuple[list[str], dict[str, str]]:
    """Take the pictures of a page; the console's complaints, and by name the digest of what each is made from."""
    with visit(browser, server, (scene.width, 900)) as person:
        person.page.set_default_timeout(120_000)
        page = person.to(scene.path)
        page.emulate_media(reduced_motion="reduce")
        scene.do(page)
        page.mouse.move(0, 0)
        parts = {name: page.locator(shown).first for name, shown in scene.parts.items()}
        made_from = {}
        for name, part in parts.items():
            content, styles = part.evaluate(STYLED)
            made_from[name] = digest(without_moments(content) + styles)
            if name == scene.name:
                part.evaluate("part => part.style.padding = '12px'")
            shoot(part, name, folder)
        return person.complaints, made_from


def main(names: Collection[str]) -> None:
    """Take pictures of names, all if there are none, and print what came of it."""
    if unknown := set(names) - set(NAMES):
        raise SystemExit(
            f"no picture has the name {', '.join(sorted(unknown))}; there are: {', '.join(NAMES)}"
        )
    complaints, made_from = take(IMAGES, names or NAMES)
    then = json.loads(MADE_FROM.read_text(encoding="utf-8")) if MADE_FROM.exists() else {}
    kept = {name: made_from.get(name, then.get(name)) for name in NAMES}
    MADE_FROM.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    changed = [name for name, each in made_from.items() if each != then.get(name)]
    sizes = [path.stat().st_size for path in IMAGES.glob("*.png")]
    told = f"changed: {', '.join(changed) or 'none'}; all {len(sizes)} pictures: {sum(sizes) // 1000} kB"
    print(*complaints, told, sep="\n")  # noqa: T201 - the script's own output


if __name__ == "__main__":
    main(sys.argv[1:])

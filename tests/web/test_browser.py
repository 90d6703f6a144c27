"""Pages in a real browser, as a person uses them: by keyboard, by clicks, at two sizes and in two themes."""

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tiny_run import TINY, evolve_tiny
from web_browser import SIZES, THEMES, Served, chromium, served, visit

from gpkit.core.registry import GAMES, name_game
from gpkit.core.settings import print_config
from gpkit.core.work_folder import HOLDER, locked
from gpkit.evolution.config import StopSettings

pytestmark = pytest.mark.usefixtures("none_named")

NAMES = [entry.name for entry in GAMES]
TREES = Path(__file__).parents[1] / "cases" / "accessibility_trees.txt"
SMALL = {
    "sevens": "",
    "battleship": "&rule.board=5x5&rule.fleet=2",
    "dots_and_boxes": "&rule.board=2x2",
    "mastermind": "&rule.colours=3&rule.length=2",
    "build_order": "",
}
MOST_ACTIONS = 120
FIRST_PAINT = """() => new Promise(resolve => {
    new PerformanceObserver(list => {
        for (const each of list.getEntriesByName('first-contentful-paint')) resolve(each.startTime);
    }).observe({type: 'paint', buffered: true});
})"""  # milliseconds; the browser may paint after the page has loaded

PILLS = """() => {
    window.pills = [];
    const note = () => {
        const pill = document.querySelector('#head .pill').textContent.trim().replace(/^\\W+/, '');
        if (window.pills.at(-1) !== pill) window.pills.push(pill);
    };
    note();
    new MutationObserver(note).observe(document.body, {childList: true, subtree: true, characterData: true});
}"""  # notes every state that a run is said to be in


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The pages of a folder with a program."""
    folder = tmp_path_factory.mktemp("browser")
    (folder / "mine.tree").write_text("// game: sevens\nplay: env.rounds\nsend: 1\n", encoding="utf-8")
    with served(folder) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium."""
    with chromium() as found:
        yield found


def is_over(page: Any) -> bool:
    """Whether the game has ended."""
    return page.locator(".over").count() > 0


@pytest.mark.release
def test_game_is_played_by_keyboard_alone(server: Served, browser: Any) -> None:
    with visit(browser, server) as person:
        page = person.to("/play/dots_and_boxes?seed=1&rule.board=2x2")
        assert person.violations() == []
        for _ in range(12):  # past the links of the page to the board
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.classList.contains('spot')"):
                break
        first = page.evaluate("document.activeElement.getAttribute('aria-label')")
        page.keyboard.press("ArrowDown")
        assert page.evaluate("document.activeElement.getAttribute('aria-label')") != first
        for _ in range(12):
            turn = page.locator("[name=turn]").first.get_attribute("value")
            page.keyboard.press("Enter")
            page.wait_for_function("turn => document.querySelector('[name=turn]').value !== turn", arg=turn)
            if is_over(page):
                break
            page.wait_for_function("() => document.activeElement.classList.contains('spot')")
        assert is_over(page)
        assert person.complaints == []


@pytest.mark.release
def test_others_think_and_move_one_by_one_until_a_key_skips(server: Served, browser: Any) -> None:
    with visit(browser, server, motion="no-preference") as person:
        person.page.add_init_script(
            "{ const wait = setTimeout; setTimeout = (end, ms) => wait(end, 6 * ms); }"
        )
        page, held = person.to("/play/sevens?seed=1&vs=simple"), list[Any]()
        page.route("**/act", lambda route: held.append(route))
        page.locator(".spot[role=button]").first.click()
        page.wait_for_selector(".task:has-text('simple 1 is thinking')")
        held[0].continue_()
        page.wait_for_selector("#prompt[data-moving^='You: ']")
        page.wait_for_selector("#prompt[data-moving^='simple 1: ']")
        page.keyboard.press("h")
        page.wait_for_selector("#prompt:not([data-moving]) .task:has-text('Your turn')")
        assert page.locator("#hint").count() == 0
        assert person.complaints == []


@pytest.mark.release
def test_a_slow_hint_counts_its_seconds_and_is_stopped(server: Served, browser: Any) -> None:
    with visit(browser, server) as person:
        page, held = person.to("/play/sevens?seed=1&vs=simple"), list[Any]()
        page.route("**/say/hint*", lambda route: held.append(route))
        page.get_by_role("button", name="Hint", exact=True).click()
        page.wait_for_selector(".acts:has-text('Working out the hint: 2 seconds')")
        assert person.violations() == []
        page.get_by_role("button", name="Stop").click()
        page.wait_for_selector(".acts:not(:has-text('Working out'))")
        page.unroute("**/say/hint*")
        page.get_by_role("button", name="Hint", exact=True).click()
        page.wait_for_selector("#hint h2")
        assert all(each.startswith("htmx:") for each in person.complaints), "but of what was stopped"


@pytest.mark.release
@pytest.mark.parametrize(("size", "theme"), list(zip(SIZES, THEMES, strict=True)))
@pytest.mark.parametrize("game", NAMES)
def test_game_is_played_by_clicks(
    server: Served, browser: Any, game: str, size: tuple[int, int], theme: str
) -> None:
    with visit(browser, server, size, theme) as person:
        page = person.to(f"/play/{game}?seed=2{SMALL[game]}")
        page.get_by_role("button", name="Hint", exact=True).click()
        page.wait_for_selector("#hint h2")
        assert person.violations() == []
        for _ in range(MOST_ACTIONS):
            turn = page.locator("[name=turn]").first.get_attribute("value")
            for _ in range(page.locator(".peg.empty").count()):  # a code: the first colour in every place
                page.locator(".palette .peg").first.click()
            choices = page.locator(".spot[role=button]:not(.order):visible, .actions button:visible, #guess")
            choices.first.click()
            page.wait_for_function("turn => document.querySelector('[name=turn]').value !== turn", arg=turn)
            if is_over(page):
                break
        assert is_over(page)
        assert person.violations() == []
        page.get_by_role("button", name="Play again").click()
        page.wait_for_selector("#prompt > div:not(.over)")
        assert person.complaints == []


NIMMT = Path(__file__).parents[1] / "user_games" / "nimmt.py"


@pytest.mark.release
@pytest.mark.parametrize("size", [(1280, 720), (390, 844)])
@pytest.mark.parametrize("game", [*NAMES, str(NIMMT)])
def test_board_hand_prompt_and_actions_fit_one_screen(
    server: Served, browser: Any, game: str, size: tuple[int, int]
) -> None:
    with visit(browser, server, size) as person:
        page = person.to(f"/play/{name_game(game)}?seed=1")
        page.wait_for_selector("#act")
        shown = page.locator("#act, .acts, .acts > *").locator("visible=true")
        assert (
            max(box["y"] + box["height"] for box in (each.bounding_box() for each in shown.all())) <= size[1]
        )


@pytest.mark.release
@pytest.mark.parametrize(("size", "theme"), list(zip(SIZES, THEMES, strict=True)))
def test_next_opponent_and_rules_are_behind_new_game(
    server: Served, browser: Any, size: tuple[int, int], theme: str
) -> None:
    with visit(browser, server, size, theme) as person:
        page = person.to("/play/sevens?seed=1")
        assert not page.get_by_label("level-2").is_visible()
        page.keyboard.press("n")
        assert page.evaluate("document.activeElement.textContent") == "Next opponent"
        assert person.violations() == []
        page.keyboard.press("Escape")
        page.get_by_role("link", name="Rules").click()
        assert page.evaluate("document.activeElement.textContent") == "Rules"
        page.locator("dialog").get_by_text("level-2", exact=True).click()
        page.locator("dialog").get_by_role("button", name="New game").click()
        page.wait_for_selector("#setting:has-text('level-2')")
        assert person.complaints == []


@pytest.mark.release
def test_fleet_is_laid_out_by_keyboard_alone(server: Served, browser: Any) -> None:
    with visit(browser, server) as person:
        page = person.to("/play/battleship?seed=1&vs=hunt&rule.board=5x5&rule.fleet=3,2")
        page.locator(".spot[tabindex='0']").focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("t")
        page.wait_for_selector("#prompt:has-text('points down')")
        page.wait_for_function("() => document.activeElement.dataset.action === 'B1'")
        page.keyboard.press("Enter")
        page.wait_for_selector("#prompt:has-text('Place the ship of 2')")
        page.wait_for_function("() => document.activeElement.classList.contains('spot')")
        assert person.violations() == []
        page.keyboard.press("c")
        page.wait_for_selector(".task:has-text('ship of 3')")
        page.get_by_role("button", name="Random fleet").click()
        page.get_by_role("button", name="Throw again").click()
        page.get_by_role("button", name="Start").click()
        page.wait_for_selector(".task:has-text('Your shot')")
        assert person.complaints == []


@pytest.mark.release
@pytest.mark.parametrize(("size", "theme"), list(zip(SIZES, THEMES, strict=True)))
def test_guesses_are_answered_by_clicks(
    server: Served, browser: Any, size: tuple[int, int], theme: str
) -> None:
    with visit(browser, server, size, theme) as person:
        page = person.to("/play/mastermind?vs=first-consistent&rule.colours=4&rule.length=2")
        for number in range(1, 5):
            page.wait_for_selector(f"[name=turn][value='{number - 1}']", state="attached")
            page.get_by_role("button", name="nothing right").click()
        page.wait_for_selector(".task:has-text('No code fits')")
        page.get_by_role("button", name="Change answer 3").click()
        page.wait_for_selector(".task:has-text('Guess 3 was')")
        assert person.violations() == []
        page.get_by_role("button", name="2 black", exact=True).click()
        page.wait_for_selector(".over .task:has-text('found your code in 3 guesses')")
        page.get_by_role("button", name="Play again").click()
        page.wait_for_selector(".task:has-text('first-consistent guesses')")
        assert person.complaints == []


STATES = (
    "/", "/programs", "/runs?new=sevens", "/runs/paused", "/runs/failed", "/nothing", "/trace", "/trace?program=x",
    "/trace?game=dots_and_boxes&program=champion&step=99", "/trace?game=build_order&program=earliest&step=3",
    "/trace?game=mastermind&program=champion&step=1", "/trace?game=battleship&program=likeliest&step=1",
    "/league", "/league?game=sevens&player=simple&player=simpel&play=1",
    "/league?game=sevens&player=simple&player=random&count=20&play=1", "/edit/loose.tree", "/edit/broken.tree",
)  # fmt: skip
"""Pages in states that are reached without a click."""

LATE = (
    "[hx-get^='/league'], [hx-trigger^='load']:not(.drawn), :is(.drawn, td)[hx-get]:empty, #found-told:empty, "
    ".htmx-request"
)
"""What a page has only while something is on its way: a league that goes on, and what is loaded, drawn or found."""


@pytest.fixture
def everything(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The pages of a new folder in which everything can be found that has a state."""
    folder = tmp_path_factory.mktemp("everything")
    for name, text in {
        "loose.tree": "play: 1\nsend: 1\n",
        "broken.tree": "// game: sevens\nplay: env.dst +\n",
    }.items():
        (folder / name).write_text(text, encoding="utf-8")
    for name in ("paused", "failed", "going"):
        evolve_tiny(folder / name)
        log = (folder / name / "events.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
        (folder / name / "events.jsonl").write_text("".join(log[:-1]), encoding="utf-8")
    with subprocess.Popen([sys.executable, "-S", "-c", ""]) as ended:
        ended.wait()
    (folder / "failed" / HOLDER).write_text(str(ended.pid), encoding="ascii")
    with served(folder) as found, locked(folder / "going"):
        yield found


@pytest.mark.release
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", SIZES)
def test_pages_have_no_violations(
    everything: Served, browser: Any, size: tuple[int, int], theme: str
) -> None:
    with visit(browser, everything, size, theme) as person:
        person.to("/play/sevens?seed=1")  # goes on, on the first page
        found: dict[str, list[str]] = {}
        for path in STATES:
            page = person.to(path)
            page.wait_for_load_state("networkidle" if "runs/" not in path else "load")
            page.evaluate("document.querySelectorAll('main details').forEach(each => { each.open = true; })")
            found[path] = person.violations()
        assert {path: each for path, each in found.items() if each} == {}


@pytest.mark.release
def test_no_page_is_wider_than_a_screen_of_320_pixels(everything: Served, browser: Any) -> None:
    """As on a screen of 1280 pixels at 400%."""
    with visit(browser, everything, (320, 640)) as person:
        wide = []
        for path in [*STATES, *(f"/play/{name}?seed=1" for name in NAMES)]:
            page = person.to(path)
            page.wait_for_function("late => !document.querySelector(late)", arg=LATE)
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                wide.append(path)
        assert wide == []


@pytest.mark.release
def test_accessibility_trees_are_as_recorded(everything: Served, browser: Any) -> None:
    """What a screen reader finds; RECORD=1 records it anew. Numbers of runs and times are not compared."""
    found = {}
    with visit(browser, everything) as person:
        for path in dict.fromkeys([*STATES, *(f"/play/{name}?seed=1" for name in NAMES)]):
            page = person.to(path)
            page.wait_for_load_state("networkidle" if "runs/" not in path else "load")
            page.wait_for_function("late => !document.querySelector(late)", arg=LATE)
            tree = page.locator("body").aria_snapshot()
            if path.startswith("/play"):  # what is behind New game
                page.keyboard.press("n")
                tree += "\n" + page.locator("dialog[open]").aria_snapshot()
            tree = re.sub(r"/play/(\w+)/[\w-]+", r"/play/\1/GAME", tree)
            tree = re.sub(
                r"this minute|\d+ minutes? ago", "THEN", re.sub(r"- time: .*", "- time: THEN", tree)
            )
            found[path] = tree if path.startswith("/play") else re.sub(r"[-+.,:\d]*\d", "0", tree)
    told = "".join(f"== {path}\n{tree}\n" for path, tree in found.items())
    if os.environ.get("RECORD"):
        TREES.write_text(told, encoding="utf-8")
    assert told.splitlines() == TREES.read_text(encoding="utf-8").splitlines()


@pytest.mark.release
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", SIZES)
def test_trace_is_stepped_by_slider_keys_buttons_and_conditions(
    server: Served, browser: Any, size: tuple[int, int], theme: str
) -> None:
    with visit(browser, server, size, theme) as person:
        page = person.to("/trace?program=mine.tree")

        def comes(number: int) -> None:
            page.wait_for_selector(f"#step[data-step='{number}']")
            page.wait_for_function(
                "begin => document.querySelector('#place').textContent.startsWith(begin)", arg=f"{number} of"
            )

        comes(0)
        page.keyboard.press("ArrowRight")
        comes(1)
        page.keyboard.press("ArrowRight")
        comes(2)
        page.keyboard.press("ArrowLeft")
        comes(1)
        page.get_by_role("button", name="Next decision").click()
        page.wait_for_selector(".chosen")
        page.wait_for_selector(".drawn svg")
        assert person.violations() == []
        page.locator("#slider").fill("20")
        comes(20)
        page.get_by_text("Jump to…").click()
        page.get_by_label("The next step where").fill("over")
        page.get_by_role("button", name="Jump", exact=True).click()
        page.wait_for_selector(".task.over")
        assert person.complaints == []


@pytest.mark.release
@pytest.mark.parametrize(("size", "theme"), list(zip(SIZES, THEMES, strict=True)))
def test_heat_maps_grow_until_all_games_are_counted(
    server: Served, browser: Any, size: tuple[int, int], theme: str
) -> None:
    with visit(browser, server, size, theme) as person:
        page = person.to("/trace?game=battleship&program=hunt&rule.board=5x5&rule.fleet=3,2")
        page.get_by_text("Heat maps over many games").click()
        page.get_by_label("Games", exact=True).fill("12")
        page.get_by_role("button", name="Show", exact=True).click()
        page.wait_for_selector(".heat-maps[data-counted='12']:not([aria-busy])")
        assert page.get_by_role("img", name="chosen by hunt").count() == 1
        page.get_by_text("Numbers as a table").first.click()
        page.wait_for_selector("td:has-text('A1: ')")
        assert person.violations() == []
        assert person.complaints == []


@pytest.mark.release
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", SIZES)
def test_run_is_watched_to_its_end(server: Served, browser: Any, size: tuple[int, int], theme: str) -> None:
    folder = server.site.folder / f"run-{size[0]}-{theme}"
    going_on, held = threading.Event(), threading.Event()

    def hold(*_: object) -> None:
        going_on.set()
        held.wait(60)

    run = threading.Thread(target=evolve_tiny, args=(folder,), kwargs={"on_generation": hold})
    run.start()
    try:
        assert going_on.wait(60)
        with visit(browser, server, size, theme) as person:
            page = person.to(f"/runs/{folder.name}")
            page.wait_for_selector(".pill:has-text('Running')", timeout=60_000)
            page.wait_for_selector("#going:has-text('Generation 0')")
            page.wait_for_selector("#chart .line.champion", state="attached")
            assert person.violations() == []
            held.set()
            page.wait_for_selector(".pill:has-text('Finished')")
            page.locator("#chart").hover()
            page.wait_for_selector("#reading:has-text(': champion ')")
            page.locator("#numbers summary").click()
            page.wait_for_selector("#numbers td:has-text('4')")
            assert page.locator("#numbers tbody tr").count() == 5
            page.locator(".history summary").first.click()
            page.wait_for_selector(".history details svg")
            assert person.violations() == []
            assert person.complaints == []
    finally:
        held.set()
        run.join(60)


@pytest.mark.release
def test_run_is_paused_killed_resumed_and_goes_on_after_its_end(browser: Any, tmp_path: Path) -> None:
    """Every state of a run on its page, none of which flashes up again when another one is asked for."""
    (tmp_path / "long.toml").write_text(
        print_config(replace(TINY, stop=StopSettings(generations=2000))), "utf-8"
    )
    evolve_tiny(tmp_path / "short")
    begun = [sys.executable, "-m", "gpkit", "evolve", "long.toml", "--out", "long"]
    terminal = subprocess.Popen(begun, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        with ExitStack() as stack:
            server = stack.enter_context(served(tmp_path))
            while not (tmp_path / "long" / "events.jsonl").exists():
                time.sleep(0.05)
            with visit(browser, server) as person:
                page = person.to("/runs/long")
                page.evaluate(PILLS)

                def press(name: str, comes: str) -> None:
                    page.get_by_role("button", name=name).click()
                    page.wait_for_selector(f"#status:has-text('{comes}')", timeout=60_000)
                    assert person.violations() == []

                page.wait_for_selector("#status:has-text('Started in a terminal; Pause works here too')")
                press("Pause", "and saved")
                assert terminal.wait(30) == 4
                press("Resume", "Generation ")
                assert server.site.runner.job is not None
                server.site.runner.job.kill()
                page.wait_for_selector("#status:has-text('was killed. Nothing before it is lost')")
                assert person.violations() == []
                press("Resume from generation", "Generation ")
                press("Pause", "and saved")
                again = ["Starting", "Running"]
                pausing = ["Running", "Pausing", "Paused"]
                assert page.evaluate("window.pills") == [*pausing, *again, "Failed", *again, *pausing[1:]]
                page = person.to("/runs/short")
                page.wait_for_selector("#chart .line.champion", state="attached")
                press("20 more generations", "24 generations")
                assert page.locator("#head").get_attribute("data-goal") == "24"
                page.wait_for_selector("#done[width='100']", state="attached")
                assert person.complaints == []
                with page.expect_download() as waiting:
                    page.get_by_role("link", name="Report").click()
                assert "</html>" in Path(waiting.value.path()).read_text("utf-8")
                stack.close()  # the server stops
                page.wait_for_selector("#silence .pill:has-text('Reconnecting')")
                page.wait_for_selector("#silence:has-text('No news for 1 seconds. The run itself continues')")
                assert person.violations() == []
    finally:
        terminal.kill()
        terminal.wait()


@pytest.mark.release
def test_first_page_is_light_and_quick(server: Served, browser: Any) -> None:
    paints: list[float] = []
    sizes: list[int] = []
    for _ in range(3):  # the machine may be busy with something else
        with visit(browser, server) as person:
            person.page.on("response", lambda answer: sizes.append(int(answer.headers["content-length"])))
            person.to("/")
            paints.append(person.page.evaluate(FIRST_PAINT))
            person.page.wait_for_load_state("networkidle")
    assert 3 * 10_000 < sum(sizes) < 3 * 300_000
    assert min(paints) < 1_000

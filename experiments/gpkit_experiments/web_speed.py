"""Page speed in a real browser, and the cost of watchers for a run, written to ``experiments/data/web-speed.json``.

``python -m gpkit_experiments.web_speed [PART ...]`` measures all parts, or the named parts: ``clicks``, ``paint``,
``slider``, ``watchers``, ``killed``, ``growth``. Times in the browser are the milliseconds from the event until the
page no longer changes; costs are CPU seconds, which other work on the machine hardly affects. Seed 82001.
"""

import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
from web_browser import AXE, chromium, served, visit

from gpkit.core.registry import GAMES, name_game
from gpkit.core.work_folder import is_held

RESULT = Path(__file__).parents[1] / "data" / "web-speed.json"
SEED = 82001
CLICKS, PAINTS, PLACES, STEPS = 15, 5, 200, 10_000
WATCHERS, PAIRS, REQUESTS = 50, 2, 20_000
RUN = ("evolve", "sevens", "--seed", "1", "--generations", "3")

CLICK = """selector => new Promise(resolve => {
    const began = performance.now();
    document.addEventListener('htmx:afterSettle', () => resolve(performance.now() - began), {once: true});
    [...document.querySelectorAll(selector)].find(each => each.getClientRects().length)
        .dispatchEvent(new MouseEvent('click', {bubbles: true}));
})"""
SLIDE = """number => new Promise(resolve => {
    const slider = document.querySelector('#slider'), began = performance.now();
    document.addEventListener('htmx:afterSettle', () => resolve(performance.now() - began), {once: true});
    slider.value = number;
    slider.dispatchEvent(new Event('input', {bubbles: true}));
})"""
OWN = [
    *sorted((Path(__file__).parents[2] / "programs" / "games").glob("*.py")),
    *(Path(AXE).parents[2] / "user_games" / f"{name}.py" for name in ("breakthrough", "nimmt")),
]
"""The files of other games whose boards the script clicks."""
OFF = "[aria-disabled=true]"
SPOTS = f".board .spot[role=button]:not(.order, {OFF}) .hit, #guess, .actions button:not({OFF})"
"""The elements that the script clicks: the first place that can be chosen, or the button of a guess or an action."""
FETCH = """async () => {
    const began = performance.now();
    await (await fetch('/static/icon.svg', {cache: 'no-store'})).text();
    return performance.now() - began;
}"""
PAINT = """() => new Promise(resolve => {
    new PerformanceObserver(list => {
        for (const each of list.getEntriesByName('first-contentful-paint')) resolve(each.startTime);
    }).observe({type: 'paint', buffered: true});
})"""
LONG_GAME = f'''
"""A game of many actions: two heaps, from one of which something is taken."""

from dataclasses import dataclass

from gpkit import game, sensor


@dataclass(frozen=True, slots=True)
class State:
    taken: tuple = (0, 0)
    current_player: int = 0
    decision = "take"
    action_count = 2
    longest = {STEPS}

    @property
    def is_terminal(self):
        return sum(self.taken) == {STEPS}

    def legal_actions(self):
        return [] if self.is_terminal else [0, 1]

    def apply(self, action):
        if self.is_terminal or action not in (0, 1):
            raise ValueError("there is nothing to take")
        taken = (self.taken[0] + 1, self.taken[1]) if action == 0 else (self.taken[0], self.taken[1] + 1)
        return State(taken, 1 - self.current_player)

    def returns(self):
        return (0.5, 0.5)


@sensor(0, {STEPS}, "taken from the heap")
def taken(state, action):
    return state.taken[action]


GAME = game("long_game", State, sensors=[taken], opponents={{"even": "take: 0 - env.taken"}})
'''


def spread(values: list[float]) -> dict[str, float]:
    """The median, the 95th percentile and the maximum of some times, rounded to tenths of a millisecond."""
    ordered = sorted(values)
    at = ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]
    return {
        "times": len(values),
        "median": round(statistics.median(values), 1),
        "p95": round(at, 1),
        "max": round(ordered[-1], 1),
    }


def clicks() -> dict[str, Any]:
    """The times of clicks on boards, by game (shipped ones and others in files), on a warm server."""
    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as server, chromium() as browser:
        for warm in (True, False):
            for name in [*(entry.name for entry in GAMES), *map(name_game, map(str, OWN))]:
                with visit(browser, server) as person:
                    page = person.to(f"/play/{name}?seed={SEED}")
                    times = []
                    page.emulate_media(reduced_motion="reduce")  # others' moves at once
                    for _ in range(CLICKS):
                        if page.locator("#prompt .over").count():
                            page = person.to(f"/play/{name}?seed={SEED + 1}")
                        for _ in range(page.locator(".peg[data-place]").count()):
                            page.locator(".peg[data-colour]").first.click()
                        if page.locator(".way.spot:visible").count():  # a piece is lifted first
                            page.locator(".way.spot:visible").first.click()
                        lifted = page.locator(".way.target:visible").count() > 0
                        times.append(page.evaluate(CLICK, ".way.target .hit" if lifted else SPOTS))
                    if not warm:
                        found[name] = times
    every = [each for times in found.values() for each in times]
    return {"all": spread(every), **{name: spread(times) for name, times in found.items()}}


def paint() -> dict[str, Any]:
    """The first contentful paint of the home page, and the bytes sent for it."""
    paints, sizes = [], []
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as server, chromium() as browser:
        for _ in range(PAINTS):
            sent: list[int] = []
            sizes.append(sent)
            with visit(browser, server) as person:
                person.page.on(
                    "response", lambda answer, sent=sent: sent.append(int(answer.headers["content-length"]))
                )
                person.to("/")
                paints.append(person.page.evaluate(PAINT))
                person.page.wait_for_load_state("networkidle")
    return {"paint": spread(paints), "bytes": max(map(sum, sizes))}


def slider() -> dict[str, Any]:
    """The times of the slider at several places in a game with many steps."""
    rng = random.Random(SEED)  # noqa: S311 - the same places again
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "long_game.py").write_text(LONG_GAME, encoding="utf-8")
        name_game(str(Path(folder) / "long_game.py"))
        with served(Path(folder)) as server, chromium() as browser, visit(browser, server) as person:
            began = time.perf_counter()
            page = person.to("/trace?game=long_game&program=even")
            opened = time.perf_counter() - began
            steps = int(page.locator("#step").get_attribute("data-last"))
            times, floor = [], []
            for _ in range(PLACES):
                floor.append(page.evaluate(FETCH))
                times.append(page.evaluate(SLIDE, rng.randrange(steps)))
    more = [one - other for one, other in zip(times[5:], floor[5:], strict=True)]
    return {
        "steps": steps,
        "opened_seconds": round(opened, 1),
        "slider": spread(times[5:]),
        "small_file": spread(floor[5:]),
        "more_than_small_file": spread(more),
    }


@contextmanager
def server_process(folder: Path) -> Iterator[tuple[subprocess.Popen[str], httpx2.Client]]:
    """A server, started as a person starts it, and a client that has the token."""
    command = [sys.executable, "-m", "gpkit", "serve", str(folder), "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            root = address.partition("/?")[0]
            with httpx2.Client(
                base_url=root, headers={"origin": root}, follow_redirects=True, timeout=60
            ) as client:
                client.get(address)
                yield process, client
        finally:
            process.kill()


def cpu_of(process: int) -> float:
    """The CPU seconds of a process so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


WATCH = """
import asyncio, sys
host, port, path, cookie, count = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4], int(sys.argv[5])

async def watch():
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(f"GET {path} HTTP/1.1\\r\\nHost: {host}:{port}\\r\\nCookie: {cookie}\\r\\n\\r\\n".encode())
    rows = 0
    while line := await reader.readline():
        rows += line.startswith(b"event: rows")
        if line.strip() == b"data: at rest":
            break
    writer.close()
    return rows

async def all_of_them():
    print(sum(await asyncio.gather(*(watch() for _ in range(count)))))

asyncio.run(all_of_them())
"""


def run_once(folder: Path, name: str, watchers: int) -> dict[str, float]:
    """The CPU seconds of a run, and of a server with this many watchers; the generations per elapsed second."""
    with server_process(folder) as (server, client):
        command = [sys.executable, "-m", "gpkit", *RUN, "--out", str(folder / name)]
        began = time.perf_counter()
        run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not (folder / name / "events.jsonl").exists():
            time.sleep(0.05)
        idle, heard = cpu_of(server.pid), 0
        if watchers:
            cookie = "; ".join(f"{key}={value}" for key, value in client.cookies.items())
            port = str(client.base_url.port)
            watch = [
                sys.executable,
                "-c",
                WATCH,
                "127.0.0.1",
                port,
                f"/runs/{name}/feed",
                cookie,
                str(watchers),
            ]
            with subprocess.Popen(watch, stdout=subprocess.PIPE, text=True) as watching:
                _, _, used = os.wait4(run.pid, 0)
                wall = time.perf_counter() - began
                cost = cpu_of(server.pid) - idle
                heard = int(watching.communicate(timeout=120)[0])
        else:
            _, _, used = os.wait4(run.pid, 0)
            wall = time.perf_counter() - began
            cost = cpu_of(server.pid) - idle
        run.returncode = 0
    return {"run": used.ru_utime + used.ru_stime, "server": cost, "wall": wall, "events": heard}


def watchers() -> dict[str, Any]:
    """The cost of many watchers of a live run: pairs of runs with and without watchers, in turn."""
    pairs = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(PAIRS):
            order = (0, WATCHERS) if number % 2 == 0 else (WATCHERS, 0)
            found = {count: run_once(Path(folder), f"run-{number}-{count}", count) for count in order}
            pairs.append((found[0], found[WATCHERS]))
    return {
        "command": f"gpkit {' '.join(RUN)}",
        "watchers": WATCHERS,
        "run_cpu_without": [round(one["run"], 2) for one, _ in pairs],
        "run_cpu_with": [round(other["run"], 2) for _, other in pairs],
        "server_cpu_without": [round(one["server"], 2) for one, _ in pairs],
        "server_cpu_with": [round(other["server"], 2) for _, other in pairs],
        "wall_without": [round(one["wall"], 1) for one, _ in pairs],
        "wall_with": [round(other["wall"], 1) for _, other in pairs],
        "events": [other["events"] for _, other in pairs],
        "slower": round(statistics.mean(other["run"] / one["run"] for one, other in pairs) - 1, 4),
        "cost": round(statistics.mean(other["server"] / other["run"] for _, other in pairs), 4),
    }


def killed() -> dict[str, Any]:
    """A run whose server is killed: whether the run continues, and can be watched and paused again."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        with server_process(folder) as (server, client):
            form = {"name": "first", "what": "sevens", "seed": "1", "generations": "1000"}
            assert client.post("/run/start", data=form).status_code == 200
            events = folder / "runs" / "first" / "events.jsonl"
            while not events.exists():
                time.sleep(0.1)
            os.kill(server.pid, signal.SIGKILL)
            server.wait()
        before = events.stat().st_size
        while events.stat().st_size == before:
            time.sleep(0.1)
        survives = is_held(events.parent)
        with server_process(folder) as (_, client):
            with client.stream("GET", "/runs/runs/first/feed") as feed:
                lines = feed.iter_lines()
                watched = any(line == "data: going on" for line in lines)
            client.post("/run/pause", data={"name": "runs/first"})
            while is_held(events.parent):
                time.sleep(0.1)
            resumable = "Found in generation" in client.get("/runs/runs/first").text
    return {"goes_on": survives, "watched_again": watched, "paused_from_the_page": resumable}


def growth() -> dict[str, Any]:
    """The memory of a server, and the bytes of its largest page, over random requests for pages and random moves."""
    rng, sizes, memory = random.Random(SEED), dict[str, int](), []  # noqa: S311 - the same requests again
    pages = ["/", "/programs", "/runs", "/league", "/trace?game=sevens&program=champion", "/edit?new=sevens"]
    pages += [f"/play/{entry.name}?seed={SEED}" for entry in GAMES]
    with tempfile.TemporaryDirectory() as folder, server_process(Path(folder)) as (server, client):
        for number in range(REQUESTS):
            if number in (REQUESTS // 10, REQUESTS // 2):
                memory.append(resident(server.pid))
            path = rng.choice(pages)
            sizes[path] = max(sizes.get(path, 0), len(client.get(path).content))
        memory.append(resident(server.pid))
    return {"requests": REQUESTS, "megabytes_after_a_tenth_half_all": memory, "bytes": sizes}


def resident(process: int) -> float:
    """The resident memory of a process, in megabytes."""
    status = Path(f"/proc/{process}/status").read_text()
    return round(int(status.partition("VmRSS:")[2].split()[0]) / 1024, 1)


PARTS = {
    "clicks": clicks,
    "paint": paint,
    "slider": slider,
    "watchers": watchers,
    "killed": killed,
    "growth": growth,
}


if __name__ == "__main__":
    known = json.loads(RESULT.read_text(encoding="utf-8")) if RESULT.exists() else {}
    known |= {"command": "python -m gpkit_experiments.web_speed", "seed": SEED, "load": None}
    for part in sys.argv[1:] or PARTS:
        known[part] = PARTS[part]()
        known["load"] = [round(each, 1) for each in os.getloadavg()]
        RESULT.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")

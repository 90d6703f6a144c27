"""Reading changes nothing: no GET, by whatever address, does anything to the folder or to what the server has."""

import hashlib
import inspect
import re
from pathlib import Path
from random import Random
from urllib.parse import quote

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount, Route
from starlette.testclient import TestClient
from tiny_run import evolve_tiny
from web_clients import KEEPER, guest

from gpkit.cli.main import main
from gpkit.web.server import make_app
from gpkit.web.site import MOST_TABLES, Site

GAMES = ("sevens", "dots_and_boxes", "mastermind")
NAMES = ("lately", "fitted", "learned", "mine.tree", "mine.tree/best/x.tree", "none", "..", "run/feed")
FIELDS = (
    *(
        "play=1",
        "vs=simple",
        "vs=nobody",
        "seed=5",
        "seed=x",
        "deal=3",
        "seat=1",
        "player=simple",
        "player=random",
    ),
    *(
        "add=x",
        "drop=simple",
        "count=2",
        "games=3",
        "match=MATCH",
        "new=sevens/arithmetic",
        "program=mine.tree",
    ),
    *(
        "program=champion",
        "game=sevens",
        "game=nim",
        "table=TABLE",
        "step=1",
        "find=mine",
        "number=0",
        "waiting=1",
    ),
    *(
        "word=hint",
        "adviser=simple",
        "action=again",
        "turn=0",
        "spot=1",
        "name=lately",
        "goal=3",
        "what=sevens",
    ),
    *("token=x", "_method=POST"),
)
HEADERS = (
    {},
    {"hx-request": "true"},
    {"x-http-method-override": "POST"},
    {"content-type": "application/json"},
)


def paths_of(app: object) -> list[str]:
    """The addresses that are read, as their routes have them."""
    inner = inspect.getattr_static(app, "_app")
    assert isinstance(inner, Starlette)
    read = [each for each in inner.routes if isinstance(each, Mount) or "GET" in (each.methods or ())]  # type: ignore[attr-defined]
    return [
        each.path + "/{file}" if isinstance(each, Mount) else each.path
        for each in read
        if isinstance(each, Mount | Route)
    ]


def state_of(site: Site) -> list[object]:
    """What the server has: games and their order, the run, leagues, the match, and what was counted."""
    tables = [
        (name, table.session.actions, table.session.typed, table.gave_up, table.lost)
        for name, table in site.tables.latest()
    ]
    caches = site.tallies, site.played, site.awaited
    jobs = [slot.job for slot in (site.runner, site.leagues, site.matches)]
    return [tables, [each.latest() for each in caches], jobs]


def digest_of(folder: Path) -> dict[str, tuple[str, int, int]]:
    """The files and folders below a folder: their content, permissions, and when they were written."""
    return {
        str(path.relative_to(folder)): (
            hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "",
            path.lstat().st_mode,
            path.lstat().st_mtime_ns,
        )
        for path in sorted(folder.rglob("*"))
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with programs, runs, and more games than are held."""
    folder = tmp_path_factory.mktemp("read")
    (folder / "mine.tree").write_text("// game: sevens\nplay: env.rounds\nsend: 1\n", encoding="utf-8")
    evolve_tiny(folder / "lately", generations=1)
    table = folder / "t.csv"
    table.write_text("x,y\n" + "".join(f"{k % 7},{3 * k % 11}\n" for k in range(40)), encoding="utf-8")
    fit = [
        "fit",
        str(table),
        "--target",
        "y",
        "--task",
        "regression",
        "--population",
        "12",
        "--generations",
        "1",
    ]
    assert main([*fit, "--out", str(folder / "fitted")]) == 0
    return folder


@pytest.fixture(scope="module")
def begun(folder: Path) -> tuple[TestClient, Site, list[str], str]:
    """A client, its site, the games that it has begun, and a match that nobody watches yet."""
    client, site = guest(folder)
    games = [client.post(f"/play/{GAMES[k % 3]}?seed={k}").headers["location"] for k in range(MOST_TABLES)]
    form = {
        "language": "arithmetic",
        "name": "mine.tree",
        "opened": "mine.tree",
        "text": "play: 1\nsend: 1\n// game: sevens\n",
    }
    match = client.post("/workshop/run", data={**form, "text": (folder / "mine.tree").read_text()}).json()[
        "match"
    ]
    return client, site, games, match


def address(route: str, games: list[str], match: str, chance: Random) -> str:
    """An address of a route, of things that are there or not, and with all kinds of fields."""
    game, name = chance.choice(
        [*(each.split("/")[2:] for each in games), ["nim", "none"], ["sevens", "AbCdEfGhIjKl"]]
    )
    values = {
        "game": game, "id": name, "name": chance.choice(("champion", "level-1", "none")),
        "word": chance.choice(("hint", "candidates", "rules", "none")), "action": "again",
        "name:path": quote(chance.choice(NAMES)), "file": chance.choice(("gpkit.js", "htmx.min.js", "none")),
    }  # fmt: skip
    path = re.sub(r"\{([^}]*)\}", lambda found: values[found[1]], route)
    fields = chance.sample(FIELDS, chance.randrange(9))
    return f"{path}?{'&'.join(fields)}".replace("TABLE", name).replace("MATCH", match)


def check(begun: tuple[TestClient, Site, list[str], str], seed: str) -> None:
    """One address of each route."""
    client, site, games, match = begun
    before = digest_of(site.folder), state_of(site)
    chance = Random(seed)  # noqa: S311
    for route in paths_of(make_app(site, KEEPER)):
        at = address(route, games, match, chance)
        if route.endswith("/feed"):
            at = at.replace("lately", "none").replace("fitted", "none")  # a feed of a run has no end
        read = chance.choice((client.get, client.get, client.head))
        answer = read(at, headers=chance.choice(HEADERS))
        assert answer.status_code in (200, 303, 400, 404, 405, 409), (at, answer.status_code)
        assert (digest_of(site.folder), state_of(site)) == before, (seed, at)


@pytest.mark.release
def test_every_route_that_is_read_is_known(begun: tuple[TestClient, Site, list[str], str]) -> None:
    paths = paths_of(make_app(begun[1], KEEPER))
    assert {
        "/",
        "/play/{game}",
        "/play/{game}/{id}/say/{word}",
        "/league",
        "/runs/{name:path}",
        "/trace/drawn",
    } <= {*paths}
    assert not {"/heat", "/workshop/feed", "/workshop/{action}", "/run/{action}", "/league/stop"} & {*paths}


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.release)])
def test_reading_changes_nothing(begun: tuple[TestClient, Site, list[str], str], seed: int) -> None:
    check(begun, f"quick {seed}")


@pytest.mark.release
@pytest.mark.parametrize("seed", range(100))
def test_much_reading_changes_nothing(begun: tuple[TestClient, Site, list[str], str], seed: int) -> None:
    check(begun, f"release {seed}")


def test_the_addresses_that_begin_something_ask_first(begun: tuple[TestClient, Site, list[str], str]) -> None:
    client, site, _, match = begun
    before = digest_of(site.folder), state_of(site)
    for at in (
        "/play/sevens",
        "/play/sevens?vs=simple&seed=1",
        "/league?game=sevens&player=simple&player=random&play=1",
    ):
        answer = client.get(at)
        assert (answer.status_code, "data-begins" in answer.text) == (200, True)
    assert client.get(f"/workshop/feed?match={match}").status_code == 405
    assert client.get("/heat?game=battleship&program=hunt").status_code == 405
    assert (digest_of(site.folder), state_of(site)) == before
    assert client.post("/play/sevens?vs=simple&seed=1").status_code == 303


@pytest.mark.release
def test_games_that_are_looked_at_push_no_other_out(tmp_path: Path) -> None:
    client, site = guest(tmp_path)
    kept = [client.post(f"/play/dots_and_boxes?seed={k}").headers["location"] for k in range(MOST_TABLES)]
    again, other = guest(tmp_path)
    for path in reversed(kept):
        assert again.get(path).status_code == 200
    assert [*other.tables.latest()] == []
    assert again.post(f"{kept[3]}/act", data={"turn": "0", "spot": "1"}).status_code == 303
    assert [name for name, _ in other.tables.latest()] == [kept[3].rpartition("/")[2]]
    assert again.get("/").text.index(kept[3]) < again.get("/").text.index(kept[-1])
    assert site.tables.latest()[0][0] == kept[-1].rpartition("/")[2]

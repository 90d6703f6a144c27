"""Strength on a page: what it is asked for, one match at a time, and the end of a match with who watches it."""

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from starlette.testclient import TestClient
from thread_pool import Pool
from web_clients import guest

from gpkit.core.errors import GpkitError
from gpkit.web import workshop
from gpkit.web.jobs import StoppedError
from gpkit.web.site import Site

PROGRAM = "// game: sevens\nplay: env.rank\nsend: env.dist\n"


@pytest.fixture
def visited(tmp_path: Path, pool: Pool) -> tuple[TestClient, Site]:
    """A client, in a folder with a program, and its site."""
    (tmp_path / "mine.tree").write_text(PROGRAM, encoding="utf-8")
    return guest(tmp_path)


def form(text: str, **others: str) -> dict[str, str]:
    """The form of a page on which the program was opened."""
    return {"language": "arithmetic", "name": "mine.tree", "opened": "mine.tree", "text": text, **others}


def wait_for(happens: Callable[[], bool]) -> None:
    """Wait until something is so, for half a minute at most."""
    ends = time.monotonic() + 30
    while not happens() and time.monotonic() < ends:
        time.sleep(0.01)
    assert happens()


def test_new_match_ends_the_one_before(visited: tuple[TestClient, Site]) -> None:
    client, site = visited
    first, second, third = (
        client.post("/workshop/run", data=form(PROGRAM)).json()["match"] for _ in range(3)
    )
    assert [name for name, _ in site.awaited.latest()] == [third]
    for name in (first, "", "none"):
        assert client.post("/workshop/feed", data={"match": name}).status_code == 404
    with ThreadPoolExecutor(1) as watching:
        watched = watching.submit(client.post, "/workshop/feed", data={"match": third})
        wait_for(lambda: site.matches.going_on() == third)
        assert client.post("/workshop/feed", data={"match": third}).status_code == 404  # somebody watches it
        assert client.post("/workshop/stop", data={"match": second}).status_code == 204
        assert site.matches.going_on() == third
        assert client.post("/workshop/stop", data={"match": third}).status_code == 204
        assert site.matches.going_on() == ""
        assert watched.result(30).text.endswith('event: state\ndata: "Stopped."\n\n')
        again = client.post("/workshop/run", data=form(PROGRAM)).json()["match"]
        watched = watching.submit(client.post, "/workshop/feed", data={"match": again})
        wait_for(lambda: site.matches.going_on() == again)
        assert client.post("/workshop/run", data=form(PROGRAM)).status_code == 200
        assert watched.result(30).text.endswith('event: state\ndata: "Stopped."\n\n')
    site.end()


@pytest.mark.parametrize(
    ("action", "text", "told"),
    [
        ("run", "play: 1 +", "in the middle of a formula"),
        ("run", "// game: sevens\nplay: env.rnk\nsend: 1\n", "did you mean"),
        ("run", "// game: none\nplay: 1\n", "there is no game"),
        ("compare", PROGRAM, "nothing has changed"),
        ("compare", "// game: mastermind\nguess: 1\n", "different games"),
    ],
)
def test_what_cannot_play_is_refused(
    visited: tuple[TestClient, Site], action: str, text: str, told: str
) -> None:
    client, site = visited
    refused = client.post(f"/workshop/{action}", data=form(text), headers={"hx-request": "true"})
    assert refused.status_code == 400
    assert told in refused.text.replace("\n", " ")
    assert site.awaited.latest() == []


def test_comparison_shows_what_changed_since_the_saved_version(visited: tuple[TestClient, Site]) -> None:
    client, _ = visited
    changed = PROGRAM.replace("env.dist", "-env.dist")
    found = client.post("/workshop/compare", data=form(changed)).json()
    assert found["saved"] == "mine.tree"
    assert found["changes"] == [
        ["@", "line 1"], [" ", "// game: sevens"], [" ", "play: env.rank"], ["-", "send: env.dist"],
        ["+", "send: -env.dist"],
    ]  # fmt: skip
    copied = client.post("/workshop/compare", data=form(changed, opened="", origin="sevens/simple")).json()
    assert copied["saved"] == "simple"
    assert client.post("/workshop/compare", data=form(changed, opened="")).status_code == 400
    assert client.post("/workshop/compare", data=form(changed, opened="../mine.tree")).status_code == 400


def test_events_are_rows_and_then_the_end() -> None:
    stopped = Event()

    def played(last: Exception | None) -> Iterator[Any]:
        yield [{"row": 0}]
        if last is not None:
            raise last

    async def all_of(watched: Any) -> list[str]:
        return [event async for event in workshop._events(watched, stopped.set)]

    for last, event in ((None, "state"), (StoppedError("over"), "state"), (GpkitError("no"), "mistake")):
        stopped.clear()
        first, end = asyncio.run(all_of(played(last)))
        assert json.loads(first.partition("data: ")[2]) == [{"row": 0}]
        assert end.startswith(f"event: {event}\n")
        assert stopped.wait(30)


def test_match_ends_with_who_watches_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workshop, "SIGN_OF_LIFE", 0.001)
    held, stopped = Event(), Event()

    def played() -> Iterator[Any]:
        held.wait(30)
        yield []

    async def leave() -> str:
        events = workshop._events(played(), stopped.set)
        sign = await anext(events)
        await events.aclose()  # type: ignore[attr-defined]
        held.set()
        return sign

    assert asyncio.run(leave()).startswith(":")
    assert stopped.wait(30)

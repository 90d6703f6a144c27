"""The pages of runs: their curves while they go on, their champion, where it comes from; start, pause, resume."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from gpkit.app.ancestors import change_dot, change_title, descent_row
from gpkit.app.findings import Work, unit_of_size, work_of
from gpkit.app.run_feed import KILLED, RunFeed, state_of
from gpkit.core.errors import CheckpointError, GpkitError, UsageError
from gpkit.core.files import read_text
from gpkit.core.registry import game_entry
from gpkit.draw.programs import picture_of
from gpkit.draw.render import render_dot
from gpkit.draw.report import DescentRow
from gpkit.evolution.history import History, read_ancestry, read_history
from gpkit.evolution.presets import shipped_presets
from gpkit.web.pages import form_of, in_thread, is_part, page, picture, whole
from gpkit.web.site import Site

PAUSE = 0.5
"""Seconds from one look at a log to the next."""

SIGN_OF_LIFE = 20
"""Looks without anything new, after which a comment is sent, so that it is noticed who has left."""

MOST_GENERATIONS = 1_000_000


def routes(site: Site) -> list[Route]:
    """The addresses of these pages."""

    def show(request: Request) -> Response:
        name = request.path_params["name"]
        if site.below().run(name) is None and site.runner.began(name):
            return page("run.html", **_beginning(site, name))
        name, folder = _run(request, site)
        if work := work_of(folder):
            part = is_part(request)
            return page("learner_part.html" if part else "learner.html", **_work(name, folder, work))
        return page("run.html", **_whole(site, name, folder))

    def champion(request: Request) -> Response:
        name, folder = _run(request, site)
        return page("champion.html", name=name, **_champion(_history(folder)))

    def change(request: Request) -> Response:
        _, folder = _run(request, site)
        number = whole(request.query_params.get("number", ""), "the number of a change", 10**6)
        return page("drawn.html", drawn=_change(_history(folder), number))

    async def feed(request: Request) -> Response:
        _, folder = _run(request, site)
        watched = await in_thread(RunFeed, folder)
        return StreamingResponse(_events(watched), media_type="text/event-stream")

    async def action(request: Request) -> Response:
        form = await form_of(request)
        name = await in_thread(_do, site, request.path_params["action"], form)
        return RedirectResponse(f"/runs/{name}", 303)

    return [
        Route("/run/{action}", action, methods=["POST"]),
        Route("/runs/{name:path}/feed", feed),
        Route("/runs/{name:path}/champion", champion),
        Route("/runs/{name:path}/change", change),
        Route("/runs/{name:path}", show),
    ]


def _run(request: Request, site: Site) -> tuple[str, Path]:
    """The run in the address; 404 for what was not found below the folder."""
    name = request.path_params["name"]
    folder = site.below().run(name)
    if folder is None:
        raise HTTPException(404, "there is no such run in the folder")
    return name, folder


def _history(folder: Path) -> History:
    """The history of a run of evolution.

    Raises:
        CheckpointError: it is another kind of work, has no generation yet, or is damaged.
    """
    if work_of(folder) is not None:
        raise CheckpointError(f"{folder.name} is a learner's folder: `gpkit report` writes its page")
    return read_history(folder)


async def _events(watched: RunFeed) -> AsyncIterator[str]:
    """Server-sent events: ``rows`` that are new, ``anew`` before rows that replace all, ``state`` when it changes."""
    state = ""
    quiet = 0
    while True:
        rows, is_anew = await in_thread(watched.more)
        found = await in_thread(watched.state)
        if is_anew:
            yield "event: anew\ndata: \n\n"
        if rows:
            yield f"event: rows\ndata: {json.dumps(rows, allow_nan=False)}\n\n"
        if found != state:
            state = found
            yield f"event: state\ndata: {state}\n\n"
        quiet = 0 if rows else quiet + 1
        if quiet % SIGN_OF_LIFE == SIGN_OF_LIFE - 1:
            yield ": nothing new\n\n"
        await asyncio.sleep(PAUSE)


def start(site: Site, form: Mapping[str, str]) -> str:
    """Start the run that a form asks for, and give its name.

    Raises:
        UsageError: that cannot be done.
    """
    return site.runner.start(form.get("name", ""), _arguments(form))


def _do(site: Site, action: str, form: Mapping[str, str]) -> str:
    """Pause or resume a run, and give its name.

    Raises:
        UsageError: that cannot be done.
    """
    name = form.get("name", "")
    if action in ("pause", "resume"):
        if site.below().run(name) is None:
            raise UsageError("there is no such run in the folder")
        (site.runner.pause if action == "pause" else site.runner.resume)(name)
        return name
    raise HTTPException(404, "there is no such action")


def _arguments(form: Mapping[str, str]) -> list[str]:
    """The arguments of ``gpkit evolve`` in a form.

    Raises:
        UsageError: what is to evolve is neither a preset nor a game that was loaded, or a number is none.
    """
    what = form.get("what", "")
    if what not in shipped_presets():
        what = game_entry(what).origin or what
    seed = whole(form.get("seed", "") or "0", "the seed", 10**15)
    generations = whole(form.get("generations", "") or "50", "the number of generations", MOST_GENERATIONS)
    return [what, "--seed", str(seed), "--generations", str(generations)]


def _work(name: str, folder: Path, work: Work) -> dict[str, Any]:
    """Values of the page of a game's own long work: how far it is, its course, and what it has found."""
    values: dict[str, Any] = {
        "title": f"Learner {name}",
        "name": name,
        "state": state_of(folder),
        "found": False,
    }
    try:
        found = work.shown(folder)
    except CheckpointError as error:
        return values | {"trouble": str(error)}
    return {**values, **found, **({"chart": picture(found["chart"])} if "chart" in found else {})}


def _beginning(site: Site, name: str) -> dict[str, Any]:
    """Values of the page of a run of which nothing is known yet."""
    complaint = site.runner.complaint(name)
    return {
        "title": f"Run {name}",
        "name": name,
        "mine": site.runner.going_on() == name,
        "complaint": complaint,
        "history": None,
        "waiting": "" if complaint else "Starting.",
    }


def _whole(site: Site, name: str, folder: Path) -> dict[str, Any]:
    """Values of the page of a run."""
    values = _beginning(site, name)
    if not values["complaint"] and state_of(folder) == KILLED:
        values |= {"complaint": "The run was killed, or its machine went down.", "waiting": ""}
    try:
        history = _history(folder)
    except CheckpointError as error:
        return values if values["complaint"] else values | {"waiting": str(error)}
    metric = history.run.metric
    return (
        values
        | _champion(history)
        | {
            "history": history,
            "metric": metric.name.replace("_", " "),
            "lower": metric.lower_is_better,
        }
    )


def _champion(history: History) -> dict[str, Any]:
    """Values of what is known of the champion: its text, its picture, and where it comes from."""
    language, champion = history.run.language, history.champion
    file = str(history.champion_file)
    text = read_text(file)
    rows: list[tuple[DescentRow, str]] = []
    trouble = ""
    try:
        descents = read_ancestry(history).descents()
        rows = [(descent_row(each, language), change_title(each)) for each in descents]
    except GpkitError as error:
        trouble = str(error)
    return {
        "champion": champion,
        "score": history.run.metric.direction * champion.score,
        "text": text,
        "drawn": _drawn(history, language.parse(text, file)),
        "rows": rows,
        "trouble": trouble,
        "reason": history.reason,
        "unit": unit_of_size(history),
    }


def _drawn(history: History, source: Any) -> Markup | None:
    """The champion as a picture, if it has one."""
    primitives = None
    game = getattr(history.config, "game", "")
    try:
        if game:
            primitives = game_entry(game).load().offers.get(source.program.language)
        drawn = picture_of(source.program, source.header, primitives, title="")
        return picture(render_dot(drawn.dot, "svg").decode())
    except GpkitError:
        return None


def _change(history: History, number: int) -> Markup:
    """The picture of a change on the way to the champion, the latest being number 0.

    Raises:
        UsageError: there is none.
    """
    descents = read_ancestry(history).descents()
    if number >= len(descents) or descents[number].parent is None:
        raise UsageError("there is no such change")
    return picture(render_dot(change_dot(descents[number], history.run.language), "svg").decode())

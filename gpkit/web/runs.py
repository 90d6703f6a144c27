"""The pages of runs: their curves while they go on, their champion, where it comes from; start, pause, resume."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse

from gpkit.core.errors import CheckpointError, GpkitError, UsageError
from gpkit.core.files import read_text
from gpkit.core.plain_files import is_there
from gpkit.core.primitives import offered
from gpkit.core.registry import game_entry, has_kernels
from gpkit.core.work_folder import PAUSE as ASKED
from gpkit.draw.ancestors import change_dot, change_title, descent_row
from gpkit.draw.chart import curves_svg
from gpkit.draw.map import map_svg
from gpkit.draw.programs import picture_of
from gpkit.draw.render import render_dot
from gpkit.draw.report import DescentRow
from gpkit.evolution.history import Descent, History, read_ancestry, read_history
from gpkit.evolution.presets import shipped_presets
from gpkit.evolution.run_folder import BEST, read_front, read_run
from gpkit.export.registry import exporter
from gpkit.export.requests import subject_of
from gpkit.playing.named import Named
from gpkit.reports.charts import archive_of_run, front_panels, front_rows, is_guided, map_picture
from gpkit.reports.findings import unit_of_size, work_of
from gpkit.reports.fits import fit_in, metric_rows, predictions_svg
from gpkit.reports.games import quick_strengths
from gpkit.reports.page import page_on
from gpkit.web.pages import in_thread, is_part, page, picture, posts, reads, saved_as, site_of, whole
from gpkit.web.run_feed import RunFeed, Standing, standing_of, state_of
from gpkit.web.site import Site

PAUSE = 0.5
"""Seconds from one look at a log to the next."""

SIGN_OF_LIFE = 20
"""Looks without anything new, after which a comment is sent, so that it is noticed who has left."""

MOST_GENERATIONS = 1_000_000


def show(request: Request) -> Response:
    """The page of a run, or of a game's own long work."""
    name, folder = _begun(request)
    if folder is not None and (work := work_of(folder)):
        template = "learner_part.html" if is_part(request) else "learner.html"
        return page(template, **_work(name, folder, work.shown))
    return page("run.html", **_whole(site_of(request), name, folder))


def head(request: Request) -> Response:
    """The head of the page."""
    return _headed(site_of(request), *_begun(request), request.query_params.get("waiting"))


def champion(request: Request) -> Response:
    """The part about the champion."""
    name, history = _history(request)
    return page("champion.html", name=name, **_facts(history), **_champion(history, name))


def change(request: Request) -> Response:
    """The picture of a change on the way to the champion, the latest being number 0.

    Raises:
        UsageError: there is no such run or change.
    """
    _, history = _history(request)
    number = whole(request.query_params.get("number", ""), "the number of a change", 10**6)
    descents = read_ancestry(history).descents()
    if number >= len(descents) or descents[number].parent is None:
        raise UsageError("there is no such change")
    dot = change_dot(descents[number], history.run.language)
    return page("drawn.html", drawn=picture(render_dot(dot, "svg").decode()))


def facts(request: Request) -> Response:
    """The four numbers of a run; of a run at rest, also its champion's strength in fresh games."""
    (name, history), site = _history(request), site_of(request)
    values = _head(site, name, history.folder) | _facts(history)
    is_at_rest = values["at"].state in ("paused", "finished", "failed")
    found = []
    if is_at_rest and values["game"] and has_kernels(values["game"]):
        found = site.counting.count(quick_strengths, history.folder, history.champion.program)
    return page("facts.html", **values | {"against": found[:2]})


def lua(request: Request) -> Response:
    """The champion of a run as a file of Lua; an error where it has none yet, or none in Lua."""
    _, history = _history(request)
    file = str(history.champion_file)
    named = Named(file, history.run.language.parse(read_text(file), file), history.run.language)
    mode = next(iter(exporter("lua").modes_of(named.language.name)), exporter("lua").default_mode)
    documents = exporter("lua").export(subject_of(named, history.folder.name, None, {}, 0), mode)
    given = saved_as(f"{history.folder.name}.lua")
    return Response(documents[0].text, media_type="text/plain; charset=utf-8", headers=given)


def predictions(request: Request) -> Response:
    """The picture of a fit's predictions, its metrics, and where it errs most."""
    fit = fit_in(_history(request)[1])
    rows: dict[str, Any] = {"metrics": metric_rows(fit.metrics), "misses": fit.miss_rows}
    return page("predictions.html", drawn=picture(predictions_svg(fit)), **rows)


def report(request: Request) -> Response:
    """The page that ``gpkit report`` writes about a run, as a file."""
    _, folder = _run(request)
    given = saved_as(f"{folder.name}.html")
    return HTMLResponse(site_of(request).counting.count(page_on, folder), headers=given)


def feed(request: Request) -> Response:
    """The news of a run, as it comes."""
    watched = RunFeed(_run(request)[1])
    return StreamingResponse(_events(watched), media_type="text/event-stream")


def act(request: Request, form: QueryParams) -> Response:
    """The page, or its head, of a run that is paused or resumed.

    Raises:
        UsageError: there is no such run in the folder.
        HTTPException: there is no such action.
    """
    site, name, action = site_of(request), form.get("name", ""), request.path_params["action"]
    if action not in ("pause", "resume"):
        raise HTTPException(404, "there is no such action")
    if site.below().run(name) is None:
        raise UsageError("there is no such run in the folder")
    if action == "pause":
        site.runner.pause(name)
    else:
        goal = form.get("goal")
        site.runner.resume(name, None if goal is None else whole(goal, "the generation", MOST_GENERATIONS))
    if is_part(request):
        return _headed(site, name, site.folder / name, None, action == "pause")
    return RedirectResponse(f"/runs/{name}", 303)


ROUTES = [
    posts("/run/{action}", act),
    reads("/runs/{name:path}/feed", feed),
    reads("/runs/{name:path}/head", head),
    reads("/runs/{name:path}/champion", champion),
    reads("/runs/{name:path}/facts", facts),
    reads("/runs/{name:path}/lua", lua),
    reads("/runs/{name:path}/predictions", predictions),
    reads("/runs/{name:path}/change", change),
    reads("/runs/{name:path}/report", report),
    reads("/runs/{name:path}", show),
]


def _begun(request: Request) -> tuple[str, Path | None]:
    """The run in the address, whose folder is not there yet if this server has just begun it; 404 for no run."""
    name, site = request.path_params["name"], site_of(request)
    folder = site.below().run(name)
    if folder is None and not site.runner.began(name):
        raise HTTPException(404, "there is no such run in the folder")
    return name, folder


def _run(request: Request) -> tuple[str, Path]:
    """The run in the address; 404 if it is not below the folder."""
    name, folder = _begun(request)
    if folder is None:
        raise HTTPException(404, "this run has no folder yet")
    return name, folder


def _history(request: Request) -> tuple[str, History]:
    """The run of evolution in the address, with its history.

    Raises:
        CheckpointError: it is another kind of work, has no generation yet, or is damaged.
    """
    name, folder = _run(request)
    if work_of(folder) is not None:
        raise CheckpointError(f"{folder.name} is a learner's folder: `gpkit report` writes its page")
    return name, read_history(folder)


async def _events(watched: RunFeed) -> AsyncIterator[str]:
    """Server-sent events: ``rows`` that are new, ``anew`` before rows that replace all, ``state`` when it changes."""
    state = ""
    quiet = 0
    while True:
        rows, is_anew = await in_thread(watched.more)
        found = await in_thread(state_of, watched.folder)
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
        UsageError: ``what`` is neither a preset nor a loaded game, a number cannot be read, or the run cannot start.
    """
    what = form.get("what", "")
    if what not in shipped_presets():
        what = game_entry(what).origin or what
    seed = whole(form.get("seed", "") or "0", "the seed", 10**15)
    generations = whole(form.get("generations", "") or "50", "the number of generations", MOST_GENERATIONS)
    asked = [what, "--seed", str(seed), "--generations", str(generations)]
    return site.runner.start(form.get("name", ""), asked)


def _work(name: str, folder: Path, shown: Callable[[Path], Mapping[str, Any]]) -> dict[str, Any]:
    """Values of the page of a game's own long work: how far it is, its course, and what it has found."""
    values: dict[str, Any] = {
        "title": f"Learner {name}",
        "name": name,
        "state": state_of(folder),
        "found": False,
    }
    try:
        found = shown(folder)
    except CheckpointError as error:
        return values | {"trouble": str(error)}
    return {**values, **found, **({"chart": picture(found["chart"])} if "chart" in found else {})}


def _head(site: Site, name: str, folder: Path | None, pausing: bool = False) -> dict[str, Any]:
    """Values of the head of the page of a run, asked to pause or not: its state, why, and how far it is."""
    at = Standing("waiting") if folder is None else standing_of(folder)
    complaint = site.runner.complaint(name)
    if site.runner.is_starting(name, at.state == "running"):
        at = replace(at, state="starting")
    elif complaint:
        at = replace(at, state="failed")
    elif folder is not None and at.state == "running" and (pausing or is_there(folder / ASKED)):
        at = replace(at, state="pausing")
    return {
        "title": PurePosixPath(name).name,
        "name": name,
        "at": at,
        "complaint": complaint,
        "mine": site.runner.going_on() == name,
    }


def _headed(
    site: Site, name: str, folder: Path | None, waiting: str | None, pausing: bool = False
) -> Response:
    """The head of the page of a run; a page that waits for the first generation is loaded anew when it is there."""
    values = _head(site, name, folder if folder is not None and folder.is_dir() else None, pausing)
    answer = page("run_head.html", **values)
    if waiting is not None and (values["at"].reached is not None or values["at"].state == "failed"):
        answer.headers["hx-refresh"] = "true"
    return answer


def _whole(site: Site, name: str, folder: Path | None) -> dict[str, Any]:
    """Values of the page of a run."""
    values = _head(site, name, folder) | {"history": None, "trouble": ""}
    try:
        if folder is None or (
            values["at"].reached is None and read_run(folder)
        ):  # it raises an error if the run cannot begin
            return values
        history = read_history(folder)
    except GpkitError as error:
        return values | {"trouble": str(error)}
    return (
        values
        | _champion(history, name)
        | _facts(history)
        | {
            "history": history,
            "lower": history.run.metric.lower_is_better,
            "guided": bool(history.config.game) and is_guided(history),
        }
    )


def _facts(history: History) -> dict[str, Any]:
    """Values of the four numbers of a run; what the champion reaches against others is not known yet."""
    run, champion = history.run, history.champion
    players = run.subject.game.players(run.subject.rules) if run.config.game and run.metric.is_share else None
    return {
        "game": run.config.game,
        "metric": run.metric,
        "champion": champion,
        "score": run.metric.direction * champion.score,
        "unit": unit_of_size(history),
        "even": 1 / players if players else None,
        "against": None,
    }


def _champion(history: History, name: str) -> dict[str, Any]:
    """Values of what is known of the champion: its text, its picture, its terms, and where it comes from."""
    language, metric = history.run.language, history.run.metric
    file = history.champion_file
    text = read_text(str(file))
    source = language.parse(text, str(file))
    rows: list[tuple[DescentRow, Descent, str]] = []
    lost = ""
    try:
        descents = read_ancestry(history).descents()
        rows = [(descent_row(each, language), each, change_title(each)) for each in descents]
    except GpkitError as error:
        lost = str(error)
    primitives = offered(history.run.subject.offers, language.name)
    body = [line for line in text.splitlines() if not line.startswith(("//", "#"))]
    said = set(re.findall(r"[\w.]+", "\n".join(body)))
    return {
        "file": f"{name}/{BEST}/{file.name}",
        "direction": metric.direction,
        "text": "\n".join(body),
        **_drawn(history, source),
        "terms": [each for each in (primitives.sensors if primitives else ()) if each.name in said],
        "rows": rows,
        "lost": lost,
        "is_fit": history.config.fit is not None,
        "has_lua": bool(exporter("lua").modes_of(language.name)),
        **_front_and_map(history),
    }


def _front_and_map(history: History) -> dict[str, Any]:
    """Values of the front and of the map of a run, where it has them."""
    front, archive = read_front(history.folder), archive_of_run(history)
    values: dict[str, Any] = {"front": None, "map": None}
    if front is not None:
        charts = [picture(curves_svg(each)) for each in front_panels(front)]
        values["front"] = {"charts": charts, "heads": front.objectives, "rows": front_rows(front)}
    if archive is not None:
        values["map"] = {"picture": picture(map_svg(drawn := map_picture(archive))), "remark": drawn.remark}
    return values


def _drawn(history: History, source: Any) -> dict[str, Any]:
    """The champion as a picture, if it has one; for narrow windows a tree as an outline."""
    game = history.config.game
    try:
        primitives = game_entry(game).load().offers.get(source.program.language) if game else None
        found = picture_of(source.program, source.header, primitives, title="")
        drawn = picture(render_dot(found.dot, "svg").decode())
    except GpkitError:
        return {"drawn": None, "outline": ""}
    return {"drawn": drawn, "outline": found.text if history.run.language.valuing is not None else ""}

"""The pages of runs: curves while they run, the champion and its ancestry; and actions to start, pause and resume.

A watched run sends new log entries as rows of a few numbers, in the metric's direction and unit.
"""

import asyncio
import json
import math
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse

from gpkit.core.codec import codec, write_known
from gpkit.core.errors import CheckpointError, GpkitError, UsageError
from gpkit.core.files import read_text
from gpkit.core.plain_files import Mark, is_there, read_on
from gpkit.core.primitives import offered
from gpkit.core.registry import game_entry, has_kernels
from gpkit.core.wording import spelled
from gpkit.core.work_folder import BEST, RUN, is_abandoned, is_held
from gpkit.core.work_folder import PAUSE as ASKED
from gpkit.evolution.config import shipped_presets
from gpkit.evolution.history import Descent, History, read_ancestry, read_history
from gpkit.evolution.problem import GENERATION
from gpkit.evolution.run_folder import EVENTS, Milestone, events_in, read_front, read_run
from gpkit.evolution.search import Summary
from gpkit.evolution.subjects import resolve
from gpkit.export.exported import subject_of
from gpkit.export.registry import LUA
from gpkit.playing.named import Named
from gpkit.show.chart import curves_svg
from gpkit.show.fit_findings import fit_in, metric_rows, predictions_svg
from gpkit.show.game_findings import quick_strengths
from gpkit.show.heat import map_svg
from gpkit.show.lineage import DescentRow, change_dot, descent_row, marked_change
from gpkit.show.pictures import picture_of
from gpkit.show.render import render_dot
from gpkit.show.run_charts import archive_of_run, front_panels, front_rows, is_guided, map_picture
from gpkit.show.run_findings import unit_of_size, work_of
from gpkit.show.run_page import page_on
from gpkit.web.site import Site, in_thread, is_part, page, picture, posts, reads, saved_as, site_of, whole

MOST_READ = 4_000_000
"""The maximum number of bytes of a log to read at once."""

MOST_ROWS = 600
"""The maximum number of rows to send from an earlier log; a longer one is thinned to every second, third, ... row."""

LATEST = 65_536
"""The number of bytes at the end of a log in which gpkit looks for a state."""

GOING_ON, KILLED, AT_REST = "going on", "killed", "at rest"

Row = list[Any]
"""For a generation: g, its number, best, median, best size, mean size, different programs, games
played. For a champion: c, its generation, its score in validation.
"""


class RunFeed:
    """A watched run that keeps track of the rows read so far; each call to ``more`` returns the new rows."""

    def __init__(self, folder: Path) -> None:
        """Start watching the run in a folder.

        Raises:
            CheckpointError: the folder holds no run.
            UsageError: the configuration is from another version.
        """
        _, config = read_run(folder)
        self.folder, self._mark = folder, Mark()
        self._direction = resolve(config).metric.direction

    def more(self) -> tuple[list[Row], bool]:
        """The new rows since the last call, and whether they start over, as after a resume.

        Raises:
            CheckpointError: the log cannot be read.
        """
        if not is_there(self.folder / EVENTS):
            return [], False
        rows: list[Row] = []
        began = self._mark.file
        while True:
            lines, mark = read_on(self.folder / EVENTS, self._mark, MOST_READ)
            if mark.file != self._mark.file:
                rows = []
            done, self._mark = mark == self._mark, mark
            rows += self._rows(lines)
            if done:
                return thinned(rows), self._mark.file != began

    def _rows(self, lines: bytes) -> Iterator[Row]:
        for event in events_in(lines):
            with suppress(ValueError, GpkitError):  # of another version
                if (row := self._row(event)) is not None:
                    yield row

    def _row(self, event: Mapping[str, object]) -> Row | None:
        kind = event.get("event")
        if kind == "generation":
            found = codec(Summary).read(event)
            strengths = [write_known(self._direction * each) for each in (found.best, found.median)]
            different = round(found.diversity * found.individuals) if math.isfinite(found.diversity) else None
            return [
                "g",
                found.generation,
                *strengths,
                found.best_size,
                write_known(found.size),
                different,
                found.trials,
            ]
        if kind == "champion":
            champion = codec(Milestone).read(event)
            return ["c", champion.generation, write_known(self._direction * champion.score)]
        return None


def state_of(folder: Path) -> str:
    """The state of the work in a folder: ``GOING_ON``, ``KILLED`` if its process died, or ``AT_REST``."""
    if is_abandoned(folder):
        return KILLED
    return GOING_ON if is_held(folder) else AT_REST


@dataclass(frozen=True, slots=True)
class Standing:
    """The state of a run, according to the end of its log.

    Attributes:
        state: ``running``, ``paused``, ``finished``, ``failed``, or ``waiting`` for the first generation.
        reached: the last generation; None before the first one.
        goal: the generation after which the run ends; None if it is unknown.
        resumed: the generation of the last resume; None if no resume is known.
        seconds: the seconds from that generation to the last one.
        subject: the game or the problem, or the column that programs predict; empty if it is unknown.
        begun: the time when the run began, in seconds since 1970; 0 if it is unknown.
        course: the best fitness of the latest generations.
    """

    state: str
    reached: int | None = None
    goal: int | None = None
    resumed: int | None = None
    seconds: int = 0
    subject: str = ""
    begun: float = 0.0
    course: tuple[float, ...] = ()

    @property
    def left(self) -> str:
        """The estimated time left in the run, at the speed so far; empty if it is unknown."""
        if self.reached is None or self.goal is None or self.reached <= (begun := self.resumed or 0):
            return ""
        seconds = round(self.seconds / (self.reached - begun) * (self.goal - self.reached))
        if not seconds:
            return ""
        return f"{seconds} seconds" if seconds < 120 else f"{round(seconds / 60)} minutes"


def standing_of(folder: Path) -> Standing:
    """The state of a run, without reading all of its log."""
    state = {GOING_ON: "running", KILLED: "failed", AT_REST: "paused"}[state_of(folder)]
    try:
        _, config = read_run(folder)
        status = (folder / EVENTS).stat()
        lines, _ = read_on(folder / EVENTS, Mark(status.st_ino, max(0, status.st_size - LATEST)), LATEST)
        begun = (folder / RUN).stat().st_mtime  # which is written when it begins
    except (GpkitError, OSError):
        return Standing("waiting" if state == "paused" else state)
    first, reached, resumed, ended, course = None, None, None, False, list[float]()
    for event in events_in(lines):
        with suppress(ValueError, GpkitError):
            reached = GENERATION.read(event.get("generation"))
            first = reached if first is None else first
            resumed = reached if event.get("event") == "resume" else resumed
            ended = event.get("event") == "end"
            if event.get("event") == "generation" and math.isfinite(best := codec(Summary).read(event).best):
                course.append(best)
    if state == "paused" and (ended or reached is None):
        state = "finished" if ended else "waiting"
    if first and resumed is None:  # a log so long that its beginning was not read
        resumed = reached
    goal = config.stop.generations
    return Standing(
        state,
        reached,
        goal if goal is None or goal >= (reached or 0) else None,
        resumed,
        round(status.st_mtime - begun),
        spelled(config.game)
        or (config.fit.target if config.fit else config.problem.name if config.problem else ""),
        begun,
        tuple(course),
    )


def thinned(rows: list[Row]) -> list[Row]:
    """A limited number of rows: all champions, and every k-th generation, including the last one."""
    generations = [row for row in rows if row[0] == "g"]
    step = -(-len(generations) // MOST_ROWS)
    if step <= 1:
        return rows
    kept = {row[1] for row in generations[::-step]}
    return [row for row in rows if row[0] != "g" or row[1] in kept]


PAUSE = 0.5
"""The number of seconds between two polls of a log."""

SIGN_OF_LIFE = 20
"""The number of polls without new events after which the server sends a comment, to detect clients that have left."""

MOST_GENERATIONS = 1_000_000


def show(request: Request) -> Response:
    """The page of an evolution or learner run."""
    name, folder = _begun(request)
    if folder is not None and (work := work_of(folder)):
        template = "learner_part.html" if is_part(request) else "learner.html"
        return page(template, **_work(name, folder, work.shown))
    return page("run.html", **_whole(site_of(request), name, folder))


def head(request: Request) -> Response:
    """The head of a run's page."""
    return _headed(site_of(request), *_begun(request), request.query_params.get("waiting"))


def champion(request: Request) -> Response:
    """The part of a run's page about its champion."""
    name, history = _history(request)
    return page("champion.html", name=name, **_facts(history), **_champion(history, name))


def change(request: Request) -> Response:
    """The picture of a change on the way to the champion; the latest change is number 0.

    Raises:
        UsageError: there is no such change.
    """
    _, history = _history(request)
    number = whole(request.query_params.get("number", ""), "the number of a change", 10**6)
    descents = read_ancestry(history).descents()
    if number >= len(descents) or descents[number].parent is None:
        raise UsageError("there is no such change")
    drawn = picture(render_dot(change_dot(descents[number], history.run.language), "svg").decode())
    return page("change.html", drawn=drawn, marked=_marked(descents[number]))


def _marked(descent: Descent) -> tuple[str, tuple[tuple[str, bool], ...]]:
    """The change in words and as marked text, as ``gpkit.show.lineage.marked_change`` returns them."""
    return marked_change(descent.parent.program if descent.parent else "", descent.child.program)


def facts(request: Request) -> Response:
    """The four numbers of a run; if it is not running, also its champion's strength in fresh games."""
    (name, history), site = _history(request), site_of(request)
    values = _head(site, name, history.folder) | _facts(history)
    is_at_rest = values["at"].state in ("paused", "finished", "failed")
    found = []
    if is_at_rest and values["game"] and has_kernels(values["game"]):
        found = site.counting.count(quick_strengths, history.folder, history.champion.program)
    return page("facts.html", **values | {"against": found[:2]})


def strength(request: Request) -> Response:
    """A champion's strength in fresh games or on held-out rows, with its interval, or its score; empty if unknown."""
    (name, folder), site, found = _run(request), site_of(request), None
    try:
        history = read_history(folder)
        values = _facts(history)
        if history.config.fit is not None:
            first = (fit := fit_in(history)).metrics[fit.shown[0]][0]
            name, found = first.name.replace("r2", "R²"), first.interval
        elif state_of(folder) != GOING_ON and values["game"] and has_kernels(values["game"]):
            name, found = site.counting.count(quick_strengths, folder, history.champion.program)[0]
    except GpkitError:  # the page of the run states the reason
        return HTMLResponse("")
    return page("strength.html", **values, of=name, found=found, is_fit=history.config.fit is not None)


def lua(request: Request) -> Response:
    """The champion of a run as a Lua file; an error if there is no champion yet, or Lua cannot express it."""
    _, history = _history(request)
    file = str(history.champion_file)
    named = Named(file, history.run.language.parse(read_text(file), file), history.run.language)
    mode = next(iter(LUA.modes_of(named.language.name)), LUA.default_mode)
    documents = LUA.export(subject_of(named, history.folder.name, None, {}, 0), mode)
    given = saved_as(f"{history.folder.name}.lua")
    return Response(documents[0].text, media_type="text/plain; charset=utf-8", headers=given)


def predictions(request: Request) -> Response:
    """The picture of a fit's predictions, its metrics, and the rows with the largest errors."""
    fit = fit_in(_history(request)[1])
    rows: dict[str, Any] = {"metrics": metric_rows(fit.measured), "misses": fit.miss_rows}
    rows["unit"] = next(iter(fit.metrics.values()))[0].unit
    return page("predictions.html", drawn=picture(predictions_svg(fit)), **rows)


def report(request: Request) -> Response:
    """The page that ``gpkit report`` writes about a run, as a file."""
    _, folder = _run(request)
    given = saved_as(f"{folder.name}.html")
    return HTMLResponse(site_of(request).counting.count(page_on, folder), headers=given)


def feed(request: Request) -> Response:
    """The events of a run, streamed as they come."""
    return StreamingResponse(_events(RunFeed(_run(request)[1])), media_type="text/event-stream")


def act(request: Request, form: QueryParams) -> Response:
    """Pause or resume a run, and return its page or the head of its page.

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
    reads("/runs/{name:path}/strength", strength),
    reads("/runs/{name:path}/lua", lua),
    reads("/runs/{name:path}/predictions", predictions),
    reads("/runs/{name:path}/change", change),
    reads("/runs/{name:path}/report", report),
    reads("/runs/{name:path}", show),
]


def _begun(request: Request) -> tuple[str, Path | None]:
    """The run in the address; its folder may be missing if this server just started the run; 404 for no run."""
    name, site = request.path_params["name"], site_of(request)
    folder = site.below().run(name)
    if folder is None and not site.runner.began(name):
        raise HTTPException(404, "there is no such run in the folder")
    return name, folder


def _run(request: Request) -> tuple[str, Path]:
    """The run that the address names; 404 if the folder does not contain it."""
    name, folder = _begun(request)
    if folder is None:
        raise HTTPException(404, "this run has no folder yet")
    return name, folder


def _history(request: Request) -> tuple[str, History]:
    """The run of evolution that the address names, with its history.

    Raises:
        CheckpointError: it is another kind of work, has no generation yet, or is damaged.
    """
    name, folder = _run(request)
    if work_of(folder) is not None:
        raise CheckpointError(f"{folder.name} is a learner's folder: `gpkit report` writes its page")
    return name, read_history(folder)


async def _events(watched: RunFeed) -> AsyncIterator[str]:
    """Server-sent events: new ``rows``, ``anew`` before rows that replace the earlier ones, and each new ``state``."""
    state, quiet = "", 0
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
    """Start the run that a form asks for, and return its name.

    Raises:
        UsageError: ``what`` is neither a preset nor a known game, a field is not a valid number, or the run
            cannot start.
    """
    what = form.get("what", "")
    if what not in shipped_presets():
        what = game_entry(what).origin or what
    seed = whole(form.get("seed", "") or "0", "the seed", 10**15)
    generations = whole(form.get("generations", "") or "50", "the number of generations", MOST_GENERATIONS)
    asked = [what, "--seed", str(seed), "--generations", str(generations)]
    return site.runner.start(form.get("name", ""), asked)


def _work(name: str, folder: Path, shown: Callable[[Path], Mapping[str, Any]]) -> dict[str, Any]:
    """Values for the page of a game-specific long-running job: its progress, its history, and its results."""
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
    """The state, reason and progress at the head of the page of a run that may have been asked to pause."""
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
    """The head of a run's page; a page that waits for the first generation is reloaded once it exists."""
    values = _head(site, name, folder if folder is not None and folder.is_dir() else None, pausing)
    answer = page("run_head.html", **values)
    if waiting is not None and (values["at"].reached is not None or values["at"].state == "failed"):
        answer.headers["hx-refresh"] = "true"
    return answer


def _whole(site: Site, name: str, folder: Path | None) -> dict[str, Any]:
    """Values for the page of a run."""
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
    """The values of a run's four figures; the champion's strength against others is not known yet."""
    run, champion = history.run, history.champion
    players = run.game.players(run.rules) if run.config.game and run.metric.is_share else None
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
    """Values for the champion: its text, its picture, its terms, and its ancestry."""
    language, metric = history.run.language, history.run.metric
    text = read_text(str(file := history.champion_file))
    source = language.parse(text, str(file))
    rows: list[tuple[DescentRow, Descent]] = []
    lost = ""
    try:
        rows = [(descent_row(each, language), each) for each in read_ancestry(history).descents()]
    except GpkitError as error:
        lost = str(error)
    primitives = offered(history.run.offers, language.name)
    body = [line for line in text.splitlines() if not line.startswith(("//", "#"))]
    said = set(re.findall(r"[\w.]+", "\n".join(body)))
    return {
        "file": f"{name}/{BEST}/{file.name}",
        "direction": metric.direction,
        "text": "\n".join(body),
        **_drawn(history, source),
        "terms": [each for each in (primitives.sensors if primitives else ()) if each.name in said],
        "rows": rows,
        "marked": _marked,
        "lost": lost,
        "is_fit": history.config.fit is not None,
        "has_lua": bool(LUA.modes_of(language.name)),
        **_front_and_map(history),
    }


def _front_and_map(history: History) -> dict[str, Any]:
    """Values for the front and the map of a run, if the run has them."""
    front, archive = read_front(history.folder), archive_of_run(history)
    drawn = archive and map_picture(archive)
    return {
        "front": front
        and {
            "charts": [picture(curves_svg(each)) for each in front_panels(front)],
            "heads": front.objectives,
            "rows": front_rows(front),
        },
        "map": drawn and {"picture": picture(map_svg(drawn)), "remark": drawn.remark},
    }


def _drawn(history: History, source: Any) -> dict[str, Any]:
    """The champion as a picture, if it has one; narrow windows show a tree as an outline."""
    game = history.config.game
    try:
        primitives = game_entry(game).load().offers.get(source.program.language) if game else None
        found = picture_of(source.program, source.header, primitives, title="")
        drawn = picture(render_dot(found.dot, "svg").decode())
    except GpkitError:
        return {"drawn": None, "outline": ""}
    return {"drawn": drawn, "outline": found.text if history.run.language.valuing is not None else ""}

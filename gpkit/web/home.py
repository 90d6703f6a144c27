"""The home page, where a person chooses a game, and the pages that list all programs and all runs."""

import hashlib
import json
import math
import os
import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any

from markupsafe import Markup
from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gpkit.core.errors import GpkitError
from gpkit.core.files import read_text
from gpkit.core.plugins import Entry, of_package
from gpkit.core.registry import (
    DEFAULT_GAME,
    all_games,
    data_folder,
    game_entry,
    game_of,
    language_of,
    shipped_programs,
)
from gpkit.core.wording import rule_in
from gpkit.editing.document import Document, all_findings, header_in
from gpkit.evolution.config import shipped_presets, title_of
from gpkit.gamekit.players import Player
from gpkit.gamekit.svg import number
from gpkit.gamekit.view import Overlay, against
from gpkit.playing.contest import deal_of
from gpkit.playing.named import shipped_file
from gpkit.playing.players import names_at_table
from gpkit.show.pictures import picture_of as drawn_whole
from gpkit.show.render import render_dot
from gpkit.web.jobs import RUNS
from gpkit.web.play_table import WON, SavedGame, day_of, ended, going_on
from gpkit.web.runs import standing_of, start
from gpkit.web.site import MOST_NAMES, Site, page, posts, reads, site_of
from gpkit.web.workshop import beginnings
from gpkit.web.workspace import free_name

MOST_SHOWN = 6
"""The number of programs and of runs on the first page, which shows the latest ones."""

INITIALS = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 360 200"><rect width="360" height="200" fill="#4a3527"/>'
    '<text x="180" y="132" font-family="sans-serif" font-size="88" font-weight="700" text-anchor="middle" '
    'fill="#f3eee2">{}</text></svg>'
)
"""The picture on the card of a game that draws nothing."""


def home(request: Request) -> Response:
    """The first page."""
    site = site_of(request)
    over = [*ended(site)]
    found: dict[str, Any] = {
        "games": [card(entry) for entry in all_games()],
        "records": _records(over),
        "days": sorted({day_of(each) for each in over if each.game == DEFAULT_GAME} - {""}),
        "tables": [(name, game, against(others)) for name, game, others in islice(going_on(site), 2)],
        "is_readable": os.access(site.folder, os.R_OK | os.X_OK),
        "first": (DEFAULT_GAME, best_of(DEFAULT_GAME)),
    }
    return page("home.html", title="gpkit", **found, **_below(site, MOST_SHOWN))


def _records(over: Iterable[SavedGame]) -> dict[str, tuple[int, int, str]]:
    """For each game, the person's wins and number of games against the latest opponents, and these opponents."""
    found: dict[str, tuple[int, int, str]] = {}
    for each in over:
        others = against([name[:80] for name in each.against[:MOST_NAMES]])
        won, of, latest = found.get(each.game, (0, 0, others))
        if others and others == latest:
            found[each.game] = won + (each.over == WON), of + 1, others
    return found


def programs(request: Request) -> Response:
    """The page that lists all programs."""
    shipped = [(entry.name, strengths_of(entry.name)) for entry in all_games()]
    values = {"shipped": shipped, "beginnings": beginnings(), **_below(site_of(request))}
    return page("programs.html", title="Programs", **values)


def runs(request: Request) -> Response:
    """The page that lists all runs."""
    return _runs(site_of(request), {"what": request.query_params.get("new", "")})


def begin(request: Request, form: QueryParams) -> Response:
    """Start a run and redirect to its page, or show the form again with an error message."""
    site = site_of(request)
    try:
        return RedirectResponse(f"/runs/{start(site, form)}", 303)
    except GpkitError as error:
        return _runs(site, form, str(error), 400)


def shown(request: Request) -> Response:
    """The picture of a game or of a shipped program; 404 if there is none.

    Raises:
        HTTPException: there is no such game or program, or no picture of it.
    """
    game, name = request.path_params["game"], request.path_params.get("name", "")
    try:
        path = shipped_file(name, game) if name else None
        svg = drawn_program(path, game, path.stat().st_mtime_ns) if path else picture_of(game)
    except GpkitError as error:
        raise HTTPException(404, str(error)) from None
    return Response(svg, media_type="image/svg+xml", headers={"cache-control": "private, max-age=600"})


ROUTES = [
    reads("/", home),
    reads("/programs", programs),
    reads("/runs", runs),
    posts("/run/start", begin),
    reads("/picture/{game}.svg", shown),
    reads("/picture/{game}/{name}.svg", shown),
]


def _runs(site: Site, form: Mapping[str, str], wrong: str = "", status: int = 200) -> Response:
    """The page of all runs, with the form for a new run as it was filled in, and an error message for it."""
    games = {name: config.game for name, config in shipped_presets().items()}
    games |= {each.name: each.name for each in all_games() if each.name not in games}
    free = {each: free_name(site.folder / RUNS, each.replace(":", "-"), "") for each in games}
    chosen = form.get("what") or DEFAULT_GAME
    values = {
        "kinds": [(name, free[name], game, title_of(name)) for name, game in games.items()],
        "form": {
            "name": free.get(chosen, ""),
            "generations": "50",
            "seed": "0",
            **form,
            "what": chosen,
        },
        "is_open": bool(form.get("what")),
        "wrong": wrong,
        "going_on": (going_on := site.runner.going_on()),
        "left": standing_of(site.folder / going_on).left if going_on else "",
        **_below(site),
    }
    return page("runs.html", status, title="Runs", **values)


def _below(site: Site, most: int | None = None) -> dict[str, Any]:
    """The latest programs and runs under the folder, with facts about each."""
    below = site.below()

    def latest(names: tuple[str, ...]) -> list[tuple[str, float]]:
        dated = [(name, _changed(below.folder / name)) for name in names]
        return sorted(dated, key=lambda each: -each[1])[:most]

    return {
        "programs": [{"name": name, **facts_of(below.folder / name)} for name, _ in latest(below.programs)],
        "runs": [(name, standing_of(below.folder / name)) for name, _ in latest(below.runs)],
        "counts": (len(below.programs), len(below.runs)),
    }


def _changed(path: Path) -> float:
    """The time when a file changed, in seconds; 0 if the file is gone."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def facts_of(path: Path) -> Mapping[str, Any]:
    """Facts about a program file: its ``game``, its number of ``errors``, and the first one's ``line`` and reason."""
    return _program(str(path), _changed(path))


@lru_cache(512)
def _program(path: str, when: float) -> dict[str, Any]:
    """Facts about a program file at a given point in time."""
    try:
        text = read_text(path)
        document = Document(text, language_of(path).load(), path)
        errors = [each for each in all_findings(document).found if each.severity == "error"]
    except (GpkitError, OSError) as error:
        return {"game": "", "errors": 1, "line": 0, "why": str(error)}
    game = header_in(text).get("game", "")
    return {"game": game, "errors": len(errors), "line": errors[0].span.line if errors else 0, "why": ""}


@cache
def strengths_of(game: str) -> dict[str, Any]:
    """The programs that come with a game, the strongest first, and how their strength was measured.

    A program has a strength if ``programs/strengths.json`` holds one for exactly this text; programs without one come
    last.
    """
    unknown = {"metric": "", "games": 0, "against": "", "programs": {}, "lower is better": False}
    measured = json.loads(read_text(str(data_folder("programs") / "strengths.json")))
    known: dict[str, Any] = measured.get(game, unknown)
    rows: list[dict[str, Any]] = []
    for name, path in shipped_programs(game).items():
        text, strength = read_text(str(path)), known["programs"].get(name, {})
        row: dict[str, Any] = {"name": name, "title": header_in(text).get("title", "")}
        is_measured = strength.get("sha256") == hashlib.sha256(text.encode()).hexdigest()
        rows.append(row | (strength if is_measured else {}))
    sign = 1 if known["lower is better"] else -1
    rows.sort(key=lambda row: sign * row["interval"][0] if "beats" in row else math.inf)
    ends = [end for row in rows for end in row.get("interval", ())]
    high = 1.0 if known["metric"].startswith("win") else max(ends, default=1.0)
    for row in rows:
        row["at"] = [number(100 * end / high) for end in row.get("interval", ())]
    return known | {"rows": rows}


def best_of(game: str) -> str:
    """The program of a game to show first; empty if the game has none."""
    names = [*shipped_programs(game)]
    return next((name for name in names if name == "champion"), names[0] if names else "")


@cache
def card(entry: Entry) -> dict[str, Any]:
    """The content of a game's card: its name, its rule in one line, a line about its players, and its picture.

    For a shipped game, ``card.svg`` contains the rule, the line and the picture. For any other game, the rule comes
    from its docstring, and the picture from a separate address.
    """
    names = list(shipped_programs(entry.name))
    values = {"name": entry.name, "programs": len(names), "best": best_of(entry.name)}
    if entry.origin:
        is_other = of_package(entry.origin)
        origin = entry.origin if is_other else Path(entry.origin).name
        picture = Markup('<img src="/picture/{}.svg" alt="">').format(entry.name)
        rule = entry.title.replace(entry.origin, origin)
        return values | {
            "rule": rule_in(rule, entry.name),
            "who": f"{'Loaded as' if is_other else 'Your game, from'} {origin}",
            "drawn": picture,
        }
    svg = files(entry.folder).joinpath("card.svg").read_text("utf-8")
    words = dict(re.findall(r"<(desc|metadata)>(.*)</\1>\n", svg))
    drawn = re.sub(r"<(title|desc|metadata)>.*\n", "", svg)
    return values | {"rule": words["desc"], "who": words["metadata"], "drawn": Markup(drawn)}  # noqa: S704 - our own


@cache
def picture_of(game: str) -> str:
    """The first position of a game; if the game draws nothing, its initials on a wooden background.

    Raises:
        UsageError: there is no such game.
    """
    known = game_of(game)
    rules = known.make_rules({})
    players = [Player("nobody")] * known.players(rules)
    first = known.begin(players, deal_of(known, rules, 0, 0), rules)
    names = () if game_entry(game).origin else names_at_table(players)  # a shipped game draws names itself
    return known.view.board_svg(first, 0, names, Overlay()) or INITIALS.format(
        "".join(word[:1] for word in game.split("_"))[:3].upper()
    )


MOST_NODES = 250
"""The maximum number of nodes in a small picture of a program."""


@lru_cache(256)
def drawn_program(place: Path, game: str, changed: int) -> str:
    """The picture of a program that comes with a game, with thick edges; an ellipsis if it has too many nodes.

    Raises:
        GpkitError: there is no such program, or it cannot be drawn.
    """
    path = str(place)
    source = language_of(path).load().parse(read_text(path), path)
    primitives = game_of(game).offers.get(source.program.language)
    drawn = drawn_whole(source.program, source.header, primitives, title="")
    dot = drawn.dot.replace("{", "{ edge [penwidth=4]", 1)
    return render_dot(dot, "svg").decode() if drawn.nodes <= MOST_NODES else INITIALS.format("…")

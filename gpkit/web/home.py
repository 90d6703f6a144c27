"""The first page, on which one picks a game; the pages of all programs and of all runs."""

import os
import re
from collections.abc import Mapping
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

from gpkit.core.errors import GpkitError, UsageError
from gpkit.core.files import read_text
from gpkit.core.plugins import Entry, of_package
from gpkit.core.registry import DEFAULT_GAME, all_games, game_entry, game_of, language_of, shipped_programs
from gpkit.editing.diagnostics import all_findings
from gpkit.editing.document import Document, header_in
from gpkit.evolution.presets import shipped_presets
from gpkit.gamekit.players import Player
from gpkit.gamekit.view import Overlay, view_of
from gpkit.gamekit.words import against
from gpkit.playing.match import deal_of
from gpkit.playing.players import names_at_table
from gpkit.web.kept import going_on
from gpkit.web.pages import page, posts, reads, rule_in, site_of
from gpkit.web.run_feed import standing_of
from gpkit.web.runner import RUNS
from gpkit.web.runs import start
from gpkit.web.saving import free_name
from gpkit.web.site import Site
from gpkit.web.workshop import beginnings

MOST_SHOWN = 6
"""Programs, and runs, on the first page: the latest ones."""

INITIALS = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 360 200"><rect width="360" height="200" fill="#4a3527"/>'
    '<text x="180" y="132" font-family="sans-serif" font-size="88" font-weight="700" text-anchor="middle" '
    'fill="#f3eee2">{}</text></svg>'
)
"""Picture of a game that draws nothing, for its card."""


def home(request: Request) -> Response:
    """The first page."""
    site = site_of(request)
    found: dict[str, Any] = {
        "games": [card(entry) for entry in all_games()],
        "tables": [(name, game, against(others)) for name, game, others in islice(going_on(site), 2)],
        "is_readable": os.access(site.folder, os.R_OK | os.X_OK),
        "first": (DEFAULT_GAME, best_of(DEFAULT_GAME)),
    }
    return page("home.html", title="gpkit", **found, **_below(site, MOST_SHOWN))


def programs(request: Request) -> Response:
    """The page of all programs."""
    shipped = [(entry.name, _shipped(entry.name)) for entry in all_games()]
    values = {"shipped": shipped, "beginnings": beginnings(), **_below(site_of(request))}
    return page("programs.html", title="Programs", **values)


def runs(request: Request) -> Response:
    """The page of all runs."""
    return _runs(site_of(request), {"what": request.query_params.get("new", "")})


def begin(request: Request, form: QueryParams) -> Response:
    """A redirect to the page of a new run, or the form with what is wrong with it."""
    site = site_of(request)
    try:
        return RedirectResponse(f"/runs/{start(site, form)}", 303)
    except GpkitError as error:
        return _runs(site, form, str(error), 400)


def shown(request: Request) -> Response:
    """The picture of a game; 404 if there is no such game.

    Raises:
        HTTPException: there is no such game.
    """
    try:
        svg = picture_of(request.path_params["game"])
    except UsageError as error:
        raise HTTPException(404, str(error)) from None
    return Response(svg, media_type="image/svg+xml", headers={"cache-control": "private, max-age=600"})


ROUTES = [
    reads("/", home),
    reads("/programs", programs),
    reads("/runs", runs),
    posts("/run/start", begin),
    reads("/picture/{game}.svg", shown),
]


def _runs(site: Site, form: Mapping[str, str], wrong: str = "", status: int = 200) -> Response:
    """The page of all runs, with the form of a new one as it was filled in, and what is wrong with it."""
    what = [*(presets := shipped_presets()), *(each.name for each in all_games() if each.name not in presets)]
    names = [(each, free_name(site.folder / RUNS, each.replace(":", "-"), "")) for each in what]
    chosen = form.get("what") or what[0]
    values = {
        "names": names,
        "form": {
            "name": dict(names).get(chosen, ""),
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
    """The latest programs and runs below the folder, with what is known of each."""
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
    """The moment in which a file was changed, in seconds; 0 for one that was taken away meanwhile."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def facts_of(path: Path) -> Mapping[str, Any]:
    """Facts about a program file: its ``game``, its number of ``errors``, the ``line`` of the first, and why."""
    return _program(str(path), _changed(path))


@lru_cache(512)
def _program(path: str, when: float) -> dict[str, Any]:
    """Facts about a program file as it was at some moment."""
    try:
        text = read_text(path)
        document = Document(text, language_of(path).load(), path)
        errors = [each for each in all_findings(document).found if each.severity == "error"]
    except (GpkitError, OSError) as error:
        return {"game": "", "errors": 1, "line": 0, "why": str(error)}
    game = header_in(text).get("game", "")
    return {"game": game, "errors": len(errors), "line": errors[0].span.line if errors else 0, "why": ""}


@cache
def _shipped(game: str) -> list[tuple[str, str]]:
    """The programs that come with a game, by name, with what each does in a few words."""
    return [
        (name, header_in(read_text(str(path))).get("title", ""))
        for name, path in shipped_programs(game).items()
    ]


def best_of(game: str) -> str:
    """The program of a game that is shown first; empty if it has none."""
    names = [*shipped_programs(game)]
    return next((name for name in names if name == "champion"), names[0] if names else "")


@cache
def card(entry: Entry) -> dict[str, Any]:
    """A game as its card shows it: its name, its rule in a line, for whom it is, and its picture.

    They are in ``card.svg`` beside a game of the package; one from outside says its rule in its docstring, and its
    picture is a file of its own.
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
    """The first position of a game; of one that draws none, its initials on wood.

    Raises:
        UsageError: there is no such game.
    """
    known = game_of(game)
    rules = known.make_rules({})
    players = [Player("nobody")] * known.players(rules)
    first = known.begin(players, deal_of(known, rules, 0, 0), rules)
    names = () if game_entry(game).origin else names_at_table(players)  # a shipped game draws names itself
    return view_of(game).board_svg(first, 0, names, Overlay()) or INITIALS.format(
        "".join(word[:1] for word in game.split("_"))[:3].upper()
    )

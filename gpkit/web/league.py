"""The page on which players meet each other: standings, who beats whom, circles, and a game of any pair to watch."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any
from urllib.parse import urlencode

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gpkit.analysis.results import League
from gpkit.core.errors import GpkitError, UsageError
from gpkit.core.registry import DEFAULT_GAME, all_games, game_of
from gpkit.gamekit.game import Game
from gpkit.playing.game_setup import default_rules, opponents_of
from gpkit.web.meetings import MOST_PLAYERS, Meeting, check, kept_leagues, meet
from gpkit.web.pages import RULE, page, player_named, players_of, posts, reads, rules_in, site_of, whole
from gpkit.web.site import Site

MOST_GAMES = 2_000
"""Games of each ordered pair that one request can ask for."""

DEFAULT_GAMES = 300

PROPOSED = 4
"""Players of a game that the first page proposes."""

SOON = 0.8
"""Seconds for which the page of a league waits before it says how far it is."""

STEPS = (0.05, 0.2, 0.45)
"""Beginnings of the steps of colours, as shares of the way from an even result to the best or the worst."""


def show(request: Request) -> Response:
    """The page for the fields of an address."""
    return _page(site_of(request), request.query_params)


def begin(request: Request, form: QueryParams) -> Response:
    """A redirect to the page whose league begins now, by the fields of the form, or else of the address."""
    return _page(site_of(request), form or request.query_params, begins=True)


def stop(request: Request, form: QueryParams) -> Response:
    """A redirect to the page without the running league, which is stopped."""
    site_of(request).leagues.stop()
    return RedirectResponse("/league", 303)


ROUTES = [reads("/league", show), posts("/league", begin), posts("/league/stop", stop)]


def _page(site: Site, fields: QueryParams, *, begins: bool = False) -> Response:
    """The page for these fields, or a redirect to it if their league begins now."""
    game: Game = game_of(fields.get("game") or DEFAULT_GAME)
    form = _form(site, game, fields)
    try:
        found = _meeting(site, game, fields, form["players"], begins=begins) if "play" in fields else {}
    except GpkitError as error:
        return page("league.html", 400, **form | _wrong(site, game, form["players"], error), **_around(site))
    if begins:
        return RedirectResponse(f"/league?{fields}", 303)
    return page("league.html", **form | found, **_around(site))


def _around(site: Site) -> dict[str, Any]:
    """Values of what is on every page of leagues: the one that goes on, and those that were played."""
    job, progress = site.leagues.job, None
    if job is not None and job.goes_on():
        with suppress(OSError):  # it is being stopped
            progress = (job.name, *json.loads(job.told.read_text("utf-8").splitlines()[-1]))
    return {"progress": progress, "kept": kept_leagues(site.folder)}


def _form(site: Site, game: Game, fields: QueryParams) -> dict[str, Any]:
    """Values of a page on which nobody has met yet: the form, as it was filled in."""
    options = default_rules(game, game.make_rules(game.duel))  # players meet where they can also play alone
    known = players_of(game, site)
    own = len(opponents_of(game))
    named = [name for name in fields.getlist("player") if name.strip()]
    if not named and "play" not in fields and "drop" not in fields:
        named = known[: min(own, PROPOSED)]
    players = [*dict.fromkeys([*named, *fields.getlist("add")])]
    return {
        "title": "League",
        "game": game.name,
        "games": [entry.name for entry in all_games()],
        "players": [name for name in players if name != fields.get("drop")],
        "known": [("Shipped", known[:own]), ("Yours", known[own:])],
        "most": MOST_PLAYERS,
        "count": fields.get("count") or str(DEFAULT_GAMES),
        "seed": fields.get("seed") or "0",
        "options": [(option, fields.get(f"{RULE}{option.name}") or text) for option, text in options],
        "league": None,
        "asks": False,
        "waits": "",
        "wrong": {},
        "told": "",
    }


def _wrong(site: Site, game: Game, players: Sequence[str], error: GpkitError) -> dict[str, Any]:
    """Values that say what is wrong: by player, or of the whole form."""
    wrong: dict[str, str] = {}
    for name in players:
        try:
            player_named(name, site, game)
        except UsageError as fault:
            wrong[name] = str(fault)
    return {"wrong": wrong, "told": "" if wrong else str(error)}


def _meeting(
    site: Site, game: Game, fields: QueryParams, players: Sequence[str], *, begins: bool
) -> dict[str, Any]:
    """Values of a page that differ from those of ``_form``, as players meet or have met.

    Raises:
        GpkitError: something is wrong with what was asked for.
    """
    count = whole(fields.get("count") or str(DEFAULT_GAMES), "the number of games", MOST_GAMES)
    seed = whole(fields.get("seed") or "0", "the seed", 10**15)
    rules = rules_in(fields)
    chosen = game.make_rules({**game.duel, **rules})
    named = tuple(player_named(name, site, game) for name in players)
    options = tuple(sorted(chosen.to_options().items()))
    meeting = Meeting(game.name, named, options, max(1, count), seed)
    address = f"/league?{fields}"
    check(meeting)
    if begins:
        _begin(site, meeting, address)
    job = site.played.get(meeting)
    if job is None or job.is_stopped:
        return {"asks": True}
    if job.goes_on(SOON):
        return {"waits": address}
    league = job.result()
    asked = {f"{RULE}{name}": text for name, text in {**game.duel, **rules}.items()} | {"seed": seed}
    return {"options": default_rules(game, chosen), "league": league, **_shown(league, players, asked)}


def _begin(site: Site, meeting: Meeting, address: str) -> None:
    """Begin the league of a meeting, unless it is running or has been played.

    Raises:
        UsageError: another league is in progress.
    """
    with site.leagues.lock:
        job = site.played.get(meeting)
        if job is None or job.has_failed:
            if site.leagues.going_on():
                raise UsageError("Another league is being played. Stop it, or wait until it ends.")
            call = partial(meet, meeting, site.folder, address)
            site.played.put(meeting, site.leagues.start(address, call, (0, meeting.all_games)))


def _shown(league: League, players: Sequence[str], asked: Mapping[str, object]) -> dict[str, Any]:
    """Values of standings and of the cross table, whose rows and columns are in the order of the standings."""
    table, ratings = league.table, league.ratings.ratings
    places = [table.programs.index(each.program) for each in ratings]
    ends = [end for each in ratings for end in (each.interval.low, each.interval.high)]
    low, wide = min(ends), (max(ends) - min(ends)) or 1.0

    def place(value: float) -> float:
        """The place of a rating on an axis of 300 units."""
        return 8 + 284 * (value - low) / wide

    standings = [
        (
            players[row],
            each,
            [place(end) for end in (each.interval.low, each.interval.mean, each.interval.high, 0.0)],
        )
        for row, each in zip(places, ratings, strict=True)
    ]
    return {
        "digits": 0 if league.ratings.model == "plackett-luce" else 3,
        "standings": standings,
        "rows": [(players[row], [*_cells(league, row, places, players, asked)]) for row in places],
        "even": 100 / table.players if table.metric.is_share else None,
        "count_played": sum(each.games for each in table.results),
    }


def _cells(
    league: League, row: int, places: Sequence[int], players: Sequence[str], asked: Mapping[str, object]
) -> Iterator[dict[str, Any] | None]:
    """The cells of a row: interval, step of colour from -3 to 3, page of the pair's first game; None for itself."""
    table = league.table
    means = [each.interval.mean for each in table.results]
    even = 1 / table.players if table.metric.is_share else sum(means) / len(means)
    most = 1.0 if table.metric.is_share else max(max(means), even + 1e-9)
    least = 0.0 if table.metric.is_share else min(min(means), even - 1e-9)
    for column in places:
        cell = table.cells[row][column]
        if cell is None:
            yield None
            continue
        away = cell.interval.mean - even
        share = away / (most - even) if away > 0 else away / (even - least)
        step = (
            sum(abs(share) >= each for each in STEPS)
            * (1 if share > 0 else -1)
            * (1 if table.metric.direction > 0 else -1)
        )
        query = {"game": table.game, "program": players[row], "vs": players[column], **asked}
        yield {
            "interval": cell.interval,
            "step": step,
            "other": players[column],
            "at": f"/trace?{urlencode(query)}",
        }

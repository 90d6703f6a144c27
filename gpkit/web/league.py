"""The page on which players meet each other: cross table, ratings, cycles, and a game of any pair to watch."""

from collections.abc import Mapping
from threading import Lock
from typing import Any
from urllib.parse import urlencode

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from gpkit.app.game_setup import default_rules
from gpkit.app.leagues import Meeting, is_long, meet
from gpkit.core.errors import GpkitError
from gpkit.core.registry import DEFAULT_GAME, all_games, game_entry, game_of
from gpkit.gamekit.game import Game
from gpkit.web.pages import RULE, page, players_named, players_of, whole
from gpkit.web.site import Site

MOST_GAMES = 2_000
"""Games of each ordered pair that one request can ask for."""

DEFAULT_GAMES = 300


def routes(site: Site) -> list[Route]:
    """The addresses of these pages."""
    playing = Lock()

    def show(request: Request) -> Response:
        fields = request.query_params
        game: Game = game_of(fields.get("game") or DEFAULT_GAME)
        form = _form(site, game, fields)
        try:
            return page("league.html", **form | _meeting(site, game, fields, playing))
        except GpkitError as error:
            return page("league.html", 400, **form | {"told": str(error)})

    def stop(request: Request) -> Response:
        site.leagues.end()
        return RedirectResponse("/league", 303)

    return [Route("/league", show), Route("/league/stop", stop, methods=["POST"])]


def _form(site: Site, game: Game, fields: Mapping[str, str]) -> dict[str, Any]:
    """Values of a page on which nobody has met yet: the form, as it was filled in."""
    options = default_rules(game, _rules(game, {}))
    return {
        "title": "League",
        "game": game.name,
        "games": [entry.name for entry in all_games()],
        "known": players_of(game, site),
        "players": fields.get("players", ""),
        "count": fields.get("count") or str(DEFAULT_GAMES),
        "seed": fields.get("seed") or "0",
        "options": [(option, fields.get(f"{RULE}{option.name}") or text) for option, text in options],
        "league": None,
        "waits": "",
        "told": "",
    }


def _meeting(site: Site, game: Game, fields: QueryParams, playing: Lock) -> dict[str, Any]:
    """Values of a page that differ from those of ``_form``, as players meet or have met; none if none is named.

    Raises:
        GpkitError: something is wrong with what was asked for.
    """
    count = whole(fields.get("count") or str(DEFAULT_GAMES), "the number of games", MOST_GAMES)
    seed = whole(fields.get("seed") or "0", "the seed", 10**15)
    text = fields.get("players", "")
    if not text:
        return {}
    rules = {name.removeprefix(RULE): text for name, text in fields.items() if name.startswith(RULE)}
    chosen = _rules(game, {name: text for name, text in rules.items() if text})
    named = players_named(text, site, game)
    options = tuple(sorted(chosen.to_options().items()))
    meeting = Meeting(game.name, named, options, max(1, count), seed, game_entry(game.name).origin)
    if is_long(meeting):
        league = site.leagues.look(meeting)
    else:
        with playing:  # one match at a time
            league = meet(meeting)
    if league is None:
        return {"waits": f"/league?{urlencode(list(fields.multi_items()))}"}
    names = [name.strip() for name in text.split(",") if name.strip()]
    return {
        "options": default_rules(game, chosen),
        "league": league,
        "digits": 0 if league.ratings.model == "plackett-luce" else 3,
        "watch": _watch(game, names, rules, seed),
    }


def _rules(game: Game, options: Mapping[str, str]) -> Any:
    """The rules with these options, under which players meet where they can also play alone.

    Raises:
        UsageError: an option is none, or its value.
    """
    return game.make_rules({**game.duel, **options})


def _watch(game: Game, names: list[str], rules: Mapping[str, str], seed: int) -> list[list[str]]:
    """By row and column the page on which the pair's first game is followed."""
    options = {f"{RULE}{name}": text for name, text in {**game.duel, **rules}.items() if text}
    unique = list(dict.fromkeys(names))
    return [
        [
            "/trace?" + urlencode({"game": game.name, "program": row, "vs": column, "seed": seed, **options})
            for column in unique
        ]
        for row in unique
    ]

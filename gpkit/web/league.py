"""Leagues: players play each other in a worker process, and a page shows the results.

The page shows standings, a table of who beats whom, and cycles; one game of each pair can be watched.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import urlencode

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gpkit.analysis.ratings import find_order, rate
from gpkit.analysis.results import League
from gpkit.core.codec import print_document, print_json, read_document
from gpkit.core.errors import GpkitError, UsageError
from gpkit.core.plain_files import make_folder, read_plain, write_plain
from gpkit.core.registry import DEFAULT_GAME, all_games, game_of
from gpkit.core.wording import spelled
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.playing.contest import play_tournament
from gpkit.playing.named import read_named, seat
from gpkit.playing.session import default_rules, opponents_of
from gpkit.web.home import facts_of, strengths_of
from gpkit.web.jobs import tell
from gpkit.web.site import RULE, Site, page, player_named, players_of, posts, reads, rules_in, site_of, whole

MOST_PLAYERS = 8


@dataclass(frozen=True, slots=True)
class LeagueSetup:
    """The players and the rules of a league.

    Attributes:
        game: the name of the game.
        players: the players: names, or paths of files.
        rules: the options, as strings.
        games: the minimum number of games for each ordered pair.
        seed: the seed of the deals.
    """

    game: str
    players: tuple[str, ...]
    rules: tuple[tuple[str, str], ...]
    games: int
    seed: int

    @property
    def all_games(self) -> int:
        """The minimum number of games that all pairs play in total."""
        return len(self.players) * (len(self.players) - 1) * self.games


def play_league(setup: LeagueSetup, folder: Path, address: str) -> League:
    """Play the league of a setup, and save a note on the league, with the address of its page, under a folder.

    While the league runs, report the number of games played so far and the total number.

    Raises:
        UsageError: there are too few or too many players, the rules are for one player, or a name is not a player.
        SourceError: a program has an error in this game.
    """
    game, rules, players = _seated(setup)

    def watch(played: int) -> None:
        tell((played, max(played, setup.all_games)))

    table = play_tournament(game, players, rules=rules, seed=setup.seed, games=setup.games, watch=watch)
    league = League(table, rate(table, seed=setup.seed), find_order(table), dict(setup.rules))
    with suppress(GpkitError, OSError):  # the league is there all the same
        note_league(folder, setup, address, league)
    return league


@dataclass(frozen=True, slots=True)
class Note:
    """A finished league: its title, and the address of its page."""

    title: str
    address: str


NOTES, SCHEMA = "leagues", "gpkit.league/1"
"""The folder for notes on finished leagues, below the site's folder."""

MOST_NOTED = 4_000
"""The maximum number of bytes to read from a note."""


def note_league(folder: Path, setup: LeagueSetup, address: str, league: League) -> None:
    """Save a note on a league under a folder: its title, and the address of a page that plays the same league again.

    Raises:
        CheckpointError: another file has the name of the folder, or the note cannot be written.
    """
    best = PurePath(league.ratings.ratings[0].program).stem
    games = sum(each.games for each in league.table.results)
    title = f"{spelled(setup.game)}: {best} first of {len(league.table.programs)}, {games:,} games"
    make_folder(folder / NOTES)
    name = hashlib.sha256(address.encode()).hexdigest()[:16]
    write_plain(folder / NOTES / f"{name}.json", print_json(print_document(SCHEMA, Note(title, address))))


def noted_leagues(folder: Path) -> list[tuple[str, str, float]]:
    """The leagues recorded under a folder, latest first: title, address, and time in seconds since 1970."""
    found = []
    with suppress(OSError):
        for path in (folder / NOTES).glob("*.json"):
            with suppress(ValueError, GpkitError, OSError):
                note = read_document(read_plain(path, MOST_NOTED), SCHEMA, Note)
                found.append((note.title, note.address, path.stat().st_mtime))
    return sorted((each for each in found if each[1].startswith("/league?")), key=lambda each: -each[2])


def _seated(setup: LeagueSetup) -> tuple[Game, Any, list[Player]]:
    game: Game = game_of(setup.game)
    rules = game.make_rules(dict(setup.rules))
    if not 2 <= len(setup.players) <= MOST_PLAYERS:
        raise UsageError(f"A league takes 2 to {MOST_PLAYERS} players.")
    if game.seatings(rules) == 1:
        raise UsageError(
            f"Under these rules everybody plays {spelled(game.name)} alone, so nobody beats anybody."
        )
    return game, rules, [seat(each, game) for each in read_named(setup.players, None, game=game.name)]


MOST_GAMES = 2_000
"""The maximum number of games for each ordered pair in one request."""

DEFAULT_GAMES = 300

PROPOSED = 4
"""The number of players that the form for a new league proposes."""

SOON = 0.8
"""The number of seconds that a request for a league waits before the page shows progress instead of results."""

STEPS = (0.05, 0.2, 0.45)
"""The lower ends of the colour steps, as shares of the distance from an even result to the best or the worst result."""


def show(request: Request) -> Response:
    """The page of the league that the address describes, or the form for a new one."""
    return _page(site_of(request), request.query_params)


def begin(request: Request, form: QueryParams) -> Response:
    """Start the league that the form or, without a form, the address describes, and redirect to its page."""
    return _page(site_of(request), form or request.query_params, begins=True)


def stop(request: Request, form: QueryParams) -> Response:
    """Stop the running league, and redirect to the form."""
    site_of(request).leagues.stop()
    return RedirectResponse("/league", 303)


ROUTES = [reads("/league", show), posts("/league", begin), posts("/league/stop", stop)]


def _page(site: Site, fields: QueryParams, *, begins: bool = False) -> Response:
    """The page for these fields, or a redirect to that page if this request starts the league."""
    game: Game = game_of(fields.get("game") or DEFAULT_GAME)
    form = _form(site, game, fields)
    try:
        found = _league(site, game, fields, form["players"], begins=begins) if "play" in fields else {}
    except GpkitError as error:
        return page("league.html", 400, **form | _wrong(site, game, form["players"], error), **_around(site))
    if begins:
        return RedirectResponse(f"/league?{fields}", 303)
    return page("league.html", **form | found, **_around(site))


def _around(site: Site) -> dict[str, Any]:
    """The template values for every page about leagues: the running league, and the finished leagues."""
    job, progress = site.leagues.job, None
    if job is not None and job.goes_on():
        with suppress(OSError):  # somebody is stopping the league
            progress = (job.name, *json.loads(job.told.read_text("utf-8").splitlines()[-1]))
    return {"progress": progress, "kept": noted_leagues(site.folder)}


def _form(site: Site, game: Game, fields: QueryParams) -> dict[str, Any]:
    """The template values for the page before a league: the form, as it was filled in."""
    options = default_rules(game, game.make_rules(game.duel))  # players meet where they can also play alone
    known = players_of(game, site)
    own = len(opponents_of(game))
    named = [name for name in fields.getlist("player") if name.strip()]
    if not named and "play" not in fields and "drop" not in fields:
        ranked = [row["name"] for row in strengths_of(game.name)["rows"] if row["name"] in known[:own]]
        yours = [each for each in known[own:] if not facts_of(site.folder / each)["errors"]]
        named = [*(ranked or known[:own])[:PROPOSED], *yours[: MOST_PLAYERS - PROPOSED]]
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
    """The error messages, for individual players or for the form as a whole."""
    wrong: dict[str, str] = {}
    for name in players:
        try:
            player_named(name, site, game)
        except UsageError as fault:
            wrong[name] = str(fault)
    return {"wrong": wrong, "told": "" if wrong else str(error)}


def _league(
    site: Site, game: Game, fields: QueryParams, players: Sequence[str], *, begins: bool
) -> dict[str, Any]:
    """The template values that differ from those of ``_form`` because the league is running or complete.

    Raises:
        GpkitError: the request is not valid.
    """
    count = whole(fields.get("count") or str(DEFAULT_GAMES), "the number of games", MOST_GAMES)
    seed = whole(fields.get("seed") or "0", "the seed", 10**15)
    rules = rules_in(fields)
    chosen = game.make_rules({**game.duel, **rules})
    named = tuple(player_named(name, site, game) for name in players)
    setup = LeagueSetup(game.name, named, tuple(sorted(chosen.to_options().items())), max(1, count), seed)
    address = f"/league?{fields}"
    _seated(setup)  # raises an error if the players cannot play each other
    if begins:
        _begin(site, setup, address)
    job = site.played.get(setup)
    if job is None or job.is_stopped:
        return {"asks": True}
    if job.goes_on(SOON):
        return {"waits": address}
    league = job.result()
    asked = {f"{RULE}{name}": text for name, text in {**game.duel, **rules}.items()} | {"seed": seed}
    return {"options": default_rules(game, chosen), "league": league, **_shown(league, players, asked)}


def _begin(site: Site, setup: LeagueSetup, address: str) -> None:
    """Start the league of a setup, unless it is running or complete.

    Raises:
        UsageError: another league is running.
    """
    with site.leagues.lock:
        job = site.played.get(setup)
        if job is None or job.has_failed:
            if site.leagues.going_on():
                raise UsageError("Another league is being played. Stop it, or wait until it ends.")
            call = partial(play_league, setup, site.folder, address)
            site.played.put(setup, site.leagues.start(address, call, (0, setup.all_games)))


def _shown(league: League, players: Sequence[str], asked: Mapping[str, object]) -> dict[str, Any]:
    """The template values for the standings, and for the cross table in the order of the standings."""
    table, ratings = league.table, league.ratings.ratings
    places = [table.programs.index(each.program) for each in ratings]
    ends = [end for each in ratings for end in (each.interval.low, each.interval.high)]
    low, wide = min(ends), (max(ends) - min(ends)) or 1.0

    def place(value: float) -> float:
        """The position of a rating on an axis 300 units long."""
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
    """The cells of a row: interval, colour from -3 to 3, and address of the pair's first game; None on the diagonal."""
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

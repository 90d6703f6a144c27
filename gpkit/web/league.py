"""The page on which players meet each other: cross table, ratings, cycles, and a game of any pair to watch."""

from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gpkit.analysis.cycles import Order, find_order
from gpkit.analysis.ratings import Ratings, rate
from gpkit.app.named import Named, read_named, seat
from gpkit.app.offered import opponents_of, usual_rules
from gpkit.core.errors import UsageError
from gpkit.core.registry import all_games, game_of
from gpkit.games.game import Duelling, Game
from gpkit.games.players import is_slow
from gpkit.playing.tournament import Tournament, play_tournament
from gpkit.web.fields import RULE, whole
from gpkit.web.names import players_named
from gpkit.web.pages import page
from gpkit.web.site import Site

MOST_GAMES, MOST_PLAYERS = 2_000, 8
"""Games of each ordered pair, and players, that one request can ask for."""

USUAL_GAMES = 300


@dataclass(frozen=True, slots=True)
class League:
    """Players who have met: the cross table, and what follows from it."""

    table: Tournament
    ratings: Ratings
    order: Order


def routes(site: Site) -> list[Route]:
    """The addresses of these pages."""
    playing = Lock()

    def show(request: Request) -> Response:
        fields = request.query_params
        game: Game = game_of(fields.get("game") or "sevens")
        text = fields.get("players", "")
        values: dict[str, Any] = {
            "title": "League",
            "game": game.name,
            "games": [entry.name for entry in all_games()],
            "known": [*opponents_of(game), *site.below().programs],
            "players": text,
            "count": whole(fields.get("count", "") or str(USUAL_GAMES), "the number of games", MOST_GAMES),
            "seed": whole(fields.get("seed", "") or "0", "the seed", 10**15),
        }
        if not text:
            return page("league.html", **values, options=usual_rules(game, _rules(game, {})), league=None)
        rules = {name.removeprefix(RULE): text for name, text in fields.items() if name.startswith(RULE)}
        chosen = _rules(game, {name: text for name, text in rules.items() if text})
        named = players_named(text, site, game)
        with playing:  # one match at a time
            league = _met(game, named, chosen, max(1, values["count"]), values["seed"])
        return page(
            "league.html",
            **values,
            options=usual_rules(game, chosen),
            league=league,
            digits=0 if league.ratings.model == "plackett-luce" else 3,
            watch=_watch(
                game, [name.strip() for name in text.split(",") if name.strip()], rules, values["seed"]
            ),
        )

    return [Route("/league", show)]


def _rules(game: Game, options: Mapping[str, str]) -> Any:
    """The rules with these options, under which players meet where they can also play alone.

    Raises:
        UsageError: an option is none, or its value.
    """
    return game.make_rules({**(game.duel if isinstance(game, Duelling) else {}), **options})


def _met(game: Game, named: tuple[str, ...], rules: Any, games: int, seed: int) -> League:
    """The league of players.

    Raises:
        UsageError: they are too few or too many, take too long, or play alone by these rules.
    """
    if not 2 <= len(named) <= MOST_PLAYERS:
        raise UsageError(f"a league takes 2 to {MOST_PLAYERS} players, with commas between them")
    if game.seatings(rules) == 1:
        raise UsageError(f"by these rules of {game.name} everybody plays alone, so nobody meets")
    read: list[Named] = read_named(named, None, game=game.name)
    players = [seat(each, game) for each in read]
    slow = [player.name for player in players if is_slow(player)]
    if slow:
        raise UsageError(f"games of {slow[0]} take too long for a page: `gpkit tournament` has time for them")
    table = play_tournament(game, players, rules=rules, seed=seed, games=games)
    return League(table, rate(table, seed=seed), find_order(table))


def _watch(game: Game, names: list[str], rules: Mapping[str, str], seed: int) -> list[list[str]]:
    """By row and column the page on which the pair's first game is followed."""
    duel = dict(game.duel) if isinstance(game, Duelling) else {}
    options = {f"{RULE}{name}": text for name, text in {**duel, **rules}.items() if text}
    unique = list(dict.fromkeys(names))
    return [
        [
            "/trace?" + urlencode({"game": game.name, "program": row, "vs": column, "seed": seed, **options})
            for column in unique
        ]
        for row in unique
    ]

"""Heat maps of the squares of a board: each request has a few more games played, in a worker process."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response

from gpkit.core.errors import UsageError
from gpkit.core.registry import game_of
from gpkit.core.wording import YOU
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.playing.heat import Tally, heat_maps
from gpkit.playing.match import deal_of
from gpkit.playing.players import names_at_table
from gpkit.playing.trace import check_traced
from gpkit.web.heat_counts import Wanted, count_games, has_squares, seated
from gpkit.web.heat_picture import shown_map
from gpkit.web.pages import RULE, page, player_named, posts, setup_of, site_of, whole
from gpkit.web.play_table import PlayTable
from gpkit.web.site import Site

DEFAULT_GAMES, MOST_GAMES = 100, 1_000
"""Games that are counted if nothing is said, and at most."""

TOGETHER, TOGETHER_OF_LAID = 5, 50
"""Games that are counted for one request: those that are played, and those of which only the beginning counts."""


def show(request: Request, form: QueryParams) -> Response:
    """The heat maps, after a few more games are counted."""
    site, fields = site_of(request), {**request.query_params, **form}
    games = whole(fields.get("games", "") or str(DEFAULT_GAMES), "the number of games", MOST_GAMES)
    wanted = _wanted(fields, site)
    tally = _counted(site, wanted, max(1, games))
    query = [(name, text) for name, text in fields.items() if name != "games"]
    return page("heat.html", **_shown(wanted, tally), goal=max(1, games), query=urlencode(query))


ROUTES = [posts("/heat", show)]


def _wanted(fields: Mapping[str, str], site: Site) -> Wanted:
    """The games that the fields ask for.

    Raises:
        UsageError: something that was named does not exist, or a number is none.
    """
    game: Game = game_of(fields.get("game", ""))
    program = fields.get("program", "")
    setup, others = setup_of(fields, site, game)
    named = player_named(program, site, game) if program else ""
    changed = tuple(Path(name).stat().st_mtime_ns for name in (named, *others) if "/" in name)
    return Wanted(
        game.name, named, others, tuple(sorted(setup.rules.items())), setup.seat, setup.seed, changed
    )


def _counted(site: Site, wanted: Wanted, games: int) -> Tally:
    """The tally so far, with a few games more unless there are enough."""
    key = (wanted, games)
    tally = site.tallies.get(key) or Tally()
    if tally.games < games:
        slow = any(player.is_slow for player in seated(wanted)[0].players)
        step = TOGETHER_OF_LAID if not wanted.program else 1 if slow else TOGETHER
        more = Tally()
        more.add(tally)
        numbers = range(tally.games, min(tally.games + step, games))
        more.add(site.counting.count(count_games, wanted, numbers))
        site.tallies.put(key, more)
        return more
    return tally


def _shown(wanted: Wanted, tally: Tally) -> dict[str, Any]:
    """Values of the maps of a tally."""
    seating, view = seated(wanted)
    assert view.squares is not None, "seated refuses others"
    players = list(seating.players)
    if wanted.program:
        players = [players[(k - wanted.seat) % len(players)] for k in range(len(players))]
    else:
        players.insert(wanted.seat, Player(YOU))
    names = names_at_table(players)
    state = seating.game.begin(players, deal_of(seating.game, seating.rules, wanted.seed, 0), seating.rules)
    spots = view.squares(state)
    squares = {square: view.action_text(state, square) for square in spots}
    followed = names[wanted.seat] if wanted.program else ""
    return {
        "counted": tally.games,
        "maps": [shown_map(each, spots, squares) for each in heat_maps(tally, list(spots), names, followed)],
    }


def heat_query(table: PlayTable) -> str:
    """The address of the maps of a person's first opponent, without the number of games; empty if there are none."""
    said, setup = table.conversation, table.setup
    if not has_squares(said.game, said.rules):
        return ""
    other, seat = said.others[0], (said.seat + 1) % len(said.players)
    named = table.setup.opponents[0] if setup.opponents else said.game.rivals(said.rules)[0]
    fields = {"game": said.game.name, "seed": str(setup.seed)}
    fields |= {f"{RULE}{name}": text for name, text in said.rules.to_options().items()}
    if not other.decides:
        fields |= {"vs": named, "seat": str(said.seat)}
        return urlencode(fields) if said.view.laid_squares is not None else ""
    try:
        check_traced(said.game, [other, *said.others[1:], other], said.rules, seat)
    except UsageError:
        return ""
    return urlencode(fields | {"program": named, "seat": str(seat)})

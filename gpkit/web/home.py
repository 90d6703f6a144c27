"""The first page: games with their pictures, and the programs and runs below the folder."""

from functools import cache
from itertools import islice

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gpkit.app.saving import free_name
from gpkit.core.errors import UsageError
from gpkit.core.registry import all_games, game_of, shipped_programs
from gpkit.core.rng import stream
from gpkit.evolution.presets import shipped_presets
from gpkit.gamekit.players import Player
from gpkit.gamekit.state import played
from gpkit.gamekit.view import view_of
from gpkit.playing.match import deal_of
from gpkit.web.pages import page
from gpkit.web.runner import RUNS
from gpkit.web.site import Site
from gpkit.web.workshop import beginnings

PLAYED = 12
"""Random actions before the pictures of games."""


def routes(site: Site) -> list[Route]:
    """The addresses of these pages."""

    def home(request: Request) -> Response:
        games = [
            {"name": entry.name, "title": entry.title, "programs": list(shipped_programs(entry.name))}
            for entry in all_games()
        ]
        below = site.below()
        return page(
            "home.html",
            title="gpkit",
            games=games,
            folder=str(below.folder),
            programs=below.programs,
            runs=below.runs,
            presets=presets(),
            beginnings=beginnings(),
            going_on=site.runner.going_on(),
            free=free_name(site.folder / RUNS, "run", ""),
        )

    def shown(request: Request) -> Response:
        try:
            svg = picture_of(request.path_params["game"])
        except UsageError as error:
            raise HTTPException(404, str(error)) from None
        return Response(svg, media_type="image/svg+xml", headers={"cache-control": "private, max-age=600"})

    return [Route("/", home), Route("/picture/{game}.svg", shown)]


def presets() -> list[str]:
    """Names that a new run can be made of: ready configurations, and games of one's own."""
    return [*(presets := shipped_presets()), *(each.name for each in all_games() if each.name not in presets)]


@cache
def picture_of(game: str) -> str:
    """A moment of a game in which both sides have chosen at random.

    Raises:
        UsageError: there is no such game.
    """
    known = game_of(game)
    rules = known.make_rules({})
    players = [Player("nobody")] * known.players(rules)
    state = known.begin(players, deal_of(known, rules, 0, 0), rules)
    rng = stream(0, "picture")
    moves = played(state, lambda each: int(rng.choice(each.legal_actions())))
    for _, _, after in islice(moves, PLAYED):
        if not after.is_terminal:
            state = after
    return view_of(game).board_svg(state, 0)

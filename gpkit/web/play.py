"""The pages on which a person plays."""

import secrets
from collections.abc import Mapping

from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gpkit.core.errors import UsageError
from gpkit.core.registry import game_entry
from gpkit.core.wording import spelled
from gpkit.gamekit.game import Game
from gpkit.playing.persons import transcript_of
from gpkit.web.kept import keep, table_named
from gpkit.web.pages import is_part, page, player_named, posts, reads, saved_as, setup_of, site_of, whole
from gpkit.web.play_page import frames, shown, whole_page
from gpkit.web.play_table import HINT, PlayTable, seated
from gpkit.web.site import Site
from gpkit.web.trace import address

SEEDS = 1_000_000


def ask(request: Request) -> Response:
    """The page that asks before a game begins."""
    game = _game(request)
    setup_of(request.query_params, site_of(request), game)
    return page("begin.html", title=spelled(game.name))


def new(request: Request, form: QueryParams) -> Response:
    """A redirect to a new game with the fields of the address and of the form."""
    site, fields = site_of(request), {**request.query_params, **form}
    setup, named = setup_of(fields, site, _game(request), secrets.randbelow(SEEDS))
    return _begun(site, seated(setup, named))


def show(request: Request) -> Response:
    """The page of a game."""
    name, table = _table(request)
    return page("play.html", **whole_page(name, table, site_of(request)))


def say(request: Request) -> Response:
    """The table with the answer to a word."""
    name, table = _play(request)
    word = request.path_params["word"]
    if word != HINT:
        return page("table_part.html", **shown(name, table, said=table.said(word)))
    adviser = request.query_params.get("adviser", "")
    named = player_named(adviser, site_of(request), table.conversation.game) if adviser else ""
    return page("table_part.html", **shown(name, table, table.advice(named), adviser))


def rival(request: Request) -> Response:
    """A sentence about the game of the view's rival on the same deal."""
    _, table = _play(request)
    words, setup = table.conversation.view.words, table.setup
    return page("rival.html", said=table.compared(), words=words, query=address(setup, words.rival))


def transcript(request: Request) -> Response:
    """The game as a file."""
    name, table = _play(request)
    text = transcript_of(table.setup, table.session).to_json()
    given = saved_as(f"{table.setup.game}-{name}.json")
    return Response(text, media_type="application/json", headers=given)


def _game(request: Request) -> Game:
    """The game in the address; 404 if it is not loaded."""
    try:
        game: Game = game_entry(request.path_params["game"]).load()
    except UsageError as error:
        raise HTTPException(404, str(error)) from None
    return game


def _table(request: Request) -> tuple[str, PlayTable]:
    """The name and the table in the address; 404 for one that is not kept."""
    name = request.path_params["id"]
    table = table_named(site_of(request), name)
    if table is None or table.setup.game != request.path_params["game"]:
        raise HTTPException(404, "this game is no longer kept: start a new one")
    return name, table


def _play(request: Request) -> tuple[str, PlayTable]:
    """The name and the table in the address, at which actions are chosen; 404 for any other."""
    name, table = _table(request)
    if table.session.answers:
        raise HTTPException(404, "this seat answers questions and chooses no actions")
    return name, table


def _begun(site: Site, table: PlayTable) -> Response:
    """The way to a new game, which is kept."""
    name = secrets.token_urlsafe(9)
    keep(site, name, table)
    return _to(name, table.setup.game)


def _to(name: str, game: str) -> Response:
    return RedirectResponse(f"/play/{game}/{name}", 303)


def act(request: Request, form: QueryParams) -> Response:
    """The table after an action of the person.

    Raises:
        UsageError: the action cannot be done now.
        HTTPException: there is no such action.
    """
    site, (name, table) = site_of(request), _table(request)
    turn, told = whole(form.get("turn", ""), "the turn", 10**9), len(table.session.changes)
    match request.path_params["action"], table.session.answers:
        case "again", _:
            return _begun(site, table.again())
        case "act", True:
            table.answer(turn, form.get("spot") or form.get("action") or form.get("text", ""))
        case "act", False:
            try:
                _act(table, turn, form)
            except UsageError as mistake:
                if not (is_part(request) and form.get("text")):
                    raise
                why = str(mistake).replace("`", "").replace("_", " ")
                typed = form["text"], f"{why[:1].upper()}{why[1:]}."
                return page("table_part.html", **shown(name, table, typed=typed))
        case "leave", _:
            table.gave_up = not table.is_over
        case "undo", False:
            table.undo(turn)
        case _:
            raise HTTPException(404, "there is no such action")
    keep(site, name, table)
    if not is_part(request):
        return _to(name, table.setup.game)
    return page("table_part.html", **shown(name, table), frames=frames(table, told))


def _act(table: PlayTable, turn: int, form: Mapping[str, str]) -> None:
    """Play as the form says: a spot or a button, parts that are put together, or a text."""
    action = form.get("spot") or form.get("action")
    parts = tuple(form[name] for name in sorted(form) if name.startswith("part."))
    if action:
        table.act(turn, whole(action, "an action", 10**15))
    elif parts and not form.get("text"):
        table.act_by_text(turn, "".join(parts))
    else:
        table.act_by_text(turn, form.get("text", ""))


BASE = "/play/{game}"

ROUTES = [
    reads(BASE, ask),
    posts(BASE, new),
    reads(BASE + "/{id}", show),
    reads(BASE + "/{id}/say/{word}", say),
    reads(BASE + "/{id}/rival", rival),
    reads(BASE + "/{id}/transcript", transcript),
    posts(BASE + "/{id}/{action}", act),
]

"""The pages on which a person plays."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from gpkit.app.frames import valued_text
from gpkit.app.game_setup import GameSetup, default_rules, opponents_of
from gpkit.app.transcripts import transcript_of
from gpkit.core.errors import UsageError
from gpkit.core.registry import game_entry
from gpkit.gamekit.game import Game
from gpkit.gamekit.view import Overlay, View, spots_of
from gpkit.playing.conversation import MOST_LISTED, Advice, Answers, Line
from gpkit.playing.players import default_name
from gpkit.playing.trace import Table
from gpkit.web.heat import heat_query
from gpkit.web.heat_picture import scale_of
from gpkit.web.pages import (
    RULE,
    form_of,
    in_thread,
    is_part,
    page,
    picture,
    player_named,
    players_named,
    whole,
)
from gpkit.web.play_table import HINT, PlayTable, seated
from gpkit.web.site import Site

SEEDS = 1_000_000
MOST_BUTTONS = 2 * MOST_LISTED
"""Actions without a place on the board that are shown as buttons; of more, one is typed."""


def routes(site: Site) -> list[Route]:
    """The addresses of these pages."""

    def new(request: Request) -> Response:
        game = _game(request)
        setup, named = setup_of(request.query_params, site, game)
        return _to(_keep(site, seated(setup, named)), game.name)

    def show(request: Request) -> Response:
        name, table = _table(request, site)
        return page("play.html", **_whole(name, table))

    async def act(request: Request) -> Response:
        form = await form_of(request)
        return await in_thread(_after, request, site, form)

    def say(request: Request) -> Response:
        name, table = _play(request, site)
        word = request.path_params["word"]
        adviser = request.query_params.get("adviser", "")
        named = player_named(adviser, site, table.conversation.game) if adviser else ""
        advice = table.advice(named) if word == HINT else Advice(table.said(word))
        return page("table_part.html", **_shown(name, table, advice, adviser))

    def transcript(request: Request) -> Response:
        name, table = _play(request, site)
        text = transcript_of(table.setup, table.session).to_json()
        given = {"content-disposition": f'attachment; filename="{table.setup.game}-{name}.json"'}
        return Response(text, media_type="application/json", headers=given)

    base = "/play/{game}"
    return [
        Route(base, new),
        Route(base + "/{id}", show),
        Route(base + "/{id}/say/{word}", say),
        Route(base + "/{id}/transcript", transcript),
        Route(base + "/{id}/{action}", act, methods=["POST"]),
    ]


def setup_of(fields: Mapping[str, str], site: Site, game: Game) -> tuple[GameSetup, tuple[str, ...]]:
    """The setup that is given in the fields of a form, and the opponents as they are read.

    Raises:
        UsageError: an opponent is not known, or a number is none.
    """
    names = fields.get("vs", "")
    rules = {name.removeprefix(RULE): text for name, text in fields.items() if name.startswith(RULE) and text}
    defaults = {option.name: text for option, text in default_rules(game, game.make_rules({}))}
    changed = {name: text for name, text in rules.items() if defaults.get(name) != text}
    setup = GameSetup(
        game.name,
        tuple(name.strip() for name in names.split(",") if name.strip()),
        changed,
        whole(fields.get("seat", "") or "0", "the seat", 99),
        whole(fields.get("seed", "") or str(secrets.randbelow(SEEDS)), "the seed", 10**15),
    )
    return setup, players_named(names, site, game)


def _game(request: Request) -> Game:
    """The game in the address; 404 for what is none of those that were loaded."""
    try:
        game: Game = game_entry(request.path_params["game"]).load()
    except UsageError as error:
        raise HTTPException(404, str(error)) from None
    return game


def _table(request: Request, site: Site) -> tuple[str, PlayTable]:
    """The name and the table in the address; 404 for one that is not kept."""
    name = request.path_params["id"]
    table = site.tables.get(name)
    if table is None or table.setup.game != request.path_params["game"]:
        raise HTTPException(404, "this game is no longer kept: start a new one")
    return name, table


def _play(request: Request, site: Site) -> tuple[str, PlayTable]:
    """The name and the table in the address, at which actions are chosen; 404 for any other."""
    name, table = _table(request, site)
    if table.session.answers:
        raise HTTPException(404, "this seat answers questions and chooses no actions")
    return name, table


def _keep(site: Site, table: PlayTable) -> str:
    name = secrets.token_urlsafe(9)
    site.tables.put(name, table)
    return name


def _to(name: str, game: str) -> Response:
    return RedirectResponse(f"/play/{game}/{name}", 303)


def _after(request: Request, site: Site, form: Mapping[str, str]) -> Response:
    """The table after an action of the person."""
    name, table = _table(request, site)
    turn = whole(form.get("turn", ""), "the turn", 10**9)
    match request.path_params["action"], table.session.answers:
        case "again", _:
            return _to(_keep(site, table.again()), table.setup.game)
        case "act", True:
            table.answer(turn, form.get("spot") or form.get("action") or form.get("text", ""))
        case "act", False:
            _act(table, turn, form)
        case "undo", False:
            table.undo(turn)
        case _:
            raise HTTPException(404, "there is no such action")
    if not is_part(request):
        return _to(name, table.setup.game)
    return page("table_part.html", **_shown(name, table))


def _act(table: PlayTable, turn: int, form: Mapping[str, str]) -> None:
    """Play as the form says: a spot or a button, parts that are put together, or a text."""
    action = form.get("spot") or form.get("action")
    parts = tuple(form[name] for name in sorted(form) if name.startswith("part."))
    if action:
        table.act(turn, whole(action, "an action", 10**15))
    elif parts and not form.get("text"):
        table.composed = parts
        table.act_by_text(turn, "".join(parts))
    else:
        table.act_by_text(turn, form.get("text", ""))


def _whole(name: str, table: PlayTable) -> dict[str, Any]:
    """Values of the whole page."""
    game, setup = table.conversation.game, table.setup
    title = table.conversation.title or game.name.replace("_", " ").capitalize()
    return {
        "title": title,
        "opponents": opponents_of(game),
        "options": default_rules(game, table.conversation.rules),
        "seats": range(len(table.conversation.players)),
        "setup": setup,
        "heat": heat_query(table),
        **_shown(name, table),
    }


def _shown(name: str, table: PlayTable, advice: Advice | None = None, adviser: str = "") -> dict[str, Any]:
    """Values of the table: the board, what can be done, and what was said, by whom if it is advice."""
    if table.session.answers:
        return _asked(name, table)
    said, state = table.conversation, table.session.state
    spots = spots_of(said.view, state, said.seat)
    over = state.is_terminal
    parts = () if over else said.view.action_parts(state)
    known = {} if parts else {each: said.view.action_text(state, each) for each in state.legal_actions()}
    labels = {action: text for action, text in known.items() if action in spots}
    overlay = Overlay(labels)
    if advice is not None:
        overlay = replace(overlay, values=advice.values, best=advice.actions)
    free = {action: text for action, text in known.items() if action not in spots}
    return {
        "base": f"/play/{table.setup.game}/{name}",
        "name": name,
        "boards": drawings(said.view, state, said.seat, said.names, overlay),
        "text": said.board(state),
        "over": over,
        "task": _task(table),
        "told": table.session.told,
        "waiting": table.turn == 0 and not over,
        "turn": table.turn,
        "parts": parts,
        "composed": table.composed,
        "buttons": free if len(free) <= MOST_BUTTONS else {},
        "advised": overlay.best,
        "scale": scale_of(overlay.values) if overlay.is_graded else (),
        "words": () if over else tuple(word for word in table.commands if word != HINT),
        "can_hint": not over,
        "adviser": adviser,
        "default_adviser": default_name(said.best, said.others, said.game),
        "can_undo": table.session.can_undo,
        "said": [shown_part(part) for part in advice.parts] if advice is not None else [],
        "formula": _formula(advice),
        "can_follow": over,
    }


def drawings(view: View, state: Any, seat: int, names: Sequence[str], overlay: Overlay) -> list[Markup]:
    """The board for a page: a wide and a narrow drawing, or one where they are alike; none where text shows it best."""
    wide = view.board_svg(state, seat, names, overlay)
    narrow = view.board_svg(state, seat, names, replace(overlay, is_narrow=True))
    return [picture(svg) for svg in dict.fromkeys((wide, narrow)) if svg]


def _asked(name: str, table: PlayTable) -> dict[str, Any]:
    """Values of a table at which questions are answered."""
    session = table.session
    clicks = session.prompt.answers() if session.prompt.answers is not None else Answers("", "")
    lines = [part.strip("\n") for part in session.lines if isinstance(part, str)]
    *_, board = ["", *(line for line in lines if "\n" in line)]
    return {
        "base": f"/play/{table.setup.game}/{name}",
        "name": name,
        "boards": [picture(clicks.picture)] if clicks.picture else [],
        "text": board,
        "over": session.is_over,
        "task": lines[-1] if session.is_over else clicks.task or session.prompt.text,
        "told": [line for line in lines if "\n" not in line],
        "waiting": False,
        "turn": table.turn,
        "parts": (),
        "composed": (),
        "buttons": {} if session.is_over else clicks.words,
        "advised": (),
        "scale": (),
        "words": (),
        "can_hint": False,
        "can_undo": False,
        "said": [],
        "formula": "",
        "can_follow": False,
    }


def _task(table: PlayTable) -> str:
    """The sentence above the board: the result, or what is to be chosen."""
    said, state = table.conversation, table.session.state
    if state.is_terminal:
        return said.result(state)
    if said.prompt and (task := said.task(state)):
        return task
    return f"Your turn: {said.question(state).rstrip('? ')}"


def _formula(advice: Advice | None) -> str:
    """The adviser's formula with the number of every node, where it has one."""
    if advice is None or advice.decision is None:
        return ""
    return valued_text(advice.decision.evaluations[advice.decision.chosen])


def shown_part(part: Line) -> dict[str, Any]:
    """Values of something that is said: words, lines, or a table."""
    if isinstance(part, Table):
        return {"kind": "table", "table": part}
    text = str(part).strip("\n")
    return {"kind": "lines" if "\n" in text else "words", "text": text}

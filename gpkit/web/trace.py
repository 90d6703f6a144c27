"""The pages on which a game is followed step by step."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gpkit.app.frames import formula_text
from gpkit.app.game_setup import default_rules
from gpkit.app.heat import has_squares
from gpkit.core.errors import UsageError
from gpkit.core.registry import DEFAULT_GAME, all_games, game_of
from gpkit.core.wording import spelled
from gpkit.gamekit.game import Game
from gpkit.gamekit.view import GRADED, Overlay, spots_of
from gpkit.playing.trace import Step
from gpkit.playing.walk import values_text
from gpkit.web.heat_picture import Scale, scale_of
from gpkit.web.hint_panel import shown_part
from gpkit.web.home import best_of
from gpkit.web.kept import table_named
from gpkit.web.pages import RULE, page, picture, player_named, players_named, players_of, whole
from gpkit.web.site import Site
from gpkit.web.trace_tape import Asked, TraceTape, game_named, retold, traced

MARK = ">"
"""The first character of a line of a program that counted in a step."""


def routes(site: Site) -> list[Route]:
    """The addresses of these pages."""

    def show(request: Request) -> Response:
        fields = request.query_params
        if not fields.get("program") and not fields.get("table"):
            return page("trace.html", **_form(site, fields.get("game") or DEFAULT_GAME, None))
        tape = _tape(fields, site)
        return page("trace.html", **_form(site, tape.asked.game, tape), **_step(tape, _number(fields)))

    def step(request: Request) -> Response:
        fields = request.query_params
        tape, number = _tape(fields, site), _number(fields)
        if fields.get("find"):
            number = tape.find(fields["find"], number + 1).number
        return page("step_part.html", **_step(tape, number))

    def drawn(request: Request) -> Response:
        fields = request.query_params
        svg = _tape(fields, site).drawn(_number(fields))
        return page("drawn.html", drawn=picture(svg) if svg else Markup(""))

    return [Route("/trace", show), Route("/trace/step", step), Route("/trace/drawn", drawn)]


def _number(fields: Mapping[str, str]) -> int:
    return whole(fields.get("step", "") or "0", "the number of a step", 10**9)


def _tape(fields: Mapping[str, str], site: Site) -> TraceTape:
    """The traced game that the fields ask for; made now, unless it is kept.

    Raises:
        UsageError: something that was named does not exist or does not fit.
    """
    if name := fields.get("table", ""):
        return _retold(name, site)
    program = fields.get("program", "")
    game = _game(fields, site, program)
    rules = {name.removeprefix(RULE): text for name, text in fields.items() if name.startswith(RULE) and text}
    defaults = {option.name: text for option, text in default_rules(game, game.make_rules({}))}
    vs = fields.get("vs", "")
    asked = Asked(
        game.name,
        program,
        tuple(name.strip() for name in vs.split(",") if name.strip()),
        {name: text for name, text in sorted(rules.items()) if defaults.get(name) != text},
        whole(fields.get("seat", "") or "0", "the seat", 99),
        whole(fields.get("seed", "") or "0", "the seed", 10**15),
        whole(fields.get("deal", "") or "0", "the deal", 10**7),
    )
    key = address(asked)
    tape = site.tapes.get(key)
    if tape is None:
        tape = traced(asked, player_named(program, site, game), players_named(vs, site, game))
        site.tapes.put(key, tape)
    return tape


def _retold(name: str, site: Site) -> TraceTape:
    """The game of a person at the table of a name, which is over."""
    table = table_named(site, name)
    if table is None:
        raise HTTPException(404, "this game is no longer kept")
    if table.session.answers:
        raise UsageError("only games in which you choose actions can be traced, once they are over")
    key = f"table={name}"
    tape = site.tapes.get(key)
    if tape is None:
        tape = retold(table, name)
        site.tapes.put(key, tape)
    return tape


def _game(fields: Mapping[str, str], site: Site, program: str) -> Game:
    """The game of the fields; without one, that of a program below the folder."""
    name = fields.get("game", "")
    path = site.below().program(program)
    if not name and path is not None:
        name = game_named(str(path))
    if not name:
        raise UsageError("name the game, too: several games may have a program of that name")
    game: Game = game_of(name)
    return game


def address(asked: Asked) -> str:
    """The fields of a traced game as the query of an address."""
    if asked.table:
        return urlencode({"table": asked.table})
    return urlencode(
        {
            "game": asked.game,
            "program": asked.program,
            "vs": ", ".join(asked.opponents),
            "seat": asked.seat,
            "seed": asked.seed,
            "deal": asked.deal,
            **{f"{RULE}{name}": text for name, text in asked.rules.items()},
        }
    )


def _form(site: Site, name: str, tape: TraceTape | None) -> dict[str, Any]:
    """Values of the form in which a game is asked for."""
    game: Game = game_of(name)
    rules = game.make_rules({}) if tape is None else tape.seating.rules
    seats = game.players(rules) if tape is None else len(tape.seating.players)
    return {
        "title": _title(tape),
        "about": "" if tape is None else _about(tape),
        "tape": tape,
        "game": name,
        "games": [entry.name for entry in all_games()],
        "opponents": players_of(game, site),
        "options": default_rules(game, rules),
        "seats": range(seats),
        "heat": ""
        if tape is None or tape.asked.table or not has_squares(game, rules)
        else address(tape.asked),
        "examples": () if tape is None else tape.trace.vocabulary.examples,
        "best": best_of(game.name),
    }


def _title(tape: TraceTape | None) -> str:
    if tape is None:
        return "Trace"
    return "Your game" if tape.asked.table else f"{tape.trace.names[tape.trace.seat]}, step by step"


def _about(tape: TraceTape) -> str:
    """The game, the other players and the seed, in a line."""
    others = [name for seat, name in enumerate(tape.trace.names) if seat != tape.trace.seat]
    against = f" against {' and '.join(others)}" if others else ""
    return f"{spelled(tape.asked.game)}{against}, seed {tape.asked.seed}, deal {tape.asked.deal}"


def _step(tape: TraceTape, number: int) -> dict[str, Any]:
    """Values of a step."""
    step, last = tape.step(number), tape.last
    found = step.view.table()
    text = formula_text(step)
    return {
        "asked": tape.asked,
        "url": f"/trace/step?{address(tape.asked)}",
        "drawn_url": f"/trace/drawn?{address(tape.asked)}",
        "step": step,
        "last": last,
        "before": tape.decision(step.number, before=True),
        "after": tape.decision(step.number),
        "told": f"Step {step.number} of {last}: {step.view.words()}",
        "board": picture(step.view.picture()),
        "worth": _worth(tape, step),
        "scale": _scale(step),
        "said": [] if found is None else [shown_part(found)],
        "lines": text.splitlines(),
        "mark": MARK,
        "is_lined": step.winner is None,
        "can_draw": bool(step.evaluations or step.listing),
        "values": values_text(step, tape.trace.vocabulary),
        "follows": tape.trace.names[tape.trace.seat],
        "score": step.values.get("score"),
        "metric": tape.seating.game.metric(tape.seating.rules).name.replace("_", " "),
    }


def _scale(step: Step) -> tuple[Scale, ...]:
    """The scale of the values on the board."""
    worth = step.view.worth()
    return () if worth is None or len(worth.values) < GRADED else scale_of(worth.values)


def _worth(tape: TraceTape, step: Step) -> Markup | None:
    """The board before a decision with the values of the actions; None where actions have no places."""
    worth = step.view.worth()
    if worth is None:
        return None
    if not spots_of(tape.view, worth.state, None):
        return None
    overlay = Overlay(values=worth.values, best=(worth.chosen,))
    return picture(tape.view.board_svg(worth.state, None, tape.trace.names, overlay))

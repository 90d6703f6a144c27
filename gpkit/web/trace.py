"""The pages on which a game is followed step by step."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gpkit.core.errors import GpkitError, UsageError
from gpkit.core.registry import DEFAULT_GAME, all_games, game_entry, game_of
from gpkit.core.wording import spelled
from gpkit.draw.frames import formula_text
from gpkit.draw.replay import MARK
from gpkit.gamekit.game import Game
from gpkit.gamekit.view import GRADED, Overlay
from gpkit.playing.game_setup import GameSetup, default_rules
from gpkit.playing.named import game_for, read_named
from gpkit.playing.walk import values_text
from gpkit.web.heat_counts import has_squares
from gpkit.web.heat_picture import scale_of
from gpkit.web.hint_panel import shown_part
from gpkit.web.home import best_of, card
from gpkit.web.kept import table_named
from gpkit.web.pages import RULE, page, picture, player_named, players_of, reads, setup_of, site_of, whole
from gpkit.web.play_page import drawings
from gpkit.web.site import Site
from gpkit.web.trace_tape import TraceTape, retold, traced


def show(request: Request) -> Response:
    """The page of a game, or the form in which one is asked for."""
    site, fields = site_of(request), request.query_params
    if not fields.get("program") and not fields.get("table"):
        return page("trace.html", **_form(site, fields, None))
    try:
        tape = _tape(fields, site)
    except GpkitError as error:
        return page("trace.html", 400, **_form(site, fields, None, str(error)))
    return page("trace.html", **_form(site, fields, tape), **_step(tape, _number(fields)))


def step(request: Request) -> Response:
    """A step, or the next one at which a condition holds."""
    fields = request.query_params
    tape, number = _tape(fields, site_of(request)), _number(fields)
    if fields.get("find"):
        number = tape.find(fields["find"], number + 1).number
    return page("step_part.html", **_step(tape, number))


def drawn(request: Request) -> Response:
    """The picture of the program in a step."""
    fields = request.query_params
    svg = _tape(fields, site_of(request)).drawn(_number(fields))
    return page("drawn.html", drawn=picture(svg) if svg else Markup(""))


ROUTES = [reads("/trace", show), reads("/trace/step", step), reads("/trace/drawn", drawn)]


def _number(fields: Mapping[str, str]) -> int:
    return whole(fields.get("step", "") or "0", "the number of a step", 10**9)


def _tape(fields: Mapping[str, str], site: Site) -> TraceTape:
    """The traced game that the fields ask for; made now, unless it is kept.

    Raises:
        UsageError: something that was named does not exist or does not fit.
    """
    if name := fields.get("table", ""):
        table = table_named(site, name)
        if table is None:
            raise HTTPException(404, "this game is no longer kept")
        return site.tapes.made(f"table={name}", lambda: retold(table, name))
    program = fields.get("program", "")
    path, called = site.below().program(program), fields.get("game", "")
    if not called and path is None:
        raise UsageError("name the game, too: several games may have a program of that name")
    game: Game = game_of(called or game_for(read_named([str(path)], None), None).name)
    setup, others = setup_of(fields, site, game)
    known = player_named(program, site, game)
    return site.tapes.made(address(setup, program), lambda: traced(setup, program, known, others))


def address(setup: GameSetup, program: str) -> str:
    """The fields of a traced game as the query of an address."""
    return urlencode(
        {
            "game": setup.game,
            "program": program,
            "vs": ", ".join(setup.opponents),
            "seat": setup.seat,
            "seed": setup.seed,
            "deal": setup.deal,
            **{f"{RULE}{name}": text for name, text in setup.rules.items()},
        }
    )


def _form(site: Site, fields: Mapping[str, str], tape: TraceTape | None, wrong: str = "") -> dict[str, Any]:
    """Values of the form in which a game is asked for, as it was filled in, and what is wrong with it."""
    name = tape.setup.game if tape is not None else fields.get("game") or DEFAULT_GAME
    game: Game = game_of(name)
    rules = game.make_rules({}) if tape is None else tape.seating.rules
    seats = game.players(rules) if tape is None else len(tape.seating.players)
    return {
        "title": "Trace" if tape is None else _titles(tape)[0],
        "about": "" if tape is None else _titles(tape)[1],
        "tape": tape,
        "wrong": wrong,
        "given": defaultdict(str, fields if tape is None else parse_qsl(address(tape.setup, tape.program))),
        "game": name,
        "games": [entry.name for entry in all_games()],
        "opponents": players_of(game, site),
        "options": default_rules(game, rules),
        "seats": range(seats),
        "heat": address(tape.setup, tape.program)
        if tape is not None and not tape.table and has_squares(game, rules)
        else "",
        "examples": () if tape is None else tape.trace.vocabulary.examples,
        "best": best_of(game.name),
        "drawn": card(game_entry(name))["drawn"],
    }


def _titles(tape: TraceTape) -> tuple[str, str]:
    """Title, which names who is followed; and a line with the game, the other players and the seed."""
    setup, trace = tape.setup, tape.trace
    others = [name for seat, name in enumerate(trace.names) if seat != trace.seat]
    against = f" against {' and '.join(others)}" if others else ""
    deal = f", deal {setup.deal}" if setup.deal else ""
    title = "Your game" if tape.table else f"{trace.names[trace.seat]}, step by step"
    return title, f"{spelled(setup.game)}{against}, seed {setup.seed}{deal}"


def _step(tape: TraceTape, number: int) -> dict[str, Any]:
    """Values of a step."""
    step, last = tape.step(number), tape.last
    found = step.table()
    text, worths = formula_text(step), step.worths
    before = []
    if worths and tape.view.placed(step.before):
        overlay = Overlay(values=worths, best=() if step.action is None else (step.action,))
        before = drawings(tape.view, step.before, None, tape.trace.names, overlay)
    after = dict.fromkeys((step.picture(), step.picture(is_narrow=True)))
    query = f"table={tape.table}" if tape.table else address(tape.setup, tape.program)
    return {
        "url": f"/trace/step?{query}",
        "drawn_url": f"/trace/drawn?{query}",
        "step": step,
        "last": last,
        "before": tape.decision(step.number, before=True),
        "after": tape.decision(step.number),
        "told": f"Step {step.number} of {last}: {step.words()}",
        "after_boards": [picture(svg) for svg in after if svg],
        "before_boards": before,  # none where actions have no places
        "scale": () if len(worths) < GRADED else scale_of(worths),
        "said": [] if found is None else [shown_part(found)],
        "lines": text.splitlines(),
        "mark": MARK,
        "is_lined": step.winner is None,
        "can_draw": bool(step.evaluations or step.listing),
        "values": values_text(step, tape.trace.vocabulary),
        "follows": tape.trace.names[tape.trace.seat],
        "score": step.values.get("score"),
        "metric": tape.seating.game.metric(tape.seating.rules),
    }

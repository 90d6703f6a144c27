"""The pages that follow a game step by step; the server keeps all steps, so it can show any of them immediately."""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any
from urllib.parse import parse_qsl

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gpkit.core.errors import GpkitError, UsageError
from gpkit.core.primitives import offered
from gpkit.core.registry import DEFAULT_GAME, all_games, game_entry, game_of, language_entry
from gpkit.core.wording import YOU, deal_told, spelled
from gpkit.gamekit.game import Game
from gpkit.gamekit.view import GRADED, Overlay, View
from gpkit.langkit.naming import Word
from gpkit.playing.conversation import values_text
from gpkit.playing.named import game_for, read_named
from gpkit.playing.players import Seating, default_name
from gpkit.playing.session import GameSetup, default_rules, seat_all, seating_of, trace_session
from gpkit.playing.trace import CachedSteps, Step, Trace, followed, read_condition
from gpkit.show.pictures import picture_of_game
from gpkit.show.render import render_dot
from gpkit.show.traced import MARK, STOP, formula_text
from gpkit.web.heat import has_squares, scale_of
from gpkit.web.home import best_of, card
from gpkit.web.play import drawings, shown_part
from gpkit.web.play_table import PlayTable, table_named
from gpkit.web.site import (
    Site,
    address,
    page,
    picture,
    player_named,
    players_of,
    reads,
    setup_of,
    site_of,
    whole,
)

MOST_DRAWN = 200
"""The maximum number of pictures of programs in steps to keep."""


@dataclass
class WatchedTrace:
    """A traced game; requests to the same game run one at a time.

    Attributes:
        setup: the setup of the game.
        program: the followed program, as the person named it; empty for a person's game.
        table: the name of a person's table; empty if a program is followed.
        seating: the players.
        trace: the trace, with its names and vocabulary.
        view: the view that draws the game.
        steps: the steps of the game.
        played: the person's table; None for a program.
    """

    setup: GameSetup
    program: str
    table: str
    seating: Seating
    trace: Trace
    view: View
    steps: CachedSteps
    played: PlayTable | None = None
    lock: Lock = field(default_factory=Lock)
    _drawn: dict[int, str] = field(default_factory=dict)
    _decisions: list[int] = field(default_factory=list)

    @property
    def last(self) -> int:
        """The number of the last step."""
        with self.lock:
            return self.steps.last

    def step(self, number: int) -> Step:
        """The step with this number, or the last one."""
        with self.lock:
            found = self.steps.get(min(number, self.steps.last))
        assert found is not None, "numbers begin at 0"
        return found

    def find(self, text: str, first: int) -> Step:
        """The first step, from this number on, in which a condition holds.

        Raises:
            UsageError: the condition cannot be read, or it holds in none of these steps.
        """
        condition = read_condition(text, self.trace.vocabulary)
        with self.lock:
            found = self.steps.find(condition, first)
        if found is None:
            raise UsageError(f"{text} holds in no later step")
        return found

    def decision(self, number: int, *, before: bool = False) -> int | None:
        """The number of the next step (if ``before``, the previous step) in which the traced program decided."""
        with self.lock:
            if not self._decisions:
                steps = map(self.steps.get, range(self.steps.last + 1))
                self._decisions = [
                    step.number
                    for step in steps
                    # it valued candidates, a rule acted, or a shot ended its lines
                    if step is not None
                    and (step.evaluations or step.values.get(STOP) or (step.line is None and step.listing))
                ]
        place = bisect_left(self._decisions, number) - 1 if before else bisect_right(self._decisions, number)
        return self._decisions[place] if 0 <= place < len(self._decisions) else None

    def better(self, step: Step) -> str:
        """The adviser's choice for the person, in a sentence; empty if there was nothing to choose."""
        if self.played is None or not step.is_mine or step.choices < 2:
            return ""
        advice, words = self.played.hindsight(step.before), self.view.words
        if not advice.actions or step.action is None:
            return ""
        said, action = self.played.conversation, advice.actions[0]
        name = default_name(said.best, said.others, said.game).replace("_", " ")
        text = self.view.action_text(step.before, action)
        hint = "the same" if step.action in advice.actions else words.act(step.before, action, text)
        return f"The hint here from {name}: {hint}."

    def drawn(self, number: int) -> str:
        """The traced program as an SVG document that marks the parts that mattered in a step; empty if no parts
        mattered.

        Raises:
            GpkitError: the program's language has no pictures, or the program is too large for a picture.
        """
        step, deciding = self.step(number), self.seating.players[0].decider
        if deciding is None or deciding.source is None or not (step.evaluations or step.listing):
            return ""
        with self.lock:
            if number not in self._drawn:
                source = deciding.source
                known = offered(self.seating.game.offers, deciding.program.language)
                picture = picture_of_game(source, known, [step], name="", place="", until="")
                if len(self._drawn) >= MOST_DRAWN:
                    self._drawn.clear()
                self._drawn[number] = render_dot(picture.dot, "svg").decode()
            return self._drawn[number]


def traced(setup: GameSetup, called: str, program: str, opponents: Sequence[str]) -> WatchedTrace:
    """The traced game for a request.

    Args:
        setup: the setup of the game.
        called: the program to follow, as the person named it.
        program: the program to follow: a name, or the path of a program file.
        opponents: the opponents, in the same form.

    Raises:
        UsageError: a player or a rule does not exist or does not fit the game, or the program cannot be followed.
        SourceError: a program does not parse, or has an error for this game.
    """
    seating = seat_all(program, opponents, game=setup.game, options=setup.rules)
    trace = followed(seating, seat=setup.seat, seed=setup.seed, deal=setup.deal)
    return WatchedTrace(setup, called, "", seating, trace, seating.game.view, CachedSteps(trace.steps))


def retold(table: PlayTable, name: str) -> WatchedTrace:
    """A person's finished game, from the table with this name.

    Raises:
        UsageError: the game is not over yet, or it is a game in which the person answers questions.
    """
    setup, session = table.setup, table.session
    if session.answers:
        raise UsageError("only games in which you choose actions can be traced, once they are over")
    if not session.state.is_terminal:
        raise UsageError("the game is not over yet: hidden information would show")
    trace, seating = trace_session(session), seating_of(setup.rules, session)
    return WatchedTrace(setup, "", name, seating, trace, seating.game.view, CachedSteps(trace.steps), table)


def show(request: Request) -> Response:
    """The page of a traced game, or the form for choosing one."""
    site, fields = site_of(request), request.query_params
    if not fields.get("program") and not fields.get("table"):
        return page("trace.html", **_form(site, fields, None))
    try:
        watched = _watched(fields, site)
    except GpkitError as error:
        return page("trace.html", 400, **_form(site, fields, None, str(error)))
    return page("trace.html", **_form(site, fields, watched), **_step(watched, _number(fields)))


def step(request: Request) -> Response:
    """One step of the game, or the next step where a condition holds."""
    fields = request.query_params
    watched, number = _watched(fields, site_of(request)), _number(fields)
    if fields.get("find"):
        number = watched.find(fields["find"], number + 1).number
    return page("step_part.html", **_step(watched, number))


def drawn(request: Request) -> Response:
    """The picture of the program at a step."""
    fields = request.query_params
    svg = _watched(fields, site_of(request)).drawn(_number(fields))
    return page("drawn.html", drawn=picture(svg) if svg else Markup(""))


ROUTES = [reads("/trace", show), reads("/trace/step", step), reads("/trace/drawn", drawn)]


def _number(fields: Mapping[str, str]) -> int:
    return whole(fields.get("step", "") or "0", "the number of a step", 10**9)


def _watched(fields: Mapping[str, str], site: Site) -> WatchedTrace:
    """The traced game that the fields describe; gpkit plays the game now if it is not stored.

    Raises:
        UsageError: a player or a rule does not exist or does not fit the game.
    """
    if name := fields.get("table", ""):
        table = table_named(site, name)
        if table is None:
            raise HTTPException(404, "this game is no longer kept")
        return site.watched.made(f"table={name}", lambda: retold(table, name))
    program = fields.get("program", "")
    path, called = site.below().program(program), fields.get("game", "")
    if not called and path is None:
        raise UsageError("name the game, too: several games may have a program of that name")
    game: Game = game_of(called or game_for(read_named([str(path)], None), None).name)
    setup, others = setup_of(fields, site, game)
    known = player_named(program, site, game)
    return site.watched.made(address(setup, program), lambda: traced(setup, program, known, others))


def _form(
    site: Site, fields: Mapping[str, str], watched: WatchedTrace | None, wrong: str = ""
) -> dict[str, Any]:
    """The template values for the form in which a person selects a game, as filled in, and for its error message."""
    name = watched.setup.game if watched is not None else fields.get("game") or DEFAULT_GAME
    game: Game = game_of(name)
    rules = game.make_rules({}) if watched is None else watched.seating.rules
    seats = game.players(rules) if watched is None else len(watched.seating.players)
    return {
        "title": "Trace" if watched is None else _titles(watched)[0],
        "about": "" if watched is None else _titles(watched)[1],
        "watched": watched,
        "wrong": wrong,
        "given": defaultdict(
            str, fields if watched is None else parse_qsl(address(watched.setup, watched.program))
        ),
        "game": name,
        "games": [entry.name for entry in all_games()],
        "opponents": players_of(game, site),
        "options": default_rules(game, rules),
        "seats": range(seats),
        "heat": address(watched.setup, watched.program)
        if watched is not None and not watched.table and has_squares(game, rules)
        else "",
        "examples": () if watched is None else watched.trace.vocabulary.examples,
        "best": best_of(game.name),
        "legend": _legend(watched),
        "drawn": card(game_entry(name))["drawn"],
    }


def _legend(watched: WatchedTrace | None) -> list[Word]:
    """The symbols in the program's rules, with their meanings; empty if it has no symbols for boxes."""
    player = None if watched is None else watched.seating.players[0].decider
    if player is None:
        return []
    naming = language_entry(player.program.language).load().naming
    if naming is None:
        return []
    written = set(re.findall(r"[a-z]+", str(player.source.text)))
    words = [word for word in naming.words(None) if word.name in written]
    return words if any(word.role == "box" for word in words) else []


def _titles(watched: WatchedTrace) -> tuple[str, str]:
    """A title that names the followed player, and a line with the game, the other players and the seed."""
    setup, trace = watched.setup, watched.trace
    others = [name for seat, name in enumerate(trace.names) if seat != trace.seat]
    against = f" against {' and '.join(others)}" if others else ""
    title = "Your game" if watched.table else f"{trace.names[trace.seat]}, step by step"
    return title, f"{spelled(setup.game)}{against}, {deal_told(setup.seed, setup.deal)}"


def _happened(step: Step) -> str:
    """A sentence that describes the step; names of programs keep their capitalisation."""
    said = f"{step.words().removesuffix('.')}."
    is_named = step.name not in ("", YOU) and said.startswith(step.name)
    return said if is_named else said[:1].upper() + said[1:]


def _step(watched: WatchedTrace, number: int) -> dict[str, Any]:
    """The template values for a step."""
    step, last = watched.step(number), watched.last
    found = step.table()
    text, worths = formula_text(step), step.worths
    before = []
    if worths and watched.view.placed(step.before):
        overlay = Overlay(values=worths, best=() if step.action is None else (step.action,))
        before = drawings(watched.view, step.before, None, watched.trace.names, overlay)
    after = dict.fromkeys((step.picture(), step.picture(is_narrow=True)))
    query = f"table={watched.table}" if watched.table else address(watched.setup, watched.program)
    return {
        "url": f"/trace/step?{query}",
        "drawn_url": f"/trace/drawn?{query}",
        "step": step,
        "last": last,
        "before": watched.decision(step.number, before=True),
        "after": watched.decision(step.number),
        "told": f"Step {step.number} of {last}: {step.words()}",
        "after_boards": [picture(svg) for svg in after if svg],
        "before_boards": before,  # none where actions have no places
        "scale": () if len(worths) < GRADED else scale_of(worths),
        "happened": _happened(step),
        "better": watched.better(step),
        "said": [] if found is None else [shown_part(found)],
        "lines": text.splitlines(),
        "mark": MARK,
        "is_lined": step.winner is None,
        "can_draw": bool(step.evaluations or step.listing),
        "values": values_text(step, watched.trace.vocabulary),
        "follows": watched.trace.names[watched.trace.seat],
        "score": step.values.get("score"),
        "metric": watched.seating.game.metric(watched.seating.rules),
    }

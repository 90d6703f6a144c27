"""The page on which a person plays: the task, the board, the possible actions, help, and the next opponent.

Hints show the move, the candidates as bars, the reason for the best candidate, and the formula.
"""

import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import quote

from markupsafe import Markup
from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gpkit.analysis.levels import recorded
from gpkit.api.catalogue import KINDS
from gpkit.core.errors import GpkitError, UsageError
from gpkit.core.plugins import game_option
from gpkit.core.primitives import offered
from gpkit.core.registry import LEVELS, SECOND, game_entry, shipped_levels
from gpkit.core.wording import rule_in, spelled
from gpkit.gamekit.game import Game
from gpkit.gamekit.state import ObservableState
from gpkit.gamekit.svg import GRADES, number, signed
from gpkit.gamekit.uct import MCTS, PIMC
from gpkit.gamekit.view import MOST_BUTTONS, Move, Overlay, Played, View, Words, against, number_word, title
from gpkit.playing.conversation import Advice, Answers, Conversation, Line
from gpkit.playing.decisions import Decision, StepTable
from gpkit.playing.players import default_name
from gpkit.playing.session import action_texts, default_rules, transcript_of, written_out
from gpkit.show.traced import valued_text
from gpkit.web.heat import heat_query, scale_of
from gpkit.web.home import facts_of
from gpkit.web.play_table import HINT, PlayTable, day_of, opponents, save_game, seated, table_named
from gpkit.web.site import (
    RULE,
    Site,
    address,
    is_part,
    page,
    picture,
    player_named,
    players_of,
    posts,
    reads,
    saved_as,
    setup_of,
    site_of,
    whole,
)

MOST_BARS = 6
"""The maximum number of candidates that get a bar."""


SEARCHED = "A value is the expected score, in percent of the highest."
"""The sentence that explains the values of a search."""


def shown_hint(said: Conversation, state: ObservableState, advice: Advice, adviser: str) -> dict[str, Any]:
    """Values for the panel of a hint.

    Args:
        said: the conversation.
        state: the state in which the person chooses.
        advice: the advice of the adviser.
        adviser: the name of the adviser.
    """
    view, best = said.view, advice.actions
    known = {action: value for action, value in advice.values.items() if abs(value) < float("inf")}
    head = ""
    if best:
        head = view.words.act(state, best[0], view.action_text(state, best[0]))
        more = len(best) - 1
        head += (
            f"; {'another is' if more == 1 else f'{number_word(more)} others are'} equally good"
            if more
            else ""
        )
        if len(best) == len(state.legal_actions()) > 1:
            head = f"all {len(best)} {view.words.noun}s are equally good"
    name = adviser.replace("_", " ")
    by = re.search(r"\((by [^)]*)\)$", str(advice.parts[0])) if advice.parts else None
    low, high = min([0.0, *known.values()]), max([0.0, *known.values()])
    scale, decision = 100 / ((high - low) or 1.0), advice.decision
    worth = view.words.worth or SEARCHED * (adviser in (MCTS, PIMC))
    return {
        "head": head,
        "put": view.action_text(state, best[0]) if best and view.action_parts(state) else "",
        "intro": f"{name} gives each {view.words.noun} a value and takes the highest. {worth}"
        if known
        else f"{name} would do this{f', {by[1]}' if by else ''}."
        if best
        else "",
        "rows": _bars(said, state, known, best, -low, scale),
        "more": max(len(known) - MOST_BARS, 0),
        "zero": number(-low * scale),
        "reason": _reason(said, state, decision) if decision is not None else "",
        "fact": view.words.fact(state, best[0]) if best else "",
        "formula": valued_text(decision.evaluations[decision.chosen]) if decision is not None else "",
        "said": [] if known else [shown_part(part) for part in advice.parts[bool(best) :]],
    }


def shown_part(part: Line) -> dict[str, Any]:
    """Values for a part of the conversation: words, lines, or a table."""
    if isinstance(part, StepTable):
        return {"kind": "table", "table": part}
    text = str(part).strip("\n")
    return {"kind": "lines" if "\n" in text else "words", "text": text}


def _bars(
    said: Conversation,
    state: ObservableState,
    values: dict[int, float],
    best: Sequence[int],
    zero: float,
    scale: float,
) -> list[dict[str, Any]]:
    """The best candidates, each with the start and the length of its bar; the scale begins at ``-zero``."""
    pegs = {peg.text: peg for parts in said.view.action_parts(state)[:1] for peg in parts}
    ranked = sorted(values, key=lambda action: (-values[action], action not in best))[:MOST_BARS]
    return [
        {
            "text": (text := said.view.action_text(state, action)).replace("_", " "),
            "pegs": [pegs[letter] for letter in text] if pegs else (),
            "value": signed(values[action], values),
            "x": number((zero + min(values[action], 0.0)) * scale),
            "width": number(max(abs(values[action]) * scale, 0.5)),
            "best": action in best,
        }
        for action in ranked
    ]


def _reason(said: Conversation, state: ObservableState, decision: Decision) -> str:
    """The reason why the best candidate is best: a sensor that distinguishes it from the runner-up."""
    found = decision.telling()
    if found is None:
        return ""
    name, other = found
    chosen = decision.evaluations[decision.chosen]
    theirs = decision.evaluations[decision.actions.index(other)].sensors[name]
    offers = offered(said.game.offers, chosen.tree.language)
    meanings = {each.name: each.meaning for each in offers.sensors} if offers is not None else {}
    text = said.view.action_text(state, other)
    why: str = said.view.words.reason(name, meanings.get(name, name), chosen.sensors[name], text, theirs)
    return why.replace("`", "").replace("_", " ")


MOST_IN_ONE, MOST_UNFILTERED = 24, 60
"""The maximum number of actions without a position in one group, and without a filter field."""

MANY_LOST = 3
"""The number of games lost in a row after which the page offers a weaker opponent."""

WEAKEST = "random"
"""The weakest opponent; if the game offers it in addition to its programs, its ladder begins with it."""

MOST_FRAMES = 4
"""The maximum number of boards to show one by one after a move: the last ones, for a second and a half."""

UNASKED = (
    *(
        "won",
        "copied",
        "result",
        "parts",
        "filtered",
        "advised",
        "scale",
        "words",
        "can_hint",
        "can_undo",
        "adviser",
        "advisers",
    ),
    *("hint", "alone", "can_follow", "stronger", "weaker"),
)
"""Values that are empty while the person answers questions."""


def whole_page(name: str, table: PlayTable, site: Site) -> dict[str, Any]:
    """Values for the complete page."""
    said, setup = table.conversation, table.setup
    usual = {option.name: text for option, text in default_rules(said.game, said.game.make_rules({}))}
    options = default_rules(said.game, said.rules)
    options.sort(key=lambda pair: usual[pair[0].name] == pair[1])
    shipped = _players(said.game.name)
    known = {
        player: _about(player, told, said)
        for player, told in shipped.items()
        if _fits(player, said) and (said.has_rivals or player in said.game.placements)
    }
    own = {
        each: "A program in this folder"
        for each in players_of(said.game, site)
        if said.has_rivals
        and each not in shipped
        and Path(each).parent.name != LEVELS
        and not facts_of(site.folder / each)["errors"]
    }
    chosen = setup.opponents[0] if setup.opponents else said.game.rivals(said.rules)[0]
    levels = shipped_levels(said.game.name)
    rank = {
        name: place
        for place, name in enumerate((*levels, *_by_strength(said.game.name)) if levels else (chosen,))
    }
    return {
        "title": spelled(said.game.name),
        "rules": said.view.words.rules or rule_in(said.game.title, said.game.name),
        "options": options,
        "changed": [option.name for option, text in options if usual[option.name] != text],
        "chosen": chosen,
        "opponents": sorted({**own, **known}.items(), key=lambda pair: rank.get(pair[0], len(rank))),
        "levels": sum(name in known for name in levels),
        "seats": range(len(said.players)),
        "setup": setup,
        "setups": {
            label: "".join(f"&{RULE}{rule}={quote(text)}" for rule, text in rules.items())
            for label, rules in said.view.words.setups.items()
        },
        "kept": table.is_kept,
        **shown(name, table),
    }


@cache
def _players(game: str) -> Mapping[str, str]:
    """The titles of all possible opponents by name; opponents on the game's ladder come first."""
    found: dict[str, str] = {}
    for kind in ("opponents", "programs"):
        for row in KINDS[kind]([game_entry(game)]):
            found.setdefault(row["name"], row.get("title", ""))
    return found


@cache
def _by_strength(game: str) -> tuple[str, ...]:
    """The players other than levels in a game with levels, strongest first, rated by their games against a level."""
    with suppress(UsageError):  # a damaged table of one's own game
        return tuple(recorded(game).get("others", ()))
    return ()


def _fits(name: str, said: Conversation) -> bool:
    """Whether a player can choose under the rules of this game."""
    builtin = said.game.builtins.get(name)
    return builtin is None or builtin.plays(said.rules)


def _about(name: str, title: str, said: Conversation) -> str:
    """Sentences about a player: the person's role against it, and its title."""
    role = said.view.words.roles[name in said.game.placements] if said.game.placements else ""
    return " ".join(
        filter(None, (role, f"{title[:1].upper()}{title[1:].removesuffix('.')}." if title else ""))
    )


def shown(
    name: str,
    table: PlayTable,
    advice: Advice | None = None,
    adviser: str = "",
    said: Sequence[Line] = (),
    typed: tuple[str, str] = ("", ""),
) -> dict[str, Any]:
    """Values for the table: the task, the board, the possible actions, and help.

    Args:
        name: the name of the table.
        table: the table.
        advice, adviser: a hint that the person asked for, and its adviser; empty for the default one.
        said: the answer to another request.
        typed: typed text that is not a move, and the reason.
    """
    usual = {
        "base": f"/play/{table.setup.game}/{name}",
        "name": name,
        "game": table.setup.game,
        "game_option": game_option(table.setup.game),
        "rules_query": "".join(f"&{RULE}{rule}={quote(text)}" for rule, text in table.setup.rules.items()),
        "turn": table.turn,
        "over": table.is_over,
        "said": [shown_part(part) for part in said],
        "typed": typed,
        "heat": heat_query(table),
    }
    return usual | (_asked(table) if table.session.answers else _shown(table, advice, adviser))


def frames(table: PlayTable, first: int) -> list[tuple[str, list[Markup]]]:
    """The changes before the current one, from ``first`` on: each as text, with the drawings of the board after it."""
    said, played = table.conversation, table.played if table.session.changes else None
    if played is None:
        return []
    return [
        (
            ", ".join(f"{who}: {what}" for who, what in _told(move, played, said.view.words)),
            drawings(said.view, move.after, said.seat, said.names, Overlay(last=played.marked(move))),
        )
        for move in [each for each in played.moves[first:-1] if played.notices(each)][-MOST_FRAMES:]
    ]


def _shown(table: PlayTable, advice: Advice | None, adviser: str) -> dict[str, Any]:
    """Values for a table where the person chooses actions."""
    said, state, over, played = table.conversation, table.session.state, table.is_over, table.played
    view, words = said.view, said.view.words
    parts = () if over else view.action_parts(state)
    legal = () if over or parts else state.legal_actions()
    texts = {action: view.action_text(state, action) for action in legal}
    placed = () if over else view.placed(state)
    labels = {action: words.label(state, action, text) for action, text in texts.items()}
    overlay = Overlay(
        {action: label for action, label in labels.items() if action in placed},
        last=played.marked(played.moves[-1]),
        ghost=table.ghost,
    )
    if advice is not None:
        overlay = replace(overlay, values=advice.values, best=advice.actions)
    default = default_name(said.best, said.others, said.game)
    task, line = _ending(table, played) if over else words.prompt(played)
    decides, boards = opponents(table), drawings(view, state, said.seat, said.names, overlay)
    sides = {name: words.side(state, seat, said.seat) for seat, name in enumerate(said.names)}
    own, others = sides[said.names[said.seat]], [f"{name} {sides[name]}".rstrip() for name in decides]
    return {
        "thinking": "".join(decides[:1]),
        "alone": bool(words.rivals) and not decides,
        "task": task,
        "line": line,
        "won": table.margin > 0,
        "copied": _copied(table, task, line) if over else "",
        "result": _result(table),
        "setting": ", ".join(
            filter(
                None,
                (
                    f"You {own and f'play {own} '}against {against(others)}" if decides else "",
                    words.stage(state),
                ),
            )
        ),
        "boards": boards,
        "text": said.board(state),
        "parts": parts,
        "groups": _groups({action: label for action, label in labels.items() if action not in placed}),
        "filtered": len(texts) - len(placed) > MOST_UNFILTERED,
        "advised": overlay.best,
        "scale": scale_of(overlay.values) if any(each in "".join(boards) for each in GRADES) else (),
        "words": [] if over else [pair for pair in words.buttons.items() if pair[0] in said.commands()],
        "beside": words.beside(state),
        "pictures": {action: Markup(sign) for action in labels if (sign := words.sign(action))},  # noqa: S704 - our own
        "can_hint": bool(default) and not over,
        "can_undo": table.session.can_undo and not over,
        "adviser": adviser or default,
        "advisers": [*dict.fromkeys((default, *_advisers(said)))],
        "hint": None if advice is None else shown_hint(said, state, advice, adviser or default),
        "moves": [each for move in played.moves for each in _told(move, played, words)][::-1],
        "can_follow": over and not table.gave_up,
        "stronger": _other_opponent(table, 1) if over and not table.gave_up else "",
        "weaker": _other_opponent(table, -1) if over and table.lost_in_a_row >= MANY_LOST else "",
    }


def _asked(table: PlayTable) -> dict[str, Any]:
    """Values for a table where the person answers questions."""
    session, over = table.session, table.is_over
    clicks = session.prompt.answers() if session.prompt.answers is not None else Answers("", "")
    lines = [part.strip("\n") for part in session.lines if isinstance(part, str)]
    *_, board = ["", *(line for line in lines if "\n" in line)]
    said = [line for line in lines if "\n" not in line]
    fresh = [line for line in said if (clicks.task or "\n") not in line and line not in clicks.task]
    groups: list[dict[str, str]] = [{}, {}]  # those with pictures stand first
    for word, label in clicks.words.items():
        groups[word not in clicks.pictures][word] = label
    return dict.fromkeys(UNASKED, "") | {
        "task": "You gave up"
        if table.gave_up
        else said[-1].rstrip(".")
        if over and said
        else clicks.task or session.prompt.text,
        "line": " ".join(said[:-1] if over else fresh if session.typed else [clicks.line]),
        "setting": f"You against {against(table.conversation.names_of_others)}",
        "boards": [picture(clicks.picture)] if clicks.picture else [],
        "text": board,
        "groups": [] if over else [("", group) for group in groups if group],
        "beside": ("", "", ""),
        "pictures": {word: picture(svg) for word, svg in clicks.pictures.items()},
        "moves": None,
        "thinking": table.conversation.names_of_others[0],
    }


def drawings(
    view: View, state: ObservableState, seat: int | None, names: Sequence[str], overlay: Overlay
) -> list[Markup]:
    """The board for a page: a wide and a narrow drawing, or one if they are equal; empty if text is better."""
    wide = view.board_svg(state, seat, names, overlay)
    narrow = view.board_svg(state, seat, names, replace(overlay, is_narrow=True))
    return [picture(_grown(svg)) for svg in dict.fromkeys((wide, narrow)) if svg]


def _grown(svg: str) -> str:
    """A picture of twice the width and height, which a style sheet shrinks until it fits the window."""
    return re.sub(
        r' (width|height)="([.\d]+)"', lambda side: f' {side[1]}="{2 * float(side[2]):g}"', svg, count=2
    )


def _ending(table: PlayTable, played: Played) -> tuple[str, str]:
    """The result, and the reason for it."""
    if table.gave_up:
        why = table.conversation.farewell(played.state).removeprefix("You gave up; ")
        return "You gave up", why[:1].upper() + why[1:]
    return table.conversation.view.words.ending(played)


def _copied(table: PlayTable, task: str, line: str) -> str:
    """The result of a day's deal as a few lines to copy; empty for any other deal."""
    day, setup, others = day_of(table.setup), table.setup, opponents(table)
    if not day:
        return ""
    lines = (
        f"gpkit, {spelled(setup.game)}, deal of {day}",
        task,
        line,
        f"Against {against(others)}" if others else "",
    )
    return "\n".join([*filter(None, lines), f"{table.turn} choices"])


def _advisers(said: Conversation) -> Iterator[str]:
    """The players that can give hints under these rules."""
    left_out = (*said.game.placements, WEAKEST)
    yield from (each for each in _players(said.game.name) if each not in left_out and _fits(each, said))


def _result(table: PlayTable) -> str:
    """The style of the result: ``won``, ``lost`` or ``drawn``; empty before the end, and if a person alone succeeds."""
    if not table.is_over or table.gave_up:
        return "lost" * table.gave_up
    if not opponents(table):
        return "lost" * table.conversation.view.words.failed(table.session.state)
    return "won" if table.margin > 0 else "lost" if table.margin < 0 else "drawn"


def _told(move: Move, played: Played, words: Words) -> list[tuple[str, str]]:
    """The events of a move, each with its player; empty at the beginning."""
    events = words.happened(move, played) if move.before is not None else ()
    return [(title(played.names[seat]), what) for seat, what in events]


def _groups(texts: Mapping[object, str]) -> list[tuple[str, dict[Any, str]]]:
    """Actions without a place on the board, in one group or by first letter; empty if there are too many."""
    if len(texts) > MOST_BUTTONS:
        return []
    if len(texts) <= MOST_IN_ONE:
        return [("", dict(texts))] if texts else []
    by_letter = sorted(texts.items(), key=lambda pair: pair[1][:1])
    return [(letter, dict(pairs)) for letter, pairs in groupby(by_letter, key=lambda pair: pair[1][:1])]


def _other_opponent(table: PlayTable, step: int) -> str:
    """The next opponent up or down the game's ladder that can play under these rules; empty if there is none."""
    said, setup = table.conversation, table.setup
    first = [WEAKEST] if WEAKEST in said.game.builtins else []
    ladder: list[str] = [
        *dict.fromkeys([*first, *said.game.programs, *(said.game.builtins if first else ())])
    ]
    names = setup.opponents or said.game.rivals(said.rules)[:1]
    if names[0] in (levels := shipped_levels(said.game.name)):
        ladder = [each for each in levels if each == names[0] or not each.endswith(SECOND)]
    if len(set(names)) != 1 or names[0] not in ladder:
        return ""
    place = ladder.index(names[0])
    for name in ladder[place + 1 :] if step > 0 else reversed(ladder[:place]):
        with suppress(GpkitError):
            seated(replace(setup, opponents=(name,)), (name,))
            return name
    return ""


SEEDS = 1_000_000


def ask(request: Request) -> Response:
    """The page with a button that begins a game."""
    game = _game(request)
    setup_of(request.query_params, site_of(request), game)
    return page("begin.html", title=spelled(game.name))


def new(request: Request, form: QueryParams) -> Response:
    """Begin a game with the settings of the address and the form, and redirect to its page."""
    site, fields = site_of(request), {**request.query_params, **form}
    setup, named = setup_of(fields, site, _game(request), secrets.randbelow(SEEDS))
    return _begun(site, seated(setup, named))


def show(request: Request) -> Response:
    """The page of a game."""
    name, table = _table(request)
    return page("play.html", **whole_page(name, table, site_of(request)))


def say(request: Request) -> Response:
    """The part of the page with the table, and the game's answer to a command word such as ``hint``."""
    name, table = _play(request)
    word = request.path_params["word"]
    if word != HINT:
        return page("table_part.html", **shown(name, table, said=table.said(word)))
    adviser = request.query_params.get("adviser", "")
    named = player_named(adviser, site_of(request), table.conversation.game) if adviser else ""
    return page("table_part.html", **shown(name, table, table.advice(named), adviser))


def rival(request: Request) -> Response:
    """A sentence that compares the game with the rival's game on the same deal."""
    _, table = _play(request)
    words, setup = table.conversation.view.words, table.setup
    return page("rival.html", said=table.compared(), words=words, query=address(setup, table.rival[0]))


def mistake(request: Request) -> Response:
    """A sentence about the choice that cost most, with a link to its step; empty if no choice cost much."""
    name, table = _play(request)
    (lost, step), said = table.mistake if table.is_over else (0.0, None), table.conversation
    if step is None or step.action is None:
        return Response("", media_type="text/html")
    metric = said.game.metric(said.rules)
    cost = f"{100 * lost:.0f} of 100 games"
    if not metric.is_share:
        cost = f"{lost * (metric.high - metric.low):.2g} {metric.name.replace('_', ' ')}"
    what = said.view.action_text(step.before, step.action)
    return page("my_mistake.html", what=what, cost=cost, table=name, step=step.number)


def transcript(request: Request) -> Response:
    """The game's transcript as a file."""
    name, table = _play(request)
    setup, session = written_out(table.setup, table.conversation), table.session
    text = transcript_of(setup, action_texts(session), session.typed).to_json()
    given = saved_as(f"{table.setup.game}-{name}.json")
    return Response(text, media_type="application/json", headers=given)


def _game(request: Request) -> Game:
    """The game that the address names; 404 if gpkit does not know it."""
    try:
        game: Game = game_entry(request.path_params["game"]).load()
    except UsageError as error:
        raise HTTPException(404, str(error)) from None
    return game


def _table(request: Request) -> tuple[str, PlayTable]:
    """The name and the table in the address; 404 if the table no longer exists."""
    name = request.path_params["id"]
    table = table_named(site_of(request), name)
    if table is None or table.setup.game != request.path_params["game"]:
        raise HTTPException(404, "this game is no longer kept: start a new one")
    return name, table


def _play(request: Request) -> tuple[str, PlayTable]:
    """The name and the table in the address, if actions are chosen there; 404 for any other table."""
    name, table = _table(request)
    if table.session.answers:
        raise HTTPException(404, "this seat answers questions and chooses no actions")
    return name, table


def _begun(site: Site, table: PlayTable) -> Response:
    """Store a new game, and redirect to its page."""
    name = secrets.token_urlsafe(9)
    save_game(site, name, table)
    return RedirectResponse(f"/play/{table.setup.game}/{name}", 303)


def act(request: Request, form: QueryParams) -> Response:
    """The table after an action of the person.

    Raises:
        UsageError: the action is not possible now.
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
        case "reorder", False:
            table.reorder(turn, *(whole(form.get(name, ""), "a place", 10**9) for name in ("place", "to")))
        case _:
            raise HTTPException(404, "there is no such action")
    save_game(site, name, table)
    if not is_part(request):
        return RedirectResponse(f"/play/{table.setup.game}/{name}", 303)
    return page("table_part.html", **shown(name, table), frames=frames(table, told))


def _act(table: PlayTable, turn: int, form: Mapping[str, str]) -> None:
    """Play the action in the form: a spot or a button, a combination of parts, or a text."""
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
    reads(BASE + "/{id}/mistake", mistake),
    reads(BASE + "/{id}/transcript", transcript),
    posts(BASE + "/{id}/{action}", act),
]

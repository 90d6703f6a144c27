"""Values of the page on which a person plays: what to do, the board, what can be done, help, and the next opponent."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import groupby
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from gpkit.api.catalogue import KINDS
from gpkit.core.errors import GpkitError
from gpkit.core.registry import game_entry
from gpkit.core.wording import spelled
from gpkit.gamekit.state import ObservableState
from gpkit.gamekit.svg import GRADES
from gpkit.gamekit.view import Overlay, View
from gpkit.gamekit.words import Move, Played, Words, against, title
from gpkit.playing.conversation import Advice, Answers, Conversation, Line
from gpkit.playing.game_setup import default_rules
from gpkit.playing.players import default_name
from gpkit.web.heat import heat_query
from gpkit.web.heat_picture import scale_of
from gpkit.web.hint_panel import shown_hint, shown_part
from gpkit.web.home import facts_of
from gpkit.web.pages import RULE, picture, players_of, rule_in
from gpkit.web.play_table import PlayTable, opponents, seated
from gpkit.web.site import Site

MOST_IN_ONE, MOST_UNFILTERED, MOST_BUTTONS = 24, 60, 400
"""Actions without a place that are shown in one group, without a field that filters them, and as buttons at all."""

MANY_LOST = 3
"""Games lost in a row after which a weaker opponent is offered."""

WEAKEST = "random"
"""The opponent with which the ladder of a game begins that has it besides its programs."""

MOST_FRAMES = 4
"""Boards that are shown one by one after a move, at most: the last that fit into a second and a half."""

UNASKED = (
    *("won", "parts", "filtered", "advised", "scale", "words", "can_hint", "can_undo", "adviser", "advisers"),
    *("hint", "alone", "can_follow", "stronger", "weaker"),
)
"""Values that are empty while questions are answered."""


def whole_page(name: str, table: PlayTable, site: Site) -> dict[str, Any]:
    """Values of the whole page."""
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
        if said.has_rivals and each not in shipped and not facts_of(site.folder / each)["errors"]
    }
    chosen = setup.opponents[0] if setup.opponents else said.game.rivals(said.rules)[0]
    return {
        "title": spelled(said.game.name),
        "rules": said.view.words.rules or rule_in(said.game.title, said.game.name),
        "options": options,
        "changed": [option.name for option, text in options if usual[option.name] != text],
        "chosen": chosen,
        "opponents": sorted({**own, **known}.items(), key=lambda pair: pair[0] != chosen),
        "seats": range(len(said.players)),
        "setup": setup,
        "kept": table.is_kept,
        **shown(name, table),
    }


@cache
def _players(game: str) -> Mapping[str, str]:
    """Titles of all who can sit in the other seats, by name, those first that the game brings as a ladder."""
    found: dict[str, str] = {}
    for kind in ("opponents", "programs"):
        for row in KINDS[kind]([game_entry(game)]):
            found.setdefault(row["name"], row.get("title", ""))
    return found


def _fits(name: str, said: Conversation) -> bool:
    """Whether a player can choose by the rules of this game."""
    builtin = said.game.builtins.get(name)
    return builtin is None or builtin.plays(said.rules)


def _about(name: str, title: str, said: Conversation) -> str:
    """A player in sentences: the part of the person against it, and its title."""
    is_placement = name in said.game.placements
    role = said.view.words.roles[is_placement] if said.game.placements else ""
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
    """Values of the table: what to do, the board, what can be done, and help.

    Args:
        name: of the table.
        table: the table.
        advice, adviser: a hint that was asked for, and of whom; empty for the default one.
        said: the answer to something else that was asked.
        typed: what was typed in vain, and why it is no move.
    """
    usual = {
        "base": f"/play/{table.setup.game}/{name}",
        "name": name,
        "game": table.setup.game,
        "rules_query": "".join(f"&{RULE}{rule}={quote(text)}" for rule, text in table.setup.rules.items()),
        "turn": table.turn,
        "over": table.is_over,
        "said": [shown_part(part) for part in said],
        "typed": typed,
        "heat": heat_query(table),
    }
    return usual | (_asked(table) if table.session.answers else _shown(table, advice, adviser))


def frames(table: PlayTable, first: int) -> list[tuple[str, list[Markup]]]:
    """The changes from one on before what is shown now, one by one: each in words, and the drawings after it."""
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
    """Values of a table at which actions are chosen."""
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
    )
    if advice is not None:
        overlay = replace(overlay, values=advice.values, best=advice.actions)
    default = default_name(said.best, said.others, said.game)
    advisers = [
        each for each in _players(said.game.name) if each not in said.game.placements and _fits(each, said)
    ]
    task, line = _ending(table, played) if over else words.prompt(played)
    decides, boards = opponents(table), drawings(view, state, said.seat, said.names, overlay)
    return {
        "thinking": "".join(decides[:1]),
        "alone": bool(words.rival) and not decides,
        "task": task,
        "line": line,
        "won": table.margin > 0,
        "setting": ", ".join(
            filter(None, (f"You against {against(decides)}" if decides else "", words.stage(state)))
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
        "pictures": {},
        "can_hint": bool(default) and not over,
        "can_undo": table.session.can_undo and not over,
        "adviser": adviser or default,
        "advisers": [*dict.fromkeys((default, *advisers))],
        "hint": None if advice is None else shown_hint(said, state, advice, adviser or default),
        "moves": [each for move in played.moves for each in _told(move, played, words)][::-1],
        "can_follow": over and not table.gave_up,
        "stronger": _rung(table, 1) if over and not table.gave_up else "",
        "weaker": _rung(table, -1) if over and table.lost_in_a_row >= MANY_LOST else "",
    }


def _asked(table: PlayTable) -> dict[str, Any]:
    """Values of a table at which questions are answered."""
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
    """The board for a page: a wide and a narrow drawing, or one where they are alike; none where text shows it best."""
    wide = view.board_svg(state, seat, names, overlay)
    narrow = view.board_svg(state, seat, names, replace(overlay, is_narrow=True))
    return [picture(svg) for svg in dict.fromkeys((wide, narrow)) if svg]


def _ending(table: PlayTable, played: Played) -> tuple[str, str]:
    """The result, and why."""
    if table.gave_up:
        why = table.conversation.farewell(played.state).removeprefix("You gave up; ")
        return "You gave up", why[:1].upper() + why[1:]
    return table.conversation.view.words.ending(played)


def _told(move: Move, played: Played, words: Words) -> list[tuple[str, str]]:
    """The events of a move: who, and what; none at the beginning."""
    events = words.happened(move, played) if move.before is not None else ()
    return [(title(played.names[seat]), what) for seat, what in events]


def _groups(texts: Mapping[Any, str]) -> list[tuple[str, dict[Any, str]]]:
    """Actions without a place, in one group or by their first letters; none where there are too many."""
    if len(texts) > MOST_BUTTONS:
        return []
    if len(texts) <= MOST_IN_ONE:
        return [("", dict(texts))] if texts else []
    by_letter = sorted(texts.items(), key=lambda pair: pair[1][:1])
    return [(letter, dict(pairs)) for letter, pairs in groupby(by_letter, key=lambda pair: pair[1][:1])]


def _rung(table: PlayTable, step: int) -> str:
    """The next opponent of the game's ladder that plays by these rules, up or down; empty where there is none."""
    said, setup = table.conversation, table.setup
    first = [WEAKEST] if WEAKEST in said.game.builtins else []
    ladder: list[str] = [
        *dict.fromkeys([*first, *said.game.programs, *(said.game.builtins if first else ())])
    ]
    names = setup.opponents or said.game.rivals(said.rules)[:1]
    if len(set(names)) != 1 or names[0] not in ladder:
        return ""
    place = ladder.index(names[0])
    for name in ladder[place + 1 :] if step > 0 else reversed(ladder[:place]):
        with suppress(GpkitError):
            seated(replace(setup, opponents=(name,)), (name,))
            return name
    return ""

"""The contract of what people and programs see of a state: sensors, texts of actions, boards."""

import math
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from typing import Any

import numpy as np

from gpkit.core.diagnostics import shortened
from gpkit.core.errors import GuestError, UsageError, words_of
from gpkit.gamekit.state import CHANCE, ObservableState
from gpkit.user_games.contract.findings import Fault
from gpkit.user_games.contract.game_under_test import Subject
from gpkit.user_games.contract.states import is_number, some

NONSENSE = ("", "?", "no such action", "-1", "999999")
"""Texts that are typed for an action; some game may know one of them."""

SHOWN_ACTIONS = 200
"""Actions of one state whose texts are compared."""


def check_sensors(subject: Subject, state: ObservableState, rng: np.random.Generator) -> Iterator[Fault]:
    """Sensors are numbers within their bounds, and whole where that is declared."""
    if state.is_terminal or state.current_player == CHANCE or not subject.view.is_asked(state):
        return
    for action in some(rng, state.legal_actions()):
        for member, sense in subject.senses.items():
            for name, value in sense(state, action).items():
                if (message := _sensed_wrongly(subject, name, value)) is not None:
                    yield Fault(member, f"{name} {message} (action {action})")


def _sensed_wrongly(subject: Subject, name: str, value: Any) -> str | None:
    declared = subject.sensors.get(name)
    if declared is None:
        return "is not a sensor of the game"
    if not is_number(value):
        finite = isinstance(value, float) and not math.isfinite(value)
        return f"is {value}" if finite else f"gives {shortened(repr(value))}; expected a number"
    if not declared.low <= value <= declared.high:
        return f"is {value:g}; declared: {declared.low:g} to {declared.high:g}"
    if declared.integer and not float(value).is_integer():
        return f"is {value}; declared as a whole number: write a bound as {declared.high} or integer=False"
    return None


def check_texts(subject: Subject, state: ObservableState, rng: np.random.Generator) -> Iterator[Fault]:
    """Texts of legal actions differ and are read back; other texts are refused."""
    if state.is_terminal or state.current_player == CHANCE:
        return
    view, shown = subject.view, subject.shown(state)
    legal = state.legal_actions()
    texts: dict[str, int] = {}
    for action in some(rng, legal, SHOWN_ACTIONS):
        text = view.action_text(shown, action)
        if not text or text != text.strip() or not text.isprintable():
            yield Fault("action_text", f"gives {text!r} for {action}; expected a word or two on one line")
        elif text in texts:
            yield Fault("action_text", f"gives {text!r} for {texts[text]} and for {action}")
        texts[text] = action
    for text in some(rng, list(texts)):
        try:
            action = view.parse_action(shown, text)
        except UsageError as error:
            yield Fault("parse_action", f"refuses {text!r}, the text of {texts[text]}: {words_of(error)}")
            continue
        if action != texts[text]:
            yield Fault("parse_action", f"gives {action!r} for {text!r}, the text of {texts[text]}")
    for text in NONSENSE:
        try:
            action = view.parse_action(shown, text)
        except UsageError:
            continue
        except Exception as error:
            message = f"raises {type(error).__name__} ({words_of(error)}) for {text!r}; expected a ValueError"
            yield Fault("parse_action", message)
        else:
            if action not in legal:
                yield Fault("parse_action", f"gives {action!r} for {text!r}, which is not legal")


def check_boards(subject: Subject, state: ObservableState, rng: np.random.Generator) -> Iterator[Fault]:
    """Boards are lines and pictures to everybody."""
    shown = subject.shown(state)
    for member, place in (("squares", subject.view.squares), ("action_spots", subject.view.placed)):
        try:
            if place is not None:
                place(shown)
        except GuestError as error:
            yield Fault(member, str(error).partition(": ")[2])
    for player in (None, *range(subject.seats)):
        text = subject.view.board_text(shown, player)
        if not text.endswith("\n") or text.endswith("\n\n"):
            yield Fault(
                "board_text", f"gives {shortened(repr(text))}; expected lines, and no empty one at the end"
            )
        picture = subject.view.board_svg(shown, player)
        try:
            root = ElementTree.fromstring(picture)  # noqa: S314  (of the game's own making)
        except ElementTree.ParseError as error:
            yield Fault("board_svg", f"gives no SVG document: {error}")
        else:
            if not root.tag.endswith("svg"):
                yield Fault("board_svg", f"gives a document of <{root.tag}>; expected <svg>")

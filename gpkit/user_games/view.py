"""The face of a game of one's own: what its states say of themselves, and what is shown where they say nothing."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from html import escape
from inspect import signature
from typing import Any

from gpkit.core.diagnostics import shortened, suggestion
from gpkit.core.errors import GuestError, UsageError, words_of
from gpkit.gamekit.view import Spot, View
from gpkit.user_games.contract.findings import place_of
from gpkit.user_games.wrapped_state import WrappedState

LETTER, LINE, MARGIN = 8, 18, 10
"""Width and height of a letter, and the margin, of pictures of text, in pixels."""


def own_view(own: Sequence[Any]) -> View:
    """The view of a game with these sensors."""
    return View(
        action_text,
        parse_action,
        board_text,
        board_svg,
        partial(sensor_values, own),
        action_spots,
        squares=squares,
    )


def action_text(state: WrappedState, action: int) -> str:
    """The text that the state gives, else the number."""
    own = getattr(state.position, "action_text", None)
    return str(action) if own is None else str(own(action))


def parse_action(state: WrappedState, text: str) -> int:
    """The legal action whose text that is, in small or capital letters.

    Raises:
        UsageError: it is none; the message names the nearest one.
    """
    own = getattr(state.position, "parse_action", None)
    legal = state.legal_actions()
    texts = {action_text(state, action): action for action in legal}
    word = text.strip()
    try:
        if own is not None and (action := own(word)) in legal:
            return int(action)
    except ValueError as error:
        raise UsageError(f"`{word}`: {words_of(error)}") from error
    found = texts.get(word, {name.lower(): action for name, action in texts.items()}.get(word.lower()))
    if found is None:
        raise UsageError(f"`{word}` is not a legal action; {suggestion(word, texts)}")
    return found


def board_text(state: WrappedState, player: int | None = None, names: Sequence[str] = ()) -> str:
    """The text that the state gives; else what the player knows, in a line."""
    own = getattr(state.position, "board_text", None)
    if own is not None:
        return str(_shown(own, state, player)).rstrip("\n") + "\n"
    return f"{state.position if player is None or state.is_terminal else state.observation(player)}\n"


def board_svg(state: WrappedState, player: int | None = None, names: Sequence[str] = ()) -> str:
    """The picture that the state gives; else one of the text."""
    own = getattr(state.position, "board_svg", None)
    if own is not None:
        return str(_shown(own, state, player))
    lines = board_text(state, player, names).splitlines()
    width = 2 * MARGIN + LETTER * max(map(len, lines), default=1)
    height = 2 * MARGIN + LINE * len(lines)
    rows = "".join(
        f'<text x="{MARGIN}" y="{MARGIN + LINE * number}" xml:space="preserve">{escape(line)}</text>'
        for number, line in enumerate(lines, start=1)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="monospace" font-size="13"><rect width="100%" height="100%" '
        f'fill="#fff"/>{rows}</svg>\n'
    )


def action_spots(state: WrappedState, player: int | None = None) -> Mapping[int, Spot]:
    """The rectangles that the state gives, as (x, y, width, height) by legal action; else those of its squares."""
    own = getattr(state.position, "action_spots", None)
    if own is not None:
        return _spots(own)
    legal = set(state.legal_actions())
    return {action: spot for action, spot in squares(state).items() if action in legal}


def squares(state: WrappedState) -> Mapping[int, Spot]:
    """The rectangles that the state gives of all squares, as (x, y, width, height) by action; else none."""
    own = getattr(state.position, "squares", None)
    return {} if own is None else _spots(own)


def sensor_values(sensors: Sequence[Any], state: WrappedState, action: int) -> dict[str, float]:
    """Values of sensors for a legal action, by name.

    Raises:
        GuestError: one is not a number, or beyond the bounds.
    """
    values = {}
    for each in sensors:
        value = each.sense(state.position, action)
        each.check((value,))
        values[each.sensor.name] = float(value)
    return values


def _spots(method: Callable[[], Mapping[int, Sequence[float]]]) -> dict[int, Spot]:
    """The rectangles that a method gives, by action.

    Raises:
        GuestError: it gives something else.
    """
    given = method()
    try:
        return {int(action): Spot(*map(float, spot)) for action, spot in given.items()}
    except (AttributeError, TypeError, ValueError, OverflowError) as error:
        message = f"gives {shortened(repr(given))}; expected by action (x, y, width, height)"
        raise GuestError(f"{place_of(method)}: {message}") from error


def _shown(method: Any, state: WrappedState, player: int | None) -> Any:
    """The result of a method that may want to know who looks; at the end and to nobody in particular, all is open."""
    if not signature(method).parameters:
        return method()
    return method(None if state.is_terminal else player)

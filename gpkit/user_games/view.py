"""The face of a game of one's own, and its encoding: what its states say of themselves, else text and sensors."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from inspect import signature
from typing import Any

from gpkit.core.diagnostics import shortened, suggestion
from gpkit.core.errors import GuestError, UsageError, words_of
from gpkit.core.primitives import Sensor
from gpkit.gamekit.encoding import FeatureTable, rows_of
from gpkit.gamekit.facts import Fact
from gpkit.gamekit.game import Game
from gpkit.gamekit.svg import box, document, golden, number, places
from gpkit.gamekit.view import Overlay, Spot, View
from gpkit.gamekit.words import Played, Words
from gpkit.user_games.arena import first_of
from gpkit.user_games.contract.findings import place_of
from gpkit.user_games.rules import Rules
from gpkit.user_games.wrapped_state import WrappedState

LETTER, LINE, MARGIN = 8, 18, 10
"""Width and height of a letter, and the margin, of pictures of text, in pixels."""

LARGEST_CELL, EDGE, GAP = 96.0, 18.0, 6.0
"""Side of a drawn square at most, the wood around all squares, and between two, in pixels."""


def own_view(own: Sequence[Any], facts: Sequence[Fact]) -> View:
    """The view of a game with these sensors and facts."""
    return View(
        action_text,
        parse_action,
        board_text,
        board_svg,
        partial(sensor_values, own),
        action_spots,
        squares=squares,
        words=OwnWords(facts),
    )


class OwnWords(Words):
    """Sentences of a page about a game of one's own: what its states say, else the usual ones."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        self._facts = tuple(each.name for each in facts)

    def step(self, step: Any) -> str:
        """The action, with the facts of the game that the step has."""
        found = [(name, step.values[name]) for name in self._facts if name in step.values]
        said = ", ".join(
            f"{name} {value if isinstance(value, str) else f'{value:g}'}" for name, value in found
        )
        return super().step(step) + (f" ({said})" if said else "")

    def prompt(self, played: Played) -> tuple[str, str]:
        """The question of the state, if it has one."""
        task, line = super().prompt(played)
        own = getattr(played.state.position, "question_text", None)
        return task if own is None else f"Your turn: {own()}", line

    def ending(self, played: Played) -> tuple[str, str]:
        """The result, and why, if the last state says it."""
        result, last = super().ending(played)
        own = getattr(played.state.position, "ending_text", None)
        return result, last if own is None else str(own())


def action_text(state: WrappedState, action: int) -> str:
    """The text that the state gives, else the number."""
    return str(getattr(state.position, "action_text", str)(action))


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


def board_svg(
    state: WrappedState, player: int | None = None, names: Sequence[str] = (), overlay: Overlay | None = None
) -> str:
    """The picture that the state gives; else its squares, for a page only; else one of the text, for no page."""
    own = getattr(state.position, "board_svg", None)
    if own is not None:
        svg = str(_shown(own, state, player))
        return svg if overlay is None else _under(svg, action_spots(state), overlay)
    if overlay is not None:
        spots = squares(state)
        return _cells(state, spots, board_text(state, player, names), overlay, player) if spots else ""
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


def _under(svg: str, spots: Mapping[int, Spot], overlay: Overlay) -> str:
    """A picture with the marks and places of an overlay above it."""
    body = svg[svg.index("<svg") :]
    head = body.partition(">")[0]
    sizes = [re.search(rf' {side}="([\d.]+)(?:px)?"', head) for side in ("width", "height")]
    drawn = [float(size[1]) for size in sizes if size]
    view = re.search(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"', head)
    width, height = map(float, view.groups()) if view else drawn if len(drawn) == 2 else (300.0, 150.0)
    scaled = f'<g transform="scale({number(width / drawn[0])})">{body}</g>' if drawn else body
    return document(width, height, "The board", [scaled, *places(spots, overlay)], overlay)


def _cells(
    state: WrappedState, spots: Mapping[int, Spot], text: str, overlay: Overlay, player: int | None
) -> str:
    """The squares as cells on wood, each with its sign in the text of the board or the name of its action."""
    left, top = min(spot.x for spot in spots.values()), min(spot.y for spot in spots.values())
    right = max(spot.x + spot.width for spot in spots.values())
    bottom = max(spot.y + spot.height for spot in spots.values())
    width, height = (350.0, 500.0) if overlay.is_narrow else (800.0, 540.0)
    least = min(min(spot.width, spot.height) for spot in spots.values())
    scale = min(width / (right - left), height / (bottom - top), LARGEST_CELL / least)
    scaled = {
        action: Spot(
            (spot.x - left) * scale + EDGE,
            (spot.y - top) * scale + EDGE,
            spot.width * scale - GAP,
            spot.height * scale - GAP,
        )
        for action, spot in spots.items()
    }
    legal = set(state.legal_actions() if player in (None, state.current_player) else ())
    signs = _signs(scaled, text)
    parts = ['<rect width="100%" height="100%" rx="16" fill="#4a3527"/>']
    for action, spot in scaled.items():
        sign = signs.get(action, "")
        kind = "cell free" if action in legal else "cell"
        name = sign if sign.strip("._-") else action_text(state, action) if action in legal else ""
        size = min(0.45 * spot.height, 1.5 * spot.width / max(len(name), 2), 28.0)
        parts.append(f'<rect class="{kind}" {box(spot)}/>')
        if name and action not in overlay.values:
            x, y = number(spot.x + spot.width / 2), number(spot.y + spot.height / 2 + 0.36 * size)
            parts.append(
                f'<text class="on" x="{x}" y="{y}" font-size="{number(size)}" text-anchor="middle">'
                f"{escape(name)}</text>"
            )
        if action == overlay.last:
            parts.append(golden(spot))
    parts += places(scaled, overlay)
    width, height = (side * scale + 2 * EDGE - GAP for side in (right - left, bottom - top))
    return document(width, height, text, parts, overlay)


def _signs(spots: Mapping[int, Spot], text: str) -> dict[int, str]:
    """The signs of squares, where the lines of a board's text hold as many words or letters as rows have squares."""
    rows: dict[float, list[int]] = {}
    for action, spot in sorted(spots.items(), key=lambda pair: (pair[1].y, pair[1].x)):
        rows.setdefault(spot.y, []).append(action)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    found: dict[int, str] = {}
    for row, line in zip(rows.values(), lines, strict=False):
        words = line.split()
        cells = words if len(words) == len(row) else list(line) if len(line) == len(row) else words[1:]
        if len(cells) == len(row):
            found.update(zip(row, cells, strict=True))
    return found


def action_spots(state: WrappedState) -> Mapping[int, Spot]:
    """The rectangles that the state gives, as (x, y, width, height) by legal action; else those of its squares."""
    if state.current_player < 0:  # chance acts next, or nobody
        return {}
    own = getattr(state.position, "action_spots", None)
    if own is not None:
        return _spots(own)
    legal = set(state.legal_actions())
    return {action: spot for action, spot in squares(state).items() if action in legal}


def squares(state: WrappedState) -> Mapping[int, Spot]:
    """The rectangles that the state gives of all squares, as (x, y, width, height) by action; else none."""
    return _spots(getattr(state.position, "squares", dict))


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
        message = f"gives {shortened(repr(given))}; expected (x, y, width, height) by action"
        raise GuestError(f"{place_of(method)}: {message}") from error


def _shown(method: Any, state: WrappedState, player: int | None) -> Any:
    """The result of a method that may want to know who looks; at the end and to nobody in particular, all is open."""
    return method() if not signature(method).parameters else method(None if state.is_terminal else player)


@dataclass(frozen=True, slots=True)
class OwnEncoding:
    """Encoding (``gpkit.gamekit.encoding.Encoding``) of a game.

    Attributes:
        game: the game, which has ``first``; the ``action_count`` of its first state is the number of actions.
    """

    game: Game

    def columns(self) -> tuple[Sensor, ...]:
        """The sensors."""
        return tuple(each.sensor for each in self.game.sensors)

    def actions(self, rules: Rules) -> int:
        """Number of actions.

        Raises:
            UsageError: the first state does not say it.
        """
        count = getattr(first_of(self.game, 0, rules), "action_count", None)
        if not isinstance(count, int) or count < 1:
            raise UsageError(
                f"{self.game.name} does not give its number of actions: expected a line such as action_count "
                "= 9 in its state, where actions are 0 to 8"
            )
        return count

    def encode(self, state: WrappedState, player: int) -> FeatureTable:
        """Table of what a player knows, float64 (actions, columns): all 0 while another is to choose.

        Raises:
            GuestError: a legal action is none of so many.
        """
        actions, legal = self.actions(state.rules), state.legal_actions()
        if len(legal) and not 0 <= legal[0] <= legal[-1] < actions:
            raise GuestError(
                f"{self.game.name} has legal actions from {legal[0]} to {legal[-1]}; expected 0 to {actions - 1}, "
                f"as its action_count is {actions}"
            )
        if player != state.current_player:
            return rows_of({}, actions, self.columns())
        sensor_values = {
            action: {
                each.sensor.name: float(each.sense(state.position, action)) for each in self.game.sensors
            }
            for action in legal
        }
        return rows_of(sensor_values, actions, self.columns())

"""The view and the encoding of a user's game, taken from its states if they define them, else from text and sensors."""

import inspect
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Any

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import GuestError, UsageError, words_of
from gpkit.core.primitives import Sensor
from gpkit.core.wording import rule_in
from gpkit.gamekit.game import Game
from gpkit.gamekit.sensors import FeatureTable, SensorFunction, rows_of, sensed
from gpkit.gamekit.state import is_together
from gpkit.gamekit.svg import document, number, places
from gpkit.gamekit.view import Overlay, Played, Spot, View, Words
from gpkit.user_games import boards
from gpkit.user_games.arena import first_of
from gpkit.user_games.boards import action_text, has_board, shown
from gpkit.user_games.cards import cards_svg, cards_text, choices, has_cards
from gpkit.user_games.rules import Rules, WrappedState

LETTER, LINE, MARGIN = 8, 18, 10
"""The width and height of a letter, and the margin, in pictures of text, in pixels."""


def own_view(game: Game) -> View:
    """The view of a user's game."""
    return View(
        action_text,
        parse_action,
        board_text,
        board_svg,
        partial(sensor_values, game.sensors),
        placed,
        squares=squares,
        words=OwnWords(game),
    )


class OwnWords(Words):
    """The sentences that a web page shows about a user's game, from its states or by default."""

    def __init__(self, game: Game) -> None:
        """Read the rules from the docstring of the game's file."""
        module = game.first.__module__
        text = "" if module.startswith("gpkit.") else inspect.getdoc(sys.modules.get(module)) or ""
        self.rules = "\n\n".join(filter(None, (rule_in(game.title, game.name), text.partition("\n\n")[2])))

    def step(self, step: Any) -> str:
        """The action, and the facts that the game provides about the step."""
        said = ", ".join(map(" ".join, step.own_facts.items()))
        together = ", together" * (step.before is not None and is_together(step.before))
        return super().step(step) + together + (f" ({said})" if said else "")

    def side(self, state: Any, seat: int, player: int) -> str:
        """The shape of a seat's pieces, if pieces belong to players."""
        return boards.shape(state, seat, player) if boards.has_sides(state) else ""

    def unseen(self, state: Any) -> str:
        """The word for a card in games with hands; otherwise, the default word."""
        return "a card, face down" if boards.method(state, "hand") else super().unseen(state)

    def prompt(self, played: Played) -> tuple[str, str]:
        """The task (from the state if it provides one), and a line with recent events."""
        task, line = super().prompt(played)
        if is_together(played.state):
            line = " ".join(filter(None, (line and f"{line}.", "All players choose at the same time.")))
        line = line or rule_in(played.state.game.title, played.state.game.name)
        own = getattr(played.state.position, "question_text", None)
        return task if own is None else f"Your turn: {own()}", line

    def ending(self, played: Played) -> tuple[str, str]:
        """The result, and the reason for it if the last state provides one."""
        result, last = super().ending(played)
        own = getattr(played.state.position, "ending_text", None)
        return result, last if own is None else str(own())


def parse_action(state: WrappedState, text: str) -> int:
    """The legal action with this text, regardless of case.

    Raises:
        UsageError: there is no such action; the message suggests the nearest match.
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
    """The text from the state, else its board and cards as text, else the player's knowledge in one line."""
    own = getattr(state.position, "board_text", None)
    if own is not None:
        return str(shown(own, state, player)).rstrip("\n") + "\n"
    if has_board(state) or has_cards(state):
        return boards.board_text(state, player) * has_board(state) + cards_text(state, player, names)
    return f"{state.position if player is None or state.is_terminal else state.observation(player)}\n"


def board_svg(
    state: WrappedState, player: int | None = None, names: Sequence[str] = (), overlay: Overlay | None = None
) -> str:
    """The picture from the state, else a picture of its squares and cards, else a picture of its text."""
    own = getattr(state.position, "board_svg", None)
    if own is not None:
        svg = str(shown(own, state, player))
        return svg if overlay is None else _under(svg, boards.spots_of_actions(state), overlay)
    if overlay is not None or has_board(state) or has_cards(state):
        return _drawn(state, player, names, overlay or Overlay())
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


def _drawn(state: WrappedState, player: int | None, names: Sequence[str], overlay: Overlay) -> str:
    """A picture of the squares with their pieces, surrounded by the cards; empty if the state has neither."""
    text = board_text(state, player, names)
    parts, width, height = list[str](), 0.0, 0.0
    if boards.squares(state):
        parts, width, height = boards.squares_svg(state, player, overlay, text)
    if has_cards(state):
        parts, width, height = cards_svg(state, player, names, overlay, ("".join(parts), width, height))
        felt = f'<rect class="felt" width="{number(width)}" height="{number(height)}" rx="16"/>'
        parts = [felt, *parts]
    title = boards.spoken(state, player) if has_board(state) else text
    return document(width, height, title, parts, overlay) if parts else ""


def _under(svg: str, spots: Mapping[int, Spot], overlay: Overlay) -> str:
    """A picture with the marks and clickable places of an overlay on top."""
    body = svg[svg.index("<svg") :]
    head = body.partition(">")[0]
    sizes = [re.search(rf' {side}="([\d.]+)(?:px)?"', head) for side in ("width", "height")]
    drawn = [float(size[1]) for size in sizes if size]
    view = re.search(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"', head)
    width, height = map(float, view.groups()) if view else drawn if len(drawn) == 2 else (300.0, 150.0)
    scaled = f'<g transform="scale({number(width / drawn[0])})">{body}</g>' if drawn else body
    return document(width, height, "The board", [scaled, *places(spots, overlay)], overlay)


def placed(state: WrappedState) -> Mapping[int, Spot | None]:
    """The legal actions that have a place in the picture: rectangles by action, and None for actions on cards."""
    return {**dict.fromkeys(choices(state).values()), **boards.spots_of_actions(state)}


def squares(state: WrappedState) -> Mapping[int, Spot]:
    """The rectangles of all squares by action; empty if the state has no squares, or has ``moves``."""
    return {} if boards.method(state, "moves") else boards.squares(state)


def sensor_values(sensors: Sequence[SensorFunction], state: WrappedState, action: int) -> dict[str, float]:
    """The values of sensors for a legal action, by name.

    Raises:
        GuestError: a value is not a number, or is out of bounds.
    """
    values = {}
    for each in sensors:
        value = each.sense(state.position, action)
        each.check((value,))
        values[each.sensor.name] = float(value)
    return values


@dataclass(frozen=True, slots=True)
class OwnEncoding:
    """The encoding of a game (``gpkit.gamekit.sensors.Encoding``).

    Attributes:
        game: the game, which must have a function ``first``; the ``action_count`` of its first state is the number of
            actions.
    """

    game: Game

    def columns(self) -> tuple[Sensor, ...]:
        """The sensors."""
        return tuple(each.sensor for each in self.game.sensors)

    def actions(self, rules: Rules) -> int:
        """The number of actions.

        Raises:
            UsageError: the first state has no valid ``action_count``.
        """
        count = getattr(first_of(self.game, 0, rules), "action_count", None)
        if not isinstance(count, int) or count < 1:
            raise UsageError(
                f"{self.game.name} does not declare its number of actions: expected a line such as action_count "
                "= 9 in its state, where actions are 0 to 8"
            )
        return count

    def encode(self, state: WrappedState, player: int) -> FeatureTable:
        """The table of a player's knowledge, float64 (actions, columns); all 0 if another player must choose.

        Raises:
            GuestError: a legal action is out of range.
        """
        actions, legal = self.actions(state.rules), state.legal_actions()
        if len(legal) and not 0 <= legal[0] <= legal[-1] < actions:
            raise GuestError(
                f"{self.game.name} has legal actions from {legal[0]} to {legal[-1]}; expected 0 to {actions - 1}, "
                f"because its action_count is {actions}"
            )
        if player != state.current_player:
            return rows_of({}, actions, self.columns())
        values = {action: sensed(self.game.sensors, state.position, action) for action in legal}
        return rows_of(values, actions, self.columns())

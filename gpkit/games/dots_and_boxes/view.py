"""Dots and Boxes as people see it and type it (``gpkit.gamekit.view.View``)."""

from collections.abc import Iterator
from math import dist
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.core.wording import YOU, does
from gpkit.gamekit.view import View, everywhere
from gpkit.gamekit.words import Move, Played, Words, number_word, title
from gpkit.games.dots_and_boxes.board import board_text, box_name, edge_name, edge_of_name
from gpkit.games.dots_and_boxes.edges import place_of
from gpkit.games.dots_and_boxes.picture import board_svg, squares
from gpkit.games.dots_and_boxes.rules import State


def action_text(state: State, edge: int) -> str:
    """A box and one of its sides, such as ``B2 top``."""
    return edge_name(edge, state.board)


def parse_action(state: State, text: str) -> int:
    """The undrawn edge of a name.

    Raises:
        UsageError: it is none; the message says why, and names the nearest.
    """
    edge = edge_of_name(text, state.board)
    if edge not in state.drawn:
        return edge
    here = place_of(edge, state.board)
    close = min(state.legal_actions(), key=lambda other: dist(here, place_of(other, state.board)))
    raise UsageError(
        f"{action_text(state, edge)} is already drawn; the nearest undrawn side is {action_text(state, close)}"
    )


def drawing_text(state: State, edge: int, name: str) -> str:
    """A player draws an edge, in words, and which boxes that closes."""
    closed = " and ".join(box_name(box, state.board) for box in state.closed_by(edge))
    closes = f", which closes {closed}" if closed else ""
    return f"{does(name, 'draws')} {edge_name(edge, state.board)}{closes}"


class DotsWords(Words):
    """Sentences of a game of Dots and Boxes."""

    noun = "line"
    candidate = "edge"
    examples = (
        ("Next capture", "closes > 0"),
        ("Its next capture", "mine and closes > 0"),
        ("No rule matched", "mine and rule == 0"),
    )
    worth = "A value is the number of boxes by which you end ahead if nobody makes a mistake."
    rules = (
        "In turn, each player draws a line between two dots. Whoever draws the fourth side of a box owns it and draws "
        "again. When all lines are drawn, whoever owns more boxes wins."
    )

    def step(self, step: Any) -> str:
        """The edge that was drawn, and by which rules of the traced program."""
        if step.before is None:
            return "the board is empty"
        said = drawing_text(step.before, step.action, step.name)
        if not hasattr(step.decision, "drawing"):  # of whoever is no rule list
            return said
        titles = " and ".join(each.title for each in step.decision.drawing)
        return said + (f", by {titles}" if titles else ", as no rule matches")

    def stage(self, state: State) -> str:
        """The size of the board."""
        return f"{state.board.width} by {state.board.height}"

    def prompt(self, played: Played) -> tuple[str, str]:
        """To draw a line, and what the opponent drew."""
        latest = played.moves[-1]
        if latest.before is not None and latest.before.current_player == played.seat:
            return "You closed a box. Go again", "A line that closes no box ends your turn."
        return "Your turn: draw a line", self.lately(played) or "Close a box, keep it and go again."

    def act(self, state: State, action: int, text: str) -> str:
        """Draw the line."""
        return f"draw {text}"

    def fact(self, state: State, action: int) -> str:
        """The boxes that the line closes, or leaves to the other."""
        from gpkit.games.dots_and_boxes.opponents import captures, gift  # compiles, which drawings need not

        if closed := len(state.closed_by(action)):
            return f"it closes {'a box' if closed == 1 else 'two boxes'}, and you go again"
        gifts = {edge: gift(state, edge) for edge in state.legal_actions()}
        if not gifts[action]:
            return "the other can close no box after it"
        boxes = "a box" if gifts[action] == 1 else f"{number_word(gifts[action])} boxes"
        if captures(state):
            return f"it leaves {boxes} and the next line to the other"
        least = ", and every other line at least as many" if gifts[action] == min(gifts.values()) else ""
        return f"it gives away {boxes}{least}"

    def lately(self, played: Played) -> str:
        """The boxes that the other closed, and the line it drew last."""
        theirs = [move for move in played.since if move.before.current_player != played.seat]
        if not theirs:
            return ""
        name, state = played.names[1 - played.seat], played.state
        closed = state.boxes_of(1 - played.seat) - played.since[0].before.boxes_of(1 - played.seat)
        took = f"closed {'a box' if closed == 1 else f'{number_word(closed)} boxes'}, then " if closed else ""
        return f"{name} {took}drew {played.text(theirs[-1].before, theirs[-1].action)}."

    def label(self, state: State, action: int, text: str) -> str:
        """The same as a name."""
        return f"Draw {text}"

    def happened(self, move: Move, played: Played) -> Iterator[tuple[int, str]]:
        """The line, and what it closed."""
        for seat, what in super().happened(move, played):
            closed = len(move.before.closed_by(move.action))
            closes = f", closes {'a box' if closed == 1 else f'{closed} boxes'}" if closed else ""
            yield seat, what + closes

    def ending(self, played: Played) -> tuple[str, str]:
        """The boxes, and which line opened the last ones."""
        state = played.state
        mine, theirs = state.boxes_of(played.seat), state.boxes_of(1 - played.seat)
        if mine == theirs:
            return f"A draw, {mine} boxes each", ""
        winner = played.seat if mine > theirs else 1 - played.seat
        last = played.moves[-1].before.current_player
        others = [
            move for move in played.moves if move.before is not None and move.before.current_player != last
        ]
        result = f"{title(played.names[winner])} won, {max(mine, theirs)} boxes to {min(mine, theirs)}"
        if not others:
            return result, ""
        opening = others[-1]
        taken = state.boxes_of(last) - opening.after.boxes_of(last)
        whose = "your" if played.names[last] == YOU else f"{played.names[last]}'s"
        boxes = "last box" if taken == 1 else f"last {number_word(taken)}"
        line = played.text(opening.before, opening.action)
        return result, f"{title(played.names[1 - last])} had to open {whose} {boxes} with {line}."


VIEW = View(
    action_text,
    parse_action,
    board_text,
    board_svg,
    lambda state, edge: {},  # rules match the graph of the position
    placed=everywhere,
    squares=squares,
    words=DotsWords(),
)

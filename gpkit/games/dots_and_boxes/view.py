"""Dots and Boxes as people see it and type it (``gpkit.gamekit.view.View``)."""

from collections.abc import Iterator

from gpkit.core.errors import UsageError
from gpkit.core.wording import YOU
from gpkit.gamekit.view import View, everywhere
from gpkit.gamekit.words import Move, Played, Words, number_word, title
from gpkit.games.dots_and_boxes.board import board_text, edge_name, edge_of_name
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
    x, y = place_of(edge, state.board)

    def distance(other: int) -> int:
        column, row = place_of(other, state.board)
        return (column - x) ** 2 + (row - y) ** 2

    close = min(state.legal_actions(), key=distance)
    raise UsageError(
        f"{action_text(state, edge)} is already drawn; the nearest undrawn side is {action_text(state, close)}"
    )


def sensors(state: State, edge: int) -> dict[str, float]:
    """None: rules match the graph of the position."""
    return {}


class DotsWords(Words):
    """Sentences of a game of Dots and Boxes."""

    noun = "line"
    worth = "A value is the number of boxes by which you end ahead if nobody makes a mistake."
    rules = (
        "In turn, each player draws a line between two dots. Whoever draws the fourth side of a box owns it and draws "
        "again. When all lines are drawn, whoever owns more boxes wins."
    )

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
        said = []
        for move in played.since:
            if move.before.current_player != played.seat:
                said += [text for _, text in super().happened(move, played)]
        if not said:
            return ""
        name, state = played.names[1 - played.seat], played.state
        closed = state.boxes_of(1 - played.seat) - played.since[0].before.boxes_of(1 - played.seat)
        took = f"closed {'a box' if closed == 1 else f'{number_word(closed)} boxes'}, then " if closed else ""
        return f"{name} {took}drew {said[-1]}."

    def label(self, state: State, action: int, text: str) -> str:
        """The same as a name."""
        return f"Draw {text}"

    def happened(self, move: Move, played: Played) -> Iterator[tuple[int, str]]:
        """The line, and what it closed."""
        for seat, what in super().happened(move, played):
            closed = sum(
                owner != old for owner, old in zip(move.after.owners, move.before.owners, strict=True)
            )
            closes = f", closes {'a box' if closed == 1 else f'{closed} boxes'}" if closed else ""
            yield seat, what + closes

    def ending(self, played: Played) -> tuple[str, str]:
        """The boxes, and which line opened the last ones."""
        state = played.state
        mine, theirs = state.boxes_of(played.seat), state.boxes_of(1 - played.seat)
        if mine == theirs:
            return f"A draw, {mine} boxes each", ""
        winner = played.seat if mine > theirs else 1 - played.seat
        moves = [move for move in played.moves if move.before is not None]
        last = moves[-1].before.current_player
        run = next(
            (k for k, move in enumerate(reversed(moves)) if move.before.current_player != last), len(moves)
        )
        result = f"{title(played.names[winner])} won, {max(mine, theirs)} boxes to {min(mine, theirs)}"
        if run == len(moves):
            return result, ""
        opening = moves[-1 - run]
        taken = state.boxes_of(last) - opening.after.boxes_of(last)
        whose = "your" if played.names[last] == YOU else f"{played.names[last]}'s"
        line = played.text(opening.before, opening.action)
        boxes = "last box" if taken == 1 else f"last {number_word(taken)}"
        return result, f"{title(played.names[1 - last])} had to open {whose} {boxes} with {line}."


VIEW = View(
    action_text,
    parse_action,
    board_text,
    board_svg,
    sensors,
    placed=everywhere,
    squares=squares,
    words=DotsWords(),
)

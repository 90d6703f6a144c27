"""Coins as people see and type it."""

from collections.abc import Sequence

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.gamekit.view import Overlay, View
from gpkit.games.coins.rules import State


def action_text(state: State, action: int) -> str:
    """The number of coins."""
    return str(action)


def parse_action(state: State, text: str) -> int:
    """The number that is typed."""
    known = [str(action) for action in state.legal_actions()]
    if text.strip() in known:
        return int(text)
    raise UsageError(f"`{text}` is not a number of coins that can be taken; {suggestion(text, known)}")


def board_text(state: State, player: int | None = None, names: Sequence[str] = ()) -> str:
    """The coins in a line."""
    return f"{state.left} left: {'o' * state.left}\n"


def board_svg(
    state: State, player: int | None = None, names: Sequence[str] = (), overlay: Overlay | None = None
) -> str:
    """The number of coins."""
    return SVG.format(state.left)


SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><text x="9" y="25">{} coins</text></svg>'
)


def sensors(state: State, action: int) -> dict[str, float]:
    """What programs read of taking so many."""
    left = state.left - action
    return {"env.take": float(action), "env.left": float(left), "env.rest": float(left % 4)}


VIEW = View(action_text, parse_action, board_text, board_svg, sensors)

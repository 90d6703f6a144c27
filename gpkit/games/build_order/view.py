"""The build order as people see it and type it (``gpkit.gamekit.view.View``)."""

from gpkit.core.diagnostics import nearest
from gpkit.core.errors import UsageError
from gpkit.gamekit.view import View
from gpkit.games.build_order.board import board_text
from gpkit.games.build_order.kernel.things import ACTIONS
from gpkit.games.build_order.picture import board_svg
from gpkit.games.build_order.rules import State
from gpkit.games.build_order.sensors import sense


def action_text(state: State, action: int) -> str:
    """The name of an order, such as ``drone``."""
    return ACTIONS[action]


def parse_action(state: State, text: str) -> int:
    """The order of a name that can begin now or later.

    Raises:
        UsageError: there is no such order, or it can never begin; the message says why.
    """
    word = "_".join(text.strip().lower().split())
    legal = [ACTIONS[action] for action in state.legal_actions()]
    if word in legal:
        return ACTIONS.index(word)
    if word in ACTIONS:
        raise UsageError(f"`{word}` {reason(state, ACTIONS.index(word))}; can be ordered: {', '.join(legal)}")
    close = nearest(word, legal)
    hint = f"; did you mean `{close}`?" if close is not None else ""
    raise UsageError(f"`{text}` is not an order{hint}; can be ordered: {', '.join(legal)}")


def reason(state: State, action: int) -> str:
    """The first thing for want of which an order can never begin."""
    name = ACTIONS[action]
    if name in ("zerglings", "queen") and not (state.pool or state.making(ACTIONS.index("spawning_pool"))):
        return "needs a spawning pool, and none is there or in production"
    if name in ("drone", "zerglings", "queen"):
        taken = f"{state.supply} of {state.cap_to_come} are taken"
        return f"needs supply: {taken}, and nothing that gives more is in production"
    if name == "scout":
        return "has nothing to find out: the attack is known, or a scout is on its way"
    if name in ("spawning_pool", "overlord", "hatchery") and state.drones:
        return "is no longer needed: there are enough"
    return "needs a drone, and none is there or in production"


def sensors(state: State, action: int) -> dict[str, float]:
    """The value of every sensor for an order that can begin now or later."""
    return sense(state, action)


VIEW = View(action_text, parse_action, board_text, board_svg, sensors)

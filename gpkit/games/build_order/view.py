"""The build order as people see it and type it (``gpkit.gamekit.view.View``)."""

from collections.abc import Iterator

from gpkit.core.diagnostics import nearest
from gpkit.core.errors import UsageError
from gpkit.core.wording import counted
from gpkit.gamekit.view import View
from gpkit.gamekit.words import Move, Played, Words
from gpkit.games.build_order.board import board_text
from gpkit.games.build_order.kernel.things import ACTIONS
from gpkit.games.build_order.options import goal_text
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


class BuildOrderWords(Words):
    """Sentences of a build order."""

    noun = "order"
    rules = (
        "Workers mine minerals, minerals buy workers, buildings and units, and everything takes time and supply. Order "
        "things so that the goal is reached as early as possible. An order starts as soon as it can."
    )

    def prompt(self, played: Played) -> tuple[str, str]:
        """The tick, and the goal."""
        state = played.state
        return f"Tick {state.tick}. What do you order next?", f"The goal: {goal_text(state.rules.goal)}."

    def act(self, state: State, action: int, text: str) -> str:
        """Order the thing."""
        return f"order {text.replace('_', ' ')}"

    def label(self, state: State, action: int, text: str) -> str:
        """The thing, what it costs, and how long it takes."""
        rules = state.rules
        cost = f"{rules.costs[action]} minerals, " if rules.costs[action] else ""
        return f"{text.replace('_', ' ').capitalize()}: {cost}{counted(rules.ticks[action], 'tick')}"

    def happened(self, move: Move, played: Played) -> Iterator[tuple[int, str]]:
        """The order, and when it began."""
        for seat, what in super().happened(move, played):
            begun = (
                move.after.orders[-1].begun
                if len(move.after.orders) > len(move.before.orders)
                else move.after.tick
            )
            yield seat, f"{what.replace('_', ' ')}, tick {begun}"

    def ending(self, played: Played) -> tuple[str, str]:
        """The tick of the goal, or how the game has ended otherwise."""
        state = played.state
        (score,) = state.returns()
        goal = goal_text(state.rules.goal)
        if state.rules.is_attacked:
            return (
                "You survived" if score else "You did not survive",
                f"{len(state.orders)} orders were begun.",
            )
        if score <= state.rules.horizon:
            return (
                f"{goal[:1].upper()}{goal[1:]} in tick {state.tick}",
                f"It took {len(state.orders)} orders.",
            )
        return "The goal was not reached", f"Time was up after {state.rules.horizon} ticks."


VIEW = View(action_text, parse_action, board_text, board_svg, sense, words=BuildOrderWords())

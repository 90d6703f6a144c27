"""The build order as people see it and type it (``gpkit.gamekit.view.View``)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import MappingProxyType

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.wording import counted
from gpkit.gamekit.view import View
from gpkit.gamekit.words import Move, Played, Words, number_word
from gpkit.games.build_order.board import board_text, clock, enemy_text, spoken
from gpkit.games.build_order.kernel.things import ACTIONS, THINGS, WAIT
from gpkit.games.build_order.options import Attack, Rules
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
    said = f"`{text}` is not an order", suggestion(word, legal, ""), f"can be ordered: {', '.join(legal)}"
    raise UsageError("; ".join(filter(None, said)))


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
    rival = "rush"
    reasons = MappingProxyType(
        {
            **{
                f"env.is_{name}": (f"the formula prefers {thing} here", f"the formula avoids {thing} here")
                for name, thing in ((each, each.replace("_", " ")) for each in ACTIONS)
            },
            "env.cost": ("it costs more than {other}", "it costs less than {other}"),
            "env.short": (
                "more minerals are missing for it than for {other}",
                "it can be paid sooner than {other}",
            ),
            "env.now": (
                "it can begin at once, and {other} cannot",
                "{other} could begin at once, but can wait",
            ),
            "env.lack": (
                "the goal needs more of it than of {other}",
                "the goal needs fewer of it than of {other}",
            ),
        }
    )
    rules = (
        "Workers mine minerals, minerals buy workers, buildings and units, and everything takes time and supply. Order "
        "things so that the goal is reached as early as possible. An order starts as soon as it can."
    )

    def prompt(self, played: Played) -> tuple[str, str]:
        """The time, and the goal with the attack."""
        state = played.state
        goal = f"The goal: {goal_words(state.rules.goal)}, as early as you can."
        return (
            f"{clock(state.tick)}. What do you order next?",
            f"{goal} {enemy_text(state, played.seat).capitalize()}".strip(),
        )

    def act(self, state: State, action: int, text: str) -> str:
        """Order the thing."""
        return f"order {text.replace('_', ' ')}"

    def label(self, state: State, action: int, text: str) -> str:
        """The thing, what it costs, how long it takes, and on a second line in how many seconds it can begin."""
        rules = state.rules
        cost = f"{rules.costs[action]}, " if rules.costs[action] else ""
        later = seen = state if state.is_attack_known else replace(state, attack=Attack(rules.horizon + 1))
        while action != WAIT and not (later.is_terminal or later.can_begin(action)):
            later = later.passed()
        begins = f"\nin {later.tick - seen.tick} s" if later is not seen else ""
        return f"{spoken(action)} {cost}{rules.ticks[action]} s{begins}"

    def fact(self, state: State, action: int) -> str:
        """Whether the goal needs it, and whether it can begin."""
        lack = int(sense(state, action)["env.lack"])
        return f"the goal still needs {number_word(lack)} more" if lack else ""

    def happened(self, move: Move, played: Played) -> Iterator[tuple[int, str]]:
        """The order, and when it began."""
        begun = [job.begun for job in move.after.orders[len(move.before.orders) :]]
        yield played.seat, f"{spoken(move.action)} at {clock(begun[0] if begun else move.after.tick)}"

    def ending(self, played: Played) -> tuple[str, str]:
        """The time of the goal, or how the game has ended otherwise."""
        state = played.state
        (score,) = state.returns()
        goal, begun = goal_words(state.rules.goal).capitalize(), counted(len(state.orders), "order")
        if state.rules.is_attacked:
            return "You survived" if score else "You did not survive", f"{begun} at {clock(state.tick)}."
        if score > state.rules.horizon:
            return "The goal was not reached", f"Time was up at {clock(state.rules.horizon)}."
        return f"{goal} at {clock(state.tick)}", f"It took {begun}."

    def compared(self, name: str, score: float, rules: Rules) -> str:
        """The time of the goal; nothing where an attack is to be survived."""
        reached = f"needs {clock(int(score))}" if score <= rules.horizon else "does not reach it"
        return "" if rules.is_attacked else f"{name} {reached}."


def goal_words(goal: Sequence[int]) -> str:
    """A goal in words.

    >>> goal_words((16, 0, 0, 6, 1, 0))
    '16 drones, six zerglings, one queen'
    """
    plural = {"hatchery": "hatcheries", "zerglings": "zerglings"}
    return ", ".join(
        f"{number_word(count)} {name.replace('_', ' ') if count == 1 else plural.get(name, f'{name}s')}"
        for name, count in zip(THINGS, goal, strict=True)
        if count
    )


VIEW = View(action_text, parse_action, board_text, board_svg, sense, words=BuildOrderWords())

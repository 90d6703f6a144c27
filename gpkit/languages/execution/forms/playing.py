"""Plans in games, step by step: what the interpreter executes, what the game makes of it, and what is never visited."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.gamekit.game import Game, Plans
from gpkit.gamekit.view import View, view_of
from gpkit.genomes.plan import Chance, Decide, Do, PlanProgram, While, downward_places
from gpkit.languages.execution.interpreter import Executed, Place, interpret
from gpkit.languages.execution.printer import head_text, marked_text
from gpkit.languages.execution.reachability import Visit
from gpkit.playing.actions import ActionView
from gpkit.playing.conditions import Value
from gpkit.playing.trace import Seated, Step
from gpkit.vm.keyed import CHANCES, KeyedDraws

AFTER = "the plan has ended: a tick passes"


@dataclass(frozen=True, slots=True)
class WrappedState:
    """One executed step of a plan in a game; behind the end of the plan there is none, and a tick passes."""

    before: Any
    executed: Executed | None
    after: Any


def follow(program: PlanProgram, game: Game, view: View, state: Any, deals: Any) -> Iterator[WrappedState]:
    """The steps of a plan in a game from a state to its end; a plan that goes up begins where the game says.

    Args:
        program: a plan that the game knows all names of.
        game: that plays plans.
        view: of that game.
        state: the beginning.
        deals: of which the first one is played.
    """
    plans, present = planned_game(game), state

    def sense(feature: str) -> float:
        return features(view, present)[feature]

    draws = KeyedDraws(int(deals.keys[0]), CHANCES)
    plan, places = downward_places(program, plans.start_of(state.rules))
    for each in interpret(plan, sense, draws.random):
        executed = replace(each, place=(each.place[0], places[each.place[0]][each.place[1]]))
        before = present
        if isinstance(executed.step, Do) and executed.asks == "action":
            present = plans.ask(before, executed.step.action)
        elif executed.asks == "tick":
            present = plans.ask(before, plans.tick)
        yield WrappedState(before, executed, present)
        if present.is_terminal:
            return
    while not present.is_terminal:
        before, present = present, plans.ask(present, plans.tick)
        yield WrappedState(before, None, present)


def features(view: View, state: Any) -> Mapping[str, float]:
    """The sensors in a state that is not the end."""
    return view.sensors(state, state.legal_actions()[0])


def visits(program: PlanProgram, game: Game, deals: Any, rules: Any) -> frozenset[Visit]:
    """The visits to steps in some games of a plan: the place of each that was executed, with its outcome."""
    view = view_of(game.name)
    found: set[Visit] = set()
    for number in range(len(deals)):
        deal = deals[number : number + 1]
        for moment in follow(program, game, view, game.begin([], deal, rules), deal):
            if moment.executed is not None:
                found.add((moment.executed.place, moment.executed.outcome))
    return frozenset(found)


def planned_game(game: Game) -> Plans:
    """The way of a game with plans.

    Raises:
        UsageError: it does not.
    """
    if game.plans is not None:
        return game.plans
    raise UsageError(f"plans cannot play {game.name}")


class PlanView(ActionView):
    """One step of a plan; ``decision`` is its ``WrappedState``."""

    def words(self) -> str:
        """Description of the step, in a line."""
        if self.before is None:
            return "the game begins"
        executed = self.decision.executed
        return AFTER if executed is None else f"{head_text(executed.step)}{_outcome(executed)}"

    def values(self) -> dict[str, Value]:
        """Values that conditions read of the step, but for its number."""
        values = super().values()
        if self.before is None:
            return values
        values |= {"player": self.seated.followed.name, "mine": 1.0}
        values |= features(self.seated.view, self.before)
        if (executed := self.decision.executed) and isinstance(executed.step, Do):
            values["action"] = executed.step.action
        return values

    def table(self) -> None:
        """None: a plan chooses between no candidates."""

    def record(self) -> dict[str, object]:
        """The step for programs to read."""
        executed = self.decision.executed if self.before is not None else None
        return {
            "step": None if executed is None else head_text(executed.step),
            "place": None if executed is None else list(executed.place),
            "outcome": None if executed is None else executed.outcome,
            "scores": list(self.after.returns()) if self.after.is_terminal else None,
        }


def steps(game: Game, seated: Seated, deals: Any, rules: Any) -> Iterator[Step]:
    """The beginning, and every step of the plan that is followed, until the end of the game."""
    program = seated.followed.program
    state = game.begin(seated.players, deals, rules)
    yield PlanView(seated, None, state).step(0)
    moments = follow(program, game, seated.view, state, deals)
    for number, moment in enumerate(moments, start=1):
        view = PlanView(seated, moment.before, moment.after, decision=moment)
        place: Place | None = None if moment.executed is None else moment.executed.place
        listing = "" if place is None else marked_text(program, place)
        yield Step(number, {"step": float(number), **view.values()}, view, line=place, listing=listing)


def _outcome(executed: Executed) -> str:
    match executed.step:
        case Decide() | Chance() | While():
            return ": yes" if executed.outcome else ": no"
        case _:
            return ": a tick passes" if executed.asks == "tick" else ""

"""Plans in games, step by step: what the interpreter executes, what the game makes of it, and what is never visited."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.gamekit.game import Game, Plans
from gpkit.gamekit.view import View, view_of
from gpkit.genomes.plan import Chance, Decide, Do, PlanProgram, While, downward_places
from gpkit.languages.execution.interpreter import Executed, Place, interpret
from gpkit.languages.execution.printer import head_text, marked_text
from gpkit.languages.execution.reachability import Visit
from gpkit.playing.trace import Seated, Step
from gpkit.vm.keyed import CHANCES, KeyedDraws

AFTER = "the plan has ended: a tick passes"


@dataclass(frozen=True, slots=True)
class Moment:
    """One executed step of a plan in a game; behind the end of the plan there is none, and a tick passes."""

    before: Any
    executed: Executed | None
    after: Any


def follow(program: PlanProgram, game: Game, view: View, state: Any, deals: Any) -> Iterator[Moment]:
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
        yield Moment(before, executed, present)
        if present.is_terminal:
            return
    while not present.is_terminal:
        before, present = present, plans.ask(present, plans.tick)
        yield Moment(before, None, present)


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


@dataclass(frozen=True)
class PlanStep(Step):
    """One step of a plan, whose ``decision`` is a ``Moment``."""

    @property
    def executed(self) -> Executed | None:
        """The step that was executed; None at the beginning, and behind the end of the plan."""
        return None if self.decision is None else self.decision.executed

    @property
    def is_mine(self) -> bool:
        """Whether the plan has begun: nobody else acts."""
        return self.before is not None

    @property
    def text(self) -> str:
        """The action that the plan asks for; empty where it asks for none."""
        executed = self.executed
        return executed.step.action if executed and isinstance(executed.step, Do) else ""

    @cached_property
    def sensors(self) -> Mapping[str, float]:
        """The sensors in the state before."""
        return {} if self.before is None else features(self.seated.view, self.before)

    @property
    def line(self) -> Place | None:
        """The place of what was executed."""
        return None if self.executed is None else self.executed.place

    @property
    def listing(self) -> str:
        """The plan with a mark at what was executed."""
        return "" if self.line is None else marked_text(self.seated.followed.program, self.line)

    def words(self) -> str:
        """Description of the step, in a line."""
        if self.before is None:
            return "the game begins"
        return AFTER if self.executed is None else f"{head_text(self.executed.step)}{_outcome(self.executed)}"

    def table(self) -> None:
        """None: a plan chooses between no candidates."""

    def record(self) -> dict[str, object]:
        """The step for programs to read."""
        executed = self.executed
        return {
            "step": None if executed is None else head_text(executed.step),
            "place": None if executed is None else list(executed.place),
            "outcome": None if executed is None else executed.outcome,
            "scores": list(self.after.returns()) if self.after.is_terminal else None,
        }


def steps(game: Game, seated: Seated, deals: Any, rules: Any) -> Iterator[Step]:
    """The beginning, and every step of the plan that is followed, until the end of the game."""
    state = game.begin(seated.players, deals, rules)
    yield PlanStep(0, seated, None, state)
    moments = follow(seated.followed.program, game, seated.view, state, deals)
    for number, each in enumerate(moments, start=1):
        yield PlanStep(number, seated, each.before, each.after, decision=each)


def _outcome(executed: Executed) -> str:
    match executed.step:
        case Decide() | Chance() | While():
            return ": yes" if executed.outcome else ": no"
        case _:
            return ": a tick passes" if executed.asks == "tick" else ""

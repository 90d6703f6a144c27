"""Runs plans step by step, inside and outside games."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.core.primitives import HostInstruction, PrimitiveSet, Sensor
from gpkit.gamekit.game import Deals, Game, Plans
from gpkit.gamekit.state import ObservableState
from gpkit.gamekit.view import View
from gpkit.genomes.plan import (
    Chance,
    Decide,
    Do,
    PlanProgram,
    While,
    compared,
    downward,
    downward_places,
    steps,
)
from gpkit.genomes.tree import sensors_of
from gpkit.langkit.language import Acting
from gpkit.languages.execution.interpreter import Executed, Lines, Place, execute, interpret, listed
from gpkit.languages.execution.simplify import Visit
from gpkit.languages.execution.text import STEPS, marked_text
from gpkit.playing.trace import Seated, Step
from gpkit.vm.keyed import CHANCES, KeyedDraws

AFTER = "the plan has ended: a tick passes"


@dataclass(frozen=True, slots=True)
class Moment:
    """One executed step of a plan in a game; after the end of the plan, ``executed`` is None and a tick passes."""

    before: Any
    executed: Executed | None
    after: Any


def follow(
    program: PlanProgram, game: Game, view: View, state: ObservableState, deals: Any
) -> Iterator[Moment]:
    """Yield the steps of a plan from a state to the game's end; a plan that goes up begins at the game's start leaf.

    Args:
        program: a plan that uses only names of the game.
        game: a game for plans.
        view: the view of that game.
        state: the first state.
        deals: the deals; only the first one is played.
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


def features(view: View, state: ObservableState) -> Mapping[str, float]:
    """The sensor values in a state that does not end the game."""
    return view.sensors(state, state.legal_actions()[0])


def visits(program: PlanProgram, game: Game, deals: Deals, rules: object) -> frozenset[Visit]:
    """The steps that a plan executes in some games: the place and the outcome of each step."""
    view = game.view
    found: set[Visit] = set()
    for number in range(len(deals)):
        deal = deals[number : number + 1]
        for moment in follow(program, game, view, game.begin([], deal, rules), deal):
            if moment.executed is not None:
                found.add((moment.executed.place, moment.executed.outcome))
    return frozenset(found)


def planned_game(game: Game) -> Plans:
    """A game's functions for plans.

    Raises:
        UsageError: the game has no functions for plans.
    """
    if game.plans is not None:
        return game.plans
    raise UsageError(f"plans cannot play {game.name}")


@dataclass(frozen=True)
class PlanStep(Step):
    """One step of a plan; its ``decision`` is a ``Moment``."""

    @property
    def executed(self) -> Executed | None:
        """The executed step of the plan; None at the beginning and after the plan's end."""
        return None if self.decision is None else self.decision.executed

    @property
    def is_mine(self) -> bool:
        """Whether the plan acts in this step; it acts in every step except the first."""
        return self.before is not None

    @property
    def text(self) -> str:
        """The action that the plan requests; empty if the plan requests none."""
        executed = self.executed
        return executed.step.action if executed and isinstance(executed.step, Do) else ""

    @cached_property
    def sensors(self) -> Mapping[str, float]:
        """The sensor values before the step."""
        return {} if self.before is None else features(self.seated.view, self.before)

    @property
    def line(self) -> Place | None:
        """The place of the executed step in the plan."""
        return None if self.executed is None else self.executed.place

    @property
    def listing(self) -> str:
        """The text of the plan, with a mark at the executed step."""
        return "" if self.line is None else marked_text(self.seated.followed.program, self.line)

    def words(self) -> str:
        """A description of the step on one line."""
        if self.before is None:
            return "the game begins"
        return (
            AFTER if self.executed is None else f"{STEPS.head(self.executed.step)}{_outcome(self.executed)}"
        )

    def table(self) -> None:
        """None, because a plan has no candidates to choose from."""

    def record(self) -> dict[str, object]:
        """The step as data for other programs."""
        executed = self.executed
        return {
            "step": None if executed is None else STEPS.head(executed.step),
            "place": None if executed is None else list(executed.place),
            "outcome": None if executed is None else executed.outcome,
            "scores": list(self.after.returns()) if self.after.is_terminal else None,
        }


def followed_steps(game: Game, seated: Seated, deals: object, rules: object) -> Iterator[Step]:
    """Yield the beginning, and then every step of the followed plan until the end of the game."""
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


_LAST: tuple[PlanProgram | None, dict[str, Lines]] = None, {}
"""The last program that acted, and its listed plans, kept because most programs act many times in a row."""


def primitives(program: PlanProgram) -> PrimitiveSet:
    """The primitives that a plan uses."""
    found = [step for plan in program.plans for step in steps(plan)]
    tested = (each.feature for step in found for each in compared(step))
    sensors = dict.fromkeys(name for feature in tested for name in sensors_of(feature))
    words = dict.fromkeys(step.asks for step in found if step.asks)
    return PrimitiveSet(
        "",
        (),
        tuple(Sensor(name, "a sensor", -inf, inf, integer=False) for name in sensors),
        (),
        tuple(HostInstruction(word, "an action", acts=True) for word in words),
    )


def actions(program: PlanProgram, sense: Callable[[str], float], draw: Callable[[], float]) -> Iterator[str]:
    """Yield the actions of a plan, or "" to wait; the caller carries out each action before it requests the next."""
    global _LAST
    last, lines = _LAST
    if last is not program:
        lines = listed(downward(program))
        _LAST = program, lines
    for executed in execute(lines, sense, draw):
        if executed.asks:
            yield executed.step.asks


ACTING = Acting(actions, primitives)

"""Games that are followed action by action: the choices between candidates, and what is the same in their traces."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from gpkit.gamekit.state import NOBODY, ObservableState, best_place, played
from gpkit.gamekit.view import Overlay
from gpkit.playing.conditions import Value
from gpkit.playing.trace import Evaluation, Seated, Step, StepTable, Worth, meaning_of

RandomNumbers = Callable[[], float]
"""The values of ``math.random()``, one at each call."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice between candidates.

    Attributes:
        actions: the candidates; of those that a program cannot tell apart, the first.
        evaluations: what the program made of each.
        chosen: the index of the one that it took.
        counts: how many actions each candidate stands for; empty where that is one.
    """

    actions: tuple[int, ...]
    evaluations: tuple[Evaluation, ...]
    chosen: int
    counts: tuple[int, ...] = ()

    @property
    def action(self) -> int:
        """The action that was taken."""
        return self.actions[self.chosen]

    @property
    def section(self) -> str:
        """The name of the part that was asked."""
        return self.evaluations[self.chosen].section

    @property
    def margin(self) -> float | None:
        """Margin of the chosen candidate's value above the best of the others; None where it is not above any."""
        others = [e.value for k, e in enumerate(self.evaluations) if k != self.chosen and e.value == e.value]
        return self.evaluations[self.chosen].value - max(others) if others else None

    @property
    def values(self) -> dict[int, float]:
        """The value of each candidate."""
        return dict(zip(self.actions, (each.value for each in self.evaluations), strict=True))

    def telling(self) -> tuple[str, int] | None:
        """The sensor to which the chosen candidate owes most of its lead, and the best other candidate's action.

        The lead is what its value falls by if the sensor alone had the other's reading; None where nothing falls.
        """
        mine = self.evaluations[self.chosen]
        others = [
            k for k, each in enumerate(self.evaluations) if k != self.chosen and each.value == each.value
        ]
        if not others:
            return None
        other = max(others, key=lambda k: self.evaluations[k].value)
        falls: dict[str, float] = {}
        for name in sensors_read(mine):
            sensors = {**mine.sensors, name: self.evaluations[other].sensors[name]}
            falls[name] = mine.value - evaluation(mine.section, mine.tree, sensors, mine.random).value
        name = max(falls, key=falls.__getitem__, default="")
        return (name, self.actions[other]) if name and falls[name] > 0 else None

    def worth(self, state: ObservableState) -> Worth:
        """The values in the state in which the choice was made."""
        return Worth(state, self.values, self.action)

    def record(self, noun: str, text: Callable[[int], str]) -> dict[str, object]:
        """The decision for programs to read, its actions under ``noun`` as texts."""
        candidates = [
            {
                noun: text(action),
                **({"alike": self.counts[k]} if self.counts else {}),
                "value": evaluation.value,
                "sensors": evaluation.sensors,
            }
            for k, (action, evaluation) in enumerate(zip(self.actions, self.evaluations, strict=True))
        ]
        return {"section": self.section, "chosen": text(self.action), "candidates": candidates}

    def table(self, noun: str, text: Callable[[int], str]) -> StepTable:
        """The candidates under ``noun`` as texts with their values, and the sensors that the program reads."""
        read = sensors_read(self.evaluations[0])
        rows: list[tuple[str | float, ...]] = [
            (
                text(action),
                *((float(self.counts[k]),) if self.counts else ()),
                evaluation.value,
                *(evaluation.sensors[name] for name in read),
            )
            for k, (action, evaluation) in enumerate(zip(self.actions, self.evaluations, strict=True))
        ]
        alike = ("alike",) if self.counts else ()
        columns = (noun, *alike, "value", *(name.removeprefix("env.") for name in read))
        return StepTable(columns, tuple(rows), self.chosen)


def decide(
    state: ObservableState,
    program: Any,
    sensors: Callable[[int], Mapping[str, float]],
    random: Callable[[int], RandomNumbers],
) -> Decision:
    """Decision of a program: its value of every legal action; the first of the highest is taken, and NaN is the lowest.

    Args:
        state: a state that is not the end.
        program: of a language whose programs value candidates; its section of the name of ``state.decision`` is asked.
        sensors: what the program reads of an action.
        random: a new source of random numbers for an action.
    """
    actions = tuple(state.legal_actions())
    tree = program.tree(state.decision)
    evaluations = tuple(
        evaluation(state.decision, tree, sensors(action), partial(random, action)) for action in actions
    )
    return Decision(actions, evaluations, best_place([each.value for each in evaluations]))


def no_numbers(action: int) -> RandomNumbers:
    """The source of random numbers for programs that draw none.

    Raises:
        AssertionError: a random number is asked for.
    """

    def draw() -> float:
        raise AssertionError("programs that draw are refused")

    return draw


def evaluation(
    section: str, tree: Any, sensors: Mapping[str, float], random: Callable[[], RandomNumbers]
) -> Evaluation:
    """A part of a program evaluated for one candidate."""
    value = meaning_of(tree.language).evaluate(tree, sensors, random())
    return Evaluation(section, tree, sensors, random, value)


def sensors_read(evaluation: Evaluation) -> tuple[str, ...]:
    """The sensors that the part reads, in the order in which the game lists them."""
    read = frozenset(evaluation.tree.reads)
    return tuple(name for name in evaluation.sensors if name in read)


# Steps.


@dataclass(frozen=True, slots=True)
class ActionView(ABC):
    """A step in which an action was chosen; a game's own says what happened.

    Attributes:
        seated: who sits where.
        before: the state in which it was chosen; None for the beginning of the game.
        after: the state after it.
        action: the action.
        decision: of whoever chose, where it is known.
    """

    seated: Seated
    before: Any
    after: Any
    action: int = NOBODY
    decision: Any = None

    noun = "action"
    """Noun for an action in tables."""

    @property
    def looks(self) -> int | None:
        """The seat whose view is shown; None shows everything."""
        return None

    @property
    def is_mine(self) -> bool:
        """Whether the traced program chose."""
        return self.before is not None and self.before.current_player == self.seated.seat

    @property
    def name(self) -> str:
        """The name of whoever chose; empty at the beginning."""
        return "" if self.before is None else self.seated.names[self.before.current_player]

    @property
    def text(self) -> str:
        """The action as people write it; empty where there is none."""
        return "" if self.action == NOBODY else self.seated.view.action_text(self.before, self.action)

    def words(self) -> str:
        """Description of the step, in a line."""
        return "the game begins" if self.before is None else f"{self.name}: {self.text}"

    def values(self) -> dict[str, Value]:
        """Values that conditions read of the step, but for its number."""
        values: dict[str, Value] = {"over": float(self.after.is_terminal)}
        if self.after.is_terminal:
            values["score"] = self.after.returns()[self.seated.seat]
        if self.before is not None:
            values |= {"player": self.name, "mine": float(self.is_mine)}
        if isinstance(self.decision, Decision):
            values |= {
                "value": self.decision.evaluations[self.decision.chosen].value,
                "margin": self.decision.margin,
            }
        return values

    @abstractmethod
    def record(self) -> dict[str, object]:
        """The step for programs to read: plain values, lists and dictionaries."""

    def table(self) -> StepTable | None:
        """Table of the traced program's choices, if it was asked."""
        if self.decision is None:
            return None
        table: StepTable = self.decision.table(self.noun, partial(self.seated.view.action_text, self.before))
        return table

    def worth(self) -> Worth | None:
        """Values of the actions in the state before, if the traced program valued them."""
        return self.decision.worth(self.before) if isinstance(self.decision, Decision) else None

    def choice(self) -> int | None:
        """Action that the traced program chose in this step, if it chose one."""
        return self.action if self.is_mine and self.action != NOBODY else None

    @property
    def state(self) -> Any:
        """The state after the step."""
        return self.after

    def board(self) -> str:
        """The board after the step."""
        return self.seated.view.board_text(self.after, self.looks, self.seated.names)

    def picture(self, *, is_narrow: bool = False) -> str:
        """The board after the step as an SVG document."""
        overlay = Overlay(is_narrow=True) if is_narrow else None
        return self.seated.view.board_svg(self.after, self.looks, self.seated.names, overlay)

    def listing(self) -> str:
        """For programs of rules their text with marks at those that acted; else empty."""
        return ""

    def step(self, number: int) -> Step:
        """The step."""
        values = {"step": float(number), **self.values()}
        if isinstance(self.decision, Decision):
            return Step(number, values, self, self.decision.evaluations, self.decision.chosen)
        return Step(number, values, self, listing=self.listing())


def steps_of(
    seated: Seated,
    state: ObservableState,
    view: Callable[..., ActionView],
    choose: Callable[[Any], tuple[int, Any]],
) -> Iterator[Step]:
    """The beginning of a game, and then every action until its end.

    Args:
        seated: who sits where.
        state: the game before its first action.
        view: of a step.
        choose: the action of who is to choose in a state, and the decision that is shown.
    """
    yield view(seated, None, state).step(0)
    decision: Any = None

    def chosen(state: ObservableState) -> int:
        nonlocal decision
        action, decision = choose(state)
        return action

    yield from (
        view(seated, before, after, action, decision).step(number)
        for number, (before, action, after) in enumerate(played(state, chosen), start=1)
    )

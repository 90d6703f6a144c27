"""Games that are followed action by action: what is the same in their traces."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from gpkit.gamekit.state import NOBODY, played
from gpkit.playing.conditions import Value
from gpkit.playing.decisions import Decision
from gpkit.playing.trace import Seated, Step, Table, Worth


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

    def values(self) -> Mapping[str, Value]:
        """Values that conditions read of the step, but for its number."""
        values: dict[str, Value] = {"over": float(self.after.is_terminal)}
        if self.after.is_terminal:
            values["score"] = self.after.returns()[self.seated.seat]
        if self.before is not None:
            values |= {"player": self.name, "mine": float(self.is_mine)}
        return values

    @abstractmethod
    def record(self) -> dict[str, object]:
        """The step for programs to read: plain values, lists and dictionaries."""

    def table(self) -> Table | None:
        """Table of the traced program's choices, if it was asked."""
        if self.decision is None:
            return None
        table: Table = self.decision.table(self.noun, partial(self.seated.view.action_text, self.before))
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
        """The board after the step, all open."""
        return self.seated.view.board_text(self.after, names=self.seated.names)

    def picture(self) -> str:
        """The board after the step as an SVG document, all open."""
        return self.seated.view.board_svg(self.after, names=self.seated.names)

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
    seated: Seated, state: Any, view: Callable[..., ActionView], choose: Callable[[Any], tuple[int, Any]]
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

    def chosen(state: Any) -> int:
        nonlocal decision
        action, decision = choose(state)
        return action

    for number, (before, action, after) in enumerate(played(state, chosen), start=1):
        yield view(seated, before, after, action, decision).step(number)

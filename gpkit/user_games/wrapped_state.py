"""Moments: states of a game of one's own as everything above sees them, with the rules and chance resolved."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from gpkit.gamekit.game import Metric
from gpkit.gamekit.state import CHANCE, NOBODY, after_chance, check_legal, legal_of
from gpkit.user_games.kernel.games import EVENTS
from gpkit.user_games.rules import Rules
from gpkit.vm.keyed import keyed_uniform_readable


@dataclass(frozen=True, slots=True)
class Payoffs:
    """Everything about a game that its states do not say: how many play, and for what."""

    seats: int
    metric: Metric

    def check(self, scores: Sequence[float]) -> tuple[float, ...]:
        """The scores of a game.

        Raises:
            ValueError: one of them is beyond the bounds of the metric.
        """
        metric = self.metric
        for score in scores:
            if not metric.low <= score <= metric.high:
                raise ValueError(f"{metric.name} is {score}, but must be {metric.low:g} to {metric.high:g}")
        return tuple(map(float, scores))

    @property
    def called_off(self) -> tuple[float, ...]:
        """The scores of a game that is called off for its length."""
        return ((self.metric.low + self.metric.high) / 2.0,) * self.seats


@dataclass(frozen=True, slots=True)
class WrappedState:
    """A moment in the game of a deal (``gpkit.gamekit.state.State``): after each action, chance has acted.

    Attributes:
        rules: the rules.
        position: the state of the game's own.
        key: of the deal.
        table: who plays for what.
        actions: how many were chosen before.
        events: how often chance acted.
    """

    rules: Rules
    position: Any
    key: int
    table: Payoffs
    actions: int = 0
    events: int = 0

    @property
    def current_player(self) -> int:
        """Player who is to choose, from 0; ``NOBODY`` at the end."""
        return NOBODY if self.is_terminal else int(self.position.current_player)

    @property
    def decision(self) -> str:
        """Decision to make: the section of the program that decides."""
        return str(self.position.decision)

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over, or called off for its length."""
        return bool(self.position.is_terminal) or self.is_called_off

    @property
    def is_called_off(self) -> bool:
        """Whether the next action would be one too many."""
        too_long = self.actions >= self.rules.longest
        return too_long and not self.position.is_terminal and self.position.current_player != CHANCE

    def legal_actions(self) -> Sequence[int]:
        """Legal actions of a player, ascending; none at the end and where chance is to act.

        Raises:
            ValueError: there is none before the end.
        """
        if self.is_terminal or self.position.current_player == CHANCE:
            return ()
        actions = legal_of(self.position)
        if not len(actions):
            raise ValueError("there is no legal action before the end")
        return actions

    def apply(self, action: int) -> Self:
        """The moment after an action, and after what chance did then.

        Raises:
            ValueError: the action is not among the legal ones.
        """
        check_legal(action, self)
        after = replace(self, position=self.position.apply(action), actions=self.actions + 1)
        return after.after_chance()

    def after_chance(self) -> Self:
        """The moment when chance has acted as often as it is to act, by the numbers of the deal."""
        position, events = self.position, self.events
        if position.is_terminal or position.current_player != CHANCE:
            return self

        def number() -> float:
            nonlocal events
            events += 1
            return keyed_uniform_readable(self.key, events - 1, EVENTS)

        position = after_chance(position, number)
        return replace(self, position=position, events=events)

    def returns(self) -> tuple[float, ...]:
        """By player the score at the end.

        Raises:
            ValueError: one of them is beyond the bounds of the metric.
        """
        return self.table.called_off if self.is_called_off else self.table.check(self.position.returns())

    def observation(self, player: int) -> Hashable:
        """All and only what a player knows."""
        return seen_by(player, self.position)


def seen_by(player: int, position: Any) -> Hashable:
    """All that a player knows in a state of a game's own: its ``observation``, or all of it where it has none."""
    own = getattr(position, "observation", None)
    seen: Hashable = position if own is None else own(player)
    return seen

"""Moments: states of a game of one's own as everything above sees them, with the rules and chance resolved."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from gpkit.authoring.kernel.games import EVENTS
from gpkit.authoring.rules import Rules
from gpkit.games.state import CHANCE, NOBODY, check_legal
from gpkit.vm.keyed import keyed_uniform_readable


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment in the game of a deal (``gpkit.games.state.State``): after each action, chance has acted.

    Attributes:
        rules: the rules.
        position: the state of the game's own.
        key: of the deal.
        actions: how many were chosen before.
        events: how often chance acted.
    """

    rules: Rules
    position: Any
    key: int
    actions: int = 0
    events: int = 0

    @property
    def current_player(self) -> int:
        """Player who is to choose, from 0; ``NOBODY`` at the end."""
        return NOBODY if self.position.is_terminal else int(self.position.current_player)

    @property
    def decision(self) -> str:
        """Decision to make: the section of a program that is asked."""
        return str(self.position.decision)

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return bool(self.position.is_terminal)

    def legal_actions(self) -> Sequence[int]:
        """Legal actions, ascending; none at the end."""
        actions: Sequence[int] = () if self.is_terminal else self.position.legal_actions()
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
        while not position.is_terminal and position.current_player == CHANCE:
            position = position.apply(outcome(position, keyed_uniform_readable(self.key, events, EVENTS)))
            events += 1
        return self if events == self.events else replace(self, position=position, events=events)

    def returns(self) -> tuple[float, ...]:
        """By player the score at the end."""
        return tuple(map(float, self.position.returns()))

    def observation(self, player: int) -> Hashable:
        """All and only what a player knows."""
        own = getattr(self.position, "observation", None)
        seen: Hashable = self.position if own is None else own(player)
        return seen


def outcome(position: Any, number: float) -> int:
    """The outcome that chance takes, by a uniform number of [0, 1)."""
    outcomes = position.chance_outcomes()
    below = 0.0
    for action, probability in outcomes:
        below += probability
        if number < below:
            return int(action)
    return int(outcomes[-1][0])

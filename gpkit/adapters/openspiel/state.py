"""Immutable states around those of OpenSpiel, which can change."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import pyspiel

from gpkit.gamekit.state import CHANCE, NOBODY

DECISION = "act"
"""The one decision that every game asks for."""


@cache
def loaded(game: str) -> Any:
    """The game of OpenSpiel of a name that it has given itself."""
    return pyspiel.load_game(game)


def is_open(game: Any) -> bool:
    """Whether all players know all."""
    return bool(game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION)


@dataclass(frozen=True)
class State:
    """A state of a game, with the methods that a state of one's own has (``gpkit.user_games.declare``).

    Attributes:
        game: of OpenSpiel, by its name with all parameters.
        history: the actions so far, those of chance among them.
    """

    game: str
    history: tuple[int, ...] = ()

    decision = DECISION

    def __reduce__(self) -> tuple[Any, ...]:
        """The state without what it has kept."""
        return State, (self.game, self.history)

    @cached_property
    def inner(self) -> Any:
        """The state of OpenSpiel, which nobody changes."""
        inner = loaded(self.game).new_initial_state()
        for action in self.history:
            inner.apply_action(action)
        return inner

    @cached_property
    def _after(self) -> dict[int, "State"]:
        """States after actions, which several sensors ask for."""
        return {}

    @property
    def action_count(self) -> int:
        """Number of actions of the game."""
        return int(loaded(self.game).num_distinct_actions())

    @property
    def current_player(self) -> int:
        """Player who is to act, ``CHANCE`` or ``NOBODY``."""
        player: int = self.inner.current_player()
        if player >= 0:
            return player
        return CHANCE if player == pyspiel.PlayerId.CHANCE else NOBODY

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return bool(self.inner.is_terminal())

    def legal_actions(self) -> Sequence[int]:
        """Legal actions, ascending; those of chance where it is to act."""
        actions: Sequence[int] = self.inner.legal_actions()
        return actions

    def chance_outcomes(self) -> Sequence[tuple[int, float]]:
        """Every action of chance with its probability."""
        outcomes: Sequence[tuple[int, float]] = self.inner.chance_outcomes()
        return outcomes

    def apply(self, action: int) -> "State":
        """The state after an action.

        Raises:
            ValueError: the action is not legal.
        """
        after = self._after.get(action)
        if after is None:
            legal = self.legal_actions()
            if action not in legal:
                raise ValueError(f"{action} is not a legal action; legal: {legal[:20]}")
            after = self._after[action] = State(self.game, (*self.history, int(action)))
            after.__dict__["inner"] = self.inner.child(action)
        return after

    def returns(self) -> tuple[float, ...]:
        """By player the return so far."""
        return tuple(self.inner.returns())

    def observation(self, player: int) -> Hashable:
        """The state itself where all is open; else the text that OpenSpiel says distinguishes what a player knows."""
        game = loaded(self.game)
        if is_open(game):
            return self
        if game.get_type().provides_information_state_string:
            return player, self.inner.information_state_string(player)
        return player, self.inner.observation_string(player)

    def action_text(self, action: int) -> str:
        """The text of OpenSpiel."""
        text: str = self.inner.action_to_string(self.inner.current_player(), action).strip()
        return text or str(action)

    def board_text(self, player: int | None) -> str:
        """The text of OpenSpiel: of all, or of what a player knows."""
        seen = self if player is None else self.observation(player)
        return str(seen.inner) if isinstance(seen, State) else str(seen[1])  # type: ignore[index]

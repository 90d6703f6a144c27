"""Encoding of what a player of a game of one's own knows: the sensors of the legal actions."""

from dataclasses import dataclass

from gpkit.core.errors import GuestError, UsageError
from gpkit.core.primitives import Sensor
from gpkit.gamekit.encoding import Table, rows_of
from gpkit.gamekit.game import Game
from gpkit.user_games.rules import Rules
from gpkit.user_games.wrapped_state import WrappedState


@dataclass(frozen=True, slots=True)
class OwnEncoding:
    """Encoding (``gpkit.gamekit.encoding.Encoding``) of a game.

    Attributes:
        game: the game, which has ``first``; the ``action_count`` of its first state is the number of actions.
    """

    game: Game

    def columns(self) -> tuple[Sensor, ...]:
        """The sensors."""
        return tuple(each.sensor for each in self.game.sensors)

    def actions(self, rules: Rules) -> int:
        """Number of actions.

        Raises:
            UsageError: the first state does not say it.
        """
        assert self.game.first is not None, "it is played by its states"
        count = getattr(self.game.first(0, rules, ()), "action_count", None)
        if not isinstance(count, int) or count < 1:
            raise UsageError(
                f"{self.game.name} does not give its number of actions: expected a line such as action_count "
                "= 9 in its state, where actions are 0 to 8"
            )
        return count

    def encode(self, state: WrappedState, player: int) -> Table:
        """Table of what a player knows, float64 (actions, columns): all 0 while another is to choose.

        Raises:
            GuestError: a legal action is none of so many.
        """
        actions, legal = self.actions(state.rules), state.legal_actions()
        if len(legal) and not 0 <= legal[0] <= legal[-1] < actions:
            raise GuestError(
                f"{self.game.name} has legal actions from {legal[0]} to {legal[-1]}; expected 0 to {actions - 1}, "
                f"as its action_count is {actions}"
            )
        if player != state.current_player:
            return rows_of({}, actions, self.columns())
        sensor_values = {
            action: {
                each.sensor.name: float(each.sense(state.position, action)) for each in self.game.sensors
            }
            for action in legal
        }
        return rows_of(sensor_values, actions, self.columns())

"""Opponents at the table of an environment: players of gpkit, which act whenever they are to."""

from collections.abc import Mapping, Sequence
from typing import Any

from gpkit.app.game_setup import check_seat, seat_all
from gpkit.gamekit.players import Player
from gpkit.playing.conversation import Conversation, Mover
from gpkit.playing.session import new_conversation
from gpkit.user_games.wrapped_state import WrappedState


class Opponents:
    """Players in all seats but one.

    Programs may remember what they did before in a game. A copy plays the game up to its moment again, so that it
    shares nothing with the original.

    Attributes:
        seat: of the agent, who is not a player of gpkit.
    """

    def __init__(self, game: str, names: Sequence[str], rules: Mapping[str, str], seat: int) -> None:
        """Read whom a person named, as the opponents of ``gpkit play``.

        Raises:
            UsageError: there is no such player, or these do not fit the rules or the seat.
            SourceError: a program does not parse, or has an error for this game.
        """
        self.seat = seat
        self._named = game, tuple(names), dict(rules)
        self._table: Conversation | None = None
        self._begun: tuple[Any, Any] | None = None
        self._acted: list[int] = []
        self._move: Mover | None = None

    def __getstate__(self) -> dict[str, Any]:
        """All but what can be made again."""
        return {**vars(self), "_table": None, "_move": None}

    @property
    def table(self) -> Conversation:
        """Players by seat, and their rules."""
        if self._table is None:
            game, names, rules = self._named
            texts = [f"{name}={text}" for name, text in rules.items()]
            seated = seat_all(None, names, game=game, language=None, players=None, rules=texts)
            check_seat(self.seat, len(seated.players) + 1)
            self._table = new_conversation(seated.game, seated.options, seated.players, self.seat)
        return self._table

    @property
    def players(self) -> list[Player]:
        """Players by seat; that of the agent lays nothing out."""
        return [Player("") if player is None else player for player in self.table.players]

    def begin(self, first: Any, deals: Any) -> Any:
        """The first moment of a game in which the agent is to act, or its end."""
        self._begun, self._acted, self._move = (first, deals), [], None
        return self._wait(first)

    def answer(self, moment: Any, action: int) -> Any:
        """The next moment in which the agent is to act, or the end, after it has acted."""
        after = moment.apply(action)
        self._acted.append(action)
        return self._wait(after)

    def _wait(self, moment: Any) -> Any:
        """The moment after what the others do until the agent is to act."""
        if self._move is None:
            moment = self._played_again()
        assert self._move is not None, "a game has begun"
        while not moment.is_terminal and moment.current_player != self.seat:
            moment, _ = self._move(moment)
        return moment

    def _played_again(self) -> Any:
        """The moment after the last action of the agent, by a mover that has been there."""
        assert self._begun is not None, "a game has begun"
        moment, deals = self._begun
        self._move = self.table.mover(moment, deals)
        for action in self._acted:
            moment = self._wait(moment).apply(action)
        return moment


def is_called_off(moment: Any) -> bool:
    """Whether a game is over because it was called off for its length."""
    return isinstance(moment, WrappedState) and moment.is_called_off

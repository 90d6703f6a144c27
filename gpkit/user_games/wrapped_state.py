"""Moments: states of a game of one's own as everything above sees them, with the rules and chance resolved."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count
from typing import Any, Self

from gpkit.gamekit.game import Game
from gpkit.gamekit.sight import worlds
from gpkit.gamekit.state import CHANCE, NOBODY, check_legal, end_of, legal_of, outcome
from gpkit.user_games.kernel.games import EVENTS, FORMULAS, PLACE_BITS
from gpkit.user_games.otherwise import look_alike_games
from gpkit.user_games.rules import Rules
from gpkit.vm.keyed import HALF, keyed_uniform_readable


@dataclass(frozen=True, slots=True)
class WrappedState:
    """A moment in the game of one deal (``gpkit.gamekit.state.State``), after chance has acted.

    Attributes:
        rules: the rules.
        position: the state of the game itself.
        key: the key of the deal.
        game: the game.
        actions: the number of actions so far.
        events: the number of chance events so far.
        first: the first state of the game itself; None if it is not known.
        past: the actions from the first state to this one, including outcomes of chance.
    """

    rules: Rules
    position: Any
    key: int
    game: Game
    actions: int = 0
    events: int = 0
    first: Any = field(default=None, compare=False)
    past: tuple[int, ...] = field(default=(), compare=False)

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
        """The legal actions of a player, in ascending order; none at the end or if chance acts next.

        Raises:
            ValueError: there are none, although the game has not ended.
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
        after, past = self.position.apply(action), (*self.past, action)
        return replace(self, position=after, actions=self.actions + 1, past=past).after_chance()

    def after_chance(self) -> Self:
        """The moment when chance has acted as often as it is to act, by the numbers of the deal."""
        if self.position.is_terminal or self.position.current_player != CHANCE:
            return self
        drawn: list[int] = []

        def draw(position: Any) -> int | None:
            if position.current_player != CHANCE:
                return None
            number = keyed_uniform_readable(self.key, self.events + len(drawn), EVENTS)
            drawn.append(outcome(position, number))
            return drawn[-1]

        position = end_of(self.position, draw)
        return replace(self, position=position, events=self.events + len(drawn), past=(*self.past, *drawn))

    def returns(self) -> tuple[float, ...]:
        """By player the score at the end.

        Raises:
            ValueError: one of them is beyond the bounds of the metric.
        """
        metric = self.game.metric(self.rules)
        return self.called_off if self.is_called_off else metric.checked(self.position.returns())

    @property
    def called_off(self) -> tuple[float, ...]:
        """The scores of a game that is called off for its length."""
        return (self.game.metric(self.rules).middle,) * self.game.players(self.rules)

    def observation(self, player: int) -> Hashable:
        """All and only what a player knows."""
        return seen_by(player, self.position)

    def random_numbers(self, key: int, action: int) -> Callable[[], float]:
        """A source of the values of ``math.random()`` for an action: the k-th call is the k-th place in the formula."""
        places = count()
        return lambda: drawn(key, self.actions, next(places), action)

    def worlds(self, player: int) -> Iterator[Self]:
        """Some moments that look the same to a player: dealt again, or from the game with one event changed."""
        is_known = self.first is not None and hasattr(self.position, "observation")
        others = look_alike_games(self.first, self.past, player) if is_known else ()
        return (replace(self, position=each) for each in chain(worlds(self.position, player), others))


def seen_by(player: int, position: Any) -> Hashable:
    """All that a player knows in a state of a game's own: its ``observation``, or all of it where it has none."""
    own = getattr(position, "observation", None)
    seen: Hashable = position if own is None else own(player)
    return seen


def drawn(key: int, actions: int, place: int, action: int) -> float:
    """A number of ``math.random()`` in a formula.

    Args:
        key: of the deal.
        actions: chosen before in this game.
        place: of the number in the formula, from 0.
        action: that is valued.
    """
    return keyed_uniform_readable(key, actions % HALF, (FORMULAS + (place << PLACE_BITS) + action) % HALF)

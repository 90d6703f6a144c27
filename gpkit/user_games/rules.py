"""The rules of a user's game, and its states in the form that the rest of gpkit uses, after all pending chance events.

States that a player cannot distinguish are found by replaying games with one event changed.
"""

import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import accumulate, chain, count
from typing import Any, Self

from gpkit.core.rng import stream
from gpkit.gamekit.game import Game
from gpkit.gamekit.options import Option, Value, bad_value, text_of, values_of
from gpkit.gamekit.state import CHANCE, NOBODY, ObservableState, check_legal, end_of, legal_of, outcome
from gpkit.gamekit.view import worlds
from gpkit.user_games.kernel.counters import EVENTS, FORMULAS, OPENINGS, PLACE_BITS
from gpkit.vm.keyed import HALF, keyed_uniform_readable

OPENING, LONGEST = "opening", "longest"

MOST_OPENING = 100

DEFAULT_OPTIONS = (
    Option(
        OPENING,
        "random actions before the players choose",
        form=f"a whole number from 0 to {MOST_OPENING}, or a range such as 0-2, from which each deal draws one",
        default=0,
    ),
    Option(LONGEST, "actions after which a game is stopped", low=1, high=1_000_000, default=10_000),
)
"""The options that every game has, unless the game declares them itself.

Without an opening, two players that draw no random numbers always play the same game. In a stopped game, every player
gets the midpoint of the metric's range.
"""


@dataclass(frozen=True, slots=True)
class Rules:
    """The values of all options by name, in order of declaration."""

    values: tuple[tuple[str, Value], ...]

    @classmethod
    def from_options(cls, texts: Mapping[str, str], declared: Sequence[Option], game: str) -> "Rules":
        """The default rules with the options in ``texts``, which are given as strings.

        Raises:
            UsageError: an option or value is unknown; the message suggests the nearest match.
        """
        defaults = {each.name: each.default for each in declared if each.default is not None}
        values: dict[str, Value] = defaults | values_of(texts, declared, game)
        opening = values[OPENING]
        if isinstance(opening, str):
            low, high = _ends(opening)
            if not low <= high <= MOST_OPENING:
                (option,) = (each for each in declared if each.name == OPENING)
                raise bad_value(option, opening)
            values[OPENING] = low if low == high else f"{low}-{high}"
        return cls(tuple(values.items()))

    def to_options(self) -> dict[str, str]:
        """Every option as text."""
        return {name: text_of(value) for name, value in self.values}

    @property
    def openings(self) -> tuple[int, int]:
        """The minimum and the maximum number of random actions before the players choose."""
        value = dict(self.values)[OPENING]
        return _ends(value) if isinstance(value, str) else (int(value), int(value))

    def opening(self, key: int) -> int:
        """The number of random actions before the players choose, in the game with this key."""
        return _drawn(key, *self.openings)

    def openings_of(self, keys: Sequence[int]) -> list[int]:
        """The number of random actions in the game with each of these keys."""
        low, high = self.openings
        return [low] * len(keys) if low == high else [_drawn(key, low, high) for key in keys]

    @property
    def longest(self) -> int:
        """The number of actions after which a game stops."""
        return int(dict(self.values)[LONGEST])

    def arguments(self) -> dict[str, Value]:
        """All options except ``opening`` and ``longest``, as arguments for the game's ``begin``."""
        return {name: value for name, value in self.values if name not in (OPENING, LONGEST)}


@lru_cache(maxsize=1 << 16)
def _drawn(key: int, low: int, high: int) -> int:
    """A random number from ``low`` to ``high`` for a key; it is cached, because compared programs use the same keys."""
    return low + int(keyed_uniform_readable(key, HALF - 1, OPENINGS) * (high - low + 1))


def _ends(text: str) -> tuple[int, int]:
    """The smaller and the larger number in text such as 2 or 0-2; any other text gives (1, 0), which is invalid."""
    found = re.fullmatch(r"([0-9]{1,3})(?:-([0-9]{1,3}))?", text)
    return (int(found[1]), int(found[2] or found[1])) if found else (1, 0)


REPLAYED = 3_000  # the approximate number of actions to play when looking for states that look alike


def choices(state: Any) -> Sequence[int]:
    """The legal actions, or the chance outcomes if chance acts next."""
    if state.current_player == CHANCE:
        return [action for action, _ in state.chance_outcomes()]
    actions: Sequence[int] = state.legal_actions()
    return actions


def played_otherwise(
    states: Sequence[ObservableState], actions: Sequence[int], place: int, instead: int
) -> Iterator[tuple[Any, int, Any]]:
    """Yield the steps of a game from a replaced event on; if the new event also occurs later, the two swap places.

    Args:
        states: the states of the game, beginning with the first.
        actions: the actions that led from each state to the next, including chance outcomes.
        place: the index of the event.
        instead: the action that replaces this event.
    """
    before, action = states[place], instead
    for number in range(place + 1, len(states)):
        after = before.apply(action)
        yield before, action, after
        if after.is_terminal or number == len(actions):
            return
        legal = choices(after)
        kept = [each for each in (actions[number], actions[place], instead) if each in legal]
        if not kept:
            return
        before, action = after, kept[0]


def look_alike_games(first: ObservableState, actions: Sequence[int], player: int) -> Iterator[Any]:
    """Yield states that look to a player like the last state of a game, always in the same order.

    States in which another player chooses next and has the same knowledge as in the game are left out.

    Args:
        first: the first state.
        actions: the actions of the game, including chance outcomes.
        player: the player who sees the states.
    """
    states = list(accumulate(actions, lambda state, action: state.apply(action), initial=copy(first)))
    end, rng, played = states[-1], stream(len(actions), "otherwise"), 0
    actor, seen = end.current_player, end.observation(player)
    tries = [
        (place, each)
        for place, state in enumerate(states[:-1])
        for each in (choices(state) if state.current_player != player else ())
        if each != actions[place]
    ]
    for number in rng.permutation(len(tries)).tolist():
        changes = list(played_otherwise(states, actions, *tries[number]))
        other, played = changes[-1][2], played + len(changes)
        if played > REPLAYED:
            return
        if tries[number][0] + len(changes) < len(actions) or other.observation(player) != seen:
            continue
        if actor == player or other.observation(actor) != end.observation(actor):
            yield other


@dataclass(frozen=True, slots=True)
class WrappedState:
    """A state in the game of one deal (``gpkit.gamekit.state.State``), after all pending chance events.

    Attributes:
        rules: the rules.
        position: the state that the game defines.
        key: the key of the deal.
        game: the game.
        actions: the number of actions so far.
        events: the number of chance events so far.
        first: the first state that the game defines; None if it is unknown.
        past: the actions from the first state to this one, including chance outcomes.
        latest: the state that the game defines before the last action, and the number of earlier events; None at the
            beginning.
    """

    rules: Rules
    position: Any
    key: int
    game: Game
    actions: int = 0
    events: int = 0
    first: Any = field(default=None, compare=False)
    past: tuple[int, ...] = field(default=(), compare=False)
    latest: tuple[Any, int] | None = field(default=None, compare=False)

    @property
    def before(self) -> tuple[Self, int] | None:
        """The state before the last action, and the last action; None at the beginning."""
        if self.latest is None:
            return None
        position, count = self.latest
        before = replace(
            self, position=position, actions=self.actions - 1, past=self.past[:count], latest=None
        )
        return before, self.past[count]

    @property
    def current_player(self) -> int:
        """The player whose turn it is, numbered from 0; ``NOBODY`` at the end."""
        return NOBODY if self.is_terminal else int(self.position.current_player)

    @property
    def decision(self) -> str:
        """The pending decision, which is the section of the program that decides."""
        return str(self.position.decision)

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over, or has been stopped for being too long."""
        return bool(self.position.is_terminal) or self.is_called_off

    @property
    def is_called_off(self) -> bool:
        """Whether the game is stopped in this state because it has reached the maximum number of actions."""
        too_long = self.actions >= self.rules.longest
        return too_long and not self.position.is_terminal and self.position.current_player != CHANCE

    def legal_actions(self) -> Sequence[int]:
        """The legal actions of a player, in ascending order; none at the end or if chance acts next.

        Raises:
            ValueError: there are no legal actions, although the game has not ended.
        """
        if self.is_terminal or self.position.current_player == CHANCE:
            return ()
        actions = legal_of(self.position)
        if not len(actions):
            raise ValueError("there is no legal action before the end")
        return actions

    def apply(self, action: int) -> Self:
        """The state after an action and the chance events that follow it.

        Raises:
            ValueError: the action is not legal.
        """
        check_legal(action, self)
        after, past, latest = (
            self.position.apply(action),
            (*self.past, action),
            (self.position, len(self.past)),
        )
        return replace(
            self, position=after, actions=self.actions + 1, past=past, latest=latest
        ).after_chance()

    def after_chance(self) -> Self:
        """The state after all pending chance events, which the random numbers of the deal determine."""
        if self.position.is_terminal or self.position.current_player != CHANCE:
            return self
        drawn: list[int] = []

        def draw(position: ObservableState) -> int | None:
            if position.current_player != CHANCE:
                return None
            drawn.append(
                outcome(position, keyed_uniform_readable(self.key, self.events + len(drawn), EVENTS))
            )
            return drawn[-1]

        position = end_of(self.position, draw)
        return replace(self, position=position, events=self.events + len(drawn), past=(*self.past, *drawn))

    def returns(self) -> tuple[float, ...]:
        """The score of each player at the end.

        Raises:
            ValueError: a score is outside the bounds of the metric.
        """
        metric = self.game.metric(self.rules)
        return self.called_off if self.is_called_off else metric.checked(self.position.returns())

    @property
    def called_off(self) -> tuple[float, ...]:
        """The scores in a game that is stopped for being too long."""
        return (self.game.metric(self.rules).middle,) * self.game.players(self.rules)

    def observation(self, player: int) -> Hashable:
        """Everything that a player knows."""
        return seen_by(player, self.position)

    def random_numbers(self, key: int, action: int) -> Callable[[], float]:
        """A source of ``math.random()`` values for an action; its k-th call returns the value for position k."""
        places = count()
        return lambda: drawn(key, self.actions, next(places), action)

    def worlds(self, player: int) -> Iterator[Self]:
        """Some states that look the same to a player: dealt again, or from the game replayed with one event changed."""
        is_known = self.first is not None and hasattr(self.position, "observation")
        others = look_alike_games(self.first, self.past, player) if is_known else ()
        return (replace(self, position=each) for each in chain(worlds(self.position, player), others))


def seen_by(player: int, position: object) -> Hashable:
    """A player's knowledge in a state that the game defines: its ``observation``, or the whole state if it has none."""
    own = getattr(position, "observation", None)
    seen: Hashable = position if own is None else own(player)
    return seen


def drawn(key: int, actions: int, place: int, action: int) -> float:
    """A value of ``math.random()`` in a formula.

    Args:
        key: the key of the deal.
        actions: the number of earlier actions in this game.
        place: the position of the number in the formula, from 0.
        action: the action to score.
    """
    return keyed_uniform_readable(key, actions % HALF, (FORMULAS + (place << PLACE_BITS) + action) % HALF)

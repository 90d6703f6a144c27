"""The vocabulary of play, in the words of OpenSpiel: what a moment of any game can be asked."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

NOBODY = -1
"""Instead of a player: there is none, or it is not known; so it is with whose turn it is at the end."""

CHANCE = -2
"""Instead of a player: chance is to act."""


class State(Protocol):
    """A moment of a game, immutable: states that are equal hash equal, and what follows one leaves it as it was."""

    @property
    def current_player(self) -> int:
        """Player who is to choose, from 0, or ``CHANCE``; ``NOBODY`` at the end."""

    @property
    def decision(self) -> str:
        """Decision to make: the section of the program that decides; at the end it means nothing."""

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""

    def legal_actions(self) -> Sequence[int]:
        """Legal actions, ascending; none at the end, and some until then."""

    def apply(self, action: int) -> Self:
        """The state after the current player chose an action.

        Raises:
            ValueError: the action is not among the legal ones.
        """

    def returns(self) -> tuple[float, ...]:
        """By player the score at the end, within the bounds of the game's metric."""


class ObservableState(State, Protocol):
    """A moment of a game that is played: with its options, and with what each player knows of it."""

    @property
    def rules(self) -> Any:
        """The options of the game."""

    def observation(self, player: int) -> Hashable:
        """All and only what a player knows; players to whom all is open may be given the state itself."""


MOST_LEGAL = 100_000
"""Legal actions of a state, at most: each of them may be valued, tried and shown."""


def legal_of(state: State) -> Sequence[int]:
    """The legal actions of a state of anybody's game, not more than anybody can look at.

    Raises:
        ValueError: there are more.
    """
    legal = state.legal_actions()
    if len(legal) > MOST_LEGAL:
        raise ValueError(f"there are {len(legal):,} legal actions; expected at most {MOST_LEGAL:,}")
    return legal


def check_legal(action: int, state: State) -> None:
    """Check that an action can be chosen.

    Raises:
        ValueError: it cannot.
    """
    legal = state.legal_actions()
    if action not in legal:
        message = f"legal: {', '.join(map(str, legal[:20]))}{', ...' if len(legal) > 20 else ''}"
        raise ValueError(f"{action} is not a legal action; {message if len(legal) else 'the game is over'}")


Change = tuple[Any, int, Any]
"""A change of the state of a game: the state before an action, the action, and the state after it."""


def played(state: ObservableState, choose: Callable[[Any], int | None]) -> Iterator[Change]:
    """Changes of a game from a state on, to its end or until ``choose``, asked in each state, gives None.

    This is the loop in which games are played; traces, transcripts, records and samples are views of it.
    """
    while not state.is_terminal:
        action = choose(state)
        if action is None:
            return
        after = state.apply(action)
        yield state, action, after
        state = after


def end_of(state: Any, choose: Callable[[Any], int | None], most: int | None = None) -> Any:
    """Last state of a game that is played on from a state (``played``), or that after ``most`` actions."""
    left = -1 if most is None else most
    while left and not state.is_terminal:  # not by ``played``, as roll-outs would take 5 % longer
        action = choose(state)
        if action is None:
            break
        state = state.apply(action)
        left -= 1
    return state


def outcome(state: Any, number: float) -> int:
    """The action that chance takes, by a uniform number of [0, 1)."""
    outcomes = state.chance_outcomes()
    below = 0.0
    for action, probability in outcomes:
        below += probability
        if number < below:
            return int(action)
    return int(outcomes[-1][0])


def after_chance(state: ObservableState, number: Callable[[], float]) -> Any:
    """The state when chance has acted as often as it is to act, each time by the next number of [0, 1)."""
    return end_of(state, lambda each: outcome(each, number()) if each.current_player == CHANCE else None)


@dataclass(frozen=True, slots=True)
class Candidate:
    """An action as a program sees it.

    Attributes:
        action: of those that the program cannot tell apart the first.
        sensors: values by name.
        count: how many actions look like this one; 0 where nobody counts them.
    """

    action: int
    sensors: Mapping[str, float]
    count: int = 0


def best_place(values: Sequence[float]) -> int:
    """Index of the highest of some values, the first of equals; NaN is below everything, and of NaN alone it is 0."""
    best = max(values)
    if best != best:  # the first is NaN
        best = max((value for value in values if value == value), default=best)
    return values.index(best) if best == best else 0

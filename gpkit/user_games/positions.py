"""Positions: states of games without a kernel, whose members are computed only once.

All programs of a generation play the same deals, so their games often reach equal states. States are plain data, and
equal states have the same actions, sensors and successors (``gpkit doctor`` checks this).
"""

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any

from gpkit.core.arrays import Floats
from gpkit.gamekit.state import CHANCE, NOBODY, legal_of
from gpkit.user_games.kernel.counters import EVENTS
from gpkit.user_games.kernel.games import drawn_number

MOST = 1 << 15
"""The number of positions of a game at which gpkit discards everything; for answers, the number is 8 times as large."""


class PositionTable:
    """The positions of a game, by state.

    Attributes:
        known: the positions.
        answers: the choices of programs that draw no random numbers, by position and program, and the positions after
            chance events, by position, key and number of earlier events.
    """

    def __init__(self) -> None:
        self.known: dict[Any, Position] = {}
        self.answers: dict[tuple[Any, ...], Any] = {}

    def of(self, state: Any) -> "Position":
        """The position of a state; a state without a hash gets a new position each time."""
        try:
            found = self.known.get((type(state), state))
        except TypeError:
            return Position(state, self)
        if found is None:
            if len(self.known) >= MOST or len(self.answers) >= 8 * MOST:
                self.known.clear()
                self.answers.clear()
            found = self.known[type(state), state] = Position(state, self)
        return found


@lru_cache(maxsize=4)
def positions_of(game: object) -> PositionTable:
    """The positions of a game; gpkit keeps positions only for the last few games."""
    return PositionTable()


class Position:
    """A state whose members are computed once, when they are needed.

    Attributes:
        state: the state.
        kept: the table that contains the position; None if there is none.
        is_terminal, current_player: the same as in the state, but ``current_player`` is ``NOBODY`` at the end.
        sensed: the values of sensors for the legal actions, or one value of a sensor of the state, by slot.
    """

    __slots__ = (
        "_after",
        "_ends",
        "_legal",
        "_outcomes",
        "current_player",
        "is_terminal",
        "kept",
        "sensed",
        "state",
    )

    def __init__(self, state: Any, kept: PositionTable | None = None) -> None:
        self.state, self.kept, self.is_terminal = state, kept, state.is_terminal
        self.current_player = NOBODY if self.is_terminal else state.current_player
        self.sensed: dict[int, Floats | float] = {}
        self._after: dict[int, Position] = {}
        self._legal: Sequence[int] | None = None
        self._outcomes: Sequence[int] = ()
        self._ends: list[float] = []

    def legal_actions(self) -> Sequence[int]:
        """The legal actions.

        Raises:
            ValueError: there are too many legal actions.
        """
        if self._legal is None:
            self._legal = legal_of(self.state)
        return self._legal

    def apply(self, action: int) -> "Position":
        """The position after an action."""
        found = self._after.get(action)
        if found is None:
            after = self.state.apply(action)
            found = Position(after) if self.kept is None else self.kept.of(after)
            self._after[action] = found
        return found

    def outcome(self, number: float) -> int:
        """The chance outcome for a uniform number in [0, 1), as defined by ``gpkit.gamekit.state.outcome``."""
        if not self._ends:
            outcomes = self.state.chance_outcomes()
            self._outcomes = [int(action) for action, _ in outcomes]
            self._ends = [*accumulate(accumulate((each for _, each in outcomes), initial=0.0), max)][1:]
        return self._outcomes[min(bisect_right(self._ends, number), len(self._outcomes) - 1)]

    def after_chance(self, key: int, events: int) -> tuple["Position", int]:
        """The position after all pending chance events, and the number of chance events so far.

        Args:
            key: the key of the deal.
            events: the number of events before this position.
        """
        answers, question = {} if self.kept is None else self.kept.answers, (self, key, events)
        found: tuple[Position, int] | None = answers.get(question)
        if found is None:
            position = self
            while position.current_player == CHANCE:
                position = position.apply(position.outcome(drawn_number(key, events, EVENTS)))
                events += 1
            found = answers[question] = position, events
        return found

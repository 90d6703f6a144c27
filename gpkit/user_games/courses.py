"""Courses of games in which nothing is drawn at random but openings: which deals are the same game again."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.gamekit.players import Player
from gpkit.gamekit.state import CHANCE, end_of, legal_of
from gpkit.user_games.arena import Choose, chooser_of, draws
from gpkit.user_games.kernel.games import OPENINGS
from gpkit.user_games.rules import Rules
from gpkit.vm.keyed import keyed_uniform_readable

MOST = 500
"""Different openings that are told apart; where there are more, repeated games hardly matter."""

PART = 4
"""Nor do they where there are more than a deal in so many."""

Line = tuple[int, ...]
"""The actions of an opening."""


def courses_of(
    game: Any, players: Sequence[Player], keys: Sequence[int], rules: Rules
) -> NDArray[np.int64] | None:
    """By deal a number of its opening: int64 (deals,), of at least 1.

    None where a player draws random numbers, chance moves, or there are many different openings.
    """
    if not keys or any(draws(player, game) for player in players):
        return None
    most = max(1, min(MOST, len(keys) // PART))
    first = game.first(0, rules, players)
    lines: list[Line] = []
    states: dict[Line, Any] = {}
    for key, length in zip(keys, rules.openings_of(keys), strict=True):
        line: list[int] = []

        def opened(state: Any, key: int = key, line: list[int] = line) -> int | None:
            if state.current_player == CHANCE:
                return None
            legal = legal_of(state)
            line.append(legal[int(keyed_uniform_readable(key, len(line), OPENINGS) * len(legal))])
            return line[-1]

        state = end_of(first, opened, length)
        if len(line) < length and not state.is_terminal:
            return None
        lines.append(tuple(line))
        states[lines[-1]] = state
        if len(states) > most:
            return None
    choosers = [chooser_of(player, game, rules) for player in players]
    for seat in range(len(players)):
        seated = [choosers[(place - seat) % len(players)] for place in range(len(players))]
        if any(_meets_chance(states[line], seated, rules.longest - len(line)) for line in states):
            return None
    numbers = {line: _number(line) for line in states}
    return np.array([numbers[line] for line in lines], dtype=np.int64)


def _meets_chance(state: Any, choosers: Sequence[Choose], longest: int) -> bool:
    """Whether chance moves in a game of players who draw no random numbers."""
    met = False

    def chosen(state: Any) -> int | None:
        nonlocal met
        met = state.current_player == CHANCE
        return None if met else choosers[state.current_player](state, legal_of(state), 0, 0)

    end_of(state, chosen, longest)
    return met


def _number(line: Line) -> int:
    """A number of an opening, which is the same wherever it comes."""
    return 1 + int.from_bytes(blake2b(repr(line).encode(), digest_size=7).digest(), "big")

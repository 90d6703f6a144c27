"""Exploitability in milliseconds: all states of a small game of two players as arrays, made once for many programs.

``gpkit.user_games.exact.best_response`` is the meaning; this is the same for evolution, which asks it of thousands of
programs. States are kept by their depth, so that a best response is found level by level, from the last one up.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Floats
from gpkit.gamekit.players import Player, machine_programs
from gpkit.gamekit.state import CHANCE, ObservableState, legal_of
from gpkit.user_games.arena import JUMPS, first_of
from gpkit.user_games.exact import best_response, check_size, exploited, most_states, policies_of
from gpkit.user_games.rules import Rules
from gpkit.user_games.wrapped_state import seen_by
from gpkit.vm.machine import evaluate_rows
from gpkit.vm.program import slots_read

Whole = NDArray[np.int64]

Edge = tuple[int, int, float, int]
"""The place of a state in its level, that of one which follows, the chance that leads there, and a row or -1."""


_Way = tuple[Whole, Floats, Floats]
"""Edges of a level that are used, the chance of each, and the one that others lead to the state before it."""


@dataclass(frozen=True, slots=True)
class Level:
    """The states after one number of actions and outcomes of chance, and the edges to those of the next level.

    Attributes:
        returns: float64 (2, states): the scores where the game is over, else 0.
        starts: int64 (states + 1,): the first edge of each state, and the number of edges.
        parents: int64 (edges,): states of this level, by their place, ascending.
        children: int64 (edges,): states of the next one.
        chances: float64 (edges,): of the outcome of chance; 1 for the action of a player.
        rows: int64 (edges,): the row of the action; -1 for chance.
        seats: int64 (edges,): whose action it is; -1 for chance.
    """

    returns: Floats
    starts: Whole
    parents: Whole
    children: Whole
    chances: Floats
    rows: Whole
    seats: Whole

    def edges_of(self, states: Whole) -> Whole:
        """The edges of some states: int64 (edges,).

        Args:
            states: int64 (states,), by their place in this level.
        """
        firsts, ends = self.starts[states], self.starts[states + 1]
        counts = ends - firsts
        shifts = firsts - np.cumsum(counts) + counts
        edges: Whole = np.repeat(shifts, counts) + np.arange(counts.sum())
        return edges


@dataclass(frozen=True, slots=True)
class Unrolled:
    """A game of two players with all its states.

    A *row* is one action that a player can choose at one observation. States that the player cannot tell apart share
    their rows, and one of them stands for all.

    Attributes:
        levels: the levels by depth.
        firsts: int64 (groups,): the first row of each group of states that a player cannot tell apart.
        seats: int64 (rows,): the seat that acts.
        asked: for each group, one of its states and the legal actions.
        direction: 1 if more is better, otherwise −1.
        sensed: the sensor values computed so far, by slot: float64 (rows,).
    """

    levels: Sequence[Level]
    firsts: Whole
    seats: Whole
    asked: Sequence[tuple[Any, Sequence[int]]]
    direction: float = 1.0
    sensed: dict[int, Floats] = field(default_factory=dict)

    def best_response(self, policy: Floats, seat: int) -> float:
        """The best score that a player in a seat can expect against a policy in the other seat.

        Args:
            policy: float64 (rows,): the probability of each action.
            seat: 0 or 1.
        """
        ways, reached = list[_Way](), _summed(_whole([0]), np.ones(1), 1)
        for level, following in zip(self.levels[:-1], self.levels[1:], strict=True):
            edges = level.edges_of(np.flatnonzero(reached))
            asked = level.seats[edges] == 1 - seat
            weights = np.where(asked, policy[level.rows[edges]], level.chances[edges])
            used = np.flatnonzero(weights)
            edges, weights = edges[used], weights[used]
            before = reached[level.parents[edges]]
            ways.append((edges, weights, before))
            reached = _summed(level.children[edges], before * weights, following.returns.shape[1])
        values = self.levels[-1].returns[seat]
        for level, (edges, weights, before) in reversed(list(zip(self.levels[:-1], ways, strict=True))):
            found = values[level.children[edges]]
            own = np.flatnonzero(level.seats[edges] == seat)
            if len(own):
                rows = level.rows[edges[own]]
                low, high = int(rows.min()), int(rows.max())
                sums = _summed(rows - low, before[own] * found[own], high + 1 - low)
                weights[own] = self.responses(self.direction * sums, low)[rows - low]
            values = level.returns[seat] + _summed(
                level.parents[edges], weights * found, level.returns.shape[1]
            )
        return float(values[0])

    def responses(self, sums: Floats, low: int) -> NDArray[np.bool_]:
        """Whether an action of some groups is the best of its group: bool (rows,).

        Args:
            sums: float64 (rows,): what the actions bring, of rows that follow one another.
            low: the first of these rows, which is that of a group.
        """
        start, end = np.searchsorted(self.firsts, (low, low + len(sums)))
        return first_best(sums, self.firsts[start:end] - low)

    def policy(self, player: Player, game: Any, rules: Rules) -> Floats:
        """The probability with which a player chooses each action: float64 (rows,).

        Raises:
            UsageError: it draws random numbers in formulas, or openings are drawn.
        """
        (choices,) = policies_of(game, [player], rules)
        programs = machine_programs([player])
        straight = all(not np.isin(each.code[:, 0], JUMPS).any() for each in programs)
        if len(programs) == 1 and straight:
            program = programs[0]
            memory = np.repeat(program.memory[:, None], len(self.seats), axis=1)
            for slot in slots_read(program):
                if slot < len(game.sensors):
                    memory[slot] = self._values(slot, game)
            evaluate_rows(program.code, memory)
            return first_best(memory[program.result], self.firsts).astype(np.float64)
        found = np.zeros(len(self.seats))
        for first, (state, legal) in zip(self.firsts.tolist(), self.asked, strict=True):
            for action, chance in choices(state):
                found[first + legal.index(action)] = chance
        return found

    def _values(self, slot: int, game: Any) -> Floats:
        """The values of a sensor in all rows: float64 (rows,)."""
        if slot not in self.sensed:
            each = game.sensors[slot]
            if each.sensor.shared:
                found = [
                    value for state, legal in self.asked for value in [each.function(state)] * len(legal)
                ]
            else:
                found = [each.function(state, action) for state, legal in self.asked for action in legal]
            each.check(found)
            self.sensed[slot] = np.array(found, dtype=np.float64)
        return self.sensed[slot]


def first_best(values: Floats, firsts: Whole) -> NDArray[np.bool_]:
    """Whether a row is the first of the highest value in its group, NaN below everything: bool (rows,).

    Args:
        values: float64 (rows,).
        firsts: int64 (groups,): the first row of each group, ascending from 0.
    """
    counts = np.diff(np.append(firsts, len(values)))
    known = ~np.isnan(values)
    highest = np.maximum.reduceat(np.where(known, values, -np.inf), firsts)
    best = known & (values == np.repeat(highest, counts))
    none = ~np.logical_or.reduceat(best, firsts)
    best[firsts[none]] = True
    places = np.flatnonzero(best)
    groups = np.repeat(np.arange(len(counts)), counts)[places]
    chosen = np.zeros(len(values), dtype=np.bool_)
    chosen[places[np.append(True, groups[1:] != groups[:-1])]] = True
    return chosen


@dataclass(slots=True)
class _Unrolling:
    """A game whose states are being looked at, level by level.

    Attributes:
        groups: by player and what it knows the first row, and the depth.
        firsts, seats, asked: as in ``Unrolled``.
        steady: whether what a player knows has always told how deep it is.
    """

    groups: dict[tuple[int, Hashable], tuple[int, int]] = field(default_factory=dict)
    firsts: list[int] = field(default_factory=list)
    seats: list[int] = field(default_factory=list)
    asked: list[tuple[Any, Sequence[int]]] = field(default_factory=list)
    steady: bool = True

    def row(self, state: ObservableState, legal: Sequence[int], depth: int) -> int:
        """The first row of the group of a state in which a player is to act."""
        seat = int(state.current_player)
        key = seat, seen_by(seat, state)
        if key not in self.groups:
            self.groups[key] = len(self.seats), depth
            self.firsts.append(len(self.seats))
            self.asked.append((state, legal))
            self.seats += [seat] * len(legal)
        row, other = self.groups[key]
        self.steady &= depth == other
        return row

    def level(self, states: Sequence[Any], depth: int, before: int, most: int) -> tuple[Level, list[Any]]:
        """The level of some states, and the states of the next level.

        Raises:
            UsageError: together with earlier levels there are too many states.
        """
        places: dict[Any, int] = {}
        returns, edges = np.zeros((2, len(states))), list[Edge]()
        for place, state in enumerate(states):
            check_size(before + len(places), most)
            if state.is_terminal:
                returns[:, place] = state.returns()
            elif state.current_player == CHANCE:
                for action, chance in state.chance_outcomes():
                    if chance:
                        child = places.setdefault(state.apply(action), len(places))
                        edges.append((place, child, chance, -1))
            else:
                legal = list(legal_of(state))
                row = self.row(state, legal, depth)
                for number, action in enumerate(legal):
                    child = places.setdefault(state.apply(action), len(places))
                    edges.append((place, child, 1.0, row + number))
        parents, children, chances, rows = zip(*edges, strict=True) if edges else ((), (), (), ())
        seats = [self.seats[row] if row >= 0 else -1 for row in rows]
        starts = np.searchsorted(parents, np.arange(len(states) + 1))
        arrays = (
            starts,
            _whole(parents),
            _whole(children),
            np.array(chances, np.float64),
            _whole(rows),
            _whole(seats),
        )
        return Level(returns, *arrays), list(places)


def _summed(places: Whole, values: Floats, count: int) -> Floats:
    """The sum of the values of each of so many places."""
    return np.asarray(np.bincount(places, values, count), dtype=np.float64)


def _whole(numbers: Sequence[int]) -> Whole:
    return np.array(numbers, dtype=np.int64)


def unrolled(first: Any, direction: float = 1.0) -> Unrolled | None:
    """The states of the game from a first state; None if an observation can occur after different numbers of actions.

    Args:
        first: the first state.
        direction: 1 if more is better, otherwise −1.

    Raises:
        UsageError: there are too many states.
    """
    most, looked_at, found, levels = most_states(first), 0, _Unrolling(), list[Level]()
    states = [first]
    while states:
        looked_at += len(states)
        check_size(looked_at, most)
        level, states = found.level(states, len(levels), looked_at, most)
        levels.append(level)
        if not found.steady:
            return None
    return Unrolled(levels, _whole(found.firsts), _whole(found.seats), found.asked, direction)


@lru_cache(maxsize=2)
def _unrolled(game: Any, rules: Rules) -> Unrolled | None:
    return unrolled(first_of(game, 0, rules), game.metric(rules).direction)


def exploitability(game: Any, players: Sequence[Player], rules: Rules) -> float:
    """The exploitability of the first player: the lead of a best response over an even share, as the mean over seats.

    The game must have two players whose scores have a constant sum. The sensors of a player must depend only on its
    observation, which ``gpkit doctor`` checks.

    Raises:
        UsageError: the player draws random numbers, there are too many states, or one leads back to itself.
    """
    metric = game.metric(rules)
    assert game.players(rules) == 2
    found = _unrolled(game, rules)
    if found is None:
        (choices,) = policies_of(game, players[:1], rules)
        first = first_of(game, 0, rules)
        won = [best_response(first, choices, seat, metric) for seat in range(2)]
    else:
        policy = found.policy(players[0], game, rules)
        won = [found.best_response(policy, seat) for seat in range(2)]
    return exploited(won, metric)

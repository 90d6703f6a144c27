"""Exact results in users' small games: expected scores, best responses, and fast exploitability.

``best_response`` defines the semantics of ``exploitability``, which evolution computes for thousands of programs.
States are stored by depth, so a best response can be computed level by level, beginning with the last level.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Generator, Hashable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, cast

import numpy as np

from gpkit.core.arrays import Flags, Floats, Ints
from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.gamekit.game import EXPLOITABILITY, Expected, Game, Metric
from gpkit.gamekit.plans import is_plan
from gpkit.gamekit.players import Player, machine_programs
from gpkit.gamekit.state import CHANCE, ObservableState, legal_of, outcome
from gpkit.user_games.arena import JUMPS, RANDOM, chooser_of, draws, first_of
from gpkit.user_games.rules import Rules, seen_by
from gpkit.vm.machine import evaluate_rows
from gpkit.vm.program import slots_read

LONGEST_DEAL = 100
"""The maximum number of chance outcomes to draw in a row when checking whether chance deals too many games."""

MOST_STATES, MOST_HIDDEN = 200_000, 2_000_000
"""The maximum number of states to visit, in games without and with hidden information (which have far more)."""

Watch = Callable[[int], object]
"""A function that is called repeatedly with the number of states visited so far."""

Policy = Callable[[Any], Sequence[tuple[int, float]]]
"""The actions that a player may choose in a state, with their probabilities."""


def policy_of(player: Player, game: Game, rules: Rules) -> Policy:
    """The policy of a player that draws no random numbers, or that chooses legal actions at random.

    Raises:
        UsageError: the player is a plan or a search, or its formulas draw random numbers.
    """
    if player.name == RANDOM:

        def uniform(state: ObservableState) -> Sequence[tuple[int, float]]:
            legal = legal_of(state)
            return [(action, 1.0 / len(legal)) for action in legal]

        return uniform
    if any(map(is_plan, machine_programs([player]))):
        raise UsageError(f"{player.name} is a plan, whose results are only sampled: leave --exact out")
    if draws(player, game):
        raise UsageError(
            f"{player.name} draws random numbers, so its results are not exact: leave --exact out"
        )
    choose = chooser_of(player, game, rules)
    return lambda state: [(choose(state, legal_of(state), 0, 0), 1.0)]


def policies_of(game: Game, players: Sequence[Player], rules: Rules) -> list[Policy]:
    """The policies of players, by seat.

    Raises:
        UsageError: a player has no policy (see ``policy_of``), or openings are random.
    """
    if any(rules.openings):
        raise UsageError("openings are drawn at random: leave opening out, or --exact")
    return [policy_of(player, game, rules) for player in players]


Values = tuple[float, ...]
"""The expected score of each player."""

Choices = Generator["Valuing", Values, Sequence[tuple[int, float]]]
"""The evaluation of a responding player's choices; it requests the values of states, and returns the choices."""

Valuing = Generator["Valuing", Values, Values]
"""The evaluation of a state; it requests the values of the next states, and returns the value of this state."""


def valued(asked: Valuing) -> Values:
    """Run an evaluation to completion.

    Pending requests are stored in a list instead of on Python's stack, so games may have any length.
    """
    waiting: list[Any] = [asked]
    found: Any = None
    while waiting:
        try:
            waiting.append(waiting[-1].send(found))
            found = None
        except StopIteration as end:
            waiting.pop()
            found = end.value
    return cast(Values, found)


@dataclass(slots=True)
class GameTree:
    """The states of a game that have been visited so far; each state is evaluated only once.

    Attributes:
        policies: the policies, by seat.
        most: the maximum number of states to visit.
        watch: called repeatedly with the number of states visited so far.
        values: the expected scores, by state; empty for a state that is still being evaluated.
    """

    policies: Sequence[Policy | Callable[[Any], Choices]]
    most: int
    watch: Watch
    values: dict[Hashable, Values] = field(default_factory=dict)

    def choices(self, state: Any) -> Choices:
        """The choices of chance or of a player in a state, with their probabilities."""
        if state.current_player == CHANCE:
            outcomes: Sequence[tuple[int, float]] = state.chance_outcomes()
            return outcomes
        found = self.policies[state.current_player](state)
        return cast(
            Sequence[tuple[int, float]], (yield from found) if isinstance(found, Generator) else found
        )

    def expected(self, state: ObservableState) -> Values:
        """The expected score of each player.

        Raises:
            UsageError: there are too many states, or a state leads back to itself.
        """
        return valued(self.value(state))

    def value(self, state: Any) -> Valuing:
        """The same as ``expected``, as a generator that can pause while other states are evaluated.

        Raises:
            UsageError: the same as in ``expected``.
        """
        if state.is_terminal:
            return tuple(map(float, state.returns()))
        if not self.values.get(state):
            if state in self.values:
                raise UsageError(
                    "--exact: a position of the game can repeat, so a game may never end; leave it out"
                )
            check_size(len(self.values), self.most)
            self.values[state] = ()
            if len(self.values) % 1_000 == 0:
                self.watch(len(self.values))
            parts = []
            for action, chance in (yield from self.choices(state)):
                if chance:
                    parts.append((chance, (yield self.value(state.apply(action)))))
            self.values[state] = tuple(
                sum(chance * each[seat] for chance, each in parts) for seat in range(len(self.policies))
            )
        return self.values[state]


def expected(game: Game, players: Sequence[Player], rules: Rules, watch: Watch = str) -> Expected:
    """The expected score of the first player in each seat; the other players follow in order.

    For two players whose scores have a constant sum, the details include the ``exploitability``: the lead of a best
    response to the first player over an even share, averaged over the seats.

    Raises:
        UsageError: a player has no policy (see ``policy_of``), there are too many states, or a state leads back to
            itself.
    """
    seats = len(players)
    policies = policies_of(game, players, rules)
    first = first_of(game, 0, rules, players)
    check_deals(first)
    details = {}
    metric = game.metric(rules)
    if seats == 2 and metric.total is not None:  # first, because it visits the most states
        won = [best_response(first, policies[0], seat, metric, watch) for seat in range(2)]
        details[EXPLOITABILITY] = exploited(won, metric)
    most = most_states(first)
    scores = tuple(
        GameTree([policies[(place - seat) % seats] for place in range(seats)], most, watch).expected(first)[
            seat
        ]
        for seat in range(seats)
    )
    return Expected(scores, details)


def exploited(won: Sequence[float], metric: Metric) -> float:
    """The mean lead of the best responses in both seats over an even share, computed from their expected scores."""
    assert metric.total is not None, "the scores of the two have a constant sum"
    return metric.direction * (sum(won) / 2.0 - metric.total / 2.0)


def best_response(
    first: ObservableState, policy: Policy, seat: int, metric: Metric, watch: Watch = str
) -> float:
    """The best expected score of a player in a seat against a policy in the other seat, given the player's knowledge.

    The player must choose the same action in all states with the same observation. An observation must include
    everything that the player has seen before (perfect recall). ``watch`` is called repeatedly with the number of
    states visited so far.

    Raises:
        UsageError: there are too many states, or a state leads back to itself.
    """
    chosen: dict[Hashable, int] = {}

    def respond(state: ObservableState) -> Choices:
        seen = seen_by(seat, state)
        if seen not in chosen:
            worth = {}
            for action in legal_of(state):
                worth[action] = 0.0
                for each, weight in reached.get(seen, [(state, 1.0)]):
                    after = yield tree.value(each.apply(action))
                    worth[action] += metric.direction * weight * after[seat]
            chosen[seen] = max(worth, key=worth.__getitem__)
        return [(chosen[seen], 1.0)]

    tree = GameTree([respond, policy] if seat == 0 else [policy, respond], most_states(first), watch)
    reached = _reached(first, policy, seat, tree) if hasattr(first, "observation") else {}
    return tree.expected(first)[seat]


def _reached(
    first: Any, policy: Policy, seat: int, tree: GameTree
) -> dict[Hashable, list[tuple[Any, float]]]:
    """The states in which a player chooses, by the player's knowledge, with the probability that others reach them."""
    found: dict[Hashable, list[tuple[Any, float]]] = defaultdict(list)
    looked_at, level = 0, {} if first.is_terminal else {first: 1.0}
    while level:
        following: dict[Any, float] = {}
        for state, weight in level.items():
            if state.current_player == seat:
                found[seen_by(seat, state)].append((state, weight))
                choices: Sequence[tuple[int, float]] = [(action, 1.0) for action in legal_of(state)]
            else:
                choices = state.chance_outcomes() if state.current_player == CHANCE else policy(state)
            for action, chance in choices:
                after = state.apply(action) if chance else state
                if not chance or after.is_terminal:
                    continue
                if after not in following:
                    check_size(looked_at + len(following), tree.most)
                    if (looked_at + len(following)) % 1_000 == 999:
                        tree.watch(looked_at + len(following) + 1)
                following[after] = following.get(after, 0.0) + weight * chance
        looked_at, level = looked_at + len(following), following
    return found


def most_states(first: object) -> int:
    """The maximum number of states to visit in a game with this first state."""
    return MOST_STATES if seen_by(0, first) == first else MOST_HIDDEN


@lru_cache(maxsize=8)
def check_deals(first: ObservableState) -> None:
    """Check that chance cannot deal too many games before a player acts, by drawing many games and expecting repeats.

    If there are no more games than allowed, the probability that all drawn games differ is at most one in a million.

    Raises:
        UsageError: all drawn games differ.
    """
    most = most_states(first)
    rng, count = stream(0, "deals of exact results"), math.isqrt(28 * most)
    states = [first] * count
    for _ in range(LONGEST_DEAL):
        check_size(most * (len(set(states)) == count), most)
        dealt = (each for each in states if not each.is_terminal and each.current_player == CHANCE)
        states = [each.apply(outcome(each, rng.random())) for each in dealt]


def check_size(states: int, most: int) -> None:
    """Check that a game does not have too many states.

    Raises:
        UsageError: the game has too many states.
    """
    if states >= most:
        raise UsageError(
            f"--exact: the game has more than {most:,} states; leave it out, or make the game smaller with --rules"
        )


Edge = tuple[int, int, float, int]
"""The positions of a state in its level and of its successor in the next, the step's probability, and a row or -1."""


_Way = tuple[Ints, Floats, Floats]
"""The used edges of a level, the probability of each, and the probability that others reach the state before it."""


@dataclass(frozen=True, slots=True)
class Level:
    """The states after a certain number of actions and chance outcomes, and the edges to the next level.

    Attributes:
        returns: float64 (2, states): the scores if the game is over, otherwise 0.
        starts: int64 (states + 1,): the first edge of each state, followed by the number of edges.
        parents: int64 (edges,): the positions of states in this level, ascending.
        children: int64 (edges,): the positions of states in the next level.
        chances: float64 (edges,): the probability of a chance outcome; 1 for a player's action.
        rows: int64 (edges,): the row of the action; -1 for chance.
        seats: int64 (edges,): the seat that acts; -1 for chance.
    """

    returns: Floats
    starts: Ints
    parents: Ints
    children: Ints
    chances: Floats
    rows: Ints
    seats: Ints

    def edges_of(self, states: Ints) -> Ints:
        """The edges of some states: int64 (edges,).

        Args:
            states: int64 (states,), the positions of the states in this level.
        """
        firsts, ends = self.starts[states], self.starts[states + 1]
        counts = ends - firsts
        edges: Ints = np.repeat(firsts - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
        return edges


@dataclass(frozen=True, slots=True)
class Unrolled:
    """A two-player game with all its states.

    A *row* is one action that a player can choose at one observation. States that the player cannot distinguish share
    their rows, and one of these states represents all of them.

    Attributes:
        levels: the levels by depth.
        firsts: int64 (groups,): the first row of each group of states that a player cannot distinguish.
        seats: int64 (rows,): the seat that acts.
        asked: for each group, one of its states, and the legal actions in this state.
        direction: 1 if higher is better, otherwise −1.
        sensed: the sensor values computed so far, by slot: float64 (rows,).
    """

    levels: Sequence[Level]
    firsts: Ints
    seats: Ints
    asked: Sequence[tuple[Any, Sequence[int]]]
    direction: float = 1.0
    sensed: dict[int, Floats] = field(default_factory=dict)

    def best_response(self, policy: Floats, seat: int) -> float:
        """The best expected score of a player in a seat against a policy in the other seat.

        Args:
            policy: float64 (rows,): the probability of each action.
            seat: 0 or 1.
        """
        ways, reached = list[_Way](), _summed(_whole([0]), np.ones(1), 1)
        for level, following in zip(self.levels[:-1], self.levels[1:], strict=True):
            edges = level.edges_of(np.flatnonzero(reached))
            weights = np.where(
                level.seats[edges] == 1 - seat, policy[level.rows[edges]], level.chances[edges]
            )
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
                start, end = np.searchsorted(self.firsts, (low, high + 1))
                weights[own] = first_best(self.direction * sums, self.firsts[start:end] - low)[rows - low]
            values = level.returns[seat] + _summed(
                level.parents[edges], weights * found, level.returns.shape[1]
            )
        return float(values[0])

    def policy(self, player: Player, game: Game, rules: Rules) -> Floats:
        """The probability with which a player chooses each action: float64 (rows,).

        Raises:
            UsageError: the player has no policy (see ``policy_of``), or openings are random.
        """
        (choices,) = policies_of(game, [player], rules)
        programs = machine_programs([player])
        if len(programs) == 1 and all(not np.isin(each.code[:, 0], JUMPS).any() for each in programs):
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

    def _values(self, slot: int, game: Game) -> Floats:
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


def first_best(values: Floats, firsts: Ints) -> Flags:
    """Whether each row is the first row with the highest value in its group, bool (rows,); NaN counts as the lowest.

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
    """A game whose states are being explored, level by level.

    Attributes:
        groups: the first row and the depth of each group, by player and the player's knowledge.
        firsts, seats, asked: the same as in ``Unrolled``.
        steady: whether the players' knowledge has always determined the depth so far.
    """

    groups: dict[tuple[int, Hashable], tuple[int, int]] = field(default_factory=dict)
    firsts: list[int] = field(default_factory=list)
    seats: list[int] = field(default_factory=list)
    asked: list[tuple[Any, Sequence[int]]] = field(default_factory=list)
    steady: bool = True

    def row(self, state: ObservableState, legal: Sequence[int], depth: int) -> int:
        """The first row of the group of a state in which a player acts."""
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
        """The level that consists of these states, and the states of the next level.

        Raises:
            UsageError: this level and the earlier levels have too many states.
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


def _summed(places: Ints, values: Floats, count: int) -> Floats:
    """The sum of the values at each of ``count`` positions."""
    return np.asarray(np.bincount(places, values, count), dtype=np.float64)


def _whole(numbers: Sequence[int]) -> Ints:
    return np.array(numbers, dtype=np.int64)


def unrolled(first: ObservableState, direction: float = 1.0) -> Unrolled | None:
    """All states that a game can reach; None if the same observation can occur after different numbers of actions.

    Args:
        first: the first state.
        direction: 1 if higher is better, otherwise −1.

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
def _unrolled(game: Game, rules: Rules) -> Unrolled | None:
    return unrolled(first_of(game, 0, rules), game.metric(rules).direction)


def exploitability(game: Game, players: Sequence[Player], rules: Rules) -> float:
    """The exploitability of the first player: the lead of a best response over an even share, averaged over the seats.

    The game must have two players whose scores have a constant sum. The sensors of a player must depend only on its
    observation, which ``gpkit doctor`` checks.

    Raises:
        UsageError: the player has no policy (see ``policy_of``), there are too many states, or a state leads back to
            itself.
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

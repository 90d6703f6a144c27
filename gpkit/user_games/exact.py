"""Exact results in small games of one's own: expected scores, and how much a best response would win."""

import math
from collections import defaultdict
from collections.abc import Callable, Generator, Hashable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, cast

from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.gamekit.game import EXPLOITABILITY, Expected, Metric
from gpkit.gamekit.plans import is_plan
from gpkit.gamekit.players import Player, machine_programs
from gpkit.gamekit.state import CHANCE, legal_of, outcome
from gpkit.user_games.arena import chooser_of, draws, first_of
from gpkit.user_games.compiled_games import RANDOM
from gpkit.user_games.rules import Rules
from gpkit.user_games.wrapped_state import seen_by

LONGEST_DEAL = 100
"""The maximum number of chance outcomes to draw in a row, to find out whether chance deals too many games."""

MOST_STATES, MOST_HIDDEN = 200_000, 2_000_000
"""States of a game that are looked at: where all is open, and where something is hidden, which makes far more."""

Watch = Callable[[int], object]
"""A function that is called repeatedly with the number of states looked at so far."""

Policy = Callable[[Any], Sequence[tuple[int, float]]]
"""The actions that a player may choose in a state, with their probabilities."""


def policy_of(player: Player, game: Any, rules: Rules) -> Policy:
    """The choices of a player that draws no random numbers, or chooses any legal action.

    Raises:
        UsageError: the player searches, or its formulas draw random numbers.
    """
    if player.name == RANDOM:

        def uniform(state: Any) -> Sequence[tuple[int, float]]:
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


def policies_of(game: Any, players: Sequence[Player], rules: Rules) -> list[Policy]:
    """The choices of players, by seat.

    Raises:
        UsageError: one of them draws random numbers, or openings are drawn.
    """
    if any(rules.openings):
        raise UsageError("openings are drawn at random: leave opening out, or --exact")
    return [policy_of(player, game, rules) for player in players]


Values = tuple[float, ...]
"""The expected score of each player."""

Choices = Generator["Valuing", Values, Sequence[tuple[int, float]]]
"""The evaluation of a responding player's choices: it asks for the values of states, and ends with the choices."""

Valuing = Generator["Valuing", Values, Values]
"""The evaluation of a state: it asks for the values of the next states, and ends with the value of this one."""


def valued(asked: Valuing) -> Values:
    """Run an evaluation to its end.

    Pending requests wait in a list, not on Python's stack, so games may have any length.
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
class Tree:
    """The states of a game that have been looked at so far; each is evaluated once.

    Attributes:
        policies: the policies by seat.
        most: the maximum number of states to look at.
        watch: called repeatedly with the number of states looked at so far.
        values: the expected scores by state; empty for a state that is still being evaluated.
    """

    policies: Sequence[Policy | Callable[[Any], Choices]]
    most: int
    watch: Watch
    values: dict[Hashable, Values] = field(default_factory=dict)

    def choices(self, state: Any) -> Choices:
        """Choices of chance or of a player in a state, with their probabilities."""
        if state.current_player == CHANCE:
            outcomes: Sequence[tuple[int, float]] = state.chance_outcomes()
            return outcomes
        found = self.policies[state.current_player](state)
        return cast(
            Sequence[tuple[int, float]], (yield from found) if isinstance(found, Generator) else found
        )

    def expected(self, state: Any) -> Values:
        """The expected score of each player.

        Raises:
            UsageError: there are too many states, or a state leads back to itself.
        """
        return valued(self.value(state))

    def value(self, state: Any) -> Valuing:
        """The same as an evaluation, for use while other states are being evaluated.

        Raises:
            UsageError: as for ``expected``.
        """
        if state.is_terminal:
            return tuple(map(float, state.returns()))
        if not self.values.get(state):
            if state in self.values:
                raise UsageError(
                    "--exact: a position of the game can repeat, so games need not end; leave it out"
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


def expected(game: Any, players: Sequence[Player], rules: Rules, watch: Watch = str) -> Expected:
    """The expected score of the first player in each seat, the others following it in order.

    With two players of a zero-sum game it says how much better a best response to the first player does than an even
    share (``exploitability``): the mean over the seats of what it wins.

    Raises:
        UsageError: a player draws random numbers in formulas, there are too many states, or one leads back to itself.
    """
    seats = len(players)
    policies = policies_of(game, players, rules)
    first = first_of(game, 0, rules, players)
    check_deals(first)
    details = {}
    metric = game.metric(rules)
    if seats == 2 and metric.total is not None:  # first, because it looks at the most states
        won = [best_response(first, policies[0], seat, metric, watch) for seat in range(2)]
        details[EXPLOITABILITY] = exploited(won, metric)
    most = most_states(first)
    scores = tuple(
        Tree([policies[(place - seat) % seats] for place in range(seats)], most, watch).expected(first)[seat]
        for seat in range(seats)
    )
    return Expected(scores, details)


def exploited(won: Sequence[float], metric: Metric) -> float:
    """The lead of the best responses in both seats over an even share, from their expected scores."""
    assert metric.total is not None, "the scores of the two have a constant sum"
    return metric.direction * (sum(won) / 2.0 - metric.total / 2.0)


def best_response(first: Any, policy: Policy, seat: int, metric: Metric, watch: Watch = str) -> float:
    """The best score that a player in a seat can expect against a policy in the other seat, given what it knows.

    The player chooses the same action in states with the same observation. An observation must include everything that
    the player has seen before (perfect recall). ``watch`` is called with the number of states looked at so far.

    Raises:
        UsageError: there are too many states, or one leads back to itself.
    """
    chosen: dict[Hashable, int] = {}

    def respond(state: Any) -> Choices:
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

    tree = Tree([respond, policy] if seat == 0 else [policy, respond], most_states(first), watch)
    reached = _reached(first, policy, seat, tree) if hasattr(first, "observation") else {}
    return tree.expected(first)[seat]


def _reached(first: Any, policy: Policy, seat: int, tree: Tree) -> dict[Hashable, list[tuple[Any, float]]]:
    """By what a player knows the states in which it is to choose, each with the chance that others lead to it."""
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


def most_states(first: Any) -> int:
    """The states that are looked at in the game of a first state."""
    return MOST_STATES if seen_by(0, first) == first else MOST_HIDDEN


@lru_cache(maxsize=8)
def check_deals(first: Any) -> None:
    """Check that chance cannot deal too many games before anybody acts: it draws many games and expects repeats.

    If there are no more games than allowed, the chance that all the drawn games differ is at most one in a million.

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
        UsageError: it has.
    """
    if states >= most:
        raise UsageError(
            f"--exact: the game has more than {most:,} states; leave it out, or make the game smaller with --rules"
        )

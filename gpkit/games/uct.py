"""UCT: Monte Carlo tree search in any game in which all is open (Kocsis and Szepesvári, 2006).

Every simulation goes down the tree by the action of the highest upper confidence bound (UCB1) until one has not been
tried, adds the state after it, and plays on at random to the end; its result counts in all states that it passed. The
action that was tried most often is chosen. Players want their own share of the result, however many there are; what
chance does is drawn anew in every simulation.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gpkit.core.rng import Draws
from gpkit.games.game import Metric, Number, Strategy
from gpkit.games.state import CHANCE, NOBODY, outcome

EXPLORATION = 1.0
"""Weight of the second part of the bound, for shares of 0 to 1."""

MCTS = "mcts"
"""Name of the player."""

STRATEGY = Strategy("tree search by random games (UCT)", Number("simulations", 1000, 100_000), is_slow=True)
"""Description of the player among the ``builtins`` of a game."""

SEARCHES = 1 << 20
"""Beginning of the counters of keyed random numbers that searches draw; the number of the turn is added."""


@dataclass(slots=True)
class Node:
    """A state in the tree.

    Attributes:
        state: the state.
        mover: player whose action led to it; ``NOBODY`` for the first one, and after chance.
        untried: legal actions that were not tried, ascending.
        children: states after those that were, in this order, by action.
        visits: simulations that passed it.
        total: what the mover got of their results, each a share of 0 to 1.
    """

    state: Any
    mover: int = NOBODY
    untried: list[int] = field(default_factory=list)
    children: dict[int, "Node"] = field(default_factory=dict)
    visits: int = 0
    total: float = 0.0

    def __post_init__(self) -> None:
        """Take down the legal actions."""
        if not self.state.is_terminal and self.state.current_player != CHANCE:
            self.untried = list(self.state.legal_actions())

    def after(self, action: int) -> "Node":
        """The child after an action, which is added if it is new."""
        if action not in self.children:
            player = self.state.current_player
            mover = NOBODY if player == CHANCE else player
            self.children[action] = Node(self.state.apply(action), mover)
        return self.children[action]

    @property
    def mean(self) -> float:
        """Mean share of the mover."""
        return self.total / self.visits

    def bound(self, visits: int) -> float:
        """Upper confidence bound of the mean, where the parent was passed so often."""
        return self.mean + EXPLORATION * math.sqrt(math.log(visits) / self.visits)


@dataclass(frozen=True, slots=True)
class Stakes:
    """Worth of results to players.

    Attributes:
        metric: of the game, by whose bounds shares are.
        seats: number of players.
        longest: actions of a simulation after which it is called off, and everybody gets half.
    """

    metric: Metric
    seats: int
    longest: int

    def shares(self, returns: Sequence[float]) -> list[float]:
        """The results as shares of 0 to 1, more of which is better."""
        low, high = self.metric.support
        shares = [(score - low) / (high - low) for score in returns]
        return [1.0 - share for share in shares] if self.metric.lower_is_better else shares


def search(state: Any, simulations: int, stakes: Stakes, draws: Draws) -> Node:
    """The tree after so many simulations from a state in which a player is to choose."""
    root = Node(state)
    for _ in range(simulations):
        _simulate(root, stakes, draws)
    return root


def choose(state: Any, simulations: int, stakes: Stakes, draws: Draws) -> int:
    """The legal action that was tried most often; of several the one of the highest mean, then the lowest."""
    children = search(state, simulations, stakes, draws).children
    return min(children, key=lambda action: (-children[action].visits, -children[action].mean, action))


def _simulate(root: Node, stakes: Stakes, draws: Draws) -> None:
    """Simulate a game from the root, and count its result."""
    path, node = [root], root
    while not node.state.is_terminal:
        is_new = bool(node.untried)
        node = node.after(_descend(node, draws))
        path.append(node)
        if is_new:
            break
    shares = _roll_out(node.state, stakes, draws)
    for node in path:
        node.visits += 1
        if node.mover != NOBODY:
            node.total += shares[node.mover]


def _descend(node: Node, draws: Draws) -> int:
    """The action by which a simulation leaves a state of the tree; of equal bounds the one tried last."""
    if node.state.current_player == CHANCE:
        return outcome(node.state, draws.random())
    if node.untried:
        return node.untried.pop(int(draws.random() * len(node.untried)))
    return max(reversed(node.children), key=lambda action: node.children[action].bound(node.visits))


def _roll_out(state: Any, stakes: Stakes, draws: Draws) -> list[float]:
    """The shares at the end of a game that goes on at random."""
    actions = 0
    while not state.is_terminal:
        if state.current_player == CHANCE:
            state = state.apply(outcome(state, draws.random()))
            continue
        if actions == stakes.longest:
            return [0.5] * stakes.seats
        legal = state.legal_actions()
        state = state.apply(legal[int(draws.random() * len(legal))])
        actions += 1
    return stakes.shares(state.returns())

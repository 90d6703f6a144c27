"""UCT: Monte Carlo tree search (Kocsis and Szepesvári, 2006) with proven results, for games without hidden information.

Every simulation descends the tree along the actions with the highest upper confidence bound (UCB1), until it reaches a
state with an untried action. The simulation adds the state after this action to the tree, and plays at random to the
end of the game. The result updates all states on the path. After all simulations, the search chooses the action that it
has tried most often. There can be any number of players; each player maximizes its own share of the result. Every
simulation draws new chance events. The search also keeps proven results (Winands, Björnsson and Saito, "Monte-Carlo
Tree Search Solver", 2008): a simulation stops at a state with a proven result, and the search stops when the result of
the first state is proven.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gpkit.core.rng import Draws
from gpkit.gamekit.game import Builtin, Metric, Number
from gpkit.gamekit.state import CHANCE, NOBODY, ObservableState, legal_of, outcome

EXPLORATION = 1.0
"""The weight of the exploration term in the upper confidence bound, for shares from 0 to 1."""

MCTS = "mcts"
"""The name of the player."""

STRATEGY = Builtin("tree search by random games (UCT)", Number("simulations", 1000, 100_000), is_slow=True)
"""The description of the player among a game's ``builtins``."""

PIMC = "pimc"
"""The name of the player for games with hidden information; it calls the method ``resample`` of the states."""

WORLDS = Builtin(
    "plays each action out in random deals that fit what it knows",
    Number("worlds", 100, 100_000),
    is_slow=True,
)
"""The description of ``PIMC`` among a game's ``builtins``."""

LONGEST = 10_000
"""The maximum number of actions in a simulation, in games that set no other limit."""

SEARCHES = 1 << 20
"""The counter of the first random numbers that searches draw, to which the number of the turn is added."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """The conversion of final scores into shares for the players.

    Attributes:
        metric: the metric of the game; its bounds define the shares.
        seats: the number of players.
        longest: the maximum number of actions in a simulation; after that, every player gets a share of one half.
    """

    metric: Metric
    seats: int
    longest: int

    def shares(self, returns: Sequence[float]) -> list[float]:
        """The scores as shares from 0 to 1; higher is better."""
        low, high = self.metric.support
        shares = [(score - low) / (high - low) for score in returns]
        return [1.0 - share for share in shares] if self.metric.lower_is_better else shares


@dataclass(slots=True)
class Node:
    """A state in the tree.

    Attributes:
        state: the state.
        mover: the player whose action led to the state; ``NOBODY`` for the first state and after chance moves.
        proved: each player's share if all players play optimally; None if it is not known yet.
        untried: the legal actions that have not been tried yet, in ascending order.
        children: the states after the tried actions, by action, in the order in which they were tried.
        visits: the number of simulations that passed through the state.
        total: the sum of the mover's shares in the results of these simulations, each from 0 to 1.
    """

    state: Any
    mover: int = NOBODY
    proved: Sequence[float] | None = None
    untried: list[int] = field(default_factory=list)
    children: dict[int, "Node"] = field(default_factory=dict)
    visits: int = 0
    total: float = 0.0

    def __post_init__(self) -> None:
        """Store the legal actions."""
        if not self.state.is_terminal and self.state.current_player != CHANCE:
            self.untried = list(legal_of(self.state))

    def after(self, action: int, stakes: Stakes) -> "Node":
        """The child after an action; if the child is new, it is added."""
        if action not in self.children:
            player = self.state.current_player
            state = self.state.apply(action)
            proved = stakes.shares(state.returns()) if state.is_terminal else None
            self.children[action] = Node(state, NOBODY if player == CHANCE else player, proved)
        return self.children[action]

    @property
    def mean(self) -> float:
        """The mean share of the mover."""
        return self.total / self.visits

    def bound(self, visits: int) -> float:
        """The upper confidence bound of the mean, given the visits of the parent, or the share itself if proven."""
        if self.proved is not None and self.mover != NOBODY:
            return self.proved[self.mover]
        return self.mean + EXPLORATION * math.sqrt(math.log(visits) / self.visits)

    def prove(self) -> bool:
        """Prove the result if the children determine it: one gives the player everything, or all are proven."""
        player = self.state.current_player
        known = [child.proved for child in self.children.values() if child.proved is not None]
        if player == CHANCE or not known:
            return False
        best = max(known, key=lambda shares: shares[player])
        if best[player] == 1.0 or (len(known) == len(self.children) and not self.untried):
            self.proved = best
        return self.proved is not None


def search(state: ObservableState, simulations: int, stakes: Stakes, draws: Draws) -> Node:
    """The search tree after at most this many simulations from a state in which a player must choose."""
    root = Node(state)
    _grow(root, simulations, stakes, draws)
    return root


def _grow(root: Node, simulations: int, stakes: Stakes, draws: Draws) -> None:
    """Simulate games from a state until its result is proven, but at most this many."""
    for _ in range(simulations):
        if root.proved is not None:
            break
        _simulate(root, stakes, draws)


def worths(
    state: Any, actions: Sequence[int], simulations: int, stakes: Stakes, draws: Draws
) -> dict[int, float]:
    """The current player's expected share after each action, estimated by a separate search for each action."""
    player, found = state.current_player, {}
    for action in actions:
        after = state.apply(action)
        root = Node(after, player, stakes.shares(after.returns()) if after.is_terminal else None)
        _grow(root, simulations, stakes, draws)
        found[action] = root.mean if root.proved is None else root.proved[player]
    return found


def choose(state: Any, simulations: int, stakes: Stakes, draws: Draws) -> int:
    """The best action: by proven share (one half if unproven), then by visits, then by mean, then by lowest number."""
    children = search(state, simulations, stakes, draws).children

    def worth(action: int) -> tuple[float, int, float, int]:
        child = children[action]
        return 0.5 if child.proved is None else child.proved[child.mover], child.visits, child.mean, -action

    return max(children, key=worth)


def _simulate(root: Node, stakes: Stakes, draws: Draws) -> None:
    """Simulate a game from the root, and add its result to the tree."""
    path, node = [root], root
    while node.proved is None:
        is_new = bool(node.untried)
        node = node.after(_descend(node, draws), stakes)
        path.append(node)
        if is_new:
            break
    shares = _roll_out(node.state, stakes, draws) if node.proved is None else node.proved
    for each in path:
        each.visits += 1
        if each.mover != NOBODY:
            each.total += shares[each.mover]
    if node.proved is not None:
        for each in reversed(path[:-1]):
            if not each.prove():
                break


def _descend(node: Node, draws: Draws) -> int:
    """The action that a simulation chooses in a state of the tree; among equals, the action tried last."""
    if node.state.current_player == CHANCE:
        return outcome(node.state, draws.random())
    if node.untried:
        return node.untried.pop(int(draws.random() * len(node.untried)))
    return max(reversed(node.children), key=lambda action: node.children[action].bound(node.visits))


def _roll_out(state: ObservableState, stakes: Stakes, draws: Draws) -> list[float]:
    """Continue a game at random to its end, and return the shares."""
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

"""UCT: Monte Carlo tree search in any game in which all is open (Kocsis and Szepesvári, 2006), with proofs.

Every simulation goes down the tree by the action of the highest upper confidence bound (UCB1) until one has not been
tried, adds the state after it, and plays on at random to the end; its result counts in all states that it passed. The
action that was tried most often is chosen. Players want their own share of the result, however many there are; what
chance does is drawn anew in every simulation. What the end of a game proves of the states before it is kept (Winands,
Björnsson and Saito, "Monte-Carlo Tree Search Solver", 2008): a simulation goes no further than to a state whose result
is proved, and none is made once that of the first state is.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gpkit.core.rng import Draws
from gpkit.gamekit.game import Builtin, Metric, Number
from gpkit.gamekit.state import CHANCE, NOBODY, legal_of, outcome

EXPLORATION = 1.0
"""Weight of the second part of the bound, for shares of 0 to 1."""

MCTS = "mcts"
"""Name of the player."""

STRATEGY = Builtin("tree search by random games (UCT)", Number("simulations", 1000, 100_000), is_slow=True)
"""Description of the player among the ``builtins`` of a game."""

SEARCHES = 1 << 20
"""Beginning of the counters of keyed random numbers that searches draw; the number of the turn is added."""


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


@dataclass(slots=True)
class Node:
    """A state in the tree.

    Attributes:
        state: the state.
        mover: player whose action led to it; ``NOBODY`` for the first one, and after chance.
        proved: by player the share with the best play of all; None where it is not known.
        untried: legal actions that were not tried, ascending.
        children: states after those that were, in this order, by action.
        visits: simulations that passed it.
        total: what the mover got of their results, each a share of 0 to 1.
    """

    state: Any
    mover: int = NOBODY
    proved: Sequence[float] | None = None
    untried: list[int] = field(default_factory=list)
    children: dict[int, "Node"] = field(default_factory=dict)
    visits: int = 0
    total: float = 0.0

    def __post_init__(self) -> None:
        """Take down the legal actions."""
        if not self.state.is_terminal and self.state.current_player != CHANCE:
            self.untried = list(legal_of(self.state))

    def after(self, action: int, stakes: Stakes) -> "Node":
        """The child after an action, which is added if it is new."""
        if action not in self.children:
            player = self.state.current_player
            state = self.state.apply(action)
            proved = stakes.shares(state.returns()) if state.is_terminal else None
            self.children[action] = Node(state, NOBODY if player == CHANCE else player, proved)
        return self.children[action]

    @property
    def mean(self) -> float:
        """Mean share of the mover."""
        return self.total / self.visits

    def bound(self, visits: int) -> float:
        """Upper confidence bound of the mean, where the parent was passed so often; if proved, the share itself."""
        if self.proved is not None and self.mover != NOBODY:
            return self.proved[self.mover]
        return self.mean + EXPLORATION * math.sqrt(math.log(visits) / self.visits)

    def prove(self) -> bool:
        """Prove the result from those of the children, if it follows: one wins all, or all are known."""
        player = self.state.current_player
        known = [child.proved for child in self.children.values() if child.proved is not None]
        if player == CHANCE or not known:
            return False
        best = max(known, key=lambda shares: shares[player])
        if best[player] == 1.0 or (len(known) == len(self.children) and not self.untried):
            self.proved = best
        return self.proved is not None


def search(state: Any, simulations: int, stakes: Stakes, draws: Draws) -> Node:
    """The tree after at most so many simulations from a state in which a player is to choose."""
    root = Node(state)
    for _ in range(simulations):
        if root.proved is not None:
            break
        _simulate(root, stakes, draws)
    return root


def choose(state: Any, simulations: int, stakes: Stakes, draws: Draws) -> int:
    """The action of the best proved share, where one that is not proved stands for half; of several the one that was
    tried most often, then that of the highest mean, then the lowest."""
    children = search(state, simulations, stakes, draws).children

    def worth(action: int) -> tuple[float, int, float, int]:
        child = children[action]
        proved = 0.5 if child.proved is None else child.proved[child.mover]
        return proved, child.visits, child.mean, -action

    return max(children, key=worth)


def _simulate(root: Node, stakes: Stakes, draws: Draws) -> None:
    """Simulate a game from the root, and count its result."""
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

"""Reference interpreter of decision trees, in plain Python and in reading order; the machine agrees bit for bit."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gpkit.genomes.decision import Chance, DecisionTree, Leaf, Node
from gpkit.languages.decision.actions import value_of


@dataclass(frozen=True, slots=True)
class Visit:
    """Visit of a node: what an inner one saw and the branch that it took; of a leaf 0.0 and −1.

    Attributes:
        position: of the node in its tree.
        seen: the value of the feature, or the random number.
    """

    position: int
    node: Node
    seen: float = 0.0
    branch: int = -1


def trace(tree: DecisionTree, env: Mapping[str, float], random: Callable[[], float]) -> list[Visit]:
    """The nodes from the root to the leaf that decides.

    Args:
        tree: the decision tree.
        env: the value of every feature on the way.
        random: gives the number of [0, 1) for each chance on the way.

    Raises:
        KeyError: a node tests a feature that is not in ``env``.
    """
    visits: list[Visit] = []
    position = 0
    while not isinstance(node := tree.symbols[position], Leaf):
        seen = random() if isinstance(node, Chance) else env[node.feature]
        branch = node.branch(seen)
        visits.append(Visit(position, node, seen, branch))
        position = list(tree.children(position))[branch]
    return [*visits, Visit(position, node)]


def decide(tree: DecisionTree, env: Mapping[str, float], random: Callable[[], float]) -> Leaf:
    """The leaf that a tree comes to; arguments as of ``trace``."""
    node = trace(tree, env, random)[-1].node
    assert isinstance(node, Leaf), "a way ends in a leaf"
    return node


def evaluate(tree: DecisionTree, env: Mapping[str, float], random: Callable[[], float]) -> float:
    """The value of the leaf that a tree comes to, or of the candidate where that names an action.

    Arguments are those of ``trace``.
    """
    last = trace(tree, env, random)[-1]
    return last.node if isinstance(last.node, float) else value_of(tree, last.position, env)


def node_values(
    tree: DecisionTree, env: Mapping[str, float], random: Callable[[], float]
) -> dict[int, float]:
    """Values that the nodes on the way saw, by position; of the leaf its value, or that of the candidate there."""
    *way, last = trace(tree, env, random)
    value = last.node if isinstance(last.node, float) else value_of(tree, last.position, env)
    return {**{visit.position: visit.seen for visit in way}, last.position: value}

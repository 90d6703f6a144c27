"""The reference interpreter of decision trees, in plain Python; the compiled machine agrees with it bit for bit.

If leaves name actions, the game evaluates the tree once and takes the action of the leaf that it reaches. If that
action is not legal, the tree falls back on other leaves: first on the leaves of the sibling branches, from left to
right, then on the leaves beside the parent, and so on up to the root. If no leaf names a legal action, the game takes
its first legal action.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gpkit.core.primitives import action_sensor
from gpkit.genomes.comparisons import Comparison
from gpkit.genomes.decision import DecisionTree, Leaf, Node, decision_tree
from gpkit.langkit.formulas import sensed


def preferences(tree: DecisionTree, position: int) -> tuple[str, ...]:
    """The actions that a leaf prefers, the best one first, without repetitions.

    >>> from gpkit.genomes.decision import inner, leaf
    >>> low = inner(Comparison("b", "<", 2.0), leaf("drone"), leaf("queen"))
    >>> tree = inner(Comparison("a", "<", 1.0), low, inner(Comparison("c", "<", 1.0), leaf("drone"), leaf("wait")))
    >>> preferences(tree, 3)
    ('queen', 'drone', 'wait')
    """
    beside: list[list[int]] = []
    here = 0
    while here != position:
        children = list(tree.children(here))
        way = next(child for child in children if child <= position < child + tree.sizes[child])
        beside.append([child for child in children if child != way])
        here = way
    names = [tree.symbols[position]]
    for siblings in reversed(beside):
        names += [name for sibling in siblings for name in tree.subtree(sibling).leaves]
    return tuple(dict.fromkeys(map(str, names)))


def value_of(tree: DecisionTree, position: int, env: Mapping[str, float]) -> float:
    """The value of a candidate at a leaf: higher for actions that the leaf prefers, and 0 for actions in no leaf.

    Raises:
        KeyError: ``env`` has no value for one of the actions.
    """
    wanted = preferences(tree, position)
    places = (place for place, name in enumerate(wanted) if env[action_sensor(name)] > 0.5)
    return float(len(wanted) - next(places, len(wanted)))


def valued(tree: DecisionTree) -> DecisionTree:
    """The tree with every leaf replaced by tests of the candidate's action, which compute the same as ``value_of``."""
    nodes: list[Node] = []
    for position, node in enumerate(tree.symbols):
        if not isinstance(node, str):
            nodes.append(node)
            continue
        wanted = preferences(tree, position)
        for place, name in enumerate(wanted):
            nodes += [Comparison(action_sensor(name), ">", 0.5), float(len(wanted) - place)]
        nodes.append(0.0)
    return decision_tree(nodes)


@dataclass(frozen=True, slots=True)
class Visit:
    """A visit to a node, with the value that was tested and the branch that was taken; for a leaf, 0.0 and −1.

    Attributes:
        position: the position of the node in its tree.
        seen: the value of the feature, or the random number.
    """

    position: int
    node: Node
    seen: float = 0.0
    branch: int = -1


def trace(tree: DecisionTree, env: Mapping[str, float], random: Callable[[], float]) -> list[Visit]:
    """The visits to the nodes from the root to the leaf that decides.

    Args:
        tree: the decision tree.
        env: the value of every feature on the path.
        random: returns a random number in [0, 1) for each chance on the path.

    Raises:
        KeyError: a node tests a feature that is not in ``env``.
    """
    visits: list[Visit] = []
    position = 0
    while not isinstance(node := tree.symbols[position], Leaf):
        seen = sensed(node.feature, env.__getitem__) if node.feature else random()
        branch = node.branch(seen)
        visits.append(Visit(position, node, seen, branch))
        position = list(tree.children(position))[branch]
    return [*visits, Visit(position, node)]


def evaluate(tree: DecisionTree, env: Mapping[str, float], random: Callable[[], float]) -> Any:
    """The value of the leaf that a tree reaches; if the leaf names an action, the value of the candidate at that leaf.

    If the leaf is a name and ``env`` has no candidates, the result is the name. The arguments are the same as for
    ``trace``.
    """
    last = trace(tree, env, random)[-1]
    if isinstance(last.node, str) and action_sensor(last.node) not in env:
        return last.node
    return last.node if isinstance(last.node, float) else value_of(tree, last.position, env)


def node_values(
    tree: DecisionTree, env: Mapping[str, float], random: Callable[[], float]
) -> dict[int, float]:
    """The values that the nodes on the path tested, by position; for the leaf, its value or the candidate's value."""
    *way, last = trace(tree, env, random)
    value = last.node if isinstance(last.node, float) else value_of(tree, last.position, env)
    return {**{visit.position: visit.seen for visit in way}, last.position: value}

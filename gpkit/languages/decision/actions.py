"""Trees whose leaves name actions: the order in which they want them, and the same as values of candidates.

Such a tree is asked once. The action of the leaf that it comes to is taken; where that is not legal, the nearest other
leaf is asked: those of the sibling branches, from left to right, then those beside the parent, and so on up to the
root. Where no leaf names a legal action, the game takes its first.
"""

from collections.abc import Mapping

from gpkit.core.primitives import action_sensor
from gpkit.genomes.decision import DecisionTree, Node, Test, decision_tree


def preferences(tree: DecisionTree, position: int) -> tuple[str, ...]:
    """The actions that a leaf wants, the best first; each stands there once.

    >>> from gpkit.genomes.decision import inner, leaf
    >>> low = inner(Test("b", "<", 2.0), leaf("drone"), leaf("queen"))
    >>> tree = inner(Test("a", "<", 1.0), low, inner(Test("c", "<", 1.0), leaf("drone"), leaf("wait")))
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
    """The value of a candidate at a leaf: the higher, the earlier the leaf wants it; 0 if it never does.

    Raises:
        KeyError: ``env`` does not say which action the candidate is.
    """
    wanted = preferences(tree, position)
    places = (place for place, name in enumerate(wanted) if env[action_sensor(name)] > 0.5)
    return float(len(wanted) - next(places, len(wanted)))


def valued(tree: DecisionTree) -> DecisionTree:
    """The tree with, in place of every leaf, tests of the action that the candidate is, which come to ``value_of``."""
    nodes: list[Node] = []
    for position, node in enumerate(tree.symbols):
        if not isinstance(node, str):
            nodes.append(node)
            continue
        wanted = preferences(tree, position)
        for place, name in enumerate(wanted):
            nodes += [Test(action_sensor(name), ">", 0.5), float(len(wanted) - place)]
        nodes.append(0.0)
    return decision_tree(nodes)

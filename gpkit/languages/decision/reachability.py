"""Reachable branches of a decision tree: intervals of the features along every way from the root.

``simplify`` gives smaller trees that come to the same leaf value for all inputs and random numbers.
"""

from collections.abc import Iterator, Mapping, Sequence

from gpkit.core.primitives import Sensor
from gpkit.genomes.comparisons import Comparison, Range
from gpkit.genomes.decision import Chance, DecisionTree, Inner, Leaf, Switch, inner

Known = Mapping[str, Range]
"""The values that features can have at a node, of those that a test or their bounds say something about."""


def bounds_of(sensors: Sequence[Sensor]) -> Known:
    """Values of features at the root: the bounds of the sensors."""
    return {each.name: Range(float(each.low), float(each.high), each.integer) for each in sensors}


def after(known: Known, node: Inner, branch: int) -> Known | None:
    """Values of features in a branch of a node; None where no value of the feature leads there."""
    if isinstance(node, Chance):
        never = 0 if node.probability <= 0.0 else 1 if node.probability >= 1.0 else -1
        return None if branch == never else known
    found = known.get(node.feature, Range())
    if isinstance(node, Comparison):
        found = found.within(node if branch == 0 else node.opposite)
    else:
        if branch > 0:
            found = found.among(Comparison(node.feature, ">=", node.bounds[branch - 1]))
        if branch < len(node.bounds):
            found = found.among(Comparison(node.feature, "<", node.bounds[branch]))
    return None if found.is_empty else {**known, node.feature: found}


def knowledge(tree: DecisionTree, sensors: Sequence[Sensor]) -> list[Known | None]:
    """The knowledge at every node by position; None where no inputs within the bounds of the sensors lead."""
    found: list[Known | None] = [None] * len(tree)
    found[0] = bounds_of(sensors)
    for position, node in tree.inner:
        known = found[position]
        if known is not None:
            for branch, child in enumerate(tree.children(position)):
                found[child] = after(known, node, branch)
    return found


def unreached(tree: DecisionTree, sensors: Sequence[Sensor]) -> frozenset[int]:
    """The positions of the nodes that no inputs lead to."""
    return frozenset(position for position, known in enumerate(knowledge(tree, sensors)) if known is None)


def first_unreached(tree: DecisionTree, sensors: Sequence[Sensor]) -> Iterator[tuple[int, Inner]]:
    """The roots of the branches that no inputs lead to, and the node above each."""
    found = knowledge(tree, sensors)
    for position, node in tree.inner:
        if found[position] is not None:
            for child in tree.children(position):
                if found[child] is None:
                    yield child, node


def simplify(tree: DecisionTree, sensors: Sequence[Sensor] = ()) -> DecisionTree:
    """The tree without branches that no inputs within the bounds of the sensors reach, and without idle nodes.

    An idle node has equal branches. A chance stays if another one is below it, which would draw another number.
    """
    return _simpler(tree, 0, bounds_of(sensors))


def _simpler(tree: DecisionTree, position: int, known: Known) -> DecisionTree:
    node = tree.symbols[position]
    if isinstance(node, Leaf):
        return tree.subtree(position)
    branches: list[DecisionTree] = []
    numbers: list[int] = []
    for number, child in enumerate(tree.children(position)):
        inside = after(known, node, number)
        if inside is not None:
            branches.append(_simpler(tree, child, inside))
            numbers.append(number)
    if isinstance(node, Chance):
        return _chance(tree, position, node, branches)
    return _joined(node, numbers, branches)


def _chance(tree: DecisionTree, position: int, node: Chance, branches: list[DecisionTree]) -> DecisionTree:
    """A chance over the branches that can be reached."""
    if not branches[0].draws and all(branch == branches[0] for branch in branches):
        return branches[0]
    if len(branches) == 2:
        return inner(node, *branches)
    yes, no = (tree.subtree(child) for child in tree.children(position))
    kept = branches[0]
    return inner(node, kept, no) if node.probability >= 1.0 else inner(node, yes, kept)


def _joined(node: Inner, numbers: list[int], branches: list[DecisionTree]) -> DecisionTree:
    """A test or switch over the branches that can be reached, neighbouring equal ones as one."""
    kept = [k for k in range(len(branches)) if k == 0 or branches[k] != branches[k - 1]]
    if len(kept) == 1:
        return branches[0]
    if isinstance(node, Switch):
        bounds = tuple(node.bounds[numbers[k] - 1] for k in kept[1:])
        if len(bounds) == 1:
            return inner(Comparison(node.feature, "<", bounds[0]), *(branches[k] for k in kept))
        return inner(Switch(node.feature, bounds), *(branches[k] for k in kept))
    return inner(node, *branches)

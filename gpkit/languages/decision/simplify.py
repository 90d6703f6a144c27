"""Smaller decision trees that come to the same leaf value for all inputs and random numbers."""

from collections.abc import Sequence

from gpkit.core.primitives import Sensor
from gpkit.genomes.decision import Chance, DecisionTree, Inner, Leaf, Switch, Test, inner
from gpkit.languages.decision.reachability import Known


def simplify(tree: DecisionTree, sensors: Sequence[Sensor] = ()) -> DecisionTree:
    """The tree without branches that no inputs within the bounds of the sensors reach, and without idle nodes.

    An idle node has equal branches. A chance stays if another one is below it, which would draw another number.
    """
    return _simpler(tree, 0, Known.of(sensors))


def _simpler(tree: DecisionTree, position: int, known: Known) -> DecisionTree:
    node = tree.symbols[position]
    if isinstance(node, Leaf):
        return tree.subtree(position)
    branches: list[DecisionTree] = []
    numbers: list[int] = []
    for number, child in enumerate(tree.children(position)):
        after = known.after(node, number)
        if after is not None:
            branches.append(_simpler(tree, child, after))
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
            return inner(Test(node.feature, "<", bounds[0]), *(branches[k] for k in kept))
        return inner(Switch(node.feature, bounds), *(branches[k] for k in kept))
    return inner(node, *branches)

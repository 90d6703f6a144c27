"""Finds branches of decision trees that no inputs reach, and makes trees smaller.

``simplify`` returns smaller trees that reach the same leaf value for all inputs and random numbers.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from gpkit.core.primitives import Sensor
from gpkit.genomes.comparisons import Comparison, Range, ranges_of
from gpkit.genomes.decision import Chance, DecisionTree, Inner, Leaf, Switch, inner
from gpkit.genomes.tree import Computed
from gpkit.langkit.formulas import simpler

Known = Mapping[str, Range]
"""The possible values of the features at a node, for those features that tests or bounds restrict."""


def after(known: Known, node: Inner, branch: int) -> Known | None:
    """The possible values of features in a branch of a node; None if no value of the feature leads there."""
    if isinstance(node, Chance):
        never = 0 if node.probability <= 0.0 else 1 if node.probability >= 1.0 else -1
        return None if branch == never else known
    if isinstance(node.feature, Computed):
        return known  # its value may be NaN, for which a range says nothing
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
    """The possible values of features at every node, by position; None for nodes that no inputs within bounds reach."""
    found: list[Known | None] = [None] * len(tree)
    found[0] = ranges_of(sensors)
    for position, node in tree.inner:
        known = found[position]
        if known is not None:
            for branch, child in enumerate(tree.children(position)):
                found[child] = after(known, node, branch)
    return found


def unreached(tree: DecisionTree, sensors: Sequence[Sensor]) -> frozenset[int]:
    """The positions of the nodes that no inputs reach."""
    return frozenset(position for position, known in enumerate(knowledge(tree, sensors)) if known is None)


def first_unreached(tree: DecisionTree, sensors: Sequence[Sensor]) -> Iterator[tuple[int, Inner]]:
    """Yield the root of each branch that no inputs reach, and the node above it."""
    found = knowledge(tree, sensors)
    for position, node in tree.inner:
        if found[position] is not None:
            for child in tree.children(position):
                if found[child] is None:
                    yield child, node


def simplify(tree: DecisionTree, sensors: Sequence[Sensor] = ()) -> DecisionTree:
    """The tree without idle nodes and without branches that no inputs within the sensors' bounds reach.

    An idle node has equal branches. A chance stays if there is another chance below it, which would otherwise draw a
    different number.
    """
    return _simpler(tree, 0, ranges_of(sensors))


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
    return (
        _chance(tree, position, node, branches)
        if isinstance(node, Chance)
        else _joined(node, numbers, branches)
    )


def _chance(tree: DecisionTree, position: int, node: Chance, branches: list[DecisionTree]) -> DecisionTree:
    """A simplified chance, which keeps the branches that it can reach."""
    if not branches[0].draws and all(branch == branches[0] for branch in branches):
        return branches[0]
    if len(branches) == 2:
        return inner(node, *branches)
    yes, no = (tree.subtree(child) for child in tree.children(position))
    kept = branches[0]
    return inner(node, kept, no) if node.probability >= 1.0 else inner(node, yes, kept)


def _joined(node: Comparison | Switch, numbers: list[int], branches: list[DecisionTree]) -> DecisionTree:
    """A simplified test or switch, with the branches that it can reach; equal neighbouring branches are merged."""
    kept = [k for k in range(len(branches)) if k == 0 or branches[k] != branches[k - 1]]
    if len(kept) == 1:
        return branches[0]
    node = replace(node, feature=simpler(node.feature))
    if isinstance(node, Switch):
        bounds = tuple(node.bounds[numbers[k] - 1] for k in kept[1:])
        if len(bounds) == 1:
            return inner(Comparison(node.feature, "<", bounds[0]), *(branches[k] for k in kept))
        return inner(Switch(node.feature, bounds), *(branches[k] for k in kept))
    return inner(node, *branches)

"""Reachable branches of a decision tree: intervals of the features along every way from the root.

``simplify`` gives smaller trees that come to the same leaf value for all inputs and random numbers.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gpkit.core.primitives import Sensor
from gpkit.genomes.decision import Chance, DecisionTree, Inner, Leaf, Node, Switch, Test, inner

Interval = tuple[float, float]
"""The least and the greatest value that a feature can have; below its least value there is none."""

EVERYTHING = (-math.inf, math.inf)


@dataclass(frozen=True, slots=True)
class Known:
    """Knowledge of the features at a node.

    Attributes:
        intervals: of the features that a test or their bounds say something about.
        whole: the features that have no fraction.
    """

    intervals: Mapping[str, Interval]
    whole: frozenset[str]

    @classmethod
    def of(cls, sensors: Sequence[Sensor]) -> "Known":
        """Knowledge at the root: the bounds of the sensors."""
        bounds = {sensor.name: (float(sensor.low), float(sensor.high)) for sensor in sensors}
        return cls(bounds, frozenset(sensor.name for sensor in sensors if sensor.integer))

    def after(self, node: Inner, branch: int) -> "Known | None":
        """Knowledge in a branch of a node; None where no value of the feature leads there."""
        if isinstance(node, Chance):
            never = 0 if node.probability <= 0.0 else 1 if node.probability >= 1.0 else -1
            return None if branch == never else self
        low, high = self.intervals.get(node.feature, EVERYTHING)
        if isinstance(node, Switch):
            if branch > 0:
                low = max(low, node.bounds[branch - 1])
            if branch < len(node.bounds):
                high = min(high, _below(node.bounds[branch]))
        elif node.comparison in ("==", "!="):
            low, high = self._after_equality(low, high, node, branch)
        elif (branch == 0) == (node.comparison in ("<=", "<")):
            high = min(high, node.threshold if node.comparison in ("<=", ">") else _below(node.threshold))
        else:
            low = max(low, node.threshold if node.comparison in (">=", "<") else _above(node.threshold))
        if node.feature in self.whole and low <= high:
            low = float(math.ceil(low)) if math.isfinite(low) else low
            high = float(math.floor(high)) if math.isfinite(high) else high
        if not low <= high:
            return None
        return Known({**self.intervals, node.feature: (low, high)}, self.whole)

    def _after_equality(self, low: float, high: float, node: Test, branch: int) -> Interval:
        """The interval where the feature is the threshold, or is not."""
        if (branch == 0) == (node.comparison == "=="):
            return max(low, node.threshold), min(high, node.threshold)
        if low == node.threshold:
            low = _above(low)
        if high == node.threshold:
            high = _below(high)
        return low, high


def _below(number: float) -> float:
    """The next double below."""
    return math.nextafter(number, -math.inf)


def _above(number: float) -> float:
    """The next double above."""
    return math.nextafter(number, math.inf)


def knowledge(tree: DecisionTree, sensors: Sequence[Sensor]) -> list[Known | None]:
    """The knowledge at every node by position; None where no inputs within the bounds of the sensors lead."""
    found: list[Known | None] = [None] * len(tree)
    found[0] = Known.of(sensors)
    for position, node in enumerate(tree.symbols):
        known = found[position]
        if known is not None and not isinstance(node, Leaf):
            for branch, child in enumerate(tree.children(position)):
                found[child] = known.after(node, branch)
    return found


def unreached(tree: DecisionTree, sensors: Sequence[Sensor]) -> frozenset[int]:
    """The positions of the nodes that no inputs lead to."""
    return frozenset(position for position, known in enumerate(knowledge(tree, sensors)) if known is None)


def first_unreached(tree: DecisionTree, sensors: Sequence[Sensor]) -> Iterator[tuple[int, Node]]:
    """The roots of the branches that no inputs lead to, and the node above each."""
    found = knowledge(tree, sensors)
    for position, node in enumerate(tree.symbols):
        if found[position] is not None:
            for child in tree.children(position):
                if found[child] is None:
                    yield child, node


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

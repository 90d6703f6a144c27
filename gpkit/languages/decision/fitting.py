"""Decision trees fitted to rows: the best leaves for a tree, the best tests for its leaves, and trees that are grown.

While trees evolve their leaves are left open: each is what is best for its rows, so only tests are varied.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Floats
from gpkit.evolution.fitting import FittingProblem, Loss, Sample, evaluations_of
from gpkit.evolution.individual import Evaluation
from gpkit.genomes.comparisons import Comparison, Sign
from gpkit.genomes.decision import DecisionProgram, DecisionTree, Leaf, decision_tree
from gpkit.genomes.tree import replace_subtree
from gpkit.languages.decision.kernel.cuts import CHANGED, RIGHT, SPREAD, Cut, Marked, best_cut
from gpkit.languages.decision.reachability import simplify
from gpkit.languages.decision.rows import leaf_places

OPEN = 0.0
"""A leaf whose value is what is best for its rows."""

MOST_ROWS = 20_000
"""Rows by which tests are found; of more, every so many-th is looked at."""

LEAST_GAIN = 1e-12
"""The share of the spread that a test has to take away."""


def named(tree: DecisionTree, leaves: Sequence[Leaf]) -> DecisionTree:
    """The tree with other leaves, from left to right."""
    given, nodes = iter(leaves), zip(tree.symbols, tree.sizes, strict=True)
    return DecisionTree(tuple(next(given) if size == 1 else node for node, size in nodes), tree.sizes)


def opened(program: DecisionProgram) -> DecisionProgram:
    """The program with all of its leaves open."""
    (tree,) = program.trees
    return replace(program, trees=(named(tree, [OPEN] * len(tree.leaves)),))


def pruned(tree: DecisionTree) -> DecisionTree:
    """The tree without tests that come to equal leaves, or to one that no number reaches; NaN come to the same leaves.

    Tests by other signs than ``<=`` and ``>`` are not opposites for NaN, so a tree with such tests stays.
    """
    if all(isinstance(node, Comparison) and node.sign in ("<=", ">") for _, node in tree.inner):
        return simplify(tree)
    return tree


def threshold(low: float, high: float) -> float:
    """A number of the fewest digits from ``low`` on, below ``high``, near the middle.

    >>> threshold(2.4, 2.9), threshold(0.1, 1e6), threshold(1.0, 2.0)
    (2.6, 500000.0, 1.5)
    """
    middle = low / 2.0 + high / 2.0
    for digits in range(1, 18):
        found = float(f"{middle:.{digits}g}")
        if low <= found < high:
            return found + 0.0
    return low + 0.0


@dataclass(frozen=True, slots=True, eq=False)
class TreeFitting(FittingProblem[DecisionProgram]):
    """Fit trees to a sample; the score is the share of the loss of the best constant that a tree saves.

    Losses are squares where numbers are predicted, and the weights of rows in a wrong class.

    Attributes:
        sample: the rows; columns may have NaN.
        blocks: parts of the rows, which are cases of their own where there are several; 0 for the classes.
        classes: their names; empty where numbers are predicted.
    """

    classes: tuple[str, ...] = ()
    seconds = (1e-4, 2e-8)

    def measured(self, genomes: Sequence[DecisionProgram]) -> list[Evaluation]:
        """The evaluation of each program, whatever the others are."""
        sample, blocks = self.sample, self.blocks or len(self.classes)
        places = np.arange(len(sample.targets)) % blocks
        block = places if self.blocks else sample.targets.astype(np.int64)
        whole = float(losses_of(DecisionTree((OPEN,), (1,)), sample, self.loss).sum()) or 1.0
        losses = np.array(
            [np.bincount(block, losses_of(one.trees[0], sample, self.loss), blocks) for one in genomes]
        )
        found = evaluations_of(losses, whole)
        if self.blocks:
            return found
        right = 1.0 - losses / np.maximum(
            np.bincount(block, sample.weights, blocks), np.finfo(np.float64).tiny
        )
        return [each._replace(cases=tuple(one)) for each, one in zip(found, right.tolist(), strict=True)]

    def fitted(self, genome: DecisionProgram) -> DecisionProgram:
        """The program with tests that are better for its leaves; itself where none are.

        The method of M. Carreira-Perpiñán and P. Tavallali, "Alternating optimization of decision trees", 2018: from
        below, each test is made the best one for the rows that come to it, with the branches as they are.
        """
        (tree,) = genome.trees
        rows = TestRows(self.sample, self.loss)
        features = range(len(self.sample.inputs))
        least = self._loss(tree)
        for _ in range(self.steps):
            found = tree
            for position in reversed(range(len(tree))):
                if isinstance(found.symbols[position], Comparison):
                    found = rows.retested(found, position, features)
            loss = self._loss(found)
            if not loss < least:
                break
            tree, least = found, loss
        return replace(genome, trees=(tree,))

    def written(self, genome: DecisionProgram) -> DecisionProgram:
        """The program whose leaves are the best for their rows: means, or names of classes."""
        (tree,) = genome.trees
        _, values = leaves_of(tree, self.sample, self.loss)
        leaves: list[Leaf] = [self.classes[int(v)] if self.classes else float(v) + 0.0 for v in values]
        return replace(genome, trees=(pruned(named(tree, leaves)),))

    def _loss(self, tree: DecisionTree) -> float:
        return float(losses_of(tree, self.sample, self.loss).sum())


def leaves_of(tree: DecisionTree, sample: Sample, loss: Loss) -> tuple[NDArray[np.int64], Floats]:
    """Of each row the number of its leaf, int64 (rows,), and of each leaf, from left to right, the best value."""
    positions = tree.ends
    leaf = np.searchsorted(positions, leaf_places(tree, sample.inputs, sample.columns))
    count, weights, targets = len(positions), sample.weights, sample.targets
    if loss == "squares":
        mass = np.bincount(leaf, weights, count)
        sums = np.bincount(leaf, weights * targets, count)
        whole = float(sums.sum() / mass.sum())
        means: Floats = np.where(mass > 0.0, sums / np.where(mass > 0.0, mass, 1.0), whole)
        return leaf, means
    places = targets.astype(np.int64)
    classes = int(places.max()) + 1
    table = np.bincount(leaf * classes + places, weights, count * classes).reshape(count, classes)
    table[~table.any(axis=1)] = table.sum(axis=0)
    return leaf, table.argmax(axis=1).astype(np.float64)


def losses_of(tree: DecisionTree, sample: Sample, loss: Loss) -> Floats:
    """The weighted loss of each row: float64 (rows,)."""
    leaf, values = leaves_of(tree, sample, loss)
    return _losses(values[leaf], sample.targets, sample.weights, loss)


def _losses(predicted: Floats, targets: Floats, weights: Floats, loss: Loss) -> Floats:
    errors: Floats = (predicted - targets) ** 2 if loss == "squares" else predicted != targets
    return weights * errors


class TestRows:
    """Rows by which tests are found.

    Attributes:
        sample: the rows, at most ``MOST_ROWS``.
        order: int64 (inputs, rows): of each column its rows by their values, NaN last.
        marks: float64 (rows, classes or 1): the weight of a row in the column of its class, or weight times target.
    """

    __slots__ = ("loss", "marks", "order", "sample")
    __test__ = False

    def __init__(self, sample: Sample, loss: Loss) -> None:
        """The rows of a sample."""
        count = len(sample.targets)
        if count > MOST_ROWS:
            sample = sample.part(np.arange(count) % -(-count // MOST_ROWS) == 0)
        self.sample, self.loss = sample, loss
        self.order = np.argsort(sample.columns, axis=1, kind="stable")
        if loss == "squares":
            mean = np.average(sample.targets, weights=sample.weights)
            self.marks = (sample.weights * (sample.targets - mean))[:, None]
        else:
            self.marks = np.eye(int(sample.targets.max()) + 1)[sample.targets.astype(np.int64)]
            self.marks *= sample.weights[:, None]

    def retested(self, tree: DecisionTree, position: int, features: Sequence[int]) -> DecisionTree:
        """The tree with the best test at a position for its branches, or for two leaves the one that parts rows best.

        Args:
            tree: whose test it is.
            position: of a comparison.
            features: places of the inputs that are looked at.
        """
        inside = self.inside(tree, position)
        if not inside.any():
            return tree
        if tree.sizes[position] == 3:
            found = self.parting(inside, features, SPREAD if self.loss == "squares" else RIGHT)
        else:
            _, values = leaves_of(tree, self.sample, self.loss)
            yes, no = (self._through(tree, child, values, inside) for child in tree.children(position))
            found = self._best(inside, features, CHANGED, (yes - no)[:, None])
        if found is None:
            return tree
        symbols = (*tree.symbols[:position], self._test(found), *tree.symbols[position + 1 :])
        return DecisionTree(symbols, tree.sizes)

    def _through(self, tree: DecisionTree, child: int, values: Floats, inside: NDArray[np.bool_]) -> Floats:
        """The losses of the rows inside if they all went to a child, float64 (rows,); 0 of others."""
        sample, branch = self.sample, tree.subtree(child)
        before = tree.sizes[:child].count(1)
        there = leaf_places(branch, sample.inputs, sample.columns[:, inside])
        predicted = values[before + np.searchsorted(branch.ends, there)]
        losses = np.zeros(len(inside))
        losses[inside] = _losses(predicted, sample.targets[inside], sample.weights[inside], self.loss)
        return losses

    def parting(self, inside: NDArray[np.bool_], features: Sequence[int], kind: int) -> Cut | None:
        """The cut that parts rows best; None without one that gains anything.

        Args:
            inside: the rows, bool (rows,).
            features: places of the inputs that are looked at.
            kind: what a leaf keeps of its rows, ``SPREAD`` or ``RIGHT``.
        """
        found = self._best(inside, features, kind, self.marks)
        return None if found is None or found.gain <= LEAST_GAIN * abs(found.without) else found

    def _best(
        self, inside: NDArray[np.bool_], features: Sequence[int], kind: int, marks: Floats
    ) -> Cut | None:
        """The cut with the greatest gain, of the first feature of equals; None where no column tells rows apart."""
        sample = self.sample
        rows = Marked(self.order, sample.columns, sample.weights, marks)
        total, mass = marks[inside].sum(axis=0), float(sample.weights[inside].sum())
        places, sums = np.array(features, dtype=np.int64), np.empty((2, len(total)))
        found = Cut(*best_cut(rows, inside, places, kind, total, mass, sums))
        return found if found.feature >= 0 else None

    def _test(self, cut: Cut) -> Comparison:
        sign: Sign = ">" if cut.is_turned else "<="
        return Comparison(self.sample.inputs[cut.feature], sign, threshold(cut.low, cut.high))

    @property
    def all(self) -> NDArray[np.bool_]:
        """All rows: bool (rows,)."""
        return np.ones(len(self.sample.targets), dtype=np.bool_)

    def inside(self, tree: DecisionTree, position: int) -> NDArray[np.bool_]:
        """Whether each row comes to a position of a tree: bool (rows,)."""
        there = leaf_places(tree, self.sample.inputs, self.sample.columns)
        found: NDArray[np.bool_] = (there >= position) & (there < position + tree.sizes[position])
        return found

    def grown(
        self, rng: np.random.Generator, inside: NDArray[np.bool_], leaves: int, share: float, depth: int
    ) -> DecisionTree:
        """A tree that is grown from a leaf: again and again the leaf is parted that gains the most.

        L. Breiman and others, "Classification and Regression Trees", 1984; with random features for each leaf, "Random
        Forests", 2001.

        Args:
            rng: draws the features.
            inside: the rows that come to it, bool (rows,).
            leaves: the most leaves.
            share: of the features that are looked at for a leaf, from 0 (one) to 1 (all).
            depth: the most levels.
        """
        count = len(self.sample.inputs)
        drawn = max(1, round(share * count))

        def offer(inside: NDArray[np.bool_], level: int) -> Cut | None:
            features = sorted(rng.permutation(count)[:drawn].tolist()) if drawn < count else range(count)
            return self.parting(inside, features, SPREAD) if level < depth and inside.any() else None

        tree = DecisionTree((OPEN,), (1,))
        open_leaves = [(inside, 1, offer(inside, 1))]  # of the tree, from left to right
        while len(open_leaves) < leaves:
            number = max(
                range(len(open_leaves)),
                key=lambda k: -1.0 if (cut := open_leaves[k][2]) is None else cut.gain,
            )
            here, level, found = open_leaves[number]
            if found is None:
                break
            test = self._test(found)
            yes = here & (self.sample.columns[found.feature] <= test.threshold)
            both = [(part, level + 1, offer(part, level + 1)) for part in (yes, here & ~yes)]
            open_leaves[number : number + 1] = both
            tree = replace_subtree(tree, tree.ends[number], decision_tree([test, OPEN, OPEN]))
        return tree

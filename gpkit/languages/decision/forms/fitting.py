"""Fits decision trees to the rows of a table; the trees predict numbers or classes.

While trees evolve, their leaves stay open: only tests vary, and each leaf takes the best value for its rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from gpkit.core.arrays import Flags, Floats, Ints
from gpkit.core.rng import below
from gpkit.evolution.fitting import FittingProblem, Loss, Sample, evaluations_of
from gpkit.evolution.problem import Evaluation
from gpkit.evolution.section_operators import check_room
from gpkit.genomes.comparisons import Comparison, Sign, features_of
from gpkit.genomes.decision import DecisionDomain, DecisionProgram, DecisionTree, Leaf, decision_tree
from gpkit.genomes.tree import LONE_SECTION, Variant, replace_subtree
from gpkit.languages.decision.compiler import classify, leaf_places
from gpkit.languages.decision.forms.evolution import (
    DecisionRepresentation,
    DecisionSettings,
    check_columns,
    check_words,
)
from gpkit.languages.decision.kernel.trees import CHANGED, RIGHT, SPREAD, Cut, Marked, best_cut
from gpkit.languages.decision.simplify import simplify

OPEN = 0.0
"""An open leaf, which takes the best value for its rows."""

MOST_ROWS = 20_000
"""The maximum number of rows that are used to find tests; from a larger sample, evenly spaced rows are used."""

LEAST_GAIN = 1e-12
"""The minimum gain of a test, relative to the spread without the test."""


def named(tree: DecisionTree, leaves: Sequence[Leaf]) -> DecisionTree:
    """The tree with its leaves replaced by the given leaves, from left to right."""
    given, nodes = iter(leaves), zip(tree.symbols, tree.sizes, strict=True)
    return DecisionTree(tuple(next(given) if size == 1 else node for node, size in nodes), tree.sizes)


def opened(program: DecisionProgram) -> DecisionProgram:
    """The program with all leaves open."""
    (tree,) = program.trees
    return replace(program, trees=(named(tree, [OPEN] * len(tree.leaves)),))


def pruned(tree: DecisionTree) -> DecisionTree:
    """The tree without branches that no number reaches and without tests between equal leaves.

    A row with NaN still reaches the same leaf value. Tests with operators other than ``<=`` and ``>`` treat NaN
    differently, so a tree with such tests remains unchanged.
    """
    if all(isinstance(node, Comparison) and node.sign in ("<=", ">") for _, node in tree.inner):
        return simplify(tree)
    return tree


def threshold(low: float, high: float) -> float:
    """A number with few digits near the middle between two numbers; it is at least ``low`` and below ``high``.

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
    """Fits trees to a sample. A tree's score is the fraction by which it reduces the loss of the best constant.

    For numbers, losses are squared errors; for classes, they are the weights of misclassified rows.

    Attributes:
        sample: the rows; columns may contain NaN.
        blocks: the number of blocks into which the rows are divided as separate cases; with 0, the classes are the
            cases.
        classes: the names of the classes; empty for trees that predict numbers.
    """

    classes: tuple[str, ...] = ()
    seconds = (1e-4, 2e-8)

    def measured(self, genomes: Sequence[DecisionProgram]) -> list[Evaluation]:
        """The evaluation of each program, which does not depend on the other programs."""
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
        """The program with better tests for its leaves; the same program if no better tests are found.

        The method comes from M. Carreira-Perpiñán and P. Tavallali, "Alternating optimization of decision trees", 2018:
        from the bottom up, it replaces each test with the best test for the rows that reach it, without changing its
        branches.
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
        """The program with the best leaves for the rows: means, or names of classes."""
        (tree,) = genome.trees
        _, values = leaves_of(tree, self.sample, self.loss)
        leaves: list[Leaf] = [self.classes[int(v)] if self.classes else float(v) + 0.0 for v in values]
        return replace(genome, trees=(pruned(named(tree, leaves)),))

    def _loss(self, tree: DecisionTree) -> float:
        return float(losses_of(tree, self.sample, self.loss).sum())


def leaves_of(tree: DecisionTree, sample: Sample, loss: Loss) -> tuple[Ints, Floats]:
    """The number of the leaf for each row, int64 (rows,), and the best value of each leaf, float64 (leaves,)."""
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
    """The rows that are used to find tests.

    Attributes:
        sample: the rows, at most ``MOST_ROWS``.
        order: int64 (inputs, rows): for each column, the rows sorted by their values, NaN last.
        marks: float64 (rows, classes or 1): the weight of a row in the column of its class, or the
            weight times the deviation of the row's target from the mean.
    """

    __slots__ = ("loss", "marks", "order", "sample")
    __test__ = False

    def __init__(self, sample: Sample, loss: Loss) -> None:
        """Select at most ``MOST_ROWS`` rows of a sample."""
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
        """The tree with the best test at a position; above two leaves, that is the test that best separates the rows.

        Args:
            tree: the tree.
            position: the position of a comparison.
            features: the indexes of the inputs to try.
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
        return DecisionTree(
            (*tree.symbols[:position], self._test(found), *tree.symbols[position + 1 :]), tree.sizes
        )

    def _through(self, tree: DecisionTree, child: int, values: Floats, inside: Flags) -> Floats:
        """The losses of the rows ``inside`` if all of them went to this child, float64 (rows,); 0 for other rows."""
        sample, branch = self.sample, tree.subtree(child)
        before = tree.sizes[:child].count(1)
        there = leaf_places(branch, sample.inputs, sample.columns[:, inside])
        predicted = values[before + np.searchsorted(branch.ends, there)]
        losses = np.zeros(len(inside))
        losses[inside] = _losses(predicted, sample.targets[inside], sample.weights[inside], self.loss)
        return losses

    def parting(self, inside: Flags, features: Sequence[int], kind: int) -> Cut | None:
        """The cut that best separates the rows; None if no cut gains anything.

        Args:
            inside: the rows, bool (rows,).
            features: the indexes of the inputs to try.
            kind: the measure of a leaf, ``SPREAD`` or ``RIGHT``.
        """
        found = self._best(inside, features, kind, self.marks)
        return None if found is None or found.gain <= LEAST_GAIN * abs(found.without) else found

    def _best(self, inside: Flags, features: Sequence[int], kind: int, marks: Floats) -> Cut | None:
        """The cut with the greatest gain, or the first of several; None if the rows are equal in all columns."""
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
    def all(self) -> Flags:
        """A mask that selects all rows, bool (rows,)."""
        return np.ones(len(self.sample.targets), dtype=np.bool_)

    def inside(self, tree: DecisionTree, position: int) -> Flags:
        """Whether each row reaches a position in a tree: bool (rows,)."""
        there = leaf_places(tree, self.sample.inputs, self.sample.columns)
        found: Flags = (there >= position) & (there < position + tree.sizes[position])
        return found

    def grown(
        self, rng: np.random.Generator, inside: Flags, leaves: int, share: float, depth: int
    ) -> DecisionTree:
        """A tree grown from one leaf: each step splits the leaf whose split gains the most.

        L. Breiman and others, "Classification and Regression Trees", 1984; with random features for each leaf, "Random
        Forests", 2001.

        Args:
            rng: draws the features.
            inside: the rows that reach the leaf, bool (rows,).
            leaves: the maximum number of leaves.
            share: the fraction of the features to try for each leaf, from 0 (a single feature) to 1 (all features).
            depth: the maximum number of levels.
        """
        count = len(self.sample.inputs)
        drawn = max(1, round(share * count))

        def offer(inside: Flags, level: int) -> Cut | None:
            features = sorted(rng.permutation(count)[:drawn].tolist()) if drawn < count else range(count)
            return self.parting(inside, features, SPREAD) if level < depth and inside.any() else None

        tree = DecisionTree((OPEN,), (1,))
        open_leaves = [(inside, 1, offer(inside, 1))]  # from left to right
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


SETTINGS = DecisionSettings(low_depth=1, high_depth=4, max_depth=12, max_leaves=None)
"""Settings for fitting; the size limit determines the maximum number of leaves."""

MOST_LEAVES = 64
"""The number of leaves of the largest trees in the first generation, if there is no limit."""


@dataclass(frozen=True, slots=True)
class FittedTrees(DecisionRepresentation):
    """Trees with open leaves, grown from rows.

    Attributes:
        rows: the rows that are used to find tests.
    """

    rows: TestRows = field(kw_only=True)
    without = ()

    @property
    def leaves(self) -> int:
        """The maximum number of leaves in a tree."""
        limits = (self.settings.max_leaves, None if self.max_size is None else (self.max_size + 1) // 2)
        return min([limit for limit in limits if limit is not None], default=MOST_LEAVES)

    def create(self, rng: np.random.Generator, index: int) -> DecisionProgram:
        """A grown tree; the first trees, one of each size, try all features, and later trees try random features."""
        most = self.leaves
        share = 1.0 if index < most else float(rng.random())
        return self._program(
            self.rows.grown(rng, self.rows.all, most - index % most, share, self.settings.max_depth)
        )

    def simplify(self, genome: DecisionProgram) -> DecisionProgram:
        """A program, perhaps smaller, with which all rows reach the same leaves."""
        (tree,) = genome.trees
        each = pruned(named(tree, [float(number) for number in range(len(tree.leaves))]))
        return opened(self._program(each)) if len(each) < len(tree) else genome

    def regrown(self, rng: np.random.Generator, tree: DecisionTree) -> Variant[DecisionTree]:
        """The tree with a new branch at a random position, grown from the rows that reach that position."""
        position = below(rng, len(tree))
        inside = self.rows.inside(tree, position)
        leaves = 1 + below(rng, 2 + len(tree.subtree(position).leaves))
        depth = max(1, self.settings.max_depth - tree.depths[position] + 1)
        return Variant(
            replace_subtree(tree, position, self.rows.grown(rng, inside, leaves, float(rng.random()), depth)),
            position,
        )

    def retested(self, rng: np.random.Generator, tree: DecisionTree) -> Variant[DecisionTree]:
        """The tree with a new test at a random position: the best test of some random features."""
        places = [place for place, node in enumerate(tree.symbols) if isinstance(node, Comparison)]
        if not places:
            return Variant(tree, 0)
        position, count = places[below(rng, len(places))], len(self.rows.sample.inputs)
        features = sorted(rng.permutation(count)[: 1 + below(rng, count)].tolist())
        return Variant(self.rows.retested(tree, position, features), position)

    def _program(self, tree: DecisionTree) -> DecisionProgram:
        return DecisionProgram(self.sections, (tree,))


check_names = check_columns


def representation_of_columns(
    sample: Sample,
    operator_names: Sequence[str],
    settings: DecisionSettings | None,
    max_size: int | None,
    classes: Sequence[str] = (),
) -> FittedTrees:
    """Trees that test columns; ``gpkit.evolution.fitting.Fitting`` explains the arguments.

    Raises:
        UsageError: the text of a tree cannot contain the name of a column or a class.
    """
    check_columns(sample.inputs)
    check_words(classes)
    check_room(max_size, (LONE_SECTION,), "a fit")
    rows = TestRows(sample, "logistic" if classes else "squares")
    known = zip(sample.inputs, rows.sample.columns, strict=True)
    domain = DecisionDomain(
        features_of((name, column[column == column]) for name, column in known), (), OPEN, OPEN
    )
    return FittedTrees(domain, (LONE_SECTION,), settings or SETTINGS, max_size=max_size, rows=rows)


def fitting_problem(
    sample: Sample, loss: Loss = "squares", blocks: int = 1, steps: int = 10, classes: Sequence[str] = ()
) -> TreeFitting:
    """The problem for a sample; ``gpkit.evolution.fitting.Fitting`` explains the arguments."""
    return TreeFitting(sample, loss, blocks, steps, tuple(classes))


def values(program: DecisionProgram, inputs: Sequence[str], columns: Floats) -> Floats:
    """For each row of the columns, float64 (inputs, rows), the value of the leaf that it reaches, float64 (rows,)."""
    leaves, found = classify(program, inputs, columns)
    return np.array(leaves, dtype=np.float64)[found]


def protected(program: DecisionProgram, sample: Sample) -> dict[str, Flags]:
    """An empty mapping in place of masks, bool (rows,), because a tree has no protected operations."""
    return {}


def finished(
    program: DecisionProgram, ends: tuple[float, float] | None, digits: int | None
) -> DecisionProgram:
    """The tree itself."""
    return program


def scaling(program: DecisionProgram) -> int:
    """Zero, because no node of a tree is an intercept or a slope."""
    return 0

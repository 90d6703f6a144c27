"""Trees that predict numbers, or classes, from the columns of a table."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gpkit.core.rng import below
from gpkit.evolution.fitting import Loss, Sample
from gpkit.evolution.section_operators import check_room
from gpkit.genomes.comparisons import Comparison, features_of
from gpkit.genomes.decision import DecisionProgram, DecisionTree
from gpkit.genomes.decision_operators import Domain
from gpkit.genomes.tree import LONE_SECTION, Variant, replace_subtree
from gpkit.languages.decision.fitting import OPEN, TestRows, TreeFitting, named, opened, pruned
from gpkit.languages.decision.forms.evolution import (
    DecisionRepresentation,
    Settings,
    check_columns,
    check_words,
)
from gpkit.languages.decision.rows import classify

SETTINGS = Settings(low_depth=1, high_depth=4, max_depth=12, max_leaves=None)
"""Settings that suit fitting: the limit of size says how many leaves there can be."""

MOST_LEAVES = 64
"""Leaves of the largest trees of the first generation where there is no limit."""


@dataclass(frozen=True, slots=True)
class FittedTrees(DecisionRepresentation):
    """Trees whose leaves are open, over rows that they are grown from.

    Attributes:
        rows: by which tests are found.
    """

    rows: TestRows = field(kw_only=True)
    without = ()

    @property
    def leaves(self) -> int:
        """The most leaves of a tree."""
        limits = (self.settings.max_leaves, None if self.max_size is None else (self.max_size + 1) // 2)
        return min([limit for limit in limits if limit is not None], default=MOST_LEAVES)

    def create(self, rng: np.random.Generator, index: int) -> DecisionProgram:
        """A tree that is grown: the first ones by all features, one of each size, the others by random features."""
        most = self.leaves
        share = 1.0 if index < most else float(rng.random())
        depth = self.settings.max_depth
        return self._program(self.rows.grown(rng, self.rows.all, most - index % most, share, depth))

    def simplify(self, genome: DecisionProgram) -> DecisionProgram:
        """A program that comes to the same leaves for all rows, perhaps smaller."""
        (tree,) = genome.trees
        each = pruned(named(tree, [float(number) for number in range(len(tree.leaves))]))
        return opened(self._program(each)) if len(each) < len(tree) else genome

    def regrown(self, rng: np.random.Generator, tree: DecisionTree) -> Variant[DecisionTree]:
        """A tree with another branch at a random place, grown of the rows that come to it."""
        position = below(rng, len(tree))
        inside = self.rows.inside(tree, position)
        leaves = 1 + below(rng, 2 + len(tree.subtree(position).leaves))
        depth = max(1, self.settings.max_depth - tree.depths[position] + 1)
        grown = self.rows.grown(rng, inside, leaves, float(rng.random()), depth)
        return Variant(replace_subtree(tree, position, grown), position)

    def retested(self, rng: np.random.Generator, tree: DecisionTree) -> Variant[DecisionTree]:
        """A tree whose test at a random place is the best one of random features."""
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
    settings: Settings | None,
    max_size: int | None,
    classes: Sequence[str] = (),
) -> FittedTrees:
    """Trees that test columns; arguments are those of ``gpkit.evolution.fitting.Fitting``.

    Raises:
        UsageError: the text of a tree cannot say the name of a column or a class.
    """
    check_columns(sample.inputs)
    check_words(classes)
    check_room(max_size, (LONE_SECTION,), "a fit")
    rows = TestRows(sample, "logistic" if classes else "squares")
    known = zip(sample.inputs, rows.sample.columns, strict=True)
    domain = Domain(features_of((name, column[column == column]) for name, column in known), (), OPEN, OPEN)
    return FittedTrees(domain, (LONE_SECTION,), settings or SETTINGS, max_size=max_size, rows=rows)


def fitting_problem(
    sample: Sample, loss: Loss = "squares", blocks: int = 1, steps: int = 10, classes: Sequence[str] = ()
) -> TreeFitting:
    """The problem of a sample; arguments are those of ``gpkit.evolution.fitting.Fitting``."""
    return TreeFitting(sample, loss, blocks, steps, tuple(classes))


def values(
    program: DecisionProgram, inputs: Sequence[str], columns: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The values of the leaves that a tree comes to: float64 (rows,), from float64 (inputs, rows)."""
    leaves, found = classify(program, inputs, columns)
    return np.array(leaves, dtype=np.float64)[found]

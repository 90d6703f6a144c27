"""Formulas that predict numbers, or the odds of a class, from the columns of a table."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.primitives import OPERATORS, RANDOM, Alphabet, operators
from gpkit.evolution.fitting import Loss, Sample
from gpkit.genomes.tree import LONE_SECTION, TreeProgram
from gpkit.langkit.naming import written_name
from gpkit.languages.arithmetic.fitting import FormulaFitting
from gpkit.languages.arithmetic.forms.evolution import Settings, TreeRepresentation
from gpkit.languages.arithmetic.regression import evaluate_trees

SETTINGS = Settings(
    low_depth=2, high_depth=6, max_depth=12, subtree_depth=3, octaves=1.0, constants="one", keeps="values"
)
"""Settings that suit fitting: every value counts, not only which is the largest."""


def representation_of_columns(
    inputs: Sequence[str],
    operator_names: Sequence[str],
    settings: Settings | None,
    max_size: int | None,
    sections: Sequence[str] = (LONE_SECTION,),
) -> TreeRepresentation:
    """Formulas of the inputs, with constants.

    Args:
        inputs: names of the columns.
        operator_names: names of the operators.
        settings: of the representation; None are ``SETTINGS``.
        max_size: the most nodes; None is no limit.
        sections: names of the formulas of a program.

    Raises:
        UsageError: a formula cannot say the name of a column, or there is no such operator.
    """
    known = [operator.name for operator in OPERATORS]
    for name in inputs:
        if name == RANDOM or name in known:
            raise UsageError(f"the column `{name}` has the name of an operator; rename it")
        if written_name(name, is_taken=True) != f'"{name}"':
            raise UsageError(
                f"a formula cannot name {name!r}: rename the column, without quotation marks and signs that do not show"
            )
    for name in operator_names:
        if name not in known:
            raise UsageError(f"there is no operator `{name}`; {suggestion(name, known)}")
    alphabet = Alphabet("columns", tuple(inputs), operators(*operator_names))
    return TreeRepresentation(alphabet, tuple(sections), settings or SETTINGS, max_size)


def fitting_problem(
    sample: Sample, loss: Loss = "squares", blocks: int = 1, steps: int = 10
) -> FormulaFitting:
    """The problem of a sample; arguments are those of ``gpkit.evolution.fitting.Fitting``."""
    return FormulaFitting(sample, loss, blocks, steps)


def values(program: TreeProgram, inputs: Sequence[str], columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """The numbers that a formula computes: float64 (rows,), from float64 (inputs, rows)."""
    found: NDArray[np.float64] = evaluate_trees(program.trees, inputs, columns)[0]
    return found

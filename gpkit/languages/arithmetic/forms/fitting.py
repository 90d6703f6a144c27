"""Formulas that predict numbers, or the odds of a class, from the columns of a table."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gpkit.core.diagnostics import check_known
from gpkit.core.errors import UsageError
from gpkit.core.primitives import OPERATORS, RANDOM, Alphabet, operators
from gpkit.data.features import PREFIX
from gpkit.evolution.fitting import Loss, Sample
from gpkit.genomes.tree import LONE_SECTION, TreeProgram
from gpkit.langkit.naming import written_name
from gpkit.languages.arithmetic.fitting import FormulaFitting
from gpkit.languages.arithmetic.forms.evolution import Settings, TreeRepresentation
from gpkit.languages.arithmetic.regression import evaluate_terms

SETTINGS = Settings(
    low_depth=2, high_depth=6, max_depth=12, subtree_depth=3, octaves=1.0, constants="one", keeps="values"
)
"""Settings that suit fitting: every value counts, not only which is the largest."""


def check_names(names: Sequence[str]) -> None:
    """Check that formulas can say names of columns.

    Raises:
        UsageError: they cannot.
    """
    for name in names:
        if name.startswith(PREFIX):
            raise UsageError(
                f"a formula cannot name {name!r}: rename the column, without `{PREFIX}` before it"
            )
        if written_name(name, is_taken=True) != f'"{name}"':
            raise UsageError(
                f"a formula cannot name {name!r}: rename the column, without quotation marks and signs that do not show"
            )


def representation_of_columns(
    sample: Sample,
    operator_names: Sequence[str],
    settings: Settings | None,
    max_size: int | None,
    classes: Sequence[str] = (),
) -> TreeRepresentation:
    """Formulas of the inputs, with constants; arguments are those of ``gpkit.evolution.fitting.Fitting``.

    Raises:
        UsageError: a formula cannot say the name of a column, or there is no such operator.
    """
    check_names(sample.inputs)
    known = [operator.name for operator in OPERATORS]
    for name in operator_names:
        check_known("operator", name, known)
    sections, inputs = sections_of(classes), _said(sample).inputs
    alphabet = Alphabet("columns", inputs, operators(*operator_names))
    return TreeRepresentation(alphabet, sections, settings or SETTINGS, max_size)


def _said(sample: Sample) -> Sample:
    """The sample with names as formulas say them."""
    taken = {RANDOM, *(operator.name for operator in OPERATORS)}
    return replace(
        sample, inputs=tuple(f"{PREFIX}{name}" if name in taken else name for name in sample.inputs)
    )


def sections_of(classes: Sequence[str]) -> tuple[str, ...]:
    """Names of the sections of a program: one for each of more than two classes, as a section can be named."""
    if len(classes) <= 2:
        return (LONE_SECTION,)
    names: list[str] = []
    for place, name in enumerate(classes):
        word = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_").lower()
        word = word if re.match("[a-z]", word) else f"class_{word or place}"
        names.append(word if word not in names else f"{word}_{place}")
    return tuple(names)


def fitting_problem(
    sample: Sample, loss: Loss = "squares", blocks: int = 1, steps: int = 10, classes: Sequence[str] = ()
) -> FormulaFitting:
    """The problem of a sample; arguments are those of ``gpkit.evolution.fitting.Fitting``."""
    return FormulaFitting(_said(sample), loss, blocks, steps)


def values(program: TreeProgram, inputs: Sequence[str], columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """The numbers that a formula computes: float64 (rows,), from float64 (inputs, rows)."""
    terms, _ = evaluate_terms(program.trees, inputs, columns, 1)
    first: NDArray[np.float64] = terms[0]
    return first

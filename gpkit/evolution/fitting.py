"""Fitting programs to rows of numbers: the sample, scores of values, and constants by Levenberg and Marquardt's method.

A language whose programs compute numbers has the form ``fitting``, a ``Fitting``, which ``fitting_of`` finds.
It gives the representation and the problem for a ``gpkit.evolution.search.Search``. ``written`` turns what evolution
has found into a program that computes the predictions by itself.
"""

import math
from abc import abstractmethod
from collections.abc import Sequence, Sized
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Floats
from gpkit.core.registry import form
from gpkit.evolution.individual import WORST, Evaluation
from gpkit.evolution.kernel.fits import fit_values, normal_equations, solve_damped
from gpkit.evolution.problem import Executor, Problem, Representation, with_lost
from gpkit.vm.program import Program

Loss = Literal["squares", "logistic"]
"""Loss of a row: the square of the difference, or the negative logarithm of the probability of its class."""


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Rows of numbers with their targets.

    Attributes:
        inputs: names of the columns.
        columns: float64 (inputs, rows), finite but for the gaps of trees, NaN; each column contiguous.
        targets: float64 (rows,), finite: numbers, or the places of classes from 0.0 on.
        weights: float64 (rows,), finite, not negative, some above 0.
    """

    inputs: tuple[str, ...]
    columns: Floats
    targets: Floats
    weights: Floats

    def part(self, chosen: NDArray[np.bool_]) -> "Sample":
        """The rows that are chosen: bool (rows,)."""
        columns = np.ascontiguousarray(self.columns[:, chosen])
        return Sample(self.inputs, columns, self.targets[chosen], self.weights[chosen])


def sample_of(
    inputs: Sequence[str],
    columns: Floats,
    targets: Floats,
    weights: Floats | None = None,
    *,
    has_gaps: bool = False,
) -> Sample:
    """Sample of arrays as they come: converted, and with weights of 1 where there are none.

    Args:
        inputs: names of the columns.
        columns: float64 (inputs, rows), or what numpy makes that of.
        targets: float64 (rows,); of two classes 0 and 1.
        weights: float64 (rows,).
        has_gaps: whether columns may have NaN.

    Raises:
        ValueError: shapes do not go together, a number is not finite, a weight is negative, or all are 0.
    """
    columns, targets = np.ascontiguousarray(columns, np.float64), np.ascontiguousarray(targets, np.float64)
    rows = len(targets)
    weights = np.ones(rows) if weights is None else np.ascontiguousarray(weights, np.float64)
    if columns.shape != (len(inputs), rows) or weights.shape != (rows,) or targets.ndim != 1:
        raise ValueError(f"{len(inputs)} inputs, columns of shape {columns.shape} and {rows} targets differ")
    present = columns[columns == columns] if has_gaps else columns
    if not all(np.isfinite(numbers).all() for numbers in (present, targets, weights)):
        raise ValueError("a number of the sample is not finite")
    if not (weights >= 0.0).all() or not weights.any():
        raise ValueError("weights must not be negative, and not all of them 0")
    return Sample(tuple(inputs), columns, targets, weights)


def balanced_weights(targets: NDArray[Any]) -> Floats:
    """Weights by which every class counts alike, with a mean of 1: float64 (rows,), for classes (rows,)."""
    _, classes, counts = np.unique(targets, return_inverse=True, return_counts=True)
    return (len(classes) / (len(counts) * counts))[classes]


def least_loss(sample: Sample, loss: Loss) -> float:
    """The sum of the losses of the best constant; 1 where that makes no error."""
    targets, weights = sample.targets, sample.weights
    mean = float((weights * targets).sum() / weights.sum())
    if loss == "squares":
        total = float((weights * (targets - mean) ** 2).sum())
    elif 0.0 < mean < 1.0:
        total = -float(weights.sum()) * (mean * np.log(mean) + (1.0 - mean) * np.log(1.0 - mean))
    else:
        total = 0.0
    return total if total > 0.0 else 1.0


def scales_of(
    terms: tuple[Floats, NDArray[np.int64]], sample: Sample, loss: Loss, blocks: int = 1
) -> tuple[Floats, Floats]:
    """The intercept and the slopes that make the best of the terms of formulas, and the losses that are left then.

    Args:
        terms: float64 (terms, rows), what formulas add; int64 (formulas,), where the terms of each end.
        sample: the rows.
        loss: with ``logistic``, intercept + slope · term + ... is the logarithm of the odds of class 1.
        blocks: row ``i`` is in block ``i % blocks``.

    Returns:
        float64 (terms,), the slopes, and float64 (formulas, 1 + blocks): intercept, the weighted sum of the losses in
        each block; NaN where values are not finite.
    """
    values, ends = terms
    most = int(np.diff(ends, prepend=0).max())
    slopes, found = np.empty(len(values)), np.empty((len(ends), 1 + blocks))
    scratch = np.empty((most + 2, values.shape[1])), np.empty((most + 2, most))
    data = sample.targets, sample.weights
    with np.errstate(all="ignore"):
        fit_values(values, ends, data, loss == "logistic", scratch, slopes, found)
    return slopes, found


def evaluations_of(losses: Floats, whole: float) -> list[Evaluation]:
    """Evaluations of programs by their losses.

    The score is the share of the loss of the best constant that a program saves: R² for squares, McFadden's for
    logistic losses; 1 is perfect. Cases, where there is more than one block, are those of the blocks.

    Args:
        losses: float64 (programs, blocks).
        whole: the loss of the best constant in all blocks together.
    """
    blocks = losses.shape[1]
    scores, cases = 1.0 - losses.sum(axis=1) / whole, 1.0 - losses * (blocks / whole)
    for found in (scores, cases):
        found[np.isnan(found)] = WORST
    if blocks == 1:
        return list(map(Evaluation, scores.tolist()))
    return list(map(Evaluation, scores.tolist(), map(tuple, cases.tolist())))


ROWS = 256
"""Rows of a block, whose tangents stay in the processor's cache."""

FIRST_DAMPING, LEAST_DAMPING, MOST_DAMPING = 1e-3, 1e-12, 1e10

ENOUGH = 1e-10
"""A step that saves a smaller part of the loss is the last."""


def fitted_constants(
    program: Program, parameters: Sequence[int], scale: Floats, sample: Sample, loss: Loss, steps: int
) -> list[float]:
    """Constants of a formula that fit a sample better, together with the scale that is best for them.

    The method of K. Levenberg, 1944, and D. Marquardt, 1963, with the derivatives of ``gpkit.vm.derivatives``; for
    logistic losses the curvature is that of Fisher's scoring.

    Args:
        program: a formula as straight-line code that writes no slot that it reads; its first inputs are the sample's.
        parameters: the slots of its constants, which its memory holds.
        scale: float64 (2,): intercept and slope that suit these constants.
        sample: the rows.
        loss: the loss of a row.
        steps: the most steps.

    Returns:
        The constants in the order of the parameters: those that there were, if none are better.
    """
    count = len(parameters)
    scratch = (
        np.zeros((len(program.memory), ROWS)),
        np.zeros((count, len(program.memory), ROWS)),
        np.zeros((count, len(program.memory)), dtype=np.bool_),
        np.zeros((3, ROWS)),
        np.zeros((count + 4, ROWS)),
    )
    image = program.memory.copy()
    places = np.array(parameters, dtype=np.int64)
    data = (sample.columns, sample.targets, sample.weights)

    def assemble(unknowns: Floats, equations: Floats) -> float:
        """The loss where the unknowns are constants, intercept and slope; writes the equations for the next step."""
        image[places] = unknowns[:-2]
        straight = (program.code, image, places, program.result)
        with np.errstate(all="ignore"):
            loss_there = normal_equations(
                straight, data, unknowns[-2:], loss == "logistic", scratch, equations
            )
        return float(loss_there)

    unknowns = np.concatenate([program.memory[places], scale])
    here, there = np.empty((count + 2, count + 3)), np.empty((count + 2, count + 3))
    factor, step = np.empty((count + 2, count + 2)), np.empty(count + 2)
    least, damping = assemble(unknowns, here), FIRST_DAMPING
    for _ in range(steps):
        if not least < np.inf or damping > MOST_DAMPING:
            break
        is_solved = solve_damped(here, damping, factor, step)
        found = assemble(unknowns + step, there) if is_solved else np.inf
        if not found < least:
            damping *= 10.0
            continue
        saved = least - found
        unknowns, least, here, there = unknowns + step, found, there, here
        damping = max(0.1 * damping, LEAST_DAMPING)
        if saved <= ENOUGH * least:
            break
    return [float(constant) + 0.0 for constant in unknowns[:-2]]


def shortest_description(
    rows: float,
    symbols: float,
    constant: float,
    points: Sequence[Sequence[float]],
    _errors: Sequence[float],
) -> int:
    """The place of the member of a front that describes the targets in the fewest nats.

    Residuals cost ``rows / 2 · ln(1 − score)`` by a normal distribution, classes what is left of the ``constant``, and
    each node of a program the logarithm of the number of symbols (J. Rissanen, "Modeling by shortest data
    description", Automatica 14, 1978).

    Args:
        rows: that programs are fitted to, by their weights.
        symbols: that a node can be.
        constant: nats of the classes by their shares alone; 0 for numbers.
        points: score and negated size of each member.
    """
    lengths = []
    for score, smallness, *_ in points:
        left = max(1.0 - score, 1e-24)
        lengths.append((constant * left or 0.5 * rows * math.log(left)) - smallness * math.log(symbols))
    return lengths.index(min(lengths))


def shortest_tree(
    rows: float,
    inputs: int,
    others: int,
    wrong: float,
    points: Sequence[Sequence[float]],
    _errors: Sequence[float],
) -> int:
    """The place of the tree of a front that describes the targets in the fewest nats.

    A test and the leaf that comes with it cost the logarithm of the number of columns, and twice half that of the
    number of rows: a threshold and a value. Rows in a wrong class cost which ones they are, and which of the others
    theirs is (J. R. Quinlan and R. L. Rivest, "Inferring decision trees using the minimum description length
    principle", 1989).

    Args:
        rows: that trees are fitted to, by their weights.
        inputs: columns.
        others: classes that a row can be of besides the one that a tree names.
        wrong: the share of the rows that are not of the most frequent class; 0 where numbers are predicted.
        points: score and negated size of each tree.
    """
    each, lengths = math.log(inputs) + math.log(rows), []
    for score, smallness, *_ in points:
        lost = max(1.0 - score, 1e-24)
        tests, share = (-smallness - 1.0) / 2.0 * each, min(lost, 1.0) * wrong
        if wrong:
            which = share * math.log(share) + (1.0 - share) * math.log1p(-share)
            lengths.append(rows * (share * math.log(others) - which) + tests)
        else:
            lengths.append(0.5 * rows * math.log(lost) + tests)
    return lengths.index(min(lengths))


def nats_of_classes(targets: Floats, weights: Floats, classes: int) -> float:
    """The logistic loss of the best constants: of two classes of one formula, of more of a formula for each; else 0.

    Args:
        targets: float64 (rows,), the places of classes.
        weights: float64 (rows,).
        classes: how many; 0 for numbers.
    """
    counts = np.bincount(targets.astype(np.int64), weights, classes) if classes else np.zeros(0)
    shares = (counts / weights.sum())[1 if classes == 2 else 0 :]
    odd = shares[(shares > 0.0) & (shares < 1.0)]
    return -float(weights.sum() * (odd * np.log(odd) + (1.0 - odd) * np.log(1.0 - odd)).sum())


Predicting = TypeVar("Predicting", bound=Sized)
"""The type of the programs that predict, in one language."""


@dataclass(frozen=True, slots=True, eq=False)
class FittingProblem(Problem[Predicting]):
    """Problem of fitting programs to a sample; ``evaluations_of`` computes the scores.

    ``Search(problem, ..., fitted=problem.fitted)`` fits constants.

    Attributes:
        sample: the rows.
        loss: the loss of a row.
        blocks: parts of the rows, which are cases of their own where there are several.
        steps: the most steps in which constants or tests are fitted when a program is refined.
        seconds: the expected time of a program, and of a node of it on a row, for making batches.
    """

    sample: Sample
    loss: Loss = "squares"
    blocks: int = 1
    steps: int = 10
    seconds: ClassVar[tuple[float, float]]

    def evaluate(
        self, genomes: Sequence[Predicting], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        """The evaluations of the genomes; the seed and the generation change nothing."""
        own, of_value = self.seconds
        seconds = [len(one) * len(self.sample.targets) * of_value + own for one in genomes]
        return with_lost(executor.run(self.measured, genomes, seconds))

    @abstractmethod
    def measured(self, genomes: Sequence[Predicting]) -> list[Evaluation]:
        """The evaluation of each program, whatever the others are."""

    @abstractmethod
    def fitted(self, genome: Predicting) -> Predicting:
        """The program with constants that fit better, by ``fitted_constants``; itself if it has none, or none are."""

    @abstractmethod
    def written(self, genome: Predicting) -> Predicting:
        """The program that computes the predictions: its values with intercept and slope written out.

        For logistic losses these are logarithms of odds: class 1 is likelier where they are above 0.
        """


@runtime_checkable
class Fitting(Protocol):
    """Form ``fitting`` of a language: programs that compute a number for each row."""

    def check_names(self, names: Sequence[str]) -> None:
        """Check that programs can say names of columns.

        Raises:
            UsageError: they cannot.
        """

    def representation_of_columns(
        self,
        sample: Sample,
        operator_names: Sequence[str],
        settings: Any,
        max_size: int | None,
        classes: Sequence[str] = ...,
    ) -> Representation[Any]:
        """Programs that read inputs.

        Args:
            sample: the rows, and names of the columns.
            operator_names: names of the operators, of ``gpkit.core.primitives.OPERATORS``, where programs have any.
            settings: of the representation; None are those that suit fitting.
            max_size: the maximum number of nodes; None means no limit.
            classes: names of the classes; empty where numbers are predicted.

        Raises:
            UsageError: a program cannot say the name of a column, or there is no such operator.
        """

    def fitting_problem(
        self, sample: Sample, loss: Loss, blocks: int, steps: int, classes: Sequence[str] = ...
    ) -> FittingProblem[Any]:
        """The problem of a sample.

        Args:
            sample: the rows.
            loss: the loss of a row.
            blocks: parts of the rows, which are cases of their own where there are several; 0 for classes, of trees.
            steps: the most steps in which constants are fitted when a program is refined; 0 leaves them alone.
            classes: names of the classes; empty where numbers are predicted.
        """

    def values(self, program: Any, inputs: Sequence[str], columns: Floats) -> Floats:
        """The numbers that a program of one section computes: float64 (rows,), from float64 (inputs, rows)."""


def fitting_of(language: str) -> Fitting:
    """The form by which programs in a language are fitted to rows.

    Raises:
        UsageError: its programs compute no numbers that can be fitted; the message names those languages that can.
    """
    return form(Fitting, "fitting", language, "fit {} to rows")

"""Fitting programs to rows of numbers: the sample, the scores, and constants by the Levenberg-Marquardt method.

A language whose programs compute numbers has the form ``fitting``, a ``Fitting``; ``fitting_of`` returns it. The form
makes the representation and the problem for a ``gpkit.evolution.search.Search``. ``written`` turns the result of
evolution into a program that computes the predictions by itself.
"""

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Flags, Floats, Ints
from gpkit.data.losses import FEW, LARGEST, RowLoss, width_of
from gpkit.evolution.kernel.fits import fit_planes, fit_values, normal_equations, solve_damped
from gpkit.evolution.problem import WORST, Evaluation, Executor, Problem, Representation, with_lost
from gpkit.evolution.shapes import Shape
from gpkit.langkit.language import form
from gpkit.vm import machine
from gpkit.vm.program import Program

Loss = Literal["squares", "logistic"] | RowLoss
"""The loss of a row: the squared difference, the negative logarithm of its class's probability, or a ``RowLoss``."""

ROUNDS, FINAL_ROUNDS = 6, 200
"""The maximum number of rounds to find scales for a ``RowLoss``: for each formula during evolution, and at the end."""


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Rows of numbers with their targets.

    Attributes:
        inputs: the names of the columns.
        columns: float64 (inputs, rows), finite, except that trees allow NaN for gaps; each column contiguous.
        targets: float64 (rows,), finite: numbers, or the indices of classes, from 0.0.
        weights: float64 (rows,), finite, not negative, at least one above 0.
    """

    inputs: tuple[str, ...]
    columns: Floats
    targets: Floats
    weights: Floats

    def part(self, chosen: Flags) -> "Sample":
        """The sample of the chosen rows; ``chosen`` is bool (rows,)."""
        columns = np.ascontiguousarray(self.columns[:, chosen])
        return Sample(self.inputs, columns, self.targets[chosen], self.weights[chosen])


def sample_of(
    inputs: Sequence[str],
    columns: Floats,
    targets: Floats,
    weights: Floats | None = None,
) -> Sample:
    """A sample from arrays, converted to float64; without weights, all rows get weight 1.

    Args:
        inputs: names of the columns.
        columns: float64 (inputs, rows), or values that numpy converts to it; NaN marks gaps.
        targets: float64 (rows,); for two classes, 0 and 1.
        weights: float64 (rows,).

    Raises:
        ValueError: shapes do not match, a number is not finite, a weight is negative, or all weights are 0.
    """
    columns, targets = np.ascontiguousarray(columns, np.float64), np.ascontiguousarray(targets, np.float64)
    rows = len(targets)
    weights = np.ones(rows) if weights is None else np.ascontiguousarray(weights, np.float64)
    if columns.shape != (len(inputs), rows) or weights.shape != (rows,) or targets.ndim != 1:
        raise ValueError(
            f"{len(inputs)} inputs, columns of shape {columns.shape} and {rows} targets do not match"
        )
    if not all(np.isfinite(numbers).all() for numbers in (columns[columns == columns], targets, weights)):
        raise ValueError("a number of the sample is not finite")
    if not (weights >= 0.0).all() or not weights.any():
        raise ValueError("weights must not be negative, and at least one must be above 0")
    return Sample(tuple(inputs), columns, targets, weights)


def balanced_weights(targets: NDArray[Any]) -> Floats:
    """Weights that make all classes count equally, with a mean of 1: float64 (rows,), for classes (rows,)."""
    _, classes, counts = np.unique(targets, return_inverse=True, return_counts=True)
    return (len(classes) / (len(counts) * counts))[classes]


def least_loss(sample: Sample, loss: Loss) -> float:
    """The summed loss of the best constant; 1 if that constant makes no error."""
    targets, weights = sample.targets, sample.weights
    mean = float((weights * targets).sum() / weights.sum())
    if isinstance(loss, RowLoss):
        best = np.full_like(targets, loss.constant(targets, weights))
        total = float((weights * loss.losses(targets, best)).sum())
    elif loss == "squares":
        total = float((weights * (targets - mean) ** 2).sum())
    elif 0.0 < mean < 1.0:
        total = -float(weights.sum()) * (mean * np.log(mean) + (1.0 - mean) * np.log(1.0 - mean))
    else:
        total = 0.0
    return total if total > 0.0 else 1.0


def scales_of(
    terms: tuple[Floats, Ints], sample: Sample, loss: Loss, blocks: int = 1, rounds: int = ROUNDS
) -> tuple[Floats, Floats]:
    """The intercept and slopes that best combine the terms of formulas, and the remaining losses.

    Args:
        terms: float64 (terms, rows), the terms that formulas add up; int64 (formulas,), the end of each formula's
            terms.
        sample: the rows.
        loss: with ``logistic``, intercept + slope · term + ... is the logarithm of the odds of class 1.
        blocks: row ``i`` is in block ``i % blocks``.
        rounds: the maximum number of rounds for losses other than ``squares`` and ``logistic``.

    Returns:
        float64 (terms,), the slopes, and float64 (formulas, 1 + blocks): the intercept, and the weighted sum of the
        losses in each block; NaN if values are not finite.
    """
    values, ends = terms
    most = int(np.diff(ends, prepend=0).max())
    slopes, found = np.empty(len(values)), np.empty((len(ends), 1 + blocks))
    scratch = np.empty((most + 2, values.shape[1])), np.empty((most + 2, most))
    data = sample.targets, sample.weights
    with np.errstate(all="ignore"):
        if isinstance(loss, RowLoss):
            return _reweighted(terms, sample, loss, blocks, rounds, scratch)
        fit_values(values, ends, data, loss == "logistic", scratch, slopes, found)
    return slopes, found


def _reweighted(
    terms: tuple[Floats, Ints],
    sample: Sample,
    loss: RowLoss,
    blocks: int,
    rounds: int,
    scratch: tuple[Floats, Floats],
) -> tuple[Floats, Floats]:
    """Like ``scales_of``, but by iteratively reweighted least squares; a step that increases the loss is shortened."""
    values, ends = terms
    shape = len(ends), values.shape[1]
    own = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0))
    targets, weights = (np.broadcast_to(each, shape) for each in (sample.targets, sample.weights))

    def plane(aims: Floats, masses: Floats) -> tuple[Floats, Floats, Floats]:
        """The slopes, the intercepts, and the values of the planes."""
        slopes, intercepts, sums = np.empty(len(values)), np.empty(len(ends)), np.empty(shape)
        rows = np.ascontiguousarray(aims), np.ascontiguousarray(masses)
        fit_planes(values, ends, rows, scratch, slopes, intercepts, sums)
        return slopes, intercepts, sums

    def lost(sums: Floats) -> Floats:
        """The weighted losses of the rows; infinite if they are not known."""
        found = weights * loss.losses(targets, sums)
        return np.where(found == found, found, np.inf)

    slopes, intercepts, sums = plane(np.broadcast_to(loss.begin(sample.targets), shape), weights)
    if loss.is_quantile:
        shift = np.quantile(targets - sums, loss.share, axis=1)
        intercepts, sums = intercepts + shift, sums + shift[:, None]
    losses = lost(sums)
    least, share, is_open = losses.sum(axis=1), np.ones(len(ends)), np.ones(len(ends), dtype=np.bool_)
    for number in range(rounds):
        width = width_of(targets - loss.predicted(sums), number / max(rounds, FEW))
        slope, curvature = loss.working(targets, sums, width)
        aims = plane(sums - slope / curvature, weights * curvature)
        moved = [
            share[own] * (aims[0] - slopes),
            share * (aims[1] - intercepts),
            share[:, None] * (aims[2] - sums),
        ]
        tried = lost(sums + moved[2])
        total = tried.sum(axis=1)
        is_less = is_open & (total < least)  # each by itself: the other formulas do not matter
        slopes = np.where(is_less[own], slopes + moved[0], slopes)
        intercepts = np.where(is_less, intercepts + moved[1], intercepts)
        sums, losses = (
            np.where(is_less[:, None], new, old) for new, old in ((sums + moved[2], sums), (tried, losses))
        )
        is_open &= ~is_less | (least - total > ENOUGH * least) | loss.is_quantile
        least, share = (
            np.where(is_less, total, least),
            np.where(is_less | loss.is_quantile, 1.0, 0.25 * share),
        )
        if not is_open.any():
            break
    parts = np.stack([losses[:, block::blocks].sum(axis=1) for block in range(blocks)], axis=1)
    return slopes, np.column_stack([intercepts, np.where(np.isfinite(parts), parts, np.nan)])


def evaluations_of(losses: Floats, whole: float) -> list[Evaluation]:
    """The evaluations of programs from their losses.

    The score is the share of the best constant's loss that a program saves: R² for squared errors, McFadden's R² for
    logistic losses; 1 is perfect. If there is more than one block, each block is a case.

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
"""Rows in a block; their tangents stay in the processor's cache."""

FIRST_DAMPING, LEAST_DAMPING, MOST_DAMPING = 1e-3, 1e-12, 1e10

ENOUGH = 1e-10
"""Fitting stops after a step that saves a smaller share of the loss."""


def fitted_constants(
    program: Program, parameters: Sequence[int], scale: Floats, sample: Sample, loss: Loss, steps: int
) -> list[float]:
    """Constants of a formula that fit a sample better, fitted together with the formula's intercept and slope.

    The method of Levenberg, 1944, and Marquardt, 1963, with the derivatives of ``gpkit.vm.derivatives``; for logistic
    losses, the curvature comes from Fisher scoring.

    Args:
        program: a formula as straight-line code that writes no slot that it reads; its first inputs are the columns of
            the sample.
        parameters: the slots of its constants in its memory.
        scale: float64 (2,): the intercept and slope for these constants.
        sample: the rows.
        loss: the loss of a row.
        steps: the maximum number of steps.

    Returns:
        The constants in the order of the parameters; the old ones if none are better.
    """
    count = len(parameters)
    scratch = _scratch(program, count)
    image = program.memory.copy()
    places = np.array(parameters, dtype=np.int64)
    data = (sample.columns, sample.targets, sample.weights)

    def assemble(unknowns: Floats, equations: Floats) -> float:
        """The loss with these constants, intercept and slope; writes the equations for the next step."""
        image[places] = unknowns[:-2]
        straight = (program.code, image, places, program.result)
        if isinstance(loss, RowLoss):
            computed = machine.evaluate(replace(program, memory=image.copy()), sample.columns)
            working, found = working_rows(unknowns[-2] + unknowns[-1] * computed, sample, loss)
            with np.errstate(all="ignore"):
                normal_equations(straight, working, unknowns[-2:], False, scratch, equations)
            return found
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


def _scratch(program: Program, count: int) -> tuple[Floats, Floats, Flags, Floats, Floats]:
    """Scratch arrays for ``normal_equations`` with this many parameters."""
    slots = len(program.memory)
    return (
        np.zeros((slots, ROWS)),
        np.zeros((count, slots, ROWS)),
        np.zeros((count, slots), dtype=np.bool_),
        np.zeros((3, ROWS)),
        np.zeros((count + 4, ROWS)),
    )


def working_rows(
    values: Floats, sample: Sample, loss: RowLoss
) -> tuple[tuple[Floats, Floats, Floats], float]:
    """The columns with working targets and weights for the next least-squares step, and the summed loss.

    Args:
        values: the formula's values for the rows, float64 (rows,).
        sample: the rows.
        loss: the loss of a row.
    """
    with np.errstate(all="ignore"):
        width = width_of(sample.targets - loss.predicted(values), 0.25)
        slopes, curvatures = loss.working(sample.targets, values, width)
        found = float((sample.weights * loss.losses(sample.targets, values)).sum())
        rows = sample.columns, values - slopes / curvatures, sample.weights * curvatures
    return rows, found if found == found else math.inf


SINGULAR = 1e-11
"""The smallest eigenvalue of the scaled matrix of second derivatives for a direction that the rows determine."""


def standard_errors(program: Program, parameters: Sequence[int], sample: Sample, loss: Loss) -> Floats:
    """The standard errors of a fitted formula's constants; NaN for constants that the rows do not determine.

    They hold for any distribution of the errors (Huber, "The behavior of maximum likelihood estimates under nonstandard
    conditions", 1967), and treat the structure of the formula as fixed.

    Args:
        program, parameters: as for ``fitted_constants``; the program computes predictions, or log odds.
        sample: the rows; an integer weight says how often a row counts.
        loss: the loss of a row.

    Returns:
        float64 (parameters,).
    """
    values, targets, weights = machine.evaluate(program, sample.columns), sample.targets, sample.weights
    slopes, curvatures = values - targets, np.ones(len(targets))
    if isinstance(loss, RowLoss):
        slopes, curvatures = loss.spread(targets, values)
    elif loss == "logistic":
        chances = 1.0 / (1.0 + np.exp(-np.clip(values, -LARGEST, LARGEST)))
        slopes, curvatures = chances - targets, chances * (1.0 - chances)
    count, places = len(parameters), np.array(parameters, dtype=np.int64)
    straight, equations = (
        (program.code, program.memory, places, program.result),
        np.empty((count + 2, count + 3)),
    )

    def products(masses: Floats) -> Floats:
        """The sums of the products of derivatives with these weights: float64 (parameters, parameters)."""
        rows = sample.columns, values, masses
        normal_equations(straight, rows, np.array([0.0, 1.0]), False, _scratch(program, count), equations)
        lower = np.tril(equations[:count, :count])
        return lower + np.tril(lower, -1).T

    is_whole = not (weights % 1.0).any()
    rows = float(weights.sum()) if is_whole else float(len(weights))
    with np.errstate(all="ignore"):
        bread, meat = products(weights * curvatures), products(weights ** (2 - is_whole) * slopes**2)
        scale = np.sqrt(np.diag(bread))
        outer = np.outer(scale, scale)
        if not (np.isfinite(bread).all() and np.isfinite(meat).all() and rows > count):
            return np.full(count, np.nan)
        used = scale > 0.0
        outer[outer == 0.0] = np.inf
        roots, vectors = np.linalg.eigh(bread / outer)
        is_known = roots > SINGULAR * roots[-1]
        inverse = (vectors[:, is_known] / roots[is_known]) @ vectors[:, is_known].T
        variances = np.diag(inverse @ (meat / outer) @ inverse) / scale**2 * (rows / (rows - count))
        free = (np.abs(vectors[:, ~is_known]) > 1e-4).any(axis=1)
        errors: Floats = np.where(used & ~free, np.sqrt(variances), np.nan)
    return errors


def shortest_description(
    rows: float,
    symbols: float,
    constant: float,
    points: Sequence[Sequence[float]],
    _errors: Sequence[float],
) -> int:
    """The index of the front member that describes the targets in the fewest nats.

    Residuals cost ``rows / 2 · ln(1 − score)`` under a normal distribution. Classes cost the remaining share of
    ``constant``. Each node of a program costs the logarithm of the number of symbols (Rissanen, "Modeling by shortest
    data description", Automatica 14, 1978).

    Args:
        rows: the number of fitted rows, by their weights.
        symbols: the number of different symbols that a node can have.
        constant: the nats needed to describe the classes from their shares alone; 0 if numbers are predicted.
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
    """The index of the front tree that describes the targets in the fewest nats.

    A test and its leaf cost the logarithm of the number of columns, plus half the logarithm of the number of rows for
    the threshold and the same for the value. Misclassified rows cost the nats to describe which rows they are, and
    their correct classes (Quinlan and Rivest, "Inferring decision trees using the minimum description length
    principle", 1989).

    Args:
        rows: the number of fitted rows, by their weights.
        inputs: the number of columns.
        others: the number of remaining classes if a tree predicts the wrong one.
        wrong: the share of the rows outside the most frequent class; 0 if numbers are predicted.
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
    """The logistic loss of the best constants: one formula for two classes, one per class for more; 0 for numbers.

    Args:
        targets: float64 (rows,), the positions of classes.
        weights: float64 (rows,).
        classes: the number of classes; 0 if numbers are predicted.
    """
    counts = np.bincount(targets.astype(np.int64), weights, classes) if classes else np.zeros(0)
    shares = (counts / weights.sum())[1 if classes == 2 else 0 :]
    odd = shares[(shares > 0.0) & (shares < 1.0)]
    return -float(weights.sum() * (odd * np.log(odd) + (1.0 - odd) * np.log(1.0 - odd)).sum())


Predicting = TypeVar("Predicting", bound=Sized)
"""The type of programs that predict, in one language."""


@dataclass(frozen=True, slots=True, eq=False)
class FittingProblem(Problem[Predicting]):
    """The problem of fitting programs to a sample; ``evaluations_of`` computes the scores.

    ``Search(problem, ..., fitted=problem.fitted)`` fits constants.

    Attributes:
        sample: the rows.
        loss: the loss of a row.
        blocks: parts of the rows; if there are several, each is a case.
        steps: the maximum number of steps to fit constants or tests when a program is refined.
        shape: the shape that predictions must have; a program that breaks it gets the worst score.
        seconds: the expected time for a program, and for one of its nodes on one row; used to make batches.
    """

    sample: Sample
    loss: Loss = "squares"
    blocks: int = 1
    steps: int = 10
    shape: Shape | None = field(default=None, kw_only=True)
    seconds: ClassVar[tuple[float, float]]

    def evaluate(
        self, genomes: Sequence[Predicting], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        """The evaluations of the genomes; they do not depend on the seed or the generation."""
        own, of_value = self.seconds
        seconds = [len(one) * len(self.sample.targets) * of_value + own for one in genomes]
        return with_lost(executor.run(self.measured, genomes, seconds))

    @abstractmethod
    def measured(self, genomes: Sequence[Predicting]) -> list[Evaluation]:
        """The evaluation of each program, independent of the other programs."""

    @abstractmethod
    def fitted(self, genome: Predicting) -> Predicting:
        """The program with better constants from ``fitted_constants``; unchanged if there are none."""

    @abstractmethod
    def written(self, genome: Predicting) -> Predicting:
        """The program that computes the predictions, with intercept and slope written out.

        For logistic losses, the predictions are logarithms of odds: class 1 is more likely if they are above 0. If
        values are logarithms of predictions, the program computes their exponentials.
        """

    def verdicts(self, _program: Predicting) -> tuple[str, ...]:
        """A sentence for each part of the shape that says whether a program returned by ``written`` has it."""
        return ()

    def constants(self, written: Predicting) -> list[tuple[str, Floats, Floats]]:
        """The constants of a program returned by ``written``, in the order of its text, and their standard errors.

        The list has an entry for each section: its name, its constants, float64 (constants,), and their errors, float64
        (constants,), as in ``standard_errors``. It is empty if programs of the language have no such constants, or if
        the program reads other columns.
        """
        return []


class Fitting(Protocol):
    """The form ``fitting`` of a language: programs that compute a number for each row."""

    def check_names(self, names: Sequence[str]) -> None:
        """Check that the language can spell the names of the columns.

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
        """The representation of programs that read these columns.

        Args:
            sample: the rows, and the names of the columns.
            operator_names: names from ``gpkit.core.primitives.OPERATORS``, if programs have operators.
            settings: the settings of the representation; None means the defaults for fitting.
            max_size: the maximum number of nodes; None means no limit.
            classes: names of the classes; empty if numbers are predicted.

        Raises:
            UsageError: the language cannot spell the name of a column, or there is no such operator.
        """

    def fitting_problem(
        self, sample: Sample, loss: Loss, blocks: int, steps: int, classes: Sequence[str] = ...
    ) -> FittingProblem[Any]:
        """The problem of fitting programs to a sample.

        Args:
            sample: the rows.
            loss: the loss of a row.
            blocks: parts of the rows; if there are several, each is a case; 0 makes each class a case, for trees.
            steps: the maximum number of steps to fit constants when a program is refined; 0 leaves the constants alone.
            classes: names of the classes; empty if numbers are predicted.
        """

    def values(self, program: Any, inputs: Sequence[str], columns: Floats) -> Floats:
        """The numbers that a program with one section computes: float64 (rows,), from float64 (inputs, rows)."""

    def protected(self, program: Any, sample: Sample) -> Mapping[str, Flags]:
        """The protected operations that a program relies on, each with a mask of the affected rows: bool (rows,)."""

    def scaling(self, program: Any) -> int:
        """The number of nodes in a written program for its intercept and slopes, including their operators."""

    def finished(self, program: Any, ends: tuple[float, float] | None, digits: int | None) -> Any:
        """The final program of a fit: its values clipped to the two ends, its constants rounded to this many digits."""


def fitting_of(language: str) -> Fitting:
    """The form ``fitting`` of a language.

    Raises:
        UsageError: gpkit cannot fit programs in this language; the message names the languages that it can fit.
    """
    return form(language, lambda each: each.fitting(), "fit {} to rows")

"""Refinement of one good genome: simplification, and a local search over its constants."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gpkit.core.rng import stream
from gpkit.evolve.individual import Genome
from gpkit.evolve.problem import Executor, Problem, Representation

FIRST_STEP = 0.5
"""The first standard deviation of a change, relative to the constant."""

LEAST_MAGNITUDE = 0.1
"""A smaller constant is changed as if it were so large."""

OCCASIONS = 10_000
"""Occasions of validation that one refinement may use: more than it has rounds."""


@dataclass(frozen=True, slots=True)
class Refinement:
    """What is done to good genomes.

    Attributes:
        every: to the best of each island after so many generations; None is never.
        finish: whether to the champion at the end of a run.
        simplify: whether it is simplified.
        rounds: rounds of tuning.
        candidates: variants of the constants in each round.
    """

    every: int | None = None
    finish: bool = False
    simplify: bool = False
    rounds: int = 0
    candidates: int = 0


def refine(
    refinement: Refinement,
    problem: Problem[Genome],
    representation: Representation[Genome],
    genome: Genome,
    seed: int,
    place: int,
    executor: Executor,
) -> list[tuple[str, Genome]]:
    """What became of a genome: each step that changed it, by name, with its result.

    Args:
        refinement: what is done.
        problem: what genomes are good for; tuning validates them.
        representation: what genomes are.
        genome: the one to refine.
        seed: the seed of the run.
        place: tells this refinement from the others of the run.
        executor: where to validate.
    """
    steps = []
    if refinement.simplify:
        simple = representation.simplify(genome)
        if simple != genome and representation.admits(simple):
            steps.append(("simplify", simple))
            genome = simple
    tuned = tune(refinement, problem, representation, genome, seed, place, executor)
    if tuned != genome:
        steps.append(("tune", tuned))
    return steps


def tune(
    refinement: Refinement,
    problem: Problem[Genome],
    representation: Representation[Genome],
    genome: Genome,
    seed: int,
    place: int,
    executor: Executor,
) -> Genome:
    """The genome with better constants, found by a local search.

    In each round the incumbent and its variants meet the same conditions, which are fresh in the next round; the best
    goes on. The changes are normal, in proportion to the constants, and half as large after a round without progress.
    """
    step = FIRST_STEP
    for number in range(refinement.rounds if representation.constants(genome) else 0):
        rng = stream(seed, "tune", place, number)
        constants = np.array(representation.constants(genome))
        variants = [
            representation.with_constants(genome, changed_constants(rng, constants, step))
            for _ in range(refinement.candidates)
        ]
        candidates = list(dict.fromkeys([genome, *variants]))
        found = problem.validate(candidates, seed, 1 + place * OCCASIONS + number, executor)
        best = max(range(len(candidates)), key=lambda k: (found[k].score, -k))
        if best == 0:
            step *= 0.5
        genome = candidates[best]
    return genome


def changed_constants(
    rng: np.random.Generator, constants: np.ndarray[tuple[int], np.dtype[np.float64]], step: float
) -> Sequence[float]:
    """Constants with normal changes to some of them, at least one: float64 (constants,)."""
    count = len(constants)
    chosen = rng.random(count) < 0.5
    chosen[int(rng.random() * count)] = True
    with np.errstate(over="ignore"):
        scale = step * np.maximum(np.abs(constants), LEAST_MAGNITUDE)
        changed = np.where(chosen, constants + scale * rng.standard_normal(count), constants)
    return [float(c) + 0.0 for c in np.where(np.isfinite(changed), changed, constants)]

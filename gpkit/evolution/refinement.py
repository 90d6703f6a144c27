"""Refinement of one good genome: simplification, and a local search around it."""

from dataclasses import dataclass

from gpkit.core.rng import stream
from gpkit.evolution.individual import Genome
from gpkit.evolution.problem import Executor, Problem, Representation

OCCASIONS = 10_000
"""Occasions of validation that one refinement may use: more than twice its rounds."""

STEPS = 2
"""The most steps of one refinement: a simplification and a tuning."""


@dataclass(frozen=True, slots=True)
class Refinement:
    """Refinement of good genomes: simplification and tuning.

    Attributes:
        every: to the best of each island after so many generations; None is never.
        finish: whether to the champion at the end of a run.
        simplify: whether it is simplified.
        rounds: rounds of tuning.
        candidates: variants in each round.
        confirm: how many of the best of a round meet the incumbent again, under other conditions, before one of them
            goes on; with 0 the best goes on at once.
    """

    every: int | None = None
    finish: bool = False
    simplify: bool = False
    rounds: int = 0
    candidates: int = 0
    confirm: int = 0


def refine(
    refinement: Refinement,
    problem: Problem[Genome],
    representation: Representation[Genome],
    genome: Genome,
    seed: int,
    place: int,
    executor: Executor,
) -> list[tuple[str, Genome]]:
    """Refine a genome; returns each step that changed it, by name, with its result.

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
    """A better genome nearby, found by a local search.

    In each round the incumbent and its variants meet the same conditions, which are fresh in the next round; the best
    goes on, or whoever is best when the best of them meet it once more: among many variants some are only lucky. The
    steps are half as large after a round without progress.
    """
    step = 1.0
    for number in range(refinement.rounds):
        rng = stream(seed, "tune", place, number)
        variants = [representation.tweak(rng, genome, step) for _ in range(refinement.candidates)]
        candidates = [each for each in dict.fromkeys([genome, *variants]) if representation.admits(each)]
        if len(candidates) == 1:
            break
        occasion = 1 + place * OCCASIONS + number
        found = problem.validate(candidates, seed, occasion, executor)
        ranked = sorted(range(len(candidates)), key=lambda k: (-found[k].score, k))
        best = ranked[0]
        if refinement.confirm and best:
            finalists = [0, *(k for k in ranked if k)][: refinement.confirm + 1]
            again = problem.validate(
                [candidates[k] for k in finalists], seed, occasion + OCCASIONS // 2, executor
            )
            best = finalists[max(range(len(finalists)), key=lambda k: (again[k].score, -k))]
        if best == 0:
            step *= 0.5
        genome = candidates[best]
    return genome

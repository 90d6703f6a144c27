"""Refinement of one good genome: simplification, and a local search around it."""

from collections.abc import Iterator

from gpkit.core.rng import stream
from gpkit.evolution.individual import Genome
from gpkit.evolution.problem import Executor
from gpkit.evolution.search import Search

OCCASIONS = 10_000
"""Occasions of validation that one refinement may use: more than twice its rounds."""


def refine(
    search: Search[Genome], genome: Genome, place: int, executor: Executor
) -> Iterator[tuple[str, Genome]]:
    """Refine a genome; yields the name and the result of each step that changed it.

    Args:
        search: its refinement says what is done; tuning validates genomes by its problem.
        genome: the one to refine.
        place: tells this refinement from the others of the run.
        executor: where to validate.
    """
    if search.refinement.simplify:
        simple = search.representation.simplify(genome)
        if simple != genome and search.representation.admits(simple):
            yield "simplify", simple
            genome = simple
    fitted = search.fitted(genome)
    tuned = tune(search, fitted if search.representation.admits(fitted) else genome, place, executor)
    if tuned != genome:
        yield "tune", tuned


def tune(search: Search[Genome], genome: Genome, place: int, executor: Executor) -> Genome:
    """A better genome nearby, found by a local search.

    In each round the incumbent and its variants meet the same conditions, which are fresh in the next round; the best
    goes on, or whoever is best when the best of them meet it once more: among many variants some are only lucky. The
    steps are half as large after a round without progress.
    """
    refinement, representation, seed = search.refinement, search.representation, search.seed
    step = 1.0
    for number in range(refinement.rounds):
        rng = stream(seed, "tune", place, number)
        variants = [representation.tweak(rng, genome, step) for _ in range(refinement.candidates)]
        candidates = [each for each in dict.fromkeys([genome, *variants]) if representation.admits(each)]
        if len(candidates) == 1:
            break
        occasion = 1 + place * OCCASIONS + number
        found = search.problem.validate(candidates, seed, occasion, executor)
        ranked = sorted(range(len(candidates)), key=lambda k: (-found[k].score, k))
        best = ranked[0]
        if refinement.confirm and best:
            finalists = [0, *(k for k in ranked if k)][: refinement.confirm + 1]
            again = search.problem.validate(
                [candidates[k] for k in finalists], seed, occasion + OCCASIONS // 2, executor
            )
            best = finalists[max(range(len(finalists)), key=lambda k: (again[k].score, -k))]
        if best == 0:
            step *= 0.5
        genome = candidates[best]
    return genome

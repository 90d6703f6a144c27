"""Dead weight of plans: branches that games never took, and plans without them."""

from collections.abc import Collection, Iterator

from gpkit.genomes.plan import (
    Decide,
    PlanProgram,
    Sequence,
    Step,
    While,
    below,
    steps,
)
from gpkit.genomes.plan_places import with_below
from gpkit.languages.execution.interpreter import Place, size_of

Visit = tuple[Place, bool]
"""An execution of a step: its place and its outcome."""


def unvisited(program: PlanProgram, visits: Collection[Visit]) -> frozenset[Place]:
    """The places of the steps that no visit came to."""
    seen = {place for place, _ in visits}
    places = (
        (plan, number) for plan, each in enumerate(program.plans) for number, _ in enumerate(steps(each))
    )
    return frozenset(place for place in places if place not in seen)


def without_dead_weight(program: PlanProgram, visits: Collection[Visit]) -> PlanProgram:
    """The program without what no visit came to; the games of the visits go on as they did.

    A decision of which only one branch was taken is that branch.
    """
    plans = tuple(tuple(_visited(plan, number, 0, visits)) for number, plan in enumerate(program.plans))
    return PlanProgram(program.names, plans) if plans[0] else program


def _visited(sequence: Sequence, plan: int, first: int, visits: Collection[Visit]) -> Iterator[Step]:
    """The steps of a sequence, whose first one has this number, that were visited."""
    number = first
    for step in sequence:
        place = plan, number
        outcomes = [outcome for outcome in (True, False) if (place, outcome) in visits]
        inner, start = [], number + 1
        for part in below(step):
            inner.append(tuple(_visited(part, plan, start, visits)))
            start += size_of(part)
        number = start
        if not outcomes:
            return
        match step:
            case Decide() if len(outcomes) == 1:  # a chance stays, whose draw would shift the later ones
                yield from inner[0 if outcomes[0] else 1]
            case While() if outcomes == [False]:
                continue
            case _:
                yield with_below(step, *inner)

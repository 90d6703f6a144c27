"""Places of a plan: every subtree of the execution tree, among them the empty ones at which it ends.

In a sequence each step is the only child of the one before, so the subtree at a step is that step and all that follow
it there. Places are numbered in the order of the text. A plan that is executed upwards, from a named leaf to the root,
is turned into one that is executed downwards: there is one path from each leaf, so nothing is decided on it, and
different beginnings share what follows.
"""

from collections.abc import Iterator
from typing import Any

from gpkit.genomes.plan import (
    NOTHING,
    Chance,
    Decide,
    Merge,
    PlanProgram,
    Sequence,
    Step,
    steps,
)


def subtrees(sequence: Sequence) -> Iterator[Sequence]:
    """The subtree at every place; empty where a sequence ends without a decision."""
    for number, step in enumerate(sequence):
        yield sequence[number:]
        for inner in step.held:
            yield from subtrees(inner)
    if not ends_in_branches(sequence):
        yield NOTHING


def ends_in_branches(sequence: Sequence) -> bool:
    """Whether the last step is a decision, behind which nothing can follow."""
    return bool(sequence) and isinstance(sequence[-1], Decide | Chance | Merge)


def with_subtree(sequence: Sequence, place: int, subtree: Sequence) -> Sequence:
    """The sequence with another subtree at a place that it has."""
    changed, left = _replaced(sequence, place, subtree)
    assert left < 0, "there is such a place"
    return changed


def _replaced(sequence: Sequence, place: int, subtree: Sequence) -> tuple[Sequence, int]:
    """The sequence with another subtree, and the place less those that were passed; negative if it was found."""
    for number, step in enumerate(sequence):
        if place == 0:
            return (*sequence[:number], *subtree), -1
        place -= 1
        inner = list(step.held)
        for part, each in enumerate(inner):
            inner[part], place = _replaced(each, place, subtree)
            if place < 0:
                return (*sequence[:number], step.holding(*inner), *sequence[number + 1 :]), -1
    if ends_in_branches(sequence):
        return sequence, place
    return ((*sequence, *subtree), -1) if place == 0 else (sequence, place - 1)


def kept(sequence: Sequence, wanted: Any) -> Sequence:
    """The sequence without the steps, of all that it holds, for which ``wanted`` says no."""
    return tuple(
        step.holding(*(kept(inner, wanted) for inner in step.held)) for step in sequence if wanted(step)
    )


Turned = tuple[Sequence, tuple[int, ...]]
"""A sequence, and for each of its steps in the order of the text the number that it had."""


def leaves(program: PlanProgram) -> tuple[str, ...]:
    """Names of the leaves: of branches of the main plan in which no others meet; none of a lone path."""
    return tuple(_leaves(program.plans[0]))


def _leaves(sequence: Sequence) -> Iterator[str]:
    merge = sequence[-1] if sequence else None
    if isinstance(merge, Merge):
        for name, branch in zip(merge.names, merge.branches, strict=True):
            if branch and isinstance(branch[-1], Merge):
                yield from _leaves(branch)
            else:
                yield name


def downward(program: PlanProgram, start: str = "") -> PlanProgram:
    """The same as a plan that is executed from its first step to its last; itself if it is one.

    Args:
        program: any.
        start: the leaf at which a plan that goes up begins; the first one stands for a name that no leaf has.
    """
    return downward_places(program, start)[0]


def downward_places(program: PlanProgram, start: str = "") -> tuple[PlanProgram, tuple[tuple[int, ...], ...]]:
    """The same, and for each of its plans the numbers that its steps have in the program."""
    if not program.goes_up:
        numbers = tuple(tuple(range(sum(1 for _ in steps(plan)))) for plan in program.plans)
        return program, numbers
    found = leaves(program)
    main = _path(program.plans[0], 0, start if start in found else "".join(found[:1]))
    assert main is not None, "the leaf is there"
    turned = [main, *(_turned(plan, 0) for plan in program.plans[1:])]
    return PlanProgram(program.names, tuple(plan for plan, _ in turned)), tuple(each for _, each in turned)


def _path(sequence: Sequence, first: int, start: str) -> Turned | None:
    """The steps from a leaf up to the root of a sequence, whose first step has this number; None if it is elsewhere."""
    merge = sequence[-1] if sequence else None
    if not isinstance(merge, Merge):
        return _turned(sequence, first)
    own, numbers = _turned(sequence[:-1], first)
    place = first + len(numbers) + 1
    for name, branch in zip(merge.names, merge.branches, strict=True):
        inner = branch and isinstance(branch[-1], Merge)
        found = _path(branch, place, start) if inner or name == start else None
        if found is not None:
            return (*found[0], *own), (*found[1], *numbers)
        place += sum(1 for _ in steps(branch))
    return None


def _turned(sequence: Sequence, first: int) -> Turned:
    """The steps of a sequence in the opposite order, those of loops, too."""
    found: list[tuple[Step, list[int]]] = []
    number = first
    for step in sequence:
        held, numbers = [], [number]
        number += 1
        for part in step.held:
            turned, own = _turned(part, number)
            held.append(turned)
            numbers += own
            number += len(own)
        found.append((step.holding(*held), numbers))
    found.reverse()
    return tuple(step for step, _ in found), tuple(number for _, own in found for number in own)

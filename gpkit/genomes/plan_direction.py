"""Plans that are executed upwards, from a named leaf to the root, as plans that are executed downwards.

There is one path from each leaf, so nothing is decided on it: different beginnings share what follows.
"""

from collections.abc import Iterator

from gpkit.genomes.plan import Merge, PlanProgram, Sequence, Step, below, steps
from gpkit.genomes.plan_places import with_below

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
        for part in below(step):
            turned, own = _turned(part, number)
            held.append(turned)
            numbers += own
            number += len(own)
        found.append((with_below(step, *held), numbers))
    found.reverse()
    return tuple(step for step, _ in found), tuple(number for _, own in found for number in own)

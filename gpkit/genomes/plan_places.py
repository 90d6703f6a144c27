"""Places of a plan: every subtree of the execution tree, among them the empty ones at which it ends.

In a sequence each step is the only child of the one before, so the subtree at a step is that step and all that follow
it there. Places are numbered in the order of the text.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from gpkit.genomes.plan import NOTHING, Chance, Decide, Merge, Repeat, Sequence, Step, While, below


def subtrees(sequence: Sequence) -> Iterator[Sequence]:
    """The subtree at every place; empty where a sequence ends without a decision."""
    for number, step in enumerate(sequence):
        yield sequence[number:]
        for inner in below(step):
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
        inner = list(below(step))
        for part, each in enumerate(inner):
            inner[part], place = _replaced(each, place, subtree)
            if place < 0:
                return (*sequence[:number], with_below(step, *inner), *sequence[number + 1 :]), -1
    if ends_in_branches(sequence):
        return sequence, place
    return ((*sequence, *subtree), -1) if place == 0 else (sequence, place - 1)


def with_below(step: Step, *inner: Sequence) -> Step:
    """The step with other sequences in it, as many as it holds."""
    match step:
        case Repeat() | While():
            return replace(step, body=inner[0])
        case Decide() | Chance():
            return replace(step, yes=inner[0], no=inner[1])
        case Merge():
            return replace(step, branches=inner)
        case _:
            return step


def kept(sequence: Sequence, wanted: Any) -> Sequence:
    """The sequence without the steps, of all that it holds, for which ``wanted`` says no."""
    return tuple(
        with_below(step, *(kept(inner, wanted) for inner in below(step))) for step in sequence if wanted(step)
    )

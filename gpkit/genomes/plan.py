"""Plans: execution trees, as the parser returns them and evolution varies them.

A sequence is a tuple of steps, each of which is the only child of the one before it, so the subtree at a step is that
step and all that follow it there. A decision has two children, so it is the last of its sequence. Steps nest only where
they branch or repeat, and no deeper than ``MAX_NESTING``. The places of a plan are its subtrees, among them the empty
ones at which it ends, numbered in the order of the text.

A plan that is executed upwards, from a named leaf to the root, is turned into one that is executed downwards: there is
one path from each leaf, so nothing is decided on it, and different beginnings share what follows.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, Self

from gpkit.core.registry import language_of_genome
from gpkit.genomes.comparisons import Comparison

MAX_NESTING = 40
MAX_STEPS = 10_000
MOST_REPEATS = 99
MOST_TICKS = 9999
"""The most ticks of a ``wait``, and the most rounds of a ``while``."""

MAIN = ""
"""Name of the plan that is executed."""


@dataclass(frozen=True, slots=True)
class Test:
    """One comparison, or two of them joined by ``and`` or ``or``."""

    comparisons: tuple[Comparison, ...]
    join: Literal["", "and", "or"] = ""


def opposite(test: Test) -> Test:
    """The test that holds where another one does not."""
    turned = tuple(comparison.opposite for comparison in test.comparisons)
    return Test(turned, {"": "", "and": "or", "or": "and"}[test.join])  # type: ignore[arg-type]


class Holder:
    """A step; ``HELD`` names the fields that are sequences, and ``COUNT`` the field that counts, if there is one."""

    __slots__ = ()
    HELD: ClassVar[tuple[str, ...]] = ()
    COUNT: ClassVar[str] = ""

    @property
    def held(self) -> tuple["Sequence", ...]:
        """The sequences that it holds."""
        return tuple(getattr(self, name) for name in self.HELD)

    def holding(self, *inner: "Sequence") -> Self:
        """The step with other sequences in it, as many as it holds."""
        return self.but(**dict(zip(self.HELD, inner, strict=True))) if inner else self

    def but(self, **fields: object) -> Self:
        """The step with other values of some fields."""
        return replace(self, **fields)  # type: ignore[type-var]

    @property
    def asks(self) -> str:
        """The action that it asks for, or nothing."""
        return getattr(self, "action", "")

    @property
    def uses(self) -> str:
        """The plan that it executes, or nothing."""
        return getattr(self, "plan", "")

    @property
    def asked(self) -> Test | None:
        """The test that it has, or None."""
        return getattr(self, "test", None)

    @property
    def count(self) -> int:
        """The most times or ticks that it takes; 0 without a count."""
        return getattr(self, self.COUNT, 0)

    @property
    def decides(self) -> bool:
        """Whether it executes one of two branches."""
        return len(self.HELD) > 1

    @property
    def meeting(self) -> tuple[str, ...]:
        """The names of the branches that meet in it."""
        return getattr(self, "names", ())


@dataclass(frozen=True, slots=True)
class Do(Holder):
    """Ask the game for an action, and go on when it has begun."""

    action: str


@dataclass(frozen=True, slots=True)
class Use(Holder):
    """Execute a named plan, and go on behind it."""

    plan: str


@dataclass(frozen=True, slots=True)
class Wait(Holder):
    """Ticks that pass until a test holds, ``most`` at the most."""

    test: Test
    most: int

    COUNT = "most"


@dataclass(frozen=True, slots=True)
class Repeat(Holder):
    """Execute the body so many times."""

    times: int
    body: "Sequence"

    COUNT = "times"
    HELD = ("body",)


@dataclass(frozen=True, slots=True)
class While(Holder):
    """Execute the body as long as a test holds before it, ``most`` times at the most."""

    test: Test
    most: int
    body: "Sequence"

    COUNT = "most"
    HELD = ("body",)


@dataclass(frozen=True, slots=True)
class Decide(Holder):
    """Execute one of two branches, by a test."""

    test: Test
    yes: "Sequence"
    no: "Sequence"

    HELD = ("yes", "no")


@dataclass(frozen=True, slots=True)
class Chance(Holder):
    """Execute one of two branches, ``yes`` with this probability."""

    probability: float
    yes: "Sequence"
    no: "Sequence"

    HELD = ("yes", "no")


@dataclass(frozen=True, slots=True)
class Merge(Holder):
    """Meeting of paths that come up from branches with names; only in plans that are executed upwards."""

    names: tuple[str, ...]
    branches: tuple["Sequence", ...]

    @property
    def held(self) -> tuple["Sequence", ...]:
        """The sequences that it holds."""
        return self.branches

    def holding(self, *inner: "Sequence") -> "Merge":
        """The same with other branches."""
        return Merge(self.names, inner)


Step = Do | Use | Wait | Repeat | While | Decide | Chance | Merge
Sequence = tuple[Step, ...]

NOTHING: Sequence = ()


def steps(sequence: Sequence) -> Iterator[Step]:
    """All steps of a sequence in the order of the text."""
    for step in sequence:
        yield step
        for inner in step.held:
            yield from steps(inner)


def nesting(sequence: Sequence) -> int:
    """Depth of the nesting: 0 of a sequence that holds no other."""
    return max((1 + nesting(inner) for step in sequence for inner in step.held), default=0)


def compared(step: Step) -> tuple[Comparison, ...]:
    """The comparisons of the test of a step; none of one without a test."""
    return () if step.asked is None else step.asked.comparisons


@dataclass(frozen=True)
class PlanProgram:
    """A plan with the plans that it uses.

    Attributes:
        names: of the plans; the first one is ``MAIN``, which is executed.
        plans: their steps.
        goes_up: whether it is executed from a leaf to the root, so from the end of the text to its beginning.
    """

    language: ClassVar[str] = language_of_genome("plan")
    names: tuple[str, ...]
    plans: tuple[Sequence, ...]
    goes_up: bool = False

    def __post_init__(self) -> None:
        assert len(self.names) == len(self.plans), "one name for each plan"
        assert self.names[0] == MAIN, "the first plan is executed"

    def __len__(self) -> int:
        """The number of steps of all plans together."""
        return self._length

    @cached_property
    def _length(self) -> int:
        return sum(1 for plan in self.plans for _ in steps(plan))

    def plan(self, name: str) -> Sequence:
        """The plan of that name.

        Raises:
            KeyError: there is none.
        """
        return dict(zip(self.names, self.plans, strict=True))[name]


def cycle(program: PlanProgram) -> tuple[str, ...]:
    """Names of plans that use each other in a circle, the first one again at the end; empty if there are none."""
    uses = {
        name: [step.uses for step in steps(plan) if step.uses]
        for name, plan in zip(program.names, program.plans, strict=True)
    }
    done: set[str] = set()
    for start in program.names:
        path, pending = {start: 0}, [iter(uses[start])]  # on the way from the start, by their places
        while pending:
            for name in pending[-1]:
                if name in path:
                    return (*list(path)[path[name] :], name)
                if name in uses and name not in done:
                    path[name] = len(path)
                    pending.append(iter(uses[name]))
                    break
            else:
                done.add(path.popitem()[0])
                pending.pop()
    return ()


def expanded(program: PlanProgram) -> int:
    """Number of steps with every used plan in its place; the program has no circle, and uses plans that it has."""
    plans = {name: list(steps(plan)) for name, plan in zip(program.names, program.plans, strict=True)}
    uses = {name: Counter(step.uses for step in found if step.uses) for name, found in plans.items()}
    sizes: dict[str, int] = {}
    pending = [MAIN]
    while pending:
        name = pending[-1]
        missing = [used for used in uses[name] if used not in sizes]
        if missing:
            pending += missing
        else:
            sizes[name] = len(plans[name]) + sum(count * sizes[used] for used, count in uses[name].items())
            pending.pop()
    return sizes[MAIN]


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
    return bool(sequence) and (sequence[-1].decides or meets(sequence))


def meets(sequence: Sequence) -> bool:
    """Whether its branches meet at its end."""
    return bool(sequence) and bool(sequence[-1].meeting)


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
    if meets(sequence):
        for name, branch in zip(sequence[-1].meeting, sequence[-1].held, strict=True):
            if meets(branch):
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
    if not meets(sequence):
        return _turned(sequence, first)
    own, numbers = _turned(sequence[:-1], first)
    place = first + len(numbers) + 1
    for name, branch in zip(sequence[-1].meeting, sequence[-1].held, strict=True):
        found = _path(branch, place, start) if meets(branch) or name == start else None
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

"""Plans as genomes: steps and variation operators.

A sequence is a tuple of steps. Each step is the only child of the step before it, so the subtree at a step consists of
the step and all steps after it. A decision has two children, so it ends its sequence. Only branches and loops are
nested, at most ``MAX_NESTING`` deep. The places of a plan are its subtrees, including the empty subtrees at its ends,
numbered in text order.

gpkit turns a plan that runs upwards, from a named leaf to the root, into a plan that runs downwards. There is only one
path upwards from each leaf, so a plan that runs upwards needs no decisions. Paths from different leaves share the steps
after the place where they meet.

The parameters of a plan are its actions, counts, tests and probabilities. Every variation operator takes the random
generator as its first argument, does not change its arguments, and returns the child with the place of the change. If
there is nothing to vary, the child can equal its parent.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, Self

import numpy as np

from gpkit.core.registry import language_of_genome
from gpkit.core.rng import below as one_below
from gpkit.genomes.comparisons import DRAWN, SIGNS, Comparison, Feature, cuts_at, scale_of, scaled, stepped
from gpkit.genomes.tree import Computed, Function, Variant, functions_of

MAX_NESTING = 40
MAX_STEPS = 10_000
MOST_REPEATS = 99
MOST_TICKS = 9999
"""The maximum number of ticks in a ``wait``, and of rounds in a ``while``."""

MAIN = ""
"""The name of the main plan, which the game executes."""


@dataclass(frozen=True, slots=True)
class Test:
    """One comparison, or two comparisons joined by ``and`` or ``or``."""

    comparisons: tuple[Comparison, ...]
    join: Literal["", "and", "or"] = ""


def opposite(test: Test) -> Test:
    """The test that holds exactly when the given test does not."""
    turned = tuple(comparison.opposite for comparison in test.comparisons)
    return Test(turned, {"": "", "and": "or", "or": "and"}[test.join])  # type: ignore[arg-type]


class Holder:
    """A step; ``HELD`` names the fields that are sequences, and ``COUNT`` names the field that is a count, if any."""

    __slots__ = ()
    HELD: ClassVar[tuple[str, ...]] = ()
    COUNT: ClassVar[str] = ""

    @property
    def held(self) -> tuple["Sequence", ...]:
        """The sequences inside the step."""
        return tuple(getattr(self, name) for name in self.HELD)

    def holding(self, *inner: "Sequence") -> Self:
        """The step with other sequences inside it; the number of sequences must stay the same."""
        return self.but(**dict(zip(self.HELD, inner, strict=True))) if inner else self

    def but(self, **fields: object) -> Self:
        """The step with new values for some fields."""
        return replace(self, **fields)  # type: ignore[type-var]

    @property
    def asks(self) -> str:
        """The action that the step requests; empty if it requests none."""
        return getattr(self, "action", "")

    @property
    def uses(self) -> str:
        """The name of the plan that the step executes; empty if it executes none."""
        return getattr(self, "plan", "")

    @property
    def asked(self) -> Test | None:
        """The test of the step; None if it has none."""
        return getattr(self, "test", None)

    @property
    def count(self) -> int:
        """The number of repetitions or ticks of the step; 0 if it has no such count."""
        return getattr(self, self.COUNT, 0)

    @property
    def decides(self) -> bool:
        """Whether the step chooses between two branches."""
        return len(self.HELD) > 1

    @property
    def meeting(self) -> tuple[str, ...]:
        """The names of the branches that meet in the step."""
        return getattr(self, "names", ())


@dataclass(frozen=True, slots=True)
class Do(Holder):
    """Request an action from the game, and continue when the action has begun."""

    action: str


@dataclass(frozen=True, slots=True)
class Use(Holder):
    """Execute a named plan, and then continue."""

    plan: str


@dataclass(frozen=True, slots=True)
class Wait(Holder):
    """Wait until a test holds, for at most ``most`` ticks."""

    test: Test
    most: int

    COUNT = "most"


@dataclass(frozen=True, slots=True)
class Repeat(Holder):
    """Execute the body ``times`` times."""

    times: int
    body: "Sequence"

    COUNT = "times"
    HELD = ("body",)


@dataclass(frozen=True, slots=True)
class While(Holder):
    """Execute the body while a test holds, at most ``most`` times."""

    test: Test
    most: int
    body: "Sequence"

    COUNT = "most"
    HELD = ("body",)


@dataclass(frozen=True, slots=True)
class Decide(Holder):
    """Execute one of two branches, depending on a test."""

    test: Test
    yes: "Sequence"
    no: "Sequence"

    HELD = ("yes", "no")


@dataclass(frozen=True, slots=True)
class Chance(Holder):
    """Execute one of two branches: ``yes`` with the given probability, otherwise ``no``."""

    probability: float
    yes: "Sequence"
    no: "Sequence"

    HELD = ("yes", "no")


@dataclass(frozen=True, slots=True)
class Merge(Holder):
    """The place where paths from named branches meet; it occurs only in plans that run upwards."""

    names: tuple[str, ...]
    branches: tuple["Sequence", ...]

    @property
    def held(self) -> tuple["Sequence", ...]:
        """The sequences inside the step."""
        return self.branches

    def holding(self, *inner: "Sequence") -> "Merge":
        """The step with other branches."""
        return Merge(self.names, inner)


Step = Do | Use | Wait | Repeat | While | Decide | Chance | Merge
Sequence = tuple[Step, ...]

NOTHING: Sequence = ()


def steps(sequence: Sequence) -> Iterator[Step]:
    """Yield all steps in a sequence, including nested steps, in text order."""
    for step in sequence:
        yield step
        for inner in step.held:
            yield from steps(inner)


def nesting(sequence: Sequence) -> int:
    """The nesting depth of a sequence: 0 if it contains no nested sequences."""
    return max((1 + nesting(inner) for step in sequence for inner in step.held), default=0)


def compared(step: Step) -> tuple[Comparison, ...]:
    """The comparisons in a step's test; none for a step without a test."""
    return () if step.asked is None else step.asked.comparisons


@dataclass(frozen=True)
class PlanProgram:
    """A program that consists of a main plan and the plans that it uses.

    Attributes:
        names: the names of the plans; the first name is ``MAIN``.
        plans: the steps of the plans.
        goes_up: whether the program runs from a leaf to the root, that is, from the end of its text to the beginning.
        defined: the functions that the text defines; tests need not call them.
    """

    language: ClassVar[str] = language_of_genome("plan")
    names: tuple[str, ...]
    plans: tuple[Sequence, ...]
    goes_up: bool = False
    defined: tuple[Function, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        assert len(self.names) == len(self.plans), "one name for each plan"
        assert self.names[0] == MAIN, "the first plan is executed"

    def __len__(self) -> int:
        """The number of steps of all plans together."""
        return self._length

    @cached_property
    def _length(self) -> int:
        return sum(1 for plan in self.plans for _ in steps(plan))

    @property
    def computed(self) -> tuple[Computed, ...]:
        """The features that formulas compute, in order of first use."""
        found = (each.feature for plan in self.plans for step in steps(plan) for each in compared(step))
        return tuple(each for each in dict.fromkeys(found) if isinstance(each, Computed))

    @property
    def functions(self) -> tuple[Function, ...]:
        """The functions that the text defines, in text order, then the others that it calls, each after its callees."""
        return functions_of(self.defined, *(each.tree for each in self.computed))

    def plan(self, name: str) -> Sequence:
        """The plan with this name.

        Raises:
            KeyError: there is no such plan.
        """
        return dict(zip(self.names, self.plans, strict=True))[name]


def cycle(program: PlanProgram) -> tuple[str, ...]:
    """The names of plans that use each other in a cycle, ending with the first name again; empty without a cycle."""
    uses = {
        name: [step.uses for step in steps(plan) if step.uses]
        for name, plan in zip(program.names, program.plans, strict=True)
    }
    done: set[str] = set()
    for start in program.names:
        path, pending = {start: 0}, [iter(uses[start])]  # the path from the start, with places
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
    """The number of steps in the main plan and all plans that it uses.

    The program must not contain a cycle, and must use only plans that it defines.
    """
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
    """Yield the subtree at every place; at the end of a sequence without a decision, the subtree is empty."""
    for number, step in enumerate(sequence):
        yield sequence[number:]
        for inner in step.held:
            yield from subtrees(inner)
    if not ends_in_branches(sequence):
        yield NOTHING


def ends_in_branches(sequence: Sequence) -> bool:
    """Whether the sequence ends in branches, so that no step can follow."""
    return bool(sequence) and (sequence[-1].decides or meets(sequence))


def meets(sequence: Sequence) -> bool:
    """Whether branches meet in the last step of a sequence."""
    return bool(sequence) and bool(sequence[-1].meeting)


def with_subtree(sequence: Sequence, place: int, subtree: Sequence) -> Sequence:
    """The sequence after the subtree at one of its places has been replaced."""
    changed, left = _replaced(sequence, place, subtree)
    assert left < 0, "there is such a place"
    return changed


def _replaced(sequence: Sequence, place: int, subtree: Sequence) -> tuple[Sequence, int]:
    """The sequence with one subtree replaced, and the number of places left to skip (negative once replaced)."""
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
    """The sequence reduced to the steps that ``wanted`` accepts, also in nested sequences."""
    return tuple(
        step.holding(*(kept(inner, wanted) for inner in step.held)) for step in sequence if wanted(step)
    )


Turned = tuple[Sequence, tuple[int, ...]]
"""A reversed sequence, and the original numbers of its steps in their new order."""


def leaves(program: PlanProgram) -> tuple[str, ...]:
    """The names of the leaves: the branches of the main plan in which no branches meet; empty for a single path."""
    return tuple(_leaves(program.plans[0]))


def _leaves(sequence: Sequence) -> Iterator[str]:
    if meets(sequence):
        for name, branch in zip(sequence[-1].meeting, sequence[-1].held, strict=True):
            if meets(branch):
                yield from _leaves(branch)
            else:
                yield name


def downward(program: PlanProgram, start: str = "") -> PlanProgram:
    """The program, reversed if necessary so that it runs downwards.

    Args:
        program: any program.
        start: the leaf at which a plan that runs upwards begins; an unknown name selects the first leaf.
    """
    return downward_places(program, start)[0]


def downward_places(program: PlanProgram, start: str = "") -> tuple[PlanProgram, tuple[tuple[int, ...], ...]]:
    """The result of ``downward``, and the original numbers of the steps in each plan."""
    if not program.goes_up:
        numbers = tuple(tuple(range(sum(1 for _ in steps(plan)))) for plan in program.plans)
        return program, numbers
    found = leaves(program)
    main = _path(program.plans[0], 0, start if start in found else "".join(found[:1]))
    assert main is not None, "the leaf is there"
    turned = [main, *(_turned(plan, 0) for plan in program.plans[1:])]
    return PlanProgram(program.names, tuple(plan for plan, _ in turned)), tuple(each for _, each in turned)


def _path(sequence: Sequence, first: int, start: str) -> Turned | None:
    """The steps from a leaf up to the root of a sequence, numbered from ``first``; None if the leaf is not in it."""
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
    """The steps of a sequence in reverse order, including those inside loops."""
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


MORE = 0.7
"""The probability that a random subtree continues after a step, if it can continue there."""

JOINED = 0.2
"""The proportion of random tests that have two comparisons."""


@dataclass(frozen=True, slots=True)
class PlanDomain:
    """The settings for random plans.

    Attributes:
        actions: the actions of the game.
        features: the features that can be tested, each with at least one cut; without features, there are no tests.
        decisions, loops, waits, chances: the shares of the kinds of steps other than actions; steps with tests need
            features.
        plans: the names of the plans that steps can use.
        most_times: the maximum number of rounds in random loops.
        most_ticks: the maximum number of ticks in random waits.
    """

    actions: tuple[str, ...]
    features: tuple[Feature, ...] = ()
    decisions: float = 0.0
    loops: float = 0.0
    waits: float = 0.0
    chances: float = 0.0
    plans: tuple[str, ...] = ()
    most_times: int = 4
    most_ticks: int = 60


Varied = Variant[Sequence]
"""A child and the place of the change in it."""


def random_sequence(
    rng: np.random.Generator, domain: PlanDomain, depth: int, *, full: bool = False
) -> Sequence:
    """A random subtree with at most ``depth`` levels, or exactly ``depth`` if ``full``; loop bodies count as levels."""
    step = _random_step(rng, domain, depth, full=full)
    if step.decides or depth <= 1 or not (full or rng.random() < MORE):
        return (step,)
    return (step, *random_sequence(rng, domain, depth - 1, full=full))


def _random_step(rng: np.random.Generator, domain: PlanDomain, depth: int, *, full: bool = False) -> Step:
    """A random step, which contains other steps only if ``depth`` is above 1."""
    kind = float(rng.random())
    if depth > 1:
        kind -= domain.loops
        if kind < 0:
            body = random_sequence(rng, domain, depth - 1, full=full)
            times = 1 + one_below(rng, domain.most_times)
            is_while = domain.features and rng.random() < 0.5
            return While(random_test(rng, domain), times, body) if is_while else Repeat(times, body)
        kind -= domain.decisions if domain.features else 0.0
        if kind < 0:
            branches = [random_sequence(rng, domain, depth - 1, full=full) for _ in range(2)]
            return Decide(random_test(rng, domain), *branches)
        kind -= domain.chances
        if kind < 0:
            branches = [random_sequence(rng, domain, depth - 1, full=full) for _ in range(2)]
            return Chance(float(rng.random()), *branches)
    kind -= domain.waits if domain.features else 0.0
    if kind < 0:
        return Wait(random_test(rng, domain), 1 + one_below(rng, domain.most_ticks))
    words = (*domain.actions, *domain.plans)
    word = words[one_below(rng, len(words))]
    return Use(word) if word in domain.plans else Do(word)


def random_test(rng: np.random.Generator, domain: PlanDomain) -> Test:
    """A random test, sometimes with two comparisons."""
    first = _random_comparison(rng, domain)
    if rng.random() >= JOINED:
        return Test((first,))
    return Test((first, _random_comparison(rng, domain)), "and" if rng.random() < 0.5 else "or")


def _random_comparison(rng: np.random.Generator, domain: PlanDomain) -> Comparison:
    feature = domain.features[one_below(rng, len(domain.features))]
    sign = DRAWN[one_below(rng, len(DRAWN))]
    return Comparison(feature.name, sign, feature.cuts[one_below(rng, len(feature.cuts))])


# Structure.


def mutate_branch(rng: np.random.Generator, sequence: Sequence, domain: PlanDomain, depth: int = 2) -> Varied:
    """Replace a random subtree with a new subtree of at most ``depth`` levels; all places are equally likely."""
    return _at(rng, sequence, lambda _: random_sequence(rng, domain, 1 + one_below(rng, depth)))


def crossover(rng: np.random.Generator, sequence: Sequence, donor: Sequence) -> Varied:
    """Replace a random subtree with a random subtree of ``donor``; all places of each sequence are equally likely."""
    given = list(subtrees(donor))
    return _at(rng, sequence, lambda _: given[one_below(rng, len(given))])


def splice(rng: np.random.Generator, sequence: Sequence, donor: Sequence) -> Varied:
    """Replace a few consecutive steps with a few steps of ``donor``; the steps after them remain."""
    given = list(subtrees(donor))

    def spliced(found: Sequence) -> Sequence:
        rest = found[one_below(rng, 3) :]
        chosen = given[one_below(rng, len(given))]
        steps = chosen[: 1 + one_below(rng, max(1, len(chosen)))]
        return steps if ends_in_branches(steps) else (*steps, *rest)

    return _at(rng, sequence, spliced)


def insert(rng: np.random.Generator, sequence: Sequence, domain: PlanDomain) -> Varied:
    """Insert a random step before a random subtree; a decision encloses it, and a loop may enclose its first step."""

    def inserted(rest: Sequence) -> Sequence:
        step = _random_step(rng, domain, 2)
        if step.decides:
            other = step.held[1] if rng.random() < 0.5 else NOTHING
            return (step.holding(*((rest, other) if rng.random() < 0.5 else (other, rest))),)
        if step.held and rest and not ends_in_branches(rest[:1]) and rng.random() < 0.5:
            return (step.holding(rest[:1]), *rest[1:])
        return (step, *rest)

    return _at(rng, sequence, inserted)


def hoist(rng: np.random.Generator, sequence: Sequence) -> Varied:
    """Remove a random step; one of its inner sequences, if any, takes its place. This makes the child smaller."""

    def hoisted(found: Sequence) -> Sequence:
        step, rest = found[0], found[1:]
        inner = step.held
        if not inner:
            return rest
        chosen = inner[one_below(rng, len(inner))]
        return chosen if ends_in_branches(chosen) else (*chosen, *rest)

    return _at(rng, sequence, hoisted, bool)


def prune(rng: np.random.Generator, sequence: Sequence) -> Varied:
    """Cut off a random step and all steps after it, which makes the child smaller."""
    return _at(rng, sequence, lambda _: NOTHING, bool)


def exchange(rng: np.random.Generator, sequence: Sequence) -> Varied:
    """Swap two neighbouring steps."""

    def exchanged(found: Sequence) -> Sequence:
        if len(found) < 2 or ends_in_branches(found[:2]):
            return found
        return found[1], found[0], *found[2:]

    return _at(rng, sequence, exchanged, bool)


def swap(rng: np.random.Generator, sequence: Sequence) -> Varied:
    """Negate a random decision or chance step and swap its branches, so all decisions stay the same.

    If 1 − p is rounded, the negation of a chance is not exact, and some of its decisions can change.
    """

    def swapped(step: Step) -> Step:
        if isinstance(step, Decide):
            return Decide(opposite(step.test), step.no, step.yes)
        assert isinstance(step, Chance), "only they have the branches yes and no"
        return Chance(1.0 - step.probability, step.no, step.yes)

    return _change(rng, sequence, lambda step: step.decides, swapped)


# Parameters.


def mutate_action(rng: np.random.Generator, sequence: Sequence, domain: PlanDomain) -> Varied:
    """Replace the action or the plan of a random step with another."""

    def changed(step: Step) -> Step:
        words = domain.actions if step.asks else domain.plans
        others = [word for word in words if word != (step.asks or step.uses)]
        if not others:
            return step
        word = others[one_below(rng, len(others))]
        return Do(word) if step.asks else Use(word)

    return _change(rng, sequence, lambda step: bool(step.asks or step.uses), changed)


def mutate_count(rng: np.random.Generator, sequence: Sequence) -> Varied:
    """Add or remove one round of a random loop, or multiply the ticks of a random wait by a factor from ½ to 2."""
    draw = float(rng.random())

    def changed(step: Step) -> Step:
        more = 1 if draw < 0.5 else -1
        if step.held:
            most = MOST_TICKS if step.asked else MOST_REPEATS
            return step.but(**{step.COUNT: min(max(step.count + more, 1), most)})
        ticks = round(step.count * scale_of(draw, 1.0))
        return step.but(most=min(max(ticks, 0), MOST_TICKS))

    return _change(rng, sequence, lambda step: bool(step.COUNT), changed)


def scale_threshold(rng: np.random.Generator, sequence: Sequence, octaves: float = 1.0) -> Varied:
    """Multiply the threshold of a random comparison by 2^U(−octaves, octaves)."""
    factor = scale_of(float(rng.random()), octaves)
    return _compare(rng, sequence, lambda c: replace(c, threshold=scaled(c.threshold, factor) + 0.0))


def step_threshold(rng: np.random.Generator, sequence: Sequence, domain: PlanDomain, most: int = 3) -> Varied:
    """Move the threshold of a random comparison by up to ``most`` cuts of its feature."""
    steps = (1 + one_below(rng, most)) * (1 if rng.random() < 0.5 else -1)
    return _compare(
        rng,
        sequence,
        lambda c: replace(
            c, threshold=stepped(c.threshold, cuts_at(domain.features, c.feature), steps) + 0.0
        ),
    )


def mutate_comparison(rng: np.random.Generator, sequence: Sequence) -> Varied:
    """Replace the operator of a random comparison with another one."""

    def changed(comparison: Comparison) -> Comparison:
        others = [sign for sign in SIGNS if sign != comparison.sign]
        return replace(comparison, sign=others[one_below(rng, len(others))])

    return _compare(rng, sequence, changed)


def mutate_feature(rng: np.random.Generator, sequence: Sequence, domain: PlanDomain) -> Varied:
    """Replace the feature of a random comparison with a random feature, and the threshold with one of its cuts."""
    if not domain.features:
        return Variant(sequence, 0)
    return _compare(rng, sequence, lambda c: replace(_random_comparison(rng, domain), sign=c.sign))


def mutate_chance(rng: np.random.Generator, sequence: Sequence, spread: float = 0.1) -> Varied:
    """Add a normally distributed number to the probability of a random chance; the result stays between 0 and 1."""
    change = spread * float(rng.standard_normal())

    def changed(step: Step) -> Step:
        assert isinstance(step, Chance), "it was chosen as one"
        return replace(step, probability=min(max(step.probability + change, 0.0), 1.0))

    return _change(rng, sequence, lambda step: isinstance(step, Chance), changed)


def _at(
    rng: np.random.Generator,
    sequence: Sequence,
    change: Callable[[Sequence], Sequence],
    wanted: Callable[[Sequence], bool] = lambda _: True,
) -> Varied:
    """Change a random subtree that satisfies ``wanted``."""
    places = list(subtrees(sequence))
    candidates = [place for place, found in enumerate(places) if wanted(found)]
    if not candidates:
        return Variant(sequence, 0)
    place = candidates[one_below(rng, len(candidates))]
    return Variant(with_subtree(sequence, place, change(places[place])), place)


def _change(
    rng: np.random.Generator,
    sequence: Sequence,
    wanted: Callable[[Step], bool],
    change: Callable[[Step], Step],
) -> Varied:
    """Change a random step that satisfies ``wanted``, and keep the steps after it."""
    return _at(
        rng,
        sequence,
        lambda found: (change(found[0]), *found[1:]),
        lambda found: bool(found) and wanted(found[0]),
    )


def _compare(
    rng: np.random.Generator, sequence: Sequence, change: Callable[[Comparison], Comparison]
) -> Varied:
    """Change a random comparison of a random test."""

    def changed(step: Step) -> Step:
        assert step.asked is not None, "the step was chosen because it has a test"
        comparisons = list(step.asked.comparisons)
        place = one_below(rng, len(comparisons))
        comparisons[place] = change(comparisons[place])
        return step.but(test=replace(step.asked, comparisons=tuple(comparisons)))

    return _change(rng, sequence, lambda step: bool(compared(step)), changed)

"""Random plans, and the variation of one: of its structure, and apart from that of its parameters.

Parameters are actions, counts, tests and probabilities. Every operator takes its source of chance first, leaves its
arguments as they are, and returns the child with the place where it differs from its parent
(``gpkit.genomes.plan``). A child may equal its parent when there is nothing to vary.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from gpkit.core.rng import below as one_below
from gpkit.genomes.comparisons import DRAWN, SIGNS, Comparison, Feature, cuts_at, scale_of, scaled, stepped
from gpkit.genomes.plan import (
    MOST_REPEATS,
    MOST_TICKS,
    NOTHING,
    Chance,
    Decide,
    Do,
    Repeat,
    Sequence,
    Step,
    Test,
    Use,
    Wait,
    While,
    compared,
    ends_in_branches,
    opposite,
    subtrees,
    with_subtree,
)
from gpkit.genomes.tree import Variant

MORE = 0.7
"""Probability that a random subtree goes on behind a step, if it may."""

JOINED = 0.2
"""Share of random tests that have two comparisons."""


@dataclass(frozen=True, slots=True)
class Domain:
    """Domain of random plans.

    Attributes:
        actions: what the game can be asked for.
        features: what tests compare, each with a cut at least; without any, there are no tests.
        decisions, loops, waits, chances: shares of steps that are not actions; those with tests need features.
        plans: names of plans that can be used.
        most_times: of random loops.
        most_ticks: of random waits.
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
"""A child and the place in it where it changed."""


def random_sequence(rng: np.random.Generator, domain: Domain, depth: int, *, full: bool = False) -> Sequence:
    """A random subtree of at most ``depth`` levels, or of exactly so many when it is full; bodies are levels, too."""
    step = _random_step(rng, domain, depth, full=full)
    if step.decides or depth <= 1 or not (full or rng.random() < MORE):
        return (step,)
    return (step, *random_sequence(rng, domain, depth - 1, full=full))


def _random_step(rng: np.random.Generator, domain: Domain, depth: int, *, full: bool = False) -> Step:
    """A random step, which holds others only if ``depth`` is above 1."""
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


def random_test(rng: np.random.Generator, domain: Domain) -> Test:
    """A random test, sometimes of two comparisons."""
    first = _random_comparison(rng, domain)
    if rng.random() >= JOINED:
        return Test((first,))
    return Test((first, _random_comparison(rng, domain)), "and" if rng.random() < 0.5 else "or")


def _random_comparison(rng: np.random.Generator, domain: Domain) -> Comparison:
    feature = domain.features[one_below(rng, len(domain.features))]
    sign = DRAWN[one_below(rng, len(DRAWN))]
    return Comparison(feature.name, sign, feature.cuts[one_below(rng, len(feature.cuts))])


# Structure.


def mutate_branch(rng: np.random.Generator, sequence: Sequence, domain: Domain, depth: int = 2) -> Varied:
    """Replace a random subtree by a random one of at most ``depth`` levels; every place is equally likely."""
    return _at(rng, sequence, lambda _: random_sequence(rng, domain, 1 + one_below(rng, depth)))


def crossover(rng: np.random.Generator, sequence: Sequence, donor: Sequence) -> Varied:
    """Replace a random subtree by a random one of ``donor``; every place of both is equally likely."""
    given = list(subtrees(donor))
    return _at(rng, sequence, lambda _: given[one_below(rng, len(given))])


def splice(rng: np.random.Generator, sequence: Sequence, donor: Sequence) -> Varied:
    """Replace a few random steps by a few of ``donor``, and go on with what followed them."""
    given = list(subtrees(donor))

    def spliced(found: Sequence) -> Sequence:
        rest = found[one_below(rng, 3) :]
        chosen = given[one_below(rng, len(given))]
        steps = chosen[: 1 + one_below(rng, max(1, len(chosen)))]
        return steps if ends_in_branches(steps) else (*steps, *rest)

    return _at(rng, sequence, spliced)


def insert(rng: np.random.Generator, sequence: Sequence, domain: Domain) -> Varied:
    """Put a random step before a random subtree; that goes on in a branch, or the loop takes its first step."""

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
    """Replace the subtree at a random step by one that begins below it: the child is smaller."""

    def hoisted(found: Sequence) -> Sequence:
        step, rest = found[0], found[1:]
        inner = step.held
        if not inner:
            return rest
        chosen = inner[one_below(rng, len(inner))]
        return chosen if ends_in_branches(chosen) else (*chosen, *rest)

    return _at(rng, sequence, hoisted, bool)


def prune(rng: np.random.Generator, sequence: Sequence) -> Varied:
    """Cut off all that follows a random step, or the step itself: the child is smaller."""
    return _at(rng, sequence, lambda _: NOTHING, bool)


def exchange(rng: np.random.Generator, sequence: Sequence) -> Varied:
    """Exchange two neighbouring steps."""

    def exchanged(found: Sequence) -> Sequence:
        if len(found) < 2 or ends_in_branches(found[:2]):
            return found
        return found[1], found[0], *found[2:]

    return _at(rng, sequence, exchanged, bool)


def swap(rng: np.random.Generator, sequence: Sequence) -> Varied:
    """Swap yes and no of a random decision or chance and negate it, so that every decision stays.

    A chance is not negated exactly where 1 − p is rounded; its decisions stay alike, not the same.
    """

    def swapped(step: Step) -> Step:
        if isinstance(step, Decide):
            return Decide(opposite(step.test), step.no, step.yes)
        assert isinstance(step, Chance), "only they have the branches yes and no"
        return Chance(1.0 - step.probability, step.no, step.yes)

    return _change(rng, sequence, lambda step: step.decides, swapped)


# Parameters.


def mutate_action(rng: np.random.Generator, sequence: Sequence, domain: Domain) -> Varied:
    """Replace the action or the plan of a random step by another."""

    def changed(step: Step) -> Step:
        words = domain.actions if step.asks else domain.plans
        others = [word for word in words if word != (step.asks or step.uses)]
        if not others:
            return step
        word = others[one_below(rng, len(others))]
        return Do(word) if step.asks else Use(word)

    return _change(rng, sequence, lambda step: bool(step.asks or step.uses), changed)


def mutate_count(rng: np.random.Generator, sequence: Sequence) -> Varied:
    """Give a random loop a round more or less, or scale the ticks of a wait by up to 2 up or down."""
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


def step_threshold(rng: np.random.Generator, sequence: Sequence, domain: Domain, most: int = 3) -> Varied:
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
    """Give a random comparison another sign."""

    def changed(comparison: Comparison) -> Comparison:
        others = [sign for sign in SIGNS if sign != comparison.sign]
        return replace(comparison, sign=others[one_below(rng, len(others))])

    return _compare(rng, sequence, changed)


def mutate_feature(rng: np.random.Generator, sequence: Sequence, domain: Domain) -> Varied:
    """Replace the feature of a random comparison by a random one, at one of its cuts."""
    if not domain.features:
        return Variant(sequence, 0)
    return _compare(rng, sequence, lambda c: replace(_random_comparison(rng, domain), sign=c.sign))


def mutate_chance(rng: np.random.Generator, sequence: Sequence, spread: float = 0.1) -> Varied:
    """Change the probability of a random chance by a normal number, within 0 and 1."""
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
    """Change a random subtree, one of those that are wanted."""
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
    """Change a random step of those that are wanted, and nothing behind it."""
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
        assert step.asked is not None, "it was chosen as one with a test"
        comparisons = list(step.asked.comparisons)
        place = one_below(rng, len(comparisons))
        comparisons[place] = change(comparisons[place])
        return step.but(test=replace(step.asked, comparisons=tuple(comparisons)))

    return _change(rng, sequence, lambda step: bool(compared(step)), changed)

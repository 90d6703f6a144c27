"""Place of a new rule among others that are in order: where the decisions that were met lately gain most by it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined, kernel
from gpkit.learners.dots_and_boxes.kernel.arrays import NO_SLOT
from gpkit.learners.dots_and_boxes.kernel.judging import best_edges, best_of
from gpkit.learners.dots_and_boxes.kernel.learning import average_value
from gpkit.learners.dots_and_boxes.kernel.proposals import propose, set_domains
from gpkit.matching.kernel.signature import may_match

STEP = 1.0
"""The quality of the first rule of an order is so much above that of the next one, that of the last so much below."""


class Trial(NamedTuple):
    """Decisions in which new rules are tried.

    Attributes:
        classes: int32 (classes,): the classes that were met, each once.
        times: int64 (classes,): how often each was met.
        signatures: uint64 (classes, WORDS): of their positions.
    """

    classes: NDArray[np.int32]
    times: NDArray[np.int64]
    signatures: NDArray[np.uint64]


class Acting(NamedTuple):
    """Rules that act where a new one matches, scratch.

    Attributes:
        slots: int64 (slots,): of these rules.
        gains: float64 (slots,), 0 between calls: by slot what is gained where the new rule acts instead.
        acts: bool (slots,), False between calls: by slot whether it is one of these.
    """

    slots: NDArray[np.int64]
    gains: NDArray[np.float64]
    acts: NDArray[np.bool_]


@inlined
def credit(slot, gain, rules, acting):  # type: ignore[no-untyped-def]
    """Add a gain to those where the rule of a slot acts, one of so many or a new one; how many there are then."""
    if not acting.acts[slot]:
        acting.acts[slot] = True
        acting.slots[rules] = slot
        rules += 1
    acting.gains[slot] += gain
    return rules


@inlined
def gather(search, signature, trial, acting, world):  # type: ignore[no-untyped-def]
    """Find the rules that act where a new one matches, and what is gained where it acts instead.

    Returns:
        In how many decisions it matches, how many these rules are, and the gain where no rule acts.
    """
    _, environment, graphs, population, memory, critic, _ = world
    count, rules, unguided = 0, 0, 0.0
    for k in range(trial.classes.shape[0]):
        if not may_match(trial.signatures[k], signature[0], signature[1]):
            continue
        number = trial.classes[k]
        set_domains(number, graphs, memory)
        mask = propose(number, search, graphs, population, memory)
        if mask == 0:
            continue
        best = best_of(number, graphs, population, memory)
        instead = best_edges(number, best, world)
        there = average_value(number, mask, environment, critic)
        gain = trial.times[k] * (there - average_value(number, instead, environment, critic))
        count += trial.times[k]
        if best == NO_SLOT:
            unguided += gain
        else:
            rules = credit(best, gain, rules, acting)
    return count, rules, unguided


@inlined
def sort_by_quality(slots, count, quality):  # type: ignore[no-untyped-def]
    """Sort slots by quality, the least first; of equal ones the higher slot."""
    for k in range(1, count):
        slot, place = slots[k], k
        while place > 0 and (
            quality[slots[place - 1]] > quality[slot]
            or (quality[slots[place - 1]] == quality[slot] and slots[place - 1] < slot)
        ):
            slots[place] = slots[place - 1]
            place -= 1
        slots[place] = slot


@inlined
def best_place(rules, unguided, acting, quality):  # type: ignore[no-untyped-def]
    """Find the place before so many rules that act, the worst of them first, where most is gained.

    Returns:
        What is gained there, and the quality of that place.
    """
    sort_by_quality(acting.slots, rules, quality)
    best, total = unguided, unguided
    found = quality[acting.slots[0]] - STEP if rules > 0 else 0.0
    for k in range(rules):
        slot = acting.slots[k]
        total += acting.gains[slot]
        floor = quality[slot]
        ceiling = quality[acting.slots[k + 1]] if k + 1 < rules else floor + 2.0 * STEP
        middle = (floor + ceiling) / 2.0
        if total > best and floor < middle < ceiling:
            best, found = total, middle
        acting.gains[slot] = 0.0
        acting.acts[slot] = False
    return best, found


@kernel
def find_place(search, signature, trial, acting, world):  # type: ignore[no-untyped-def]
    """Find the place of a new rule: before all rules that are worse where it matches, taken together.

    Args:
        search: int16 (PLACES + PLACE · places,): of the rule, as the plan's ``imaging``.
        signature: uint64 (WORDS,): of the rule.
        trial: see ``Trial``.
        acting: see ``Acting``.
        world: see ``arrays``; its memory is brought up to date for the classes in which the rule matches.

    Returns:
        In how many of the decisions the rule matches; what they gain by it there; and the quality of that place.
    """
    count, rules, unguided = gather(search, signature, trial, acting, world)
    gain, place = best_place(rules, unguided, acting, world.population.quality)
    return count, gain, place

"""The evolutionary breaker; ``gpkit_experiments.readable.breaker`` says what it means, ``feedback`` what bits are.

Codes are rows of ``pegs``, int64 (rows, length), and of ``bits``, int64 (rows, 2 · words), and each has a ``value``,
int64 (rows,). The rows are, in this order: the population, the codes that are collected, the elite of the guesses, and
at the end a child and a donor. Draws come from a keyed stream: how many were made is ``drawn[0]``, int64 (1,).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined, kernel
from gpkit.games.mastermind.kernel.feedback import WORD, counts_of
from gpkit.games.mastermind.kernel.rollout import ENDLESS, cost_of, total_of
from gpkit.vm.keyed import keyed_uniform

KEY, TURN, COLOURS, REPEATS, POPULATION, COLLECTED = range(6)
PATIENCE, CHILDREN, ELITE, PROBES, ROLLOUTS, FACTS = range(6, 12)
"""Facts of a guess: the key of the game, the guesses made, the rules, and the settings."""

FRESH, SCRAMBLE, SWAP, NEXT = range(4)
"""Thresholds of a uniform draw: of one for a new code as donor, and of one for each mutation."""


class Breeding(NamedTuple):
    """Settings and buffers by which codes are bred.

    Attributes:
        facts: int64 (FACTS,): see above.
        shares: float64 (4,): see above.
        drawn: int64 (1,): how many draws were made; changed.
        colours: int64 (colours,), scratch.
    """

    facts: NDArray[np.int64]
    shares: NDArray[np.float64]
    drawn: NDArray[np.int64]
    colours: NDArray[np.int64]


class CodeRows(NamedTuple):
    """Codes with their values, see above; changed."""

    pegs: NDArray[np.int64]
    bits: NDArray[np.int64]
    value: NDArray[np.int64]


@inlined
def uniform(facts, drawn):  # type: ignore[no-untyped-def]
    """A uniform double of [0, 1)."""
    drawn[0] += 1
    return keyed_uniform(facts[KEY], facts[TURN], drawn[0] - 1)


@inlined
def below(size, facts, drawn):  # type: ignore[no-untyped-def]
    """A uniform integer of 0 … size − 1."""
    return int(uniform(facts, drawn) * size)


@inlined
def create(code, facts, drawn, colours):  # type: ignore[no-untyped-def]
    """Write a random code into ``code``; ``colours``, int64 (colours,), is scratch."""
    if facts[REPEATS]:
        for place in range(code.shape[0]):
            code[place] = below(facts[COLOURS], facts, drawn)
        return
    for colour in range(facts[COLOURS]):
        colours[colour] = colour
    for last in range(facts[COLOURS] - 1, 0, -1):
        other = below(last + 1, facts, drawn)
        colours[last], colours[other] = colours[other], colours[last]
    for place in range(code.shape[0]):
        code[place] = colours[place]


@inlined
def pair(length, facts, drawn):  # type: ignore[no-untyped-def]
    """Two different numbers below ``length``, the lower first."""
    one, other = below(length, facts, drawn), below(length - 1, facts, drawn)
    if other >= one:
        return one, other + 1
    return other, one


@inlined
def mutate(child, facts, shares, drawn):  # type: ignore[no-untyped-def]
    """Change a code by at most one of the mutations of ``papers.mastermind.genes``."""
    length, chance = child.shape[0], uniform(facts, drawn)
    if chance < shares[SCRAMBLE]:
        if length > 1:
            low, high = pair(length, facts, drawn)
            for last in range(high - low, 0, -1):
                other = below(last + 1, facts, drawn)
                child[low + last], child[low + other] = child[low + other], child[low + last]
    elif chance < shares[SWAP]:
        if length > 1:
            low, high = pair(length, facts, drawn)
            child[low], child[high] = child[high], child[low]
    elif chance < shares[NEXT]:
        place = below(length, facts, drawn)
        child[place] = (child[place] + 1) % facts[COLOURS]


@inlined
def vary(first, count, parent, pegs, breeding):  # type: ignore[no-untyped-def]
    """Write a child of a parent into the row of the child: crossed with one of ``count`` rows from ``first`` on, or
    with a new code, and mutated."""
    facts, shares, drawn, colours = breeding
    child, donor = pegs.shape[0] - 2, pegs.shape[0] - 1
    if uniform(facts, drawn) < shares[FRESH]:
        create(pegs[donor], facts, drawn, colours)
    else:
        donor = first + below(count, facts, drawn)
    low, high = pair(pegs.shape[1] + 1, facts, drawn)
    for place in range(pegs.shape[1]):
        pegs[child, place] = pegs[donor if low <= place < high else parent, place]
    mutate(pegs[child], facts, shares, drawn)


@inlined
def is_code(code, facts):  # type: ignore[no-untyped-def]
    """Whether no colour is there twice, or may be."""
    if facts[REPEATS]:
        return True
    for place in range(code.shape[0]):
        for other in range(place):
            if code[other] == code[place]:
                return False
    return True


@inlined
def write_bits(code, row, facts, colours):  # type: ignore[no-untyped-def]
    """Write a code as bits into ``row``; ``colours``, int64 (colours,), is scratch."""
    words, length = row.shape[0] // 2, code.shape[0]
    row[:] = 0
    colours[:] = 0
    for place in range(length):
        colour = code[place]
        bit = place * facts[COLOURS] + colour
        row[bit // WORD] |= 1 << bit % WORD
        bit = colour * length + colours[colour]
        row[words + bit // WORD] |= 1 << bit % WORD
        colours[colour] += 1


@inlined
def is_among(code, first, count, bits):  # type: ignore[no-untyped-def]
    """Whether a code, as bits, is one of ``count`` rows from ``first`` on."""
    words = bits.shape[1] // 2
    for row in range(first, first + count):
        same = True
        for word in range(words):
            same = same and bits[row, word] == code[word]
        if same:
            return True
    return False


@inlined
def badness(code, asked, answers):  # type: ignore[no-untyped-def]
    """Distance of the answers that a code would have given from those that were given."""
    bad = 0
    for turn in range(asked.shape[0]):
        black, both = counts_of(asked[turn], code)
        bad += abs(black - answers[turn, 0]) + abs(both - answers[turn, 1])
    return bad


@inlined
def copy(source, target, rows):  # type: ignore[no-untyped-def]
    """Write a row over another one."""
    for place in range(rows.pegs.shape[1]):
        rows.pegs[target, place] = rows.pegs[source, place]
    for word in range(rows.bits.shape[1]):
        rows.bits[target, word] = rows.bits[source, word]
    rows.value[target] = rows.value[source]


@inlined
def collect(asked, answers, breeding, rows):  # type: ignore[no-untyped-def]
    """Evolve codes that would have given the answers, and collect them; see ``guess``.

    Returns:
        How many were collected.
    """
    facts, _, drawn, colours = breeding
    pegs, bits, value = rows
    population, most, child = facts[POPULATION], facts[COLLECTED], pegs.shape[0] - 2
    held, since, made = 0, 0, 0
    while held < most and made < facts[CHILDREN] and (held == 0 or since < facts[PATIENCE]):
        better, worse = made, made
        if made < population:
            create(pegs[child], facts, drawn, colours)
        else:
            better, worse = below(population, facts, drawn), below(population, facts, drawn)
            if value[worse] < value[better]:
                better, worse = worse, better
            vary(0, population, better, pegs, breeding)
        made += 1
        since += 1
        if not is_code(pegs[child], facts):
            continue
        write_bits(pegs[child], bits[child], facts, colours)
        value[child] = badness(bits[child], asked, answers)
        if made > population and (value[child] > value[worse] or is_among(bits[child], 0, population, bits)):
            continue
        if value[child] == 0 and not is_among(bits[child], population, held, bits):
            copy(child, population + held, rows)
            held += 1
            since = 0
        copy(child, worse, rows)
    return held


@inlined
def offer(row, held, count, facts, scoring, rows):  # type: ignore[no-untyped-def]
    """Replace the worst guess of the elite by another, if that is worse; its value is its badness.

    Returns:
        How many guesses the elite has.
    """
    bits, value = rows.bits, rows.value
    population, first = facts[POPULATION], facts[POPULATION] + held
    worst = first
    for other in range(first, first + count):
        if value[other] > value[worst]:
            worst = other
    limit = ENDLESS if count < facts[ELITE] else value[worst]
    penalty = scoring.penalty if value[row] > 0 else 0
    cost = cost_of(bits[row], bits[population:], held, (limit - penalty + 1) // 2, scoring)
    if 2 * cost + penalty >= limit:
        return count
    target = first + count if count < facts[ELITE] else worst
    copy(row, target, rows)
    value[target] = 2 * cost + penalty
    return min(count + 1, facts[ELITE])


@inlined
def best_of_elite(held, count, facts, scoring, rows, rollout):  # type: ignore[no-untyped-def]
    """The row of the guess with the best score; with rollouts the one with the least total, of equals the better.

    Args:
        held: how many candidates were collected.
        count: how many guesses the elite has; the value of each is its score, which is changed.
        facts, rows: see above.
        scoring, rollout: see ``rollout``.
    """
    bits, value, population = rows.bits, rows.value, facts[POPULATION]
    first = population + held
    pool = bits[population : first + count]
    chosen, least = first, ENDLESS
    for _ in range(count):
        best = first
        for row in range(first, first + count):
            if value[row] < value[best]:
                best = row
        if facts[ROLLOUTS] == 0 or held == facts[COLLECTED]:
            return best
        value[best] = ENDLESS
        total = total_of(best - population, held, least, pool, scoring, rollout)
        if total < least:
            chosen, least = best, total
    return chosen


@kernel
def guess(asked, answers, scoring, breeding, rows, rollout):  # type: ignore[no-untyped-def]
    """The row of the code to guess.

    Args:
        asked: int64 (turns, 2 · words): the guesses so far as bits.
        answers: int64 (turns, 2): the black pegs of each answer, and black and white together.
        breeding, rows: see above; what is drawn and the rows are written anew.
        scoring, rollout: see ``rollout``.
    """
    facts, _, drawn, colours = breeding
    pegs, bits, value = rows
    drawn[0] = 0
    population, child = facts[POPULATION], pegs.shape[0] - 2
    held = collect(asked, answers, breeding, rows)
    first, best, count = population + held, 0, 0
    if held == 0:
        for row in range(population):
            if value[row] < value[best]:
                best = row
        return best
    if held <= 2:
        return population
    for row in range(population, population + held):
        count = offer(row, held, count, facts, scoring, rows)
    for _ in range(facts[PROBES]):
        parent = first + below(count, facts, drawn)
        vary(first, count, parent, pegs, breeding)
        if is_code(pegs[child], facts):
            write_bits(pegs[child], bits[child], facts, colours)
            if not is_among(bits[child], first, count, bits):
                value[child] = badness(bits[child], asked, answers)
                count = offer(child, held, count, facts, scoring, rows)
    return best_of_elite(held, count, facts, scoring, rows, rollout)

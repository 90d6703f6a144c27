"""The expected guesses of who guesses any candidate, all equally likely: every choice is followed.

Colours that no guess has had yet can be exchanged, and the candidates stay the same. Of guesses that become one another
in this way one is followed for all: that in which such colours come in ascending order, from the lowest.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined, kernel

SIZE, GUESS, EDGE, TRIED, WEIGHT = range(5)
LEVEL = 5
"""The columns of ``levels``: the candidates of a node, which of them is guessed now, the number of the next answer to
look at, the colours of earlier guesses as a mask, and how many guesses this one stands for."""


class ChanceScratch(NamedTuple):
    """Scratch arrays for as many levels as guesses are still allowed, at least one.

    Attributes:
        some, parted: int32 (allowed, left): the candidates of each level, and the same by their answers.
        ends: int32 (allowed, answers + 1): where those parts end.
        levels: int64 (allowed, LEVEL).
        totals: float64 (allowed,): the expected guesses of all parts of each level so far.
    """

    some: NDArray[np.int32]
    parted: NDArray[np.int32]
    ends: NDArray[np.int32]
    levels: NDArray[np.int64]
    totals: NDArray[np.float64]


@inlined
def stands_for(pegs, tried, colours):  # type: ignore[no-untyped-def]
    """Number of guesses that this one stands for, itself included; 0 if another one stands for it.

    Args:
        pegs: int8 (length,): its colours.
        tried: the colours of earlier guesses, as a mask.
        colours: how many there are.
    """
    free = 0
    for colour in range(colours):
        free += 1 - (tried >> colour & 1)
    weight = 1
    for place in range(pegs.shape[0]):
        colour = pegs[place]
        if tried >> colour & 1 == 0:
            if (~tried & ((1 << colour) - 1)) != 0:
                return 0
            tried |= 1 << colour
            weight *= free
            free -= 1
    return weight


@inlined
def part(some, size, guess, given, parted, ends):  # type: ignore[no-untyped-def]
    """Sort candidates by the answer that each gives to a guess.

    Args:
        some: int32 (size or more,): the candidates.
        size: how many there are.
        guess: the number of a code.
        given: uint8 (codes, codes): the number of the feedback of any two codes.
        parted: int32 (size or more,), written.
        ends: int32 (answers + 1,), written: where each part ends.
    """
    ends[:] = 0
    for number in range(size):
        ends[given[guess, some[number]] + 1] += 1
    for answer in range(ends.shape[0] - 1):
        ends[answer + 1] += ends[answer]
    for number in range(size):
        answer = given[guess, some[number]]
        parted[ends[answer]] = some[number]
        ends[answer] += 1


@kernel
def expected_guesses(left, tried, colours, given, pegs, scratch):  # type: ignore[no-untyped-def]
    """The expected guesses for all of these secrets together; one more than are allowed if they are not found.

    Args:
        left: int32 (left,): the candidates, at least one.
        tried: the colours of the guesses that left them, as a mask.
        colours: how many there are.
        given: uint8 (codes, codes): the number of the feedback of any two codes.
        pegs: int8 (codes, length): all codes.
        scratch: changed.
    """
    some, parted, ends, levels, totals = scratch
    allowed, solved = some.shape[0], ends.shape[1] - 2
    for number in range(left.shape[0]):
        some[0, number] = left[number]
    levels[0, SIZE], levels[0, GUESS], levels[0, EDGE], levels[0, TRIED] = left.shape[0], 0, 0, tried
    totals[0] = 0.0
    level, total = 0, 0.0
    while level >= 0:
        size, guess, answer = levels[level, SIZE], levels[level, GUESS], levels[level, EDGE]
        if guess == size:  # every choice was followed
            total = size + totals[level] / size
            level -= 1
            if level >= 0:
                totals[level] += total * levels[level, WEIGHT]
            continue
        code = some[level, guess]
        if answer == 0:
            levels[level, WEIGHT] = stands_for(pegs[code], levels[level, TRIED], colours)
            if levels[level, WEIGHT] > 0:
                part(some[level], size, code, given, parted[level], ends[level])
        weight = levels[level, WEIGHT]
        if answer == solved or weight == 0:
            levels[level, GUESS], levels[level, EDGE] = guess + 1, 0
            continue
        levels[level, EDGE] = answer + 1
        begin = ends[level, answer - 1] if answer > 0 else 0
        count = ends[level, answer] - begin
        if level + 1 == allowed or count <= 1:
            totals[level] += weight * count
        elif count == 2:
            totals[level] += weight * 3.0
        else:
            had = levels[level, TRIED]
            for place in range(pegs.shape[1]):
                had |= 1 << pegs[code, place]
            level += 1
            for number in range(count):
                some[level, number] = parted[level - 1, begin + number]
            levels[level, SIZE], levels[level, GUESS], levels[level, EDGE] = count, 0, 0
            levels[level, TRIED] = had
            totals[level] = 0.0
    return total

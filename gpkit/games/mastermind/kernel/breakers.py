"""Guesses of the breakers that look one guess ahead; see ``feedback`` for codes as bits."""

from gpkit.core.compiled import inlined, kernel
from gpkit.games.mastermind.kernel.feedback import answer_of

LARGEST, ADDED, MOST = range(3)
"""How sizes of parts make a cost: the largest one; the sum of ``steps``; the same where each step is 0 or −1."""

ENDLESS = 1 << 62
"""More than any cost."""


@inlined
def cost_of(guess, some, count, how, steps, best, sizes):  # type: ignore[no-untyped-def]
    """The cost of a guess if it is below ``best``, else any number that is not.

    Args:
        guess: int64 (2 · words,).
        some: int64 (candidates, 2 · words): the candidates.
        count: how many of them there are.
        how: LARGEST, ADDED or MOST.
        steps: int64 (sizes,): by how much the cost grows when a part of this size gets one more.
        best: a cost.
        sizes: int32 (answers,), scratch.
    """
    sizes[:] = 0
    cost = 0
    for number in range(count):
        answer = answer_of(guess, some[number])
        size = sizes[answer]
        sizes[answer] = size + 1
        if how == LARGEST:
            cost = max(cost, size + 1)
        else:
            cost += steps[size]
        if cost - (count - 1 - number if how == MOST else 0) >= best:
            return best
    return cost


@kernel
def choose(left, likely, guesses, bits, how, steps, some, sizes):  # type: ignore[no-untyped-def]
    """The number of the code to guess: least cost, of those a likely one, of those the first.

    Args:
        left: int32 (candidates,): the numbers of the candidates, ascending.
        likely: int32 (likely,): the numbers of codes to try first, such as the candidates; at least one.
        guesses: int32 (guesses,): the numbers of the codes that may be guessed besides.
        bits: int64 (codes, 2 · words): all codes.
        how, steps, sizes: see ``cost_of``.
        some: int64 (candidates or more, 2 · words), scratch.
    """
    count = left.shape[0]
    for number in range(count):
        for word in range(bits.shape[1]):
            some[number, word] = bits[left[number], word]
    best, chosen = ENDLESS, -1
    for number in range(likely.shape[0] + guesses.shape[0]):
        guess = likely[number] if number < likely.shape[0] else guesses[number - likely.shape[0]]
        cost = cost_of(bits[guess], some, count, how, steps, best, sizes)
        if cost < best:
            best, chosen = cost, guess
    return chosen

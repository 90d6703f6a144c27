"""Rollouts of guesses; ``gpkit_experiments.readable.breaker`` says what they are, ``feedback`` what bits are."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined
from gpkit.games.mastermind.kernel.feedback import answer_of

ADDED, MOST = range(2)
"""Kinds of cost from the sizes of parts: the sum of ``increments``; the same where each is 0 or −1."""

ENDLESS = 1 << 62
"""More than any cost."""


class Scoring(NamedTuple):
    """Score of guesses.

    Attributes:
        how: ADDED or MOST.
        penalty: of a guess that cannot be the secret, in halves.
        increments: int64 (candidates,): by how much the cost grows when a part of each size gets one more.
        sizes: int32 (answers,), scratch.
    """

    how: int
    penalty: int
    increments: NDArray[np.int64]
    sizes: NDArray[np.int32]


class Rollout(NamedTuple):
    """Buffers of a rollout: all are scratch.

    Attributes:
        some: int64 (candidates, 2 · words): the candidates of one part.
        order: int64 (candidates,): their rows, those of a part one after another.
        moved: int64 (candidates,): rows of a part in the order of their answers.
        found: int64 (candidates,): answers.
        ends: int64 (answers + 1,): where the rows of each answer end.
        waiting: int64 (candidates, 2): parts that no guess was chosen for, from where to where in ``order``.
    """

    some: NDArray[np.int64]
    order: NDArray[np.int64]
    moved: NDArray[np.int64]
    found: NDArray[np.int64]
    ends: NDArray[np.int64]
    waiting: NDArray[np.int64]


@inlined
def cost_of(guess, some, count, best, scoring):  # type: ignore[no-untyped-def]
    """The cost of a guess if it is below ``best``, else any number that is not.

    Args:
        guess: int64 (2 · words,).
        some: int64 (candidates, 2 · words): the candidates.
        count: how many of them there are.
        best: a cost.
        scoring: see ``Scoring``.
    """
    how, _, increments, sizes = scoring
    sizes[:] = 0
    cost = 0
    for number in range(count):
        answer = answer_of(guess, some[number])
        size = sizes[answer]
        sizes[answer] = size + 1
        cost += increments[size]
        if cost - (count - 1 - number if how == MOST else 0) >= best:
            return best
    return cost


@inlined
def choice(start, end, pool, scoring, rollout):  # type: ignore[no-untyped-def]
    """The row of the guess with the least score over the candidates of a part, the first of equals.

    Args:
        start, end: from where to where the part is in ``rollout.order``; at least three candidates.
        pool: int64 (guesses, 2 · words): what may be guessed beside them.
        scoring, rollout: see ``Scoring`` and ``Rollout``.
    """
    some, order = rollout.some, rollout.order
    _, penalty, increments, sizes = scoring
    count = end - start
    for number in range(count):
        for word in range(pool.shape[1]):
            some[number, word] = pool[order[start + number], word]
    best, chosen = ENDLESS, order[start]
    for number in range(count + pool.shape[0]):
        row = order[start + number] if number < count else number - count
        cost = cost_of(pool[row], some, count, (best + 1) // 2, scoring)
        score = 2 * cost + (penalty if sizes[sizes.shape[0] - 1] == 0 else 0)
        if score < best:
            best, chosen = score, row
            if number < count and cost == count * increments[0]:
                break  # each candidate has an answer of its own: nothing is better
    return chosen


@inlined
def total_of(guess, held, limit, pool, scoring, rollout):  # type: ignore[no-untyped-def]
    """The total of guesses over the candidates if this one comes first, or any number that is not below a limit.

    Args:
        guess: its row in the pool.
        held: how many candidates there are: the first rows of the pool.
        limit: what the total has to be below.
        pool, scoring, rollout: see ``choice``.
    """
    order, moved, found, ends, waiting = rollout[1:]
    for number in range(held):
        order[number] = number
    waiting[0, 0], waiting[0, 1] = 0, held
    parts, row = 1, guess
    total = 2 * held - 1  # those of a part need at least so many
    while parts > 0 and total < limit:
        parts -= 1
        start, end = waiting[parts, 0], waiting[parts, 1]
        if row < 0:
            row = choice(start, end, pool, scoring, rollout)
        total += 1 - (end - start)
        ends[:] = 0
        for place in range(start, end):
            found[place] = answer_of(pool[row], pool[order[place]])
            ends[found[place] + 1] += 1
        ends[0] = start
        for answer in range(ends.shape[0] - 1):
            size = ends[answer + 1]
            ends[answer + 1] += ends[answer]
            if size > 0 and answer < ends.shape[0] - 2:
                total += 2 * size - 1
                if size > 2:
                    waiting[parts, 0], waiting[parts, 1] = ends[answer], ends[answer + 1]
                    parts += 1
        for place in range(start, end):
            moved[ends[found[place]]] = order[place]
            ends[found[place]] += 1
        for place in range(start, end):
            order[place] = moved[place]
        row = -1
    return total

"""Programs that value every guess, compiled: whole strategies are followed, for many secrets at once.

``sensors`` and ``primitives`` beside this folder say what it means. A *node* of a strategy is what is known after some
guesses: the codes that are left. Secrets that gave the same answers are in the same node, so it is decided once.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.masks import ones
from gpkit.games.mastermind.kernel.feedback import answer_of
from gpkit.vm.keyed import HALF, keyed_uniform
from gpkit.vm.machine import apply_rows

TURN, LEFT, LENGTH, COLOURS, POSSIBLE, PARTS, LARGEST = range(7)
EXPECTED, ENTROPY, SINGLES, PAIRS, TRIPLES, WIN = range(7, 13)
NEXT, WORST, ALONE, TWINS, THREE, KINDS, NEW = range(13, 20)
SENSOR_COUNT = 20
"""The sensors by slot."""

RESULT, RANDOMS, KEY, PEGS, HUES, ANSWERS, ALLOWED = range(7)
FACTS = 7
"""The columns of ``facts``: the slot of the value, the numbers of ``math.random()``, the key of the game; of the rules
the length, the colours, the numbers of feedback, and the guesses that are allowed."""

START, END, DEPTH, TRIED = range(4)
NODE = 4
"""The columns of a node that waits: its codes are a stretch of ``left``; guesses made; the colours that they had."""

BLOCK = 128
"""Guesses that are valued together."""

CODE_BITS = 17
"""Bits of the number of a code in the counters of random numbers."""

NOTHING_TO_CHOOSE = 2
"""So many codes are guessed one after the other."""

SCALE = 1 << 32
"""One bit of uncertainty."""


class Codes(NamedTuple):
    """The codes of a game, and what is known of them beforehand.

    Attributes:
        given: uint8 (codes, codes): the number of the feedback of any two codes; (0, 0) if there is no such table.
        bits: int64 (codes, 2 · words): all codes, see ``feedback``.
        hues: int64 (codes,): the colours of each as a mask.
        amounts: int64 (codes + 1,): by size of a part its uncertainty.
    """

    given: NDArray[np.uint8]
    bits: NDArray[np.int64]
    hues: NDArray[np.int64]
    amounts: NDArray[np.int64]


class Formula(NamedTuple):
    """A program in a game.

    Attributes:
        facts: int64 (FACTS,): see above.
        code: uint32 (rows, 5): straight-line.
        memory: float64 (slots, BLOCK or more): its constants in every column; changed.
    """

    facts: NDArray[np.int64]
    code: NDArray[np.uint32]
    memory: NDArray[np.float64]


class PartScratch(NamedTuple):
    """Scratch arrays, which are all 0 before and after.

    Attributes:
        possible: uint8 (codes,): 1 for the codes of a node while it is looked at.
        sizes: int32 (answers,).
    """

    possible: NDArray[np.uint8]
    sizes: NDArray[np.int32]


@inlined
def answer(guess, secret, codes):  # type: ignore[no-untyped-def]
    """The number of the feedback of two codes: from the table where there is one, else from their bits."""
    if codes.given.shape[0] > 0:
        return np.int64(codes.given[guess, secret])
    return answer_of(codes.bits[guess], codes.bits[secret])


@kernel
def sense_all(node, some, left, formula, codes, scratch):  # type: ignore[no-untyped-def]
    """Write the sensors of some guesses, one column for each.

    Args:
        node: int64 (NODE,).
        some: int32 (guesses,): the codes that could be guessed.
        left: int32 (left,): the codes of the node.
        formula: its memory, with a column for each guess or more, is changed.
        codes: of the game.
        scratch: in which the codes of the node are possible.
    """
    facts, memory, sizes, count = formula.facts, formula.memory, scratch.sizes, left.shape[0]
    few = count < sizes.shape[0]
    for column in range(some.shape[0]):
        guess = some[column]
        possible = scratch.possible[guess]
        for number in range(count):
            sizes[answer(guess, left[number], codes)] += 1
        parts, largest, squares, uncertain = 0, 0, 0, 0
        singles, pairs, triples = 0, 0, 0
        for number in range(count if few else sizes.shape[0]):
            place = answer(guess, left[number], codes) if few else number
            size = sizes[place]
            if size == 0:
                continue
            sizes[place] = 0
            parts += 1
            largest = max(largest, size)
            squares += size * size
            uncertain += codes.amounts[size]
            singles += size == 1
            pairs += size == 2
            triples += size == 3
        memory[TURN, column] = node[DEPTH]
        memory[LEFT, column] = count
        memory[LENGTH, column] = facts[PEGS]
        memory[COLOURS, column] = facts[HUES]
        memory[POSSIBLE, column] = possible
        memory[PARTS, column] = parts
        memory[LARGEST, column] = largest
        memory[EXPECTED, column] = squares / count
        memory[ENTROPY, column] = (codes.amounts[count] - uncertain) / (count * SCALE)
        memory[SINGLES, column] = singles
        memory[PAIRS, column] = pairs
        memory[TRIPLES, column] = triples
        memory[WIN, column] = possible / count
        memory[NEXT, column] = parts / count
        memory[WORST, column] = largest / count
        memory[ALONE, column] = singles / count
        memory[TWINS, column] = 2 * pairs / count
        memory[THREE, column] = 3 * triples / count
        memory[KINDS, column] = ones(codes.hues[guess])
        memory[NEW, column] = ones(codes.hues[guess] & ~node[TRIED])


@inlined
def choose(node, left, guesses, formula, codes, scratch):  # type: ignore[no-untyped-def]
    """The number of the code that a program guesses; see ``primitives``.

    Args:
        guesses: int32 (guesses,): the codes among which to choose, ascending.
        node, left, formula, codes, scratch: see ``sense_all``; no code is possible before and after.
    """
    facts, code, memory, possible = formula.facts, formula.code, formula.memory, scratch.possible
    for number in range(left.shape[0]):
        possible[left[number]] = 1
    chosen, best, sure = left[0], -np.inf, 1
    for start in range(0, guesses.shape[0], BLOCK):
        some = guesses[start : start + BLOCK]
        sense_all(node, some, left, formula, codes, scratch)
        for place in range(facts[RANDOMS]):
            for column in range(some.shape[0]):
                counter = ((place << CODE_BITS) + some[column]) & (HALF - 1)
                memory[SENSOR_COUNT + place, column] = keyed_uniform(facts[KEY], node[DEPTH], counter)
        for row in range(code.shape[0]):
            apply_rows(memory, code[row, 0], code[row, 1], code[row, 2], code[row, 3], code[row, 4])
        for column in range(some.shape[0]):
            value = memory[facts[RESULT], column]
            if value > best or (value == best and possible[some[column]] > sure):
                chosen, best, sure = some[column], value, possible[some[column]]
    for number in range(left.shape[0]):
        possible[left[number]] = 0
    return chosen


@inlined
def sort_by_answer(guess, some, start, end, sorted_, codes, sizes):  # type: ignore[no-untyped-def]
    """Sort the codes from ``start`` to ``end`` by the answers that they give to a guess.

    Args:
        guess: the number of a code.
        some: int32 (codes,), changed.
        start, end: of the stretch.
        sorted_: int32 (codes,), scratch.
        codes: of the game.
        sizes: int32 (answers,), all 0; then where the part of each answer ends.
    """
    for number in range(start, end):
        sizes[answer(guess, some[number], codes)] += 1
    edge = start
    for place in range(sizes.shape[0]):
        size = sizes[place]
        sizes[place] = edge
        edge += size
    for number in range(start, end):
        place = answer(guess, some[number], codes)
        sorted_[sizes[place]] = some[number]
        sizes[place] += 1
    for number in range(start, end):
        some[number] = sorted_[number]


@kernel
def follow(formula, codes, first, left, nodes, scratch, found):  # type: ignore[no-untyped-def]
    """Follow a program for all secrets that are wanted, every node once.

    Args:
        formula: the program.
        codes: of the game.
        first: int32 (guesses,): the codes among which the first guess is chosen, ascending.
        left: int32 (3, codes), scratch; the first row holds the numbers of all codes.
        nodes: int64 (codes + 1, NODE), scratch.
        scratch: all 0.
        found: int32 (codes,), changed: the secrets that are wanted hold 0 and get the guesses that they take, one more
            than are allowed if they are not found; others hold −1 and keep it.
    """
    facts, sizes = formula.facts, scratch.sizes
    some, sorted_, every = left[0], left[1], left[2]
    for number in range(some.shape[0]):
        every[number] = some[number]
    nodes[0, START], nodes[0, END], nodes[0, DEPTH], nodes[0, TRIED] = 0, some.shape[0], 0, 0
    waiting = 1
    while waiting:
        waiting -= 1
        node = nodes[waiting]
        start, end, depth, tried = node[START], node[END], node[DEPTH], node[TRIED]
        part = some[start:end]
        if end - start <= NOTHING_TO_CHOOSE:
            guess = part[0]
        else:
            guess = choose(node, part, first if depth == 0 else every, formula, codes, scratch)
        sort_by_answer(guess, some, start, end, sorted_, codes, sizes)
        edge = start
        for place in range(sizes.shape[0]):
            low, edge = edge, sizes[place]
            sizes[place] = 0
            wanted = 0
            for number in range(low, edge):
                secret = some[number]
                if found[secret] == 0:
                    wanted = 1
                    if place == facts[ANSWERS] - 1:
                        found[secret] = depth + 1
                    elif depth + 1 == facts[ALLOWED]:
                        found[secret] = depth + 2
            if wanted and place < facts[ANSWERS] - 1 and depth + 1 < facts[ALLOWED]:
                nodes[waiting, START], nodes[waiting, END] = low, edge
                nodes[waiting, DEPTH], nodes[waiting, TRIED] = depth + 1, tried | codes.hues[guess]
                waiting += 1

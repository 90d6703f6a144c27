"""Compiled programs that score every guess: codes as bits, and complete strategies for many secrets together.

In this folder, a code is a row of ``bits``, int64 (2 · words,). The first half has a bit for each place and colour,
which is set if the place has a peg of this colour. In the second half, the number of set bits for each colour is the
number of pegs of this colour. The common bits of two codes count the black pegs in the first half, and the black and
white pegs together in the second half.

``sensors`` and ``primitives`` define the sensors and the choice of a guess. A *node* of a strategy is the knowledge
after some guesses: the codes that are left. Secrets with the same answers share a node, so the program decides only
once.

The strategies of different programs share most of their nodes, and in a node, a formula cannot tell many guesses apart.
Therefore, the book of a game has, in each node, one *row* for each group of guesses with equal sensors; the row stores
the first guess of the group. A row that has been chosen before also stores its continuation. A program that draws
random numbers can tell such guesses apart, so it does not use a book.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Floats, Ints
from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.shared import mixed_with, ones
from gpkit.vm.kernel.keyed import keyed_uniform
from gpkit.vm.keyed import HALF
from gpkit.vm.machine import apply_rows

WORD = 62
"""The number of bits used in a word."""


@inlined
def counts_of(guess, secret):  # type: ignore[no-untyped-def]
    """The number of black pegs in the feedback for two codes, given as bits, and the number of black and white pegs."""
    words = guess.shape[0] // 2
    black, both = 0, 0
    for word in range(words):
        black += ones(guess[word] & secret[word])
        both += ones(guess[words + word] & secret[words + word])
    return black, both


@inlined
def answer_of(guess, secret):  # type: ignore[no-untyped-def]
    """The index of the feedback (``rules.Feedback.number``) for two codes given as bits."""
    black, both = counts_of(guess, secret)
    return both * (both + 1) // 2 + black


@kernel
def answers(guesses, secrets, found):  # type: ignore[no-untyped-def]
    """Write the feedback of every guess for every secret.

    Args:
        guesses, secrets: int64 (guesses, 2 · words), (secrets, 2 · words): see above.
        found: int16 (guesses, secrets), output: the indices of the feedback.
    """
    for guess in range(guesses.shape[0]):
        for secret in range(secrets.shape[0]):
            found[guess, secret] = answer_of(guesses[guess], secrets[secret])


TURN, LEFT, LENGTH, COLOURS, POSSIBLE, PARTS, LARGEST = range(7)
EXPECTED, ENTROPY, SINGLES, PAIRS, TRIPLES, WIN = range(7, 13)
NEXT, WORST, ALONE, TWINS, THREE, KINDS, NEW, SENSOR_COUNT = range(13, 21)
"""The slots of the sensors, and their number."""

RESULT, RANDOMS, KEY, PEGS, HUES, ANSWERS, ALLOWED, FACTS = range(8)
"""The columns of ``facts``: the slot of the value, the number of random numbers, and the key of the game; and, from the
rules, the length of codes and the numbers of colours, possible answers, and allowed guesses."""

START, END, DEPTH, TRIED, NODE = range(5)
"""The columns of a waiting node: the range of its codes in ``left``, the number of guesses made, and the colours
used."""

BLOCK = 128
"""The number of guesses that are evaluated together."""

CODE_BITS = 17
"""The number of bits that contain the code in the counters of random numbers."""

NOTHING_TO_CHOOSE = 2
"""The maximum number of codes left that are simply guessed one after the other."""

SCALE = 1 << 32
"""The number of units of one bit of uncertainty."""


class Codes(NamedTuple):
    """The codes of a game and tables about the codes.

    Attributes:
        given: uint8 (codes, codes): the index of the feedback for any two codes, or an array of shape (0, 0) if there
            is no such table.
        bits: int64 (codes, 2 · words): all codes in the format above.
        hues: int64 (codes,): the mask of the colours of each code.
        amounts: int64 (codes + 1,): the uncertainty for each size of a part.
    """

    given: NDArray[np.uint8]
    bits: Ints
    hues: Ints
    amounts: Ints


class Formula(NamedTuple):
    """A program in a game.

    Attributes:
        facts: int64 (FACTS,): see above.
        code: uint32 (rows, 5): straight-line code.
        memory: float64 (slots, at least BLOCK): the constants in every column; modified in place.
    """

    facts: Ints
    code: NDArray[np.uint32]
    memory: Floats


@inlined
def answer(guess, secret, codes):  # type: ignore[no-untyped-def]
    """The index of the feedback for two codes, from the table if there is one, else from the codes' bits."""
    if codes.given.shape[0] > 0:
        return np.int64(codes.given[guess, secret])
    return answer_of(codes.bits[guess], codes.bits[secret])


@kernel
def sense_all(node, some, left, formula, codes, scratch):  # type: ignore[no-untyped-def]
    """Write the sensors of some guesses, one column for each.

    Args:
        node: int64 (NODE,).
        some: int32 (guesses,): the codes that may be guessed.
        left: int32 (left,): the codes of the node.
        formula: the formula; its memory, with at least one column for each guess, is modified in place.
        codes: the codes of the game.
        scratch: uint8 (codes,) and int32 (answers,): 1 for the possible codes, which are those of the node; and zeros.
    """
    facts, memory, count = formula.facts, formula.memory, left.shape[0]
    is_possible, sizes = scratch
    few = count < sizes.shape[0]
    for column in range(some.shape[0]):
        guess = some[column]
        possible = is_possible[guess]
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
        guesses: int32 (guesses,): the codes to choose from, in ascending order.
        node, left, formula, codes, scratch: see ``sense_all``; no code is marked as possible before or after the call.
    """
    facts, code, memory, possible = formula.facts, formula.code, formula.memory, scratch[0]
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
    """Sort the codes from ``start`` to ``end`` by their answers to a guess.

    Args:
        guess: the number of a code.
        some: int32 (codes,), modified in place.
        start, end: the range of codes to sort.
        sorted_: int32 (codes,), scratch space.
        codes: the codes of the game.
        sizes: int32 (answers,), initially zeros; output: the end of each answer's part.
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
    """Follow a program for all wanted secrets, visiting every node only once.

    Args:
        formula: the program.
        codes: the codes of the game.
        first: int32 (guesses,): the codes to choose the first guess from, in ascending order.
        left: int32 (3, codes), scratch space; the first row contains the numbers of all codes.
        nodes: int64 (codes + 1, NODE), scratch space.
        scratch: scratch space, which contains only zeros before and after the call.
        found: int32 (codes,), modified in place: for each wanted secret, 0 before the call and the number of guesses
            after it (one more than allowed if the secret is not found); for all other secrets, −1.
    """
    facts, sizes = formula.facts, scratch[1]
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


ROW, ROWS, ENTRY = range(NODE, NODE + 3)
"""The further columns of a node in the book: its first row, and its number of rows, which is −1 until the rows are
written. The range of the node's codes is in ``parted``."""

GUESS, CHILD, CHILDREN, TOLD, TELLS, FOLLOWED, LOOK = range(7)
"""The columns of a row: the guess; the first node after it, and the number of these nodes; the first entry in ``told``,
and the number of these entries; and whether the row was followed."""

SECRET, TAKES = range(2)
"""The columns of ``told``: a secret, and the number of guesses that it takes."""

NODES_USED, ROWS_USED, PARTED_USED, TOLD_USED = range(4)


class Book(NamedTuple):
    """The nodes and rows computed so far, with their continuations; the first node contains all codes.

    Attributes:
        used: int64 (4,): the numbers of nodes, of rows, of codes in nodes, and of entries in ``told``.
        nodes: int64 (nodes, ENTRY).
        rows: int64 (rows, LOOK).
        looks: float64 (rows, sensors): the sensors of each row; the formulas read no other sensors.
        parted: int32 (codes of nodes,): the codes of all nodes.
        told: int32 (entries, 2): pairs of a secret and its number of guesses.
        places: int64 (a power of two, more than codes): scratch space for finding equal rows.
        waiting: int64 (codes,): scratch space for the waiting nodes.
    """

    used: Ints
    nodes: Ints
    rows: Ints
    looks: Floats
    parted: NDArray[np.int32]
    told: NDArray[np.int32]
    places: Ints
    waiting: Ints


@inlined
def place_of(memory, column, first, book):  # type: ignore[no-untyped-def]
    """The place in ``places`` of a node's row with the same sensors as a column, or a free place if there is none.

    Args:
        memory: float64 (slots, at least BLOCK): the sensors.
        column: the column of a guess.
        first: the first row of the node; places of earlier rows count as free.
        book: the book.
    """
    mixed = np.uint64(0)
    for slot in (POSSIBLE, EXPECTED, ENTROPY, SINGLES, book.looks.shape[1] - 1):
        mixed = mixed_with(mixed, np.uint64(np.int64(memory[slot, column] * (1 << 20))))
    mask = book.places.shape[0] - 1
    place = np.int64(mixed & np.uint64(mask))
    while book.places[place] >= first:
        row, alike = book.places[place], True
        for slot in range(POSSIBLE, book.looks.shape[1]):
            alike = alike and book.looks[row, slot] == memory[slot, column]
        if alike:
            return place
        place = (place + 1) & mask
    return place


@inlined
def look(node, guesses, formula, codes, scratch, book):  # type: ignore[no-untyped-def]
    """Write the rows of a node.

    Args:
        node: int64 (ENTRY,), modified in place.
        guesses: int32 (guesses,): the codes to choose from, in ascending order; the book needs room for one row per
            code.
        formula: the formula; its memory is modified in place.
        codes: the codes of the game.
        scratch: scratch space, which contains only zeros before and after the call.
        book: modified in place.
    """
    left, memory, first = book.parted[node[START] : node[END]], formula.memory, book.used[ROWS_USED]
    for number in range(left.shape[0]):
        scratch[0][left[number]] = 1
    end = first
    for start in range(0, guesses.shape[0], BLOCK):
        some = guesses[start : start + BLOCK]
        sense_all(node, some, left, formula, codes, scratch)
        for column in range(some.shape[0]):
            place = place_of(memory, column, first, book)
            if book.places[place] < first:
                book.places[place] = end
                for slot in range(book.looks.shape[1]):
                    book.looks[end, slot] = memory[slot, column]
                book.rows[end, GUESS] = some[column]
                book.rows[end, FOLLOWED] = 0
                end += 1
    for number in range(left.shape[0]):
        scratch[0][left[number]] = 0
    node[ROW], node[ROWS] = first, end - first
    book.used[ROWS_USED] = end


@inlined
def choose_row(node, formula, read, book):  # type: ignore[no-untyped-def]
    """The row that a program chooses at a node; see ``primitives`` and ``choose``.

    Args:
        node: int64 (ENTRY,): a node with its rows.
        formula: the formula; its memory is modified in place.
        read: bool (SENSOR_COUNT,): the sensors that the program reads.
        book: the book.
    """
    facts, code, memory = formula.facts, formula.code, formula.memory
    chosen, best, sure = node[ROW], -np.inf, 1
    while book.rows[chosen, GUESS] != book.parted[node[START]]:  # the first code that is left
        chosen += 1
    for start in range(node[ROW], node[ROW] + node[ROWS], BLOCK):
        count = min(BLOCK, node[ROW] + node[ROWS] - start)
        part = memory[:, :count]
        for slot in range(book.looks.shape[1]):
            if read[slot]:
                for column in range(count):
                    part[slot, column] = book.looks[start + column, slot]
        for row in range(code.shape[0]):
            apply_rows(part, code[row, 0], code[row, 1], code[row, 2], code[row, 3], code[row, 4])
        for column in range(count):
            value = part[facts[RESULT], column]
            if value >= best:
                possible = book.looks[start + column, POSSIBLE]
                if value > best or possible > sure:
                    chosen, best, sure = start + column, value, possible
    return chosen


@inlined
def follow_row(node, row, facts, codes, sizes, book):  # type: ignore[no-untyped-def]
    """Write the continuation of a row: the child nodes in which a choice remains, and the secrets of all other nodes.

    Args:
        node: int64 (ENTRY,): the node of the row.
        row: int64 (LOOK,), modified in place.
        facts: int64 (FACTS,).
        codes: the codes of the game.
        sizes: int32 (answers,): zeros before and after the call.
        book: modified in place; all its lists need room for the codes of the node.
    """
    left, guess, depth = book.parted[node[START] : node[END]], row[GUESS], node[DEPTH]
    row[CHILD], row[TOLD] = book.used[NODES_USED], book.used[TOLD_USED]
    for number in range(left.shape[0]):
        sizes[answer(guess, left[number], codes)] += 1
    for place in range(sizes.shape[0]):
        ends = place == facts[ANSWERS] - 1 or depth + 1 == facts[ALLOWED]
        if sizes[place] > NOTHING_TO_CHOOSE and not ends:
            start = book.used[PARTED_USED]
            child = book.nodes[book.used[NODES_USED]]
            child[START], child[END], child[DEPTH] = start, start + sizes[place], depth + 1
            child[TRIED], child[ROW], child[ROWS] = node[TRIED] | codes.hues[guess], -1, -1
            book.used[NODES_USED] += 1
            book.used[PARTED_USED] += sizes[place]
            sizes[place] = -1 - start
    for number in range(left.shape[0]):
        secret = left[number]
        place = answer(guess, secret, codes)
        if sizes[place] < 0:
            book.parted[-1 - sizes[place]] = secret
            sizes[place] -= 1
            continue
        takes = depth + 1
        if place < facts[ANSWERS] - 1:
            takes += 2 if depth + 1 < facts[ALLOWED] and sizes[place] == 0 else 1
            sizes[place] = 0
        told = book.used[TOLD_USED]
        book.told[told, SECRET], book.told[told, TAKES] = secret, takes
        book.used[TOLD_USED] += 1
    sizes[:] = 0
    row[CHILDREN] = book.used[NODES_USED] - row[CHILD]
    row[TELLS] = book.used[TOLD_USED] - row[TOLD]
    row[FOLLOWED] = 1


@kernel
def begin(book):  # type: ignore[no-untyped-def]
    """Empty a book, and write its first node."""
    book.used[:] = 0
    book.places[:] = -1
    for number in range(book.waiting.shape[0]):
        book.parted[number] = number
    book.used[NODES_USED], book.used[PARTED_USED] = 1, book.waiting.shape[0]
    node = book.nodes[0]
    node[START], node[END], node[DEPTH], node[TRIED] = 0, book.waiting.shape[0], 0, 0
    node[ROW], node[ROWS] = -1, -1


@kernel
def follow_by_book(formula, read, codes, first, every, scratch, book, found):  # type: ignore[no-untyped-def]
    """Follow a program for all secrets, with the same result as ``follow``.

    Args:
        formula: the program.
        read: bool (SENSOR_COUNT,): the sensors that the program reads.
        codes: the codes of the game.
        first: int32 (guesses,): the codes to choose the first guess from, in ascending order.
        every: int32 (codes,): all codes.
        scratch: scratch space, which contains only zeros before and after the call.
        book: modified in place.
        found: int32 (codes,), output: the number of guesses for each secret, one more than allowed if it is not found.

    Returns:
        Whether the book had enough room. Otherwise, the caller must empty the book and start again.
    """
    book.waiting[0] = 0
    waiting = 1
    while waiting:
        waiting -= 1
        node = book.nodes[book.waiting[waiting]]
        if node[ROWS] < 0:
            guesses = first if node[DEPTH] == 0 else every
            if book.used[ROWS_USED] + guesses.shape[0] > book.rows.shape[0]:
                return False
            look(node, guesses, formula, codes, scratch, book)
        row = book.rows[choose_row(node, formula, read, book)]
        if row[FOLLOWED] == 0:
            size = node[END] - node[START]
            if (
                book.used[NODES_USED] + size > book.nodes.shape[0]
                or book.used[PARTED_USED] + size > book.parted.shape[0]
                or book.used[TOLD_USED] + size > book.told.shape[0]
            ):
                return False
            follow_row(node, row, formula.facts, codes, scratch[1], book)
        for told in range(row[TOLD], row[TOLD] + row[TELLS]):
            found[book.told[told, SECRET]] = book.told[told, TAKES]
        for child in range(row[CHILD], row[CHILD] + row[CHILDREN]):
            book.waiting[waiting] = child
            waiting += 1
    return True

"""Programs followed for all secrets by a book, which keeps what was computed for earlier programs; see ``programs``.

Most nodes of a strategy are those of other ones, and at each of them many guesses look alike: in everything that a
formula can see. So for each node the book has a *row* for every way to look, which is that of the first guess that
looks so. A row that was chosen once also has what comes after it. A program that draws random numbers can tell alike
guesses apart, so it is not followed by a book.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.hashing import mixed_with
from gpkit.games.mastermind.kernel.programs import (
    ALLOWED,
    ANSWERS,
    BLOCK,
    DEPTH,
    END,
    ENTROPY,
    EXPECTED,
    NODE,
    NOTHING_TO_CHOOSE,
    POSSIBLE,
    RESULT,
    SINGLES,
    START,
    TRIED,
    answer,
    sense_all,
)
from gpkit.vm.machine import apply_rows

ROW, ROWS = range(NODE, NODE + 2)
ENTRY = NODE + 2
"""The columns of a node of the book, after those of any node, whose codes are a stretch of ``parted``: the first of its
rows, and how many there are, −1 before anybody asked."""

GUESS, CHILD, CHILDREN, TOLD, TELLS, FOLLOWED = range(6)
LOOK = 6
"""The columns of a row: the guess; of the nodes after it the first, and how many; of what is told then the first, and
how many; and whether these were looked up."""

SECRET, TAKES = range(2)
"""The columns of what is told: a secret, and the guesses that it takes."""

NODES_USED, ROWS_USED, PARTED_USED, TOLD_USED = range(4)


class Book(NamedTuple):
    """Nodes, rows and what comes after them, as far as they were computed; the first node is that of all codes.

    Attributes:
        used: int64 (4,): nodes, rows, codes of nodes and secrets told that there are.
        nodes: int64 (nodes, ENTRY).
        rows: int64 (rows, LOOK).
        looks: float64 (rows, sensors): the sensors of each row, of which formulas read no others.
        parted: int32 (codes of nodes,): the codes of all nodes.
        told: int32 (secrets told, 2): see above.
        places: int64 (a power of two, more than codes): scratch for finding equal rows.
        waiting: int64 (codes,): scratch: nodes that wait.
    """

    used: NDArray[np.int64]
    nodes: NDArray[np.int64]
    rows: NDArray[np.int64]
    looks: NDArray[np.float64]
    parted: NDArray[np.int32]
    told: NDArray[np.int32]
    places: NDArray[np.int64]
    waiting: NDArray[np.int64]


@inlined
def place_of(memory, column, first, book):  # type: ignore[no-untyped-def]
    """The place in ``places`` of the row of a node that looks like a column; if there is none, one that is free.

    Args:
        memory: float64 (slots, BLOCK or more): the sensors.
        column: of a guess.
        first: the first row of the node; the places of any before it are free.
        book: the book.
    """
    mixed = np.uint64(0)
    for slot in (POSSIBLE, EXPECTED, ENTROPY, SINGLES, book.looks.shape[1] - 1):
        value = np.int64(memory[slot, column] * (1 << 20))
        mixed = mixed_with(mixed, np.uint64(value))
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
        node: int64 (ENTRY,), changed.
        guesses: int32 (guesses,): the codes among which to choose, ascending; there is room for as many rows.
        formula: its memory is changed.
        codes: of the game.
        scratch: all 0 before and after.
        book: changed.
    """
    left, memory, first = book.parted[node[START] : node[END]], formula.memory, book.used[ROWS_USED]
    for number in range(left.shape[0]):
        scratch.possible[left[number]] = 1
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
        scratch.possible[left[number]] = 0
    node[ROW], node[ROWS] = first, end - first
    book.used[ROWS_USED] = end


@inlined
def choose_row(node, formula, read, book):  # type: ignore[no-untyped-def]
    """The row that a program chooses at a node; see ``primitives``, and ``programs.choose``.

    Args:
        node: int64 (ENTRY,): with its rows.
        formula: its memory is changed.
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
    """Write what comes after a row: the nodes in which there is something to choose, and the secrets of the others.

    Args:
        node: int64 (ENTRY,): of the row.
        row: int64 (LOOK,), changed.
        facts: int64 (FACTS,).
        codes: of the game.
        sizes: int32 (answers,): all 0 before and after.
        book: changed; it has room for all codes of the node in each of its lists.
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
            is_second = depth + 1 < facts[ALLOWED] and sizes[place] == 0
            takes += 2 if is_second else 1
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
    """Forget all that a book has, and write its first node."""
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
    """Follow a program for all secrets; ``programs.follow`` finds the same.

    Args:
        formula: the program.
        read: bool (SENSOR_COUNT,): the sensors that it reads.
        codes: of the game.
        first: int32 (guesses,): the codes among which the first guess is chosen, ascending.
        every: int32 (codes,): all codes.
        scratch: all 0.
        book: changed.
        found: int32 (codes,), written: the guesses that each secret takes, one more than are allowed if it is not
            found.

    Returns:
        Whether the book had room enough; if not, it has to begin anew.
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
        chosen = choose_row(node, formula, read, book)
        row = book.rows[chosen]
        if row[FOLLOWED] == 0:
            size = node[END] - node[START]
            if (
                book.used[NODES_USED] + size > book.nodes.shape[0]
                or book.used[PARTED_USED] + size > book.parted.shape[0]
                or book.used[TOLD_USED] + size > book.told.shape[0]
            ):
                return False
            follow_row(node, row, formula.facts, codes, scratch.sizes, book)
        for told in range(row[TOLD], row[TOLD] + row[TELLS]):
            found[book.told[told, SECRET]] = book.told[told, TAKES]
        for child in range(row[CHILD], row[CHILD] + row[CHILDREN]):
            book.waiting[waiting] = child
            waiting += 1
    return True

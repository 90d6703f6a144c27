"""Compiled programs that score every guess, and the number of guesses that they need for one secret or for all."""

from collections.abc import Sequence
from functools import lru_cache
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Floats, Ints, for_reading
from gpkit.core.errors import UsageError
from gpkit.games.mastermind.kernel import programs as at
from gpkit.games.mastermind.kernel.programs import ENTRY, LOOK, Book, answers, begin, follow_by_book
from gpkit.games.mastermind.rules import (
    MastermindRules,
    Turn,
    all_bits,
    all_codes,
    all_numbers,
    first_guesses,
    uncertainty_of,
)
from gpkit.games.mastermind.sensors import LARGEST
from gpkit.vm.program import Program

TABLED = 4096
"""The maximum number of codes of a game with a table of all feedback; a larger table would occupy more than 16 MB."""

BOOK_ROWS = 1 << 18
"""The extra rows of a book, beyond one row for each code: at most 55 MB."""

LOCK = Lock()
"""The lock to hold while following a program with a book, which modifies the book."""

NO_CODE = for_reading(np.zeros((0, 5), dtype=np.uint32))
"""The code of an empty formula, which computes only the sensors."""


def draws(program: Program) -> bool:
    """Whether a program draws random numbers."""
    return len(program.inputs) > at.SENSOR_COUNT


def guesses_for_all(program: Program, rules: MastermindRules) -> NDArray[np.int32]:
    """The number of guesses that a program needs for each secret: int32 (codes,).

    A secret that is not found counts as one guess more than allowed. The program must not draw random numbers.
    """
    assert not draws(program), "nothing is drawn at random"
    refuse_too_many(rules)
    found = np.empty(rules.codes, dtype=np.int32)
    if rules.codes <= TABLED and _follow_by_book(program, rules, found):
        return found
    return _follow(program, rules, 0, np.zeros(rules.codes, dtype=np.int32))


def guesses_for(program: Program, secret: int, key: int, rules: MastermindRules) -> int:
    """The number of guesses that a program needs for one secret, in the game with a key below 2^26."""
    refuse_too_many(rules)
    found = np.full(rules.codes, -1, dtype=np.int32)
    found[secret] = 0
    return int(_follow(program, rules, key, found)[secret])


def _follow(
    program: Program, rules: MastermindRules, key: int, found: NDArray[np.int32]
) -> NDArray[np.int32]:
    at.follow(
        formula_of(program, key, rules),
        codes_of(rules),
        all_numbers(rules) if draws(program) else first_guesses(rules),
        np.stack([all_numbers(rules)] * 3),
        np.zeros((rules.codes + 1, at.NODE), dtype=np.int64),
        scratch_for(rules),
        found,
    )
    return found


def _follow_by_book(program: Program, rules: MastermindRules, found: NDArray[np.int32]) -> bool:
    """Write the number of guesses that a program needs for each secret; False if the book has too little room."""
    read = np.isin(np.arange(at.SENSOR_COUNT), [program.result, *program.code[:, 2:].ravel().tolist()])
    book = book_of(rules, at.SENSOR_COUNT if read[at.KINDS :].any() else at.KINDS)
    formula, codes, first, every = (
        formula_of(program, 0, rules),
        codes_of(rules),
        first_guesses(rules),
        all_numbers(rules),
    )
    with LOCK:
        if follow_by_book(formula, read, codes, first, every, scratch_for(rules), book, found):
            return True
        begin(book)
        return bool(follow_by_book(formula, read, codes, first, every, scratch_for(rules), book, found))


@lru_cache(maxsize=2)
def book_of(rules: MastermindRules, sensors: int) -> Book:
    """The book of a game with a table of feedback, for formulas that read only the first ``sensors`` slots."""
    room = rules.codes + BOOK_ROWS
    book = Book(
        np.empty(4, dtype=np.int64),
        np.empty((room, ENTRY), dtype=np.int64),
        np.empty((room, LOOK), dtype=np.int64),
        np.empty((room, sensors)),
        np.empty(room, dtype=np.int32),
        np.empty((room, 2), dtype=np.int32),
        np.empty(1 << (2 * rules.codes).bit_length(), dtype=np.int64),
        np.empty(rules.codes, dtype=np.int64),
    )
    begin(book)
    return book


def formula_of(program: Program, key: int, rules: MastermindRules) -> at.Formula:
    """A program in the kernel's format, for the game with this key."""
    facts, memory = facts_of(rules), np.repeat(program.memory[:, None], at.BLOCK, axis=1)
    facts[[at.RESULT, at.RANDOMS, at.KEY]] = program.result, len(program.inputs) - at.SENSOR_COUNT, key
    return at.Formula(facts, program.code, memory)


def sense_codes(turns: Sequence[Turn], left: NDArray[np.int32], rules: MastermindRules) -> Floats:
    """The sensors of every code as a guess: float64 (sensors, codes); ``left`` must be ascending."""
    scratch = scratch_for(rules)
    scratch[0][left] = 1
    node = np.zeros(at.NODE, dtype=np.int64)
    node[[at.DEPTH, at.TRIED]] = len(turns), sum({1 << colour for turn in turns for colour in turn.guess})
    sensors = np.empty((at.SENSOR_COUNT, rules.codes))
    formula = at.Formula(facts_of(rules), NO_CODE, sensors)
    at.sense_all(node, all_numbers(rules), np.array(left), formula, codes_of(rules), scratch)
    return sensors


def scratch_for(rules: MastermindRules) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Scratch arrays of the kernel: uint8 (codes,) and int32 (answers,), see ``sense_all``."""
    return np.zeros(rules.codes, dtype=np.uint8), np.zeros(rules.answers, dtype=np.int32)


def facts_of(rules: MastermindRules) -> Ints:
    """The rules in the kernel's format, without the facts about a program: int64 (FACTS,)."""
    facts = np.zeros(at.FACTS, dtype=np.int64)
    facts[[at.PEGS, at.HUES, at.ANSWERS, at.ALLOWED]] = (
        rules.length,
        rules.colours,
        rules.answers,
        rules.guesses,
    )
    return facts


def refuse_too_many(rules: MastermindRules) -> None:
    """Check that programs can play under these rules; their running time grows with the number of codes.

    Raises:
        UsageError: there are too many codes for a program.
    """
    if rules.codes > LARGEST:
        raise UsageError(
            f"a program evaluates every code for every guess, and {rules.codes:,} codes are too many: "
            f"programs play games of up to {LARGEST:,} codes, such as length=5 colours=10"
        )


@lru_cache(maxsize=4)
def codes_of(rules: MastermindRules) -> at.Codes:
    """The codes of a game for the kernel, read-only.

    Raises:
        UsageError: there are too many codes for a program.
    """
    refuse_too_many(rules)
    tabled = rules.codes if rules.codes <= TABLED else 0
    bits = all_bits(rules)[:tabled]
    given = np.empty((tabled, tabled), dtype=np.int16)
    answers(bits, bits, given)
    hues = np.bitwise_or.reduce(1 << all_codes(rules).astype(np.int64), axis=1)
    amounts = [uncertainty_of(size) for size in range(rules.codes + 1)]
    return at.Codes(
        for_reading(given.astype(np.uint8)),
        all_bits(rules),
        for_reading(hues),
        for_reading(np.array(amounts, dtype=np.int64)),
    )

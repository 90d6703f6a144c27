"""The rules of Mastermind in plain Python: options, codes, answers to guesses, and the codes that are left.

A player has to find a hidden code. The answer to a guess has a black peg for each peg of the right colour in the right
place, and a white peg for each other peg of the right colour in the wrong place. Each peg counts only once (Knuth, "The
computer as Master Mind", 1976). The fewer guesses a player needs, the better the player.

Strategies that look one guess ahead differ in their cost functions; see ``Cost``.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import perm

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Ints, for_reading
from gpkit.core.diagnostics import shortened
from gpkit.core.errors import UsageError
from gpkit.core.wording import counted
from gpkit.gamekit.options import NO, YES, Option, OptionRules, Variants, rule
from gpkit.games.mastermind.kernel.programs import SCALE, WORD, answers

MAX_LENGTH = 12
MAX_COLOURS = 26
"""The maximum number of colours, so that letters suffice for them and the numbers of codes stay below 2^63."""

VARIANTS: Variants = {
    "classic": {"length": "4", "colours": "6"},
    "super": {"length": "5", "colours": "8"},
}
"""Sets of options by name; explicit options override those of the variant."""


@dataclass(frozen=True, slots=True)
class MastermindRules(OptionRules):
    """The rules of a game; every field is an option of the same name.

    >>> MastermindRules.from_options({"variant": "super", "colours": "9"}).codes
    59049
    """

    title = "Mastermind"
    variant = Option("variant", "four pegs of six colours, or five of eight", tuple(VARIANTS))
    variants = VARIANTS

    length: int = rule(4, "pegs of a code", low=1, high=MAX_LENGTH)
    colours: int = rule(6, "colours that a peg can have", low=1, high=MAX_COLOURS)
    repeats: bool = rule(
        True, "a colour may occur more than once, in the code and in guesses", choices=(YES, NO)
    )
    guesses: int = rule(15, "the game is lost after this many wrong guesses", low=1, high=999)

    @property
    def codes(self) -> int:
        """The number of codes.

        >>> MastermindRules().codes, MastermindRules(repeats=False).codes
        (1296, 360)
        """
        return self.colours**self.length if self.repeats else perm(self.colours, self.length)

    @property
    def answers(self) -> int:
        """The number of feedback values (``rules.Feedback.number``), the last of which is for the code itself."""
        return (self.length + 1) * (self.length + 2) // 2

    def check(self) -> None:
        """Check that there are enough colours for codes without repeats.

        Raises:
            UsageError: there are too few colours.
        """
        if self.codes == 0:
            raise UsageError(
                f"colours={self.colours}: {self.length} pegs without repeats need at least {self.length} colours"
            )


Code = tuple[int, ...]
"""A code: the colour of the peg in each place, numbered from 0."""

DIGITS = "123456789"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

_BETWEEN = " \t,;.-_|/"
"""The separators that are allowed between pegs."""


def is_code(code: Code, rules: MastermindRules) -> bool:
    """Whether this code is valid under these rules."""
    return (
        len(code) == rules.length
        and all(0 <= colour < rules.colours for colour in code)
        and (rules.repeats or len(set(code)) == len(code))
    )


def code_of_number(number: int, rules: MastermindRules) -> Code:
    """The code with this number, which is the number of codes before it in the order of the codes' texts.

    >>> code_of_number(8, MastermindRules()), code_of_number(8, MastermindRules(repeats=False))
    ((0, 0, 1, 2), (0, 1, 4, 5))
    """
    assert 0 <= number < rules.codes, "there is a code of that number"
    left = list(range(rules.colours))
    code = []
    for place in range(rules.length):
        colour, number = divmod(number, _codes_after(place, rules))
        code.append(colour if rules.repeats else left.pop(colour))
    return tuple(code)


def number_of_code(code: Code, rules: MastermindRules) -> int:
    """The number of a code: the number of codes before it."""
    assert is_code(code, rules), "it is a code of these rules"
    number = 0
    for place, colour in enumerate(code):
        used = 0 if rules.repeats else sum(other < colour for other in code[:place])
        number += (colour - used) * _codes_after(place, rules)
    return number


def _codes_after(place: int, rules: MastermindRules) -> int:
    """The number of codes with the same pegs up to and including this place."""
    free = rules.length - place - 1
    return rules.colours**free if rules.repeats else perm(rules.colours - place - 1, free)


def symbols(rules: MastermindRules) -> str:
    """The symbols of the colours, in the order of their numbers."""
    return (DIGITS if rules.colours <= len(DIGITS) else LETTERS)[: rules.colours]


def code_text(code: Code, rules: MastermindRules) -> str:
    """The text of a code.

    >>> code_text((0, 0, 1, 2), MastermindRules()), code_text((0, 0, 1, 11), MastermindRules(4, 12))
    ('1123', 'AABL')
    """
    return "".join(symbols(rules)[colour] for colour in code)


def code_of_text(text: str, rules: MastermindRules) -> Code:
    """The code that a text describes with digits or with letters in either case, and optional spaces or commas.

    >>> code_of_text("1123", MastermindRules()), code_of_text("a, a, b, c", MastermindRules())
    ((0, 0, 1, 2), (0, 0, 1, 2))

    Raises:
        UsageError: the text is not a code; the message names the wrong peg and the nearest valid peg.
    """
    shown = shortened(text.strip())
    pegs = [sign for sign in text if sign not in _BETWEEN]
    first, last = symbols(rules)[0], symbols(rules)[-1]
    size = counted(rules.length, "peg")
    code: list[int] = []
    for place, sign in enumerate(pegs[: rules.length], start=1):
        capital = sign.upper() if sign.isascii() else sign
        colour = (DIGITS if sign in DIGITS else LETTERS).find(capital)
        if not 0 <= colour < rules.colours:
            near = first if sign == "0" else last
            hint = f"; the nearest is `{near}`" if capital in "0" + DIGITS + LETTERS else ""
            raise UsageError(f"`{shown}`: peg {place} is `{sign}`; the colours are {first} to {last}{hint}")
        if not rules.repeats and colour in code:
            free = "".join(each for number, each in enumerate(symbols(rules)) if number not in code)
            raise UsageError(
                f"`{shown}`: peg {place} repeats peg {code.index(colour) + 1}, "
                f"and no colour may occur twice; free colours: {', '.join(free)}"
            )
        code.append(colour)
    if len(pegs) < rules.length:
        given = f"`{shown}`: peg {len(pegs) + 1} is missing" if pegs else "there is no peg"
        more = [colour for colour in range(rules.colours) if colour not in code] + [0] * rules.length
        example = code_text((*code, *more)[: rules.length], rules)
        raise UsageError(f"{given}; a code has {size}, such as `{example}`")
    if len(pegs) > rules.length:
        near = code_text(tuple(code), rules)
        raise UsageError(
            f"`{shown}`: peg {rules.length + 1} is one too many; a code has {size}; did you mean `{near}`?"
        )
    return tuple(code)


LISTED = 1 << 20
"""The maximum number of codes of a game for which gpkit lists them."""


@lru_cache(maxsize=4)
def all_numbers(rules: MastermindRules) -> NDArray[np.int32]:
    """The numbers of all codes: int32 (codes,), read-only."""
    return for_reading(np.arange(rules.codes, dtype=np.int32))


@lru_cache(maxsize=4)
def first_guesses(rules: MastermindRules) -> NDArray[np.int32]:
    """The first code of each kind; no other first guess is better than the best of these codes.

    Two codes are of the same kind if a permutation of places and colours turns one into the other. The codes are in
    ascending order, int32 (kinds,).

    >>> [int(number) for number in first_guesses(MastermindRules(3, 3))]
    [0, 1, 5]
    """
    ordered = (combinations_with_replacement if rules.repeats else combinations)(
        range(rules.colours), rules.length
    )
    counted = ((code, [code.count(colour) for colour in range(rules.colours)]) for code in ordered)
    kinds = [code for code, counts in counted if counts == sorted(counts, reverse=True)]
    return for_reading(np.array([number_of_code(code, rules) for code in kinds], dtype=np.int32))


@lru_cache(maxsize=4)
def all_codes(rules: MastermindRules) -> NDArray[np.int8]:
    """The codes in the order of their numbers: int8 (codes, length), read-only."""
    assert rules.codes <= LISTED, "there are too many codes to be listed"
    if rules.repeats:
        pegs = np.indices((rules.colours,) * rules.length).reshape(rules.length, -1).T
    else:
        pegs = np.array([code_of_number(number, rules) for number in range(rules.codes)])
    return for_reading(pegs.astype(np.int8))


def bits_of(codes: "NDArray[np.int8] | Iterable[Code]", rules: MastermindRules) -> Ints:
    """Codes of shape (codes, length) as rows of bits, int64 (codes, 2 · words); see ``kernel.programs``."""
    pegs = np.asarray(codes, dtype=np.int64).reshape(-1, rules.length)
    words = -(-rules.length * rules.colours // WORD)
    bits = np.zeros((len(pegs), 2 * words), dtype=np.int64)
    rows = np.arange(len(pegs))
    met = np.zeros((len(pegs), rules.colours), dtype=np.int64)
    for place in range(rules.length):
        colour = pegs[:, place]
        for half, bit in (
            (0, place * rules.colours + colour),
            (1, colour * rules.length + met[rows, colour]),
        ):
            bits[rows, half * words + bit // WORD] |= 1 << bit % WORD
        met[rows, colour] += 1
    return bits


@lru_cache(maxsize=4)
def all_bits(rules: MastermindRules) -> Ints:
    """All codes as rows of bits: int64 (codes, 2 · words), read-only."""
    return for_reading(bits_of(all_codes(rules), rules))


@dataclass(frozen=True, slots=True)
class Feedback:
    """The answer to a guess.

    Attributes:
        black: the number of pegs of the right colour in the right place.
        white: the number of other pegs of the right colour in the wrong place.
    """

    black: int
    white: int

    @property
    def number(self) -> int:
        """The index of this feedback in a list of all feedback, sorted by the number of pegs and then of black pegs.

        >>> Feedback(0, 0).number, Feedback(0, 1).number, Feedback(1, 0).number, Feedback(0, 2).number
        (0, 1, 2, 3)
        """
        pegs = self.black + self.white
        return pegs * (pegs + 1) // 2 + self.black

    @classmethod
    def of_number(cls, number: int) -> "Feedback":
        """The feedback with this number.

        >>> Feedback.of_number(4)
        Feedback(black=1, white=1)
        """
        pegs = (math.isqrt(8 * number + 1) - 1) // 2
        black = number - pegs * (pegs + 1) // 2
        return cls(black, pegs - black)


def feedback(guess: Code, secret: Code) -> Feedback:
    """The answer to a guess.

    >>> feedback((0, 0, 1, 2), (0, 1, 0, 0))
    Feedback(black=1, white=2)
    """
    black = sum(one == other for one, other in zip(guess, secret, strict=True))
    pegs = sum(min(guess.count(colour), secret.count(colour)) for colour in set(guess))
    return Feedback(black, pegs - black)


def can_be(answer: Feedback, rules: MastermindRules) -> bool:
    """Whether this feedback is possible under these rules."""
    if rules.colours == 1:
        return answer == Feedback(rules.length, 0)
    some = least_common(rules) <= answer.black + answer.white <= rules.length
    return some and min(answer.black, answer.white) >= 0 and answer != Feedback(rules.length - 1, 1)


def least_common(rules: MastermindRules) -> int:
    """The minimum total number of black and white pegs in any feedback."""
    if rules.colours == 1:
        return rules.length
    return 0 if rules.repeats else max(0, 2 * rules.length - rules.colours)


@dataclass(frozen=True, slots=True)
class Turn:
    """A guess and its answer."""

    guess: Code
    feedback: Feedback


def is_consistent(code: Code, turns: Iterable[Turn]) -> bool:
    """Whether this code, as the secret, would have given all these answers."""
    return all(feedback(turn.guess, code) == turn.feedback for turn in turns)


Cost = Callable[[Sequence[int]], int]
"""A function that returns the cost of parts with these sizes, as a whole number, so equal costs are exactly equal."""


def parts(guess: Code, left: Iterable[Code]) -> tuple[int, ...]:
    """The sizes of the parts into which the answers to a guess divide the candidates.

    >>> sorted(parts((0, 0), [(0, 0), (0, 1), (1, 0), (1, 1)]))
    [1, 1, 2]
    """
    return tuple(map(len, divide(guess, left)))


def divide(guess: Code, left: Iterable[Code]) -> list[list[Code]]:
    """The parts into which the answers to a guess divide the candidates."""
    found: dict[int, list[Code]] = {}
    for code in left:
        found.setdefault(feedback(guess, code).number, []).append(code)
    return list(found.values())


def squares(sizes: Sequence[int]) -> int:
    """The average number of candidates left, multiplied by the number of candidates.

    Source: Irving, "Towards an optimum Mastermind strategy", 1978.
    """
    return sum(size * size for size in sizes)


def uncertainty(sizes: Sequence[int]) -> int:
    """The total uncertainty of the parts; see ``uncertainty_of`` (Neuwirth, "Some strategies", 1982)."""
    return sum(uncertainty_of(size) for size in sizes)


def uncertainty_of(size: int) -> int:
    """``size · log2 size`` in units of 1 / ``SCALE``, rounded to a whole number so that sums are exact."""
    return round(size * math.log2(size) * SCALE) if size else 0


def fewness(sizes: Sequence[int]) -> int:
    """The number of parts, negated so that more parts cost less (Kooi, "Yet another Mastermind strategy", 2005)."""
    return -len(sizes)


Strategy = Callable[[tuple[Turn, ...], NDArray[np.int32]], int]
"""A function that maps the turns and the numbers of the candidates, in ascending order, to the number of the code to
guess. The function must not draw random numbers."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """The number of secrets that a strategy finds with each number of guesses.

    Attributes:
        secrets: the number of secrets found with each number of guesses, starting with 1.
        lost: the number of secrets not found within the allowed number of guesses.
    """

    secrets: tuple[int, ...]
    lost: int = 0

    @property
    def total(self) -> int:
        """The total number of guesses over all secrets, where a lost secret counts as one guess more than allowed."""
        return sum(guesses * count for guesses, count in enumerate((*self.secrets, self.lost), start=1))

    @property
    def mean(self) -> Fraction:
        """The average number of guesses for a secret."""
        return Fraction(self.total, sum(self.secrets) + self.lost)

    @property
    def most(self) -> int:
        """The maximum number of guesses for any secret that is found."""
        return max((guesses for guesses, count in enumerate(self.secrets, start=1) if count), default=0)


def distribution(strategy: Strategy, rules: MastermindRules) -> Distribution:
    """The distribution of the number of guesses that a strategy needs, for games with few enough codes to list."""
    found = np.zeros(rules.guesses, dtype=np.int64)
    _follow(strategy, (), all_numbers(rules), found, rules)
    return Distribution(tuple(found.tolist()), rules.codes - int(found.sum()))


def distribution_of(guesses: NDArray[np.int32], rules: MastermindRules) -> Distribution:
    """The distribution of guesses over all secrets, int32 (codes,), where one guess more than allowed means lost."""
    counts = np.bincount(guesses, minlength=rules.guesses + 2).tolist()
    return Distribution(tuple(counts[1:-1]), counts[-1])


def _follow(
    strategy: Strategy,
    turns: tuple[Turn, ...],
    left: NDArray[np.int32],
    found: Ints,
    rules: MastermindRules,
) -> None:
    """Count, in ``found``, the secrets found among these candidates; the index is the number of guesses minus one."""
    guess = strategy(turns, left)
    for answer, part in split(guess, left, rules):
        if answer == rules.answers - 1:
            found[len(turns)] += 1
        elif len(turns) + 1 < rules.guesses:
            turn = Turn(code_of_number(guess, rules), Feedback.of_number(answer))
            _follow(strategy, (*turns, turn), part, found, rules)


def split(guess: int, left: NDArray[np.int32], rules: MastermindRules) -> list[tuple[int, NDArray[np.int32]]]:
    """The candidates grouped by their answer to a guess: pairs of an answer and int32 (codes,), in ascending order."""
    bits = all_bits(rules)
    given = np.empty((1, len(left)), dtype=np.int16)
    answers(bits[guess : guess + 1], for_reading(bits[left]), given)
    order = np.argsort(given[0], kind="stable")
    cuts = np.flatnonzero(np.diff(given[0][order])) + 1
    return [(int(given[0][part[0]]), left[part]) for part in np.split(order, cuts)]


def codes_left(turns: Sequence[Turn], rules: MastermindRules) -> NDArray[np.int32]:
    """The codes that fit all these answers: int32 (left,), ascending, for games with few enough codes to list."""
    left = all_numbers(rules)
    for turn in turns:
        parts = split(number_of_code(turn.guess, rules), left, rules) if len(left) else []
        left = next((part for answer, part in parts if answer == turn.feedback.number), left[:0])
    return left


def count_left(turns: Sequence[Turn], rules: MastermindRules) -> int | None:
    """The number of codes left, or None if there are too many codes to list."""
    return len(codes_left(turns, rules)) if rules.codes <= LISTED else None

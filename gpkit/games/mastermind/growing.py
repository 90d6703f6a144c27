"""Strategy trees by search: at every node the guesses that promise most are tried, to the end; a beam search."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import for_reading
from gpkit.games.mastermind.arrays import all_bits, all_numbers, read_only
from gpkit.games.mastermind.codes import Code, code_of_number, number_of_code
from gpkit.games.mastermind.exact import split
from gpkit.games.mastermind.kernel.feedback import WORD
from gpkit.games.mastermind.kernel.trees import COLUMNS, FLOOR, GUESS, MANY, UNIT, promising
from gpkit.games.mastermind.options import VARIANTS, Rules
from gpkit.games.mastermind.rules import Feedback, feedback
from gpkit.games.mastermind.trees import Tree

START, DOUBLING = 1.21, 0.27
"""Cost in guesses of each of several candidates: at the least, and more each time that they are twice as many.

As seen in trees of five pegs and eight colours.
"""


SEARCHES: Mapping[str, tuple[tuple[int, ...], float, Code]] = {
    "classic": ((60,) * 5, 0.0, (0, 0, 1, 2)),
    "super": ((12,) * 7, 0.985, (0, 0, 1, 2, 3)),
}
"""By variant the widths and the trust of the search that found its tree, and the first guess."""


@lru_cache(maxsize=8)
def floors(rules: Rules) -> NDArray[np.int64]:
    """By number of candidates the total of guesses that no tree is below: int64 (codes + 1,), read-only.

    One candidate is found with the first guess; after it and each later one, at most as many as there are answers.
    """
    answers = max(1, rules.answers - 2)  # but for the code itself, and all in place but one that is elsewhere
    costs: list[int] = []
    found, guesses = 1, 1
    while len(costs) < rules.codes:
        costs += [guesses] * min(found, rules.codes - len(costs))
        found, guesses = found * answers, guesses + 1
    return read_only(np.cumsum([0, *costs]))


@lru_cache(maxsize=8)
def hopes(rules: Rules) -> NDArray[np.int64]:
    """By number of candidates ``hope_of`` it: int64 (codes + 1,), read-only."""
    return read_only(np.array([hope_of(size) for size in range(rules.codes + 1)], dtype=np.int64))


def hope_of(size: int) -> int:
    """An estimate of the total of guesses over so many candidates, in parts of ``UNIT``."""
    return round(UNIT * size * (START + DOUBLING * math.log2(size))) if size > 1 else UNIT * size


@lru_cache(maxsize=8)
def bounds(rules: Rules, trust: float) -> NDArray[np.int64]:
    """By number of candidates the total that a tree is not thought to be below: int64 (codes + 1,), read-only.

    Args:
        rules: the rules.
        trust: the part of the estimate that no tree is thought to be below; 0 for what is certain.
    """
    return read_only(np.maximum(floors(rules), np.ceil(trust * hopes(rules) / UNIT).astype(np.int64)))


@lru_cache(maxsize=8)
def first_bits(rules: Rules) -> NDArray[np.int64]:
    """By colour the bit of one peg of it, see ``kernel.trees.promising``: int64 (colours, words), read-only."""
    words = all_bits(rules).shape[1] // 2
    firsts = np.zeros((rules.colours if rules.repeats else 0, words), dtype=np.int64)
    for colour in range(len(firsts)):
        word, bit = divmod(colour * rules.length, WORD)
        firsts[colour, word] = 1 << bit
    return read_only(firsts)


def promising_readable(left: list[Code], room: int, rules: Rules) -> list[Code]:
    """Reference for ``kernel.trees.promising``: the guesses that promise the least total over some candidates."""
    ways: dict[tuple[object, ...], tuple[int, Code]] = {}
    for code in (*left, *(code_of_number(number, rules) for number in range(rules.codes))):
        answers = [feedback(code, other) for other in left]
        labels = tuple(
            0 if other == code else 1 + answers.index(answer)
            for other, answer in zip(left, answers, strict=True)
        )
        sizes = Counter(label for label in labels if label)
        alike = tuple(sorted(Counter(answer.number for answer in answers).items()))
        if max(sizes.values(), default=1) == 1:
            return [code]
        hope = UNIT * len(left) + sum(int(hopes(rules)[size]) for size in sizes.values())
        if len(set(labels)) > 1:
            ways.setdefault(alike if len(left) >= MANY else labels, (hope, code))
    return [code for _, code in sorted(ways.values(), key=lambda way: way[0])[:room]]


@dataclass(frozen=True, slots=True)
class Beam:
    """A search for strategy trees.

    Attributes:
        rules: the rules.
        widths: how many guesses are tried at the second turn, at the third one, and so on; there are no further turns.
        trust: see ``bounds``.
        known: by turn and candidates the total of the best tree and its guess, or no guess and a total that no tree is
            below.
    """

    rules: Rules
    widths: tuple[int, ...]
    trust: float = 0.0
    known: dict[tuple[int, bytes], tuple[int, int]] = field(default_factory=dict)

    @property
    def bounds(self) -> NDArray[np.int64]:
        """See ``bounds``."""
        return bounds(self.rules, self.trust)

    def best(self, left: NDArray[np.int32], turn: int, limit: int) -> tuple[int, int]:
        """The least total of guesses over these candidates that is found below a limit, and the number of the guess.

        Args:
            left: int32 (candidates,): their numbers, ascending.
            turn: guesses made before, at least one.
            limit: what has to be beaten; if nothing does, it is what is returned, with −1 for the guess.
        """
        count = len(left)
        if turn + min(count, 2) > len(self.widths) + 1 or self.bounds[count] >= limit:
            return limit, -1
        if count <= 2:
            return 2 * count - 1, int(left[0])
        key = turn, left.tobytes()
        total, guess = self.known.get(key, (0, -1))
        if guess >= 0 or total >= limit:
            return (total, guess) if total < limit else (limit, -1)
        for row in self._promising(left, self.widths[turn - 1]):
            total = self._total(row, left, turn, limit)
            if total < limit:
                limit, guess = total, int(row[GUESS])
        self.known[key] = limit, guess
        return limit, guess

    def _promising(self, left: NDArray[np.int32], room: int) -> NDArray[np.int64]:
        """Rows of ``kernel.trees.promising``."""
        bits, kept = all_bits(self.rules), np.empty((room, COLUMNS), dtype=np.int64)
        firsts, floors = first_bits(self.rules), self.bounds
        some = np.empty((len(left) + 1, bits.shape[1]), dtype=np.int64)
        sizes = np.empty(self.rules.answers, dtype=np.int64)
        few = for_reading(left)
        return kept[: promising(few, bits, firsts, floors, hopes(self.rules), some, sizes, kept)]

    def _total(self, row: NDArray[np.int64], left: NDArray[np.int32], turn: int, limit: int) -> int:
        """The total of guesses with the guess of a row first; any number that is not below the limit if it is not."""
        total = int(row[FLOOR])
        if total >= limit:
            return total
        for answer, part in split(int(row[GUESS]), left, self.rules):
            if answer < self.rules.answers - 1:
                floor = int(self.bounds[len(part)])
                total += self.best(part, turn + 1, limit - total + floor)[0] - floor
                if total >= limit:
                    break
        return total

    def tree(self, guess: int, left: NDArray[np.int32], turn: int) -> Tree:
        """The tree that begins so; where at most two candidates are left it says nothing: the first is guessed."""
        after = []
        for answer, part in split(guess, left, self.rules):
            if answer < self.rules.answers - 1 and len(part) > 2:
                then = self.best(part, turn + 1, len(part) * (len(self.widths) + 2))[1]
                assert then >= 0, "the widths allow for enough turns"
                after.append((Feedback.of_number(answer), self.tree(then, part, turn + 1)))
        return Tree(code_of_number(guess, self.rules), tuple(after))


def grow(beam: Beam, first: Code) -> Tree:
    """The strategy tree with the fewest guesses that a search finds, whose first guess is this."""
    return beam.tree(number_of_code(first, beam.rules), all_numbers(beam.rules), 0)


def grow_variant(name: str) -> Tree:
    """The tree of ``trees.tree_of_variant``, searched for anew: the classic one takes seconds, super minutes."""
    rules = Rules.from_options(VARIANTS[name])
    widths, trust, first = SEARCHES[name]
    return grow(Beam(rules, widths, trust), first)

"""Strategy trees of Mastermind by search: at every node the guesses that promise most are tried, to the end.

A beam search, whose guesses a compiled kernel chooses; it found the trees of ``gpkit/games/mastermind/strategies``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import for_reading
from gpkit.core.compiled import inlined, kernel
from gpkit.games.mastermind.arrays import all_bits, all_numbers
from gpkit.games.mastermind.codes import Code, code_of_number, code_text, number_of_code
from gpkit.games.mastermind.exact import split
from gpkit.games.mastermind.kernel.feedback import WORD, answer_of
from gpkit.games.mastermind.options import VARIANTS, Rules
from gpkit.games.mastermind.players import UNIT, hope_of
from gpkit.games.mastermind.rules import Feedback
from gpkit.games.mastermind.trees import Tree

GUESS, FLOOR, HOPE, MARK, COLUMNS = range(5)
"""Columns of a guess: its number, a total of guesses that no tree below it is under, an estimate of that total in
parts of ``UNIT``, and a number that is the same for guesses that are alike."""

MANY = 40
"""Of so many candidates guesses are alike if as many give each answer, of fewer if the same ones are together.

The first is how guesses look of which one is the other with colours and places renamed, and hardly any others.
"""

FACTOR, PRIME = 1_000_003, 2**31 - 1
"""Factor and modulus of the hash in marks: products stay below 2^53."""

SEARCHES: Mapping[str, tuple[tuple[int, ...], float, Code]] = {
    "classic": ((60,) * 5, 0.0, (0, 0, 1, 2)),
    "super": ((12,) * 7, 0.985, (0, 0, 1, 2, 3)),
}
"""By variant the widths and the trust of the search that found its tree, and the first guess."""


@inlined
def mark_of(guess, some, count, labels):  # type: ignore[no-untyped-def]
    """A number for how a guess parts the candidates, whatever the answers are.

    Args:
        guess: int64 (2 · words,).
        some: int64 (candidates, 2 · words): the candidates.
        count: how many of them there are.
        labels: int64 (answers,), scratch.
    """
    labels[:] = 0
    mark, last = 0, labels.shape[0] - 1
    for number in range(count):
        answer = answer_of(guess, some[number])
        if labels[answer] == 0:
            labels[answer] = 1 if answer == last else number + 2
        mark = (mark * FACTOR + labels[answer]) % PRIME
    return mark


@inlined
def mark_of_sizes(sizes):  # type: ignore[no-untyped-def]
    """A number for how many candidates give each answer, int64 (answers,)."""
    mark = 0
    for answer in range(sizes.shape[0]):
        mark = (mark * FACTOR + sizes[answer]) % PRIME
    return mark


@inlined
def write_spare(some, count, firsts):  # type: ignore[no-untyped-def]
    """Write the spare colours, which no candidate has but for the first of these, as bits behind the candidates.

    Args:
        some: int64 (more than candidates, 2 · words): the candidates; the row behind them is changed.
        count: how many of them there are.
        firsts: see ``promising``.
    """
    words = some.shape[1] // 2
    for word in range(words):
        seen, spare = 0, 0
        for number in range(count):
            seen |= some[number, words + word]
        some[count, words + word] = seen
        some[count, word] = spare
    held = False
    for colour in range(firsts.shape[0]):
        absent = True
        for word in range(words):
            absent = absent and firsts[colour, word] & some[count, words + word] == 0
        if absent and held:
            for word in range(words):
                some[count, word] |= firsts[colour, word]
        held = held or absent


@inlined
def has_spare(guess, spare):  # type: ignore[no-untyped-def]
    """Whether a guess has a spare colour; see ``write_spare``."""
    words = guess.shape[0] // 2
    found = False
    for word in range(words):
        found = found or guess[words + word] & spare[word] != 0
    return found


@inlined
def keep(kept, held, guess, floor, hope, mark):  # type: ignore[no-untyped-def]
    """Keep a guess in its place by estimate, behind its equals, unless one of them does the same or there is no room.

    Args:
        kept: int64 (room, COLUMNS), changed.
        held: how many rows hold guesses.
        guess, floor, hope, mark: what would be kept.

    Returns:
        How many rows hold guesses then.
    """
    place = 0
    while place < held and kept[place, HOPE] <= hope:
        if kept[place, HOPE] == hope and kept[place, MARK] == mark:
            return held
        place += 1
    if place == kept.shape[0]:
        return held
    held = min(held + 1, kept.shape[0])
    for other in range(held - 1, place, -1):
        for column in range(COLUMNS):
            kept[other, column] = kept[other - 1, column]
    kept[place, GUESS], kept[place, FLOOR], kept[place, HOPE], kept[place, MARK] = guess, floor, hope, mark
    return held


@kernel
def promising(left, bits, firsts, floors, hopes, some, sizes, kept):  # type: ignore[no-untyped-def]
    """Find the guesses that promise the least total of guesses over some candidates.

    A guess that parts all of them, and after which nothing is left to be asked, is kept alone: no tree is better. Of
    colours that no candidate has it does not matter which one is in a guess, so only the first of them is tried.

    Args:
        left: int32 (candidates,): their numbers, at least three.
        bits: int64 (codes, 2 · words): all codes.
        firsts: int64 (colours, words): by colour the bit that it sets in the second half of a code with one peg of it;
            (0, words) where no colour may be twice, so that one of them cannot stand for others.
        floors: int64 (candidates + 1,) or more: by number of candidates a total that no tree is below.
        hopes: int64, like ``floors``: an estimate of the total, in parts of ``UNIT``.
        some: int64 (more than candidates, 2 · words), scratch.
        sizes: int64 (answers,), scratch.
        kept: int64 (room, COLUMNS), written: least estimate first, of equals candidates first, then by number.

    Returns:
        How many rows are written.
    """
    count, last, held = left.shape[0], sizes.shape[0] - 1, 0
    for number in range(count):
        for word in range(bits.shape[1]):
            some[number, word] = bits[left[number], word]
    write_spare(some, count, firsts)
    for number in range(count + bits.shape[0]):
        guess = left[number] if number < count else number - count
        if has_spare(bits[guess], some[count]):
            continue
        sizes[:] = 0
        for other in range(count):
            sizes[answer_of(bits[guess], some[other])] += 1
        floor, hope, most = count, count * UNIT, 0
        for answer in range(last):
            floor += floors[sizes[answer]]
            hope += hopes[sizes[answer]]
            most = max(most, sizes[answer])
        if most == 1:
            kept[0, GUESS], kept[0, FLOOR], kept[0, HOPE], kept[0, MARK] = guess, floor, hope, 0
            return 1
        if most < count and (held < kept.shape[0] or hope < kept[held - 1, HOPE]):
            mark = mark_of_sizes(sizes) if count >= MANY else mark_of(bits[guess], some, count, sizes)
            held = keep(kept, held, guess, floor, hope, mark)
    return held


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
    return for_reading(np.cumsum([0, *costs]))


@lru_cache(maxsize=8)
def hopes(rules: Rules) -> NDArray[np.int64]:
    """By number of candidates ``hope_of`` it: int64 (codes + 1,), read-only."""
    return for_reading(np.array([hope_of(size) for size in range(rules.codes + 1)], dtype=np.int64))


@lru_cache(maxsize=8)
def bounds(rules: Rules, trust: float) -> NDArray[np.int64]:
    """By number of candidates the total that a tree is not thought to be below: int64 (codes + 1,), read-only.

    Args:
        rules: the rules.
        trust: the part of the estimate that no tree is thought to be below; 0 for what is certain.
    """
    return for_reading(np.maximum(floors(rules), np.ceil(trust * hopes(rules) / UNIT).astype(np.int64)))


@lru_cache(maxsize=8)
def first_bits(rules: Rules) -> NDArray[np.int64]:
    """By colour the bit of one peg of it, see ``promising``: int64 (colours, words), read-only."""
    words = all_bits(rules).shape[1] // 2
    firsts = np.zeros((rules.colours if rules.repeats else 0, words), dtype=np.int64)
    for colour in range(len(firsts)):
        word, bit = divmod(colour * rules.length, WORD)
        firsts[colour, word] = 1 << bit
    return for_reading(firsts)


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
        """Rows of ``promising``."""
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


def tree_text(tree: Tree, rules: Rules) -> str:
    """A line for each guess, below the one that it follows and further in, with the answer to that one in front.

    >>> rules = Rules(2, 3)
    >>> print(tree_text(Tree((0, 1), ((Feedback(1, 0), Tree((0, 2))),)), rules), end="")
    12
     1b0w 13
    """
    return "".join(f"{line}\n" for line in _lines(tree, rules, 0, ""))


def _lines(tree: Tree, rules: Rules, depth: int, answer: str) -> Iterator[str]:
    yield f"{' ' * depth}{answer}{code_text(tree.guess, rules)}"
    for after, branch in tree.after:
        yield from _lines(branch, rules, depth + 1, f"{after.black}b{after.white}w ")

"""The guesses that promise the shortest strategy trees; see ``feedback`` for codes as bits."""

from gpkit.core.compiled import inlined, kernel
from gpkit.games.mastermind.kernel.feedback import answer_of

GUESS, FLOOR, HOPE, MARK, COLUMNS = range(5)
"""Columns of a guess: its number, a total of guesses that no tree below it is under, an estimate of that total in
parts of ``UNIT``, and a number that is the same for guesses that are alike."""

MANY = 40
"""Of so many candidates guesses are alike if as many give each answer, of fewer if the same ones are together.

The first is how guesses look of which one is the other with colours and places renamed, and hardly any others.
"""

UNIT = 1 << 16
"""One guess, in estimates."""

FACTOR, PRIME = 1_000_003, 2**31 - 1
"""Factor and modulus of the hash in marks: products stay below 2^53."""


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

"""Variation of linear programs: random ones, small changes, and crossovers; pure functions, the random generator first.

Every block keeps within its capacity: what a change pushes beyond it is cut off at the end. The chunk crossover and the
mutation of each block are those of J. Bridon and others, "An Artificially Intelligent Battleship Player Utilizing
Adaptive Firing and Placement Strategies", section III.C.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from gpkit.core.rng import below, by_share
from gpkit.genomes.linear import LinearProgram
from gpkit.genomes.program_operators import Child

Block = tuple[str, ...]
Blocks = tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Domain:
    """Domain of programs: blocks, their capacities and the instructions.

    Attributes:
        names: of the blocks.
        capacities: the largest number of lines of each.
        words: the instructions.
    """

    names: tuple[str, ...]
    capacities: tuple[int, ...]
    words: tuple[str, ...]


LONGEST_COPY = 5
"""Lines that ``copy`` takes at once, at most."""

LONGEST_SPLICE = 10
"""Lines that ``splice`` takes at once, at most."""


def random_program(rng: np.random.Generator, domain: Domain, low: int, high: int) -> LinearProgram:
    """A program whose blocks have from ``low`` to ``high`` random lines each, as far as they hold so many."""

    def block(capacity: int) -> Block:
        least = min(low, capacity)
        lines = least + below(rng, min(high, capacity) - least + 1)
        return tuple(_word(rng, domain) for _ in range(lines))

    return LinearProgram(domain.names, tuple(block(capacity) for capacity in domain.capacities))


def _word(rng: np.random.Generator, domain: Domain) -> str:
    return domain.words[below(rng, len(domain.words))]


def replace_line(rng: np.random.Generator, blocks: Blocks, number: int, domain: Domain) -> tuple[Blocks, int]:
    """One line of a block is another random word."""
    block = blocks[number]
    if not block:
        return blocks, 0
    line = below(rng, len(block))
    return _with(blocks, number, (*block[:line], _word(rng, domain), *block[line + 1 :])), line


def insert_line(rng: np.random.Generator, blocks: Blocks, number: int, domain: Domain) -> tuple[Blocks, int]:
    """A block has a random line more."""
    block = blocks[number]
    line = below(rng, len(block) + 1)
    return _with(blocks, number, (*block[:line], _word(rng, domain), *block[line:])), line


def delete_line(rng: np.random.Generator, blocks: Blocks, number: int, domain: Domain) -> tuple[Blocks, int]:
    """A block has a line less."""
    block = blocks[number]
    if not block:
        return blocks, 0
    line = below(rng, len(block))
    return _with(blocks, number, (*block[:line], *block[line + 1 :])), line


def move_line(rng: np.random.Generator, blocks: Blocks, number: int, domain: Domain) -> tuple[Blocks, int]:
    """A line of a block is at another place of it."""
    block = blocks[number]
    if len(block) < 2:
        return blocks, 0
    line, rest = below(rng, len(block)), list(block)
    word = rest.pop(line)
    place = below(rng, len(rest) + 1)
    rest.insert(place, word)
    return _with(blocks, number, tuple(rest)), min(line, place)


def copy_lines(rng: np.random.Generator, blocks: Blocks, number: int, domain: Domain) -> tuple[Blocks, int]:
    """A few lines from anywhere in the program are inserted in a block, too."""
    source = blocks[below(rng, len(blocks))]
    if not source:
        return blocks, 0
    chunk = _chunk(rng, source, LONGEST_COPY)
    block = blocks[number]
    line = below(rng, len(block) + 1)
    return _with(blocks, number, (*block[:line], *chunk, *block[line:])), line


def swap_blocks(rng: np.random.Generator, blocks: Blocks, number: int, domain: Domain) -> tuple[Blocks, int]:
    """A block and another one change places."""
    other = below(rng, len(blocks))
    mine, theirs = blocks[number], blocks[other]
    return _with(_with(blocks, number, theirs), other, mine), 0


Edit = Callable[[np.random.Generator, Blocks, int, Domain], tuple[Blocks, int]]

EDITS: Mapping[str, tuple[float, Edit]] = {
    "replace": (0.25, replace_line),
    "insert": (0.25, insert_line),
    "delete": (0.30, delete_line),
    "move": (0.08, move_line),
    "copy": (0.08, copy_lines),
    "swap": (0.04, swap_blocks),
}
"""Every edit of a block, with its share of all edits; lines go a little more often than they come."""

_SUMS = tuple(accumulate(share for share, _ in EDITS.values()))
_EDITS = tuple(edit for _, edit in EDITS.values())


def change(
    rng: np.random.Generator, program: LinearProgram, domain: Domain, more: float
) -> Child[LinearProgram]:
    """A random edit of a random block, and with probability ``more`` another one, and so on."""
    blocks, places = program.blocks, []
    while True:
        number = below(rng, len(blocks))
        blocks, line = _EDITS[by_share(rng, _SUMS)](rng, blocks, number, domain)
        blocks = _within(blocks, domain)
        places.append((program.names[number], line))
        if rng.random() >= more:
            return Child(LinearProgram(program.names, blocks), tuple(places))


def mutate_blocks(
    rng: np.random.Generator, program: LinearProgram, domain: Domain, rate: float
) -> Child[LinearProgram]:
    """In each block, with probability ``rate``, one line is another random word."""
    blocks, places = program.blocks, []
    for number, name in enumerate(program.names):
        if blocks[number] and rng.random() < rate:
            blocks, line = replace_line(rng, blocks, number, domain)
            places.append((name, line))
    return Child(LinearProgram(program.names, blocks), tuple(places))


def swap_chunk(
    rng: np.random.Generator, program: LinearProgram, donor: LinearProgram, domain: Domain
) -> Child[LinearProgram]:
    """A chunk of the program gives way to one of equal size of the donor, taken at another place.

    Its size is from 1 to half of the largest capacity, as far as both have a block with so many lines.
    """
    size = 1 + below(rng, max(domain.capacities) // 2)
    size = min(size, max(map(len, program.blocks)), max(map(len, donor.blocks)))
    if size == 0:
        return Child(program)
    number = _block_with(rng, program.blocks, size)
    source = donor.blocks[_block_with(rng, donor.blocks, size)]
    block = program.blocks[number]
    line, start = below(rng, len(block) - size + 1), below(rng, len(source) - size + 1)
    changed = (*block[:line], *source[start : start + size], *block[line + size :])
    blocks = _with(program.blocks, number, changed)
    return Child(LinearProgram(program.names, blocks), ((program.names[number], line),))


def _block_with(rng: np.random.Generator, blocks: Blocks, size: int) -> int:
    fitting = [number for number, block in enumerate(blocks) if len(block) >= size]
    return fitting[below(rng, len(fitting))]


def splice(
    rng: np.random.Generator, program: LinearProgram, donor: LinearProgram, domain: Domain
) -> Child[LinearProgram]:
    """Some lines of the donor stand in a block of the program: between its lines, or instead of as many or fewer.

    Four times in five they come from the block of the same name.
    """
    number = below(rng, len(program.blocks))
    other = number if rng.random() < 0.8 else below(rng, len(donor.blocks))
    source = donor.blocks[other]
    if not source:
        return Child(program)
    chunk = _chunk(rng, source, LONGEST_SPLICE)
    block = program.blocks[number]
    line = below(rng, len(block) + 1)
    replaced = len(chunk) if rng.random() < 0.5 else below(rng, len(chunk) + 1)
    blocks = _with(program.blocks, number, (*block[:line], *chunk, *block[line + replaced :]))
    return Child(LinearProgram(program.names, _within(blocks, domain)), ((program.names[number], line),))


def exchange_block(
    rng: np.random.Generator, program: LinearProgram, donor: LinearProgram
) -> Child[LinearProgram]:
    """One block of the program is the donor's."""
    number = below(rng, len(program.blocks))
    blocks = _with(program.blocks, number, donor.blocks[number])
    return Child(LinearProgram(program.names, blocks), ((program.names[number], 0),))


def _chunk(rng: np.random.Generator, source: Block, longest: int) -> Block:
    size = 1 + below(rng, min(longest, len(source)))
    start = below(rng, len(source) - size + 1)
    return source[start : start + size]


def _with(blocks: Blocks, number: int, block: Sequence[str]) -> Blocks:
    return (*blocks[:number], tuple(block), *blocks[number + 1 :])


def _within(blocks: Blocks, domain: Domain) -> Blocks:
    return tuple(block[:capacity] for block, capacity in zip(blocks, domain.capacities, strict=True))

"""Lists of instructions as genomes: blocks of lines, and their variation operators.

A block never exceeds its capacity: lines that a change pushes beyond the capacity are cut off. The chunk crossover and
the mutation of blocks come from J. Bridon and others, "An Artificially Intelligent Battleship Player Utilizing Adaptive
Firing and Placement Strategies", section III.C.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

import numpy as np

from gpkit.core.registry import language_of_genome
from gpkit.core.rng import below, by_share
from gpkit.genomes.program_operators import Child

Place = tuple[int, int]
"""The place of a line: the number of its block, and the number of the line within the block, both from 0."""


@dataclass(frozen=True, slots=True)
class LinearProgram:
    """A program of named blocks of instruction words.

    A block contains only its lines, without padding up to its capacity. ``language`` is the name of the program's
    language.
    """

    language: ClassVar[str] = language_of_genome("linear")
    names: tuple[str, ...]
    blocks: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        assert len(self.names) == len(self.blocks), "one name for each block"

    def __len__(self) -> int:
        """The number of lines of all blocks together."""
        return sum(len(block) for block in self.blocks)

    def block(self, name: str) -> tuple[str, ...]:
        """The block with this name.

        Raises:
            KeyError: there is no such block.
        """
        return dict(zip(self.names, self.blocks, strict=True))[name]

    def word(self, place: Place) -> str:
        """The word of a line; an empty string for the place after the last line of a block."""
        number, line = place
        block = self.blocks[number]
        return block[line] if line < len(block) else ""

    def places(self) -> tuple[Place, ...]:
        """The places of all lines, in text order."""
        return tuple((b, k) for b, block in enumerate(self.blocks) for k in range(len(block)))


Block = tuple[str, ...]
Blocks = tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class LinearDomain:
    """The space of possible programs: the blocks, their capacities, and the instructions.

    Attributes:
        names: the names of the blocks.
        capacities: the maximum number of lines in each block.
        words: the instructions.
    """

    names: tuple[str, ...]
    capacities: tuple[int, ...]
    words: tuple[str, ...]


LONGEST_COPY = 5
"""The maximum number of lines that one ``copy`` copies."""

LONGEST_SPLICE = 10
"""The maximum number of lines that one ``splice`` inserts."""


def random_program(rng: np.random.Generator, domain: LinearDomain, low: int, high: int) -> LinearProgram:
    """A program with ``low`` to ``high`` random lines in each block, limited by the block's capacity."""

    def block(capacity: int) -> Block:
        least = min(low, capacity)
        lines = least + below(rng, min(high, capacity) - least + 1)
        return tuple(_word(rng, domain) for _ in range(lines))

    return LinearProgram(domain.names, tuple(block(capacity) for capacity in domain.capacities))


def _word(rng: np.random.Generator, domain: LinearDomain) -> str:
    return domain.words[below(rng, len(domain.words))]


def replace_line(
    rng: np.random.Generator, blocks: Blocks, number: int, domain: LinearDomain
) -> tuple[Blocks, int]:
    """Replace a line of a block with a random word."""
    block = blocks[number]
    if not block:
        return blocks, 0
    line = below(rng, len(block))
    return _with(blocks, number, (*block[:line], _word(rng, domain), *block[line + 1 :])), line


def insert_line(
    rng: np.random.Generator, blocks: Blocks, number: int, domain: LinearDomain
) -> tuple[Blocks, int]:
    """Insert a random line into a block."""
    block = blocks[number]
    line = below(rng, len(block) + 1)
    return _with(blocks, number, (*block[:line], _word(rng, domain), *block[line:])), line


def delete_line(
    rng: np.random.Generator, blocks: Blocks, number: int, domain: LinearDomain
) -> tuple[Blocks, int]:
    """Delete a line from a block."""
    block = blocks[number]
    if not block:
        return blocks, 0
    line = below(rng, len(block))
    return _with(blocks, number, (*block[:line], *block[line + 1 :])), line


def move_line(
    rng: np.random.Generator, blocks: Blocks, number: int, domain: LinearDomain
) -> tuple[Blocks, int]:
    """Move a line to another place in its block."""
    block = blocks[number]
    if len(block) < 2:
        return blocks, 0
    line, rest = below(rng, len(block)), list(block)
    word = rest.pop(line)
    place = below(rng, len(rest) + 1)
    rest.insert(place, word)
    return _with(blocks, number, tuple(rest)), min(line, place)


def copy_lines(
    rng: np.random.Generator, blocks: Blocks, number: int, domain: LinearDomain
) -> tuple[Blocks, int]:
    """Copy a few consecutive lines from anywhere in the program into a block."""
    source = blocks[below(rng, len(blocks))]
    if not source:
        return blocks, 0
    chunk = _chunk(rng, source, LONGEST_COPY)
    block = blocks[number]
    line = below(rng, len(block) + 1)
    return _with(blocks, number, (*block[:line], *chunk, *block[line:])), line


def swap_blocks(
    rng: np.random.Generator, blocks: Blocks, number: int, domain: LinearDomain
) -> tuple[Blocks, int]:
    """Swap a block with another block."""
    other = below(rng, len(blocks))
    mine, theirs = blocks[number], blocks[other]
    return _with(_with(blocks, number, theirs), other, mine), 0


Edit = Callable[[np.random.Generator, Blocks, int, LinearDomain], tuple[Blocks, int]]

EDITS: Mapping[str, tuple[float, Edit]] = {
    "replace": (0.25, replace_line),
    "insert": (0.25, insert_line),
    "delete": (0.30, delete_line),
    "move": (0.08, move_line),
    "copy": (0.08, copy_lines),
    "swap": (0.04, swap_blocks),
}
"""The edits of a block, by name, with their shares; deletions are slightly more frequent than insertions."""

_SUMS = tuple(accumulate(share for share, _ in EDITS.values()))
_EDITS = tuple(edit for _, edit in EDITS.values())


def change(
    rng: np.random.Generator, program: LinearProgram, domain: LinearDomain, more: float
) -> Child[LinearProgram]:
    """Make a random edit in a random block; with probability ``more``, make another edit, and so on."""
    blocks, places = program.blocks, []
    while True:
        number = below(rng, len(blocks))
        blocks, line = _EDITS[by_share(rng, _SUMS)](rng, blocks, number, domain)
        blocks = _within(blocks, domain)
        places.append((program.names[number], line))
        if rng.random() >= more:
            return Child(LinearProgram(program.names, blocks), tuple(places))


def mutate_blocks(
    rng: np.random.Generator, program: LinearProgram, domain: LinearDomain, rate: float
) -> Child[LinearProgram]:
    """In each block, with probability ``rate``, replace a line with a random word."""
    blocks, places = program.blocks, []
    for number, name in enumerate(program.names):
        if blocks[number] and rng.random() < rate:
            blocks, line = replace_line(rng, blocks, number, domain)
            places.append((name, line))
    return Child(LinearProgram(program.names, blocks), tuple(places))


def swap_chunk(
    rng: np.random.Generator, program: LinearProgram, donor: LinearProgram, domain: LinearDomain
) -> Child[LinearProgram]:
    """Replace a chunk of the program with a chunk of the same size from the donor, possibly from another place.

    The size is from 1 to half of the largest capacity; both programs need a block with that many lines.
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
    rng: np.random.Generator, program: LinearProgram, donor: LinearProgram, domain: LinearDomain
) -> Child[LinearProgram]:
    """Insert some of the donor's lines into a block of the program, where they replace as many lines or fewer.

    With a probability of 0.8, the lines come from the block with the same name.
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
    """Replace a block of the program with the donor's block."""
    number = below(rng, len(program.blocks))
    blocks = _with(program.blocks, number, donor.blocks[number])
    return Child(LinearProgram(program.names, blocks), ((program.names[number], 0),))


def _chunk(rng: np.random.Generator, source: Block, longest: int) -> Block:
    size = 1 + below(rng, min(longest, len(source)))
    start = below(rng, len(source) - size + 1)
    return source[start : start + size]


def _with(blocks: Blocks, number: int, block: Sequence[str]) -> Blocks:
    return (*blocks[:number], tuple(block), *blocks[number + 1 :])


def _within(blocks: Blocks, domain: LinearDomain) -> Blocks:
    return tuple(block[:capacity] for block, capacity in zip(blocks, domain.capacities, strict=True))

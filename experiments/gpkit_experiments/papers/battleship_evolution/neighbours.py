"""The neighbourhood of a linear program: every program that one changed line makes of it."""

from collections.abc import Iterator, Sequence

from gpkit.genomes.linear import LinearProgram


def neighbours(
    program: LinearProgram, words: Sequence[str], capacities: Sequence[int]
) -> Iterator[LinearProgram]:
    """Every program with one line deleted, replaced by another word, or inserted; each of them once, not itself.

    Args:
        program: blocks within their capacities.
        words: what a new line can be.
        capacities: the largest number of lines of each block.
    """
    seen = {program.blocks}
    for b, block in enumerate(program.blocks):
        for changed in _changes(block, words, capacities[b]):
            blocks = (*program.blocks[:b], changed, *program.blocks[b + 1 :])
            if blocks not in seen:
                seen.add(blocks)
                yield LinearProgram(program.names, blocks)


def _changes(block: tuple[str, ...], words: Sequence[str], capacity: int) -> Iterator[tuple[str, ...]]:
    for line in range(len(block)):
        yield (*block[:line], *block[line + 1 :])
        for word in words:
            yield (*block[:line], word, *block[line + 1 :])
    if len(block) < capacity:
        for line in range(len(block) + 1):
            for word in words:
                yield (*block[:line], word, *block[line:])

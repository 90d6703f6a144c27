"""Linear genomes: blocks of instructions, one word a line, as the parser returns them and evolution varies them."""

from dataclasses import dataclass
from typing import ClassVar

from gpkit.core.registry import language_of_genome

Place = tuple[int, int]
"""A line: the number of its block and its number in the block, both from 0."""


@dataclass(frozen=True, slots=True)
class LinearProgram:
    """Named blocks of instruction words.

    A block holds its lines from the top and no padding: the room that is left up to its capacity is not written down.
    ``language`` is the name of the language that it is written in.
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
        """The block of that name.

        Raises:
            KeyError: there is none.
        """
        return dict(zip(self.names, self.blocks, strict=True))[name]

    def word(self, place: Place) -> str:
        """The word of a line; empty for the place behind the last line of a block."""
        number, line = place
        block = self.blocks[number]
        return block[line] if line < len(block) else ""

    def places(self) -> tuple[Place, ...]:
        """Every line in the order of the text."""
        return tuple((b, k) for b, block in enumerate(self.blocks) for k in range(len(block)))

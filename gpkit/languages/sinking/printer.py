"""Programs to text: one instruction a line under the heading of its block."""

from collections.abc import Mapping

from gpkit.core.header import print_header
from gpkit.genomes.linear import LinearProgram, Place

INDENT = "  "


def print_program(program: LinearProgram, header: Mapping[str, str] | None = None) -> str:
    """The text of a ``.sink`` file: the header as comments, then the blocks that have lines, or the first if none has.

    Raises:
        ValueError: a header key is not one word of letters, digits, ``_`` and ``-``.
    """
    parts = ["\n".join(print_header(header))] if header else []
    parts += [
        print_block(name, block) for name, block in zip(program.names, program.blocks, strict=True) if block
    ]
    if not len(program):
        parts.append(print_block(program.names[0], ()))
    return "\n\n".join(parts) + "\n"


def print_block(name: str, block: tuple[str, ...]) -> str:
    """The heading and the lines of one block.

    >>> print(print_block("targeting", ("Target", "Shoot")))
    targeting:
      Target
      Shoot
    """
    return "\n".join([f"{name}:", *(f"{INDENT}{word}" for word in block)])


def marked_text(program: LinearProgram, place: Place) -> str:
    """The listing of a program with a mark at a line; the place behind a block's last line is its end."""
    shown = []
    for block, (name, words) in enumerate(zip(program.names, program.blocks, strict=True)):
        shown.append(f"{name}:")
        shown += [f"{'>' if (block, k) == place else ' '} {k + 1:2}  {word}" for k, word in enumerate(words)]
        if (block, len(words)) == place:
            shown.append(">     (the end of the block)")
    return "\n".join(shown)

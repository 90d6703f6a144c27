"""Evolution of sinking programs."""

from gpkit.genomes.linear import LinearProgram

UNIT = "lines"
"""The unit of size."""


def place_text(section: str, position: int) -> str:
    """A place at which an operator has changed a program, in words."""
    return f"{section}, line {position + 1}"


def part_text(program: LinearProgram, section: str, position: int) -> str:
    """The line at a place; empty behind the last one."""
    lines = program.block(section)
    return lines[position] if position < len(lines) else ""

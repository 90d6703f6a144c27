"""Sinking programs as pictures: blocks of lines, with the ways that lead from one to another."""

from collections.abc import Mapping, Sequence
from typing import Any

from gpkit.core.primitives import PrimitiveSet
from gpkit.draw.blocks import blocks_diff_picture, blocks_picture, listing_of
from gpkit.draw.picture import Picture
from gpkit.genomes.linear import LinearProgram
from gpkit.play.trace import Step, executions


def picture(
    program: LinearProgram,
    header: Mapping[str, str],
    primitives: PrimitiveSet | None,
    *,
    title: str,
    text: str,
) -> Picture:
    """All blocks in the dialect of the header.

    Raises:
        UsageError: the header gives a switch a value that it does not have.
    """
    assert primitives is not None, "what a sinking program means depends on its game"
    return blocks_picture(listing_of(program, header, primitives), title=title, text=text)


def change(parent: LinearProgram, child: LinearProgram, *, title: str, text: str) -> Picture:
    """The lines that were kept, removed and added, block by block."""
    return blocks_diff_picture(parent, child, title=title, text=text)


def traced(
    source: Any, primitives: PrimitiveSet | None, steps: Sequence[Step], *, name: str, place: str, until: str
) -> Picture:
    """All blocks with how often each line was executed."""
    assert primitives is not None, "a game was played"
    listing = listing_of(source.program, source.header, primitives, executions(steps))
    far = f" as far as {until}" if until else ""
    return blocks_picture(
        listing, title=f"{name}, {place}: how often each line was executed{far}", text=source.text
    )

"""Pictures of programs of any language."""

from collections.abc import Mapping
from typing import Any

from gpkit.core.primitives import PrimitiveSet
from gpkit.draw.blocks import blocks_diff_picture, blocks_picture, listing_of
from gpkit.draw.marks import analysed
from gpkit.draw.picture import Picture, diff_picture, program_picture
from gpkit.draw.rules import rules_diff_picture, rules_picture
from gpkit.genomes.graph import RuleList
from gpkit.genomes.linear import LinearProgram


def picture_of(
    program: Any,
    header: Mapping[str, str],
    primitives: PrimitiveSet | None,
    *,
    title: str,
    text: str = "",
) -> Picture:
    """The picture of a program.

    Args:
        program: of any language.
        header: of its file; it says in which dialect the program is meant.
        primitives: of its game, None if that is not known; linear programs need it.
        title: what stands below it.
        text: the program's own, for pages.

    Raises:
        UsageError: the header gives a switch a value that it does not have.
    """
    if isinstance(program, LinearProgram):
        assert primitives is not None, "what a linear program means depends on its game"
        return blocks_picture(listing_of(program, header, primitives), title=title, text=text)
    if isinstance(program, RuleList):
        return rules_picture(program, title=title, text=text)
    marks = [analysed(tree) for tree in program.trees]
    meanings = {sensor.name: sensor.meaning for sensor in primitives.sensors} if primitives else {}
    return program_picture(program, marks, title=title, listing=text, meanings=meanings)


def picture_of_change(parent: Any, child: Any, *, title: str = "", text: str = "") -> Picture:
    """The picture of what a child changed of its parent; both are of one language."""
    if isinstance(child, LinearProgram):
        return blocks_diff_picture(parent, child, title=title, text=text)
    if isinstance(child, RuleList):
        return rules_diff_picture(parent, child, title=title, text=text)
    return diff_picture(parent, child, title=title, listing=text)

"""Pictures of programs of any language, by the form ``draw`` of the language."""

from collections.abc import Mapping, Sequence
from typing import Any

from gpkit.core.forms import form
from gpkit.core.primitives import PrimitiveSet
from gpkit.draw.picture import Picture
from gpkit.playing.trace import Step


def picture_of(
    program: Any,
    header: Mapping[str, str],
    primitives: PrimitiveSet | None,
    *,
    title: str,
    text: str = "",
) -> Picture:
    """The picture of a program: ``picture`` of its form.

    Args:
        program: of any language.
        header: of its file; it says in which dialect the program is meant.
        primitives: of its game, None if that is not known; some languages need it.
        title: what stands below it.
        text: the program's own, for pages.

    Raises:
        UsageError: the header gives a switch a value that it does not have, or the language has no pictures.
    """
    draw = form("draw", program.language, "picture", "draw {}")
    drawn: Picture = draw(program, header, primitives, title, text)
    return drawn


def picture_of_change(parent: Any, child: Any, *, title: str = "", text: str = "") -> Picture:
    """The picture of what a child changed of its parent, which is of its language: ``change`` of its form.

    Raises:
        UsageError: the language has no pictures.
    """
    draw = form("draw", child.language, "change", "draw what changed in {}")
    drawn: Picture = draw(parent, child, title, text)
    return drawn


def picture_of_game(
    source: Any, primitives: PrimitiveSet | None, steps: Sequence[Step], *, name: str, place: str, until: str
) -> Picture:
    """The picture of a program with what became of it in a traced game: ``traced`` of its form.

    Args:
        source: the program, as its language has parsed it.
        primitives: of its game.
        steps: of the game.
        name: of the program.
        place: the deal in words.
        until: the condition as far as which the game was followed; empty if to the end.

    Raises:
        UsageError: the language has no pictures, or the game left nothing to draw.
    """
    draw = form("draw", source.program.language, "traced", "draw traced games of {}")
    drawn: Picture = draw(source, primitives, steps, name, place, until)
    return drawn

"""Pictures of programs of any language, by the form ``draw`` of the language."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from gpkit.core.primitives import PrimitiveSet
from gpkit.core.registry import form
from gpkit.draw.graph import Picture
from gpkit.playing.trace import Step


@runtime_checkable
class Drawing(Protocol):
    """Pictures of programs: ``forms.draw`` of a language; arguments as of ``picture_of``."""

    def picture(
        self, program: Any, header: Mapping[str, str], primitives: PrimitiveSet | None, title: str, text: str
    ) -> Picture: ...


@runtime_checkable
class ChangeDrawing(Protocol):
    """Pictures of changes, as of ``picture_of_change``: further function of ``forms.draw``."""

    def change(self, parent: Any, child: Any, title: str, text: str) -> Picture: ...


@runtime_checkable
class GameDrawing(Protocol):
    """Pictures of programs in traced games, as of ``picture_of_game``: further function of ``forms.draw``."""

    def traced(
        self,
        source: Any,
        primitives: PrimitiveSet | None,
        steps: Sequence[Step],
        name: str,
        place: str,
        until: str,
    ) -> Picture: ...


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
        primitives: of its game, None if that is not known; some languages need it.
        title: what stands below it.
        text: the program's own, for pages.

    Raises:
        UsageError: the header gives a switch a value that it does not have, or the language has no pictures.
    """
    drawing = form(Drawing, "draw", program.language, "draw {}")
    return drawing.picture(program, header, primitives, title, text)


def picture_of_change(parent: Any, child: Any, *, title: str = "", text: str = "") -> Picture:
    """The picture of what a child changed of its parent, which is of its language.

    Raises:
        UsageError: the language has no pictures.
    """
    drawing = form(ChangeDrawing, "draw", child.language, "draw what changed in {}")
    return drawing.change(parent, child, title, text)


def picture_of_game(
    source: Any, primitives: PrimitiveSet | None, steps: Sequence[Step], *, name: str, place: str, until: str
) -> Picture:
    """The picture of a program with what became of it in a traced game.

    Args:
        source: the program, as its language has parsed it.
        primitives: of its game.
        steps: of the game.
        name: of the program.
        place: the deal in words; empty for a picture without a caption.
        until: the condition as far as which the game was followed; empty if to the end.

    Raises:
        UsageError: the language has no pictures, or the game left nothing to draw.
    """
    drawing = form(GameDrawing, "draw", source.program.language, "draw traced games of {}")
    return drawing.traced(source, primitives, steps, name, place, until)

"""Pictures of programs and runs in notebooks, in terminals, and as files."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from gpkit.core.errors import LimitError, RenderError
from gpkit.core.files import check_place, write_atomic

if TYPE_CHECKING:
    from gpkit.draw.graph import Picture


@dataclass(frozen=True, slots=True, repr=False)
class Drawing:
    """Picture of a program or of a run: text in a terminal, and a graph in a notebook where Graphviz is installed.

    Attributes:
        rendered: gives the bytes of a form such as ``svg``, and raises what ``save`` does.
    """

    rendered: Callable[[str], bytes]

    def __str__(self) -> str:
        """The picture as text."""
        return self.rendered("txt").decode().rstrip("\n")

    __repr__ = __str__

    @property
    def dot(self) -> str:
        """The graph in the language of Graphviz.

        Raises:
            UsageError: it is a chart, and no graph.
        """
        return self.rendered("dot").decode()

    @property
    def svg(self) -> str:
        """The picture as SVG.

        Raises:
            LimitError: it is too large to lay out.
            RenderError: no Graphviz is installed, or it failed.
        """
        return self.rendered("svg").decode()

    def _repr_svg_(self) -> str | None:
        """The graph for a notebook; None where it cannot be rendered, so that the text is shown."""
        try:
            return self.svg
        except (LimitError, RenderError):
            return None

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file; its suffix says the form: ``.svg``, ``.png``, ``.pdf``, ``.dot``, ``.txt`` or ``.html``.

        Raises:
            UsageError: there is no such form, or the file cannot be written.
            LimitError: the graph is too large to lay out.
            RenderError: no Graphviz is installed, or it failed.
        """
        from gpkit.draw.render import format_of

        form = format_of(os.fspath(path))
        check_place(path)
        write_atomic(path, self.rendered(form))


def drawing_of(picture: "Picture") -> Drawing:
    """The drawing of a picture."""
    from gpkit.draw.render import (
        render,  # with all that draws, which whoever only reads programs does not need
    )

    return Drawing(partial(render, picture))

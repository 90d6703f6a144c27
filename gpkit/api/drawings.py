"""Pictures as values: text in a terminal, a graph in a notebook, or a file."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from gpkit.core.errors import LimitError, RenderError
from gpkit.core.files import check_place, write_atomic

if TYPE_CHECKING:
    from gpkit.show.graph import Picture


@dataclass(frozen=True, slots=True, repr=False)
class Drawing:
    """A picture of a program or of a run: text in a terminal, and a graph in a notebook if Graphviz is installed.

    Attributes:
        rendered: a function that returns the picture as bytes in a format such as ``svg``; it raises the same errors as
            ``save``.
    """

    rendered: Callable[[str], bytes]

    def __str__(self) -> str:
        """The picture as text."""
        return self.rendered("txt").decode().rstrip("\n")

    __repr__ = __str__

    @property
    def dot(self) -> str:
        """The graph in Graphviz's DOT language.

        Raises:
            UsageError: the picture is a chart, not a graph.
        """
        return self.rendered("dot").decode()

    @property
    def svg(self) -> str:
        """The picture as SVG.

        Raises:
            LimitError: the graph is too large to lay out.
            RenderError: Graphviz is not installed, or it failed.
        """
        return self.rendered("svg").decode()

    def _repr_svg_(self) -> str | None:
        """The picture for a notebook; None if gpkit cannot render it, and the notebook then shows the text."""
        try:
            return self.svg
        except (LimitError, RenderError):
            return None

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture to a file, in the format of the file's suffix: ``.svg``, ``.png``, ``.pdf``, ``.dot``,
        ``.txt`` or ``.html``.

        Raises:
            UsageError: gpkit does not support the format, or the file cannot be written.
            LimitError: the graph is too large to lay out.
            RenderError: Graphviz is not installed, or it failed.
        """
        from gpkit.show.render import format_of

        form = format_of(os.fspath(path))
        check_place(path)
        write_atomic(path, self.rendered(form))


def drawing_of(picture: "Picture") -> Drawing:
    """Make a ``Drawing`` from a picture."""
    from gpkit.show.render import (
        render,  # with all that draws, which whoever only reads programs does not need
    )

    return Drawing(partial(render, picture))

"""Charts as png and pdf, from the numbers of the SVG ones, by matplotlib, which comes with the extra ``plots``."""

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gpkit.core.errors import RenderError
from gpkit.core.wording import install_command
from gpkit.draw.curves import Curves

if TYPE_CHECKING:  # an extra, and slow to import
    from matplotlib.axes import Axes

PLOTTED = ("png", "pdf")
"""The formats."""

PANEL = (6.4, 3.9)
"""Inches of one chart."""

DOTS_PER_INCH = 144

_COLOURS = ("#0072b2", "#d55e00", "#00795a", "#a8518a", "#8a6d00")
_DASHES = ("-", (0, (5, 3)), (0, (1, 2)), (0, (6, 2, 1, 2)), (0, (1, 4)))
_METADATA = {"png": {"Software": None}, "pdf": {"Creator": "gpkit", "Producer": None, "CreationDate": None}}
"""Nothing that would make two files of the same numbers differ."""


def plot(panels: Sequence[Curves], suffix: str) -> bytes:
    """Charts, one below the other, as the content of a file of one of ``PLOTTED``.

    Raises:
        RenderError: matplotlib is not installed.
    """
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError as error:
        raise RenderError(
            f"a chart as .{suffix} needs the package matplotlib: {install_command('plots')}; "
            ".svg, .html and .txt files need nothing more"
        ) from error
    with rc_context({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False}):
        figure = Figure(figsize=(PANEL[0], PANEL[1] * len(panels)), layout="constrained")
        for panel, axes in zip(panels, figure.subplots(len(panels), squeeze=False)[:, 0], strict=True):
            _draw(panel, axes)
        target = io.BytesIO()
        figure.savefig(target, format=suffix, dpi=DOTS_PER_INCH, metadata=_METADATA[suffix])
    return target.getvalue()


def _draw(panel: Curves, axes: "Axes") -> None:
    for k, line in enumerate(panel.series):
        colour, xs = _COLOURS[k % len(_COLOURS)], [x for x, _ in line.points]
        marker = "o" if len(xs) == 1 or (line.band and len(xs) <= 40) else ""
        axes.plot(
            xs,
            [y for _, y in line.points],
            color=colour,
            linestyle=_DASHES[k % len(_DASHES)],
            marker=marker,
            markersize=4,
            label=line.name,
        )
        if line.band:
            low, high = zip(*line.band, strict=True)
            axes.fill_between(xs, low, high, color=colour, alpha=0.18, linewidth=0)
    axes.set_title(panel.title, loc="left", fontweight="bold")
    axes.set_xlabel(panel.x)
    axes.set_ylabel(panel.measure)
    axes.locator_params(axis="x", integer=True)
    if panel.zero:
        axes.set_ylim(bottom=0)
    axes.grid(axis="y", alpha=0.3)
    axes.legend(frameon=False, fontsize=9)

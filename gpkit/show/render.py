"""Renderers, in order of preference: the pygraphviz wheel, which contains Graphviz, and then ``dot`` on the path.

Both renderers run in their own process, so crashes, endless layouts and library warnings do not reach the caller. For
png and pdf, matplotlib, which comes with the extra ``plots``, draws charts from the same numbers as the SVG charts.
"""

import io
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import PurePath
from typing import TYPE_CHECKING

from gpkit.core.diagnostics import nearest
from gpkit.core.errors import LimitError, RenderError, UsageError
from gpkit.core.wording import install_command
from gpkit.show.chart import Curves, curves_svg, panels_svg, panels_text
from gpkit.show.graph import Picture
from gpkit.show.page import Section, charts, drawing, page, picture_page

if TYPE_CHECKING:  # an extra, and slow to import
    from matplotlib.axes import Axes


PLOTTED = ("png", "pdf")

PANEL = (6.4, 3.9)
"""The size of one chart in inches."""

DOTS_PER_INCH = 144

_COLOURS = ("#0072b2", "#d55e00", "#00795a", "#a8518a", "#8a6d00")
_DASHES = ("-", (0, (5, 3)), (0, (1, 2)), (0, (6, 2, 1, 2)), (0, (1, 4)))
_METADATA = {"png": {"Software": None}, "pdf": {"Creator": "gpkit", "Producer": None, "CreationDate": None}}
"""Metadata without a time or a version, so files with the same numbers are identical."""


def plot(panels: Sequence[Curves], suffix: str) -> bytes:
    """Charts, one below another, as the content of a file in one of the formats ``PLOTTED``.

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
    with rc_context(
        {"text.parse_math": False, "font.size": 10, "axes.spines.top": False, "axes.spines.right": False}
    ):
        figure = Figure(figsize=(PANEL[0], PANEL[1] * len(panels)), layout="constrained")
        for panel, axes in zip(panels, figure.subplots(len(panels), squeeze=False)[:, 0], strict=True):
            _draw(panel, axes)
        target = io.BytesIO()
        figure.savefig(target, format=suffix, dpi=DOTS_PER_INCH, metadata=_METADATA[suffix])
    return target.getvalue()


def _draw(panel: Curves, axes: "Axes") -> None:
    for k, line in enumerate(panel.series):
        colour, xs = _COLOURS[k % len(_COLOURS)], [x for x, _ in line.points]
        is_dotted = len(xs) == 1 or line.dots or not line.line or (line.band and len(xs) <= 40)
        axes.plot(
            xs,
            [y for _, y in line.points],
            color=colour,
            linestyle=_DASHES[k % len(_DASHES)] if line.line else "none",
            marker="o" if is_dotted else "",
            markersize=4,
            label=line.name,
        )
        if line.band:
            low, high = zip(*line.band, strict=True)
            axes.fill_between(xs, low, high, color=colour, alpha=0.18, linewidth=0)
    axes.set_title(panel.title, loc="left", fontweight="bold")
    axes.set_xlabel(panel.x)
    axes.set_ylabel(panel.measure)
    axes.locator_params(axis="x", integer=panel.whole)
    if panel.zero:
        axes.set_ylim(bottom=0)
    axes.grid(axis="y", alpha=0.3)
    axes.legend(frameon=False, fontsize=9)


FORMATS = ("svg", "png", "pdf", "dot", "txt", "html")
"""The output formats of a picture, which are also the suffixes of its files."""

NODE_LIMIT = 5_000
"""The maximum number of nodes that a renderer lays out; DOT and plain text have no such limit."""

TIME_LIMIT = 60.0

_SETTINGS: Mapping[str, tuple[str, ...]] = {
    "svg": (),
    "png": ("-Gdpi=144", "-Gsize=60,60"),  # at most 8640 dots each way
    "pdf": ("-Gsize=190,190",),  # readers show at most 200 inches
}

# Run by Python itself, with -P so that no file of the current folder can pass for the library.
_PYGRAPHVIZ = """
import sys, pygraphviz
graph = pygraphviz.AGraph(string=sys.stdin.buffer.read().decode())
sys.stdout.buffer.write(graph.draw(format=sys.argv[1], prog="dot", args=" ".join(sys.argv[2:])))
"""


@dataclass(frozen=True, slots=True)
class Renderer:
    """A renderer: its name, its version or location, and the command that turns DOT on its input into a picture."""

    name: str
    detail: str
    command: Callable[[str], list[str]]


def renderers() -> tuple[Renderer, ...]:
    """The installed Graphviz renderers, in the order in which gpkit tries them."""
    found = []
    with suppress(metadata.PackageNotFoundError):
        version = metadata.version("pygraphviz")
        if sys.executable and int(version.partition(".")[0]) >= 2:
            start = [sys.executable, "-P", "-c", _PYGRAPHVIZ]
            found.append(Renderer("pygraphviz", version, lambda suffix: [*start, suffix]))
    if path := shutil.which("dot"):
        found.append(Renderer("dot", path, lambda suffix: [path, f"-T{suffix}"]))
    return tuple(found)


def format_of(path: str) -> str:
    """The format for the suffix of a file.

    Raises:
        UsageError: no format has this suffix.
    """
    suffix = PurePath(path).suffix.lower().removeprefix(".")
    if suffix in FORMATS:
        return suffix
    hint = f"did you mean .{close}? " if (close := nearest(suffix, FORMATS)) else ""
    raise UsageError(f"gpkit cannot write {path} as a picture; {hint}use one of .{', .'.join(FORMATS)}")


def render(picture: Picture, suffix: str) -> bytes:
    """The picture as the content of a file in one of the formats ``FORMATS``.

    Raises:
        LimitError: the graph is too large to lay out, or took too long.
        RenderError: no renderer is installed, or all failed.
    """
    if suffix == "dot":
        return picture.dot.encode()
    if suffix == "txt":
        return picture.text.encode()
    if picture.nodes > NODE_LIMIT:
        raise LimitError(
            f"a picture of {picture.nodes} nodes is too large to render as .{suffix} (at most {NODE_LIMIT}); "
            "write a .dot or .txt file instead"
        )
    if suffix == "html":
        return picture_page(picture.title, render_dot(picture.dot, "svg").decode(), picture.listing).encode()
    return render_dot(picture.dot, suffix)


def render_curves(panels: Sequence[Curves], suffix: str) -> bytes:
    """Charts as the content of a file: svg, png, pdf, html or txt.

    Raises:
        UsageError: the format is in ``FORMATS``, but is none of these.
        RenderError: png and pdf need matplotlib, which is not installed.
    """
    if suffix == "txt":
        return panels_text(panels).encode()
    if suffix == "svg":
        return (panels_svg(panels) + "\n").encode()
    if suffix == "html":
        body = charts([curves_svg(panel) for panel in panels])
        return page(panels[0].title, "", [Section("", (body,))]).encode()
    if suffix in PLOTTED:
        return plot(panels, suffix)
    raise UsageError(f"a chart cannot be drawn as .{suffix}; use .svg, .png, .pdf, .html and .txt")


def written(what: str, form: str, *, svg: str, text: str, title: str, remark: str = "") -> bytes:
    """The content of a file for a picture that is given as SVG and as text; the format is svg, html or txt.

    Raises:
        UsageError: the format is in ``FORMATS``, but is none of these; the message begins with ``what``.
    """
    forms = {"svg": svg, "html": page(title, remark, [Section("", (drawing(svg),))]), "txt": text}
    if form not in forms:
        raise UsageError(f"{what} cannot be drawn as .{form}; use .svg, .html and .txt")
    return forms[form].encode()


def render_dot(dot: str, suffix: str) -> bytes:
    """DOT text as svg, png or pdf, from the first renderer that works.

    Raises:
        LimitError: the layout took longer than ``TIME_LIMIT``.
        RenderError: no renderer is installed, or all failed.
    """
    failures = []
    for renderer in renderers():
        command = [*renderer.command(suffix), *_SETTINGS[suffix]]
        try:
            done = subprocess.run(  # noqa: S603
                command, input=dot.encode(), capture_output=True, timeout=TIME_LIMIT, check=False
            )
        except subprocess.TimeoutExpired as error:
            raise LimitError(
                f"the layout took more than {TIME_LIMIT:.0f} s; write a .dot or .txt file instead"
            ) from error
        except OSError as error:
            failures.append(f"{renderer.name}: {error}")
            continue
        if done.returncode == 0 and done.stdout:
            return done.stdout
        said = done.stderr.decode(errors="replace").strip().splitlines()
        failures.append(f"{renderer.name}: {said[-1] if said else f'exit code {done.returncode}'}")
    if failures:
        raise RenderError("no renderer could draw this picture: " + "; ".join(failures))
    raise RenderError(
        "drawing needs Graphviz: `pip install 'pygraphviz>=2.0'` includes it, or install the system package "
        "`graphviz`; .dot and .txt files need neither"
    )

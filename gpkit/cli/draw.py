"""``gpkit draw``: what the shell alone has, the file of the picture."""

from gpkit.api.drawings import Drawing
from gpkit.api.kinds import Given, Kind
from gpkit.api.pictures import drawing
from gpkit.cli import output
from gpkit.cli.shell import command_of
from gpkit.core.errors import EXIT_OK
from gpkit.core.files import check_place


def _target(path: str | None, given: Given) -> str | None:
    """The file of a picture, which can be written.

    Raises:
        UsageError: it cannot, or its suffix is that of no format.
    """
    if path is not None:
        from gpkit.draw.render import format_of

        format_of(path)
        check_place(path)
    return path


def _show(drawn: Drawing, given: Given) -> int:
    """Print a picture in letters, or write its file."""
    if given["target"] is None:
        output.say(drawn.rendered("txt").decode().removesuffix("\n"))
    else:
        drawn.save(given["target"])
        output.note(f"wrote {given['target']}")
    return EXIT_OK


command = command_of(
    "draw",
    drawing,
    {
        "target": Kind(
            "FILE",
            completes="file",
            option="-o --output",
            help="Output file; its suffix sets the format: svg, png, pdf, dot, txt, html. Default: text on standard "
            "output.",
            read=_target,
        )
    },
    _show,
)

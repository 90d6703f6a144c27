"""``gpkit draw``: adds the option for the picture's file."""

from gpkit.api.drawings import Drawing
from gpkit.api.kinds import Given, Kind
from gpkit.api.pictures import drawing
from gpkit.cli import output
from gpkit.cli.shell import command_of
from gpkit.core.errors import EXIT_OK
from gpkit.core.files import check_place


def _target(path: str | None, given: Given) -> str | None:
    """The path of the picture's file; an error if the file cannot be written.

    Raises:
        UsageError: the file cannot be written, or no format has its suffix.
    """
    if path is not None:
        from gpkit.show.render import format_of

        format_of(path)
        check_place(path)
    return path


def _show(drawn: Drawing, given: Given) -> int:
    """Write the picture to its file, or print it as text."""
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

"""``gpkit trace``: adds the options for the ways to show the game."""

from typing import TYPE_CHECKING

from gpkit.api.kinds import Given, Kind
from gpkit.api.matches import trace
from gpkit.cli.shell import JSON, PLAIN, command_of
from gpkit.core.errors import UsageError
from gpkit.core.files import STANDARD_INPUT, check_place, check_target

if TYPE_CHECKING:
    from gpkit.show.traced import Traced


def _page(path: str | None, given: Given) -> str | None:
    """The path of the page's file, after a check that it can be written; None if no page was requested.

    Raises:
        UsageError: several ways to show the game were requested, or the file cannot be written.
    """
    programs = (given["program"], *given["opponents"])
    if sum((given["walking"], path is not None, given["as_json"])) > 1:
        raise UsageError("--step, --html and --json are three ways to show a game; choose one")
    if path is not None:
        check_target(path, programs, ".html")
        check_place(path)
    if given["walking"] and STANDARD_INPUT in programs:
        raise UsageError("--step reads its commands from standard input, so the programs must be files")
    return path


def _show(traced: "Traced", given: Given) -> int:
    from gpkit.cli.terminal import show_game

    return show_game(traced, given)


command = command_of(
    "trace",
    trace,
    {
        "walking": Kind(option="--step", help="Step forwards and backwards; ? shows the commands."),
        "page": Kind(
            "FILE",
            completes="file",
            option="--html",
            help="Write a page with the board as a picture, to step through.",
            read=_page,
        ),
        "as_json": JSON,
        "plain": PLAIN,
    },
    _show,
)

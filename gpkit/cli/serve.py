"""``gpkit serve``: games, programs and runs in a browser on this machine."""

import shutil
import tempfile
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from html import escape
from pathlib import Path
from threading import Timer
from typing import Annotated

from gpkit.api.kinds import Given, Kind, Within
from gpkit.cli import output
from gpkit.core.errors import UsageError
from gpkit.core.registry import game_entry, name_game
from gpkit.core.wording import install_command

OPENING_SECONDS = 60.0
"""The number of seconds after which gpkit assumes that a browser has read the file that it opened."""


def _games(texts: Sequence[str], _given: Given) -> list[str]:
    """The names of the games that the user gives.

    Raises:
        UsageError: there is no such game.
    """
    return [str(game_entry(name_game(text)).name) for text in texts]


BroughtGames = Annotated[
    Sequence[str],
    Kind("FILE.py", "", "file", _games, True, "--game", known="GAMES"),
]
"""Additional games for commands that serve all games; this imports their files."""


def serve(
    folder: Annotated[str, Kind("FOLDER", completes="folder")] = ".",
    *,
    port: Annotated[int, Within(0, 65_535)] = 0,
    no_open: bool = False,
    games: BroughtGames = (),
) -> None:
    """Play games, follow them, edit the programs in FOLDER and watch the runs there, in a browser.

    The address is printed on one line and contains a token that every page requires. Only this machine can connect, and
    only files in FOLDER are shown and written. Ctrl-C stops the server and everything that it started.

    Args:
        folder: the folder with the programs and runs. Default: the current one.
        port: the port to listen on; 0 picks a free one.
        no_open: print the address without opening a browser.
        games: your own game, or an OpenSpiel game such as openspiel:hex, in addition to gpkit's; may be repeated.

    Raises:
        UsageError: there is no such folder, or gpkit cannot serve the pages.
    """
    if not Path(folder).is_dir():
        raise UsageError(f"there is no folder {folder}")
    open_pages(Path(folder), port, "" if no_open else "/")


def open_pages(folder: Path, port: int, opened: str) -> None:
    """Serve the pages of a folder until Ctrl-C.

    Args:
        folder: the folder with the programs and runs.
        port: the port to listen on; 0 means any free one.
        opened: the path of the page to open in a browser; empty for none.

    Raises:
        UsageError: a package is not installed, or the port cannot be used.
    """
    try:
        from gpkit.web.server import serve as serve_pages
    except ModuleNotFoundError as missing:
        raise UsageError(
            f"`gpkit serve` needs the package {missing.name}: {install_command('web')}"
        ) from None

    def tell(address: str) -> None:
        root, _, token = address.partition("/?")
        page = f"{root}{opened or '/'}{'&' if '?' in opened else '?'}{token}"
        output.say(page)
        output.note("Ctrl-C stops the server")
        if opened:
            webbrowser.open(kept.enter_context(_file_that_leads_to(page)).as_uri())

    with ExitStack() as kept:
        serve_pages(folder, port, tell)


@contextmanager
def _file_that_leads_to(page: str) -> Iterator[Path]:
    """A file that opens a page and that no other account can read; it exists while a browser starts.

    Everybody on the machine can see a browser's arguments, so the arguments must not contain a token.
    """
    folder = Path(_folder_for_browsers())
    file, link = folder / "open.html", escape(page)
    file.touch(mode=0o600)
    file.write_text(
        '<!DOCTYPE html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>gpkit</title>'
        f'<meta http-equiv="refresh" content="0;url={link}"><p><a href="{link}">gpkit</a></p>\n',
        encoding="utf-8",
    )
    removal = Timer(OPENING_SECONDS, shutil.rmtree, (folder, True))
    removal.daemon = True
    removal.start()
    try:
        yield file
    finally:
        removal.cancel()
        shutil.rmtree(folder, ignore_errors=True)


def _folder_for_browsers() -> str:
    """A new folder for this account only; it is in the home folder, because sandboxed browsers see no other folder."""
    try:
        return tempfile.mkdtemp(prefix="gpkit-opens-", dir=Path("~").expanduser())
    except (OSError, RuntimeError):
        return tempfile.mkdtemp(prefix="gpkit-opens-")

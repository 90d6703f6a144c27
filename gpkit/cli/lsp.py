"""``gpkit lsp``: the language server for editors."""

import io
import os
import sys
import time

from gpkit.cli.serve import BroughtGames
from gpkit.core.diagnostics import shortened
from gpkit.core.errors import UsageError
from gpkit.core.wording import install_command

MOST_DIGITS = 8
"""The maximum number of digits in the byte length of a message from an editor."""

LONGEST_HEAD = 1000
"""The maximum number of bytes in a header line of a message."""


class Requests(io.BufferedReader):
    """The stream of messages from an editor; it refuses messages that would not fit into memory."""

    def readline(self, size: int | None = -1) -> bytes:
        """The next header line of a message.

        Raises:
            UsageError: the line is too long, or it announces a message that is too long.
        """
        line = super().readline(LONGEST_HEAD)
        digits = line.removeprefix(b"Content-Length:").strip().lstrip(b"0")
        if len(line) == LONGEST_HEAD or (digits.isdigit() and len(digits) > MOST_DIGITS):
            raise UsageError(
                f"the editor announces `{shortened(line.decode('ascii', 'replace').strip())}`: expected a message of "
                f"less than {10**MOST_DIGITS:,} bytes"
            )
        return line


def lsp(*, games: BroughtGames = ()) -> None:
    """Run a language server for editors: findings as you type, completion, help, definitions, formatting and fixes.

    An editor starts this command and talks to it over standard input and output. The header of a program can name only
    games that are installed or given with --game: opening a program imports only the files that GPKIT_LANGUAGES names.

    Args:
        games: your own game, or an OpenSpiel game such as openspiel:hex, in addition to gpkit's games; may be repeated.

    Raises:
        UsageError: the package for the language server is not installed.
    """
    try:
        from gpkit.lsp.server import program_server
    except ModuleNotFoundError as missing:
        package = (missing.name or "pygls").partition(".")[0]
        raise UsageError(f"`gpkit lsp` needs the package {package}: {install_command('lsp')}") from None
    server = program_server(time.perf_counter)
    requests = Requests(io.FileIO(os.dup(sys.stdin.fileno())))
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a game prints does not come between answers
    server.start_io(requests, answers)

"""``gpkit lsp``: the language server for editors."""

import os
import sys
import time

import click

from gpkit.cli.options import brought_games_option
from gpkit.core.errors import UsageError
from gpkit.core.wording import install_command


@click.command(name="lsp")
@brought_games_option
def command(games: tuple[str, ...]) -> None:
    """Run a language server for editors: findings as you type, completion, help, definitions, formatting, quick fixes.

    An editor starts this command and talks to it over standard input and output. The header of a program can
    name only games that are installed or given with --game: opening a file never imports anything.
    """
    try:
        from gpkit.lsp.features import program_server
    except ModuleNotFoundError as missing:
        package = (missing.name or "pygls").partition(".")[0]
        raise UsageError(f"`gpkit lsp` needs the package {package}: {install_command('lsp')}") from None
    server = program_server(time.perf_counter)
    requests = os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a game prints does not come between answers
    server.start_io(requests, answers)

"""The entry point of the command line: its group of commands, and the place where every error becomes an exit code.

gpkit imports nothing heavy before a command is chosen: ``gpkit --help`` reads only the table.
"""

import io
import logging
import os
import sys
import threading
import time
import traceback
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import click

from gpkit.api.arguments import MOVED
from gpkit.cli import output
from gpkit.cli.commands import gpkit_command
from gpkit.core import plugins, streams
from gpkit.core.errors import EXIT_INTERNAL, EXIT_OK, EXIT_USAGE, GpkitError, one_line
from gpkit.core.interrupts import terminations_interrupt
from gpkit.core.registry import GAMES
from gpkit.core.timeouts import watched

EXIT_BROKEN_PIPE = 141
EXIT_KEYBOARD = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: the words after ``gpkit``; None means the arguments of the process.

    Returns:
        The exit code. A command returns its own exit code (None means 0), or raises an exception, which is always
        caught here.
    """
    if instruction := os.environ.get("_GPKIT_COMPLETE"):
        from gpkit.cli.completion import complete

        return complete(instruction, gpkit_command)
    streams.open_closed()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # for characters that the encoding lacks
    log, notes = logging.getLogger("gpkit"), _Notes(logging.WARNING)
    log.addHandler(notes)
    try:
        with terminations_interrupt():
            code = carry_out(sys.argv[1:] if arguments is None else arguments)
    finally:
        log.removeHandler(notes)
    streams.settle()
    if arguments is None and plugins.here.digests:
        _leave_threads(code)
    return code


def _leave_threads(code: int) -> None:
    """End this process now if a thread from a user's file would keep it alive; do not wait for that thread."""
    left = [each for each in threading.enumerate() if each is not threading.main_thread() and not each.daemon]
    if left:
        output.note(f"a thread that your code started is still running ({left[0].name}): gpkit ends it now")
        streams.settle()
        os._exit(code)


def carry_out(arguments: Sequence[str]) -> int:
    """Run one command line in this process, report errors, and return the exit code."""
    try:
        with (
            (
                output.kept_for_results()
                if "--json" in arguments and "--help" not in arguments
                else nullcontext()
            ),
            watched(plugins.PATIENCE, plugins.is_named),
            gpkit_command.make_context(
                "gpkit", list(arguments), obj=(tuple(arguments), time.perf_counter())
            ) as context,
        ):
            code = gpkit_command.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as mistake:
        message = io.StringIO()
        mistake.show(message)  # with the usage of the command
        output.note(message.getvalue().removesuffix("\n"))
        if "unexpected extra argument" in mistake.format_message() and "--until" in arguments:
            output.note("Put an EXPR with spaces in quotes, such as --until 'mine and turn > 3'.")
        if isinstance(mistake, click.MissingParameter) and mistake.param and mistake.param.name == "game":
            output.note(f"games: {', '.join(each.name for each in GAMES)}, or the file of your own game")
        if isinstance(mistake, click.NoSuchOption) and (
            advice := MOVED.get((arguments[0], mistake.option_name.removeprefix("--")))
        ):
            output.note(advice)
        return EXIT_USAGE
    except BrokenPipeError:
        streams.discard(sys.stdout)
        return EXIT_BROKEN_PIPE
    except (KeyboardInterrupt, click.Abort):
        output.note("interrupted")
        return EXIT_KEYBOARD
    except BaseException as fault:
        return _report(fault)
    return EXIT_OK if code is None else int(code)


class _Notes(logging.Handler):
    """Prints the log messages of the package on standard error."""

    def emit(self, record: logging.LogRecord) -> None:
        output.note(record.getMessage())


def _report(fault: BaseException) -> int:
    """Report an exception on standard error; show the traceback only with ``GPKIT_DEBUG=1``."""
    if os.environ.get("GPKIT_DEBUG"):
        output.note("".join(traceback.format_exception(fault)).removesuffix("\n"))
    error = fault if isinstance(fault, GpkitError) else plugins.blamed(fault)
    if error is None and not isinstance(fault, OSError) and plugins.here.files:
        from gpkit.user_games.contract.examine import explained

        error = explained(fault)
    if error is not None:
        output.failure(error)
        return error.exit_code
    if isinstance(fault, OSError):
        place = f" ({fault.filename})" if fault.filename else ""
        try:
            Path.cwd()
        except OSError:
            place += "; the current folder no longer exists: change to another one"
        output.note(f"error: {fault.strerror or fault}{place}")
        return EXIT_USAGE
    output.note(f"internal error: {one_line(fault)}")
    if not os.environ.get("GPKIT_DEBUG"):
        output.note("This is a bug in gpkit. GPKIT_DEBUG=1 shows where it happened.")
    return EXIT_INTERNAL

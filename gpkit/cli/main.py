"""The entry of the command line: its group of commands, and the border at which every error becomes an exit code.

Nothing heavy is imported before a command is chosen: ``gpkit --help`` reads the table alone.
"""

import io
import logging
import os
import sys
import threading
import time
import traceback
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from gpkit.api.arguments import MOVED
from gpkit.api.games import commands_of_games
from gpkit.cli import output
from gpkit.cli.commands import COMMANDS, all_commands, lines_of_games
from gpkit.cli.shell import command_of
from gpkit.core import plugins, streams
from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import EXIT_INTERNAL, EXIT_OK, EXIT_USAGE, GpkitError, UsageError, one_line
from gpkit.core.interrupts import terminations_interrupt
from gpkit.core.registry import all_games
from gpkit.core.timeouts import watched
from gpkit.core.version import VERSION

EXIT_BROKEN_PIPE = 141
EXIT_KEYBOARD = 130


def _installed_command(name: str) -> click.Command | None:
    """The command ``GAME:NAME`` of a game from outside that is here; None if there is none."""
    game, colon, command = name.partition(":")
    entries = [each for each in all_games() if each.origin and each.name == game] if colon else []
    found = (each for _, functions in commands_of_games(entries) for each in functions)
    return next((command_of(command, each) for each in found if each.__name__ == command), None)


class LazyGroup(click.Group):
    """A group that knows its commands from tables and imports only the one that is chosen."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return [line.name for line in all_commands()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now.

        Raises:
            click.UsageError: there is none; the message names the nearest one.
        """
        lines = COMMANDS if cmd_name in {line.name for line in COMMANDS} else all_commands()
        line = next((line for line in lines if line.name == cmd_name), None)
        command = None
        with suppress(UsageError) if ctx.resilient_parsing else nullcontext():  # while a person types
            command = _installed_command(cmd_name) if line is None else line.load()
        if command is None and not (cmd_name.startswith("-") or ctx.resilient_parsing):
            what = (
                f"it is a file: did you mean `gpkit run {cmd_name}`?"
                if Path(cmd_name).is_file()
                else suggestion(cmd_name, self.list_commands(ctx))
            )
            raise click.UsageError(f"there is no command `{cmd_name}`; {what}", ctx)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands and options that begin with the incomplete word; none of them is imported."""
        found = [CompletionItem(line.name, help=line.help) for line in all_commands()]
        return [each for each in found if each.value.startswith(incomplete)] + click.Command.shell_complete(
            self, ctx, incomplete
        )

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table of commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(line.name, line.help) for line in COMMANDS])
        for entry, lines in lines_of_games():
            with formatter.section(f"Commands of {entry.name}"):
                formatter.write_dl([(line.name, line.help) for line in lines])


gpkit_command = click.version_option(VERSION, prog_name="gpkit")(
    LazyGroup(
        "gpkit",
        help="""Game-playing programs that people can read: write, run, trace, evolve, draw and export them.

Results go to standard output, everything else to standard error. Exit codes: 0 done, 1 findings, 2 a mistake in the
command or in a file, 3 a limit exceeded, 4 interrupted with everything saved, 70 a bug in gpkit, 130 interrupted.""",
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: what follows ``gpkit``; those of the process when None.

    Returns:
        The exit code. A command returns its own (None is 0), or raises: every exception ends here.
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
    """End this process now if a thread of a person's file would keep it alive; do not wait for that thread."""
    left = [each for each in threading.enumerate() if each is not threading.main_thread() and not each.daemon]
    if left:
        output.note(f"a thread that your code started is still running ({left[0].name}): gpkit ends it now")
        streams.settle()
        os._exit(code)


def carry_out(arguments: Sequence[str]) -> int:
    """Run one command line in this process, and tell what went wrong; gives the exit code."""
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
    """Prints on standard error what the package logs."""

    def emit(self, record: logging.LogRecord) -> None:
        output.note(record.getMessage())


def _report(fault: BaseException) -> int:
    """Report an exception on standard error; the traceback only with ``GPKIT_DEBUG=1``."""
    if os.environ.get("GPKIT_DEBUG"):
        output.note("".join(traceback.format_exception(fault)).removesuffix("\n"))
    error = fault if isinstance(fault, GpkitError) else plugins.blamed(fault)
    if error is None and not isinstance(fault, OSError) and plugins.named_files():
        from gpkit.user_games.contract.explain import explained

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

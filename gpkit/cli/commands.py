"""The group of commands and their table; gpkit imports a command only when it is used."""

from contextlib import nullcontext, suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from gpkit.api.games import commands_of_games
from gpkit.cli.shell import command_of
from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.registry import GAMES, all_games
from gpkit.core.wording import VERSION, first_line


@dataclass(frozen=True, slots=True)
class CommandLine:
    """One line of the table: the command ``name``, its help, and its module.

    The module has a ``command``, or the function from which gpkit makes the command.
    """

    name: str
    help: str
    module: str

    def load(self) -> click.Command:
        """The command; this imports its module.

        Raises:
            UsageError: this installation of gpkit lacks the command.
        """
        try:
            module = import_module(self.module)
        except ModuleNotFoundError as error:
            root = self.module.partition(".")[0]
            if root == "gpkit" or error.name != root:
                raise
            raise UsageError(
                f"`gpkit {self.name}` needs the source checkout: run pip install -e '.[dev]' there"
            ) from None
        made = getattr(module, "command", None)
        return made if isinstance(made, click.Command) else command_of(self.name, getattr(module, self.name))


COMMANDS = (
    CommandLine(
        "demo", "Demonstrate the main commands in about half a minute; the files are kept.", "gpkit.cli.demo"
    ),
    CommandLine("run", "Play whole games and show how strong programs are.", "gpkit.api.matches"),
    CommandLine("evolve", "Evolve programs in a folder, resumable after a crash.", "gpkit.api.evolving"),
    CommandLine("search", "Search with scores from any other program, in JSON lines.", "gpkit.cli.search"),
    CommandLine("study", "Compare configurations over many runs, with one verdict.", "gpkit.api.studies"),
    CommandLine("fit", "Find a formula or a tree that predicts a column of a table.", "gpkit.api.evolving"),
    CommandLine(
        "predict",
        "Predict values for the rows of a table, and show how accurate they are.",
        "gpkit.cli.predict",
    ),
    CommandLine(
        "trace", "Follow one game step by step: candidates, sensors, values, board.", "gpkit.cli.trace"
    ),
    CommandLine("play", "Play a game yourself against programs, in the terminal.", "gpkit.cli.play"),
    CommandLine("serve", "Open games, programs and runs in a browser on this machine.", "gpkit.cli.serve"),
    CommandLine("check", "Find mistakes in programs and explain them.", "gpkit.api.inquiries"),
    CommandLine("fmt", "Format programs; comments are kept.", "gpkit.api.inquiries"),
    CommandLine(
        "lsp", "Language server for editors: findings, completion, help as you type.", "gpkit.cli.lsp"
    ),
    CommandLine("mcp", "Serve tools for assistants: check, run, compare and export.", "gpkit.cli.mcp"),
    CommandLine(
        "compare", "Compare two programs on the same deals, or on the rows of a table.", "gpkit.api.matches"
    ),
    CommandLine(
        "tournament", "Play programs against each other: cross table, ratings, cycles.", "gpkit.api.matches"
    ),
    CommandLine("balance", "Show whether a game is fair, by seat and first action.", "gpkit.cli.balance"),
    CommandLine("roster", "Make graded opponents for a game, with a sentence for each.", "gpkit.api.rosters"),
    CommandLine("series", "Play series of games between two players, who may learn.", "gpkit.api.matches"),
    CommandLine("report", "Write a report on a run: champion, curves, lineage, a game.", "gpkit.cli.report"),
    CommandLine("paper", "Reproduce the results of a published paper.", "gpkit_experiments.papers.command"),
    CommandLine("draw", "Draw a program, a run, a diff, or what was executed.", "gpkit.cli.draw"),
    CommandLine(
        "export",
        "Export programs to Lua, Python, JSON or LaTeX, check the copies, read them back.",
        "gpkit.cli.export",
    ),
    CommandLine("new", "Print a program, a configuration or a game to start from.", "gpkit.api.inquiries"),
    CommandLine("list", "List games, languages, opponents, sensors, ...", "gpkit.api.inquiries"),
    CommandLine(
        "bench",
        "Benchmark gpkit against DEAP and its own plain-Python code.",
        "gpkit_experiments.bench.command",
    ),
    CommandLine("doctor", "Check the installation, or your own game.", "gpkit.api.inquiries"),
)
"""Commands for all games, in the order of the help page."""


@cache
def sections() -> tuple[tuple[str, tuple[CommandLine, ...]], ...]:
    """The lines of the help page by heading: first commands for all games, then the commands of single games."""
    of_games = (
        (
            f"Commands of {entry.name}",
            tuple(CommandLine(each.__name__, f"{first_line(each)}.", each.__module__) for each in functions),
        )
        for entry, functions in commands_of_games(GAMES)
    )
    return ("Commands", COMMANDS), *of_games


def all_commands() -> tuple[CommandLine, ...]:
    """All commands: first the commands for all games, then the commands of single games."""
    return tuple(line for _, lines in sections() for line in lines)


def _installed_command(name: str) -> click.Command | None:
    """The command ``GAME:NAME`` of an installed game from outside gpkit; None if there is no such command."""
    game, colon, command = name.partition(":")
    entries = [each for each in all_games() if each.origin and each.name == game] if colon else []
    found = (each for _, functions in commands_of_games(entries) for each in functions)
    return next((command_of(command, each) for each in found if each.__name__ == command), None)


class LazyGroup(click.Group):
    """A group that takes its commands from tables and imports only the chosen one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands, in the order of the table."""
        return [line.name for line in all_commands()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command with this name; this imports its module.

        Raises:
            click.UsageError: there is no such command; the message names the nearest one.
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
        """The commands and options that begin with the incomplete word; this imports none of them."""
        found = [CompletionItem(line.name, help=line.help) for line in all_commands()]
        return [each for each in found if each.value.startswith(incomplete)] + click.Command.shell_complete(
            self, ctx, incomplete
        )

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table of commands without importing any."""
        for heading, lines in sections():
            with formatter.section(heading):
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

"""The table of commands, with their names and helps; a command is imported when it is chosen."""

from dataclasses import dataclass
from functools import cache
from importlib import import_module

import click

from gpkit.api.games import commands_of_games
from gpkit.cli.shell import command_of
from gpkit.core.errors import UsageError
from gpkit.core.plugins import Entry
from gpkit.core.registry import GAMES
from gpkit.core.wording import first_line


@dataclass(frozen=True, slots=True)
class CommandLine:
    """One line of the table: the command ``name``, its help, and the module that has it.

    It is ``command`` there, or made of the function of that name.
    """

    name: str
    help: str
    module: str

    def load(self) -> click.Command:
        """The command, imported now.

        Raises:
            UsageError: this gpkit is installed without it.
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
        "demo", "Demonstrate the main commands in about 20 seconds; the files are kept.", "gpkit.cli.demo"
    ),
    CommandLine("run", "Play whole games and show how strong programs are.", "gpkit.api.matches"),
    CommandLine("evolve", "Evolve programs in a folder, resumable after a crash.", "gpkit.api.evolving"),
    CommandLine("fit", "Find a formula or a tree that predicts a column of a table.", "gpkit.api.evolving"),
    CommandLine(
        "predict", "Predict values for the rows of a table, and show how right they are.", "gpkit.cli.predict"
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
    CommandLine(
        "compare", "Compare two programs on the same deals, or on the rows of a table.", "gpkit.api.matches"
    ),
    CommandLine(
        "tournament", "Play programs against each other: cross table, ratings, cycles.", "gpkit.api.matches"
    ),
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
    CommandLine("doctor", "Check the installation, or a game of your own.", "gpkit.api.inquiries"),
)
"""Commands for all games, in the order of the help page."""


@cache
def lines_of_games() -> tuple[tuple[Entry, tuple[CommandLine, ...]], ...]:
    """Each shipped game that brings commands, with the lines of these commands."""
    return tuple(
        (
            entry,
            tuple(CommandLine(each.__name__, f"{first_line(each)}.", each.__module__) for each in functions),
        )
        for entry, functions in commands_of_games(GAMES)
    )


def all_commands() -> tuple[CommandLine, ...]:
    """All commands, those of games behind those for all games."""
    return (*COMMANDS, *(line for _, lines in lines_of_games() for line in lines))

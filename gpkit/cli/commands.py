"""The table of commands, with their names and helps; a command is imported when it is chosen."""

from dataclasses import dataclass
from functools import cache
from importlib import import_module

import click

from gpkit.core.entry import Entry
from gpkit.core.errors import UsageError
from gpkit.core.registry import GAMES


@dataclass(frozen=True, slots=True)
class CommandLine:
    """One line of the table: the command ``name`` is ``command`` of a module; ``help`` is one line.

    Without ``place``, the module is ``gpkit.cli.<name>``; with one, it comes with the source checkout or with a game.
    """

    name: str
    help: str
    place: str = ""

    @property
    def module(self) -> str:
        """The module that has the command."""
        return self.place or f"gpkit.cli.{self.name}"

    def load(self) -> click.Command:
        """The command, imported now.

        Raises:
            UsageError: this gpkit is installed without it.
        """
        try:
            command: click.Command = import_module(self.module).command
        except ModuleNotFoundError as error:
            root = self.module.partition(".")[0]
            if root == "gpkit" or error.name != root:
                raise
            raise UsageError(
                f"this gpkit is installed without `gpkit {self.name}`, which comes with the source checkout: "
                "pip install -e '.[dev]' there"
            ) from None
        return command


COMMANDS = (
    CommandLine("demo", "Show the main commands at work in about 20 seconds, with files to keep."),
    CommandLine("run", "Play whole games and show how strong programs are."),
    CommandLine("evolve", "Evolve programs in a folder, resumable after a crash."),
    CommandLine("trace", "Follow one game step by step: candidates, sensors, values, board."),
    CommandLine("play", "Play a game yourself against programs, in the terminal."),
    CommandLine("serve", "Open games, programs and runs in a browser on this machine."),
    CommandLine("check", "Find mistakes in programs and explain them."),
    CommandLine("fmt", "Lay programs out in the canonical way; comments stay."),
    CommandLine("lsp", "Serve an editor: findings, completion and meanings while you type."),
    CommandLine("compare", "Compare two programs on the same deals."),
    CommandLine("tournament", "Let programs meet each other: cross table, ratings, cycles."),
    CommandLine("series", "Let two players meet in series of games, in which players may learn."),
    CommandLine("report", "Write one page about a run: champion, curves, lineage, a game."),
    CommandLine("paper", "Measure again what a published source says.", "gpkit_experiments.papers.command"),
    CommandLine("draw", "Draw a program or a run, what changed, or what was executed."),
    CommandLine("export", "Export programs to Lua, Python, JSON or LaTeX, prove them equal, read them back."),
    CommandLine("new", "Print a program, a configuration or a game to start from."),
    CommandLine("list", "Show what there is: games, languages, opponents, sensors, ..."),
    CommandLine(
        "bench",
        "Measure how fast gpkit is, against DEAP and against its own readable twins.",
        "gpkit_experiments.bench.command",
    ),
    CommandLine("doctor", "Show what is installed and whether it works, or what is wrong with a game."),
)
"""Commands for all games, in the order of the help page."""


@cache
def commands_of_games() -> tuple[tuple[Entry, tuple[CommandLine, ...]], ...]:
    """The commands that a game brings, for each game that brings some.

    ``COMMANDS`` of the package ``commands`` beside the game are their names and helps; a module of that name, which is
    imported when its command is chosen, has the command.
    """
    return tuple(
        (
            entry,
            tuple(CommandLine(name, told, f"{entry.folder}.commands.{name}") for name, told in pairs.items()),
        )
        for entry in GAMES
        if entry.has_part("commands") and (pairs := entry.part("commands").COMMANDS)
    )


def all_commands() -> tuple[CommandLine, ...]:
    """All commands, those of games behind those for all games."""
    return (*COMMANDS, *(line for _, lines in commands_of_games() for line in lines))

"""The border of the command line: the table of commands, exit codes, and that nothing heavy is imported early."""

import os
import re
import runpy
import subprocess
import sys
from typing import Annotated

import click
import pytest

from gpkit.api.kinds import Within
from gpkit.cli import main as border
from gpkit.cli.commands import COMMANDS, CommandLine, all_commands
from gpkit.cli.shell import command_of
from gpkit.core.diagnostics import Diagnostic, SourceError, Span
from gpkit.core.errors import CheckpointError, GpkitError, LimitError, UsageError

HEAVY = ("numpy", "numba", "llvmlite", "networkx", "rich", "lark", "graphviz", "pygraphviz", "sqlite3")


def _imports(*arguments: str) -> set[str]:
    """The modules that a fresh process imports for this command line."""
    command = [sys.executable, "-X", "importtime", "-m", "gpkit", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(re.findall(r"^import time:.*\|\s*(\S+)$", done.stderr, re.MULTILINE))


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["list", "games"]])
def test_light_commands_import_nothing_heavy(arguments: list[str]) -> None:
    imported = {name.split(".")[0] for name in _imports(*arguments)}
    assert "gpkit" in imported
    assert imported.isdisjoint(HEAVY)


def test_help_imports_no_command() -> None:
    imported = _imports("--help")
    assert imported.isdisjoint({line.module for line in COMMANDS})


@pytest.mark.parametrize("line", all_commands(), ids=lambda line: line.name)
def test_every_command_of_the_table_exists(line: CommandLine, gpkit) -> None:
    name, command = line.name, line.load()
    assert isinstance(command, click.Command)
    assert command.name == name
    outcome = gpkit(name, "--help")
    assert outcome.code == 0
    assert outcome.out.startswith(f"Usage: gpkit {name}")
    assert outcome.err == ""


def test_help_has_every_command_with_its_line(gpkit) -> None:
    out = " ".join(gpkit("--help").out.split())
    for line in all_commands():
        assert f"{line.name} {line.help}" in out


def _count(*, number: Annotated[int, Within(0)] = 0, seconds: Annotated[float, Within(0)] = 0.0) -> int:
    """Count.

    Args:
        number: counted.
        seconds: also counted.
    """
    return number + round(1000 * seconds)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("20", 20),
        ("20_000", 20_000),
        ("20,000", 20_000),
        ("1,000,000", 10**6),
        ("1e6", 10**6),
        ("2.5E3", 2500),
    ],
)
def test_whole_numbers_as_people_write_them(text: str, number: int) -> None:
    assert command_of("count", _count).main(["--number", text], standalone_mode=False) == number


@pytest.mark.parametrize("text", ["2,3", "1,2,3", "1,0", "1000,000", "1,0000", ",100", "100,", "1,000,"])
@pytest.mark.parametrize("option", ["--number", "--seconds"])
def test_commas_stand_between_thousands_alone(option: str, text: str) -> None:
    with pytest.raises(UsageError, match=f"{option} {text}: expected a"):
        command_of("count", _count).main([option, text], standalone_mode=False)


def _failing_with(monkeypatch: pytest.MonkeyPatch, fault: BaseException) -> None:
    """Make ``gpkit serve`` raise this."""

    def serve() -> None:
        raise fault

    monkeypatch.setattr("gpkit.cli.serve.serve", serve)


@pytest.mark.parametrize(
    ("fault", "code", "message"),
    [
        (GpkitError("no"), 2, "error: no\n"),
        (UsageError("no"), 2, "error: no\n"),
        (CheckpointError("no"), 2, "error: no\n"),
        (LimitError("no"), 3, "error: no\n"),
        (OSError(28, "No space left on device", "x.tree"), 2, "error: No space left on device (x.tree)\n"),
        (KeyboardInterrupt(), 130, "interrupted\n"),
        (BrokenPipeError(), 141, ""),
    ],
)
def test_exception_becomes_exit_code(
    fault: BaseException, code: int, message: str, gpkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    _failing_with(monkeypatch, fault)
    monkeypatch.setattr(border.streams, "discard", lambda stream: None)
    outcome = gpkit("serve")
    assert (outcome.code, outcome.out, outcome.err) == (code, "", message)


def test_source_error_is_shown_as_rendered(gpkit, monkeypatch: pytest.MonkeyPatch) -> None:
    diagnostic = Diagnostic("E010", "error", "unknown name", Span(0, 3, 1, 1))
    _failing_with(monkeypatch, SourceError(diagnostic, "abc", "x.tree"))
    outcome = gpkit("serve")
    assert outcome.code == 2
    assert outcome.err.startswith("error[E010]: unknown name\n --> x.tree:1:1\n")


def test_internal_error_hides_its_traceback_unless_asked(gpkit, monkeypatch: pytest.MonkeyPatch) -> None:
    _failing_with(monkeypatch, ZeroDivisionError("float division"))
    monkeypatch.delenv("GPKIT_DEBUG", raising=False)
    outcome = gpkit("serve")
    assert (outcome.code, outcome.out) == (70, "")
    assert "internal error: ZeroDivisionError: float division" in outcome.err
    assert "GPKIT_DEBUG=1" in outcome.err
    assert "Traceback" not in outcome.err
    monkeypatch.setenv("GPKIT_DEBUG", "1")
    assert "Traceback" in gpkit("serve").err


def test_closed_pipe_is_quiet() -> None:
    """What happens under ``gpkit list sensors | head``: the reader is gone before anything is written."""
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "gpkit", "list", "games"]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert done.stderr == b""
    assert done.returncode == 141


def test_shell_completion_knows_the_commands() -> None:
    environment = os.environ | {
        "_GPKIT_COMPLETE": "bash_complete",
        "COMP_WORDS": "gpkit che",
        "COMP_CWORD": "1",
    }
    done = subprocess.run(
        [sys.executable, "-m", "gpkit"], env=environment, capture_output=True, text=True, check=True
    )
    assert "plain,check" in done.stdout


def test_a_command_without_its_game_names_the_games(gpkit) -> None:
    outcome = gpkit("play")
    assert outcome.code == 2
    assert (
        "\ngames: sevens, battleship, dots_and_boxes, mastermind, build_order, or the file of" in outcome.err
    )
    chess = gpkit("play", "chess").err
    assert "there is no game `chess`" in chess
    assert chess.endswith("for a game of your own, give its file, such as ./mygame.py\n")


def test_a_worker_of_mpi_imports_the_command_and_runs_nothing() -> None:
    runpy.run_module("gpkit", run_name="__worker__")

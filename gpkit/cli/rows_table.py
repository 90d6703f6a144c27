"""Results of programs that classify rows, as a table or as JSON."""

from collections.abc import Sequence

import click
from click.core import ParameterSource

from gpkit.app.players import Named
from gpkit.app.rows import Classified, classified, read_rows
from gpkit.cli import output
from gpkit.core.errors import UsageError

COLUMNS = ("program", "leaves", "rows", "accuracy", "95 % interval")
LEAVE_OUT = ("leaves", "rows")

_OF_GAMES = ("game", "opponents", "games", "exact", "players", "rules", "seed")


def refuse_games(context: click.Context) -> None:
    """Check that nothing was said with ``--data`` about games, of which none is played.

    Raises:
        UsageError: an option about games was given.
    """
    for name in _OF_GAMES:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = "opponent" if name == "opponents" else name
            raise UsageError(f"--data plays no games, so --{option} has no meaning; leave one of the two out")


def tell_rows(named: Sequence[Named], path: str, target: str | None, *, as_json: bool) -> None:
    """Classify the rows of a file by each program, and print how well.

    Raises:
        UsageError: the file is not a table of rows, or a program cannot classify them.
    """
    rows = read_rows(path)
    if target is None:
        raise UsageError(f"say which column of {path} is the class: --target {rows.names[-1]}")
    results = [classified(each, rows, target) for each in named]
    if as_json:
        records = [result.to_json() for result in results]
        output.json_object("gpkit/run-rows/1", data=path, target=target, results=records)
    else:
        output.table(COLUMNS, [_cells(each) for each in results], right=COLUMNS[1:], leave_out=LEAVE_OUT)


def _cells(result: Classified) -> tuple[str, ...]:
    accuracy = result.accuracy
    return (
        result.program,
        f"{result.leaves:,}",
        f"{accuracy.units:,}",
        f"{accuracy.mean:.4f}",
        f"{accuracy.low:.4f} to {accuracy.high:.4f}",
    )

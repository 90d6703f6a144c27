"""``gpkit agent``: what the adaptive player knows of an opponent."""

from pathlib import Path

import click

from gpkit.app.files import check_place, write_atomic
from gpkit.cli import output
from gpkit.cli.options import json_option
from gpkit.core.errors import UsageError
from gpkit.games.battleship.forms.memory import (
    ROOT,
    folder_of,
    read_opponent_model,
    reset_acquaintance,
)
from gpkit.games.battleship.learner.opponent_model_views import (
    SCHEMA,
    densities_text,
    program_text,
    view_svg,
    view_text,
    view_values,
)

ACTIONS = ("show", "reset", "export")


@click.command(name="agent")
@click.argument("action", metavar="show | reset | export", type=click.Choice(ACTIONS))
@click.argument("opponent", metavar="OPPONENT")
@click.option(
    "--memory", default=ROOT, show_default=True, metavar="DIR", help="The folder of `gpkit series --memory`."
)
@click.option(
    "-o",
    "--output",
    "target",
    metavar="PATH",
    help="show: a file for both maps as SVG. export: a folder, in place of the current one.",
)
@json_option
def command(action: str, opponent: str, memory: str, target: str | None, as_json: bool) -> None:
    """Show, forget or export what the player adaptive of Battleship has learned of OPPONENT.

    It learns in `gpkit series adaptive OPPONENT --memory DIR`. show: how often ships are expected on each square, where
    the opponent shoots, and the evolved sinking program. reset: remove the memory, so that the next series begins
    without. export: write the program as OPPONENT.sink, which `gpkit export` turns to Lua, and all densities as
    OPPONENT.json.
    """
    root = Path(memory)
    if action == "reset":
        if target is not None:
            raise UsageError("reset writes nothing: leave --output out")
        folder = reset_acquaintance(root, opponent)
        output.note(f"forgot {opponent}: removed the memory in {folder}")
        return
    known = read_opponent_model(root, opponent)
    if action == "show":
        if target is not None:
            check_place(target)
            write_atomic(target, view_svg(known))
            output.note(f"wrote {target}")
    else:
        folder, name = Path(target or "."), folder_of(root, opponent).name
        for path, text in (
            (folder / f"{name}.sink", program_text(known)),
            (folder / f"{name}.json", densities_text(known)),
        ):
            check_place(path)
            write_atomic(path, text)
            output.note(f"wrote {path}")
    if as_json:
        output.json_object(SCHEMA, **view_values(known))
    elif action == "show":
        output.verbatim(view_text(known))

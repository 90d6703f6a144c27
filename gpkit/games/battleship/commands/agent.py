"""``gpkit agent``: what the adaptive player knows of an opponent, as text, picture, and files to take away."""

import json
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from gpkit.cli import output
from gpkit.cli.options import json_option
from gpkit.core.errors import UsageError
from gpkit.core.files import check_place, write_atomic
from gpkit.core.wording import counted
from gpkit.draw.heat import heat_of, heat_svg
from gpkit.games.battleship.board import heat_text
from gpkit.games.battleship.forms.memory import (
    ROOT,
    OpponentModel,
    folder_of,
    read_opponent_model,
    reset_memory,
)
from gpkit.games.battleship.learner.experience import Experience
from gpkit.games.battleship.learner.sinkers import HEADER
from gpkit.games.battleship.learner.targeting import DEFAULTS, PREDICTORS, mixed_rates, predictions, shares
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.placing import random_density, square_weights
from gpkit.games.battleship.rules import unseen
from gpkit.languages.sinking.printer import print_program

SCHEMA = "gpkit/agent/1"

DIGITS = 4
"""Decimals of chances in files."""

BELIEVED, SHOT_AT = "where its ships are expected", "shots at its own fleet, earlier ones hotter"


def belief(experience: Experience, rules: Rules) -> NDArray[np.float64]:
    """The expected ships on each square in the next game: float64 (squares,)."""
    foretold = predictions(experience.seen, experience.waves[0], rules, DEFAULTS)
    return mixed_rates(foretold, experience.logs)


def maps(known: OpponentModel) -> dict[str, list[float]]:
    """By title the values of the squares of both boards; of the own fleet once it was shot at."""
    received, found = known.experience.received, {BELIEVED: belief(known.experience, known.rules).tolist()}
    return {**found, SHOT_AT: received.heat(known.rules).tolist()} if received.games else found


def view_text(known: OpponentModel) -> str:
    """All that is known of an opponent, for people; it ends with a line break."""
    experience, rules = known.experience, known.rules
    believed = dict(zip(PREDICTORS, shares(experience.logs).tolist(), strict=True))
    message = ", ".join(f"{name} {share:.2f}" for name, share in believed.items())
    scores = [record.score for record in known.records]
    lines = [
        f"{known.opponent}: {counted(experience.games, 'game')}, mean score {np.mean(scores):.3f}",
        f"its fleets are predicted by {message}",
        "",
    ]
    for title, heat in maps(known).items():
        lines += [f"{title}, in percent:", heat_text(unseen(rules), heat)]
    return "\n".join([*lines, "its sinking program:", program_text(known)])


def view_svg(known: OpponentModel) -> str:
    """Heat maps of both boards as an SVG document."""
    title = f"adaptive after {counted(known.experience.games, 'game')} against {known.opponent}"
    return heat_svg(title, [heat_of(name, heat, known.rules.width) for name, heat in maps(known).items()])


def view_values(known: OpponentModel) -> dict[str, Any]:
    """All that is known of an opponent, and the densities that follow from it, as JSON values."""
    experience, rules = known.experience, known.rules
    weights = square_weights(experience.received, rules, caution=DEFAULTS.caution)
    return {
        "opponent": known.opponent,
        "rules": rules.to_options(),
        "games": experience.games,
        "scores": [record.score for record in known.records],
        "believed": dict(zip(PREDICTORS, shares(experience.logs).tolist(), strict=True)),
        "densities": {
            "opponent": _rounded(belief(experience, rules)),
            "received": _rounded(experience.received.heat(rules)),
            "random": _rounded(random_density(rules)),
            "own": _rounded(weights * rules.squares),
        },
        "program": print_program(experience.programs[0]).splitlines(),
    }


def program_text(known: OpponentModel) -> str:
    """The sinking program that plays next, as the text of a ``.sink`` file.

    In the dialect of its header the player ``density`` answers ``Target``, which knows no opponent.
    """
    title = f"evolved by adaptive in {counted(known.experience.games, 'game')} against {known.opponent}"
    return print_program(known.experience.programs[0], {**HEADER, "target": "density", "title": title})


def _rounded(values: NDArray[np.float64]) -> list[float]:
    return [round(value, DIGITS) for value in values.tolist()]


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
    help="show: a file for both maps as SVG. export: a folder; default: the current one.",
)
@json_option
def command(action: str, opponent: str, memory: str, target: str | None, as_json: bool) -> None:
    """Show, reset or export what Battleship's player adaptive has learned about OPPONENT.

    It learns in `gpkit series adaptive OPPONENT --memory DIR`. show: how often ships are expected on each square, where
    the opponent shoots, and the evolved sinking program. reset: remove the memory, so that the next series starts
    afresh. export: write the program as OPPONENT.sink, which `gpkit export` turns into Lua, and all densities as
    OPPONENT.json.
    """
    root = Path(memory)
    if action == "reset":
        if target is not None:
            raise UsageError("reset writes nothing: leave out --output")
        folder = reset_memory(root, opponent)
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
            (folder / f"{name}.json", json.dumps({"schema": SCHEMA, **view_values(known)}, indent=1) + "\n"),
        ):
            check_place(path)
            write_atomic(path, text)
            output.note(f"wrote {path}")
    if as_json:
        output.json_object(SCHEMA, **view_values(known))
    elif action == "show":
        output.verbatim(view_text(known))

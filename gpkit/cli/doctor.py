"""``gpkit doctor``: what is installed and whether it works; what is wrong with a game of one's own."""

import os

import click

from gpkit.app.health import examine
from gpkit.cli import output
from gpkit.cli.matches import rules_option
from gpkit.cli.options import json_option, seed_option
from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK, UsageError


@click.command(name="doctor")
@click.option(
    "--game",
    metavar="GAME | FILE.py",
    help="Check this game, or the one in this file, by playing it at random.",
)
@rules_option
@seed_option
@json_option
def command(game: str | None, rules: dict[str, str], seed: int, as_json: bool) -> int:
    """Check the installation; exit code 1 if something that gpkit needs is missing or unusable.

    With --game: check a game against gpkit's requirements. Each fault names the function to fix and the
    actions that lead to it; exit code 1 if there are any, 2 if the file cannot be imported.
    """
    if game is not None:
        from gpkit.cli.game_doctor import doctor_game  # with all that plays

        return doctor_game(game, rules, seed, as_json=as_json)
    if rules:
        raise UsageError("--rules needs --game")
    findings = examine()
    if as_json:
        output.json_object("gpkit/doctor/1", findings=findings)
    else:
        rows = [(f.subject, f.state, _short(f.found)) for f in findings]
        output.table(("subject", "state", "found"), rows, texts=("found",))
    return EXIT_OK if all(f.ok for f in findings) else EXIT_FINDINGS


def _short(text: str) -> str:
    """The text with ``~`` for the home folder, so that paths fit on lines."""
    home = os.path.expanduser("~")  # noqa: PTH111 - Path.home() fails where there is none
    return text.replace(home + os.sep, f"~{os.sep}") if os.path.isabs(home) and home != os.sep else text  # noqa: PTH117

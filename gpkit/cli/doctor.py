"""``gpkit doctor``: what is installed and whether it works."""

import os

import click

from gpkit.app.health import examine
from gpkit.cli import output
from gpkit.cli.options import json_option
from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK


@click.command(name="doctor")
@json_option
def command(as_json: bool) -> int:
    """Show what is installed and whether it works; exit code 1 if something that gpkit needs is missing or refused."""
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

"""``gpkit report``: adds the options for the page's file and for the browser."""

from pathlib import Path
from urllib.parse import quote

import click

from gpkit.api.kinds import Given, Kind
from gpkit.api.reports import Report, report
from gpkit.cli import output
from gpkit.cli.shell import JSON, command_of, tell_answer
from gpkit.core.files import check_place, write_atomic
from gpkit.core.plain_files import is_there, write_plain


def _opened(is_asked: bool, given: Given) -> None:
    """With ``--open``, show the run in a browser and do nothing else.

    Raises:
        click.exceptions.Exit: the user has stopped the server that showed the run.
    """
    if is_asked:
        from gpkit.cli.serve import open_pages
        from gpkit.evolution.run_folder import read_run

        read_run(Path(given["run"]))
        place = Path(given["run"]).resolve()
        open_pages(place.parent, 0, f"/runs/{quote(place.name)}")
        raise click.exceptions.Exit(0)


def _path(target: str | None, run: str) -> Path:
    return Path(run) / "report.html" if target is None else Path(target)


def _target(target: str | None, given: Given) -> str | None:
    """The path of the page's file, after a check that the file can be written.

    Raises:
        UsageError, CheckpointError: the file cannot be written.
    """
    path = _path(target, given["run"])
    if target is None:
        is_there(path)
    if Path(given["run"]).is_dir():
        check_place(path)
    return target


def _show(found: Report, given: Given) -> int:
    path = _path(given["target"], given["run"])
    (write_plain if given["target"] is None else write_atomic)(path, found.html)
    code = tell_answer("report", found, {"file": str(path)}, as_json=given["as_json"])
    output.note(f"wrote {path}: {len(found.html.encode()) / 1000:,.0f} kB")
    return code


command = command_of(
    "report",
    report,
    {
        "opened": Kind(
            option="--open", help="Show the run in the browser, live, and write nothing.", read=_opened
        ),
        "target": Kind(
            "FILE",
            completes="file",
            option="-o --output",
            help="Output file. Default: report.html in RUN.",
            read=_target,
        ),
        "as_json": JSON,
    },
    _show,
)

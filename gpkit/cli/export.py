"""``gpkit export``: adds the options for the files."""

from pathlib import Path
from typing import TYPE_CHECKING

from gpkit.api.exports import exports
from gpkit.api.kinds import Given, Kind
from gpkit.cli import output
from gpkit.cli.shell import JSON, command_of, tell_answer
from gpkit.core.errors import EXIT_OK, UsageError
from gpkit.core.files import check_place, check_writable

if TYPE_CHECKING:
    from gpkit.export.exported import Exports


def _target(path: str | None, given: Given) -> str | None:
    """The path of the file or folder, after a check that gpkit can write there.

    Raises:
        UsageError: gpkit cannot write there.
    """
    if path is not None and Path(path).is_dir():
        check_writable(Path(path))
    elif path is not None:
        check_place(path)
    elif given["conformance"]:
        raise UsageError("--conformance writes a file beside the program: name a file or a folder with -o")
    return path


def _show(found: "Exports", given: Given) -> int:
    """Write the files, or print a single file if there is no path; also print the comparisons."""
    if given["target"] is not None:
        for path in found.save(given["target"], given["conformance"]):
            output.note(f"wrote {path}")
        if not found.reports and not given["as_json"]:
            return EXIT_OK
    return tell_answer("export", found, {}, as_json=given["as_json"])


command = command_of(
    "export",
    exports,
    {
        "target": Kind(
            "PATH",
            completes="file",
            option="-o --output",
            help="Output file or folder. Default: standard output.",
            read=_target,
        ),
        "conformance": Kind(
            option="--conformance",
            help="Also write PATH.conformance.jsonl: tests for a copy of the program in any host; --check also "
            "does this.",
        ),
        "as_json": JSON,
    },
    _show,
)

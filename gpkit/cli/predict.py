"""``gpkit predict``: adds the option for the file of the predictions."""

from typing import TYPE_CHECKING

from gpkit.api.evolving import predict
from gpkit.api.kinds import Given, Kind
from gpkit.cli import output
from gpkit.cli.shell import JSON, command_of, tell_answer
from gpkit.core.errors import EXIT_OK, UsageError
from gpkit.core.files import check_place, check_target, written_atomic

if TYPE_CHECKING:
    from gpkit.api.fits import Predicted


def _out(path: str | None, given: Given) -> str | None:
    """The path of the file for the predictions, after a check that it can be written.

    Raises:
        UsageError: the file cannot be written, or an option needs ``--out`` or ``--target``.
    """
    target = given["target"]
    if path is not None:
        check_target(path, [given["data"]], ".csv")
        check_place(path)
    elif target is not None and (given["keep"] or given["probabilities"]):
        raise UsageError(
            "--keep and --probabilities are for predictions, which -o FILE.csv writes beside --target"
        )
    elif target is None and given["as_json"]:
        raise UsageError("--json prints metrics: name the target column, --target COLUMN")
    return path


def _show(found: "Predicted", given: Given) -> int:
    if found.target is not None or given["out"] is None:
        for note in found.notes if given["as_json"] else ():
            output.note(note)
        tell_answer("predict", found, {}, as_json=given["as_json"])
    if given["out"] is not None:
        rows = 0
        with written_atomic(given["out"]) as stream:
            for text, count in found.csv():
                stream.write(text.encode())
                rows += count
        for note in found.strangers if found.target is None else ():
            output.note(note)
        output.note(f"wrote {rows:,} predictions to {given['out']}")
    return EXIT_OK


command = command_of(
    "predict",
    predict,
    {
        "out": Kind(
            "FILE.csv",
            completes="file",
            option="-o --out",
            help="Output file for the predictions. Default: standard output.",
            read=_out,
        ),
        "as_json": JSON,
    },
    _show,
)

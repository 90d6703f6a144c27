"""``gpkit predict``: what a program says of the rows of a table, and how right it is."""

import csv
import io
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import IO, Any

import click

from gpkit.api.fits import metrics_sheet
from gpkit.app.pictures import program_or_champion
from gpkit.app.predictions import Predictor, judged, predictor_of, strangers
from gpkit.cli import output
from gpkit.cli.options import json_option, task_option, words_option
from gpkit.core.characters import shown
from gpkit.core.errors import EXIT_OK, UsageError
from gpkit.core.files import STANDARD_INPUT, check_place, check_target, written_atomic
from gpkit.data.table import Table, number_text, read_chunks, read_table

MOST_PRINTED = 8
"""The most classes for which a table of their confusion is printed."""


@click.command(name="predict")
@click.argument("program", metavar="PROGRAM")
@click.argument("data", metavar="DATA")
@click.option("-o", "--out", metavar="FILE.csv", help="Where predictions go. Default: standard output.")
@click.option(
    "--target", metavar="COLUMN", help="Print how right the predictions of this column are instead."
)
@task_option(
    help="With --target, of a program that does not say it. Default: by the target, as gpkit fit does."
)
@click.option(
    "--keep",
    metavar="COLUMN",
    multiple=True,
    help="Copy a column of the table unchanged into the result; may be given several times.",
)
@click.option("--probabilities", is_flag=True, help="Add the probability of each class.")
@words_option
@json_option
def command(
    program: str,
    data: str,
    out: str | None,
    target: str | None,
    task: str | None,
    keep: tuple[str, ...],
    probabilities: bool,
    words: tuple[str, ...],
    as_json: bool,
) -> int:
    """Predict a value for each row of DATA, a CSV or Parquet file, by PROGRAM or by the champion of a fit.

    PROGRAM is a formula or a decision tree that names columns, written by gpkit fit or by hand. With --target
    the metrics of the predictions are printed, with intervals, and for classes how many rows of each are
    predicted as which; with -o predictions are written, too.
    """
    predictor = predictor_of(program_or_champion(program, None, None))
    if out is not None:
        check_target(out, [data], ".csv")
        check_place(out)
    if task is not None and target is None:
        raise UsageError(f"--task {task} is for metrics: name the column that is predicted, --target COLUMN")
    if target is not None:
        if out is None and (keep or probabilities):
            raise UsageError(
                "--keep and --probabilities are for predictions, which -o FILE.csv writes beside --target"
            )
        if data == STANDARD_INPUT and out is not None:
            raise UsageError("standard input is read once: leave out -o or --target")
        table = read_table(data, words, predictor.words_for(target))
        predictor, notes = predictor.of_target(table.column(target), task)
        _note(*notes)
        _tell_metrics(predictor, table, target, as_json=as_json)
        if out is None:
            _note(*strangers(predictor.strange(table)))
            return EXIT_OK
    elif as_json and out is None:
        raise UsageError("--json prints metrics: name the column that is predicted, --target COLUMN")
    with _written(out) as stream:
        tables = read_chunks(data, words, predictor.words_for(target), keep)
        rows = _write(predictor, tables, stream, keep, probabilities=probabilities)
    if out is not None:
        output.note(f"wrote {rows:,} predictions to {out}")
    return EXIT_OK


def _note(*notes: str) -> None:
    for note in notes:
        output.note(note)


def _tell_metrics(predictor: Predictor, table: Table, target: str, *, as_json: bool) -> None:
    estimates, confusion = judged(predictor, table, target)
    found = [each.measure for each in estimates]
    if as_json:
        output.json_object(
            "gpkit/predict/1",
            program=predictor.name,
            data=table.source,
            target=target,
            metrics=[metric.to_json() for metric in found],
            confusion=confusion,
        )
        return
    output.table(*metrics_sheet({f"rows of {table.source}": found}))
    taken = {name for row in confusion.values() for name in row}
    classes = [name for name in predictor.facts.classes if name in confusion or name in taken]
    if len(classes) > MOST_PRINTED:
        output.note(f"{len(classes)} classes are too many for a table of their confusion; --json has it")
    elif classes:
        output.say("")
        rows = [(name, *(f"{confusion[name].get(each, 0):,}" for each in classes)) for name in confusion]
        output.table(("true \\ predicted", *classes), rows, right=classes, repeated=1)


@contextmanager
def _written(out: str | None) -> Iterator[IO[str]]:
    """A file that is there when it is whole, a device or a pipe, which is not replaced, or standard output."""
    if out is None:
        if isinstance(sys.stdout, io.TextIOWrapper) and not sys.stdout.isatty():
            sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
        yield sys.stdout
        return
    with written_atomic(out) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
        try:
            yield text
        finally:
            text.detach()


def _write(
    predictor: Predictor,
    tables: Iterator[Table],
    stream: IO[str],
    keep: tuple[str, ...],
    *,
    probabilities: bool,
) -> int:
    """Write the predictions of tables, part by part; returns how many."""
    clean = shown if stream.isatty() else str
    lines = SimpleNamespace(write=lambda line: stream.write(clean(line.removesuffix("\r\n")) + "\n"))
    writer = csv.writer(lines)  # lines end with \r\n, so the writer quotes cells that contain \r or \n
    shares = [f"probability of {name}" for name in predictor.facts.classes] if probabilities else []
    rows, strange = 0, Counter[tuple[str, str]]()
    for table in tables:
        strange.update(predictor.strange(table))
        values = predictor.values(table)
        columns: list[Any] = [table.kept[name] for name in keep]
        columns.append([_cell(value) for value in predictor.predicted(values).tolist()])
        if probabilities:
            columns += [[_cell(value) for value in share] for share in predictor.shares(values).T.tolist()]
        if not rows:
            writer.writerow([*keep, "prediction", *shares])
        writer.writerows(zip(*columns, strict=True))
        rows += len(table)
    _note(*strangers(strange))
    return rows


def _cell(value: Any) -> str:
    return number_text(value) if isinstance(value, float) else str(value)

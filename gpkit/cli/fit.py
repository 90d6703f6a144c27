"""``gpkit fit``: a readable program that predicts a column of a table from the others."""

import csv
import re
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from gpkit.api.problems import built
from gpkit.app.configs import fit_tables, start_name
from gpkit.app.fitting import Fit, closing_seconds, fit_of, metric_rows, notes_of, stored_fit
from gpkit.cli import output
from gpkit.cli.options import WholeNumber, Word, json_option, task_option, words_option, workers_option
from gpkit.cli.output import announce_compilation
from gpkit.cli.watched import watched_run
from gpkit.core.errors import EXIT_INTERRUPTED, EXIT_OK, UsageError
from gpkit.core.timeouts import countdown
from gpkit.data.metrics import Measure
from gpkit.draw.programs import picture_of
from gpkit.evolution.config import Config, there
from gpkit.evolution.fronts import RULES
from gpkit.evolution.parts import Parts
from gpkit.evolution.run_folder import FINAL, FRONT_FOLDER, FrontTable, RunResult, champion_file
from gpkit.evolution.search import Hooks
from gpkit.evolution.subjects import BALANCED, fit_config_from_words, resolve
from gpkit.evolution.tables import DESCRIPTION

_DIGITS = re.compile(r"\d+\.\d+(e[+-]?\d+)?")
"""Numbers that a table shows with four digits; files keep all."""

MOST_LINES = 12
"""The most programs of a front, and lines of a picture, that are printed."""


@click.command(name="fit")
@click.argument("data", metavar="[DATA | CONFIG.toml]", required=False)
@click.option("--target", metavar="COLUMN", help="The column that is predicted.")
@click.option("--inputs", metavar="COLUMN,...", help="The columns to predict it from. Default: all others.")
@click.option("--without", metavar="COLUMN,...", help="Columns to leave out, such as numbers of rows.")
@words_option
@click.option(
    "--as",
    "kind",
    type=Word(["formula", "tree"]),
    default=None,
    help="The kind of program. Default: formula.",
)
@task_option(help="Default: by the target, and told.")
@click.option(
    "--operators", metavar="'+ - * /'", help="Operators of formulas. Default: + - * / sqrt log exp."
)
@click.option(
    "--size",
    type=WholeNumber(min=1),
    help="The most nodes of a program, intercept and slopes not counted. Default: 60, of trees 31.",
)
@click.option("--choose", type=Word([DESCRIPTION, *RULES]), help="How the formula is chosen from the front.")
@click.option("--test", type=click.FloatRange(0.0, 0.9), help="The share of rows held out. Default: 0.25.")
@click.option(
    "--split", metavar="COLUMN", help="Hold out the rows that have the word test in a column instead."
)
@click.option("--weights", metavar="COLUMN", help="The column of weights of rows.")
@click.option(
    "--class-weights", metavar="balanced | CLASS=WEIGHT,...", help="How much rows of a class count."
)
@click.option(
    "--start",
    metavar="PROGRAM",
    multiple=True,
    help="A program file or a run to start from. May be repeated.",
)
@click.option("--generations", type=WholeNumber(min=0), help="How long evolution goes on.")
@click.option("--population", type=WholeNumber(min=2), help="Programs in each generation.")
@click.option("--seed", type=WholeNumber(min=0), help="Of all chance. Default: 1.")
@click.option("--time-limit", type=click.FloatRange(min=0.0), metavar="SECONDS", help="End by then.")
@click.option("--out", metavar="DIR", help="The folder of the run. Default: runs/TARGET-SEED.")
@click.option("--resume", is_flag=True, help="Resume the run in the folder.")
@workers_option
@json_option
def command(**given: Any) -> int:
    """Find a formula, or a decision tree, that predicts one column of DATA from the others.

    DATA is a CSV or Parquet file. Numbers are predicted with their error, words by classes. Text columns and
    empty cells are fine. What is printed: the front of size against error, the program that was chosen, metrics
    with intervals, also on rows that were held out, and where it errs most. The folder holds everything.

    A configuration (`gpkit new fit`) names the table, the target and everything else; options override it.
    """
    config = _config(given)
    folder = Path(given["out"] or f"runs/{_word(there(config.fit).target)}-{config.seed}")
    run = resolve(config, own=Parts(wrap=built, are_of_fit=True)).read()
    for told in notes_of(run):
        output.note(told)
    result, _ = watched_run(
        run,
        folder,
        Hooks(rehearsal=partial(announce_compilation, "the loops of formulas")),
        limit=given["time_limit"],
        workers=given["workers"],
        resume=given["resume"],
        again=f"gpkit fit --resume --out {folder}",
        closing=closing_seconds(run, countdown(0.0)) if given["time_limit"] else 0.0,
    )
    if result is None:
        return EXIT_INTERRUPTED
    found = fit_of(run, result, str(champion_file(folder, FINAL)))
    if given["as_json"]:
        output.json_object(
            "gpkit/fit/1",
            seed=config.seed,
            folder=str(folder),
            reason=result.reason,
            sha256=result.digest,
            **found.to_json(),
        )
    else:
        _tell(found, result, folder)
    return EXIT_OK


def _config(given: Mapping[str, Any]) -> Config:
    """The configuration that options describe, beside that of the run that is resumed.

    Raises:
        UsageError: options are missing, or contradict each other.
    """
    stored: Config | None = None
    if given["resume"]:
        if not given["out"]:
            raise UsageError("name the folder of the run: gpkit fit --resume --out DIR")
        stored = stored_fit(Path(given["out"]))
    words = {**given, **{key: _names(given[key]) for key in ("inputs", "without")}}
    weights = given["class_weights"]
    words["start"] = tuple(start_name(each, None) for each in given["start"])
    words["class_weights"] = weights if weights in (None, "", BALANCED) else _class_weights(weights)
    if given["operators"] is not None:
        words["operators"] = given["operators"].replace(",", " ").split()
    data, settings = fit_tables(given["data"] or "")
    return fit_config_from_words(data, words, settings, stored)


def _names(text: str | None) -> list[str]:
    """Names of columns, with commas between them; one that holds a comma stands in quotation marks, as in a table."""
    return [
        name
        for row in csv.reader([text or ""], skipinitialspace=True)
        for each in row
        if (name := each.strip())
    ]


def _class_weights(text: str) -> dict[str, float]:
    """The weights of classes, by name.

    Raises:
        UsageError: the text is not such as ``no=1,yes=3``.
    """
    weights = {}
    for pair in text.split(","):
        name, equals, number = pair.rpartition("=")
        try:
            weights[name.strip()] = float(number)
        except ValueError:
            equals = ""
        if not equals or not name.strip():
            raise UsageError(f"--class-weights {text}: expected {BALANCED}, or weights such as no=1,yes=3")
    return weights


def _word(name: str) -> str:
    """A name as part of the name of a folder."""
    return "".join(letter if letter.isalnum() else "-" for letter in name).strip("-")[:40] or "fit"


def _tell(found: Fit, result: RunResult[Any], folder: Path) -> None:
    """Print the result of a fit: the front, the program that was chosen, metrics, and where it errs most."""
    output.note(f"stopped after {result.reason}")
    if found.front is not None:
        _front_table(found.front, folder)
    lines = found.named.source.text.rstrip("\n").split("\n")
    output.say("\n" + "\n".join(line for line in lines if not line.startswith("// ")))
    language, program = found.named.language, found.named.source.program
    picture = "" if language.classify else picture_of(program, {}, None, title="").text.rstrip()
    if picture and picture.count("\n") < MOST_LINES:
        output.verbatim(f"\n{picture}\n")
    output.say("")
    metrics_table(found.metrics)
    if found.misses:
        columns, rows = found.miss_rows
        output.say("")
        output.table(columns, rows, right=columns[1:], leave_out=columns[:2:-1])
    output.note(
        f"predict other rows: gpkit predict {folder} NEW.csv -o out.csv; a page: gpkit report {folder}"
    )


def _front_table(front: FrontTable, folder: Path) -> None:
    """Print the front: at most ``MOST_LINES`` programs, the smallest and those around the chosen one."""
    columns = ("", "size", "score", "program")
    order = sorted(range(len(front.rows)), key=lambda place: front.rows[place].size)
    chosen = order.index(front.chosen) if front.chosen in order else 0
    few = MOST_LINES // 2
    near = {*range(few), *range(max(0, chosen - few // 2), chosen + few // 2), len(order) - 1}
    kept = [place for rank, place in enumerate(order) if len(order) <= MOST_LINES or rank in near]
    room = (output.width_of(sys.stdout) or 120) - len("  >  size   score  ")
    rows = []
    for place in kept:
        row = front.rows[place]
        program = " ".join(map(str.strip, row.program.split("\n")))
        program = _DIGITS.sub(lambda number: f"{float(number[0]):.4g}", program)
        program = program if len(program) <= room else f"{program[: room - 1]}…"
        rows.append(
            (">" if place == front.chosen else "", f"{row.size}", f"{row.objectives[0]:.4f}", program)
        )
    output.table(columns, rows, right=columns[1:3])
    if len(kept) < len(order):
        output.note(f"{len(kept)} of {len(order)} programs of the front; all are in {folder / FRONT_FOLDER}")


def metrics_table(parts: Mapping[str, Sequence[Measure]]) -> None:
    """Print metrics by part of the rows, with their intervals."""
    columns = ("", "metric", "value", "95 % interval", "rows")
    output.table(columns, metric_rows(parts), right=columns[2:], leave_out=columns[4:])

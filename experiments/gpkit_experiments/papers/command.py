"""``gpkit paper``: what a source says, measured again."""

import json
import math
import time
from collections.abc import Mapping
from itertools import groupby
from pathlib import Path
from typing import Any, get_args

import click

from gpkit.app.files import new_folder, write_atomic
from gpkit.cli import output
from gpkit.cli.options import Word, json_option, seed_option, workers_option
from gpkit.cli.progress import Progress, announce_compilation
from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK
from gpkit.core.registry import find
from gpkit.core.statistics import Interval
from gpkit.evolution.pools import executor_for
from gpkit.evolution.setup import versions
from gpkit_experiments.papers.paper import Budget, Claim, Findings, Paper, Row
from gpkit_experiments.papers.registry import PAPERS

SCHEMA = "gpkit/paper/1"
RESULTS = "results.json"

COLUMNS = ("", "measured", "95 % interval", "of", "published", "tested", "verdict")
TEXTS = ("", "of", "published", "tested")
"""The columns that may take several lines."""


@click.command(name="paper")
@click.argument("name", metavar="NAME")
@click.option(
    "--budget",
    type=Word(get_args(Budget)),
    default="quick",
    show_default=True,
    help="Minutes, to see that it works, without verdicts on what was sampled; or what the committed results took.",
)
@seed_option
@workers_option
@click.option(
    "-o", "--out", metavar="DIR", help=f"A new folder for {RESULTS} and the programs that came of it."
)
@json_option
def command(name: str, budget: Budget, seed: int, workers: str, out: str | None, as_json: bool) -> int:
    """Measure again what the source NAME says: published, measured, interval, verdict.

    A claim holds or fails when its interval says so; it is open when more data would be needed. The exit code is 1
    when a claim fails. A quick budget judges exact values alone.
    """
    entry = find(PAPERS, name, "paper")
    folder = None if out is None else new_folder(Path(out))
    began = time.perf_counter()
    announce_compilation("the kernels")
    output.note(f"{entry.title}: budget {budget}, seed {seed}")
    paper: Paper = entry.load()
    with Progress() as progress, executor_for(workers) as executor:
        findings = paper.run(budget, seed, executor, progress.update)
    fields = fields_of(name, entry.title, budget, seed, findings)
    if folder is not None:
        _write(folder, fields, findings.files)
    if as_json:
        output.json_object(SCHEMA, seconds=time.perf_counter() - began, **fields)
    else:
        _print(findings, budget)
    return EXIT_FINDINGS if any(row.verdict(budget) == "fails" for row in findings.rows) else EXIT_OK


def fields_of(name: str, title: str, budget: Budget, seed: int, findings: Findings) -> dict[str, Any]:
    """The fields of the results of a paper."""
    return {
        "paper": name,
        "source": title,
        "command": f"gpkit paper {name} --budget {budget} --seed {seed}",
        "seed": seed,
        "versions": versions(),
        **findings.to_json(budget),
    }


def _write(folder: Path, fields: Mapping[str, Any], files: Mapping[str, str]) -> None:
    """Write the results and the files.

    Raises:
        UsageError: one cannot be written.
    """
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        write_atomic(folder / path, text)
    document = output.plain({"schema": SCHEMA, **fields})
    write_atomic(folder / RESULTS, json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    output.note(f"{len(files) + 1} files are in {folder}")


def _print(findings: Findings, budget: Budget) -> None:
    for heading, rows in groupby(findings.rows, key=lambda row: row.table):
        output.tell(heading)
        output.table(
            COLUMNS,
            [_cells(row, budget) for row in rows],
            right=COLUMNS[1:4],
            texts=TEXTS,
            leave_out=("tested", "of"),
        )
        output.say("")
    for note in findings.notes:
        output.tell(f"- {note}")
    if any(_unjudged(row, budget) for row in findings.rows):
        output.tell(
            "- A quick budget is too small for verdicts on what was sampled; `--budget full` gives them."
        )


def _unjudged(row: Row, budget: Budget) -> bool:
    """Whether a row has a claim on which this budget gives no verdict."""
    return row.claim is not None and row.verdict(budget) is None


def _cells(row: Row, budget: Budget) -> tuple[str, ...]:
    interval = row.measured
    digits = _digits(interval)
    low, high = (_number(bound, digits) for bound in (interval.low, interval.high))
    return (
        row.quantity,
        _number(interval.mean, digits),
        "" if low == high else f"{low} to {high}",
        f"{interval.units:,} {row.unit}",
        row.published,
        "" if row.claim is None else _claim(row.claim),
        "none (quick)" if _unjudged(row, budget) else row.verdict(budget) or "",
    )


def _digits(interval: Interval) -> int:
    """Digits after the point: four, one where a number has two before it, none for what was counted."""
    if interval.low == interval.high and interval.mean.is_integer():
        return 0
    ends = (interval.low, interval.mean, interval.high)
    return 1 if max(abs(end) for end in ends if math.isfinite(end)) >= 10 else 4


def _number(value: float, digits: int) -> str:
    return f"{value:.{digits}f}" if math.isfinite(value) else str(value)


def _claim(claim: Claim) -> str:
    """The bounds that an interval has to keep for the claim to hold."""
    bounds = []
    if claim.above is not None:
        bounds.append(f"above {_bound(claim.above.high)}")
    if claim.below is not None:
        bounds.append(f"below {_bound(claim.below.low)}")
    return ", ".join(bounds)


def _bound(value: float) -> str:
    """A bound as short as it can be without an exponent.

    >>> _bound(0.5), _bound(16384.5)
    ('0.5', '16384.5')
    """
    return f"{value:.4g}" if abs(value) < 10_000 else f"{value:.1f}"

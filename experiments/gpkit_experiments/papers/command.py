"""``gpkit paper``: what a source says, measured again."""

import json
import time
from collections.abc import Mapping
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from gpkit.api.kinds import Kind, Seed
from gpkit.api.progress import remark_compilation, watching
from gpkit.cli import output
from gpkit.core.codec import plain
from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK
from gpkit.core.files import new_folder, write_atomic
from gpkit.core.registry import find
from gpkit.core.work_folder import versions
from gpkit_experiments.papers.registry import PAPERS

if TYPE_CHECKING:
    from gpkit_experiments.papers.paper import Budget, Findings, Paper

SCHEMA = "gpkit/paper/1"
RESULTS, VALUES = "results.json", "values.npz"

TEXTS = ("", "of", "published", "tested")
"""The columns that may take several lines."""


def paper(
    name: Annotated[str, Kind("NAME", completes="paper")],
    *,
    budget: Literal["quick", "full"] = "quick",
    seed: Seed = 0,
    workers: Annotated[str, Kind("N | tcp://HOST:PORT")] = "1",
    out: Annotated[str, Kind("DIR", completes="folder", option="-o --out")] | None = None,
    from_record: bool = False,
    json: bool = False,
) -> int:
    """Reproduce the results of the paper NAME: published, measured, interval, verdict.

    A claim holds or fails when its interval says so; it is open when more data would be needed, and the verdict says
    about how much. `detects` is the smallest distance from it that four of five such samples would detect. The exit
    code is 1 when a claim fails. A quick budget judges exact values alone.

    Args:
        name: of the paper, one of `gpkit list papers`.
        budget: minutes, to see that it works, without verdicts on what was sampled; or what the committed results took.
        seed: the same seed gives the same result.
        workers: processes, at most four per core, on Windows at most 61; or the address of a dask scheduler. The result
            is the same.
        out: a new folder for results.json, values.npz and the programs that came of it.
        from_record: measure nothing: print the page of the committed results, as Markdown.
        json: print JSON with a `schema` key.
    """
    from gpkit.evolution.executors import executor_for
    from gpkit_experiments.papers.page import judged_of, page_of
    from gpkit_experiments.papers.units import packed

    entry = find(PAPERS, name, "paper")
    if from_record:
        output.say(page_of(entry.name))
        return (
            EXIT_FINDINGS if any(row.verdict("full") == "fails" for row in judged_of(entry.name)) else EXIT_OK
        )
    folder = None if out is None else new_folder(Path(out))
    began = time.perf_counter()
    remark_compilation("the kernels")
    output.note(f"{entry.title}: budget {budget}, seed {seed}")
    measured: Paper[Any, Any] = entry.load()
    with watching() as show, executor_for(workers) as executor:
        findings = measured.run(budget, seed, executor, show)
    fields = fields_of(name, entry.title, budget, seed, findings)
    if folder is not None:
        _write(folder, fields, {**findings.files, VALUES: packed(fields)})
    if json:
        output.json_object(SCHEMA, seconds=time.perf_counter() - began, **fields)
    else:
        _print(findings, budget)
    return EXIT_FINDINGS if any(row.verdict(budget) == "fails" for row in findings.rows) else EXIT_OK


def fields_of(name: str, title: str, budget: "Budget", seed: int, findings: "Findings") -> dict[str, Any]:
    """The fields of the results of a paper."""
    return {
        "paper": name,
        "source": title,
        "command": f"gpkit paper {name} --budget {budget} --seed {seed}",
        "seed": seed,
        "versions": versions(),
        **findings.to_json(budget),
    }


def _write(folder: Path, fields: Mapping[str, Any], files: Mapping[str, str | bytes]) -> None:
    """Write the results and the files.

    Raises:
        UsageError: one cannot be written.
    """
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        write_atomic(folder / path, content)
    document = plain({"schema": SCHEMA, **fields})
    write_atomic(folder / RESULTS, json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    output.note(f"{len(files) + 1} files are in {folder}")


def _print(findings: "Findings", budget: "Budget") -> None:
    from gpkit_experiments.papers.page import COLUMNS, cells, is_unjudged

    for heading, rows in groupby(findings.rows, key=lambda row: row.table):
        output.tell(heading)
        output.table(
            COLUMNS,
            [cells(row, budget) for row in rows],
            right=(*COLUMNS[1:4], "detects"),
            texts=TEXTS,
            leave_out=("detects", "tested", "of"),
        )
        output.say("")
    for note in findings.notes:
        output.tell(f"- {note}")
    if any(is_unjudged(row, budget) for row in findings.rows):
        output.tell(
            "- A quick budget is too small for verdicts on what was sampled; `--budget full` gives them."
        )

"""The runs of the paper on the accessibility learner, one by one; the script can be stopped and continued.

    nice python -m gpkit_experiments.learning_runs          # all that are not there yet, the first seed of each first
    python -m gpkit_experiments.learning_runs niche         # those whose names have this in them
    python -m gpkit_experiments.learning_runs --report      # paper-dots-and-boxes.json, from what is there

The script stores each run in ``experiments/data/runs-dots-and-boxes.json`` as soon as it is over. The seed determines
the run, so it does not matter which runs were made together. The report lists missing runs under ``missing``; its rows
with a separate seed come from ``gpkit paper dots-and-boxes --budget full --seed 1``.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from gpkit.core.codec import plain
from gpkit.core.files import write_atomic
from gpkit.core.registry import find
from gpkit.core.settings import to_data
from gpkit.games.dots_and_boxes.learning import Config, config_from_data
from gpkit_experiments.papers.command import SCHEMA, fields_of
from gpkit_experiments.papers.dots_and_boxes.paper import EFFORTS, Job, findings_of, jobs
from gpkit_experiments.papers.dots_and_boxes.runs import COLUMNS, Run, record_of, run, run_of
from gpkit_experiments.papers.page import DATA
from gpkit_experiments.papers.registry import PAPERS
from gpkit_experiments.papers.units import packed, read_record

FILE = DATA / "runs-dots-and-boxes.json"
COMMAND = "python -m gpkit_experiments.learning_runs"

SEED = 17
"""The seed of the paper; its runs have the seeds from 17001 and from 17101, fixed before any run was played."""


def kept() -> dict[str, Any]:
    """The contents of the file."""
    if FILE.exists():
        return read_record(FILE)
    return {
        "schema": "gpkit/learning-runs/1",
        "command": COMMAND,
        "seed": SEED,
        "columns": list(COLUMNS),
        "runs": {},
    }


def keep(data: Mapping[str, Any]) -> None:
    """Write the file, either completely or not at all."""
    write_atomic(FILE, json.dumps(data, separators=(",", ":")) + "\n")


def main(words: list[str]) -> None:
    """Make the missing runs, or assemble the paper."""
    if words == ["--report"]:
        report()
        return
    data = kept()
    wanted = [job for job in jobs(EFFORTS["full"], SEED) if all(word in job.name for word in words)]
    for seed in sorted({seed for job in wanted for seed in job.seeds}):
        for job in wanted:
            runs = entry_of(data, job)["runs"]
            if str(seed) in runs or seed not in job.seeds:
                continue
            found = run(*job.item(seed))
            runs[str(seed)] = record_of(found)
            keep(data)
            last = found.points[-1]
            sys.stdout.write(f"{job.name} {seed}: online {last.online:.3f}, greedy {last.greedy:.3f}\n")
            sys.stdout.flush()


FORMER = ("Beyond the source", "Learned on 3x3 boxes", "Parts of ours")
"""The tables whose runs of seed 1 are kept as rows until there are runs of this seed."""

LONG = "summary only: 2 h"
"""The time that the runs of these tables take on one core."""


def report() -> None:
    """Assemble the paper from the stored runs, in the form that ``gpkit paper`` writes."""
    path = DATA / "paper-dots-and-boxes.json"
    before = read_record(path)
    there = results()
    findings = findings_of("full", there)
    made = {row.table for row in findings.rows}
    rows = [
        {"seed": before["seed"], "values": LONG, **row}
        for row in before["rows"]
        if row["table"] not in made and row["table"].startswith(FORMER)
    ]
    data = {
        "schema": SCHEMA,
        **fields_of("dots-and-boxes", find(PAPERS, "dots-and-boxes", "paper").title, "full", SEED, findings),
        "command": f"{COMMAND}; {COMMAND} --report",
        "missing": missing(there),
    }
    data["rows"] = [*data["rows"], *rows]
    write_atomic(path, json.dumps(plain(data), indent=2, ensure_ascii=False) + "\n")
    write_atomic(DATA / "values" / "dots-and-boxes.npz", packed(data))


def missing(there: Mapping[str, Sequence[Run]]) -> dict[str, int]:
    """The number of missing runs of each job, without jobs that are complete."""
    counts = {job.name: len(job.seeds) - len(there[job.name]) for job in jobs(EFFORTS["full"], SEED)}
    return {name: count for name, count in counts.items() if count}


def entry_of(data: dict[str, Any], job: Job) -> dict[str, Any]:
    """The entry of a job in the file; runs with another configuration are dropped."""
    config = to_data(job.config)
    entry: dict[str, Any] = data["runs"].setdefault(job.name, {"config": config, "runs": {}})
    if config_from_data(entry["config"], Config()) != job.config:
        entry.update(config=config, runs={})
    return entry


def results() -> dict[str, list[Run]]:
    """The stored runs, by job."""
    data = kept()
    return {
        job.name: [
            run_of(found, replace(job.config, seed=int(seed))) for seed, found in entry["runs"].items()
        ]
        for job in jobs(EFFORTS["full"], SEED)
        for entry in (entry_of(data, job),)
    }


if __name__ == "__main__":
    main(sys.argv[1:])

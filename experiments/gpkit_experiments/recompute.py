"""Every figure, interval and verdict of the committed papers, recomputed from the values of the units.

    python -m gpkit_experiments.recompute [NAME ...]

prints for each paper the number of rows, the number of rows that it recomputes from their values in
``experiments/data/values``, the number that it computes directly because they do not depend on chance, the number that
are known only by their summaries, and the number that differ from the record. If you give no name, it then prints the
records of scripts that have intervals: the number of intervals that it recomputes, and for the others the command that
measures them again, with its time on one core. The exit code is 1 if anything differs from its record.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import chain
from types import MappingProxyType
from typing import Any

from gpkit.cli import output
from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK
from gpkit.core.registry import find
from gpkit_experiments.papers.battleship_adaptive.waves import figure_5_rows
from gpkit_experiments.papers.battleships_belief.belief_state import count_rows, hit_rows
from gpkit_experiments.papers.dots_and_boxes.further_rows import language_rows
from gpkit_experiments.papers.mastermind.paper import exact_ceilings, fitness_rows
from gpkit_experiments.papers.page import DATA, record_of, state_of
from gpkit_experiments.papers.paper import Row
from gpkit_experiments.papers.registry import PAPERS
from gpkit_experiments.papers.units import Array, remade, stored

STATES = ("values", "exact", "summary only")

SUMMARIES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        **{
            f"controls-{name}": (f"python -m gpkit_experiments.papers.controls {name}", "up to 1 h")
            for name in ("battleship-adaptive", "sevens-claims")
        },
        "grown-dots-and-boxes": ("python -m gpkit_experiments.rule_growth of commit 0b059b94", "30 min"),
        "held-out": ("python -m gpkit_experiments.held_out_tables", "30 min"),
        "learned-dots-and-boxes": ("gpkit learn, gpkit run", "3 h"),
        "optimal-battleship": ("python -m gpkit_experiments.battleship_optimal", "4 h"),
        "patterns-battleship": ("gpkit evolve", "5 min"),
        "selected-dots-and-boxes": ("gpkit learn, gpkit select, gpkit run of commit 0b059b94", "1 h"),
        "strength-battleship": ("python -m gpkit_experiments.held_out_sets of commit 9cddfbcb", "20 min"),
        "strength-battleship-posterior": (
            "python -m gpkit_experiments.posterior_strength of commit 9cddfbcb",
            "10 min",
        ),
        "strength-belief": ("python -m gpkit_experiments.belief_strength FILE", "90 min"),
        "strength-mcts": ("python -m gpkit_experiments.mcts_strength of commit 046c6ad3", "15 min"),
        "strength-sevens-search": ("python -m gpkit_experiments.search_strength of commit 9cddfbcb", "8 min"),
    }
)
"""For records with intervals but no values: the command that measures them again, and its approximate time on one
core."""


@cache
def computed() -> Mapping[tuple[str, str], Row]:
    """The rows that do not depend on chance, by table and quantity."""
    rows = chain(count_rows(), exact_ceilings(), figure_5_rows(), fitness_rows(), hit_rows(), language_rows())
    return {(row.table, row.quantity): row for row in rows}


def differing(data: Mapping[str, Any], arrays: Mapping[str, Array]) -> Iterator[str]:
    """The differences between a row of a record and its values, or its computation, in words."""
    row = Row.from_json(data)
    made = computed()[row.table, row.quantity].measured if row.values == "exact" else row.measured
    made = made if isinstance(row.values, str) else remade(row.values, arrays)
    for name, value in replace(row, measured=made).to_json("full").items():
        if value != data[name]:
            yield f"{row.table}: {row.quantity}: {name} is {data[name]}, and {value} by its values"


def intervals(content: object) -> Iterator[Mapping[str, Any]]:
    """Every interval in a record, at any depth."""
    if isinstance(content, dict) and content.get("ci95"):
        yield content
    if isinstance(content, dict | list):
        for each in content.values() if isinstance(content, dict) else content:
            yield from intervals(each)


def is_remade(interval: Mapping[str, Any], arrays: Mapping[str, Array]) -> bool:
    """Whether the values reproduce the mean and the ends of an interval, in all digits or in four decimal places."""
    made = remade(interval["values"], arrays)
    found = [made.mean, made.low, made.high]
    said = [interval.get("mean", interval.get("measured")), *interval["ci95"]]
    return said in (found, [round(each, 4) for each in found])


def print_records() -> int:
    """Print the recomputed records of scripts, and return the number of intervals that differ from their values.

    For each record that has intervals without values, the function also prints the command that measures them again,
    with its time.
    """
    lines, all_wrong = [], 0
    for path in sorted(set(DATA.glob("*.json")) - set(DATA.glob("paper-*"))):
        found, arrays = list(intervals(json.loads(path.read_text(encoding="utf-8")))), stored(path)
        kept = [each for each in found if "values" in each]
        wrong = sum(not is_remade(each, arrays) for each in kept)
        counts = len(found), len(kept), len(found) - len(kept), wrong
        if found:
            command = ", ".join(SUMMARIES.get(path.stem, ())) if counts[2] else ""
            lines.append([path.name, *map(str, counts), command])
        all_wrong += wrong
    columns = "intervals", "values", "summary only", "differences"
    output.table(("", *columns, "made again by"), lines, right=columns)
    return all_wrong


def main(*names: str) -> int:
    """Print the results, and return the exit code."""
    lines, found, summaries = [], [], Counter[str]()
    for name in names or [entry.name for entry in PAPERS]:
        find(PAPERS, name, "paper").load()
        rows, arrays = record_of(name)["rows"], stored(DATA / f"paper-{name}.json")
        states = Counter(state_of(row.get("values", "")) for row in rows)
        wrong = [f"{name}: {words}" for row in rows for words in differing(row, arrays)]
        lines.append([name, *map(str, (len(rows), *(states[each] for each in STATES), len(wrong)))])
        found += wrong
        summaries.update(
            f"{name}: {row['values']}" for row in rows if str(row.get("values")).startswith("summary")
        )
    columns = "rows", *STATES, "differences"
    output.table(("", *columns), lines, right=columns)
    output.say("\n".join([*(f"{count} rows of {words}" for words, count in summaries.items()), *found]))
    wrong_intervals = 0 if names else print_records()
    return EXIT_FINDINGS if found or wrong_intervals else EXIT_OK


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""Every figure, interval and verdict of the committed papers, made again from the values by unit.

    python -m gpkit_experiments.recompute [NAME ...]

prints for each paper how many rows there are, how many of them are made again from their values in
``experiments/data/values``, are computed anew as there is no chance in them, or are known by their summary only, and
how many are not what the record says. The exit code is 1 if there is one of these. Without a name follow the records of
scripts whose intervals have no values beside them.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import Any

import numpy as np

from gpkit.cli import output
from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK
from gpkit.core.registry import find
from gpkit_experiments.papers.battleship_adaptive.waves import figure_5_rows
from gpkit_experiments.papers.battleships_belief.belief_state import count_rows, hit_rows
from gpkit_experiments.papers.dots_and_boxes.further_rows import language_rows
from gpkit_experiments.papers.mastermind.paper import exact_ceilings, fitness_rows
from gpkit_experiments.papers.page import DATA, NOT_YET, record_of, state_of
from gpkit_experiments.papers.paper import Row
from gpkit_experiments.papers.registry import PAPERS
from gpkit_experiments.papers.units import Array, digest, remade

STATES = ("values", "exact", "summary only", NOT_YET)


@cache
def computed() -> Mapping[tuple[str, str], Row]:
    """Rows without chance, by table and quantity."""
    rows = chain(count_rows(), exact_ceilings(), figure_5_rows(), fitness_rows(), hit_rows(), language_rows())
    return {(row.table, row.quantity): row for row in rows}


def differing(data: Mapping[str, Any], arrays: Mapping[str, Array]) -> Iterator[str]:
    """In words what a row of a record has that its values, or its computation, do not give."""
    row = Row.from_json(data)
    made = computed()[row.table, row.quantity].measured if row.values == "exact" else row.measured
    made = made if isinstance(row.values, str) else remade(row.values, arrays)
    for name, value in replace(row, measured=made).to_json("full").items():
        if value != data[name]:
            yield f"{row.table}: {row.quantity}: {name} is {data[name]}, and {value} by its values"


def unkept(data: Any) -> int:
    """The number of intervals in a record that come without values."""
    inside = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return sum(map(unkept, inside)) + (isinstance(data, dict) and "ci95" in data)


def main(*names: str) -> int:
    """Print what is made again; the exit code."""
    lines, found, summaries = [], [], Counter[str]()
    for name in names or [entry.name for entry in PAPERS]:
        find(PAPERS, name, "paper").load()
        rows, path = record_of(name)["rows"], DATA / "values" / f"{name}.npz"
        arrays = {digest(array): array for array in np.load(path).values()} if path.is_file() else {}
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
    for path in () if names else sorted(set(DATA.glob("*.json")) - set(DATA.glob("paper-*"))):
        if count := unkept(json.loads(path.read_text(encoding="utf-8"))):
            output.say(f"{path.name}: {count} intervals, summary only")
    return EXIT_FINDINGS if found else EXIT_OK


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

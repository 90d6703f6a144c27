"""Every judged row of the papers, with what its verdict stands on, as a Markdown table.

    python -m gpkit_experiments.verdicts [NAME ...]

The columns are the row, its criterion, the commit of the criterion and that of the values, the control or the longer
run, what it gave, the verdict of the row alone (before), and the verdict with controls, descriptions and longer runs
(now). Verdicts that turned come first: of ``holds``, ``fails`` and ``open`` into another one of them or ``cannot
tell``. Rows that hold and have no control follow; they are called descriptions.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator

from gpkit.cli import output
from gpkit_experiments.papers.page import (
    DESCRIPTION,
    cells,
    criteria_of,
    judged_of,
    made_of,
    markdown_table,
    rows_of,
    shown_of,
    shown_verdict,
)
from gpkit_experiments.papers.paper import Row
from gpkit_experiments.papers.registry import PAPERS

COLUMNS = ("row", "criterion", "criterion by", "values by", "control", "it gave", "before", "now")


def lines_of(name: str) -> Iterator[tuple[str, ...]]:
    """The lines of a paper."""
    dated = {
        (each["table"], quantity): (each["criterion"], each["values"])
        for each in criteria_of(name)["rows"]
        for quantity in each["quantities"]
    }
    made, shown = made_of(name), shown_of(name)
    for row, judged in zip(rows_of(name), judged_of(name), strict=True):
        place = row.table, row.quantity
        if row.claim is None:
            continue
        found = [(each, other) for each, other in made if (other.table, other.quantity) == place]
        controls = "; ".join(each["off"] or f"more units, seed {each['seed']}" for each, _ in found)
        gave = "; ".join(_result(other) for _, other in found)
        now = re.sub(r"^open .*", "open", shown_verdict(judged, shown))
        yield (
            f"{name}: {row.table}: {row.quantity}",
            cells(row, "full")[5],
            *dated[place],
            controls,
            gave,
            row.verdict("full") or "",
            now,
        )


def _result(row: Row) -> str:
    _, mean, interval, of, *_, verdict = cells(row, "full")
    return f"{mean} ({'; '.join(filter(None, (interval, of)))}): {verdict}"


def main(*names: str) -> None:
    """Print the table of some papers, or of all, below the number of rows by verdict before and now."""
    lines = [line for name in names or [entry.name for entry in PAPERS] for line in lines_of(name)]
    lines.sort(key=lambda line: (line[-1].split()[0] == line[-2], line[-1] != DESCRIPTION))
    counts = Counter(line[-2:] for line in lines)
    for (before, now), count in sorted(counts.items(), key=lambda item: (item[0][0] == item[0][1], item)):
        output.say(f"- {before}, now {now}: {count}")
    output.say("\n" + markdown_table(COLUMNS, lines))


if __name__ == "__main__":
    main(*sys.argv[1:])

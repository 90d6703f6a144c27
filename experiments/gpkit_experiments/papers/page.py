"""The page of a paper: every row of its record with criterion, verdict and power, what is missing, and the controls."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any, get_args

from gpkit.core.errors import UsageError
from gpkit.core.statistics import Interval
from gpkit_experiments.papers.paper import Budget, Claim, Row, Verdict
from gpkit_experiments.papers.units import read_record

DATA = Path(__file__).resolve().parents[2] / "data"

COLUMNS = ("", "measured", "95% interval", "of", "published", "tested", "detects", "verdict")
"""Columns of the tables of a paper: the claim that is tested, and the smallest distance from it that is told."""

NO_CRITERION = "no criterion"

CANNOT_TELL, DESCRIPTION = "cannot tell", "holds (description)"
"""In place of ``holds``: the criterion holds with the mechanism switched off, too; there is nothing to switch off."""

AGAIN = ", measured again"
"""Behind the verdict of a row that was open, and of which a later run with more units is judged."""

Shown = Mapping[tuple[str, str], str]
"""The words in place of ``holds``, by table and quantity."""


def record_of(name: str) -> dict[str, Any]:
    """The committed results of a paper.

    Raises:
        UsageError: there are none.
    """
    path = DATA / f"paper-{name}.json"
    if not path.is_file():
        raise UsageError(f"{name} has no record yet: {path.name}")
    return read_record(path)


def controls_of(name: str) -> dict[str, Any]:
    """The committed controls of a paper; empty if it has none."""
    path = DATA / f"controls-{name}.json"
    return read_record(path) if path.is_file() else {}


def page_of(name: str) -> str:
    """The page of a paper from its record, as Markdown."""
    record = record_of(name)
    rows, judged, shown = rows_of(name), judged_of(name), shown_of(name)
    return "\n\n".join(
        [
            *_head(name, record, judged, shown),
            *_tables(rows, judged, shown),
            *_controls(made_of(name), name),
            *_criteria(criteria_of(name)["rows"]),
        ]
    )


def criteria_of(name: str) -> dict[str, Any]:
    """The commits of the criteria and values of a paper, and its descriptions."""
    found: dict[str, Any] = read_record(DATA / "criteria.json")["papers"][name]
    return found


def shown_of(name: str) -> Shown:
    """The words in place of ``holds`` for the rows of a paper."""
    off = [row for found, row in made_of(name) if found["off"]]
    return {
        (table, quantity): DESCRIPTION
        for table, quantities in criteria_of(name)["descriptions"].items()
        for quantity in quantities
    } | {(row.table, row.quantity): CANNOT_TELL for row in off if row.verdict("full") == "holds"}


def rows_of(name: str) -> list[Row]:
    """The rows of the record of a paper."""
    return [Row.from_json(row) for row in record_of(name)["rows"]]


def judged_of(name: str) -> list[Row]:
    """The same with the longer run in the place of a row that was measured again with more units."""
    again = {(row.table, row.quantity): row for found, row in made_of(name) if not found["off"]}
    return [again.get((row.table, row.quantity), row) for row in rows_of(name)]


def shown_verdict(row: Row, shown: Shown) -> str:
    """The verdict of a row as the page has it; empty without one."""
    verdict = cells(row, "full")[-1]
    return shown.get((row.table, row.quantity), verdict) if verdict == "holds" else verdict


def made_of(name: str) -> list[tuple[Mapping[str, Any], Row]]:
    """The controls and longer runs of a paper, as recorded, and each as a row with a criterion of its own."""
    claims = {(row.table, row.quantity): row.claim for row in rows_of(name)}
    found = [
        (made, Row.from_json({**made, "claim": None, "published": ""}))
        for made in controls_of(name).get("controls", ())
    ]
    return [(made, replace(row, claim=claims[row.table, row.quantity])) for made, row in found]


def _head(name: str, record: Mapping[str, Any], rows: Sequence[Row], shown: Shown) -> Iterator[str]:
    verdicts = Counter(re.sub(r"^open .*", "open", shown_verdict(row, shown)) for row in rows)
    counts = ", ".join(f"{verdicts[each]} {each}" for each in (*get_args(Verdict), DESCRIPTION, CANNOT_TELL))
    yield f"## {name}"
    yield (
        f"{record['source']}. Measured with `{record['command']}`: {len(rows)} quantities, of which "
        f"{len(rows) - verdicts['']} are tested ({counts}); the others have no criterion. Each verdict is of its row "
        "alone: none is corrected for the number of rows."
    )
    states = Counter(state_of(row.get("values", "")) for row in record["rows"])
    yield (
        f"Values by unit are stored for {states['values']} of them (`experiments/data/values`; `python -m "
        f"gpkit_experiments.recompute {name}` makes the rows from them again). Computed without chance: "
        f"{states['exact']}. Stored as a summary only, with the time that it takes to measure them again: "
        f"{states['summary only']}."
    )
    yield "\n".join(f"- {note}" for note in record["notes"])
    if record.get("missing"):
        runs = "; ".join(f"{count} of {what}" for what, count in record["missing"].items())
        yield f"Runs that are still missing: {runs}."


def state_of(values: object) -> str:
    """Whether ``values`` of a row are there (``values``), ``exact``, or ``summary only``; empty if it is not known."""
    return values.partition(":")[0] if isinstance(values, str) else "values"


def _tables(rows: Sequence[Row], judged: Sequence[Row], shown: Shown) -> Iterator[str]:
    for heading, found in groupby(zip(rows, judged, strict=True), key=lambda pair: pair[0].table):
        own = list(found)
        yield f"**{heading}**" + ("" if any(row.claim for row, _ in own) else f" ({NO_CRITERION})")
        yield markdown_table(
            COLUMNS,
            [
                (*cells(row, "full")[:-1], shown_verdict(last, shown) + AGAIN * (row != last))
                for row, last in own
            ],
        )


def _controls(made: Sequence[tuple[Mapping[str, Any], Row]], name: str) -> Iterator[str]:
    """The lines about controls, with a mechanism switched off, and about longer runs, with more units."""
    for heading, column, key in (
        ("Controls: the same with a mechanism switched off", "switched off", "off"),
        ("Open rows, measured again with more units", "seed", "seed"),
    ):
        lines = [_line(found[key], row) for found, row in made if bool(found["off"]) == (key == "off")]
        if lines:
            yield f"**{heading}** (`python -m gpkit_experiments.papers.controls {name}`)"
            yield markdown_table(("claim", column, *COLUMNS[1:4], "tested", "verdict"), lines)


def _line(word: object, row: Row) -> tuple[str, ...]:
    shown = cells(row, "full")
    return (f"{row.table}: {row.quantity}", str(word), *shown[1:4], shown[5], shown[-1])


def _criteria(found: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The commits by which criteria stood, and those that have the values."""
    yield "**Criteria: when they were committed**"
    lines = [
        (
            each["table"],
            str(len(each["quantities"])),
            *(each[name] for name in ("criterion", "values", "order")),
        )
        for each in found
    ]
    yield markdown_table(("table", "rows", "criterion by", "values by", "committed"), lines)


def markdown_table(columns: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """A Markdown table; a bar in a cell is no end of it."""
    whole = [
        columns,
        ["---"] * len(columns),
        *([" ".join(c.split()).replace("|", "&#124;") for c in line] for line in lines),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in whole)


def is_unjudged(row: Row, budget: Budget) -> bool:
    """True if a row has a claim on which this budget gives no verdict."""
    return row.claim is not None and row.verdict(budget) is None


def cells(row: Row, budget: Budget) -> tuple[str, ...]:
    """The texts of a row, by column."""
    interval = row.measured
    digits = _digits(interval)
    low, high = (_number(bound, digits) for bound in (interval.low, interval.high))
    return (
        row.quantity,
        _number(interval.mean, digits),
        "" if low == high else f"{low} to {high}",
        f"{interval.units:,} {row.unit}"
        + (f", {row.values}" if state_of(row.values) == "summary only" else ""),
        row.published,
        "" if row.claim is None else _claim(row.claim),
        "" if row.claim is None else _power(row.claim.tells(interval)),
        _verdict(row, budget),
    )


def _verdict(row: Row, budget: Budget) -> str:
    """The verdict of a row, and where it is open how many units would decide."""
    verdict = "none (quick)" if is_unjudged(row, budget) else row.verdict(budget) or ""
    if row.claim is None or verdict != "open" or row.measured.units == 1:
        return verdict
    units = row.claim.decides(row.measured)
    told = f"about {float(f'{units:.3g}'):,.0f} {row.unit}" if math.isfinite(units) else "none"
    return f"open ({told} would decide)"


def _digits(interval: Interval) -> int:
    """Digits after the point: four, one where a number has two before it, none for what was counted."""
    if interval.low == interval.high and float(interval.mean).is_integer():
        return 0
    ends = (interval.low, interval.mean, interval.high)
    return 1 if max(abs(end) for end in ends if math.isfinite(end)) >= 10 else 4


def _number(value: float, digits: int) -> str:
    return f"{value:.{digits}f}" if math.isfinite(value) else str(value)


def _power(told: float) -> str:
    """The smallest difference that is told, to two digits; nothing is told by one run alone.

    >>> _power(0.01234), _power(0.0), _power(math.inf)
    ('0.012', 'exact', 'nothing')
    """
    if told == 0.0:
        return "exact"
    return f"{told:.2g}" if math.isfinite(told) else "nothing"


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

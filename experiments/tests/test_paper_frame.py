"""Claims and rows: what an interval says, and how it is written down."""

import json
import math
import re

import pytest

from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.core.statistics import Interval, mean_interval
from gpkit_experiments.papers.page import DATA, cells, page_of, record_of
from gpkit_experiments.papers.paper import Claim, Findings, Row, Verdict, above, below, exact
from gpkit_experiments.papers.registry import PAPERS

RIVAL = Interval(0.5, 0.4, 0.6, 10)


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.61, 0.7, "holds"),
        (0.6, 0.7, "open"),
        (0.45, 0.55, "open"),
        (0.4, 0.5, "open"),
        (0.1, 0.39, "fails"),
    ],
)
def test_above_another_is_with_disjoint_intervals(low: float, high: float, verdict: Verdict) -> None:
    measured = Interval((low + high) / 2, low, high, 10)
    assert Claim(above=RIVAL).judge(measured) == verdict
    assert Claim(below=measured).judge(RIVAL) == verdict


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(0.1, 0.2, "holds"), (0.0, 0.2, "open"), (-0.1, 0.1, "open"), (-0.2, -0.1, "fails")],
)
def test_above_a_number(low: float, high: float, verdict: Verdict) -> None:
    assert above(0.0).judge(Interval(0.0, low, high, 10)) == verdict
    assert below(0.0).judge(Interval(0.0, -high, -low, 10)) == verdict


def test_between_holds_if_both_do_and_fails_if_either_does() -> None:
    between = Claim(above=exact(0.2), below=exact(0.6))
    assert between.judge(Interval(0.4, 0.3, 0.5, 10)) == "holds"
    assert between.judge(Interval(0.4, 0.1, 0.5, 10)) == "open"
    assert between.judge(Interval(0.8, 0.7, 0.9, 10)) == "fails"
    assert between.judge(Interval(0.1, 0.0, 0.15, 10)) == "fails"


def test_one_run_decides_nothing() -> None:
    assert above(0.0).judge(mean_interval([0.9])) == "open"
    assert Claim(above=mean_interval([0.1])).judge(mean_interval([0.9, 0.9, 0.9])) == "open"


def test_a_row_without_a_claim_has_no_verdict() -> None:
    row = Row("table", "quantity", RIVAL, "runs")
    assert row.verdict("full") is None
    assert row.to_json("full")["claim"] is None


def test_json_has_no_infinities() -> None:
    row = Row("table", "quantity", Interval(0.5, -math.inf, math.inf, 1), "runs", "said", above(0.2))
    findings = Findings({"runs": 1}, ("note",), (row,), {"a.tree": "text"})
    assert findings.to_json("full") == {
        "settings": {"runs": 1},
        "notes": ["note"],
        "rows": [
            {
                "table": "table",
                "quantity": "quantity",
                "published": "said",
                "measured": 0.5,
                "ci95": [None, None],
                "units": 1,
                "unit": "runs",
                "claim": {"above": [0.2, 0.2], "below": None},
                "verdict": "open",
            }
        ],
    }


def test_a_paper_without_a_record_says_so() -> None:
    with pytest.raises(UsageError, match=r"nim has no record yet: paper-nim\.json"):
        page_of("nim")


NAMES = [entry.name for entry in PAPERS]


def test_a_difference_that_is_told_is_told_by_four_samples_of_five() -> None:
    """By simulation: normal values, with a bound that is a number, and one that was sampled."""
    told = {"number": 0, "sampled": 0}
    for sample in range(1000):
        rng = stream(1, "power", sample)
        values, others = rng.normal(0.0, 1.0, 400), rng.normal(0.0, 1.0, 100)
        bounds = {"number": exact(0.0), "sampled": mean_interval(others)}
        for name, bound in bounds.items():
            claim = Claim(above=bound)
            distance = claim.tells(mean_interval(values))
            told[name] += claim.judge(mean_interval(values + distance)) == "holds"
    assert told["number"] == pytest.approx(800, abs=45)
    assert told["sampled"] == pytest.approx(800, abs=45)


def test_power_is_of_the_bound_that_is_told_worst() -> None:
    assert above(0.0).tells(exact(3.0)) == 0.0
    assert Claim(above=exact(0.0), below=RIVAL).tells(exact(3.0)) == pytest.approx(
        0.1 + 0.1 * 0.8416 / 1.96, abs=1e-3
    )
    assert above(0.0).tells(mean_interval([0.9])) == math.inf
    assert above(0.0).tells(Interval(0.999, 0.99, 1.0, 10)) == above(0.0).tells(
        Interval(0.5, 0.491, 0.509, 10)
    )


@pytest.mark.parametrize(
    ("mean", "verdict"), [(0.1, "holds"), (-0.1, "fails"), (0.9, "holds"), (1.1, "fails")]
)
@pytest.mark.parametrize("count", [6, 100])
def test_as_many_units_as_would_decide_do_so_in_four_samples_of_five(
    mean: float, verdict: Verdict, count: int
) -> None:
    """By simulation, where the truth is the mean of a smaller sample that leaves the claim open."""
    claim, few = Claim(above=exact(0.0), below=exact(1.0)), stream(1, "few").normal(0.0, 1.0, count)
    few += mean - few.mean()
    assert claim.judge(mean_interval(few)) == "open"
    units = int(claim.decides(mean_interval(few)))
    samples = [stream(1, "many", sample).normal(mean, few.std(ddof=1), units) for sample in range(500)]
    verdicts = [claim.judge(mean_interval(values)) for values in samples]
    assert verdicts.count(verdict) == pytest.approx(400, abs=40)


def test_an_open_row_says_how_many_units_would_decide() -> None:
    def told(measured: Interval, claim: Claim) -> str:
        return cells(Row("table", "quantity", measured, "runs", claim=claim), "full")[-1]

    measured = Interval(0.6, 0.4, 0.8, 10)
    assert told(measured, above(0.55)) == "open (about 248 runs would decide)"
    assert told(measured, above(0.57)) == "open (about 685 runs would decide)"
    assert told(measured, below(0.59)) == "open (about 6,140 runs would decide)"
    assert told(measured, above(0.6)) == "open (none would decide)"
    assert told(mean_interval([0.9]), above(0.0)) == "open", "one run does not say how much runs differ"
    assert told(measured, above(0.3)) == "holds"
    assert told(measured, above(0.9)) == "fails"


@pytest.mark.parametrize("name", NAMES)
def test_a_verdict_is_a_function_of_estimate_interval_and_claim_alone(name: str) -> None:
    """On all rows of all records: so equal data get equal verdicts, whatever paper or table they stand in."""
    for data in record_of(name)["rows"]:
        row = Row.from_json(data)
        assert row.to_json("full") == {key: data[key] for key in row.to_json("full")}
        assert row.verdict("full") == data["verdict"]
        assert (row.claim is None) == (data["verdict"] is None)


@pytest.mark.parametrize("name", NAMES)
def test_the_page_has_all_rows_and_what_is_missing(name: str) -> None:
    page, record = page_of(name), record_of(name)
    tables = re.findall(r"^\*\*(.+?)\*\*(.*)$", page, re.M)
    judged = {row["table"] for row in record["rows"] if row["claim"]}
    for heading, remark in tables:
        assert heading.startswith(("Controls", "Criteria", "Open rows")) or (remark == " (no criterion)") == (
            heading not in judged
        )
    lines = page.count("\n| ") - 2 * len(tables)
    controls = DATA / f"controls-{name}.json"
    made = json.loads(controls.read_text(encoding="utf-8"))["controls"] if controls.is_file() else []
    dated = json.loads((DATA / "criteria.json").read_text(encoding="utf-8"))["papers"][name]["rows"]
    assert lines == len(record["rows"]) + len(made) + len(dated)
    for what, count in record.get("missing", {}).items():
        assert f"{count} of {what}" in page

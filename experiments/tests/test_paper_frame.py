"""Claims and rows: what an interval says, and how it is written down."""

import math

import pytest

from gpkit.core.statistics import Interval, mean_interval
from gpkit_experiments.papers.paper import Claim, Findings, Row, Verdict, above, below, exact

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

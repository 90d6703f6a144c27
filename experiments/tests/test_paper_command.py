"""``gpkit paper``: tables, JSON, the folder, and every way to end; with a paper that takes seconds."""

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import pytest
from kernel_marks import compiled_only
from tiny_paper import PAPER

from gpkit.core.registry import find
from gpkit.core.statistics import Interval
from gpkit_experiments.papers.battleship_adaptive.waves import figure_5_rows
from gpkit_experiments.papers.battleships_belief.belief_state import count_rows
from gpkit_experiments.papers.mastermind.paper import fitness_rows
from gpkit_experiments.papers.page import page_of, record_of
from gpkit_experiments.papers.paper import Budget, Claim, Findings, Row, above, below, exact
from gpkit_experiments.papers.registry import PAPERS

DATA = Path(__file__).parents[1] / "data"

HALF = Interval(0.5, 0.4, 0.6, 10)

ROWS = (
    Row("Strength", "easy", HALF, "runs"),
    Row("Strength", "hard", Interval(0.75, 0.7, 0.8, 10), "runs", "above easy", Claim(above=HALF)),
    Row("Strength", "gain", Interval(0.25, float("-inf"), float("inf"), 1), "runs", "", above(0.125)),
    Row("Sizes", "nodes", Interval(20.25, 9.75, 30.5, 1200), "deals", "", Claim(exact(9.0), exact(31.0))),
    Row("Circles", "found", exact(0, 91), "pairs", "none", below(1.0)),
)


@dataclass(frozen=True)
class Told:
    """A paper whose findings are known."""

    findings: Findings

    def run(self, *_: Any) -> Findings:
        return self.findings


@pytest.fixture
def publish(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], None]:
    """``publish(paper)`` puts it in the place of the real one."""
    return lambda paper: monkeypatch.setattr("gpkit_experiments.papers.sevens.paper.PAPER", paper)


def test_tables_have_headings_and_notes_follow(gpkit, publish) -> None:
    publish(Told(Findings({}, ("First note.", "Second note."), ROWS)))
    outcome = gpkit("paper", "sevens", "--budget", "full", "--seed", "4")
    assert outcome.code == 0
    assert outcome.out == (
        "Strength\n"
        "      measured      95% interval       of  published   tested       detects  verdict\n"
        "easy    0.5000  0.4000 to 0.6000  10 runs\n"
        "hard    0.7500  0.7000 to 0.8000  10 runs  above easy  above 0.6        0.2  holds\n"
        "gain    0.2500       -inf to inf   1 runs              above 0.125  nothing  open\n"
        "\n"
        "Sizes\n"
        "       measured  95% interval           of  published  tested             detects  verdict\n"
        "nodes      20.2   9.8 to 30.5  1,200 deals             above 9, below 31       15  holds\n"
        "\n"
        "Circles\n"
        "       measured  95% interval        of  published  tested   detects  verdict\n"
        "found         0                91 pairs  none       below 1    exact  holds\n"
        "\n"
        "- First note.\n"
        "- Second note.\n"
    )
    assert "Light Introduction to Genetic Programming, 2013: budget full, seed 4" in outcome.err


def test_a_claim_that_fails_is_a_finding(gpkit, publish) -> None:
    publish(Told(Findings({}, (), (*ROWS, Row("T", "q", HALF, "runs", "", above(0.7))))))
    outcome = gpkit("paper", "sevens", "--budget", "full")
    assert outcome.code == 1
    assert re.search(r"above 0\.7 +0\.14  fails", outcome.out)


def test_a_quick_budget_judges_what_is_exact_alone(gpkit, publish) -> None:
    sampled = (
        Row("T", "q", HALF, "runs", "", above(0.7)),
        Row("T", "worst", exact(0.2, 3), "runs", "", above(0.7)),
    )
    counted = Row("T", "codes", exact(1296), "codes", "1296", Claim(exact(1000), exact(2000)), exact=True)
    publish(Told(Findings({}, ("First note.",), (*sampled, counted))))
    outcome = gpkit("paper", "sevens", "--budget", "quick")
    assert outcome.code == 0
    assert outcome.out == (
        "T\n"
        "       measured      95% interval       of  published  tested                  detects  verdict\n"
        "q        0.5000  0.4000 to 0.6000  10 runs             above 0.7                  0.14  none (quick)\n"
        "worst    0.2000                     3 runs             above 0.7                 exact  none (quick)\n"
        "codes      1296                    1 codes  1296       above 1000, below 2000    exact  holds\n"
        "\n"
        "- First note.\n"
        "- A quick budget is too small for verdicts on what was sampled; `--budget full` gives them.\n"
    )


def test_an_exact_value_that_fails_is_a_finding_at_any_budget(gpkit, publish) -> None:
    publish(Told(Findings({}, (), (Row("T", "codes", exact(7), "codes", "", above(8.0), exact=True),))))
    for budget in get_args(Budget):
        outcome = gpkit("paper", "sevens", "--budget", budget)
        assert (outcome.code, "fails" in outcome.out) == (1, True)


@pytest.mark.parametrize("name", [entry.name for entry in PAPERS])
def test_no_paper_has_a_verdict_at_a_quick_budget_but_on_what_is_exact(
    name: str, gpkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the recorded rows of every paper, whose exact ones are made anew."""
    record = json.loads((DATA / f"paper-{name}.json").read_text(encoding="utf-8"))
    made = {(row.table, row.quantity): row for row in (*fitness_rows(), *count_rows(), *figure_5_rows())}
    rows = tuple(made.get((row["table"], row["quantity"])) or _recorded(row) for row in record["rows"])
    monkeypatch.setattr(f"{find(PAPERS, name, 'paper').module}.PAPER", Told(Findings({}, (), rows)))
    outcome = gpkit("paper", name, "--json")
    assert outcome.code == 0
    judged = {row["quantity"] for row in json.loads(outcome.out)["rows"] if row["verdict"]}
    assert judged == {row.quantity for row in rows if row.exact and row.claim}


def _recorded(row: Mapping[str, Any]) -> Row:
    """A sampled row as it was written down; its claim is one that fails."""
    low, high = (math.inf if bound is None else bound for bound in row["ci95"])
    measured = Interval(row["measured"], low, high, row["units"])
    claim = None if row["claim"] is None else above(1e9)
    return Row(row["table"], row["quantity"], measured, row["unit"], row["published"], claim)


@pytest.mark.parametrize("name", [entry.name for entry in PAPERS])
def test_the_page_of_a_record_is_that_of_the_documentation(name: str, gpkit) -> None:
    outcome = gpkit("paper", name, "--from-record")
    assert outcome.out == page_of(name) + "\n"
    assert outcome.code == (1 if "fails" in [row["verdict"] for row in record_of(name)["rows"]] else 0)


@compiled_only
def test_the_real_paper_in_a_folder(gpkit, publish, tmp_path: Path) -> None:
    publish(PAPER)
    folder = tmp_path / "new" / "sevens"
    outcome = gpkit("paper", "sevens", "--json", "--seed", "2", "-o", folder)
    report = json.loads(outcome.out)
    assert outcome.code == (1 if "fails" in [row["verdict"] for row in report["rows"]] else 0)
    assert report["schema"] == "gpkit/paper/1"
    assert report.pop("seconds") > 0
    assert json.loads((folder / "results.json").read_text(encoding="utf-8")) == report
    assert report["command"] == "gpkit paper sevens --budget quick --seed 2"
    assert report["settings"]["run_seeds"] == [2001, 2002]
    assert f"28 files are in {folder}" in outcome.err

    levels = [folder / level for level in ("easy", "medium", "hard", "expert")]
    assert gpkit("check", *levels).err.startswith("24 files, 0 errors, ")
    exported = gpkit("export", "--to", "lua", "--mode", "article", *levels)
    code = re.sub(r"^--\|.*\n", "", exported.out, flags=re.MULTILINE)  # without the programs as comments
    assert code == (folder / "computer.lua").read_text(encoding="utf-8")
    assert gpkit("run", folder / "expert" / "2001-1.tree", "--games", "30").code == 0
    assert gpkit("paper", "sevens", "-o", folder).code == 2


@compiled_only
def test_results_do_not_depend_on_workers(gpkit, publish, tmp_path: Path) -> None:
    publish(PAPER)
    for workers in ("1", "2"):
        gpkit("paper", "sevens", "--workers", workers, "-o", tmp_path / workers)
    for path in sorted(p for p in (tmp_path / "1").rglob("*") if p.is_file()):
        assert path.read_bytes() == (tmp_path / "2" / path.relative_to(tmp_path / "1")).read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("seven",), "there is no paper `seven`; did you mean `sevens`?"),
        (("sevens", "--budget", "huge"), "--budget huge: expected 'quick' or 'full'"),
        (("sevens", "--workers", "0"), "`0` workers: expected a number such as 2"),
        (("sevens", "--seed", "-1"), "--seed -1: expected a whole number of at least 0"),
        ((), "Missing argument 'NAME'"),
    ],
)
def test_mistakes(arguments: tuple[str, ...], message: str, gpkit, publish) -> None:
    publish(Told(Findings({}, (), ())))
    outcome = gpkit("paper", *arguments)
    assert outcome.code == 2
    assert message in outcome.err


def test_a_folder_in_use_is_refused_before_anything_is_measured(gpkit, publish, tmp_path: Path) -> None:
    publish(None)
    (tmp_path / "thesis.txt").write_text("mine", encoding="utf-8")
    outcome = gpkit("paper", "sevens", "-o", tmp_path)
    assert outcome.code == 2
    assert (
        outcome.err
        == f"error: {tmp_path} is not empty (it holds {next(tmp_path.iterdir()).name}); choose another folder\n"
    )
    outcome = gpkit("paper", "sevens", "-o", tmp_path / "thesis.txt")
    assert outcome.code == 2
    assert ": File exists" in outcome.err

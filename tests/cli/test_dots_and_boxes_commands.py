"""The commands on Dots and Boxes: exact results, and what rules match."""

import json
import re
from pathlib import Path

import numba
import pytest

from gpkit.core.registry import data_folder

PROGRAMS = data_folder("programs") / "dots_and_boxes"
SMALL = ("--rules", "board=2x2")

too_slow = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="takes too long with interpreted kernels")


@too_slow
def test_exact_json_contract(gpkit) -> None:
    outcome = gpkit("run", PROGRAMS / "greedy.rules", "--opponent", "chain", "--exact", "--json")
    assert outcome.code == 0
    report = json.loads(outcome.out)
    assert report["schema"] == "gpkit/run/1"
    (result,) = report["results"]
    assert result.pop("mean") == pytest.approx(0.062380994228754816, abs=1e-9)
    assert sum(result.pop("seatings")) / 2 == pytest.approx(0.062380994228754816, abs=1e-9)
    assert result == {
        "program": str(PROGRAMS / "greedy.rules"),
        "game": "dots_and_boxes",
        "opponent": "chain",
        "metric": "win_rate",
        "ci95": None,
        "games": 0,
        "stalled": 0,
        "invalid": 0,
        "exact": True,
    }


def test_exact_table(gpkit) -> None:
    outcome = gpkit("run", "greedy", "chain", "--opponent", "greedy", "--exact", *SMALL)
    assert outcome.code == 0
    heading, same, better = outcome.out.splitlines()
    assert re.split(r" {2,}", heading) == [
        "program", "opponent", "metric", "mean", "moving first", "moving second",
    ]  # fmt: skip
    cells = re.split(r" {2,}", same)
    assert cells[:4] == ["greedy", "greedy", "win_rate", "0.5000"]
    assert float(cells[4]) + float(cells[5]) == pytest.approx(1, abs=2e-4)
    assert float(re.split(r" {2,}", better)[3]) > 0.5


def test_program_against_a_program_exactly(gpkit) -> None:
    safe, greedy = PROGRAMS / "safe.rules", PROGRAMS / "greedy.rules"
    outcome = gpkit("run", safe, "--opponent", greedy, "--exact", "--json", *SMALL)
    (result,) = json.loads(outcome.out)["results"]
    assert result["opponent"] == str(greedy)
    assert 0.5 < result["mean"] < 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("simple", "--game", "sevens"),
            "--exact: sevens is too large for exact results; they are for dots_and_boxes",
        ),
        (("chain", "--rules", "board=4x4"), "exact results are for boards of at most 24 strings and 9 boxes"),
        (("optimal", "--opponent", "chian"), "neither a program file nor a player; did you mean `chain`"),
    ],
)
def test_mistakes(arguments: tuple[str, ...], message: str, gpkit) -> None:
    outcome = gpkit("run", *arguments, "--exact")
    assert outcome.code == 2
    assert message in outcome.err


def test_sampled_play_on_a_larger_board(tmp_path: Path, gpkit) -> None:
    text = "# game: dots_and_boxes\nx_0 w => x_0 - w\n"
    (tmp_path / "a.rules").write_text(text, encoding="utf-8")
    arguments = (
        "run",
        tmp_path / "a.rules",
        "--games",
        "200",
        "--json",
        "--rules",
        "board=5x5",
        "--seed",
        "3",
    )
    results = json.loads(gpkit(*arguments).out)["results"]
    assert [(r["opponent"], r["metric"], r["games"]) for r in results] == [
        ("greedy", "win_rate", 200),
        ("chain", "win_rate", 200),
    ]
    assert results[1]["mean"] < 0.1 < results[0]["mean"]
    assert [r["mean"] for r in json.loads(gpkit(*arguments).out)["results"]] == [r["mean"] for r in results]

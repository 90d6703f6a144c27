"""Records of what was selected and measured: the kept results say what is claimed."""

import json
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from result_pages import results
from rule_rates import result_of

from gpkit.core.registry import data_folder
from gpkit.languages.rulegraph.text import parse

ROOT = Path(__file__).resolve().parents[2]
PAGE = results("dots-and-boxes")
DATA = ROOT / "experiments" / "data" / "selected-dots-and-boxes.json"
RECORD: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))
RUNS: list[dict[str, Any]] = RECORD["runs"]
LARGER = ("4x4", "5x5")
CHOSEN_AGAINST = ("safe", "safe+min", "chain", "chain+ex12")
BEST = max(RUNS, key=lambda run: sum(run[name] for name in CHOSEN_AGAINST))


def test_lists_of_21_rules_win_more_often_than_their_opponent_on_larger_boards_too() -> None:
    assert all(run["rules"] <= 21 for run in RUNS)
    assert mean(run["chain"] for run in RUNS) >= 0.60
    assert mean(run["4x4"]["mean"] for run in RUNS) >= 0.45
    assert mean(run["5x5"]["mean"] for run in RUNS) >= 0.26


def test_the_shipped_list_is_the_best_of_them_on_the_board_it_was_learned_on() -> None:
    text = (data_folder("programs") / "dots_and_boxes" / "learned-21.rules").read_text(encoding="utf-8")
    source = parse(text)
    rules = source.program
    assert len(rules.rules) <= 21
    assert rules.level == 0
    for name in CHOSEN_AGAINST:
        assert result_of(rules, name).mean == pytest.approx(BEST[name], abs=1e-6)
    assert source.header["rates"] == ", ".join(f"{name} {BEST[name]:.4f}" for name in CHOSEN_AGAINST)


def test_the_page_tells_what_was_measured() -> None:
    average = " and ".join(f"{mean(run[board]['mean'] for run in RUNS):.2f}" for board in LARGER)
    assert (
        f"it wins {BEST['chain']:.3f} of the games against `chain` and {BEST['chain+ex12']:.3f} against the stronger "
        f"`chain+ex12`. On average, the five lists win {mean(run['chain'] for run in RUNS):.3f} of the games against "
        f"`chain`, and {average} on 4x4 and 5x5 boxes, which they have never seen."
    ) in PAGE

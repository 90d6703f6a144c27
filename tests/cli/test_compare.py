"""``gpkit compare``: verdicts, exit codes, several opponents as one."""

import json
import re
from pathlib import Path

import pytest

SIMPLE = "// game: sevens\nplay: env.depth + env.selfblock\nsend: env.dist\n"
WEAK = "play: env.rank\nsend: env.dist\n"
GAMES = ("--games", "1500")
FILES = {"strong.tree": SIMPLE, "weak.tree": WEAK}


def test_better_is_exit_code_0(folder: Path, gpkit) -> None:
    outcome = gpkit("compare", "strong.tree", "weak.tree", *GAMES)
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert re.split(r" {2,}", lines[0])[:3] == ["opponent", "metric", "first"]
    assert [line.split("  ")[0] for line in lines[1:4]] == ["random", "simple", "random + simple"]
    assert lines[4].startswith("strong.tree is better than weak.tree, by 0.")
    assert outcome.err.startswith("sevens: 3 players, seed 0; an even share is 0.333\n")


def test_worse_is_exit_code_1(folder: Path, gpkit) -> None:
    outcome = gpkit("compare", "weak.tree", "strong.tree", *GAMES, "--opponent", "simple")
    assert outcome.code == 1
    assert outcome.out.count("\n") == 3
    assert "weak.tree is worse than strong.tree, by 0." in outcome.out


def test_not_distinguished_is_exit_code_0(folder: Path, gpkit) -> None:
    outcome = gpkit("compare", "strong.tree", "simple", *GAMES)
    assert outcome.code == 0
    assert outcome.out.endswith("strong.tree and simple cannot be distinguished on 500 deals\n")


def test_json(folder: Path, gpkit) -> None:
    outcome = gpkit("compare", "weak.tree", "strong.tree", *GAMES, "--json", "--rules", "end=points")
    assert outcome.code == 1
    report = json.loads(outcome.out)
    assert report["schema"] == "gpkit/compare/1"
    assert (report["seed"], report["rules"]) == (0, {"end": "points"})
    assert [row["opponent"] for row in report["results"]] == ["random", "simple"]
    overall = report["overall"]
    assert (overall["first"], overall["second"]) == ("weak.tree", "strong.tree")
    assert overall["verdict"] == "worse"
    assert overall["metric"] == "points"
    low, high = overall["ci95"]
    assert low < overall["difference"] < high < 0.0
    assert overall["difference"] == pytest.approx(sum(r["difference"] for r in report["results"]) / 2)


SMALL = ("--rules", "board=2x2", "--exact")


def test_exact_difference_is_that_of_the_exact_results(folder: Path, gpkit) -> None:
    told = gpkit("compare", "chain", "safe", *SMALL, "--json", "--opponent", "greedy", "--opponent", "chain")
    report = json.loads(told.out)
    assert report["schema"] == "gpkit/compare/1"
    alone = gpkit("run", "chain", "safe", *SMALL, "--json", "--opponent", "greedy", "--opponent", "chain")
    means = [row["mean"] for row in json.loads(alone.out)["results"]]
    assert [row["means"] for row in report["results"]] == [[means[0], means[2]], [means[1], means[3]]]
    overall = report["overall"]
    assert overall["opponent"] == "greedy + chain"
    assert overall["difference"] == pytest.approx((means[0] + means[1] - means[2] - means[3]) / 2)
    assert (overall["ci95"], overall["games"], overall["exact"]) == (None, [0, 0], True)
    assert told.code == (1 if overall["difference"] < 0 else 0)


def test_exact_verdicts(folder: Path, gpkit) -> None:
    better = gpkit("compare", "optimal", "random", *SMALL, "--opponent", "greedy")
    assert better.code == 0
    assert re.split(r" {2,}", better.out.splitlines()[0])[-2:] == ["difference", "first is"]
    assert re.search(r"optimal is better than random, by 0\.\d+, computed exactly\n", better.out)
    assert gpkit("compare", "random", "optimal", *SMALL, "--opponent", "greedy").code == 1
    (folder / "a.rules").write_text("# game: dots_and_boxes\ntake: x_0 w => x_0 - w\n")
    (folder / "b.rules").write_text("# game: dots_and_boxes\nthe-same: x_1 w => x_1 - w\n")
    same = gpkit("compare", "a.rules", "b.rules", *SMALL, "--opponent", "greedy")
    assert (same.code, same.out.splitlines()[-1]) == (0, "a.rules and b.rules are equally good")

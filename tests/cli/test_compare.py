"""``gpkit compare``: verdicts, exit codes, several opponents as one."""

import json
import re
from pathlib import Path

import pytest

from gpkit import compare, fit
from gpkit.core.errors import UsageError

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


LINE = "2 * x"
ROWS = [(x, 2 * x + (x % 5 - 2) / 4, "high" if x > 19 else "low") for x in range(40)]


@pytest.fixture
def rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table and programs that predict its columns, in the folder to work in."""
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text(
        "\n".join(["x,y,kind", *(",".join(map(str, row)) for row in ROWS), ""]), encoding="utf-8"
    )
    programs = {"line.tree": LINE, "flat.tree": "39", "cut.decide": "test x <= 25\n  yes: low\n  no: high"}
    for name, text in programs.items():
        Path(name).write_text(f"{text}\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "code", "end"),
    [
        (("line.tree", "flat.tree", "--target", "y"), 0, "line.tree is better than flat.tree, by 0.99"),
        (("flat.tree", "line.tree", "--target", "y"), 1, "flat.tree is worse than line.tree, by 0.99"),
        (("line.tree", "line.tree", "--target", "y"), 0, "cannot be distinguished by r2 on 40 rows"),
        (
            ("cut.decide", "line.tree", "--target", "kind"),
            0,
            "is better than line.tree, by 0.375 in accuracy",
        ),
    ],
)
def test_rows_of_a_table_are_compared(rows: None, gpkit, words: tuple[str, ...], code: int, end: str) -> None:
    outcome = gpkit("compare", *words, "--data", "t.csv")
    assert (outcome.code, end in outcome.out.splitlines()[-1]) == (code, True), outcome.out + outcome.err


def test_a_constant_target_is_decided_by_another_metric(rows: None, gpkit) -> None:
    Path("same.csv").write_text("x,y\n" + "".join(f"{x},39\n" for x in range(40)), encoding="utf-8")
    outcome = gpkit("compare", "flat.tree", "line.tree", "--data", "same.csv", "--target", "y")
    note = "all rows have the same `y`, so R² is undefined: the verdict follows from rmse"
    assert (outcome.code, note in outcome.err) == (0, True), outcome.err
    assert "flat.tree is better than line.tree" in outcome.out
    assert note in compare("flat.tree", "line.tree", data="same.csv", target="y").notes
    assert "R²" not in gpkit("compare", "flat.tree", "line.tree", "--data", "t.csv", "--target", "y").err


def test_rows_as_json(rows: None, gpkit) -> None:
    outcome = gpkit("compare", "flat.tree", "line.tree", "--data", "t.csv", "--target", "y", "--json")
    found = json.loads(outcome.out)
    assert (outcome.code, found["first"], found["target"], found["verdict"]) == (1, "flat.tree", "y", "worse")
    assert [(each["metric"], each["verdict"], each["rows"]) for each in found["results"]] == [
        ("r2", "worse", 40),
        ("rmse", "worse", 40),
        ("mae", "worse", 40),
    ]
    assert compare("flat.tree", "line.tree", data="t.csv", target="y").to_rows() == found["results"]
    for each in found["results"]:
        first, second = each["means"]
        assert each["difference"] == pytest.approx(first - second)
        assert each["ci95"][0] < each["difference"] < each["ci95"][1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--data", "t.csv"), "name the column that both programs predict: --target"),
        (("--target", "y"), "this compares predictions for the rows of a table: add --data"),
        (
            ("--data", "t.csv", "--target", "y", "--games", "9"),
            "--data plays no games; leave out --games",
        ),
        (
            ("--data", "t.csv", "--target", "y", "--dialect", "if=statement"),
            "--data plays no games; leave out --dialect",
        ),
        (("--data", "t.csv", "--target", "z"), "t.csv has no column `z`"),
        (("--data", "none.csv", "--target", "y"), "none.csv"),
    ],
)
def test_rows_that_cannot_be_compared(rows: None, gpkit, words: tuple[str, ...], message: str) -> None:
    outcome = gpkit("compare", "line.tree", "flat.tree", *words)
    assert outcome.code == 2
    assert message in outcome.err


def test_numbers_and_classes_are_not_compared(rows: None, gpkit) -> None:
    Path("says.tree").write_text("// task: regression\nx\n", encoding="utf-8")
    outcome = gpkit("compare", "says.tree", "cut.decide", "--data", "t.csv", "--target", "kind")
    assert outcome.code == 2
    assert "says.tree predicts numbers and cut.decide classes" in outcome.err
    assert outcome.err.endswith("--task classification\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "// game: sevens\nplay: env.depth\nsend: env.dist",
            "odd.tree is a program for sevens, so it predicts no column",
        ),
        ("x * 1e200", "odd.tree predicts numbers of `y` that are too large to be squared"),
    ],
)
def test_programs_that_predict_nothing_to_compare(rows: None, gpkit, text: str, message: str) -> None:
    Path("odd.tree").write_text(f"{text}\n", encoding="utf-8")
    outcome = gpkit("compare", "line.tree", "odd.tree", "--data", "t.csv", "--target", "y")
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert message in outcome.err


def test_games_and_rows_are_not_compared_at_once(rows: None) -> None:
    with pytest.raises(UsageError, match="plays no games"):
        compare("line.tree", "flat.tree", data="t.csv", target="y", game="sevens")  # type: ignore[call-overload]
    with pytest.raises(UsageError, match="name the column that both programs predict: target="):
        compare("line.tree", "flat.tree", data="t.csv")  # type: ignore[call-overload]
    with pytest.raises(UsageError, match="leave out games="):
        compare("line.tree", "flat.tree", data="t.csv", target="y", games=5)  # type: ignore[call-overload]


def test_a_fit_is_compared(rows: None) -> None:
    found = fit("t.csv", "y", without=["kind"], generations=2, population=30)
    assert compare(found, "flat.tree", data="t.csv", target="y").verdict == "better"
    with pytest.raises(UsageError, match="fits are compared on the rows of a table"):
        compare(found, "flat.tree")  # type: ignore[call-overload]
    with pytest.raises(
        UsageError, match=r"plays no games: compare on rows with data=\.\.\. and target=\.\.\."
    ):
        compare(found.program, "flat.tree")


def test_fits_play_no_games(rows: None, gpkit) -> None:
    for seed, out in enumerate(("one", "two")):
        fit("t.csv", "y", without=["kind"], generations=1, population=30, seed=seed, folder=out)
    for programs in (("one", "two"), ("one/best/champion.tree", "flat.tree")):
        told = gpkit("compare", *programs).err
        assert "is a program for data, which plays no games: compare on rows with --data and --target" in told
    assert gpkit("compare", "one", "flat.tree", "--data", "t.csv", "--target", "y").code == 0

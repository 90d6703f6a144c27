"""``gpkit fit`` and ``gpkit predict``: formulas for the columns of a table, their metrics, and their predictions."""

import csv
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpkit.core.rng import stream
from gpkit.evolution.history import stored_generations
from gpkit.languages.arithmetic.text import parse

ROWS = 120


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a table of numbers, words and gaps, and one with classes."""
    folder = tmp_path_factory.mktemp("tables")
    rng = stream(1, "tables of fits")
    x, z = rng.uniform(-3.0, 3.0, ROWS), rng.uniform(0.0, 5.0, ROWS)
    is_male = rng.random(ROWS) < 0.5
    y = 2.5 * x + 4.0 * is_male + rng.normal(0.0, 0.1, ROWS)
    alive = rng.random(ROWS) < 1.0 / (1.0 + np.exp(2.0 - 2.0 * x - z))
    for name, target in (("numbers.csv", y.tolist()), ("classes.csv", np.where(alive, "yes", "no").tolist())):
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["x", "z", "sex", "y"])
            for row, end in enumerate(target):
                gap = "" if row % 9 == 0 else round(z[row], 3)
                writer.writerow([round(x[row], 4), gap, "male" if is_male[row] else "female", end])
    return folder


def fit(gpkit, tables: Path, out: Path, name: str, *words: object):
    sizes = ("--population", 50, "--operators", "+ - * /")
    return gpkit("fit", tables / name, "--target", "y", *sizes, "--out", out, *words)


def test_a_formula_for_numbers_predicts_rows_that_it_has_not_seen(
    gpkit, tables: Path, tmp_path: Path
) -> None:
    found = fit(gpkit, tables, tmp_path / "run", "numbers.csv", "--generations", 12, "--json")
    assert found.code == 0, found.err
    told = json.loads(found.out)
    assert (told["task"], told["rows"]) == ("regression", {"learned": 90, "held_out": 30, "dropped": 0})
    held_out = {metric["name"]: metric for metric in told["metrics"]["held_out"]}
    assert held_out["r2"]["mean"] > 0.95
    sizes = [member["size"] for member in told["front"]]
    assert sorted(sizes, reverse=True) == sizes
    assert len(told["misses"]) == 5
    chosen = told["front"][told["chosen"]]
    sizes_told = [chosen["size"], chosen["objectives"][1], len(parse(told["program"]).program)]
    assert sizes_told == [len(parse(chosen["program"]).program)] * 2 + sizes_told[2:]
    champion = tmp_path / "run" / "best" / "champion.tree"
    assert champion.read_text(encoding="utf-8") == told["program"]
    predicted = gpkit("predict", tmp_path / "run", tables / "numbers.csv", "--keep", "x")
    rows = list(csv.DictReader(predicted.out.splitlines()))
    assert list(rows[0]) == ["x", "prediction"]
    assert len(rows) == ROWS
    truth = [float(row["y"]) for row in csv.DictReader((tables / "numbers.csv").open(encoding="utf-8"))]
    errors = np.array([float(row["prediction"]) for row in rows]) - truth
    assert float((errors**2).mean()) < 0.05 * float(np.var(truth))
    metrics = json.loads(gpkit("predict", champion, tables / "numbers.csv", "--target", "y", "--json").out)
    (rmse,) = [metric["mean"] for metric in metrics["metrics"] if metric["name"] == "rmse"]
    assert rmse == pytest.approx(float(np.sqrt((errors**2).mean())))
    reported = json.loads(gpkit("report", tmp_path / "run", "--json").out)
    assert reported["champion"]["nodes"] == sizes_told[2]
    assert reported["fit"]["metrics"] == told["metrics"]
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert page.count('<circle class="f0"') >= 31, "a point for each row that is held out"
    assert all(miss["place"] in page and miss["target"] in page for miss in told["misses"])
    drawn = gpkit("draw", tmp_path / "run", "--what", "predictions").out
    assert drawn.splitlines()[0].split() == ["true", "held-out", "rows", "predicted", "is", "true"]


def test_a_formula_for_classes_tells_their_odds(gpkit, tables: Path, tmp_path: Path) -> None:
    found = fit(gpkit, tables, tmp_path / "run", "classes.csv", "--generations", 6)
    assert found.code == 0, found.err
    assert "classification: `y` is one of no, yes" in found.err
    champion = (tmp_path / "run" / "best" / "champion.tree").read_text(encoding="utf-8")
    assert '// classes: ["no", "yes"]' in champion
    assert "//" not in found.out, "the first lines of the program stand in its file alone"
    assert champion.splitlines()[-1] in found.out.splitlines()
    assert "held-out rows                auc" in found.out
    table = gpkit("draw", tmp_path / "run", "--what", "predictions").out.splitlines()
    counts = [[int(cell) for cell in line.split()[1:]] for line in table[1:]]
    assert (sum(map(sum, counts)), table[0].split()[-2:]) == (30, ["no", "yes"])
    right = (counts[0][0] + counts[1][1]) / 30
    assert f"{right:.4g}" in next(
        line for line in found.out.splitlines() if line.startswith("held-out rows                accuracy")
    )
    assert gpkit("draw", tmp_path / "run", "--what", "predictions", "-o", tmp_path / "seen.svg").code == 0
    svg = (tmp_path / "seen.svg").read_text(encoding="utf-8")
    assert all(f'">{count}</text>' in svg for row in counts for count in row)
    assert "style=" not in svg
    out = tmp_path / "out.csv"
    told = gpkit("predict", tmp_path / "run", tables / "classes.csv", "-o", out, "--probabilities")
    assert f"wrote {ROWS} predictions" in told.err
    rows = list(csv.DictReader(out.open(encoding="utf-8")))
    assert list(rows[0]) == ["prediction", "probability of no", "probability of yes"]
    for row in rows:
        no, yes = float(row["probability of no"]), float(row["probability of yes"])
        assert no + yes == pytest.approx(1.0)
        assert row["prediction"] == ("yes" if yes > no else "no")


def test_words_that_programs_cannot_write_have_no_feature(gpkit, tmp_path: Path) -> None:
    kinds = ("plain", '"a ""big"" one"')
    lines = [f"{n % 7},{kinds[n % 2]},{n % 3}00 $,{n % 2 + n % 7 / 10}" for n in range(40)]
    text = "\n".join(["size,kind,price,y", *lines])
    (tmp_path / "rows.csv").write_text(text, encoding="utf-8")
    words = ("--target", "y", "--generations", 2, "--population", 20, "--out", tmp_path / "run")
    asked = gpkit("fit", tmp_path / "rows.csv", *words, "--words", "price", "--json")
    assert asked.code == 0, asked.err
    assert list(json.loads(asked.out)["left_out"]) == ['kind_is_a "big" one']
    assert "read as words" not in asked.err
    assert gpkit("predict", tmp_path / "run", tmp_path / "rows.csv").err == ""
    doubted = gpkit("fit", tmp_path / "rows.csv", *words[:-1], tmp_path / "other")
    assert "left out: kind_is_a" in doubted.err
    assert "the cells of `price` are read as words" in doubted.err


@pytest.mark.release
def test_a_fit_that_is_resumed_ends_alike(gpkit, tables: Path, tmp_path: Path) -> None:
    whole = fit(gpkit, tables, tmp_path / "whole", "numbers.csv", "--generations", 4, "--json")
    fit(gpkit, tables, tmp_path / "part", "numbers.csv", "--generations", 2)
    on = gpkit("fit", "--resume", "--out", tmp_path / "part", "--generations", 4, "--json")
    first, second = json.loads(whole.out), json.loads(on.out)
    assert first["sha256"] == second["sha256"]
    assert first["program"] == second["program"]
    assert first["metrics"] == second["metrics"]
    again = gpkit("fit", "--resume", "--out", tmp_path / "part", "--seed", 1, "--population", 50)
    assert "is finished already; nothing to do" in again.err
    fewer = gpkit("fit", "--resume", "--out", tmp_path / "part", "--generations", 3)
    assert "is finished already; nothing to do\nstopped after 4 generations\n" in fewer.err
    part = tmp_path / "part"
    for words, told in (
        (["--seed", 2], "seed was 1 and is now 2"),
        (["--target", "x"], "fit.target was 'y' and is now 'x'"),
        (["--as", "tree"], "fit.programs was 'formulas' and is now 'trees'"),
        ([tables / "classes.csv"], "classes.csv have changed since the run started"),
    ):
        refused = gpkit("fit", *words, "--resume", "--out", part)
        assert (refused.code, told in refused.err) == (2, True), refused.err


def test_a_fit_whose_description_lacks_a_key_is_refused(gpkit, tables: Path, tmp_path: Path) -> None:
    part = tmp_path / "part"
    fit(gpkit, tables, part, "numbers.csv", "--generations", 2)
    description = json.loads((part / "run.json").read_text(encoding="utf-8"))
    for table, key in (("scheme", "alike"), ("refinement", "newcomers"), ("representation", "keeps")):
        without = {name: value for name, value in description["config"][table].items() if name != key}
        lacking = {**description, "config": {**description["config"], table: without}}
        (part / "run.json").write_text(json.dumps(lacking), encoding="utf-8")
        on = gpkit("fit", "--resume", "--out", part, "--generations", 4, "--json")
        assert (on.code, f"{table}.{key} was None and is now" in on.err) == (2, True), on.err


@pytest.mark.release
def test_another_formula_of_the_front_is_chosen_without_evolution(
    gpkit, tables: Path, tmp_path: Path
) -> None:
    def first(found: Any) -> dict[str, Any]:
        return json.loads(found.out)

    words = ("--generations", 6, "--json")
    ended = first(fit(gpkit, tables, tmp_path / "run", "numbers.csv", *words, "--choose", "first"))
    whole = first(fit(gpkit, tables, tmp_path / "other", "numbers.csv", *words, "--choose", "knee"))
    events = (tmp_path / "run" / "events.jsonl").read_text(encoding="utf-8")
    again = first(gpkit("fit", "--resume", "--out", tmp_path / "run", "--choose", "knee", "--json"))
    assert again["program"] == whole["program"] != ended["program"]
    assert (again["sha256"], again["front"]) == (ended["sha256"], ended["front"])
    now = (tmp_path / "run" / "events.jsonl").read_text(encoding="utf-8")
    assert now.count('"event": "generation"') == events.count('"event": "generation"')
    assert (tmp_path / "run" / "best" / "champion.tree").read_text(encoding="utf-8") == whole["program"]
    back = gpkit("fit", "--resume", "--out", tmp_path / "run", "--choose", "first", "--json")
    assert first(back)["program"] == ended["program"]
    assert "max(" in ended["program"], "its predictions are clipped"
    free = first(gpkit("fit", "--resume", "--out", tmp_path / "run", "--no-clip", "--digits", 2, "--json"))
    numbers = re.findall(r"\d+\.\d+", free["program"].splitlines()[-1])
    assert "max(" not in free["program"]
    assert numbers and all(len(number.strip("0.").replace(".", "")) <= 2 for number in numbers)
    measured = [found["metrics"]["learned"][0]["mean"] for found in (free, ended)]
    assert measured[0] < measured[1], "of the rounded formula"


@pytest.mark.release
def test_protection_in_many_rows_is_told(gpkit, tmp_path: Path) -> None:
    rng = stream(3, "protection")
    rows = [f"{x},{abs(x) ** 0.5 if x > 0 else 0}" for x in rng.uniform(-1, 1, 60).round(3).tolist()]
    (tmp_path / "roots.csv").write_text("x,y\n" + "\n".join(rows) + "\n", encoding="utf-8")
    (tmp_path / "mine.tree").write_text("sqrt(x)\n", encoding="utf-8")
    few = ("--operators", "sqrt *", "--population", 40, "--generations", 2, "--choose", "fittest")
    words = ("--start", tmp_path / "mine.tree", "--test", 0, "--out", tmp_path / "run")
    found = gpkit("fit", tmp_path / "roots.csv", "--target", "y", *few, *words)
    assert "`sqrt(x)` has a protected value in " in found.out + found.err
    told = json.loads(gpkit("fit", "--resume", "--out", tmp_path / "run", "--json").out)
    below = sum(float(row.split(",")[0]) < 0 for row in rows) / len(rows)
    assert told["protected"] == {"sqrt(x)": pytest.approx(below)}
    again = json.loads(gpkit("fit", "--resume", "--out", tmp_path / "run", "--choose", "first", "--json").out)
    assert again["protected"] == {}, "it pays for it in the choice"
    page = gpkit("report", tmp_path / "run", "-o", tmp_path / "page.html")
    assert page.code == 0, page.err


def test_a_formula_that_a_person_wrote_is_measured(gpkit, tables: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.tree"
    mine.write_text("2.5 * x + 4 * sex_is_male\n", encoding="utf-8")
    told = gpkit("predict", mine, tables / "numbers.csv", "--target", "y")
    assert told.code == 0, told.err
    assert "0.99" in next(line for line in told.out.splitlines() if " r2 " in line)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--target", "yy"], "has no column `yy`; did you mean `y`?"),
        ([], "name the column to predict: --target y"),
        (["--target", "sex", "--task", "regression"], "the column `sex` is "),
        (["--target", "y", "--inputs", "xx"], "has no column `xx`; did you mean `x`?"),
        (["--target", "y", "--inputs", '"a, b"'], "has no column `a, b`"),
        (["--target", "y", "--inputs", "y,x"], "cannot be an input, because it already has another role"),
        (
            ["--target", "y", "--class-weights", "a=1"],
            "class weights are for classes; the column `y` holds numbers",
        ),
        (["--target", "sex", "--class-weights", "mal=2"], "there is no class `mal`; did you mean `male`?"),
        (["--target", "sex", "--class-weights", "male"], "expected balanced, or weights such as no=1,yes=3"),
        (["--target", "y", "--split", "sex"], "rows with the word `test` are held out"),
        (["--target", "y", "--operators", "+ sinn"], "there is no operator of formulas `sinn`"),
        (["--target", "y", "--weights", "x"], "which is negative"),
        (["--target", "y", "--as", "tree", "--digits", "3"], "`digits` rounds the constants of formulas"),
        (["--target", "y", "--words", "zz"], "has no column `zz`"),
    ],
)
def test_mistakes_are_told(gpkit, tables: Path, tmp_path: Path, words: list[str], told: str) -> None:
    outcome = gpkit("fit", tables / "numbers.csv", "--out", tmp_path / "run", *words)
    assert (outcome.code, told in outcome.err) == (2, True), outcome.err
    assert not (tmp_path / "run").exists()


def test_tables_without_anything_to_learn_are_refused(gpkit, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    for text, told in (
        ("x,y\n1,2\n", "has 1 row with a target; expected more"),
        ("x,y\n1,2\n2,2\n3,2\n", "all rows of"),
        ("x,y\n1,2.5\n1,3\n1,4\n1,5\n", "no column to learn from: x: all of its cells are equal"),
        ("y\n1.5\n2\n", "it has no other column"),
    ):
        path.write_text(text, encoding="utf-8")
        outcome = gpkit("fit", path, "--target", "y")
        assert outcome.code == 2
        assert told in outcome.err


SOUND = [f"{row},{row * row % 7},{row * 37 % 11}.5" for row in range(14)]
"""Rows of three columns of numbers."""


@pytest.mark.parametrize(
    ("head", "last", "told"),
    [
        ("a,b,y", "x,1,2", "line 16: the column `a` is 'x', where a finite number is needed; if its cells"),
        ("a,b,y", "1,2", "line 16: 2 cells for 3 columns"),
        ("a,b,y", '"1,2,3', "line 16: a quotation mark is not closed"),
        ("a,b,y", "1,\0,3", "line 16: the column `b` is '\\x00', where a finite number is needed"),
        ("a,b,yy", "1,2,3", "has no column `y`; did you mean `yy`?"),
        ("y,b,y", "1,2,3", "line 1: columns 1 and 3 are both named `y`"),
        ("a,,y", "1,2,3", "line 1: column 2 has no name"),
        ("a,env.b,y", "1,2,3", "line 1, column 2: a formula cannot name 'env.b': rename the column, without"),
        (
            '"the ""a""",b,y',
            "1,2,3",
            "line 1, column 1: a formula cannot name 'the \"a\"': rename the column",
        ),
    ],
)
def test_what_is_wrong_in_a_table_is_told_with_its_place(
    gpkit, tmp_path: Path, head: str, last: str, told: str
) -> None:
    table = tmp_path / "table.csv"
    table.write_text("\n".join([head, *SOUND, last, ""]), encoding="utf-8")
    outcome = gpkit("fit", table, "--target", "y", "--out", tmp_path / "run")
    assert (outcome.code, told in outcome.err) == (2, True), outcome.err
    assert str(table) in outcome.err
    assert not (tmp_path / "run").exists()


def test_columns_may_have_names_of_operators_blanks_and_signs(gpkit, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    rows = [f"{x / 7},{x % 5},{2 * x / 7 + x % 5}" for x in range(40)]
    for head, name in (("log,max,y", "env.log"), ("été (°C),// b # c,y", '"été (°C)"')):
        table.write_text("\n".join([head, *rows, ""]), encoding="utf-8")
        out = tmp_path / f"run-{len(head)}"
        words = ("--generations", 3, "--population", 40, "--operators", "+ * max")
        found = gpkit("fit", table, "--target", "y", "--out", out, *words)
        assert found.code == 0, found.err
        assert name in found.out
        assert gpkit("predict", out, table, "--target", "y").code == 0
        assert gpkit("check", out / "best" / "champion.tree").code == 0


def test_columns_have_the_names_of_spreadsheets(gpkit, tmp_path: Path) -> None:
    lines = [f"{x / 10},{'on foot' if x % 3 else 'car'},{x / 5 + 3 * (x % 3 == 0)}" for x in range(60)]
    (tmp_path / "table.csv").write_text("\n".join(["Age (years),How?,y", *lines, ""]), encoding="utf-8")
    found = fit(gpkit, tmp_path, tmp_path / "run", "table.csv", "--generations", 5, "--json")
    assert found.code == 0, found.err
    assert '"Age (years)"' in json.loads(found.out)["program"]
    told = gpkit(
        "predict", tmp_path / "run" / "best" / "champion.tree", tmp_path / "table.csv", "--target", "y"
    )
    assert told.code == 0, told.err
    (tmp_path / "table.csv").write_text("Age (years),how\n1,car\n", encoding="utf-8")
    (tmp_path / "mine.tree").write_text('"Age (years)" * "How?_is_car"\n', encoding="utf-8")
    wrong = gpkit("predict", tmp_path / "mine.tree", tmp_path / "table.csv")
    assert "has no column `How?`, of which `How?_is_car` is a word" in wrong.err


def test_a_gap_that_a_formula_does_not_fill_is_refused_with_what_to_add(gpkit, tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("x,y\n1,2\n,3\n3,6\n", encoding="utf-8")
    mine = tmp_path / "mine.tree"
    mine.write_text("2 * x\n", encoding="utf-8")
    told = gpkit("predict", mine, tmp_path / "table.csv", "--target", "y")
    assert told.code == 2
    assert "line 3: `x` is empty" in told.err
    line = told.err[told.err.index("// fills") :].strip()
    mine.write_text(f"{line}\n2 * x\n", encoding="utf-8")
    assert gpkit("predict", mine, tmp_path / "table.csv").out.split() == ["prediction", "2", "4", "6"]


def test_each_of_several_classes_has_a_formula(gpkit, tmp_path: Path) -> None:
    rows = [(x / 10, "1st" if x < 20 else "2nd" if x < 40 else "far off") for x in range(60)]
    table = tmp_path / "table.csv"
    table.write_text("\n".join(["x,y", *(f"{x},{y}" for x, y in rows), ""]), encoding="utf-8")
    found = fit(gpkit, tmp_path, tmp_path / "run", "table.csv", "--generations", 12, "--json")
    assert found.code == 0, found.err
    told = json.loads(found.out)
    assert told["classes"] == ["1st", "2nd", "far off"]
    assert all(f"\n{section}: " in told["program"] for section in ("class_1st", "class_2nd", "far_off"))
    predicted = gpkit("predict", tmp_path / "run", table).out.split("\n")[1:-1]
    assert sum(word == y for word, (_, y) in zip(predicted, rows, strict=True)) > 50


@pytest.mark.parametrize(
    ("name", "metric", "least"), [("numbers.csv", "r2", 0.7), ("classes.csv", "accuracy", 0.7)]
)
def test_a_tree_predicts_numbers_or_classes(
    gpkit, tables: Path, tmp_path: Path, name: str, metric: str, least: float
) -> None:
    words = (
        "--as",
        "tree",
        "--size",
        15,
        "--population",
        20,
        "--generations",
        3,
        "--choose",
        "first",
        "--json",
    )
    found = gpkit("fit", tables / name, "--target", "y", "--out", tmp_path / "run", *words)
    assert found.code == 0, found.err
    told = json.loads(found.out)
    assert {m["name"]: m["mean"] for m in told["metrics"]["held_out"]}[metric] > least
    champion = tmp_path / "run" / "best" / "champion.decide"
    assert champion.read_text(encoding="utf-8") == told["program"]
    assert "fills" not in told["program"]
    scores = [member["objectives"][0] for member in told["front"]]
    assert sorted(scores, reverse=True) == scores
    predicted = gpkit("predict", champion, tables / name)
    assert len(predicted.out.splitlines()) == ROWS + 1


@pytest.mark.release
def test_a_fit_starts_from_programs_that_people_wrote(gpkit, tables: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.tree"
    mine.write_text("x * x + z * 3 * x\n", encoding="utf-8")
    (tmp_path / "mine.decide").write_text('test x <= 0.5\n  yes: "no"\n  no: "yes"\n', encoding="utf-8")
    for name, program, words in (
        ("numbers.csv", mine, ()),
        ("classes.csv", mine.with_suffix(".decide"), ("--as", "tree")),
    ):
        ends = ("--population", 20, "--generations", 0, "--choose", "first", "--json")
        out = tmp_path / name
        found = gpkit("fit", tables / name, "--target", "y", "--start", program, "--out", out, *ends, *words)
        assert found.code == 0, found.err
        assert any("x" in member["program"] for member in json.loads(found.out)["front"])
        assert str(program) in (out / "run.json").read_text(encoding="utf-8")
    again = fit(
        gpkit,
        tables,
        tmp_path / "again",
        "numbers.csv",
        "--generations",
        0,
        "--start",
        out.with_name("numbers.csv"),
    )
    assert again.code == 0, again.err
    champion = tmp_path / "numbers.csv" / "best" / "champion.tree"
    assert str(champion) in (tmp_path / "again" / "run.json").read_text(encoding="utf-8")
    assert (
        gpkit(
            "fit", tables / "numbers.csv", "--target", "y", "--start", tables, "--out", tmp_path / "no"
        ).code
        == 2
    )
    wrong = gpkit("fit", tables / "numbers.csv", "--target", "y", "--start", mine.with_suffix(".decide"))
    assert wrong.code == 2
    assert "this run evolves programs in arithmetic" in wrong.err
    mine.write_text("x * weight\n", encoding="utf-8")
    wrong = gpkit("fit", tables / "numbers.csv", "--target", "y", "--start", mine, "--out", tmp_path / "no")
    assert wrong.code == 2
    assert "`weight`" in wrong.err


def test_the_measures_at_the_end_are_within_the_time_limit(
    gpkit, tables: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gpkit.show.fit_findings.closing_seconds", lambda *_: 1000.0)
    monkeypatch.setattr("gpkit.api.runs.GRACE", 60.0)
    found = fit(gpkit, tables, tmp_path / "run", "numbers.csv", "--time-limit", "1000", "--json")
    assert found.code == 0, found.err
    assert json.loads(found.out)["reason"] == "1000 seconds"
    assert [each.generation for each in stored_generations(tmp_path / "run")] == [0]

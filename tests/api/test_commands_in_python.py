"""All that the command line can do can be done in Python: for each command, the same question has the same answer."""

import inspect
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from own_use import GAME, SMALL

import gpkit
from gpkit.api.games import commands_of_games
from gpkit.cli.commands import COMMANDS
from gpkit.cli.main import main
from gpkit.core.errors import GpkitError, UsageError
from gpkit.core.registry import GAMES, data_folder

TIC_TAC_TOE = data_folder("programs") / "games" / "tic_tac_toe.py"

Ask = Callable[..., Any]

pytestmark = pytest.mark.usefixtures("nobodys")


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Ask:
    """What a command prints with ``--json``, and how fast it was left out."""

    def asked(*words: object, code: int = 0) -> Any:
        assert main([*map(str, words), "--json"]) == code
        return json.loads(capsys.readouterr().out, object_hook=without_speed)

    return asked


def without_speed(values: dict[str, Any]) -> dict[str, Any]:
    """JSON values that no clock has changed."""
    return {name: each for name, each in values.items() if name not in ("seconds", "games_per_second")}


def plain(values: Any) -> Any:
    """Values as JSON gives them back."""
    return json.loads(json.dumps(values))


def test_several_opponents(ask: Ask) -> None:
    line = ("run", "simple", "champion", "--game", "sevens", "--opponent", "random", "--opponent", "simple")
    found = gpkit.run(["simple", "champion"], ["random", "simple"], game="sevens", games=60, seed=2)
    assert plain(found.to_rows()) == ask(*line, "--games", 60, "--seed", 2)["results"]
    assert [each.opponent for each in found] == ["random", "simple"] * 2


def test_exact(ask: Ask) -> None:
    line = ("run", "chain", "--game", "dots_and_boxes", "--exact", "--rules", "board=2x2")
    found = gpkit.run("chain", game="dots_and_boxes", exact=True, rules={"board": "2x2"})
    assert plain(found.to_rows()) == ask(*line)["results"]
    with pytest.raises(UsageError, match="sevens is too large for exact results"):
        gpkit.run("simple", game="sevens", exact=True)


def test_ladder(ask: Ask) -> None:
    (printed,) = ask("run", "rush", "--game", "build_order", "--ladder", "--games", 10)["tables"]
    assert plain(gpkit.ladder("rush", game="build_order", games=10).to_json()) == printed


@pytest.mark.parametrize("exact", [False, True])
def test_compare(ask: Ask, exact: bool) -> None:
    rules = {"board": "2x2"}
    line = ["compare", "random", "chain", "--game", "dots_and_boxes", "--opponent", "greedy", "--rules"]
    how = ["--exact"] if exact else ["--games", "40"]
    games = None if exact else 40
    printed = ask(*line, "board=2x2", *how, code=1)
    found = gpkit.compare(
        "random", "chain", "greedy", game="dots_and_boxes", rules=rules, exact=exact, games=games
    )
    assert plain(found.to_rows()) == printed["results"]
    assert plain(found.overall.to_json()) == printed["overall"]
    assert found.verdict == "worse"
    assert str(found).startswith("random is worse than chain, by ")


@pytest.mark.parametrize("series", [None, 2])
def test_tournament(ask: Ask, series: int | None) -> None:
    names = ["hunt", "random", "density"]
    line = ("tournament", *names, "--game", "battleship", "--games", 8, *(("--series", 2) if series else ()))
    printed = ask(*line)
    league = gpkit.tournament(names, game="battleship", games=8, series=series)
    assert plain(league.to_json()) == {k: v for k, v in printed.items() if k not in ("schema", "seed")}
    with pytest.raises(UsageError, match="two programs of a tournament are called `hunt`"):
        gpkit.tournament(["hunt", gpkit.load("hunt", game="battleship")], game="battleship")


def test_series(ask: Ask) -> None:
    line = ("series", "hunt", "random", "--game", "battleship", "--games", 2, "--repeat", 3)
    (printed,) = ask(*line)["results"]
    found = gpkit.series("hunt", "random", game="battleship", games=2, repeat=3)
    assert plain(found.to_json()) == printed
    assert len(found.to_frame()) == 2
    with pytest.raises(UsageError, match="sevens has no player that learns"):
        gpkit.series("simple", "random", game="sevens", memory="memories")


def test_trace(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["trace", "greedy", "--game", str(TIC_TAC_TOE), "--opponent", "random", "--until", "step > 1"]
    assert main([*line, "--json", "--seed", "3", "--formula"]) == 0
    head, *steps = map(json.loads, capsys.readouterr().out.splitlines())
    found = gpkit.trace("greedy", "random", game=TIC_TAC_TOE, until="step > 1", seed=3, formula=True)
    assert plain(found.to_rows()) == steps
    assert plain(found.record) == head
    assert found.holds
    assert not gpkit.trace("greedy", "random", game=TIC_TAC_TOE, until="step > 100").holds
    assert "<iframe" in found._repr_html_()
    assert "<script" not in found._repr_html_(), "it is escaped, and runs in the frame alone"


def test_check(ask: Ask) -> None:
    Path("mine.tree").write_text("play: env.dept\nsend: env.dis\n")
    printed = ask("check", "mine.tree", "--game", "sevens", code=1)["findings"]
    found = gpkit.check("mine.tree", game="sevens")
    assert [(each.code, each.message) for each in found] == [
        (each["code"], each["message"]) for each in printed
    ]
    assert [each.line for each in found] == [1, 2]
    assert found == gpkit.load("mine.tree", game="sevens").check()
    assert gpkit.explain("e010") == gpkit.explain("E010")


def test_list(ask: Ask) -> None:
    assert (
        list(gpkit.list("opponents", game="sevens")) == ask("list", "opponents", "--game", "sevens")["items"]
    )
    assert list(gpkit.list()) == ask("list")["items"]
    assert gpkit.list("games").to_frame()["name"].tolist() == [each["name"] for each in gpkit.list("games")]
    with pytest.raises(UsageError, match="there is no kind `game`; did you mean `games`"):
        gpkit.list("game")


@pytest.mark.usefixtures("brief_doctor")
def test_doctor(ask: Ask) -> None:
    (about,) = (each for each in ask("doctor")["findings"] if each["subject"] == "programs")
    (found,) = (each for each in gpkit.doctor().to_rows() if each["subject"] == "programs")
    assert found == about
    examined = gpkit.doctor(TIC_TAC_TOE, seed=1)
    assert examined.ok, examined
    with pytest.raises(UsageError, match=r"rules=\.\.\. needs game=\.\.\."):
        gpkit.doctor(rules={"players": 3})


def test_own_sensors() -> None:
    Path("mine.py").write_text(
        "from gpkit import sensor\n\n@sensor(0, 1, 'always one')\ndef one(observation, action):\n    return 1\n"
    )
    gpkit.add_sensors("mine.py", game="sevens")
    program = gpkit.parse("play: env.one * env.depth\nsend: env.dist", game="sevens")
    assert not program.check()
    assert gpkit.play(program, "random", games=3).games == 3


def test_new(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "config", "--game", "sevens"]) == 0
    assert gpkit.new("config", game="sevens") == capsys.readouterr().out


@pytest.mark.release
def test_report_and_drawings_of_a_run(ask: Ask) -> None:
    champion, run = gpkit.evolve(GAME, generations=1, settings=SMALL, folder="stored")
    report = gpkit.report(run, games=10)
    assert report.to_json()["generations"] == [plain(row) for row in run.to_rows()]
    assert report.to_json()["lineage"]
    report.save("page.html")
    assert Path("page.html").read_text() == report.html
    for what in ("curves", "sizes", "diversity", "lineage"):
        assert "<svg" in gpkit.drawing(run, what).svg
        assert str(gpkit.drawing("stored", what))
    assert str(gpkit.drawing(run)) == str(champion.draw())
    with pytest.raises(UsageError, match="was not stored"):
        gpkit.report(gpkit.evolve(GAME, generations=0, settings=SMALL)[1])


def test_drawings(capsys: pytest.CaptureFixture[str]) -> None:
    def drawn(*words: str) -> str:
        assert main(["draw", *words]) == 0
        return capsys.readouterr().out.rstrip("\n")

    assert str(gpkit.drawing("champion", game="sevens", diff="champion-40")) == drawn(
        "champion", "--game", "sevens", "--diff", "champion-40"
    )
    assert str(gpkit.drawing("champion", game="sevens", trace=True, opponent="random", games=2)) == drawn(
        "champion", "--game", "sevens", "--trace", "--opponent", "random", "--games", "2"
    )
    assert str(gpkit.drawing("double-dealer", game="dots_and_boxes", rule="1")) == drawn(
        "double-dealer", "--game", "dots_and_boxes", "--rule", "1"
    )
    dialect = {"target": "raster"}
    path = data_folder("programs") / "battleship" / "champion.sink"
    assert str(gpkit.drawing(path, dialect=dialect)) == drawn(str(path), "--dialect", "target=raster")
    with pytest.raises(UsageError, match=r"choose one of diff=\.\.\. and trace=\.\.\."):
        gpkit.drawing("rush", diff="six", trace=True)
    Path("small.board").write_text("+---+   +\n        |\n+   +   +\n")
    assert str(gpkit.drawing("small.board")) == drawn("small.board")


def test_exports(ask: Ask, capsys: pytest.CaptureFixture[str]) -> None:
    line = (
        "export",
        "champion",
        "--game",
        "sevens",
        "--to",
        "lua",
        "--check",
        "--evaluations",
        5,
        "--games",
        1,
    )
    found = gpkit.exports("champion", "lua", game="sevens", check=True, evaluations=5, games=1)
    assert {"schema": "gpkit/export-check/1", **plain(found.to_json())} == ask(*line)
    assert found.reports[0].is_equal
    assert found.exit_code == 0
    assert main(["export", "rush", "--to", "json"]) == 0
    assert gpkit.exports("rush", "json").text == capsys.readouterr().out
    several = gpkit.exports([gpkit.parse("x + 1", name="one"), gpkit.parse("x", name="two")], "python")
    with pytest.raises(UsageError, match="2 programs: name an existing folder"):
        several.save("both.py")
    Path("both").mkdir()
    assert [path.name for path in several.save("both")] == ["one.py", "two.py"]
    assert (Path("both") / "two.py").read_text() == gpkit.parse("x", name="two").export("python")
    for mistake, message in (
        (lambda: gpkit.exports([], "lua"), "name a program file"),
        (lambda: gpkit.exports("rush"), r"choose a format with to=\.\.\.: lua, python"),
        (lambda: gpkit.exports("rush", "json", no_vectors=True), r"leave out no_vectors=\.\.\."),
    ):
        with pytest.raises(UsageError, match=message):
            mistake()


TABLE = {
    "length": [1.0, 1.2, 1.1, 4.0, 4.2, 3.9, 1.3, 4.1] * 3,
    "kind": ["short", "short", "short", "long", "long", "long", "short", "long"] * 3,
}


@pytest.mark.parametrize("kind", ["file", pytest.param("columns", marks=pytest.mark.release), "frame"])
def test_trees_of_a_table(ask: Ask, kind: str) -> None:
    lines = ["length,kind", *(f"{length},{name}" for length, name in zip(*TABLE.values(), strict=True))]
    Path("table.csv").write_text("\n".join(lines) + "\n")
    data: Any = {"file": "table.csv", "columns": TABLE}.get(kind)
    if kind == "frame":
        data = pytest.importorskip("pandas").DataFrame(TABLE)
    few: dict[str, Any] = {"kind": "tree", "generations": 1, "seed": 3, "population": 8}
    found = gpkit.fit(data, "kind", **few, folder=f"by_{kind}")
    line = ("table.csv", "--target", "kind", "--as", "tree", "--generations", 1, "--seed", 3)
    printed = ask("fit", *line, "--population", 8, "--out", "by_command")
    assert printed["sha256"] == found.run.digest
    assert (
        str(found.program).splitlines()[-3:]
        == Path("by_command/best/champion.decide").read_text().splitlines()[-3:]
    )
    loose = gpkit.fit(data, "kind", **few)
    assert loose.run.digest == found.run.digest
    assert loose.program.header["data"] == ("table.csv" if kind == "file" else "a table in memory")
    if kind != "file":
        with pytest.raises(UsageError, match="continues with the table of the run: leave data out"):
            gpkit.fit(data, folder=f"by_{kind}", resume=True)
    further = gpkit.fit(folder=f"by_{kind}", resume=True, generations=2)
    assert [each.generation for each in further.run.generations] == [0, 1, 2]
    predicted = gpkit.predict(found, data, target="kind")
    of_command = ask("predict", "by_command", "table.csv", "--target", "kind")
    assert plain([each.to_json() for each in predicted.metrics]) == of_command["metrics"]
    assert predicted.confusion == of_command["confusion"] != {}


def test_wrong_data() -> None:
    with pytest.raises(UsageError, match="name the column to predict: --target kind"):
        gpkit.fit(TABLE)
    with pytest.raises(UsageError, match="the columns of data have different lengths"):
        gpkit.fit({"x": [1.0], "kind": ["a", "b"]}, "kind")
    fractions = {"x": list(range(12)), "kind": [0.5, 1.5] * 6}
    few: dict[str, Any] = {"kind": "tree", "generations": 0, "population": 8}
    assert gpkit.fit(fractions, "kind", **few).task == "regression"
    for folder in (None, "fractions"):
        found = gpkit.fit(fractions, "kind", words=["kind"], folder=folder, **few)
        assert {"0.5", "1.5"} & set(str(found.program).replace('"', "").split())
    on = gpkit.fit(folder="fractions", resume=True, generations=1)
    assert on.run.config.fit is not None
    assert on.run.config.fit.words == ("kind",)
    with pytest.raises(UsageError, match="have changed since the run started, or are"):
        gpkit.fit(folder="fractions", resume=True, words=["kind", "x"])
    with pytest.raises(
        UsageError, match="the column `kind` cannot be an input, because it already has another role"
    ):
        gpkit.fit(TABLE, "kind", inputs=["kind"])


@pytest.mark.parametrize("word", ["data", "target", "words"])
def test_evolution_says_where_rows_are(word: str) -> None:
    with pytest.raises(
        UsageError, match=rf"no argument `{word}`; rows are for gpkit.fit\(data, target, kind='tree'\)"
    ):
        gpkit.evolve(**{word: "kind"})  # type: ignore[call-overload]


@pytest.mark.parametrize("programs", ["formula", pytest.param("tree", marks=pytest.mark.release)])
def test_a_table_that_is_stored_overwrites_no_other(programs: Literal["formula", "tree"]) -> None:
    learn = partial(gpkit.fit, kind=programs)
    own = Path("mine.csv")
    own.write_text("x,y\n1,a\n2,b\n")
    with pytest.raises(UsageError, match=r"mine\.csv, which holds another table"):
        learn(data=TABLE, target="kind", folder="mine", generations=0)
    assert own.read_text() == "x,y\n1,a\n2,b\n"
    named = {"a; b; c; d; e": TABLE["length"], "kind": TABLE["kind"]}
    learn(data=named, target="kind", folder="stored", generations=0)
    learn(folder="stored", resume=True, generations=1)
    for wrong in ({"kind": ["a"] * 9, "x": [*range(9)]}, {"kind": [None] * 9, "x": [*range(9)]}):
        with pytest.raises(UsageError, match=r"have the same class|0 rows with a target"):
            learn(data=wrong, target="kind", folder="failed", generations=0)
        assert not Path("failed.csv").exists(), "of a run that has not begun"
    with pytest.raises(GpkitError, match="stored holds a run already"):
        learn(data=named, target="kind", folder="stored", generations=0)


def test_names_are_those_of_files() -> None:
    table = {" x": [*range(24)], "y": [*range(24)]}
    found = gpkit.fit(table, "y", folder="names", generations=0, population=10)
    assert found.predict(table).tolist() == gpkit.predict("names", "names.csv").values.tolist()
    with pytest.raises(UsageError, match="data has two columns named `x`: rename one of them"):
        found.predict({**table, "x": table["y"]})


def test_words_with_line_ends_are_stored() -> None:
    table = {"w": ["a\rb", "c\nd", "e"] * 8, "y": [*range(24)]}
    found = gpkit.fit(table, "y", folder="ends", generations=0, population=10)
    again = gpkit.fit(folder="ends", resume=True, generations=0)
    assert again.predict(table).tolist() == found.predict(table).tolist()
    assert gpkit.predict("ends", "ends.csv").values.tolist() == found.predict(table).tolist()


NUMBERS = {
    "x": [x / 4 for x in range(40)],
    "sex": ["male", "female"] * 20,
    "y": [x / 2 + 3 * (x % 2) for x in range(40)],
}
LITTLE: dict[str, Any] = {"operators": "+ *", "generations": 1, "population": 30, "seed": 2}


@pytest.mark.parametrize("kind", ["file", pytest.param("columns", marks=pytest.mark.release), "frame"])
def test_fit_and_predict(ask: Ask, kind: str) -> None:
    lines = [",".join(NUMBERS), *(",".join(map(str, row)) for row in zip(*NUMBERS.values(), strict=True))]
    Path("table.csv").write_text("\n".join(lines) + "\n")
    data: Any = {"file": "table.csv", "columns": NUMBERS}.get(kind)
    if kind == "frame":
        data = pytest.importorskip("pandas").DataFrame(NUMBERS)
    found = gpkit.fit(data, "y", **LITTLE, folder="python")
    words = [word for name, value in LITTLE.items() for word in (f"--{name}", value)]
    printed = ask("fit", "table.csv", "--target", "y", *words, "--out", "by_command")
    assert found.run.digest == printed["sha256"]
    assert str(found.program).splitlines()[-1] == printed["program"].splitlines()[-1]
    metrics = {part: [each.to_json() for each in rows] for part, rows in found.metrics.items()}
    assert plain(metrics) == printed["metrics"]
    assert [(m.place.rpartition(" ")[2], m.predicted) for m in found.misses] == [
        (m["place"].rpartition(" ")[2], m["predicted"]) for m in printed["misses"]
    ]
    told = ask("predict", "by_command", "table.csv", "--target", "y")
    again = gpkit.predict("python", data, target="y", keep=["sex"])
    assert plain([each.to_json() for each in again.metrics]) == told["metrics"]
    assert again.confusion == told["confusion"] == {}
    assert list(again.to_rows()[0]) == ["sex", "prediction"]
    assert again.values.tolist() == found.predict(data).tolist()


def test_fit_of_arrays_and_classes() -> None:
    array = np.array([[x, x % 7] for x in range(40)], dtype=np.float64)
    found = gpkit.fit(
        array, np.where(array[:, 0] > 20, "late", "early"), kind="tree", **{**LITTLE, "operators": ()}
    )
    assert (found.task, found.classes) == ("classification", ("early", "late"))
    assert found.predict([[39.0, 1.0], [1.0, 3.0]]).tolist() == ["late", "early"]
    predicted = gpkit.predict(found, array, probabilities=True)
    assert list(predicted.to_rows()[0]) == ["prediction", "probability of early", "probability of late"]
    assert "Classes of held-out rows" in found.svg
    assert "accuracy" in repr(found)
    with pytest.raises(UsageError, match="did you mean `population`"):
        gpkit.fit(array, "x0", populaton=3)
    with pytest.raises(UsageError, match="data has no column `x2`; there are: x0, x1"):
        gpkit.fit(array, "x2")
    with pytest.raises(UsageError, match="data=3: expected the path of a CSV or Parquet file"):
        gpkit.fit(3, "y")


@pytest.mark.parametrize("folder", [None, "stored"])
def test_predictions_are_labels_of_the_kind_of_the_target(folder: str | None) -> None:
    pandas = pytest.importorskip("pandas")
    numbers = np.arange(40)
    frame = pandas.DataFrame({"x": numbers * 1.0, "word": list("ab") * 20}, index=numbers + 100)
    for number, target in enumerate((numbers // 20, numbers > 19, np.where(numbers > 19, "1", "0"))):
        place = folder and f"{folder}{number}"
        found = gpkit.fit(frame.assign(y=target), "y", **{**LITTLE, "operators": "+ -"}, folder=place)
        predicted = found.predict(frame)
        assert predicted.tolist() == target.tolist()
        assert list(map(type, predicted.tolist())) == list(map(type, target.tolist()))
        assert predicted.index.equals(frame.index)
        assert found.classes == tuple(np.unique(target).tolist())
        told = gpkit.predict(place or found, frame[3:], probabilities=True)
        assert (told.classes, told.to_frame().index.tolist()) == (found.classes, frame.index[3:].tolist())
        assert "classification: `y` is one of " in found.notes[0]
    mine = gpkit.parse('// words: {"word": ["a"]}\nx + word_is_a')
    told = gpkit.predict(mine, frame.assign(y=target), target="y")
    assert "is read as the log odds that `y` is 1 and not 0" in told.notes[0]
    assert "20 rows of `word` have words that were not learned from: `b`" in told.notes[1]
    assert (
        gpkit.predict(mine, frame.assign(y=numbers // 20), target="y", task="regression").metrics[0].name
        == "r2"
    )


@pytest.mark.parametrize("folder", [pytest.param(None, marks=pytest.mark.release), "timed"])
def test_time_limit(folder: str | None) -> None:
    gpkit.evolve(GAME, generations=0, settings=SMALL)  # which imports and compiles
    _, run = gpkit.evolve(GAME, generations=10_000, settings=SMALL, time_limit=1, folder=folder)
    assert run.reason == "1 seconds"
    assert 1 < len(run.generations) < 10_000
    assert run.folder == (None if folder is None else Path(folder))


def test_commands_of_games(ask: Ask) -> None:
    printed = ask("solve", "--board", "1x2")
    assert plain({"schema": "gpkit/solve/1", **gpkit.solve(board="1x2").to_json()}) == printed
    found = gpkit.match("double-dealer", board="1x2")
    printed = ask("match", "double-dealer", "--board", "1x2")
    assert plain({"schema": "gpkit/match/1", **found.to_json()}) == printed


def test_commands_of_games_explain_themselves() -> None:
    with pytest.raises(UsageError, match="solve has no argument `bord`; did you mean `board`"):
        gpkit.solve(bord="2x2")
    with pytest.raises(UsageError, match="name either a file with a position"):
        gpkit.solve()
    with pytest.raises(UsageError, match="games='x': expected a whole number of at least 1"):
        gpkit.learn("dots_and_boxes", "ours", games="x")
    with pytest.raises(UsageError, match="to evolve programs for sevens: gpkit evolve sevens"):
        gpkit.learn("sevens", "ours")
    with pytest.raises(UsageError, match="resume='yes': expected True or False"):
        gpkit.learn("dots_and_boxes", "ours", resume="yes")
    with pytest.raises(gpkit.GpkitError, match="nobody"):
        gpkit.agent("show", "nobody", memory="memories")
    assert "perfect play" in (gpkit.solve.__doc__ or "")
    assert list(inspect.signature(gpkit.solve).parameters) == ["position", "board", "coins"]


def test_every_command_is_a_function_or_says_why_not() -> None:
    functions = {each.__name__: each for _, found in commands_of_games(GAMES) for each in found}
    assert {"solve", "learn", "match", "agent"} <= functions.keys()
    assert all(getattr(gpkit, name) is each for name, each in functions.items())
    for name in {line.name for line in COMMANDS} - gpkit._INSTEAD.keys():
        assert callable(getattr(gpkit, name)), name
    with pytest.raises(
        AttributeError, match=r"gpkit.serve is a command, not a Python function: it opens pages"
    ):
        gpkit.serve  # noqa: B018
    assert not hasattr(gpkit, "bench")


SMALL_FIT: dict[str, Any] = {"generations": 3, "population": 60, "seed": 1}


def noisy() -> dict[str, Any]:
    rng = np.random.default_rng(5)
    a, b, noise = rng.normal(size=(3, 120))
    return {"a": a, "b": b, "y": a * b + a + noise / 3, "kind": (a > b).astype(int)}


def test_the_scale_of_weights_changes_nothing() -> None:
    table = noisy()
    weights = np.random.default_rng(6).uniform(0.5, 2.0, 120)
    programs = {
        str(
            gpkit.fit(
                {**table, "w": weights * scale}, "y", weights="w", without=["kind"], **SMALL_FIT
            ).program
        )
        for scale in (1.0, 2.0**-30, 2.0**20)
    }
    assert len(programs) == 1
    assert (
        gpkit.fit(table, "y", weights=weights, without=["kind"], **SMALL_FIT).run.config.fit.weights
        == "weight"
    )
    with pytest.raises(UsageError, match=r"weights=.*: name a column of rows\.csv"):
        gpkit.fit("rows.csv", "y", weights=weights)


def test_class_weights_count_in_the_fit_alone() -> None:
    table = noisy()
    found = gpkit.fit(table, "kind", class_weights={0: 1, 1: 1e-9}, without=["y"], **SMALL_FIT)
    assert "class weights count in the fit, not in the metrics" in found.notes
    shown = {measure.name: measure.interval.mean for measure in found.metrics["learned"]}
    assert shown["accuracy"] < 0.8, "all are taken for the class that counts"
    assert "auc" in shown
    weighted = gpkit.fit(table, "kind", weights=np.linspace(0.1, 1.0, 120), without=["y"], **SMALL_FIT)
    assert "metrics count each row by `weight`; there is no AUC of weighted rows" in weighted.notes


def test_a_target_that_is_a_column_of_the_frame_is_that_column() -> None:
    frame = pytest.importorskip("pandas").DataFrame(noisy())
    found = gpkit.fit(frame, frame["y"], without=["kind"], **SMALL_FIT)
    assert found.run.config.fit.target == "y"
    assert str(found.program) == str(gpkit.fit(frame, "y", without=["kind"], **SMALL_FIT).program)
    with pytest.raises(UsageError, match="target: data has another column named `y`, too"):
        gpkit.fit(frame, 2 * frame["y"])


def line(extra: dict[str, Any], target: Any = "y") -> list[float]:
    """Predictions for 1 and 2 of a formula that is fitted to a line, of which other arguments may hide a half."""
    x = np.linspace(-1.0, 1.0, 60)
    found = gpkit.fit(
        {"x": x, "y": np.where(x < 0, 999.0, 2 * x + 1)}, target, operators="+ *", **SMALL_FIT, **extra
    )
    return [round(float(value), 6) for value in found.predict({"x": [1.0, 2.0], "y": [0.0, 0.0]})]


def test_masked_cells_are_empty() -> None:
    x = np.linspace(-1.0, 1.0, 60)
    wrong = np.ma.masked_array(np.where(x < 0, 999.0, 2 * x + 1), mask=x < 0)
    assert line({"without": ["y"]}, wrong) == [3.0, 5.0]
    assert line({"weights": np.ma.masked_array(np.ones(60), mask=x < 0)}) == [3.0, 5.0]


@pytest.mark.parametrize("weight", [1e-320, 1e-300, 1e308])
def test_weights_of_any_size_are_relative(weight: float) -> None:
    x = np.linspace(-1.0, 1.0, 60)
    assert line({"weights": np.where(x < 0, 0.0, weight)}) == [3.0, 5.0]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"weights": np.zeros(120)}, "has 0 rows with a target and a weight"),
        ({"weights": np.full(120, np.nan)}, "has 0 rows with a target and a weight"),
        ({"weights": np.arange(120).astype("m8[D]")}, "the column of weights `weight` holds times"),
        ({"class_weights": {0: 0, 1: 0}}, "class weights: at most one class has a weight above 0"),
        ({"class_weights": {0: 0, 1: 1}}, "class weights: at most one class has a weight above 0"),
    ],
)
def test_weights_that_leave_nothing_are_refused(options: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        gpkit.fit(noisy(), "kind", without=["y"], **SMALL_FIT, **options)

"""``gpkit study``: many runs on problems, games and tables, killed at any moment, and refused where a file is wrong."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import gpkit as api
from gpkit.core import plugins
from gpkit.core.errors import UsageError
from gpkit.core.rng import stream

WALK = (Path(__file__).parents[1] / "user_games" / "walk.py").read_text(encoding="utf-8")
FILES = {
    "curve.py": """import gpkit

def near(program):
    return -max(abs(program(x=x) - (x * x + x)) for x in (-2.0, -1.0, 0.5, 1.0, 3.0))

problem = gpkit.problem(near, sensors={"x": (-5, 5)}, operators="+ *",
    settings={"population": {"size": 12}, "stop": {"generations": 3}})
""",
    "fails.py": """import gpkit

def near(program):
    if program(x=2.0) > 40.0:
        raise ValueError("too far")
    return -abs(program(x=2.0) - 7.0)

problem = gpkit.problem(near, sensors={"x": (0, 3)},
    settings={"population": {"size": 6}, "stop": {"generations": 5}})
""",
    "walk.py": WALK,
    "rows.csv": "x,y,kind\n" + "".join(f"{k / 10},{k * k / 50 + 1},{'ab'[k > 14]}\n" for k in range(30)),
    "study.toml": """seeds = 3

[problems.curve]
what = "curve.py"
success = -1.0
settings.stop.generations = 2

[problems.rows.settings]
fit = {file = "rows.csv", target = "y", operators = ["+", "*"]}
stop.generations = 1

[problems.walk]
what = "walk.py"
games = 4
settings = {stop.generations = 1, fitness = {deals = 2, validation_deals = 4}, refinement.finish = false}

[configurations.few]
population.size = 4
scheme.elites = 1

[configurations.many]
population.size = 16
""",
}

pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture(autouse=True)
def found_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files and distributions are found anew by each test."""
    monkeypatch.setattr(plugins, "here", plugins.Discovery(installed=plugins.here.installed))


def table(text: str) -> dict[str, object]:
    """The answer in JSON, without the folder."""
    return {key: value for key, value in json.loads(text).items() if key != "folder"}


def test_problems_games_and_tables_are_measured_each_in_its_way(gpkit) -> None:
    done = gpkit("study", "study.toml", "--out", "here", "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert [(each["problem"], each["metric"], each["direction"]) for each in found["problems"]] == [
        ("curve", "score", 1.0),
        ("rows", "r2", 1.0),
        ("walk", "days", -1.0),
    ]
    assert len(found["runs"]) == 18
    by_name = {(each["problem"], each["configuration"]): each for each in found["rows"]}
    assert all(each["runs"] == 3 for each in by_name.values())
    assert by_name["curve", "many"]["successes"] is not None
    assert all(3.0 <= each["value"] <= 9.0 for each in found["runs"] if each["problem"] == "walk")
    one = next(each for each in found["runs"] if each["problem"] == "rows" and each["seed"] == 2)
    fit = api.load("here/rows/few/2")
    assert one["size"] == fit.size
    assert len(one["curve"]) == 2
    assert "<h2>Tests</h2>" in Path("here/study.html").read_text()
    assert "it holds here/study.html and the run here/walk/many/3" in gpkit("report", "here").err
    own = gpkit(
        "evolve", "curve.py", "--seed", 3, "--generations", 2, "--json", "--out", "own"
    )  # 12 programs
    assert json.loads(own.out)["champion"]["score"] <= 0.0


@pytest.mark.release
def test_the_value_of_a_run_is_that_of_the_same_run_alone(gpkit) -> None:
    done = gpkit(
        "study", "study.toml", "--problem", "curve.py", "--seeds", 1, "--seed", 5, "--out", "here", "--json"
    )
    assert done.code == 0, done.err
    value = {each["configuration"]: (each["value"], each["sha256"]) for each in json.loads(done.out)["runs"]}
    problem = vars(plugins.imported_file("curve.py"))["problem"]
    _, run = api.evolve(problem, seed=5, settings={"population": {"size": 4}, "scheme": {"elites": 1}})
    assert value["few"] == (run.score, run.digest)


def test_a_study_goes_on_with_more_seeds_and_its_workers_change_nothing(gpkit) -> None:
    text = Path("study.toml").read_text().replace("seeds = 3", "seeds = 2")
    Path("study.toml").write_text(text)
    first = gpkit("study", "study.toml", "--seeds", 1, "--out", "here", "--json")
    again = gpkit("study", "study.toml", "--seeds", 1, "--out", "here")
    assert (again.code, "holds a run already; continue it with --resume" in again.err) == (2, True)
    before = {path: path.stat().st_mtime_ns for path in Path("here").rglob("outcome.json")}
    more = gpkit("study", "study.toml", "--out", "here", "--json", "--resume", "--workers", 2)
    assert more.code == 0, more.err
    assert {path: path.stat().st_mtime_ns for path in before} == before
    whole = gpkit("study", "study.toml", "--out", "whole", "--json")
    assert table(more.out) == table(whole.out) != table(first.out)
    other = Path("study.toml").read_text().replace("size = 16", "size = 17")
    Path("study.toml").write_text(other)
    changed = gpkit("study", "study.toml", "--out", "here", "--resume")
    assert (changed.code, "many on curve.population was" in changed.err) == (2, True)


def test_a_failed_run_is_named_and_the_others_go_on(gpkit) -> None:
    done = gpkit("study", "fails.py", "--seeds", 6, "--out", "here")
    assert done.code == 1
    assert "failed: fails on near, seed " in done.err
    assert "fails.py, line 5" in done.err
    count = done.err.count("failed:")
    assert 0 < count < 6
    assert f"near     fails          {6 - count:>4}" in done.out
    assert len([*Path("here").rglob("outcome.json")]) == 6 - count


def test_configurations_without_problems_are_whole_ones(gpkit) -> None:
    short = "stop.generations = 0\nrefinement.finish = false\nfitness = {deals = 1, validation_deals = 1}\n"
    for name, size in (("few", 4), ("many", 8)):
        Path(f"{name}.toml").write_text(
            f"preset = 'sevens'\nscheme.elites = 1\npopulation.size = {size}\n{short}"
        )
    done = gpkit("study", "few.toml", "many.toml", "--seeds", 1, "--games", 2, "--success", 0.1, "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert [(each["problem"], each["configuration"], each["runs"]) for each in found["rows"]] == [
        ("sevens", "few", 1),
        ("sevens", "many", 1),
    ]
    assert found["folder"].endswith("runs/few")
    other = gpkit("study", "few.toml", "battleship", "--seeds", 1)
    assert (other.code, "battleship: game is 'battleship', but 'sevens' for others" in other.err) == (2, True)


def test_python_takes_values_and_gives_values() -> None:
    problem = vars(plugins.imported_file("curve.py"))["problem"]
    sizes = {"few": {"population": {"size": 6}}, "many": {"population": {"size": 30}}}
    found = api.study(sizes, [problem], seeds=6, success=-0.5)
    assert [(each.problem, each.configuration, each.runs) for each in found.rows] == [
        ("near", "few", 6),
        ("near", "many", 6),
    ]
    assert found.folder is None
    assert {row["seed"] for row in found.to_rows()} == set(range(1, 7))
    assert found.exit_code == 0
    assert str(found).startswith("near: ")
    lone = api.study(problem, seeds=2)
    assert lone.pairings == ()


def test_parts_of_ones_own_are_compared_by_name() -> None:
    def last(rng, population):
        return len(population) - 1

    problem = vars(plugins.imported_file("curve.py"))["problem"]
    api.register("selector", "the-last", last)
    try:
        ways = {"usual": {}, "last": {"selection": {"name": "the-last"}}}
        found = api.study(ways, problem, seeds=2)
    finally:
        api.unregister("selector", "the-last")
    assert [each.runs for each in found.rows] == [2, 2]
    assert found.outcomes[0].sha256 != found.outcomes[1].sha256


def test_an_interrupt_says_how_the_study_goes_on(gpkit, monkeypatch: pytest.MonkeyPatch) -> None:
    from gpkit.api import study_runs

    begun = study_runs.Arm.run

    def interrupted(arm: study_runs.Arm, name: str, seed: int, place: Path | None) -> object:
        if seed == 2:
            raise KeyboardInterrupt
        return begun(arm, name, seed, place)

    monkeypatch.setattr(study_runs.Arm, "run", interrupted)
    done = gpkit("study", "curve.py", "--seeds", 3, "--out", "here")
    assert done.code == 4
    assert "continue with: gpkit study curve.py --seeds 3 --out here --resume" in done.err
    monkeypatch.setattr(study_runs.Arm, "run", begun)
    assert gpkit("study", "curve.py", "--seeds", 3, "--out", "here", "--resume").code == 0


def test_nothing_named_is_refused(gpkit) -> None:
    done = gpkit("study")
    assert (done.code, "name a configuration file or a preset" in done.err) == (2, True)


def test_a_damaged_outcome_is_refused(gpkit) -> None:
    assert gpkit("study", "curve.py", "--seeds", 1, "--out", "here").code == 0
    (path,) = Path("here").rglob("outcome.json")
    path.write_text("{}")
    on = gpkit("study", "curve.py", "--seeds", 1, "--out", "here", "--resume")
    assert (on.code, "outcome.json is damaged" in on.err) == (2, True)


REFUSED = {
    "sedes = 3\n[problems]\na = 'curve.py'\n": "s.toml: the top level has no key `sedes`; did you mean `seeds`?",
    "seeds = 0\n[problems]\na = 'curve.py'\n": "s.toml: seeds = 0: expected 1 to 1,000",
    "[problems]\n'../a' = 'curve.py'\n": "`../a` names a folder: expected letters",
    "[problems]\n'nul' = 'curve.py'\n": "`nul` names a folder",
    "[problems.a]\nwaht = 'curve.py'\n": "table [problems.a] has no key `waht`; did you mean `what`?",
    "[problems]\na = 'curv.py'\n": "there is no file curv.py; did you mean curve.py?",
    "[problems]\na = 'sevns'\n": "problems.a: `sevns` is neither a .toml file nor a preset; did you mean `sevens`?",
    "[problems]\na = 'curve.py'\n[configurations.b]\npopulaton.size = 3\n": (
        "configurations.b on a: the top level has no key `populaton`; did you mean `population`?"
    ),
    "[problems]\na = 'curve.py'\n[configurations.b]\npopulation.size = 1\n": "b on a: population.size = 1",
    "[problems]\na = 'curve.py'\n[configurations.b]\nselection.name = 'turnament'\n": "did you mean `tournament`?",
    "[problems]\na = 'curve.py'\n[configurations]\nb = 3\n": "configurations.b on a: ",
    "[problems.a.settings]\nstop.generations = 3\n": "problems.a: name a configuration file or a preset",
    "[configurations.b]\n": "configurations.b: name a configuration file or a preset",
    "[problems.a.settings]\nfit = {file = 'rows.csv', target = 'z'}\n": "problems.a: rows.csv has no column `z`",
    "[problems.a.settings]\nfit = {file = 'rows.csv', target = 'y', held_out = 0.0}\n": "no rows are held out",
    "[problems.a.settings]\nfit = {file = 'rows.csv', target = 'y'}\n[configurations.b]\nfit.held_out = 0.5\n": (
        "configurations.b on a: fit.held_out is 0.5, but 0.25 for others"
    ),
    "[configurations.b]\ngame = 'sevens'\n[configurations.c]\ngame = 'battleship'\n": "c: battleship has no",
    "[problems\n": "s.toml: ",
}


@pytest.mark.parametrize("text", REFUSED)
def test_hostile_files_are_refused_with_their_place(text: str, gpkit) -> None:
    Path("s.toml").write_text(text)
    done = gpkit("study", "s.toml", "--out", "here")
    assert (done.code, done.out) == (2, "")
    assert REFUSED[text] in done.err, done.err
    assert "Traceback" not in done.err
    assert not Path("here").exists()


def test_two_of_one_name_are_refused(gpkit) -> None:
    Path("sub").mkdir()
    Path("sub/curve.py").write_text(FILES["curve.py"])
    done = gpkit("study", "curve.py", "sub/curve.py")
    assert (done.code, "two are called `curve`" in done.err) == (2, True)
    with pytest.raises(UsageError, match="seeds=0: expected a whole number from 1"):
        api.study("curve.py", seeds=0)


def killed(moment: int, delay: float, workers: int) -> bool:
    """Begin the study or go on with it, and kill it when so many runs have ended, and a moment has gone by."""
    command = [
        sys.executable,
        "-m",
        "gpkit",
        "study",
        "study.toml",
        "--out",
        "here",
        "--workers",
        f"{workers}",
    ]
    resume = ["--resume"] if Path("here/run.json").exists() else []
    with subprocess.Popen(
        [*command, *resume], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        while process.poll() is None and len([*Path("here").rglob("outcome.json")]) < moment:
            time.sleep(0.01)
        time.sleep(delay)
        is_alive = process.poll() is None
        process.send_signal(signal.SIGKILL)
    return is_alive


def check_killed(gpkit, moments: list[int], workers: int) -> None:
    """The study that was killed at these moments goes on to the table of the one that was not."""
    whole = gpkit("study", "study.toml", "--out", "whole", "--json")
    delays = stream(1, "delays").random(len(moments))
    alive = [
        killed(moment, float(delay) / 4, 1 + place % workers)
        for place, (moment, delay) in enumerate(zip(moments, delays, strict=True))
    ]
    assert any(alive)
    after = gpkit("study", "study.toml", "--out", "here", "--resume", "--json")
    assert after.code == 0, after.err
    assert table(after.out) == table(whole.out)
    assert not [*Path("here").rglob("*.next")]


@pytest.mark.release
@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_a_study_that_is_killed_goes_on_to_an_equal_table(gpkit) -> None:
    check_killed(gpkit, [4], 1)


@pytest.mark.release
@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_a_study_of_120_runs_is_killed_at_20_moments(gpkit) -> None:
    text = Path("study.toml").read_text().replace("seeds = 3", "seeds = 20")
    Path("study.toml").write_text(text)
    check_killed(gpkit, sorted(stream(2, "moments").integers(0, 115, size=20).tolist()), 2)


@pytest.mark.release
def test_a_thousand_short_runs(gpkit) -> None:
    sizes = {f"size-{size}": {"population": {"size": size}, "scheme": {"elites": 1}} for size in (2, 3, 4, 5)}
    problem = vars(plugins.imported_file("curve.py"))["problem"]
    found = api.study(sizes, problem, seeds=250, folder="here")
    assert sum(each.runs for each in found.rows) == 1000
    assert len(found.pairings) == 6
    assert not found.failed

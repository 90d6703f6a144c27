"""``gpkit evolve problem.py``: a problem of one's own in a file, with a folder, workers, pages, and parts installed."""

import json
import pickle
from pathlib import Path

import pytest
from web_clients import guest

from gpkit.api.problems import ProgramScorer, problem_of_file
from gpkit.core import plugins

PROBLEM = """import numpy as np
import gpkit

X = np.linspace(-1, 1, 9)


class Error:
    def evaluate(self, programs, seed, generation):
        return [-float(np.sum((each(x=X) - X * X) ** 2)) for each in programs]


PROBLEM = gpkit.problem(
    Error(), name="square", sensors={"x": (-1, 1)}, settings={"population": {"size": 16}}
)
"""
FILES = {
    "problem.py": PROBLEM,
    "other.py": PROBLEM.replace("X * X", "X"),
    "two.py": f"{PROBLEM}\nMORE = gpkit.problem(len, name='more', sensors='x')\n",
    "none.py": "import gpkit\n",
    "broken.py": "import gpkit\n\ndef fit(program):\n    return 1 / 0\n\nP = gpkit.problem(fit, sensors='x')\n",
    "loops.py": """import gpkit

def fit(program):
    while True:
        pass

P = gpkit.problem(fit, sensors="x", settings={"problem": {"seconds": 0.5}})
""",
}

pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture(autouse=True)
def found_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files and distributions are found anew by each test."""
    monkeypatch.setattr(plugins, "here", plugins.Discovery(installed=plugins.here.installed))


def test_a_file_is_evolved_and_gone_on_with(gpkit) -> None:
    whole = gpkit("evolve", "problem.py", "--generations", 3, "--out", "whole", "--json")
    assert whole.code == 0, whole.err
    part = gpkit("evolve", "problem.py", "--generations", 1, "--out", "part")
    assert "evolving for the problem square in part, seed 1" in part.err
    assert part.out.startswith("// problem: square\n// seed: 1\n")
    assert "score of the champion: -" in part.err
    on = gpkit("evolve", "problem.py", "--resume", "--out", "part", "--generations", 3, "--json")
    first, second = json.loads(whole.out), json.loads(on.out)
    assert first["sha256"] == second["sha256"]
    assert first["champion"]["score"] == second["champion"]["score"]
    done = gpkit("evolve", "problem.py", "--resume", "--out", "part", "--generations", 3)
    assert "finished already" in done.err


def test_a_run_whose_description_lacks_a_key_is_refused(gpkit) -> None:
    assert gpkit("evolve", "problem.py", "--generations", 1, "--out", "run").code == 0
    description = json.loads(Path("run/run.json").read_text())
    for table, key in (("refinement", "rounds"), ("scheme", "alike"), ("representation", "keeps")):
        without = {name: value for name, value in description["config"][table].items() if name != key}
        lacking = {**description, "config": {**description["config"], table: without}}
        Path("run/run.json").write_text(json.dumps(lacking))
        on = gpkit("evolve", "problem.py", "--resume", "--out", "run", "--generations", 2)
        assert (on.code, f"{table}.{key} was None and is now" in on.err) == (2, True), on.err


def test_a_folder_imports_nothing(gpkit) -> None:
    assert gpkit("evolve", "problem.py", "--generations", 1, "--out", "run").code == 0
    unnamed = gpkit("evolve", "--resume", "--out", "run")
    assert unnamed.code == 2
    assert "name this file again, as in gpkit evolve problem.py --resume --out DIR" in unnamed.err
    other = gpkit("evolve", "other.py", "--resume", "--out", "run")
    assert other.code == 2
    assert (
        "the code of the problem `square` has changed since the run started, or another problem is named"
        in other.err
    )
    assert gpkit("evolve", "problem.py", "--resume", "--out", "run", "--generations", 2).code == 0


def test_comments_and_the_main_block_may_change_before_a_run_goes_on(gpkit) -> None:
    text = Path("problem.py").read_text(encoding="utf-8")
    assert gpkit("evolve", "problem.py", "--generations", 1, "--out", "run").code == 0
    for more, code in (("\n# later\nif __name__ == '__main__':\n    print(1)\n", 0), ("\nLATER = 1\n", 2)):
        plugins.here.digests.clear()
        Path("problem.py").write_text(f"# first\n\n{text}{more}", encoding="utf-8")
        on = gpkit("evolve", "problem.py", "--resume", "--out", "run", "--generations", 2)
        assert (on.code, "has changed since the run started" in on.err) == (code, code == 2), on.err


@pytest.mark.release
def test_pages_and_pictures_need_no_file(gpkit) -> None:
    assert gpkit("evolve", "problem.py", "--generations", 2, "--out", "run").code == 0
    Path("problem.py").unlink()
    assert gpkit("report", "run").code == 0
    page = Path("run/report.html").read_text()
    assert "An evolved program for square" in page
    assert gpkit("draw", "run", "-o", "picture.svg").code == 0
    assert gpkit("draw", "run", "--lineage", "-o", "lineage.svg").code in (0, 2)
    client, _ = guest(Path.cwd())
    shown = client.get("/runs/run")
    assert shown.status_code == 200
    assert "score in validation" in shown.text


def test_a_match_refuses_what_is_for_a_problem(gpkit) -> None:
    Path("square.tree").write_text("// problem: square\nx * x\n")
    refused = gpkit("run", "square.tree", "square.tree")
    assert refused.code == 2
    assert "square.tree is for the problem `square`, not for a game: call `gpkit.load`" in refused.err


def test_a_run_stands_for_its_champion(gpkit) -> None:
    for seed in (1, 2):
        assert (
            gpkit("evolve", "problem.py", "--generations", 1, "--seed", seed, "--out", f"run{seed}").code == 0
        )
    for words in (
        ("compare", "run1", "run2"),
        ("run", "run1"),
        ("trace", "run1"),
        ("tournament", "run1", "run2"),
    ):
        refused = gpkit(*words)
        assert refused.code == 2
        assert "champion.tree is for the problem `square`, not for a game" in refused.err
    checked = gpkit("check", "run1")
    assert (checked.code, "no game is named" in checked.out) == (0, False)


def test_other_processes_read_the_file_themselves() -> None:
    problem = problem_of_file("problem.py")
    assert problem is not None
    scorer = pickle.loads(pickle.dumps(ProgramScorer(problem, "problem.py")))  # noqa: S301
    assert scorer.sha256 == plugins.digest_of("problem.py")
    assert scorer.changes


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("two.py", "holds 2 problems, `square`, `more`; expected one per file"),
        ("none.py", "none.py has no game and no problem: expected a last line"),
        ("nothing.py", "nothing.py"),
        ("broken.py", "broken.py, line 4, in fit: ZeroDivisionError"),
        ("loops.py", "loops.py, line 4, in fit: timed out"),
    ],
)
def test_what_is_wrong_is_told(gpkit, file: str, words: str) -> None:
    outcome = gpkit("evolve", file, "--out", "run")
    assert outcome.code == 2
    assert words in outcome.err


PARTS = """
def halved(rng, program):
    return program.simplify()

def last(rng, population):
    return len(population) - 1

def after(count):
    return lambda state: f"{count} of its own" if state.generation >= count else None

def first(summary, champion):
    return champion.language == "arithmetic"
"""
POINTS = """
[gpkit.operators]
halved = own_parts_of_tests:halved
[gpkit.selectors]
last = own_parts_of_tests:last
broken = own_parts_that_are_not_there:last
[gpkit.stops]
after = own_parts_of_tests:after
[gpkit.callbacks]
first = own_parts_of_tests:first
"""
CONFIG = """
game = "sevens"
[population]
size = 8
[fitness]
deals = 2
validation_deals = 2
[refinement]
finish = false
[selection]
name = "last"
[operators]
halved = 1.0
[stop]
callbacks = ["first"]
[stop.rules]
after = 1
"""


@pytest.fixture
def distribution(gpkit, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A distribution with parts, which is installed for a test."""
    place = folder / "site"
    (place / "own_parts-1.2.dist-info").mkdir(parents=True)
    (place / "own_parts_of_tests.py").write_text(PARTS)
    (place / "own_parts-1.2.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: own-parts\nVersion: 1.2\n"
    )
    (place / "own_parts-1.2.dist-info" / "entry_points.txt").write_text(POINTS)
    monkeypatch.syspath_prepend(place)
    monkeypatch.setattr(plugins, "here", plugins.Discovery())
    return place


def test_installed_parts_are_named_in_configurations(
    gpkit, distribution: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("own.toml").write_text(CONFIG)
    outcome = gpkit("evolve", "own.toml", "--out", "run")
    assert outcome.code == 0, outcome.err
    assert "stopped after 1 of its own" in outcome.err
    versions = json.loads(Path("run/run.json").read_text())["versions"]
    assert {name: version for name, version in versions.items() if name.startswith("own ")} == {
        "own operator halved": "own-parts 1.2",
        "own selector last": "own-parts 1.2",
        "own stop after": "own-parts 1.2",
        "own callback first": "own-parts 1.2",
    }
    Path("broken.toml").write_text(CONFIG.replace('"last"', '"broken"'))
    broken = gpkit("evolve", "broken.toml", "--out", "broken")
    assert broken.code == 2
    assert "`broken` of own-parts 1.2 cannot be imported: ModuleNotFoundError" in broken.err
    monkeypatch.undo()  # not installed any more
    plugins.here = plugins.Discovery()
    gone = gpkit("evolve", "--resume", "--out", distribution.parent / "run")
    assert gone.code == 2
    assert "there is no operator `halved`" in gone.err
    assert "installed (gpkit.operators)" in gone.err


ACTING = """import gpkit

def fit(program):
    moves = 0
    for count, action in zip(range(9), gpkit.actions(program, lambda name: 0.0)):
        moves += action == "forward"
    return moves

P = gpkit.problem(
    fit, actions="IfFood forward left", language="LANGUAGE", settings={"population": {"size": 8}}
)
"""


TREES = """import gpkit

def fit(program):
    return sum(program(x=x) == ("high" if x > 1 else "low") for x in range(3))

P = gpkit.problem(fit, sensors={"x": (0, 2)}, actions="low high", settings={"population": {"size": 8}})
"""


@pytest.mark.release
@pytest.mark.parametrize(
    "language",
    ["sinking", *(pytest.param(name, marks=pytest.mark.release) for name in ("execution", "decision"))],
)
def test_programs_that_act_have_pages_and_pictures(gpkit, language: str) -> None:
    Path("acting.py").write_text(TREES if language == "decision" else ACTING.replace("LANGUAGE", language))
    assert gpkit("evolve", "acting.py", "--generations", 1, "--out", "run").code == 0
    assert gpkit("report", "run", "--json").code == 0
    assert gpkit("draw", "run", "-o", "picture.svg").code == 0


def test_a_file_imports_modules_beside_it(gpkit) -> None:
    Path("lib").mkdir()
    Path("lib/beside_of_mine.py").write_text("def off(value):\n    return -abs(value - 5.0)\n")
    text = "import gpkit\nfrom beside_of_mine import off\n\n\ndef fit(program):\n    return off(program(x=2.0))\n\n\n"
    settings = '{"population": {"size": 12}}'
    Path("lib/mine.py").write_text(f"{text}PROBLEM = gpkit.problem(fit, sensors='x', settings={settings})\n")
    path = list(plugins.sys.path)
    gpkit("evolve", "lib/mine.py", "--generations", "1", "--out", "run")
    assert plugins.sys.path == path
    scorer = ProgramScorer(problem_of_file("lib/mine.py"), "lib/mine.py")
    before = scorer.sha256
    assert pickle.loads(pickle.dumps(scorer)).sha256 == before  # noqa: S301
    Path("lib/beside_of_mine.py").write_text("def off(value):\n    return -abs(value - 6.0)\n")
    plugins.here.digests.clear()
    problem_of_file("lib/mine.py")
    assert scorer.sha256 != before

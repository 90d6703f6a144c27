"""Ask and tell: the result of a function with the same scores, wrong use, and what a crash leaves behind."""

import math
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import gpkit

SMALL: Mapping[str, Any] = {"population": {"size": 12}, "refinement": {"rounds": 1, "candidates": 4}}
PARETO: Mapping[str, Any] = {
    **SMALL,
    "scheme": {"name": "plus", "order": "pareto"},
    "selection": {"name": "pareto"},
    "front": {"choose": "knee"},
}
ISLANDS: Mapping[str, Any] = {**SMALL, "islands": {"count": 2, "interval": 2, "migrants": 1}}


def error(program: gpkit.Program) -> float | None:
    value = program(x=3.0)
    return None if program.size > 9 else -abs(value - 8.0)


def two(program: gpkit.Program) -> tuple[float, float]:
    return -abs(program(x=3.0) - 8.0), -float(program.size)


def asked_problem(settings: Mapping[str, Any]) -> gpkit.Problem:
    return gpkit.problem(name="error", sensors={"x": (-5, 5)}, settings=settings)


def finish(search: gpkit.Search, score: Any) -> tuple[gpkit.Program, gpkit.Run]:
    while programs := search.ask():
        assert search.ask() == programs
        search.tell([score(program) for program in programs])
    return search.result


def grow(rng: Any, program: gpkit.Program) -> str:
    return f"{program} + {rng.choice(['x', '1'])}"


def best_or_second(rng: Any, population: Any) -> int:
    return int(rng.integers(2))


@pytest.mark.release
def test_a_search_has_parts_of_ones_own(tmp_path: Path) -> None:
    own: Mapping[str, Any] = {
        "operators": {"grow": (grow, 0.5)},
        "selection": best_or_second,
        "stop": lambda state: "enough" if state.generation == 3 else None,
    }
    first: Mapping[str, Any] = {"seed": 3, "start": gpkit.parse("x * x", name="square"), **own}
    problem = gpkit.problem(error, sensors={"x": (-5, 5)}, settings=SMALL)
    best, run = gpkit.evolve(problem, **first)
    folder = tmp_path / "told"
    with gpkit.search(asked_problem(SMALL), folder=folder, **first) as search:
        for _ in range(3):
            search.tell([error(each) for each in search.ask()])
    with pytest.raises(gpkit.GpkitError, match="no operator `grow`"):
        gpkit.search(asked_problem(SMALL), folder=folder)
    with gpkit.search(asked_problem(SMALL), folder=folder, **own) as search:
        champion, told = finish(search, error)
    assert (champion, told.digest, told.generations) == (best, run.digest, run.generations)
    assert told.reason == "enough"


@pytest.mark.parametrize(
    ("settings", "score"),
    [(SMALL, error), pytest.param(PARETO, two, marks=pytest.mark.release), (ISLANDS, error)],
)
def test_told_scores_give_what_a_function_gives(
    settings: Mapping[str, Any], score: Any, tmp_path: Path
) -> None:
    problem = gpkit.problem(score, name="error", sensors={"x": (-5, 5)}, settings=settings)
    best, run = gpkit.evolve(problem, seed=3, generations=4, folder=tmp_path / "evolved")
    search = gpkit.search(asked_problem(settings), seed=3, generations=4, folder=tmp_path / "told")
    champion, told = finish(search, score)
    assert (champion, told.digest, told.score) == (best, run.digest, run.score)
    assert told.generations == run.generations
    for name in ("state.json", "events.jsonl", "front.json"):
        files = [tmp_path / each / name for each in ("evolved", "told")]
        assert [file.exists() for file in files] in ([True, True], [False, False])
        if files[0].exists():
            assert files[0].read_bytes() == files[1].read_bytes()


def test_a_program_is_asked_about_once_while_its_score_is_known() -> None:
    search, asked = gpkit.search(asked_problem({"population": {"size": 12}}), seed=3, generations=3), 0
    while programs := search.ask():
        assert len(set(programs)) == len(programs)
        asked += len(programs)
        search.tell([error(program) for program in programs])
    assert asked <= 4 * 12 + 4
    assert search.is_over
    assert search.ask() == ()
    assert repr(search) == "<gpkit.Search: 4 generations, ended>"


def test_programs_of_a_game_are_scored_from_outside() -> None:
    small = {"population": {"size": 4}, "scheme": {"elites": 1}}
    best, run = finish(gpkit.search("sevens", seed=1, generations=1, settings=small), lambda p: -p.size)
    assert best.game == "sevens"
    assert run.score == -best.size


SCRIPT = """
import sys, os, signal
sys.path.insert(0, {tests!r})
from test_searches import *
search = gpkit.search(asked_problem(ISLANDS), seed=3, generations=4, folder={folder!r})
for _ in range({rounds}):
    search.tell([error(program) for program in search.ask()])
print(len(search.ask()), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.release
def test_a_search_killed_between_ask_and_tell_goes_on_and_forgets_nothing(tmp_path: Path) -> None:
    folder = str(tmp_path / "run")
    script = SCRIPT.format(tests=str(Path(__file__).parent), folder=folder, rounds=3)
    killed = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    search = gpkit.search(asked_problem(ISLANDS), folder=folder)
    assert len(search.ask()) == int(killed.stdout)
    _, told = finish(search, error)
    whole = finish(gpkit.search(asked_problem(ISLANDS), seed=3, generations=4), error)[1]
    assert told.digest == whole.digest
    again = gpkit.search(asked_problem(ISLANDS), folder=folder)
    assert again.ask() == ()
    assert again.result[1].digest == whole.digest


def test_a_search_killed_after_scores_were_told_takes_them_up(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with gpkit.search(asked_problem(SMALL), seed=3, generations=2, folder=folder) as search:
        search.tell([error(program) for program in search.ask()])
        before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
        search.tell([error(program) for program in search.ask()])
        told = (folder / "told.json").read_bytes()
    for path, content in before.items():  # as a crash leaves it between the scores and the round
        path.write_bytes(content)
    (folder / "told.json").write_bytes(told)
    whole = finish(gpkit.search(asked_problem(SMALL), seed=3, generations=2), error)[1]
    again = gpkit.search(asked_problem(SMALL), folder=folder)
    run = finish(again, error)[1]
    assert (run.digest, run.generations) == (whole.digest, whole.generations)
    assert [each.generation for each in again.generations] == [0, 1, 2]


def test_wrong_use_is_told_and_changes_nothing(tmp_path: Path) -> None:
    with gpkit.search(asked_problem(SMALL), seed=3, generations=1, folder=tmp_path / "run") as search:
        with pytest.raises(
            gpkit.GpkitError, match=r"search\.tell: nothing was asked yet: call ask\(\) first"
        ):
            search.tell([1.0])
        with pytest.raises(gpkit.GpkitError, match="the search has not ended"):
            _ = search.result
        programs = search.ask()
        scores: list[Any] = [error(program) for program in programs]
        for wrong, message in [
            (scores[1:], r"search\.tell: 11 scores for 12 programs; expected one for each, in order"),
            (
                [*scores[:-1], math.nan],
                r"search\.tell: score 11 is nan; expected a number, or None for a program",
            ),
            (["good", *scores[1:]], r"search\.tell: score 0 is 'good' \(str\); expected a number"),
            ([math.inf, *scores[1:]], r"search\.tell: score 0 is infinity; expected a finite number"),
            ("123456789012", r"is not a list of scores; expected one for each program"),
            (3.0, r"3\.0 is not a list of scores"),
            ([None] * 12, r"none of the 12 programs of the first generation has a score"),
        ]:
            with pytest.raises(gpkit.GpkitError, match=message):
                search.tell(wrong)  # type: ignore[arg-type]
            assert search.ask() == programs
        with pytest.raises(gpkit.GpkitError, match="in use"):
            gpkit.search(asked_problem(SMALL), folder=tmp_path / "run")
        _, run = finish(search, error)
    with pytest.raises(gpkit.GpkitError, match="the run has ended"):
        search.tell([1.0])
    assert run.digest == finish(gpkit.search(asked_problem(SMALL), seed=3, generations=1), error)[1].digest


def test_a_search_and_a_run_do_not_go_on_with_each_other(tmp_path: Path) -> None:
    with pytest.raises(
        gpkit.GpkitError, match=r"has no function that scores programs: pass one to gpkit\.problem"
    ):
        gpkit.evolve(asked_problem(SMALL))
    problem = gpkit.problem(error, sensors={"x": (-5, 5)}, settings=SMALL)
    gpkit.evolve(problem, seed=3, generations=0, folder=tmp_path / "run")
    with pytest.raises(gpkit.GpkitError, match=r"scores its programs itself; continue it with gpkit\.evolve"):
        gpkit.search(asked_problem(SMALL), folder=tmp_path / "run")
    (tmp_path / "told").mkdir()
    search = gpkit.search(asked_problem(SMALL), seed=3, generations=1, folder=tmp_path / "told")
    search.ask()
    search.close()
    (tmp_path / "told" / "told.json").write_text('{"schema": "x"}')
    with pytest.raises(gpkit.GpkitError, match=r"told\.json is damaged"):
        gpkit.search(asked_problem(SMALL), folder=tmp_path / "told")


def test_a_run_has_its_front_with_programs() -> None:
    settings = {**PARETO, "front": {"choose": "knee", "names": ["closeness", "smallness"]}}
    problem = gpkit.problem(two, sensors={"x": (-5, 5)}, settings=settings)
    front = gpkit.evolve(problem, seed=3, generations=4)[1].front
    assert front is not None
    assert front.objectives == ("closeness", "smallness")
    assert [two(member.program) for member in front.members] == [
        member.objectives for member in front.members
    ]
    lines = str(front).splitlines()
    assert lines[0].split() == ["closeness", "smallness", "error", "program"]
    assert len(lines) == 1 + len(front.members)
    assert front.chosen is not None
    assert lines[1 + front.chosen].startswith(f"{front.chosen + 1}*")
    assert front.choice == front.members[front.chosen].program
    assert front.to_rows()[0]["closeness"] == front.members[0].objectives[0]


def test_a_run_has_its_archive_with_programs() -> None:
    settings = {
        **SMALL,
        "scheme": {"name": "map-elites"},
        "map": {"size": [1, 13, 3], "problem:1": [-5, 5, 4]},
    }

    def fit(program: gpkit.Program) -> gpkit.Evaluation:
        return gpkit.Evaluation(-abs(program(x=3.0) - 8.0), behaviour=(program(x=1.0),))

    problem = gpkit.problem(fit, sensors={"x": (-5, 5)}, settings=settings)
    champion, run = gpkit.evolve(problem, seed=3, generations=4)
    archive = run.archive
    assert archive is not None
    assert archive.axes == {"size": (1.0, 13.0, 3), "problem:1": (-5.0, 5.0, 4)}
    assert archive.coverage == len(archive.elites) / 12 == len({elite.cell for elite in archive.elites}) / 12
    assert archive.qd_score == pytest.approx(sum(elite.score for elite in archive.elites))
    for elite in archive.elites:
        assert elite.behaviour == (elite.program.size, elite.program(x=1.0))
        assert elite.score == fit(elite.program).score
    assert archive.elites[0].score <= run.score == fit(champion).score
    told = finish(gpkit.search(problem, seed=3, generations=4), fit)[1]
    assert told.digest == run.digest


def test_a_map_is_printed_as_a_table() -> None:
    settings = {**SMALL, "scheme": {"name": "map-elites"}, "map": {"size": (1, 21, 4)}}
    problem = gpkit.problem(error, sensors={"x": (-5, 5)}, settings=settings)
    archive = gpkit.evolve(problem, seed=3, generations=2)[1].archive
    assert archive is not None
    first, head, *rows = str(archive).splitlines()
    assert first.startswith(f"{archive.coverage:.1%} of the cells, QD score")
    assert head.split() == ["size", "score", "program"]
    assert len(rows) == len(archive.elites)

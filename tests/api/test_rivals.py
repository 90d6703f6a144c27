"""Scores that are renewed in every generation, and populations that meet."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpkit
from gpkit.api.problems import Problem
from gpkit.api.programs import Program
from gpkit.api.rivals import HELD_OUT, _drawn
from gpkit.core.errors import CheckpointError, UsageError
from gpkit.core.rng import stream

SMALL = {"population": {"size": 8}, "refinement": {"finish": False}}


def drifting() -> tuple[Callable[[Program], float], list[float]]:
    """A function whose scores depend on when it is called: programs approach a target that moves away."""
    target = [0.0]

    def near(program: Program) -> float:
        target[0] += 0.01
        return -abs(program(x=1.0) - target[0])

    return near, target


def test_a_champion_is_scored_again_if_scores_are_renewed() -> None:
    kept, renewed = (
        gpkit.evolve(
            gpkit.problem(drifting()[0], sensors={"x": (0, 1)}, renewed=each, settings=SMALL), generations=30
        )
        for each in (False, True)
    )
    assert (
        kept[0].header["generation"] < renewed[0].header["generation"]
    )  # nothing beats the first lucky score


def answers(program: Program, generation: int) -> float:
    return -abs(program(x=1.0) - generation)


class Wave:
    """The same scores as ``answers`` of an ask-tell search, by the generation."""

    def evaluate(self, programs: list[Program], seed: int, generation: int) -> list[float]:
        return [answers(program, self.generation(generation)) for program in programs]

    def validate(self, programs: list[Program], seed: int, generation: int) -> list[float]:
        return self.evaluate(programs, seed, self.now)

    def generation(self, number: int) -> int:
        self.now = number
        return number


def asked(folder: Path | None, stops: int | None = None) -> gpkit.Search:
    """A search that is told renewed scores; it breaks off after some asks."""
    line = gpkit.problem(sensors={"x": (0, 1)}, name="wave", renewed=True, settings=SMALL)
    search = gpkit.search(line, seed=3, generations=5, folder=folder)
    done = 0
    while programs := search.ask():
        if done == stops:
            search.close()
            return search
        done += 1
        search.tell([answers(program, len(search.generations)) for program in programs])
    return search


@pytest.mark.parametrize(
    "stops",
    [pytest.param(stops, marks=[pytest.mark.release] * (stops not in (1, 4))) for stops in range(1, 7)],
)
def test_a_search_that_is_told_renewed_scores_goes_on_after_a_crash(tmp_path: Path, stops: int) -> None:
    whole = asked(None)
    broken = asked(tmp_path / "run", stops)
    assert not broken.is_over
    assert asked(tmp_path / "run").result[1].digest == whole.result[1].digest


def test_survivors_are_asked_about_again_if_scores_are_renewed() -> None:
    def count(renewed: bool) -> int:
        line = gpkit.problem(sensors={"x": (0, 1)}, renewed=renewed, settings=SMALL)
        search, asked = gpkit.search(line, seed=3, generations=4), 0
        while programs := search.ask():
            asked += len(programs)
            search.tell([program(x=1.0) for program in programs])
        return asked

    assert count(True) > count(False)


def pennies(name: str, wins: Callable[[float, float], bool]) -> Problem:
    """Matching pennies of four rounds: a player sees the last choices of both, and shows a head if it is positive."""

    def score(program: Program, rival: Program) -> float:
        mine, theirs, won = 0.0, 0.0, 0
        for _ in range(4):
            shown = program(mine=mine, theirs=theirs), rival(mine=theirs, theirs=mine)
            mine, theirs = (1.0 if value > 0 else -1.0 for value in shown)
            won += wins(mine, theirs)
        return won / 4

    return gpkit.problem(score, name=name, sensors={"mine": (-1, 1), "theirs": (-1, 1)}, settings=SMALL)


def pair() -> tuple[Problem, Problem]:
    return pennies("matcher", lambda a, b: a == b), pennies("hider", lambda a, b: a != b)


def test_matching_pennies_is_a_game_of_two_populations() -> None:
    (matcher, first), (hider, second) = gpkit.rivals(*pair(), generations=6, seed=2)
    assert (matcher.header["problem"], hider.header["problem"]) == ("matcher", "hider")
    assert [len(run.generations) for run in (first, second)] == [7, 7]
    assert 0.0 <= first.score <= 1.0


def digests(folder: Path | None = None, **arguments: object) -> list[str]:
    found = gpkit.rivals(*pair(), **{"meets": 4, "generations": 4, "seed": 4, "folder": folder, **arguments})
    return [run.digest for _, run in found]


def test_a_seed_decides_the_run() -> None:
    assert digests() == digests() != digests(seed=5)


@pytest.mark.parametrize(
    "calls",
    [pytest.param(calls, marks=[pytest.mark.release] * (calls != 80)) for calls in (0, 40, 80, 120, 140)],
)
def test_a_run_that_crashed_anywhere_ends_as_if_it_had_not(tmp_path: Path, calls: int) -> None:
    whole, left = digests(tmp_path / "whole"), [calls]

    def failing(program: Program, rival: Program) -> float:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return real(program, rival)

    first, second = pair()
    real = second.score
    assert callable(real)
    broken = gpkit.problem(
        failing, name="hider", sensors={"mine": (-1, 1), "theirs": (-1, 1)}, settings=SMALL
    )
    folder = tmp_path / "broken"
    sha = pytest.MonkeyPatch()
    with sha.context() as patch:
        patch.setattr("gpkit.api.problems.source_digest", lambda _: "same")
        expected = digests(tmp_path / "again")
        with pytest.raises(KeyboardInterrupt):
            gpkit.rivals(first, broken, meets=4, generations=4, seed=4, folder=folder)
        assert digests(folder, resume=True) == whole == expected
        assert digests(folder, resume=True) == whole  # a run that has ended keeps its results
    assert gpkit.load(folder / "hider").header["problem"] == "hider"


def test_a_run_goes_on_with_the_same_rivals_only(tmp_path: Path) -> None:
    digests(tmp_path / "run")
    with pytest.raises(UsageError, match="rivals"):
        digests(tmp_path / "run", resume=True, meets=3)
    with pytest.raises(CheckpointError, match="holds a run already"):
        digests(tmp_path / "run")


def numbers(name: str) -> Problem:
    """The intransitive numbers game: two pairs are compared where they are closer.

    R. A. Watson and J. B. Pollack, "Coevolutionary dynamics in a minimal substrate", 2001.
    """

    def score(program: Program, rival: Program) -> float:
        mine, theirs = ([one(k=k) for k in (0.0, 1.0)] for one in (program, rival))
        gaps = [abs(a - b) for a, b in zip(mine, theirs, strict=True)]
        where = gaps.index(min(gaps))
        return float(mine[where] > theirs[where])

    return gpkit.problem(score, name=name, sensors={"k": (0, 1)}, operators="+ * -", settings=SMALL)


@pytest.mark.parametrize("against", ["population", "hall", "both"])
def test_three_ways_to_find_rivals(against: str) -> None:
    found = gpkit.rivals(
        numbers("one"), numbers("other"), generations=8, seed=1, against=against, hall_every=2
    )
    assert all(0.0 <= run.score <= 1.0 for _, run in found)


def test_three_problems_meet_one_rival_of_each_other() -> None:
    seen = []

    def score(program: Program, second: Program, third: Program) -> float:
        seen.append((str(second), str(third)))
        return program(x=1.0) - max(second(x=1.0), third(x=1.0))

    problems = [gpkit.problem(score, name=name, sensors={"x": (0, 1)}, settings=SMALL) for name in "abc"]
    assert len(gpkit.rivals(*problems, generations=2, seed=1)) == 3
    assert seen


@settings(max_examples=50)
@given(size=st.integers(1, 30), count=st.integers(1, 40), seed=st.integers(0, 100))
def test_held_out_rivals_meet_nobody_in_training(size: int, count: int, seed: int) -> None:
    pool = {str(number): number for number in range(size)}
    met, held_out = _drawn(pool, count, stream(seed, "meeting"))
    assert len(met) == min(count, len({*pool.values()} - {*held_out} or pool))
    assert held_out
    if size >= 10 * HELD_OUT:
        assert not {*met} & {*held_out}
        assert len(held_out) > size / HELD_OUT / 3


def test_all_held_out_rivals_judge_a_champion_and_every_generation_is_told() -> None:
    met: dict[str, set[str]] = {}

    def score(program: Program, rival: Program) -> float:
        met.setdefault(str(program), set()).add(str(rival))
        return program(x=1.0) > rival(x=1.0)

    told = []
    problems = [gpkit.problem(score, name=name, sensors={"x": (0, 1)}, settings=SMALL) for name in "ab"]
    found = gpkit.rivals(
        *problems,
        meets=1,
        generations=2,
        seed=1,
        callback=lambda summary, champion: told.append((champion.header["problem"], summary.generation)),
    )
    assert told == [(name, number) for number in range(3) for name in "ab"]
    assert len(found) == 2
    met.clear()
    gpkit.rivals(*problems, meets=1, generations=0, seed=1)
    assert max(map(len, met.values())) > 2  # one in training


@pytest.mark.parametrize(
    ("problems", "arguments", "message"),
    [
        ((), {}, "two problems or more"),
        ((numbers("one"),), {}, "two problems or more"),
        ((numbers("one"), numbers("one")), {}, "different names"),
        ((numbers("one"), numbers("../two")), {}, "cannot be the name of a folder"),
        ((numbers("one"), gpkit.problem(name="two")), {}, "has no function that scores a program"),
        ((numbers("one"), numbers("two")), {"meets": 0}, "meets=0: expected a whole number from 1"),
        ((numbers("one"), numbers("two")), {"hall_every": True}, "hall_every=True"),
        ((numbers("one"), numbers("two")), {"against": "friends"}, "friends"),
    ],
)
def test_wrong_arguments_are_refused(problems: tuple, arguments: dict, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        gpkit.rivals(*problems, generations=1, **arguments)


def test_an_error_names_the_function() -> None:
    def broken(program: Program, rival: Program) -> float:
        return 1 / 0

    with pytest.raises(gpkit.GpkitError, match=r"broken.*ZeroDivisionError|division by zero"):
        gpkit.rivals(gpkit.problem(broken, sensors="x"), numbers("two"), generations=1)

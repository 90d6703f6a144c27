"""Problems of one's own: scores from a function, in memory, in folders, and what is said of what is no score."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gpkit
from gpkit.core.errors import GpkitError, GuestError, UsageError
from gpkit.evolution.problem_subject import evaluation_of

POINTS = np.linspace(-1.0, 1.0, 9)
SMALL = {"population": {"size": 30}, "refinement": {"rounds": 1, "candidates": 3}}


PARETO = {"scheme": {"name": "plus", "order": "pareto"}, "selection": {"name": "pareto"}}
MAP = {"scheme": {"name": "map-elites"}, "map": {"problem:2": (0, 1, 4)}}


def square(program: gpkit.Program) -> float:
    """Minus the squared error of a parabola."""
    return -float(np.sum((program(x=POINTS) - (POINTS * POINTS + 1.0)) ** 2))


def of(score: Any, **more: Any) -> gpkit.Problem:
    """A small problem of one sensor."""
    return gpkit.problem(score, **{"sensors": {"x": (-1, 1)}, "operators": "+ *", "settings": SMALL, **more})


def test_a_function_of_a_program_is_solved() -> None:
    best, run = gpkit.evolve(of(square), seed=1, generations=5)
    assert run.score == square(best) > -2.0
    assert best.header["problem"] == "square"
    again, same = gpkit.evolve(of(square), seed=1, generations=5)
    assert (again, same.digest) == (best, run.digest)
    assert run.config.problem.sensors == {"x": (-1.0, 1.0)}


class Batch:
    """All programs at once; the first term counts more in later generations."""

    def evaluate(self, programs: Sequence[gpkit.Program], seed: int, generation: int) -> list[float]:
        """Minus the errors."""
        return [square(each) - 0.01 * generation for each in programs]


def test_an_object_scores_batches_and_may_change() -> None:
    best, run = gpkit.evolve(of(Batch()), seed=1, generations=3)
    assert run.score == square(best) + 0.01  # of the last occasion, which has the number -1
    assert run.config.problem.name == "Batch"


def test_scores_may_be_objectives_or_missing() -> None:
    def two(program: gpkit.Program) -> tuple[float, float] | None:
        return None if program.size == 3 else (square(program), -float(program.size))

    settings = {**SMALL, **PARETO}
    best, run = gpkit.evolve(of(two, settings=settings), seed=1, generations=2)
    assert run.score == square(best)
    assert any(summary.lost for summary in run.generations)


@pytest.mark.parametrize(
    ("score", "words"),
    [
        (lambda program: "good", r"returned 'good' \(str\); expected a number"),
        (lambda program: None, r"none of the 2. programs .* \(it returned None\)"),
        (lambda program: math.nan, r"none of the 2. programs .* \(it returned NaN\)"),
        (lambda program: 1 / 0.0, r"test_problems.py, line \d+, in <lambda>: ZeroDivisionError"),
        (lambda program: -math.inf, r"none of the 2. programs .* \(every score is -inf\)"),
        (
            lambda program: math.inf,
            r"mine, for the program `.*`: .*, line \d+, in <lambda>: it .* instead of 1 / error",
        ),
        (lambda program: POINTS, r"line \d+, in <lambda>: it returned array"),
        (lambda program: (1.0, "x"), r"returned 'x' \(str\)"),
        (
            lambda program: (1.0, 2.0),
            r"returned \(1.0, 2.0\), 2 objectives, but this run expects one: .*\"plus\"",
        ),
        (lambda program: gpkit.Evaluation(1.0, behaviour=0.5), "behaviour=0.5 .* a tuple of numbers"),  # type: ignore[arg-type]
        (lambda program: program.nothing, "AttributeError"),
    ],
)
def test_what_is_no_score_is_told(score: Callable[[gpkit.Program], Any], words: str) -> None:
    with pytest.raises(GuestError, match=words):
        gpkit.evolve(of(score, name="mine"), generations=1)


@pytest.mark.parametrize(
    ("settings", "score", "words"),
    [
        (
            {**PARETO, "front": {"names": ["a"]}},
            lambda program: (1.0, 2.0),
            "2 objectives, and front.names has 1",
        ),
        (
            PARETO,
            lambda program: (1.0, 2.0, 3.0)[: 1 + program.size],
            "programs 2 and .* programs 3 objectives",
        ),
        (
            MAP,
            lambda program: gpkit.Evaluation(1.0, behaviour=(0.5,)),
            r"reads \"problem:2\"; return .*\(b1, b2\)",
        ),
        ({"scheme": {"order": "pareto"}}, square, 'add scheme.name = "plus"'),
        ({**PARETO, "front": {"names": ["a", "a"]}}, square, "a name appears twice"),
    ],
)
def test_numbers_and_names_go_together(settings: Any, score: Any, words: str) -> None:
    with pytest.raises(GpkitError, match=words):
        gpkit.evolve(of(score, settings={**SMALL, **settings}), generations=1)


def test_one_number_in_a_tuple_and_parts_of_ones_own_are_not_refused() -> None:
    gpkit.evolve(of(lambda program: (1.0,), name="mine"), generations=0)

    def best_second(rng: Any, population: Any) -> int:
        return max(range(len(population)), key=lambda place: population[place].objectives[1])

    two = of(lambda program: (1.0, -float(program.size)), name="mine")
    assert gpkit.evolve(two, generations=1, selection=best_second)[1].reason == "1 generation"


def test_the_formula_to_start_from_is_named() -> None:
    with pytest.raises(GpkitError, match=r"the problem has no sensor `q`\n --> mine.tree:1:1"):
        gpkit.evolve(of(square), generations=0, start=gpkit.parse("q * q", name="mine"))


def test_a_batch_gives_a_score_for_each_program() -> None:
    class Few:
        def evaluate(self, programs: Sequence[gpkit.Program], seed: int, generation: int) -> list[float]:
            return [1.0]

    with pytest.raises(GuestError, match="Few returned 1 scores for"):
        gpkit.evolve(of(Few()), generations=1)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"operators": "+ sinn"}, "no operator of formulas `sinn`"),
        ({"sensors": {"min": (0, 1)}}, "cannot use the sensor name `min`"),
        ({"sensors": {"x": (1, 0)}}, r"problem.sensors.x = \[1.0, 0.0\]: expected the smallest"),
        ({"language": "arithmetics"}, "did you mean `arithmetic`"),
        ({"settings": {"popultion": {}}}, "did you mean `population`"),
        (
            {"settings": {"limits": {"size": False}, "representation": {"scope": "all"}}},
            "representation.scope",
        ),
    ],
)
def test_what_does_not_exist_is_told(more: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        gpkit.evolve(of(square, **more), generations=0)
    with pytest.raises(UsageError, match="cannot score programs"):
        gpkit.problem(3)  # type: ignore[arg-type]


def test_a_run_in_a_folder_goes_on(tmp_path: Path) -> None:
    whole, run = gpkit.evolve(of(square), seed=2, generations=4)
    gpkit.evolve(of(square), seed=2, generations=2, folder=tmp_path / "run")
    best, resumed = gpkit.evolve(of(square), generations=4, folder=tmp_path / "run", resume=True)
    assert (best, resumed.digest) == (whole, run.digest)
    assert gpkit.load(tmp_path / "run") == best
    assert resumed.generations == run.generations
    finished = gpkit.evolve(of(square), folder=tmp_path / "run", resume=True)[1]
    assert finished.to_rows() == run.to_rows()
    assert str(finished).startswith("generation 4, stopped after 4 generations")
    with pytest.raises(UsageError, match="name this file again"):
        gpkit.evolve(folder=tmp_path / "run", resume=True)
    with pytest.raises(UsageError, match="name the folder of the run to resume: folder="):
        gpkit.evolve(of(square), resume=True)


@pytest.mark.parametrize("limit", [None, pytest.param(60.0, marks=pytest.mark.release)])
def test_a_run_goes_on_after_ctrl_c(limit: float | None, tmp_path: Path) -> None:
    def interrupt(summary: gpkit.Summary, champion: gpkit.Program) -> None:
        if summary.generation == 2:
            raise KeyboardInterrupt

    how: dict[str, Any] = {"callback": interrupt, "time_limit": limit}
    with pytest.raises(KeyboardInterrupt, match="after generation 2; it was not stored") as raised:
        gpkit.evolve(of(square), seed=2, generations=4, **how)
    assert raised.value.__suppress_context__, "the traceback of what was going on is not shown"
    stored = r"after generation 2; continue it with folder='.*run', resume=True"
    with pytest.raises(KeyboardInterrupt, match=stored):
        gpkit.evolve(of(square), seed=2, generations=4, folder=tmp_path / "run", **how)
    whole = gpkit.evolve(of(square), seed=2, generations=4)[1]
    again = gpkit.evolve(of(square), folder=tmp_path / "run", resume=True)[1]
    assert (again.digest, again.generations) == (whole.digest, whole.generations)


def test_what_cannot_be_sent_to_workers_is_told() -> None:
    with pytest.raises(UsageError, match="<lambda>` cannot be sent to workers"):
        gpkit.evolve(of(lambda program: 1.0, name="mine"), workers=2)


TRAIL = {(0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (3, 2), (3, 3), (4, 3), (5, 3)}


class Ant:
    """An ant at the beginning of the trail."""

    def __init__(self) -> None:
        self.place, self.way, self.eaten, self.moves = (-1, 0), (1, 0), set[tuple[int, int]](), 0

    @property
    def ahead(self) -> tuple[int, int]:
        """The place before it."""
        return self.place[0] + self.way[0], self.place[1] + self.way[1]

    def food(self, _: str) -> float:
        """1 where there is food ahead."""
        return float(self.ahead in TRAIL - self.eaten)

    def move(self, action: str) -> None:
        """Turn, or go and eat."""
        dx, dy = self.way
        self.way = {"left": (dy, -dx), "right": (-dy, dx)}.get(action, self.way)
        if action == "forward":
            self.place = self.ahead
            self.eaten |= {self.place} & TRAIL
        self.moves += 1


def ant(program: gpkit.Program) -> float:
    """The food that an ant eats in 30 moves, which repeats its plan."""
    one, before = Ant(), -1
    while before < one.moves < 30:
        before = one.moves
        for action in gpkit.actions(program, one.food):
            one.move(action)
            if one.moves == 30:
                break
    return float(len(one.eaten))


def test_plans_act() -> None:
    trail = gpkit.problem(
        ant, sensors={"food": (0, 1)}, actions="left right forward", language="execution", settings=SMALL
    )
    best, run = gpkit.evolve(trail, seed=1, generations=4)
    assert best.language == "execution"
    assert run.score == ant(best) > 3
    with pytest.raises(UsageError, match="`food`, which is not given"):
        list(gpkit.actions(gpkit.parse("wait food > 0 max 3\n", language="execution"), {}))
    with pytest.raises(UsageError, match="cannot let programs in arithmetic act"):
        gpkit.actions(gpkit.parse("x"))


def test_plans_act_in_turn() -> None:
    text = "repeat 9\n  do {0}\n  chance 0.5\n    yes:\n      do {0}\n    no:\n      do rest\nend\n"
    one, other = (gpkit.parse(text.format(way), language="execution") for way in ("left", "right"))
    whole = list(gpkit.actions(one, seed=4))
    pairs = list(zip(gpkit.actions(one, seed=4), gpkit.actions(other, seed=4), strict=True))
    assert [left for left, _ in pairs] == whole == list(gpkit.actions(one, seed=4))
    assert [right.replace("right", "left") for _, right in pairs] == whole
    assert 9 < whole.count("left") < 18


def test_a_program_that_evolution_made_is_printed_as_one_that_was_read() -> None:
    seen = []

    def seen_by(program: gpkit.Program) -> float:
        seen.append((str(program), str(gpkit.parse(str(program)))))
        return 0.0

    gpkit.evolve(of(seen_by), seed=1, generations=2)
    assert len(seen) > 20
    assert all(one == other for one, other in seen)


def test_instructions_act() -> None:
    def one(program: gpkit.Program) -> float:
        walker = Ant()
        for action in gpkit.actions(program, walker.food):
            walker.move(action)
            if walker.moves == 30:
                break
        return float(len(walker.eaten))

    words = "IfFood left right forward"
    best, run = gpkit.evolve(of(one, actions=words, language="sinking"), seed=1, generations=4)
    assert run.score == one(best) > 3
    assert set(best.named.source.program.blocks[0]) <= set(words.split())
    text = "targeting:\nIfFood\nforward\nleft\n"
    some = gpkit.actions(gpkit.parse(text, language="sinking"), lambda word: 0.0)
    assert [next(some), next(some)] == ["left", "left"]


def test_trees_name_actions_or_numbers() -> None:
    def sign(program: gpkit.Program) -> float:
        return float(np.mean(program(x=POINTS) == np.where(POINTS > 0.3, "high", "low")))

    best, run = gpkit.evolve(of(sign, actions="low high", language=None), seed=1, generations=4)
    assert best.language == "decision"
    assert run.score == sign(best) > 0.8
    assert best(x=0.9) == "high"
    numbers, _ = gpkit.evolve(of(square, language="decision"), seed=1, generations=2)
    assert isinstance(numbers(x=0.5), float)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"language": "execution"}, "has no actions, but plans need them"),
        ({"language": "execution", "actions": "a go-on"}, "cannot use the action name `go-on`"),
        ({"language": "decision", "sensors": "x"}, r"has no bounds.*sensors=\{'x': \(0, 1\)\}"),
        ({"language": "sinking"}, "has no actions, but programs need them"),
        ({"language": "sinking", "actions": "go Jump"}, "a line cannot be `Jump`"),
        ({"language": "rulegraph"}, "cannot evolve programs in rulegraph"),
    ],
)
def test_languages_refuse_what_they_cannot_say(more: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        gpkit.evolve(of(square, **more), generations=0)


def test_numbers_of_arrays_are_stored_as_plain_ones() -> None:
    given: Any = (np.int64(1), np.int32(2))
    found = evaluation_of(gpkit.Evaluation(given[0], objectives=given), "one")
    assert [type(each) for each in (found.score, *found.objectives)] == [float] * 3

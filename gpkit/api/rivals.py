"""Populations that evolve against each other: programs of each problem are scored against programs of the others."""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any, Literal

import numpy as np

from gpkit.api.arguments import command
from gpkit.api.described_runs import described
from gpkit.api.kinds import Count, Number, OnGeneration, Seed, Within, WorkersLike
from gpkit.api.problems import Problem, ProgramScorer, built
from gpkit.api.programs import Program
from gpkit.api.runs import Run, champion_of, outcome
from gpkit.core.errors import UsageError
from gpkit.core.files import same_folder
from gpkit.core.registry import language_entry
from gpkit.core.rng import stream
from gpkit.core.settings import NO_SETTINGS
from gpkit.core.work_folder import OWN, is_run
from gpkit.evolution.executors import executor_for
from gpkit.evolution.loop import advance, begin, created, description_of, rule_and_hooks, run_search
from gpkit.evolution.problem import WORST, Evaluation, Executor
from gpkit.evolution.problem_subject import OwnProblem, ProblemSubject, evaluation_of
from gpkit.evolution.run_folder import Diary, RunResult, check_folder, open_diary
from gpkit.evolution.search import QUIET, Search, SearchState, Summary

Meeting = tuple[Any, ...]
"""The genomes that a program meets in one evaluation, one from each of the other problems."""

HELD_OUT = 3
"""One rival in three, selected by its text, takes part only in validation, which chooses the champions."""

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*")


@dataclass(frozen=True, slots=True, eq=False)
class MeetingScorer:
    """A scorer that passes programs and their rivals to the function of a problem.

    Attributes:
        scorer: the scorer of the problem.
        languages: the languages of the other problems.
        met, held_out: the rivals for scoring a generation, and the rivals for its validation.
    """

    scorer: ProgramScorer
    languages: tuple[str, ...]
    met: tuple[Meeting, ...] = ()
    held_out: tuple[Meeting, ...] = ()

    @property
    def name(self) -> str:
        """The name shown in messages."""
        return self.scorer.name

    @property
    def sha256(self) -> str:
        """The SHA-256 of the source of the function."""
        return self.scorer.sha256

    @property
    def changes(self) -> bool:
        """Always true, because the rivals change from generation to generation."""
        return True

    def evaluate(
        self, genomes: Sequence[object], seed: int, number: int, *, validates: bool = False
    ) -> Sequence[Any]:
        """The mean scores of genomes against their rivals, with the score against each rival as a case."""
        languages = [language_entry(name).load() for name in self.languages]
        rivals = [
            [
                built(genome, language, {}, "rival")
                for genome, language in zip(meeting, languages, strict=True)
            ]
            for meeting in (self.held_out if validates else self.met)
        ]
        problem = self.scorer.problem
        facing = replace(problem, score=partial(_against, problem.score, rivals))
        return ProgramScorer(facing).evaluate(genomes, seed, number)


def _against(score: Any, rivals: Sequence[Sequence[Program]], program: Program) -> Evaluation | None:
    """The evaluation of a program against rivals; None if one of its scores is missing."""
    found = [evaluation_of(score(program, *each), "it").score for each in rivals]
    return None if WORST in found else Evaluation(fmean(found), cases=tuple(found))


@dataclass(slots=True, eq=False)
class _Side:
    """A problem in a run of rivals: its search, its current state, the reason why it ended, and its folder."""

    run: ProblemSubject
    search: Search[Any]
    stop: Callable[[SearchState[Any]], str | None]
    folder: Path | None
    resumes: bool = False
    diary: Diary[Any] | None = None
    state: SearchState[Any] | None = None
    reason: str | None = None
    result: RunResult[Any] | None = None
    summaries: list[Summary] = field(default_factory=list)

    @property
    def generation(self) -> int:
        """The current generation; -1 before the first."""
        return -1 if self.state is None else self.state.generation

    def open(self, diary: Diary[Any]) -> None:
        """Continue from the end of a diary, or begin a new diary."""
        self.diary, self.state = diary, diary.restore()
        if self.state is not None:
            self.reason = self.stop(self.state)
        if self.state is not None and self.reason is not None:
            self.result = diary.ended(self.state, self.reason)
        if self.result is None:
            diary.go_on(self.state)

    def pool(self, against: str) -> dict[str, Any]:
        """The programs that rivals may meet, by text."""
        if self.state is None:
            genomes = [each.genome for each in created(self.search)]
        else:
            hall = () if against == "population" else self.state.hall
            alive = [each.genome for island in self.state.islands for each in island]
            genomes = [*(alive if against != "hall" or not hall else ()), *hall]
        return {self.search.representation.print(genome): genome for genome in genomes}

    def go_on(self, searched: Search[Any], executor: Executor) -> Any:
        """Run one round against rivals, and return it."""
        done = begin(searched, executor) if self.state is None else advance(searched, self.state, executor)
        self.state, self.reason = done.state, self.stop(done.state)
        self.summaries += [summary for summary, _ in done.generations]
        if self.diary is not None:
            self.diary.write(done)
        return done


@command
def rivals(
    *problems: Problem,
    meets: Annotated[int, Within(1, 10_000)] = 10,
    against: Literal["population", "hall", "both"] = "both",
    hall: Annotated[int, Within(0, 1000)] = 20,
    hall_every: Count = 5,
    generations: Number | None = None,
    seed: Seed = 1,
    folder: str | os.PathLike[str] | None = None,
    resume: bool = False,
    workers: WorkersLike = 1,
    callback: OnGeneration | None = None,
) -> tuple[tuple[Program, Run], ...]:
    """Evolve programs for several problems against each other, such as hunters and their prey.

    >>> import gpkit
    >>> small = {"population": {"size": 10}}
    >>> def higher(program, rival):
    ...     return program(x=1) > rival(x=1)
    >>> first = gpkit.problem(higher, name="first", sensors={"x": (0, 1)}, settings=small)
    >>> second = gpkit.problem(higher, name="second", sensors={"x": (0, 1)}, settings=small)
    >>> (best, run), (other, _) = gpkit.rivals(first, second, generations=3, seed=1)
    >>> run.generations[-1].generation, best.header["problem"]
    (3, 'first')

    The problems take turns: each evolves one generation against the current programs of the others. In each generation,
    one rival in three is held out; all held-out rivals together choose the champions, and score them at the end. All
    scores are renewed in every generation, because the rivals change.

    Args:
        problems: two or more problems. Each problem's function takes a program and one rival from each of the other
            problems, in order, and returns a score; higher is better. A program's score is the mean over its rivals.
        meets: the number of rivals that a program meets in a generation; they are drawn anew for each generation.
        against: the source of rivals: the others' current populations, their former champions (the hall), or both.
        hall: the maximum number of former champions that a problem remembers.
        hall_every: the number of generations after which a champion joins the hall.
        generations: the number of generations; overrides the configurations.
        seed: the seed of all random numbers.
        folder: a folder with one run for each problem, in a subfolder with the name of the problem. In Python, nothing
            is stored unless you name a folder.
        resume: resume the runs in the folder, with the same result as without an interruption.
        workers: as for ``gpkit.evolve``.
        callback: called for every new generation of each problem with its numbers and the problem's champion so far.

    Returns:
        For each problem, its champion and its run.

    Raises:
        UsageError: there is only one problem, two problems have the same name, a problem has no function, or an
            argument is out of range.
        GuestError: a function raises an error, or returns something other than a score.
        CheckpointError: a folder is in use, contains something else, is damaged, or is not writable.
    """
    _check(problems)
    place, known = None if folder is None else Path(folder), {"hall": hall, "hall_every": hall_every}
    with ExitStack() as stack:
        stack.enter_context(same_folder())
        executor = stack.enter_context(executor_for(workers))
        sides = [
            _side(number, problem, place, seed, generations, resume, workers, known)
            for number, problem in enumerate(problems)
        ]
        told = repr((meets, against, hall, hall_every, seed, [side.run.versions for side in sides]))
        described_as = {f"{OWN}rivals": sha256(told.encode()).hexdigest()}
        stored = [
            (side, side.folder, description_of(side.run, {**side.run.versions, **described_as}))
            for side in sides
            if side.folder is not None
        ]
        for side, kept, description in stored:  # all of them, before one is made
            check_folder(kept, description, resume=side.resumes)
        for side, kept, description in stored:
            opened = open_diary(
                side.search, kept.absolute(), description, side.run.header, resume=side.resumes
            )
            side.open(stack.enter_context(opened))
        facing = partial(_facing, sides, meets, seed=seed, against=against)
        while going := [side for side in sides if side.reason is None]:
            side = min(going, key=lambda each: each.generation)
            done = side.go_on(facing(side), executor)
            if callback is not None:
                for summary, _ in done.generations:
                    callback(summary, champion_of(done.state.champion, side.run))
        for side in sides:
            if side.result is None:
                side.result = run_search(
                    facing(side),
                    executor,
                    lambda _: side.reason,  # noqa: B023 - called in this round
                    diary=side.diary,
                    state=side.state,
                )
    return tuple(outcome(side.run, side.result, side.summaries, side.folder) for side in sides if side.result)


def _check(problems: Sequence[Problem]) -> None:
    """Check the problems of ``rivals``.

    Raises:
        UsageError: there are fewer than two problems, a name is not valid for a folder or is used twice, or a function
            is missing.
    """
    names = [problem.table.name for problem in problems]
    for problem, name in zip(problems, names, strict=True):
        if not callable(problem.score):
            raise UsageError(
                f"the problem `{name}` has no function that scores a program and its rivals; pass one to gpkit.problem"
            )
        if not _NAME.fullmatch(name):
            raise UsageError(f"{name!r} cannot be the name of a folder; give gpkit.problem another name=")
    if len(set(names)) < max(len(names), 2):
        raise UsageError(
            f"expected two problems or more with different names, not {', '.join(names) or 'none'}"
        )


def _side(
    number: int,
    problem: Problem,
    place: Path | None,
    seed: int,
    generations: int | None,
    resume: bool,
    workers: object,
    known: Mapping[str, int],
) -> _Side:
    """A problem of the run, set up for its first round."""
    folder = None if place is None else place / problem.table.name
    resumes = resume and folder is not None and (number == 0 or is_run(folder))
    run = described(
        problem,
        NO_SETTINGS,
        seed=int(stream(seed, "rivals", number).integers(2**31)),
        generations=generations,
        resumed=folder if resumes else None,
        workers=workers,
    )
    return _Side(run, replace(run.search(), **known), rule_and_hooks(run, QUIET)[0], folder, resumes)


def _facing(sides: Sequence[_Side], meets: int, side: _Side, *, seed: int, against: str) -> Search[Any]:
    """The search of a problem against rivals from the current programs of the others."""
    assert isinstance(side.search.problem, OwnProblem) and isinstance(side.run.scorer, ProgramScorer)
    others = [each for each in sides if each is not side]
    drawn = []
    for other in others:
        place = (sides.index(side), sides.index(other), side.generation + 1)
        drawn.append(_drawn(other.pool(against), meets, stream(seed, "meeting", *place)))
    met, held_out = (_meetings(each) for each in zip(*drawn, strict=True))
    languages = tuple(other.run.language.name for other in others)
    return replace(
        side.search,
        problem=replace(
            side.search.problem, scorer=MeetingScorer(side.run.scorer, languages, met, held_out), changes=True
        ),
        renewed=True,
    )


def _meetings(rivals: Sequence[Sequence[Any]]) -> tuple[Meeting, ...]:
    """Meetings with a rival from each of the other problems; the rivals of a short list come several times."""
    longest = max(map(len, rivals))
    return tuple(tuple(each[place % len(each)] for each in rivals) for place in range(longest))


def _drawn(pool: Mapping[str, Any], count: int, rng: np.random.Generator) -> tuple[list[Any], list[Any]]:
    """At most ``count`` rivals for training, and all rivals for validation; a small pool provides both."""
    parts: tuple[list[Any], list[Any]] = ([], [])
    for text, genome in pool.items():
        parts[sha256(text.encode()).digest()[0] % HELD_OUT == 0].append(genome)
    training, validation = (part or [*pool.values()] for part in parts)
    return [training[place] for place in rng.permutation(len(training))[:count]], validation

"""Runs of evolution in Python code, with their fronts and archives of programs."""

import math
import os
import warnings
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain
from pathlib import Path, PurePath
from typing import Any

from gpkit.analysis.evaluation import closing_table, seconds_after
from gpkit.analysis.results import strengths_told
from gpkit.api.games import name_of
from gpkit.api.kinds import OnGeneration
from gpkit.api.problems import built
from gpkit.api.programs import Program
from gpkit.api.progress import begun, remark, shell, watching
from gpkit.core.codec import codec
from gpkit.core.errors import interrupted
from gpkit.core.layout import MOST_SHOWN, Lines, Note, Sheet, Tabular, aligned, html_table
from gpkit.core.plugins import game_option
from gpkit.core.timeouts import GRACE, TimeUp, limited
from gpkit.core.wording import Tell
from gpkit.core.work_folder import FINAL, is_run, take_pause
from gpkit.evolution import maps
from gpkit.evolution.config import Config
from gpkit.evolution.executors import WorkersGoneError
from gpkit.evolution.history import read_history, stored_generations
from gpkit.evolution.loop import INTERRUPTED
from gpkit.evolution.maps import Cell, grid_of
from gpkit.evolution.own_parts import check_takes
from gpkit.evolution.parts import name_of_part
from gpkit.evolution.problem import Individual
from gpkit.evolution.run_folder import (
    FrontTable,
    RunResult,
    champion_file,
    champion_header,
    champions,
    read_front,
)
from gpkit.evolution.search import PATIENCE, QUIET, Champion, Hooks, SearchState, Summary
from gpkit.evolution.setup import Subject
from gpkit.gamekit.uct import MCTS
from gpkit.playing.evaluation import HeldOutTable
from gpkit.playing.results import Strength


@dataclass(frozen=True, slots=True)
class FrontMember:
    """A program of a front.

    Attributes:
        program: the program.
        objectives: the program's objectives, measured under the conditions of validation.
        error: the standard error of the program's score; 0 if the score is exact or the error is unknown.
    """

    program: Program
    objectives: tuple[float, ...]
    error: float


@dataclass(frozen=True, slots=True, repr=False)
class Front(Tabular):
    """The front of a run: the programs that no other dominates, sorted by the first objective, best first.

    Attributes:
        objectives: the names of the objectives.
        better: ``higher`` or ``lower`` for each objective.
        members: the programs.
        rule: the name of the rule that chose the champion.
        chosen: the index of ``choice``; None if the champion is not one of the members.
    """

    objectives: tuple[str, ...]
    better: tuple[str, ...]
    members: tuple[FrontMember, ...]
    rule: str
    chosen: int | None

    @property
    def choice(self) -> Program | None:
        """The member that the rule chose; None if the champion is not one of the members.

        gpkit then refines this program by its score to get the champion, which may not be a member of the front.
        """
        return None if self.chosen is None else self.members[self.chosen].program

    def __str__(self) -> str:
        """The members as a text table; a ``*`` marks the member that the rule chose."""
        return _lines(self.to_rows(), [each.program for each in self.members], self.chosen)

    __repr__ = __str__

    def to_rows(self) -> list[dict[str, Any]]:
        """The members as rows of a table: their objectives by name, the error, and the program."""
        return [
            {
                **dict(zip(self.objectives, member.objectives, strict=True)),
                "error": member.error,
                "program": str(member.program),
            }
            for member in self.members
        ]


@dataclass(frozen=True, slots=True)
class Elite:
    """The best program in a cell of a map.

    Attributes:
        cell: the bin on each axis, from 0.
        behaviour: the value on each axis.
        score: the measured score; higher is better.
        program: the program.
    """

    cell: Cell
    behaviour: tuple[float, ...]
    score: float
    program: Program


@dataclass(frozen=True, slots=True, repr=False)
class Archive(Tabular):
    """The archive of a MAP-Elites run.

    Attributes:
        axes: the axes of the map, each with its minimum, its maximum and its number of bins.
        elites: the best programs of the filled cells, the fittest first.
        coverage: the share of filled cells, 0 to 1.
        qd_score: the sum of the scores, each measured from the worst score that the metric allows, or from 0.
    """

    axes: Mapping[str, tuple[float, float, int]]
    elites: tuple[Elite, ...]
    coverage: float
    qd_score: float

    def __str__(self) -> str:
        """The coverage of the map, and below it the elites as a text table."""
        table = _lines(self.to_rows(), [each.program for each in self.elites])
        return f"{self.coverage:.1%} of the cells, QD score {self.qd_score:.6g}\n{table}"

    __repr__ = __str__

    def to_rows(self) -> list[dict[str, Any]]:
        """The elites as rows of a table: their behaviour by axis, the score, and the program."""
        return [
            {
                **dict(zip(self.axes, elite.behaviour, strict=True)),
                "score": elite.score,
                "program": str(elite.program),
            }
            for elite in self.elites
        ]


def _lines(
    rows: Sequence[Mapping[str, object]], programs: Sequence[Program], chosen: int | None = None
) -> str:
    """A text table of at most ``MOST_SHOWN`` programs, one per line.

    A ``*`` marks the chosen program.
    """
    from gpkit.show.run_charts import one_line

    cells: list[Sequence[str]] = [("", *rows[0])] if rows else []
    for place, (row, program) in enumerate(zip(rows[:MOST_SHOWN], programs, strict=False)):
        text = program.named.language.print_program(program.named.source.program, {})
        numbers = [f"{value:.6g}" for key, value in row.items() if key != "program"]
        cells.append((f"{place + 1}{'*' * (place == chosen)}", *numbers, one_line(text)))
    more = f"and {len(rows) - MOST_SHOWN:,} more: to_rows gives all" if len(rows) > MOST_SHOWN else ""
    return (aligned(cells) + more).removesuffix("\n") if cells else "none"


def front_value(table: FrontTable, programs: Sequence[object], run: Subject) -> Front:
    """The front of a run with the given programs; by default, with the programs of its table."""
    programs = programs or [
        run.program(row.program, table.file(place)) for place, row in enumerate(table.rows)
    ]
    members = tuple(
        FrontMember(built(program, run.language, run.header), row.objectives, row.error)
        for program, row in zip(programs, table.rows, strict=True)
    )
    return Front(table.objectives, table.better, members, table.rule, table.chosen)


def archive_value(islands: Iterable[Sequence[Individual[Hashable]]], run: Subject) -> Archive:
    """The archive of a run that fills a map, made from the run's last populations."""
    grid = grid_of(run.config.map)
    found = maps.Archive(grid, grid.filled(chain(*islands)), run.metric)
    elites = [
        Elite(cell, i.behaviour, i.score, built(i.genome, run.language, run.header))
        for cell, i in found.elites.items()
    ]
    axes = {axis.name: (axis.low, axis.high, axis.bins) for axis in grid.axes}
    return Archive(axes, tuple(elites), found.coverage, found.qd_score)


CHAMPION = "champion"
"""The name of the program that a run returns."""


@dataclass(frozen=True, slots=True)
class Run(Tabular):
    """A run of evolution.

    Attributes:
        config: the configuration, which determines the course of the run.
        generations: the statistics of each generation from the first one on, including generations before the run was
            resumed.
        score: the champion's score; in games, measured on deals that no generation has played. Higher is better.
        reason: the reason why the run ended; empty if it has not ended.
        digest: the SHA-256 of the run's last state, the same for the same configuration and seed; empty if the run has
            not ended.
        folder: the folder of the run; None if it is not stored.
        front: the programs that no other dominates, for a run with several objectives.
        archive: the best program of each cell, for a run that fills a map of behaviour.
    """

    config: Config
    generations: tuple[Summary, ...]
    score: float
    reason: str
    digest: str
    folder: Path | None
    front: Front | None = None
    archive: Archive | None = None

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> "Run":
        """The run in a folder, in its current state; ``gpkit.load`` returns its champion.

        Raises:
            CheckpointError: the folder contains no run, the run has no generation yet, or a file is damaged.
        """
        from gpkit.show.run_charts import archive_of_run

        history, place = read_history(Path(folder)), Path(folder)
        run, table, found = history.run, read_front(place), archive_of_run(history)
        programs = [
            each._replace(genome=run.program(each.genome, "elite"))
            for each in (() if found is None else found.elites.values())
        ]
        return cls(
            run.config,
            history.generations,
            history.champion.score,
            history.reason,
            history.digest,
            place,
            None if table is None else front_value(table, (), run),
            None if found is None else archive_value([programs], run),
        )

    def __str__(self) -> str:
        """The run in one line."""
        last = self.generations[-1].generation if self.generations else 0
        stored = "" if self.folder is None else f", in {self.folder}"
        return f"generation {last}, stopped after {self.reason}{stored}; SHA-256 {self.digest}"

    def to_rows(self) -> list[Mapping[str, object]]:
        """The statistics of each generation."""
        return [codec(Summary).write(each) for each in self.generations]

    def _repr_html_(self) -> str:
        """The generations as a table."""
        return html_table(self.to_rows(), str(self))


class Evolved(tuple[Program, Run], Tabular):
    """The champion of a finished run, and the run: ``champion, run = gpkit.evolve(...)``.

    If the run was on a game, gpkit measures the strength of the champion when you ask for it.
    """

    _running: Any
    _result: RunResult[Any]
    _seconds: float | None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the result as a plain pair."""
        return tuple, (tuple(self),)

    @property
    def champion(self) -> Program:
        """The champion."""
        return self[0]

    @property
    def run(self) -> Run:
        """The run."""
        return self[1]

    @cached_property
    def closing(self) -> tuple[Sequence[Strength], HeldOutTable] | None:
        """The champion's results against the run's opponents on held-out deals, and the closing table.

        None if the run is not on a game, or if the command runs out of time.
        """
        run, genome = self._running, self._result.champion.individual.genome
        with suppress(TimeUp), watching() as tell, limited(self._seconds):
            if run.config.game:
                return closing_table(run, self._file, genome, tell, begun(), self._seconds)
        return None

    @property
    def _file(self) -> str:
        """The path of the champion's file if the run is stored, otherwise the name of the file."""
        return CHAMPION if self.run.folder is None else str(champion_file(self.run.folder, FINAL))

    def to_json(self) -> dict[str, object]:
        """The run as JSON values, with its closing table."""
        run, result, found = self.run, self._result, self.closing
        told: dict[str, object] = {
            "seed": run.config.seed,
            "folder": None if run.folder is None else str(run.folder),
            "reason": run.reason,
            "generation": result.state.generation,
            "evaluations": result.state.evaluations,
            "sha256": run.digest,
            "champion": {
                "file": self._file,
                "nodes": result.champion.individual.size,
                "generation": result.champion.generation,
                "score": result.champion.score,
            },
        }
        if found is None:
            return {**told, "held_out": []}
        key = "exact" if run.config.fitness.exact else "held_out"
        return {**told, key: [each.to_json() for each in found[0]], "table": found[1].to_json()}

    def to_rows(self) -> list[Mapping[str, object]]:
        """The statistics of each generation."""
        return self.run.to_rows()

    def _repr_html_(self) -> str:
        """The champion, and the generations as a table."""
        return self.champion._repr_html_() + self.run._repr_html_()

    def told(self) -> Iterator[str | Sheet]:
        """The reason for the run's end, and its champion with results on held-out deals or a score on a problem."""
        running, result, found = self._running, self._result, self.closing
        yield Note(f"stopped after {result.reason}; SHA-256 of the populations: {result.digest}")
        header = champion_header(result.champion, running.header)
        yield Lines(running.representation.print(result.champion.individual.genome, header).rstrip("\n"))
        if not running.config.game:
            yield Note(f"score of the champion: {result.champion.score:.6g}")
            return
        if found is None:
            yield Note(f"timed out before its strength was measured: gpkit run {self._file} --ladder")
            return
        results, table = found
        yield from strengths_told(results, table)
        again = f"gpkit run {self._file}{game_option(table.game)} --ladder"
        yield Note(f"trained on: {table.trained}; the whole table: {again}")
        subject, met = running, [row.trial.opponent for row in table.rows]
        if missed := [name for name in met if name.startswith(MCTS) and name not in subject.opponents]:
            named = ", ".join(f'"{name}"' for name in (*subject.opponents, missed[0]))
            yield Note(
                f"it did not train against {missed[0]}; a configuration with [fitness] opponents = [{named}] does, "
                "in more time"
            )
        if running.metric.lower_is_better and subject.game.seatings(subject.rules) > 1:
            yield Note(
                f"in the program, `fitness` and `score` are {running.metric.name} with a minus sign, so higher is "
                "better"
            )


def usual_folder(what: Any, run: Subject) -> Path:
    """The folder in which the shell stores a run if none is named."""
    name = os.fspath(what) if run.config.problem else str(name_of(what)).replace(":", "-")
    return Path("runs") / f"{PurePath(name).stem}-{run.config.seed}"


def again_of(run: Subject, what: object, folder: Path | None) -> str:
    """The command that resumes a run."""
    named = f"{what} " if run.config.problem and what is not None else ""
    return f"gpkit evolve {named}--resume --out {folder}{game_option(run.config.game)}"


def evolved(
    followed: "RunFollower",
    run: Subject,
    result: RunResult[Hashable],
    folder: Path | None,
    seconds: float | None,
) -> Evolved:
    """The result of a finished run; ``seconds`` limits the time for measuring the champion's strength."""
    found = Evolved(outcome(run, result, followed.summaries, folder))
    found._running, found._result, found._seconds = run, result, seconds
    return found


def outcome(
    run: Subject, result: RunResult[Hashable], summaries: Sequence[Summary], folder: Path | None
) -> tuple[Program, Run]:
    """The champion of a finished run, and the run itself, including earlier generations from its folder."""
    champion, is_new = result.champion, bool(summaries) and summaries[0].generation == 0
    before = () if folder is None or is_new else stored_generations(folder)
    numbered = {each.generation: each for each in (*before, *summaries)}
    return champion_of(champion, run), Run(
        run.config,
        tuple(numbered[number] for number in sorted(numbered)),
        champion.score,
        result.reason,
        result.digest,
        folder,
        None if result.front is None else front_value(result.front, result.programs, run),
        archive_value(result.state.islands, run) if run.config.map else None,
    )


class RunFollower:
    """Follows a run: collects its generations, shows its speed and remaining time, and decides when to end it."""

    def __init__(
        self,
        run: Subject,
        tell: Tell,
        clock: Callable[[], float],
        time_limit: float | None = None,
        *,
        closing: float = 0.0,
        callback: OnGeneration | None = None,
    ) -> None:
        """Begin to follow a run.

        Args:
            run: the run to follow.
            tell: a function that shows progress messages.
            clock: a function that returns the seconds that count towards the limit, including the seconds before the
                run.
            time_limit: the seconds that the run may take; None means no limit.
            closing: the seconds reserved for the work after the run.
            callback: a function that is called for every new generation.
        """
        if callback is not None:
            check_takes(callback, f"the callback `{name_of_part(callback)}`", "summary", "champion")
        self.summaries: list[Summary] = []
        self._run, self._tell, self._clock, self._callback = run, tell, clock, callback
        self._limit, self._closing = math.inf if time_limit is None else time_limit, closing
        self._began, self._trials, self._pace, self._is_over = clock(), 0, 0.0, False
        self._place: Path | None = None

    def stop(self, _state: SearchState[Hashable]) -> str | None:
        """The reason to end the run, if the callback ends it or only the time reserved for finishing is left."""
        is_late = self._clock() >= self._limit - self._closing
        return f"{self._limit:g} seconds" if is_late else "the callback" if self._is_over else None

    def left(self) -> float:
        """The seconds until gpkit abandons the run, not counting the time reserved for finishing."""
        return max(0.0, self._limit - self._closing + GRACE - self._clock())

    def generation(self, summary: Summary, state: SearchState[Hashable]) -> None:
        """Count and show a new generation, call the callback, and check the folder for a request to pause.

        Raises:
            KeyboardInterrupt: the user asked the run to pause.
        """
        self.summaries.append(summary)
        self._trials += summary.trials
        used, last, metric = self._clock(), self._run.config.stop.generations, self._run.metric
        elapsed, speed = used - self._began, ""
        if self._trials:
            self._pace = elapsed / self._trials
            speed = f", {self._trials / max(elapsed, 1e-9):,.0f} games/s"
        of = f" of {last}" if last is not None else ""
        lost = f", {summary.lost} lost" if summary.lost else ""
        left, done = self._limit - used, summary.generation - self.summaries[0].generation
        if last is not None and done > 0:
            rest = elapsed / done * (last - summary.generation)
            left = min(left, rest + seconds_after(self._run, self._pace))
        left_in_words = f", {max(0.0, left):.0f} s left" if left < math.inf else ""
        best, median, score = map(metric.shown, (summary.best, summary.median, state.champion.score))
        self._tell(
            f"generation {summary.generation}{of}: best {best:.4f}, median {median:.4f}, "
            f"champion {score:.4f} {metric.name} (size {state.champion.individual.size}), "
            f"mean size {summary.size:.1f}, {summary.diversity:.0%} distinct{lost}"
            f"{speed}{left_in_words}"
        )
        if self._callback is not None:
            self._is_over = self._callback(summary, champion_of(state.champion, self._run)) is False
        if self._place is not None and take_pause(self._place):
            raise KeyboardInterrupt("asked to pause")

    def ending(self) -> None:
        """Show that the generations are over and that the run now refines and validates its champion."""
        after = min(seconds_after(self._run, self._pace), self._limit - self._clock())
        self._tell(f"refining and validating the champion, {max(after, 0.0):.0f} s left")

    def hooks(self, folder: Path | None, hooks: Hooks = QUIET) -> Hooks:
        """The given hooks, extended to show the run, to end it, and to check its folder for a pause request."""
        finished = f"the run in {folder} is finished already; nothing to do"
        heard = replace(
            hooks,
            ended=partial(remark, finished),
            generation=self.generation,
            stop=self.stop,
            patience=PATIENCE if self._callback is None else 0.0,  # a callback may read the folder
        )
        if self._limit < math.inf:
            heard = replace(heard, limit=(self._limit, self.left()))
        if folder is not None:
            self._place = folder.absolute()
            take_pause(self._place)  # of an earlier time
        return heard if (line := shell()) is None else replace(heard, ending=self.ending, arguments=line.line)

    @contextmanager
    def interrupts(self, folder: Path | None, again: Callable[[], str] = str) -> Iterator[None]:
        """Watch for interrupts.

        Args:
            folder: the folder of the run.
            again: a function that returns the command that resumes the run.

        Raises:
            KeyboardInterrupt: something interrupted the run or asked it to pause; the message says how to continue.
        """
        try:
            yield
        except (KeyboardInterrupt, WorkersGoneError) as error:
            is_stored, in_shell = folder is not None and is_run(folder), shell() is not None
            if in_shell and is_stored:
                latest = champions(folder)[-1:] if folder is not None else []
                best = "".join(f"; the best program so far is {path}" for path in latest)
                message = f"{str(error) or 'interrupted'}{best}; continue with: {again()}"
                raise KeyboardInterrupt(message) from None
            if in_shell or isinstance(error, WorkersGoneError):
                raise
            last = (
                f"after generation {self.summaries[-1].generation}" if self.summaries else "at its beginning"
            )
            how_on = (
                f"continue it with folder={str(folder)!r}, resume=True" if is_stored else "it was not stored"
            )
            raise interrupted(f"the run was interrupted {last}; {how_on}") from None


def warn_of_interrupt(result: RunResult[Hashable]) -> None:
    """Warn the code that called ``gpkit.fit`` if the fit was interrupted."""
    if result.reason == INTERRUPTED:
        best = f"interrupted: this is the best program up to generation {result.state.generation}"
        warnings.warn(best, stacklevel=4)


def champion_of(champion: Champion[Hashable], run: Subject) -> Program:
    """The champion of a run as a program."""
    return built(champion.individual.genome, run.language, champion_header(champion, run.header), CHAMPION)

"""Runs of evolution in Python code."""

import math
import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path, PurePath
from typing import Any

from gpkit.analysis.evaluation import closing_table, seconds_after
from gpkit.analysis.results import strengths_told
from gpkit.api.fronts import Archive, Front, archive_value, front_value
from gpkit.api.games import name_of
from gpkit.api.kinds import OnGeneration
from gpkit.api.problems import built
from gpkit.api.programs import Program
from gpkit.api.progress import begun, remark, shell, watching
from gpkit.core.codec import codec
from gpkit.core.errors import interrupted
from gpkit.core.plugins import file_of, shown_path
from gpkit.core.tabular import Lines, Note, Sheet, Tabular, html_table
from gpkit.core.timeouts import GRACE, TimeUp, limited
from gpkit.core.wording import Tell
from gpkit.core.work_folder import is_run, take_pause
from gpkit.evolution.config import Config
from gpkit.evolution.executors import WorkersGoneError
from gpkit.evolution.history import stored_generations
from gpkit.evolution.loop import INTERRUPTED
from gpkit.evolution.own_parts import check_takes
from gpkit.evolution.parts import name_of_part
from gpkit.evolution.run_folder import FINAL, RunResult, champion_file, champion_header
from gpkit.evolution.search import PATIENCE, QUIET, Champion, Hooks, State
from gpkit.evolution.setup import Run as Running
from gpkit.evolution.summary import Summary
from gpkit.playing.evaluation import HeldOutTable
from gpkit.playing.results import Strength

CHAMPION = "champion"
"""Name of the program that a run returns."""


@dataclass(frozen=True, slots=True)
class Run(Tabular):
    """Run of evolution that has ended.

    Attributes:
        config: everything that decided its course.
        generations: in numbers, all from the first on, also those before the run went on.
        score: of the champion, on conditions that no generation has met; higher is better.
        reason: why it ended.
        digest: the SHA-256 of its last state, the same for the same configuration and seed.
        folder: where it is stored; None if nowhere.
        front: the programs that none dominates, where several objectives were weighed.
        archive: the best program of each cell, where a map of behaviour was filled.
    """

    config: Config
    generations: tuple[Summary, ...]
    score: float
    reason: str
    digest: str
    folder: Path | None
    front: Front | None = None
    archive: Archive | None = None

    def __str__(self) -> str:
        """The run in a line."""
        last = self.generations[-1].generation if self.generations else 0
        stored = "" if self.folder is None else f", in {self.folder}"
        return f"generation {last}, stopped after {self.reason}{stored}; SHA-256 {self.digest}"

    def to_rows(self) -> list[Mapping[str, object]]:
        """The generations in numbers."""
        return [codec(Summary).write(each) for each in self.generations]

    def _repr_html_(self) -> str:
        """The generations as a table."""
        return html_table(self.to_rows(), str(self))


class Evolved(tuple[Program, Run], Tabular):
    """Champion of a run that has ended, and the run: ``champion, run = gpkit.evolve(...)``.

    If the run was on a game, gpkit measures the strength of the champion when you ask for it.
    """

    _running: Running[Any]
    _result: RunResult[Any]
    _seconds: float | None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the answer as a plain pair."""
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
        """The results against the run's opponents on held-out deals, and the closing table.

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
        """The generations in numbers."""
        return self.run.to_rows()

    def _repr_html_(self) -> str:
        """The champion, and the generations as a table."""
        return self.champion._repr_html_() + self.run._repr_html_()

    def told(self) -> Iterator[str | Sheet]:
        """The reason for the run's end, its champion, and the champion's results on held-out deals, or score on a
        problem."""
        running, result, found = self._running, self._result, self.closing
        yield Note(f"stopped after {result.reason}; SHA-256 of the populations: {result.digest}")
        header = champion_header(result.champion, running.header)
        yield Lines(
            running.subject.representation.print(result.champion.individual.genome, header).rstrip("\n")
        )
        if not running.config.game:
            yield Note(f"score of the champion: {result.champion.score:.6g}")
            return
        if found is None:
            yield Note(f"timed out before its strength was measured: gpkit run {self._file} --ladder")
            return
        results, table = found
        yield from strengths_told(results, table)
        again = f"gpkit run {self._file}{named_game(table.game)} --ladder"
        yield Note(f"trained on: {table.trained}; the whole table: {again}")
        subject = running.subject
        if running.metric.lower_is_better and subject.game.seatings(subject.rules) > 1:
            yield Note(
                f"in the program, `fitness` and `score` are {running.metric.name} with a minus sign, so that higher is "
                "better"
            )


def usual_folder(what: Any, run: Running[Any]) -> Path:
    """The folder in which the shell stores a run if nobody names one."""
    name = os.fspath(what) if run.config.problem else str(name_of(what)).replace(":", "-")
    return Path("runs") / f"{PurePath(name).stem}-{run.config.seed}"


def again_of(run: Running[Any], what: Any, folder: Path | None) -> str:
    """The command that resumes a run."""
    named = f"{what} " if run.config.problem and what is not None else ""
    return f"gpkit evolve {named}--resume --out {folder}{named_game(run.config.game)}"


def named_game(game: str) -> str:
    """The option that names a game from elsewhere again; empty for one of the package, and without a game."""
    external = file_of(game)
    return f" --game {shown_path(external[0])}" if external else ""


def evolved(
    followed: "Followed",
    run: Running[Any],
    result: RunResult[Any],
    folder: Path | None,
    seconds: float | None,
) -> Evolved:
    """The answer of a run that has ended; ``seconds`` limits the time for measuring the champion's strength."""
    found = Evolved(outcome(run, result, followed.summaries, folder))
    found._running, found._result, found._seconds = run, result, seconds
    return found


def outcome(
    run: Running[Any], result: RunResult[Any], summaries: Sequence[Summary], folder: Path | None
) -> tuple[Program, Run]:
    """The champion of a run that has ended, and the run, with the generations that its folder has beside these."""
    champion, is_new = result.champion, bool(summaries) and summaries[0].generation == 0
    before = () if folder is None or is_new else stored_generations(folder)
    numbered = {each.generation: each for each in (*before, *summaries)}
    ended = Run(
        run.config,
        tuple(numbered[number] for number in sorted(numbered)),
        champion.score,
        result.reason,
        result.digest,
        folder,
        None if result.front is None else front_value(result.front, result.programs, run),
        archive_value(result.state.islands, run) if run.config.map else None,
    )
    return _program(champion, run), ended


class Followed:
    """Follows a run: collects its generations, shows its speed and the remaining time, and decides when it ends."""

    def __init__(
        self,
        run: Running[Any],
        tell: Tell,
        clock: Callable[[], float],
        time_limit: float | None = None,
        *,
        closing: float = 0.0,
        callback: OnGeneration | None = None,
    ) -> None:
        """Begin to follow a run now.

        Args:
            run: what runs.
            tell: takes the sentences.
            clock: gives the seconds of the limit that are over, those before the run, too.
            time_limit: the seconds that the run may take; None means no limit.
            closing: the part that is needed after the run.
            callback: called for every new generation.
        """
        if callback is not None:
            check_takes(callback, f"the callback `{name_of_part(callback)}`", "summary", "champion")
        self.summaries: list[Summary] = []
        self._run, self._tell, self._clock, self._callback = run, tell, clock, callback
        self._limit, self._closing = math.inf if time_limit is None else time_limit, closing
        self._began, self._trials, self._pace, self._is_over = clock(), 0, 0.0, False
        self._place: Path | None = None

    def stop(self, _state: State[Any]) -> str | None:
        """The reason to end the run, if the callback ends it or only the time reserved for its end is left."""
        is_late = self._clock() >= self._limit - self._closing
        return f"{self._limit:g} seconds" if is_late else "the callback" if self._is_over else None

    def left(self) -> float:
        """The seconds until gpkit abandons the run, not counting the time reserved for its end."""
        return max(0.0, self._limit - self._closing + GRACE - self._clock())

    def generation(self, summary: Summary, state: State[Any]) -> None:
        """Count and show a new generation, call the callback, and look in the folder for a request to pause.

        Raises:
            KeyboardInterrupt: there is one.
        """
        self.summaries.append(summary)
        self._trials += summary.trials
        used, last, metric = self._clock(), self._run.config.stop.generations, self._run.subject.metric
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
            self._is_over = self._callback(summary, _program(state.champion, self._run)) is False
        if self._place is not None and take_pause(self._place):
            raise KeyboardInterrupt("asked to pause")

    def ending(self) -> None:
        """Show that the generations are over and that the run now refines and validates its champion."""
        after = min(seconds_after(self._run, self._pace), self._limit - self._clock())
        self._tell(f"refining and validating the champion, {max(after, 0.0):.0f} s left")

    @property
    def limit(self) -> tuple[float, float] | None:
        """The seconds that the run may take, and those after which gpkit abandons it; None means no limit."""
        return None if self._limit == math.inf else (self._limit, self.left())

    @property
    def line(self) -> Sequence[str]:
        """The words of the command line; empty in Python code."""
        return () if (found := shell()) is None else found.line

    def hooks(self, folder: Path | None, hooks: Hooks = QUIET) -> Hooks:
        """The given hooks, which now also show the run and look in its folder for a request to pause."""
        finished = f"the run in {folder} is finished already; nothing to do"
        heard = replace(hooks, ended=partial(remark, finished), generation=self.generation)
        if folder is not None:
            self._place = folder.absolute()
            take_pause(self._place)  # of an earlier time
        return heard if shell() is None else replace(heard, ending=self.ending, patience=PATIENCE)

    @contextmanager
    def interrupts(self, folder: Path | None, again: Callable[[], str] = str) -> Iterator[None]:
        """Watch for interrupts.

        Args:
            folder: that of the run.
            again: gives the command that resumes the run.

        Raises:
            KeyboardInterrupt: the run was interrupted, or asked to pause; the message says how to continue it.
        """
        try:
            yield
        except (KeyboardInterrupt, WorkersGoneError) as error:
            is_stored, in_shell = folder is not None and is_run(folder), shell() is not None
            if in_shell and is_stored:
                message = f"{str(error) or 'interrupted'}; continue with: {again()}"
                raise KeyboardInterrupt(message) from None
            if in_shell or isinstance(error, WorkersGoneError):
                raise
            last = (
                f"after generation {self.summaries[-1].generation}" if self.summaries else "at its beginning"
            )
            how_on = (
                f"it goes on with folder={str(folder)!r}, resume=True" if is_stored else "it was not stored"
            )
            raise interrupted(f"the run was interrupted {last}; {how_on}") from None


def warn_of_interrupt(result: RunResult[Any]) -> None:
    """Warn the code that called ``gpkit.fit`` if the fit was interrupted."""
    if result.reason == INTERRUPTED:
        best = f"interrupted: this is the best program up to generation {result.state.generation}"
        warnings.warn(best, stacklevel=4)


def _program(champion: Champion[Any], run: Running[Any]) -> Program:
    """The champion of a run as a program."""
    return built(champion.individual.genome, run.language, champion_header(champion, run.header), CHAMPION)

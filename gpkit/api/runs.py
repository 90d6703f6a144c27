"""Runs of evolution in Python code."""

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from gpkit.analysis.evaluation import seconds_after
from gpkit.api.arguments import command
from gpkit.api.described_runs import OwnOperators, OwnParts, Starts, What, described
from gpkit.api.fronts import Archive, Front, archive_value, front_value
from gpkit.api.kinds import Count, Number, Seconds, Seed
from gpkit.api.problems import built
from gpkit.api.programs import Program
from gpkit.api.progress import begun, remark, shell, watching
from gpkit.core.codec import codec
from gpkit.core.errors import UsageError, interrupted
from gpkit.core.settings import NO_SETTINGS
from gpkit.core.tabular import Tabular, html_table
from gpkit.core.timeouts import GRACE
from gpkit.core.wording import Tell
from gpkit.core.work_folder import is_run, take_pause
from gpkit.evolution.config import Config
from gpkit.evolution.executors import WorkersGoneError
from gpkit.evolution.history import stored_generations
from gpkit.evolution.loop import evolve as evolve_by
from gpkit.evolution.own_parts import check_takes
from gpkit.evolution.parts import name_of_part
from gpkit.evolution.run_folder import RunResult, champion_header
from gpkit.evolution.search import PATIENCE, QUIET, Champion, Hooks, State
from gpkit.evolution.setup import Run as Running
from gpkit.evolution.setup import Stop, first_of
from gpkit.evolution.summary import Summary

OnGeneration = Callable[[Summary, Program], object]
"""Called for every new generation with its numbers and the champion so far; the run ends when it returns False."""

CHAMPION = "champion"
"""Name of the program that a run returns."""

CALLED_OFF = "the callback"
"""Reason of the end of a run that its callback ended."""


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


@command
def evolve(
    what: What = None,
    *,
    generations: Number | None = None,
    seed: Seed | None = None,
    time_limit: Seconds | None = None,
    settings: Mapping[str, Any] = NO_SETTINGS,
    start: Starts = (),
    callback: OnGeneration | None = None,
    folder: str | os.PathLike[str] | None = None,
    resume: bool = False,
    workers: Count | str = 1,
    operators: OwnOperators = NO_SETTINGS,
    selection: Any = None,
    scheme: Any = None,
    initialiser: Any = None,
    stop: Callable[[State[Any]], str | bool | None] | None = None,
    callbacks: Sequence[Any] = (),
    objectives: Sequence[Any] = (),
) -> tuple[Program, Run]:
    """Evolve programs, as ``gpkit evolve`` does: the same configuration and seed give the same champion.

    >>> import gpkit
    >>> from gpkit.core.registry import data_folder
    >>> tic_tac_toe = data_folder("programs") / "games" / "tic_tac_toe.py"
    >>> small = {"population": {"size": 10}, "fitness": {"deals": 2, "validation_deals": 4}}
    >>> tell = lambda summary, champion: print(summary.generation, summary.best)
    >>> champion, run = gpkit.evolve(tic_tac_toe, generations=1, settings=small, callback=tell)
    0 1.0
    1 0.75
    >>> champion.game, champion.header["generation"], run.reason
    ('tic_tac_toe', '0', '1 generation')

    Args:
        what: a problem of one's own, as ``gpkit.problem`` gives it; a game of one's own, the name of a preset such as
            ``sevens``, a file ``.toml``, or a configuration.
        generations: instead of the configuration's.
        seed: instead of the configuration's.
        time_limit: end within so many seconds.
        settings: tables and keys instead of the configuration's, as in a file ``.toml``.
        start: programs to start from: values, files, or names of the game's programs; with ``population.start_share``
            and ``population.mutant_share`` among the settings.
        callback: called for every new generation with its numbers and the champion so far; if it returns False, the
            run ends.
        folder: where the run is stored, to be gone on with; without it nothing is stored.
        resume: go on with the run in the folder, by its configuration; ``what`` may name its game.
        workers: processes, or the address of a dask scheduler; the result is the same. A script evolves with several
            below ``if __name__ == "__main__":``.
        operators: of one's own by name, each with its share of the children beside those of the configuration, such as
            ``{"mine": (mine, 0.3)}``: a function ``mine(rng, program)`` or ``mine(rng, program, donor)`` that returns a
            program or its text, or a ``gpkit.Operator`` of genomes. A share alone is of an operator that exists. Only
            the proportions of all shares matter.
        selection: a function ``(rng, population)`` that returns the place of a parent, the best first; or a
            ``gpkit.Selector``; or the name of one that exists.
        scheme: a function ``(table, shares, selector)`` that returns a ``gpkit.Scheme``, or a name.
        initialiser: a function ``(rng, index)`` that returns a program of the first generation or its text, or a name.
        stop: a function of a ``gpkit.SearchState`` that returns the reason to end, or None.
        callbacks: functions ``(summary, champion)``, called for every generation and stored with the run by name; the
            run ends when one returns False.
        objectives: what a front weighs, where the scheme or the selector is for several: names, and functions of a
            ``gpkit.Individual`` that return a number, the more the better.

    Returns:
        The champion, and the run.

    Raises:
        UsageError: something that is named does not exist, or settings do not go together.
        CheckpointError: the folder is in use, not empty, not of a run, damaged, or cannot be written.
        GuestError: a fault of a game of one's own; the message names the line.
    """
    if resume and folder is None:
        raise UsageError("resume=True goes on with a stored run: name its folder, as in folder='runs/mine'")
    place = None if folder is None else Path(folder)
    own = OwnParts(operators, selection, scheme, initialiser, stop, callbacks, objectives)
    clock = begun()
    with watching() as tell:
        run = described(
            what,
            settings,
            own,
            start,
            seed=seed,
            generations=generations,
            resumed=place if resume else None,
            workers=str(workers),
        )
        followed = Followed(run, tell, clock, time_limit, spent=clock(), callback=callback)
        result = followed.evolved(place, workers=workers, resume=resume)
    return outcome(run, result, followed.summaries, place)


def outcome(
    run: Running[Any], result: RunResult[Any], summaries: Sequence[Summary], folder: Path | None
) -> tuple[Program, Run]:
    """The champion of a run that has ended, and the run, with the generations that its folder has beside these."""
    champion, before = result.champion, () if folder is None else stored_generations(folder)
    numbered = {each.generation: each for each in (*before, *summaries)}
    ended = Run(
        run.config,
        tuple(numbered[number] for number in sorted(numbered)),
        champion.score,
        result.reason,
        result.digest,
        folder,
        front_value(result.front, run),
        archive_value(result, run),
    )
    return _program(champion, run), ended


class Followed:
    """A run as it goes on: its generations, sentences with its speed and the time that is left, and what ends it."""

    def __init__(
        self,
        run: Running[Any],
        tell: Tell,
        clock: Callable[[], float],
        time_limit: float | None = None,
        *,
        spent: float = 0.0,
        closing: float = 0.0,
        callback: OnGeneration | None = None,
    ) -> None:
        """Begin to follow a run now.

        Args:
            run: what runs.
            tell: takes the sentences.
            clock: gives the seconds since a fixed moment.
            time_limit: the seconds that the run may take; None means no limit.
            spent: the part of the limit that was over when the clock began.
            closing: the part that is needed after the run.
            callback: called for every new generation.
        """
        if callback is not None:
            check_takes(callback, f"the callback `{name_of_part(callback)}`", "summary", "champion")
        self.summaries: list[Summary] = []
        self._run, self._tell, self._clock, self._callback = run, tell, clock, callback
        self._limit, self._closing = math.inf if time_limit is None else time_limit, closing
        self._began, self._spent = clock(), spent
        self._trials, self._pace, self._is_over = 0, 0.0, False

    def stop(self, _state: State[Any]) -> str | None:
        """The reason to end, if a callback wants it, or the time is over but for that reserved for the end."""
        is_late = self._used() >= self._limit - self._closing
        return f"{self._limit:g} seconds" if is_late else CALLED_OFF if self._is_over else None

    def left(self) -> float:
        """The seconds until gpkit abandons the run, not counting the time reserved for its end."""
        return max(0.0, self._limit - self._closing + GRACE - self._used())

    def generation(self, summary: Summary, state: State[Any]) -> None:
        """Count and show a new generation, and tell the callback."""
        self.summaries.append(summary)
        self._trials += summary.trials
        used, last, metric = self._used(), self._run.config.stop.generations, self._run.subject.metric
        elapsed, speed = used - self._spent, ""
        if self._trials:
            self._pace = elapsed / self._trials
            speed = f", {self._trials / max(elapsed, 1e-9):,.0f} games/s"
        of = f" of {last}" if last is not None else ""
        lost = f", {summary.lost} lost" if summary.lost else ""
        left = self._left(summary.generation, used)
        best, median, score = map(metric.shown, (summary.best, summary.median, state.champion.score))
        self._tell(
            f"generation {summary.generation}{of}: best {best:.4f}, median {median:.4f}, "
            f"champion {score:.4f} {metric.name} (size {state.champion.individual.size}), "
            f"mean size {summary.size:.1f}, {summary.diversity:.0%} distinct{lost}"
            f"{speed}{left}"
        )
        if self._callback is not None:
            self._is_over = self._callback(summary, _program(state.champion, self._run)) is False

    def ending(self) -> None:
        """Show that the generations are over and that the run now refines and validates its champion."""
        after = min(seconds_after(self._run, self._pace), self._limit - self._used())
        self._tell(f"refining and validating the champion, {max(after, 0.0):.0f} s left")

    def _left(self, generation: int, used: float) -> str:
        """The time that is left, as far as the rules tell."""
        last, done = self._run.config.stop.generations, generation - self.summaries[0].generation
        left = self._limit - used
        if last is not None and done > 0:
            rest = (used - self._spent) / done * (last - generation)
            left = min(left, rest + seconds_after(self._run, self._pace))
        return f", {max(0.0, left):.0f} s left" if left < math.inf else ""

    def _used(self) -> float:
        """The seconds of the time limit that are over: those before the run, too."""
        return self._spent + self._clock() - self._began

    def evolved(
        self,
        folder: Path | None = None,
        *,
        workers: int | str = 1,
        resume: bool = False,
        again: str = "",
        hooks: Hooks = QUIET,
        keeps: bool = False,
        stop: Stop | None = None,
    ) -> RunResult[Any]:
        """The result of the run.

        Args:
            folder: where it is stored; None stores nothing.
            workers: as for ``executor_for``.
            resume: whether to go on with the run in the folder.
            again: the command that resumes it, for whoever interrupts a command.
            hooks: called before anything that gpkit may have to compile, and when the run begins.
            keeps: whether an interrupt in Python code ends the run but keeps the result so far.
            stop: another rule that ends it.

        Raises:
            UsageError: the time is over before the first generation.
            GpkitError: as of the loop of evolution.
            KeyboardInterrupt: it was interrupted, or asked to pause; the message says how it goes on.
        """
        place = None if folder is None else folder.absolute()
        if place is not None:
            take_pause(place)  # of an earlier time

        def generation(summary: Summary, state: State[Any]) -> None:
            self.generation(summary, state)
            if place is not None and take_pause(place):
                raise KeyboardInterrupt("asked to pause")

        line = shell()
        ended = partial(remark, f"the run in {folder} is finished already; nothing to do")
        heard = replace(hooks, ended=ended, generation=generation)
        try:
            return evolve_by(
                self._run,
                str(workers),
                folder=folder,
                resume=resume,
                stop=self.stop if stop is None else first_of(self.stop, stop),
                hooks=heard if line is None else replace(heard, ending=self.ending, patience=PATIENCE),
                arguments=() if line is None else line.line,
                limit=None if self._limit == math.inf else (self._limit, self.left()),
                keeps=keeps and line is None,
            )
        except (KeyboardInterrupt, WorkersGoneError) as error:
            raise self._interrupted(error, folder, again) from None

    def _interrupted(self, error: BaseException, folder: Path | None, again: str) -> BaseException:
        """The interrupt for the caller, with a sentence that says how the run goes on."""
        is_stored = folder is not None and is_run(folder)
        if shell() is not None:
            return (
                KeyboardInterrupt(f"{str(error) or 'interrupted'}; continue with: {again}")
                if is_stored
                else error
            )
        if isinstance(error, WorkersGoneError):
            return error
        reached = self.summaries[-1].generation if self.summaries else None
        last = "at its beginning" if reached is None else f"after generation {reached}"
        how_on = f"it goes on with folder={str(folder)!r}, resume=True" if is_stored else "it was not stored"
        return interrupted(f"the run was interrupted {last}; {how_on}")


def _program(champion: Champion[Any], run: Running[Any]) -> Program:
    """The champion of a run as a program."""
    header = champion_header(champion, run.header)
    return built(champion.individual.genome, run.language, header, CHAMPION)

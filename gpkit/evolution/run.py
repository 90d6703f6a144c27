"""Runs: a search with its folder. What happens between rounds is here; a round, in ``gpkit.evolution.search``."""

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic

from gpkit.core.settings import to_data
from gpkit.core.work_folder import Description
from gpkit.evolution.engine import UNREFINED, Search
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.individual import Genome
from gpkit.evolution.own_parts import Callbacks
from gpkit.evolution.problem import Executor
from gpkit.evolution.run_folder import (
    KIND,
    Diary,
    RunResult,
    champion_header,
    check_folder,
    open_diary,
    state_digest,
    table_of,
)
from gpkit.evolution.search import State, advance, begin, finish, last_front
from gpkit.evolution.setup import Stop, first_of, stop_of
from gpkit.evolution.subject import Run
from gpkit.evolution.summary import Summary

OnGeneration = Callable[[Summary, State[Any]], None]
"""Called for every new generation, after it has been stored, with the state at the end of its round."""

Hook = Callable[[], None]
"""Called at one moment of a run."""


def ignore(*_moment: Any) -> None:
    """A callback of any moment that does nothing."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """Callbacks of a run.

    Attributes:
        rehearsal: called before the first game, which may need compiling; by then, names and the folder have been
            checked.
        ended: called instead of ``start`` if the run has already ended and no generations are added.
        start: called once, when the rounds begin and no check can fail any more.
        generation: called for every new generation.
        ending: called when the rounds are over, before the run refines and validates its champion.
        patience: seconds to wait between two writes, so that several generations are stored together; they are also
            stored when the run ends or is interrupted. If this is not 0, ``generation`` may be called before its
            generation is stored.
    """

    rehearsal: Hook = ignore
    ended: Hook = ignore
    start: Hook = ignore
    generation: OnGeneration = ignore
    ending: Hook = ignore
    patience: float = 0.0


PATIENCE = 0.5
"""Patience where nobody looks into the folder in between: storing a short generation takes as long as breeding it."""

QUIET = Hooks()

RARELY = (100_000, 50, 50)
"""The least thresholds of Python's collector of cycles during a run; one that is switched off stays so."""


class Course(Generic[Genome]):
    """Course of a run, one round after the other.

    A round is a pure function of the state before it. One that an exception has broken off, as where scores come from
    elsewhere and are not there yet, has changed nothing and is done again by the next step.

    Attributes:
        state: after the last round; None before the first.
        result: of a run that has ended.
    """

    def __init__(
        self,
        search: Search[Genome],
        executor: Executor,
        stop: Stop,
        *,
        diary: Diary[Genome] | None = None,
        hooks: Hooks = QUIET,
    ) -> None:
        """Begin, or go on where the diary ends; the arguments are those of ``run_search``, which raises the same."""
        self._search, self._executor, self._stop = search, executor, stop
        self._diary, self._hooks = diary, hooks
        self.state: State[Genome] | None = None
        self.result: RunResult[Genome] | None = None
        if diary is not None:
            self.state = diary.restore()
            reason = None if self.state is None else stop(self.state)
            if self.state is not None and reason is not None:
                self.result = diary.ended(self.state, reason)
            if self.result is not None:
                hooks.ended()
                return
            diary.go_on(self.state)
        hooks.start()

    def step(self) -> None:
        """Do the next round, or what follows the last one.

        Raises:
            CheckpointError: the file system refuses.
        """
        search, state, executor = self._search, self.state, self._executor
        reason = None if state is None else self._stop(state)
        if state is not None and reason is not None:
            self._hooks.ending()
            self._end(state, reason)
            return
        done = begin(search, executor) if state is None else advance(search, state, executor)
        self.state = done.state
        if self._diary is not None:
            self._diary.write(done)
        for summary, _ in done.generations:
            self._hooks.generation(summary, done.state)

    def _end(self, state: State[Genome], reason: str) -> None:
        search = self._search
        front = last_front(search, state, self._executor)
        result = RunResult(
            state,
            finish(search, state, self._executor, front),
            reason,
            state_digest(state, search.representation),
            None if front is None else table_of(front, search.representation, search.written),
        )
        if self._diary is not None:
            self._diary.write_end(result)
        self.result = result


def run_search(
    search: Search[Genome],
    executor: Executor,
    stop: Stop,
    *,
    diary: Diary[Genome] | None = None,
    hooks: Hooks = QUIET,
) -> RunResult[Genome]:
    """Search until a rule says stop.

    Args:
        search: what is searched and how.
        executor: where genomes are evaluated; it cannot change the result.
        stop: looked at after every round.
        diary: where the run is stored, and where it goes on if it has been interrupted; None stores nothing.
        hooks: called on the way.

    Raises:
        CheckpointError: the folder of the run is damaged, or the file system refuses.
    """
    course = Course(search, executor, stop, diary=diary, hooks=hooks)
    with rare_collections():
        while course.result is None:
            course.step()
    return course.result


def ended(run: Run[Any], state: State[Any], reason: str) -> RunResult[Any]:
    """The result of a run that has no folder and ends in this state; its champion is not refined."""
    course = Course(replace(run.search(), refinement=UNREFINED), SerialExecutor(), lambda _: reason)
    course.state = state
    course.step()
    return course.result  # type: ignore[return-value]  # the rule ends it


@contextmanager
def rare_collections() -> Iterator[None]:
    """Rare searches for cycles of dead objects: a population has none, and each would walk through all of it."""
    before = gc.get_threshold()
    if gc.isenabled() and before[0]:
        gc.set_threshold(*map(max, before, RARELY))
    try:
        yield
    finally:
        gc.set_threshold(*before)


def attended(run: Run[Any], stop: Stop | None, hooks: Hooks) -> tuple[Stop, Hooks]:
    """The rule that ends a run, and its hooks, with the callbacks that its configuration names.

    These are given the champion as a program.

    Args:
        run: whose configuration names rules and callbacks.
        stop: a rule before those of the configuration.
        hooks: called before the callbacks.

    Raises:
        UsageError: there is no such rule or callback.
    """
    config = run.config
    callbacks = Callbacks(config.stop.callbacks, run.outside)
    rules = [*([] if stop is None else [stop]), callbacks.stop, stop_of(config.stop, run.outside)]
    if not callbacks:
        return first_of(*rules), hooks

    def generation(summary: Summary, state: State[Any]) -> None:
        hooks.generation(summary, state)
        genome, header = state.champion.individual.genome, champion_header(state.champion, run.header)
        wrap = run.own.wrap
        callbacks.generation(summary, genome if wrap is None else wrap(genome, run.language, header))

    return first_of(*rules), replace(hooks, generation=generation, patience=0.0)


def description_of(run: Run[Any], versions: Mapping[str, str], arguments: Sequence[str] = ()) -> Description:
    """The description of a run for its folder."""
    return Description(KIND, to_data(run.config), run.config.seed, versions, tuple(arguments))


def evolve(
    run: Run[Any],
    executor: Executor,
    *,
    folder: Path | None = None,
    resume: bool = False,
    stop: Stop | None = None,
    hooks: Hooks = QUIET,
    arguments: Sequence[str] = (),
    refine: bool = True,
) -> RunResult[Any]:
    """Evolve programs.

    Args:
        run: what its configuration means, which decides the course; of a fit with its rows.
        executor: where programs are evaluated; it cannot change the result.
        folder: where the run is stored; None stores nothing.
        resume: go on with the run in the folder; the configuration must be its own, but for ``stop``.
        stop: a rule before those of the configuration, such as a time limit.
        hooks: called on the way.
        arguments: the command line, to be stored.
        refine: whether good genomes are refined as the configuration says.

    Raises:
        UsageError: a name in the configuration that does not exist, rules, dialect and opponents that do not go
            together, or another configuration than that of the run. Nothing has been stored then.
        CheckpointError: the folder is in use, not empty, not of a run, damaged, or cannot be written.
    """
    search = run.search() if refine else replace(run.search(), refinement=UNREFINED)
    rule, hooks = attended(run, stop, hooks)
    if folder is None:
        return run_search(search, executor, rule, hooks=hooks)
    description = description_of(run, run.versions, arguments)
    check_folder(folder, description, resume=resume)
    hooks.rehearsal()
    run.rehearse(search)
    patience = hooks.patience
    with open_diary(
        search, folder.absolute(), description, run.header, resume=resume, patience=patience
    ) as diary:
        return run_search(search, executor, rule, diary=diary, hooks=hooks)

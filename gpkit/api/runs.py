"""Runs of evolution in Python code."""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import Annotated, Any, TypeVar

from gpkit.api.arguments import Count, Number, Seconds, Seed, command
from gpkit.api.fronts import Archive, Front, archive_value, front_value
from gpkit.api.games import GameLike, name_of
from gpkit.api.matches import DataLike
from gpkit.api.parts import OwnParts, with_parts
from gpkit.api.problems import NO_SETTINGS, Problem, ProgramScorer, check_sent
from gpkit.api.programs import Program
from gpkit.api.progress import watching
from gpkit.app.configs import any_config, check_evolved, overridden, with_stored_start
from gpkit.app.live import GRACE, ended_in_time
from gpkit.app.players import Named, opponent
from gpkit.app.rows import rows_file
from gpkit.app.watching import Tell
from gpkit.core.errors import UsageError
from gpkit.core.plugins import is_made
from gpkit.core.tabular import Tabular, html_table
from gpkit.core.timeouts import alarm
from gpkit.evolution.config import config_from_data
from gpkit.evolution.diary import RunResult, champion_text
from gpkit.evolution.fit_config import FitConfig, fit_config_from_data
from gpkit.evolution.own_problem import (
    AnyConfig,
    ProblemConfig,
    Scorer,
    problem_config_from_data,
    problem_run,
)
from gpkit.evolution.pools import executor_for
from gpkit.evolution.resolved import ResolvedRun, resolve
from gpkit.evolution.rows import RowsConfig, rows_config_from_data, with_rows
from gpkit.evolution.run import Hooks
from gpkit.evolution.run import evolve as evolve_by
from gpkit.evolution.run_folder import read_run
from gpkit.evolution.search import Champion, State
from gpkit.evolution.setup import first_of
from gpkit.evolution.start import start_text
from gpkit.evolution.summary import Summary

StartLike = str | os.PathLike[str] | Program
"""A program to start from: a value, a file, or the name of a program of the game."""

OwnOperators = Annotated[
    Mapping[str, Any],
    'operators that make children, such as {"mine": (mine, 0.3)}; those of formulas are for gpkit.problem',
]
"""Operators that make children of parents, each with its share."""

SomeConfig = TypeVar("SomeConfig", bound=AnyConfig)

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
        generations: in numbers; of a run that went on, those since then.
        score: of the champion, on conditions that no generation has met; higher is better.
        reason: why it ended.
        digest: the SHA-256 of its last state, the same for the same configuration and seed.
        folder: where it is stored; None if nowhere.
        front: the programs that none dominates, where several objectives were weighed.
        archive: the best program of each cell, where a map of behaviour was filled.
    """

    config: AnyConfig
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
        return [each.to_json() for each in self.generations]

    def _repr_html_(self) -> str:
        """The generations as a table."""
        return html_table(self.to_rows(), str(self))


@command
def evolve(
    what: GameLike | Problem | AnyConfig | None = None,
    *,
    data: DataLike | None = None,
    target: str | None = None,
    generations: Number | None = None,
    seed: Seed | None = None,
    time_limit: Seconds | None = None,
    settings: Mapping[str, Any] = NO_SETTINGS,
    start: Annotated[StartLike | Sequence[StartLike], "programs, or files or names of programs"] = (),
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
    ('tic_tac_toe', '0', '1 generations')

    Args:
        what: a problem of one's own, as ``gpkit.problem`` gives it; a game of one's own, the name of a preset such as
            ``sevens``, a file ``.toml``, or a configuration.
        data: play no games: evolve decision trees that put these rows into their classes. A CSV file, or the columns of
            a table by name, such as a data frame, which are then written to a CSV file beside ``folder``.
        target: of ``data`` the column with the class of each row.
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
    place = None if folder is None else Path(folder)
    with ExitStack() as held, alarm(time_limit) as is_over, watching() as tell:
        temporary = held.enter_context(TemporaryDirectory()) if place is None else ""
        if what is None and (data is not None or target is not None) and not resume:
            what = "rows"
        own = OwnParts(operators, selection, scheme, initialiser, stop, callbacks, objectives)
        config, parts = with_parts(_config(what, settings, place if resume else None), own)
        config = started(config, start)
        if resume and place is not None and not start:
            config = with_stored_start(config, place)
        file = None if data is None else rows_file(data, place or Path(temporary, "table"))
        run = _resolved(overridden(config, seed, generations), what, str(workers), file, target)
        run = replace(run, own=parts)
        followed = Followed(run, callback, tell, is_over, time_limit)
        chosen = Path(temporary, "run") if time_limit is not None and place is None else place
        to_evolve = partial(evolve_by, run, folder=chosen, stop=first_of(followed.stop, *own.rules))
        result = followed.to_the_end(to_evolve, chosen, str(workers), resume)
    return outcome(run, result, followed.summaries, place)


def outcome(
    run: ResolvedRun, result: RunResult[Any], summaries: Sequence[Summary], folder: Path | None
) -> tuple[Program, Run]:
    """The champion of a run that has ended, and the run."""
    champion = result.champion
    ended = Run(
        run.config,
        tuple(summaries),
        champion.score,
        result.reason,
        result.digest,
        folder,
        front_value(result.front, run),
        archive_value(result, run),
    )
    return _program(champion, run), ended


def told_run(
    what: GameLike | Problem | AnyConfig | None,
    scorer: Scorer,
    *,
    generations: int | None,
    seed: int | None,
    settings: Mapping[str, Any],
    resumed: Path | None,
) -> ResolvedRun:
    """The run of what ``evolve`` takes, which a scorer scores; with ``resumed``, the one in this folder.

    Raises:
        UsageError: something that is named does not exist, or settings do not go together.
        CheckpointError: the folder is not of a run, or damaged.
    """
    config = _config(what, settings, resumed)
    if resumed is not None:
        config = with_stored_start(config, resumed)
    config = overridden(config, seed, generations)
    if isinstance(config, ProblemConfig):
        return replace(problem_run(config), scorer=scorer)
    return _resolved(config, what, "1")


class Followed:
    """A run as it goes on: its generations, and whether a callback or the time ended it."""

    def __init__(
        self,
        run: ResolvedRun,
        callback: OnGeneration | None,
        tell: Tell,
        out_of_time: Callable[[], bool],
        limit: float | None,
    ) -> None:
        self.summaries: list[Summary] = []
        self._run, self._callback, self._is_over = run, callback, False
        self._tell, self._out_of_time, self._limit = tell, out_of_time, limit

    def generation(self, summary: Summary, state: State[Any]) -> None:
        """Count a generation, and tell the callback."""
        self.summaries.append(summary)
        last = self._run.config.stop.generations
        of = "" if last is None else f" of {last}"
        self._tell(f"generation {summary.generation}{of}: best {summary.best:.4f}")
        if self._callback is not None:
            self._is_over = self._callback(summary, _program(state.champion, self._run)) is False

    def to_the_end(
        self, to_evolve: Callable[..., RunResult[Any]], folder: Path | None, workers: str, resume: bool
    ) -> RunResult[Any]:
        """The result of the run that has ended; within a time limit the folder is that of the run."""
        hooks, limit = Hooks(generation=self.generation), self._limit
        if limit is None:
            with executor_for(workers) as executor:
                return to_evolve(executor, resume=resume, hooks=hooks)
        place = Path(str(folder))
        how: dict[str, Any] = {"workers": workers, "resume": resume, "hooks": hooks}
        return ended_in_time(to_evolve, place, limit + GRACE, limit, **how)

    def stop(self, _state: State[Any]) -> str | None:
        """The reason to end, if a callback wants it, or the time is over."""
        if self._out_of_time():
            return f"{self._limit:g} seconds"
        return CALLED_OFF if self._is_over else None


def _config(what: Any, settings: Mapping[str, Any], resumed: Path | None) -> AnyConfig:
    """The configuration that is meant; with ``resumed``, that of the run in this folder.

    Raises:
        UsageError: it is not named, or what is named does not exist.
    """
    stored = None if resumed is None else read_run(resumed)[1]
    config: AnyConfig
    if isinstance(what, Problem):
        config = stored if isinstance(stored, ProblemConfig) else what.config
    elif isinstance(what, AnyConfig):
        config = what
    else:
        name = name_of(what)
        if name is None and stored is None:
            raise UsageError(
                "name a game, a problem, a preset or a configuration, or resume=True with a folder"
            )
        same = stored is not None and name in (None, getattr(stored, "game", None))
        config = stored if stored is not None and same else any_config(str(name))
    if not settings:
        return config
    if isinstance(config, ProblemConfig):
        return problem_config_from_data(settings, config)
    if isinstance(config, RowsConfig):
        return rows_config_from_data(settings, config)
    if isinstance(config, FitConfig):
        return fit_config_from_data(settings, config)
    return config_from_data(settings, config)


def started(config: SomeConfig, start: StartLike | Sequence[StartLike]) -> SomeConfig:
    """The configuration with other programs to start from, where these are given, and with their texts.

    Raises:
        UsageError: a file cannot be read.
        LimitError: it is too large.
    """
    texts: dict[str, str] = {}
    for each in (start,) if isinstance(start, str | os.PathLike | Program) else start:
        if isinstance(each, Program):
            language, stem, number = each.named.language, PurePath(each.name).stem, 2
            name = f"{stem}{language.suffix}"
            while name in texts:
                name, number = f"{stem}-{number}{language.suffix}", number + 1
            texts[name] = language.print_program(each.named.source.program, each.header)
        else:
            texts[os.fspath(each)] = start_text(os.fspath(each), getattr(config, "game", None))
    if not texts:
        return config
    names, found = tuple(texts), tuple(texts.values())
    return replace(config, population=replace(config.population, start=names, start_texts=found))


def _resolved(
    config: AnyConfig, what: Any, workers: str, file: str | None = None, target: str | None = None
) -> ResolvedRun:
    """The run of a configuration.

    Raises:
        UsageError: it names something that does not exist, or that so many workers cannot have.
    """
    if not isinstance(config, RowsConfig) and (file is not None or target is not None):
        raise UsageError("data and target are for evolution on rows")
    if isinstance(config, ProblemConfig):
        if not isinstance(what, Problem):
            return problem_run(config)
        if what.score is None:
            raise UsageError(
                f"the problem `{config.problem.name}` has no function that scores programs: give gpkit.problem one, or "
                "tell the scores to gpkit.search"
            )
        scorer = ProgramScorer(replace(what, config=config))
        check_sent(scorer, workers)
        return replace(problem_run(config), scorer=scorer)
    if isinstance(config, RowsConfig):
        return resolve(with_rows(config, file, target)).read()
    if isinstance(config, FitConfig):
        return resolve(config).read()
    check_evolved(config.game)
    if is_made(config.game) and workers != "1":
        raise UsageError(
            f"{config.game} exists only in this process: put it into a file to evolve with {workers} workers"
        )
    return resolve(config, opponent)


def _program(champion: Champion[Any], run: ResolvedRun) -> Program:
    """The champion of a run as a program."""
    text = champion_text(champion, run.representation, run.header)
    return Program(Named(CHAMPION, run.language.parse(text, CHAMPION), run.language))

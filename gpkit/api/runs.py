"""Runs of evolution in Python code."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Annotated, Any

from gpkit.api.arguments import command
from gpkit.api.games import GameLike, name_of
from gpkit.api.problems import NO_SETTINGS, Problem, ProgramScorer, check_sent
from gpkit.api.programs import Program
from gpkit.app.configs import any_config, check_evolved, overridden, with_stored_start
from gpkit.app.players import Named, opponent
from gpkit.core.errors import UsageError
from gpkit.core.plugins import is_made
from gpkit.evolution.config import config_from_data
from gpkit.evolution.fit_config import FitConfig, fit_config_from_data
from gpkit.evolution.own_problem import AnyConfig, ProblemConfig, problem_config_from_data, problem_run
from gpkit.evolution.pools import executor_for
from gpkit.evolution.resolved import ResolvedRun, resolve
from gpkit.evolution.rows import RowsConfig, rows_config_from_data, with_rows
from gpkit.evolution.run import Hooks, champion_text
from gpkit.evolution.run import evolve as evolve_by
from gpkit.evolution.run_folder import read_run
from gpkit.evolution.search import Champion, State
from gpkit.evolution.start import start_text
from gpkit.evolution.summary import Summary

StartLike = str | os.PathLike[str] | Program
"""A program to start from: a value, a file, or the name of a program of the game."""

OnGeneration = Callable[[Summary, Program], object]
"""Called for every new generation with its numbers and the champion so far; the run ends when it returns False."""

CHAMPION = "champion"
"""Name of the program that a run returns."""

CALLED_OFF = "the callback"
"""Reason of the end of a run that its callback ended."""


@dataclass(frozen=True, slots=True)
class Run:
    """Run of evolution that has ended.

    Attributes:
        config: everything that decided its course.
        generations: in numbers; of a run that went on, those since then.
        score: of the champion, on conditions that no generation has met; higher is better.
        reason: why it ended.
        digest: the SHA-256 of its last state, the same for the same configuration and seed.
        folder: where it is stored; None if nowhere.
    """

    config: AnyConfig
    generations: tuple[Summary, ...]
    score: float
    reason: str
    digest: str
    folder: Path | None


@command
def evolve(
    what: GameLike | Problem | AnyConfig | None = None,
    *,
    generations: int | None = None,
    seed: int | None = None,
    settings: Mapping[str, Any] = NO_SETTINGS,
    start: Annotated[StartLike | Sequence[StartLike], "programs, or files or names of programs"] = (),
    callback: OnGeneration | None = None,
    folder: str | os.PathLike[str] | None = None,
    resume: bool = False,
    workers: int | str = 1,
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
        generations: instead of the configuration's.
        seed: instead of the configuration's.
        settings: tables and keys instead of the configuration's, as in a file ``.toml``.
        start: programs to start from: values, files, or names of the game's programs; with ``population.start_share``
            and ``population.mutant_share`` among the settings.
        callback: called for every new generation with its numbers and the champion so far; if it returns False, the
            run ends.
        folder: where the run is stored, to be gone on with; without it nothing is stored.
        resume: go on with the run in the folder, by its configuration; ``what`` may name its game.
        workers: processes, or the address of a dask scheduler; the result is the same. A script evolves with several
            below ``if __name__ == "__main__":``.

    Returns:
        The champion, and the run.

    Raises:
        UsageError: something that is named does not exist, or settings do not go together.
        CheckpointError: the folder is in use, not empty, not of a run, damaged, or cannot be written.
        GuestError: a fault of a game of one's own; the message names the line.
    """
    place = None if folder is None else Path(folder)
    config = _started(_config(what, settings, place if resume else None), start)
    if resume and place is not None and not start:
        config = with_stored_start(config, place)
    run = _resolved(overridden(config, seed, generations), what, str(workers))
    followed = _Followed(run, callback)
    hooks = Hooks(generation=followed.generation)
    with executor_for(str(workers)) as executor:
        result = evolve_by(run, executor, folder=place, resume=resume, stop=followed.stop, hooks=hooks)
    champion = result.champion
    ended = Run(run.config, tuple(followed.summaries), champion.score, result.reason, result.digest, place)
    return _program(champion, run), ended


class _Followed:
    """A run as it goes on: its generations, and whether a callback ended it."""

    def __init__(self, run: ResolvedRun, callback: OnGeneration | None) -> None:
        self.summaries: list[Summary] = []
        self._run, self._callback, self._is_over = run, callback, False

    def generation(self, summary: Summary, state: State[Any]) -> None:
        """Count a generation, and tell the callback."""
        self.summaries.append(summary)
        if self._callback is not None:
            self._is_over = self._callback(summary, _program(state.champion, self._run)) is False

    def stop(self, _state: State[Any]) -> str | None:
        """The reason to end, if a callback wants it."""
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


def _started(config: AnyConfig, start: StartLike | Sequence[StartLike]) -> AnyConfig:
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


def _resolved(config: AnyConfig, what: Any, workers: str) -> ResolvedRun:
    """The run of a configuration.

    Raises:
        UsageError: it names something that does not exist, or that so many workers cannot have.
    """
    if isinstance(config, ProblemConfig):
        if not isinstance(what, Problem):
            return problem_run(config)
        scorer = ProgramScorer(replace(what, config=config))
        check_sent(scorer, workers)
        return replace(problem_run(config), scorer=scorer)
    if isinstance(config, RowsConfig):
        return resolve(with_rows(config, None, None)).read()
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

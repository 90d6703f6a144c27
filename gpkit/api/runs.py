"""Runs of evolution in Python code."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from gpkit.api.games import GameLike, name_of
from gpkit.api.programs import Program
from gpkit.app.configs import check_evolved, evolution_config, overridden
from gpkit.app.players import Named, opponent
from gpkit.core.errors import UsageError
from gpkit.core.plugins import is_made
from gpkit.evolution.config import Config, config_from_data
from gpkit.evolution.pools import executor_for
from gpkit.evolution.resolved import GameRun, resolve
from gpkit.evolution.run import Hooks, champion_text, stored_config
from gpkit.evolution.run import evolve as evolve_by
from gpkit.evolution.search import Champion, State
from gpkit.evolution.summary import Summary

OnGeneration = Callable[[Summary, Program], object]
"""Called for every new generation with its numbers and the champion so far; the run ends when it returns False."""

NO_SETTINGS: Mapping[str, Any] = MappingProxyType({})
"""A configuration as it is."""

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
        reason: why it ended.
        digest: the SHA-256 of its last state, the same for the same configuration and seed.
        folder: where it is stored; None if nowhere.
    """

    config: Config
    generations: tuple[Summary, ...]
    reason: str
    digest: str
    folder: Path | None


def evolve(
    what: GameLike | Config | None = None,
    *,
    generations: int | None = None,
    seed: int | None = None,
    settings: Mapping[str, Any] = NO_SETTINGS,
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
        what: a game of one's own, the name of a preset such as ``sevens``, a file ``.toml``, or a configuration.
        generations: instead of the configuration's.
        seed: instead of the configuration's.
        settings: tables and keys instead of the configuration's, as in a file ``.toml``.
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
    config = overridden(_config(what, settings, place if resume else None), seed, generations)
    _check(config.game, str(workers))
    run = resolve(config, opponent)
    summaries, is_over = list[Summary](), False

    def follow(summary: Summary, state: State[Any]) -> None:
        nonlocal is_over
        summaries.append(summary)
        is_over = callback is not None and callback(summary, _program(state.champion, run)) is False

    hooks, stop = Hooks(generation=follow), lambda _: CALLED_OFF if is_over else None
    with executor_for(str(workers)) as executor:
        result = evolve_by(run, executor, folder=place, resume=resume, stop=stop, hooks=hooks)
    ended = Run(config, tuple(summaries), result.reason, result.digest, place)
    return _program(result.champion, run), ended


def _config(what: GameLike | Config | None, settings: Mapping[str, Any], resumed: Path | None) -> Config:
    """The configuration that is meant; with ``resumed``, that of the run in this folder."""
    if isinstance(what, Config):
        config = what
    else:
        name = name_of(what)
        if name is None and resumed is None:
            raise UsageError("name a game, a preset or a configuration, or resume=True with a folder")
        stored = None if resumed is None else stored_config(resumed)
        config = stored if stored is not None and name in (None, stored.game) else evolution_config(str(name))
    return config_from_data(settings, config) if settings else config


def _check(game: str, workers: str) -> None:
    """Check that programs of a game can be evolved by so many workers.

    Raises:
        UsageError: they cannot.
    """
    check_evolved(game)
    if is_made(game) and workers != "1":
        raise UsageError(
            f"{game} exists only in this process: put it into a file to evolve with {workers} workers"
        )


def _program(champion: Champion[Any], run: GameRun) -> Program:
    """The champion of a run as a program."""
    text = champion_text(champion, run.representation, run.header)
    return Program(Named(CHAMPION, run.language.parse(text, CHAMPION), run.language))

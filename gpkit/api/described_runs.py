"""Runs of evolution as arguments of Python code describe them: their configuration, and what it means."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Annotated, Any

from gpkit.api.games import GameLike, name_of
from gpkit.api.parts import OwnParts, with_parts
from gpkit.api.problems import Problem, ProgramScorer
from gpkit.api.programs import Program
from gpkit.app.configs import (
    check_evolved,
    evolution_config,
    overridden,
    start_name,
    with_stored_start,
)
from gpkit.app.players import opponent
from gpkit.core.errors import UsageError
from gpkit.core.plugins import is_made
from gpkit.evolution.config import Config
from gpkit.evolution.parcels import packed
from gpkit.evolution.parts import Parts
from gpkit.evolution.run_folder import read_run
from gpkit.evolution.setup import Run, start_text
from gpkit.evolution.subjects import config_from_data, resolve
from gpkit.gamekit.game import Game

What = Annotated[
    GameLike | Problem | Config | None,
    "a problem, such as gpkit.problem(function, sensors={'x': (-5, 5)}) makes of a function; a game; the name of a "
    "preset; a file .toml; or a configuration",
]
"""Subject of a run: what programs are evolved for."""

StartLike = str | os.PathLike[str] | Program
"""A program to start from: a value, a file, the folder of a run, or the name of a program of the game."""

Starts = Annotated[StartLike | Sequence[StartLike], "programs, or files or names of programs"]
"""Programs to start from."""


def described(
    what: What,
    settings: Mapping[str, Any],
    own: OwnParts,
    start: StartLike | Sequence[StartLike],
    *,
    seed: int | None,
    generations: int | None,
    resumed: Path | None,
) -> tuple[Config, Parts]:
    """The configuration that arguments mean, and the parts of one's own that it names.

    Args:
        what, settings, start, seed, generations: as ``gpkit.evolve`` takes them.
        own: parts of one's own.
        resumed: the folder of the run that goes on; None for a new one.

    Raises:
        UsageError: something that is named does not exist, or settings do not go together.
        CheckpointError: the folder is not of a run, or damaged.
    """
    config, parts = with_parts(_config(what, settings, resumed), own)
    if start:
        config = started(config, start)
    elif resumed is not None:
        config = with_stored_start(config, resumed)
    return overridden(config, seed, generations), parts


def _config(what: Any, settings: Mapping[str, Any], resumed: Path | None) -> Config:
    """The configuration that is meant; with ``resumed``, that of the run in this folder.

    Raises:
        UsageError: it is not named, or what is named does not exist.
    """
    stored = None if resumed is None else read_run(resumed)[1]
    if isinstance(what, Problem):
        config = stored if stored is not None and stored.problem is not None else what.config
    elif what is not None and not isinstance(what, str | os.PathLike | Game):
        config = what
    else:
        name = name_of(what)
        if name is None and stored is None:
            raise UsageError(
                "name a game, a problem, a preset or a configuration, or resume=True with a folder"
            )
        same = stored is not None and name in (None, stored.game)
        config = stored if stored is not None and same else evolution_config(str(name))
    return config_from_data(settings, config) if settings else config


def started(config: Config, start: StartLike | Sequence[StartLike]) -> Config:
    """The configuration with other programs to start from, where these are given, and with their texts.

    Raises:
        UsageError: a file cannot be read.
        LimitError: it is too large.
        CheckpointError: the folder of a run is damaged, or has no champion yet.
    """
    texts: dict[str, str] = {}
    game = config.game or None
    for each in (start,) if isinstance(start, str | os.PathLike | Program) else start:
        if isinstance(each, Program):
            language, stem, number = each.named.language, PurePath(each.name).stem, 2
            name = f"{stem}{language.suffix}"
            while name in texts:
                name, number = f"{stem}-{number}{language.suffix}", number + 1
            texts[name] = language.print_program(each.named.source.program, each.header)
        else:
            name = start_name(os.fspath(each), game)
            texts[name] = start_text(name, game)
    if not texts:
        return config
    names, found = tuple(texts), tuple(texts.values())
    return replace(config, population=replace(config.population, start=names, start_texts=found))


def resolved(config: Config, what: Any, workers: str) -> Run[Any]:
    """The run of a configuration, with the function of a problem, or with rows.

    Raises:
        UsageError: it names something that does not exist, or that so many workers cannot have.
    """
    if isinstance(what, Problem):
        if what.score is None:
            raise UsageError(
                f"the problem `{what.table.name}` has no function that scores programs: give gpkit.problem one, or "
                "tell the scores to gpkit.search"
            )
        scorer = ProgramScorer(replace(what, config=config))
        if workers.isdecimal() and workers != "1":
            packed(scorer.evaluate, ())
        return resolve(config).asking(scorer)
    if config.game:
        check_evolved(config.game)
        if is_made(config.game) and workers != "1":
            raise UsageError(
                f"{config.game} exists only in this process: put it into a file to evolve with {workers} workers"
            )
    return resolve(config, opponent).read()

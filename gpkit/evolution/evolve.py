"""Evolution from a configuration: the way in for the command line, demos and papers."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.core.settings import to_data
from gpkit.core.work_folder import Description
from gpkit.evolution.config import Config
from gpkit.evolution.exact_problem import ExactProblem
from gpkit.evolution.game_problem import GameProblem
from gpkit.evolution.problem import Executor
from gpkit.evolution.rows_config import RowsConfig
from gpkit.evolution.run import QUIET, Hooks, Result, check_folder, open_diary, run_search
from gpkit.evolution.run_folder import KIND, read_run
from gpkit.evolution.setup import header_of, search_of, versions
from gpkit.evolution.stop import Stop, first_of, stop_of
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.playing.players import player_of_name


def evolve(
    config: Config,
    executor: Executor,
    *,
    folder: Path | None = None,
    resume: bool = False,
    stop: Stop | None = None,
    hooks: Hooks = QUIET,
    opponent: Callable[[str, Game], Player] = player_of_name,
    arguments: Sequence[str] = (),
) -> Result[Any]:
    """Evolve programs for a game.

    Args:
        config: everything that decides the course of the run.
        executor: where programs play; it cannot change the result.
        folder: where the run is stored; None stores nothing.
        resume: go on with the run in the folder; the configuration must be its own, but for ``stop``.
        stop: a rule beside those of the configuration, such as a time limit.
        hooks: called on the way.
        opponent: gives the player of an opponent's name.
        arguments: the command line, to be stored.

    Raises:
        UsageError: a name in the configuration that does not exist, rules, dialect and opponents that do not go
            together, or another configuration than that of the run. Nothing has been stored then.
        CheckpointError: the folder is in use, not empty, not of a run, damaged, or cannot be written.
    """
    search = search_of(config, opponent)
    rule = stop_of(config.stop) if stop is None else first_of(stop_of(config.stop), stop)
    if folder is None:
        return run_search(search, executor, rule, hooks=hooks)
    assert isinstance(search.problem, GameProblem | ExactProblem)
    description = Description(KIND, to_data(config), config.seed, versions(config.game), arguments)
    check_folder(folder, description, resume=resume)
    hooks.rehearsal()
    search.problem.rehearse(search.representation.create(stream(config.seed, "create", 0), 0))
    with open_diary(search, folder, description, header_of(config), resume=resume) as diary:
        return run_search(search, executor, rule, diary=diary, hooks=hooks)


def stored_config(folder: Path) -> Config:
    """The configuration of the run in a folder, in which games are played.

    Raises:
        CheckpointError: the folder holds no run, or its description is damaged.
        UsageError: the configuration is one of another version, or on rows.
    """
    config = read_run(folder)[1]
    if isinstance(config, RowsConfig):
        raise UsageError(
            f"the run in {folder} plays no games; continue it with gpkit evolve --resume --out {folder}"
        )
    return config

"""Evolution of a resolved run: the way in for the command line, demos and papers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.core.settings import to_data
from gpkit.core.work_folder import Description
from gpkit.evolution.config import Config
from gpkit.evolution.problem import Executor
from gpkit.evolution.resolved import ResolvedRun
from gpkit.evolution.rows import RowsConfig
from gpkit.evolution.run import QUIET, Hooks, Result, check_folder, open_diary, run_search
from gpkit.evolution.run_folder import KIND, read_run
from gpkit.evolution.setup import Stop, first_of, stop_of


def evolve(
    run: ResolvedRun,
    executor: Executor,
    *,
    folder: Path | None = None,
    resume: bool = False,
    stop: Stop | None = None,
    hooks: Hooks = QUIET,
    arguments: Sequence[str] = (),
) -> Result[Any]:
    """Evolve programs.

    Args:
        run: what its configuration means, which decides the course; one on rows with its rows.
        executor: where programs are evaluated; it cannot change the result.
        folder: where the run is stored; None stores nothing.
        resume: go on with the run in the folder; the configuration must be its own, but for ``stop``.
        stop: a rule beside those of the configuration, such as a time limit.
        hooks: called on the way.
        arguments: the command line, to be stored.

    Raises:
        UsageError: a name in the configuration that does not exist, rules, dialect and opponents that do not go
            together, or another configuration than that of the run. Nothing has been stored then.
        CheckpointError: the folder is in use, not empty, not of a run, damaged, or cannot be written.
    """
    search, config = run.search(), run.config
    rule = stop_of(config.stop) if stop is None else first_of(stop_of(config.stop), stop)
    if folder is None:
        return run_search(search, executor, rule, hooks=hooks)
    description = Description(KIND, to_data(config), config.seed, run.versions, arguments)
    check_folder(folder, description, resume=resume)
    hooks.rehearsal()
    run.rehearse(search)
    with open_diary(search, folder, description, run.header, resume=resume) as diary:
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

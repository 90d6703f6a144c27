"""Studies: many runs with one verdict; the function is also a shell command."""

from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated, Any

from gpkit.api.arguments import command
from gpkit.api.evolving import RunFolder, resumable
from gpkit.api.games import name_of
from gpkit.api.kinds import Count, GameLike, Kind, Seed, WorkersLike
from gpkit.api.progress import begun, shell, watching

if TYPE_CHECKING:
    from gpkit.analysis.studies import Studied


@command
def study(
    configurations: Annotated[
        Any, Kind("STUDY.toml | CONFIG...", "a study file, or configurations", "evolved", many=True)
    ],
    problems: Annotated[
        Any,
        Kind("PRESET | CONFIG.toml | FILE.py", "problems, by name", "evolved", many=True, option="--problem"),
    ] = (),
    *,
    game: GameLike | None = None,
    seeds: Count | None = None,
    seed: Seed | None = None,
    success: float | None = None,
    games: Count | None = None,
    folder: RunFolder | None = None,
    resume: bool = False,
    workers: WorkersLike = 1,
) -> "Studied":
    """Compare configurations over many runs: medians, tests with Holm's correction, and a verdict.

    A study makes one run for each combination of configuration, problem and seed. The value of a run measures its
    champion on data that were not used to choose the champion: games on held-out deals, held-out rows, or the score of
    your own problem. Runs with the same seed are compared in pairs. Workers share the runs. After an interruption,
    --resume continues the study, with the same result; with a larger number of --seeds, it adds runs.

    >>> import gpkit
    >>> def near(program):
    ...     return -abs(program(x=2.0) - 7.0)
    >>> problem = gpkit.problem(near, sensors={"x": (-5, 5)}, settings={"stop": {"generations": 2}})
    >>> sizes = {"few": {"population": {"size": 6}}, "many": {"population": {"size": 40}}}
    >>> found = gpkit.study(sizes, problem, seeds=8)
    >>> [(row.configuration, row.runs) for row in found.rows]
    [('few', 8), ('many', 8)]

    Args:
        configurations: a study file with the tables [problems] and [configurations]; or configuration files or presets.
            In Python it may also be configurations by name: each with tables and keys as in a ``.toml`` file, or a
            value that ``gpkit.evolve`` takes.
        problems: a problem of the study: a preset, a configuration, a game or a file with a problem or a game; may be
            repeated. Each configuration is then a table that overrides the configuration of the problem. In Python,
            problems may also be values, or a mapping from names to problems.
        game: the game that configurations name, if it is in a file, or an OpenSpiel game such as openspiel:hex.
        seeds: the number of seeds. Default: 10, or the number in the study file.
        seed: the first seed. Default: 1.
        success: a run with at least this value counts as a success; if lower values are better, a run with at most this
            value.
        games: the number of held-out games of a champion against each opponent. Default: 2,000, or 1,000 in a game
            without kernels.
        folder: the folder of the study, with a folder for each run. Default: runs/NAME. In Python, nothing is stored
            unless you name a folder.
        resume: resume the study in the folder; only `seeds` and `success` may differ.
        workers: as for ``gpkit.evolve``; they share the runs.

    Raises:
        UsageError: a file, a name or a key is wrong, or no problem is named.
        CheckpointError: the folder is in use, not empty, not a study folder, damaged, or not writable.
    """
    from gpkit.api.study_runs import ProblemTable, arms_of, done, study_of

    place, clock = None if folder is None else Path(folder), begun()
    if place is None and shell() is not None:
        place = Path("runs") / PurePath((*configurations, *problems, "study")[0]).stem
    with resumable(place), watching() as tell:
        found = study_of(configurations, problems, {"seeds": seeds, "seed": seed})
        arms = arms_of(found, ProblemTable(success=success, games=games), name_of(game), workers)
        return done(found, arms, place, resume, workers, tell, clock)

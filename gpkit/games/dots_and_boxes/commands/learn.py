"""``gpkit learn``: rules that are learned from games while they are played, in a folder, resumable after a crash."""

import time
from contextlib import nullcontext
from dataclasses import asdict, replace
from pathlib import Path

import click

from gpkit.app.configs import named_config
from gpkit.cli import output
from gpkit.cli.interrupts import noticed
from gpkit.cli.matches import tell_strengths
from gpkit.cli.options import WholeNumber, json_option
from gpkit.cli.output import announce_compilation, progress
from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import EXIT_INTERRUPTED, EXIT_OK, UsageError
from gpkit.core.registry import is_game
from gpkit.core.wording import counted
from gpkit.core.work_folder import is_run, take_pause, write_checkpoint
from gpkit.evolution.presets import shipped_presets
from gpkit.games.dots_and_boxes.learner.checkpoint import encode
from gpkit.games.dots_and_boxes.learner.config import GAME, PRESETS, Config, parse_config
from gpkit.games.dots_and_boxes.learner.curves import LearningCourse, learn, marks
from gpkit.games.dots_and_boxes.learner.folder import (
    BEST,
    SCHEMA,
    check_folder,
    find_learned,
    opened,
    opponents,
    stored_config,
    training_of,
    write_results,
)
from gpkit.games.dots_and_boxes.learner.learner import Learner

COLUMNS = {
    "games": ("games", ","),
    "online": ("online", ".4f"),
    "greedy": ("greedy", ".4f"),
    "activity": ("activity", ".4f"),
    "rules": ("rules", ","),
    "nodes": ("nodes", ".1f"),
    "sum of f": ("access", "z,.1f"),
    "used / forgetting": ("expected_access", ",.1f"),
}
"""By column of the course the measurement of a point that it shows, and its format."""

LEAVE_OUT = ("used / forgetting", "sum of f", "nodes", "activity")
"""The columns that a narrow terminal goes without, the least important first."""

CHOICE = f"a configuration file or a preset ({', '.join(PRESETS)})"


@click.command(name="learn")
@click.argument("game", required=False, metavar="[GAME]")
@click.argument("what", required=False, metavar="[CONFIG.toml | PRESET]")
@click.option("-o", "--out", metavar="DIR", help="A folder for configuration, checkpoint, rules and curves.")
@click.option("--resume", is_flag=True, help="Resume the learner in the folder.")
@click.option("--seed", type=WholeNumber(min=0), help="Overrides the configuration.")
@click.option("--games", type=WholeNumber(min=1), help="Overrides the configuration.")
@json_option
def command(
    game: str | None,
    what: str | None,
    out: str | None,
    resume: bool,
    seed: int | None,
    games: int | None,
    as_json: bool,
) -> int:
    """Learn rules for GAME (dots_and_boxes) from games against an opponent.

    The presets constant, rising-20, rising-10, quality-only and combined are the runs of A. Knittel and
    others; ours learns rules by their advantages; ordered also sorts them; placed keeps 8000, tries new ones
    where recent decisions lose most, and plays best; short is a list of 21 rules, small makes rules for
    `gpkit select` to choose from, and memoriser uses whole positions as rules. Rules are written in order of
    their learned quality, so that the first match acts: the final rules, and the rules at the best point of
    the curve.

    With --out DIR, --resume continues from the checkpoint after an interruption, with the same result as an
    uninterrupted run.
    """
    folder = None if out is None else Path(out)
    if resume and folder is None:
        raise UsageError("--resume needs the folder of the learner: name it with --out DIR")
    config = _chosen(game, what, folder if resume else None)
    config = replace(config, seed=config.seed if seed is None else seed)
    config = replace(config, games=config.games if games is None else games)
    if folder is not None:
        check_folder(folder, config, resume=resume)
    announce_compilation("the kernels of the learner")
    began = time.perf_counter()
    try:
        learner, course, files = _learned(config, folder, resume=resume)
    except KeyboardInterrupt:
        if folder is None:
            output.note("nothing is saved without a folder: name one with --out DIR")
            raise
        if not is_run(folder):
            raise
        output.note(f"interrupted; continue with: gpkit learn --resume --out {folder}")
        return EXIT_INTERRUPTED
    fields = _fields(learner, course)
    if files:
        output.note(f"wrote {', '.join(files)} in {folder}")
    reached = find_learned(folder) if folder is not None and BEST in files else None
    if as_json:
        points = [asdict(point) for point in course.points]
        more = {} if reached is None else {"table": reached.table.to_json()}
        output.json_object(SCHEMA, seconds=time.perf_counter() - began, **fields, points=points, **more)
        return EXIT_OK
    _print(learner, course)
    if reached is not None:
        output.say("")
        tell_strengths(reached.strengths, reached.table)
        again = f"gpkit run {reached.folder / BEST} --ladder"
        output.note(f"trained on: {reached.table.trained}; the whole table: {again}")
    return EXIT_OK


def _chosen(game: str | None, what: str | None, resumed: Path | None) -> Config:
    """The configuration that was named, or that of the folder to be resumed.

    Raises:
        UsageError: nothing was named, something is learned for no game, or there is no such configuration.
        CheckpointError: the folder is not that of a learner.
    """
    if resumed is not None and what is None and game in (None, GAME):
        return stored_config(resumed)
    if game is None:
        raise UsageError(f"name the game, {GAME}, and {CHOICE}, or --resume with --out DIR")
    if game != GAME:
        if game in PRESETS or game.endswith(".toml"):
            raise UsageError(f"name the game first: gpkit learn {GAME} {game}")
        if not is_game(game):
            raise UsageError(f"there is no game `{game}` to learn; {suggestion(game, [GAME])}")
        known = game in shipped_presets()
        instead = f"; programs for {game} are evolved: gpkit evolve {game}" if known else ""
        raise UsageError(f"rules are learned for {GAME} only{instead}")
    if what is None:
        raise UsageError(f"name {CHOICE}, such as `gpkit learn {GAME} ours`")
    return named_config(what, PRESETS, parse_config)


def _learned(
    config: Config, folder: Path | None, *, resume: bool
) -> tuple[Learner, LearningCourse, list[str]]:
    """The learner at its end, its course, and the names of the files that were written.

    Raises:
        KeyboardInterrupt: somebody interrupted; with a folder, its checkpoint is that of the last batch.
        CheckpointError: as for ``opened``.
    """
    new = (
        nullcontext((Learner(config), LearningCourse()))
        if folder is None
        else opened(folder, config, resume=resume, arguments=click.get_current_context().obj)
    )
    where = "" if folder is None else f" in {folder}"
    with new as (learner, course), progress() as show:
        output.note(
            f"learning against {opponents(config)}{where}, {counted(config.games, 'game')}, seed {config.seed}"
        )

        def report(course: LearningCourse) -> None:
            point = course.points[-1]
            show(
                f"{counted(point.games, 'game')}: online {point.online:.3f}, greedy {point.greedy:.4f}, "
                f"{counted(point.rules, 'rule')}, activity {point.activity:.1%}"
            )
            if folder is not None:
                write_checkpoint(folder, encode(learner, course))

        if folder is None:
            return learner, learn(learner, marks(config.games), report=report), []
        take_pause(folder)  # of an earlier time
        with noticed() as interrupted:

            def stop() -> bool:
                return interrupted() or take_pause(folder)

            course = learn(learner, marks(config.games), course=course, report=report, stop=stop)
        if learner.games < config.games:
            write_checkpoint(folder, encode(learner, course))
            raise KeyboardInterrupt
        return learner, course, write_results(folder, learner, course, _fields(learner, course))


def _fields(learner: Learner, course: LearningCourse) -> dict[str, object]:
    """JSON fields of a learner, beside the points of its course."""
    return {
        "game": GAME,
        "opponent": learner.config.opponent,
        "trained": str(training_of(learner.config)),
        "seed": learner.config.seed,
        "games": learner.games,
        "greedy": course.points[-1].greedy,
        "best": course.best_point.greedy,
        "rules": len(learner.rules),
    }


def _print(learner: Learner, course: LearningCourse) -> None:
    columns = list(COLUMNS)[: None if learner.config.reward.access == "use" else -1]
    shown = [COLUMNS[column] for column in columns]
    rows = [tuple(format(getattr(point, field), form) for field, form in shown) for point in course.points]
    output.table(columns, rows, right=columns, leave_out=LEAVE_OUT)
    best = course.best_point
    output.tell(
        f"exact win rate of the greedy player against {learner.config.opponent}: {course.points[-1].greedy:.4f}; "
        f"best {best.greedy:.4f} after {counted(best.games, 'game')}"
    )

"""Learners, which find rules by playing games: ``gpkit learn``. A learner with a folder can be resumed after a
crash."""

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from gpkit.analysis.results import strengths_told
from gpkit.api.progress import argument, remark, seconds, shell, watching
from gpkit.core.compilation import compilation
from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.errors import interrupted as interrupt
from gpkit.core.interrupts import noticed
from gpkit.core.registry import is_game
from gpkit.core.tabular import Note, Sheet, Tabular
from gpkit.core.wording import counted
from gpkit.core.work_folder import is_run, take_pause, write_checkpoint
from gpkit.evolution.named_configs import named_config
from gpkit.evolution.presets import shipped_presets
from gpkit.games.dots_and_boxes.learner.config import GAME, PRESETS, Config, parse_config
from gpkit.games.dots_and_boxes.learner.curves import LearningCourse, learn, marks
from gpkit.games.dots_and_boxes.learner.folder import (
    BEST,
    Learned,
    check_folder,
    encode,
    find_learned,
    opened,
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
"""For each column of the table, the measurement that it shows, and its format."""

LEAVE_OUT = ("used / forgetting", "sum of f", "nodes", "activity")
"""The columns that a narrow terminal goes without, the least important first."""

CHOICE = f"a configuration file or a preset ({', '.join(PRESETS)})"


@dataclass(frozen=True, slots=True)
class Lessons(Tabular):
    """A learner that has played its games.

    Attributes:
        learner: the learner, with its rules.
        course: the course of the learning.
        reached: the strength of its best list, if the list is stored in a folder.
        took: the seconds that the learning took, by the clock of the command line.
    """

    learner: Learner
    course: LearningCourse
    reached: Learned | None
    took: float

    def __str__(self) -> str:
        """The exact win rate at the end, and the best one."""
        last, best = self.course.points[-1], self.course.best_point
        return (
            f"exact win rate of the greedy player against {self.learner.config.opponent}: {last.greedy:.4f}; "
            f"best {best.greedy:.4f} after {counted(best.games, 'game')}"
        )

    def told(self) -> Iterator[str | Sheet]:
        """The points of the course, the win rate, and the results of the best list against other opponents."""
        columns = list(COLUMNS)[: None if self.learner.config.reward.access == "use" else -1]
        shown = [COLUMNS[column] for column in columns]
        rows = [[format(getattr(point, name), form) for name, form in shown] for point in self.course.points]
        yield Sheet(columns, rows, right=columns, leave_out=LEAVE_OUT)
        yield str(self)
        if self.reached is not None:
            yield ""
            yield from strengths_told(self.reached.strengths, self.reached.table)
            again = f"gpkit run {self.reached.folder / BEST} --ladder"
            yield Note(f"trained on: {self.reached.table.trained}; the whole table: {again}")

    def to_rows(self) -> list[dict[str, object]]:
        """The points of the course."""
        return [asdict(point) for point in self.course.points]

    def to_json(self) -> dict[str, object]:
        """The learner in numbers, as JSON values."""
        more = {} if self.reached is None else {"table": self.reached.table.to_json()}
        return {**_fields(self.learner, self.course), "points": self.to_rows(), **more}

    def document(self) -> dict[str, object]:
        """The values of ``to_json``, with the seconds that the learning took."""
        return {"seconds": self.took, **self.to_json()}


def lessons(
    game: str | None,
    what: str | None,
    folder: Path | None,
    *,
    resume: bool,
    seed: int | None,
    games: int | None,
) -> Lessons:
    """Learn rules for a game.

    Args:
        game: dots_and_boxes, the only game with learners; None if the folder says it.
        what: a preset, or the path of a configuration; None if the folder says it.
        folder: the folder of the learner; None to store nothing.
        resume: whether to resume the learner in the folder.
        seed: the seed, instead of the configuration's.
        games: the number of games, instead of the configuration's.

    Raises:
        UsageError: no game or configuration is named, there is no such one, the folder is in use already, or its
            learner has another configuration.
        CheckpointError: the folder is not that of a learner, is damaged, or is in use.
        KeyboardInterrupt: the user interrupted the learner; with a folder, it can be resumed.
    """
    if resume and folder is None:
        raise UsageError(
            f"{argument('resume')} needs the folder of the learner: name it with {argument('folder')}"
        )
    config = _chosen(game, what, folder if resume else None)
    config = replace(
        config,
        seed=config.seed if seed is None else seed,
        games=config.games if games is None else games,
    )
    if folder is not None:
        check_folder(folder, config, resume=resume)
    remark(compilation("the kernels of the learner"))
    began = seconds()
    try:
        learner, course, files = _learned(config, folder, resume=resume)
    except KeyboardInterrupt:
        if folder is None:
            remark("nothing is saved without a folder: name one with --out DIR")
        if folder is None or not is_run(folder):
            raise
        raise interrupt(f"interrupted; continue with: gpkit learn --resume --out {folder}") from None
    if files:
        remark(f"wrote {', '.join(files)} in {folder}")
    reached = find_learned(folder) if folder is not None and BEST in files else None
    return Lessons(learner, course, reached, seconds() - began)


def _chosen(game: str | None, what: str | None, resumed: Path | None) -> Config:
    """The configuration that was named, or that of the folder to be resumed.

    Raises:
        UsageError: no game or configuration is named, the game has no learners, or there is no such configuration.
        CheckpointError: the folder is not that of a learner.
    """
    if resumed is not None and what is None and game in (None, GAME):
        return stored_config(resumed)
    if game is None:
        raise UsageError(
            f"name the game, {GAME}, and {CHOICE}, or {argument('resume')} with {argument('folder')}"
        )
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
    asked = shell()
    new = (
        nullcontext((Learner(config), LearningCourse()))
        if folder is None
        else opened(folder, config, resume=resume, arguments=asked.line if asked else ())
    )
    where = "" if folder is None else f" in {folder}"
    with new as (learner, course), watching() as show:
        remark(
            f"learning against {config.against}{where}, {counted(config.games, 'game')}, seed {config.seed}"
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

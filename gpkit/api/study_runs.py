"""The work behind ``gpkit.study``: its tables, its plan, and its runs in any process, each stored when it ends.

The folder of a study contains ``run.json``, ``study.html``, and for each run the folder ``PROBLEM/CONFIGURATION/SEED``,
an ordinary run folder with ``outcome.json``.
"""

import math
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from inspect import unwrap
from pathlib import Path, PurePath
from threading import Event, Thread
from typing import Annotated, Any

from gpkit.analysis.evaluation import games_of_champion, held_out
from gpkit.analysis.studies import Outcome, Studied, Yardstick, studied
from gpkit.api.arguments import as_given, fitting, wanted
from gpkit.api.described_runs import described
from gpkit.api.evolving import evolve as evolve_command
from gpkit.api.problems import built
from gpkit.api.progress import argument
from gpkit.api.runs import CHAMPION, outcome
from gpkit.core.codec import Range, as_table, print_document, print_json, read_document
from gpkit.core.diagnostics import shortened
from gpkit.core.errors import CheckpointError, UsageError, one_line, told_as
from gpkit.core.files import read_text
from gpkit.core.plain_files import check_named, is_reserved, is_there, read_plain, write_plain
from gpkit.core.settings import from_data, over, parse_toml, to_data
from gpkit.core.wording import Tell
from gpkit.core.work_folder import Description, is_held, is_run, opened_work
from gpkit.evolution.config import Config
from gpkit.evolution.config_files import fit_tables
from gpkit.evolution.executors import LOOK_SECONDS, SerialExecutor, executor_for
from gpkit.evolution.loop import evolve
from gpkit.evolution.parts import Part, Parts
from gpkit.evolution.problem import Lost
from gpkit.evolution.run_folder import RunResult
from gpkit.evolution.search import PATIENCE, Hooks, Summary
from gpkit.evolution.setup import named_parts
from gpkit.evolution.subjects import config_from_data, resolve
from gpkit.playing.named import opponent
from gpkit.show.fit_findings import HELD_OUT, fit_of
from gpkit.show.study_page import study_page

STUDY, OUTCOME = "gpkit.study/1", "gpkit.outcome/1"
"""The schemas of a study's folder, and of the file with the outcome of a run."""

FILE, PAGE = "outcome.json", "study.html"

MOST_GAMES = 2_000
"""The default limit on the number of held-out games of a champion against each opponent."""

ROWS = ("task", "held_out", "split", "weights")
"""The keys of [fit] that decide, with its table and its target, how programs are measured."""

ORPHAN_LOOKS = 10
"""The number of times to check whether a worker that briefly outlives a killed study still holds its run's folder."""

_NAME, _OTHER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]*"), re.compile(r"[^A-Za-z0-9_.+-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemTable:
    """A problem of a study.

    Attributes:
        what: the definition of the problem: a preset, a configuration, a game, or a file with a problem or a game.
        settings: tables and keys that override those of the problem's configuration.
        success: the value that a run must reach to count as a success.
        games: the number of held-out games of a champion against each opponent.
    """

    what: Any = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    success: float | None = None
    games: Annotated[int, Range(1, 10_000_000)] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyTable:
    """A study: the tables of its file.

    Attributes:
        seeds: the number of seeds.
        seed: the first seed.
        problems: the problems by name; if there are none, each configuration names its own problem.
        configurations: the configurations by name: tables and keys that override those of the problems.
    """

    seeds: Annotated[int, Range(1, 1_000)] = 10
    seed: Annotated[int, Range(0)] = 1
    problems: Mapping[str, Any] = field(default_factory=dict)
    configurations: Mapping[str, Any] = field(default_factory=dict)


def study_of(given: Any, problems: Any, changes: Mapping[str, int | None]) -> StudyTable:
    """The study that the arguments of ``gpkit.study`` describe; ``changes`` replaces values of its file.

    Raises:
        UsageError: a file cannot be read or is not TOML, a key is unknown, or a value is wrong.
    """
    found, named = StudyTable(), _named(given)
    for file in (each for each in named.values() if isinstance(each, str) and each.endswith(".toml")):
        if len(named) == 1 and {"problems", "configurations", "seeds"} & {*(data := _tables(file))}:
            with told_as(UsageError, file, UsageError):
                found, named = from_data(StudyTable, data, found), {}
    tables: dict[str, Any] = {"configurations": named, "problems": _named(problems), **changes}
    return replace(found, **{key: value for key, value in tables.items() if value not in (None, {})})


def _named(given: Any) -> Mapping[str, Any]:
    """Configurations or problems by name; a file or preset gives its name to the configuration or problem.

    Raises:
        UsageError: two configurations or two problems have the same name.
    """
    if isinstance(given, Mapping):
        return given
    several = given if isinstance(given, list | tuple) else (given,)
    found: dict[str, Any] = {}
    for each in (os.fspath(each) if isinstance(each, os.PathLike) else each for each in several):
        usual = getattr(getattr(each, "table", each), "name", "own")
        name = _OTHER.sub("-", PurePath(each).stem if isinstance(each, str) else usual)
        if found.setdefault(name, each) is not each:
            raise UsageError(f"two are called `{name}`: name them in a study file, or in a mapping in Python")
    return found


def _tables(file: str) -> Mapping[str, Any]:
    """The tables in a TOML file.

    Raises:
        UsageError: the file cannot be read, or it is not TOML.
    """
    with told_as(UsageError, file, UsageError):
        return check_named(parse_toml(read_text(file)))  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True, eq=False)
class Arm:
    """A configuration on a problem, in the form that is sent to worker processes.

    Attributes:
        config: the configuration; each run sets its seed.
        base: the configuration whose rules and opponents are used to measure all champions.
        game: the game, which unpickling registers in a worker process; None if there is no game.
        parts: the parts from outside gpkit that the configuration names.
        scorer: the scorer of a problem; None for games and tables.
        games: the number of held-out games against each opponent.
        yard: the yardstick for champions.
        versions: the versions of everything that the configuration depends on.
    """

    config: Config
    base: Config
    game: Any
    parts: Mapping[tuple[str, str], Part]
    scorer: Any
    games: int
    yard: Yardstick
    versions: Mapping[str, str]

    def run(self, name: str, seed: int, place: Path | None) -> Outcome:
        """Perform a run, or finish the run in a folder, and measure its champion."""
        own = Parts({key: part.value for key, part in self.parts.items()}, wrap=built)
        run: Any = resolve(replace(self.config, seed=seed), opponent, own, self.scorer).read()
        summaries: list[Summary] = []
        hooks = Hooks(generation=lambda summary, _: summaries.append(summary), patience=PATIENCE)
        for _ in range(ORPHAN_LOOKS):
            if place and is_held(place):
                Event().wait(LOOK_SECONDS)
        result = evolve(
            run, SerialExecutor(), folder=place, resume=bool(place and is_run(place)), hooks=hooks
        )
        champion, ended = outcome(run, result, summaries, place)
        return Outcome(
            self.yard.problem,
            name,
            seed,
            self._measured(run, result),
            tuple(run.metric.direction * each.best_score for each in ended.generations),
            champion.size,
            result.state.evaluations,
            result.digest,
        )

    def _measured(self, run: Any, result: RunResult[Any]) -> float:
        """The held-out measure of a run's champion.

        Raises:
            UsageError: the measure is not a number.
        """
        genome, config = result.champion.individual.genome, run.config
        value = self.yard.direction * result.champion.score
        if config.fit is not None:
            found = fit_of(run, result, CHAMPION).metrics[HELD_OUT]
            value = next((each.interval.mean for each in found if each.name == self.yard.metric), math.nan)
        elif config.game and not self.base.fitness.exploitability:
            base: Any = resolve(replace(self.base, seed=config.seed), opponent)
            games = replace(held_out(base), header=config.dialect)
            value = games.overall([genome], self.games)[0].interval.mean
        if math.isnan(value):
            raise UsageError(f"the {self.yard.metric} of its champion is not a number")
        return value + 0.0  # not -0.0


Arms = Mapping[tuple[str, str], Arm]
"""The arms of a study, by problem and configuration."""


def arms_of(study: StudyTable, usual: ProblemTable, game: str | None, workers: object) -> Arms:
    """The arms of a study: all configurations on each problem.

    Args:
        study: the study.
        usual: the default settings of problems.
        game: a game that configurations name.
        workers: as for ``gpkit.evolve``.

    Raises:
        UsageError: a name, a table or a key is wrong, no problem is named, or the runs are not comparable.
    """
    arms: dict[tuple[str, str], Arm] = {}
    subject, names = partial(_subject, game, workers), study.configurations or {"usual": {}}
    for name in (
        each for each in (*study.problems, *names) if not _NAME.fullmatch(each) or is_reserved(each)
    ):
        raise UsageError(f"`{shortened(name)}` names a folder: expected letters, digits and _ . + -")
    for problem, given in (study.problems or {"": {}}).items():
        place, is_named = f"problems.{problem}", problem != ""
        table = from_data(
            ProblemTable, given if isinstance(given, Mapping) else {"what": given}, usual, place
        )
        base = subject(place, table.what, {}, table.settings) if is_named else None
        for name, own in names.items():
            whole = not is_named and not isinstance(own, Mapping)
            on = f"configurations.{name}{f' on {problem}' if is_named else ''}"
            each = subject(on, own, {}, {}) if whole else subject(on, table.what, own, table.settings)
            base = base or each
            _check_alike(on, each, base)
            yard = _yard(problem, base, table)
            arms[yard.problem, name] = Arm(
                each.config,
                base.config,
                getattr(base, "game", None),
                {
                    key: part
                    for key in named_parts(each.config)
                    if (part := each.own.find(*key, each.language.name)).version
                },
                getattr(each, "scorer", None),
                table.games
                or (min(games_of_champion(base.config.game), MOST_GAMES) if base.config.game else 0),
                yard,
                each.versions,
            )
    return arms


def _subject(
    game: str | None, workers: object, place: str, what: Any, own: Any, usual: Mapping[str, Any]
) -> Any:
    """The subject for a configuration that overrides the table of a problem.

    Raises:
        UsageError: no problem is named, or a name, a key or a value is wrong.
    """
    with told_as(UsageError, place, UsageError, ValueError):
        settings = over(as_table(_tables(own) if isinstance(own, str) else own), usual)
        what = what or settings.pop("preset", None)
        if what is None and {"game", "fit"} & {*settings}:
            what, settings = config_from_data(settings), {}
        if isinstance(what, str) and what.endswith(".toml") and "fit" in _tables(what):
            what = config_from_data(fit_tables(what)[1])
        fitting(what, wanted(unwrap(evolve_command), "what"), partial(as_given, "what", what))
        found = described(what, settings, game=game, workers=workers)
        found.search()  # which refuses names that are wrong
        return found


def _yard(problem: str, base: Any, table: ProblemTable) -> Yardstick:
    """The yardstick for runs on a problem.

    Raises:
        UsageError: no rows are held out for measuring.
    """
    metric, fit = base.metric.name, base.config.fit
    if fit is not None:
        metric = "accuracy" if fit.task == "classification" else "r2"
        if not len(base.known.hidden.table):
            raise UsageError(f"{problem or fit.file}: no rows are held out for measuring; set fit.held_out")
    name = problem or _OTHER.sub("-", PurePath(next(iter(base.about.values()))).stem)
    return Yardstick(name, metric, base.metric.direction, table.success)


def _check_alike(name: str, subject: Any, base: Any) -> None:
    """Check that the champions of a configuration can be measured in the same way as all others.

    Raises:
        UsageError: the configuration uses another problem, or other rows.
    """
    one, other = (
        {**each.about, **{f"fit.{key}": getattr(each.config.fit, key, None) for key in ROWS}}
        for each in (subject, base)
    )
    for key in (key for key in {**one, **other} if one.get(key) != other.get(key)):
        raise UsageError(
            f"{name}: {key} is {one.get(key)!r}, but {other.get(key)!r} for others: all configurations of a problem "
            f"need the same measure; {argument('problems')} names several problems"
        )


Item = tuple[str, str, int]
"""A run: its problem, configuration and seed."""


def place_of(folder: Path | None, item: Item) -> Path | None:
    """The folder of a run."""
    return folder and folder.joinpath(*map(str, item))


def stored(place: Path | None) -> Outcome | None:
    """The outcome of the run in a folder; None if it has not ended.

    Raises:
        CheckpointError: the file is damaged.
    """
    if place is None or not is_there(place / FILE):
        return None
    with told_as(CheckpointError, f"{place / FILE} is damaged", ValueError):
        return read_document(read_plain(place / FILE), OUTCOME, Outcome)


def keep(found: Outcome, place: Path | None) -> None:
    """Store the outcome of a run, unless it is already stored or the run failed."""
    if place is not None and not found.error and not is_there(place / FILE):
        place.mkdir(parents=True, exist_ok=True)
        write_plain(place / FILE, print_json(print_document(OUTCOME, found)))


def run_all(arms: Arms, folder: Path | None, items: Sequence[Item]) -> list[Outcome]:
    """Perform runs in this process, and store each outcome when its run ends; failed runs have an error."""
    found = []
    for item in items:
        place = place_of(folder, item)
        try:
            end = stored(place) or arms[item[:2]].run(*item[1:], place)
        except Exception as error:  # which must not end the other runs
            end = Outcome(*item, error=one_line(error))
        keep(end, place)
        found.append(end)
    return found


def done(
    study: StudyTable,
    arms: Arms,
    folder: Path | None,
    resume: bool,
    workers: object,
    tell: Tell,
    clock: Callable[[], float],
) -> Studied:
    """The result of a study after all its runs have ended; stored runs are not repeated.

    Raises:
        UsageError, CheckpointError: in the same cases as ``gpkit.study``.
    """
    items = [(*key, seed) for seed in range(study.seed, study.seed + study.seeds) for key in arms]
    with ExitStack() as stack:
        if folder is not None:
            facts = {
                "stop": {"seeds": study.seeds},
                "seed": study.seed,
                **{
                    f"problem {arm.yard.problem}": {**to_data(arm.base), "games": arm.games}
                    for arm in arms.values()
                },
                **{f"{name} on {problem}": to_data(arm.config) for (problem, name), arm in arms.items()},
            }
            versions = {key: each for arm in arms.values() for key, each in arm.versions.items()}
            description, folder = Description(STUDY, facts, study.seed, versions), folder.absolute()
            stack.enter_context(opened_work(folder, description, resume=resume))
        found = {item: end for item in items if (end := stored(place_of(folder, item)))}
        missing = [item for item in items if item not in found]
        executor = stack.enter_context(executor_for(workers))
        stack.enter_context(_watched(folder, missing, len(items), tell, clock))
        ends = executor.run(partial(run_all, arms, folder), missing, [1.0] * len(missing))
        for item, last in zip(missing, ends, strict=True):
            found[item] = Outcome(*item, error=last.reason) if isinstance(last, Lost) else last
            keep(
                found[item], place_of(folder, item)
            )  # where the machine that ran it does not share the folder
        yards, names = (
            dict.fromkeys(arm.yard for arm in arms.values()),
            dict.fromkeys(name for _, name in arms),
        )
        answer = studied([*yards], [*names], [found[item] for item in items], folder)
        if folder is not None:
            write_plain(folder / PAGE, study_page(answer))
        return answer


@contextmanager
def _watched(
    folder: Path | None, missing: Sequence[Item], total: int, tell: Tell, clock: Callable[[], float]
) -> Iterator[None]:
    """Show every second how many runs have ended, and how long the others will take."""
    over, began = Event(), clock()
    left = [place / FILE for item in missing if (place := place_of(folder, item))]

    def look() -> None:
        while left and not over.wait(LOOK_SECONDS):
            left[:] = [file for file in left if not file.exists()]
            ended = len(missing) - len(left)
            rest = f", {(clock() - began) / ended * len(left):,.0f} s left" if ended else ""
            tell(f"{total - len(left)} of {total} runs{rest}")

    thread = Thread(target=look, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()

"""Runs of the learner in folders, which store the results and allow a run to be resumed.

A folder contains ``run.json`` and ``state.json`` (see ``gpkit.core.work_folder``), ``config.toml``,
``population.rules``, ``best.rules``, ``curves.json`` and ``curves.svg``.

Between batches, the learner writes a checkpoint, which contains everything that it needs to continue. A checkpoint does
not contain the matches of rules in classes; the learner recomputes them when it meets the classes again.

The learning curve shows the learner's win rate while it learns, and the exact win rate of its greedy player.

The greedy player always follows the matching rule of highest quality; its win rates on 3x3 boxes are exact.
"""

import base64
import binascii
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.analysis.evaluation import HeldOut, table_of_run
from gpkit.analysis.results import strengths_told
from gpkit.api.progress import argument, remark, remark_compilation, seconds, shell, watching
from gpkit.core.arrays import Floats, Ints
from gpkit.core.codec import Count, codec
from gpkit.core.diagnostics import shortened, suggestion
from gpkit.core.errors import CheckpointError, UsageError
from gpkit.core.errors import interrupted as interrupt
from gpkit.core.interrupts import noticed
from gpkit.core.layout import Note, Sheet, Tabular
from gpkit.core.plain_files import write_plain
from gpkit.core.registry import game_of, is_game
from gpkit.core.settings import check_same, print_config, to_data
from gpkit.core.wording import counted
from gpkit.core.work_folder import (
    Description,
    check_unused,
    check_work,
    is_run,
    opened_work,
    read_description,
    restored,
    take_pause,
    versions,
    write_checkpoint,
)
from gpkit.evolution.config import shipped_presets
from gpkit.evolution.config_files import named_config
from gpkit.gamekit.game import Expected, Game
from gpkit.games.dots_and_boxes.exact import result
from gpkit.games.dots_and_boxes.kernel import learner as at
from gpkit.games.dots_and_boxes.kernel.learner import choose_greedily
from gpkit.games.dots_and_boxes.learner.learner import BOXES, RULES, Learner, environment_against
from gpkit.games.dots_and_boxes.learning import GAME, PRESETS, Config, config_from_data, parse_learner_config
from gpkit.genomes.graph import Rule, RuleList, faults
from gpkit.languages.rulegraph.text import print_program
from gpkit.playing.evaluation import HeldOutTable, Training, TrainingSetup, non_default_rules
from gpkit.playing.named import opponent
from gpkit.playing.results import Strength
from gpkit.show.chart import WIDE, Series, chart


def greedy(learner: Learner, opponent: str) -> tuple[Expected, Ints, float]:
    """Evaluate the greedy player of a learner, in its current state, against an opponent.

    Returns:
        The exact result of the greedy player; the masks of the edges from which it chooses, int64 (classes,), with 0
        for classes that cannot occur; and, among the classes that can occur with the player to draw, the share of
        classes without a matching rule.
    """
    environment, memory = environment_against(opponent), learner.memory
    count = len(environment.replies)
    reached = np.zeros((count, 2), dtype=np.uint8)
    reached[0] = 1
    masks = np.zeros(count, dtype=np.int64)
    unknown = choose_greedily(environment, learner.graphs, learner.rules.arrays, memory, reached, masks)
    return result(masks, environment.replies, RULES), masks, int(unknown) / max(int(reached[:-1, 0].sum()), 1)


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the learning curve: the measurements after a number of games.

    Attributes:
        games: the number of games so far.
        online: the share of wins since the last point, where a tie counts as half a win.
        greedy: the exact win rate of the greedy player against the training opponent.
        unknown: the share of the classes met by the greedy player in which no rule matches.
        activity: the share of decisions since the last point in which a rule acted.
        used: the average number of different rules that acted in a game since the last point.
        rules: the number of rules.
        nodes: the average number of nodes of a rule.
        access: the sum of f over all rules.
        expected_access: the limit of this sum if f grows by 1 with every use: used / forgetting.
    """

    games: Count
    online: float
    greedy: float
    unknown: float
    activity: float
    used: float
    rules: Count
    nodes: float
    access: float
    expected_access: float


def marks(games: int) -> tuple[int, ...]:
    """The numbers of games after which to measure: twenty equal steps, preceded by 1, 2 and 5 times powers of ten.

    >>> marks(2000)[:6]
    (10, 20, 50, 100, 200, 300)
    """
    early = {m * 10**k for m in (1, 2, 5) for k in range(1, 8) if m * 10**k * 20 < games}
    return tuple(sorted({*early, *(max(games * k // 20, 1) for k in range(1, 21))}))


@dataclass(frozen=True, slots=True, eq=False)
class LearningCourse:
    """The learning curve so far.

    Attributes:
        points: the measurements.
        totals: float64 (TOTALS,): the sums over all games at the last point; see ``kernel.learner``.
        best: the rules at the best point, sorted by quality.
    """

    points: tuple[Point, ...] = ()
    totals: Floats = field(default_factory=lambda: np.zeros(at.TOTALS))
    best: RuleList = field(default_factory=lambda: RuleList(()))

    @property
    def best_point(self) -> Point:
        """The point with the highest win rate of the greedy player; ties go to the first point."""
        return max(self.points, key=lambda point: point.greedy)


def learn(
    learner: Learner,
    points: Iterable[int],
    *,
    course: LearningCourse | None = None,
    report: Callable[[LearningCourse], None] = lambda course: None,
    stop: Callable[[], bool] = lambda: False,
) -> LearningCourse:
    """Let a learner play, and measure it after each of the numbers of games, rounded up to full batches.

    Args:
        learner: a learner that has not played yet, or the learner of the curve.
        points: the numbers of games, in ascending order.
        course: the learning curve so far.
        report: a function that is called with the curve at every point.
        stop: a function that is called between batches, and returns whether to stop.
    """
    course = LearningCourse() if course is None else course
    for mark in points:
        if course.points and mark <= course.points[-1].games:
            continue
        while learner.games < mark:
            if stop():
                return course
            learner.play_batch()
        totals = learner.record.totals.copy()
        point = _point(learner, totals - course.totals)
        better = not course.points or point.greedy > course.best_point.greedy
        best = learner.rules.as_list() if better else course.best
        course = LearningCourse((*course.points, point), totals, best)
        report(course)
    return course


def _point(learner: Learner, since: Floats) -> Point:
    strength, _, unknown = greedy(learner, learner.config.opponent)
    live = learner.rules.live()
    sizes = [len(rule.graph.nodes) for rule in learner.rules.rules if rule is not None]
    used = float(since[at.USED] / since[at.GAMES])
    return Point(
        games=learner.games,
        online=float(since[at.WINS] / since[at.GAMES]),
        greedy=strength.mean,
        unknown=unknown,
        activity=float(since[at.GUIDED] / since[at.DECISIONS]),
        used=used,
        rules=len(live),
        nodes=float(np.mean(sizes)) if sizes else 0.0,
        access=float(learner.rules.arrays.access[live].sum()),
        expected_access=used / learner.config.reward.forgetting,
    )


KIND = "gpkit.learner/5"
SCHEMA = "gpkit/learn/1"
CONFIG, POPULATION, BEST = "config.toml", "population.rules", "best.rules"
CURVES, CHART = "curves.json", "curves.svg"

DIGITS = 6
"""The number of significant digits of a rule's learned numbers in files for people."""


def stored_config(folder: Path) -> Config:
    """The configuration of the learner in a folder.

    Raises:
        CheckpointError: there is no learner, or its description is damaged.
        UsageError: the configuration belongs to a different version.
    """
    return read_description(folder, KIND).read_config(folder, lambda data: config_from_data(data, Config()))


def check_folder(folder: Path, config: Config, *, resume: bool) -> None:
    """Raise the errors that ``opened`` would raise, except for a damaged checkpoint, without storing anything.

    Raises:
        CheckpointError: the folder is in use, or is not empty for a new learner.
        UsageError: the learner to be resumed has a different configuration.
    """
    if resume:
        check_work(folder, _described(config), (CONFIG, POPULATION, BEST, CURVES, CHART))
    else:
        check_unused(folder)


@contextmanager
def opened(
    folder: Path, config: Config, *, resume: bool, arguments: Sequence[str] = ()
) -> Iterator[tuple[Learner, LearningCourse]]:
    """Open and lock the folder of a new learner or, with ``resume``, of an existing one.

    The function yields the learner of the checkpoint with its learning curve, or a new learner if there is no
    checkpoint yet. For a new learner, the function stores the command line, ``arguments``.

    Raises:
        CheckpointError: the folder is in use, is not empty for a new learner, or has a damaged checkpoint.
        UsageError: the learner to be resumed has a different configuration.
    """
    with opened_work(folder, _described(config, arguments), resume=resume):
        yield restored(folder, partial(decode, config=config)) or (Learner(config), LearningCourse())


def _described(config: Config, arguments: Sequence[str] = ()) -> Description:
    return Description(KIND, to_data(config), config.seed, versions(GAME), tuple(arguments))


def write_results(
    folder: Path, learner: Learner, course: LearningCourse, fields: Mapping[str, object]
) -> list[str]:
    """Write the results; returns the names of the files. A list without rules is not a program, and is not written."""
    config, last, best = learner.config, learner.rules.as_list(), course.best
    points = [asdict(point) for point in course.points]
    texts = {
        CONFIG: print_config(config),
        POPULATION: rule_list_text(last, learner.games, config) if last.rules else "",
        BEST: rule_list_text(best, course.best_point.games, config) if best.rules else "",
        CURVES: json.dumps({"schema": SCHEMA, **fields, "points": points}, indent=1) + "\n",
        CHART: course_chart(course, config) + "\n",
    }
    written = {name: text for name, text in texts.items() if text}
    for name, text in written.items():
        write_plain(folder / name, text)
    return list(written)


def read_learner(folder: Path) -> tuple[Config, Learner, LearningCourse]:
    """The learner of a folder's checkpoint, with its configuration and course; the folder is not modified.

    Raises:
        CheckpointError: there is no learner, or its checkpoint is missing or damaged.
        UsageError: its configuration is not valid.
    """
    config = stored_config(folder)
    found = restored(folder, partial(decode, config=config))
    if found is None:
        raise CheckpointError(f"the learner in {folder} has learned nothing yet")
    return config, *found


def training_of(config: Config) -> Training:
    """A description of the training that produced a learner's rules."""
    return Training((TrainingSetup(config.opponents, non_default_rules(RULES.to_options(), game_of(GAME))),))


def rule_list_text(rule_list: RuleList, games: int, config: Config) -> str:
    """The text of a file for a rule list that was learned in ``games`` games."""
    header = {
        "game": GAME,
        "title": f"learned in {counted(games, 'game')} against {config.against}, seed {config.seed}",
        "rules": " ".join(f"{name}={value}" for name, value in RULES.to_options().items()),
        "trained": str(training_of(config)),
        "learned": f"q is quality, by which the rules are sorted, f accessibility; both to {DIGITS} digits",
    }
    rounded = (replace(named, q=_round(named.q), f=_round(named.f)) for named in rule_list.rules)
    return print_program(RuleList(tuple(rounded)), header)


def _round(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.{DIGITS}g}")


def course_chart(course: LearningCourse, config: Config) -> str:
    """The learning curve of a learner as an SVG document."""
    points = course.points
    lines = (
        Series(f"greedy against {config.opponent}, exact", tuple((p.games, p.greedy) for p in points)),
        Series("while learning", tuple((p.games, p.online) for p in points)),
        Series("activity", tuple((p.games, p.activity) for p in points)),
    )
    return chart(
        f"Learning against {config.against}",
        lines,
        x="games",
        y="share of games or decisions",
        zero=True,
        width=WIDE,
    )


@dataclass(frozen=True, slots=True)
class Learned:
    """A learner with the exact results of its best rule list against its opponents, and in quick trials."""

    folder: Path
    config: Config
    learner: Learner
    course: LearningCourse
    strengths: Sequence[Strength]
    table: HeldOutTable

    def to_json(self) -> dict[str, Any]:
        """The learner's numbers as JSON values."""
        return {
            "folder": str(self.folder),
            "game": GAME,
            "seed": self.config.seed,
            "games": self.learner.games,
            "points": [asdict(point) for point in self.course.points],
            "exact": [result.to_json() for result in self.strengths],
            "table": self.table.to_json(),
        }


def find_learned(folder: Path, *, opponents: Sequence[str] = ()) -> Learned:
    """The learner in a folder, with the exact results of its best list.

    Args:
        folder: the folder of the learner.
        opponents: the names of the opponents, instead of the configuration's.

    Raises:
        CheckpointError: the folder is damaged.
        UsageError: the learner has not learned anything yet, or an opponent does not exist or cannot be computed.
    """
    config, learner, course = read_learner(folder)
    if not course.points or not course.best.rules:
        raise UsageError(f"the learner in {folder} has no rules yet")
    game: Game = game_of(GAME)
    players = tuple(opponent(name, game) for name in opponents or config.opponents)
    computed = HeldOut(game, RULES.to_options(), players, config.seed, exact=True)
    strengths = computed.strengths([course.best], 0)
    table = table_of_run(computed, training_of(config), str(folder / BEST), course.best, strengths)
    return Learned(folder, config, learner, course, strengths, table)


# Checkpoints store a learner between two batches as JSON values.


Arrays = Mapping[str, Mapping[str, str]]

LEARNED = ("quality", "access", "uses")
"""The names of the arrays that contain the learned numbers of rules."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A learner between two batches, with its learning curve; its numbers are in packed arrays."""

    config: Mapping[str, Any]
    games: Count
    met: Count
    rules: tuple[Rule, ...]
    points: tuple[Point, ...]
    best: RuleList
    arrays: Arrays


def encode(learner: Learner, course: LearningCourse) -> dict[str, Any]:
    """A learner between two batches, with its learning curve, as JSON values."""
    rules, critic = learner.rules, learner.critic
    slots = rules.live()
    arrays = {
        "slots": slots,
        "free": np.array(rules.free, dtype=np.int64),
        **{name: getattr(rules.arrays, name)[slots] for name in LEARNED},
        **critic._asdict(),
        "recent": learner.recent,
        "totals": learner.record.totals,
        "measured": course.totals,
    }
    stored = Stored(
        to_data(learner.config),
        learner.games,
        learner.met,
        tuple(rule for rule in rules.rules if rule is not None),
        course.points,
        course.best,
        {name: pack(array) for name, array in arrays.items()},
    )
    data: dict[str, Any] = codec(Stored).write(stored)
    return data


def decode(data: Mapping[str, object], config: Config) -> tuple[Learner, LearningCourse]:
    """The learner and its learning curve, from JSON values; the learner continues as if it had not been interrupted.

    Args:
        data: the JSON values from ``encode``.
        config: the configuration of the learner.

    Raises:
        ValueError: the values do not describe a learner.
        UsageError: the values belong to a learner with a different configuration.
    """
    stored = codec(Stored).read(data)
    check_same(stored.config, to_data(config))
    for rule in (*stored.rules, *(named.rule for named in stored.best.rules)):
        _check(rule)
    learner = _learner(config, stored)
    return learner, _course(learner, stored)


def _check(rule: Rule) -> None:
    """Check that a learner can have a rule: it is valid, of level 0, and not too large.

    Raises:
        ValueError: a learner cannot have this rule.
    """
    graph = rule.graph
    fits = 1 <= len(graph.nodes) <= BOXES and all(node.length <= BOXES for node in graph.nodes)
    if rule.level or not fits or len(graph.grounds) != len(graph.nodes):
        raise ValueError("a rule is too large or does not have level 0")
    for wrong in faults(rule):
        raise ValueError(wrong)


def _learner(config: Config, stored: Stored) -> Learner:
    learner = Learner(config)
    learner.games, learner.met = stored.games, stored.met
    critic, totals = learner.critic, learner.record.totals
    for name, array in (critic._asdict() | {"recent": learner.recent, "totals": totals}).items():
        _fill(name, array, stored.arrays)
    if learner.games > config.games or totals[at.GAMES] != learner.games:
        raise ValueError(f"it has {learner.games} games, but the run has {config.games}")
    if not ((learner.recent >= 0) & (learner.recent < len(critic.own))).all():
        raise ValueError("it has unknown classes")
    if (critic.met < 0).any() or (np.delete(totals, at.REWARDS) < 0).any():
        raise ValueError("it has a negative count")
    _fill_population(learner, stored.rules, stored.arrays)
    return learner


def _fill_population(learner: Learner, found: Sequence[Rule], arrays: Arrays) -> None:
    population = learner.rules
    room = len(population.rules)
    slots, free = (_read(name, "<i8", room, arrays).tolist() for name in ("slots", "free"))
    if sorted([*slots, *free]) != list(range(room)) or len(set(found)) < len(found):
        raise ValueError("its rules do not each have a separate slot")
    columns = [_read(name, getattr(population.arrays, name).dtype.str, room, arrays) for name in LEARNED]
    if {len(found), *map(len, columns)} != {len(slots)}:
        raise ValueError("its arrays do not match its number of rules")
    if (columns[2] < 0).any():
        raise ValueError("it has a negative number of uses")
    for slot, rule, *known in zip(slots, found, *(column.tolist() for column in columns), strict=True):
        population.free.append(slot)
        population.add(rule, *known)
    population.free[:] = free


def _fill(name: str, target: NDArray[np.generic], arrays: Arrays) -> None:
    """Fill an array from the stored array with this name.

    Raises:
        ValueError: the stored array has the wrong type or size, or contains a number that is not finite.
    """
    source = _read(name, target.dtype.str, len(target), arrays)
    if len(source) != len(target):
        raise ValueError(f"the array {name} has {len(source):,} numbers, not {len(target):,}")
    target[...] = source


def _read(name: str, kind: str, most: int, arrays: Arrays) -> NDArray[Any]:
    """The stored array with this name.

    Raises:
        ValueError: there is no such array, or the array has the wrong type, too many numbers, or a number that is not
            finite.
    """
    try:
        array = unpack(arrays.get(name, {}), kind, most)
    except ValueError as error:
        raise ValueError(f"the array {name}: {error}") from error
    if not np.isfinite(array).all():
        raise ValueError(f"the array {name} has numbers that are not finite")
    return array


def _course(learner: Learner, stored: Stored) -> LearningCourse:
    course = LearningCourse(points=stored.points, best=stored.best)
    _fill("measured", course.totals, stored.arrays)
    games = [0, *(point.games for point in course.points)]
    if sorted(set(games)) != games or course.totals[at.GAMES] != games[-1] or games[-1] > learner.games:
        raise ValueError("its points are not in order")
    return course


# Vectors of numbers as JSON values; the reader refuses vectors that are larger than it expects.


def pack(array: NDArray[np.generic]) -> dict[str, str]:
    """A vector of shape (numbers,) as JSON values: the NumPy name of its dtype, and its deflated bytes in Base64."""
    ordered = array.astype(array.dtype.newbyteorder("<"))
    packed = base64.b64encode(zlib.compress(ordered.tobytes())).decode("ascii")
    return {"type": ordered.dtype.str, "numbers": packed}


def unpack(value: Mapping[str, str], kind: str, most: int) -> NDArray[Any]:
    """The vector that ``pack`` stored, of shape (numbers,) and dtype ``kind``, with at most ``most`` numbers.

    Args:
        value: the JSON values from ``pack``.
        kind: the NumPy name of the dtype.
        most: the maximum number of numbers.

    Raises:
        ValueError: the vector is damaged, has the wrong type, or has too many numbers.
    """
    dtype = np.dtype(kind).newbyteorder("<")
    if value.get("type") != dtype.str:
        raise ValueError(f"its type is {shortened(repr(value.get('type')))}, not {dtype.str!r}")
    inflating = zlib.decompressobj()
    try:
        content = inflating.decompress(
            base64.b64decode(value.get("numbers", ""), validate=True), most * dtype.itemsize + 1
        )
    except (binascii.Error, zlib.error) as error:
        raise ValueError(f"it is damaged: {error}") from error
    if len(content) > most * dtype.itemsize:
        raise ValueError(f"it has more than {most:,} numbers")
    if not inflating.eof or inflating.unused_data or len(content) % dtype.itemsize:
        raise ValueError("it is damaged: its bytes are not whole numbers")
    return np.frombuffer(content, dtype)


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
"""The measurement that each column of the table shows, and its format."""

LEAVE_OUT = ("used / forgetting", "sum of f", "nodes", "activity")
"""The columns to omit on a narrow terminal, least important first."""

CHOICE = f"a configuration file or a preset ({', '.join(PRESETS)})"


@dataclass(frozen=True, slots=True)
class Lessons(Tabular):
    """A learner that has played all its games.

    Attributes:
        learner: the learner, with its rules.
        course: the learning curve.
        reached: the strength of the best list, if the list is stored in a folder.
        took: the duration of learning in seconds, as measured by the command line.
    """

    learner: Learner
    course: LearningCourse
    reached: Learned | None
    took: float

    def __str__(self) -> str:
        """The exact win rate at the end, and the best win rate."""
        last, best = self.course.points[-1], self.course.best_point
        return (
            f"exact win rate of the greedy player against {self.learner.config.opponent}: {last.greedy:.4f}; "
            f"best {best.greedy:.4f} after {counted(best.games, 'game')}"
        )

    def told(self) -> Iterator[str | Sheet]:
        """The points of the learning curve, the win rate, and the results of the best list against other opponents."""
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
        """The points of the learning curve."""
        return [asdict(point) for point in self.course.points]

    def to_json(self) -> dict[str, object]:
        """The learner's numbers as JSON values."""
        more = {} if self.reached is None else {"table": self.reached.table.to_json()}
        return {**_fields(self.learner, self.course), "points": self.to_rows(), **more}

    def document(self) -> dict[str, object]:
        """The values of ``to_json``, and the duration of learning in seconds."""
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
        game: dots_and_boxes, the only game with learners, or None if the folder determines the game.
        what: a preset or the path of a configuration, or None if the folder determines the configuration.
        folder: the folder of the learner, or None to store nothing.
        resume: whether to resume the learner in the folder.
        seed: the seed, instead of the configuration's.
        games: the number of games, instead of the configuration's.

    Raises:
        UsageError: no game or configuration is named, the named one does not exist, the folder is in use, or its
            learner has another configuration.
        CheckpointError: the folder does not belong to a learner, is damaged, or is in use.
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
    remark_compilation("the kernels of the learner")
    began = seconds()
    try:
        learner, course, files = _learned(config, folder, resume=resume)
    except KeyboardInterrupt:
        if folder is None:
            remark("nothing is saved without a folder: name one with --out DIR")
        if folder is None or not is_run(folder):
            raise
        best = f"; the best rules so far are in {folder / BEST}" if (folder / BEST).is_file() else ""
        raise interrupt(f"interrupted{best}; continue with: gpkit learn --resume --out {folder}") from None
    if files:
        remark(f"wrote {', '.join(files)} in {folder}")
    reached = find_learned(folder) if folder is not None and BEST in files else None
    return Lessons(learner, course, reached, seconds() - began)


def _chosen(game: str | None, what: str | None, resumed: Path | None) -> Config:
    """The named configuration, or the configuration in the folder to be resumed.

    Raises:
        UsageError: no game or configuration is named, the game has no learners, or there is no such configuration.
        CheckpointError: the folder does not belong to a learner.
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
        instead = f"; to evolve programs for {game}: gpkit evolve {game}" if game in shipped_presets() else ""
        raise UsageError(f"gpkit learns rules only for {GAME}{instead}")
    if what is None:
        raise UsageError(f"name {CHOICE}, such as `gpkit learn {GAME} ours`")
    return named_config(what, PRESETS, parse_learner_config)


def _learned(
    config: Config, folder: Path | None, *, resume: bool
) -> tuple[Learner, LearningCourse, list[str]]:
    """The learner after its games, its learning curve, and the names of the files written.

    Raises:
        KeyboardInterrupt: the user interrupted the learner; if there is a folder, its checkpoint is from the last
            batch.
        CheckpointError: the folder cannot be opened; see ``opened``.
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
    """The JSON fields of a learner, without the points of its learning curve."""
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

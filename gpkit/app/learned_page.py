"""The page of a learner: its best rule list, how it learned, and how the list plays."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpkit import __version__
from gpkit.app.frames import frame_of
from gpkit.app.held_out import Computed, Measured, table_of_run
from gpkit.app.learn_folder import BEST, read_learner, rule_list_text, training_of
from gpkit.app.named import opponent
from gpkit.core.errors import UsageError
from gpkit.core.registry import game_of
from gpkit.core.settings import print_config
from gpkit.core.wording import counted
from gpkit.draw.chart import Series
from gpkit.draw.curves import Curves
from gpkit.draw.programs import picture_of
from gpkit.draw.render import render_dot
from gpkit.draw.report import Report, Strength
from gpkit.export.registry import exporter
from gpkit.export.subject import Subject
from gpkit.games.game import Game
from gpkit.learners.dots_and_boxes.config import GAME, Config
from gpkit.learners.dots_and_boxes.curves import Course
from gpkit.learners.dots_and_boxes.learner import RULES, Learner
from gpkit.playing.exact import ExactResult
from gpkit.playing.held_out import HeldOutTable
from gpkit.playing.match import deal_of
from gpkit.playing.players import player_of_name, player_of_program
from gpkit.playing.trace import trace_game

DRAWN = 60
"""Rules that a picture shows at most; of a longer list there is the text alone."""


@dataclass(frozen=True, slots=True)
class Learned:
    """A learner and what its best rule list reaches, computed, against each opponent and in quick trials besides."""

    folder: Path
    config: Config
    learner: Learner
    course: Course
    strengths: tuple[ExactResult, ...]
    table: HeldOutTable

    def to_json(self) -> dict[str, Any]:
        """The learner in numbers, as JSON values."""
        return {
            "folder": str(self.folder),
            "game": GAME,
            "seed": self.config.seed,
            "games": self.learner.games,
            "points": [point.to_json() for point in self.course.points],
            "exact": [result.to_json() for result in self.strengths],
            "table": self.table.to_json(),
        }


def find_learned(folder: Path, *, opponents: Sequence[str] = ()) -> Learned:
    """The learner in a folder, with the exact results of its best list.

    Args:
        folder: of the learner.
        opponents: by name, in place of the configuration's.

    Raises:
        CheckpointError: the folder is damaged.
        UsageError: nothing is learned yet, or an opponent does not exist or cannot be computed.
    """
    config, learner, course = read_learner(folder)
    if not course.points or not course.best.rules:
        raise UsageError(f"the learner in {folder} has no rules yet")
    game = _game()
    players = tuple(opponent(name, game) for name in opponents or config.opponents)
    computed = Computed(game, RULES, players, config.seed)
    strengths = tuple(computed.strengths(course.best, 0))
    best = Measured(str(folder / BEST), course.best, strengths)
    table = table_of_run(computed, RULES.to_options(), training_of(config), best)
    return Learned(folder, config, learner, course, strengths, table)


def learned_report(learned: Learned, *, deal: int = 0) -> Report:
    """The page of a learner, with a game of its best list on the deal of that number.

    Raises:
        RenderError: no renderer is installed.
    """
    config, course, rules = learned.config, learned.course, learned.course.best
    best = course.best_point
    going = "" if learned.learner.games >= config.games else f" of {config.games:,} so far"
    reached = ", ".join(f"{r.expected.mean:.3f} against {r.opponent}" for r in learned.strengths)
    is_drawn = len(rules.rules) <= DRAWN
    return Report(
        title="Learned rules of Dots and Boxes",
        lead=(
            f"{counted(learned.learner.games, 'game')}{going} against {' and '.join(config.opponents)}. The best list, "
            f"after {counted(best.games, 'game')}, has {counted(len(rules.rules), 'rule')}. Win rate: {reached}."
        ),
        unit="win rate",
        facts=_facts(learned),
        config=print_config(config),
        curves=_curves(learned),
        strengths=tuple(Strength(r.opponent, r.expected.mean, 0.0, 0.0, 0) for r in learned.strengths),
        remark="Computed over all positions that can be reached, drawing first and second equally often.",
        beyond=learned.table.beyond(len(learned.strengths)),
        picture=render_dot(
            picture_of(rules, {}, _game().offers[rules.language], title="").dot, "svg"
        ).decode()
        if is_drawn
        else "",
        program=rule_list_text(rules, best.games, config),
        frames=tuple(frame_of(step) for step in _trace(learned, deal)),
        replay=f"The best list against {learned.strengths[-1].opponent}, on deal {deal} of seed {config.seed}.",
        copies=(("Lua", _lua(learned)),),
        footer=f"gpkit {__version__}",
    )


def _game() -> Game:
    game: Game = game_of(GAME)
    return game


def _facts(learned: Learned) -> tuple[tuple[str, str], ...]:
    config, last = learned.config, learned.course.points[-1]
    return (
        ("game", f"{GAME} on {RULES.width}x{RULES.height} boxes"),
        ("seed", str(config.seed)),
        ("learned from", f"{learned.learner.games:,} games against {' and '.join(config.opponents)}"),
        (
            "population",
            f"{last.rules:,} of at most {config.population.size:,} rules, {last.nodes:.1f} nodes each",
        ),
        ("measure", config.reward.measure),
    )


def _curves(learned: Learned) -> tuple[Curves, ...]:
    """Strength, activity and size by games; one point is no course."""
    points = learned.course.points
    if len(points) < 2:
        return ()

    def line(name: str, values: Sequence[float]) -> Series:
        return Series(name, tuple(zip((float(p.games) for p in points), values, strict=True)))

    greedy = line(f"greedy against {learned.config.opponent}, exact", [p.greedy for p in points])
    online = line("while learning", [p.online for p in points])
    activity = line("decisions in which a rule acted", [p.activity for p in points])
    rules = line("rules", [float(p.rules) for p in points])
    return (
        Curves("Strength", (greedy, online), "win rate", zero=True, x="games"),
        Curves("Activity", (activity,), "share", zero=True, x="games"),
        Curves("Population", (rules,), "rules", zero=True, x="games"),
    )


def _trace(learned: Learned, deal: int) -> Any:
    rules = learned.course.best
    player = player_of_program(rules, _game(), "best")
    other = player_of_name(learned.strengths[-1].opponent, _game())
    deals = deal_of(_game(), RULES, learned.config.seed, deal)
    return trace_game("dots_and_boxes", [player, other], deals, RULES).steps


def _lua(learned: Learned) -> str:
    rules = learned.course.best
    offered = _game().offers[rules.language]
    subject = Subject(rules, "best", {}, primitives=offered, rules=RULES.to_options())
    lua = exporter("lua")
    return str(lua.export(subject, lua.default_mode)[0].text)

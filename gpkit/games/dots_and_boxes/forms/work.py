"""Reports on learners stored in folders, and the data for the pages that show learners."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gpkit.core.settings import print_config
from gpkit.core.wording import VERSION, counted, deal_told
from gpkit.export.registry import LUA
from gpkit.export.subject import Subject
from gpkit.gamekit.forms import Work
from gpkit.games.dots_and_boxes.game import GAME as DOTS_AND_BOXES
from gpkit.games.dots_and_boxes.learner.folder import (
    Learned,
    course_chart,
    find_learned,
    read_learner,
    rule_list_text,
)
from gpkit.games.dots_and_boxes.learner.learner import RULES
from gpkit.games.dots_and_boxes.learning import GAME
from gpkit.playing.contest import deal_of
from gpkit.playing.players import player_of_name, player_of_program
from gpkit.playing.trace import trace_game
from gpkit.show.chart import Curves, Series
from gpkit.show.pictures import picture_of
from gpkit.show.render import render_dot
from gpkit.show.report import RunReport, Strength
from gpkit.show.traced import frame_of

MOST_POINTS = 100
"""The maximum number of points of a learning curve to show in a table."""

DRAWN = 60
"""The maximum number of rules to show in a picture; the report contains only the text of a longer list."""


def shown(folder: Path) -> dict[str, Any]:
    """The data for a learner's page, read from the learner's folder: its progress, learning curve and best rules.

    Raises:
        CheckpointError: the learner has not learned anything yet, or its folder is damaged.
    """
    config, learner, course = read_learner(folder)
    if not course.points:
        return {"trouble": "It has learned nothing yet."}
    text = rule_list_text(course.best, course.best_point.games, config) if course.best.rules else ""
    return {
        "found": True,
        "games": learner.games,
        "goal": config.games,
        "opponents": config.against,
        "chart": course_chart(course, config),
        "points": course.points[:: -(-len(course.points) // MOST_POINTS)][::-1],
        "best": course.best_point,
        "text": text,
    }


def report(folder: Path, opponents: Sequence[str], deal: int) -> tuple[Learned, RunReport]:
    """The results of the learner in a folder, and its report, with a game of the best list on the deal ``deal``.

    Raises:
        CheckpointError: the folder is damaged.
        UsageError: the learner has not learned anything yet, or an opponent does not exist or cannot be computed.
        RenderError: no renderer is installed.
    """
    learned = find_learned(folder, opponents=opponents)
    config, course, rules = learned.config, learned.course, learned.course.best
    best = course.best_point
    going = "" if learned.learner.games >= config.games else f" of {config.games:,} so far"
    reached = ", ".join(f"{r.mean:.3f} against {r.opponent}" for r in learned.strengths)
    is_drawn = len(rules.rules) <= DRAWN
    opponent = player_of_name(learned.strengths[-1].opponent, DOTS_AND_BOXES)
    players = [player_of_program(rules, DOTS_AND_BOXES, "best"), opponent]
    deals = deal_of(DOTS_AND_BOXES, RULES, config.seed, deal)
    return learned, RunReport(
        title="Learned rules of Dots and Boxes",
        lead=(
            f"{counted(learned.learner.games, 'game')}{going} against {config.against}. The best list, "
            f"after {counted(best.games, 'game')}, has {counted(len(rules.rules), 'rule')}. Win rate: {reached}."
        ),
        unit="win rate",
        facts=_facts(learned),
        config=print_config(config),
        curves=_curves(learned),
        strengths=tuple(Strength(r.opponent, r.mean, 0.0, 0.0, 0) for r in learned.strengths),
        remark="Computed over all reachable positions, moving first and second equally often.",
        beyond=learned.table.beyond(len(learned.strengths)),
        picture=render_dot(
            picture_of(rules, {}, DOTS_AND_BOXES.offers[rules.language], title="").dot, "svg"
        ).decode()
        if is_drawn
        else "",
        program=rule_list_text(rules, best.games, config),
        frames=tuple(frame_of(step) for step in trace_game(GAME, players, deals, RULES).steps),
        replay=f"The best list against {learned.strengths[-1].opponent}, {deal_told(config.seed, deal)}.",
        copies=(("Lua", _lua(learned)),),
        footer=f"gpkit {VERSION}",
    )


def _facts(learned: Learned) -> tuple[tuple[str, str], ...]:
    config, last = learned.config, learned.course.points[-1]
    return (
        ("game", f"{GAME} on {RULES.width}x{RULES.height} boxes"),
        ("seed", str(config.seed)),
        ("learned from", f"{learned.learner.games:,} games against {config.against}"),
        (
            "population",
            f"{last.rules:,} of at most {config.population.size:,} rules, {last.nodes:.1f} nodes each",
        ),
        ("measure", config.reward.measure),
    )


def _curves(learned: Learned) -> tuple[Curves, ...]:
    """The curves of strength, activity and size over the games, or no curves if there is only one point."""
    points = learned.course.points
    if len(points) < 2:
        return ()

    def line(name: str, field: str) -> Series:
        return Series(name, tuple((float(p.games), float(getattr(p, field))) for p in points))

    greedy = line(f"greedy against {learned.config.opponent}, exact", "greedy")
    activity, rules = line("decisions in which a rule acted", "activity"), line("rules", "rules")
    return (
        Curves("Strength", (greedy, line("while learning", "online")), "win rate", zero=True, x="games"),
        Curves("Activity", (activity,), "share", zero=True, x="games"),
        Curves("Population", (rules,), "rules", zero=True, x="games"),
    )


def _lua(learned: Learned) -> str:
    rules = learned.course.best
    offered = DOTS_AND_BOXES.offers[rules.language]
    subject = Subject(rules, "best", {}, primitives=offered, rules=RULES.to_options())
    return LUA.export(subject, LUA.default_mode)[0].text


WORK: Work = Work(GAME, report, shown)

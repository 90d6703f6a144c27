"""Folders of learners: how they are reported on a page, shown while they learn, and resumed."""

from pathlib import Path
from typing import Any

from gpkit.core.settings import print_config
from gpkit.core.version import VERSION
from gpkit.core.wording import counted
from gpkit.draw.chart import Curves, Series
from gpkit.draw.frames import frame_of
from gpkit.draw.programs import picture_of
from gpkit.draw.render import render_dot
from gpkit.draw.report import RunReport, Strength
from gpkit.export.registry import Subject, exporter
from gpkit.games.dots_and_boxes.game import GAME as DOTS_AND_BOXES
from gpkit.games.dots_and_boxes.learner.config import GAME
from gpkit.games.dots_and_boxes.learner.folder import (
    Learned,
    course_chart,
    read_learner,
    rule_list_text,
)
from gpkit.games.dots_and_boxes.learner.folder import find_learned as find_out
from gpkit.games.dots_and_boxes.learner.learner import RULES
from gpkit.playing.match import deal_of
from gpkit.playing.players import player_of_name, player_of_program
from gpkit.playing.trace import trace_game

__all__ = ["COMMAND", "GAME", "find_out", "report", "shown"]

COMMAND = "learn"
"""The command that resumes such a folder."""

MOST_POINTS = 100
"""Points of a learner's course that are shown as a table, at most."""

DRAWN = 60
"""Rules that a picture shows at most; of a longer list there is the text alone."""


def shown(folder: Path) -> dict[str, Any]:
    """The learner in a folder as its page shows it: how far it is, its course, and its best rules.

    Raises:
        CheckpointError: it has learned nothing yet, or is damaged.
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


def report(learned: Learned, *, deal: int = 0) -> RunReport:
    """The page of a learner, with a game of its best list on the deal of that number.

    Raises:
        RenderError: no renderer is installed.
    """
    config, course, rules = learned.config, learned.course, learned.course.best
    best = course.best_point
    going = "" if learned.learner.games >= config.games else f" of {config.games:,} so far"
    reached = ", ".join(f"{r.mean:.3f} against {r.opponent}" for r in learned.strengths)
    is_drawn = len(rules.rules) <= DRAWN
    opponent = player_of_name(learned.strengths[-1].opponent, DOTS_AND_BOXES)
    players = [player_of_program(rules, DOTS_AND_BOXES, "best"), opponent]
    deals = deal_of(DOTS_AND_BOXES, RULES, config.seed, deal)
    return RunReport(
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
        replay=f"The best list against {learned.strengths[-1].opponent}, on deal {deal} of seed {config.seed}.",
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
    """Strength, activity and size by games; one point is no course."""
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
    lua = exporter("lua")
    return str(lua.export(subject, lua.default_mode)[0].text)

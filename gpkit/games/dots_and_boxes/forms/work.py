"""Folders of learners: how they are reported, shown on a page and resumed."""

from pathlib import Path
from typing import Any

from gpkit.games.dots_and_boxes.learner.config import GAME
from gpkit.games.dots_and_boxes.learner.folder import course_chart, opponents, read_learner, rule_list_text
from gpkit.games.dots_and_boxes.learner.folder import find_learned as find_out
from gpkit.games.dots_and_boxes.learner.page import learned_report as report

__all__ = ["COMMAND", "GAME", "find_out", "report", "shown"]

COMMAND = "learn"
"""The command that resumes such a folder."""

MOST_POINTS = 100
"""Points of a learner's course that are shown as a table, at most."""


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
        "opponents": opponents(config),
        "chart": course_chart(course, config),
        "points": course.points[:: -(-len(course.points) // MOST_POINTS)][::-1],
        "best": course.best_point,
        "text": text,
    }

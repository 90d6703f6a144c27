"""Runs as JSON values and back, so that they can be kept one by one and put together later."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from gpkit.games.dots_and_boxes.learner.config import Config
from gpkit.games.dots_and_boxes.learner.curves import Point
from gpkit.genomes.graph import RuleList
from gpkit_experiments.papers.dots_and_boxes.habits import Habits
from gpkit_experiments.papers.dots_and_boxes.runs import Run

COLUMNS = tuple(field.name for field in fields(Point))
"""Measurements of a point, in the order in which records have them."""

DIGITS = 6
"""Measurements are kept to so many digits after the point."""


def record_of(run: Run) -> dict[str, Any]:
    """The JSON values of a run, without its configuration and its rules."""
    return {
        "points": [[round(getattr(point, name), DIGITS) for name in COLUMNS] for point in run.points],
        "stronger": round(run.stronger, DIGITS),
        "habits": asdict(run.habits) | {"commonest": list(run.habits.commonest)},
        "held_out": [round(share, DIGITS) for share in run.held_out],
    }


def run_of(record: Mapping[str, Any], config: Config) -> Run:
    """The run of JSON values, without its rules."""
    habits = record["habits"]
    return Run(
        config,
        tuple(Point(**dict(zip(COLUMNS, row, strict=True))) for row in record["points"]),
        record["stronger"],
        Habits(**habits | {"commonest": tuple(habits["commonest"])}),
        tuple(record["held_out"]),
        RuleList(()),
    )

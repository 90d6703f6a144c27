"""The part of ``gpkit demo`` about Dots and Boxes: what is shown of it."""

from gpkit.cli.demo import DemoRun

FULL = DemoRun(
    "dots_and_boxes", "champion", "learn dots_and_boxes short --games 10000 --seed 1", "best.rules"
)

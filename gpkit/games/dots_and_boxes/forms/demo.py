"""The part of ``gpkit demo`` about Dots and Boxes: what is shown of it, as ``gpkit.cli.demo.Course`` says."""

FULL = {
    "program": "champion",
    "find": "learn dots_and_boxes small --games 10000 --seed 1",
    "champion": "best.rules",
}

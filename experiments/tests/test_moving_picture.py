"""The moving picture at the head of README: small, and what its command draws today."""

import re
from pathlib import Path

from kernel_marks import compiled_only

from gpkit_experiments.moving_picture import FRAMES, animated, frames

PICTURE = Path(__file__).parents[2] / "docs" / "images" / "plays.svg"
TEXT = re.compile(r">([^<>]+)</text>")
"""Captions, values of squares and of parts of the formula; their places depend on the version of Graphviz."""


@compiled_only
def test_the_picture_is_what_its_command_draws() -> None:
    drawn = animated(list(frames()))
    committed = PICTURE.read_text(encoding="utf-8")
    assert TEXT.findall(drawn) == TEXT.findall(committed)
    assert drawn.count('class="frame"') == FRAMES
    assert PICTURE.stat().st_size <= 400_000
    assert "<script" not in committed

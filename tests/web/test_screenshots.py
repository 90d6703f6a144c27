"""Pictures of the documentation: small, shown, and of what the commands of the tutorials draw today."""

import json
import re
import warnings
from pathlib import Path

import pytest
from screenshots import DOCS, IMAGES, MADE_FROM, MOST_BYTES, NAMES, draw, drawings_made_from, stale, take

PAGES = [*sorted(DOCS.rglob("*.md")), DOCS.parent / "README.md"]
WIDEST = 88
"""Columns of code on a page of the documentation."""


def test_pictures_are_small_shown_and_taken_by_the_script() -> None:
    sizes = {path.stem: path.stat().st_size for path in IMAGES.glob("*.png")}
    assert sorted(sizes) == sorted([*NAMES, *(f"{name}-dark" for name in NAMES)])
    assert sorted(json.loads(MADE_FROM.read_text(encoding="utf-8"))) == NAMES
    assert {name: size for name, size in sizes.items() if size > MOST_BYTES} == {}
    texts = "".join(path.read_text(encoding="utf-8") for path in PAGES)
    assert [name for name in NAMES if f"images/{name}.png" not in texts] == []
    assert re.findall(r"!\[\W*\]|<img(?![^>]* alt=\"\w)[^>]*>", texts) == []  # each says what one sees


@pytest.mark.release
def test_drawings_still_are_what_their_commands_draw(tmp_path: Path) -> None:
    assert stale(drawings_made_from(draw(tmp_path))) == ""


@pytest.mark.release
def test_pages_open_for_their_pictures_and_stale_ones_are_told(tmp_path: Path) -> None:
    complaints, made_from = take(tmp_path)
    assert complaints == []
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        path.name for path in IMAGES.glob("*.png")
    )
    if command := stale(made_from):
        warnings.warn(f"pictures of pages are stale: {command}", stacklevel=1)


def test_code_fits_its_column() -> None:
    for path in PAGES:
        code = re.findall(r"^```.*?^```$", path.read_text(encoding="utf-8"), re.M | re.S)
        lines = [line for block in code for line in block.expandtabs(4).splitlines()]
        assert [line for line in lines if len(line) > WIDEST] == [], path.name

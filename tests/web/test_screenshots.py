"""Pictures of README and documentation: small, shown, and of pages and programs that still have what they show."""

import re
from pathlib import Path

import pytest
from screenshots import (
    DOCS,
    DRAWINGS,
    IMAGES,
    MOST_BYTES,
    NAMES,
    OTHERS,
    draw,
    take,
    without_numbers,
    write_texts,
)

PAGES = [*sorted(DOCS.rglob("*.md")), DOCS.parent / "README.md"]
WIDEST = 88
"""Columns of code on a page of the documentation."""


def test_pictures_are_small_shown_and_taken_by_the_script() -> None:
    sizes = {path.stem: path.stat().st_size for path in IMAGES.glob("*.png")}
    assert sorted(sizes) == sorted([*NAMES, *(f"{name}-dark" for name in NAMES)])
    assert sorted(path.stem for path in IMAGES.glob("*.yml")) == NAMES
    assert {name: size for name, size in sizes.items() if size > MOST_BYTES} == {}
    texts = "".join(path.read_text(encoding="utf-8") for path in PAGES)
    assert [name for name in NAMES if f"images/{name}.png" not in texts] == []
    assert re.findall(r"!\[\W*\]|<img(?![^>]* alt=\"\w)[^>]*>", texts) == []  # each says what one sees


def test_drawings_still_are_what_their_commands_draw(tmp_path: Path) -> None:
    write_texts(draw(tmp_path), tmp_path)
    assert stale([*DRAWINGS, *OTHERS], tmp_path) == ""


@pytest.mark.release
def test_pages_still_have_what_the_pictures_show(tmp_path: Path) -> None:
    assert take(tmp_path) == []
    assert stale(NAMES, tmp_path) == ""


def stale(names: list[str], folder: Path) -> str:
    """The command that makes the pictures anew whose texts differ from those of the folder; empty if none does."""
    texts = {name: [at / f"{name}.yml" for at in (IMAGES, folder)] for name in names}
    old = [
        name
        for name, both in texts.items()
        if len({without_numbers(each.read_text("utf-8")) for each in both}) > 1
    ]
    return f"python tests/screenshots.py {' '.join(old)}" if old else ""


def test_code_fits_its_column() -> None:
    for path in PAGES:
        code = re.findall(r"^```.*?^```$", path.read_text(encoding="utf-8"), re.M | re.S)
        lines = [line for block in code for line in block.expandtabs(4).splitlines()]
        assert [line for line in lines if len(line) > WIDEST] == [], path.name

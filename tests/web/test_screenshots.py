"""Pictures of the documentation: small, shown on its pages, and of pages that still have what they show."""

import difflib
from pathlib import Path

import pytest
from screenshots import IMAGES, MOST_BYTES, SCENES, take, without_numbers

DOCS = IMAGES.parent
NAMES = sorted(scene.name for scene in SCENES)


def test_pictures_are_small_shown_and_taken_by_the_script() -> None:
    assert sorted(path.stem for path in IMAGES.glob("*.png")) == NAMES
    assert sorted(path.stem for path in IMAGES.glob("*.yml")) == NAMES
    assert {
        path.name: size for path in IMAGES.glob("*.png") if (size := path.stat().st_size) > MOST_BYTES
    } == {}
    texts = "".join(path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md"))
    assert [name for name in NAMES if f"images/{name}.png)" not in texts] == []


@pytest.mark.release
def test_pages_still_have_what_the_pictures_show(tmp_path: Path) -> None:
    assert take(tmp_path) == []
    for name in NAMES:
        then = without_numbers((IMAGES / f"{name}.yml").read_text(encoding="utf-8"))
        now = without_numbers((tmp_path / f"{name}.yml").read_text(encoding="utf-8"))
        changes = list(difflib.unified_diff(then.splitlines(), now.splitlines(), name, "now", lineterm=""))
        assert changes == [], "python tests/screenshots.py takes the pictures again"

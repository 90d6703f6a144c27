"""The README tells the truth: its commands run as printed and print what it shows.

Its sessions are those of ``tests/sessions.py``. The blocks below a heading run one after another in a folder of their
own, which holds the files of all headings.
"""

import re
import tomllib
from pathlib import Path

import pytest
from sessions import Block, blocks, follow, write_files

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
UNWRAPPED = README.replace(" \\\n   ", "")
INSTALL = "python3 -m venv .venv && .venv/bin/pip install -q -e '.[{}]' && .venv/bin/{}\n"


def _chapters() -> dict[str, list[Block]]:
    """By heading the blocks below it, of those that run something."""
    parts = re.split(r"^##+ (.+)\n", README, flags=re.MULTILINE)
    chapters = {heading: list(blocks(text)) for heading, text in zip(parts[1::2], parts[2::2], strict=True)}
    return {heading: each for heading, each in chapters.items() if any(block.is_session for block in each)}


CHAPTERS = _chapters()


@pytest.mark.parametrize("heading", CHAPTERS)
def test_sessions_run_as_printed(heading: str, tmp_path: Path) -> None:
    write_files(blocks(README), tmp_path)
    follow(CHAPTERS[heading], tmp_path)


def test_every_session_stands_below_a_heading() -> None:
    below = [block for each in CHAPTERS.values() for block in each if block.is_session]
    assert below == [block for block in blocks(README) if block.is_session]


def test_set_up_is_two_commands_and_the_second_is_what_ci_runs() -> None:
    assert INSTALL.format("play", "gpkit demo") in README
    assert INSTALL.format("dev", "python -m pytest -q") in UNWRAPPED
    assert "uv run --extra play gpkit demo" in README
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert re.search(r"install -q (-c \S+ )?-e '\.\[dev\]'", script)
    assert 'python" -m pytest -q' in script


def test_the_first_ten_lines_show_a_picture_a_number_and_a_command() -> None:
    first = "\n".join(README.splitlines()[:10])
    assert "(docs/images/plays.svg)" in first
    assert re.search(r"\*\*\d[\d,]* ", first)
    assert first.endswith(INSTALL.format("play", "gpkit demo").strip())
    assert len(README.split()) <= 700


def test_the_set_up_has_what_playing_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    assert {re.split(r"\W", each)[0] for each in extras["play"]} == {
        "jinja2",
        "lupa",
        "pygraphviz",
        "starlette",
        "uvicorn",
    }
    assert set(extras["web"]) < set(extras["play"]) < set(extras["dev"])


def test_links_to_files_lead_somewhere() -> None:
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", README):
        assert (ROOT / target).exists(), target

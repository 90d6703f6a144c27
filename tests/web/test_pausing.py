"""Runs and learners of other processes on a page: watched, asked to pause, and gone on with."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tiny_run import TINY, evolve_tiny
from web_clients import guest

from gpkit.api.runs import RunFollower
from gpkit.cli.main import main
from gpkit.core.settings import print_config
from gpkit.core.work_folder import ask_to_pause, locked, take_pause, write_checkpoint
from gpkit.evolution.history import read_history
from gpkit.games.dots_and_boxes.learner.folder import encode, learn, marks, opened
from gpkit.games.dots_and_boxes.learning import PRESETS

PART = {"hx-request": "true"}


def test_run_of_another_process_is_asked_to_pause(tmp_path: Path) -> None:
    evolve_tiny(tmp_path / "tiny", generations=1)
    client, _ = guest(tmp_path)
    assert client.post("/run/pause", data={"name": "tiny"}).status_code == 400
    with locked(tmp_path / "tiny"):
        assert client.post("/run/pause", data={"name": "tiny"}).status_code == 303
    assert take_pause(tmp_path / "tiny")
    assert not take_pause(tmp_path / "tiny")


def test_run_that_is_asked_to_pause_ends_after_its_generation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tiny.toml").write_text(print_config(TINY), encoding="utf-8")
    folder = tmp_path / "run"
    told = RunFollower.generation

    def generation(self: RunFollower, summary: Any, state: Any) -> None:
        if summary.generation == 2:
            ask_to_pause(folder)
        told(self, summary, state)

    monkeypatch.setattr(RunFollower, "generation", generation)
    asked = ["evolve", str(tmp_path / "tiny.toml"), "--out", str(folder)]
    assert main(asked) == 4
    assert read_history(folder).generations[-1].generation == 2
    monkeypatch.setattr(RunFollower, "generation", told)
    ask_to_pause(folder)  # too late, so that it does not count
    assert main(["evolve", "--resume", "--out", str(folder)]) == 0
    assert read_history(folder).generations[-1].generation == 4


@pytest.mark.release
def test_learner_is_watched_and_asked_to_pause(tmp_path: Path) -> None:
    folder = tmp_path / "rules"
    config = replace(PRESETS["ours"], games=40)
    with opened(folder, config, resume=False) as (learner, course):
        write_checkpoint(folder, encode(learner, learn(learner, marks(40), course=course)))
    client, site = guest(tmp_path)
    assert 'href="/runs/rules"' in client.get("/").text
    page = client.get("/runs/rules").text
    assert "40 of 40 games" in page
    assert "✓ Finished" in page
    assert "<svg" in page
    assert ">Resume<" not in page
    with locked(folder):
        part = client.get("/runs/rules", headers=PART).text
        assert part.lstrip().startswith('<div id="learner"')
        assert ">Pause<" in part
        assert client.post("/run/pause", data={"name": "rules"}).status_code == 303
    assert take_pause(folder)
    assert site.runner.going_on() == ""
    (folder / "state.json").write_text("{", encoding="utf-8")
    assert client.get("/runs/rules").status_code == 200

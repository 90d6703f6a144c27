"""Where results go is looked at before there are any: no command works long for a file that it cannot write."""

import os
from pathlib import Path

import pytest
from tiny_run import evolve_tiny

from gpkit.api import players
from gpkit.cli.main import main
from gpkit.evolution import executors, history
from gpkit.export import exported
from gpkit.show import run_page as page

TREE = "programs/sevens/champion.tree"

COMMANDS = {
    "export": ("export", TREE, "--to", "lua", "-o"),
    "draw": ("draw", TREE, "-o"),
    "trace": ("trace", TREE, "--html"),
}


@pytest.fixture(autouse=True)
def no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever would work long, does not begin."""

    def begin(*arguments: object, **options: object) -> None:
        raise AssertionError("work began")

    for module, name in (
        (exported, "read_subjects"),
        (history, "program_in"),
        (players, "one_player"),
        (page, "report_on"),
        (executors, "executor_for"),
    ):
        monkeypatch.setattr(module, name, begin)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_missing_folder_is_told_at_once(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*COMMANDS[command], str(tmp_path / "missing" / "a.svg")]) == 2
    assert f"there is no folder {tmp_path / 'missing'}" in capsys.readouterr().err


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_that_nothing_can_be_written_in_is_told_at_once(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != tmp_path)
    assert main([*COMMANDS[command], str(tmp_path / "a.svg")]) == 2
    assert f"{tmp_path} is not writable" in capsys.readouterr().err


def test_a_folder_is_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.svg").mkdir()
    assert main([*COMMANDS["draw"], str(tmp_path / "a.svg")]) == 2
    assert "a.svg cannot be written: it is a folder" in capsys.readouterr().err


def test_a_report_has_somewhere_to_go(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = tmp_path / "run"
    evolve_tiny(run, generations=0)
    assert main(["report", str(run), "-o", str(tmp_path / "missing" / "page.html")]) == 2
    assert f"there is no folder {tmp_path / 'missing'}" in capsys.readouterr().err
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != run)
    assert main(["report", str(run)]) == 2
    assert f"{run} is not writable" in capsys.readouterr().err


def test_a_paper_learns_before_it_begins_that_it_cannot_write(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert main(["paper", "sevens", "-o", str(tmp_path / "new")]) == 2
    assert f"{tmp_path / 'new'} is not writable" in capsys.readouterr().err

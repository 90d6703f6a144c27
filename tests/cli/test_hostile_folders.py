"""Run folders of others: links, pipes and devices in them are refused, and nothing outside them is touched."""

import shutil
from pathlib import Path

import pytest
from hostile_folders import TRICKS, Trick, contents, hostile, linked
from tiny_run import evolve_tiny

from gpkit.cli.main import main

EVOLVED = (
    *("run.json", "state.json", "state.previous.json", ".state.json.new", ".run.json.new", "run.lock"),
    *("run.pid", "run.db", "run.db-wal", "run.db-shm", "run.db-journal", "events.jsonl", "best"),
)
READ = ("run.json", "run.db", "run.db-wal", "events.jsonl", "best")
LEARNED = ("run.json", "state.json", ".state.json.new", "run.lock", "population.rules", "curves.json")


def tricks(names: tuple[str, ...]) -> list[tuple[str, Trick]]:
    """All tricks with the first of some files, and a link instead of each of the others."""
    return [*((names[0], trick) for trick in TRICKS), *((name, linked) for name in names[1:])]


@pytest.fixture(scope="module")
def evolved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evolved") / "run"
    evolve_tiny(folder, generations=1)
    return folder


@pytest.fixture(scope="module")
def learned(small_boards: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("learned") / "run"
    assert main(["learn", "dots_and_boxes", "constant", "--games", "20", "-o", str(folder)]) == 0
    return folder


def check_refused(
    copy: Path, outside: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(arguments) == 2
    told = capsys.readouterr().err
    assert told.startswith("error: ") and str(copy) in told, told
    assert contents(outside) == {"precious": b"precious"}


@pytest.mark.parametrize(("name", "trick"), tricks(EVOLVED))
def test_evolution_does_not_go_on_through_a_trick(
    name: str, trick: Trick, evolved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy, outside = hostile(evolved, tmp_path, name, trick)
    arguments = ["evolve", "--resume", "--out", str(copy), "--generations", "2"]
    check_refused(copy, outside, arguments, capsys)


def test_a_folder_of_champions_elsewhere_keeps_its_files(
    evolved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "run"
    shutil.copytree(evolved, copy)
    shutil.rmtree(copy / "best")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "generation-999999.tree").write_text("precious")
    (copy / "best").symlink_to(tmp_path / "outside")
    assert main(["evolve", "--resume", "--out", str(copy)]) == 2
    assert "best is a link" in capsys.readouterr().err
    assert contents(tmp_path / "outside") == {"generation-999999.tree": b"precious"}


def test_a_champion_that_is_a_link_is_neither_read_nor_removed(
    evolved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy, outside = hostile(evolved, tmp_path, "best/generation-999999.tree", linked)
    check_refused(copy, outside, ["evolve", "--resume", "--out", str(copy)], capsys)
    assert (copy / "best" / "generation-999999.tree").is_symlink()


@pytest.mark.parametrize(("name", "trick"), tricks(READ))
@pytest.mark.parametrize("command", ["report", "draw"])
def test_nothing_is_read_through_a_trick(
    command: str, name: str, trick: Trick, evolved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy, outside = hostile(evolved, tmp_path, name, trick)
    more = ["--what", "lineage"] if command == "draw" and name.startswith("run.db") else []
    check_refused(copy, outside, [command, str(copy), *more], capsys)


@pytest.mark.parametrize("trick", TRICKS)
def test_a_page_does_not_replace_what_a_link_leads_to(
    trick: Trick, evolved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy, outside = hostile(evolved, tmp_path, "report.html", trick)
    check_refused(copy, outside, ["report", str(copy)], capsys)


@pytest.mark.parametrize(("name", "trick"), tricks(LEARNED))
def test_learning_does_not_go_on_through_a_trick(
    name: str, trick: Trick, learned: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy, outside = hostile(learned, tmp_path, name, trick)
    check_refused(copy, outside, ["learn", "--resume", "--out", str(copy)], capsys)


def test_the_folder_itself_may_be_a_link_of_its_user(
    learned: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(learned, tmp_path / "real")
    (tmp_path / "link").symlink_to("real")
    assert main(["learn", "--resume", "--out", str(tmp_path / "link")]) == 0

"""Files that a folder, a configuration or a table names: pipes and devices are refused, and nothing waits for them."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from damage import changed_bytes, damaged_json, damaged_lines, places
from hostile_folders import endless, within
from tiny_run import evolve_tiny
from web_clients import guest

from gpkit.cli.main import main
from gpkit.core.errors import UsageError
from gpkit.core.files import read_text
from gpkit.core.plain_files import check_named
from gpkit.data.table import read_chunks, read_table
from gpkit.evolution import run_folder

KINDS = {"fitted": "fit", "trees": "fit", "evolved": "evolve"}
"""Runs, and the commands that go on with them."""

TABLE = "x,y,kind\n" + "".join(f"{k % 7},{k * k % 11},{'ab'[k % 7 > 3]}\n" for k in range(40))


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run of each kind, and their table."""
    folder = tmp_path_factory.mktemp("runs")
    table = folder / "t.csv"
    table.write_text(TABLE)
    small = ["--generations", "1", "--out"]
    assert (
        main(["fit", str(table), "--target", "y", "--population", "12", *small, str(folder / "fitted")]) == 0
    )
    assert main(["fit", str(table), "--target", "kind", "--as", "tree", *small, str(folder / "trees")]) == 0
    evolve_tiny(folder / "evolved", generations=1)
    return folder


def commands(kind: str, folder: Path) -> list[list[str]]:
    """What is done with the folder of a run."""
    drawn = [["draw", str(folder), "--what", "predictions"]] if kind == "fitted" else []
    return [
        ["report", str(folder), "-o", str(folder.parent / "page.html")],
        [KINDS[kind], "--resume", "--out", str(folder), "--generations", "2"],
        *drawn,
    ]


def forged(runs: Path, target: Path, chance: Random, names: tuple[str, ...]) -> tuple[str, Path, str]:
    """A copy of a run whose description names an endless file somewhere: its kind, the copy, and the name."""
    kind = chance.choice([*KINDS])
    shutil.copytree(runs / kind, copy := target / "run")
    described = json.loads((copy / "run.json").read_text())
    texts = [
        (holder, key)
        for holder, key in places(described["config"])
        if isinstance(holder[key], str) and key != "sha256"  # which names no file
    ]
    texts += [(holder, key) for holder, key in texts if key == "file"] * 20
    holder, key = chance.choice(texts)
    name = holder[key] = chance.choice(names)
    if chance.random() < 0.3:
        described["config"].get("fit", {})["sha256"] = ""
    (copy / "run.json").write_text(json.dumps(described))
    return kind, copy, name


def check(runs: Path, target: Path, seed: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing reads what a description names, and whatever is done says so, and ends in time."""
    chance = Random(seed)  # noqa: S311
    (target / "outside").mkdir()
    names = endless(target / "outside")
    kind, copy, name = forged(runs, target, chance, (*names, os.path.relpath(target / "outside" / "pipe")))
    capsys.readouterr()
    for arguments in commands(kind, copy):
        with within(30):
            assert main(arguments) == 2, (seed, arguments)
        told = capsys.readouterr().err
        assert "a pipe, a socket or a device" in told or f"no game `{name}`" in told, (seed, name, told)
    with within(30):
        client, site = guest(target)
        shown = [
            client.get(path)
            for path in ("/", "/runs", "/runs/run", "/runs/run/predictions", "/runs/run/report")
        ]
        site.end()
    assert {each.status_code for each in shown} <= {200, 400}


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.release) for seed in (1, 2))])
def test_a_description_that_names_an_endless_file_is_refused(
    seed: int, runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check(runs, tmp_path, f"quick {seed}", capsys)


@pytest.mark.release
@pytest.mark.parametrize("seed", range(100))
def test_many_descriptions_that_name_endless_files_are_refused(
    seed: int, runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check(runs, tmp_path, f"release {seed}", capsys)


def check_damaged(runs: Path, target: Path, seed: str) -> None:
    """A run whose description, log, checkpoint or front was damaged: whatever is done ends in time, and is no fault."""
    chance = Random(seed)  # noqa: S311
    kind = chance.choice([*KINDS])
    shutil.copytree(runs / kind, copy := target / "run")
    name = chance.choice([path.name for path in copy.glob("*.json*")])
    damage = damaged_lines if name.endswith("l") else chance.choice((damaged_json, changed_bytes))
    (copy / name).write_bytes(damage((copy / name).read_bytes(), chance))
    for arguments in commands(kind, copy):
        with within(60):
            assert main(arguments) in (0, 2, 3), (seed, arguments)
    with within(60):
        client, site = guest(target)
        shown = [client.get(path) for path in ("/", "/runs", "/runs/run", "/runs/run/predictions")]
        site.end()
    assert {each.status_code for each in shown} <= {200, 400, 404}, seed


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.release)])
def test_what_is_damaged_is_read_or_refused(seed: int, runs: Path, tmp_path: Path) -> None:
    check_damaged(runs, tmp_path, f"quick {seed}")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(400))
def test_much_that_is_damaged_is_read_or_refused(seed: int, runs: Path, tmp_path: Path) -> None:
    check_damaged(runs, tmp_path, f"slow {seed}")


def test_the_page_of_a_fit_says_why_it_reads_no_pipe(runs: Path, tmp_path: Path) -> None:
    shutil.copytree(runs / "fitted", tmp_path / "run")
    os.mkfifo(tmp_path / "pipe")
    described = (tmp_path / "run" / "run.json").read_text()
    (tmp_path / "run" / "run.json").write_text(described.replace(str(runs / "t.csv"), str(tmp_path / "pipe")))
    with within(30):
        client, site = guest(tmp_path)
        assert "which is a pipe, a socket or a device" in client.get("/runs/run").text
        assert client.get("/runs/run/predictions").status_code == 400
        site.end()


@pytest.mark.parametrize("table", ["[fit]\nfile", "[population]\nstart", "[fitness]\nopponents"])
def test_a_configuration_that_names_an_endless_file_is_refused(
    table: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = Random(table).choice(endless(tmp_path))  # noqa: S311
    is_fit = table.startswith("[fit]")
    value = json.dumps(name if is_fit else [name])
    (tmp_path / "c.toml").write_text(f"{table} = {value}\n")
    with within(30):
        command = "fit" if is_fit else "evolve"
        assert main([command, str(tmp_path / "c.toml"), "--out", str(tmp_path / "run")]) == 2
    assert "a pipe, a socket or a device; expected a file" in capsys.readouterr().err


@pytest.mark.parametrize("seed", range(3))
def test_a_transcript_that_names_an_endless_file_is_refused(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chance = Random(seed)  # noqa: S311
    others = [chance.choice(("simple", "random")), chance.choice(endless(tmp_path))]
    chance.shuffle(others)
    game = {
        "schema": "gpkit/game/1",
        "game": "sevens",
        "opponents": others,
        "rules": {},
        "seat": 0,
        "seed": 5,
        "deal": 0,
    }
    (tmp_path / "game.json").write_text(json.dumps({**game, "opening": [], "actions": []}))
    with within(30):
        assert main(["trace", str(tmp_path / "game.json")]) == 2
    assert f"{tmp_path / 'game.json'} names" in capsys.readouterr().err


def test_a_table_from_standard_input_is_not_waited_for(gpkit, runs: Path, tmp_path: Path) -> None:
    fitted, table = tmp_path / "run", TABLE.encode()
    begin = ("fit", "-", "--target", "y", "--population", "12", "--generations", "1", "--out", fitted)
    assert gpkit(*begin, stdin=table).code == 0
    for arguments in (("report", fitted), ("fit", "--resume", "--out", fitted, "--generations", "2")):
        found = gpkit(*arguments, stdin=table)
        assert (found.code, "came from standard input" in found.err) == (2, True)
    again = ("fit", "-", "--resume", "--out", fitted, "--generations", "2")
    assert gpkit(*again, stdin=table).code == 0
    assert "cannot resume with another" in gpkit(*again, stdin=table.replace(b"6", b"5")).err


@pytest.mark.parametrize("path", ["/dev/zero", "long.csv"])
def test_a_line_without_an_end_is_not_held(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if path == "long.csv":
        with (tmp_path / path).open("wb") as file:
            file.write(b"x,y\n1,2\n")
            file.truncate(1 << 40)  # zeros, which take no room
    with within(20):
        assert main(["fit", str(tmp_path / path), "--target", "y", "--out", str(tmp_path / "run")]) == 3
    assert "longer than the limit of 10,000,000 characters" in capsys.readouterr().err


@pytest.mark.parametrize("is_damaged", [False, True])
def test_many_columns_are_named_in_time(
    is_damaged: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [f"c{k}" for k in range(100_000)]
    (tmp_path / "t.csv").write_text(",".join([*names, "c7" if is_damaged else "d"]) + "\n1\n")
    with within(30):
        assert main(["fit", str(tmp_path / "t.csv"), "--target", "y", "--out", str(tmp_path / "run")]) == 2
    told = capsys.readouterr().err
    assert (
        "columns 8 and 100001 are both named `c7`" if is_damaged else "1 cell for 100,001 columns"
    ) in told


def test_a_pipe_that_is_no_utf8_is_read_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe")
    if not os.fork():
        (tmp_path / "pipe").write_bytes(b"x,y\n1,\xff\n")
        os._exit(0)
    with within(30):
        assert main(["fit", str(tmp_path / "pipe"), "--target", "y", "--out", str(tmp_path / "run")]) == 2
    os.wait()
    assert "is not UTF-8 text" in capsys.readouterr().err


@pytest.mark.parametrize("seed", range(12))
def test_a_named_file_that_becomes_endless_after_the_check_is_refused(seed: int, tmp_path: Path) -> None:
    """It is swapped between the check and the opening, or between a look at it and the opening."""
    chance = Random(seed)  # noqa: S311
    name = chance.choice(["t.csv", "t.parquet", "deep/../t.tree"])
    (tmp_path / "deep").mkdir()
    path, ends = tmp_path / name, endless(tmp_path)
    path.write_text(TABLE)
    table: list[Callable[[str], object]] = [read_table, lambda path: [*read_chunks(path)]]
    read = chance.choice([read_text, *([] if name.endswith("tree") else table)])
    values = chance.choice([str(path), {"fit": {"file": str(path)}}, ["x", (str(path),)]])
    stored = values_in(check_named(values, tmp_path))[-1]

    def swap() -> None:
        path.unlink()
        path.symlink_to(chance.choice(ends))

    before = os.open
    with pytest.MonkeyPatch.context() as patch, within(10):
        if chance.random() < 0.5:
            swap()
        else:
            patch.setattr(os, "open", lambda *given, **more: [swap(), before(*given, **more)][1])
        with pytest.raises(UsageError) as caught:
            read(stored)
        told = str(caught.value)
        assert "a pipe, a socket or a device" in told or "No such device or address" in told  # of a socket


def values_in(nested: Any) -> list[str]:
    """The texts among nested values."""
    if isinstance(nested, str):
        return [nested]
    parts = nested.values() if isinstance(nested, dict) else nested
    return [text for part in parts for text in values_in(part)]


@pytest.mark.parametrize("seed", range(3))
def test_an_export_that_names_an_endless_table_is_checked_without_it(
    seed: int, runs: Path, tmp_path: Path
) -> None:
    chance = Random(seed)  # noqa: S311
    program = (runs / "fitted" / "best" / "champion.tree").read_text()
    name = chance.choice(endless(tmp_path))
    (tmp_path / "p.tree").write_text(program.replace(f"data: {runs / 't.csv'}", f"data: {name}"))
    assert name in (tmp_path / "p.tree").read_text()
    with within(30):
        assert main(["export", str(tmp_path / "p.tree"), "--to", "python", "--check"]) == 0


@pytest.mark.parametrize("seed", range(3))
def test_a_table_that_becomes_endless_when_the_run_is_read_is_refused(
    seed: int, runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    chance = Random(seed)  # noqa: S311
    kind = ("fitted", "trees", "fitted")[seed]
    shutil.copytree(runs / kind, tmp_path / "run")
    shutil.copy(runs / "t.csv", table := tmp_path / "moved.csv")
    (tmp_path / "outside").mkdir()
    ends = [each for each in endless(tmp_path / "outside") if not each.endswith("socket")]
    described = (tmp_path / "run" / "run.json").read_text()
    (tmp_path / "run" / "run.json").write_text(described.replace(str(runs / "t.csv"), str(table)))

    def swapped(*given: Any, **more: Any) -> Any:
        found = check_named(*given, **more)
        table.unlink(missing_ok=True)
        table.symlink_to(chance.choice(ends))
        return found

    monkeypatch.setattr(run_folder, "check_named", swapped)
    with within(10):
        assert main(commands(kind, tmp_path / "run")[1]) == 2
    assert "a pipe, a socket or a device; expected a file" in capsys.readouterr().err


@pytest.mark.parametrize("seed", range(4))
def test_a_description_that_is_nested_deeply_is_refused(
    seed: int, runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chance = Random(seed)  # noqa: S311
    depth, (begin, end) = chance.randint(300, 950), chance.choice(["[]", ('{"a":', "}")])
    shutil.copytree(runs / "fitted", tmp_path / "run")
    described = json.loads((tmp_path / "run" / "run.json").read_text())
    described["config"]["fit"]["inputs"] = "NESTED"
    text = json.dumps(described).replace('"NESTED"', begin * depth + '"t.csv"' + end * depth)
    (tmp_path / "run" / "run.json").write_text(text)
    assert main(["report", str(tmp_path / "run")]) == 2
    assert "run.json is damaged" in capsys.readouterr().err

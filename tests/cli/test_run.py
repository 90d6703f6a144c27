"""``gpkit run``: the table, the JSON contract, which game and which opponents, every mistake, and how fast it is."""

import json
import math
import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from gpkit.core.registry import data_folder, game_of

SIMPLE = "// game: sevens\nplay: env.depth + env.selfblock\nsend: env.dist\n"
BARE = "play: env.depth\nsend: env.dist\n"
FEW = ("--games", "30")
FILES = {"a.tree": SIMPLE, "bare.tree": BARE}


def test_table(folder: Path, gpkit) -> None:
    outcome = gpkit("run", "a.tree", "--games", "3000")
    assert outcome.code == 0
    heading, random, simple = outcome.out.splitlines()
    assert re.split(r" {2,}", heading) == [
        "program", "opponent", "metric", "mean", "95% interval", "games", "stalled", "invalid", "games/s",
    ]  # fmt: skip
    cells = re.split(r" {2,}", random)
    assert cells[:3] == ["a.tree", "random", "win_share"]
    assert 0.77 < float(cells[3]) < 0.82
    low, high = map(float, cells[4].split(" to "))
    assert low < float(cells[3]) < high
    assert cells[5:8] == ["3,000", "0.0%", "0"]
    assert re.split(r" {2,}", simple)[1:4] == ["simple", "win_share", "0.3333"]
    assert outcome.err.startswith("sevens: 3 players, seed 0; an even share is 0.333\n")


def test_json_contract(folder: Path, gpkit) -> None:
    outcome = gpkit("run", "a.tree", "hold", "--opponent", "far-first", *FEW, "--seed", "7", "--json")
    assert outcome.code == 0
    report = json.loads(outcome.out)
    assert report["schema"] == "gpkit/run/1"
    assert report["seed"] == 7
    assert report["seconds"] > 0
    assert report["rules"] == {}
    assert [(r["program"], r["opponent"]) for r in report["results"]] == [
        ("a.tree", "far-first"),
        ("hold", "far-first"),
    ]
    for result in report["results"]:
        assert result["game"] == "sevens"
        assert result["metric"] == "win_share"
        low, high = result["ci95"]
        assert 0.0 <= low <= result["mean"] <= high <= 1.0
        assert (result["games"], result["invalid"], result["stalled"]) == (30, 0, 0)
        assert result["games_per_second"] > 0


def test_same_seed_same_result(folder: Path, gpkit) -> None:
    def means(seed: int) -> list[float]:
        report = json.loads(gpkit("run", "a.tree", *FEW, "--seed", seed, "--json").out)
        return [result["mean"] for result in report["results"]]

    assert means(1) == means(1)
    assert means(1) != means(2)


@pytest.mark.parametrize(
    ("options", "metric", "games"),
    [
        (["--players", "4"], "win_share", 32),
        (["--rules", "players=7", "--rules", "end=ranks"], "rank_score", 35),
        (["--rules", "end=points", "--players", "2"], "points", 30),
    ],
)
def test_rules(options: list[str], metric: str, games: int, folder: Path, gpkit) -> None:
    report = json.loads(gpkit("run", "a.tree", *FEW, *options, "--json").out)
    assert {r["metric"] for r in report["results"]} == {metric}
    assert {r["games"] for r in report["results"]} == {games}
    assert report["rules"]["players"] in ("4", "7", "2")


def test_opponents_are_names_files_and_names_with_an_argument(folder: Path, gpkit) -> None:
    opponents = ["hold", "bare.tree", "pimc:2"]
    options = [word for name in opponents for word in ("--opponent", name)]
    report = json.loads(gpkit("run", "a.tree", "--games", "3", *options, "--json").out)
    assert [r["opponent"] for r in report["results"]] == opponents


def test_programs_are_files_folders_standard_input_and_players(folder: Path, gpkit) -> None:
    def programs(*arguments: str, stdin: bytes = b"") -> list[str]:
        outcome = gpkit("run", *arguments, "--games", "3", "--opponent", "random", "--json", stdin=stdin)
        return [result["program"] for result in json.loads(outcome.out)["results"]]

    assert programs("bare.tree", "a.tree") == ["bare.tree", "a.tree"]
    assert programs(".") == ["a.tree", "bare.tree"]
    assert programs("-", "--lang", "arithmetic", stdin=SIMPLE.encode()) == ["-"]
    assert programs("simple", "pimc:1") == ["simple", "pimc:1"]
    assert programs("a.tree", "a.tree") == ["a.tree"]


def test_a_player_goes_before_a_file_of_its_name(folder: Path, gpkit) -> None:
    (folder / "simple").write_text(BARE)
    named = json.loads(gpkit("run", "simple", "--opponent", "simple", *FEW, "--json").out)["results"][0]
    file = json.loads(
        gpkit("run", "./simple", "--opponent", "simple", *FEW, "--json", "--lang", "arithmetic").out
    )["results"][0]
    assert named["mean"] == pytest.approx(1 / 3)
    assert file["mean"] < 0.3


def test_a_folder_with_the_name_of_a_player_does_not_hide_the_player(folder: Path, gpkit) -> None:
    (folder / "simple").mkdir()
    (folder / "simple" / "one.tree").write_text(SIMPLE)
    (folder / "simple" / "two.tree").write_text(BARE)
    report = json.loads(gpkit("run", "./simple", "--opponent", "simple", *FEW, "--json").out)
    assert [(row["program"], row["opponent"]) for row in report["results"]] == [
        ("simple/one.tree", "simple"),
        ("simple/two.tree", "simple"),
    ]


def test_a_hoarding_program_is_stopped_and_shown(gpkit) -> None:
    hoarder = data_folder("programs") / "sevens" / "hoarder.tree"
    report = json.loads(gpkit("run", hoarder, "--opponent", hoarder, "--games", "3000", "--json").out)
    (result,) = report["results"]
    assert 0.10 < result["stalled"] / result["games"] < 0.17
    table = gpkit("run", hoarder, "--opponent", hoarder, "--games", "3000").out
    assert f"{result['stalled'] / result['games']:.1%}" in table
    harmless = json.loads(gpkit("run", hoarder, *FEW, "--json").out)
    assert [r["stalled"] for r in harmless["results"]] == [0, 0]


def _wrong(gpkit, *arguments: str, code: int = 2, stdin: bytes = b"") -> str:
    """What is said of a command line that is refused."""
    outcome = gpkit("run", *arguments, stdin=stdin)
    assert (outcome.code, outcome.out) == (code, "")
    return str(outcome.err)


def test_limits_are_exit_code_3(folder: Path, gpkit) -> None:
    (folder / "deep.tree").write_text("(" * 30_000 + "1.0" + ")" * 30_000)
    assert "error[E0" in _wrong(gpkit, "deep.tree", code=3)
    (folder / "large.tree").write_text("1.0 + " * 200_000 + "1.0")
    assert "larger than 1,000,000 bytes" in _wrong(gpkit, "large.tree", code=3)


def test_folder_without_programs(folder: Path, gpkit) -> None:
    (folder / "empty").mkdir()
    assert "empty holds no program file" in _wrong(gpkit, "empty")


def test_standard_input_is_read_once_and_needs_its_language(folder: Path, gpkit) -> None:
    assert "name its language or its game" in _wrong(gpkit, "-", stdin=BARE.encode())
    both = ("-", "--opponent", "-", "--lang", "arithmetic")
    assert "standard input can be read only once" in _wrong(gpkit, *both, stdin=SIMPLE.encode())


@pytest.mark.parametrize("wrong", ["missing.tree", "unknown.tree", "simpel"])
def test_nothing_is_played_before_all_is_read_and_checked(wrong: str, folder: Path, gpkit) -> None:
    (folder / "unknown.tree").write_text(SIMPLE.replace("depth", "detph"))
    outcome = gpkit("run", "a.tree", wrong, *FEW)
    assert (outcome.code, outcome.out) == (2, "")
    assert "sevens: 3 players" not in outcome.err


def test_compiling_is_announced(folder: Path, gpkit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpkit.core.compiled.is_cold", lambda: True)
    assert "compiling the kernels of sevens, once, about " in gpkit("run", "a.tree", *FEW).err


def test_long_matches_tell_how_far_they_are(folder: Path, gpkit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpkit.api.progress.SECONDS_BETWEEN_LINES", 0.0)
    outcome = gpkit("run", "a.tree", "--opponent", "random", "--games", "6000")
    assert "a.tree against random: 3,072 games, 51%\n" in outcome.err
    assert "a.tree against random: 6,000 games, 100%\n" in outcome.err


@pytest.mark.release
def test_cached_run_takes_less_than_three_seconds_and_imports_no_more_than_it_needs(folder: Path) -> None:
    """Processor time, so that a busy machine does not matter; the kernels are in the cache from a first run."""
    command = [sys.executable, "-X", "importtime", "-m", "gpkit", "run", "a.tree", "--games", "3000"]
    subprocess.run(command, capture_output=True, check=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, env=os.environ | {"TERM": "dumb"}
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert math.fsum((after.ru_utime, after.ru_stime, -before.ru_utime, -before.ru_stime)) < 3.0
    assert "compiling" not in done.stderr
    imported = set(re.findall(r"^import time:.*\|\s*(\S+)$", done.stderr, re.MULTILINE))
    assert "gpkit.playing.contest" in imported
    assert imported.isdisjoint(
        {"networkx", "rich", "graphviz", "pygraphviz", "scipy.linalg", "gpkit.evolution"}
    )


@pytest.mark.parametrize(
    ("line", "refused"),
    [
        (
            "run champion entropy optimal --game mastermind --rules variant=super",
            "optimal plays only the classic game",
        ),
        ("run entropy evolutionary --game mastermind", "draw random numbers"),
        ("compare champion consistent-random --game mastermind --rules variant=super", "up to 1,296"),
        pytest.param(
            "run champion mcts:10 --game dots_and_boxes",
            "mcts draws random numbers",
            marks=pytest.mark.release,
        ),
    ],
)
def test_exact_results_are_refused_before_any_is_computed(
    line: str, refused: str, gpkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def compute(*_: object) -> None:
        raise AssertionError("something is computed before")

    game = game_of(line.split("--game ")[1].split()[0])
    monkeypatch.setattr(type(game.exact), "expect", compute)
    outcome = gpkit(*line.split(), "--exact")
    assert (outcome.code, outcome.out) == (2, "")
    assert refused in outcome.err


def test_games_that_are_invalid_are_explained(tmp_path: Path, gpkit) -> None:
    path = tmp_path / "stuck.sink"
    path.write_text("// game: battleship\ntargeting:\n  Shoot\n")
    outcome = gpkit("run", str(path), "--games", "2")
    assert "Invalid: a program ran out of steps without a move" in " ".join(outcome.out.split())
    assert "invalid if a program ran out of steps" in " ".join(gpkit("run", "--help").out.split())
    assert "Invalid:" not in gpkit("run", "textbook", "--games", "2").out
    trace = gpkit("trace", str(path)).out
    assert (
        "stuck ran out of steps before a shot, so it is invalid: its program looped through targeting 1"
        in trace
    )


def test_bytes_that_are_no_text_and_numbers_without_end_are_refused(folder: Path, gpkit) -> None:
    (folder / "latin.tree").write_bytes(b"// \xe9\n")
    assert "latin.tree is not UTF-8 text: byte 0xe9 on line 1" in _wrong(gpkit, "latin.tree")
    assert "latin.tree is not UTF-8" in _wrong(gpkit, "a.tree", "--opponent", "latin.tree")
    assert "expected 1 to 500000 worlds" in _wrong(gpkit, "a.tree", "--opponent", "pimc:" + "9" * 5000)

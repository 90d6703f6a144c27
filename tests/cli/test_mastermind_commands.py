"""Mastermind on the command line: exact means, samples, and every command that takes a program."""

import json
from pathlib import Path

import pytest
from case_files import case_text
from kernel_marks import compiled_only

from gpkit.core.registry import data_folder, game_of
from gpkit.playing.evaluation import chosen

SMALL = ("--rules", "length=3", "--rules", "colours=3")


def test_exact_means_are_json_without_games(gpkit) -> None:
    arguments = ("run", "kooi", "--game", "mastermind", "--exact", "--json", *SMALL)
    done = gpkit(*arguments)
    assert done.code == 0
    found = json.loads(done.out)
    (result,) = found["results"]
    assert (found["schema"], found["rules"]) == ("gpkit/run/1", {"length": "3", "colours": "3"})
    assert (result["program"], result["metric"], result["opponent"]) == ("kooi", "guesses", "codemaker")
    assert (result["exact"], result["ci95"], result["games"]) == (True, None, 0)
    total = sum(guesses * count for guesses, count in enumerate(result["distribution"], start=1))
    assert (sum(result["distribution"]), result["secrets"], result["lost"]) == (27, 27, 0)
    assert result["mean"] == total / 27
    assert result["most"] == len(result["distribution"])


def test_exact_means_are_a_table(gpkit) -> None:
    done = gpkit("run", "knuth", "consistent-random", "--game", "mastermind", "--exact", *SMALL)
    assert done.code == 0
    heading, knuth, chance = done.out.splitlines()
    assert heading.split() == ["program", "opponent", "metric", "mean", "and"]
    assert knuth.split()[:3] == ["knuth", "codemaker", "guesses"]
    assert "secrets 27" in knuth
    assert chance.split() == ["consistent-random", "codemaker", "guesses", "2.8807"]


@pytest.mark.release
def test_samples_have_intervals_around_the_exact_mean(gpkit) -> None:
    done = gpkit("run", "consistent-random", "--games", "2000", "--json", *SMALL)
    assert done.code == 0
    (result,) = json.loads(done.out)["results"]
    assert result["games"] == 2000
    assert "exact" not in result
    low, high = result["ci95"]
    assert low < 2.8806584362139915 < high


@pytest.fixture
def run(tmp_path: Path, gpkit) -> Path:
    """A run of evolution with exact fitness that takes a second."""
    (tmp_path / "tiny.toml").write_text(case_text("games/tiny_mastermind.toml"))
    assert gpkit("evolve", tmp_path / "tiny.toml", "--out", tmp_path / "run").code == 0
    return tmp_path / "run"


def test_the_champion_of_exact_fitness_is_told_exactly(run: Path, gpkit) -> None:
    champion = run / "best" / "champion.tree"
    rules = (*SMALL, "--exact")
    told = gpkit("evolve", "--resume", "--out", run)
    heading, expected = gpkit("run", champion, *rules).out.splitlines()
    text = champion.read_text()
    assert told.out.startswith(text)
    printed_heading, printed, held_out, *others = told.out.removeprefix(text).splitlines()
    assert printed_heading.split() == heading.split()
    assert printed.split() == ["champion", *expected.split()[1:]]
    assert "held out" in held_out
    assert len(others) == len(chosen(game_of("mastermind"), None, quick=True))
    (in_numbers,) = json.loads(gpkit("evolve", "--resume", "--out", run, "--json").out)["exact"]
    (result,) = json.loads(gpkit("run", champion, *rules, "--json").out)["results"]
    assert in_numbers == {**result, "program": "champion"}
    assert f"// score: {-result['mean']:.6g}" in champion.read_text()


@pytest.mark.release
def test_the_page_of_a_run_with_exact_fitness_speaks_of_no_samples(run: Path, gpkit) -> None:
    told = gpkit("report", run)
    assert told.code == 0
    assert (
        told.out == gpkit("evolve", "--resume", "--out", run).out.partition("guess: ")[2].partition("\n")[2]
    )
    page = (run / "report.html").read_text()
    for words in ("Computed over all possible deals: secrets 27, ", "champion, exact"):
        assert words in page
    for words in ("not seen", "fresh deals", "0 played", "other deals", "95%"):
        assert words not in page
    found = json.loads(gpkit("report", run, "--json").out)
    assert "held_out" not in found
    assert all(each["score"] == -each["exact"]["mean"] for each in found["champions"])


@compiled_only
def test_the_command_of_the_classic_game(gpkit) -> None:
    done = gpkit("run", "knuth", "--game", "mastermind", "--exact", "--json")
    (result,) = json.loads(done.out)["results"]
    assert (result["mean"], result["most"]) == (5801 / 1296, 5)


@pytest.mark.parametrize("names", ["[ei]*", pytest.param("[!ei]*", marks=pytest.mark.release)])
def test_programs_are_drawn_and_exported(names: str, gpkit, tmp_path: Path) -> None:
    for path in sorted((data_folder("programs") / "mastermind").glob(f"{names}.tree")):
        drawn = gpkit("draw", str(path))
        assert (drawn.code, drawn.out.splitlines()[0]) == (0, "guess")
        target = tmp_path / f"{path.stem}.lua"
        few = ("--evaluations", "100", "--games", "2")
        done = gpkit("export", str(path), "--to", "lua", "-o", str(target), "--check", *few)
        assert done.code == 0, done.err
        assert "lua51" in done.out

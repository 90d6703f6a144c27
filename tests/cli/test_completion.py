"""Completion: every command, option and value that there is, without importing what computes."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest

from gpkit.api.catalogue import PARTS, read_index
from gpkit.cli.commands import CommandLine, all_commands, gpkit_command
from gpkit.cli.completion import complete
from gpkit.cli.main import main
from gpkit.core.registry import GAMES, LANGUAGES, papers
from gpkit.evolution.config import shipped_presets
from gpkit.export.registry import EXPORTERS
from gpkit.games.dots_and_boxes.learning import PRESETS as LEARNED
from gpkit_experiments.bench.registry import BENCHMARKS

Complete = Callable[..., list[str]]


@pytest.fixture
def completed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Complete:
    """What bash is told of the last of some words; the words are split as bash splits them."""

    def ask(*words: str) -> list[str]:
        split = [part for word in ("gpkit", *words) for part in re.split("(=)", word) if part or not word]
        monkeypatch.setenv("_GPKIT_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", " ".join(split))
        monkeypatch.setenv("COMP_CWORD", str(len(split) - 1))
        assert main([]) == 0
        return [line.removeprefix("plain,") for line in capsys.readouterr().out.splitlines()]

    return ask


def names(entries: tuple[object, ...]) -> set[str]:
    """The names of a registry."""
    return {entry.name for entry in entries}  # type: ignore[attr-defined]


@pytest.fixture
def anew() -> Iterator[Callable[[], object]]:
    """Function that forgets the index that this process has read."""
    yield read_index.cache_clear
    read_index.cache_clear()


def test_the_index_is_kept_until_gpkit_changes(
    anew: Callable[[], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[object] = []
    monkeypatch.setenv("GPKIT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(
        "gpkit.api.catalogue.index", lambda: made.append(1) or dict.fromkeys(PARTS, len(made))
    )
    for _ in range(2):
        anew()
        assert read_index() == dict.fromkeys(PARTS, 1)
    (kept,) = (tmp_path / "cache").glob("completion-*.json")
    for count, damaged in enumerate(("{", "[]", '{"commands": 1}'), start=2):
        kept.write_text(damaged, encoding="utf-8")
        anew()
        assert read_index() == dict.fromkeys(PARTS, count)
    monkeypatch.setattr("gpkit.api.catalogue._installed", lambda: "another")
    anew()
    assert read_index() == dict.fromkeys(PARTS, 5)


def test_an_index_that_cannot_be_kept_is_made_again(
    anew: Callable[[], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("GPKIT_CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setattr("gpkit.api.catalogue.index", lambda: {"of": 1})
    for _ in range(2):
        anew()
        assert read_index() == {"of": 1}


def test_commands_that_are_not_installed_are_completed_without_their_parameters(
    completed: Complete, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = CommandLine("paper", "Reproduce.", "gpkit_nowhere.papers")
    monkeypatch.setattr("gpkit.cli.commands.all_commands", lambda: (missing,))
    monkeypatch.setattr("gpkit.cli.commands.COMMANDS", (missing,))
    assert completed("pa") == ["paper"]
    assert set(completed("paper", "--")) == {"--help", "--version"}


@pytest.mark.parametrize("line", all_commands(), ids=lambda line: line.name)
def test_what_completes_a_value_is_known(line: CommandLine) -> None:
    command = line.load()
    for each in command.params:
        each.shell_complete(click.Context(command), "")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("",), names(all_commands())),
        (("play", ""), names(GAMES)),
        (("run", "--game", ""), names(GAMES)),
        (("run", "--game=sev"), {"sevens"}),
        (("check", "--lang", ""), names(LANGUAGES)),
        (("new", ""), names(LANGUAGES) | {"config", "fit", "game", "language", "problem"}),
        (("new", "config", "--preset", ""), {*shipped_presets(), *LEARNED}),
        (("paper", ""), names(papers())),
        (("bench", ""), names(BENCHMARKS)),
        (("export", "x.tree", "--to", ""), names(EXPORTERS)),
        (("draw", "run", "--what", "c"), {"champion", "curves"}),
        (("run", "--ga"), {"--game", "--games"}),
        (
            ("play", "sevens", "--rules", "se"),
            {"sender=", "send_last=", "send_unplayable_first=", "send_first_lap="},
        ),
        (("play", "sevens", "--rules", "sender="), {"previous", "next", "all", "none"}),
        (("play", "sevens", "--rules", "sender=n"), {"next", "none"}),
        (
            ("run", "--game", "dots_and_boxes", "--opponent", "chain+"),
            {"dir,chain+", "chain+ex8", "chain+ex12"},
        ),
        (("run", "--game", "dots_and_boxes", "--opponent", "uni"), {"dir,uni"}),
        (("run", "--opponent", "uni"), {"dir,uni", "uniform"}),
        (("run", "--game", "mastermind", "knu"), {"dir,knu", "knuth"}),
        (("series", "x.tree", "uni"), {"dir,uni", "uniform"}),
        (("evolve", "s"), {"dir,s", "sevens", "squares"}),
        (("learn", "dots_and_boxes", "ou"), {"dir,ou", "ours"}),
    ],
)
def test_words_become_what_there_is(completed: Complete, words: tuple[str, ...], expected: set[str]) -> None:
    found = completed(*words)
    assert set(found) == expected
    assert len(found) == len(set(found))


MEANINGS = {
    "play_received=": "a received card is played at once if possible",
    "players=": "the number of players",
}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("list s", dict.fromkeys(["sensors", "switches"], "")),
        ("run --rules pl", MEANINGS),
        ("run --rules players=", {}),
        ("play sevens --rules sender=n", dict.fromkeys(["sender=next", "sender=none"], "")),
        ("list --j", {"--json": "Print JSON with a `schema` key"}),
        ("che", {"check": "Find mistakes in programs and explain them."}),
    ],
)
def test_shells_that_show_meanings_get_them(
    words: str, expected: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before, _, last = f"gpkit {words}".rpartition(" ")
    monkeypatch.setenv("_GPKIT_COMPLETE", "zsh_complete")
    monkeypatch.setenv("COMP_WORDS", f"{before} {last}")
    monkeypatch.setenv("COMP_CWORD", str(len(before.split())))
    assert main([]) == 0
    _, *found = f"\n{capsys.readouterr().out}".split("\nplain\n")
    lines = [each.strip("\n").split("\n") for each in found]
    assert dict(lines) == {key.replace(":", "\\:"): meaning or "_" for key, meaning in expected.items()}
    monkeypatch.setenv("_GPKIT_COMPLETE", "fish_complete")
    monkeypatch.setenv("COMP_WORDS", before)
    monkeypatch.setenv("COMP_CWORD", last)
    assert main([]) == 0
    rows = [line.removeprefix("plain,") for line in capsys.readouterr().out.splitlines() if line]
    assert dict(f"{each}\t".split("\t")[:2] for each in rows) == expected


def test_files_of_programs_and_configurations_are_offered(
    completed: Complete, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "below").mkdir()
    for name in ("mine.tree", "mine.sink", "mine.txt", "mine.toml", "below/mine.rules"):
        Path(name).touch()
    assert completed("run", "mi") == ["dir,mi", "mine.sink", "mine.tree"]
    assert completed("compare", "mine.tree", "below/") == ["dir,below/", "below/mine.rules"]
    assert completed("evolve", "mi") == ["dir,mi", "mine.toml"]
    assert completed("run", f"{tmp_path}/bel") == [f"dir,{tmp_path}/bel"]
    assert completed("run", "nowhere/") == ["dir,nowhere/"]


def test_nothing_that_computes_is_imported() -> None:
    read_index()
    words = {"COMP_WORDS": "gpkit run --game sevens --opponent s", "COMP_CWORD": "5"}
    command = [sys.executable, "-X", "importtime", "-m", "gpkit"]
    env = {**os.environ, **words, "_GPKIT_COMPLETE": "bash_complete"}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    assert "plain,simple" in done.stdout
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert "click" in imported
    assert not imported & {"numpy", "numba", "llvmlite", "networkx", "rich", "lark", "matplotlib"}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_has_a_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert complete(f"{shell}_source", gpkit_command) == 0
    script = capsys.readouterr().out
    assert f"_GPKIT_COMPLETE={shell}_complete" in script
    assert complete("nosuchshell_source", gpkit_command) == 1


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_takes_the_script_and_completes(tmp_path: Path) -> None:
    gpkit = tmp_path / "gpkit"
    gpkit.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m gpkit "$@"\n')
    gpkit.chmod(0o755)
    script = """
        PATH="$1:$PATH"
        eval "$(_GPKIT_COMPLETE=bash_source gpkit)"
        COMP_WORDS=(gpkit play sevens --rules sender = n) COMP_CWORD=6
        compopt() { :; }
        _gpkit_completion gpkit
        printf '%s\\n' "${COMPREPLY[@]}"
    """
    command = ["bash", "--norc", "-c", script, "bash", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["next", "none"]

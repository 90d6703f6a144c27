"""Games of one's own that are wrong: every command tells the function to fix, and none fails itself."""

import io
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from hostile_games import (
    BODIES,
    CARDS,
    COMMANDS,
    HEAD,
    QUICK,
    SENSED,
    TEXTS,
    THREADS,
    asked_pages,
    forms,
    prepare,
    sensors,
)

from gpkit.api import health
from gpkit.cli.main import main
from gpkit.core import plugins
from gpkit.core.errors import EXIT_USAGE, GuestError
from gpkit.core.registry import name_game
from gpkit.user_games.contract import examine

SPOKEN = "return replace(self, said=(*self.said, action))"
RIGHT = {
    "apply": SPOKEN,
    "legal_actions": "else [PASS, BET]",
    "returns": "return (stake, -stake) if first else (-stake, stake)",
    "chance_outcomes": "return [(card, 1 / len(left)) for card in left]",
    "risk": "return action / 2",
    "current_player": "len(self.said) % 2\n",
}
"""What the functions of the game do, by their names."""

RUN = "run p.tree --opponent random --games 4 --game ./g.py"
TRACE = "trace p.tree --opponent random --game ./g.py"
PLAY = "play ./g.py"
EVOLVING = "evolve c.toml --out run --game ./g.py"
LINES = {line.split()[0]: line for line in (RUN, TRACE, PLAY, EVOLVING)}


@pytest.fixture(autouse=True)
def folder(nobodys: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A folder with a program and a configuration; functions may take a short time, and a person says a word."""
    monkeypatch.setattr(plugins, "PATIENCE", 0.2)
    monkeypatch.setattr(examine, "GAMES_TO_EXPLAIN", 2)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"bet\n" * 9 + b"q\n")))
    prepare(tmp_path, CARDS)
    monkeypatch.setattr(health, "PATIENCE", 0.2)
    monkeypatch.setattr(examine, "PLAYED_FOR", 0.1)


@pytest.mark.parametrize(
    ("function", "new", "told", "commands"),
    [pytest.param(*each, marks=[pytest.mark.release] * ("timed out" in each[2])) for each in TEXTS["told"]],
)
def test_commands_tell_what_is_to_be_fixed(
    function: str, new: str, told: str, commands: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert RIGHT[function] in CARDS
    Path("g.py").write_text(CARDS.replace(RIGHT[function], new, 1))
    for line in (LINES[command] for command in commands.split()):
        plugins.here = plugins.Discovery(installed=plugins.here.installed)
        assert main(line.split()) == EXIT_USAGE, line
        said = capsys.readouterr().err
        assert "error: ./g.py, line " in said
        assert told in said
        assert "a bug in gpkit" not in said


def test_a_game_without_end_is_called_off_in_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    Path("g.py").write_text(CARDS.replace("return self.said in (", "return False and self.said in (", 1))
    for line in (RUN, TRACE, PLAY):
        assert main([*line.split(), "--rules", "longest=4"]) == 0
    assert "a bug in gpkit" not in capsys.readouterr().err


def test_others_are_unharmed(capsys: pytest.CaptureFixture[str]) -> None:
    Path("g.py").write_text(CARDS.replace(SPOKEN, "return None", 1))
    assert main(RUN.split()) == EXIT_USAGE
    assert main(["run", "hoarder", "--game", "sevens", "--opponent", "random", "--games", "3"]) == 0
    assert "hoarder" in capsys.readouterr().out


def test_an_opponent_of_the_file_is_told_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    Path("g.py").write_text(CARDS.replace('"bold": bold', '"bold": bold, "shy": "say: env.crad"'))
    assert main(["run", "p.tree", "--opponent", "shy", "--games", "2", "--game", "./g.py"]) == EXIT_USAGE
    said = capsys.readouterr().err
    assert "--> opponent shy of ./g.py:1:6" in said
    assert "did you mean `env.card`?" in said
    assert "shy.tree" not in said


FORMS, SENSORS = forms(), sensors()

MOST_SHOWN = 20_000
"""Characters that a command may say about a game that is wrong."""


def command_ends_well(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Run a command, which must end with a result, or tell whose fault it is, in a few lines."""
    plugins.here = plugins.Discovery(installed=plugins.here.installed)
    sys.stdin.seek(0)
    capsys.readouterr()
    code = main(line.split())
    said = capsys.readouterr()
    assert code in (0, 1, 2, 3), said.err
    assert code != 0 or said.out.strip()
    assert "bug in gpkit" not in said.err
    assert len(said.err) < MOST_SHOWN
    assert line.startswith("play") or len(said.out) < MOST_SHOWN


def all_end_well(lines: Mapping[str, str], folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Run the commands, and look at the pages of the game, if it can be imported."""
    signal.alarm(300)  # what hangs in compiled code is killed
    try:
        for line in lines.values():
            command_ends_well(line, capsys)
        plugins.here = plugins.Discovery(installed=plugins.here.installed)
        try:
            name_game("./g.py")
        except GuestError:
            return
        for status, text in asked_pages(folder):
            assert status < 500, text
            assert len(text) < 10 * MOST_SHOWN
    finally:
        signal.alarm(0)


@pytest.mark.release
@pytest.mark.parametrize(
    "form",
    [
        *(
            pytest.param(f"legal_actions {name}", marks=[pytest.mark.release] * (name != "recurses"))
            for name in QUICK
        ),
        "squares gives nothing",
    ],
)
def test_commands_and_pages_end_whatever_a_game_does(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prepare(tmp_path, FORMS[form])
    all_end_well({name: COMMANDS[name] for name in ("run", "doctor", "play")}, tmp_path, capsys)


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_all_commands_and_pages_end_whatever_a_game_does(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prepare(tmp_path, FORMS[form])
    all_end_well(COMMANDS, tmp_path, capsys)


@pytest.mark.parametrize("form", ["court exits", "held quits", "court gives nothing"])
def test_commands_end_whatever_a_sensor_does(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    sensors_end_well(form, {name: SENSED[name] for name in ("run", "trace")}, capsys)


@pytest.mark.slow
@pytest.mark.parametrize("form", SENSORS)
def test_all_commands_end_whatever_a_sensor_does(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    sensors_end_well(form, SENSED, capsys)


def sensors_end_well(form: str, lines: Mapping[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """Run commands with a file of sensors."""
    Path("s.py").write_text(SENSORS[form])
    Path("p.tree").write_text("// game: sevens\nplay: env.court + env.held\nsend: env.court\n")
    for line in lines.values():
        command_ends_well(line, capsys)


def test_an_exit_of_a_file_is_told_with_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    for form, place in (("the file exits", ""), ("apply quits", ", in apply")):
        Path("g.py").write_text(FORMS[form])
        line = 1 + FORMS[form].split("\n").index(f"{'        ' if place else ''}{BODIES[form.split()[-1]]}")
        plugins.here = plugins.Discovery(installed=plugins.here.installed)
        assert main(RUN.split()) == EXIT_USAGE
        told = "SystemExit: 0" if not place else "Quit: gone"
        assert f"./g.py, line {line}{place}: {told}" in capsys.readouterr().err


def thread_ends(line: str) -> None:
    """Run a command whose game starts a thread that goes on; it ends with its result."""
    ended = subprocess.run(
        [sys.executable, "-m", "gpkit", *line.split()],
        capture_output=True,
        text=True,
        timeout=120,
        input="bet\n" * 9 + "q\n",
    )
    assert ended.returncode == 0, ended.stderr
    assert "a thread that your code started is still running (Thread-" in ended.stderr
    assert ended.stdout.strip() or "0 errors" in ended.stderr


@pytest.mark.release
def test_a_thread_of_a_game_ends_with_the_command() -> None:
    Path("g.py").write_text(THREADS["of the file"])
    thread_ends("check p.tree --game ./g.py")


@pytest.mark.slow
@pytest.mark.parametrize("form", THREADS)
def test_a_thread_of_a_game_ends_with_every_command(form: str) -> None:
    Path("g.py").write_text(THREADS[form])
    for line in (*COMMANDS.values(), f"{EVOLVING.replace('run', 'again')} --workers 2"):
        thread_ends(line)


def test_texts_without_form_reach_the_page(tmp_path: Path) -> None:
    Path("g.py").write_text(HEAD + CARDS.replace('return f"cards {seen}', 'return f"\\ud800 cards {seen}'))
    name_game("./g.py")
    answers = asked_pages(tmp_path)
    assert {status for status, _ in answers} <= {200, 303, 400}
    assert any("? cards" in text for _, text in answers)

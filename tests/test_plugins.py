"""Cost of a plug-in: a game and a language of ``tests/plugins`` move into a copy of the package, a line each.

Beside that, the language brings a grammar and a picture, each a file that is found by its name.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from case_files import case_text

import gpkit

PLUGINS = Path(__file__).parent / "plugins"
PACKAGE = Path(gpkit.__file__).parent

LINES = {
    "LANGUAGES": 'Entry("weights", "gpkit.languages.weights.language", "LANGUAGE", "weighted sums", ".weights")',
    "GAMES": 'Entry("coins", "gpkit.games.coins.game", "GAME", "whoever takes the last coin wins")',
}
"""What is written into the registry."""

PROGRAMS = {
    "perfect.weights": "// game: coins\ntake:\n  -1 env.rest\n",
    "perfect.tree": "// game: coins\ntake: -env.rest\n",
    "wrong.weights": "// game: coins\ntake:\n  -1 env.rset\n",
    "small.toml": """
game = "coins"
alphabet = "all"
[population]
size = 10
[fitness]
opponents = ["greedy"]
deals = 4
validation_deals = 10
[refinement]
finish = false
[stop]
generations = 2
""",
}

SCRIPT = """
import contextlib, io, json, sys
from gpkit.cli.main import main
for line in sys.stdin.read().splitlines():
    command, _, typed = line.partition(" < ")
    out, err = io.StringIO(), io.StringIO()
    sys.stdin = io.TextIOWrapper(io.BytesIO(typed.replace("|", chr(10)).encode()))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(command.split())
    print(json.dumps([command, code, out.getvalue(), err.getvalue()]))
"""

COMMANDS = case_text("plugins.txt")
"""What is done with them, with what is typed after ``<``."""


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str, str]]:
    """By command the exit code and what was said, in the copy of the package that has the guests."""
    home = tmp_path_factory.mktemp("home")
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("gpkit", "grammars", "programs"):
        shutil.copytree(PACKAGE.parent / name, home / name, ignore=ignored)
    for guest, place in (("game", "games/coins"), ("language", "languages/weights")):
        shutil.copytree(PLUGINS / guest, home / "gpkit" / place, ignore=ignored)
    shutil.copy(PLUGINS / "weights.lark", home / "grammars")
    registry = home / "gpkit" / "core" / "registry.py"
    text = registry.read_text()
    for name, line in LINES.items():
        opening = f"{name} = (\n"
        assert opening in text
        text = text.replace(opening, f"{opening}    {line},\n")
    registry.write_text(text)
    for name, content in PROGRAMS.items():
        (home / name).write_text(content)
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input=COMMANDS.strip(),
        cwd=home,
        capture_output=True,
        text=True,
        check=True,
    )
    return {command: (code, out, err) for command, code, out, err in map(json.loads, ran.stdout.splitlines())}


def _lines(text: str, start: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(start)]


def test_every_command_takes_the_guests_but_one_that_has_no_form_for_it(
    done: dict[str, tuple[int, str, str]],
) -> None:
    codes = {command: code for command, (code, _, _) in done.items() if code}
    assert codes == {"check wrong.weights": 1, "export perfect.weights --to lua": 2}
    assert "gpkit cannot export programs in weights to lua" in done["export perfect.weights --to lua"][2]


def test_the_game_is_played_and_traced_as_it_says_itself(done: dict[str, tuple[int, str, str]]) -> None:
    played = done["run perfect.weights perfect.tree --games 40"][1]
    means = [line.split()[3] for line in _lines(played, "perfect")]
    assert means[0] == means[1]
    assert float(means[0]) > 0.9
    for name in ("tree", "weights"):
        assert "step 1: perfect: 1" in done[f"trace perfect.{name}"][1]
    assert "chosen" not in done["trace perfect.weights"][1]
    assert "kernels" not in done["run perfect.weights --games 40 --rules coins=50"][2], "there are none"


def test_its_command_is_there(done: dict[str, tuple[int, str, str]]) -> None:
    assert (done["rest 21"][1], done["rest 21 --most 6"][1]) == ("take 1\n", "take 1\n")


def test_a_person_plays_against_it(done: dict[str, tuple[int, str, str]]) -> None:
    said = done["play coins --seed 3"][1]
    assert said.startswith("Coins: you in seat 0, with greedy.")
    assert "legal: 1, 2, 3" in said
    assert "greedy: 3" in said
    assert "has won" in said or "You have won" in said


def test_findings_and_sensors_are_the_guests_own(done: dict[str, tuple[int, str, str]]) -> None:
    assert "did you mean `env.rest`?" in done["check wrong.weights"][1]
    assert len(_lines(done["list sensors --game coins"][1], "env.")) == 3
    assert done["new weights"][1].startswith("// game: coins")
    matrix = {line.split("  ")[0]: line.split() for line in done["list languages"][1].splitlines() if line}
    assert matrix["draw"][1] == "yes"
    assert matrix["evolve"][1] == "-"


def test_formulas_evolve_for_it(done: dict[str, tuple[int, str, str]]) -> None:
    first, again = done["evolve small.toml --out run"], done["evolve --resume --out run"]
    assert "// game: coins" in first[1]
    assert first[1] == again[1]

"""Threads may call gpkit, also the first time in a process."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from case_files import case_text

from gpkit.core import plugins

SCRIPT = Path(__file__).parent / "threads_at_once.py"

HOW = ("plain", "joblib")


def check(seed: int, how: str, *deeds: str) -> None:
    """Check that three threads of a new process do what the seed draws."""
    command = [sys.executable, SCRIPT, str(seed), how, *deeds]
    paths = os.pathsep.join(filter(None, [str(SCRIPT.parent.parent), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=200, env={**os.environ, "PYTHONPATH": paths}
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_threads_use_gpkit_for_the_first_time() -> None:
    check(1, "plain", "own_game")


@pytest.mark.release
@pytest.mark.parametrize("deed", ["fit", "evolve", "play", "parse", "own_game"])
@pytest.mark.parametrize("seed", range(10))
def test_threads_do_the_same_for_the_first_time(seed: int, deed: str) -> None:
    check(seed, HOW[seed % 2], deed)


@pytest.mark.release
@pytest.mark.parametrize("seed", range(10))
def test_threads_do_drawn_things_for_the_first_time(seed: int) -> None:
    check(seed, HOW[seed % 2])


ASKS = (
    'gpkit.list("games")',
    'gpkit.list("opponents", game=OTHER)',
    'gpkit.parse("x + 1\\n", language="arithmetic")',
    "gpkit.run('random', game=OTHER, games=2, seed=1)",
    "plugins.made_game(replace(game_of('sevens'), name='mine'), [])",
    "plugins.imported_file(OTHER)",
    "gpkit.register('selector', f'drawn_{ME}', max)",
)
WAYS = (
    "t = threading.Thread(target=ask)\nt.start()\nt.join()",
    "with ThreadPoolExecutor(2) as pool:\n    [*pool.map(lambda _: ask(), range(3))]",
)
HEAD = """import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
import gpkit
from gpkit.core import plugins
from gpkit.core.errors import GpkitError
from gpkit.core.registry import game_of
"""
IMPORTS = (
    "plugins.game_file({0!r})",
    "plugins.imported_file({0!r})",
    "gpkit.list('opponents', game={0!r})",
)


@pytest.mark.release
def test_a_file_may_start_threads_that_ask_gpkit_while_it_is_imported(tmp_path: Path) -> None:
    """Each file waits for a thread of its own that asks drawn things; so do those that it asks for."""
    drawn = random.Random(7)  # noqa: S311
    files = [str(tmp_path / f"drawn_{n}.py") for n in range(8)]
    game = case_text("games/counting.txt")
    asks = drawn.sample(ASKS, len(ASKS))
    for n, file in enumerate(files):
        other = files[n - 1] if n else "sevens.py"
        body = (
            f"OTHER, ME = {other!r}, {n}\ndef ask():\n    with suppress(GpkitError):\n        {asks[n - 1]}\n"
        )
        named = game.replace('"counting"', f'"counting_{n}"')
        Path(file).write_text(f"{HEAD}{body}{drawn.choice(WAYS)}\n{named}")
    lines = [drawn.choice(IMPORTS).format(file) for file in reversed(files)]
    done = subprocess.run(
        [sys.executable, "-c", "\n".join([HEAD, *lines, "print('came to its end')"])],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout == "came to its end\n", done.stderr


def test_a_thread_does_not_wait_for_ever_for_a_file_that_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plugins, "here", plugins.Discovery(installed=plugins.here.installed))
    monkeypatch.setattr(plugins, "PATIENCE", 0.4)
    file, asked = tmp_path / "asks_for_itself.py", "lambda: plugins.imported_file(__file__)"
    file.write_text(
        f"{HEAD}with ThreadPoolExecutor() as pool:\n    FAULT = pool.submit({asked}).exception()\n"
    )
    assert "still being imported by another thread" in str(plugins.imported_file(str(file)).FAULT)

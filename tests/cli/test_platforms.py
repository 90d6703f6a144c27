"""Every command can be imported and explained where the modules of one platform are missing."""

import os
import subprocess
import sys
from pathlib import Path

from gpkit.cli.commands import all_commands
from gpkit.evolution import executors

FOREIGN = ("fcntl", "termios", "tty", "pty", "resource", "pwd", "grp")
"""Modules that Windows lacks."""

EXPLAIN = """
import os, sys
from importlib import import_module
for name in sys.argv[1].split(","):
    sys.modules[name] = None
for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY", "fchmod", "fork", "geteuid", "getuid", "killpg"):
    if hasattr(os, name):
        delattr(os, name)
from gpkit.cli.main import main
for name in sys.argv[2].split(","):
    assert main([name, "--help"]) == 0, name
"""


def test_every_command_is_explained_without_the_modules_of_other_platforms() -> None:
    names = ",".join(line.name for line in all_commands())
    told = subprocess.run(
        [
            sys.executable,
            "-W",
            "error",
            "-W",
            "ignore:only soft file lock",
            "-c",
            EXPLAIN,
            ",".join(FOREIGN),
            names,
        ],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    assert told.stdout.count("Usage: ") == len(all_commands())


def test_where_there_is_no_fork_server_workers_are_started_anew(monkeypatch) -> None:
    assert executors.start_method() == "forkserver"
    monkeypatch.setattr(executors.multiprocessing, "get_all_start_methods", lambda: ["spawn"])
    assert executors.start_method() == "spawn"
    executor = executors.ProcessPool(1).open()
    try:
        assert executor.submit(os.path.basename, str(Path("a") / "b")).result() == "b"
    finally:
        executors.ProcessPool(1).close(executor)

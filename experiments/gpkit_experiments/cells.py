"""Cells of long measurements: each cell is stored as soon as it is measured, so an interrupted run can continue.

A file of cells has a line of JSON for the settings, and a line for each cell. Each cell is measured in a separate
process with one thread, so neither leftovers of one system nor a crash can affect the other cells.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from gpkit.core.errors import UsageError

Key = tuple[Any, ...]
"""The values that identify a cell, such as problem, seed and system."""

Cell = dict[str, Any]

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
"""Environment variables that set the number of threads for libraries."""


class Cells:
    """The cells in a file, by their keys.

    Attributes:
        path: the path of the file; None keeps the cells only in memory.
        settings: the settings of all cells.
        found: the cells that have been measured.
    """

    def __init__(self, path: Path | None, settings: Mapping[str, Any]) -> None:
        """Open the file, or create it.

        Raises:
            UsageError: the file was created with other settings.
        """
        self.path, self.settings = path, json.loads(json.dumps(settings))
        self.found: dict[Key, Cell] = {}
        if path is None:
            return
        if not path.exists() or not path.read_bytes():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(self.settings, ensure_ascii=False) + "\n", encoding="utf-8")
            return
        whole = path.read_bytes()
        complete = whole[: whole.rfind(b"\n") + 1]  # a crash may leave a part of a line
        if complete != whole:
            path.write_bytes(complete)
        head, *lines = map(json.loads, complete.decode().splitlines())
        if head != self.settings:
            names = sorted(
                key for key in head.keys() | self.settings.keys() if head.get(key) != self.settings.get(key)
            )
            raise UsageError(
                f"{path.name} was begun with other settings ({', '.join(names)}); name another file, or delete it"
            )
        self.found = {tuple(line["key"]): line["cell"] for line in lines}

    def add(self, key: Key, cell: Cell) -> None:
        """Store a cell."""
        self.found[key] = cell
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"key": key, "cell": cell}, ensure_ascii=False) + "\n")

    def fill(
        self,
        keys: Iterable[Key],
        measure: Callable[[Key], Cell | None],
        watch: Callable[[str], object],
        jobs: int = 1,
    ) -> None:
        """Measure the cells that are missing, in the order of their keys.

        Args:
            keys: the keys of all cells.
            measure: returns a cell, or None for a cell that does not count and stays missing.
            watch: a function that receives each cell.
            jobs: the number of cells to measure at the same time.
        """
        missing = [key for key in keys if key not in self.found]
        with ThreadPoolExecutor(jobs) as pool:
            running = {pool.submit(measure, key): key for key in missing}
            try:
                for done in as_completed(running):
                    key, cell = running[done], done.result()
                    if cell is not None:
                        self.add(key, cell)
                    watch(f"{' '.join(map(str, key))}: {'does not count' if cell is None else told(cell)}")
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise


def told(cell: Cell) -> str:
    """The numbers and words of a cell, in one line."""
    return ", ".join(
        f"{name} {value:.4g}" if isinstance(value, float) else f"{name} {value}"
        for name, value in cell.items()
    )


def cell_of_process(module: str, words: Sequence[object], seconds: float) -> Cell:
    """The cell that ``python -m MODULE cell WORDS`` prints in its last line.

    Args:
        module: a module of this package.
        words: the key, and any other arguments of the process.
        seconds: the time after which a process that hangs is killed.

    Returns:
        The cell; it contains only ``error`` if the process fails.
    """
    command = [sys.executable, "-m", module, "cell", *map(str, words)]
    environment = os.environ | dict.fromkeys(THREADS, "1")
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return {"error": f"not done after {seconds:g} seconds"}
    if done.returncode != 0:
        return {"error": (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]}
    cell: Cell = json.loads(done.stdout.splitlines()[-1])
    return cell

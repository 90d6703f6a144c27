"""The speed of this checkout compared with an earlier one, measured with their command lines.

    git worktree add --detach /tmp/before COMMIT
    python -m gpkit_experiments.ratios /tmp/before [NAME ...]

The checkouts run in turn, nine times after a first time that compiles, and they take turns going first. The script
counts the CPU seconds of all processes of a command. The ratio of a turn is the time of the earlier checkout divided by
the time of this one, so above 1, this checkout is faster. The script prints the median of the nine ratios, with the
smallest and the largest.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from itertools import chain
from pathlib import Path

import numpy as np

from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK
from gpkit.core.rng import stream

HERE, TURNS = Path(__file__).resolve().parents[2], 9

LINES = {
    "sevens": "run programs/sevens/champion.tree --games 300000",
    "battleship": "run programs/battleship/champion.sink --games 20000",
    "dots and boxes": "run programs/dots_and_boxes/champion.rules --games 1500",
    "mastermind": "run programs/mastermind/knuth.tree --games 20000",
    "build order": "run programs/build_order/earliest.tree --games 30000",
    "evolve": "evolve sevens --generations 3 --seed 1 --out evolved",
    "fit": "fit rows.csv --target y --generations 20 --seed 1 --out fitted",
    "parse and format": "fmt --check programs/*/*.tree programs/*/*.sink programs/*/*.rules programs/*/*.plan",
    "first command": "check programs/sevens/champion.tree",
}
"""The commands, by the things that they measure; a pattern of shipped programs means all programs that match."""


def seconds(checkout: Path, line: str) -> float:
    """The CPU seconds of a command of a checkout, including all its processes, in a new folder."""
    with tempfile.TemporaryDirectory() as place:
        columns = stream(0, "ratios").normal(size=(1000, 3))
        rows = np.column_stack([columns, columns[:, 0] * columns[:, 1] + np.exp(columns[:, 2])])
        np.savetxt(Path(place) / "rows.csv", rows, "%.6f", ",", header="a,b,c,y", comments="")
        found = [map(str, sorted(HERE.glob(word))) if "/" in word else (word,) for word in line.split()]
        words = [sys.executable, "-m", "gpkit", *chain.from_iterable(found)]
        environment = os.environ | {"PYTHONPATH": str(checkout), "PYTHONSAFEPATH": "1"}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(words, env=environment, cwd=place, capture_output=True)
        assert done.returncode in (EXIT_OK, EXIT_FINDINGS), done.stderr
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ratios(before: Path, line: str) -> list[float]:
    """The ratios of CPU seconds, earlier checkout to this one, from the smallest to the largest."""
    found = []
    for turn in range(TURNS + 1):
        order = (before, HERE) if turn % 2 else (HERE, before)
        spent = {checkout: seconds(checkout, line) for checkout in order}
        found.append(spent[before] / spent[HERE])
    return sorted(found[1:])


def main(before: str, *names: str) -> None:
    """Print the ratios of each command, or of the named commands."""
    for name in names or LINES:
        found = ratios(Path(before).resolve(), LINES[name])
        median = statistics.median(found)
        print(f"{name:18} {median:.3f} ({found[0]:.3f} to {found[-1]:.3f})", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""A test of whether formulas still predict as well: cells of four records, by an earlier commit and by this checkout.

    git worktree add --detach /tmp/before 9cddfbcb
    python -m gpkit_experiments.before_after /tmp/before    measure what is missing, then print the table
    python -m gpkit_experiments.before_after table          print the table of what is there

Since that commit, gpkit avoids formulas that rely on protection, and fits have losses, splits and shapes. From each
record, the seed drew ten cells of different problems before we ran any of them again. Both checkouts have the same
rows, seeds, CPU seconds and one thread; they take turns, and they also take turns going first. A value is the R² or the
accuracy on rows that the fit has not seen, or it shows whether an equation was found in an acceptable form.

Criterion: for no record does the 95% interval of the mean difference, paired by cell, lie below 0.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gpkit.core.rng import stream
from gpkit.core.statistics import mean_interval
from gpkit_experiments.cells import THREADS, Cell, Cells, Key

COMMAND = "python -m gpkit_experiments.before_after"
DATA = Path(__file__).parents[1] / "data"
RECORD = DATA / "before-after.jsonl"
HERE = Path(__file__).resolve().parents[2]
BEFORE, SEED, DRAWN = "9cddfbcb", 57_801, 10
SIDES = ("before", "after")
THIRTY = "unseen-problems"
VALUES = {"fit-quality": "test", THIRTY: "test", "classification": "formulas", "fastsrb": "acceptable"}
"""For each record, the entry of its cells that is compared."""

SECONDS = {"fit-quality": ("8",), THIRTY: ("8",), "classification": (), "fastsrb": ("60",)}
"""The CPU seconds of a fit, as arguments for the commands of the scripts."""

ROWS = """
from sys import argv
import numpy as np
from gpkit.core.rng import stream
from gpkit_experiments.unseen_problems import PROBLEMS
sides = PROBLEMS[argv[2]].samples(stream(int(argv[3]), f"unseen problem {argv[2]}"))
np.savez(argv[1], *[values for side in sides for values in side])
"""
"""A program that draws the rows of one of the thirty problems, whose script is in the earlier commit."""

FIT = """
import json
from sys import argv
import numpy as np
from gpkit_experiments.fit_quality import SYSTEMS, r_squared
x, y, tested, truth = np.load(argv[1]).values()
SYSTEMS["gpkit"](x[:50], y[:50], int(argv[3]), 1.0)
predict = SYSTEMS["gpkit"](x, y, int(argv[3]), float(argv[5]))
print(json.dumps({"test": r_squared(truth, predict(tested))}))
"""
"""A program that fits gpkit to these rows, after a first fit that only compiles."""


def recorded(name: str) -> dict[Key, Cell]:
    """The cells of gpkit in a record, by their keys."""
    lines = (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    cells = {tuple(one["key"]): one["cell"] for one in map(json.loads, lines)}
    return {key: cell for key, cell in cells.items() if len(key) == 2 or key[2] in ("gpkit", "formulas")}


def drawn(name: str) -> list[Key]:
    """The keys of the cells of a record that are measured again, with the problems in turn."""
    rng, keys = stream(SEED, f"before and after {name}"), sorted(recorded(name))
    problems = rng.permutation(sorted({key[0] for key in keys})).tolist()
    own = [[key for key in keys if key[0] == problems[place % len(problems)]] for place in range(DRAWN)]
    return [those[int(rng.integers(len(those)))] for those in own]


def value(name: str, cell: Cell) -> float:
    """The number in a cell that is compared; 0 for a fit that failed."""
    found: Any = cell.get(VALUES[name], 0.0)
    return float(found["test"] if isinstance(found, dict) else found)


def output(checkout: Path, *words: object) -> str:
    """The last line that Python prints when it uses the packages of a checkout, in one thread.

    Raises:
        RuntimeError: Python fails; the message is the last line of its output.
    """
    path = os.pathsep.join(map(str, (checkout, checkout / "experiments")))
    environment = os.environ | dict.fromkeys(THREADS, "1") | {"PYTHONPATH": path, "PYTHONSAFEPATH": "1"}
    command = [sys.executable, *map(str, words)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    return (done.stdout.splitlines() or [""])[-1]


def measured(name: str, key: Key, checkout: Path, before: Path) -> Cell:
    """A cell of a record, measured with a checkout."""
    words = (*key, *SECONDS[name])
    if name != THIRTY:
        script = f"gpkit_experiments.{name.replace('-', '_')}"
        return dict(json.loads(output(checkout, "-m", script, "cell", *words)))
    with tempfile.TemporaryDirectory() as folder:
        output(before, "-c", ROWS, Path(folder) / "rows.npz", *words)
        return dict(json.loads(output(checkout, "-c", FIT, Path(folder) / "rows.npz", *words)))


def table(rows: Cells) -> str:
    """For each record, the mean of its values before and after, and the paired difference with its interval."""
    lines = [f"{'':16}{'cells':>6}{'record':>9}{'before':>9}{'after':>9}{'after - before, 95%':>32}"]
    for name in VALUES:
        keys = [key for key in drawn(name) if all((name, *key, side) in rows.found for side in SIDES)]
        if len(keys) < 2:
            continue
        both = [[value(name, rows.found[name, *key, side]) for key in keys] for side in SIDES]
        gap = mean_interval(np.subtract(both[1], both[0]))
        means = [float(np.mean(one)) for one in ([value(name, recorded(name)[key]) for key in keys], *both)]
        middle = "".join(f"{one:9.4f}" for one in means)
        lines.append(f"{name:16}{len(keys):6}{middle}  {gap.mean:+.4f} [{gap.low:+.4f}, {gap.high:+.4f}]")
    return "\n".join(lines)


def main(words: Sequence[str]) -> None:
    """Measure, and print the table."""
    settings = {"schema": "gpkit/before-after/1", "command": COMMAND, "before": BEFORE, "seed": SEED}
    rows = Cells(RECORD, settings)
    if words[:1] != ["table"]:
        before = Path(words[0]).resolve()
        places = {"before": before, "after": HERE}
        keys = [
            (name, *key, side)
            for number in range(DRAWN)
            for name in VALUES
            for key in drawn(name)[number : number + 1]
            for side in (SIDES if number % 2 else SIDES[::-1])
        ]
        rows.fill(keys, lambda key: measured(key[0], key[1:-1], places[key[-1]], before), print)
    print(table(rows))


if __name__ == "__main__":
    main(sys.argv[1:])

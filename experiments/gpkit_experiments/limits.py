"""The speed of this checkout, of an earlier one, and of DEAP, for each row of the page "How fast, and why".

    git worktree add --detach /tmp/before COMMIT
    python -m gpkit_experiments.limits /tmp/before [NAME ...]

For each row, the sides run in turn, seven times, each in a separate process, and they take turns going first. The
script counts CPU seconds: of calls after a first call, of tasks after a first generation, and of a command with all its
processes. It prints the median of each side, and the median ratio of the earlier checkout to this one, with the
smallest and the largest ratio; above 1, this checkout is faster.
"""

import statistics
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from gpkit_experiments.before_after import output
from gpkit_experiments.ratios import HERE, seconds
from gpkit_experiments.researcher_tasks import page_files, script

DEAP, TURNS = "deap", 7

CALLS = """
import operator, sys, time
import numpy as np
side, rows, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
x, y = (np.linspace(-1, 1, rows), np.linspace(0, 2, rows)) if rows else (0.5, 2.0)
if side == "deap":
    from deap import gp
    names = gp.PrimitiveSet("main", 2)
    names.renameArguments(ARG0="x", ARG1="y")
    for name in ("add", "sub", "mul"):
        names.addPrimitive(getattr(operator, name), 2)
    text = "sub(add(mul(x, mul(x, x)), mul(2.0, mul(x, y))), 1.5)"
    program = gp.compile(gp.PrimitiveTree.from_string(text, names), names)
else:
    import gpkit
    program = gpkit.parse("x * x * x + 2 * (x * y) - 1.5")
program(x=x, y=y)
began = time.process_time()
for _ in range(count):
    program(x=x, y=y)
print((time.process_time() - began) / count)
"""
"""A program that calls one formula many times."""

TASK = """
import contextlib, os, sys, time
name = sys.argv[1]
text = open(name, encoding="utf-8").read()
os.chdir(os.path.dirname(name))
for last in (False, True):
    own = text.replace("generations=30", "generations=1").replace("generations=15", "generations=1")
    code = compile(text if last else own, name, "exec")
    began = time.process_time()
    with contextlib.redirect_stdout(None):
        exec(code, {"__name__": "__main__"})
print(time.process_time() - began)
"""
"""A program that runs the script of a task, after a short run that compiles."""

GAMES = """
import sys, time
from gpkit.core.registry import game_of, name_game
from gpkit.core.rng import stream
from gpkit.evolution.config import all_presets, evolved
from gpkit.evolution.game_subject import Arena, _play_in
from gpkit.playing.players import player_of_name
game = game_of(name_game(sys.argv[1]))
config = all_presets()[game.name]
rules = game.make_rules(dict(config.rules))
rivals = tuple(player_of_name(name, game) for name in game.rivals(rules))
alphabet = game.offers["arithmetic"].chosen(config.alphabet)
space = evolved("arithmetic").representation(config, game, alphabet)
pieces = [(space.create(stream(1, "programs", number), number), 0, 5) for number in range(int(sys.argv[2]))]
arena = Arena(game, rules, rivals, 1, "deals", 0, 5)
_play_in(arena, (), 1, pieces[:2])
began = time.process_time()
_play_in(arena, (), 1, pieces)
print(time.process_time() - began)
"""
"""A program that plays random programs of a game in a file against its usual opponents on five deals."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table.

    Attributes:
        unit: the unit of the measurement.
        measure: returns the CPU time of a side; it takes the folder of a checkout, and whether to measure DEAP there.
        has_deap: whether DEAP can do the same.
    """

    unit: str
    measure: Callable[[Path, bool], float]
    has_deap: bool = False


def call(rows: int, count: int, checkout: Path, is_deap: bool) -> float:
    """The microseconds of a call with numbers (0 rows) or arrays."""
    return 1e6 * float(output(checkout, "-c", CALLS, DEAP if is_deap else "gpkit", rows, count))


def task(name: str, checkout: Path, is_deap: bool) -> float:
    """The seconds of a task from the pages for researchers, including all files that it reads."""
    with tempfile.TemporaryDirectory() as folder:
        for file, text in page_files().items():
            (Path(folder) / file).write_text(text, encoding="utf-8")
        path = Path(folder) / f"{name}-task.py"
        path.write_text(script(name, DEAP if is_deap else "gpkit"), encoding="utf-8")
        return float(output(checkout, "-c", TASK, path))


def command(line: str, checkout: Path, is_deap: bool) -> float:
    """The seconds of a command, including all its processes."""
    return seconds(checkout, line)


def games(name: str, programs: int, checkout: Path, is_deap: bool) -> float:
    """The seconds in which random programs play a game of the tests, without its kernel block."""
    text = (HERE / "tests" / "user_games" / f"{name}.py").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.py"
        path.write_text(text.partition("# The kernel block")[0], encoding="utf-8")
        return float(output(checkout, "-c", GAMES, path, programs))


EVOLVE = "evolve programs/games/connect_four.py --generations 3 --seed 1 --out evolved"

ROWS: Mapping[str, Row] = {
    "number": Row("µs", partial(call, 0, 100_000), has_deap=True),
    "20 rows": Row("µs", partial(call, 20, 20_000), has_deap=True),
    "2,048 rows": Row("µs", partial(call, 2048, 5_000), has_deap=True),
    "ant": Row("s", partial(task, "ant")),
    "multiplexer": Row("s", partial(task, "multiplexer")),
    "6 nimmt!": Row("s", partial(games, "nimmt", 60)),
    "breakthrough": Row("s", partial(games, "breakthrough", 30)),
    "connect four": Row("s", partial(command, EVOLVE)),
    "fit": Row("s", partial(command, "fit rows.csv --target y --generations 20 --seed 1 --out fitted")),
}
"""The rows by name."""


def measured(row: Row, before: Path) -> dict[str, list[float]]:
    """The CPU times of each side, in order of the turns."""
    sides = {"before": (before, False), "now": (HERE, False)} | ({DEAP: (HERE, True)} if row.has_deap else {})
    found: dict[str, list[float]] = {side: [] for side in sides}
    for turn in range(TURNS + 1):
        for side in sides if turn % 2 else reversed(sides):
            value = row.measure(*sides[side])
            if turn:  # the first one compiles
                found[side].append(value)
    return found


def main(before: str, *names: str) -> None:
    """Print all rows, or the named rows."""
    for name in names or ROWS:
        row = ROWS[name]
        found = measured(row, Path(before).resolve())
        ratios = sorted(old / new for old, new in zip(found["before"], found["now"], strict=True))
        times = ", ".join(f"{side} {statistics.median(each):.3g} {row.unit}" for side, each in found.items())
        print(
            f"{name:12} {times}: {statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})",
            flush=True,
        )


if __name__ == "__main__":
    main(*sys.argv[1:])

"""The first use of gpkit in a process, from several threads at once: ``threads_at_once.py SEED BACKEND [DEED...]``.

Each thread does a drawn deed; the process ends with 1 if one raises, or if two threads have another result of the same.
"""

import random
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any

ROWS = [[0.1 * n, 0.01 * n * n] for n in range(30)]
TARGETS = [2.0 * first + second for first, second in ROWS]
GAMES = {"population": {"size": 10}, "refinement": {"rounds": 0, "finish": False}}
FEW = {"deals": 2, "validation_deals": 2, "candidates": 1}


def tic_tac_toe() -> Any:
    from gpkit.core.registry import data_folder

    return data_folder("programs") / "games" / "tic_tac_toe.py"


def fit() -> Any:
    import gpkit

    return str(gpkit.fit(ROWS, TARGETS, generations=0).program)


def trees() -> Any:
    from gpkit.sklearn import TreeRegressor

    return TreeRegressor(generations=0, random_state=1).fit(ROWS, TARGETS).predict(ROWS).tolist()


def formulas() -> Any:
    from gpkit.sklearn import FormulaRegressor

    return FormulaRegressor(generations=0, random_state=1).fit(ROWS, TARGETS).predict(ROWS).tolist()


def evolve() -> Any:
    import gpkit

    return gpkit.evolve("sevens", generations=0, seed=1, settings={**GAMES, "fitness": FEW})[1].digest


def own_game() -> Any:
    import gpkit

    settings = {"population": {"size": 6}, "fitness": {"deals": 2, "validation_deals": 4}}
    return gpkit.evolve(tic_tac_toe(), generations=0, seed=1, settings=settings)[1].digest


def problem() -> Any:
    import gpkit

    def off(program: Any) -> float:
        return -abs(float(program(x=2.0)) - 5.0)

    solved = gpkit.problem(off, sensors="x", settings={"population": {"size": 12}})
    return gpkit.evolve(solved, generations=1, seed=1)[1].digest


def play() -> Any:
    import gpkit

    return repr(gpkit.play("greedy", "random", game=tic_tac_toe(), games=10, seed=1))


def run() -> Any:
    import gpkit

    return str(gpkit.run("champion", game="sevens", games=4, seed=1))


def plays() -> Any:
    from gpkit.cli.main import main as command

    return command(["run", "knuth", "--game", "mastermind", "--games", "5", "--seed", "1", "--json"])


def parse() -> Any:
    import gpkit

    texts = {
        "arithmetic": "x + 1\n",
        "execution": "do left\n",
        "decision": "play: switch x\n  below 1: 2\n  else: 3\n",
    }
    return [str(gpkit.parse(text, language=name)) for name, text in texts.items()]


def lists() -> Any:
    import gpkit

    return [str(gpkit.list(what)) for what in ("games", "languages", "opponents")]


DEEDS: dict[str, Callable[[], Any]] = {
    each.__name__: each
    for each in (fit, trees, formulas, evolve, own_game, problem, play, plays, run, parse, lists)
}


def main(seed: str, backend: str, *names: str) -> int:
    drawn = random.Random(seed)  # noqa: S311
    chosen = [drawn.choice(names or [*DEEDS]) for _ in range(3)]
    same, barrier = drawn.random() < 0.5, threading.Barrier(len(chosen))
    chosen = chosen[:1] * 3 if same else chosen
    found: list[tuple[str, str]] = []
    faults: list[str] = []

    def do(name: str) -> None:
        barrier.wait(60)
        try:
            found.append((name, str(DEEDS[name]())))
        except BaseException:
            faults.append(f"{name}: {traceback.format_exc()}")

    if backend == "joblib":
        from joblib import Parallel, delayed

        Parallel(n_jobs=len(chosen), backend="threading")(delayed(do)(name) for name in chosen)
    else:
        threads = [threading.Thread(target=do, args=(name,)) for name in chosen]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    faults += [
        f"{name}: not the same" for name in chosen if len({each for each in found if each[0] == name}) > 1
    ]
    sys.stdout.write(f"{chosen} {''.join(faults)}\n")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

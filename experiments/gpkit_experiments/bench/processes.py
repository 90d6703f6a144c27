"""Whole processes: start-up with kernels compiled or not, and evolution by two workers against one, elapsed."""

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from gpkit.core.registry import data_folder, name_game
from gpkit.evolution.config import Config, all_presets, shipped_presets
from gpkit.evolution.executors import executor_for
from gpkit.evolution.loop import evolve
from gpkit.evolution.subjects import resolve
from gpkit_experiments.bench.measure import Outcome, Session, Target, Work, interleaved, measured, times

RUN = ("run", "simple", "--game", "sevens", "--games", "3000")
HELP = ("--help",)

CACHED_RUN = Target("at most", required=3.0)

TWO_OVER_ONE = Target("at least", required=1.5, aim=1.7)

COMPILED = "GAME = GAME.compiled("
"""Beginning of the last statement in the file of a game with a kernel."""


@dataclass(frozen=True, slots=True)
class Case:
    """A run of evolution that is measured.

    Attributes:
        name, title: of its measures.
        config: without seed.
    """

    name: str
    title: str
    config: Config


def startup(session: Session) -> Outcome:
    """Time `gpkit run` with an empty and with a filled folder of kernels, and `gpkit --help`, in turn."""
    rounds = 1 if session.quick else 3
    if session.quick:
        session.launch(RUN, False)  # compiles, if nobody has
    cold: list[tuple[float, float]] = []
    cached: list[tuple[float, float]] = []
    page: list[tuple[float, float]] = []
    for number in range(rounds):
        session.watch(f"startup: round {number + 1} of {rounds}")
        if not session.quick:
            cold.append(session.launch(RUN, True))
        cached.append(session.launch(RUN, False))
        page.append(session.launch(HELP, False))
    measures = [
        measured("cached_run", "run, kernels cached, elapsed", "s", [w for w, _ in cached], CACHED_RUN),
        measured("cached_run_cpu", "run, kernels cached, CPU", "s", [c for _, c in cached]),
        measured("help", "help, elapsed", "s", [w for w, _ in page]),
        measured("help_cpu", "help, CPU", "s", [c for _, c in page]),
    ]
    if cold:
        compiling = [c - d for (_, c), (_, d) in zip(cold, cached, strict=True)]
        measures += [
            measured("cold_run", "run, nothing compiled yet, elapsed", "s", [w for w, _ in cold]),
            measured("cold_run_cpu", "run, nothing compiled yet, CPU", "s", [c for _, c in cold]),
            measured("compiling_cpu", "compiling the kernels of Sevens, CPU", "s", compiling),
        ]
    task = f"processes from start to end: run is `gpkit {' '.join(RUN)}`, help is `gpkit {' '.join(HELP)}`"
    return Outcome(task, tuple(measures))


def workers(session: Session) -> Outcome:
    """Time whole runs of evolution, each pair of a seed of its own, and hold their populations against each other."""
    rounds = 1 if session.quick else 3
    measures = []
    with tempfile.TemporaryDirectory(prefix="gpkit-bench-") as folder:
        cases = cases_in(Path(folder), quick=session.quick)
        for case in cases:
            session.watch(f"workers: {case.title}, {rounds} times with one and with two")
            digests: dict[int, set[str]] = {}
            works = [work(case.config, count, digests) for count in (1, 2)]
            one, two = interleaved(works, rounds, session.wall)
            assert all(len(found) == 1 for found in digests.values()), "the workers change nothing"
            measures += [
                times(f"{case.name}_two_over_one", f"{case.title}: one worker / two", one, two, TWO_OVER_ONE),
                measured(f"{case.name}_one", f"{case.title}: one worker", "s", [t.seconds for t in one]),
                measured(f"{case.name}_two", f"{case.title}: two workers", "s", [t.seconds for t in two]),
            ]
    sizes = ", ".join(
        f"{case.config.population.size} programs over {case.config.stop.generations} generations"
        for case in cases
    )
    return Outcome(
        f"elapsed time of whole runs, from the start of their processes to the end: {sizes}", tuple(measures)
    )


def cases_in(folder: Path, *, quick: bool) -> list[Case]:
    """The runs: without tuning at their end, which is spread best."""
    connect_four, own = (
        name_game("openspiel:connect_four"),
        name_game(str(without_kernel("tic_tac_toe", folder))),
    )
    sizes = [(20, 1), (6, 0), (10, 1)] if quick else [(1000, 20), (60, 5), (200, 25)]
    configs = [shipped_presets()["sevens"], all_presets()[connect_four], all_presets()[own]]
    names = [
        ("sevens", "Sevens"),
        ("connect_four", "Connect Four of OpenSpiel"),
        ("own", "a game of one's own without a kernel"),
    ]
    return [
        Case(
            *texts,
            replace(
                config,
                population=replace(config.population, size=size),
                scheme=replace(config.scheme, elites=min(config.scheme.elites, size // 2)),
                refinement=replace(config.refinement, finish=False),
                stop=replace(config.stop, generations=generations),
            ),
        )
        for texts, config, (size, generations) in zip(names, configs, sizes, strict=True)
    ]


def without_kernel(name: str, folder: Path) -> Path:
    """The file of a shipped example of a game of one's own, put into a folder without the statement of its kernel."""
    text = (data_folder("programs") / "games" / f"{name}.py").read_text(encoding="utf-8")
    kept, found, _ = text.rpartition(COMPILED)
    assert found, f"{name} has a kernel"
    file = folder / f"{name}.py"
    file.write_text(kept, encoding="utf-8")
    return file


def work(config: Config, workers: int, digests: dict[int, set[str]]) -> Work:
    """Work of evolving with so many workers, each round by a seed of its own, in individuals; keeps the digests."""

    def whole_run(number: int) -> float:
        with (
            tempfile.TemporaryDirectory(prefix="gpkit-bench-") as folder,
            executor_for(str(workers)) as executor,
        ):
            result = evolve(resolve(replace(config, seed=number + 1)), executor, folder=Path(folder) / "run")
        digests.setdefault(number, set()).add(result.digest)
        return float(result.state.evaluations)

    return whole_run

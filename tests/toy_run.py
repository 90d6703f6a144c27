"""Runs the toy problem in a folder, from the command line of a test: ``toy_run.py FOLDER WORKERS GENERATIONS HOW``.

Prints the SHA-256 of the final state.
"""

import sys
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

from toy_evolution import PARAMETERS, SPACE, Moody, Weighed

from gpkit.core.work_folder import Description
from gpkit.evolution.config import IslandsSettings, RefinementSettings
from gpkit.evolution.executors import executor_for
from gpkit.evolution.fronts import FrontPlan, knee
from gpkit.evolution.loop import run_search
from gpkit.evolution.maps import grid_of
from gpkit.evolution.run_folder import KIND, Diary, open_diary
from gpkit.evolution.schemes import MapElites, ParetoTournament, Plus
from gpkit.evolution.search import Search
from gpkit.evolution.setup import after_generations
from gpkit.genomes.tree import TreeProgram

TOY = Search(
    Moody(seconds=0.01),
    SPACE,
    PARAMETERS,
    seed=5,
    hall=3,
    hall_every=4,
    candidates=2,
    refinement=RefinementSettings(every=5, rounds=2, candidates=5),
)

ISLANDS = replace(TOY, islands=IslandsSettings(count=3, interval=4, migrants=2))

WEIGHED = replace(TOY, problem=Weighed(seconds=0.01))

SHARES = PARAMETERS.scheme.shares

GRID = grid_of({"size": (1, 31, 6), "problem:2": (1, 9, 4)})

SEARCHES = {
    "islands": ISLANDS,
    "map": replace(WEIGHED, parameters=replace(PARAMETERS, scheme=MapElites(SHARES, GRID))),
    "pareto": replace(
        WEIGHED,
        parameters=replace(PARAMETERS, scheme=Plus(SHARES, ParetoTournament(), "pareto")),
        front=FrontPlan(name="knee", rule=knee),
    ),
}

DESCRIPTION = Description(KIND, {"toy": {"size": 30}, "stop": {}}, 5, {"toy": "1"}, ("toy_run",))


def toy_diary(
    folder: Path, search: Search[TreeProgram], *, resume: bool = False, patience: float = 0.0
) -> AbstractContextManager[Diary[TreeProgram]]:
    header = {"game": "toy", "seed": "5"}
    return open_diary(search, folder, DESCRIPTION, header, resume=resume, patience=patience)


def main(folder: str, workers: str, generations: str, how: str) -> None:
    search = next((found for name, found in SEARCHES.items() if name in how), TOY)
    patience = 0.2 if "patient" in how else 0.0
    opened = toy_diary(Path(folder), search, resume="resume" in how, patience=patience)
    with executor_for(workers) as executor, opened as diary:
        result = run_search(search, executor, after_generations(int(generations)), diary=diary)
    sys.stdout.write(result.digest + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Parameter mutation against node replacement in decision trees for Sevens (``papers.sevens.parameters``).

python -m gpkit_experiments.decision_parameters
"""

from gpkit.evolution.executors import SerialExecutor
from gpkit_experiments.papers.page import DATA
from gpkit_experiments.papers.sevens.parameters import (
    BOTH,
    GENERATIONS,
    NODES,
    PARAMETERS,
    config_of,
    parameter_rows,
)
from gpkit_experiments.papers.sevens.study import Effort, Study
from gpkit_experiments.papers.units import write_record

COMMAND = "python -m gpkit_experiments.decision_parameters"
SEED = 36
"""Named before any run of it; its runs have the seeds 36001, 36002, ..."""

RUNS = 10
EFFORT = Effort(
    runs=RUNS,
    variants=RUNS,
    specimens=5,
    games=3_000,
    sample_games=1,
    population_games=1,
    tournament_games=1,
    plan_runs=0,
    data_sets=0,
)


def found(seed: int = SEED, runs: int = RUNS) -> dict[str, object]:
    """The content of the file."""
    study = Study(EFFORT, seed, SerialExecutor(), lambda text: None)
    return {
        "schema": "gpkit/decision-parameters/1",
        "command": COMMAND,
        "seed": seed,
        "runs": runs,
        "games": EFFORT.games,
        "specimens": EFFORT.specimens,
        "generations": GENERATIONS,
        "size": config_of(NODES).population.size,
        "operators": {"nodes": NODES, "both": BOTH, "parameters": PARAMETERS},
        "rows": [row.to_json("full") for row in parameter_rows(study, runs)],
    }


if __name__ == "__main__":
    write_record(DATA / "decision-parameters.json", found())

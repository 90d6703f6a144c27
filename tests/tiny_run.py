"""A real run of Sevens that takes a second: few individuals, few generations, few deals."""

from dataclasses import replace
from pathlib import Path

from gpkit.evolution.config import (
    Config,
    FitnessSettings,
    LimitsSettings,
    PopulationSettings,
    RefinementSettings,
    SchemeSettings,
    SelectionSettings,
    StopSettings,
)
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.loop import evolve
from gpkit.evolution.run_folder import RunResult
from gpkit.evolution.search import Hooks, OnGeneration, ignore
from gpkit.evolution.subjects import resolve
from gpkit.genomes.tree import TreeProgram

TINY = Config(
    seed=4,
    population=PopulationSettings(size=12),
    scheme=SchemeSettings(elites=2),
    selection=SelectionSettings(size=3),
    limits=LimitsSettings(size=30),
    fitness=FitnessSettings(opponents=("random",), deals=10, validation_deals=40),
    refinement=RefinementSettings(rounds=2, candidates=5, deals=20),
    stop=StopSettings(generations=4),
)


def evolve_tiny(
    folder: Path,
    *,
    generations: int = 4,
    config: Config = TINY,
    resume: bool = False,
    on_generation: OnGeneration = ignore,
) -> RunResult[TreeProgram]:
    """A run of so many generations in a folder."""
    config = replace(config, stop=StopSettings(generations=generations))
    return evolve(
        resolve(config), SerialExecutor(), folder=folder, resume=resume, hooks=Hooks(generation=on_generation)
    )

"""The runs that are measured: those of the source, ours, and ours without each of its parts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gpkit.agents.dots_and_boxes.config import Config
from gpkit.agents.dots_and_boxes.curves import Point, learn, marks
from gpkit.agents.dots_and_boxes.exact import greedy
from gpkit.agents.dots_and_boxes.learner import Learner
from gpkit.agents.dots_and_boxes.presets import PRESETS
from gpkit.evolve.problem import Executor, none_lost
from gpkit.genomes.graph import RuleList

OURS = PRESETS["ours"]

PARTS: Mapping[str, Config] = {
    "no trial of new rules": replace(
        OURS,
        population=replace(OURS.population, access=1.0),
        reproduction=replace(OURS.reproduction, trial=0),
    ),
    "kept by use, not by gain": replace(
        OURS,
        population=replace(OURS.population, access=1.0),
        reward=replace(OURS.reward, access="use"),
    ),
    "quality by the score at the end": replace(
        OURS,
        population=replace(OURS.population, access=1.0),
        reward=replace(OURS.reward, measure="score", rate=0.02, access="use", begin=None),
        covering=replace(OURS.covering, few=1, mending=0.0),
        reproduction=replace(OURS.reproduction, trial=0, children=4),
    ),
    "smaller parts of positions": replace(OURS, covering=replace(OURS.covering, more=0.6)),
    "no exploration": replace(OURS, choice=replace(OURS.choice, exploration=0.0)),
    "with mutations": replace(OURS, reproduction=replace(OURS.reproduction, children=4)),
}
"""Ours without one of its parts each, or with one that it does not have."""

STRONGER = "chain+ex12"
"""The opponent that is perfect when at most 12 strings are left; nobody learns from it."""

SECONDS = 0.0006
"""The expected work of a game."""


@dataclass(frozen=True, slots=True)
class Run:
    """What came of one run.

    Attributes:
        config: of it.
        points: its course.
        stronger: the exact win rate of its greedy player against ``STRONGER``; None if that was not asked for.
        rules: what was learned, by quality.
    """

    config: Config
    points: tuple[Point, ...]
    stronger: float | None
    rules: RuleList


def run(config: Config, *, with_stronger: bool) -> Run:
    """One run from its beginning to its end."""
    learner = Learner(config)
    points = tuple(learn(learner, marks(config.games)))
    stronger = greedy(learner, STRONGER).result.rate if with_stronger else None
    return Run(config, points, stronger, learner.rules.as_list())


def runs(
    config: Config, games: int, seeds: Sequence[int], executor: Executor, *, with_stronger: bool = False
) -> list[Run]:
    """Runs of so many games with these seeds."""
    items = [(replace(config, games=games, seed=seed), with_stronger) for seed in seeds]
    return none_lost(executor.run(_runs, items, [SECONDS * games] * len(items)))


def _runs(items: Sequence[tuple[Config, bool]]) -> list[Run]:
    return [run(config, with_stronger=stronger) for config, stronger in items]

"""Controls of the paper on Mastermind: random codes in the place of evolution."""

from collections.abc import Callable, Iterable
from functools import cache, partial
from itertools import accumulate

import numpy as np

from gpkit.core.rng import stream
from gpkit.core.statistics import Interval
from gpkit.evolution.problem import Executor
from gpkit_experiments.papers.controls import Control
from gpkit_experiments.papers.mastermind.experiments import (
    EXPERIMENTS,
    FOUND,
    GENERATIONS,
    LARGER,
    MEAN,
    POPULATION,
    Experiment,
    secret_of,
)
from gpkit_experiments.papers.mastermind.paper import (
    SEEDS,
    Results,
    attempt_rows,
    experiment_rows,
    larger_rows,
    question_rows,
)
from gpkit_experiments.papers.mastermind.trials import Trial
from gpkit_experiments.papers.paper import Row

SEED = 31
"""Of all controls; the runs of the paper have another."""

CLASSIC, SCRAMBLE, SWAP, NEXT, MIX = EXPERIMENTS
RUNS = 300


def random_trial(experiment: Experiment, seed: int) -> Trial:
    """A run in which all individuals are random codes."""
    rng, pegs = stream(seed, "random codes"), len(experiment.domain)
    codes = rng.integers(0, experiment.domain.sizes[0], (POPULATION * (GENERATIONS + 1), pegs))
    secret = np.array(secret_of(experiment.domain, seed))
    together = sum(
        np.minimum((codes == colour).sum(axis=1), (secret == colour).sum()) for colour in set(secret.tolist())
    )
    fitness = (codes == secret).sum(axis=1) + together + together * (together - 1) // 2
    hits = np.flatnonzero(fitness == experiment.highest)
    asked = len(codes) if len(hits) == 0 else int(hits[0]) + 1
    best = accumulate(fitness.reshape(-1, POPULATION).max(axis=1).tolist(), max)
    numbers = codes[:asked] @ experiment.domain.sizes[0] ** np.arange(pegs)
    return Trial(tuple(map(float, best)), (), asked, len(np.unique(numbers)))


@cache
def by_chance(experiment: Experiment, runs: int, seed: int) -> Results:
    """Runs of an experiment by random codes; the other experiments, which nobody looks at, have the same."""
    found = [random_trial(experiment, SEEDS * seed + number) for number in range(runs)]
    return {one.name: found for one in (*EXPERIMENTS, *LARGER)}


Rows = Callable[[Results], Iterable[Row]]
"""Function that makes the rows of a table."""


def _of(rows: Iterable[Row], table: str, quantity: str) -> Interval:
    """The interval of a row."""
    (found,) = [row.measured for row in rows if (row.table, row.quantity) == (table, quantity)]
    return found


def _attempts(reading: str, results: Results) -> Iterable[Row]:
    return attempt_rows({reading: results})


def _random(place: tuple[str, str], experiment: Experiment, runs: int, rows: Rows) -> Control:
    """The control with random codes in the place of evolution."""

    def measure(seed: int, executor: Executor) -> Interval:
        return _of(rows(by_chance(experiment, runs, seed)), *place)

    return Control(*place, "evolution: all codes are random", "runs", SEED, measure)


QUESTIONS = "Questions until the secret is found, or all of the run"
WITHIN = "Share of runs that find the secret within 15 attempts"
SPACES = "Larger spaces, all mutations: share of runs that find the secret"

CONTROLS = tuple(
    control
    for reading in ("without crossover", "with crossover")
    for control in (
        *(
            _random(
                (f"The five experiments, {reading}", f"{one.name}: {what}"),
                one,
                runs,
                partial(experiment_rows, f"The five experiments, {reading}"),
            )
            for one, what, runs in ((CLASSIC, FOUND, 4000), (NEXT, MEAN, RUNS), (MIX, FOUND, RUNS))
        ),
        *(
            _random(
                (QUESTIONS, f"{one.name}, {reading}: individuals"), one, RUNS, partial(question_rows, reading)
            )
            for one in (CLASSIC, MIX)
        ),
        *(
            _random(place, CLASSIC, RUNS, partial(_attempts, reading))
            for place in (
                (WITHIN, f"{CLASSIC.name}, {reading}: an attempt is a generation"),
                ("Attempts in the classic game", f"{reading}: an attempt is a generation"),
            )
        ),
        _random((SPACES, f"{LARGER[0].name}, {reading}"), LARGER[0], RUNS, partial(larger_rows, reading)),
    )
)

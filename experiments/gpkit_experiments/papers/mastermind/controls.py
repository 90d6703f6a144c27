"""Controls of the paper on Mastermind: random codes in the place of evolution."""

from collections.abc import Callable, Iterable
from functools import partial
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

WITHOUT_CROSSOVER = "The five experiments, without crossover"


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


def _attempts(results: Results) -> Iterable[Row]:
    return attempt_rows({"without crossover": results})


def _random(place: tuple[str, str], experiment: Experiment, runs: int, rows: Rows) -> Control:
    """The control with random codes in the place of evolution."""

    def measure(seed: int, executor: Executor) -> Interval:
        return _of(rows(by_chance(experiment, runs, seed)), *place)

    return Control(*place, "evolution: all codes are random", "runs", SEED, measure)


QUESTIONS = "Questions until the secret is found, or all of the run"
WITHIN = "Share of runs that find the secret within 15 attempts"
SPACES = "Larger spaces, all mutations: share of runs that find the secret"

FIVE = partial(experiment_rows, WITHOUT_CROSSOVER)
ASKED = partial(question_rows, "without crossover")

CONTROLS = (
    _random((WITHOUT_CROSSOVER, f"{CLASSIC.name}: {FOUND}"), CLASSIC, 4000, FIVE),
    _random((WITHOUT_CROSSOVER, f"{NEXT.name}: {MEAN}"), NEXT, RUNS, FIVE),
    _random((WITHOUT_CROSSOVER, f"{MIX.name}: {FOUND}"), MIX, RUNS, FIVE),
    _random((QUESTIONS, f"{CLASSIC.name}, without crossover: individuals"), CLASSIC, RUNS, ASKED),
    _random((QUESTIONS, f"{MIX.name}, without crossover: individuals"), MIX, RUNS, ASKED),
    _random(
        (WITHIN, f"{CLASSIC.name}, without crossover: an attempt is a generation"), CLASSIC, RUNS, _attempts
    ),
    _random(
        ("Attempts in the classic game", "without crossover: an attempt is a generation"),
        CLASSIC,
        RUNS,
        _attempts,
    ),
    _random(
        (SPACES, f"{LARGER[0].name}, without crossover"),
        LARGER[0],
        RUNS,
        partial(larger_rows, "without crossover"),
    ),
)

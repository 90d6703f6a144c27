"""Controls of the paper on Mastermind: random codes in the place of evolution; and longer runs of its open rows."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from itertools import accumulate

import numpy as np

from gpkit.core.rng import stream
from gpkit.core.statistics import Interval
from gpkit.evolution.problem import Executor
from gpkit_experiments.papers.controls import Control, picked
from gpkit_experiments.papers.mastermind.experiments import (
    EXPERIMENTS,
    FOUND,
    GENERATIONS,
    LARGER,
    MEAN,
    OTHER_SHARES,
    POPULATION,
    WITHOUT,
    Experiment,
    Trial,
    secret_of,
    trials,
)
from gpkit_experiments.papers.mastermind.paper import (
    SEEDS,
    Results,
    attempt_rows,
    experiment_rows,
    larger_rows,
    measured,
    question_rows,
)
from gpkit_experiments.papers.paper import Row
from gpkit_experiments.papers.units import paired_difference

SEED, LONGER_SEED = 31, 7203
"""Of all controls, and of longer runs of open rows; the runs of the paper have another."""

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


def _attempts(reading: str, results: Results) -> Iterable[Row]:
    return attempt_rows({reading: results})


def _random(place: tuple[str, str], experiment: Experiment, runs: int, rows: Rows) -> Control:
    """The control with random codes in the place of evolution."""

    def measure(seed: int, executor: Executor) -> Interval:
        return picked(rows(by_chance(experiment, runs, seed)), *place)

    return Control(*place, "evolution: all codes are random", "runs", SEED, measure)


def _evolved(experiment: Experiment, runs: int, seed: int, executor: Executor) -> Sequence[Trial]:
    """Runs of an experiment without crossover."""
    first = SEEDS * seed
    return trials(experiment, WITHOUT, range(first, first + runs), GENERATIONS, 0, executor)


def _longer_ends(experiment: Experiment, runs: int, seed: int, executor: Executor) -> Interval:
    """The best fitness at the end."""
    return measured(experiment, _evolved(experiment, runs, seed, executor), MEAN)


def _longer_questions(other: Experiment, runs: int, seed: int, executor: Executor) -> Interval:
    """Questions by other shares of the mutations less those by the source's."""
    asked = [[one.questions for one in _evolved(each, runs, seed, executor)] for each in (other, MIX)]
    return paired_difference(*asked)


LONGER = tuple(
    Control(table, f"{one.name}{words}", "", "runs", LONGER_SEED, partial(way, one, runs), True, runs)
    for table, words, one, way, runs in (
        ("The five experiments, without crossover", f": {MEAN}", SCRAMBLE, _longer_ends, 1085),
        ("The five experiments, without crossover", f": {MEAN}", SWAP, _longer_ends, 1085),
        (
            "Super, questions by other shares of the mutations less those by 20 / 10 / 70, without crossover",
            "",
            OTHER_SHARES[1],
            _longer_questions,
            1423,
        ),
    )
)
QUESTIONS = "Questions until the secret is found, or all of the run"
WITHIN = "Share of runs that find the secret within 15 attempts"
SPACES = "Larger spaces, all mutations: share of runs that find the secret"

CONTROLS = LONGER + tuple(
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

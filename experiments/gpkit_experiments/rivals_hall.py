"""The effect of a hall of former champions in the intransitive numbers game: thirty runs with it, thirty without.

R. A. Watson and J. B. Pollack, "Coevolutionary dynamics in a minimal substrate", 2001, section 3.3. A program is a pair
of numbers. Two pairs are compared in the dimension in which they are closer, so a population can win while it neglects
the other dimension.

Criterion, fixed before the runs: with a hall, the smaller of the champion's two numbers is larger after fifty
generations; the 95% interval of the paired difference over seeds 5901 to 5930 excludes 0.

    python -m gpkit_experiments.rivals_hall

prints the record ``data/rivals-hall.json`` (three minutes on one core).
"""

import json
from collections.abc import Mapping, Sequence
from typing import Literal

import gpkit
from gpkit.api.problems import Problem
from gpkit.api.programs import Program
from gpkit.core.statistics import paired_difference

Against = Literal["population", "hall", "both"]
AGAINST: tuple[Against, ...] = ("population", "both")
SEEDS = range(5901, 5931)


def numbers(program: Program) -> list[float]:
    """The pair of numbers of a program, each from 0 to 100."""
    return [min(max(program(k=k), 0.0), 100.0) for k in (0.0, 1.0)]


def wins(program: Program, rival: Program) -> float:
    """1 for the larger number in the dimension where two programs are closer, 0 for the smaller, 0.5 if equal."""
    mine, theirs = numbers(program), numbers(rival)
    gaps = [abs(a - b) for a, b in zip(mine, theirs, strict=True)]
    nearer = gaps.index(min(gaps))
    return (mine[nearer] > theirs[nearer]) + 0.5 * (mine[nearer] == theirs[nearer])


def problem(name: str) -> Problem:
    """The problem of one of the two populations."""
    settings = {"population": {"size": 30}, "problem": {"constants": [0, 1]}, "refinement": {"finish": False}}
    return gpkit.problem(wins, name=name, sensors={"k": (0, 1)}, operators="+ - *", settings=settings)


def smaller_numbers(against: Against, seed: int) -> list[float]:
    """The smaller number of each champion, after fifty generations."""
    runs = gpkit.rivals(
        problem("one"), problem("other"), generations=50, seed=seed, against=against, hall_every=2
    )
    return [min(numbers(champion)) for champion, _ in runs]


def main() -> None:
    """Print the record."""
    found = {
        against: [smaller_numbers(against, seed) for seed in SEEDS] for against in ("population", "both")
    }
    print(json.dumps({"seeds": [SEEDS[0], SEEDS[-1]], "values": found, "difference": difference(found)}))


def difference(found: Mapping[str, Sequence[Sequence[float]]]) -> list[float]:
    """The mean increase that a hall brings to the smaller number of a champion, and its interval."""
    means = {name: [sum(pair) / 2 for pair in pairs] for name, pairs in found.items()}
    interval = paired_difference(means["both"], means["population"])
    return [interval.mean, interval.low, interval.high]


if __name__ == "__main__":
    main()

"""A formula through points: ``gpkit evolve curve.py``, or ``python curve.py``."""

import gpkit

POINTS = [number / 5 for number in range(-10, 11)]


def score(program):
    """Score of a formula: the higher the better, here 0 where it meets all points."""
    return -sum(abs(program(x=x) - (x**3 - x)) for x in POINTS)


problem = gpkit.problem(
    score,
    sensors={"x": (-2.0, 2.0)},  # what programs read, with the range of its values
    operators="+ - *",
    settings={"population": {"size": 100}, "stop": {"generations": 20}},
)

if __name__ == "__main__":
    best, run = gpkit.evolve(problem, seed=1)
    print(best, run.score)

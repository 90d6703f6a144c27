"""Generated plans for the build order, each from a seed."""

import numpy as np
from hypothesis import strategies as st

from gpkit.core.rng import below, stream
from gpkit.games.build_order.primitives import FEATURES, PLANS
from gpkit.genomes.comparisons import SIGNS, Comparison, Feature
from gpkit.genomes.plan import (
    MAIN,
    Chance,
    Decide,
    PlanDomain,
    PlanProgram,
    Sequence,
    Step,
    Test,
    Wait,
    While,
    random_sequence,
)

NAMES = ("army", "grow")
CUTS = (*map(float, range(-3, 31)), 0.5, 1e-9, 2.5e20, -7.25)
PROBABILITIES = (0.0, 0.25, 0.5, 1.0)

DOMAIN = PlanDomain(
    tuple(action.name for action in PLANS.instructions),
    tuple(Feature(sensor.name, CUTS) for sensor in FEATURES),
    decisions=0.15,
    loops=0.2,
    waits=0.15,
    chances=0.15,
    most_ticks=20,
)


def program_of(seed: int) -> PlanProgram:
    """A plan with two named ones, of every kind of step and test."""
    rng = stream(seed, "plan")
    plans = []
    for number in range(len(NAMES) + 1):
        domain = PlanDomain(
            **{name: getattr(DOMAIN, name) for name in DOMAIN.__slots__} | {"plans": NAMES[number:]}
        )
        found = random_sequence(rng, domain, 1 + below(rng, 5), full=bool(below(rng, 2)))
        plans.append(tuple(_odd(rng, step) for step in found))
    return PlanProgram((MAIN, *NAMES), tuple(plans))


def _odd(rng: np.random.Generator, step: Step) -> Step:
    """The step with parameters that random plans do not have, and with bodies and branches that are empty."""
    inner: list[Sequence] = [
        tuple(_odd(rng, each) for each in part) if rng.random() < 0.8 else () for part in step.held
    ]
    step = step.holding(*inner)
    if isinstance(step, Chance):
        return Chance(PROBABILITIES[below(rng, 4)], step.yes, step.no)
    if not isinstance(step, Wait | While | Decide):
        return step
    test = step.test
    comparisons = tuple(
        Comparison(each.feature, SIGNS[below(rng, len(SIGNS))], each.threshold) for each in test.comparisons
    )
    most = {"most": below(rng, 20)} if isinstance(step, Wait) else {}
    values = {name: getattr(step, name) for name in step.__slots__}
    return type(step)(**values | {"test": Test(comparisons, test.join)} | most)  # type: ignore[arg-type]


programs = st.integers(0, 2**40).map(program_of)

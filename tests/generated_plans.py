"""Generated plans for the build order."""

from hypothesis import strategies as st

from gpkit.games.build_order.primitives import FEATURES, PLANS
from gpkit.genomes.plan import (
    MAIN,
    SIGNS,
    Chance,
    Comparison,
    Decide,
    Do,
    PlanProgram,
    Repeat,
    Sequence,
    Test,
    Use,
    Wait,
    While,
)

NAMES = ("army", "grow")

thresholds = st.one_of(st.integers(-3, 30).map(float), st.sampled_from([0.5, 1e-9, 2.5e20, -7.25]))
comparisons = st.builds(
    Comparison, st.sampled_from([sensor.name for sensor in FEATURES]), st.sampled_from(SIGNS), thresholds
)
tests = st.one_of(
    st.builds(lambda one: Test((one,)), comparisons),
    st.builds(
        lambda one, two, join: Test((one, two), join),
        comparisons,
        comparisons,
        st.sampled_from(["and", "or"]),
    ),
)


def sequences(used: tuple[str, ...], depth: int = 3) -> st.SearchStrategy[Sequence]:
    """Sequences that may use these plans."""
    plain = [
        st.builds(Do, st.sampled_from([action.name for action in PLANS.instructions])),
        st.builds(Wait, tests, st.integers(0, 20)),
        *([st.builds(Use, st.sampled_from(used))] if used else []),
    ]
    if depth == 0:
        return st.lists(st.one_of(plain), max_size=3).map(tuple)
    inner = sequences(used, depth - 1)
    loops = [st.builds(Repeat, st.integers(1, 4), inner), st.builds(While, tests, st.integers(1, 4), inner)]
    last = st.one_of(
        st.just(()),
        st.builds(lambda *parts: (Decide(*parts),), tests, inner, inner),
        st.builds(lambda *parts: (Chance(*parts),), st.sampled_from([0.0, 0.25, 0.5, 1.0]), inner, inner),
    )
    steps = st.lists(st.one_of(*plain, *loops), max_size=3).map(tuple)
    return st.builds(lambda first, end: first + end, steps, last)


programs = st.builds(
    lambda main, army, grow: PlanProgram((MAIN, *NAMES), (main, army, grow)),
    sequences(NAMES).filter(bool),
    sequences(("grow",), 2),
    sequences((), 2),
)

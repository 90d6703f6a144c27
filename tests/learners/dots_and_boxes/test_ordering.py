"""Orders of rules: compiled and readable ones are equal, the decisions lose less by them, and so does the learner."""

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from readable_replay import readable_order

from gpkit.games.dots_and_boxes.learner.config import PRESETS, config_from_data
from gpkit.games.dots_and_boxes.learner.kernel.ordering import Proposals
from gpkit.games.dots_and_boxes.learner.learner import Learner
from gpkit.games.dots_and_boxes.learner.replaying import order_rules
from gpkit.games.dots_and_boxes.learner.slotted_rules import SlottedRules
from gpkit.languages.rulegraph.parser import parse

pytestmark = pytest.mark.release

SLOTS = 7
TEXTS = (
    "x_0 w => x_0 - w",
    "t_0 w => t_0 - w",
    "q_0 n => q_0 - n",
    "l_0(2+) w => l_0[1] - w",
    "t_0 n => t_0 - n",
)
VALUES = st.sampled_from([-2.0, -1.5, -1.0, -0.3, 0.0, 0.25, 1.0])

Values = Mapping[int, float]


@st.composite
def decisions(draw: st.DrawFn) -> tuple[dict[int, dict[int, float]], dict[int, int], dict[int, float]]:
    """By class what is proposed in it, how often it was met, and what any edge is worth."""
    slots = st.integers(0, len(TEXTS) - 1)
    proposed = draw(st.lists(st.dictionaries(slots, VALUES), max_size=8))
    count = len(proposed)
    times = draw(st.lists(st.integers(1, 4), min_size=count, max_size=count))
    unguided = draw(st.lists(VALUES, min_size=count, max_size=count))
    return dict(enumerate(proposed)), dict(enumerate(times)), dict(enumerate(unguided))


def as_arrays(proposed: Mapping[int, Values], times: Mapping[int, int], unguided: Values) -> Proposals:
    """The same as arrays."""
    counts = [len(values) for values in proposed.values()]
    slots = np.array([slot for values in proposed.values() for slot in sorted(values)], dtype=np.int64)
    rows = np.argsort(slots, kind="stable")
    return Proposals(
        times=np.array(list(times.values()), dtype=np.int64),
        starts=np.concatenate(([0], np.cumsum(counts, dtype=np.int64))),
        slots=slots,
        values=np.array(
            [values[slot] for values in proposed.values() for slot in sorted(values)], dtype=float
        ),
        unguided=np.array(list(unguided.values()), dtype=float),
        classes=np.repeat(np.arange(len(proposed)), counts),
        rows=rows,
        firsts=np.searchsorted(slots[rows], np.arange(SLOTS + 1)),
    )


def worth(
    quality: Values, proposed: Mapping[int, Values], times: Mapping[int, int], unguided: Values
) -> float:
    """What all decisions are worth if the rule of highest quality acts, of equal ones that of the lower slot."""
    total = 0.0
    for number, values in proposed.items():
        acting = min(values, key=lambda slot: (-quality[slot], slot), default=None)
        total += times[number] * (unguided[number] if acting is None else values[acting])
    return total


@given(st.lists(VALUES, min_size=len(TEXTS), max_size=len(TEXTS)), decisions())
def test_both_put_rules_in_the_same_order_and_no_decision_is_lost(
    qualities: list[float], met: tuple[dict[int, dict[int, float]], dict[int, int], dict[int, float]]
) -> None:
    rules = SlottedRules(SLOTS)
    for text, quality in zip(TEXTS, qualities, strict=True):
        rules.add(parse(text).program.rules[0].rule, quality, 0.0, 1)
    before = dict(enumerate(qualities))
    assert rules.live().tolist() == list(before)
    order_rules(rules, as_arrays(*met))
    after = dict(enumerate(rules.arrays.quality[: len(TEXTS)].tolist()))
    assert after == readable_order(before, *met)
    assert worth(after, *met) >= worth(before, *met) - 1e-9
    assert rules.arrays.ordered.tolist() == [slot < len(TEXTS) for slot in range(SLOTS)]


def test_a_rule_goes_before_one_that_it_betters_and_behind_one_that_betters_it() -> None:
    quality = {0: 0.0, 1: -1.0, 2: -2.0}
    proposed = {0: {0: -1.0, 1: 0.0}, 1: {0: 0.0, 2: -1.0}}
    after = readable_order(quality, proposed, {0: 3, 1: 1}, {0: -2.0, 1: -2.0})
    assert after == {0: -1.5, 1: -1.0, 2: -2.0}


@pytest.mark.release
def test_ordered_rules_play_better_than_their_averages_say() -> None:
    config = config_from_data({"games": 2000}, PRESETS["ours"])
    learner = Learner(config_from_data({"ordering": {"every": 10**6, "decisions": 20_000}}, config))
    while learner.games < config.games:
        learner.play_batch()
    proposals = learner.proposals(20_000)

    def loss() -> float:
        quality, total = learner.rules.arrays.quality, 0.0
        for number, times in enumerate(proposals.times.tolist()):
            rows = slice(proposals.starts[number], proposals.starts[number + 1])
            found, values = proposals.slots[rows], proposals.values[rows]
            total += times * (values[np.argmax(quality[found])] if len(found) else proposals.unguided[number])
        return -total / float(proposals.times.sum())

    before = loss()
    assert order_rules(learner.rules, proposals) > 20
    assert loss() < before - 0.02

"""Papers divide by differences, spreads and counts that a small budget can leave at zero; no row of theirs ends so."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gpkit.analysis.ratings import advantages, plackett_luce
from gpkit.core.rng import stream
from gpkit_experiments.belief_strength import LEAST_BOARDS, adjusted
from gpkit_experiments.papers.battleship_adaptive.waves import asymmetry, component_bound
from gpkit_experiments.papers.battleship_sinking.hard_fleets import between
from gpkit_experiments.papers.dots_and_boxes.further_rows import NEAR, deciding_rows
from gpkit_experiments.papers.page import cells

SHARES = st.floats(0.0, 1.0).map(lambda share: round(share, 2))
"""Shares of which several are often equal."""

pytestmark = pytest.mark.filterwarnings("error")


@given(st.lists(st.tuples(SHARES, SHARES), min_size=2, max_size=4), st.booleans())
def test_pairs_that_would_decide_are_counted_where_anything_differs(
    shares: list[tuple[float, float]], of_their_own: bool
) -> None:
    mean = float(np.mean([one - other for one, other in shares]))
    rows = list(deciding_rows("table", "pairs", shares, mean if of_their_own else NEAR))
    assert len(rows) == (not of_their_own or abs(mean) > 1e-12)
    for row in rows:
        assert row.measured.mean >= 0.0
        assert cells(row, "full")


@given(st.sampled_from([0.0, 0.5, 1.0]), st.integers(0, 10**6), st.integers(1, 10**6))
def test_squares_that_all_or_none_hold_a_ship_are_symmetric(share: float, seed: int, fleets: int) -> None:
    rng = stream(seed, "density")
    density = np.where(rng.random(100) < share, rng.random(100), np.round(rng.random()))
    assert math.isfinite(asymmetry(density, fleets))
    assert asymmetry(np.full(100, share), fleets) == 0.0


@given(arrays(np.float64, 100, elements=st.sampled_from([0.0, 0.25, 1.0])), st.integers(1, 10))
def test_flat_densities_have_no_loud_components(density: Any, count: int) -> None:
    assert 0.0 <= component_bound(density, count) <= 1.0 + 1e-9


@given(*[st.lists(st.sampled_from([1.0, 2.0]), min_size=1, max_size=4).map(np.array)] * 2)
def test_one_board_alone_leaves_a_difference_open(first: Any, second: Any) -> None:
    found = between(first, second)
    assert found.mean == first.mean() - second.mean()
    assert math.isfinite(found.low) == (min(len(first), len(second)) > 1)
    assert found.low <= found.mean <= found.high


@given(st.sampled_from([0.0, 1.0, -0.5]), st.integers(LEAST_BOARDS, 2 * LEAST_BOARDS))
def test_luck_that_does_not_vary_explains_nothing(luck: float, boards: int) -> None:
    games = np.stack([np.arange(boards, dtype=float), np.full(boards, luck)], axis=1)
    assert adjusted(games).tolist() == games[:, 0].tolist()


@given(st.integers(2, 5), st.integers(1, 10**7), st.integers(1, 6), st.data())
def test_ratings_of_programs_that_always_or_never_win(
    programs: int, games: int, rivals: int, data: st.DataObject
) -> None:
    shares = data.draw(arrays(np.float64, (programs, programs), elements=st.sampled_from([0.0, 0.5, 1.0])))
    weights = plackett_luce(shares, rivals, games)
    assert np.isfinite(np.log(weights)).all()
    assert np.isfinite(advantages(shares)).all()

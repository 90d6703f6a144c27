"""Positions of Dots and Boxes for tests, and choices of readable policies."""

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from gpkit.gamekit.game import Deals
from gpkit.gamekit.players import Player
from gpkit.gamekit.state import NOBODY
from gpkit.games.dots_and_boxes.classes import classes, mask_of, state_of
from gpkit.games.dots_and_boxes.exact import Choices, margins
from gpkit.games.dots_and_boxes.opponents import Policy
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules, DotsAndBoxesState

BOARDS = st.builds(DotsAndBoxesRules, st.integers(1, 5), st.integers(1, 4))


@st.composite
def states(draw: st.DrawFn) -> DotsAndBoxesState:
    """Positions with any edges drawn, closed boxes owned by anybody."""
    rules = draw(BOARDS)
    share = draw(st.floats(0.0, 1.0))
    numbers = draw(st.lists(st.floats(0.0, 1.0), min_size=rules.edges, max_size=rules.edges))
    drawn = frozenset(s for s, number in enumerate(numbers) if number < share)
    state = DotsAndBoxesState(rules, drawn, (NOBODY,) * rules.boxes, draw(st.integers(0, 1)))
    owners = [NOBODY if state.undrawn_sides(box) else draw(st.integers(0, 1)) for box in range(rules.boxes)]
    return DotsAndBoxesState(rules, drawn, tuple(owners), state.current_player)


def edges_played(players: Sequence[Player], deals: Deals, rules: DotsAndBoxesRules) -> list[int]:
    """The edges of the first deal's game in order, where the first player draws first."""
    edges: list[int] = margins(players, deals.keys[:1], rules)[1][0].tolist()
    return edges


def choices_of_policy(policy: Policy, rules: DotsAndBoxesRules) -> Choices:
    """The choices of any readable policy; takes as long as asking it for every class."""
    masks = [mask_of(policy(state_of(mask, rules))) for mask in classes(rules).positions[:-1].tolist()]
    return np.array([*masks, 0], dtype=np.int64)

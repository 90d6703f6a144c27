"""Games between policies of the ladder, rule lists and searches: compiled, and the same in plain Python."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import for_reading
from gpkit.core.errors import UsageError
from gpkit.gamekit.state import played
from gpkit.games.dots_and_boxes.arrays import board_of, edges_of
from gpkit.games.dots_and_boxes.classes import NO_TABLE, TABLE_EDGES, table
from gpkit.games.dots_and_boxes.kernel.opponents import (
    BY_RULES,
    PLAYER,
    POLICY,
    REST_EDGES,
    Perfect,
    choices,
    play_deals,
)
from gpkit.games.dots_and_boxes.opponents import POLICIES, Policy
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rule_lists import choose, lists_of, scratch_for
from gpkit.games.dots_and_boxes.rules import State
from gpkit.games.dots_and_boxes.uct import Chooser, Uct, by_search, play_by_turns
from gpkit.matching.plan import Plan, plan, together
from gpkit.vm.keyed import keyed_uniform_readable

PERFECT = "optimal"
"""The policy that needs a table of all positions."""

Decider = str | Plan | Uct
"""The name of a policy in ``opponents.POLICIES``, a rule list, or a search."""


def margins(
    first: Decider, second: Decider, keys: NDArray[np.int64], rules: Rules
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Play every deal in both seatings: the first player draws first, then second.

    Args:
        first, second: who plays.
        keys: int64 (deals,), one of at least 0 and below 2^26 for each deal.
        rules: the rules.

    Returns:
        The margins of the first player, int64 (deals, 2), and the edges of the last deal's games, int64 (2, edges).

    Raises:
        UsageError: a perfect player on a board that is too large for its table.
        LimitError: the lists have too many graphs that must be absent to be matched together.
    """
    for player in (first, second):
        check_board(player, rules)
    if isinstance(first, Uct) or isinstance(second, Uct):
        return play_by_turns([chooser_of(player, rules) for player in (first, second)], keys, rules)
    values = (
        table(rules)
        if any(isinstance(player, str) and player == PERFECT for player in (first, second))
        else NO_TABLE
    )
    rows = np.zeros((2, PLAYER), dtype=np.int64)
    lists: list[Plan] = []
    for row, player in zip(rows, (first, second), strict=True):
        if isinstance(player, str):
            row[POLICY] = tuple(POLICIES).index(player)
        else:
            before = sum(map(len, lists))
            row[:] = BY_RULES, before, before + len(player)
            lists.append(player)
    searches = together(lists) if lists else plan([])
    found = np.zeros((len(keys), 2), dtype=np.int64)
    log = np.zeros((2, rules.edges), dtype=np.int64)
    play_deals(
        keys,
        rows,
        board_of(rules),
        Perfect(values, np.empty(1 << REST_EDGES, dtype=np.int8)),
        lists_of(searches),
        scratch_for(searches, rules),
        log,
        found,
    )
    return found, log


def chooser_of(player: Decider, rules: Rules) -> Chooser:
    """Choices of a player one by one."""
    if isinstance(player, Uct):
        return by_search(player, rules)

    def draw(drawn: int, lead: int, key: int) -> int:
        positions = np.array([drawn])
        if isinstance(player, str):
            masks = masks_of(player, positions, rules)
        else:
            masks = choose(player, positions, [lead], rules)[0][:, 0]
        edges = edges_of(int(masks[0]))
        return edges[drawn_place(key, drawn.bit_count(), len(edges))]

    return draw


def masks_of(policy: str, positions: NDArray[np.int64], rules: Rules) -> NDArray[np.int64]:
    """The edges among which a policy of the ladder chooses in many positions, as masks: int64 (positions,)."""
    masks = np.empty(len(positions), dtype=np.int64)
    values = table(rules) if policy == PERFECT else NO_TABLE
    rest = np.empty(1 << REST_EDGES, dtype=np.int8)
    choices(tuple(POLICIES).index(policy), for_reading(positions), board_of(rules), values, rest, masks)
    return masks


def check_board(player: Decider, rules: Rules) -> None:
    """Check that a player can play on this board.

    Raises:
        UsageError: it cannot.
    """
    if isinstance(player, str) and player == PERFECT and rules.edges > TABLE_EDGES:
        raise UsageError(
            f"{PERFECT} plays on boards of at most {TABLE_EDGES} edges, such as 3x3; "
            f"{rules.width}x{rules.height} has {rules.edges}"
        )


def play_readable(first: Policy, second: Policy, key: int, rules: Rules) -> Iterator[tuple[State, int]]:
    """Every position of a game in which the first policy draws first, with the edge that is drawn next."""

    def choose(state: State) -> int:
        edges = (first, second)[state.current_player](state)
        return edges[drawn_place(key, len(state.drawn), len(edges))]

    yield from ((before, edge) for before, edge, _ in played(State.begin(rules), choose))


def drawn_place(key: int, turn: int, count: int) -> int:
    """Index of the edge drawn in this turn of a deal, among so many ascending ones: each is equally likely."""
    return int(keyed_uniform_readable(key, turn, 0) * count)

"""Games between policies of the ladder, rule lists and searches, compiled."""

import math
from collections.abc import Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from gpkit.core.errors import UsageError
from gpkit.gamekit.players import Player, by_program
from gpkit.gamekit.uct import EXPLORATION, SEARCHES
from gpkit.games.dots_and_boxes.arrays import board_of, mask_of
from gpkit.games.dots_and_boxes.classes import NO_TABLE, TABLE_EDGES, table
from gpkit.games.dots_and_boxes.kernel import uct
from gpkit.games.dots_and_boxes.kernel.opponents import (
    BY_RULES,
    BY_SEARCH,
    PLAYER,
    POLICY,
    REST_EDGES,
    SIMULATIONS,
    PlayTables,
    play_deals,
)
from gpkit.games.dots_and_boxes.opponents import PERFECT, POLICIES
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rule_lists import lists_of, scratch_for
from gpkit.games.dots_and_boxes.rules import State
from gpkit.matching.plan import Plan, plan, together


def margins(
    players: Sequence[Player], keys: NDArray[np.int64], rules: Rules
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Play every deal in both seatings: the first player draws first, then second.

    Args:
        players: the two who play: policies of ``opponents.POLICIES``, rule lists, and searches, which have a number.
        keys: int64 (deals,), one of at least 0 and below 2^26 for each deal.
        rules: the rules.

    Returns:
        The margins of the first player, int64 (deals, 2), and the edges of the last deal's games, int64 (2, edges).

    Raises:
        UsageError: a perfect player on a board that is too large for its table.
        LimitError: the lists have too many graphs that must be absent to be matched together.
    """
    check_board(players, rules)
    rows = np.zeros((2, PLAYER), dtype=np.int64)
    lists: list[Plan] = []
    for row, player in zip(rows, players, strict=True):
        if not player.strategy:
            before = sum(map(len, lists))
            lists.append(searches_of(player))
            row[:] = BY_RULES, before, before + len(lists[-1]), 0
        elif player.number:
            row[POLICY], row[SIMULATIONS] = BY_SEARCH, player.number
        else:
            row[POLICY] = tuple(POLICIES).index(player.name)
    searches = together(lists) if lists else plan([])
    found = np.zeros((len(keys), 2), dtype=np.int64)
    log = np.zeros((2, rules.edges), dtype=np.int64)
    tables = PlayTables(
        table(rules) if PERFECT in [player.strategy for player in players] else NO_TABLE,
        np.empty(1 << REST_EDGES, dtype=np.int8),
        lists_of(searches),
        scratch_for(searches, rules),
        tree_for(int(rows[:, SIMULATIONS].max()), rules),
    )
    play_deals(keys, rows, board_of(rules), tables, log, found)
    return found, log


def searches_of(player: Player) -> Plan:
    """The compiled rule list by which a player decides."""
    return cast(Plan, by_program(player).programs[0])


def tree_for(simulations: int, rules: Rules) -> uct.Tree:
    """Scratch for searches of at most so many simulations."""
    return uct.Tree(
        np.empty((simulations + 1, uct.COLUMNS), dtype=np.int64),
        np.empty((simulations + 1, uct.SHARES)),
        np.array([0.0, *(math.log(number) for number in range(1, simulations + 1))]),
        np.empty(rules.edges + 1, dtype=np.int64),
        EXPLORATION,
        SEARCHES,
    )


def searched_edge(simulations: int, state: State, key: int) -> int:
    """The edge that a search draws in a position of the game of a key."""
    lead, drawn = state.lead(state.current_player), state.drawn
    board, tree = board_of(state.board), tree_for(simulations, state.board)
    return int(uct.search_alone(mask_of(drawn), lead, simulations, key, len(drawn), board, tree))


def considered(player: Player, state: State, key: int) -> tuple[int, ...]:
    """The edges among which a policy or a search chooses, all equally likely, in a position of the game of a key."""
    return (searched_edge(player.number, state, key),) if player.number else POLICIES[player.strategy](state)


def check_board(players: Sequence[Player], rules: Rules) -> None:
    """Check that players can play on this board.

    Raises:
        UsageError: one cannot.
    """
    if rules.edges > TABLE_EDGES and any(player.strategy == PERFECT for player in players):
        raise UsageError(
            f"{PERFECT} plays on boards of at most {TABLE_EDGES} edges, such as 3x3; "
            f"{rules.width}x{rules.height} has {rules.edges}"
        )

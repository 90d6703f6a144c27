"""Compiled games between ladder policies, rule lists and searches, and exact win rates for small boards.

Exact rates need no sampling: gpkit plays the game on all classes of the board at the same time (195,551 for 3x3 boxes,
in half a second), and matches the rules in every class.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import numpy as np

from gpkit.core.arrays import Ints, for_reading
from gpkit.core.errors import UsageError
from gpkit.gamekit.game import Expected
from gpkit.gamekit.players import Player, by_program
from gpkit.gamekit.uct import EXPLORATION, SEARCHES
from gpkit.games.dots_and_boxes.classes import NO_TABLE, TABLE_EDGES, board_of, classes, mask_of, table
from gpkit.games.dots_and_boxes.kernel import opponents
from gpkit.games.dots_and_boxes.kernel.boxes import play_policies
from gpkit.games.dots_and_boxes.kernel.opponents import (
    BY_RULES,
    BY_SEARCH,
    CONTROL,
    PLAYER,
    POLICY,
    REST_EDGES,
    SIMULATIONS,
    choices,
    play_deals,
)
from gpkit.games.dots_and_boxes.opponents import PERFECT, POLICIES
from gpkit.games.dots_and_boxes.rule_lists import choose, lists_of, propose, scratch_for
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules, DotsAndBoxesState
from gpkit.matching.plan import Plan, asks_for_score, plan, together


def margins(players: Sequence[Player], keys: Ints, rules: DotsAndBoxesRules) -> tuple[Ints, Ints]:
    """Play every deal in both seatings, so the first player draws first in one game and second in the other.

    Args:
        players: the two players: policies of ``opponents.POLICIES``, rule lists, or searches with a number of
            simulations.
        keys: int64 (deals,), a key from 0 to 2^26 − 1 for each deal.
        rules: the rules.

    Returns:
        The margins of the first player, int64 (deals, 2), and the edges of the last deal's games, int64 (2, edges).

    Raises:
        UsageError: the board is too large for a perfect player's table.
        LimitError: the lists have too many graphs that must be absent, in total.
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
    tables = (
        table(rules) if PERFECT in [player.strategy for player in players] else NO_TABLE,
        np.empty(1 << REST_EDGES, dtype=np.int8),
        lists_of(searches),
        scratch_for(searches, rules),
        tree_for(int(rows[:, SIMULATIONS].max()), rules),
    )
    play_deals(keys, rows, board_of(rules), tables, log, found)
    return found, log


def searches_of(player: Player) -> Plan:
    """The compiled rule list of a player."""
    return cast(Plan, by_program(player).programs[0])


def tree_for(simulations: int, rules: DotsAndBoxesRules) -> opponents.SearchTree:
    """Scratch arrays for searches with at most this many simulations."""
    return opponents.SearchTree(
        np.empty((simulations + 1, opponents.COLUMNS), dtype=np.int64),
        np.empty((simulations + 1, opponents.SHARES)),
        np.array([0.0, *(math.log(number) for number in range(1, simulations + 1))]),
        np.empty(rules.edges + 1, dtype=np.int64),
        EXPLORATION,
        SEARCHES,
    )


def searched_edge(simulations: int, state: DotsAndBoxesState, key: int) -> int:
    """The edge that a search draws in a position; ``key`` is the key of the game."""
    lead, drawn = state.lead(state.current_player), state.drawn
    board, tree = board_of(state.board), tree_for(simulations, state.board)
    return int(opponents.search_alone(mask_of(drawn), lead, simulations, key, len(drawn), board, tree))


def considered(player: Player, state: DotsAndBoxesState, key: int) -> tuple[int, ...]:
    """The edges from which a policy or a search chooses, all equally likely; ``key`` is the key of the game."""
    return (searched_edge(player.number, state, key),) if player.number else POLICIES[player.strategy](state)


def check_board(players: Sequence[Player], rules: DotsAndBoxesRules) -> None:
    """Check that players can play on this board.

    Raises:
        UsageError: a player cannot play on this board.
    """
    if rules.edges > TABLE_EDGES and any(player.strategy == PERFECT for player in players):
        raise UsageError(
            f"{PERFECT} plays on boards of at most {TABLE_EDGES} edges, such as 3x3; "
            f"{rules.width}x{rules.height} has {rules.edges}"
        )


Choices = Ints
"""The choices of a policy on the classes of a board: int64 (classes,), the mask of the edges that it chooses from in
the position of each class (``Classes.positions``). For the last class, the full board, the mask is 0. If the player's
choices depend on the score, the shape is (classes, leads), for leads from −boxes to boxes."""


@lru_cache(maxsize=32)
def choices_of(name: str, rules: DotsAndBoxesRules) -> Choices:
    """The choices of a policy from ``opponents.POLICIES``: int64 (classes,); see ``Choices``."""
    positions, policy = classes(rules).positions, tuple(POLICIES).index(name)
    masks, rest = np.empty(len(positions), dtype=np.int64), np.empty(1 << REST_EDGES, dtype=np.int8)
    choices(policy, positions, board_of(rules), table(rules) if policy > CONTROL else NO_TABLE, rest, masks)
    return for_reading(masks)


def choices_of_plan(plan: Plan, board: DotsAndBoxesRules) -> Choices:
    """The choices of a rule list: int64 (classes,), or (classes, leads) if any of its rules depends on the score."""
    leads = range(-board.boxes, board.boxes + 1) if asks_for_score(plan) else (0,)
    masks, _ = choose(plan, classes(board).positions, leads, board)
    return masks if len(leads) > 1 else masks[:, 0]


def result(first: Choices, second: Choices, rules: DotsAndBoxesRules) -> Expected:
    """The expected result of the first policy against the second, both int64 (classes,) or (classes, leads).

    If the first array has no columns, int64 (classes, 0), the first player is the best possible player.
    """
    found = classes(rules)
    values = np.empty((len(found.done), 2, 2 * rules.boxes + 1))
    columns = (for_reading(each[:, None] if each.ndim == 1 else each) for each in (first, second))
    play_policies(found, *columns, values)
    return Expected(tuple(values[0, :, rules.boxes].tolist()))


def best_response(second: Choices, rules: DotsAndBoxesRules) -> Expected:
    """The expected result of the best response to a policy, int64 (classes,) or (classes, leads)."""
    return result(np.empty((len(second), 0), dtype=np.int64), second, rules)


TOGETHER = 64
"""The number of rules to match at the same time; on 3x3 boxes, their proposals take 100 MB."""


@dataclass(frozen=True, slots=True)
class RuleValue:
    """The value of a rule under perfect play.

    Attributes:
        positions: the number of the board's positions in which the rule matches.
        classes: the number of classes in which the rule matches.
        acts: the number of positions in which the rule acts because no rule of higher precedence matches.
        mean_value: the mean value of these classes for the player to draw, in boxes, or None if the rule matches
            nowhere.
        optimal: the share of these classes in which the rule's edge is one of the best edges. If the rule proposes
            several edges in a class, the class counts with the share of best edges among them. The share is None if the
            rule matches nowhere.
        regret: the average number of boxes that the rule's edge loses against a best edge in these classes, or None if
            the rule matches nowhere.
    """

    positions: int
    classes: int
    acts: int
    mean_value: float | None = None
    optimal: float | None = None
    regret: float | None = None


def rule_values(plan: Plan, board: DotsAndBoxesRules) -> tuple[RuleValue, ...]:
    """The value of each rule of a list when used alone, in positions with an even score.

    Args:
        plan: the plan of the list, with the rules in order of precedence.
        board: a board that is small enough for ``classes``.
    """
    known, sizes = classes(board), class_sizes(board)
    values = table(board)[known.positions]
    after = values[np.maximum(known.successors, 0)]
    gained = np.where(known.closed > 0, known.closed + after, -after)
    losses = np.where(known.successors >= 0, values[:, None] - gained, 0).astype(np.int8)
    matched = np.zeros(len(known.done), dtype=bool)
    free = ~matched
    found = []
    columns = (
        column
        for first in range(0, len(plan), TOGETHER)
        for column in propose(plan[first : first + TOGETHER], known.positions, board).T
    )
    for column, joined in zip(columns, plan.joined, strict=True):
        if not joined:
            free = ~matched
        here = np.flatnonzero(column)
        positions, acts = int(sizes[here].sum()), int(sizes[here][free[here]].sum())
        matched[here] = True
        proposed = (column[here, None] >> np.arange(board.edges) & 1).astype(bool)
        lost = losses[here]
        counts = proposed.sum(axis=1)
        optimal = (proposed & (lost == 0)).sum(axis=1) / counts
        regret = np.where(proposed, lost, 0).sum(axis=1) / counts
        means = [float(each.mean()) for each in (values[here], optimal, regret)] if len(here) else []
        found.append(RuleValue(positions, len(here), acts, *means))
    return tuple(found)


@lru_cache(maxsize=8)
def class_sizes(board: DotsAndBoxesRules) -> Ints:
    """The number of positions in each class of a board: int64 (classes,).

    A position with k + 1 drawn edges can come from k + 1 positions, one for each possible last edge. The possible next
    classes depend only on the class of a position, so the function can add up the sizes, starting with the empty board.
    """
    known = classes(board)
    drawn = np.array([mask.bit_count() for mask in known.positions.tolist()])
    sizes = np.zeros(len(known.done), dtype=np.int64)
    sizes[0] = 1
    for count in range(board.edges):
        here = np.flatnonzero(drawn == count)
        following = known.successors[here]
        undrawn = following >= 0
        np.add.at(sizes, following[undrawn], np.repeat(sizes[here], undrawn.sum(axis=1)))
        sizes[drawn == count + 1] //= count + 1
    return for_reading(sizes)

"""Exact win rates on small boards, the best possible answer to a policy, and the worth of rules by perfect play.

Nothing is sampled: the game is played out on all classes of the board at once (195,551 for 3x3 boxes, half a second),
and rules are matched in all of its positions.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import for_reading
from gpkit.gamekit.game import Expected
from gpkit.games.dots_and_boxes.arrays import board_of
from gpkit.games.dots_and_boxes.classes import NO_TABLE, classes, table
from gpkit.games.dots_and_boxes.kernel.classes import play_policies
from gpkit.games.dots_and_boxes.kernel.opponents import CONTROL, REST_EDGES, choices
from gpkit.games.dots_and_boxes.opponents import POLICIES
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rule_lists import choose, propose
from gpkit.matching.plan import Plan, asks_for_score

Choices = NDArray[np.int64]
"""A policy on the classes of a board: int64 (classes,), the mask of the edges among which it chooses in the position
of each class (``Classes.positions``); 0 for the last class, in which the board is full. For a player that looks at the
score it is (classes, leads): by the boxes that it has more than the other, −boxes to boxes."""


@lru_cache(maxsize=32)
def choices_of(name: str, rules: Rules) -> Choices:
    """The choices of a policy of ``opponents.POLICIES``: int64 (classes,), as of ``Choices``."""
    positions, policy = classes(rules).positions, tuple(POLICIES).index(name)
    masks, rest = np.empty(len(positions), dtype=np.int64), np.empty(1 << REST_EDGES, dtype=np.int8)
    values = table(rules) if policy > CONTROL else NO_TABLE
    choices(policy, positions, board_of(rules), values, rest, masks)
    return for_reading(masks)


def choices_of_plan(plan: Plan, board: Rules) -> Choices:
    """The choices of a rule list: int64 (classes,), or (classes, leads) if one of them looks at the score."""
    leads = range(-board.boxes, board.boxes + 1) if asks_for_score(plan) else (0,)
    masks, _ = choose(plan, classes(board).positions, leads, board)
    return masks if len(leads) > 1 else masks[:, 0]


def result(first: Choices, second: Choices, rules: Rules) -> Expected:
    """The expected result of the first policy against the second, both int64 (classes,) or (classes, leads).

    A first one without columns, int64 (classes, 0), stands for the player that does best.
    """
    found = classes(rules)
    values = np.empty((len(found.done), 2, 2 * rules.boxes + 1))
    columns = (for_reading(each[:, None] if each.ndim == 1 else each) for each in (first, second))
    play_policies(found, *columns, values)
    return Expected(tuple(values[0, :, rules.boxes].tolist()))


def best_response(second: Choices, rules: Rules) -> Expected:
    """The expected result of the player that does best against a known policy, int64 (classes,) or (classes, leads)."""
    return result(np.empty((len(second), 0), dtype=np.int64), second, rules)


TOGETHER = 64
"""Rules that are matched at once: on 3x3 boxes what they propose takes 100 MB."""


@dataclass(frozen=True, slots=True)
class Worth:
    """Worth of a rule by perfect play.

    Attributes:
        positions: in how many of the positions of the board it matches.
        classes: in how many classes of them.
        acts: in how many of the positions it acts, as no rule of higher precedence matches.
        mean_value: the mean value of these classes for the player to draw, in boxes; None if it matches nowhere.
        optimal: the share of the classes in which its edge is one of the best, where it proposes several the share of
            those that are; None if it matches nowhere.
        regret: how many boxes its edge loses against a best one, the mean over the classes; None if it matches
            nowhere.
    """

    positions: int
    classes: int
    acts: int
    mean_value: float | None = None
    optimal: float | None = None
    regret: float | None = None


def worth(plan: Plan, board: Rules) -> tuple[Worth, ...]:
    """Worth of each of the rules of a list by itself, where both players have as many boxes.

    Args:
        plan: of the list, by its precedence.
        board: one whose classes are listed.
    """
    known, sizes = classes(board), class_sizes(board)
    values = table(board)[known.positions]
    after = values[np.maximum(known.successors, 0)]
    gained = np.where(known.closed > 0, known.closed + after, -after)
    losses = np.where(known.successors >= 0, values[:, None] - gained, 0).astype(np.int8)
    matched = np.zeros(len(known.done), dtype=bool)
    free = ~matched
    found = []
    for column, joined in zip(masks_by_rule(plan, board), plan.joined, strict=True):
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
        found.append(Worth(positions, len(here), acts, *means))
    return tuple(found)


def masks_by_rule(plan: Plan, board: Rules) -> Iterator[NDArray[np.int64]]:
    """By rule what it proposes in every class where the score is even: int64 (classes,), masks of edges."""
    for first in range(0, len(plan), TOGETHER):
        yield from propose(plan[first : first + TOGETHER], classes(board).positions, board).T


@lru_cache(maxsize=8)
def class_sizes(board: Rules) -> NDArray[np.int64]:
    """Number of positions of each class of a board: int64 (classes,).

    Every position with k + 1 drawn edges follows upon k + 1 positions, one for each edge that was drawn last. What
    follows upon a position depends on its class alone, so the sizes can be added up from the empty board on.
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

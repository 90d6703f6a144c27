"""Matches of rules among all positions of a board, and the rules' worth there by perfect play."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gpkit.games.dots_and_boxes.classes import classes
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rule_plans import propose
from gpkit.games.dots_and_boxes.solution import table
from gpkit.matching.plan import Plan

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
    losses = _losses(board)
    matched = np.zeros(len(known), dtype=bool)
    free = ~matched
    found = []
    for column, joined in zip(masks_by_rule(plan, board), plan.joined, strict=True):
        if not joined:
            free = ~matched
        here = np.flatnonzero(column)
        positions, acts = int(sizes[here].sum()), int(sizes[here][free[here]].sum())
        matched[here] = True
        if not len(here):
            found.append(Worth(0, 0, 0))
            continue
        proposed = (column[here, None] >> np.arange(board.edges) & 1).astype(bool)
        lost = losses[here]
        counts = proposed.sum(axis=1)
        optimal = (proposed & (lost == 0)).sum(axis=1) / counts
        regret = np.where(proposed, lost, 0).sum(axis=1) / counts
        found.append(
            Worth(
                positions,
                len(here),
                acts,
                float(values[here].mean()),
                float(optimal.mean()),
                float(regret.mean()),
            )
        )
    return tuple(found)


def masks_by_rule(plan: Plan, board: Rules) -> Iterator[NDArray[np.int64]]:
    """By rule what it proposes in every class where the score is even: int64 (classes,), masks of edges."""
    for first in range(0, len(plan), TOGETHER):
        yield from propose(plan[first : first + TOGETHER], classes(board).positions, board).T


@lru_cache(maxsize=2)
def class_sizes(board: Rules) -> NDArray[np.int64]:
    """Number of positions of each class of a board: int64 (classes,).

    Every position with k + 1 drawn edges follows upon k + 1 positions, one for each edge that was drawn last. What
    follows upon a position depends on its class alone, so the sizes can be added up from the empty board on.
    """
    known = classes(board)
    drawn = np.array([mask.bit_count() for mask in known.positions.tolist()])
    sizes = np.zeros(len(known), dtype=np.int64)
    sizes[0] = 1
    for count in range(board.edges):
        here = np.flatnonzero(drawn == count)
        following = known.successors[here]
        undrawn = following >= 0
        np.add.at(sizes, following[undrawn], np.repeat(sizes[here], undrawn.sum(axis=1)))
        sizes[drawn == count + 1] //= count + 1
    sizes.setflags(write=False)
    return sizes


def _losses(board: Rules) -> NDArray[np.int8]:
    """By class and edge how many boxes drawing it loses against the best edge; 0 where it is drawn: int8."""
    known = classes(board)
    values = table(board)[known.positions]
    after = values[np.maximum(known.successors, 0)]
    gained = np.where(known.closed > 0, known.closed + after, -after)
    return np.where(known.successors >= 0, values[:, None] - gained, 0).astype(np.int8)

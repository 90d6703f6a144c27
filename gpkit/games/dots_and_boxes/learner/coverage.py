"""Coverage of rules: the classes of a board where each matches and acts, and the worth of one more or one less."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpkit.games.dots_and_boxes.exact import Choices
from gpkit.games.dots_and_boxes.learner.kernel.stakes import mean_stakes
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rule_plans import propose
from gpkit.genomes.graph import Rule
from gpkit.matching.plan import plan

TOGETHER = 64
"""Rules that are matched at once."""


@dataclass(frozen=True, slots=True)
class Cover:
    """Proposals of a rule where it matches.

    Attributes:
        classes: int64 (matches,): the numbers of the classes, ascending.
        masks: int64 (matches,): the edges that it proposes in each.
    """

    classes: NDArray[np.int64]
    masks: NDArray[np.int64]


def covers(
    rules: Sequence[Rule], numbers: NDArray[np.int64], positions: NDArray[np.int64], board: Rules
) -> list[Cover]:
    """The covers of rules among some classes, where the score is even.

    Args:
        rules: the rules.
        numbers: int64 (some,): the classes, ascending.
        positions: int64 (classes,): a position of each class, as the mask of its drawn edges.
        board: the rules of the board.
    """
    found = []
    for first in range(0, len(rules), TOGETHER):
        masks = propose(plan(rules[first : first + TOGETHER]), positions[numbers], board)
        for column in masks.T:
            here = np.flatnonzero(column)
            found.append(Cover(numbers[here], column[here]))
    return found


class Stakes:
    """Worth of edges, and of what a list chooses among them.

    Attributes:
        edges: float64 (classes, edges): what each edge is worth, see ``Mixture.stakes``.
        now: float64 (classes,): what the list's choice is worth.
    """

    def __init__(self, edges: NDArray[np.float64], choices: Choices) -> None:
        self.edges = edges
        self.now = self.mean(np.arange(len(choices)), choices)

    def mean(self, numbers: NDArray[np.int64], masks: NDArray[np.int64]) -> NDArray[np.float64]:
        """The worth of any edge of a mask in classes, all equally likely: float64, 0 for no edge."""
        found = np.empty(len(numbers))
        mean_stakes(numbers, masks, self.edges, found)
        return found

    def weighty(self, share: float) -> NDArray[np.int64]:
        """The fewest classes that have this share of all that is at stake, ascending."""
        best = self.edges.max(axis=1)
        order = np.argsort(-best, kind="stable")
        total = np.cumsum(best[order])
        return np.sort(order[: 1 + int(np.searchsorted(total, share * total[-1]))])


class Ranks:
    """Acting rules of a list.

    Attributes:
        covers: of the rules, by precedence.
        acting: int64 (classes,): the place of the rule that acts, the number of rules where none matches.
        choices: int64 (classes,): the edges among which the list chooses.
    """

    def __init__(self, covers: Sequence[Cover], legal: NDArray[np.int64]) -> None:
        """Find out which rule acts where.

        Args:
            covers: among all classes.
            legal: int64 (classes,): the edges that are not drawn.
        """
        self.covers = list(covers)
        self.acting = np.full(len(legal), len(covers))
        self.choices: Choices = legal.copy()
        for place in reversed(range(len(covers))):
            self.acting[covers[place].classes] = place
            self.choices[covers[place].classes] = covers[place].masks

    def insert(self, place: int, cover: Cover) -> None:
        """Add a rule before the one in a place."""
        self.covers.insert(place, cover)
        self.acting += self.acting >= place
        first = self.acting[cover.classes] > place
        self.acting[cover.classes[first]] = place
        self.choices[cover.classes[first]] = cover.masks[first]

    def best_place(self, cover: Cover, stakes: Stakes) -> tuple[int, float]:
        """The place where a rule adds most, the last of equal ones, and how much."""
        more = stakes.mean(cover.classes, cover.masks) - stakes.now[cover.classes]
        by_place = np.bincount(self.acting[cover.classes], weights=more, minlength=len(self.covers) + 1)
        from_last = np.cumsum(by_place[::-1])
        best = int(np.argmax(from_last))
        return len(self.covers) - best, float(from_last[best])

    def losses(self, stakes: Stakes, legal: NDArray[np.int64]) -> NDArray[np.float64]:
        """Loss without each rule alone, as the next one that matches acts instead: float64 (rules,)."""
        instead = legal.copy()
        for place in reversed(range(len(self.covers))):
            cover = self.covers[place]
            later = self.acting[cover.classes] < place
            instead[cover.classes[later]] = cover.masks[later]
        lost = stakes.now - stakes.mean(np.arange(len(legal)), instead)
        by_place = np.bincount(self.acting, weights=lost, minlength=len(self.covers) + 1)
        return np.asarray(by_place[:-1], dtype=np.float64)

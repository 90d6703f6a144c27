"""Exact win rates on 3x3 boxes of the player that always follows the rule of highest quality."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpkit.games.dots_and_boxes.exact import Result, result
from gpkit.games.dots_and_boxes.learner.kernel.judging import choose_greedily
from gpkit.games.dots_and_boxes.learner.learner import RULES, Learner, environment_against


@dataclass(frozen=True, slots=True)
class Greedy:
    """A greedy player against an opponent.

    Attributes:
        result: the exact one.
        choices: int64 (classes,): among which edges it chooses in classes that can be met, 0 in others.
        classes: how many classes can be met with the player to draw.
        unknown: in how many of them no rule matches.
    """

    result: Result
    choices: NDArray[np.int64]
    classes: int
    unknown: int


def greedy(learner: Learner, opponent: str) -> Greedy:
    """The greedy player of a learner in the middle of its games."""
    environment, memory = environment_against(opponent), learner.memory
    count = len(environment.successors)
    reached = np.zeros((count, 2), dtype=np.uint8)
    reached[0] = 1
    masks = np.zeros(count, dtype=np.int64)
    unknown = choose_greedily(environment, learner.graphs, learner.rules.arrays, memory, reached, masks)
    return Greedy(result(masks, environment.replies, RULES), masks, int(reached[:-1, 0].sum()), int(unknown))


def by_table(learner: Learner) -> NDArray[np.int64]:
    """The choices of a player without rules, who draws the edge of the greatest value by the table: int64 (classes,).

    Of equal edges the first, as a mask of edges; 0 for the last class, which has none.
    """
    successors, closed, worth, _ = learner.environment
    critic = learner.critic
    after = np.where(closed > 0, critic.own[successors], critic.other[successors])
    values = np.where(successors >= 0, worth + after, -np.inf)
    choices: NDArray[np.int64] = np.left_shift(1, np.argmax(values, axis=1), dtype=np.int64)
    choices[-1] = 0
    return choices

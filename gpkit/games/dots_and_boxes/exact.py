"""Exact win rates on small boards: policy against policy, and the best possible answer to a policy.

Nothing is sampled: the game is played out on all classes of the board at once (195,551 for 3x3 boxes, half a second).
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import for_reading
from gpkit.games.dots_and_boxes.arrays import board_of, mask_of, state_of
from gpkit.games.dots_and_boxes.classes import classes
from gpkit.games.dots_and_boxes.kernel.exact import play_policies, respond
from gpkit.games.dots_and_boxes.kernel.opponents import CONTROL, REST_EDGES, choices
from gpkit.games.dots_and_boxes.opponents import POLICIES, Policy
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rule_plans import choose
from gpkit.games.dots_and_boxes.solution import NO_TABLE, table
from gpkit.genomes.graph import RuleList
from gpkit.matching.plan import Plan, asks_for_score, plan_of

Choices = NDArray[np.int64]
"""A policy on the classes of a board: int64 (classes,), the mask of the edges among which it chooses in the position
of each class (``Classes.positions``); 0 for the last class, in which the board is full. For a player that looks at the
score it is (classes, leads): by the boxes that it has more than the other, −boxes to boxes."""


@dataclass(frozen=True, slots=True)
class Result:
    """The expected result of a player: 1 for a win, ½ for a tie.

    Attributes:
        starting: when it draws first.
        following: when the other one does.
    """

    starting: float
    following: float

    @property
    def rate(self) -> float:
        """With a random starting player."""
        return (self.starting + self.following) / 2

    @property
    def text(self) -> str:
        """Both in words, as headers have them."""
        return f"{self.starting:.4f} moving first, {self.following:.4f} moving second"


@lru_cache(maxsize=32)
def choices_of(name: str, rules: Rules) -> Choices:
    """The choices of a policy of ``opponents.POLICIES``."""
    found = classes(rules)
    masks = np.empty(len(found), dtype=np.int64)
    policy = tuple(POLICIES).index(name)
    choices(
        policy,
        found.positions,
        board_of(rules),
        table(rules) if policy > CONTROL else NO_TABLE,
        np.empty(1 << REST_EDGES, dtype=np.int8),
        masks,
    )
    masks.setflags(write=False)
    return masks


def choices_of_policy(policy: Policy, rules: Rules) -> Choices:
    """The choices of any readable policy; takes as long as asking it for every class."""
    masks = [mask_of(policy(state_of(mask, rules))) for mask in classes(rules).positions[:-1].tolist()]
    return np.array([*masks, 0], dtype=np.int64)


def choices_of_plan(plan: Plan, board: Rules) -> Choices:
    """The choices of a rule list: (classes, leads) if one of them looks at the score."""
    leads = range(-board.boxes, board.boxes + 1) if asks_for_score(plan) else (0,)
    masks, _ = choose(plan, classes(board).positions, leads, board)
    return masks if len(leads) > 1 else masks[:, 0]


def result(first: Choices, second: Choices, rules: Rules) -> Result:
    """The expected result of the first policy against the second."""
    found = classes(rules)
    values = np.empty((len(found), 2, 2 * rules.boxes + 1))
    play_policies(found.successors, found.closed, found.done, _by_lead(first), _by_lead(second), values)
    return _of_empty_board(values, rules)


def best_response(second: Choices, rules: Rules) -> Result:
    """The expected result of the player that does best against a policy, which it knows."""
    found = classes(rules)
    values = np.empty((len(found), 2, 2 * rules.boxes + 1))
    respond(found.successors, found.closed, found.done, _by_lead(second), values)
    return _of_empty_board(values, rules)


def best_response_to(rules: RuleList, board: Rules) -> Result:
    """The expected result of the player that does best against a rule list."""
    return best_response(choices_of_plan(plan_of(rules), board), board)


def _by_lead(choices: Choices) -> NDArray[np.int64]:
    """The choices with a column for each lead, or one for all of them."""
    return for_reading(choices.reshape(len(choices), -1))


def _of_empty_board(values: NDArray[np.float64], rules: Rules) -> Result:
    return Result(float(values[0, 0, rules.boxes]), float(values[0, 1, rules.boxes]))

"""Exact results of rule lists, as ``gpkit run --exact`` finds them."""

from gpkit.gamekit.game import Expected
from gpkit.games.dots_and_boxes.exact import Choices, choices_of, choices_of_plan, result
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules
from gpkit.genomes.graph import RuleList
from gpkit.matching.plan import plan_of

BOARD = DotsAndBoxesRules(3, 3)


def choices_in(rules: RuleList, board: DotsAndBoxesRules = BOARD) -> Choices:
    """Choices of a list in every class."""
    return choices_of_plan(plan_of(rules), board)


def result_of(rules: RuleList, opponent: str, board: DotsAndBoxesRules = BOARD) -> Expected:
    """The exact result of a list against a policy."""
    return result(choices_in(rules, board), choices_of(opponent, board), board)

"""Habits of learned rules: which are used most, and whether their greedy player double-deals where that pays."""

from dataclasses import dataclass

import numpy as np

from gpkit.games.dots_and_boxes.arrays import edges_of, state_of
from gpkit.games.dots_and_boxes.classes import classes
from gpkit.games.dots_and_boxes.learner import learner as learners
from gpkit.games.dots_and_boxes.learner.exact import greedy
from gpkit.games.dots_and_boxes.opponents import pays, runs
from gpkit.genomes.graph import Rule
from gpkit.languages.rulegraph.printer import print_rule

COMMONEST = 5
"""So many of the rules that are used most are told."""


@dataclass(frozen=True, slots=True)
class Habits:
    """Habits of the rules of a learner.

    Attributes:
        commonest: the texts of the rules of greatest accessibility.
        completing: how many of these complete a box.
        chances: in how many classes that its greedy player meets a double-deal pays, as ``chain`` reckons it.
        double_deals: in how many of them it makes one for certain.
    """

    commonest: tuple[str, ...]
    completing: int
    chances: int
    double_deals: int


def habits_of(learner: learners.Learner) -> Habits:
    """The habits of a learner in the middle of its games."""
    named = sorted(learner.rules.named(), key=lambda each: -(each.f or 0.0))[:COMMONEST]
    chances, double_deals = _double_deals(learner)
    return Habits(
        tuple(print_rule(each.rule) for each in named),
        sum(completes(each.rule) for each in named),
        chances,
        double_deals,
    )


def completes(rule: Rule) -> bool:
    """Whether what the rule draws completes a box wherever it matches: one end of it is a box of one undrawn side."""
    return any(number >= 0 and rule.graph.nodes[number].symbol == "x" for number in rule.action[:2])


def _double_deals(learner: learners.Learner) -> tuple[int, int]:
    """Classes that the greedy player meets where a double-deal pays, and those of them where it draws nothing else."""
    board = learners.RULES
    choices = greedy(learner, learner.config.opponent).choices
    positions = classes(board).positions
    chances = made = 0
    for number in np.flatnonzero(choices).tolist():
        state = state_of(int(positions[number]), board)
        found = runs(state)
        if len(found) != 1 or not found[0].double_deal() or not pays(state, found[0]):
            continue
        chances += 1
        made += set(edges_of(int(choices[number]))) <= set(found[0].double_deal())
    return chances, made

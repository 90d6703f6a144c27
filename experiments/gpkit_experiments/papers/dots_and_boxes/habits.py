"""Habits of learned rules: which are used most, and whether their greedy player double-deals where that pays."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gpkit.core.rng import stream
from gpkit.games.dots_and_boxes.arrays import edges_of, state_of
from gpkit.games.dots_and_boxes.classes import classes
from gpkit.games.dots_and_boxes.exact import TOGETHER
from gpkit.games.dots_and_boxes.learner import learner as learners
from gpkit.games.dots_and_boxes.learner.curves import greedy
from gpkit.games.dots_and_boxes.opponents import pays, runs
from gpkit.games.dots_and_boxes.rule_lists import propose
from gpkit.genomes.graph import Rule, RuleList
from gpkit.languages.rulegraph.printer import print_rule
from gpkit.matching.plan import plan_of

SAMPLE, SAMPLE_SEED, GENERAL = 2_000, 17_100, 0.01
"""Classes of the sample in which rules are matched, its seed, and the share of them from which on a rule is general."""

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
        general: the share of its rules that match in at least 1 % of a sample of classes; None in older records.
        specific: the share of its rules that match in none of them; None in older records.
    """

    commonest: tuple[str, ...]
    completing: int
    chances: int
    double_deals: int
    general: float | None = None
    specific: float | None = None


def habits_of(learner: learners.Learner) -> Habits:
    """The habits of a learner in the middle of its games."""
    named = sorted(learner.rules.as_list().rules, key=lambda each: -(each.f or 0.0))[:COMMONEST]
    chances, double_deals = _double_deals(learner)
    matched = matches_in_sample(learner.rules.as_list())
    return Habits(
        tuple(print_rule(each.rule) for each in named),
        sum(completes(each.rule) for each in named),
        chances,
        double_deals,
        float(np.mean(matched >= GENERAL)),
        float(np.mean(matched == 0.0)),
    )


def matches_in_sample(rule_list: RuleList) -> NDArray[np.float64]:
    """The share of a sample of classes in which each rule matches, the same classes for all: float64 (rules,)."""
    board = learners.RULES
    positions = classes(board).positions[:-1]
    rng = stream(SAMPLE_SEED, "specificity")
    sample = np.sort(rng.permutation(len(positions))[:SAMPLE])
    plan = plan_of(rule_list)
    found = np.zeros(len(plan))
    for first in range(0, len(plan), TOGETHER):
        proposed = propose(plan[first : first + TOGETHER], positions[sample], board)
        found[first : first + TOGETHER] = (proposed != 0).mean(axis=0)
    return found


def completes(rule: Rule) -> bool:
    """Whether what the rule draws completes a box wherever it matches: one end of it is a box of one undrawn side."""
    return any(number >= 0 and rule.graph.nodes[number].symbol == "x" for number in rule.action[:2])


def _double_deals(learner: learners.Learner) -> tuple[int, int]:
    """Classes that the greedy player meets where a double-deal pays, and those of them where it draws nothing else."""
    choices = greedy(learner, learner.config.opponent).choices
    chances = made = 0
    for number in np.flatnonzero(choices).tolist():
        if dealt := _paying_double_deal(number):
            chances += 1
            made += dealt.issuperset(edges_of(int(choices[number])))
    return chances, made


@cache
def _paying_double_deal(number: int) -> frozenset[int]:
    """The edges of the double-deal that pays in a class of positions; none where none does."""
    state = state_of(int(classes(learners.RULES).positions[number]), learners.RULES)
    found = runs(state)
    if len(found) != 1 or not found[0].double_deal() or not pays(state, found[0]):
        return frozenset()
    return frozenset(found[0].double_deal())

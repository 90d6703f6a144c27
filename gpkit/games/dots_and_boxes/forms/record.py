"""Positions and games of Dots and Boxes with the moves of a rule list, for testing the exported list.

A position has the ``width`` and ``height`` of its board in boxes; the ``drawn`` sides; the ``score``, which is the
number of boxes of the player to draw minus the opponent's; the ``rule`` that acts; and the ``moves`` from which the
list chooses. For a learned list, a position also has a ``key`` and the ``sampled`` side, which the keyed random numbers
for ``(key, 1, 0)`` and ``(key, 2, 0)`` determine. A game of a list against itself has its ``key``, the size of the
board, and all ``sides`` in order; the keyed random number for ``(key, k, 0)`` determines move k, counted from 1. Sides
are numbered from 1: first the horizontal ones row by row, then the vertical ones.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gpkit.core.rng import stream
from gpkit.export.subject import Subject
from gpkit.games.dots_and_boxes.classes import edges_of, mask_of
from gpkit.games.dots_and_boxes.rule_lists import choose, propose
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules, DotsAndBoxesState
from gpkit.genomes.graph import RuleList
from gpkit.languages.rulegraph.forms.exports import RulesRecorder, weights_of
from gpkit.matching.plan import Plan, plan_of
from gpkit.vm.keyed import keyed_uniform_readable

Recorded = dict[str, int | tuple[int, ...]]

NO_RULE = 0
"""The number that indicates that no rule acts; the numbers of rules start at 1."""

BEST = 10
"""The number of best rules from which to choose at random (section IV of Knittel, Bossomaier and Snyder, 2007)."""


def sample(
    program: RuleList,
    weights: Sequence[float],
    proposed: Sequence[Sequence[int]],
    legal: Sequence[int],
    uniforms: tuple[float, float],
) -> int:
    """A random edge of a random rule, which is chosen by weight among the best rules that can act.

    Args:
        program: a learned list.
        weights: the weight of each rule, proportional to its probability.
        proposed: the edges that each rule proposes, in ascending order; empty if the rule cannot act.
        legal: all undrawn edges, from which the function chooses if no rule can act.
        uniforms: two random numbers in [0, 1), one for choosing the rule and one for choosing the edge.
    """
    acting = [rule for rule, edges in enumerate(proposed) if edges]
    best = sorted(acting, key=lambda rule: (-(program.rules[rule].q or 0.0), rule))[:BEST]
    total = 0.0
    for rule in best:
        total += weights[rule]
    edges = proposed[best[-1]] if best else legal
    left = uniforms[0] * total
    for rule in best:
        left -= weights[rule]
        if left < 0.0:
            edges = proposed[rule]
            break
    return edges[int(uniforms[1] * len(edges))]


def recorded_positions(subject: Subject, count: int, purpose: str = "positions") -> list[Recorded]:
    """Random positions on the subject's board, each from a different game, with the moves of the subject's list."""
    rules, program = DotsAndBoxesRules.from_options(subject.rules), subject.program
    searches, weights = plan_of(program), weights_of(program)
    found: list[Recorded] = []
    for number in range(count):
        rng, state = stream(subject.seed, f"export {purpose}", number), DotsAndBoxesState.begin(rules)
        for edge in rng.permutation(rules.edges)[: rng.integers(rules.edges)].tolist():
            state = state.apply(edge)
        score, drawn = state.lead(state.current_player), tuple(edge + 1 for edge in sorted(state.drawn))
        rule, moves = moves_of(searches, state)
        recorded: Recorded = {
            "width": rules.width,
            "height": rules.height,
            "drawn": drawn,
            "score": score,
            "rule": rule,
            "moves": moves,
        }
        if weights:
            masks = propose(searches, np.array([mask_of(state.drawn)]), rules, score)[0].tolist()
            uniforms = keyed_uniform_readable(number, 1, 0), keyed_uniform_readable(number, 2, 0)
            edge = sample(program, weights, list(map(edges_of, masks)), state.legal_actions(), uniforms)
            recorded |= {"key": number, "sampled": edge + 1}
        found.append(recorded)
    return found


def moves_of(searches: Plan, state: DotsAndBoxesState) -> tuple[int, tuple[int, ...]]:
    """The number of the first rule that acts in a position (from 1, or ``NO_RULE``), and the sides to choose from."""
    lead = state.lead(state.current_player)
    masks, acting = choose(searches, np.array([mask_of(state.drawn)]), (lead,), state.board)
    return int(acting[0, 0]) + 1, tuple(edge + 1 for edge in edges_of(int(masks[0, 0])))


def recorded_games(subject: Subject, count: int, first: int = 1) -> list[Recorded]:
    """Games of the subject's list against itself on its board; random numbers choose among equally good sides."""
    rules, searches = DotsAndBoxesRules.from_options(subject.rules), plan_of(subject.program)
    found: list[Recorded] = []
    for number in range(subject.seed * 1_000_000 + first, subject.seed * 1_000_000 + first + count):
        key, state = number % (1 << 26), DotsAndBoxesState.begin(rules)
        drawn: list[int] = []
        while not state.is_terminal:
            _, moves = moves_of(searches, state)
            drawn.append(moves[int(keyed_uniform_readable(key, len(drawn) + 1, 0) * len(moves))])
            state = state.apply(drawn[-1] - 1)
        found.append({"key": key, "width": rules.width, "height": rules.height, "sides": tuple(drawn)})
    return found


RULES: RulesRecorder = RulesRecorder(
    "dots_and_boxes", Path(__file__).parents[1] / "lua", recorded_positions, recorded_games
)

"""Positions and games of Dots and Boxes with what a rule list does there: what proves an exported list equal.

A position has the ``width`` and the ``height`` of its board, in boxes; the sides that are ``drawn``; as ``score`` the
boxes of whoever is to draw less those of the other; the ``rule`` that acts and the ``moves`` among which it chooses. Of
a list that was learned it has a ``key``, too, and the side that is ``sampled`` by the keyed numbers of ``(key, 1, 0)``
and ``(key, 2, 0)``. A game of a list against itself has its ``key``, the size of the board, and all ``sides`` in order:
the move k, from 1, by the keyed number of ``(key, k, 0)``. Sides count from 1, the horizontal ones row by row, then the
vertical ones.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gpkit.core.rng import stream
from gpkit.export.registry import Subject
from gpkit.games.dots_and_boxes.arrays import edges_of, mask_of
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rule_lists import choose, propose
from gpkit.games.dots_and_boxes.rules import State
from gpkit.genomes.graph import RuleList
from gpkit.languages.rulegraph.forms.lua import RulesRecorder, weights_of
from gpkit.matching.plan import Plan, plan_of
from gpkit.vm.keyed import keyed_uniform_readable

Recorded = dict[str, int | tuple[int, ...]]

NO_RULE = 0
"""Instead of the number of a rule, from 1: none acts."""

BEST = 10
"""Number of best rules from which one is chosen at random: section IV of Knittel, Bossomaier and Snyder (2007)."""


def sample(
    program: RuleList,
    weights: Sequence[float],
    proposed: Sequence[Sequence[int]],
    legal: Sequence[int],
    uniforms: tuple[float, float],
) -> int:
    """The edge that is drawn at random, an edge of a rule that is chosen by weight from the best that may act.

    Args:
        program: a learned list.
        weights: by rule, the weight to which its chance is proportional.
        proposed: by rule its edges, ascending; none where it may not act.
        legal: all undrawn edges; one of them is chosen where no rule may act.
        uniforms: two random numbers of [0, 1): for the rule and for the edge.
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
    """Random positions of the board of a subject, each of a game of its own, with the moves of its list."""
    rules, program = Rules.from_options(subject.rules), subject.program
    searches, weights = plan_of(program), weights_of(program)
    found: list[Recorded] = []
    for number in range(count):
        rng, state = stream(subject.seed, f"export {purpose}", number), State.begin(rules)
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


def moves_of(searches: Plan, state: State) -> tuple[int, tuple[int, ...]]:
    """The rule that acts in a position, the first of several, from 1, or ``NO_RULE``; and the sides to choose from."""
    lead = state.lead(state.current_player)
    masks, acting = choose(searches, np.array([mask_of(state.drawn)]), (lead,), state.board)
    return int(acting[0, 0]) + 1, tuple(edge + 1 for edge in edges_of(int(masks[0, 0])))


def recorded_games(subject: Subject, count: int, first: int = 1) -> list[Recorded]:
    """Games of the list of a subject against itself on its board; of equally good sides a random number chooses one."""
    rules, searches = Rules.from_options(subject.rules), plan_of(subject.program)
    found: list[Recorded] = []
    for number in range(subject.seed * 1_000_000 + first, subject.seed * 1_000_000 + first + count):
        key, state = number % (1 << 26), State.begin(rules)
        drawn: list[int] = []
        while not state.is_terminal:
            _, moves = moves_of(searches, state)
            drawn.append(moves[int(keyed_uniform_readable(key, len(drawn) + 1, 0) * len(moves))])
            state = state.apply(drawn[-1] - 1)
        found.append({"key": key, "width": rules.width, "height": rules.height, "sides": tuple(drawn)})
    return found


RULES = RulesRecorder("dots_and_boxes", Path(__file__).parents[1] / "lua", recorded_positions, recorded_games)

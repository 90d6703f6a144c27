"""Lists of rules as players: what they mean, in plain Python, and the same compiled.

The first rule of a list that may act says what is drawn: any of the strings of the board that the images of its action
over all its matches stand for, all equally likely. Where no rule may act, any string is drawn.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gpkit.games.dots_and_boxes.kernel import rule_lists as kernel
from gpkit.games.dots_and_boxes.kernel.positions import Board, Room
from gpkit.games.dots_and_boxes.kernel.rule_lists import NO_RULE, Lists
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rules import State
from gpkit.games.dots_and_boxes.state_graph import StateGraph, state_graph
from gpkit.games.dots_and_boxes.tables import box_sides, other_sides, touching
from gpkit.genomes.graph import Rule
from gpkit.matching.kernel import layout as at
from gpkit.matching.matcher import scratch
from gpkit.matching.plan import Plan
from gpkit.matching.reference import images


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a list of rules does in a position.

    Attributes:
        rule: which rule acts, ``NO_RULE`` if none may.
        strings: those among which it chooses, ascending.
    """

    rule: int
    strings: tuple[int, ...]


def lead_of(state: State) -> int:
    """The boxes of whoever is to draw less those of the other, in a position that is not the end."""
    return state.returns()[state.current_player]


def strings_of_rule(rule: Rule, position: StateGraph, lead: int) -> tuple[int, ...]:
    """The strings of the board that a rule proposes, ascending; none if it may not act."""
    values = images(rule, position.graph, lead)
    return tuple(sorted({string for value in values for string in position.strings_of(value)}))


def proposal(rules: Sequence[Rule], state: State) -> Proposal:
    """What a list does in a position that is not the end."""
    position, lead = state_graph(state), lead_of(state)
    for number, rule in enumerate(rules):
        strings = strings_of_rule(rule, position, lead)
        if strings:
            return Proposal(number, strings)
    return Proposal(NO_RULE, state.legal_actions())


def choose(
    plan: Plan, positions: NDArray[np.int64], leads: Sequence[int], rules: Rules
) -> tuple[NDArray[np.int64], NDArray[np.int16]]:
    """What a list does in many positions with each of some leads, compiled.

    Args:
        plan: the list, in the order of its precedence.
        positions: int64 (positions,): masks of drawn strings.
        leads: boxes of whoever is to draw less those of the other.
        rules: of the board.

    Returns:
        The masks of the strings among which it chooses, int64 (positions, leads), 0 where the board is full; and which
        rule acts, int16 (positions, leads).
    """
    masks = np.empty((len(positions), len(leads)), dtype=np.int64)
    chosen = np.empty(masks.shape, dtype=np.int16)
    wanted = np.array(leads, dtype=np.int64)
    kernel.choose(positions, wanted, board_of(rules), lists_of(plan), room_for(plan, rules), masks, chosen)
    return masks, chosen


def propose(
    plan: Plan, positions: NDArray[np.int64], rules: Rules, leads: ArrayLike = 0
) -> NDArray[np.int64]:
    """What each rule by itself proposes: the masks of its strings, int64 (positions, rules), 0 where it may not act.

    Args:
        plan: the rules.
        positions: int64 (positions,): masks of drawn strings.
        rules: of the board.
        leads: of all positions or of each, boxes of whoever is to draw less those of the other.
    """
    masks = np.empty((len(positions), len(plan)), dtype=np.int64)
    each = np.ascontiguousarray(np.broadcast_to(np.asarray(leads, dtype=np.int64), len(positions)))
    kernel.propose(positions, each, board_of(rules), lists_of(plan), room_for(plan, rules), masks)
    return masks


def lists_of(plan: Plan) -> Lists:
    """The rules as the kernels of games want them."""
    return Lists(plan.imaging, plan.absent, plan.signatures)


def board_of(rules: Rules) -> Board:
    """The board as the kernels want it."""
    return Board(box_sides(rules), touching(rules), other_sides(rules))


def room_for(plan: Plan, rules: Rules) -> Room:
    """Room for one position of a board and the searches of these rules."""
    boxes = rules.boxes
    domains, stack = scratch(plan)
    return Room(
        np.empty(boxes, dtype=np.int64),
        np.empty((boxes, boxes + 1), dtype=np.int64),
        np.empty((boxes, at.NODE), dtype=np.int16),
        np.empty((boxes, at.STRINGS), dtype=np.uint64),
        np.empty((boxes, at.END_SLOTS), dtype=np.int16),
        np.empty(at.WORDS, dtype=np.uint64),
        np.empty(at.MAX_NODES, dtype=np.int64),
        np.empty(at.NUMBERS_OF_POSITION, dtype=np.int16),
        domains,
        stack,
    )

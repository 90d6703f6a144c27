"""The rules of a learner in slots, as arrays for the kernels and for people; and new ones for an edge of a position.

A new rule may ask for a part of the position alone: covering with generalisation.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gpkit.core.rng import below
from gpkit.games.dots_and_boxes.learner.kernel.arrays import Population
from gpkit.genomes.graph import (
    GROUND,
    WILD,
    Action,
    Graph,
    NamedRule,
    Node,
    Rule,
    RuleList,
    normal_action,
    renumbered,
)
from gpkit.matching.kernel import layout as at
from gpkit.matching.plan import simple_search
from gpkit.matching.signature import signature

BOXES = 9
"""The boxes of the board: no position has more nodes, and no chain is longer."""

RING = 512
"""So many changes of slots are listed; for a class that was not met for longer all slots are looked at."""


class SlottedRules:
    """Rules that come and go, no two of them equal.

    Attributes:
        arrays: what the kernels read and write; see ``kernel.arrays.Population``.
        rules: by slot the rule, None if it is free.
        free: the free slots; the last is taken next.
    """

    def __init__(self, slots: int) -> None:
        self.arrays = Population(
            searches=np.zeros((slots, at.PLACES + at.PLACE * BOXES), dtype=np.int16),
            signatures=np.zeros((at.WORDS, slots), dtype=np.uint64),
            quality=np.zeros(slots),
            access=np.zeros(slots),
            uses=np.zeros(slots, dtype=np.int64),
            changes=np.zeros(1 + RING, dtype=np.int64),
            stamps=np.zeros(slots, dtype=np.int64),
        )
        self.rules: list[Rule | None] = [None] * slots
        self._slots: dict[Rule, int] = {}
        self._taken = np.zeros(slots, dtype=np.bool_)
        self.free = list(range(slots - 1, -1, -1))

    def __len__(self) -> int:
        return len(self._slots)

    def __contains__(self, rule: Rule) -> bool:
        return rule in self._slots

    def live(self) -> NDArray[np.int64]:
        """The slots that have a rule, ascending: int64 (rules,)."""
        return np.flatnonzero(self._taken)

    def add(self, rule: Rule, quality: float, access: float, uses: int) -> int:
        """Enter a rule of level 0 and of at most ``BOXES`` nodes, with what is known of it; gives its slot."""
        assert rule not in self and rule.level == 0, "each rule is there once, and of level 0"
        slot = self.free.pop()
        arrays = self.arrays
        arrays.searches[slot], arrays.signatures[:, slot] = prepared(rule)
        arrays.quality[slot], arrays.access[slot], arrays.uses[slot] = quality, access, uses
        self.rules[slot] = rule
        self._slots[rule] = slot
        self._taken[slot] = True
        self._note(slot)
        return slot

    def remove(self, slot: int) -> None:
        """Take a rule out."""
        rule = self.rules[slot]
        assert rule is not None, "the slot has a rule"
        del self._slots[rule]
        self._taken[slot] = False
        self.rules[slot] = None
        self.arrays.searches[slot] = 0
        for column in (self.arrays.quality, self.arrays.access, self.arrays.uses):
            column[slot] = 0
        self.free.append(slot)
        self._note(slot)

    def _note(self, slot: int) -> None:
        changes = self.arrays.changes
        changes[1 + changes[0] % RING] = slot
        changes[0] += 1
        self.arrays.stamps[slot] = changes[0]

    def by_quality(self) -> NDArray[np.int64]:
        """The slots that have a rule, that of the highest quality first, of equal ones the lower: int64 (rules,)."""
        live = self.live()
        return live[np.argsort(-self.arrays.quality[live], kind="stable")]

    def as_list(self) -> RuleList:
        """The rules ``by_quality``, with what was learned of each.

        The first that matches is the one that the greedy player follows.
        """
        quality, access = self.arrays.quality, self.arrays.access
        rules = {slot: rule for rule, slot in self._slots.items()}
        return RuleList(
            tuple(
                NamedRule(rules[slot], q=float(quality[slot]), f=float(access[slot]))
                for slot in self.by_quality().tolist()
            )
        )


def prepared(rule: Rule) -> tuple[NDArray[np.int16], NDArray[np.uint64]]:
    """The search and the signature of a rule, as the kernels read them: int16 (numbers,) and uint64 (words,)."""
    return simple_search(rule, BOXES), np.array(signature(rule.graph), dtype=np.uint64)


NEAR = 0.7
"""Probability that the next node of a part is one that hangs together with it, where there is one."""

AT_LEAST = 0.4
"""Probability that a chain matches longer ones, too; half of these chains also match some that are shorter."""

LOOSEST = 0.6
"""The greatest share of edges to the ground that a rule leaves open; each rule has its own, from 0 to this."""


def fragment_rule(rng: np.random.Generator, position: Graph, action: Action, more: float) -> Rule:
    """A rule that draws an edge of a position and matches there, by a random part of it around that edge.

    Args:
        rng: the source of chance.
        position: a graph.
        action: of it.
        more: the probability of each further node.
    """
    kept = [action.node] + [action.other] * (action.other not in (GROUND, action.node))
    reached = {other for number in kept for other in position.neighbours(number)}
    while len(kept) < len(position.nodes) and rng.random() < more:
        rest = [number for number in range(len(position.nodes)) if number not in kept]
        near = [number for number in rest if number in reached]
        pool = near if near and rng.random() < NEAR else rest
        kept.append(pool[below(rng, len(pool))])
        reached.update(position.neighbours(kept[-1]))
    part = renumbered(position, kept)
    nodes = tuple(_loosened(rng, position.nodes[number], number, action) for number in kept)
    open_share = LOOSEST * rng.random()
    grounds = tuple(sum(rng.random() >= open_share for _ in range(count)) for count in part.grounds)
    graph = Graph(nodes, part.links, grounds)
    return Rule(graph, _moved(action, graph, kept))


def _loosened(rng: np.random.Generator, node: Node, number: int, action: Action) -> Node:
    """A node of the position, or a chain that matches others, too; it still has the edge that is to be drawn."""
    if node.symbol != "l" or rng.random() >= AT_LEAST:
        return node
    length = node.length if rng.random() < 0.5 else 1 + below(rng, node.length)
    return Node("l", max(length, action.offset + 1) if number == action.node else length, at_least=True)


def _moved(action: Action, graph: Graph, kept: Sequence[int]) -> Action:
    """The action with the numbers of the nodes kept; to anything where its edge to the ground is left open."""
    node = kept.index(action.node)
    if action.other == GROUND:
        return Action(node, GROUND if graph.grounds[node] else WILD, action.offset)
    return normal_action(graph, Action(node, kept.index(action.other), action.offset))

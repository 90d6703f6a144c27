"""The rules of a learner in slots: arrays for the kernels, and the rule of each slot for people."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from gpkit.games.dots_and_boxes.learner.kernel.arrays import Population
from gpkit.genomes.graph import NamedRule, Rule, RuleList
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
            ordered=np.zeros(slots, dtype=np.bool_),
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

    @property
    def has_room(self) -> bool:
        """Whether there is a free slot."""
        return bool(self.free)

    def live(self) -> NDArray[np.int64]:
        """The slots that have a rule, ascending."""
        return np.flatnonzero(self._taken)

    def place(self, rule: Rule) -> int:
        """Put a rule of level 0 and of at most ``BOXES`` nodes into a free slot, where nothing finds it yet."""
        assert rule not in self and rule.level == 0, "each rule is there once, and of level 0"
        slot = self.free.pop()
        self.arrays.searches[slot], self.arrays.signatures[:, slot] = prepared(rule)
        self.rules[slot] = rule
        self._slots[rule] = slot
        self._taken[slot] = True
        return slot

    def announce(self, slot: int, quality: float, access: float, uses: int) -> None:
        """Let the rule of a slot take part, with what is known of it."""
        self.arrays.quality[slot] = quality
        self.arrays.access[slot] = access
        self.arrays.uses[slot] = uses
        self._note(slot)

    def remove(self, slot: int) -> None:
        """Take a rule out."""
        rule = self.rules[slot]
        assert rule is not None, "the slot has a rule"
        del self._slots[rule]
        self._taken[slot] = False
        self.rules[slot] = None
        self.arrays.searches[slot] = 0
        for column in (self.arrays.quality, self.arrays.access, self.arrays.uses, self.arrays.ordered):
            column[slot] = 0
        self.free.append(slot)
        self._note(slot)

    def _note(self, slot: int) -> None:
        changes = self.arrays.changes
        changes[1 + changes[0] % RING] = slot
        changes[0] += 1
        self.arrays.stamps[slot] = changes[0]

    def named(self) -> Iterator[NamedRule]:
        """The rules by quality, of equal ones that of the lower slot first, with what was learned of each."""
        quality, access = self.arrays.quality, self.arrays.access
        for slot in sorted(self.live().tolist(), key=lambda slot: (-quality[slot], slot)):
            rule = self.rules[slot]
            assert rule is not None, "the slot has a rule"
            yield NamedRule(rule, q=float(quality[slot]), f=float(access[slot]))

    def as_list(self) -> RuleList:
        """The rules by quality: the first that matches is the one that the greedy player follows."""
        return RuleList(tuple(self.named()))


def prepared(rule: Rule) -> tuple[NDArray[np.int16], NDArray[np.uint64]]:
    """The search and the signature of a rule, as the kernels read them."""
    return simple_search(rule, BOXES), np.array(signature(rule.graph), dtype=np.uint64)

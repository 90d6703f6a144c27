"""Tables that the kernels of the learner read and write, in named groups of arrays."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.games.dots_and_boxes.kernel.classes import Classes
from gpkit.games.dots_and_boxes.kernel.positions import Graphs


class Environment(NamedTuple):
    """The game on its classes, and an opponent: what follows upon each edge, and what the opponent draws.

    Attributes:
        classes: of the board.
        worth: int8 (classes, edges): what drawing an edge is worth to whoever draws it; but for controls the boxes
            that it closes.
        replies: int64 (classes,): by class the mask of the edges among which the opponent chooses.
    """

    classes: Classes
    worth: NDArray[np.int8]
    replies: NDArray[np.int64]


class Population(NamedTuple):
    """The rules, each in a slot; a slot without a rule has an empty search.

    Attributes:
        searches: int16 (slots, PLACES + PLACE · places): as the plan's ``imaging``.
        signatures: uint64 (WORDS, slots).
        quality: float64 (slots,): the Q of each.
        access: float64 (slots,): the f of each.
        uses: int64 (slots,): from how many games or positions its Q was learned.
        changes: int64 (1 + rows,): how many changes of slots there were so far, and the slots of the last ones, in a
            ring.
        stamps: int64 (slots,): how many changes there were after the last one of each slot.
    """

    searches: NDArray[np.int16]
    signatures: NDArray[np.uint64]
    quality: NDArray[np.float64]
    access: NDArray[np.float64]
    uses: NDArray[np.int64]
    changes: NDArray[np.int64]
    stamps: NDArray[np.int64]


class Memory(NamedTuple):
    """Memory of which rules match in classes that were met, brought up to date when a class is met again.

    A rule is tried in a class when it is asked for, so of some it is not known yet whether they match.

    Attributes:
        matching: uint32 (classes, words of ``IN_WORD`` bits): a bit for each slot whose rule is known to match in a
            class.
        pending: uint32, of the same shape: a bit for each slot whose rule was not tried in the class yet.
        counts: int64 (classes,): how many rules are known to match.
        seen: int64 (classes,): how many changes of slots each row knows of; −1 for a class never met.
        ranked: int64 (1,), scratch.
        domains, stack: uint64, scratch of the matcher.
    """

    matching: NDArray[np.uint32]
    pending: NDArray[np.uint32]
    counts: NDArray[np.int64]
    seen: NDArray[np.int64]
    ranked: NDArray[np.int64]
    domains: NDArray[np.uint64]
    stack: NDArray[np.uint64]


NEVER = -1
"""Instead of a count of changes: a class that was never met."""

IN_WORD = 32
"""Bits of a word of ``matching``."""

NO_SLOT = -1
"""Instead of a slot: there is none."""


class Critic(NamedTuple):
    """Critic: estimated values of classes, the boxes that the learner gets from here on, less the opponent's.

    Attributes:
        own: float64 (classes,): where the learner is to draw, if it draws what is best as far as is known.
        other: float64 (classes,): where the opponent is to draw: the average of what came of it.
        met: int64 (classes,): how often ``other`` was learned.
    """

    own: NDArray[np.float64]
    other: NDArray[np.float64]
    met: NDArray[np.int64]


class Record(NamedTuple):
    """Record of a batch of games.

    Attributes:
        decisions: int32 (rows, DECISION): those of the learner in the batch.
        drawn: int32 (edges, DRAWN): all edges of the game that is being played.
        totals: float64 (TOTALS,): sums over all games.
        best: int64 (best,), scratch: the rules among which a choice is made.
    """

    decisions: NDArray[np.int32]
    drawn: NDArray[np.int32]
    totals: NDArray[np.float64]
    best: NDArray[np.int64]


AT_CLASS, AT_SLOT, AT_EDGE, AT_WANTED, DECISION = range(5)
"""Columns of decisions: the class, the slot of the rule that acted or ``UNGUIDED``, the edge that was drawn, and the
edge for which a new rule is asked for or ``NOTHING``."""

UNGUIDED, NOTHING = -1, -1

DRAWN_CLASS, DRAWN_EDGE, DRAWN_DECISION, DRAWN = range(4)
"""Columns of drawn edges: the class in which one was drawn, the edge, the row of the learner's decision or
``BY_OPPONENT``."""

BY_OPPONENT = -1

GAMES, WINS, REWARDS, DECISIONS, GUIDED, USED, IN_BATCH, TOTALS = range(8)
"""Totals: games, wins (a tie is half of one), the sum of rewards, decisions, those by rules, the sum over games of how
many different rules acted, and decisions of this batch."""

SCORE, COMBINED, ADVANTAGE = range(3)
USE, GAIN = range(2)
"""The words of the configuration's ``measure`` and ``access``."""


class KernelSettings(NamedTuple):
    """The numbers of a configuration that the kernels read; see ``gpkit.games.dots_and_boxes.learner.config``."""

    rate: float
    forgetting: float
    few: int
    covering: float
    fault: float
    mending: float
    exploration: float
    judging: float
    prior: int
    measure: int
    access: int


class World(NamedTuple):
    """All that a learner plays with, and what it knows.

    Attributes:
        settings: of the learner.
        environment: the opponent's.
        graphs: those of all classes, see ``gpkit.games.dots_and_boxes.kernel.positions``.
        population, memory, critic, record: changed.
    """

    settings: KernelSettings
    environment: Environment
    graphs: Graphs
    population: Population
    memory: Memory
    critic: Critic
    record: Record

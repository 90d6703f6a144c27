"""Lists of all fleets that agree with the facts, and rollouts over them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpkit.games.battleship.belief.facts import Facts, bits_of, geometry, question_of, stack_of, zeros
from gpkit.games.battleship.kernel.counting import WORD, list_fleets
from gpkit.games.battleship.kernel.rollouts import (
    FIRST_SUNK,
    HIT,
    Candidates,
    FleetTable,
    Nodes,
    compare_rollouts,
)

MOST_SQUARES = 2 * WORD
"""Rollouts take so many squares that may hold a ship."""


@dataclass(frozen=True, slots=True)
class RolloutStage:
    """Rollouts once there are few fleets.

    Attributes:
        fleets: that may be left at most.
        squares: that are compared, the likeliest.
        margin: their chances are at most so much below the best.
        nested: whether rollouts follow rollouts, and not greedy shots.
        sample: fleets of a longer list over which rollouts are taken, spread evenly over it.
    """

    fleets: int
    squares: int = 6
    margin: float = 0.1
    nested: bool = False
    sample: int = 3_000


@dataclass(frozen=True, slots=True)
class RolloutResult:
    """Squares compared by rollouts.

    Attributes:
        squares: of the most likely ones, the best first.
        misses: int64 (squares,): the shots that would miss, summed over all fleets; exact for the best square, and for
            another one perhaps too few, but more than that.
    """

    squares: tuple[int, ...]
    misses: NDArray[np.int64]

    @property
    def best(self) -> int:
        """The square with the fewest misses, the likelier one of equals."""
        return self.squares[int(np.argmin(self.misses))]


def fleets_of(facts: Facts, room: int) -> NDArray[np.int64]:
    """The fleets that agree with some facts, as far as there is room.

    Returns:
        int64 (fleets, ships): numbers of placements, see ``facts.Geometry``; ships that sank come first.
    """
    found = np.empty((room, len(facts.rules.fleet)), dtype=np.int64)
    count = list_fleets(geometry(facts.rules).ships, question_of(facts), stack_of(facts.rules), found)
    return found[:count]


def compare(fleets: NDArray[np.int64], facts: Facts, stage: RolloutStage) -> RolloutResult | None:
    """Compare the likeliest squares by rollouts.

    Args:
        fleets: int64 (fleets, ships): numbers of placements.
        facts: with which they agree.
        stage: which squares are compared, and how.

    Returns:
        None if there are too many squares on which a ship may lie.
    """
    board = geometry(facts.rules)
    fleets = fleets[:: -(-len(fleets) // stage.sample)]
    unshot = np.array(facts.unshot)
    used = np.zeros(len(board.sizes), dtype=np.bool_)
    used[fleets] = True
    live = unshot[board.covers[used][:, unshot].any(axis=0)]
    if len(live) > MOST_SQUARES:
        return None
    covers = np.zeros((len(board.sizes), MOST_SQUARES), dtype=np.bool_)
    covers[:, : len(live)] = board.covers[:, live]
    bits = bits_of(covers)[fleets]
    afloat = (bits != 0).any(axis=(0, 2))
    told = answers_of(facts)
    table = FleetTable(
        np.bitwise_or.reduce(bits, axis=1),
        np.ascontiguousarray(bits[:, afloat]),
        np.ascontiguousarray(told[board.sizes[fleets[:, afloat]]]),
        np.arange(len(fleets)),
        zeros(len(fleets)),
        zeros(len(fleets)),
        zeros(int(told.max()) + 2),
    )
    # as many nodes as there can be at once: a split leaves at most one for each answer
    room = min(len(fleets), len(live) * len(table.ends)) + 2
    nodes = [
        Nodes(zeros(room), zeros(room), zeros(room, 2), np.zeros((room, len(live)), dtype=np.int32))
        for _ in range(3)
    ]
    nodes[0].unshot[0] = bits_of(np.arange(MOST_SQUARES) < len(live))
    candidates = tuple(Candidates(zeros(stage.squares), stage.margin) for _ in range(2))
    misses = zeros(stage.squares)
    found = compare_rollouts(stage.nested, table, *nodes, candidates, misses)
    return RolloutResult(tuple(live[candidates[0].squares[:found]].tolist()), misses[:found])


def answers_of(facts: Facts) -> NDArray[np.int64]:
    """The answer when a ship of each length sinks: int64 (longest + 1,)."""
    lengths = sorted(set(facts.rules.fleet))
    answers = np.full(lengths[-1] + 1, HIT)
    for place, length in enumerate(lengths):
        if facts.rules.announce != "hit":
            answers[length] = FIRST_SUNK + (place if facts.rules.announce == "ship" else 0)
    return answers

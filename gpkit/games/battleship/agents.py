"""The Monte Carlo agent for Battleships, which samples fleets, and a reference agent by the same authors.

The authors describe the sampler in section III of their paper. ``kernel.samples`` implements it in compiled code, and
``gpkit_experiments.readable.battleship`` in plain Python. The sampler places the longest ships first. For each ship
length, the sampler keeps a list of valid locations. The sampler picks at random from the locations that cover the most
hits. If a location conflicts with earlier ships, the sampler removes it from the list. The next ship of the same length
inherits the reduced list. If the list is empty, the sampler backtracks to the previous ship: it removes that ship's
location from its list and restores the lists of later ships. The paper leaves three points open. In this
implementation, hits on sunk ships also count, because no announcement says which ship sank. After backtracking to a
ship, the sampler does not try the ship's old location again. The sampler gives up on a sample after backtracking
``BACKTRACKS`` times.

The reference agent (section IV) shoots along the diagonals of a pattern database, one colour after another, and then at
random squares in the gaps. Once it has found a ship, it shoots at all squares beside its hits until the ship has sunk.
Figure 2 of the paper does not define the exact squares of the database. In this implementation, rising diagonals are
counted from the longest one, and of every four, the first is green, the second is red, the third is blue, and the
fourth is a gap.
"""

from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Floats, Ints
from gpkit.games.battleship.aiming import squares_beside
from gpkit.games.battleship.arena import rules_vector
from gpkit.games.battleship.kernel import samples as at
from gpkit.games.battleship.rules import BattleshipRules, Board, announced, surroundings
from gpkit.vm.keyed import keyed_uniform_readable

BACKTRACKS = 100
"""The maximum number of times that the sampler backtracks in one sample."""


@dataclass(frozen=True, slots=True)
class Method:
    """An interpretation of the paper's sampler.

    Attributes:
        touching: whether samples follow the rule that ships may not touch, if the game has that rule. Samples that
            ignore this rule come closer to the paper's results.
        hits: with ``preferred``, the sampler tries the locations that cover the most hits first, but a sample may leave
            hits uncovered. With ``required``, every sample covers all hits. A location beside a hit is then invalid if
            no other ship could cover the hit. A list of locations counts as empty if the later ships are too short to
            cover the remaining hits.
    """

    touching: Literal["observed", "ignored"] = "observed"
    hits: Literal["preferred", "required"] = "preferred"

    def room(self, rules: BattleshipRules) -> BattleshipRules:
        """The rules that the samples follow."""
        return rules if self.touching == "observed" else replace(rules, touch=True)


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of samples by outcome.

    Attributes:
        drawn: the total number of samples.
        inconsistent: the number of samples that leave a hit uncovered.
        dropped: the number of abandoned samples.
        popped: the number of times that the sampler backtracked.
    """

    drawn: int = 0
    inconsistent: int = 0
    dropped: int = 0
    popped: int = 0


def next_shot(
    known: NDArray[np.int8], turn: int, method: Method, rules: BattleshipRules, number: int, key: int
) -> tuple[int, Ints, Tally]:
    """The square with the most votes; the votes for each square, int64 (squares,); and the counts of samples.

    Args:
        known: int8 (squares,): the kernel's ``UNSHOT``, ``MISS`` or ``HIT``.
        turn: the number of turns taken so far.
        method: the interpretation of the paper.
        rules: the board and the fleet.
        number: the number of samples.
        key: the key of the player's shots, 26 bits.
    """
    scratch = scratch_of(rules)
    tally = np.zeros(at.COUNTS, np.int64)
    nothing = np.zeros(rules.squares, np.int8)
    _, square = at.shoot(
        nothing, known.copy(), plan_of(method, rules, number, key), turn, turn + 1, scratch, tally
    )
    return int(square), scratch[-1], Tally(*tally.tolist())


def plan_of(method: Method, rules: BattleshipRules, number: int, key: int) -> at.Plan:
    """The plan for the kernel; ``next_shot`` explains the arguments."""
    return at.Plan(rules_vector(method.room(rules)), method.hits == "required", number, BACKTRACKS, key)


def scratch_of(rules: BattleshipRules) -> tuple[Ints, ...]:
    """Scratch arrays for the sampler, which ``kernel.samples.shoot`` explains.

    Returns:
        int16 (lengths, 2 · squares), int64 (lengths, longest + 2), int16 (ships, 2 · squares), int64 (FACTS, ships),
        int16 (squares,), and int64 (squares,).
    """
    lengths, ships, locations = len(set(rules.fleet)), len(rules.fleet), 2 * rules.squares
    return (
        np.empty((lengths, locations), np.int16),
        np.empty((lengths, max(rules.fleet) + 2), np.int64),
        np.empty((ships, locations), np.int16),
        np.empty((at.FACTS, ships), np.int64),
        np.empty(rules.squares, np.int16),
        np.empty(rules.squares, np.int64),
    )


SAMPLES = 100
"""The default number of samples for each turn, which is the larger of the two numbers in the paper."""


@dataclass(frozen=True, slots=True)
class SamplingAgent:
    """An agent that samples fleets consistent with its shots.

    Attributes:
        method: the interpretation of the paper.
    """

    method: Method = field(default_factory=Method)

    def chances(self, board: Board, number: int, key: int) -> Floats:
        """The share of samples with a ship on each square, or 0 or 1 if the square is known: float64 (squares,).

        If the sampler gave up on every sample, all unshot squares have the same chance: the number of ship squares
        left, divided by the number of unshot squares.
        """
        return self.consider(board, number, key)[1]

    def consider(self, board: Board, number: int, key: int) -> tuple[int, Floats]:
        """The square with the most votes, and ``chances``, float64 (squares,).

        ``number`` is the number of samples, where 0 means ``SAMPLES``.
        """
        known = np.array([_NUMBERS[known] for known in board.known], dtype=np.int8)
        square, votes, tally = next_shot(known, board.turns, self.method, board.rules, number or SAMPLES, key)
        complete = tally.drawn - tally.dropped
        if complete:
            shares = votes / complete
        else:
            left = sum(board.rules.fleet) - int((known == at.HIT).sum())
            shares = np.full(len(known), left / max(int((known == at.UNSHOT).sum()), 1))
        return square, np.where(known == at.UNSHOT, np.minimum(shares, 1.0), known == at.HIT)


_NUMBERS = {"unshot": at.UNSHOT, "miss": at.MISS, "open": at.HIT, "sunk": at.HIT}
"""The kernel's codes for the shooter's knowledge of a square."""

MCS = SamplingAgent()
"""The paper's agent, with samples that observe the rules."""

FLAWED = SamplingAgent(Method(touching="ignored"))
"""The paper's agent, with samples in which ships may touch; its strength is closer to the published one."""

MENDED = SamplingAgent(Method(hits="required"))
"""The improved agent that the paper proposes: no sample leaves a hit uncovered."""


COLOURS = (0, 2, 1)
"""The diagonals of each colour (green, blue and red), counted from the longest, modulo ``PERIOD``."""

PERIOD = 4


@dataclass(frozen=True, slots=True)
class ReferenceAgent:
    """An agent that searches along a pattern database and shoots around its hits.

    Attributes:
        told: the way in which the agent uses announcements of sunk ships. With ``hits``, the agent ignores them. With
            ``sinkings``, the agent stops shooting around a sunk ship. With ``halo``, it also rules out all squares
            beside the sunk ship if ships may not touch.
    """

    told: Literal["hits", "sinkings", "halo"] = "sinkings"

    def _shot(self, board: Board, key: int) -> int:
        """The next square beside a hit (earlier hits first), or else one from the database, or else a random gap."""
        done = finished(board) if self.told != "hits" else frozenset()
        barred = surroundings(sorted(done), board.rules) if self.told == "halo" else frozenset()
        is_open = [known == "unshot" and square not in barred for square, known in enumerate(board.known)]
        hits = [shot.square for shot in board.shots if shot.hit and shot.square not in done]
        near = chain.from_iterable(squares_beside(hit, board.rules) for hit in hits)
        for square in (*near, *database(board.rules.width, board.rules.height)):
            if is_open[square]:
                return square
        gaps = [square for square, free in enumerate(is_open) if free]
        gaps = gaps or [square for square, known in enumerate(board.known) if known == "unshot"]
        return gaps[int(keyed_uniform_readable(key, board.turns, 0) * len(gaps))]

    def chances(self, board: Board, number: int, key: int) -> Floats:
        """Equal chances for all unshot squares, because the agent does not estimate chances: float64 (squares,)."""
        known = np.array(board.known)
        hits = (known == "open") | (known == "sunk")
        unshot = known == "unshot"
        share = (sum(board.rules.fleet) - hits.sum()) / max(unshot.sum(), 1)
        return np.asarray(np.where(unshot, share, hits.astype(float)))

    def consider(self, board: Board, number: int, key: int) -> tuple[int, Floats]:
        """The square to shoot at, and ``chances``, float64 (squares,); the agent does not use the chances itself."""
        return self._shot(board, key), self.chances(board, number, key)


def finished(board: Board) -> frozenset[int]:
    """The hits on ships that the shooter believes are sunk; it does not shoot around these hits.

    If the announcement names the sunk ship, the result contains the ship's squares. If the announcement only reports
    that a ship sank, the result contains all hits connected to the shot that sank it.
    """
    if board.rules.announce == "ship":
        return frozenset(square for square, known in enumerate(board.known) if known == "sunk")
    found: set[int] = set()
    hits: set[int] = set()
    for shot in board.shots:
        if shot.hit:
            hits.add(shot.square)
            if announced(shot, board.rules) is not None:
                found |= _together(shot.square, hits, board.rules)
    return frozenset(found)


def _together(square: int, hits: set[int], rules: BattleshipRules) -> set[int]:
    """The hits that are connected to a hit through neighbouring squares."""
    found, edge = {square}, [square]
    while edge:
        beside = [each for each in squares_beside(edge.pop(), rules) if each in hits and each not in found]
        found.update(beside)
        edge += beside
    return found


@lru_cache(maxsize=64)
def database(width: int, height: int) -> tuple[int, ...]:
    """The squares of the pattern database, ordered by colour and diagonal.

    >>> database(3, 3)
    (2, 4, 6, 0, 8, 5, 7)
    """
    longest = (width + height - 2) // 2
    sums = range(width + height - 1)
    diagonals = [each for colour in COLOURS for each in sums if (each - longest) % PERIOD == colour]
    places = ((row, each - row) for each in diagonals for row in range(height))
    return tuple(row * width + column for row, column in places if 0 <= column < width)


REFERENCE = ReferenceAgent()
"""The paper's reference agent, which shoots around a ship until the ship has sunk."""

HITS_ALONE = ReferenceAgent("hits")
"""The reference agent for rules that do not announce when a ship sinks."""

HALO = ReferenceAgent("halo")
"""The reference agent with the knowledge that no ship lies beside a sunk ship."""

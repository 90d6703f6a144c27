"""The belief-state agent: it samples fleets from what it knows, and shoots where most samples have a part of a ship.

Fleets are sampled as the authors of the Monte Carlo agent for Battleships describe it (section III), compiled
(``kernel.samples``); ``gpkit_experiments.readable.sampler`` says the same in plain Python. Ships are laid from the
longest on. Each length has a list of valid locations; one is drawn from those in it that cover the most hits. A
location that conflicts with the ships before is removed from the list, which the next ship of this length takes over.
If the list is empty, the last ship is taken up again: its location is removed from its own list, and those of the ships
after it are as they were. The source leaves open three things, read here as follows: hits are all hits on the board, as
nobody tells which ship sank; a ship that is taken up again does not lie down where it lay; and a sample in which ships
were taken up ``BACKTRACKS`` times is given up.
"""

from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.games.battleship.arena import rules_vector
from gpkit.games.battleship.kernel import samples as at
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.rules import Board

BACKTRACKS = 100
"""Ships that are taken up again in one sample, at most."""


@dataclass(frozen=True, slots=True)
class Method:
    """Readings of the sampler.

    Attributes:
        touching: whether samples observe that ships may not touch, where the rules say so. That they ignore it gives
            the level that the source has published.
        hits: ``preferred``: the locations that cover the most hits come first, and a sample may leave hits out;
            ``required``: no sample leaves one out. A location beside a hit, which no other ship could cover, is not
            valid then, and a list is empty where the ships after it are too short for the hits that would be left.
    """

    touching: Literal["observed", "ignored"] = "observed"
    hits: Literal["preferred", "required"] = "preferred"

    def room(self, rules: Rules) -> Rules:
        """The rules as samples observe them."""
        return rules if self.touching == "observed" else replace(rules, touch=True)


@dataclass(frozen=True, slots=True)
class Tally:
    """Samples by what became of them.

    Attributes:
        drawn: all of them.
        inconsistent: those that leave a hit out.
        dropped: those that were given up.
        popped: how often a ship was taken up again.
    """

    drawn: int = 0
    inconsistent: int = 0
    dropped: int = 0
    popped: int = 0


class SampledShot(NamedTuple):
    """A shot: the square, by square the votes for it, and the samples drawn."""

    square: int
    votes: NDArray[np.int64]
    tally: Tally


def next_shot(
    known: NDArray[np.int8], turn: int, method: Method, rules: Rules, number: int, key: int
) -> SampledShot:
    """The square that the samples name.

    Args:
        known: int8 (squares,): ``UNSHOT``, ``MISS`` or ``HIT`` of the kernel.
        turn: the turns taken.
        method: how the source is read.
        rules: the board and the fleet.
        number: of samples.
        key: of the player's shots, 26 bits.
    """
    scratch = scratch_of(rules)
    tally = np.zeros(at.COUNTS, np.int64)
    nothing = np.zeros(rules.squares, np.int8)
    plan = plan_of(method, rules, number, key)
    _, square = at.shoot(nothing, known.copy(), plan, turn, turn + 1, scratch, tally)
    return SampledShot(int(square), scratch.votes, Tally(*tally.tolist()))


def plan_of(method: Method, rules: Rules, number: int, key: int) -> at.Plan:
    """The plan of the kernel; arguments as of ``next_shot``."""
    return at.Plan(rules_vector(method.room(rules)), method.hits == "required", number, BACKTRACKS, key)


def scratch_of(rules: Rules) -> at.SampleScratch:
    """Scratch arrays of samples."""
    lengths, ships, locations = len(set(rules.fleet)), len(rules.fleet), 2 * rules.squares
    return at.SampleScratch(
        np.empty((lengths, locations), np.int16),
        np.empty((lengths, max(rules.fleet) + 2), np.int64),
        np.empty((ships, locations), np.int16),
        np.empty((at.FACTS, ships), np.int64),
        np.empty(rules.squares, np.int16),
        np.empty(rules.squares, np.int64),
    )


SAMPLES = 100
"""Samples at each turn, if nothing is said: the larger number of the source."""


@dataclass(frozen=True, slots=True)
class SamplingAgent:
    """Agent that samples what its shots have told it.

    Attributes:
        method: how the source is read.
    """

    method: Method = field(default_factory=Method)

    def chances(self, board: Board, number: int, key: int) -> NDArray[np.float64]:
        """By square the share of samples with a ship there, 0 or 1 where it is known: float64 (squares,).

        If all samples were given up, it is the share of unshot squares that must be of ships.
        """
        return self.consider(board, number, key)[1]

    def consider(self, board: Board, number: int, key: int) -> tuple[int, NDArray[np.float64]]:
        """The square with most votes of ``number`` samples (0: ``SAMPLES``), and ``chances``, float64 (squares,)."""
        known = np.array([_NUMBERS[known] for known in board.known], dtype=np.int8)
        shot = next_shot(known, board.turns, self.method, board.rules, number or SAMPLES, key)
        complete = shot.tally.drawn - shot.tally.dropped
        if complete:
            shares = shot.votes / complete
        else:
            left = sum(board.rules.fleet) - int((known == at.HIT).sum())
            shares = np.full(len(known), left / max(int((known == at.UNSHOT).sum()), 1))
        return shot.square, np.where(known == at.UNSHOT, np.minimum(shares, 1.0), known == at.HIT)


_NUMBERS = {"unshot": at.UNSHOT, "miss": at.MISS, "open": at.HIT, "sunk": at.HIT}
"""Knowledge of squares, as the kernel reads it."""

MCS = SamplingAgent()
"""The source's agent, with samples that observe the rules."""

FLAWED = SamplingAgent(Method(touching="ignored"))
"""The source's agent, nearer to what it has published."""

MENDED = SamplingAgent(Method(hits="required"))
"""The agent that the source wishes for: no sample leaves a hit out."""

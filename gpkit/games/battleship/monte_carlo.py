"""The belief-state agent: it samples fleets from what it knows, and shoots where most samples have a part of a ship.

Fleets are sampled as the authors of the Monte Carlo agent for Battleships describe it (section III); the functions up
to ``most_votes`` say so in plain Python, and ``kernel/samples.py`` is the compiled twin. Ships are laid from the
longest on. Each length has a list of valid locations; one is drawn from those in it that cover the most hits. A
location that conflicts with the ships before is removed from the list, which the next ship of this length takes over.
If the list is empty, the last ship is taken up again: its location is removed from its own list, and those of the ships
after it are as they were. The source leaves open three things, read here as follows: hits are all hits on the board, as
nobody tells which ship sank; a ship that is taken up again does not lie down where it lay; and a sample in which ships
were taken up ``BACKTRACKS`` times is given up.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.rng import Draws
from gpkit.games.battleship.fleets import (
    Placements,
    fleet_squares,
    is_on_board,
    squares_of,
    surroundings,
)
from gpkit.games.battleship.kernel import samples as at
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.rules import Board
from gpkit.vm.keyed import HALF, KeyedDraws, keyed_uniform_readable, keyed_word_readable

BACKTRACKS = 100
"""Ships that are taken up again in one sample, at most."""

Known = Literal["unshot", "miss", "hit"]
"""Knowledge of a square by a player who is not told which ship sank."""


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
class FleetSample:
    """A fleet drawn from the belief state.

    Attributes:
        fleet: its placements; None if it was given up.
        popped: how often a ship was taken up again.
    """

    fleet: Placements | None
    popped: int


def draws_of(key: int, turn: int, number: int) -> KeyedDraws:
    """The random numbers of a sample.

    Args:
        key: of the player's shots, 26 bits.
        turn: the turns taken.
        number: of the sample.
    """
    word = keyed_word_readable(key, turn, number)
    return KeyedDraws(word // HALF, word % HALF)


def draw_sample(rng: Draws, known: Sequence[Known], method: Method, rules: Rules) -> FleetSample:
    """Draw one fleet.

    Args:
        rng: of the sample.
        known: by square.
        method: how the source is read.
        rules: the board and the fleet.
    """
    room = method.room(rules)
    hits = known.count("hit")
    lists = [_valid_locations(rules.fleet[0], known, method, room)]
    fleet: list[int] = []
    covered = [0]
    popped = 0
    while len(fleet) < len(rules.fleet):
        ship = len(fleet)
        mine = lists[-1]
        rest = sum(rules.fleet[ship + 1 :])
        least = hits - covered[-1] - rest if method.hits == "required" else 0
        while mine and not mine[-1]:
            mine.pop()
        if not mine or len(mine) - 1 < least:
            if ship == 0 or popped == BACKTRACKS:
                return FleetSample(None, popped)
            lists.pop()
            covered.pop()
            popped += 1
            _remove(lists[-1][-1], lists[-1][-1].index(fleet.pop()))
            continue
        place = int(rng.random() * len(mine[-1]))
        location = mine[-1][place]
        around = surroundings(squares_of(location, rules.fleet[ship], rules), room)
        if around & fleet_squares(fleet, rules):
            _remove(mine[-1], place)
            continue
        fleet.append(location)
        if ship + 1 < len(rules.fleet):
            length = rules.fleet[ship + 1]
            same = length == rules.fleet[ship]
            lists.append([*map(list, mine)] if same else _valid_locations(length, known, method, room))
            covered.append(covered[-1] + len(mine) - 1)
    return FleetSample(tuple(fleet), popped)


def _valid_locations(length: int, known: Sequence[Known], method: Method, room: Rules) -> list[list[int]]:
    """The locations of a ship that cover no miss, by the number of hits that they cover."""
    lists: list[list[int]] = [[] for _ in range(length + 1)]
    for location in range(2 * room.squares):
        if not is_on_board(location, length, room) or (length == 1 and location & 1):
            continue
        squares = squares_of(location, length, room)
        found = [known[square] for square in squares]
        around = sum(known[square] == "hit" for square in surroundings(squares, room))
        if "miss" in found or (method.hits == "required" and around > found.count("hit")):
            continue
        lists[found.count("hit")].append(location)
    return lists


def _remove(locations: list[int], place: int) -> None:
    """Remove a location; the last one takes its place."""
    last = locations.pop()
    if place < len(locations):
        locations[place] = last


@dataclass(frozen=True, slots=True)
class Votes:
    """Votes of samples.

    Attributes:
        squares: by square the samples that have a ship there.
        complete: the samples that were not given up.
        inconsistent: those of them that leave a hit out.
        popped: how often a ship was taken up again, in all samples.
    """

    squares: tuple[int, ...]
    complete: int
    inconsistent: int
    popped: int


def votes_readable(
    known: Sequence[Known], method: Method, rules: Rules, number: int, key: int, turn: int
) -> Votes:
    """The votes of ``number`` samples at a turn, of which each has its own random numbers."""
    hits = {square for square, what in enumerate(known) if what == "hit"}
    votes = [0] * rules.squares
    complete = inconsistent = popped = 0
    for each in range(number):
        sample = draw_sample(draws_of(key, turn, each), known, method, rules)
        popped += sample.popped
        if sample.fleet is not None:
            squares = fleet_squares(sample.fleet, rules)
            complete += 1
            inconsistent += not hits <= squares
            for ship, length in zip(sample.fleet, rules.fleet, strict=True):
                for square in squares_of(ship, length, rules):
                    votes[square] += 1
    return Votes(tuple(votes), complete, inconsistent, popped)


def most_votes(votes: Sequence[int], known: Sequence[Known], key: int, turn: int) -> int:
    """The unshot square with most votes; of equals, which are frequent where samples are few, one drawn by the key."""
    unshot = [square for square, what in enumerate(known) if what == "unshot"]
    most = max(votes[square] for square in unshot)
    equal = [square for square in unshot if votes[square] == most]
    return equal[int(keyed_uniform_readable(key, turn, HALF - 1) * len(equal))]


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

    @property
    def share_inconsistent(self) -> float:
        """Share of samples that leave a hit out."""
        return self.inconsistent / max(self.drawn, 1)


class Cleared(NamedTuple):
    """Shots that a board took, and the samples drawn for them."""

    shots: int
    tally: Tally


class SampledShot(NamedTuple):
    """A shot: the square, by square the votes for it, and the samples drawn."""

    square: int
    votes: NDArray[np.int64]
    tally: Tally


def clear_board(fleet: Placements, method: Method, rules: Rules, number: int, key: int) -> Cleared:
    """Shoot at a fleet until the last of its squares is hit.

    Args:
        fleet: the placements of the ships.
        method: how the source is read.
        rules: the board and the fleet.
        number: of samples at each turn.
        key: of the player's shots, 26 bits.
    """
    board = np.zeros(rules.squares, np.int8)
    board[sorted(fleet_squares(fleet, rules))] = 1
    known = np.zeros(rules.squares, np.int8)
    tally = np.zeros(at.COUNTS, np.int64)
    plan = _plan(method, rules, number, key)
    shots, _ = at.shoot(board, known, plan, 0, rules.squares, _scratch(rules), tally)
    return Cleared(int(shots), Tally(*tally.tolist()))


def next_shot(
    known: NDArray[np.int8], turn: int, method: Method, rules: Rules, number: int, key: int
) -> SampledShot:
    """The square that the samples name.

    Args:
        known: int8 (squares,): ``UNSHOT``, ``MISS`` or ``HIT`` of the kernel.
        turn: the turns taken.
        method, rules, number, key: as of ``clear_board``.
    """
    scratch = _scratch(rules)
    tally = np.zeros(at.COUNTS, np.int64)
    nothing = np.zeros(rules.squares, np.int8)
    plan = _plan(method, rules, number, key)
    _, square = at.shoot(nothing, known.copy(), plan, turn, turn + 1, scratch, tally)
    return SampledShot(int(square), scratch.votes, Tally(*tally.tolist()))


def _plan(method: Method, rules: Rules, number: int, key: int) -> NDArray[np.int64]:
    plan = np.zeros(at.LENGTHS + len(rules.fleet), np.int64)
    plan[at.WIDTH], plan[at.HEIGHT] = rules.width, rules.height
    plan[at.APART] = not method.room(rules).touch
    plan[at.REQUIRED] = method.hits == "required"
    plan[at.SAMPLES], plan[at.BACKTRACKS], plan[at.KEY] = number, BACKTRACKS, key
    plan[at.LENGTHS :] = rules.fleet
    return plan


def _scratch(rules: Rules) -> at.SampleScratch:
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

    def choose(self, board: Board, number: int, key: int) -> int:
        """The unshot square with most votes of ``number`` samples, 0 for ``SAMPLES``."""
        return self._shot(board, number, key).square

    def chances(self, board: Board, number: int, key: int) -> NDArray[np.float64]:
        """By square the share of samples with a ship there, 0 or 1 where it is known: float64 (squares,).

        If all samples were given up, it is the share of unshot squares that must be of ships.
        """
        return _chances(board, self._shot(board, number, key))

    def consider(self, board: Board, number: int, key: int) -> tuple[int, NDArray[np.float64]]:
        """The square and the shares, of the same samples."""
        shot = self._shot(board, number, key)
        return shot.square, _chances(board, shot)

    def _shot(self, board: Board, number: int, key: int) -> SampledShot:
        return next_shot(_known(board), board.turns, self.method, board.rules, number or SAMPLES, key)


def _chances(board: Board, shot: SampledShot) -> NDArray[np.float64]:
    known = _known(board)
    complete = shot.tally.drawn - shot.tally.dropped
    if complete:
        shares = shot.votes / complete
    else:
        left = sum(board.rules.fleet) - int((known == at.HIT).sum())
        shares = np.full(len(known), left / max(int((known == at.UNSHOT).sum()), 1))
    return np.where(known == at.UNSHOT, np.minimum(shares, 1.0), known == at.HIT)


def _known(board: Board) -> NDArray[np.int8]:
    """Knowledge of squares, as the kernel reads it: int8 (squares,)."""
    return np.array([_NUMBERS[known] for known in board.known], dtype=np.int8)


_NUMBERS = {"unshot": at.UNSHOT, "miss": at.MISS, "open": at.HIT, "sunk": at.HIT}

MCS = SamplingAgent()
"""The source's agent, with samples that observe the rules."""

FLAWED = SamplingAgent(Method(touching="ignored"))
"""The source's agent, nearer to what it has published."""

MENDED = SamplingAgent(Method(hits="required"))
"""The agent that the source wishes for: no sample leaves a hit out."""

"""The player ``belief``, which at first shoots at the likeliest square, and later compares squares by rollouts.

The player uses rollouts once so few fleets are left that it can list them all. On small boards, the player uses nested
rollouts earlier and plays optimally near the end.
"""

from dataclasses import dataclass, field, replace
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Flags, Floats, Ints
from gpkit.core.rng import stream
from gpkit.games.battleship.belief.posterior import (
    Facts,
    Posterior,
    PosteriorLimits,
    RolloutStage,
    answers_of,
    compare,
    fleets_of,
    geometry,
    posterior_of,
    zeros,
)
from gpkit.games.battleship.kernel.optimal_search import (
    FRAME,
    LANES,
    MOVE,
    NO_ROOM,
    PRIME,
    BeliefTable,
    FleetArrays,
    SearchStack,
    Sight,
    search,
)
from gpkit.games.battleship.rules import Board

MISS, HIT, SUNK = 0, 1, 2
"""Codes for the answers to a shot: ``SUNK`` and larger codes announce a sunk ship, by its length if lengths are
announced."""

ENOUGH = 1 << 15
"""A number larger than any number of fleets; counts of sequences are capped at it."""


class Best(NamedTuple):
    """The best shot for a belief.

    Attributes:
        square: the square to shoot at; ties go to the square found first.
        misses: the number of future misses, summed over the fleets of the belief.
    """

    square: int
    misses: int


def searched(problem: FleetArrays, shot: NDArray[np.int8], table: BeliefTable) -> Best | None:
    """The best shot if all fleets of a problem are equally likely, or None if the table is too small for the search.

    Args:
        problem: the fleets.
        shot: int8 (squares,): whether each square was shot; the search works on a copy.
        table: the beliefs seen so far with these tokens; the search adds further beliefs.
    """
    count, ships = problem.fleets.shape
    squares, depth = len(shot), len(shot) + 2
    answers = 1 + max(HIT, int(problem.answers.max()))

    stack = SearchStack(
        frames=zeros(depth, FRAME),
        members=np.zeros((depth, count), dtype=np.int16),
        moves=zeros(depth, squares, 2),
        groups=zeros(depth, answers + 1, 2),
        shot=shot.copy(),
    )
    sight = Sight(
        left=zeros(count, ships),
        counts=zeros(squares, answers),
        covered=zeros(squares),
        both=zeros(squares, squares),
        classes=zeros(squares),
        afloat=zeros(answers),
        seen=zeros(int(problem.unions.max()) + 1),
        row=zeros(squares),
        case=zeros(squares),
        sums=zeros(LANES),
        key=zeros(2),
    )
    misses = int(search(problem, stack, sight, table))
    return None if misses == NO_ROOM else Best(int(stack.frames[0, MOVE]), misses)


def table_of(places: int) -> BeliefTable:
    """An empty table with room for a number of beliefs, which must be a power of two; each belief takes 20 bytes."""
    return BeliefTable(zeros(places, 2), np.full(places, -1, dtype=np.int32), zeros(2))


def ways_of(hits: int, misses: int) -> Ints:
    """The number of answer sequences that end with a hit: int64 (hits + 1, misses + 1), capped at ``ENOUGH``."""
    rows = [[min(comb(m + h - 1, m), ENOUGH) for m in range(misses + 1)] for h in range(1, hits + 1)]
    return np.array([[1] + [0] * misses, *rows], dtype=np.int64)


def tokens_of(ships: NDArray[np.int16], answers: NDArray[np.int16], images: Ints) -> Ints:
    """The token of each part of each ship under each symmetry, as in ``FleetArrays``.

    A token depends on the squares and on the announcement when the ship sinks. If nothing is announced, the token is a
    product with one factor for each square. Random words are drawn for squares and announcements, and their sums are
    mixed (SplitMix64: Steele, Lea and Flood, 2014). This mixing makes the tokens of different squares practically
    independent.

    Args:
        ships: int16 (ships in places, longest): the squares of each ship, followed by −1.
        answers: int16 (ships in places,): the answers to the shots that sink them.
        images: int64 (symmetries, squares): the image of each square under each symmetry.
    """
    rng = stream(0, "beliefs")
    words = rng.integers(0, 1 << 63, size=(LANES, images.shape[1]), dtype=np.uint64)
    names = rng.integers(0, 1 << 63, size=(LANES, int(answers.max()) + 1), dtype=np.uint64)
    longest = ships.shape[1]
    parts = (np.arange(1 << longest)[:, None] >> np.arange(longest) & 1).astype(np.uint64)
    of_squares = np.moveaxis(words[:, images[:, ships]], 1, 0)
    sums = of_squares @ parts.T + names[:, answers][None, :, :, None]
    tokens = _mixed(sums)
    product = np.ones_like(tokens)
    for k in range(longest):
        product = product * np.where(parts[:, k] > 0, _mixed(of_squares[..., k, None]), 1) % PRIME
    return np.where((answers == HIT)[:, None], product, tokens)


def _mixed(words: NDArray[np.uint64]) -> Ints:
    """Pseudo-random numbers from 1 to PRIME − 1."""
    words = (words ^ words >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ words >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return ((words ^ words >> np.uint64(31)) % np.uint64(PRIME - 1)).astype(np.int64) + 1


MOST_FLEETS = 32_000
"""The maximum number of fleets for which the player can search for the best shot."""


def best_square(
    fleets: Ints,
    covers: Flags,
    answers: Ints,
    *,
    separable: bool,
    places: int,
) -> Best | None:
    """The best shot if these fleets are equally likely.

    Args:
        fleets: int64 (fleets, ships): the placement numbers of each fleet's ships, for at least two fleets.
        covers: bool (ships in places, squares): the unshot squares of each ship.
        answers: int64 (ships in places,): the answer to the shot that sinks each ship: ``HIT`` if nothing is announced;
            otherwise ``SUNK`` or a larger code, equal for ships with equal announcements.
        separable: whether ships may not touch or sinkings are not announced.
        places: the number of beliefs to remember, a power of two; the search visits about this many beliefs.

    Returns:
        The best square, or −1 if all ship squares are hit, and the number of future misses, summed over the fleets; or
        None if the search is too large.
    """
    fleets = fleets[np.lexsort(fleets.T[::-1])]
    used, places_of = np.unique(fleets, return_inverse=True)
    live = np.flatnonzero(covers[used].any(axis=0))
    if len(fleets) > MOST_FLEETS:
        return None
    if not len(live):
        return Best(-1, 0)
    left = covers[used][:, live]
    counts = left.sum(axis=1)
    # the squares of each ship, -1 after the last one
    ships = np.full((len(left), int(counts.max())), -1, dtype=np.int16)
    rows, squares = np.nonzero(left)
    ships[rows, np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)] = squares
    told = answers[used].astype(np.int16)
    numbers: NDArray[np.int16] = places_of.reshape(fleets.shape).astype(np.int16)
    unions = np.unique(left[numbers].any(axis=1), axis=0, return_inverse=True)[1]
    to_hit = int(left[numbers[0]].sum())
    problem = FleetArrays(
        numbers,
        ships,
        told,
        unions.reshape(-1).astype(np.int16),
        tokens_of(ships, told, np.arange(len(live))[None]),
        ways_of(to_hit, len(live)),
        np.array([separable], dtype=np.int64),
    )
    best = searched(problem, np.zeros(len(live), dtype=np.int8), table_of(places))
    return best and Best(int(live[best.square]), best.misses)


@dataclass(frozen=True, slots=True)
class SmallBoard:
    """The limits on the player's work on small boards.

    Attributes:
        squares: the maximum number of squares of a small board.
        stage: the settings for rollouts over all fleets.
        exact_fleets: the maximum number of fleets for which the player searches for an optimal shot.
        beliefs: the number of beliefs that the search for an optimal shot remembers, a power of two.
    """

    squares: int = 25
    stage: RolloutStage = field(
        default_factory=lambda: RolloutStage(1_000, squares=25, margin=1.0, nested=True)
    )
    exact_fleets: int = 100
    beliefs: int = 1 << 10


def shot_on_small_board(fleets: Ints, facts: Facts, small: SmallBoard) -> int | None:
    """The best square that the player can find, or None if there are too many fleets.

    Args:
        fleets: int64 (fleets, ships): all fleets that are consistent with the facts (at least two), as numbers of
            placements.
        facts: the shooter's knowledge.
        small: the limits.
    """
    if len(fleets) <= small.exact_fleets:
        board = geometry(facts.rules)
        unshot = np.zeros(facts.rules.squares, dtype=np.bool_)
        unshot[list(facts.unshot)] = True
        separable = not facts.rules.touch or facts.rules.announce == "hit"
        answers = answers_of(facts)[board.sizes]
        best = best_square(fleets, board.covers & unshot, answers, separable=separable, places=small.beliefs)
        if best is not None:
            return best.square
    found = compare(fleets, facts, small.stage) if len(fleets) <= small.stage.fleets else None
    return found.best if found is not None else None


@dataclass(frozen=True, slots=True)
class BeliefSettings:
    """The limits on the player's work before a shot.

    Attributes:
        effort: the limits on computing the posterior.
        stages: the settings for rollouts, in ascending order of the maximum number of fleets left. If more fleets are
            left, the player shoots at the likeliest square.
        small: the limits on small boards, or None to treat small boards like other boards.
    """

    effort: PosteriorLimits = field(default_factory=PosteriorLimits)
    stages: tuple[RolloutStage, ...] = (
        RolloutStage(100, squares=16, margin=0.4, nested=True),
        RolloutStage(300, squares=16, margin=0.4),
        RolloutStage(20_000, sample=20_000),
    )
    small: SmallBoard | None = field(default_factory=SmallBoard)

    def stage(self, fleets: float) -> RolloutStage | None:
        """The settings for rollouts with this number of fleets, or None if there are too many fleets."""
        return next((stage for stage in self.stages if fleets <= stage.fleets), None)


DEFAULT = BeliefSettings()

OPERATIONS_PER_MS = 500_000
SAMPLES_PER_MS = 150
NESTED_FLEETS_PER_MS, WIDE_FLEETS_PER_MS, SAMPLED_FLEETS_PER_MS, LISTED_FLEETS_PER_MS = 4, 100, 200, 2_000
"""Limits on work that takes at most half a millisecond on a 2.6 GHz core; a shot needs a count and possibly one of the
other computations."""

MOST_LISTED = 100_000
"""The maximum number of fleets to list, even if there is more time."""


def within(milliseconds: int) -> BeliefSettings:
    """The settings for a time limit per shot, which do not depend on the time actually used.

    The preparation for a count takes about a millisecond, so a shot with a limit of one millisecond may take two.
    """
    nested, wide, narrow = DEFAULT.stages
    sample = milliseconds * SAMPLED_FLEETS_PER_MS
    stages = (
        replace(nested, fleets=min(milliseconds * NESTED_FLEETS_PER_MS, MOST_LISTED)),
        replace(wide, fleets=min(milliseconds * WIDE_FLEETS_PER_MS, MOST_LISTED)),
        replace(narrow, fleets=min(milliseconds * LISTED_FLEETS_PER_MS, MOST_LISTED)),
    )
    return BeliefSettings(
        PosteriorLimits(milliseconds * OPERATIONS_PER_MS, milliseconds * SAMPLES_PER_MS),
        tuple(replace(stage, sample=sample) for stage in stages),
        small=None,
    )


def best_shot(belief: Posterior, facts: Facts, settings: BeliefSettings) -> int:
    """The shot for these facts and this posterior; at least one square must be unshot."""
    stage = settings.stage(belief.fleets) if belief.exact and belief.fleets > 1.0 else None
    if stage is not None:
        fleets = fleets_of(facts, int(belief.fleets))
        if settings.small is not None and facts.rules.squares <= settings.small.squares:
            square = shot_on_small_board(fleets, facts, settings.small)
            if square is not None:
                return square
        found = compare(fleets, facts, stage)
        if found is not None:
            return found.best
    unshot = np.array(facts.unshot)
    return int(unshot[np.argmax(belief.chances[unshot])])


@dataclass(frozen=True, slots=True)
class BeliefAgent:
    """The agent that chooses its shots by the posterior.

    Attributes:
        settings: the settings to use without a time limit.
    """

    settings: BeliefSettings = field(default_factory=BeliefSettings)

    def chances(self, board: Board, number: int, key: int) -> Floats:
        """The probability of a ship on each square, or 0 or 1 if the square is known: float64 (squares,)."""
        return posterior_of(Facts.of(board), key, self._settings(number).effort).chances

    def consider(self, board: Board, number: int, key: int) -> tuple[int, Floats]:
        """The square to shoot at and the probabilities, float64 (squares,); the posterior is computed once for both.

        ``number`` is the time limit in milliseconds; 0 means no limit.
        """
        facts, settings = Facts.of(board), self._settings(number)
        belief = posterior_of(facts, key, settings.effort)
        return best_shot(belief, facts, settings), belief.chances

    def _settings(self, number: int) -> BeliefSettings:
        return within(number) if number else self.settings


AGENT = BeliefAgent()

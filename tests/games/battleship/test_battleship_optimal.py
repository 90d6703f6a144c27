"""Optimal play on small boards: the compiled search against its definition, and against values known from elsewhere."""

import itertools
from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from kernel_marks import compiled_only

from gpkit.core.errors import UsageError
from gpkit.games.battleship.belief.player import MISS, best_square
from gpkit.games.battleship.rules import BattleshipRules
from gpkit_experiments.optimal_boards import (
    PossibleFleets,
    SearchMemory,
    expected_shots,
    fleets_of,
)

PLACES = 1 << 17

KNOWN = {
    ("3x3", "2,2"): Fraction(25, 4),
    ("3x4", "3,2"): Fraction(257, 34),
    ("4x4", "3"): Fraction(45, 8),
    ("4x4", "3,2"): Fraction(2311, 264),
    ("5x5", "2"): Fraction(41, 5),
}
"""Expected shots, computed independently."""

TINY = [
    {"board": board, "fleet": fleet, "touch": touch, "announce": announce}
    for board, fleet, touches in (
        ("2x3", "2,2", ("yes",)),
        ("3x3", "2,1", ("yes", "no")),
        ("2x4", "2,2,1", ("yes",)),
        ("3x3", "2,2", ("yes", "no")),
        ("3x3", "3,2", ("yes", "no")),
        ("3x4", "2", ("yes",)),
        ("3x3", "2,2,2", ("yes",)),
    )
    for touch in touches
    for announce in ("ship", "sunk", "hit")
]
"""Rules for which the definition is quick."""


def fewest_misses(fleets: PossibleFleets) -> int:
    """The least number of misses, summed over all fleets, with which a shooter can clear them.

    The dynamic programme over beliefs, from its definition: a shot that may be answered by a miss costs one miss in
    each fleet for which it is; then the shooter goes on with what the answer left.
    """

    @cache
    def least(belief: int, hits: int) -> int:
        open_squares = [
            square
            for square in range(fleets.squares)
            if not hits >> square & 1 and belief & fleets.covering[square]
        ]
        return min((cost(belief, hits, square) for square in open_squares), default=0)

    def cost(belief: int, hits: int, square: int) -> int:
        total = 0
        for answer, after in fleets.answers(belief, hits, square).items():
            if answer == MISS:
                total += after.bit_count() + least(after, hits)
            else:
                total += least(after, hits | 1 << square)
        return total

    return least(fleets.everything, 0)


def fleets(**options: str) -> PossibleFleets:
    return fleets_of(BattleshipRules.from_options(options), 1000)


def misses_of_best_play(memory: SearchMemory) -> int:
    """Misses of a shooter that asks for the best shot each time, summed over all fleets."""

    def misses(belief: int, shot: int) -> int:
        best = memory.best(belief, shot)
        assert best is not None
        if best.square < 0:
            return 0
        return sum(
            misses(after, shot | 1 << best.square) + (after.bit_count() if answer == MISS else 0)
            for answer, after in memory.fleets.answers(belief, shot, best.square).items()
        )

    return misses(memory.fleets.everything, 0)


@pytest.mark.release
@pytest.mark.parametrize(
    "options",
    [
        pytest.param(options, marks=[pytest.mark.release] * (options["fleet"] in ("2,2,1", "2,2,2")))
        for options in TINY
    ],
    ids=lambda options: " ".join(options.values()),
)
def test_the_search_finds_what_the_definition_says(options: dict[str, str]) -> None:
    its = fleets(**options)
    memory = SearchMemory.of(its, PLACES)
    best = memory.best(its.everything, 0)
    assert best is not None
    assert best.misses == fewest_misses(its)
    assert memory.misses(its.everything, 0, best.square) == best.misses
    assert misses_of_best_play(memory) == best.misses


@pytest.mark.release
@compiled_only
@pytest.mark.parametrize(
    ("board", "fleet"),
    [pytest.param(*each, marks=[pytest.mark.release] * (each == ("4x4", "3,2"))) for each in KNOWN],
)
def test_values_known_from_elsewhere(board: str, fleet: str) -> None:
    its = fleets(board=board, fleet=fleet)
    best = SearchMemory.of(its, PLACES).best(its.everything, 0)
    assert best is not None
    assert expected_shots(its, best.misses) == KNOWN[board, fleet]


@pytest.mark.release
def test_a_sure_hit_is_not_always_best() -> None:
    """Where ships touch, it may tell which ship sank if one of its squares is left for later."""
    its = fleets(board="3x3", fleet="2,2,2")
    best = SearchMemory.of(its, PLACES).best(its.everything, 0)
    hasty = replace(its, separable=True)
    hasty_best = SearchMemory.of(hasty, PLACES).best(its.everything, 0)
    assert best is not None
    assert hasty_best is not None
    assert (best.misses, hasty_best.misses) == (86, 90)


@pytest.mark.release
def test_a_small_memory_says_so() -> None:
    its = fleets(board="3x4", fleet="3,2")
    assert SearchMemory.of(its, 1 << 8).best(its.everything, 0) is None


@pytest.mark.release
def test_equal_squares_are_worth_the_same() -> None:
    its = fleets(board="3x4", fleet="2,2", touch="no")
    memory = SearchMemory.of(its, PLACES)
    for image in its.symmetries:
        for square in range(its.squares):
            assert memory.misses(its.everything, 0, square) == memory.misses(its.everything, 0, image[square])


def test_boards_with_too_many_fleets_or_none_are_refused() -> None:
    with pytest.raises(UsageError, match="the ships 3,3,2 can lie on 5x5 in more than 1,000 ways"):
        fleets(board="5x5", fleet="3,3,2")
    with pytest.raises(UsageError, match="no layout was found for the ships 3,3 on 3x2 without touching"):
        fleets(board="3x2", fleet="3,3", touch="no")


@pytest.mark.release
def test_the_end_of_a_game_is_found_from_any_list_of_fleets() -> None:
    its = fleets(board="3x4", fleet="3,2")
    memory = SearchMemory.of(its, PLACES)
    for shots in itertools.permutations(range(its.squares), 2):
        belief, shot = its.everything, 0
        for square in shots:
            after = its.answers(belief, shot, square)
            belief, shot = after[max(after)], shot | 1 << square
        members = [fleet for number, fleet in enumerate(its.fleets) if belief >> number & 1]
        covers = np.array(
            [[s in ship.squares and not shot >> s & 1 for s in range(its.squares)] for ship in its.ships]
        )
        answers = np.array([ship.answer for ship in its.ships])
        found = best_square(np.array(members[::-1]), covers, answers, separable=False, places=1 << 12)
        best = memory.best(belief, shot)
        assert best is not None
        assert found is not None
        assert found.misses == best.misses
        assert best.square < 0 or memory.misses(belief, shot, found.square) == best.misses

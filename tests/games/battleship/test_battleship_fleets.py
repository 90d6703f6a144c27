"""Fleets: counts of legal ones against brute force, uniform drawing, patterns, and fleets that hardly fit."""

from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest
from battleship_table import legal_fleets

from gpkit.core.rng import stream
from gpkit.games.battleship import arena
from gpkit.games.battleship.arena import running_sums
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.rules import (
    PATTERNS,
    REDRAWS,
    BattleshipRules,
    is_legal,
    squares_of,
    surroundings,
    weights,
)
from gpkit.playing.players import player_of_name
from gpkit_experiments.readable.battleship import draw_fleet, moved_fleet

TINY = [
    BattleshipRules(width=3, height=3, fleet=(2, 2)),
    BattleshipRules(width=4, height=3, fleet=(3, 2), touch=False),
    BattleshipRules(width=4, height=4, fleet=(3, 2, 1), touch=False),
    BattleshipRules(width=2, height=5, fleet=(4, 2)),
    BattleshipRules(width=5, height=1, fleet=(2, 1), touch=False),
]


def brute_force(rules: BattleshipRules) -> int:
    """Legal fleets counted over sets of cells, by the definition of touching."""
    lines = {
        length: {
            frozenset((x + k * dx, y + k * dy) for k in range(length))
            for x, y, (dx, dy) in product(range(rules.width), range(rules.height), ((1, 0), (0, 1)))
            if x + (length - 1) * dx < rules.width and y + (length - 1) * dy < rules.height
        }
        for length in set(rules.fleet)
    }

    def apart(one: frozenset[tuple[int, int]], other: frozenset[tuple[int, int]]) -> bool:
        least = 0 if rules.touch else 1
        return all(max(abs(a - c), abs(b - d)) > least for (a, b), (c, d) in product(one, other))

    return sum(
        all(apart(one, other) for one, other in combinations(fleet, 2))
        for fleet in product(*(lines[length] for length in rules.fleet))
    )


@pytest.mark.parametrize("rules", TINY)
def test_legal_fleets_are_counted_alike(rules: BattleshipRules) -> None:
    fleets = list(legal_fleets(rules))
    assert len(set(fleets)) == len(fleets) == brute_force(rules) > 0
    assert all(is_legal(fleet, rules) for fleet in fleets)


@pytest.mark.parametrize("rules", [TINY[0], TINY[1]])
def test_every_legal_fleet_is_equally_likely(rules: BattleshipRules) -> None:
    fleets = list(legal_fleets(rules))
    sums = running_sums("uniform", rules)
    draws = 40 * len(fleets)
    rng = stream(1, "fleets")
    drawn = Counter(
        draw_fleet(int(rng.integers(2**26)), int(rng.integers(2**19)), sums, rules) for _ in range(draws)
    )
    assert set(drawn) <= set(fleets)
    expected = draws / len(fleets)
    chi = sum((drawn[fleet] - expected) ** 2 / expected for fleet in fleets)
    free = len(fleets) - 1
    assert abs(chi - free) < 5 * (2 * free) ** 0.5


@pytest.mark.release
def test_moving_ships_comes_near_to_uniform() -> None:
    rules = TINY[0]
    fleets = list(legal_fleets(rules))
    sums = running_sums("uniform", rules)
    drawn = Counter(moved_fleet(key, 7, sums, rules) for key in range(60 * len(fleets)))
    shares = np.array([drawn[fleet] for fleet in fleets]) / sum(drawn.values()) * len(fleets)
    assert set(drawn) == set(fleets)
    assert 0.5 < shares.min() <= shares.max() < 1.6


def fleets_of(pattern: str, count: int) -> list[tuple[int, ...]]:
    rules = BattleshipRules()
    deals = GAME.deal(stream(2, pattern), count, rules)
    sums, redraw = running_sums(pattern, rules), REDRAWS.get(pattern, "fleet")
    return [draw_fleet(int(k[1][0]), int(k[1][1]), sums, rules, redraw) for k in deals.keys]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns_keep_what_they_promise(pattern: str) -> None:
    rules = BattleshipRules()
    fleets = fleets_of(pattern, 60)
    assert all(is_legal(fleet, rules) for fleet in fleets)
    ships = [
        squares_of(placement, length, rules)
        for fleet in fleets
        for placement, length in zip(fleet, rules.fleet, strict=True)
    ]
    low_left = np.mean([all(s % 10 < 5 and s // 10 >= 5 for s in ship) for ship in ships])
    match pattern:
        case "wall":
            assert all(ship[-1] // 10 == 9 and ship[0] % 10 == ship[-1] % 10 for ship in ships)
        case "lines":
            assert all(ship[0] // 10 == ship[-1] // 10 for ship in ships)
        case "corners":
            corners = {0, 9, 90, 99}
            for fleet in fleets:
                first = [squares_of(p, n, rules) for p, n in zip(fleet[:4], rules.fleet, strict=False)]
                assert len({s for ship in first for s in ship} & corners) == 4
        case "corner":
            assert low_left > 0.35
        case _:
            assert low_left < 0.3


@pytest.mark.release
def test_one_by_one_lays_each_ship_alike_where_those_before_leave_it_room() -> None:
    """Each ship has its own odds, so that fleets differ where the longest leaves the others more room or less."""
    rules = BattleshipRules(width=4, height=3, fleet=(3, 2), touch=False)
    sums = running_sums("one-by-one", rules)
    keys = GAME.deal(stream(3, "one by one"), 4_000, rules).keys[:, 1]
    drawn = Counter(map(tuple, arena.fleets_of(keys, sums, rules, "ship").tolist()))
    by_first = Counter(fleet[0] for fleet in legal_fleets(rules))
    chances = {fleet: 1 / len(by_first) / by_first[fleet[0]] for fleet in legal_fleets(rules)}
    assert set(drawn) == set(chances)
    chi = sum((drawn[fleet] - 4_000 * p) ** 2 / (4_000 * p) for fleet, p in chances.items())
    assert abs(chi - len(chances) + 1) < 5 * (2 * len(chances)) ** 0.5
    assert max(chances.values()) > 1.3 * min(chances.values())
    readable = [draw_fleet(key, extra, sums, rules, "ship") for key, extra, _ in keys[:20].tolist()]
    assert readable == [tuple(row) for row in arena.fleets_of(keys[:20], sums, rules, "ship").tolist()]


@pytest.mark.parametrize(
    ("pattern", "corner", "edge", "centre"),
    [("uniform", 0.080, 0.167, 0.213), ("one-by-one", 0.074, 0.157, 0.222)],
)
def test_both_readings_of_random_fleets_have_their_density(
    pattern: str, corner: float, edge: float, centre: float
) -> None:
    rules = BattleshipRules()
    keys = GAME.deal(stream(4, "density"), 20_000, rules).keys[:, 1]
    fleets = arena.fleets_of(keys, running_sums(pattern, rules), rules, REDRAWS.get(pattern, "fleet"))
    density = np.zeros(100)
    for ship, length in enumerate(rules.fleet):
        starts, steps = fleets[:, ship] >> 1, np.where(fleets[:, ship] & 1, 10, 1)
        for k in range(length):
            density += np.bincount(starts + k * steps, minlength=100)
    density = density.reshape(10, 10) / len(fleets)
    grids = [np.rot90(density, turns) for turns in range(4)]
    assert np.mean([grid[0, 0] for grid in grids]) == pytest.approx(corner, abs=0.004)
    assert np.mean([grid[0, 4:6] for grid in grids]) == pytest.approx(edge, abs=0.004)
    assert density[4:6, 4:6].mean() == pytest.approx(centre, abs=0.004)


def test_weights_are_of_placements_on_the_board() -> None:
    rules = BattleshipRules(width=5, height=4, fleet=(4, 2))
    for pattern in PATTERNS:
        table = weights(pattern, rules)
        assert table.shape == (2, 40)
        assert (table >= 0).all()
        assert (table.sum(axis=1) > 0).all()
    assert weights("uniform", rules)[0].sum() == 2 * 4 + 5 * 1


def test_surroundings_are_corner_to_corner() -> None:
    rules = BattleshipRules(width=4, height=4, fleet=(1,), touch=False)
    assert surroundings([0], rules) == {0, 1, 4, 5}
    assert surroundings([5], BattleshipRules(width=4, height=4, fleet=(1,))) == {5}


@pytest.mark.release
def test_a_hundred_ships_lie_on_a_large_board() -> None:
    """Whole fleets are hopeless there: ships are moved one by one."""
    fleet = ",".join(["4,3,3,2,2,2,1,1,1,1"] * 10)
    rules = GAME.make_rules({"board": "50x50", "touch": "no", "fleet": fleet})
    deals = GAME.deal(stream(3, "large"), 1, rules)
    scores = GAME.play([player_of_name("raster", GAME), player_of_name("uniform", GAME)], deals, rules)
    assert 200 <= scores.values[0, 0] <= 2500
    assert scores.invalid == scores.stalled == 0

"""Fleets that are hard to sink: layouts sought against the hard-coded logic, and ships that meet."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from gpkit.core.arrays import Floats
from gpkit.core.registry import game_of
from gpkit.core.rng import below as number_below
from gpkit.core.rng import stream
from gpkit.core.statistics import Interval, student_quantile
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.games.battleship.arena import (
    empty_memory,
    fleets_of,
    play_compiled,
    running_sums,
    sums_of,
)
from gpkit.games.battleship.kernel import layout as at
from gpkit.games.battleship.rules import BattleshipRules, Placements, is_legal, is_on_board, squares_of
from gpkit.playing.players import player_of_name
from gpkit.vm.keyed import HALF
from gpkit_experiments.papers.paper import Row, above
from gpkit_experiments.papers.units import by_values, mean_interval

GAME: Game = game_of("battleship")
RULES = BattleshipRules()
HEADING = "Fleets that are hard to sink, shots of the corrected Figure 8"


@dataclass(frozen=True, slots=True)
class Effort:
    """Effort of measuring.

    Attributes:
        searches: for layouts, each of its own.
        steps: layouts tried in a search.
        games: with each of them in a step.
        shown: with each layout that was found.
        boards: random fleets, among which ships that meet are looked for.
    """

    searches: int
    steps: int
    games: int
    shown: int
    boards: int


def shots_at(fleet: Placements, player: Player, keys: Sequence[int]) -> Floats:
    """Shots of a program at one layout, by key: float64 (keys,)."""
    table = np.zeros((len(keys), 2, at.KEYS), dtype=np.int64)
    table[:, 0, at.SHOT_KEY] = keys
    memory = empty_memory([player], (len(keys), 1), RULES)
    sums = np.stack([sums_of(fleet, RULES)] * 2)
    scores, *_ = play_compiled([player, player], table, RULES, memory, sums=sums)
    return scores[:, 0, at.SCORE]


def keys_of(seed: int, purpose: str, number: int, count: int) -> list[int]:
    """Keys of shots for a purpose."""
    rng = stream(seed, purpose, number)
    return [number_below(rng, HALF) for _ in range(count)]


def sought(player: Player, seed: int, start: Placements, effort: Effort) -> Placements:
    """The layout to which moves of one ship or two lead that cost a program no fewer shots on new random numbers."""
    fleet = start
    for step in range(effort.steps):
        other = next(moves(stream(seed, "moves of hard fleets", step), fleet, RULES))
        keys = keys_of(seed, "hard fleets", step, effort.games)
        if shots_at(other, player, keys).mean() >= shots_at(fleet, player, keys).mean():
            fleet = other
    return fleet


def moves(rng: np.random.Generator, fleet: Placements, rules: BattleshipRules) -> Iterator[Placements]:
    """Legal fleets of which one ship or two lie elsewhere, drawn without end."""
    while True:
        moved = list(fleet)
        for _ in range(1 + number_below(rng, 2)):
            moved[number_below(rng, len(moved))] = number_below(rng, 2 * rules.squares)
        laid = zip(moved, rules.fleet, strict=True)
        if all(is_on_board(place, length, rules) for place, length in laid) and is_legal(moved, rules):
            yield tuple(moved)


def layout_rows(player: Player, seed: int, effort: Effort) -> Iterator[Row]:
    """Rows of what sought layouts cost, beyond the random fleets that searches began with, and beyond ``density``.

    Who counts placements has no logic of its own for sinking, so what it pays, too, is no weakness of the logic.
    """
    counts = player_of_name("density", GAME)
    starts = random_fleets(seed, "starts of hard fleets", effort.searches)
    dearer, owed = [], []
    for number, start in enumerate(starts):
        found = sought(player, seed + number, start, effort)
        keys = keys_of(seed, "shown hard fleets", number, effort.shown)
        before, after = (shots_at(each, player, keys) for each in (start, found))
        by_counts = [shots_at(each, counts, keys[: effort.games]).mean() for each in (start, found)]
        dearer.append(float(after.mean() - before.mean()))
        owed.append(dearer[-1] - float(by_counts[1] - by_counts[0]))
    said = "place ships in certain patterns to make sinking more difficult"
    label = "layouts sought against it, beyond the random ones that searches began with"
    yield Row(HEADING, label, mean_interval(dearer), "searches", said, above(0.0))
    yield Row(
        HEADING, f"{label}, that `density` does not pay", mean_interval(owed), "searches", said, above(0.0)
    )


def random_fleets(seed: int, purpose: str, count: int) -> list[Placements]:
    """Fleets that are uniform over all legal ones."""
    keys = GAME.deal(stream(seed, purpose), count, RULES).keys[:, 1]
    return [tuple(fleet) for fleet in fleets_of(keys, running_sums("uniform", RULES), RULES).tolist()]


def meet(one: frozenset[tuple[int, int]], other: frozenset[tuple[int, int]]) -> str:
    """Position of two ships beside each other: ``parallel`` along two squares or more, a ``T``, another way, or not.

    In a T the end of one ship stands at a square within the other, square to it.
    """
    beside = [(a, b) for a in one for b in other if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1]
    if not beside:
        return ""
    if _is_vertical(one) == _is_vertical(other):
        return "parallel" if len(beside) > 1 else "other"
    (a, b) = beside[0]
    inner = [square for square, ship in ((a, one), (b, other)) if min(ship) < square < max(ship)]
    return "T" if len(beside) == 1 and len(inner) == 1 else "other"


def _is_vertical(ship: frozenset[tuple[int, int]]) -> bool:
    return len({column for _, column in ship}) == 1


def ways(fleet: Placements) -> set[str]:
    """The ways in which ships of a fleet meet."""
    ships = [
        frozenset(divmod(square, RULES.width) for square in squares_of(place, length, RULES))
        for place, length in zip(fleet, RULES.fleet, strict=True)
    ]
    return {meet(*pair) for pair in combinations(ships, 2)} - {""}


def meeting_rows(player: Player, seed: int, boards: int) -> Iterator[Row]:
    """Rows of what ships that meet cost the hard-coded logic more than ``density``, beside ships that lie apart."""
    deals = GAME.deal(stream(seed, "ships that meet"), boards, RULES)
    placed = player_of_name("uniform", GAME)
    shots, counted = (
        GAME.play([each, placed], deals, RULES).values[:, 0]
        for each in (player, player_of_name("density", GAME))
    )
    fleets = fleets_of(deals.keys[:, 1], running_sums("uniform", RULES), RULES).tolist()
    met = [ways(tuple(fleet)) for fleet in fleets]
    apart = np.array([not each for each in met])
    for way, said in (
        ("parallel", "such as placing ships in parallel"),
        ("T", 'such as an intersecting "T"'),
    ):
        chosen = np.array([way in each for each in met])
        if not (chosen.any() and apart.any()):
            continue
        label = (
            f"ships that lie {'in parallel' if way == 'parallel' else 'as a T'} against ships that lie apart"
        )
        for words, values in (("", shots), (", that `density` does not pay", shots - counted)):
            interval = between(values[chosen], values[apart])
            yield Row(HEADING, f"{label}{words}", interval, "boards", said, above(0.0))


@by_values
def between(first: Floats, second: Floats) -> Interval:
    """The difference of the means of values of two kinds of boards, with its interval."""
    units = min(len(first), len(second))
    mean = float(first.mean() - second.mean())
    if units == 1:
        return Interval(mean, -math.inf, math.inf, units)
    error = float(np.sqrt(first.var(ddof=1) / len(first) + second.var(ddof=1) / len(second)))
    half = student_quantile(0.975, units - 1) * error
    return Interval(mean, mean - half, mean + half, units)

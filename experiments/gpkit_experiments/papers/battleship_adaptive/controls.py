"""Controls of the paper on the adaptive player: waves at random, and a player that forgets each game; longer runs.

The series are kept, from seed 45,002 on; without memory and with it they are of the same deals.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

from gpkit.core.arrays import Floats
from gpkit.core.statistics import Interval
from gpkit.evolution.problem import Executor
from gpkit.games.battleship.waves import SETTINGS, Spectrum, WaveSettings
from gpkit_experiments.adaptive_series import SEEN, rows_of, targeting_row
from gpkit_experiments.papers.battleship_adaptive.duels import FIRST, GROUP, adaptive_row
from gpkit_experiments.papers.battleship_adaptive.paper import EFFORTS
from gpkit_experiments.papers.battleship_adaptive.placement import (
    CENTRE_FIRST,
    COST,
    centre_rows,
    cost,
    monte_carlo,
    uniform,
)
from gpkit_experiments.papers.battleship_adaptive.recorded import (
    ADDED,
    BEFORE,
    COUNTS,
    NAMES,
    SINKER,
    STILL,
    TURNS,
    WAVES,
    WINS,
    WON,
    Cells,
    by_generations,
    groups,
    opponent_rows,
    quickly,
    record,
    round_rows,
    sinker_rows,
    targeting_rows,
)
from gpkit_experiments.papers.battleship_adaptive.study import Study
from gpkit_experiments.papers.battleship_adaptive.waves import (
    READINGS,
    STRATEGY_GENERATIONS,
    TOGETHER,
    Way,
    bred_waves,
    combination,
    densities,
)
from gpkit_experiments.papers.controls import Control, picked
from gpkit_experiments.papers.paper import Row, ignore
from gpkit_experiments.papers.units import mean_interval, paired_difference

PAPER_SEED, SEED, SECOND_SEED, THIRD_SEED, FOURTH_SEED = 45_101, 7204, 7207, 7221, 7230
"""Of the paper, whose densities the criteria are of; and of longer runs of open rows, which no other run has."""

FIRST_SERIES = 100
"""The number of the first series of a longer run: waves are evolved by number, and those of the record are below it."""


def _forgetting(name: str, _seed: int, _executor: Executor) -> Interval:
    return mean_interval(record("opponents")[name]["without, 11"], support=(0.0, 1.0))


def _best(
    density: Floats,
    way: Way,
    runs: int,
    seed: int,
    settings: WaveSettings = SETTINGS,
    generations: int = STRATEGY_GENERATIONS,
) -> list[float]:
    """The correlation of the best wave of each run with a density."""
    return [bred_waves(density, generations, seed * 1000 + run, way, settings) for run in range(runs)]


def _random(
    pattern: str,
    generations: int,
    seed: int,
    _executor: Executor,
    settings: WaveSettings = SETTINGS,
    runs: int = 10,
) -> Interval:
    """The correlation of the best of as many random waves with a density of 100,000 fleets."""
    best = _best(densities(seed, 100_000)[pattern], "random", runs, seed, settings, generations)
    return mean_interval(best, support=(-1.0, 1.0))


def _density(pattern: str) -> Floats:
    found = densities(PAPER_SEED, EFFORTS["full"].fleets)
    return {**found, TOGETHER: combination(found)}[pattern]


def _waves(pattern: str, keep: Spectrum, runs: int, seed: int, _executor: Executor) -> Interval:
    """The correlation of the best wave with a density."""
    best = _best(_density(pattern), "whole", runs, seed, WaveSettings(keep=keep))
    return mean_interval(best, support=(-1.0, 1.0))


def _part(way: Way, runs: int, seed: int, _executor: Executor) -> Interval:
    """The gain by a part of the evolution of waves."""
    return paired_difference(
        _best(_density(TOGETHER), "whole", runs, seed),
        _best(_density(TOGETHER), way, runs, seed),
        support=(-1.0, 1.0),
    )


def _cost(name: str, draws: int, seed: int, _executor: Executor) -> Interval:
    """The shots that a player needs more for fleets by Sequential Monte Carlo."""
    return cost(name, *([make(seed, draw) for draw in range(draws)] for make in (monte_carlo, uniform)))


def _centre(draws: int, seed: int, _executor: Executor) -> Interval:
    """The shots that it saves to search the middle of the board first."""
    random = [uniform(seed, draw) for draw in range(draws)]
    return picked(centre_rows(random, random), CENTRE_FIRST, "uniform fleets")


def _itself(groups: int, seed: int, executor: Executor) -> Interval:
    """The gain of the adaptive player by the first shot, against itself."""
    effort = replace(EFFORTS["full"], draws=GROUP * (groups - 1))
    return adaptive_row(Study(effort, seed, executor, ignore)).measured


@cache
def _one_series(part: str, name: str, seed: int, number: int) -> Cells:
    """A row of a record of series, of one series alone."""
    return rows_of(part)[name](series=[(seed, number)])


def joined(cells: Sequence[Any]) -> Any:
    """The values by series of several rows, one behind the other, under the names that they have."""
    if isinstance(cells[0], Mapping):
        return {name: joined([cell[name] for cell in cells]) for name in cells[0]}
    return [value for cell in cells for value in cell]


def _series(
    make: Callable[[Cells], Iterable[Row]],
    names: Sequence[str],
    place: tuple[str, str],
    count: int,
    seed: int,
    _executor: Executor,
) -> Interval:
    """A row of those that are made of some rows of a record, by new series."""
    part = "targeting" if make is targeting_rows else "opponents"
    numbers = range(FIRST_SERIES, FIRST_SERIES + count)
    rows = {name: joined([_one_series(part, name, seed, number) for number in numbers]) for name in names}
    return picked(make(rows), *place)


@cache
def _aimed(pattern: str, names: Sequence[str], after: Sequence[int], seed: int, count: int) -> Cells:
    """Some arms of a row of the record of targeting, by new series."""
    numbers = range(FIRST_SERIES, FIRST_SERIES + count)
    found: Cells = joined(
        [targeting_row(pattern, series=[(seed, number)], names=names, after=after) for number in numbers]
    )
    return found


def _quickly(pattern: str, games: int, count: int, seed: int, _executor: Executor) -> Interval:
    """The shots that waves save after some games."""
    return quickly(_aimed(pattern, (WAVES,), (0, games), seed, count)[WAVES], games)


def _by_generations(patterns: Sequence[str], count: int, seed: int, _executor: Executor) -> Interval:
    """The shots that a generation at every shot saves, the mean of some placements."""
    saved = [by_generations(_aimed(pattern, (STILL, WAVES), SEEN[1:], seed, count)) for pattern in patterns]
    return mean_interval(np.mean(saved, axis=0))


AFTER = f"Section III.B, correlation after {STRATEGY_GENERATIONS} generations"

LONGER = tuple(
    Control(table, quantity, "", unit, SEED, partial(measure, units), True, units)
    for table, unit, entries in (
        (
            COST,
            "draws",
            [
                ("textbook", 303, partial(_cost, "textbook")),
                ("checkerboard", 432, partial(_cost, "checkerboard")),
                ("searched", 814, partial(_cost, "searched")),
                ("corrected", 3903, partial(_cost, "corrected")),
            ],
        ),
        (CENTRE_FIRST, "draws", [("uniform fleets", 407, _centre)]),
        (FIRST, "groups", [("adaptive against itself", 51, _itself)]),
        (
            AFTER,
            "runs",
            [
                (f"ship in each corner, {READINGS['apart']}", 22, partial(_waves, "corners", "apart")),
                (f"lower left corner, {READINGS['bins']}", 29, partial(_waves, "corner", "bins")),
                (f"ship in each corner, {READINGS['bins']}", 51, partial(_waves, "corners", "bins")),
                (f"{TOGETHER}, {READINGS['apart']}", 81, partial(_waves, TOGETHER, "apart")),
                (f"random, {READINGS['apart']}", 111, partial(_waves, "uniform", "apart")),
                (f"{TOGETHER}, {READINGS['bins']}", 249, partial(_waves, TOGETHER, "bins")),
                (f"lower left corner, {READINGS['apart']}", 676, partial(_waves, "corner", "apart")),
            ],
        ),
        (
            f"Section III.B, correlation with random fleets, {READINGS['apart']}",
            "runs",
            [("generation 50", 111, partial(_waves, "uniform", "apart"))],
        ),
        (
            f"{AFTER} that a part adds",
            "runs",
            [
                (
                    f"{TOGETHER}, Fourier components beside exchanged harmonics",
                    61,
                    partial(_part, "exchange"),
                ),
                (f"{TOGETHER}, crossover", 129, partial(_part, "no crossover")),
            ],
        ),
    )
    for quantity, units, measure in entries
)

GROUPED = [name for _, names in groups(record("opponents")) for name in names]
LINES = [name for name in GROUPED if name.endswith(":lines")]

LONGER_SERIES = tuple(
    Control(
        table,
        quantity,
        "",
        "series",
        seed,
        partial(_series, make, names, (table, quantity), units),
        True,
        units,
    )
    for seed, table, make, entries in (
        (SECOND_SEED, COUNTS, targeting_rows, [("ship in each corner", ["corners"], 24)]),
        (
            SECOND_SEED,
            BEFORE,
            targeting_rows,
            [
                ("lower left corner, after 1 games", ["corner"], 52),
                ("bottom wall, after 5 games", ["wall"], 129),
                ("bottom wall, after 1 games", ["wall"], 169),
                ("one way alone, after 5 games", ["lines"], 171),
            ],
        ),
        (
            SECOND_SEED,
            TURNS,
            targeting_rows,
            [
                ("lower left corner", ["corner"], 116),
                ("bottom wall", ["wall"], 246),
            ],
        ),
        (
            SECOND_SEED,
            ADDED,
            opponent_rows,
            [
                (name, [name], units)
                for name, units in (
                    ("searched:lines", 34),
                    ("textbook:lines", 55),
                    ("hunt:uniform", 65),
                    ("runner-up:uniform", 80),
                    ("hunt:corners", 94),
                )
            ],
        ),
        (THIRD_SEED, ADDED, opponent_rows, [("textbook:corners", ["textbook:corners"], 155)]),
        (
            FOURTH_SEED,
            ADDED,
            opponent_rows,
            [(name, [name], units) for name, units in (("runner-up:lines", 155), ("random:uniform", 227))],
        ),
        (
            FOURTH_SEED,
            SINKER,
            sinker_rows,
            [("bottom wall", ["hunt:wall"], 140), ("one way alone", LINES, 49)],
        ),
        (FOURTH_SEED, WON, round_rows, [("rounds of 5, added by memory", GROUPED, 29)]),
    )
    for quantity, names, units in entries
)
"""By series of new seeds; rows of the same placement, or opponent, have the first series in common."""

FEWER_ARMS = tuple(
    Control(table, quantity, "", "series", FOURTH_SEED, partial(measure, units), True, units)
    for table, entries in (
        (
            TURNS,
            [
                (NAMES["lines"], 185, partial(_by_generations, ["lines"])),
                (NAMES["uniform"], 311, partial(_by_generations, ["uniform"])),
                ("all placements together", 179, partial(_by_generations, [*NAMES])),
                (NAMES["corners"], 2079, partial(_by_generations, ["corners"])),
            ],
        ),
        (
            BEFORE,
            [
                (f"{NAMES[pattern]}, after {games} games", units, partial(_quickly, pattern, games))
                for pattern, games, units in (("corners", 5, 372), ("corner", 5, 481), ("corners", 1, 1183))
            ],
        ),
    )
    for quantity, units, measure in entries
)
"""By series of new seeds, in which only the arms that the row compares are played."""

CONTROLS = (
    *LONGER,
    Control(COST, "hunt", "", "draws", SECOND_SEED, partial(_cost, "hunt", 42_494), True, 42_494),
    *LONGER_SERIES,
    *FEWER_ARMS,
    *(
        Control(
            table,
            quantity,
            "evolution: as many random waves",
            "runs",
            45_103,
            partial(_random, pattern, generations),
            is_slow=True,
        )
        for table, quantity, pattern, generations in (
            *(
                (
                    f"Section III.B, correlation with random fleets, {reading}",
                    f"generation {generations}",
                    "uniform",
                    generations,
                )
                for reading, generations in (
                    (READINGS["bins"], 50),
                    (READINGS["bins"], 300),
                    (READINGS["apart"], 300),
                )
            ),
            *(
                (
                    "Section III.B, correlation after 50 generations",
                    f"{name}, {reading}",
                    pattern,
                    50,
                )
                for name, pattern, reading in (
                    ("random", "uniform", READINGS["bins"]),
                    ("bottom wall", "wall", READINGS["bins"]),
                    ("bottom wall", "wall", READINGS["apart"]),
                )
            ),
        )
    ),
    *(
        Control(
            "Figure 6, correlation",
            name,
            "evolution: as many random waves",
            "runs",
            seed,
            partial(
                _random,
                "uniform",
                STRATEGY_GENERATIONS,
                settings=WaveSettings(harmonics=harmonics, keep="apart"),
                runs=runs,
            ),
            is_slow=runs > 10,
        )
        for name, harmonics, seed, runs in (
            ("a sine and a cosine, one harmonic", 1, 45_104, 10),
            ("two harmonics", 2, 45_105, 170),
        )
    ),
    *(
        Control(
            WINS,
            name,
            "memory: games do not influence each other",
            "series",
            45_002,
            partial(_forgetting, name),
        )
        for name in record("opponents")
    ),
)

"""Rows of the source's claims from the records of series, with the criteria that were laid down before the series.

``adaptive_series`` made the records; its seeds were named together with these criteria, before any game of them was
played. Only the second seed of the duels, with ten of the fifteen series, was named when the results of the first five
were known. The unit is the series, and differences are of the same deals. A criterion that nothing but its interval can
meet is a difference that has to be above 0: it fails, or stays open, for a player whose mechanism does nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from gpkit.core.arrays import Floats
from gpkit.core.statistics import Interval
from gpkit_experiments.papers.battleship_adaptive.study import Measured, Study
from gpkit_experiments.papers.battleship_adaptive.waves import STRATEGIES
from gpkit_experiments.papers.page import DATA
from gpkit_experiments.papers.paper import Row, above
from gpkit_experiments.papers.units import (
    mean_interval,
    paired_difference,
    rate_interval,
    read_record,
    remade,
    stored,
)

NAMES: Mapping[str, str] = MappingProxyType({**STRATEGIES, "lines": "one way alone"})
"""Names of placements; the last one is none of the source's, and pre-training has not seen it."""

QUICKLY = "quickly adapts to take advantage of emerging patterns"
CHECKERBOARD = "a checkerboard pattern, which will adjust to the largest enemy ship remaining"
EVERY_SHOT = "one or more generations are run per turn"
SMOOTH = "more regularly distributed, which is helpful when adapting"
NAIVE = "win a game more quickly than naive, hard-coded placement"
ANY = "a dynamic counter-strategy for any opponent"
ROUNDS = "adapts quickly enough to win even in small rounds of eleven or fewer games"
SWIFT = "optimized against previous placement patterns for a swift demise"
FIRST = "an initial random solution might perform too poorly, giving few hits"

WINS = "Section I, share of duels that the adaptive player wins against hard-coded players"
ADDED = "Section V, share of duels that memory adds against hard-coded players"
WON = "Section II, rounds that the adaptive player wins against hard-coded players that sink"
SINKER = "Section V, shots that the sinking program evolved in ten games saves beside the first"
BEFORE = "Section V, shots that waves save after games against one placement"
COUNTS = "Section III.B, shots that waves save beside counts after one game"
TURNS = "Section III.B, shots that a generation at every shot saves"

WAVES, STILL = "waves", "checkerboard alone, boards of waves"
"""The waves of the source, and the same without generations at every shot, on the same boards."""

EARLY = (1, 5)
"""Games after which an adaptation is quick."""

OPPONENTS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "rehearsed against": ("corrected", "hunt", "density"),
        "never met": ("searched", "textbook", "runner-up", "reference-halo"),
    }
)
PLACEMENTS: Mapping[str, Sequence[str]] = MappingProxyType(
    {"placements of its pre-training": tuple(STRATEGIES), "a placement never met": ("lines",)}
)
"""Opponents that sink what they hit, and placements, apart by what the player has met before its first game."""

Cells = Mapping[str, Any]


def path_of(part: str) -> Path:
    """The record of a part."""
    return DATA / f"adaptive-{part}.json"


@cache
def record(part: str) -> Cells:
    """The rows of a part's record, by name."""
    rows: Cells = read_record(path_of(part))["rows"]
    return rows


def measure_recorded(_study: Study) -> Measured:
    """All rows of all records; neither budget nor seed bears on them."""
    return Measured(
        (
            *targeting_rows(record("targeting")),
            *pretraining_rows(record("pretraining")),
            *opponent_rows(record("opponents")),
            *round_rows(record("opponents")),
            *sinker_rows(record("opponents")),
            *copy_rows(record("memory")),
            *time_rows(record("times")),
        )
    )


def saved(first: Sequence[float] | Floats, second: Sequence[float] | Floats) -> Interval:
    """Shots that the second saves, paired by series."""
    return paired_difference(first, second)


def time_rows(rows: Cells) -> Iterator[Row]:
    """Times of the processor; the source has no number."""
    for name, found in rows.items():
        interval = mean_interval(found["milliseconds"])
        yield Row("Section III, milliseconds of the processor", name, interval, "repeats")


def placements(rows: Cells) -> list[tuple[str, str]]:
    """The placements that rows are of, each with its name."""
    return [(pattern, name) for pattern, name in NAMES.items() if pattern in rows]


def targeting_rows(rows: Cells) -> Iterator[Row]:
    """Shots by the source's waves, how quickly they fall, and what each part of them saves."""
    for pattern, name in placements(rows):
        for games, values in rows[pattern]["waves"].items():
            heading = "Section III.B, shots of the corrected Figure 8 by waves as in the source"
            yield Row(heading, f"{name}, after {games} games", mean_interval(values), "series")
    for pattern, name in placements(rows):
        waves = rows[pattern][WAVES]
        for games in EARLY:
            claim = None if pattern == "uniform" else above(0.0)
            interval = quickly(waves, games)
            quantity = f"{name}, after {games} games"
            yield Row(BEFORE, quantity, interval, "series", QUICKLY if claim else "", claim)
    yield from part_rows(rows)


def part_rows(rows: Cells) -> Iterator[Row]:
    """Rows of what the checkerboard, generations at every shot, and waves beside counts save."""
    every = []
    for pattern, name in placements(rows):
        arms = rows[pattern]
        alone = arms["waves, checkerboard alone"]
        for games in ("0", "5"):
            heading = "Section III.B, shots that the checkerboard saves to waves"
            interval = saved(arms["waves, neither"][games], alone[games])
            yield Row(heading, f"{name}, after {games} games", interval, "series", CHECKERBOARD, above(0.0))
        yield Row(COUNTS, name, saved(arms["counts"]["1"], alone["1"]), "series", SMOOTH, above(0.0))
        every.append(gains := by_generations(arms))
        yield Row(TURNS, name, mean_interval(gains), "series", EVERY_SHOT, above(0.0))
    together = mean_interval(np.mean(every, axis=0))
    yield Row(TURNS, "all placements together", together, "series", EVERY_SHOT, above(0.0))


def quickly(waves: Cells, games: int) -> Interval:
    """Shots that waves save after some games."""
    return saved(waves["0"], waves[str(games)])


def by_generations(arms: Cells) -> Floats:
    """Shots that a generation at every shot saves, by series, the mean after all numbers of games but none."""
    still, waves = arms[STILL], arms[WAVES]
    return np.asarray(
        np.mean([np.subtract(still[games], waves[games]) for games in still if games != "0"], axis=0)
    )


def pretraining_rows(rows: Cells) -> Iterator[Row]:
    """Ships' squares found in the first duel with pre-trained populations and random ones, and shots by game."""
    for placement, arms in rows.items():
        name = NAMES[placement]
        hits = {arm: np.array(found["hits"])[:, 0] for arm, found in arms.items()}
        heading = "Section III, ships' squares found in the first duel with hunt"
        for arm, values in hits.items():
            yield Row(heading, f"{name}, {arm}", mean_interval(values, support=(0.0, 17.0)), "series")
        more = paired_difference(hits["pre-trained"], hits["untrained"])
        yield Row(heading, f"{name}, more with pre-training", more, "series", FIRST, above(0.0))
        shots = {arm: np.array(found["shots"]) for arm, found in arms.items()}
        for game in sorted({0, 1, shots["untrained"].shape[1] - 1}):
            less = saved(shots["untrained"][:, game], shots["pre-trained"][:, game])
            claim = None if game else above(0.0)
            heading = "Section III, shots that pre-training saves"
            yield Row(heading, f"{name}, game {game + 1}", less, "series", "" if game else FIRST, claim)


def gains(cell: Mapping[str, Sequence[float]]) -> Floats:
    """Gain by memory in the chance to win a duel, by series."""
    return np.subtract(cell["with, 11"], cell["without, 11"])


def added(cell: Mapping[str, Sequence[float]]) -> Interval:
    """The mean of ``gains`` with its interval."""
    return mean_interval(gains(cell), support=(-1.0, 1.0))


def groups(rows: Cells) -> Iterator[tuple[str, list[str]]]:
    """Cells of opponents and placements, by whether the player has met them."""
    for opponents, shooters in OPPONENTS.items():
        for placements, patterns in PLACEMENTS.items():
            pairs = [f"{shooter}:{pattern}" for shooter in shooters for pattern in patterns]
            if cells := [pair for pair in pairs if pair in rows]:
                yield f"opponents {opponents}, {placements}", cells


def opponent_rows(rows: Cells) -> Iterator[Row]:
    """Share of duels won with memory, and what memory adds to it, against each hard-coded player and by groups."""
    for name, cell in rows.items():
        interval = rate_interval(cell["with, 11"])
        yield Row(WINS, name, interval, "series", NAIVE, above(0.5))
    for name, cell in rows.items():
        yield Row(ADDED, name, added(cell), "series", ANY, above(0.0))
    for name, cells in groups(rows):
        together = np.mean([gains(rows[cell]) for cell in cells], axis=0)
        yield Row(ADDED, name, mean_interval(together), "series", ANY, above(0.0))


def round_rows(rows: Cells) -> Iterator[Row]:
    """Rounds of which more than half is won, with memory and without, and what memory adds, over all cells."""
    cells = [cell for _, names in groups(rows) for cell in names]
    for games in (5, 11):
        won = {
            memory: np.mean(
                [np.array(rows[cell][f"won {memory}, {games}"]) > games / 2 for cell in cells], axis=0
            )
            for memory in ("with", "without")
        }
        for memory, shares in won.items():
            name = f"rounds of {games}, {memory} memory"
            yield Row(WON, name, rate_interval(shares), "series")
        more = paired_difference(won["with"], won["without"])
        yield Row(WON, f"rounds of {games}, added by memory", more, "series", ROUNDS, above(0.0))


def sinker_rows(rows: Cells) -> Iterator[Row]:
    """Shots that the sinking program evolved in a series saves in its last game, by placement."""
    for placement, name in NAMES.items():
        cells = [cell for _, names in groups(rows) for cell in names if cell.endswith(f":{placement}")]
        if not cells:
            continue
        together = np.mean([rows[cell]["sinker"] for cell in cells], axis=0)
        yield Row(SINKER, name, mean_interval(together), "series", SWIFT, above(0.0))


def copy_rows(rows: Cells) -> Iterator[Row]:
    """Share of duels that memory adds against a copy of the player without memory, by board and placement."""
    heading = "Section II, share of duels that memory adds against a copy of itself without it"
    arrays = stored(path_of("memory"))
    for cell, found in rows.items():
        board, _, placement = cell.partition("-")
        name, more = f"{board}, {NAMES[placement]}", remade(found["more"]["values"], arrays)
        yield Row(heading, name, more, "series", ROUNDS, above(0.0))

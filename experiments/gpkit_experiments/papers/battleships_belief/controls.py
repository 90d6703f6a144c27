"""Longer runs of open rows of the paper on the belief state."""

from functools import cache, partial

from gpkit.core.arrays import Ints
from gpkit.core.statistics import Interval
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.problem import Executor
from gpkit_experiments.papers.battleships_belief.paper import RULES
from gpkit_experiments.papers.battleships_belief.samples import HEADING, chance_rows, hopeless, sampler_of
from gpkit_experiments.papers.battleships_belief.tables import (
    OPPONENTS,
    READINGS,
    TABLES,
    Boards,
    Competition,
    Entrant,
    competition_rows,
    trials,
)
from gpkit_experiments.papers.controls import Control, picked
from gpkit_experiments.papers.paper import ignore
from gpkit_experiments.papers.units import mean_interval, paired_difference

SEED, SECOND_SEED, THIRD_SEED = 7205, 7211, 7231
"""Of longer runs of open rows; no other run has them."""


@cache
def _shots(entrant: Entrant, purpose: str, placement: str, count: int, seed: int) -> Ints:
    """The shots of a player on boards."""
    return trials(entrant, Boards.drawn(seed, purpose, count, placement, RULES), SerialExecutor()).shots


def _competition(own: Entrant, other: str, count: int, seed: int) -> Competition:
    return Competition(
        _shots(own, "own boards", "one-by-one", count, seed),
        _shots(Entrant(other), "other boards", "one-by-one", count, seed),
    )


def _table(
    place: tuple[str, str], own: Entrant, other: str, count: int, seed: int, _executor: Executor
) -> Interval:
    """A row of the source's tables."""
    (published,) = [table.opponents[other] for table in TABLES if table.samples == own.samples]
    rows = competition_rows(place[0], OPPONENTS[other], _competition(own, other, count, seed), published)
    return picked(rows, *place)


def _won(own: Entrant, other: str, count: int, seed: int, _executor: Executor) -> Interval:
    """The share of trials won."""
    return mean_interval(_competition(own, other, count, seed).won.astype(float), support=(0.0, 1.0))


def _gained(name: str, other: str, count: int, seed: int, _executor: Executor) -> Interval:
    """The share of trials won with a hundred samples, less that with ten."""
    many, few = (_competition(Entrant(name, samples), other, count, seed).won for samples in (100, 10))
    return paired_difference(many, few, support=(0.0, 1.0))


def _fewer(
    one: tuple[Entrant, str, str], other: tuple[Entrant, str, str], count: int, seed: int, _executor: Executor
) -> Interval:
    """The shots that the other saves, each a player, the purpose of its boards, and their placement."""
    return paired_difference(_shots(*one, count, seed), _shots(*other, count, seed))


def _hopeless(count: int, seed: int, _executor: Executor) -> Interval:
    """The share of positions in which no sample covers all hits."""
    boards = Boards.drawn(seed, "typical", count, "one-by-one", RULES).targets()
    return mean_interval([hopeless(board, "mcs-flawed", RULES) for board in boards], support=(0.0, 1.0))


def _likeliest(name: str, place: tuple[str, str], count: int, seed: int, _executor: Executor) -> Interval:
    """The share of positions in which the shot is at a likeliest square."""
    return picked(chance_rows(seed, count, ignore, {READINGS[name]: sampler_of(name)}), *place)


FEW, MANY = Entrant("mcs-flawed", 10), Entrant("mcs-flawed", 100)

TRIALS, MORE_TRIALS = 12_562, 247_000
"""Of the rows that share them."""

FIRST, SECOND, LARGE = (
    f"{table}, {trials} trials, samples ignore touching"
    for table, trials in (
        ("Table I (N = 10)", "100"),
        ("Table II (N = 100)", "100"),
        ("Table I (N = 10)", "4,000"),
    )
)
CHANCES, OTHER_CHANCES = (
    (
        "Chances of squares, 6x6 with 3,2,2, 12 shots",
        f"{READINGS[name]}, N = 10,000: share in which the shot is at a likeliest square",
    )
    for name in ("mcs", "mcs-flawed")
)

CONTROLS = (
    *(
        Control(
            table,
            f"against {OPPONENTS[other]}: {words}",
            "",
            unit,
            SEED,
            partial(_table, (table, f"against {OPPONENTS[other]}: {words}"), own, other, count),
            True,
            units,
        )
        for table, own, other, words, unit, units, count in (
            (FIRST, FEW, "random", "share of trials won", "trials", 2124, 2124),
            (FIRST, FEW, "random", "shots in games won, mean", "games won", 524, 750),
            (
                FIRST,
                FEW,
                "reference-hits",
                "shots of rule-based in games won, mean",
                "games won",
                661,
                2300,
            ),
            (LARGE, FEW, "random", "shots of random in games won, mean", "games won", 4381, 21_000),
            (SECOND, MANY, "random", "share of trials won", "trials", 258, 258),
            (SECOND, MANY, "reference-hits", "shots of rule-based in games won, mean", "games won", 74, 350),
            (SECOND, MANY, "reference-hits", "shots in games won, mean", "games won", 225, 350),
            (SECOND, MANY, "reference-hits", "share of trials won", "trials", 2503, 2503),
            (SECOND, MANY, "random", "shots of random in games won, mean", "games won", 1264, 7700),
        )
    ),
    *(
        Control(table, quantity, "", unit, SEED, measure, True, units)
        for table, quantity, unit, units, measure in (
            (
                HEADING,
                "fleets laid one by one, samples ignore touching: share of positions in which none of 100 samples "
                "covers all hits",
                "games",
                1809,
                partial(_hopeless, 1809),
            ),
            *(
                (
                    "Placement: shots of the sampler that observes touching, N = 10",
                    f"uniform minus {placement}",
                    "boards",
                    units,
                    partial(
                        _fewer,
                        (Entrant("mcs", 10), "placed", "uniform"),
                        (Entrant("mcs", 10), "placed", placement),
                        units,
                    ),
                )
                for placement, units in (("lines", 2656), ("corner", 17_110))
            ),
            (*CHANCES, "positions", 557, partial(_likeliest, "mcs", CHANCES, 557)),
            (
                "Table II (N = 100), 4,000 trials, samples ignore touching",
                "against rule-based: share of trials won",
                "trials",
                12_259,
                partial(_won, MANY, "reference-hits", TRIALS),
            ),
            (
                "Share of trials won by reading, N = 100, samples ignore touching",
                "against rule-based, told hits alone",
                "trials",
                12_259,
                partial(_won, MANY, "reference-hits", TRIALS),
            ),
            (
                "What the source says of wins and samples",
                "samples ignore touching, against rule-based, told sinkings: share won, N = 100",
                "trials",
                TRIALS,
                partial(_won, MANY, "reference", TRIALS),
            ),
            (
                "Shots by the number of samples, mended",
                "N = 100 minus N = 1000",
                "boards",
                2718,
                partial(
                    _fewer,
                    (Entrant("mcs-mended", 100), "own boards", "one-by-one"),
                    (Entrant("mcs-mended", 1000), "own boards", "one-by-one"),
                    2718,
                ),
            ),
            (
                "What the source says of wins and samples",
                "samples observe touching, against random: share won, N = 100 minus N = 10",
                "trials",
                15_704,
                partial(_gained, "mcs", "random", 15_704),
            ),
        )
    ),
    *(
        Control(table, quantity, "", unit, SECOND_SEED, partial(measure, units), True, units)
        for table, quantity, unit, units, measure in (
            (
                *OTHER_CHANCES,
                "positions",
                5071,
                partial(_likeliest, "mcs-flawed", OTHER_CHANCES),
            ),
            (
                "Shots by the number of samples, samples observe touching",
                "N = 100 minus N = 1000",
                "boards",
                4846,
                partial(
                    _fewer,
                    (Entrant("mcs", 100), "own boards", "one-by-one"),
                    (Entrant("mcs", 1000), "own boards", "one-by-one"),
                ),
            ),
            (
                "What the source says of wins and samples",
                "samples ignore touching, against random: share won, N = 100 minus N = 10",
                "trials",
                35_600,
                partial(_gained, "mcs-flawed", "random"),
            ),
        )
    ),
    *(
        Control(table, quantity, "", unit, THIRD_SEED, partial(measure, MORE_TRIALS), True, units)
        for table, quantity, unit, units, measure in (
            (
                "Shots by the number of samples, samples ignore touching",
                "N = 10 minus N = 100",
                "boards",
                246_883,
                partial(_fewer, (FEW, "own boards", "one-by-one"), (MANY, "own boards", "one-by-one")),
            ),
            (
                "What the source says of wins and samples",
                "samples ignore touching, against rule-based: share won, N = 100 minus N = 10",
                "trials",
                224_946,
                partial(_gained, "mcs-flawed", "reference-hits"),
            ),
        )
    ),
)

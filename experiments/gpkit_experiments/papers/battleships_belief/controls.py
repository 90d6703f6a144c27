"""Longer runs of open rows of the paper on the belief state."""

from collections.abc import Callable
from functools import cache, partial

from gpkit.core.statistics import Interval
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.problem import Executor
from gpkit_experiments.papers.battleships_belief.layouts import HEADING, hopeless
from gpkit_experiments.papers.battleships_belief.paper import RULES
from gpkit_experiments.papers.battleships_belief.samples import chance_rows, sampler_of
from gpkit_experiments.papers.battleships_belief.tables import OPPONENTS, READINGS, TABLES, competition_rows
from gpkit_experiments.papers.battleships_belief.trials import Boards, Competition, Entrant, Ints, trials
from gpkit_experiments.papers.controls import Control, picked
from gpkit_experiments.papers.paper import ignore
from gpkit_experiments.papers.units import mean_interval, paired_difference

SEED = 7205
"""Of longer runs of open rows; no other run has it."""


@cache
def _shots(entrant: Entrant, purpose: str, count: int, placement: str = "one-by-one") -> Ints:
    """The shots of a player on boards."""
    return trials(entrant, Boards.drawn(SEED, purpose, count, placement, RULES), SerialExecutor()).shots


def _competition(own: Entrant, other: str, count: int) -> Competition:
    return Competition(_shots(own, "own boards", count), _shots(Entrant(other), "other boards", count))


def _table(place: tuple[str, str], own: Entrant, other: str, count: int) -> Interval:
    """A row of the source's tables."""
    (published,) = [table.opponents[other] for table in TABLES if table.samples == own.samples]
    return picked(
        competition_rows(place[0], OPPONENTS[other], _competition(own, other, count), published), *place
    )


def _won(own: Entrant, other: str, count: int) -> Interval:
    """The share of trials won."""
    return mean_interval(_competition(own, other, count).won.astype(float), support=(0.0, 1.0))


def _gained(name: str, other: str, count: int) -> Interval:
    """The share of trials won with a hundred samples, less that with ten."""
    many, few = (_competition(Entrant(name, samples), other, count).won for samples in (100, 10))
    return paired_difference(many, few, support=(0.0, 1.0))


def _saved(name: str, few: int, many: int, count: int) -> Interval:
    """The shots that more samples save."""
    return paired_difference(
        *(_shots(Entrant(name, samples), "own boards", count) for samples in (few, many))
    )


def _placed(placement: str, count: int) -> Interval:
    """The shots that uniform fleets cost more than those of a placement."""
    return paired_difference(
        *(_shots(Entrant("mcs", 10), "placed", count, each) for each in ("uniform", placement))
    )


def _hopeless(count: int) -> Interval:
    """The share of positions in which no sample covers all hits."""
    boards = Boards.drawn(SEED, "typical", count, "one-by-one", RULES).targets()
    return mean_interval([hopeless(board, "mcs-flawed", RULES) for board in boards], support=(0.0, 1.0))


def _likeliest(name: str, place: tuple[str, str], count: int) -> Interval:
    """The share of positions in which the shot is at a likeliest square."""
    return picked(chance_rows(SEED, count, ignore, {READINGS[name]: sampler_of(name)}), *place)


def _longer(table: str, quantity: str, unit: str, units: int, measure: Callable[[], Interval]) -> Control:
    """The entry of an open row that is measured again with at least so many units."""

    def measured(_seed: int, _executor: Executor) -> Interval:
        return measure()

    return Control(table, quantity, "", unit, SEED, measured, True, units)


FEW, MANY = Entrant("mcs-flawed", 10), Entrant("mcs-flawed", 100)

HITS, TOLD = "reference-hits", "reference"

TRIALS = 12_562
"""Boards of the rows that share them."""

FIRST, SECOND, LARGE = (
    f"{table}, {trials} trials, samples ignore touching"
    for table, trials in (
        ("Table I (N = 10)", "100"),
        ("Table II (N = 100)", "100"),
        ("Table I (N = 10)", "4,000"),
    )
)

TABLE_ROWS = (
    (FIRST, "against random: share of trials won", "trials", 2124, FEW, "random", 2124),
    (FIRST, "against random: shots in games won, mean", "games won", 524, FEW, "random", 750),
    (FIRST, "against rule-based: shots of rule-based in games won, mean", "games won", 661, FEW, HITS, 2300),
    (LARGE, "against random: shots of random in games won, mean", "games won", 4381, FEW, "random", 21_000),
    (SECOND, "against random: share of trials won", "trials", 258, MANY, "random", 258),
    (SECOND, "against rule-based: shots of rule-based in games won, mean", "games won", 74, MANY, HITS, 350),
    (SECOND, "against rule-based: shots in games won, mean", "games won", 225, MANY, HITS, 350),
    (SECOND, "against rule-based: share of trials won", "trials", 2503, MANY, HITS, 2503),
    (SECOND, "against random: shots of random in games won, mean", "games won", 1264, MANY, "random", 7700),
)
"""Table, quantity, unit and units of rows, the players, and the trials: of games won there are fewer than trials."""

STATEMENTS, PLACEMENT = (
    "What the source says of wins and samples",
    "Placement: shots of the sampler that observes touching, N = 10",
)
CHANCES = (
    "Chances of squares, 6x6 with 3,2,2, 12 shots",
    "samples observe touching, N = 10,000: share in which the shot is at a likeliest square",
)

CONTROLS = (
    *(
        _longer(table, quantity, unit, units, partial(_table, (table, quantity), own, other, count))
        for table, quantity, unit, units, own, other, count in TABLE_ROWS
    ),
    _longer(
        HEADING,
        "fleets laid one by one, samples ignore touching: share of positions in which none of 100 samples "
        "covers all hits",
        "games",
        1809,
        partial(_hopeless, 1809),
    ),
    *(
        _longer(PLACEMENT, f"uniform minus {placement}", "boards", units, partial(_placed, placement, units))
        for placement, units in (("lines", 2656), ("corner", 17_110))
    ),
    _longer(*CHANCES, "positions", 557, partial(_likeliest, "mcs", CHANCES, 557)),
    _longer(
        "Table II (N = 100), 4,000 trials, samples ignore touching",
        "against rule-based: share of trials won",
        "trials",
        12_259,
        partial(_won, MANY, HITS, TRIALS),
    ),
    _longer(
        "Share of trials won by reading, N = 100, samples ignore touching",
        "against rule-based, told hits alone",
        "trials",
        12_259,
        partial(_won, MANY, HITS, TRIALS),
    ),
    _longer(
        STATEMENTS,
        "samples ignore touching, against rule-based, told sinkings: share won, N = 100",
        "trials",
        TRIALS,
        partial(_won, MANY, TOLD, TRIALS),
    ),
    _longer(
        "Shots by the number of samples, mended",
        "N = 100 minus N = 1000",
        "boards",
        2718,
        partial(_saved, "mcs-mended", 100, 1000, 2718),
    ),
    _longer(
        STATEMENTS,
        "samples observe touching, against random: share won, N = 100 minus N = 10",
        "trials",
        15_704,
        partial(_gained, "mcs", "random", 15_704),
    ),
)

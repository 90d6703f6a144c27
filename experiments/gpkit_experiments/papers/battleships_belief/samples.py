"""Samples: how many leave hits out, what their number is worth, how near they are to the true chances, large boards."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gpkit.core.rng import stream
from gpkit.evolution.problem import Executor
from gpkit.games.battleship.fleets import fleet_squares
from gpkit.games.battleship.kernel import samples as at
from gpkit.games.battleship.monte_carlo import BACKTRACKS, SamplingAgent, next_shot
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.players import strategy_of
from gpkit_experiments.optimal_boards import legal_fleets
from gpkit_experiments.papers.battleships_belief.tables import READINGS, Results
from gpkit_experiments.papers.battleships_belief.trials import Boards, Entrant, Floats, trials
from gpkit_experiments.papers.paper import Row, Watch, above, below
from gpkit_experiments.papers.units import mean_interval, paired_difference

SMALL = Rules(width=6, height=6, fleet=(3, 2, 2), touch=False)
"""A board on which all fleets can be counted."""

FEW, EXACT_SAMPLES = 100, 10_000
"""Samples where they are compared with the true chances: the source's larger number, and a hundred times as many."""

SLOWEST = 5.0
"""By how much less errors are then at least, if shares converge to the true chances: unbiased ones are a tenth."""

JUDGED = 100
"""Samples up to which shares that leave a hit out are judged: the source's numbers."""

MEASURES = (
    "largest error of a square",
    "mean error of a square",
    "chance of a hit that is lost to the best square",
)
"""Measures of the chances in a position."""

ROUNDING = 1e-9

SHOTS_BEFORE = 12
"""Random shots after which the chances are compared."""


def number_rows(results: Results) -> Iterator[Row]:
    """Shots by the number of samples, and what ten times as many gain on the same boards."""
    for name, reading in READINGS.items():
        heading = f"Shots by the number of samples, {reading}"
        numbers = sorted(entrant.samples for entrant in results if entrant.name == name)
        for samples in numbers:
            shots = results[Entrant(name, samples)].shots
            yield Row(heading, f"N = {samples}", mean_interval(shots), "boards")
        for few, many in pairwise(numbers):
            pair = results[Entrant(name, few)].shots, results[Entrant(name, many)].shots
            count = min(map(len, pair))
            gained = paired_difference(pair[0][:count], pair[1][:count])
            said = "better results as we increase the number of samples"
            yield Row(heading, f"N = {few} minus N = {many}", gained, "boards", said, above(0.0))


def inconsistent_rows(results: Results) -> Iterator[Row]:
    """Share of samples that leave a hit out, and of those that were given up."""
    for name, reading in READINGS.items():
        heading = f"Samples, {reading}"
        for entrant, found in results.items():
            if entrant.name == name:
                share = mean_interval(found.inconsistent, support=(0.0, 1.0))
                said = "less than 1 in 1000 fail to cover all hits"
                quantity = f"N = {entrant.samples}: share that leaves a hit out, by board"
                claim = below(0.001) if entrant.samples <= JUDGED else None
                yield Row(heading, quantity, share, "boards", said, claim)
                dropped = mean_interval(found.dropped, support=(0.0, 1.0))
                yield Row(heading, f"N = {entrant.samples}: share given up, by board", dropped, "boards")
                popped = mean_interval(found.popped, support=(0.0, BACKTRACKS))
                yield Row(
                    heading, f"N = {entrant.samples}: ships taken up again in a sample", popped, "boards"
                )


def mended_rows(results: Results) -> Iterator[Row]:
    """Shots that the mended sampler saves on the same boards."""
    for entrant, found in results.items():
        if entrant.name == "mcs":
            mended = results[Entrant("mcs-mended", entrant.samples)].shots
            count = min(len(mended), len(found.shots))
            saved = paired_difference(found.shots[:count], mended[:count])
            yield Row(
                "The mended sampler",
                f"shots saved, N = {entrant.samples}",
                saved,
                "boards",
                "a way to modify our algorithm to remove this problem",
                above(0.0),
            )


Sampler = Callable[[NDArray[np.int8], int, int], tuple[Floats, int]]
"""Shares of samples by square and the square that is shot at, by what is known, the number of samples and a key."""


def sampler_of(name: str) -> Sampler:
    """The sampler of an agent."""
    agent = strategy_of(name)
    assert isinstance(agent, SamplingAgent)

    def sampled(known: NDArray[np.int8], number: int, key: int) -> tuple[Floats, int]:
        shot = next_shot(known, SHOTS_BEFORE, agent.method, SMALL, number, key)
        shares: Floats = shot.votes / max(shot.tally.drawn - shot.tally.dropped, 1)
        return shares, shot.square

    return sampled


@cache
def fleet_table() -> NDArray[np.bool_]:
    """The squares of all fleets of the small board: bool (fleets, squares)."""
    fleets = [fleet_squares(fleet, SMALL) for fleet in legal_fleets(SMALL)]
    table = np.zeros((len(fleets), SMALL.squares), dtype=bool)
    for row, squares in zip(table, fleets, strict=True):
        row[list(squares)] = True
    return table


def positions_of(seed: int, count: int) -> Iterator[tuple[NDArray[np.int8], int]]:
    """Facts after random shots at random fleets, and a key."""
    boards = Boards.drawn(seed, "positions", count, "one-by-one", SMALL).targets()
    for number, board in enumerate(boards):
        known = np.zeros(SMALL.squares, np.int8)
        ships = fleet_squares(board.fleet, SMALL)
        for square in stream(seed, "shots before", number).permutation(SMALL.squares)[:SHOTS_BEFORE].tolist():
            known[square] = at.HIT if square in ships else at.MISS
        yield known, board.key


def chance_rows(
    seed: int, positions: int, watch: Watch, samplers: Mapping[str, Sampler] | None = None
) -> Iterator[Row]:
    """Errors of the chances of squares against all fleets of a small board that the shots allow, equally likely."""
    watch("true chances on a small board")
    heading = f"Chances of squares, 6x6 with 3,2,2, {SHOTS_BEFORE} shots"
    places = list(positions_of(seed, positions))
    for reading, sampler in (samplers or {READINGS[name]: sampler_of(name) for name in READINGS}).items():
        few, many = (
            np.array([_errors(known, *sampler(known, number, key)) for known, key in places])
            for number in (FEW, EXACT_SAMPLES)
        )
        said = "a good approximation in most belief states"
        for what, values in zip(MEASURES, many.T, strict=True):
            interval = mean_interval(values, support=(0.0, 1.0))
            yield Row(heading, f"{reading}, N = {EXACT_SAMPLES:,}: {what}", interval, "positions", said)
        likeliest = mean_interval(many[:, -1] < ROUNDING, support=(0.0, 1.0))
        quantity = f"{reading}, N = {EXACT_SAMPLES:,}: share in which the shot is at a likeliest square"
        yield Row(heading, quantity, likeliest, "positions", said, above(0.5))
        less = mean_interval(few[:, 1] / SLOWEST - many[:, 1], support=(-1.0, 1.0))
        quantity = f"{reading}: a fifth of the mean error with N = {FEW}, less that with {EXACT_SAMPLES:,}"
        yield Row(heading, quantity, less, "positions", "converge to the sampling probability", above(0.0))


def _errors(known: NDArray[np.int8], shares: Floats, square: int) -> tuple[float, float, float]:
    """The measures of ``MEASURES`` in a position."""
    true, unshot = chances_of(fleet_table(), known), known == at.UNSHOT
    off = np.abs(shares - true)[unshot]
    return float(off.max()), float(off.mean()), float(true[unshot].max() - true[square])


def chances_of(table: NDArray[np.bool_], known: NDArray[np.int8]) -> Floats:
    """By square the share of fleets with a ship there, of those that the knowledge allows.

    Args:
        table: bool (fleets, squares): the squares of each fleet.
        known: int8 (squares,).
    """
    fits = table[:, known == at.HIT].all(axis=1) & ~table[:, known == at.MISS].any(axis=1)
    shares: Floats = table[fits].mean(axis=0)
    return shares


def large_rules() -> Rules:
    """The board of 50x50 squares with a hundred ships: ten of each of the ten."""
    ships = Rules.from_options({"variant": "ten-ships"}).fleet * 10
    return Rules(width=50, height=50, fleet=tuple(sorted(ships, reverse=True)), touch=False)


def large_rows(
    seed: int, games: Mapping[int, int], names: Sequence[str], executor: Executor, watch: Watch
) -> Iterator[Row]:
    """Shots on 50x50 squares.

    Args:
        seed: of boards.
        games: how many, by the number of samples.
        names: of samplers.
        executor: where they shoot.
        watch: is told what is being done.
    """
    rules = large_rules()
    heading = "50x50 squares with 100 ships, which the source has not tested"
    for samples, count in games.items():
        boards = Boards.drawn(seed, "large", count, "one-by-one", rules)
        found = {}
        for name in names:
            watch(f"50x50, {READINGS[name]}, N = {samples}")
            found[name] = trials(Entrant(name, samples), boards, executor).shots
            shots = mean_interval(found[name], support=(sum(rules.fleet), rules.squares))
            yield Row(heading, f"{READINGS[name]}, N = {samples}: shots", shots, "boards")
        saved = paired_difference(
            found["mcs"], found["mcs-mended"], support=(sum(rules.fleet), rules.squares)
        )
        quantity = f"shots that the mended sampler saves, N = {samples}"
        yield Row(heading, quantity, saved, "boards", "", above(0.0))

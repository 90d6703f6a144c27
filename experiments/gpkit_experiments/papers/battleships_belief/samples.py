"""Samples: how many leave hits out, what their number is worth, errors of chances; layouts that exploit the sampler."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Flags, Floats
from gpkit.core.rng import below as number_below
from gpkit.core.rng import stream
from gpkit.evolution.problem import Executor
from gpkit.games.battleship.agents import BACKTRACKS, Method, SamplingAgent, next_shot
from gpkit.games.battleship.arena import strategy_of
from gpkit.games.battleship.kernel import samples as at
from gpkit.games.battleship.rules import BattleshipRules, Placements, fleet_squares
from gpkit.vm.keyed import HALF
from gpkit_experiments.optimal_boards import legal_fleets
from gpkit_experiments.papers.battleship_sinking.hard_fleets import moves
from gpkit_experiments.papers.battleships_belief.tables import (
    PLACEMENTS,
    READINGS,
    Boards,
    Entrant,
    Results,
    Target,
    cleared,
    trials,
)
from gpkit_experiments.papers.paper import Row, Watch, above, below
from gpkit_experiments.papers.units import mean_interval, paired_difference, rate_interval
from gpkit_experiments.sampled_boards import clear_board, share_inconsistent

SMALL = BattleshipRules(width=6, height=6, fleet=(3, 2, 2), touch=False)
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
                share = rate_interval(found.inconsistent)
                said = "less than 1 in 1000 fail to cover all hits"
                quantity = f"N = {entrant.samples}: share that leaves a hit out, by board"
                claim = below(0.001) if entrant.samples <= JUDGED else None
                yield Row(heading, quantity, share, "boards", said, claim)
                dropped = rate_interval(found.dropped)
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


def method_of(name: str) -> Method:
    """The way to sample of an agent."""
    agent = strategy_of(name)
    assert isinstance(agent, SamplingAgent)
    return agent.method


def sampler_of(name: str) -> Sampler:
    """The sampler of an agent."""
    method = method_of(name)

    def sampled(known: NDArray[np.int8], number: int, key: int) -> tuple[Floats, int]:
        square, votes, tally = next_shot(known, SHOTS_BEFORE, method, SMALL, number, key)
        return votes / max(tally.drawn - tally.dropped, 1), square

    return sampled


@cache
def fleet_table() -> Flags:
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
            interval = rate_interval(values)
            yield Row(heading, f"{reading}, N = {EXACT_SAMPLES:,}: {what}", interval, "positions", said)
        likeliest = rate_interval(many[:, -1] < ROUNDING)
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


def chances_of(table: Flags, known: NDArray[np.int8]) -> Floats:
    """By square the share of fleets with a ship there, of those that the knowledge allows.

    Args:
        table: bool (fleets, squares): the squares of each fleet.
        known: int8 (squares,).
    """
    fits = table[:, known == at.HIT].all(axis=1) & ~table[:, known == at.MISS].any(axis=1)
    shares: Floats = table[fits].mean(axis=0)
    return shares


def large_rules() -> BattleshipRules:
    """The board of 50x50 squares with a hundred ships: ten of each of the ten."""
    ships = BattleshipRules.from_options({"variant": "ten-ships"}).fleet * 10
    return BattleshipRules(width=50, height=50, fleet=tuple(sorted(ships, reverse=True)), touch=False)


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


Goal = Literal["shots", "inconsistent"]
"""Goal of a search: many shots, or a large share of samples that leave a hit out."""

GOALS: Mapping[Goal, str] = {"shots": "most shots", "inconsistent": "samples fail"}
"""Both goals, in words."""

SAMPLES = 10
"""Samples at each turn while layouts are searched for."""

STARTS = 16
"""Random fleets of each placement, the best of which is improved."""

WATCHED, WATCHED_SAMPLES = 10, 1_000
"""Games in which the worst position is looked for, and samples at each turn of them."""

LOOKED_AT = 150
"""Games of which every position is looked at."""

HOPELESS = 100
"""Samples at each turn where positions are counted in which all of them fail."""

SURE_SAMPLES = 10_000
"""Samples by which it is judged, from other random numbers."""

HEADING = "An exploiting layout"

COMPARED = (Entrant("mcs", SAMPLES), Entrant("mcs-mended", SAMPLES))
"""The sampler that layouts are sought against, and the one that leaves no hit out."""


@dataclass(frozen=True, slots=True)
class Search:
    """A search for a layout by moving ships.

    Attributes:
        goal: what is to be large.
        method: the sampler.
        rules: the board and the fleet.
        seed: of all chance.
        steps: layouts that are tried.
        games: with each, on the same random numbers as the one that it is compared with.
    """

    goal: Goal
    method: Method
    rules: BattleshipRules
    seed: int
    steps: int
    games: int

    def value(self, fleet: Placements, step: int) -> float:
        """Value of a layout on the random numbers of a step."""
        rng = stream(self.seed, f"layouts {self.goal}", step)
        games = [
            clear_board(fleet, self.method, self.rules, SAMPLES, number_below(rng, HALF))
            for _ in range(self.games)
        ]
        if self.goal == "shots":
            return float(np.mean([game.shots for game in games]))
        return float(np.mean([share_inconsistent(game.tally) for game in games]))

    def best(self, starts: Sequence[Placements]) -> Placements:
        """The layout found: the best of the starts, then moves of one ship or two are kept if they are no worse.

        Both are compared on new random numbers at every step, so that luck does not stay.
        """
        fleet = max(starts, key=lambda each: self.value(each, -1))
        for step in range(self.steps):
            drawn = moves(stream(self.seed, f"moves {self.goal}", step), fleet, self.rules)
            other = next(each for each in drawn if each != fleet)
            if self.value(other, step) >= self.value(fleet, step):
                fleet = other
        return fleet


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a game.

    Attributes:
        known: by square what the shooter knows, ``UNSHOT``, ``MISS`` or ``HIT`` of the kernel.
        turn: the turns taken.
        share: of samples that leave a hit out.
    """

    known: tuple[int, ...]
    turn: int
    share: float


def positions(board: Target, method: Method, rules: BattleshipRules, samples: int) -> Iterator[Position]:
    """Every position of a game in which the sampler clears a board."""
    ships = fleet_squares(board.fleet, rules)
    known = np.zeros(rules.squares, np.int8)
    left, turn = len(ships), 0
    while left:
        square, _, tally = next_shot(known, turn, method, rules, samples, board.key)
        yield Position(tuple(known.tolist()), turn, share_inconsistent(tally))
        known[square] = at.HIT if square in ships else at.MISS
        left -= square in ships
        turn += 1


def share_in(position: Position, method: Method, rules: BattleshipRules, key: int) -> tuple[int, int]:
    """Samples of a position from new random numbers: those that leave a hit out, and all."""
    known = np.array(position.known, np.int8)
    *_, tally = next_shot(known, position.turn, method, rules, SURE_SAMPLES, key)
    return tally.inconsistent, tally.drawn


def layout_text(fleet: Placements, rules: BattleshipRules, known: Sequence[int] | None = None) -> str:
    """A layout as text: ships as their lengths; in a position o is a miss, and what was not hit is in brackets."""
    signs = [" . "] * rules.squares
    for number, what in enumerate(known or ()):
        if what == at.MISS:
            signs[number] = " o "
    for length, placement in zip(rules.fleet, fleet, strict=True):
        step = rules.width if placement & 1 else 1
        for k in range(length):
            square = (placement >> 1) + k * step
            hidden = known is not None and known[square] == at.UNSHOT
            signs[square] = f"({length})" if hidden else f" {length} "
    rows = ["".join(signs[y * rules.width : (y + 1) * rules.width]).rstrip() for y in range(rules.height)]
    return "".join(f"{row}\n" for row in rows)


@dataclass(frozen=True, slots=True)
class Exhibit:
    """Layouts that were found, with their rows and texts.

    Attributes:
        rows: of the paper.
        files: the layouts as text, by path.
    """

    rows: tuple[Row, ...]
    files: dict[str, str]


def exhibit(
    typical: Sequence[Target], rules: BattleshipRules, seed: int, steps: int, games: int, watch: Watch
) -> Exhibit:
    """Search for layouts against the sampler that observes the rules, and measure them with new random numbers.

    Args:
        typical: fleets as the source lays them, to compare with.
        rules: the board and the fleet.
        seed: of all chance.
        steps: layouts tried in each search.
        games: with each, in a step.
        watch: is told what is being done.
    """
    method = method_of("mcs")
    starts = [
        each.fleet
        for placement in PLACEMENTS
        for each in Boards.drawn(seed, "starts", STARTS, placement, rules).targets()
    ]
    found = {}
    for goal, name in GOALS.items():
        watch(f"layouts: {name}")
        search = Search(goal, method, rules, seed, steps, games)
        found[name] = search.best(starts)
    rng = stream(seed, "layout keys")
    keys = [number_below(rng, HALF) for _ in range(len(typical))]
    boards = {"fleets laid one by one": list(typical)}
    boards |= {f"found: {name}": [Target(fleet, key) for key in keys] for name, fleet in found.items()}
    rows = [row for name, each in boards.items() for row in _level_rows(name, each, rules)]
    for name in found:
        rows += exploit_rows(name, boards[f"found: {name}"], typical, rules)
    files = {
        f"layouts/{name.replace(' ', '-')}.txt": layout_text(fleet, rules) for name, fleet in found.items()
    }
    watch("layouts: the worst position")
    fleet = found["samples fail"]
    met = (positions(Target(fleet, key), method, rules, WATCHED_SAMPLES) for key in keys[:WATCHED])
    worst = max(chain.from_iterable(met), key=lambda position: position.share)
    inconsistent, drawn = share_in(worst, method, rules, number_below(rng, HALF))
    share = rate_interval([1.0] * inconsistent + [0.0] * (drawn - inconsistent))
    said = "close to or even equal to 1 in very rare belief states"
    quantity = "share of samples that leave a hit out, in the worst position of it"
    rows.append(Row(HEADING, quantity, share, "samples", said, above(0.99)))
    for name in ("mcs", "mcs-flawed"):
        share = rate_interval([hopeless(board, name, rules) for board in typical[:LOOKED_AT]])
        said = "occurred very rarely in our tests"
        quantity = (
            f"fleets laid one by one, {READINGS[name]}: share of positions in which none of {HOPELESS} samples "
            "covers all hits"
        )
        rows.append(Row(HEADING, quantity, share, "games", said, below(0.01)))
    files["layouts/worst-position.txt"] = layout_text(fleet, rules, worst.known)
    return Exhibit(tuple(rows), files)


def hopeless(board: Target, name: str, rules: BattleshipRules) -> float:
    """Share of the positions of a game in which no sample covers all hits."""
    met = positions(board, method_of(name), rules, HOPELESS)
    return float(np.mean([each.share == 1.0 for each in met]))


def _level_rows(name: str, boards: Sequence[Target], rules: BattleshipRules) -> Iterator[Row]:
    """Rows of every sampler and of the reference on these boards."""
    for entrant in (*COMPARED, Entrant("mcs", 10 * SAMPLES)):
        games = [cleared(entrant, board, rules) for board in boards[:: max(entrant.samples // SAMPLES, 1)]]
        shots = mean_interval([game.shots for game in games])
        label = f"{name}, {READINGS[entrant.name]}, N = {entrant.samples}"
        yield Row(HEADING, f"{label}: shots", shots, "games")
        share = rate_interval([share_inconsistent(game.tally) for game in games])
        yield Row(HEADING, f"{label}: share of samples that leaves a hit out", share, "games")


def exploit_rows(
    name: str, layout: Sequence[Target], typical: Sequence[Target], rules: BattleshipRules
) -> Iterator[Row]:
    """Cost of a layout to the sampler beyond other fleets, and the part that the mended sampler is spared.

    That one leaves no hit out, so only the rest is the weakness that the source speaks of.
    """
    (found, mended), (usual, usual_mended) = (
        [np.array([cleared(entrant, board, rules).shots for board in boards]) for entrant in COMPARED]
        for boards in (layout, typical)
    )
    said = "a weakness that could be exploited by clever initial ship layout"
    label = f"found: {name}, samples observe touching, N = {SAMPLES}: shots beyond fleets laid one by one"
    yield Row(HEADING, label, paired_difference(found, usual), "games", said, above(0.0))
    owed = paired_difference(found - mended, usual - usual_mended)
    yield Row(HEADING, f"{label}, that the mended sampler does not pay", owed, "games", said, above(0.0))

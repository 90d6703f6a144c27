"""Layouts that exploit the sampler: fleets at which it needs the most shots, or that it fails to sample, by search."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import numpy as np

from gpkit.core.rng import below as number_below
from gpkit.core.rng import stream
from gpkit.games.battleship.fleets import Placements, fleet_squares, is_legal, is_on_board
from gpkit.games.battleship.kernel import samples as at
from gpkit.games.battleship.monte_carlo import Method, SamplingAgent, next_shot
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.players import strategy_of
from gpkit.vm.keyed import HALF
from gpkit_experiments.papers.battleships_belief.tables import READINGS
from gpkit_experiments.papers.battleships_belief.trials import PLACEMENTS, Boards, Entrant, Target, cleared
from gpkit_experiments.papers.paper import Row, Watch, above, below
from gpkit_experiments.papers.units import mean_interval, paired_difference
from gpkit_experiments.sampled_boards import clear_board, share_inconsistent

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
    rules: Rules
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
            other = self._moved(fleet, step)
            if self.value(other, step) >= self.value(fleet, step):
                fleet = other
        return fleet

    def _moved(self, fleet: Placements, step: int) -> Placements:
        rng = stream(self.seed, f"moves {self.goal}", step)
        while True:
            moved = list(fleet)
            for _ in range(1 + number_below(rng, 2)):
                moved[number_below(rng, len(moved))] = number_below(rng, 2 * self.rules.squares)
            laid = zip(moved, self.rules.fleet, strict=True)
            is_there = all(is_on_board(place, length, self.rules) for place, length in laid)
            if is_there and tuple(moved) != fleet and is_legal(moved, self.rules):
                return tuple(moved)


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


def positions(board: Target, method: Method, rules: Rules, samples: int) -> Iterator[Position]:
    """Every position of a game in which the sampler clears a board."""
    ships = fleet_squares(board.fleet, rules)
    known = np.zeros(rules.squares, np.int8)
    left, turn = len(ships), 0
    while left:
        shot = next_shot(known, turn, method, rules, samples, board.key)
        yield Position(tuple(known.tolist()), turn, share_inconsistent(shot.tally))
        known[shot.square] = at.HIT if shot.square in ships else at.MISS
        left -= shot.square in ships
        turn += 1


def share_in(position: Position, method: Method, rules: Rules, key: int) -> tuple[int, int]:
    """Samples of a position from new random numbers: those that leave a hit out, and all."""
    known = np.array(position.known, np.int8)
    tally = next_shot(known, position.turn, method, rules, SURE_SAMPLES, key).tally
    return tally.inconsistent, tally.drawn


def layout_text(fleet: Placements, rules: Rules, known: Sequence[int] | None = None) -> str:
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
    typical: Sequence[Target], rules: Rules, seed: int, steps: int, games: int, watch: Watch
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
    method = _method("mcs")
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
    share = mean_interval([1.0] * inconsistent + [0.0] * (drawn - inconsistent), support=(0.0, 1.0))
    said = "close to or even equal to 1 in very rare belief states"
    quantity = "share of samples that leave a hit out, in the worst position of it"
    rows.append(Row(HEADING, quantity, share, "samples", said, above(0.99)))
    for name in ("mcs", "mcs-flawed"):
        share = mean_interval(
            [hopeless(board, name, rules) for board in typical[:LOOKED_AT]], support=(0.0, 1.0)
        )
        said = "occurred very rarely in our tests"
        quantity = (
            f"fleets laid one by one, {READINGS[name]}: share of positions in which none of {HOPELESS} samples "
            "covers all hits"
        )
        rows.append(Row(HEADING, quantity, share, "games", said, below(0.01)))
    files["layouts/worst-position.txt"] = layout_text(fleet, rules, worst.known)
    return Exhibit(tuple(rows), files)


def hopeless(board: Target, name: str, rules: Rules) -> float:
    """Share of the positions of a game in which no sample covers all hits."""
    met = positions(board, _method(name), rules, HOPELESS)
    return float(np.mean([each.share == 1.0 for each in met]))


def _method(name: str) -> Method:
    agent = strategy_of(name)
    assert isinstance(agent, SamplingAgent)
    return agent.method


def _level_rows(name: str, boards: Sequence[Target], rules: Rules) -> Iterator[Row]:
    """Rows of every sampler and of the reference on these boards."""
    for entrant in (*COMPARED, Entrant("mcs", 10 * SAMPLES)):
        games = [cleared(entrant, board, rules) for board in boards[:: max(entrant.samples // SAMPLES, 1)]]
        shots = mean_interval([game.shots for game in games])
        label = f"{name}, {READINGS[entrant.name]}, N = {entrant.samples}"
        yield Row(HEADING, f"{label}: shots", shots, "games")
        share = mean_interval([share_inconsistent(game.tally) for game in games], support=(0.0, 1.0))
        yield Row(HEADING, f"{label}: share of samples that leaves a hit out", share, "games")


def exploit_rows(
    name: str, layout: Sequence[Target], typical: Sequence[Target], rules: Rules
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

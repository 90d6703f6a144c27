"""Section III.A: where Sequential Monte Carlo lays fleets, and what that costs those who shoot at them.

Fleets are the source's, without the rehearsal of ours. Those of one draw are its particles, which are not independent:
the unit is the draw.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from gpkit.core.arrays import Floats, Ints
from gpkit.core.rng import stream
from gpkit.core.statistics import Interval
from gpkit.gamekit.players import Player
from gpkit.games.battleship.arena import TargetAnswers, fleets_of, running_sums, shot_at, shots_at, turns_at
from gpkit.games.battleship.learner.targeting import (
    DEFAULTS,
    Received,
    drawn_fleets,
    square_weights,
    times_covered,
)
from gpkit.games.battleship.rules import draw_deals
from gpkit_experiments.papers.battleship_adaptive.adapting import doubled, opponent_of, shots
from gpkit_experiments.papers.battleship_adaptive.study import Measured, Study
from gpkit_experiments.papers.battleship_adaptive.waves import RULES
from gpkit_experiments.papers.paper import Row, above, below
from gpkit_experiments.papers.units import mean_interval, paired_difference, rate_interval

PLACES: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {
        "corner": (0, 9, 90, 99),
        "middle of an edge": (4, 5, 40, 49, 50, 59, 94, 95),
        "centre": (44, 45, 54, 55),
    }
)
"""Squares of the places of Figure 1 and their images."""

MIDDLE = frozenset(10 * y + x for y in range(2, 8) for x in range(2, 8))
"""Squares of the middle of the board."""

SHOOTERS = ("corrected", "hunt", "density", "searched", "textbook", "runner-up", "raster", "checkerboard")
"""Players with targets of their own; the last two do not sink what they hit."""

HABITS = ("corrected", "hunt", "density", "textbook", "raster", "checkerboard", "diagonal")
"""Players that shoot in the same way in every game."""

COST = "Section III.A, shots that Sequential Monte Carlo costs beside uniform fleets"
CENTRE_FIRST = (
    "Section III.A, shots that the corrected Figure 8 saves by searching the middle of the board first"
)

TOLD = (0, 5, 20)
"""Games after which placement that learns is told of."""

LEAST = "ships in the probabilistically least likely location to be shot"
CENTRE = "the center is still the most likely place"
CORNERS = "areas such as the corners will have a higher likelihood than random placement"
SMART = "a smart opponent will place more shots around the center"
LEARNS = "displays intelligence by adapting to the opponent over time"
NEGLECTED = "in areas of the board which the opponent has neglected in past games"


def measure_placement(study: Study) -> Measured:
    """Densities of the player's own fleets, and shots at them, before and after games with an opponent."""
    study.watch("placement")
    laid = [monte_carlo(study.seed, draw) for draw in range(study.effort.draws)]
    random = [uniform(study.seed, draw) for draw in range(study.effort.draws)]
    rows = (*place_rows(laid, random), *cost_rows(laid, random), *centre_rows(laid, random))
    return Measured((*rows, *learning_rows(study)))


def monte_carlo(seed: int, draw: int, received: Received | None = None) -> Ints:
    """The particles of one draw after some games: int64 (particles, ships)."""
    known = received or Received.none(RULES)
    weights = square_weights(known, RULES, caution=DEFAULTS.caution)
    return drawn_fleets(stream(seed, "monte carlo", draw), weights, RULES, DEFAULTS.particles)


def uniform(seed: int, draw: int) -> Ints:
    """As many uniform fleets."""
    keys = draw_deals(stream(seed, "uniform fleets", draw), DEFAULTS.particles).keys[:, 1]
    return fleets_of(keys, running_sums("uniform", RULES), RULES)


def covered(fleets: list[Ints]) -> Floats:
    """By draw the share of fleets on each square: float64 (draws, squares)."""
    return np.array([times_covered(each, RULES) / len(each) for each in fleets])


def place_rows(laid: list[Ints], random: list[Ints]) -> Iterator[Row]:
    """Rows of how often ships lie at the corner, the edge and the centre."""
    shares = {
        name: {place: covered(fleets)[:, squares].mean(axis=1) for place, squares in PLACES.items()}
        for name, fleets in (("Sequential Monte Carlo", laid), ("uniform fleets", random))
    }
    heading = "Section III.A, a ship on the square"
    for name, found in shares.items():
        for place, values in found.items():
            interval = rate_interval(values)
            yield Row(heading, f"{place}, {name}", interval, "draws")
    own, chance = shares.values()
    more = paired_difference(own["corner"], chance["corner"])
    yield Row(heading, "corner, more than by chance", more, "draws", CORNERS, above(0.0))
    for other in ("corner", "middle of an edge"):
        most = paired_difference(own["centre"], own[other])
        quantity = f"centre, more than {other}, Sequential Monte Carlo"
        yield Row(heading, quantity, most, "draws", CENTRE, above(0.0))


def needed(shooter: Player, fleets: Ints) -> float:
    """Mean shots of a player until fleets are cleared."""
    return float(np.mean(turns_at(doubled(fleets, RULES), shooter, np.arange(len(fleets)), RULES)))


def cost_rows(laid: list[Ints], random: list[Ints]) -> Iterator[Row]:
    """Shots that the player's first fleets cost beside uniform ones."""
    for name in SHOOTERS:
        yield Row(COST, name, cost(name, laid, random), "draws", LEAST, above(0.0))


def cost(name: str, laid: list[Ints], random: list[Ints]) -> Interval:
    """The shots that a player needs more for the first fleets, paired by draw."""
    shooter = opponent_of(name, "uniform")
    found = np.array([[needed(shooter, each) for each in fleets] for fleets in (laid, random)])
    return paired_difference(*found)


def centre_rows(laid: list[Ints], random: list[Ints]) -> Iterator[Row]:
    """Shots that it saves to search the middle of the board first; either way squares of a checkerboard come first."""
    even, odd = (
        [square for square in range(RULES.squares) if sum(divmod(square, 10)) % 2 == n] for n in (0, 1)
    )
    halves = [[each for each in even if each in MIDDLE], [each for each in even if each not in MIDDLE]]
    orders = answers_in_groups([even, odd]), answers_in_groups([*halves, odd])
    for name, fleets in (("uniform fleets", random), ("Sequential Monte Carlo", laid)):
        anywhere, first = (
            [float(shots(answers, each, RULES).mean()) for each in fleets] for answers in orders
        )
        claim = above(0.0) if name == "uniform fleets" else None
        interval = paired_difference(anywhere, first)
        yield Row(CENTRE_FIRST, name, interval, "draws", SMART if claim else "", claim)


def answers_in_groups(groups: Sequence[Sequence[int]]) -> TargetAnswers:
    """Targets that take the squares of a group in any order before those of the next."""
    ends = np.repeat(np.cumsum([len(group) for group in groups]), [len(group) for group in groups])
    return TargetAnswers(order=np.stack([np.concatenate(groups), ends]).astype(np.int16))


def learning_rows(study: Study) -> Iterator[Row]:
    """Shots that fleets cost players of fixed habits after some games, and how early these shot at their squares."""
    for name in HABITS:
        study.watch(f"placement against {name}")
        courses = [learned(name, study.seed, number) for number in range(study.effort.series)]
        found = np.array([shots for shots, _ in courses])
        for place, games in enumerate(TOLD[1:], 1):
            heading = "Section III.A, shots that fleets cost more after games against the same player"
            interval = paired_difference(found[:, place], found[:, 0])
            yield Row(heading, f"{name}, after {games} games", interval, "series", LEARNS, above(0.0))
        heading = "Section V, earliness of a player's shots on the squares of fleets, as a share of the mean square's"
        shares = mean_interval([share for _, share in courses])
        yield Row(heading, f"{name}, after {TOLD[-1]} games", shares, "series", NEGLECTED, below(1.0))


def learned(name: str, seed: int, number: int, caution: float = DEFAULTS.caution) -> tuple[Floats, float]:
    """A series in which placement alone learns.

    Returns:
        Mean shots at the fleets of a draw after each of ``TOLD``: float64 (told,); and how early, in the games so far,
        the player shot at the squares of the last draw, beside the mean square.
    """
    shooter, received, found = opponent_of(name, "uniform"), Received.none(RULES), np.zeros(len(TOLD))
    keys = draw_deals(stream(seed, "habits", number), TOLD[-1] + 1).keys[:, 0, 2].tolist()
    for games, key in enumerate(keys):
        weights = square_weights(received, RULES, caution=caution)
        rng = stream(seed, "learned fleets", number, games)
        fleets = drawn_fleets(rng, weights, RULES, DEFAULTS.particles)
        if games in TOLD:
            found[TOLD.index(games)] = needed(shooter, fleets)
        if games < TOLD[-1]:
            fleet = tuple(fleets[0].tolist())
            received = received.after(shot_at(fleet, shots_at(fleet, shooter, key, RULES), RULES))
    heat = received.heat(RULES)
    share = times_covered(fleets, RULES) @ heat / (times_covered(fleets, RULES).sum() * heat.mean())
    return found, float(share)

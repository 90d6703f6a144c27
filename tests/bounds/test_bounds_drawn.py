"""Whole games of all shipped games under drawn options, and the kernels that vary and fit drawn formulas."""

from collections.abc import Callable

import numpy as np
import pytest
from extremes import checked_play, everybody
from kernel_marks import bounds_checked

import gpkit
from gpkit.core.errors import UsageError
from gpkit.core.registry import GAMES, find
from gpkit.core.rng import below, stream
from gpkit.gamekit.options import Option
from gpkit.games.battleship.belief.posterior import Facts, RolloutStage, compare, fleets_of
from gpkit.games.battleship.game import GAME as BATTLESHIP
from gpkit.playing.players import player_of_name

pytestmark = [pytest.mark.slow, bounds_checked]

DRAWN = 200
FITS = 10


CHOICES = {
    each.name: each for each in BATTLESHIP.all_options if each.name in ("touch", "announce", "shots", "found")
}


def size(rng: np.random.Generator, most: int) -> str:
    return f"{1 + below(rng, most)}x{1 + below(rng, most)}"


def fleet(rng: np.random.Generator) -> str:
    """Ships most of which are as long."""
    longest = 1 + below(rng, 12)
    lengths = [longest if below(rng, 4) else 1 + below(rng, longest) for _ in range(1 + below(rng, 10))]
    return ",".join(map(str, lengths))


def goal(rng: np.random.Generator) -> str:
    return f"zerglings={below(rng, 30)},drone={1 + below(rng, 30)}"


def attack(rng: np.random.Generator) -> str:
    return ("none", "random", f"{1 + below(rng, 300)}:{1 + below(rng, 200)}")[below(rng, 3)]


TEXTS: dict[tuple[str, str], Callable[[np.random.Generator], str]] = {
    ("battleship", "board"): lambda rng: size(rng, 12),
    ("battleship", "fleet"): fleet,
    ("dots_and_boxes", "board"): lambda rng: size(rng, 4),
    ("build_order", "goal"): goal,
    ("build_order", "attack"): attack,
}
MOST = {"colours": 12, "length": 6, "guesses": 20, "horizon": 400, "laps": 60}
"""Numbers that are drawn up to here, so that a game ends soon."""

OTHER_SIDE = {"mastermind": "codemaker", "build_order": "enemy"}
"""Who sits opposite in the games in which one player decides."""


def drawn(game: str, option: Option, rng: np.random.Generator) -> str:
    """A value of an option: of a number often the least, or a small one."""
    if option.choices:
        return option.choices[below(rng, len(option.choices))]
    if (game, option.name) in TEXTS:
        return TEXTS[game, option.name](rng)
    high = min(option.high, MOST.get(option.name, option.high))
    few = min(high, option.low + 9)
    ends = (option.low, few, high)
    return str(option.low + below(rng, ends[below(rng, 3)] - option.low + 1))


@pytest.mark.parametrize("name", [entry.name for entry in GAMES])
def test_everybody_plays_under_drawn_options(name: str) -> None:
    game = find(GAMES, name, "game").load()
    agents, count = everybody(game), 0
    for number in range(DRAWN):
        rng = stream(number, "drawn bounds")
        names = [option for option in game.all_options if option.name != "variant" and below(rng, 3)]
        options = {option.name: drawn(name, option, rng) for option in names}
        try:
            seats = getattr(game.make_rules(options), "players", 2)
            table = [agents[(number + seat * (1 + below(rng, 5))) % len(agents)] for seat in range(seats)]
            if name in OTHER_SIDE:
                table[1] = player_of_name(OTHER_SIDE[name], game)
            checked_play(game, table, options, deals=1)
            count += 1
        except UsageError:  # options that do not go together, or a player for other rules
            pass
    assert count > DRAWN // 5


def test_beliefs_stay_in_their_arrays_with_few_fleets_of_large_ships() -> None:
    count = 0
    for number in range(DRAWN):
        rng = stream(number, "drawn beliefs")
        width, height = 3 + below(rng, 6), 3 + below(rng, 6)
        longest = max(width, height) - below(rng, 3)
        lengths = [longest if below(rng, 5) else 1 + below(rng, longest) for _ in range(1 + below(rng, 7))]
        options = {"board": f"{width}x{height}", "fleet": ",".join(map(str, lengths))}
        options |= {name: drawn("battleship", each, rng) for name, each in CHOICES.items()}
        agent = player_of_name(("belief", "belief:1", "belief:20")[number % 3], BATTLESHIP)
        try:
            checked_play(BATTLESHIP, [agent, player_of_name("uniform", BATTLESHIP)], options, deals=2)
            count += 1
        except UsageError:  # there is no room for such a fleet
            pass
    assert count > DRAWN // 5


def test_rollouts_over_few_neighbouring_fleets_of_large_ships_stay_in_their_arrays() -> None:
    count = 0
    for number in range(10 * DRAWN):
        rng = stream(number, "drawn rollouts")
        width, height = 3 + below(rng, 8), 3 + below(rng, 8)
        longest = max(width, height) - below(rng, 3)
        lengths = [longest if below(rng, 6) else 1 + below(rng, longest) for _ in range(1 + below(rng, 9))]
        options = {"board": f"{width}x{height}", "fleet": ",".join(map(str, lengths))}
        options |= {name: drawn("battleship", each, rng) for name, each in CHOICES.items()}
        try:
            facts = Facts(BATTLESHIP.make_rules(options))
        except UsageError:  # there is no room for such a fleet
            continue
        listed = fleets_of(facts, 400)
        some = listed[below(rng, len(listed) or 1) :][: 3 + below(rng, 12)]
        if len(some) >= 3:
            count += compare(some, facts, RolloutStage(400, 3, 0.4, nested=bool(below(rng, 2)))) is not None
    assert count > DRAWN


@pytest.mark.parametrize("kind", ["formula", "tree"])
def test_formulas_and_trees_are_fitted_to_drawn_tables(kind: str) -> None:
    for number in range(FITS):
        rng = stream(number, "drawn fits")
        rows, columns = 6 + below(rng, 300), 1 + below(rng, 12)
        table = rng.normal(size=(rows, columns + 1))
        table[:, -1] = np.round(table[:, -1], below(rng, 3))
        generations, population = 1 + below(rng, 4), 2 + below(rng, 60)
        settings = {"generations": generations, "population": population, "size": 1 + below(rng, 200)}
        gpkit.fit(table[:, :-1], table[:, -1], kind=kind, task="regression", seed=number, **settings)

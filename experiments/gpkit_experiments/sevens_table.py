"""Champions of Sevens side by side, at tables of two to five, as ``strength-sevens-table.json`` keeps them.

``python -m gpkit_experiments.sevens_table`` measures everything anew and writes the file, in about two minutes on one
core.
"""

from typing import Any

from gpkit.core.registry import GAMES, find
from gpkit.gamekit.game import Game
from gpkit.playing.contest import play_match
from gpkit.playing.players import player_of_name, player_of_text
from gpkit.playing.results import chained
from gpkit_experiments.held_out_sets import SEVENS
from gpkit_experiments.papers.page import DATA
from gpkit_experiments.papers.units import entry, write_record

SEEDS = (85001, 85002, 85003, 85004, 85005)
"""The seeds of the five disjoint sets, named before any was played; nothing was chosen by them."""

PROGRAMS = ("champion", "champion-40", "tuned-40", "searched-40")
TABLES = (
    ("simple", 3, 60_000),
    ("random", 3, 60_000),
    ("medium", 3, 60_000),
    ("champion", 3, 60_000),
    ("champion-40", 3, 60_000),
    ("tuned-40", 3, 60_000),
    ("searched-40", 3, 60_000),
    ("simple", 2, 20_000),
    ("simple", 4, 20_000),
    ("simple", 5, 20_000),
    ("champion", 2, 20_000),
    ("champion", 4, 20_000),
    ("champion", 5, 20_000),
)
"""The opponent in all other seats, players at the table, and games of each set."""

SEARCHED = (
    "Shape and constants of `searched-40` were searched by a copy of the rules, compiled for a graphics "
    "processor, that is no part of gpkit: 1.75e10 games with three players, on deals of its own. On "
    "10,000 deals the first player of each of ten line-ups won the same games as in gpkit. 6.8e9 games "
    "tried four more sensors and up to 56 nodes, of which nothing was kept. Formulas of at most 40 nodes "
    "with the sensors and operators of the alphabet `giving` evolved on four islands, one of them from "
    "random formulas; their constants were then adapted by CMA-ES (Hansen and Ostermeier, 2001). Fitness: "
    ".8 of the share of wins against two `simple`, .06 against two `tuned-40`, .1 against two of the best "
    "so far, .04 against `simple` and `champion`, compared on the same deals. By hand two of the best "
    "were joined, two constants made one, and the first term divided by the number of players: on deals "
    "of the search, this formula and the joined one won .43026 and .43022 of 900,000 games with three "
    "players, .735 and .683 with two."
)
"""The way `searched-40` was found."""

FILE = DATA / "strength-sevens-table.json"


def measured(
    name: str, opponent: str, players: int, games: int, seeds: tuple[int, ...] = SEEDS
) -> dict[str, Any]:
    """The share of wins of a program that ships, in all sets together."""
    game: Game = find(GAMES, "sevens", "game").load()
    player = player_of_text(SEVENS.shipped(name), game, filename=f"{name}.tree")
    other = (
        player_of_name(opponent, game)
        if opponent in game.programs
        else player_of_text(SEVENS.shipped(opponent), game, filename=f"{opponent}.tree")
    )
    rules = game.make_rules({"players": str(players)})
    results = [play_match(game, player, [other], rules=rules, seed=seed, games=games) for seed in seeds]
    found = chained(results)
    return {
        "program": name,
        "opponent": opponent,
        "players": players,
        "sets": [one.interval.mean for one in results],
        **entry(found.interval),
        "games": found.games,
    }


def main() -> None:
    """Measure all programs."""
    content = {
        "schema": "gpkit/strength-table/1",
        "command": "python -m gpkit_experiments.sevens_table",
        "note": "Win shares of one seat, each in turn, the opponent in all others. The seeds were named before any "
        "game was played; nothing was chosen by them. `champion` and `champion-40` are trained against `random` and "
        "`simple`, `tuned-40` against `simple`, all with three players; `searched-40` as below. Intervals: 95 %, the "
        "deal being the unit.",
        "searched": SEARCHED,
        "seeds": SEEDS,
        "results": [measured(name, *table) for table in TABLES for name in PROGRAMS],
    }
    write_record(FILE, content)


if __name__ == "__main__":
    main()

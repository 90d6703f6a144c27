"""Matches of the searches of Sevens, whose results ``experiments/data/strength-sevens-search.json`` keeps.

``python -m gpkit_experiments.search_strength`` plays them anew, about eight minutes on one core, and writes the file
after each.
"""

from dataclasses import replace
from typing import Any

from gpkit.core.registry import GAMES, data_folder, find
from gpkit.gamekit.game import Game
from gpkit.playing.contest import play_match
from gpkit.playing.players import player_of_name, player_of_text
from gpkit_experiments.papers.page import DATA
from gpkit_experiments.papers.units import entry, write_record

SEED = 81001
"""The seed of all matches, named before any was played."""

FILE = DATA / "strength-sevens-search.json"

MATCHES: tuple[tuple[str, str, str, int, int], ...] = (
    ("pimc:200", "champion", "champion", 3, 2_400),
    ("pimc-certain:200", "champion", "champion", 3, 900),
    ("pimc-blind:200", "champion", "champion", 3, 900),
    ("pimc-blind:200", "simple", "champion", 3, 900),
    ("pimc:200", "champion", "champion-40", 3, 900),
    ("pimc:200", "champion", "simple", 3, 900),
    ("pimc:200", "champion", "champion", 2, 400),
    ("pimc:200", "champion", "champion", 4, 400),
    ("pimc:200", "champion", "champion", 5, 400),
    ("pimc:200", "searched-40", "champion", 3, 2_400),
)
"""The search, its roll-out policy, its opponents, players at the table, and games."""


def played(search: str, policy: str, opponent: str, players: int, games: int) -> dict[str, Any]:
    """The result of one match, as the file has it."""
    game: Game = find(GAMES, "sevens", "game").load()
    player = player_of_name(search, game)
    assert player.worlds
    own = program(policy, game)
    result = play_match(
        game,
        replace(player, policy=own),
        [program(opponent, game)],
        rules=game.make_rules({"players": str(players)}),
        seed=SEED,
        games=games,
    )
    return {
        "player": search,
        "policy": policy,
        "opponent": opponent,
        "players": players,
        "games": result.games,
        **entry(result.interval),
    }


def program(name: str, game: Game) -> Any:
    """The player of a program that ships with the game."""
    path = next((data_folder("programs") / game.name).rglob(f"{name}.tree"))
    return player_of_text(path.read_text(encoding="utf-8"), game, filename=str(path))


def main() -> None:
    """Play all matches."""
    matches: list[dict[str, Any]] = []
    for match in MATCHES:
        matches.append(played(*match))
        content = {
            "schema": "gpkit/strength-search/1",
            "command": "python -m gpkit_experiments.search_strength",
            "note": "Win shares of seat 0, which takes every seat in turn, against copies of the opponent in all "
            "others; an even share is 1 / players. The seed was named before any game was played, and nothing was "
            "chosen by it. Intervals: 95 %, the deal being the unit.",
            "seed": SEED,
            "matches": matches,
        }
        write_record(FILE, content)


if __name__ == "__main__":
    main()

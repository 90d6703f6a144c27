"""``pimc`` is as strong as ``experiments/data/strength-sevens-search.json`` and the documentation say.

All matches come out again with ``-m slow``, about eight minutes on one core.
"""

import json
from dataclasses import replace
from typing import Any

import pytest
from kernel_marks import compiled_only
from result_pages import results

from gpkit.core.registry import GAMES, data_folder, find
from gpkit.gamekit.game import Game
from gpkit.playing.contest import play_match
from gpkit.playing.players import player_of_name, player_of_text
from gpkit_experiments.papers.page import DATA
from gpkit_experiments.papers.units import entry

RECORDED = json.loads((DATA / "strength-sevens-search.json").read_text(encoding="utf-8"))
SEED = RECORDED["seed"]
PAGE = results("sevens")


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


def test_all_matches_are_recorded() -> None:
    keys = ("player", "policy", "opponent", "players", "games")
    assert [tuple(match[key] for key in keys)[:4] for match in RECORDED["matches"]] == [
        match[:4] for match in MATCHES
    ]
    for match, (*_, games) in zip(RECORDED["matches"], MATCHES, strict=True):
        assert match["games"] == games
        assert match["ci95"][0] < match["mean"] < match["ci95"][1]


def test_inference_is_worth_what_the_documentation_says() -> None:
    first, certain, blind, plain, *_, stronger = RECORDED["matches"]
    assert first["ci95"][0] >= 0.36
    for match in (first, certain, blind, plain, stronger):
        low, high = match["ci95"]
        assert f"{match['mean']:.3f} ({low:.3f} to {high:.3f})" in PAGE


@compiled_only
@pytest.mark.slow
def test_matches_come_out_again() -> None:
    for match, recorded in zip(MATCHES, RECORDED["matches"], strict=True):
        assert played(*match) == recorded

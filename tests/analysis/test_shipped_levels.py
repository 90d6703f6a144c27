"""Shipped levels: a part of their held-out games, played again from the recorded seeds."""

import json
import math
from pathlib import Path

import pytest

from gpkit.analysis.levels import Meetings
from gpkit.api.roster_runs import NODES, at_random, drops
from gpkit.core.registry import LEVELS, TABLE, data_folder, game_of, name_game, shipped_levels
from gpkit.gamekit.game import Game
from gpkit.playing.players import shipped_player

TABLES = sorted(data_folder("programs").rglob(f"{LEVELS}/{TABLE}"))
GAMES = 600
"""The games of each pair that are played again; they are the first of the recorded ones."""

pytestmark = pytest.mark.release


def game_with(table: Path) -> Game:
    """The game of a shipped roster."""
    file = table.parent.parent.with_suffix(".py")
    return game_of(name_game(str(file)) if file.is_file() else table.parent.parent.name)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.parent.parent.name)
def test_shipped_levels_win_as_recorded(table: Path) -> None:
    stored, game = json.loads(table.read_text(encoding="utf-8")), game_with(table)
    met = Meetings.of(game, game.make_rules(stored["rules"]))
    names = shipped_levels(game.name)
    assert len(names) == len(stored["levels"]) >= 2
    assert stored["faults"] == []
    ladder = [at_random(game), *(shipped_player(name, game) for name in names)]
    for player, row in zip(ladder[1:], stored["levels"], strict=True):
        assert player.header["title"] == row["sentence"]
        assert len(player.program) <= NODES
        assert not any(tree.draws for tree in player.program.trees)
    pairs = [(upper, lower) for upper in range(len(ladder)) for lower in range(upper)]
    found = met.duels([(ladder[a], ladder[b]) for a, b in pairs], stored["seed"], GAMES)
    for (upper, lower), (by_deal, _) in zip(pairs, found, strict=True):
        error = 4.0 * float(by_deal.std()) * math.sqrt(1.0 / len(by_deal))
        assert abs(float(by_deal.mean()) - stored["matrix"][upper][lower]) < error, (upper, lower)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.parent.parent.name)
def test_sensors_that_sentences_name_make_shipped_levels_win(table: Path) -> None:
    stored, game = json.loads(table.read_text(encoding="utf-8")), game_with(table)
    met = Meetings.of(game, game.make_rules(stored["rules"]))
    ladder = [at_random(game), *(shipped_player(name, game) for name in shipped_levels(game.name))]
    for number, row in enumerate(stored["levels"], 1):
        names = [*row["drops"]]
        assert names
        again = drops(met, ladder[number], ladder[number - 1], stored["seed"], GAMES, names)
        for name in names:
            low, high = row["drops"][name]
            assert low > 0.0
            assert again[name].mean > 0.0 or again[name].high > low, (number, name)
            assert again[name].low < high, (number, name)

"""Shipped levels: a part of their held-out games, played again from the recorded seeds."""

import json
import math
from pathlib import Path
from types import SimpleNamespace

import pytest

from gpkit.analysis.levels import Level, Meetings
from gpkit.api.roster_runs import NODES, at_random, drops, noisy
from gpkit.core.registry import LEVELS, SECOND, TABLE, data_folder, game_of, name_game, shipped_levels
from gpkit.core.statistics import mean_interval
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


def ladder_of(game: Game) -> list[str]:
    """The names of the levels without second programs."""
    return [name for name in shipped_levels(game.name) if not name.endswith(SECOND)]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.parent.parent.name)
def test_shipped_second_programs_are_as_strong_and_decide_differently(table: Path) -> None:
    stored, game = json.loads(table.read_text(encoding="utf-8")), game_with(table)
    met = Meetings.of(game, game.make_rules(stored["rules"]))
    rows = {f"level-{row['level']}{SECOND}": row["second"] for row in stored["levels"] if "second" in row}
    assert [*rows] == [name for name in shipped_levels(game.name) if name.endswith(SECOND)]
    for name, row in rows.items():
        second, level = (shipped_player(each, game) for each in (name, name.removesuffix(SECOND)))
        assert row["ci95"][0] <= met.share(0.5) <= row["ci95"][1]
        ((by_deal, _),) = met.duels([(second, level)], stored["seed"], GAMES)
        assert abs(float(by_deal.mean()) - row["share"]) <= 4.0 * float(by_deal.std()) / math.sqrt(
            len(by_deal)
        )
        assert met.disagreement(second, level, stored["seed"]).mean >= 0.2


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.parent.parent.name)
def test_shipped_levels_win_as_recorded(table: Path) -> None:
    stored, game = json.loads(table.read_text(encoding="utf-8")), game_with(table)
    met = Meetings.of(game, game.make_rules(stored["rules"]))
    names = ladder_of(game)
    assert len(names) == len(stored["levels"]) >= 2
    assert stored["faults"] == []
    ladder = [at_random(game), *(shipped_player(name, game) for name in names)]
    for player, row in zip(ladder[1:], stored["levels"], strict=True):
        assert player.header["title"] == row["sentence"]
        assert len(player.program) <= NODES
        assert not any(tree.draws for tree in getattr(player.program, "trees", ()))
    pairs = [(upper, lower) for upper in range(len(ladder)) for lower in range(upper)]
    found = met.duels([(ladder[a], ladder[b]) for a, b in pairs], stored["seed"], GAMES)
    for (upper, lower), (by_deal, _) in zip(pairs, found, strict=True):
        share = stored["matrix"][upper][lower]
        error = 4.0 * math.sqrt(max(float(by_deal.var()), share * (1.0 - share)) / len(by_deal))
        assert abs(float(by_deal.mean()) - share) < error, (upper, lower)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.parent.parent.name)
def test_sensors_that_sentences_name_make_shipped_levels_win(table: Path) -> None:
    stored, game = json.loads(table.read_text(encoding="utf-8")), game_with(table)
    met = Meetings.of(game, game.make_rules(stored["rules"]))
    ladder = [at_random(game), *(shipped_player(name, game) for name in ladder_of(game))]
    for number, row in enumerate(stored["levels"], 1):
        names = [*row["drops"]]
        assert names
        again = drops(met, ladder[number], ladder[number - 1], stored["seed"], GAMES, names)
        for name in names:
            low, high = row["drops"][name]
            assert low > 0.0
            assert again[name].mean > 0.0 or again[name].high > low, (number, name)
            assert again[name].low < high, (number, name)


def test_noise_makes_the_top_win_as_often_as_a_level() -> None:
    game = game_with(data_folder("programs") / "games" / "connect_four" / LEVELS / TABLE)
    met = Meetings.of(game, game.make_rules({"opening": "6"}))
    ladder = [at_random(game), *(shipped_player(name, game) for name in shipped_levels(game.name))]
    ((won, _),) = met.duels([(ladder[5], ladder[4])], 7, GAMES)
    level = Level(5, ladder[5], "", mean_interval(won), {}, adds=True)
    found = noisy(SimpleNamespace(seed=1), met, level, ladder, GAMES)
    assert found is not None and found.noise is not None
    assert 0.0 < found.noise < 1.0
    assert found.share.low <= level.share.mean <= found.share.high

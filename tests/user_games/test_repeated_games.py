"""Games that are the same again: they count once, and the commands say how many differ."""

import json

import numpy as np
import pytest

from gpkit.cli.main import main
from gpkit.core.registry import data_folder, game_of, name_game
from gpkit.core.statistics import ONLY, mean_interval
from gpkit.gamekit.game import Game
from gpkit.playing.contest import Match, play_matches
from gpkit.playing.players import player_of_name, player_of_text
from gpkit.playing.results import compare, pool

FOLDER = data_folder("programs") / "games"
NIM = str(FOLDER / "nim.py")
POKER = str(FOLDER / "leduc_poker.py")


pytestmark = pytest.mark.usefixtures("none_named")


def named(path: str) -> Game:
    """The game of a file."""
    game: Game = game_of(name_game(path))
    return game


def test_equal_courses_count_once() -> None:
    values = np.array([0.0, 1.0, 0.5])
    courses = np.array([7, 8, 9])
    assert mean_interval(values, courses=courses) == pytest.approx(mean_interval(values))
    often = mean_interval(np.tile(values, 50), courses=np.tile(courses, 50))
    assert (often.units, often.mean) == (3, 0.5)
    assert (often.low, often.high) == pytest.approx((mean_interval(values).low, mean_interval(values).high))
    same = mean_interval(np.full(5_000, 0.5), support=(0.0, 1.0), courses=np.full(5_000, 7))
    assert (same.low, same.high, same.units, same.ends, same.text) == (0.0, 1.0, 1, None, "none")
    only = mean_interval(np.full(5_000, 124.0), support=(0.0, 1200.0), courses=np.full(5_000, ONLY))
    assert (only.low, only.high, only.units, only.ends) == (124.0, 124.0, 1, None)


@pytest.mark.parametrize(
    ("file", "first", "second", "opening", "different"),
    [
        (NIM, "greedy", "greedy", "0", 2),
        (NIM, "greedy", "greedy", "1", 24),
        (NIM, "greedy", "random", "0", None),
        (NIM, "random", "greedy", "0", None),
        (NIM, "greedy", "mcts:2", "0", None),
        (NIM, "take: math.random()\n", "greedy", "0", None),
        (POKER, "greedy", "greedy", "0", None),
    ],
)
def test_games_that_differ_are_counted(
    file: str, first: str, second: str, opening: str, different: int | None
) -> None:
    game = named(file)
    players = [
        player_of_text(name, game, filename="own.tree") if "\n" in name else player_of_name(name, game)
        for name in (first, second)
    ]
    rules = game.make_rules({"opening": opening})
    match = Match(players[0], (players[1],))
    (result,) = play_matches(game, [match], rules=rules, seed=4, games=200)
    assert (result.games, result.different_games) == (200, different)
    if different is not None:
        assert result.interval.units == different // 2
        assert result.courses is not None
        for number in np.unique(result.courses):
            assert len(np.unique(result.by_deal[result.courses == number])) == 1


def test_comparisons_count_deals_that_are_alike_for_both() -> None:
    game = named(NIM)
    greedy, random = player_of_name("greedy", game), player_of_name("random", game)
    largest = player_of_text("take: env.left\n", game, filename="largest.tree")
    matches = [Match(each, (other,)) for each in (greedy, largest) for other in (greedy, random)]
    results = play_matches(game, matches, rules=game.make_rules({}), seed=4, games=200)
    alike = compare(results[0], results[2])
    assert (alike.difference.units, alike.verdict) == (1, "not distinguished")
    assert compare(results[1], results[3]).difference.units == 100
    assert compare(pool(results[:2]), pool(results[2:])).difference.units == 100


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("run greedy --opponent greedy --games 40", "2 different games; use --rules opening=N or --exact"),
        (
            "run greedy --opponent greedy --opponent random --games 40",
            "2 different games in 1 of 2 rows; use",
        ),
        ("run champion --ladder --games 10", "2 to 6 different games in 2 of 4 rows; use"),
        (
            "compare greedy champion --opponent greedy --games 40",
            "2 different games; use --rules opening=N or",
        ),
        ("tournament greedy champion --games 40", "2 different games; use --rules opening=N or --exact"),
        (
            "series greedy champion --games 3 --repeat 4",
            "2 different games; use --rules opening=N or --exact",
        ),
    ],
)
def test_commands_say_that_games_repeat(line: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*line.split(), "--game", NIM]) == 0
    assert told in capsys.readouterr().out


def test_the_interval_of_one_game_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    program = str(data_folder("programs") / "build_order" / "earliest.tree")
    for games in ("1", "50"):
        assert main(["run", program, "--games", games]) == 0
        told = capsys.readouterr().out
        assert told.splitlines()[1].split()[3:5] == ["124.0000", "none"]
        assert ("all games are the same, as nothing is random" in told) == (games == "50")
    assert main(["compare", program, "economy", "--games", "10"]) == 0
    assert f"{program} is better than economy, by 100.0000" in capsys.readouterr().out
    assert main(["run", program, "--games", "5", "--json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert (result["ci95"], result["games"], result["different_games"]) == (None, 5, 1)
